"""The professions page."""
