"""Tiltmeter as it is installed: app.py, core, pages and assets lie inside this package (pyproject.toml)."""
