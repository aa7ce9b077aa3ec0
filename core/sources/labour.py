"""Who does a job: shares of people by occupation, from ``assets/data/labour`` or a file of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..errors import OptionError, WordListError
from .digests import user_copy
from .files import file_text
from .lists import data_files, read_json
from .numbers import Numbers, is_number, read_numbers
from .parsing import shown
from .tables import Table

BLS = "bls"
BLS_YEARS = (2019, 2020, 2021, 2022, 2023)
OF = ("women", "Black", "Asian", "Hispanic")  # the columns of the BLS table after the number employed

_NOT_PUBLISHED = "the bureau publishes no share for so small an occupation"
_COLUMNS = ("percent", "share", "pct", "proportion", "fraction")


@dataclass(frozen=True)
class Statistic:
    """Shares of people by occupation, as a number's horizontal axis.

    ``title`` names what is counted, where and when ("women among those employed, U.S. 2019"); ``of`` is ``women`` or
    ``Black``, the people counted. ``source`` is one line for provenance; ``notes`` pairs a profession with the note
    where its name merges or approximates a row.
    """

    title: str
    of: str
    source: str
    year: int | None
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Shares:
    """Percentages (0–100) of one statistic by occupation. ``find`` takes names as people write them.

    ``reasons`` says of an occupation that is there why it has no number. Of a user's own file, ``names`` are its
    occupations as they are written, and ``notes`` say what was assumed in reading it.
    """

    statistic: Statistic
    percents: Mapping[str, float]
    reasons: Mapping[str, str]
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def find(self, occupation: str) -> float | None:
        """The share of an occupation, whatever its case, singular for plural too; None where there is none."""
        return next((self.percents[name] for name in _spellings(occupation) if name in self.percents), None)

    def unused(self, occupations: Iterable[str]) -> tuple[str, ...]:
        """The rows of the user's file in which none of these occupations is found."""
        rows = {name.casefold() for name in self.names}
        sought = {next((name for name in _spellings(occupation) if name in rows), "") for occupation in occupations}
        return tuple(name for name in self.names if name.casefold() not in sought)

    def reason(self, occupation: str) -> str:
        """Why an occupation has no share."""
        known = next((self.reasons[name] for name in _spellings(occupation) if name in self.reasons), None)
        return known or f"has no row in the statistic ({self.statistic.title})"


@cache
def share_tables() -> tuple[tuple[str, str], ...]:
    """(id, name) of every statistic on offer, the BLS table of a chosen year first."""
    others = [(data["id"], data["name"]) for data in _small_tables().values()]
    return ((BLS, "U.S. labour statistics (BLS), by year"), *others)


def shares(table: str, *, year: int = 2019, of: str = "women") -> Shares:
    """The shares of a statistic; ``year`` and ``of`` choose a column of the BLS table.

    Raises OptionError for a table, year or column that is not there.
    """
    if table == BLS:
        if year not in BLS_YEARS:
            raise OptionError(f"There are BLS figures of {BLS_YEARS[0]} to {BLS_YEARS[-1]}, none of {year}.")
        if of not in OF:
            raise OptionError(f"The BLS counts {', '.join(OF)}, not “{shown(of)}”.")
        return _bls(year, of)
    if table not in _small_tables():
        raise OptionError(
            f"There is no statistic “{shown(table)}”; there are {', '.join(name for name, _ in share_tables())}."
        )
    data = _small_tables()[table]
    if of != data["of"]:
        raise OptionError(f"{data['name']} counts {data['of']}; for {of} take the BLS table.")
    statistic = Statistic(data["title"], data["of"], data["source"], data["year"], tuple(data["notes"].items()))
    return Shares(statistic, {name.casefold(): value for name, value in data["shares"].items()}, {})


