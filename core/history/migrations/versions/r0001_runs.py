"""Runs, and their files."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("measure", sa.String(64), nullable=False),
        sa.Column("schema", sa.String(80), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("models", sa.Text(), nullable=False),
        sa.Column("headlines", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(32), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("stopped", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("own_words", sa.Text(), nullable=False),
        sa.Column("starred", sa.Boolean(create_constraint=False), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_created", "runs", ["created"])
    op.create_index("ix_runs_digest", "runs", ["digest"])
    op.create_table(
        "files",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_files"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("files")
    op.drop_table("runs")
