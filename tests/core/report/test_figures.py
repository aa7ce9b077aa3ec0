from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest
from PIL import Image, ImageChops

from core.errors import ExportError
from core.plain import strict_json
from core.report import renderer
from core.report.figures import _footer_lines, to_html, to_pdf, to_png, to_svg
from core.report.renderer import RENDERER, find_browser
from core.result import Provenance

needs_browser = pytest.mark.skipif(find_browser() is None, reason="no Chrome or Chromium on this machine")

SVG = "{http://www.w3.org/2000/svg}"
FOOTER = "Tiltmeter 0.1.0 · minilm-mlm ab12cd34 · float32, cpu · seed 0 · 2026-11-27"
FOOTER_HEIGHT = 14 + 10  # one line and the space below it


def bars(words: tuple[str, ...] = ("nurse", "pilot & <b>co", "clerk"), width: int | None = 500) -> go.Figure:
    values = [-1.5, 0.5, 2.0]
    trace = go.Bar(x=values, y=words, text=[f"{value:+.2f}" for value in values], orientation="h")
    layout = go.Layout(template="none", width=width, height=300, paper_bgcolor="#0F1418", font={"color": "#E0A458"})
    return go.Figure(trace, layout)


def texts(svg: bytes) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


@needs_browser
def test_svg_shows_the_bars_as_on_screen_and_the_footer_below(provenance: Provenance) -> None:
    svg = to_svg(bars(), provenance)
    root = ET.fromstring(svg)
    assert (root.get("width"), root.get("height")) == ("500", str(300 + FOOTER_HEIGHT))
    # a horizontal bar is drawn M(zero),y V.. H(value): sign and length can be read from its path
    paths = [element.get("d", "") for element in root.iter(f"{SVG}path")]
    drawn = [re.match(r"M([\d.]+),[\d.]+V[\d.]+H([\d.]+)V", path) for path in paths]
    lengths = [float(found[2]) - float(found[1]) for found in drawn if found]
    assert len(lengths) == 3
    assert lengths[0] / lengths[2] == pytest.approx(-1.5 / 2, abs=0.01)
    assert lengths[1] / lengths[2] == pytest.approx(0.5 / 2, abs=0.01)
    assert [text for text in texts(svg) if re.fullmatch(r"[-−+]\d\.\d\d", text)] == ["-1.50", "+0.50", "+2.00"]
    assert texts(svg)[-1] == FOOTER


@needs_browser
def test_svg_carries_the_provenance_and_the_figures_colours(provenance: Provenance) -> None:
    root = ET.fromstring(to_svg(bars(), provenance))
    metadata = root.find(f"{SVG}metadata")
    assert metadata is not None
    assert metadata.text == strict_json(provenance)
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert background.get("height") == str(300 + FOOTER_HEIGHT)
    assert "rgb(15, 20, 24)" in background.get("style", "")  # #0F1418
    footer = list(root.iter(f"{SVG}text"))[-1]
    assert footer.get("fill") == "#E0A458"
    assert 300 < float(footer.get("y", "0")) < 300 + FOOTER_HEIGHT


@needs_browser
def test_png_is_the_picture_on_screen_with_a_footer_and_provenance(provenance: Provenance) -> None:
    figure = bars(width=1400)  # a wide figure keeps its width
    with Image.open(io.BytesIO(to_png(figure, provenance))) as image:
        assert image.size == (2 * 1400, 2 * (300 + FOOTER_HEIGHT))
        assert image.info["provenance"] == strict_json(provenance)
        above = image.convert("RGB").crop((0, 0, 2800, 600))
        below = image.convert("RGB").crop((0, 600, 2800, 648))
    assert below.getpixel((2790, 40)) == (15, 20, 24)
    assert len(below.getcolors() or []) > 1  # the footer's letters
    # the same figure drawn without us, straight from plotly's own description of it
    plain = RENDERER.render(figure.to_dict(), "png", 1400, 300, 2)
    with Image.open(io.BytesIO(plain)) as expected:
        difference = ImageChops.difference(above, expected.convert("RGB"))
    histogram = difference.convert("L").histogram()
    assert sum(histogram[64:]) < 0.001 * 2800 * 600  # smoothed edges may differ, shapes and places may not


