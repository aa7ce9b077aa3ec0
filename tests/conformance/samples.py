"""A sample of each measure for the conformance suite. A new measure adds its line to ``SAMPLES``.

The suite fails for a registered measure without a sample, so nothing can be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec
from tests.conformance.toy.spec import Case, ToySpec
from tests.support.tiny import tiny_folder


@dataclass(frozen=True)
class Sample:
    """One small measurement, and what a promise needs to know of it.

    ``arguments``: the same on the command line. ``swapped``: two measurements whose two sides are exchanged; each of
    ``signed`` (columns by table) has the other sign in the rows that are equal in ``keys`` (columns that name a row).
    ``reordered``: the same words in another order. ``excluding``: one that excludes something. ``bad``: arguments that
    no measurement has. ``without``: promises that cannot hold, each with the reason.
    """

    spec: MeasureSpec[Any]
    arguments: tuple[str, ...]
    bad: tuple[str, ...]
    excluding: MeasureSpec[Any]
    swapped: tuple[MeasureSpec[Any], MeasureSpec[Any]] | None = None
    reordered: MeasureSpec[Any] | None = None
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    signed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)


_TOY = ToySpec(words=("nurse", "bookkeeper"), other="nurse", case=Case.UPPER, times=2)
_SECOND = str(tiny_folder("gpt2"))  # so that a run can be stopped between two models
_LPBS = LpbsSpec(
    models=("default", _SECOND),
    templates=("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired."),
    groups={"male": ("he",), "female": ("she",)},
    attributes=("nurse", "engineer", "bookkeeper"),
    masking="word",
    seed=3,
)
_LPBS_NUMBERS = ("lpbs", "log_ratio", "prior_log_ratio")
SAMPLES: dict[str, Sample] = {
    "score": Sample(
        _LPBS,
        (
            *("--model", "default", "--model", _SECOND),
            *("--template", "[TARGET] is a [ATTRIBUTE].", "--group", "male=he", "--group", "female=she"),
            *("--template", "The [ATTRIBUTE] said that [TARGET] was tired.", "--masking", "word", "--seed", "3"),
            *("--attribute", "nurse", "--attribute", "engineer, bookkeeper"),
        ),
        bad=("--group", "male=he", "--attribute", "nurse"),
        excluding=replace(_LPBS, groups={"men": ("he", "chairman"), "women": ("she", "chairwoman")}),
        swapped=(_LPBS, replace(_LPBS, groups={"female": ("she",), "male": ("he",)})),
        reordered=replace(_LPBS, attributes=("bookkeeper", "nurse", "engineer")),
        keys={"attributes": ("model", "attribute"), "overall": ("model",)},
        signed={"attributes": _LPBS_NUMBERS, "overall": _LPBS_NUMBERS},
    ),
    "toy": Sample(
        _TOY,
        ("--word", "nurse", "--word", "bookkeeper", "--other", "nurse", "--case", "upper", "--times", "2"),
        bad=("--times", "10"),
        excluding=replace(_TOY, words=("nurse", "electroencephalography"), exclude_long=True),
        swapped=(
            replace(_TOY, words=("bookkeeper",), other="nurse"),
            replace(_TOY, words=("nurse",), other="bookkeeper"),
        ),
        reordered=replace(_TOY, words=("bookkeeper", "nurse")),
        keys={"words": ("model",)},
        signed={"words": ("difference",)},
    ),
}
