"""A report: what is pinned comes out whole, in every form, and nothing in it is ever taken for code."""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import pytest

from core import archives
from core.charts import DARK, LIGHT, Theme
from core.cli import main
from core.errors import ExportError, HistoryError, OptionError, SavedFileError
from core.measures.lpbs import figures
from core.measures.lpbs.spec import LpbsSpec
from core.publication import pins
from core.publication.bundle import _works, to_zip
from core.publication.contents import contents
from core.publication.document import to_html, to_markdown, to_pdf
from core.publication.notebook import to_notebook
from core.publication.references import bibtex
from core.publication.report import UNTITLED, Kind, Pin, Report
from core.publication.store import Reports
from core.report.figures import to_png, to_svg
from core.report.renderer import find_browser
from core.report.works import REFERENCES
from core.result import Progress, together
from core.run import Callbacks
from tests.support.past import scores

EVIL = "<script>alert(1)</script>"
needs_browser = pytest.mark.skipif(not find_browser(), reason="no Chrome or Chromium here")


def pin(name: str) -> Pin:
    return Pin(name, Kind.FINDING, name, name, (), "digest")


def of(name: str, result: str) -> Pin:
    return replace(pin(name), result=result)


def names(report: Report) -> list[str]:
    return [item.id for item in report.pins]


@pytest.fixture
def kept(tmp_path: Path) -> Reports:
    return Reports(tmp_path / "reports")


def drawn(text: str, look: Theme) -> go.Figure:
    return go.Figure(go.Bar(x=[0.25], y=[text]), layout={"title": {"text": f"{text} {look.name} {look.width}"}})


def filled(kept: Reports, text: str = "A finding.") -> Report:
    """A chart, a table and a finding of one result, with ``text`` wherever a user's words can stand."""
    result = scores(0.25)
    rows = pd.DataFrame({"model": [text], "lpbs": [0.1 + 0.2], "n": [3]})
    made = (
        pins.chart(kept, f"my {text}", result, lambda look: drawn(text, look), title=text, alt=text, table=rows),
        pins.table(kept, "table", result, rows, title=text),
        pins.finding(kept, "finding", result, text),
    )
    report = kept.new()
    return kept.change(
        report.id,
        lambda now: replace(
            now, title=text, author=text, summary=text, pins=tuple(replace(p, note=text) for p in made)
        ),
    )


def test_pins_are_ordered_removed_and_brought_back() -> None:
    report = Report("x", pins=tuple(map(pin, "abc")))
    assert names(report.moved("c", -1)) == ["a", "c", "b"]
    assert names(report.moved("a", -1)) == ["a", "b", "c"]
    assert names(report.moved("a", 9)) == ["b", "c", "a"]
    gone = report.without("b").without("a")
    assert names(gone) == ["c"]
    assert gone.restored().restored() == report
    assert report.moved("gone", 1) == report == report.without("gone") == report.restored()


def test_a_report_is_kept_as_it_was(kept: Reports, tmp_path: Path) -> None:
    report = filled(kept)
    again = Reports(tmp_path / "reports")
    assert again.get(report.id) == report
    chart = report.pins[0]
    assert chart.frame is not None
    assert chart.frame["lpbs"][0] == 0.1 + 0.2
    assert contents(report, again).behind(chart)[0].result == scores(0.25)
    assert filled(Reports(None)).pins[0].figure == chart.figure


@pytest.mark.parametrize("in_memory", [True, False])
def test_reports_are_found_those_changed_last_first(tmp_path: Path, *, in_memory: bool) -> None:
    kept = Reports(None if in_memory else tmp_path / "reports")
    assert kept.latest(5) == ()
    first, second, empty = kept.new().id, kept.new().id, kept.new().id
    kept.change(first, lambda now: replace(now, title="First"))
    kept.change(second, lambda now: now.with_pins(pin("a"), pin("b")))
    assert [(item.id, item.heading, item.pins) for item in kept.latest(5)] == [
        (second, UNTITLED, 2),
        (first, "First", 0),
    ]
    kept.change(first, lambda now: now.with_pins(pin("c")))
    assert [(item.id, item.pins) for item in kept.latest(5)] == [(first, 1), (second, 2)]
    assert [item.id for item in kept.latest(1)] == [first]
    assert empty not in {item.id for item in kept.latest(5)}
    if not in_memory:
        (tmp_path / "reports" / f"{second}.json").write_text("{", encoding="utf-8")
        assert [item.id for item in kept.latest(5)] == [first]


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "0" * 32, "a" * 10_000])
def test_a_report_that_is_not_there_gets_a_sentence(kept: Reports, name: str) -> None:
    with pytest.raises(OptionError, match="no such report"):
        kept.get(name)
    with pytest.raises(OptionError, match="no such report"):
        kept.change(name, lambda report: report)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"id": 1}', '{"id": "x", "pins": [{"kind": "code"}]}'])
