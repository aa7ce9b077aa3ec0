"""Figures as PNG, SVG, PDF and self-contained HTML, each with its provenance."""

from __future__ import annotations

import base64
import html
import io
import textwrap
import xml.etree.ElementTree as ET
from typing import Any

import plotly.graph_objects as go
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.errors import ExportError
from core.export.plain import provenance_json
from core.export.renderer import RENDERER, Format
from core.export.wording import footer_parts, provenance_lines
from core.results import Provenance

PNG_SCALE = 2  # dots a pixel: sharp in print and on dense screens
_DEFAULT_WIDTH, _DEFAULT_HEIGHT = 960, 450  # of a figure that leaves its size to the screen
_FONT_SIZE, _LINE_HEIGHT, _PADDING = 10, 14, 10  # of the footer, in pixels
_LETTER_WIDTH = 0.62 * _FONT_SIZE  # of a wide font, so that no line runs out of the picture
_SVG = "http://www.w3.org/2000/svg"
# plotly.js puts a button "Share chart…" on every chart that sends its data to the maker's server.
_OFFLINE_CONFIG = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False, "responsive": True}
# What a browser draws where neither figure nor template says otherwise: plotly.js's own defaults.
_FONT_DEFAULTS = {"color": "#444", "family": '"Open Sans", verdana, arial, sans-serif'}

ET.register_namespace("", _SVG)
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def to_svg(figure: go.Figure, provenance: Provenance) -> bytes:
    """The figure as SVG, as on screen, with a line of provenance below and all of it in ``<metadata>``.

    Keeps the figure's width and height in pixels (960 × 450 where it has none); the footer adds to the height.
    The figure is not changed. Raises ExportError without a browser or when it cannot be drawn.
    """
    return _picture(figure, provenance)[0]


def to_png(figure: go.Figure, provenance: Provenance) -> bytes:
    """The figure as PNG, ``PNG_SCALE`` dots a pixel, else as ``to_svg``; JSON in the text chunk ``provenance``."""
    drawn = _on_a_sheet(figure, provenance, "png", PNG_SCALE)
    information = PngInfo()
    information.add_itxt("provenance", provenance_json(provenance))
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as image:
        image.save(buffer, "PNG", pnginfo=information)
    return buffer.getvalue()


def to_pdf(figure: go.Figure, provenance: Provenance) -> bytes:
    """The figure as a PDF of one page, drawn with lines and letters, else as ``to_svg``; only the visible footer."""
    return _on_a_sheet(figure, provenance, "pdf", 1)


def to_html(figure: go.Figure, provenance: Provenance, methods: str) -> bytes:
    """The figure as one HTML file that works without a network, and forbids itself to use one.

    Below the chart stand ``methods``, a paragraph a line, and the whole provenance as text; it is embedded as
    JSON too, in ``<script type="application/json" id="provenance">``. Needs no browser to make.
    """
    chart = figure.to_html(
        full_html=False,
        include_plotlyjs=True,
        div_id="chart",
        default_height=f"{_DEFAULT_HEIGHT}px",
        config=_OFFLINE_CONFIG,
    )
    paragraphs = "\n".join(f"<p>{html.escape(line)}</p>" for line in methods.splitlines() if line.strip())
    facts = "\n".join(f"<li>{html.escape(line)}</li>" for line in provenance_lines(provenance))
    embedded = provenance_json(provenance).replace("<", "\\u003c")
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data: blob:">
<title>{html.escape(provenance.tool)}</title>
<style>
body {{ margin: 1rem auto; max-width: 75rem; padding: 0 1rem; font: 15px/1.5 sans-serif; }}
p, ul {{ max-width: 46rem; overflow-wrap: anywhere; }}
</style>
</head>
<body>
<main>
{chart}
<h2>Method</h2>
{paragraphs}
<h2>Provenance</h2>
<ul>
{facts}
</ul>
</main>
<script type="application/json" id="provenance">{embedded}</script>
</body>
</html>
"""
    return page.encode()


def _picture(figure: go.Figure, provenance: Provenance) -> tuple[bytes, float, float]:
    """SVG with footer and metadata, its width and its height."""
    specification: dict[str, Any] = figure.to_dict()  # a copy; as a dict it can no longer pick up a default template
    layout = specification.get("layout", {})
    themed = layout.get("template", {}).get("layout", {})
    width = float(layout.get("width") or themed.get("width") or _DEFAULT_WIDTH)
    height = float(layout.get("height") or themed.get("height") or _DEFAULT_HEIGHT)
    font = {**_FONT_DEFAULTS, **themed.get("font", {}), **layout.get("font", {})}
    drawn = RENDERER.render(specification, "svg", width, height)
    try:
        root = ET.fromstring(drawn)
    except ET.ParseError as error:
        raise ExportError(f"Chrome drew an SVG that cannot be read ({error}); try HTML instead.") from error

    lines = _footer_lines(provenance, width)
    total = height + len(lines) * _LINE_HEIGHT + _PADDING
    background = root.find(f"{{{_SVG}}}rect")
    if background is not None:  # the paper, in the figure's own colour
        background.set("height", f"{total:g}")
    root.set("height", f"{total:g}")
    root.set("viewBox", f"0 0 {width:g} {total:g}")
    footer = ET.SubElement(root, f"{{{_SVG}}}g", {"class": "provenance"})
    for number, line in enumerate(lines):
        attributes = {
            "x": f"{_PADDING}",
            "y": f"{height + (number + 1) * _LINE_HEIGHT - (_LINE_HEIGHT - _FONT_SIZE) / 2:g}",
            "fill": str(font["color"]),
            "font-family": str(font["family"]),
            "font-size": f"{_FONT_SIZE}px",
        }
        ET.SubElement(footer, f"{{{_SVG}}}text", attributes).text = line
    metadata = ET.Element(f"{{{_SVG}}}metadata", {"id": "provenance"})
    metadata.text = provenance_json(provenance)
    root.insert(0, metadata)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True), width, total


def _footer_lines(provenance: Provenance, width: float) -> list[str]:
    # No-break spaces keep a part whole where it fits, and a dot on the line of what it follows.
    text = "\xa0· ".join(part.replace(" ", "\xa0") for part in footer_parts(provenance))
    letters = max(int((width - 2 * _PADDING) / _LETTER_WIDTH), 20)
    lines = textwrap.wrap(text, letters, break_on_hyphens=False)
    return [line.replace("\xa0", " ").removesuffix(" ·") for line in lines]


def _on_a_sheet(figure: go.Figure, provenance: Provenance, image: Format, scale: float) -> bytes:
    """The finished SVG alone on an empty figure of its size, so that every format shows the same picture."""
    svg, width, height = _picture(figure, provenance)
    whole = {"xref": "paper", "yref": "paper", "x": 0, "y": 1, "sizex": 1, "sizey": 1, "sizing": "stretch"}
    source = "data:image/svg+xml;base64," + base64.b64encode(svg).decode()
    sheet = {
        "data": [],
        "layout": {
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "xaxis": {"visible": False},
            "yaxis": {"visible": False},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "images": [{**whole, "source": source, "layer": "above"}],
        },
    }
    return RENDERER.render(sheet, image, width, height, scale)
