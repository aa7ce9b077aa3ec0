"""A benchmark in one or more models, a chunk of its items at a time, so that a stop keeps what is done."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core.errors import NothingToScore, TiltmeterError
from core.experiments import provenance
from core.experiments.benchmarks import fills, pairs, pronouns, stereoset
from core.experiments.benchmarks.task import BASE, Lost, Task
from core.experiments.checks import check_choices, check_models
from core.lexicon.benchmarks import Data, benchmark
from core.models.loading import LoadedModel
from core.results import (
    BenchmarkOptions,
    BenchmarkResult,
    IsCancelled,
    LeftOut,
    ModelInfo,
    Progress,
    ReportProgress,
    never_cancelled,
    no_progress,
)

CHOICES = {
    "pieces": ("log probability", "probability"),
    "average": ("terms", "pairs"),
    "fills": ("top", "probability"),
}
TASKS: dict[str, Task] = {
    "crows-pairs": pairs.CROWS_PAIRS,
    "aul": pairs.AUL,
    "aula": pairs.AULA,
    "stereoset": stereoset.TASK,
    "disco": fills.DISCO,
    "winobias": pronouns.WINOBIAS,
    "winogender": pronouns.WINOGENDER,
    "honest": fills.HONEST,
}


@dataclass
class Done:
    """What was asked of one model so far: ``items`` of them, with their rows and those lost."""

    items: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)


Memory = MutableMapping[ModelInfo, Done]


def run(
    models: Sequence[LoadedModel],
    name: str,
    data: Data[Any],
    options: BenchmarkOptions | None = None,
    *,
    memory: Memory | None = None,
    progress: ReportProgress = no_progress,
    cancelled: IsCancelled = never_cancelled,
) -> BenchmarkResult:
    """The benchmark ``name`` on its ``data`` in each model (metrics: agreement of rulers, benchmarks).

    ``memory`` holds what earlier, stopped runs of the same benchmark, data and options have done, and takes up what
    this one does. When cancelled, the items that were reached are in the result, in the order of the data. A model
    that cannot be asked is listed in ``left_out`` while another can.

    Raises OptionError, the models' refusals, or NothingToScore.
    """
    options = options or BenchmarkOptions()
    info, task = benchmark(name), TASKS[name]
    check_models(models)
    check_choices(options, CHOICES)
    items = [part for one in data.items for part in task.split(one)]
    if not items:
        raise NothingToScore(f"The data hold no item of {info.title}. {info.expects}")
    memory = {} if memory is None else memory
    refusals: dict[str, TiltmeterError] = {}
    for model in models:
        try:
            _ask(model, task, items, options, memory.setdefault(model.info, Done()), progress, cancelled)
        except TiltmeterError as error:
            refusals[model.info.name] = error
    asked = [model for model in models if memory[model.info].rows]
    done = [memory[model.info] for model in asked]
    if not asked:
        raise _nothing(info.title, list(refusals.values()), [memory[model.info] for model in models])
    stopped = {
        name: one.items
        for name, one in ((model.info.name, memory[model.info]) for model in models)
        if one.items < len(items) and name not in refusals
    }
    details = [pd.DataFrame(one.rows, columns=[*BASE, *task.columns]) for one in done]
    rows = [
        (model.info.name, row)
        for model, detail in zip(asked, details, strict=True)
        for row in task.summary(model.info, detail, options)
    ]
    for model, detail in zip(asked, details, strict=True):
        detail.insert(0, "model", model.info.name)
    left_out = [LeftOut(model, "model", model, str(error)) for model, error in refusals.items()]
    left_out += [
        LeftOut(model.info.name, "item", lost.item, f"{lost.item}: {lost.reason}")
        for model in models
        for lost in memory[model.info].lost
    ]
    left_out += [
        LeftOut(model, "statistic", row.measure, f"{row.measure}: {row.reason}", test=row.measure)
        for model, row in rows
        if row.reason
    ]
    notes = [f"{one.count:,} {one.reason}; left out." for one in data.left_out]
    notes += [f"{model}: stopped after {reached:,} of {len(items):,}." for model, reached in stopped.items()]
    return BenchmarkResult(
        summary=pd.DataFrame(
            [(model, *row[:-1]) for model, row in rows],
            columns=["model", "measure", "bias_type", "value", "ci_low", "ci_high", "n"],
        ),
        detail=pd.concat(details, ignore_index=True),
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of([model.info for model in asked], data=(info.citation, data.source), seed=options.seed),
        benchmark=name,
        title=info.title,
        citation=info.citation,
        problems=info.problems,
        sides=task.sides,
        items=task.items,
        intervals=task.intervals,
        measures=task.measures([model.info for model in asked]),
        rows=task.rows,
        unit=task.unit(options),
        stopped=bool(stopped),
        notes=tuple(notes),
    )


def _ask(
    model: LoadedModel,
    task: Task,
    items: Sequence[Any],
    options: BenchmarkOptions,
    done: Done,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> None:
    """Go on where ``done`` ends. A chunk that a stop cuts short is asked again the next time."""
    while done.items < len(items) and not cancelled():
        chunk = items[done.items : done.items + task.chunk]

        def report(inner: Progress, before: int = done.items, size: int = len(chunk)) -> None:
            reached = before + size * inner.done // max(1, inner.total)
            progress(Progress(f"Asking {model.info.name}", reached, len(items)))

        scored = task.score(model, chunk, options, report, cancelled)
        if cancelled():
            return
        done.rows += scored.rows
        done.lost += scored.lost
        done.items += len(chunk)


def _nothing(title: str, refusals: Sequence[TiltmeterError], done: Sequence[Done]) -> TiltmeterError:
    """Why no model has a number."""
    if refusals:
        return refusals[0]
    lost = list(dict.fromkeys(f"{one.item}: {one.reason}" for model in done for one in model.lost))
    if lost:
        return NothingToScore(f"No item of {title} could be scored. {'; '.join(lost[:3])}.")
    return NothingToScore(f"The run was stopped before any item of {title} was scored; start it again for a result.")
