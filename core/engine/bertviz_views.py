"""Attention as BertViz draws it (Vig 2019, "A Multiscale Visualization of Attention in the Transformer Model").

The pages are BertViz's own scripts with d3 and jQuery written into them, where BertViz's functions would fetch these
from the internet. Those functions also import IPython and write every number twice, so only the scripts are used.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError, OptionError

MAX_BYTES = 8_000_000
# Lines that a browser draws at once, in two to three seconds on two slow cores. More freeze the page for longer.
MAX_LINES = 100_000
DECIMALS = 4
# Bytes of the scripts (350,000) and of the tokens, which stand in the page twice.
_RESERVE = 1_000_000
_VENDOR = Path(__file__).resolve().parents[2] / "assets" / "vendor"
_LIBRARIES = ("jquery-3.8.0.min.js", "d3-5.7.0.min.js")
_STAND_IN = "const require = {config() {}}, requirejs = (names, run) => run(jQuery, d3);"
_ROOT = "view"
# Paper and ink of the charts; BertViz itself draws on white or black, and some of its text black on both.
_SCHEMES = {False: ("light", "#FBFBF9", "#1C2428"), True: ("dark", "#0F1418", "#E9EDED")}
_STYLE = """:root {{ color-scheme: {scheme}; }}
body {{ margin: 8px 8px 8px 48px; background: {paper}; color: {ink}; font: 14px Inter, system-ui, sans-serif; }}
svg {{ display: block; margin-top: 8px; overflow: visible; }}
text, .highlight {{ fill: {ink}; }}
:not(text):is([fill="white"], [fill="black"]):not(.highlight) {{ fill: {paper}; }}
.background {{ fill: color-mix(in srgb, {ink} 20%, {paper}); }}"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="{root}">{controls}<div id="vis"></div></div>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class View:
    """``html`` is a complete page of at most MAX_BYTES that asks the network for nothing.

    ``note`` is a sentence about the layers that were excluded, empty when none was.
    """

    html: str
    note: str


def head_view(pieces: Sequence[str], attention: NDArray[np.float32], *, layer: int = 0, dark: bool = False) -> View:
    """One layer with all its heads as coloured lines between the tokens; the page opens with ``layer``.

    ``attention`` [layer, head, query, key], each between 0 and 1. The page can switch to the other layers, as many as
    fit from ``layer`` on (the last ones when ``layer`` is near the end). Layers and heads count from 0.

    Raises OptionError for a layer that does not exist or a sentence too long to draw, ModelError for attention with
    NaN in it.
    """
    total, heads, tokens, _ = attention.shape
    _check_layers([layer], total)
    fitting = fit_layers(tokens, total, heads, together=False)
    first = min(layer, total - fitting)
    shown = range(first, first + fitting)
    controls = '<label>Layer <select id="layer"></select></label>'
    html = _page("head", pieces, attention, shown, {"layer": layer, "heads": None}, controls, dark)
    size = (total * _layer_bytes(tokens, heads) + _RESERVE) / 1e6
    reason = f"{size:,.1f} MB, beyond the {MAX_BYTES // 10**6} MB of a page"
    return View(html, _note(total, heads, tokens, reason, shown))


def model_view(
    pieces: Sequence[str], attention: NDArray[np.float32], *, layers: Sequence[int], dark: bool = False
) -> View:
    """All heads of ``layers`` as a grid of small drawings, a row a layer; a click makes one of them large.

    ``attention`` [layer, head, query, key], each between 0 and 1. Of the layers, in rising order, the first that fit
    are drawn. Layers and heads count from 0. The grid is 970 pixels wide.

    Raises OptionError for layers that do not exist, none at all, or a sentence too long to draw, ModelError for
    attention with NaN in it.
    """
    total, heads, tokens, _ = attention.shape
    _check_layers(layers, total)
    wanted = sorted(set(layers))
    shown = wanted[: fit_layers(tokens, len(wanted), heads, together=True)]
    settings = {
        "display_mode": _SCHEMES[dark][0],
        "include_heads": list(range(heads)),
        "total_heads": heads,
    }
    html = _page("model", pieces, attention, shown, settings, "", dark)
    reason = f"{len(wanted) * heads * tokens**2:,} lines, beyond the {MAX_LINES:,} that a browser draws well"
    return View(html, _note(len(wanted), heads, tokens, reason, shown))


