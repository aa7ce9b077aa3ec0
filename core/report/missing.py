"""What reliability and benchmarks have no number for, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from ..result import Excluded

_NAMED = 5  # reasons that are written out; the rest is counted


def missing_sentence(left_out: Sequence[Excluded]) -> str:
    """Everything that was excluded or not computed, by its reasons, which name what they are about; each once."""
    reasons = list(dict.fromkeys(item.reason.rstrip(".") for item in left_out))
    if not reasons:
        return "Nothing was excluded."
    more = [f"{len(reasons) - _NAMED:,} more"] if len(reasons) > _NAMED else []
    return f"Excluded or not computed: {'; '.join([*reasons[:_NAMED], *more])}."
