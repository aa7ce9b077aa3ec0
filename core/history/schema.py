"""The tables of the history as they are today; ``migrations`` leads there from every earlier state."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, LargeBinary, MetaData, String, Table, Text

LATEST = "0001"  # the newest revision of ``migrations``
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
METADATA = MetaData(naming_convention=NAMING)

# A run a row. ``created`` is when it was measured, UTC in ISO 8601, so that texts sort as times do. ``digest`` is the
# SHA-256 of its ``.tilt`` file; ``words`` and ``own_words`` are what
# a search looks through: of the run, and of the user's name and note for it, in lower case.
RUNS = Table(
    "runs",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("created", String(32), nullable=False),
    Column("measure", String(64), nullable=False),
    Column("schema", String(80), nullable=False),
    Column("line", Text, nullable=False),
    Column("models", Text, nullable=False),
    Column("headlines", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("origin", String(32), nullable=False),
    Column("seconds", Float, nullable=True),
    Column("stopped", Boolean(create_constraint=False), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("own_words", Text, nullable=False),
    Column("starred", Boolean(create_constraint=False), nullable=False),
    Index(None, "created"),
    Index(None, "digest"),
)

# The files of a database that users of several machines share; beside a SQLite file they lie in a folder.
FILES = Table(
    "files",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
