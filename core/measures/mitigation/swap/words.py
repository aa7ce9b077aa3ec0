"""The sentences of a swap: the facts for the templates beside this module."""

from __future__ import annotations

import math

from ....report.numbers import counted
from ....report.texts import Finding, finding_of, text_of
from ....report.works import cited
from ....sources.first_names import DoubtKind
from ....sources.substitution import KINDS
from .metric import LEAST_MARGIN
from .result import SwapResult


def finding(result: SwapResult) -> Finding:
    """How much of the file was swapped, and how much of it swapping back restores."""
    return finding_of(
        __file__,
        "finding",
        documents=result.n("documents"),
        swapped=result.n("documents", "swapped"),
        changes=result.n("changes"),
        kinds=[_kind(kind, result.n("changes", kind)) for kind in KINDS if result.n("changes", kind)],
        doubts=result.n("doubts"),
        tokens=result.n("tokens"),
        lost=result.n("tokens", "not restored"),
        restored=result.restored_share,
    )


def methods(result: SwapResult) -> tuple[str, ...]:
    """How the text was made."""
    spec = result.spec
    return (
        text_of(
            __file__,
            "methods",
            data=result.provenance.data[0],
            lists=list(result.provenance.data[1:]),
            documents=result.n("documents"),
            swapped=result.n("documents", "swapped"),
            every=spec.every,
            seed=spec.seed,
            model=result.models[0],
            changes=result.n("changes"),
            doubts=result.n("doubts"),
            tokens=result.n("tokens"),
            restored=result.restored_share,
            times=round(math.exp(LEAST_MARGIN)),
        ),
    )


def references(_result: SwapResult) -> tuple[str, ...]:
    """The papers that the method is from."""
    return cited(("Bartl et al. 2020", "Hall Maudslay et al. 2019", "Webster et al. 2018"))


def material(result: SwapResult) -> tuple[str, ...]:
    """What was swapped, for the caption of a figure."""
    swapped = result.n("documents", "swapped")
    return (f"Text: {result.spec.name}. n = {counted(swapped, 'document')} swapped of {result.n('documents'):,}.",)


def counts_text(result: SwapResult) -> str:
    """In words, what the figure shows."""
    changes = ", ".join(f"{kind} {result.n('changes', kind):,}" for kind in KINDS)
    doubts = ", ".join(f"{kind} {result.n('doubts', str(kind)):,}" for kind in DoubtKind)
    return f"Changes by kind: {changes}. Doubts by kind: {doubts}."


def _kind(kind: str, n: int) -> str:
    return counted(n, {"word": "gendered word", "name": "first name"}.get(kind, kind))
