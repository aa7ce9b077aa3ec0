"""Where reports under construction are kept: a folder of the user's, or in memory where the history is off."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from filelock import FileLock, Timeout

from .. import whole
from ..errors import ExportError, HistoryError, OptionError, SavedFileError
from ..history.contents import Folder
from ..history.settings import data_folder, location
from ..plain import restored, strict_json
from ..result import Result
from .report import Report, Summary

_PATIENCE = 30  # seconds that a change waits for another
_IDS = re.compile(r"[0-9a-f]{32}")


class _Results(Protocol):
    def put(self, data: bytes) -> str: ...
    def get(self, digest: str) -> bytes: ...
    def drop(self, digest: str) -> None: ...


class _InMemory:
    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self._data[digest] = data
        return digest

    def get(self, digest: str) -> bytes:
        try:
            return self._data[digest]
        except KeyError:
            raise HistoryError("The result of this pin is not in memory any more; pin it again.") from None

    def drop(self, digest: str) -> None:
        self._data.pop(digest, None)


class Reports:
    """Reports by their id. Safe to share between threads and processes: changes come one after the other.

    Parameters
    ----------
    folder : Path or None
        None keeps them in memory.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._texts: dict[str, tuple[int, str]] = {}  # and when they were written
        self._known: dict[str, tuple[int, Summary | None]] = {}
        self._lock = threading.RLock()
        self._coming: set[str] = set()  # kept, and not in a report yet
        self._results: _Results = _InMemory() if folder is None else Folder(folder / "results")

    def new(self) -> Report:
        """An empty report. Raises ExportError where it cannot be kept."""
        report = Report(uuid4().hex)
        self._write(report)
        return report

    def get(self, report: str) -> Report:
        """The report of this id. Raises OptionError where there is none, SavedFileError for a damaged one."""
        text = self._read(report) if _IDS.fullmatch(report) else None
        if text is None:
            raise OptionError("There is no such report here; pin something to begin a new one.")
        try:
            found: Report = restored(Report, json.loads(text))
        except ValueError as error:
            raise SavedFileError(f"The report {report} is damaged; pin something to begin a new one.") from error
        return found

    def latest(self, most: int) -> tuple[Summary, ...]:
        """The reports that have a pin or a title, those changed last first.

        Parameters
        ----------
        most : int
            How many at most.

        Returns
        -------
        tuple of Summary
            Damaged ones are passed over.
        """
        found: list[Summary] = []
        for written, name in sorted(self._times(), reverse=True):
            if len(found) == most:
                break
            if self._known.get(name, (0, None))[0] != written:  # a report is long: read once until it changes
                self._known[name] = written, self._summary(name, written)
            if (summary := self._known[name][1]) is not None:
                found.append(summary)
        return tuple(found)

    def _summary(self, name: str, written: int) -> Summary | None:
        try:
            report = self.get(name)
        except (OptionError, SavedFileError):
            return None
        if not report.pins and not report.title:
            return None
        return Summary(report.id, report.heading, len(report.pins), datetime.fromtimestamp(written / 1e9, UTC))

    def _times(self) -> Iterator[tuple[int, str]]:
        """When each report was written, in nanoseconds of the Unix epoch, and its id."""
        if self._folder is None:
            yield from ((written, name) for name, (written, _) in self._texts.items())
            return
        for path in self._folder.glob("*.json"):
            with suppress(OSError):
                yield path.stat().st_mtime_ns, path.stem

    def change(self, report: str, how: Callable[[Report], Report]) -> Report:
        """Change a report as it is now, whoever changed it before.

        Parameters
        ----------
        report : str
            Its id.
        how : callable
            Of the report as it is, the one to keep.

        Returns
        -------
        Report
            As it was kept.

        Raises
        ------
        OptionError
            Where there is none of this id.
        SavedFileError
            For a damaged one.
        ExportError
            Where it cannot be kept.
        """
        with self._lock, self._alone(report):
            changed = how(self.get(report))
            self._write(changed)
            self._coming -= _results_of(changed)
        return changed

    def delete(self, report: str) -> None:
        """Keep a report no longer, nor the results that no other report has. Raises as ``change``."""
        with self._lock, self._alone(report):
            gone = _results_of(self.get(report))
            self._remove(report)
            try:
                held = set().union(*(_results_of(self.get(name)) for _, name in self._times()))
            except (OptionError, SavedFileError):  # what a damaged report has is not known: nothing of it may go
                return
            for digest in gone - held - self._coming:
                self._results.drop(digest)

    def keep(self, result: Result) -> str:
        """Keep the result of a pin; returns the SHA-256 of its file. Raises HistoryError."""
        with self._lock:
            digest = self._results.put(result.to_bytes())
            self._coming.add(digest)
        return digest

    def tilt(self, digest: str) -> bytes:
        """The ``.tilt`` file of a pin's result. Raises HistoryError."""
        return self._results.get(digest)

    def _alone(self, report: str) -> Any:
        if self._folder is None or not _IDS.fullmatch(report):
            return nullcontext()
        return _Locked(self._folder, report)

    def _read(self, report: str) -> str | None:
        if self._folder is None:
            return self._texts.get(report, (0, None))[1]
        try:
            return (self._folder / f"{report}.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise SavedFileError(f"The report {report} cannot be read; pin something to begin a new one.") from error

    def _write(self, report: Report) -> None:
        text = strict_json(report)
        if self._folder is None:
            self._texts[report.id] = time.time_ns(), text
            return
        target = self._folder / f"{report.id}.json"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            whole.put(target, text.encode())
        except OSError as error:
            raise ExportError(f"The report cannot be kept in {target}: {error.strerror or error}.") from error

    def _remove(self, report: str) -> None:
        if self._folder is None:
            del self._texts[report]
            return
        target = self._folder / f"{report}.json"
        try:
            target.unlink()
        except OSError as error:
            raise ExportError(f"The report cannot be deleted in {target}: {error.strerror or error}.") from error


def _results_of(report: Report) -> set[str]:
    """The SHA-256 of the results of its pins, also of those that can be brought back."""
    pins = (*report.pins, *(item.pin for item in report.removed))
    return {digest for pin in pins for digest in pin.results}


class _Locked:
    """A report's lock file, held."""

    def __init__(self, folder: Path, report: str) -> None:
        self._lock = FileLock(folder / f".{report}.lock", timeout=_PATIENCE)

    def __enter__(self) -> None:
        try:
            self._lock.acquire()
        except (Timeout, OSError) as error:
            raise ExportError("Another window is changing this report; try again.") from error

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def reports() -> Reports:
    """The reports of this user. Raises HistoryError where the setting of the history cannot be followed."""
    return _of(None if location() is None else data_folder() / "reports")


@functools.cache
def _of(folder: Path | None) -> Reports:
    return Reports(folder)
