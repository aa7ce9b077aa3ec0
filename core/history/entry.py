"""A run as the history lists it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..plain import Plain, canonical, restored
from ..report.numbers import signed
from ..result import HeadlineValue, Result

PAGE = 50  # entries that a list shows at a time
_MOST_HEADLINES = 12
_MOST_WORDS = 20_000  # characters of a run that a search looks through


@dataclass(frozen=True)
class Entry:
    """A run that is kept, without its tables.

    ``created`` is when it was measured (UTC, ISO 8601), ``line`` what was measured in a line, ``origin`` whether by the
    dashboard, by a command, or brought by an import, ``seconds`` how long that took. ``headlines`` are its first
    numbers. ``digest`` is the SHA-256 of its ``.tilt`` file. ``name``, ``note`` and ``starred`` are the user's own.
    """

    id: str
    created: str
    measure: str
    schema: str
    line: str
    models: tuple[str, ...]
    headlines: tuple[HeadlineValue, ...]
    origin: str
    seconds: float | None
    stopped: bool
    digest: str
    name: str = ""
    note: str = ""
    starred: bool = False

    @property
    def title(self) -> str:
        """What a reader knows it by: the user's name for it, else what was measured."""
        return self.name or self.line

    @property
    def summary(self) -> str:
        """Its first number, in a line; empty where it has none."""
        if not self.headlines:
            return ""
        first, more = self.headlines[0], len(self.headlines) - 1
        what = " ".join(filter(None, (first.title, first.of)))
        unit = f" {first.unit}" if first.unit else ""
        shown = signed(first.value) if first.has_sign else f"{first.value:.3f}"
        return f"{what}: {shown}{unit}{f' (and {more} more)' if more else ''}"


def of_result(result: Result, *, id: str, digest: str, origin: str, seconds: float | None) -> Entry:
    """The entry of a result that was just measured, or brought.

    Parameters
    ----------
    result : Result
        Of any measure.
    id : str
        Of the run.
    digest : str
        The SHA-256 of its ``.tilt`` file.
    origin : str
        How it came here: ``DASHBOARD``, ``COMMAND`` or ``IMPORT``.
    seconds : float or None
        How long it took, where that is known.

    Returns
    -------
    Entry
        Without a name, a note or a star.
    """
    spec = result.spec
    return Entry(
        id=id,
        created=result.provenance.created,
        measure=spec.COMMAND,
        schema=str(result.SCHEMA),
        line=spec.line,
        models=result.models,
        headlines=result.headlines()[:_MOST_HEADLINES],
        origin=origin,
        seconds=seconds,
        stopped=result.stopped,
        digest=digest,
    )


def searched(entry: Entry, result: Result) -> str:
    """All that a search looks through, in lower case: what was measured, on what, with which words."""
    models = (f"{model.name} {model.id} {model.family}" for model in result.provenance.models)
    parts = (entry.measure, entry.line, result.spec.TITLE, *models, *result.provenance.data, canonical(result.spec))
    return "\n".join(parts).casefold()[:_MOST_WORDS]


def as_row(entry: Entry, words: str) -> dict[str, Any]:
    """The columns of the table of runs."""
    row: dict[str, Any] = {name: getattr(entry, name) for name in entry.__dataclass_fields__}
    row |= {"models": canonical(entry.models), "headlines": canonical(entry.headlines), "words": words}
    return row | own_row(entry)


def own_row(entry: Entry) -> dict[str, Any]:
    """The columns of what is the user's own."""
    words = f"{entry.name}\n{entry.note}".casefold()
    return {"name": entry.name, "note": entry.note, "starred": entry.starred, "own_words": words}


def of_row(row: Mapping[Any, Any]) -> Entry:
    """The entry of a row of the table of runs."""
    fields: dict[str, Any] = {name: row[name] for name in Entry.__dataclass_fields__}
    fields["models"] = tuple(json.loads(row["models"]))
    fields["headlines"] = tuple(restored(HeadlineValue, item) for item in json.loads(row["headlines"]))
    return Entry(**fields)


def as_plain(entry: Entry) -> dict[str, Plain]:
    """The entry as a line of an export's index: what is the user's own, and how the run came about."""
    kept = ("id", "created", "measure", "line", "origin", "seconds", "digest", "name", "note", "starred")
    return {name: getattr(entry, name) for name in kept}
