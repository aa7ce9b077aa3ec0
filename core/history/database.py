"""The database behind the history: opened, brought to its newest state, and put aside where it is damaged."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from ..errors import HistoryError
from ..sources.failures import first_line
from .schema import LATEST, METADATA

_PATIENCE = 30  # seconds that a writer waits for another
_WRITING = "tiltmeter_writing"
_OPENING = threading.Lock()  # Alembic has one state for all threads
_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """A database that is open. Safe to share between threads; several processes may use one at a time.

    Parameters
    ----------
    url : URL
        Of any database that SQLAlchemy speaks to.

    Attributes
    ----------
    aside : Path or None
        Where a damaged SQLite file was put when it was opened; a new one took its place.
    """

    def __init__(self, url: URL) -> None:
        self.url = url
        self.aside: Path | None = None
        self._engine: Engine | None = None

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for a server's database."""
        if self.url.get_backend_name() != "sqlite" or not self.url.database:
            return None
        return Path(self.url.database)

    @property
    def place(self) -> str:
        """Where it is, without what a URL may hold of passwords: neither that of the user nor its query."""
        return str(self.file) if self.file is not None else self.url.set(query={}).render_as_string()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read by. Raises HistoryError with a sentence for whatever goes wrong."""
        with self._said(), self._opened().connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes are kept whole, or not at all; one writer at a time. Raises HistoryError."""
        with self._said(), self._opened().connect() as connection:
            writer = connection.execution_options(**{_WRITING: True})
            with writer.begin():
                yield writer

    def close(self) -> None:
        """Let go of it; it opens again when it is asked."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def _opened(self) -> Engine:
        with _OPENING:
            if self._engine is None:
                self._engine = self._ready()
            return self._engine

    def _ready(self) -> Engine:
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        engine = _engine(self.url)
        try:
            _bring_up_to_date(engine)
        except DatabaseError as error:
            engine.dispose()
            if not _is_damage(error) or self.file is None:
                raise
            self.aside = _put_aside(self.file)
            engine = _engine(self.url)
            _bring_up_to_date(engine)
        return engine

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Every error of the database as a sentence; a damaged file is put aside, and a new one begun the next time."""
        try:
            yield
        except SQLAlchemyError as error:
            logging.getLogger(__name__).warning("the history", exc_info=error)
            if isinstance(error, DatabaseError) and _is_damage(error) and self.file is not None:
                self.close()
                self.aside = _put_aside(self.file)
                raise HistoryError(damage_sentence(self.aside)) from error
            raise HistoryError(f"The history {self.place} cannot be used: {first_line(_cause(error))}.") from error
        except OSError as error:
            raise HistoryError(f"The history {self.place} cannot be used: {error.strerror or error}.") from error


def damage_sentence(aside: Path) -> str:
    """What a reader must know of a database that was put aside."""
    return (
        f"The database of the history was damaged. It was put aside as {aside}, and a new one was begun; "
        "“Find kept results again” lists the results whose files are still here."
    )


def _cause(error: SQLAlchemyError) -> BaseException:
    return getattr(error, "orig", None) or error


def _is_damage(error: DatabaseError) -> bool:
    """Whether the file itself is broken, rather than locked, full or not to be written."""
    cause = error.orig
    return isinstance(cause, sqlite3.DatabaseError) and (
        "not a database" in str(cause) or "malformed" in str(cause) or "disk image" in str(cause)
    )


def _put_aside(file: Path) -> Path:
    """Rename the file, and what SQLite keeps beside it, so that nothing is lost."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = file.with_name(f"{file.stem}-damaged-{stamp}{file.suffix}")
    for ending in ("", "-wal", "-shm"):
        part = file.with_name(file.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


def _engine(url: URL) -> Engine:
    engine = create_engine(url)
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _on_begin(connection: Connection) -> None:
    # A transaction that reads first and writes then would fail beside another writer, however long it waits.
    writing = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _bring_up_to_date(engine: Engine) -> None:
    """Make the tables, or change those of an earlier Tiltmeter. Raises HistoryError for those of a later one."""
    with engine.connect() as connection:
        if _revision(connection) == LATEST:
            return
    try:
        _migrate(engine)
    except DatabaseError:
        # Another program may have made the same tables in the same moment.
        with engine.connect() as connection:
            if _revision(connection) != LATEST:
                raise


def _migrate(engine: Engine) -> None:
    # Here, since it takes a fifth of a second and the history is nearly always up to date.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["metadata"] = METADATA
    with engine.connect().execution_options(**{_WRITING: True}) as connection, connection.begin():
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, LATEST)
        except CommandError as error:
            raise HistoryError(
                "The history was written by a later Tiltmeter than this one; open it with that one, or set "
                "TILTMETER_HISTORY to another database."
            ) from error


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found
