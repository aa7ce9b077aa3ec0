"""A corpus scan on the page: started, gone on with, or opened while another program writes it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from core import charts
from core.errors import OptionError, TiltmeterError
from core.export.finding_attention import scan_finding
from core.lexicon import CorpusFile
from core.models.catalog import user_models
from core.results import ScanResult
from pages.shared import attention_views, jobs, links, panels, resources, tables
from pages.shared.attention_views import HUES
from pages.shared.controls import File, choice, text, upload
from pages.shared.frame import theme
from pages.shared.inputs import ScanInputs
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal
from pages.shared.options import Choice, Text, Upload

_ASKED = "scan asked for"
_MEGABYTES = 32  # of a corpus that is uploaded; a larger one is given by its path

WAY = Choice("way", "Way", choices={"new": "scan a corpus", "open": "open a scan"})
CORPUS_FILE = Upload("corpus_file", "A text or CSV file in UTF-8", megabytes=_MEGABYTES)
CORPUS = Text("corpus", "or the path of one on the machine of the server")
COLUMN = Text("corpus_column", "Of a CSV: the column with the text")
FOLDER = Text("scan_folder", "Folder for the results, new or that of a scan to resume", placeholder="/path/to/folder")
OPEN_FOLDER = Text("open_scan", "Folder of a scan, finished or running", placeholder="/path/to/folder")
INPUTS = (WAY, CORPUS_FILE, CORPUS, COLUMN, FOLDER, OPEN_FOLDER)


def show(models: tuple[str, ...]) -> None:
    """Scan or open, then the figures of the corpus."""
    try:
        result = _scanned(models[0]) if choice(WAY) == "new" else _opened()
    except TiltmeterError as error:
        jobs.refuse(error)
    if result is not None:
        _show(result)


def _scanned(model: str) -> ScanResult | None:
    left, right = st.columns(2)
    files = upload(left, CORPUS_FILE)
    path = text(left, CORPUS).strip()
    column = text(right, COLUMN).strip()
    folder = text(right, FOLDER).strip()
    links.settle()
    pressed = st.button("Scan", type="primary", key=AGAIN)
    st.caption(f"Measured with {literal(model)}. Stopping keeps what is written; “Scan” goes on from there.")
    if pressed:
        if not files and not path:
            raise OptionError("There is no corpus; upload a file, or give the path of one.")
        if not folder:
            raise OptionError("There is no folder for the results; give a new one.")
        corpus = CorpusFile(_stored(files[0]) if files else Path(path).expanduser(), column or None)
        corpus.check()
        st.session_state[_ASKED] = ScanInputs(model, "float32", corpus, Path(folder).expanduser())
    asked: ScanInputs | None = st.session_state.get(_ASKED)
    if asked is None:
        return None
    return jobs.finished("scan", asked, resources.scan)


def _stored(file: File) -> Path:
    """The upload as a file of its own, by its content, so that a scan of it can go on another day."""
    folder = user_models().parent / "corpora" / hashlib.sha256(file.data).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / Path(file.name).name
    path.write_bytes(file.data)
    return path


def _opened() -> ScanResult | None:
    from core.experiments import scan

    left, right = st.columns([4, 1], vertical_alignment="bottom")
    folder = text(left, OPEN_FOLDER).strip()
    right.button("Read again", key="read_again", width="stretch")
    links.settle()
    if not folder:
        return None
    return scan.read(Path(folder).expanduser())


def _show(result: ScanResult) -> None:
    panels.show_finding(scan_finding(result), HUES)
    if not result.finished:
        st.info("The corpus is not read to its end; these are the figures so far.")
    st.text("\n".join(f"{reason}: {count:,}" for reason, count in result.counts))
    st.caption("; ".join(f"{stage}: {seconds:,.1f} s" for stage, seconds in result.seconds))
    panels.show_notes(result.notes)
    attention_views.profile(result, result.profile, "scan")
    st.subheader("Occupations", anchor=False)
    figure = charts.occupation_bars(result.detail, theme=theme())
    panels.show_chart(figure, "occupations", "Sentences kept, by occupation")
    panels.export_panel("scan-occupations", result, figure=figure, table=result.detail)
    st.subheader("The numbers", anchor=False)
    tables.show(result.summary)
    panels.export_panel("scan-table", result, table=result.summary)