@needs_browser
def test_pdf_has_one_page_of_the_figures_size(provenance: Provenance) -> None:
    pdf = to_pdf(bars(), provenance)
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert box is not None
    # 96 pixels and 72 points are an inch
    assert [float(side) for side in box.groups()] == pytest.approx([500 * 0.75, 324 * 0.75], abs=1)


@needs_browser
def test_the_input_figure_is_unchanged(provenance: Provenance) -> None:
    figure = bars(width=None)
    before = figure.to_json()
    to_png(figure, provenance)
    to_html(figure, provenance, "Method.")
    assert figure.to_json() == before


@needs_browser
def test_a_figure_without_a_size_gets_one(provenance: Provenance) -> None:
    root = ET.fromstring(to_svg(go.Figure(go.Bar(x=[1], y=["a"]), go.Layout(template="none")), provenance))
    assert (root.get("width"), root.get("height")) == ("960", str(450 + FOOTER_HEIGHT))


@needs_browser
def test_two_threads_each_get_their_own_figures(provenance: Provenance) -> None:
    names = [f"word{number}" for number in range(4)]
    with ThreadPoolExecutor(2) as threads:
        drawn = list(threads.map(lambda name: to_svg(bars((name, "b", "c")), provenance), names))
    for name, svg in zip(names, drawn, strict=True):
        assert [text for text in texts(svg) if text.startswith("word")] == [name]


def test_without_a_browser_pictures_fail_in_a_sentence_and_html_works(
    monkeypatch: pytest.MonkeyPatch, provenance: Provenance
) -> None:
    monkeypatch.setattr(renderer, "find_browser", lambda: None)
    for export in (to_png, to_svg, to_pdf):
        with pytest.raises(ExportError, match="which was not found"):
            export(bars(), provenance)
    assert to_html(bars(), provenance, "Method.").startswith(b"<!DOCTYPE html>")


def test_a_long_footer_is_wrapped_between_its_parts(two_models: Provenance) -> None:
    lines = _footer_lines(two_models, 300)  # (300 − 20) / 6.2 = 45 letters
    assert lines == [
        "Tiltmeter 0.1.0 · minilm-mlm ab12cd34",
        "gpt 3f2a9c1b · float32, cpu · seed 0",
        "2026-11-27",
    ]
    assert len(_footer_lines(two_models, 900)) == 1


class Page(HTMLParser):
    """Collects what a page would load, its scripts and its visible text."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.scripts: dict[str, str] = {}
        self.text = ""
        self._script: str | None = None
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.loaded.extend(value for name, value in attrs if name in ("src", "href") and value)
        if tag == "script":
            self._script = attributes.get("id") or f"script{len(self.scripts)}"

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self.text += data
        else:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data


def test_html_stands_alone_and_carries_method_and_provenance(provenance: Provenance) -> None:
    content = to_html(bars(), provenance, "First <paragraph>.\nSecond.")
    page = Page(content)
    assert page.loaded == []
    assert json.loads(page.scripts["provenance"]) == json.loads(strict_json(provenance))
    assert "First <paragraph>." in page.text
    assert content.count(b"<p>") >= 2
    assert "ab12cd34ef56" + "0" * 52 in page.text
    assert b"default-src 'none'" in content
    assert '"showSendToCloud": false' in page.scripts["script2"]  # the chart's own script
    assert len(content) > 1_000_000  # plotly.js is inside


def test_html_survives_words_that_look_like_markup(provenance: Provenance) -> None:
    models = provenance.models
    hostile = Provenance("</script><b>", models, ("</script><script>alert(1)</script>",), 0, (), provenance.created)
    page = Page(to_html(bars(("</script>", "b", "c")), hostile, "</script>"))
    assert json.loads(page.scripts["provenance"])["data"] == ["</script><script>alert(1)</script>"]
    assert len(page.scripts) == 4  # plotly's settings, plotly.js, the chart, the provenance
