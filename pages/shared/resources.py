"""What all sessions share: models in memory, runs and their results. The only st.cache_* of the project.

torch and transformers are imported inside the functions: they take seconds, and a page can be on screen before.
"""

from __future__ import annotations

import logging
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from core import shelf
from core.errors import BrokenModel, OptionError
from core.history.difference import Difference, compare
from core.history.entry import Entry
from core.history.history import DASHBOARD, History, history, keep
from core.inputs import Reference
from core.measures.attention.result import SentenceMaps
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.scan.spec import ScanSpec
from core.measures.attention.spec import AttentionSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec, opened
from core.result import ModelInfo, Progress, Result
from core.run import Run, Saved
from core.runs import Runs
from core.sources.templates import Template
from pages.shared.uploads import Uploads

if TYPE_CHECKING:
    from core.engine.pool import ModelPool
    from core.measures.lpbs.compute import Explanation

M = TypeVar("M", bound=Result)
MEGABYTE = 1 << 20
AT_ONCE = 4  # measurements that compute at once, where TILTMETER_RUNS says nothing else
RESULTS_MB = 512  # of what is kept for all sessions, where TILTMETER_RESULTS_MB says nothing else
UPLOADS_MB = 256  # of the users' files and long texts


@st.cache_resource(show_spinner=False)
def runs() -> Runs:
    """All runs, and the results that are kept.

    TILTMETER_RESULTS_MB bounds how much is kept, TILTMETER_RUNS how many runs compute at once.
    """
    return Runs(
        int(float(os.environ.get("TILTMETER_RESULTS_MB", RESULTS_MB)) * MEGABYTE),
        at_once=int(os.environ.get("TILTMETER_RUNS", AT_ONCE)),
    )


def pool() -> ModelPool:
    """The models in memory."""
    from core.engine.pool import shared_pool

    return shared_pool()


def measure(spec: MeasureSpec[M], run: Run[Any]) -> M:
    """The result of a spec; made once for all sessions, and kept in the history. Raises TiltmeterError.

    One that the run's stop left incomplete, or that lacks a model which may be there the next time, is not kept here.
    """
    took: list[float] = []
    result = _measured(spec, run, took)
    if took:
        _into_history(result, run, sum(took))
    return result


def _measured(spec: MeasureSpec[M], run: Run[Any], took: list[float]) -> M:
    """As ``measure``; ``took`` gets the seconds of each computation: none where the result is among those kept."""
    if spec.parts:
        return spec.run_parts(run, lambda part: _measured(part, run, took))
    run.report(Progress(f"Looking for {', '.join(spec.models)}", 0, 1))
    key = spec.key(run)
    kept: M | None = runs().results.get(key)
    if kept is not None:
        return kept
    result, seconds = _computed(spec, run)
    took.append(seconds)
    if not result.stopped and not any(item.kind == "model" for item in result.excluded):
        runs().results.put(key, result)
    return result


def _computed(spec: MeasureSpec[M], run: Run[Any]) -> tuple[M, float]:
    """The result of a spec, computed when it is the run's turn, and the seconds that it took from then."""
    with runs().turns.turn(run):
        began = time.monotonic()
        return spec.run(run, pool=pool()), time.monotonic() - began


def _into_history(result: Result, run: Run[Any], seconds: float) -> None:
    """Keep a finished run; where that cannot be, its page and the log say why.

    What is not kept there can be opened from the page Jobs while the server remembers it.
    """
    if result.stopped:
        return

    def told(entry: Entry) -> None:
        run.saved = Saved(entry.digest, entry.id)

    run.remark = keep(result, origin=DASHBOARD, seconds=seconds, told=told)
    if run.remark:
        logging.getLogger(__name__).warning(run.remark)
    if run.saved is None:
        run.saved = Saved(uploads().put(result.to_bytes()))


def finished(kind: type[M]) -> tuple[M, ...]:
    """The results of this kind that were measured on this server and are kept."""
    return tuple(thing for thing in runs().results.things() if isinstance(thing, kind))


@st.cache_resource(show_spinner="Scoring the sentences of the card …", max_entries=256)
def explain(spec: LpbsSpec, digest: str, model: str, template: Template, attribute: str) -> Explanation:
    """What one model was asked about one attribute. Raises BrokenModel where its files are not those of ``digest``."""
    from core.engine import checkpoints
    from core.measures.lpbs import compute

    with pool().lease(checkpoints.request(model, dtype=spec.dtype)) as lent:
        if lent.info.digest != digest:
            raise BrokenModel(f"The files of {model} are not those that were measured; measure again to see more.")
        return compute.explain(lent, template, attribute, spec)


