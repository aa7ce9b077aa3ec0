"""What Alembic runs: the migrations, on the connection that it is given."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes["metadata"],
    render_as_batch=True,  # SQLite changes a table only by making it anew
)
with context.begin_transaction():
    context.run_migrations()
