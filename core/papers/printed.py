"""What papers print, and what the scores that their authors stored give: the files of ``assets/data/papers``.

A file has the ``source`` and ``licence`` of what is printed, under ``references`` what each further column is from, and
under ``cards`` a table for each card: its ``columns`` are ``row``, ``column``, ``printed`` and the references of that
card, its ``values`` a line each. What is printed is a text, digit for digit, and empty where it is not at hand; what a
reference gives is a number, a text, or null where it gives none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from ..sources.lists import read_json

Key = tuple[str, str]  # of a value: its row and its column
_KEYS = ("row", "column", "printed")
_NUMBER = re.compile(r"[-+]?[0-9,]*\.?[0-9]+(?:e[-+]?[0-9]+)?")


@dataclass(frozen=True)
class Value:
    """One value of a table or figure.

    ``printed`` is what the paper prints, empty where that is not at hand. ``references`` are what stored scores give,
    by the name of the reference.
    """

    row: str
    column: str
    printed: str
    references: Mapping[str, float | str | None]

    @property
    def key(self) -> Key:
        """Its row and column."""
        return self.row, self.column

    @property
    def number(self) -> float | None:
        """The printed number, without a star behind it; None for words, and where nothing is at hand."""
        return float(self._digits.replace(",", "")) if _NUMBER.fullmatch(self._digits) else None

    @property
    def decimals(self) -> int:
        """The decimals that are printed, 3 where none is at hand."""
        if not self.printed:
            return 3
        return len(self._digits.partition("e")[0].partition(".")[2])

    @property
    def rounding(self) -> float | None:
        """Half a unit of the last printed digit; None where no number is printed."""
        if self.number is None:
            return None
        return 0.5 * math.pow(10.0, self.exponent - self.decimals)

    @property
    def exponent(self) -> int:
        """The power of ten that is printed, 0 where none is."""
        return int(self._digits.partition("e")[2] or 0) if self.number is not None else 0

    @property
    def _digits(self) -> str:
        return self.printed.rstrip("*").replace("−", "-")


@dataclass(frozen=True)
class PaperData:
    """What one paper prints: ``references`` say what each reference is, ``cards`` the values of each card."""

    source: str
    licence: str
    references: Mapping[str, str]
    cards: Mapping[str, tuple[Value, ...]]


@cache
def paper_data(paper: str) -> PaperData:
    """What a paper prints, from its file.

    Parameters
    ----------
    paper : str
        Its id, which is the name of the file.

    Returns
    -------
    PaperData
        Read once; not to be changed.
    """
    found = read_json(f"papers/{paper}.json")
    return PaperData(
        found["source"],
        found["licence"],
        MappingProxyType(found["references"]),
        MappingProxyType({card: _values(table) for card, table in found["cards"].items()}),
    )


def with_slots(template: str, slots: Mapping[str, str]) -> str:
    """A template of this program with its slots as a paper writes them."""
    for slot, name in slots.items():
        template = template.replace(slot, name)
    return template


def _values(table: Mapping[str, Any]) -> tuple[Value, ...]:
    columns = list(table["columns"])
    names = columns[len(_KEYS) :]
    if tuple(columns[: len(_KEYS)]) != _KEYS:
        raise ValueError(f"a card has the columns {', '.join(_KEYS)} first, not {', '.join(columns)}")
    return tuple(
        Value(row, column, printed, MappingProxyType(dict(zip(names, references, strict=True))))
        for row, column, printed, *references in table["values"]
    )
