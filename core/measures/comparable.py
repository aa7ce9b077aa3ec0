"""What of a measure's results can be compared item by item between a model and those made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

# What names an item: the sections that are one whole, those that are tested apart, what is drawn and averaged (a
# profession, a head), and the item within that (a pair of sentences).
KEYS = ("whole", "section", "entry", "item")
SIDES = ("first", "second")


@dataclass(frozen=True)
class Comparable:
    """The numbers of a measure that a base and its children share, declared once beside the measure's spec.

    Parameters
    ----------
    entry, item : str
        What is drawn and averaged, and what is tested: "profession", "pair of sentences".
    items : callable
        Reads a result of one model into a row an item: ``KEYS``, ``value`` (0: no lean), and where the value is a
        difference of two sides, ``SIDES``. A section is of one whole, and so may be the whole itself.
    ends : callable
        Of a spec, what a value above 0 and one below it point to; the two sides have these names.
    side_ends : tuple of str
        What a side's own value above 0 and one below it say.
    unit : callable
        Of a spec, the unit of the values; empty where they have none.
    cannot : callable
        Of a spec, the sentence that says why its items are not those of another model; empty where they are.
    summaries : callable or None
        Numbers of the whole model that are no mean of its items: ``section``, ``name``, ``value``, ``unit``.
    by_summary : bool
        Whether the summaries, all of one kind, say more of a section than the mean of its items does.
    erased : callable or None
        Of a spec, it and the same with gender erased from what is read, where that can be: a change without training.
    unused : tuple of str
        Inputs of the measure that change nothing of this.
    """

    entry: str
    item: str
    items: Callable[[Any], pd.DataFrame]
    ends: Callable[[Any], tuple[str, str]]
    side_ends: tuple[str, str] = ("", "")
    unit: Callable[[Any], str] = lambda spec: ""
    cannot: Callable[[Any], str] = lambda spec: ""
    summaries: Callable[[Any], pd.DataFrame] | None = None
    by_summary: bool = False
    erased: Callable[[Any], tuple[Any, Any]] | None = None
    unused: tuple[str, ...] = ()

    @property
    def items_noun(self) -> str:
        """What several items are called: "pairs of sentences"."""
        first, space, rest = self.item.partition(" ")
        return f"{first}s{space}{rest}"


def two_sided(sides: pd.DataFrame) -> pd.DataFrame:
    """Items with the ``value`` first − second; one that lacks a side is left out."""
    whole = sides.dropna(subset=list(SIDES))
    return whole.assign(value=whole["first"] - whole["second"]).reset_index(drop=True)