def test_a_damaged_report_gets_a_sentence(kept: Reports, tmp_path: Path, text: str) -> None:
    report = kept.new()
    (tmp_path / "reports" / f"{report.id}.json").write_text(text, encoding="utf-8")
    with pytest.raises(SavedFileError):
        kept.get(report.id)


def _add(folder: Path, report: str, letter: str) -> None:
    kept = Reports(folder)
    for number in range(20):
        kept.change(report, lambda now, number=number: now.with_pins(pin(f"{letter}{number}")))  # type: ignore[misc]


@pytest.mark.parametrize("in_memory", [False, True])
def test_a_deleted_report_is_gone_with_the_results_that_no_other_report_has(tmp_path: Path, *, in_memory: bool) -> None:
    kept = Reports(None if in_memory else tmp_path / "reports")
    alone, removed, shared = (kept.keep(scores(word=word)) for word in ("nurse", "judge", "baker"))
    first, second = kept.new().id, kept.new().id
    kept.change(first, lambda report: report.with_pins(of("a", alone), of("b", removed), of("c", shared)).without("b"))
    kept.change(second, lambda report: report.with_pins(of("d", shared)).without("d"))
    kept.delete(first)
    with pytest.raises(OptionError, match="no such report"):
        kept.get(first)
    assert [report.id for report in kept.latest(9)] == []
    for gone in (alone, removed):
        with pytest.raises(HistoryError):
            kept.tilt(gone)
    assert kept.tilt(shared)  # the other report can bring its pin back
    with pytest.raises(OptionError, match="no such report"):
        kept.delete(first)


@pytest.mark.parametrize("in_memory", [False, True])
def test_a_result_whose_pin_is_on_its_way_outlives_a_report_that_is_deleted_meanwhile(
    tmp_path: Path, *, in_memory: bool
) -> None:
    kept = Reports(None if in_memory else tmp_path / "reports")
    first, second = kept.new().id, kept.new().id
    result = kept.keep(scores())
    kept.change(first, lambda report: report.with_pins(of("a", result)))
    again = kept.keep(scores())  # another session pins the same
    kept.delete(first)
    kept.change(second, lambda report: report.with_pins(of("b", again)))
    assert kept.tilt(again)
    kept.delete(second)
    with pytest.raises(HistoryError):
        kept.tilt(again)


def test_beside_a_damaged_report_no_result_is_deleted(kept: Reports, tmp_path: Path) -> None:
    report, damaged = kept.new().id, kept.new().id
    result = kept.keep(scores())
    kept.change(report, lambda now: now.with_pins(of("a", result)))
    (tmp_path / "reports" / f"{damaged}.json").write_text("{")
    kept.delete(report)
    with pytest.raises(OptionError):
        kept.get(report)
    assert kept.tilt(result)


