"""The history: every finished run, kept with its spec, its tables and its provenance."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import logging
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from sqlalchemy import URL, Select, delete, func, insert, or_, select, update

from .. import archives
from ..errors import HistoryError, SavedFileError, TiltmeterError
from ..measures.measure import opened
from ..plain import strict_json
from ..result import Result
from ..sources.failures import first_line
from . import entry as entries
from .contents import Contents, Folder, InDatabase
from .database import Database, damage_sentence
from .entry import PAGE, Entry
from .schema import RUNS
from .settings import location

DASHBOARD, COMMAND, IMPORT = "dashboard", "command", "import"
_INDEX = "index.json"
_RESULTS = "results/"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Query:
    """What a list shows.

    ``words`` must all be in what was measured, its models, words, name or note. ``since`` and ``until`` are dates
    (YYYY-MM-DD), both included. What is empty does not narrow.
    """

    words: str = ""
    measure: str = ""
    model: str = ""
    since: str = ""
    until: str = ""
    starred: bool = False


@dataclass(frozen=True)
class Found:
    """Some entries, the last measured first, and how many there are in all."""

    entries: tuple[Entry, ...]
    total: int


@dataclass(frozen=True)
class Exported:
    """A ZIP of runs, and of each run that could not be put into it, why."""

    data: bytes
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Imported:
    """What an import brought: how many runs were added and how many were here already; what was refused and why."""

    added: int
    known: int
    refused: tuple[str, ...]


class History:
    """The runs that are kept in one database. Safe to share between threads and processes.

    Parameters
    ----------
    database : Database
        Where they are listed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        file = database.file
        self._contents: Contents = (
            InDatabase(database) if file is None else Folder(file.parent / f"{file.stem}-results")
        )

    @property
    def place(self) -> str:
        """Where it is kept, without a password."""
        return self._database.place

    def record(self, result: Result, *, origin: str, seconds: float | None = None) -> Entry:
        """Keep a result that was just measured. The file first, then the row: what is listed is there.

        Parameters
        ----------
        result : Result
            That was just measured.
        origin : str
            ``DASHBOARD`` or ``COMMAND``.
        seconds : float or None
            How long that took, where it is known.

        Returns
        -------
        Entry
            As it is listed.

        Raises
        ------
        HistoryError
            Where it cannot be written.
        """
        return self._add(result, result.to_bytes(), origin=origin, seconds=seconds)

    def find(self, query: Query, *, most: int = PAGE, skip: int = 0) -> Found:
        """The entries that fit, the last measured first.

        Parameters
        ----------
        query : Query
            What they have to be.
        most : int
            How many at most, after the first ``skip``.
        skip : int
            How many that fit are passed over, for the pages behind the first.

        Returns
        -------
        Found
            These entries, and how many fit in all.

        Raises
        ------
        HistoryError
            Where the database cannot be read.
        """
        # Counted in the same pass: the words of ten thousand runs are looked through once.
        counted = select(RUNS, func.count().over().label("total"))
        ordered = _where(counted, query).order_by(RUNS.c.created.desc(), RUNS.c.id).limit(most).offset(skip)
        with self._database.reading() as connection:
            rows = connection.execute(ordered).mappings().all()
            if not rows and skip:  # beyond the end
                total = connection.scalar(_where(select(func.count()).select_from(RUNS), query)) or 0
                return Found((), int(total))
        return Found(tuple(map(entries.of_row, rows)), int(rows[0]["total"]) if rows else 0)

    def entry(self, id: str) -> Entry:
        """The entry with this id, or the only one whose id begins so.

        Parameters
        ----------
        id : str
            The id of a run, or its beginning.

        Returns
        -------
        Entry
            Its row.

        Raises
        ------
        HistoryError
            Where none has it, or several begin so.
        """
        with self._database.reading() as connection:
            begins = RUNS.c.id.startswith(id, autoescape=True)
            rows = connection.execute(select(RUNS).where(begins).limit(2)).mappings().all()
        if not rows or not id:
            raise HistoryError(f"The history has no run “{id[:40]}”: it was deleted, or is in another history.")
        if len(rows) > 1:
            raise HistoryError(f"Several runs have ids that begin with {id}; give more of it.")
        return entries.of_row(rows[0])

    def data(self, entry: Entry) -> bytes:
        """Its ``.tilt`` file. Raises HistoryError."""
        return self._contents.get(entry.digest)

    def result(self, entry: Entry) -> Result:
        """Its result, whole. Raises HistoryError, SavedFileError."""
        return opened(self.data(entry), f"{entry.title}")

    def by_digest(self, digest: str) -> bytes | None:
        """The ``.tilt`` file whose SHA-256 begins so; None where no run has it. Raises HistoryError."""
        with self._database.reading() as connection:
            begins = RUNS.c.digest.startswith(digest, autoescape=True)
            found = connection.scalar(select(RUNS.c.digest).where(begins).limit(1))
        return None if found is None else self._contents.get(found)

    def edit(self, id: str, *, name: str | None = None, note: str | None = None, starred: bool | None = None) -> None:
        """Change what is the user's own of a run.

        Parameters
        ----------
        id : str
            The whole id of the run.
        name, note : str or None
            Its name and its note, without the blanks at their ends; None leaves what there is.
        starred : bool or None
            Whether it has a star; None leaves it.

        Raises
        ------
        HistoryError
            Where the run is not here any more, or cannot be written.
        """
        with self._database.writing() as connection:
            row = connection.execute(select(RUNS).where(RUNS.c.id == id)).mappings().first()
            if row is None:
                raise HistoryError("This run is not in the history any more.")
            before = entries.of_row(row)
            after = replace(
                before,
                name=before.name if name is None else _storable(name),
                note=before.note if note is None else _storable(note),
                starred=before.starred if starred is None else starred,
            )
            connection.execute(update(RUNS).where(RUNS.c.id == id).values(**entries.own_row(after)))

    def delete(self, ids: Sequence[str]) -> None:
        """Keep these runs no longer, and their files where no other run has them. Raises HistoryError."""
        with self._database.writing() as connection:
            digests = set(connection.scalars(select(RUNS.c.digest).where(RUNS.c.id.in_(ids))))
            connection.execute(delete(RUNS).where(RUNS.c.id.in_(ids)))
            digests -= set(connection.scalars(select(RUNS.c.digest).where(RUNS.c.digest.in_(digests))))
        for digest in digests:
            self._contents.drop(digest)

    def missing(self, chosen: Iterable[Entry]) -> tuple[Entry, ...]:
        """Those whose ``.tilt`` file is not here any more."""
        return tuple(entry for entry in chosen if not self._contents.has(entry.digest))

    def exported(self, chosen: Iterable[Entry]) -> Exported:
        """Runs as one ZIP: ``index.json`` and the ``.tilt`` file of each that can be read.

        Parameters
        ----------
        chosen : iterable of Entry
            The runs; of two with the same file it is written once.

        Returns
        -------
        Exported
            The ZIP, and a sentence on each run that could not be put into it.

        Raises
        ------
        HistoryError
            Where none of them can be read.
        """
        buffer, kept, left_out = io.BytesIO(), [], []
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            written: set[str] = set()
            for entry in chosen:
                try:
                    if entry.digest not in written:
                        archive.writestr(f"{_RESULTS}{entry.digest}.tilt", self._contents.get(entry.digest))
                except HistoryError as error:
                    left_out.append(f"{entry.title} ({entry.id[:8]}) is left out: {error}")
                    continue
                written.add(entry.digest)
                kept.append(entry)
            archive.writestr(_INDEX, strict_json({"history": 1, "runs": list(map(entries.as_plain, kept))}, indent=1))
        if left_out and not kept:
            raise HistoryError(" ".join(left_out))
        return Exported(buffer.getvalue(), tuple(left_out))

    def imported(self, data: bytes, called: str) -> Imported:
        """Add the runs of an export, or one ``.tilt`` file. A run that is here already is not added again.

        Parameters
        ----------
        data : bytes
            Of the file.
        called : str
            What sentences call it.

        Returns
        -------
        Imported
            How many were added, how many were here, and what was refused and why.

        Raises
        ------
        SavedFileError
            For a file that is neither, or damaged.
        HistoryError
            Where they cannot be written.
        """
        known, digests = self._listed()
        added, refused = 0, []
        runs = _runs_of(data, called)
        for about, content, name in runs:
            # A result alone has no id: it is here already where any run has it.
            if about["id"] in known if about else hashlib.sha256(content).hexdigest() in digests:
                continue
            try:
                result = opened(content, name)
            except TiltmeterError as error:
                refused.append(str(error))
                continue
            kept = self._add(
                result,
                content,
                origin=str(about.get("origin") or IMPORT),
                seconds=about.get("seconds"),
                id=about.get("id"),
            )
            if about:
                self.edit(kept.id, name=about["name"], note=about["note"], starred=about["starred"])
            known.add(kept.id)
            added += 1
        return Imported(added, len(runs) - added - len(refused), tuple(refused))

    def found_again(self) -> int:
        """List the results whose files are here but no run has, as after a damage.

        Returns
        -------
        int
            How many were listed again; what cannot be read is passed over, and logged.

        Raises
        ------
        HistoryError
            Where the database cannot be read.
        """
        _, listed = self._listed()
        added = 0
        for digest in self._contents.digests():
            if digest in listed:
                continue
            try:
                data = self._contents.get(digest)
                self._add(opened(data, digest), data, origin=IMPORT, seconds=None)
                added += 1
            except (HistoryError, SavedFileError) as error:
                logging.getLogger(__name__).warning("%s: %s", digest, first_line(error))
        self._database.aside = None
        return added

    def problem(self) -> str:
        """What a reader must know of its state; empty where nothing is wrong."""
        return "" if self._database.aside is None else damage_sentence(self._database.aside)

    def _add(self, result: Result, data: bytes, *, origin: str, seconds: float | None, id: str | None = None) -> Entry:
        digest = self._contents.put(data)
        made = entries.of_result(result, id=id or uuid4().hex, digest=digest, origin=origin, seconds=seconds)
        with self._database.writing() as connection:
            connection.execute(insert(RUNS).values(**entries.as_row(made, entries.searched(made, result))))
        return made

    def _listed(self) -> tuple[set[str], set[str]]:
        """The ids of all runs, and the digests of their files."""
        with self._database.reading() as connection:
            rows = connection.execute(select(RUNS.c.id, RUNS.c.digest)).all()
        return {id for id, _ in rows}, {digest for _, digest in rows}


