"""Numbers as people write them: a whole column at once, since "1,508" alone may be 1508 or 1.508."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import WordListError
from .parsing import shown

_GROUPS = " \u00a0\u2009\u202f'’"  # group thousands in any language, and are no decimal sign
_DECIMAL = (".", ",")


@dataclass(frozen=True)
class Numbers:
    """A column of numbers, None for an empty cell.

    ``percent`` says of each whether it has a percent sign, which does not change the number. ``note`` says what was
    assumed, empty where nothing was.
    """

    values: tuple[float | None, ...]
    percent: tuple[bool, ...]
    note: str


def is_number(cell: str) -> bool:
    """Whether a cell is a number in one way of writing or another."""
    return any(_value(_bare(cell), decimal) is not None for decimal in _DECIMAL)


def read_numbers(
    cells: Sequence[str],
    *,
    rows: Sequence[str],
    column: str,
    name: str,
    separator: str,
    within: tuple[float, float] | None = None,
) -> Numbers:
    """The numbers of a column.

    Which sign is the decimal one is told from the whole column: "0,5", "1,50" and "1.234,5" have one reading. Where
    all cells have two ("1,508" beside "985"), a file separated by commas groups thousands with them, since its decimal
    sign is the point; in others the limits may tell.

    Parameters
    ----------
    cells : the column's cells; a true minus sign, a percent sign and an exponent may be part of a number
    rows : what each row is called in a message
    column, name : the heading and the file, for messages
    separator : what separates the cells of the file
    within : the smallest and the largest number there can be

    Raises
    ------
    WordListError
        for a cell that is no number or not within the limits, for decimal points beside decimal commas, and for a
        column that can be read in two ways.
    """
    bare = [_bare(cell) for cell in cells]
    filled = [place for place, cell in enumerate(cells) if cell.strip()]
    where = f"{shown(name)}, column “{shown(column)}”"
    readings = {decimal: [_value(text, decimal) for text in bare] for decimal in _DECIMAL}
    for place in filled:
        if all(values[place] is None for values in readings.values()):
            raise WordListError(_wrong(where, rows[place], cells[place], within))
    complete = {
        decimal: values for decimal, values in readings.items() if all(values[place] is not None for place in filled)
    }
    if not complete:
        point, comma = (
            next(cells[place] for place in filled if readings[other][place] is None) for other in (",", ".")
        )
        raise WordListError(
            f"{where} has decimal points and decimal commas (“{shown(point)}”, “{shown(comma)}”); write all numbers "
            "the same way."
        )
    fitting = {
        decimal: values
        for decimal, values in complete.items()
        if within is None or all(within[0] <= value <= within[1] for value in values if value is not None)
    }
    if not fitting:
        values = complete.get("." if separator == "," else ",") or next(iter(complete.values()))
        low, high = within or (0.0, 0.0)
        place = next(place for place in filled if not low <= (values[place] or 0.0) <= high)
        raise WordListError(_wrong(where, rows[place], cells[place], within))
    decimal, values = next(iter(fitting.items()))
    note = ""
    if len(fitting) < len(complete):  # the limits alone decide
        place = next(place for place in filled if complete["."][place] != complete[","][place])
        if decimal == separator:  # it groups thousands there: a count, not a share
            raise WordListError(_wrong(where, rows[place], cells[place], within))
        if separator != ",":
            note = f"{where}: “{shown(bare[place])}” is {values[place]:g}, since {_plain(bare[place])} cannot be."
    if any(other != values for other in fitting.values()):
        decimal, note = _decided(
            [cells[place] for place in filled if fitting["."][place] != fitting[","][place]],
            whole=any(bare[place].isdigit() for place in filled),
            separator=separator,
            where=where,
        )
        values = fitting[decimal]
    return Numbers(tuple(values), tuple("%" in cell for cell in cells), note)


def _decided(doubtful: Sequence[str], *, whole: bool, separator: str, where: str) -> tuple[str, str]:
    """The decimal sign of a column whose form leaves it open, and what to say; ``whole``: some cells have no sign."""
    example = _bare(doubtful[0])
    sign = "," if "," in example else "."
    if separator == ",":
        return ".", f"{where}: commas group thousands (“{shown(example)}” is {_plain(example)})." if sign == "," else ""
    if separator != ";" and sign == "." and not whole:
        return ".", f"{where}: the point is the decimal sign (“{shown(example)}” is not {_plain(example)})."
    decimal = example.replace(sign, ".")
    raise WordListError(
        f"{where} can be read in two ways: “{shown(example)}” as {_plain(example)} or as {decimal}. Write "
        f"{_plain(example)}, or {decimal}0 with another decimal place."
    )


def _plain(text: str) -> str:
    return re.sub(r"[.,]", "", text)


def _wrong(where: str, row: str, cell: str, within: tuple[float, float] | None) -> str:
    wanted = "a number" if within is None else f"a number from {within[0]:g} to {within[1]:g}"
    return f"{where}: {shown(row)} has “{shown(cell)}”; write {wanted}."


def _bare(cell: str) -> str:
    """The cell without percent sign and white space at its ends, with a plain minus sign."""
    return cell.strip().removesuffix("%").strip().replace("−", "-")


def _value(text: str, decimal: str) -> float | None:
    """The number, read with this decimal sign; None where it cannot be."""
    group = "." if decimal == "," else ","
    found = re.fullmatch(
        rf"(?P<sign>[+-]?)(?P<whole>[0-9]+|[1-9][0-9]{{0,2}}(?P<group>[{re.escape(group + _GROUPS)}])[0-9]{{3}}"
        rf"(?:(?P=group)[0-9]{{3}})*|)(?:{re.escape(decimal)}(?P<rest>[0-9]*))?(?P<power>[eE][+-]?[0-9]+)?",
        text,
    )
    if found is None or not (found["whole"] or found["rest"]):
        return None
    whole = re.sub(r"[^0-9]", "", found["whole"])
    value = float(f"{found['sign']}{whole or 0}.{found['rest'] or 0}{found['power'] or ''}")
    return value if abs(value) != float("inf") else None
