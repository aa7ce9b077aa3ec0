from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.charts.theme import DARK, LIGHT
from core.engine.bertviz_views import MAX_BYTES, MAX_LINES, fit_layers, head_view, model_view
from core.errors import ModelError, OptionError
from tests.support.paths import ROOT

HOSTILE = ["</script><script>alert(1)</script>", "<!--", '"', "'", "\\", "PYTHON_PARAMS", "\u2028", "看護師", "{root}"]


class Reader(HTMLParser):
    """What a browser makes of a page: its elements with their attributes, and the text of its scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem in self.texts:
            self.texts[self.cdata_elem][-1] += data

    def ids(self) -> set[str]:
        return {name for _, attributes in self.elements if (name := attributes.get("id"))}


def parameters(html: str) -> dict[str, Any]:
    """What BertViz's script is given."""
    (line,) = re.findall(r"^ *const params = (.*); // HACK", html, re.MULTILINE)
    return json.loads(line)


def uniform(layers: int, heads: int, tokens: int, value: float = 0.1234) -> NDArray[np.float32]:
    return np.full((layers, heads, tokens, tokens), value, dtype=np.float32)


def softmaxed(layers: int, heads: int, tokens: int) -> NDArray[np.float32]:
    return np.random.default_rng(5).dirichlet(np.ones(tokens), (layers, heads, tokens)).astype(np.float32)


def words(tokens: int) -> list[str]:
    return [f"word{i}" for i in range(tokens)]


def both(pieces: list[str], attention: NDArray[np.float32]) -> list[str]:
    return [
        head_view(pieces, attention).html,
        model_view(pieces, attention, layers=range(len(attention))).html,
    ]


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # BertViz leaves its scripts open
@pytest.mark.parametrize("kind", ["head", "model"])
def test_scripts_get_what_bertviz_itself_gives_them(kind: str) -> None:
    """BertViz's own functions are given values that are rounded already."""
    import bertviz

    attention = softmaxed(3, 2, 4)
    tensors = [torch.from_numpy(layer.astype(np.float64).round(4))[None] for layer in attention]
    options: dict[str, Any] = {"prettify_tokens": False, "html_action": "return"}
    if kind == "head":
        theirs = bertviz.head_view(tensors, words(4), layer=1, **options).data
        ours = head_view(words(4), attention, layer=1).html
    else:
        theirs = bertviz.model_view(tensors, words(4), display_mode="light", include_layers=[1, 2], **options).data
        ours = model_view(words(4), attention, layers=[2, 1]).html
    expected, given = parameters(theirs), parameters(ours)
    root = expected.pop("root_div_id")
    assert Reader(ours).ids() == (Reader(theirs).ids() - {root}) | {given.pop("root_div_id")}
    assert given == expected


def test_nothing_is_loaded() -> None:
    for html in both(words(3), softmaxed(2, 2, 3)):
        page = Reader(html)
        assert [tag for tag, _ in page.elements if tag in ("link", "img", "iframe", "object", "embed", "base")] == []
        assert [a for _, a in page.elements if {"src", "href", "srcset", "data", "action"} & a.keys()] == []
        assert not re.search(r"url\(|@import", page.texts["style"][0])


