"""A sample of each measure for the conformance suite. A new measure adds its line to ``SAMPLES``.

The suite fails for a registered measure without a sample, so nothing can be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.measures.measure import MeasureSpec
from tests.conformance.toy.spec import Case, ToySpec


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
SAMPLES: dict[str, Sample] = {
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
