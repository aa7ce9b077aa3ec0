"""What leaves the program: a result or a figure as bytes, with its provenance inside.

Results become CSV, JSON, a table for the terminal and a methods paragraph; figures become PNG, SVG, PDF and
self-contained HTML. Reads results only: no model, no experiment. A new experiment writes its paragraph and its
references with ``methods_paragraph.register`` and ``references.register``; the rest works on any ``Result``.
"""

from core.report import (  # noqa: F401  register themselves
    methods_association,
    methods_attention,
    methods_benchmarks,
    methods_professions,
    methods_rulers,
)
from core.report.captions import caption
from core.report.figures import to_html, to_pdf, to_png, to_svg
from core.report.frames import as_document, remarks, to_csv, to_json, to_table
from core.report.methods import methods_paragraph, references
from core.report.renderer import image_export_available

__all__ = [
    "as_document",
    "caption",
    "image_export_available",
    "methods_paragraph",
    "references",
    "remarks",
    "to_csv",
    "to_html",
    "to_json",
    "to_pdf",
    "to_png",
    "to_svg",
    "to_table",
]
