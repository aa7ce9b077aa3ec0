"""The states that the database of the history has had, and the way from each to the next (Alembic)."""
