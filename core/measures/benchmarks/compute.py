"""A benchmark in one or more models, a chunk of its items at a time, so that a stop keeps what is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pandas as pd

from ...engine.loading import LoadedModel
from ...errors import NothingToScore
from ...result import Excluded, ModelInfo, Note, Progress
from ...run import Callbacks, Run, Watch
from ...sources.benchmarks import Data
from ...sources.parsing import tidy
from ..shared import provenance
from ..shared.checks import Refusals, check_models
from .benchmark import BASE, Benchmark, Lost, Scored
from .choices import Sentences
from .result import BenchmarkResult
from .rows import by_model, measure_rows, scale_row, spread_row, without_interval
from .spec import BenchmarkSpec


@dataclass
class Done:
    """What one model gave so far, by the item's place in the data, and what a reader has to know about the model."""

    scored: dict[int, Scored] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the items in the order of the data."""
        return [row for place in sorted(self.scored) for row in self.scored[place].rows]

    @property
    def lost(self) -> list[Lost]:
        """What was lost, in the order of the data, each once: a word is lost in every template."""
        return list(dict.fromkeys(item for place in sorted(self.scored) for item in self.scored[place].lost))


Memory = MutableMapping[ModelInfo, Done]


def measure(spec: BenchmarkSpec, models: Sequence[LoadedModel], run: Run[Any]) -> BenchmarkResult:
    """The benchmark of a spec on its data in each model, resuming from the memory of the run.

    Raises InputError, the models' refusals, or NothingToScore.
    """
    return measure_data(spec, spec.items(), models, run.memory, run)


def measure_data(
    spec: BenchmarkSpec, data: Data[Any], models: Sequence[LoadedModel], memory: Memory, run: Watch
) -> BenchmarkResult:
    """As ``measure``, on data that are at hand.

    ``memory`` holds what earlier, stopped runs of the same spec on the same data have done, and takes up what this one
    does. When cancelled, the items that were reached are in the result, in the order of the data. A model that cannot
    be asked is listed in ``excluded`` while another can.
    """
    benchmark = spec.asked
    check_models(models)
    whole = data.items if spec.text == Sentences.EXACT else tuple(map(_normalised, data.items))
    items = [part for item in whole for part in benchmark.split(item)]
    if not items:
        raise NothingToScore(f"The data hold no item of {benchmark.title}. {benchmark.expects}")
    done = {model.info.name: memory.setdefault(model.info, Done()) for model in models}
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            _ask(model, spec, items, done[model.info.name], run)
    asked = [model.info for model in models if done[model.info.name].rows]
    refusals.check(bool(asked))
    if not asked:
        raise _nothing(benchmark.title, done.values())
    reached = {
        model.info.name: len(done[model.info.name].scored)
        for model in models
        if len(done[model.info.name].scored) < len(items) and not refusals.has(model)
    }
    found = {model: _items(benchmark, done[model.name]) for model in asked}
    rows = [
        (model, row)
        for model, of_model in found.items()
        for row in benchmark.summary(benchmark.measures_of(model), of_model, spec)
    ]
    scales = dict.fromkeys(measure for model in asked for measure in benchmark.measures_of(model))
    return BenchmarkResult(
        spec=spec,
        tables=BenchmarkResult.SCHEMA.frames(
            measures=measure_rows(rows, scales),
            scales=[scale_row(measure, benchmark.intervals) for measure in scales],
            differences=[spread_row(model, of_model, spec) for model, of_model in found.items()],
            occupations=by_model({model: benchmark.occupations(of_model) for model, of_model in found.items()})
            if benchmark.occupations
            else (),
            items=by_model(found),
        ),
        excluded=(
            *refusals.left_out,
            *_lost(data, done),
            *(without_interval(model.name, row, scales) for model, row in rows if row.reason),
        ),
        notes=(
            *(Note(f"{problem.count:,} {problem.reason}; excluded.") for problem in data.left_out),
            *map(Note, data.notes),
            *map(Note, _said_of_texts(data.items, spec.text)),
            *(Note(remark, model.name) for model in asked for remark in done[model.name].remarks),
            *(
                Note(f"stopped after {count:,} of {len(items):,}, which are not a random part of them.", model)
                for model, count in reached.items()
            ),
            Note(f"Known problems of the data: {benchmark.problems}"),
        ),
        provenance=provenance.of(asked, data=(benchmark.citation, data.source), seed=spec.seed),
        stopped=bool(reached),
    )


def _normalised(item: Any) -> Any:
    """An item with its texts in Unicode NFC and their white space made single spaces."""
    texts = {held.name: getattr(item, held.name) for held in fields(item)}
    return replace(item, **{name: tidy(text) for name, text in texts.items() if isinstance(text, str)})


def _said_of_texts(items: Sequence[Any], text: Sentences) -> list[str]:
    """How many items normalising changes, whether it was done or not."""
    count = sum(_normalised(item) != item for item in items)
    if not count:
        return []
    found = (
        f"{count:,} of {len(items):,} hold white space or characters that normalising changes (NFC, single spaces); "
    )
    return [found + ("they were scored as the file has them." if text == Sentences.EXACT else "they were normalised.")]


def _ask(model: LoadedModel, spec: BenchmarkSpec, items: Sequence[Any], done: Done, run: Watch) -> None:
    """Ask for what ``done`` lacks. Of a chunk that a stop cuts short, the items that were reached are kept."""
    benchmark = spec.asked
    done.remarks = done.remarks or tuple(benchmark.remarks(model, items))
    waiting = [place for place in range(len(items)) if place not in done.scored]
    for start in range(0, len(waiting), benchmark.chunk):
        if run.cancelled():
            return
        places = waiting[start : start + benchmark.chunk]

        def report(inner: Progress, before: int = len(done.scored), size: int = len(places)) -> None:
            reached = before + size * inner.done // max(1, inner.total)
            run.report(Progress(f"Scoring with {model.info.name}", reached, len(items)))

        answers = benchmark.score(model, [items[place] for place in places], spec, Callbacks(report, run.cancelled))
        done.scored.update({place: scored for place, scored in zip(places, answers, strict=True) if scored is not None})


def _nothing(title: str, done: Iterable[Done]) -> NothingToScore:
    """Why no model has a number, where none refused."""
    lost = list(dict.fromkeys(f"{item.name}: {item.reason}" for model in done for item in model.lost))
    if lost:
        more = f"; {len(lost) - 3:,} more" if len(lost) > 3 else ""
        return NothingToScore(f"No item of {title} could be scored. {'; '.join(lost[:3])}{more}.")
    return NothingToScore(f"The run was stopped before any item of {title} was scored; resume it for a result.")


def _items(benchmark: Benchmark, done: Done) -> pd.DataFrame:
    return pd.DataFrame(done.rows, columns=[*BASE, *(column.name for column in benchmark.columns)])


def _lost(data: Data[Any], done: Mapping[str, Done]) -> Iterator[Excluded]:
    """What the file lost, for no model, and what the models lost of it."""
    for problem in data.left_out:
        for name in problem.items:
            yield Excluded("", "item", name, f"{name}: {problem.each}")
    for model, of_model in done.items():
        for lost in of_model.lost:
            yield Excluded(model, lost.role, lost.name, f"{lost.name}: {lost.reason}")
