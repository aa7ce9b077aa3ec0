"""Tiltmeter for a notebook or a program: a spec says what is measured, ``run`` measures it, a result holds it all.

>>> import tiltmeter as tm
>>> result = tm.LpbsSpec(groups="he-she", attributes="professions").run()
>>> result["attributes"], result.excluded, result.notes
>>> tm.draw(result)
>>> result.save("audit.tilt")
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from .charts.theme import DARK, LIGHT
from .engine import catalog
from .errors import ExportError, OptionError, TiltmeterError
from .measures.drawing import draw
from .measures.measure import load, measures
from .measures.shared.representations import REPRESENTATIONS
from .report.captions import caption
from .report.figures import to_html, to_pdf, to_png, to_svg
from .report.frames import to_csv
from .report.methods import methods_paragraph as methods
from .result import Result
from .run import Run
from .sources.association_tests import association_tests
from .sources.lists import attribute_lists, group_presets

# The spec of every measure under its name: a new one is here by lying in its folder.
_SPECS = {spec.__name__: spec for spec in measures().values()}
globals().update(_SPECS)

__all__ = [
    "DARK",
    "LIGHT",
    "Run",
    "TiltmeterError",
    "draw",
    "export",
    "groups",
    "load",
    "methods",
    "models",
    "representations",
    "tests",
    "words",
    *_SPECS,
]


def groups() -> pd.DataFrame:
    """The published groups of target words, a row each; a spec takes them by their ``id``.

    Returns
    -------
    DataFrame
        ``axis``, ``groups``, ``language``, ``source`` and ``note``, by ``id``.
    """
    rows = [
        {
            "id": preset.id,
            "axis": preset.axis,
            "groups": "; ".join(f"{group.name}: {', '.join(group.words)}" for group in preset.groups),
            "language": preset.language,
            "source": str(preset.source),
            "note": preset.note,
        }
        for preset in group_presets()
    ]
    return pd.DataFrame(rows).set_index("id")


def words() -> pd.DataFrame:
    """The published word lists, a row each; a spec takes them by their ``id``.

    Returns
    -------
    DataFrame
        ``title``, ``language`` and ``source``, by ``id``.
    """
    rows = [
        {"id": entry.id, "title": entry.title, "language": entry.language, "source": str(entry.source)}
        for entry in attribute_lists()
    ]
    return pd.DataFrame(rows).set_index("id")


def tests() -> pd.DataFrame:
    """The published association tests, a row each; a spec takes them by their ``id``.

    Returns
    -------
    DataFrame
        ``axis``, ``title``, ``lpbs`` (whether it has log probability bias scores too) and ``source``, by ``id``.
    """
    rows = [
        {
            "id": test.id,
            "axis": test.axis,
            "title": test.title,
            "lpbs": test.lpbs is not None,
            "source": str(test.source),
        }
        for test in association_tests()
    ]
    return pd.DataFrame(rows).set_index("id")


def representations() -> pd.DataFrame:
    """The ways to represent a word, a row each; a spec takes them by their ``id``.

    Returns
    -------
    DataFrame
        ``title`` and ``source``, by ``id``.
    """
    rows = [{"id": kind.id, "title": kind.title, "source": kind.source} for kind in REPRESENTATIONS]
    return pd.DataFrame(rows).set_index("id")


def models() -> pd.DataFrame:
    """The models on offer by name, a row each; any hub id or folder works without one.

    Returns
    -------
    DataFrame
        What the catalog says of each, by ``name``.
    """
    rows = [{**vars(entry), "languages": ", ".join(entry.languages)} for entry in catalog.entries()]
    return pd.DataFrame(rows).set_index("name")


def export(what: go.Figure | pd.DataFrame, result: Result, path: Path | str) -> None:
    """Write a figure (``.png``, ``.svg``, ``.pdf``, ``.html``) or a table (``.csv``) of a result with its provenance.

    Parameters
    ----------
    what : Figure or DataFrame
        What is written.
    result : Result
        The one it was made of.
    path : Path or str
        Its ending says the format. PNG, SVG and PDF need Chrome or Chromium.

    Raises
    ------
    OptionError
        For another ending.
    ExportError
        Where it cannot be drawn or written.
    """
    target = Path(path)
    data = _exported(what, result, target.suffix.lower())
    try:
        target.write_bytes(data)
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}.") from error


def _exported(what: go.Figure | pd.DataFrame, result: Result, suffix: str) -> bytes:
    above = caption(result, result.spec.TITLE)
    if isinstance(what, pd.DataFrame):
        if suffix == ".csv":
            return to_csv(what, result.provenance)
        raise OptionError(f"A table is written as .csv, not as “{suffix}”.")
    pictures: dict[str, Any] = {".png": to_png, ".svg": to_svg, ".pdf": to_pdf}
    if suffix in pictures:
        picture: bytes = pictures[suffix](what, result.provenance, above)
        return picture
    if suffix == ".html":
        return to_html(what, result.provenance, methods(result), above)
    raise OptionError(f"A figure is written as .png, .svg, .pdf or .html, not as “{suffix}”.")