@st.cache_resource(show_spinner=False)
def uploads() -> Uploads:
    """The users' files and long texts, for all sessions."""
    return Uploads(UPLOADS_MB * MEGABYTE)


def saved_result(file: Reference) -> Result:
    """The result in a file that was opened, or the published one of that name.

    Raises OptionError where its content is not here, SavedFileError.
    """
    if file.name.startswith(shelf.PREFIX):
        uploads().put(file.name.encode())  # what the page's link needs is here
        return shelf.result(file.name)
    data = uploads().get(file.digest)
    if data is None:
        past = history()
        data = None if past is None else past.by_digest(file.digest)
        if data is not None:
            uploads().put(data)  # so that the next run of the page asks no database
    if data is None:
        raise OptionError(f"The saved result {file.name} (its digest is {file.digest}) is not here: open it again.")
    return _saved_result(file.digest, file.name, data)


@st.cache_resource(show_spinner=False, max_entries=8)
def _saved_result(digest: str, name: str, _data: bytes) -> Result:
    return opened(_data, name)


def compared(kept: History, first: Entry, second: Entry) -> Difference:
    """Two kept runs of one measure, compared. Raises TiltmeterError."""
    return _compared(kept, first, second, first.digest, second.digest)


@st.cache_resource(show_spinner="Comparing the runs …", max_entries=8)
def _compared(_kept: History, _first: Entry, _second: Entry, first: str, second: str) -> Difference:
    return compare(_kept.result(_first), _kept.result(_second))


def compared_with_published(kept: History, id: str, entry: Entry) -> Difference:
    """A kept run compared with a published result of its measure. Raises TiltmeterError."""
    return _with_published(kept, entry, id, entry.digest)


@st.cache_resource(show_spinner="Comparing the runs …", max_entries=8)
def _with_published(_kept: History, _entry: Entry, id: str, digest: str) -> Difference:
    return compare(shelf.result(id), _kept.result(_entry))


@st.cache_resource(show_spinner="Swapping the genders …", max_entries=256)
def twin(text: str) -> str | None:
    """The gender-swapped twin of a sentence by the embedded model; None where it cannot choose."""
    from core.measures.shared import twins

    try:
        return twins.made(text)
    except OptionError:
        return None


def attention_maps(spec: AttentionSpec, model: ModelInfo) -> tuple[SentenceMaps, SentenceMaps]:
    """One of the models' own attention over the sentence and its twin; kept like a result. Raises TiltmeterError."""
    from core.engine.checkpoints import labels
    from core.measures.attention import compute

    key = ("attention maps", spec.sentence, spec.twin, model.name, model.digest, spec.dtype)
    maps: tuple[SentenceMaps, SentenceMaps] | None = runs().results.get(key)
    if maps is not None:
        return maps
    requests = spec.requests()
    with pool().lease(dict(zip(labels(requests), requests, strict=True))[model.name]) as leased:
        if leased.info.digest != model.digest:
            raise BrokenModel(f"The files of {model.name} are not those that were measured; press “Measure”.")
        first, second = compute.maps(leased, spec)
    maps = replace(first, model=model.name), replace(second, model=model.name)
    runs().results.put(key, maps)
    return maps


def into_folder(spec: MeasureSpec[M], run: Run[Any]) -> M:
    """The result of a spec that writes a folder, resuming where an earlier run into it ended. Raises TiltmeterError.

    Never kept: what the folder holds decides, each time.
    """
    result, seconds = _computed(spec, run)
    _into_history(result, run, seconds)
    return result


def scan_under_way(folder: Path) -> ScanSpec | None:
    """The scan that some session has under way in this folder."""
    specs = (run.spec for run in runs().under_way())
    return next((spec for spec in specs if isinstance(spec, ScanSpec) and spec.folder == folder), None)


def opened_scan(folder: Path) -> ScanResult:
    """The scan in a folder, finished or not; read once until the folder changes. Raises TiltmeterError."""
    from core.measures.attention.scan import compute, store

    key = ("opened scan", folder, store.signature(folder))
    result: ScanResult | None = runs().results.get(key)
    if result is None:
        result = compute.read(folder)
        runs().results.put(key, result)
    return result


def warm_up() -> None:
    """Load the default model and make the first visit's measurement, before anybody asks."""
    _measured(LpbsSpec(), Run(), [])