def history() -> History | None:
    """The history of the setting; None where it is off. Raises HistoryError for a setting that is none."""
    url = location()
    return None if url is None else _opened(url)


@functools.lru_cache(maxsize=4)
def _opened(url: URL) -> History:
    return History(Database(url))


def keep(
    result: Result,
    *,
    origin: str,
    seconds: float | None,
    note: str = "",
    told: Callable[[Entry], None] = lambda entry: None,
) -> str:
    """Keep a run where the history is on. Never raises: what was measured is not lost for want of a place.

    Parameters
    ----------
    result : Result
        That was just measured.
    origin : str
        ``DASHBOARD`` or ``COMMAND``.
    seconds : float or None
        How long that took.
    note : str
        What it belongs to, such as a batch; the user's to change.
    told : callable
        Gets its entry, where it was kept.

    Returns
    -------
    str
        A sentence where it could not be kept, else nothing.
    """
    try:
        kept = history()
        if kept is not None:
            entry = kept.record(result, origin=origin, seconds=seconds)
            if note:
                kept.edit(entry.id, note=note)
            told(entry)
    except HistoryError as error:
        return f"This run was not kept in the history: {error}"
    except Exception as error:
        logging.getLogger(__name__).exception("the history")
        return f"This run was not kept in the history: {first_line(error)}."
    return ""


