"""Gender-swapped twins of sentences; a masked model says whether a "her" becomes "his" or "him" (Li et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...engine import catalog
from ...engine.masked import MaskedScorer, MaskQuery, WordScore
from ...errors import OptionError
from ...run import UNWATCHED, Watch
from ...sources.swap import SwapPlan, plan
from ...sources.templates import MASK

REACH = 200  # characters shown to the model on each side: 400 pieces at most, which a model of 512 can read


@dataclass(frozen=True)
class Choice:
    """What a model chose at an open place: the number of the option, and ln of how many times likelier it is."""

    option: int
    margin: float


def twin(
    scorer: MaskedScorer,
    texts: Sequence[str],
    *,
    run: Watch = UNWATCHED,
) -> tuple[str | None, ...]:
    """The twin of each text: gendered words swapped, each "her" by what the model finds likelier in its place.

    None stands for a text that has no answer (see ``choices``).
    """
    plans = [plan(text) for text in texts]
    chosen = choices(scorer, plans, run=run)
    return tuple(
        None if found is None else swap.text([choice.option for choice in found])
        for swap, found in zip(plans, chosen, strict=True)
    )


def choices(
    scorer: MaskedScorer,
    plans: Sequence[SwapPlan],
    *,
    run: Watch = UNWATCHED,
) -> tuple[tuple[Choice, ...] | None, ...]:
    """What stands at the open places of each plan, left to right: the option that the model finds likeliest.

    Every place is decided by itself, in the twin as far as it is certain: what has one counterpart is swapped, other
    open places still hold their "her", which fits as "his" and as "him". So no answer hangs on another, and one call
    asks for all texts. The model sees ``REACH`` characters on each side. A text without "her" asks nothing.

    None stands for a plan that has no answer: the run was stopped, or the model cannot score both words there.
    """
    queries = [query for swap in plans for query in _queries(swap)]
    answers = iter(scorer.log_probs(queries, run=run) if queries else ())
    return tuple(_chosen([next(answers) for _ in swap.alternatives()]) for swap in plans)


def _queries(swap: SwapPlan) -> Iterator[MaskQuery]:
    """A question for each open place, left to right."""
    known = [part.text if part.is_open else part.options[0] for part in swap.parts]
    for place, part in enumerate(swap.parts):
        if part.is_open:
            before, after = "".join(known[:place]), "".join(known[place + 1 :])
            if len(before) > REACH:
                before = before[-REACH:]
                before = before[before.find(" ") + 1 :]
            if len(after) > REACH:
                after = after[:REACH].rpartition(" ")[0]
            candidates = tuple(option.lower() for option in part.options)  # the scorer sets capitals
            yield MaskQuery(before + MASK + after, before.count(MASK), candidates)


def _chosen(answers: Sequence[tuple[WordScore, ...]]) -> tuple[Choice, ...] | None:
    found = []
    for scores in answers:
        values = [score.ln_p for score in scores if score.ln_p is not None]
        if len(values) < len(scores):
            return None
        best, second = sorted(values, reverse=True)[:2]
        margin = best - second if math.isfinite(second) else math.inf
        found.append(Choice(values.index(best), margin))
    return tuple(found)


def made(text: str) -> str:
    """The twin of one sentence by the embedded model. Raises OptionError where it cannot choose."""
    from ...engine import checkpoints
    from ...engine.pool import shared_pool

    with shared_pool().lease(checkpoints.request(catalog.DEFAULT)) as model:
        (found,) = twin(MaskedScorer(model), [text])
    if found is None:
        raise OptionError("No twin could be made of this sentence; write it yourself.")
    return found
