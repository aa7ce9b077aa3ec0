"""A corpus scan on the page: the example, one that is started or resumed, or one that is opened while it is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import streamlit as st

from core.engine.catalog import user_models
from core.errors import OptionError, TiltmeterError
from core.inputs import Choice, Text, Upload
from core.measures.attention.scan import figures, store
from core.measures.attention.scan.result import OCCUPATIONS, POSITIONS, ScanResult
from core.measures.attention.scan.spec import COLUMN, CORPUS, FOLDER, ScanSpec
from core.measures.attention.scan.words import counts_text, finding, occupations_text
from core.sources import CorpusFile
from core.sources.example_corpus import EXAMPLE_SCAN, example_corpus, example_note
from core.spec import File
from pages.attention import profile
from pages.attention.views import HUES
from pages.shared import jobs, links, panels, resources, tables
from pages.shared.controls import choice, text, upload
from pages.shared.frame import theme
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal
from pages.shared.uploads import digest_of

_STARTED, _NEW, _EXAMPLE = "scan started", "scan into a new folder", "example scan started"
_MEGABYTES = 32  # of a corpus that is uploaded; a larger one is given by its path

WAY = Choice("way", "Way", choices={"example": "the example corpus", "new": "scan a corpus", "open": "open a scan"})
CORPUS_FILE = Upload("corpus_file", "A text or CSV file", megabytes=_MEGABYTES)
OPEN_FOLDER = Text("open_scan", "Folder of a scan, finished or running", placeholder="/path/to/folder")
INPUTS = (WAY, CORPUS_FILE, CORPUS, COLUMN, FOLDER, OPEN_FOLDER)


def scan(models: tuple[str, ...]) -> ScanResult | None:
    """The scan that the controls ask for; None where there is none yet."""
    ways = {"example": lambda: _example(models[0]), "new": lambda: _scanned(models[0]), "open": _opened}
    try:
        return ways[choice(WAY)]()
    except TiltmeterError as error:
        jobs.refuse(error)


def _example(model: str) -> ScanResult:
    """The scan that comes with the program, or that of the same corpus in another model."""
    links.settle()
    st.caption(literal(example_note()))
    pressed = st.button(f"Scan with {literal(model)}", type="primary", key=AGAIN)
    with st.expander("The sentences"):
        st.text(example_corpus().path.read_text(encoding="utf-8"))
    if pressed:
        st.session_state[_EXAMPLE] = ScanSpec(models=(model,))
    spec: ScanSpec | None = st.session_state.get(_EXAMPLE)
    if spec is not None and spec.models == (model,):
        measured: ScanResult = jobs.finished("example scan", spec, resources.into_folder)
        return measured
    stored = resources.opened_scan(EXAMPLE_SCAN)
    (info,) = stored.provenance.models
    when = stored.provenance.created.partition("T")[0]
    st.caption(literal(f"Shown is the stored scan with {info.name} of {when}. “Scan” measures again."))
    return stored


def _scanned(model: str) -> ScanResult | None:
    left, right = st.columns(2)
    files = upload(left, CORPUS_FILE)
    path = text(left, replace(CORPUS, label="or its path on the server’s machine")).strip()
    column = text(right, COLUMN).strip()
    folder = text(right, replace(FOLDER, label="Folder for the results, new or that of a scan to resume")).strip()
    links.settle()
    pressed = st.button("Scan", type="primary", key=AGAIN)
    st.caption(f"“Scan” measures with {literal(model)}. Stopping keeps what is written; “Scan” resumes there.")
    at = Path(folder).expanduser() if folder else None
    if pressed:
        if not files and not path:
            raise OptionError("There is no corpus; upload a file, or give the path of one.")
        if at is None:
            raise OptionError("There is no folder for the results; give a new one.")
        corpus = CorpusFile(stored(links.file_of(files[0])) if files else Path(path).expanduser(), column or None)
        corpus.check()
        slot = _STARTED if store.check_folder(at) else _NEW
        st.session_state[slot] = ScanSpec(models=(model,), corpus=corpus, folder=at)
    # After a reload the page finds the scan that it, or another session, has under way in this folder.
    spec: ScanSpec | None = st.session_state.get(_STARTED) or (resources.scan_under_way(at) if at else None)
    new: ScanSpec | None = st.session_state.get(_NEW)
    if at is not None and new is not None and new.folder == at and not at.exists() and not _made(at):
        return None
    if new is not None and new.folder == at:
        spec = new
        del st.session_state[_NEW]
    if spec is None:
        return None if at is None else _written(at)
    st.session_state[_STARTED] = spec
    if (spec.models, spec.folder) != ((model,), at):
        st.text(f"Shown below is the scan with {spec.models[0]} into {spec.folder}, not what is chosen above.")
    measured: ScanResult = jobs.finished("scan", spec, resources.into_folder)
    return measured


def _written(folder: Path) -> ScanResult | None:
    """The scan that the folder holds, as a reload and a link find it; None for another folder, and while one writes."""
    if store.writer(folder):
        _say_writer(folder, "“open a scan” above")
        return None
    if not (folder / store.SETTINGS).is_file():
        return None
    held = store.read_settings(folder)
    st.caption(literal(f"Shown is the scan that this folder holds: {held.corpus} with {held.model.name}."))
    return resources.opened_scan(folder)


def _made(folder: Path) -> bool:
    """Whether the user agrees that the folder is made; asks."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(literal(f"There is no folder {folder.name} in {folder.parent}. Create it?"))
        return st.button("Create the folder and scan", key="make_folder")


def _say_writer(folder: Path, how: str) -> None:
    """Say which scan writes to the folder, if one does, and ``how`` to see it."""
    who = store.writer(folder)
    if who:
        st.info(literal(f"A scan is being written to this folder ({who}); {how} shows its figures so far."))


def stored(file: File) -> Path:
    """The upload as a file of its own, by its content, so that a scan of it can go on another day.

    Written whole and once: another scan may be reading it. Raises OptionError where it cannot be written.
    """
    path = user_models().parent / "corpora" / digest_of(file.data) / Path(file.name).name
    if path.is_file():
        return path
    temporary = path.with_name(f"{path.name}.{uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(file.data)
        temporary.replace(path)
    except OSError as error:
        raise OptionError(f"The file {file.name} cannot be kept on the server: {error.strerror or error}.") from error
    return path


def _opened() -> ScanResult | None:
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    folder = text(left, OPEN_FOLDER).strip()
    right.button("Reload", key="read_again", width="stretch")
    links.settle()
    if not folder:
        st.info("Give the folder that a scan was written to; a scan that is still running is shown so far.")
        return None
    at = Path(folder).expanduser()
    _say_writer(at, "“Reload”")
    return resources.opened_scan(at)


def show(result: ScanResult) -> None:
    """The figures of a corpus."""
    panels.show_finding(result, finding(result), HUES)
    if result.stopped:
        st.info("The corpus is not read to its end; these are the figures so far.")
    st.text(counts_text(result))
    panels.show_notes(result.notes)
    profile.show(result, result.profile, "scan")
    st.subheader("Occupations", anchor=False)
    figure = panels.drawn(lambda: figures.occupation_bars(result[OCCUPATIONS], theme=theme()))
    panels.show_chart(figure, "occupations", occupations_text(result[OCCUPATIONS]))
    panels.export_panel(
        "scan-occupations", result, figure=figure, title="Sentences kept, by occupation", table=result[OCCUPATIONS]
    )
    st.subheader("The numbers", anchor=False)
    tables.show(result[POSITIONS], result.SCHEMA.tables[POSITIONS].columns)
    panels.export_panel("scan-table", result, table=result[POSITIONS])
