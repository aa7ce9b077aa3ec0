"""A revision a module."""