def read_shares(data: bytes, name: str, *, of: str = "women") -> Shares:
    """The user's own shares from a CSV or TSV file: a column of names, and one of percentages (0–100).

    The percentages stand in the second column, or in the one whose heading begins with "percent",
    "pct", "share", "proportion" or "fraction".
    Numbers are read as in ``core.sources.numbers``. Shares from 0 to 1 are read where the heading says "share",
    "proportion" or "fraction", with a note.

    Raises WordListError for what is no percentage, for an occupation that appears twice, and for numbers from 0 to 1
    of which nothing says whether they are shares or percentages.
    """
    file = file_text(data, name)
    table = Table.read(file.text, name)
    rows: list[tuple[str, ...]] = list(table.rest)
    column, heading = 1, ""
    if len(table.first) < 2:
        raise WordListError(f"{shown(name)} has one column; needs two: the occupation and its percentage.")
    if is_number(table.first[1]):
        rows.insert(0, table.first)
    else:
        if len(table.first) > 2:
            named = [at for at, head in enumerate(table.names) if head.casefold().startswith(_COLUMNS)]
            if len(named) != 1:
                raise WordListError(
                    f"{shown(name)} has {len(table.first)} columns; call the one with the percentages “percent”."
                )
            column = named[0]
        heading = table.names[column]
    names = [row[0] for row in rows]
    seen: set[str] = set()
    for occupation in names:
        if occupation.casefold() in seen:
            raise WordListError(f"{shown(name)} names {shown(occupation)} twice; keep one of the rows.")
        seen.add(occupation.casefold())
    numbers = read_numbers(
        [row[column] for row in rows],
        rows=names,
        column=heading or "column 2",
        name=name,
        separator=table.separator,
        within=(0, 100),
    )
    percents, unit = _percentages(numbers, heading, name)
    source = "; ".join((user_copy(data, name), *filter(None, [unit])))
    return Shares(
        replace(own_statistic(name, of), source=source),
        {key.casefold(): value for key, value in zip(names, percents, strict=True) if value is not None},
        {
            key.casefold(): f"has no number in {name}"
            for key, value in zip(names, percents, strict=True)
            if value is None
        },
        names=tuple(names),
        notes=(*file.notes, *filter(None, [numbers.note, unit])),
    )


def own_statistic(name: str, of: str) -> Statistic:
    """What a file of the user's counts, as far as its name tells."""
    return Statistic(f"{of} among those employed, {shown(name)}", of, shown(name), None)


def _percentages(numbers: Numbers, heading: str, name: str) -> tuple[Sequence[float | None], str]:
    """The numbers as percentages, and what was assumed of their unit; a percent sign leaves nothing open."""
    values = numbers.values
    plain = [v for v, percent in zip(values, numbers.percent, strict=True) if v is not None and not percent]
    if not any(plain) or max(plain) > 1:
        return values, ""
    said = heading.casefold()
    if any(word in said for word in ("percent", "pct", "%")):
        return values, f"{shown(name)}: the numbers from 0 to 1 are percentages, as the heading says"
    if not any(numbers.percent) and any(word in said for word in ("share", "proportion", "fraction")):
        return (
            [None if value is None else round(100 * value, 10) for value in values],
            f"{shown(name)}: shares from 0 to 1 were read as 0 % to 100 %",
        )
    raise WordListError(
        f"{shown(name)} has numbers from 0 to 1, which may be shares or percentages; call the column “share” or "
        "“percent”, or write percentages with a percent sign."
    )


@cache
def _small_tables() -> dict[str, dict[str, Any]]:
    tables = [read_json(name) for name in data_files("labour")]
    return {data["id"]: data for data in tables if "id" in data}


@cache
def _bls(year: int, of: str) -> Shares:
    data = read_json("labour/us_bls.json")
    column = 1 + OF.index(of)
    rows = {
        occupation["occupation"].casefold(): (occupation[str(year)][0], occupation[str(year)][column])
        for occupation in data["occupations"]
        if str(year) in occupation
    }
    percents = {name: share for name, (_, share) in rows.items() if share is not None}
    reasons = {name: _NOT_PUBLISHED for name, (_, share) in rows.items() if share is None}
    notes = []
    for profession in data["professions"]:
        names = profession["rows"] if year < 2020 else profession.get("rows_from_2020", profession["rows"])
        counted = [rows[name.casefold()] for name in names]
        published = [(employed, share) for employed, share in counted if share is not None]
        key = profession["profession"].casefold()
        if len(published) == 1:
            percents[key] = published[0][1]
        elif published:
            weights = sum(employed for employed, _ in published)
            percents[key] = sum(employed * share for employed, share in published) / weights
        else:
            reasons[key] = _NOT_PUBLISHED
        if "note" in profession and (year >= 2020 or "rows_from_2020" not in profession):
            notes.append((profession["profession"], profession["note"]))
    title = f"{of if of == 'women' else f'{of} people'} among those employed, U.S. {year} (BLS CPS table 11)"
    return Shares(Statistic(title, of, f"{data['source']}, {year}", year, tuple(notes)), percents, reasons)


def _spellings(occupation: str) -> tuple[str, ...]:
    name = occupation.casefold().strip()
    plural = name[:-1] + "ies" if name.endswith("y") else name + "s"
    return name, plural
