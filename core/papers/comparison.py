"""What was obtained beside what was printed, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..report.numbers import fixed, signed
from ..report.wording import listed
from ..result import Result
from .card import Card, Found
from .printed import Value

NOTHING_OF_IT = "This result has no value of the card."


@dataclass(frozen=True)
class Row:
    """A value of a card, and what a model gave, or this program where there is no model.

    ``model`` is empty, and ``obtained`` None, where nothing was measured. ``tolerance`` is None where the card has none
    for it. It is meant around ``expected``, and for the model that was printed; ``same`` says whether this is it.
    ``of`` is what was measured where it is not what was printed, such as another corpus; empty where it is.
    """

    value: Value
    model: str = ""
    obtained: float | str | None = None
    tolerance: float | None = None
    expected: float | None = None
    same: bool = False
    of: str = ""

    @property
    def difference(self) -> float | None:
        """Obtained less printed, of two numbers of the same thing."""
        printed = self.value.number
        if self.of or printed is None or not isinstance(self.obtained, float):
            return None
        return self.obtained - printed

    @property
    def agrees(self) -> bool | None:
        """Whether it lies within the tolerance, or is the print but for its rounding; whether two texts are equal.

        None where that is not a question: of another model than the printed one, say.
        """
        if self.of or not self.same:
            return None
        if isinstance(self.obtained, str):
            return self.obtained == self.value.printed if self.value.printed else None
        if not isinstance(self.obtained, float) or self.tolerance is None or self.expected is None:
            return None
        rounding = self.value.rounding or 0.0
        is_print = self.difference is not None and abs(self.difference) <= rounding + 1e-9
        return is_print or abs(self.obtained - self.expected) <= max(self.tolerance, rounding) + 1e-9


def compared(card: Card, results: Sequence[Result] = ()) -> tuple[Row, ...]:
    """Every value of a card, once for each model that gave any; without results what is printed and stored alone.

    Parameters
    ----------
    card : Card
        A table or figure.
    results : sequence of Result
        What its measurements gave, in their order.

    Returns
    -------
    tuple of Row
        Model by model, in the order of the print.
    """
    if card.here is not None:
        here = card.here()
        return tuple(
            _row(card, value, found=Found(here[value.key]) if value.key in here else None, same=True)
            for value in card.values
        )
    measured = card.measured(results)
    if not measured:
        return tuple(_row(card, value) for value in card.values)
    return tuple(
        _row(card, value, model, found.get(value.key), _is_printed(card, results, model))
        for model, found in measured.items()
        for value in card.values
    )


def refused(card: Card, results: Sequence[Result]) -> tuple[str, ...]:
    """Why values of results are not put beside the print, a sentence each: which input, what it is, what is needed."""
    return tuple(
        (f"{result.spec.line}: " if len(results) > 1 else "")
        + (f"Not beside the print in {listed(refusal.only)}" if refusal.only else "Not beside the print")
        + f". {refusal.text}"
        for result in results
        for refusal in card.refusals(result)
    )


def remarks(card: Card, results: Sequence[Result]) -> tuple[str, ...]:
    """What a reader must know of the values that stand beside the print, a sentence each."""
    return tuple(
        (f"{result.spec.line}: " if len(results) > 1 else "") + told for result in results for told in card.told(result)
    )


def _row(card: Card, value: Value, model: str = "", found: Found | None = None, same: bool = False) -> Row:
    reference = value.references.get(card.expected)
    expected = reference if isinstance(reference, float | int) else value.number
    tolerance = None if expected is None else card.tolerances.get(value.column)
    if found is None:
        return Row(value, model, None, tolerance, expected, same)
    return Row(value, model, found.value, tolerance, expected, same, found.of)


def _is_printed(card: Card, results: Sequence[Result], model: str) -> bool:
    """Whether a model is the one whose numbers were printed."""
    ids = {info.id for result in results for info in result.provenance.models if info.name == model}
    return not ids.isdisjoint(card.model_ids)


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a table of numbers and texts, for files.

    Parameters
    ----------
    rows : sequence of Row
        Of one card.

    Returns
    -------
    DataFrame
        A line each: model, row, column, print, what was obtained, of what where that is another thing, its difference
        from the print, whether it agrees, references, and tolerance; columns that hold nothing are left out.
    """
    return _table(rows, lambda cell, name, value: cell)


def text_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a reader reads them: every number with the decimals that are printed.

    Parameters
    ----------
    rows : sequence of Row
        Of one card.

    Returns
    -------
    DataFrame
        The columns of ``frame``, in texts.
    """
    return _table(rows, _text)


def _table(rows: Sequence[Row], write: Callable[[Any, str, Value], Any]) -> pd.DataFrame:
    found = []
    for row in rows:
        cells: dict[str, Any] = {
            "model": row.model or None,
            "row": row.value.row,
            "column": row.value.column,
            "printed": row.value.printed or None,
            "obtained": row.obtained,
            "of": row.of or None,
            "difference": row.difference,
            "agrees": None if row.agrees is None else "yes" if row.agrees else "no",
            **row.value.references,
            "tolerance": row.tolerance,
        }
        found.append({name: write(cell, name, row.value) for name, cell in cells.items()})
    return pd.DataFrame(found).dropna(axis="columns", how="all")


def _text(cell: Any, name: str, value: Value) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, str):
        return cell.replace("-", "−") if name == "printed" and value.number is not None else cell
    if name == "tolerance":
        return f"± {cell:g}"
    if value.exponent:
        return f"{cell:.1e}".replace("-", "−")
    return (signed if name == "difference" else fixed)(float(cell), value.decimals)
