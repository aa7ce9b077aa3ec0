"""A benchmark in one or more models, a chunk of its items at a time, so that a stop keeps what is done."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pandas as pd

from core.engine.loading import LoadedModel
from core.errors import NothingToScore, TiltmeterError
from core.measures.benchmarks import registry
from core.measures.benchmarks.benchmark import BASE, Benchmark, Lost, Scored
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkOptions
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.result import LeftOut, ModelInfo, Note, Progress
from core.run import UNWATCHED, Callbacks, Watch
from core.sources.benchmarks import Data
from core.sources.parsing import tidy
from core.spec import check_options


@dataclass
class Done:
    """What one model gave so far, by the item's place in the data, and what a reader has to know about the model."""

    scored: dict[int, Scored] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the detail in the order of the data."""
        return [row for place in sorted(self.scored) for row in self.scored[place].rows]

    @property
    def lost(self) -> list[Lost]:
        """What was lost, in the order of the data, each once: a word is lost in every template."""
        return list(dict.fromkeys(item for place in sorted(self.scored) for item in self.scored[place].lost))


Memory = MutableMapping[ModelInfo, Done]


def run(
    models: Sequence[LoadedModel],
    name: str,
    data: Data[Any],
    options: BenchmarkOptions | None = None,
    *,
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
) -> BenchmarkResult:
    """The benchmark ``name`` on its ``data`` in each model.

    ``memory`` holds what earlier, stopped runs of the same benchmark, data and options have done, and takes up what
    this one does. When cancelled, the items that were reached are in the result, in the order of the data. A model
    that cannot be asked is listed in ``left_out`` while another can.

    Raises OptionError, the models' refusals, or NothingToScore.
    """
    options = options or BenchmarkOptions()
    benchmark = registry.benchmark(name)
    check_models(models)
    check_options(options)
    whole = data.items if options.text == "exact" else tuple(map(_normalised, data.items))
    items = [part for item in whole for part in benchmark.split(item)]
    if not items:
        raise NothingToScore(f"The data hold no item of {benchmark.title}. {benchmark.expects}")
    memory = {} if memory is None else memory
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            _ask(model, benchmark, items, options, memory.setdefault(model.info, Done()), run)
    asked = [model for model in models if memory[model.info].rows]
    refusals.check(bool(asked))
    done = [memory[model.info] for model in asked]
    if not asked:
        raise _nothing(benchmark.title, [memory[model.info] for model in models])
    stopped = {
        model.info.name: len(memory[model.info].scored)
        for model in models
        if len(memory[model.info].scored) < len(items) and not refusals.has(model)
    }
    details = [pd.DataFrame(part.rows, columns=[*BASE, *benchmark.columns]) for part in done]
    rows = [
        (model.info.name, row)
        for model, detail in zip(asked, details, strict=True)
        for row in benchmark.summary(benchmark.measures_of(model.info), detail, options)
    ]
    for model, detail in zip(asked, details, strict=True):
        detail.insert(0, "model", model.info.name)
    measures = tuple(dict.fromkeys(measure for model in asked for measure in benchmark.measures_of(model.info)))
    titles = {measure.id: measure.title for measure in measures}
    left_out = refusals.left_out
    left_out += [
        LeftOut("", "item", name, f"{name}: {problem.each}") for problem in data.left_out for name in problem.items
    ]
    left_out += [
        LeftOut(model.info.name, lost.role, lost.name, f"{lost.name}: {lost.reason}")
        for model in models
        for lost in memory[model.info].lost
    ]
    left_out += [
        LeftOut(
            model,
            "statistic",
            titles[row.measure],
            f"{titles[row.measure]}, {row.bias_type}: {row.reason}",
            group=row.bias_type,
            test=row.measure,
        )
        for model, row in rows
        if row.reason
    ]
    summary = pd.DataFrame(
        [(model, *row[:-1]) for model, row in rows],
        columns=["model", "measure", "bias_type", "value", "ci_low", "ci_high", "n", "ties"],
    )
    return BenchmarkResult(
        summary=summary.astype({"ties": "Int64"}),
        detail=pd.concat(details, ignore_index=True),
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of(
            [model.info for model in asked], data=(benchmark.citation, data.source), seed=options.seed
        ),
        benchmark=name,
        title=benchmark.title,
        citation=benchmark.citation,
        problems=benchmark.problems,
        sides=benchmark.sides,
        items=benchmark.items,
        intervals=benchmark.intervals,
        measures=measures,
        rows=benchmark.rows,
        unit=benchmark.unit(options),
        stopped=bool(stopped),
        notes=(
            *(Note(f"{problem.count:,} {problem.reason}; excluded.") for problem in data.left_out),
            *map(Note, data.notes),
            *map(Note, _said_of_texts(data.items, options.text)),
            *(Note(remark, model.info.name) for model in asked for remark in memory[model.info].remarks),
            *(
                Note(f"stopped after {reached:,} of {len(items):,}, which are not a random part of them.", model)
                for model, reached in stopped.items()
            ),
        ),
    )


def _normalised(item: Any) -> Any:
    """An item with its texts in Unicode NFC and their white space made single spaces."""
    texts = {held.name: getattr(item, held.name) for held in fields(item)}
    return replace(item, **{name: tidy(text) for name, text in texts.items() if isinstance(text, str)})


def _said_of_texts(items: Sequence[Any], text: str) -> list[str]:
    """How many items normalising changes, whether it was done or not."""
    count = sum(_normalised(item) != item for item in items)
    if not count:
        return []
    found = (
        f"{count:,} of {len(items):,} hold white space or characters that normalising changes (NFC, single spaces); "
    )
    return [found + ("they were scored as the file has them." if text == "exact" else "they were normalised.")]


def _ask(
    model: LoadedModel,
    benchmark: Benchmark,
    items: Sequence[Any],
    options: BenchmarkOptions,
    done: Done,
    run: Watch,
) -> None:
    """Ask for what ``done`` lacks. Of a chunk that a stop cuts short, the items that were reached are kept."""
    done.remarks = done.remarks or tuple(benchmark.remarks(model, items))
    waiting = [place for place in range(len(items)) if place not in done.scored]
    for start in range(0, len(waiting), benchmark.chunk):
        if run.cancelled():
            return
        places = waiting[start : start + benchmark.chunk]

        def report(inner: Progress, before: int = len(done.scored), size: int = len(places)) -> None:
            reached = before + size * inner.done // max(1, inner.total)
            run.report(Progress(f"Scoring with {model.info.name}", reached, len(items)))

        answers = benchmark.score(model, [items[place] for place in places], options, Callbacks(report, run.cancelled))
        done.scored.update({place: scored for place, scored in zip(places, answers, strict=True) if scored is not None})


def _nothing(title: str, done: Sequence[Done]) -> TiltmeterError:
    """Why no model has a number, where none refused."""
    lost = list(dict.fromkeys(f"{item.name}: {item.reason}" for model in done for item in model.lost))
    if lost:
        more = f"; {len(lost) - 3:,} more" if len(lost) > 3 else ""
        return NothingToScore(f"No item of {title} could be scored. {'; '.join(lost[:3])}{more}.")
    return NothingToScore(f"The run was stopped before any item of {title} was scored; resume it for a result.")
