"""Figures as PNG, SVG, PDF and self-contained HTML, each with its provenance."""

from __future__ import annotations

import base64
import html
import io
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ..errors import ExportError
from ..plain import strict_json
from ..result import Provenance
from .captions import Caption
from .renderer import RENDERER, Format
from .wording import footer_parts, provenance_lines

PNG_SCALE = 2  # dots a pixel: sharp in print and on dense screens
_DEFAULT_WIDTH, _DEFAULT_HEIGHT = 960, 450  # of a figure that leaves its size to the screen
_TITLE_SIZE, _CAPTION_SIZE, _FONT_SIZE, _PADDING = 16, 11, 10, 10  # of title, caption and footer, in pixels
_LEADING = 1.4  # height of a line, in font sizes
_LETTER_WIDTH = 0.62  # of a wide font, in font sizes, so that no line runs out of the picture
_SVG = "http://www.w3.org/2000/svg"
# plotly.js puts a button "Share chart…" on every chart that sends its data to the maker's server.
_OFFLINE_CONFIG = {"showSendToCloud": False, "plotlyServerURL": "", "displaylogo": False, "responsive": True}
# What a browser draws where neither figure nor template says otherwise: plotly.js's own defaults.
_FONT_DEFAULTS = {"color": "#444", "family": '"Open Sans", verdana, arial, sans-serif'}

ET.register_namespace("", _SVG)
ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def to_svg(figure: go.Figure, provenance: Provenance, caption: Caption | None = None) -> bytes:
    """The figure as SVG, as on screen, its caption above, a line of provenance below, all of it in ``<metadata>``.

    Keeps the figure's width and height in pixels (960 × 450 where it has none); caption and footer add to the height.
    The figure is not changed. Raises ExportError without a browser or when it cannot be drawn.
    """
    return _picture(figure, provenance, caption)[0]


def to_png(figure: go.Figure, provenance: Provenance, caption: Caption | None = None) -> bytes:
    """The figure as PNG, ``PNG_SCALE`` dots a pixel, else as ``to_svg``; JSON in the text chunk ``provenance``."""
    drawn = _on_a_sheet(figure, provenance, caption, "png", PNG_SCALE)
    information = PngInfo()
    information.add_itxt("provenance", strict_json(provenance))
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(drawn)) as image:
        image.save(buffer, "PNG", pnginfo=information)
    return buffer.getvalue()


def to_pdf(figure: go.Figure, provenance: Provenance, caption: Caption | None = None) -> bytes:
    """The figure as a PDF of one page, drawn with lines and letters, else as ``to_svg``; caption and footer only."""
    return _on_a_sheet(figure, provenance, caption, "pdf", 1)


def to_html(figure: go.Figure, provenance: Provenance, methods: str, caption: Caption | None = None) -> bytes:
    """The figure as one HTML file that works without a network, and forbids itself to use one.

    Above the chart stands its caption, below it ``methods``, a paragraph a line, and the whole provenance as text; it
    is embedded as JSON too, in ``<script type="application/json" id="provenance">``. Needs no browser to make.
    """
    chart = figure.to_html(
        full_html=False,
        include_plotlyjs=True,
        div_id="chart",
        default_height=f"{_DEFAULT_HEIGHT}px",
        config=_OFFLINE_CONFIG,
    )
    paragraphs = "\n".join(f"<p>{html.escape(line)}</p>" for line in methods.splitlines() if line.strip())
    title = provenance.tool if caption is None else f"{caption.title} · {provenance.tool}"
    heading = "" if caption is None else f"<h1>{html.escape(caption.title)}</h1>"
    lines = () if caption is None else caption.lines
    above = heading + "".join(f"<p>{html.escape(line)}</p>" for line in lines)
    facts = "\n".join(f"<li>{html.escape(line)}</li>" for line in provenance_lines(provenance))
    embedded = strict_json(provenance).replace("<", "\\u003c")
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data: blob:">
<title>{html.escape(title)}</title>
<style>
body {{ margin: 1rem auto; max-width: 75rem; padding: 0 1rem; font: 15px/1.5 sans-serif; }}
h1 {{ font-size: 1.3rem; margin: 0.5rem 0; }}
header p {{ margin: 0; font-size: 0.85rem; }}
p, ul {{ max-width: 46rem; overflow-wrap: anywhere; }}
</style>
</head>
<body>
<main>
<header>
{above}
</header>
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


def _picture(figure: go.Figure, provenance: Provenance, caption: Caption | None) -> tuple[bytes, float, float]:
    """SVG with caption, footer and metadata, its width and its height."""
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

    head = _caption_lines(caption, width) if caption is not None else []
    above = sum(size * _LEADING for _, size in head) + (2 * _PADDING if head else 0)
    foot = [(line, _FONT_SIZE) for line in _footer_lines(provenance, width)]
    total = above + height + sum(size * _LEADING for _, size in foot) + _PADDING
    background = root.find(f"{{{_SVG}}}rect")
    if background is not None:  # the paper, in the figure's own colour
        background.set("y", f"{-above:g}")
        background.set("height", f"{total:g}")
    root.set("height", f"{total:g}")
    root.set("viewBox", f"0 {-above:g} {width:g} {total:g}")
    _write(root, "caption", head, _PADDING - above, font)
    _write(root, "provenance", foot, height, font)
    metadata = ET.Element(f"{{{_SVG}}}metadata", {"id": "provenance"})
    metadata.text = strict_json(provenance)
    root.insert(0, metadata)
    return ET.tostring(root, encoding="utf-8", xml_declaration=True), width, total


def _write(root: ET.Element, name: str, lines: Sequence[tuple[str, int]], top: float, font: Mapping[str, Any]) -> None:
    """Lines of text, each with its size in pixels, from ``top`` downwards; the largest are bold."""
    block = ET.SubElement(root, f"{{{_SVG}}}g", {"class": name})
    for line, size in lines:
        top += size * _LEADING
        attributes = {
            "x": f"{_PADDING}",
            "y": f"{top - size * (_LEADING - 1) / 2:g}",
            "fill": str(font["color"]),
            "font-family": str(font["family"]),
            "font-size": f"{size}px",
        }
        weight = {"font-weight": "600"} if size == _TITLE_SIZE else {}
        ET.SubElement(block, f"{{{_SVG}}}text", {**attributes, **weight}).text = line


def _caption_lines(caption: Caption, width: float) -> list[tuple[str, int]]:
    texts = [(caption.title, _TITLE_SIZE), *((line, _CAPTION_SIZE) for line in caption.lines)]
    return [(line, size) for text, size in texts for line in textwrap.wrap(text, _letters(width, size))]


def _letters(width: float, size: int) -> int:
    """How many letters of a size fit on a line."""
    return max(int((width - 2 * _PADDING) / (_LETTER_WIDTH * size)), 20)


def _footer_lines(provenance: Provenance, width: float) -> list[str]:
    # No-break spaces keep a part whole where it fits, and a dot on the line of what it follows.
    text = "\xa0· ".join(part.replace(" ", "\xa0") for part in footer_parts(provenance))
    lines = textwrap.wrap(text, _letters(width, _FONT_SIZE), break_on_hyphens=False)
    return [line.replace("\xa0", " ").removesuffix(" ·") for line in lines]


def _on_a_sheet(
    figure: go.Figure, provenance: Provenance, caption: Caption | None, image: Format, scale: float
) -> bytes:
    """The finished SVG alone on an empty figure of its size, so that every format shows the same picture."""
    svg, width, height = _picture(figure, provenance, caption)
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