def _storable(text: str) -> str:
    """As a database can hold it: half a surrogate pair, which no text has, becomes a question mark."""
    return text.strip().encode("utf-8", "replace").decode("utf-8")


def _where(statement: Select[Any], query: Query) -> Select[Any]:
    for word in query.words.casefold().split():
        places = (RUNS.c.words, RUNS.c.own_words)
        statement = statement.where(or_(*(place.contains(word, autoescape=True) for place in places)))
    if query.measure:
        statement = statement.where(RUNS.c.measure == query.measure)
    if query.model:
        statement = statement.where(func.lower(RUNS.c.models).contains(query.model.casefold(), autoescape=True))
    if query.since:
        statement = statement.where(RUNS.c.created >= query.since)
    if query.until:
        statement = statement.where(RUNS.c.created < f"{query.until}U")  # a day's times begin with T
    return statement.where(RUNS.c.starred) if query.starred else statement


def _runs_of(data: bytes, called: str) -> list[tuple[dict[str, Any], bytes, str]]:
    """Of an export, or of one saved result: what is said of each run, its file, and what that is called."""
    held = archives.files(data, called, archives.HISTORY)
    if _INDEX not in held:
        return [({}, data, called)]
    try:
        return [_run_of(held, about, called) for about in json.loads(held[_INDEX])["runs"]]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise SavedFileError(f"{called} is damaged: a part of the export is missing or cannot be read.") from error


def _run_of(held: Mapping[str, bytes], about: Any, called: str) -> tuple[dict[str, Any], bytes, str]:
    """What the index says of a run, and its file. Raises KeyError, ValueError."""
    digest = about["digest"]
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest) or not re.fullmatch(r"\w{1,32}", about["id"]):
        raise ValueError("an id or a digest of the index is none")
    checked: dict[str, Any] = {
        "id": about["id"],
        "origin": str(about.get("origin") or "")[:32],
        "seconds": about["seconds"] if isinstance(about.get("seconds"), int | float) else None,
        "name": str(about.get("name") or ""),
        "note": str(about.get("note") or ""),
        "starred": about.get("starred") is True,
    }
    return checked, held[f"{_RESULTS}{digest}.tilt"], f"{digest[:12]}.tilt of {called}"
