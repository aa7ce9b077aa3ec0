"""Where the ``.tilt`` files of the runs lie: in a folder beside a SQLite file, else in the database itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import delete, insert, select

from .. import whole
from ..errors import HistoryError
from .database import Database
from .schema import FILES


class Contents(Protocol):
    """Files by the SHA-256 of their bytes."""

    def put(self, data: bytes) -> str:
        """Keep the bytes; returns their SHA-256. Raises HistoryError."""

    def get(self, digest: str) -> bytes:
        """The bytes. Raises HistoryError where they are not here, or not what they were."""

    def has(self, digest: str) -> bool:
        """Whether they are here, unread."""

    def drop(self, digest: str) -> None:
        """Keep them no longer."""

    def digests(self) -> Iterator[str]:
        """Of everything that is kept."""


class Folder:
    """A file each, in a folder; the first two signs of the SHA-256 are a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Whole, or not at all: a part is never called as the whole is."""
        digest = hashlib.sha256(data).hexdigest()
        target = self._path(digest)
        if target.exists():
            return digest
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            whole.put(target, data)
        except OSError as error:
            raise HistoryError(f"{target} cannot be written: {error.strerror or error}.") from error
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes of the file."""
        try:
            return _checked(digest, self._path(digest).read_bytes())
        except OSError as error:
            raise HistoryError(
                f"The file of this run, {self._path(digest)}, cannot be read: {error.strerror or error}."
            ) from error

    def has(self, digest: str) -> bool:
        """Whether there is such a file."""
        return self._path(digest).is_file()

    def drop(self, digest: str) -> None:
        """Remove the file."""
        with suppress(OSError):
            self._path(digest).unlink(missing_ok=True)

    def digests(self) -> Iterator[str]:
        """The names of the files."""
        yield from (path.stem for path in sorted(self.folder.glob("??/*.tilt")))

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / f"{digest}.tilt"


class InDatabase:
    """A row each, for a database that users of several machines share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, data: bytes) -> str:
        """In a transaction of its own."""
        digest = hashlib.sha256(data).hexdigest()
        with self._database.writing() as connection:
            if connection.scalar(select(FILES.c.digest).where(FILES.c.digest == digest)) is None:
                connection.execute(insert(FILES).values(digest=digest, content=data))
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes of the row."""
        with self._database.reading() as connection:
            data = connection.scalar(select(FILES.c.content).where(FILES.c.digest == digest))
        if data is None:
            raise HistoryError("The file of this run is not in the database any more.")
        return _checked(digest, bytes(data))

    def has(self, digest: str) -> bool:
        """Whether there is such a row."""
        with self._database.reading() as connection:
            return connection.scalar(select(FILES.c.digest).where(FILES.c.digest == digest)) is not None

    def drop(self, digest: str) -> None:
        """Remove the row."""
        with self._database.writing() as connection:
            connection.execute(delete(FILES).where(FILES.c.digest == digest))

    def digests(self) -> Iterator[str]:
        """Of every row."""
        with self._database.reading() as connection:
            yield from connection.scalars(select(FILES.c.digest).order_by(FILES.c.digest)).all()


def _checked(digest: str, data: bytes) -> bytes:
    if hashlib.sha256(data).hexdigest() != digest:
        raise HistoryError("The file of this run is damaged: its SHA-256 is not the one that was kept.")
    return data
