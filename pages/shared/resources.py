"""What all sessions share: models in memory and measurements already made. The only st.cache_* of the project.

torch and transformers are imported inside the functions: they take seconds, and a page can be on screen before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import streamlit as st

from core.lexicon.benchmarks import Data
from core.results import (
    BenchmarkResult,
    IsCancelled,
    ProfessionResult,
    Progress,
    ReportProgress,
    Result,
    ScanResult,
    never_cancelled,
    no_progress,
)
from core.templates import Template
from pages.shared.inputs import LpbsInputs, ScanInputs, worked_example

if TYPE_CHECKING:
    from core.experiments.playground import Explanation
    from core.models.loading import LoadedModel
    from core.models.pool import ModelPool

R_co = TypeVar("R_co", bound=Result, covariant=True)
S_co = TypeVar("S_co", bound=ProfessionResult | BenchmarkResult, covariant=True)
GIGABYTE = 1 << 30
UNFINISHED = 8  # stopped runs that can go on; the oldest is forgotten


class Inputs(Hashable, Protocol[R_co]):
    """What a measurement depends on, and how it is made (see ``inputs``)."""

    @property
    def models(self) -> tuple[str, ...]:
        """Names, hub ids or folders."""

    @property
    def dtype(self) -> str:
        """The precision they are computed in."""

    @property
    def attention(self) -> str:
        """How they are lent: ``default``, or ``eager`` with their attention maps."""

    def run(self, models: Sequence[LoadedModel], progress: ReportProgress, cancelled: IsCancelled) -> R_co:
        """Measure with the loaded models."""


class ResumableInputs(Hashable, Protocol[S_co]):
    """Inputs whose run, when it was stopped, can go on where it was (see ``Inputs``)."""

    @property
    def models(self) -> tuple[str, ...]:
        """Names, hub ids or folders."""

    def run(self, models: Sequence[LoadedModel], progress: ReportProgress, cancelled: IsCancelled, memory: Any) -> S_co:
        """Measure with the loaded models, from what ``memory`` holds, into it."""


@st.cache_resource(show_spinner=False)
def pool() -> ModelPool:
    """The models in memory. TILTMETER_MODELS and TILTMETER_GIGABYTES bound how many and how large."""
    from core.models.pool import ModelPool

    gigabytes = os.environ.get("TILTMETER_GIGABYTES")
    return ModelPool(
        max_models=int(os.environ.get("TILTMETER_MODELS", "4")),
        max_bytes=int(float(gigabytes) * GIGABYTE) if gigabytes else None,
    )


class _StoppedEarlyError(Exception):
    """Carries a result that must not be kept for others: its run was stopped."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


def measure(
    inputs: Inputs[R_co], progress: ReportProgress = no_progress, cancelled: IsCancelled = never_cancelled
) -> R_co:
    """The result of these inputs; made once for all sessions. Raises TiltmeterError."""
    return _kept(inputs, _digests(inputs), inputs.run, progress, cancelled)


def measure_on(
    inputs: ResumableInputs[S_co], progress: ReportProgress = no_progress, cancelled: IsCancelled = never_cancelled
) -> S_co:
    """As ``measure``, but a run that was stopped goes on where it was. Raises TiltmeterError."""
    digests = _digests(inputs)
    unfinished = _unfinished()
    while len(unfinished) >= UNFINISHED and (inputs, digests) not in unfinished:
        unfinished.pop(next(iter(unfinished)), None)
    memory = unfinished.setdefault((inputs, digests), {})
    result: S_co = _kept(inputs, digests, partial(inputs.run, memory=memory), progress, cancelled)
    if not result.stopped:
        unfinished.pop((inputs, digests), None)
    return result


@st.cache_resource(show_spinner=False)
def _unfinished() -> dict[tuple[Hashable, tuple[str, ...]], dict[Any, Any]]:
    """What stopped runs have done already; numbers only, some megabytes each."""
    return {}


def _digests(inputs: Inputs[Any] | ResumableInputs[Any]) -> tuple[str, ...]:
    from core.models import checkpoints

    return tuple(checkpoints.fetch(checkpoints.request(name)).digest for name in inputs.models)


def _kept(
    inputs: Any, digests: tuple[str, ...], run: Callable[..., Any], progress: ReportProgress, cancelled: IsCancelled
) -> Any:
    try:
        return _measured(inputs, digests, run, progress, cancelled)
    except _StoppedEarlyError as stopped:
        return stopped.result


@st.cache_resource(show_spinner=False, max_entries=64)
def _measured(
    inputs: Any, digests: tuple[str, ...], _run: Callable[..., Any], _progress: ReportProgress, _cancelled: IsCancelled
) -> Any:
    from core.models import checkpoints

    del digests  # in the key only: changed weights are another measurement
    with ExitStack() as lent:
        models = []
        for done, name in enumerate(inputs.models):
            _progress(Progress(f"Loading {name}", done, len(inputs.models)))
            wanted = replace(checkpoints.request(name, dtype=inputs.dtype), attention=inputs.attention)
            models.append(lent.enter_context(pool().lease(wanted)))
        result = _run(models, _progress, _cancelled)
    # A stop that came too late stopped nothing.
    if _cancelled() and getattr(result, "stopped", True):
        raise _StoppedEarlyError(result)
    return result


@st.cache_resource(show_spinner=False, max_entries=256)
def explain(inputs: LpbsInputs, digest: str, model: str, template: Template, attribute: str) -> Explanation:
    """What one model was asked about one attribute; ``digest`` is that of its weights."""
    from core.experiments import playground
    from core.models import checkpoints

    del digest
    with pool().lease(checkpoints.request(model, dtype=inputs.dtype)) as lent:
        return playground.explain(lent, template, attribute, inputs.groups, inputs.options)


@st.cache_resource(show_spinner="Looking for the data set …", max_entries=8)
def library_data(benchmark: str, name: str) -> Data[Any]:
    """A benchmark's data by name, through the datasets library. Raises WordListError."""
    from core.lexicon import benchmarks

    return benchmarks.from_library(benchmarks.benchmark(benchmark), name)


@st.cache_resource(show_spinner=False, max_entries=256)
def twin(text: str) -> str | None:
    """The gender-swapped twin of a sentence by the embedded model; None where it cannot choose."""
    from core.experiments import twins
    from core.models import checkpoints
    from core.models.masked import MaskedScorer

    with pool().lease(checkpoints.request("default")) as model:
        return twins.twin(MaskedScorer(model), [text])[0]


def scan(inputs: ScanInputs, progress: ReportProgress, cancelled: IsCancelled) -> ScanResult:
    """Scan a corpus into its folder, going on where an earlier scan ended. Raises TiltmeterError."""
    from core.experiments import scan as experiment
    from core.models import checkpoints

    progress(Progress(f"Loading {inputs.model}", 0, 1))
    wanted = replace(checkpoints.request(inputs.model, dtype=inputs.dtype), attention="eager")
    with pool().lease(wanted) as model, pool().lease(checkpoints.request("default")) as twin_model:
        return experiment.run(model, twin_model, inputs.corpus, inputs.folder, progress=progress, cancelled=cancelled)


def warm_up() -> None:
    """Load the default model and make the first visit's measurement, before anybody asks."""
    measure(worked_example())