def fit_layers(tokens: int, layers: int, heads: int, *, together: bool) -> int:
    """How many of the layers a page holds, at least 1.

    The page stays below MAX_BYTES and draws at most MAX_LINES at once: the lines of one layer, or of all of them when
    they are drawn ``together``, as the model view does.

    Raises OptionError when not even one layer fits.
    """
    lines = heads * tokens**2
    if lines > MAX_LINES:
        raise OptionError(
            f"BertViz would draw {lines:,} lines for one layer of {_counted(heads, 'head')} over {tokens:,} tokens, "
            f"and a browser draws {MAX_LINES:,} well. "
            f"Choose a sentence of at most {math.isqrt(MAX_LINES // heads)} tokens."
        )
    fitting = (MAX_BYTES - _RESERVE) // _layer_bytes(tokens, heads)
    return min(layers, fitting, MAX_LINES // lines) if together else min(layers, fitting)


def _layer_bytes(tokens: int, heads: int) -> int:
    """The most that one layer takes: a number is “0.1234,”, and every list adds its brackets and a comma."""
    row = tokens * (DECIMALS + 3) + 3
    return heads * (tokens * row + 3) + 3


def _check_layers(layers: Sequence[int], total: int) -> None:
    if not layers:
        raise OptionError("No layer is chosen; choose at least one.")
    for layer in layers:
        if not 0 <= layer < total:
            raise OptionError(f"There is no layer {layer}; this model has layers 0–{total - 1}.")


def _page(
    kind: str,
    pieces: Sequence[str],
    attention: NDArray[np.float32],
    layers: Sequence[int],
    settings: dict[str, object],
    controls: str,
    dark: bool,
) -> str:
    chosen = attention[list(layers)].astype(np.float64)
    if np.isnan(chosen).any():
        raise ModelError("The model's attention is not a number in places; it cannot be drawn.")
    tokens = list(pieces)
    maps = {"name": None, "attn": chosen.round(DECIMALS).tolist(), "left_text": tokens, "right_text": tokens}
    parameters = {
        "attention": [maps],
        "default_filter": "0",
        "root_div_id": _ROOT,
        "include_layers": list(layers),
        **settings,
    }
    # A token may be “</script>”. Everything beyond ASCII is escaped by JSON itself.
    data = json.dumps(parameters, separators=(",", ":")).replace("<", r"\u003c")
    drawing = Path(str(metadata.distribution("bertviz").locate_file(f"bertviz/{kind}_view.js")))
    script = "\n".join(
        [
            *((_VENDOR / name).read_text(encoding="utf-8") for name in _LIBRARIES),
            _STAND_IN,
            # The marker stands once more in a comment, where BertViz writes the data a second time.
            drawing.read_text(encoding="utf-8").replace("PYTHON_PARAMS", data, 1),
        ]
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scheme, paper, ink = _SCHEMES[dark]
    return _PAGE.format(
        # This one script runs and nothing is fetched, whatever a token may hold.
        policy=f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'",
        title=f"BertViz {kind} view",
        style=_STYLE.format(scheme=scheme, paper=paper, ink=ink),
        root=_ROOT,
        controls=controls,
        script=script,
    )


def _note(layers: int, heads: int, tokens: int, reason: str, shown: Sequence[int]) -> str:
    if len(shown) == layers:
        return ""
    first, last = shown[0], shown[-1]
    if first == last:
        which = f"layer {first} is"
    elif last - first == len(shown) - 1:
        which = f"layers {first}–{last} are"
    else:
        which = f"layers {', '.join(map(str, shown))} are"
    size = f"{layers} layers × {_counted(heads, 'head')} over {_counted(tokens, 'token')}"
    return f"{size} would be {reason}: {which} shown; choose others or a shorter sentence."


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
