"""docs/notebook.ipynb runs in the installed package and shows what it is stored with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support import notebook
from tests.support.installed import Installed

NUMBER = re.compile(r"[+−-]?\d+(?:\.\d+)?")
ROUNDING = 0.0101  # numbers are shown with two decimals, and another machine may round the last one otherwise


def values(outputs: list[dict[str, Any]]) -> str:
    """What a cell gives, as text. What it prints is prose, which may be worded otherwise tomorrow."""
    return "".join("".join(output["data"]["text/plain"]) for output in outputs if "data" in output)


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in NUMBER.findall(text)]


def words(text: str) -> list[str]:
    return NUMBER.sub(" ", text).split()


def test_it_shows_what_is_stored(installed: Installed, tmp_path: Path) -> None:
    cells = notebook.codes(notebook.read())
    shown = notebook.run(installed, tmp_path, pictures=False)
    for cell, outputs in zip(cells, shown, strict=True):
        assert [output["output_type"] for output in outputs] == [output["output_type"] for output in cell["outputs"]]
        now, stored = values(outputs), values(cell["outputs"])
        assert words(now) == words(stored)
        assert numbers(now) == pytest.approx(numbers(stored), abs=ROUNDING)
    assert {path.name for path in tmp_path.iterdir()} == {"audit.tilt", "scores.csv", "tilt.html"}


def test_the_figure_is_stored_as_a_picture() -> None:
    kinds = {
        kind for cell in notebook.codes(notebook.read()) for out in cell["outputs"] for kind in out.get("data", {})
    }
    assert kinds == {"text/plain", "text/html", "image/png"}