def test_two_writers_lose_nothing(kept: Reports, tmp_path: Path) -> None:
    report = kept.new().id
    fork = multiprocessing.get_context("spawn")
    writers = [fork.Process(target=_add, args=(tmp_path / "reports", report, letter)) for letter in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = names(kept.get(report))
    assert sorted(found) == sorted(f"{letter}{number}" for letter in "ab" for number in range(20))
    assert [name for name in found if name[0] == "a"] == [f"a{number}" for number in range(20)]


def test_no_text_of_a_user_becomes_html(kept: Reports) -> None:
    page = to_html(contents(filled(kept, EVIL), kept)).decode()
    assert "alert(1)" in page
    assert EVIL not in page
    assert not re.search(r"<script>\s*alert", page)
    assert "default-src 'none'" in page
    markdown = to_markdown(contents(filled(kept, EVIL), kept)).decode()
    assert "<script" not in markdown.replace(r"\<script", "")


def test_the_page_has_a_heading_a_part_and_a_word_for_each_chart(kept: Reports) -> None:
    page = to_html(contents(filled(kept), kept)).decode()
    assert page.count("<h1") == 1
    assert [int(level) for level in re.findall(r"<h([2-6])[ >]", page)][:4] == [2, 3, 3, 3]
    assert 'role="img" aria-label="A finding."' in page
    assert "A lean found is evidence" in page
    assert "<li>Not finding a lean here is no evidence that there is none elsewhere.</li>" in page


def test_a_chart_is_drawn_for_every_reader(kept: Reports) -> None:
    chart = filled(kept, "x").pins[0]
    for theme, width, title in (
        (LIGHT, 640, "x light 640"),
        (LIGHT, 1000, "x light 640"),
        (DARK, 640, "x dark 640"),
        (LIGHT, 639, "x light 320"),
        (DARK, 300, "x dark 320"),
    ):
        assert chart.drawn_for(replace(theme, width=width)).layout.title.text == title
    assert chart.drawn.layout.title.text == "x light 640"


def test_what_several_pins_rest_on_is_said_once(kept: Reports) -> None:
    report = filled(kept, "Finding.")
    whole = contents(report, kept)
    for text in (to_html(whole).decode(), to_markdown(whole).decode()):
        assert text.count("From: ") == 1
        assert len(re.findall(r"sources are those of 1\\?\.", text)) == 2


def test_a_column_that_says_the_same_in_every_row_is_said_once(kept: Reports) -> None:
    rows = pd.DataFrame({"model": ["m", "m"], "attribute": ["a", "b"], "n": [3, 3]})
    made = pins.table(kept, "table", scores(0.25), rows, title="")
    assert made.title == "Log probability bias scores of a list of attributes: attributes"
    report = kept.change(kept.new().id, lambda now: now.with_pins(made))
    page = to_html(contents(report, kept)).decode()
    assert re.findall(r"<th scope=\"col\">(.*?)</th>", page) == ["attribute", "n"]
    assert "In every row: model: m." in page


def test_every_long_file_says_how_far_it_is_and_can_be_stopped(kept: Reports) -> None:
    report = filled(kept)
    heard: list[Progress] = []
    whole = contents(report, kept, Callbacks(heard.append))
    assert [(item.stage, item.done, item.total) for item in heard] == [("Reading the results", 0, 1)]
    for make in (to_html, to_markdown):
        heard.clear()
        make(whole, Callbacks(heard.append))
        assert [(item.stage, item.done, item.total) for item in heard] == [
            ("Writing the report", done, 3) for done in range(3)
        ]
        with pytest.raises(ExportError, match="Stopped: no file was made"):
            make(whole, Callbacks(cancelled=lambda: True))


def test_the_notebook_rebuilds_the_spec(kept: Reports) -> None:
    notebook = json.loads(to_notebook(contents(filled(kept, "'''\" + exit() + \"'''"), kept)))
    code = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    made = {"tm": type("face", (), {"LpbsSpec": LpbsSpec}), "json": json}
    exec(code[1].partition("\nresult_1")[0], made)
    assert made["spec"] == scores(0.25).spec
    assert [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"] == [[]] * len(code)


def test_the_lines_of_the_summary_and_of_a_note_stay_lines(kept: Reports) -> None:
    begun = filled(kept)
    noted = begun.noted(begun.pins[0].id, "Look here.\nAnd there.")
    report = kept.change(begun.id, lambda _: replace(noted, summary="What was done.\n\nWhat was found."))
    whole = contents(report, kept)
    text, cells = to_markdown(whole).decode(), json.loads(to_notebook(whole))["cells"]
    for words in (text, cells[0]["source"]):
        assert "What was done.\n\nWhat was found." in words
    assert "> Look here.\n\n> And there." in text
    assert "Look here.\n\nAnd there." in cells[3]["source"]


def test_a_table_of_several_results_keeps_them_all(kept: Reports) -> None:
    """Each is in the bundle, in methods and sources, in the notebook, and named with the table and above its CSV."""
    first, second = scores(0.25, model="bert"), scores(0.5, model="gpt2", word="pilot")
    rows = pd.DataFrame({"model": ["bert", "gpt2"], "lpbs": [0.25, 0.5]})
    made = pins.table(kept, "paper", first, rows, title="Both", also=(second,))
    assert len(set(made.results)) == 2
    assert any("bert" in line for line in made.lines)
    assert any("gpt2" in line for line in made.lines)
    report = kept.change(kept.new().id, lambda now: now.with_pins(made))
    assert kept.get(report.id).pins == (made,)
    found = contents(report, kept)
    assert [source.result for source in found.behind(made)] == [first, second]
    assert [source.result for source in found.sources] == [first, second]
    text = to_markdown(found).decode()
    for source in found.sources:
        assert f"From: {source.title}" in text.replace("\\", "")
    cells = json.loads(to_notebook(found))["cells"]
    assert sum("Both" in "".join(cell["source"]) for cell in cells) == 2
    works = dict(_works(found))
    assert {"data/01-score.tilt", "data/02-score.tilt"} <= set(works)
    csv = works["data/01-paper.csv"]().decode("utf-8-sig")
    assert "bert" in csv
    assert "gpt2" in csv
    assert together([first.provenance, second.provenance]).models == (
        *first.provenance.models,
        *second.provenance.models,
    )
    kept.delete(report.id)
    with pytest.raises(HistoryError):
        contents(report, kept)


def test_bibtex_says_where_a_paper_appeared() -> None:
    names = ("May et al. 2019", "Caliskan et al. 2017", "Li et al. 2021", "Zhao et al. 2018", "Zhao et al. 2019")
    text = bibtex([*(REFERENCES[name] for name in names), "Lost & 100 %"])
    assert re.findall(r"@(\w+)\{([\w-]+),", text) == [
        ("inproceedings", "may2019"),
        ("article", "caliskan2017"),
        ("misc", "li2021"),
        ("inproceedings", "zhao2018"),
        ("inproceedings", "zhao2019"),
        ("misc", "lost"),
    ]
    assert (
        """@article{caliskan2017,
  author = {Caliskan, A. and Bryson, J. J. and Narayanan, A.},
  year = {2017},
  title = {{Semantics derived automatically from language corpora contain human-like biases}},
  journal = {Science},
  volume = {356},
  number = {6334},
  pages = {183--186}
}
"""
        in text
    )
    assert "  booktitle = {Proceedings of NAACL-HLT 2019}\n" in text
    assert "  eprint = {2110.15733},\n  archiveprefix = {arXiv}\n" in text
    assert r"note = {Lost \& 100 \%}" in text
    assert "may2019-2" in bibtex([REFERENCES["May et al. 2019"], "May, C. (2019)."])
    assert "Hu, E. J. and others" in bibtex([REFERENCES["Hu et al. 2022"]])


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_a_paper_is_named_by_its_first_author_and_year(name: str) -> None:
    first, year = re.match(r"(.+?)(?: et al\.| &| and|)(?: .*)? (\d{4})$", name).groups()  # type: ignore[union-attr]
    assert REFERENCES[name].startswith(first.split(" & ")[0])
    assert f"({year})" in REFERENCES[name]


def test_a_report_of_results_needs_no_page(kept: Reports) -> None:
    result = scores(0.25)
    report = pins.report_of(kept, [result], title="Audit")
    assert [item.kind for item in report.pins] == [Kind.FINDING, Kind.CHART, Kind.TABLE]
    drawn = figures.draw(result, model=result.models[0], theme=LIGHT)
    assert report.pins[1].figure == drawn.to_json()
    assert report.pins[1].drawn == drawn
    assert drawn != report.pins[1].drawn_for(replace(LIGHT, width=639)) != report.pins[1].drawn_for(DARK)
    assert "0.25" in report.pins[0].text


def nameless(svg: bytes) -> bytes:
    """Without the random name that plotly.js gives a figure each time it draws it."""
    found = re.search(rb'id="defs-([0-9a-f]{6})"', svg)
    assert found
    return svg.replace(found.group(1), b"")


@needs_browser
def test_the_bundle_equals_the_screen_and_verifies(
    kept: Reports, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = filled(kept)
    whole = contents(report, kept)
    data = to_zip(whole)
    files = archives.files(data, "x.zip", archives.REPORT)
    chart, result = report.pins[0], scores(0.25)
    drawn = to_svg(chart.drawn, result.provenance, chart.caption)
    assert nameless(files["figures/01-my-a-finding.svg"]) == nameless(drawn)
    assert files["figures/01-my-a-finding.png"] == to_png(chart.drawn, result.provenance, chart.caption)
    assert files["figures/01-my-a-finding.json"].decode() == chart.figure
    assert "0.30000000000000004" in files["data/02-table.csv"].decode("utf-8-sig")
    assert files["data/01-score.tilt"] == result.to_bytes()
    assert files["report.pdf"].startswith(b"%PDF")
    manifest = json.loads(files["manifest.json"])
    assert {item["path"]: item["sha256"] for item in manifest["files"]} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "manifest.json"
    }
    target = tmp_path / "report.zip"
    target.write_bytes(data)
    assert main(["verify", str(target)]) == 0
    changed = {**files, "methods.txt": b"other"}
    target.write_bytes(zipped(changed))
    assert main(["verify", str(target), "--format", "json"]) == 1
    assert "is not the file that was exported" in capsys.readouterr().out


@needs_browser
def test_the_pdf_is_printed(kept: Reports) -> None:
    assert to_pdf(contents(filled(kept), kept)).startswith(b"%PDF")


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no zip",
        zipped({}),
        zipped({"a": b"b"}),
        zipped({"manifest.json": b"{"}),
        zipped({"manifest.json": b"[]"}),
        zipped({"manifest.json": b'{"format": 2, "files": [{"path": "a", "bytes": 1, "sha256": ""}]}'}),
        zipped({"manifest.json": b'{"format": 1, "files": []}'}),
        zipped({"manifest.json": b"[" * 100_000}),
        zipped({"../../x": b""}),
        zipped({"/x": b""}),
        zipped({"C:\\x": b""}),
        zipped({"a" * 201: b""}),
        zipped({f"{number}": b"" for number in range(5_001)}),
        zipped({"manifest.json": b"{}" * 1000})[:-40],
    ],
)
def test_what_is_no_bundle_gets_a_sentence(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "x.zip"
    target.write_bytes(data)
    assert main(["verify", str(target)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tiltmeter: ")
    assert "report the command" not in said
