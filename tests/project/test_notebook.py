"""docs/notebook.ipynb runs in the installed package and shows what it is stored with; so does that of a report."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.lpbs.spec import LpbsSpec
from core.publication.contents import contents
from core.publication.notebook import to_notebook
from core.publication.pins import report_of
from core.publication.store import Reports
from core.result import Result
from core.spec import File
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


def test_the_notebook_of_a_report_measures_what_it_can_and_says_what_it_cannot(
    installed: Installed, tmp_path: Path
) -> None:
    pairs = File.of("pairs.csv", b"sent_more,sent_less\nShe is a nurse.,He is a nurse.\n")
    benchmark: Result = BenchmarkSpec(benchmark="crows-pairs", files=(pairs,)).run()
    scores: Result = LpbsSpec(attributes=("nurse", "engineer")).run()
    elsewhere = replace(scores, spec=replace(scores.spec, models=("./no-such-model",)))
    kept = Reports(None)
    whole = contents(report_of(kept, [benchmark, elsewhere, scores], title="Three"), kept)
    file = tmp_path / "report.ipynb"
    file.write_bytes(to_notebook(whole))

    def run() -> list[list[dict[str, Any]]]:
        return notebook.run(installed, tmp_path, pictures=False, file=file)

    imported, files, *measured = run()
    assert imported == files == []
    said = [[output.get("evalue") or values([output]) for output in outputs] for outputs in measured]
    assert said[0][0].startswith("The file pairs.csv (SHA-256 ")
    assert said[1] == ["name 'result_1' is not defined"]
    assert said[2][0].startswith("There is no folder ./no-such-model")
    assert said[3] == ["name 'result_2' is not defined"]  # and not the figure of another
    assert said[4:] == [[repr(scores)], ["a figure"]]
    (tmp_path / "pairs.csv").write_bytes(pairs.data)
    brought = [values(outputs) for outputs in run()[2:4]]
    assert brought == [repr(benchmark), "a figure"]
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
