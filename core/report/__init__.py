"""What leaves the program: a result or a figure as bytes, with its provenance inside.

Results become CSV, JSON, a table for the terminal and a methods paragraph; figures become PNG, SVG, PDF and
self-contained HTML. Reads results only: no model, no measurement.
"""
