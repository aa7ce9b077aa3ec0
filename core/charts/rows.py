"""From a result to the rows of a chart: the values that exist, in an order, and what hovering says of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from numbers import Real

from core.errors import NothingToScore, OptionError

ORDERS = ("lean", "name")


@dataclass(frozen=True)
class Value:
    """One attribute's score in nats, positive to the contrast's first group, with its interval where there is one.

    ``hover`` is the text of the tooltip, in plotly's markup with every word made literal.
    """

    attribute: str
    lpbs: float
    interval: tuple[float, float] | None
    hover: str


@dataclass(frozen=True)
class Gap:
    """A row that stands for ``count`` attributes that are not shown."""

    count: int


def choose(
    lean: Mapping[str, float], *, order: str, limit: int | None, highlight: str | None = None
) -> tuple[str | Gap, ...]:
    """The rows from top to bottom: attributes, and a gap wherever some are passed over.

    ``lean`` sorts from the second group's side to the first's and leaves out the middle. ``name`` sorts by
    alphabet and leaves out the smallest leans, counted in one last row. ``highlight`` is always shown. Raises
    OptionError for another order or a limit below 2, NothingToScore where there is no value.
    """
    if order not in ORDERS:
        raise OptionError(f"There is no order {order}; choose one of {', '.join(ORDERS)}.")
    if limit is not None and limit < 2:
        raise OptionError(f"A limit of {limit} leaves nothing to compare; it must be at least 2.")
    if not lean:
        raise NothingToScore("No attribute has a score in this contrast; the list of exclusions says why.")
    by_lean = sorted(lean, key=lambda attribute: lean[attribute])
    if limit is None or limit >= len(by_lean):
        kept = set(by_lean)
    elif order == "lean":
        kept = {*by_lean[: math.ceil(limit / 2)], *by_lean[len(by_lean) - limit // 2 :]}
    else:
        kept = set(sorted(lean, key=lambda attribute: -abs(lean[attribute]))[:limit])
    kept.update(attribute for attribute in lean if attribute == highlight)
    if order == "name":
        named = sorted(kept, key=lambda attribute: (attribute.casefold(), attribute))
        return (*named, Gap(len(lean) - len(kept))) if len(kept) < len(lean) else tuple(named)
    rows: list[str | Gap] = []
    for is_kept, run in groupby(by_lean, key=kept.__contains__):
        attributes = tuple(run)
        # A row that says "1 more" takes the place of the very row it hides.
        rows.extend(attributes if is_kept or len(attributes) == 1 else (Gap(len(attributes)),))
    return tuple(rows)


def finite(value: object) -> float | None:
    """The value as a float, or None where it is missing or infinite."""
    if not isinstance(value, Real) or not math.isfinite(value):
        return None
    return float(value)


def extent(shown: Sequence[Value]) -> float:
    """The furthest any bar or whisker reaches from zero, in nats; at least 0.1, so that noise stays small."""
    ends = [0.1, *(abs(value.lpbs) for value in shown)]
    ends += [abs(end) for value in shown for end in value.interval or ()]
    return max(ends)