def test_only_the_one_script_may_run() -> None:
    for html in both(HOSTILE, softmaxed(2, 2, len(HOSTILE))):
        page = Reader(html)
        (script,) = page.texts["script"]
        (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert policy == f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"


def test_pieces_come_through_as_they_are() -> None:
    for html in both(HOSTILE, softmaxed(2, 2, len(HOSTILE))):
        (maps,) = parameters(html)["attention"]
        assert maps["left_text"] == maps["right_text"] == HOSTILE
        assert "alert(1)</script>" not in html


def test_numbers_are_rounded_to_four_decimals() -> None:
    attention = np.array([[[[0.12345678, 0.87654322], [1 / 3, 2 / 3]]]], dtype=np.float32)
    for html in both(["he", "she"], attention):
        assert parameters(html)["attention"][0]["attn"] == [[[[0.1235, 0.8765], [0.3333, 0.6667]]]]
        assert '"attn":[[[[0.1235,0.8765],[0.3333,0.6667]]]]' in html


@pytest.mark.parametrize(("layers", "heads", "tokens"), [(12, 12, 83), (48, 25, 60), (300, 1, 250), (40, 64, 39)])
def test_pages_at_the_limit_stay_below_it(layers: int, heads: int, tokens: int) -> None:
    """Every number has all its decimals, and tokens are long and twelve bytes a letter."""
    attention = uniform(layers, heads, tokens)
    pieces = ["𝕬" * 40] * tokens
    for view in (head_view(pieces, attention), model_view(pieces, attention, layers=range(layers))):
        assert len(view.html.encode()) < MAX_BYTES
        drawn = parameters(view.html)["include_layers"]
        assert np.shape(parameters(view.html)["attention"][0]["attn"]) == (len(drawn), heads, tokens, tokens)
    assert len(drawn) * heads * tokens**2 <= MAX_LINES


def test_how_many_layers_fit() -> None:
    """64 tokens × 16 heads: a row is 64 · 7 + 3 = 451 bytes, a layer 16 · (64 · 451 + 3) + 3 = 461,875, and
    7,000,000 bytes are 15.2 of these. 12 heads × 64² = 49,152 lines, of which 100,000 are 2.03 times as many."""
    assert fit_layers(64, 24, 16, together=False) == 15
    assert fit_layers(64, 15, 16, together=False) == 15
    assert fit_layers(64, 14, 16, together=False) == 14
    assert fit_layers(64, 12, 12, together=True) == 2
    assert fit_layers(16, 12, 12, together=True) == 12
    assert fit_layers(1, 1, 1, together=True) == 1


@pytest.mark.parametrize("together", [True, False])
def test_a_sentence_too_long_is_refused(together: bool) -> None:
    """12 · 91² = 99,372 and 12 · 92² = 101,568."""
    assert fit_layers(91, 12, 12, together=together) >= 1
    with pytest.raises(OptionError) as caught:
        fit_layers(92, 12, 12, together=together)
    assert str(caught.value) == (
        "BertViz would draw 101,568 lines for one layer of 12 heads over 92 tokens, and a browser draws 100,000 well. "
        "Choose a sentence of at most 91 tokens."
    )


def test_both_views_refuse_a_sentence_too_long() -> None:
    attention = np.broadcast_to(np.float32(0), (2, 12, 600, 600))
    with pytest.raises(OptionError, match="over 600 tokens"):
        head_view(words(600), attention)
    with pytest.raises(OptionError, match="over 600 tokens"):
        model_view(words(600), attention, layers=[0])


def test_all_that_fits_needs_no_note() -> None:
    attention = softmaxed(3, 2, 4)
    assert head_view(words(4), attention, layer=2).note == ""
    assert model_view(words(4), attention, layers=[0, 2]).note == ""


@pytest.mark.parametrize(("layer", "first"), [(0, 0), (3, 3), (9, 9), (20, 9), (23, 9)])
def test_head_view_keeps_the_layer_that_was_asked_for(layer: int, first: int) -> None:
    """15 of the 24 layers fit; 24 · 461,875 + 1,000,000 bytes are 12.1 MB."""
    view = head_view(words(64), uniform(24, 16, 64), layer=layer)
    given = parameters(view.html)
    assert given["layer"] == layer
    assert given["include_layers"] == list(range(first, first + 15))
    assert view.note == (
        "24 layers × 16 heads over 64 tokens would be 12.1 MB, beyond the 8 MB of a page: "
        f"layers {first}–{first + 14} are shown; choose others or a shorter sentence."
    )


@pytest.mark.parametrize(
    ("heads", "layers", "lines", "shown"),
    [
        (12, range(12), "12 layers × 12 heads over 64 tokens would be 589,824 lines", "layers 0–1 are"),
        (12, [9, 7, 3, 7], "3 layers × 12 heads over 64 tokens would be 147,456 lines", "layers 3, 7 are"),
        (20, [11, 10], "2 layers × 20 heads over 64 tokens would be 163,840 lines", "layer 10 is"),
        (1, range(26), "26 layers × 1 head over 64 tokens would be 106,496 lines", "layers 0–23 are"),
    ],
)
def test_model_view_says_which_layers_are_drawn(heads: int, layers: list[int], lines: str, shown: str) -> None:
    view = model_view(words(64), uniform(26, heads, 64), layers=layers)
    assert view.note == (
        f"{lines}, beyond the 100,000 that a browser draws well: {shown} shown; choose others or a shorter sentence."
    )


def test_layers_keep_their_own_attention() -> None:
    """A layer's number stands in all its places, so a shift would show."""
    attention = np.broadcast_to(np.arange(6, dtype=np.float32)[:, None, None, None] / 10, (6, 2, 3, 3))
    given = parameters(model_view(words(3), attention, layers=[4, 1]).html)
    assert given["include_layers"] == [1, 4]
    assert [layer[0][0][0] for layer in given["attention"][0]["attn"]] == [0.1, 0.4]


def test_layers_that_do_not_exist() -> None:
    attention = softmaxed(3, 2, 4)
    for layer in (3, -1):
        with pytest.raises(OptionError, match=f"^There is no layer {layer}; this model has layers 0–2.$"):
            head_view(words(4), attention, layer=layer)
        with pytest.raises(OptionError, match=f"^There is no layer {layer}; this model has layers 0–2.$"):
            model_view(words(4), attention, layers=[0, layer])
    with pytest.raises(OptionError, match="choose at least one"):
        model_view(words(4), attention, layers=[])


def test_attention_that_is_no_number_is_not_drawn() -> None:
    attention = softmaxed(3, 2, 4)
    attention[1, 0, 2, 3] = np.nan
    with pytest.raises(ModelError, match="not a number"):
        head_view(words(4), attention)
    with pytest.raises(ModelError, match="not a number"):
        model_view(words(4), attention, layers=[1])
    assert model_view(words(4), attention, layers=[0, 2]).note == ""


@pytest.mark.parametrize(("dark", "theme"), [(False, LIGHT), (True, DARK)])
def test_colours_are_those_of_the_charts(dark: bool, theme: Any) -> None:
    attention = softmaxed(1, 2, 3)
    views = head_view(words(3), attention, dark=dark), model_view(words(3), attention, layers=[0], dark=dark)
    for view in views:
        (style,) = Reader(view.html).texts["style"]
        assert f"color-scheme: {theme.name};" in style
        assert f"background: {theme.paper}; color: {theme.ink};" in style
    assert parameters(views[1].html)["display_mode"] == theme.name


def test_same_input_same_page() -> None:
    attention = softmaxed(2, 2, 3)
    assert both(words(3), attention) == both(words(3), attention)


def test_neither_ipython_nor_torch_is_imported() -> None:
    code = (
        "import sys, numpy as np; from core.engine.bertviz_views import head_view;"
        "head_view(['he'], np.ones((1, 1, 1, 1), dtype=np.float32));"
        "print(sorted({'IPython', 'bertviz', 'boto3', 'torch'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
