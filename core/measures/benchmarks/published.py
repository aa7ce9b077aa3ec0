"""Published scores of a benchmark beside measured ones, summed up by the same code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...errors import NothingToScore
from ...result import Excluded, ModelInfo, Note
from ...sources.benchmarks import SentencePair
from ...sources.published import Entry
from ..shared import provenance
from ..shared.published import beside
from .choices import Sentences
from .result import DIFFERENCES, ITEMS, MEASURES, SCALES, BenchmarkResult
from .rows import measure_rows, scale_row, spread_row, without_interval
from .summary import Row

if TYPE_CHECKING:
    from .spec import BenchmarkSpec

_NO_INTERVALS = "intervals: not computed, the scores of its items were not published"
_SCORES = ("ss", "lms", "icat")  # of StereoSet, in the order of its measures


@dataclass(frozen=True)
class _Published:
    """What an entry gives: its rows of the measures, and its items, none where they were not published."""

    info: ModelInfo
    rows: tuple[Row, ...]
    items: pd.DataFrame


def joined(spec: BenchmarkSpec, result: BenchmarkResult | None) -> BenchmarkResult:
    """A result, and the published scores of ``spec`` beside its models; these alone for None.

    Raises NothingToScore where none of the published pairs is in the data.
    """
    benchmark = spec.asked
    made = [_made(spec, entry) for entry in spec.shelved]
    rows = [(model.info, row) for model in made for row in model.rows]
    scales = dict.fromkeys(measure for model in made for measure in benchmark.measures_of(model.info))
    items = [model for model in made if len(model.items)]
    schema = BenchmarkResult.SCHEMA
    new = schema.frames(
        **{
            MEASURES: measure_rows(rows, scales),
            SCALES: [scale_row(measure, benchmark.intervals) for measure in scales],
            DIFFERENCES: [spread_row(model.info, model.items, spec) for model in items],
            # Of a published pair the difference alone is known.
            ITEMS: pd.concat([model.items.assign(value_first=np.nan, value_second=np.nan) for model in items])
            if items
            else (),
        }
    )
    excluded: tuple[Excluded, ...] = ()
    about = provenance.of((), data=(benchmark.citation,), seed=spec.seed)
    notes: tuple[Note, ...] = (Note(f"Known problems of the data: {benchmark.problems}"),)
    tables = new
    if result is not None:
        about, notes, excluded = result.provenance, result.notes, result.excluded
        tables = {name: _behind(frame, new[name]) for name, frame in result.tables.items()}
        tables[SCALES] = tables[SCALES].drop_duplicates("measure").reset_index(drop=True)
    return BenchmarkResult(
        spec=spec,
        tables=schema.frames(**tables),
        excluded=(
            *excluded,
            *(without_interval(info.name, row, scales) for info, row in rows if row.reason),
            *(
                Excluded(model.info.name, "statistic", "intervals", _NO_INTERVALS, test=spec.benchmark)
                for model in made
                if not len(model.items)
            ),
        ),
        notes=(*(entry.said for entry in spec.shelved), *notes),
        provenance=beside(about, spec.shelved),
        stopped=result is not None and result.stopped,
    )


def obstacle(spec: BenchmarkSpec, entry: Entry) -> str:
    """Why published scores are not of the benchmark of a spec, or were got in another way; empty where they fit."""
    for name, value in entry.inputs.items():
        held = str(getattr(spec, name))
        if held != value:
            option = spec.input(name)
            return f"{option.label}: {option.shown(value)} there, {option.shown(held)} here"
    if spec.text != Sentences.EXACT:
        return "its sentences were scored as the file has them"
    here = bool(spec.files) and all(file.content is not None for file in spec.files)
    if here and entry.column and not any(_digest(pair) in _by_pair(entry) for pair in spec.items().items):
        return "none of its pairs is in these data"
    return ""


def _made(spec: BenchmarkSpec, entry: Entry) -> _Published:
    if not entry.column:
        return _Published(entry.info, tuple(_scores(spec, entry)), pd.DataFrame())
    items = _pairs(spec, entry)
    measures = spec.asked.measures_of(entry.info)
    return _Published(entry.info, tuple(spec.asked.summary(measures, items, spec)), items)


def _scores(spec: BenchmarkSpec, entry: Entry) -> Iterator[Row]:
    """The rows of scores that were published as such."""
    for part in entry.table().to_dict("records"):
        for measure, column in zip(spec.asked.measures_of(entry.info), _SCORES, strict=True):
            yield Row(measure.id, part["bias_type"], part[column], np.nan, np.nan, part["n"])


def _pairs(spec: BenchmarkSpec, entry: Entry) -> pd.DataFrame:
    """The pairs as items, a difference as the value of the first beside 0 of the second.

    They are those of the data, in their order; without data all of them, whose sentences are not ours to pass on.
    """
    if spec.models:
        known = _by_pair(entry)
        found = [(pair, known[key]) for pair in spec.items().items if (key := _digest(pair)) in known]
    else:
        found = [(_unseen(place, row), row) for place, row in enumerate(entry.table().to_dict("records"))]
    if not found:
        raise NothingToScore(f"None of the pairs of {entry.title} is in these data.")
    items = pd.DataFrame(
        {
            "model": entry.model,
            "item": [pair.item for pair, _ in found],
            "bias_type": [pair.bias_type for pair, _ in found],
            "first": [pair.more for pair, _ in found],
            "second": [pair.less for pair, _ in found],
            "difference": [float(row[entry.column]) for _, row in found],
            "direction": [pair.direction for pair, _ in found],
        }
    )
    return items.assign(value_first=items["difference"], value_second=0.0, tokens=None)


def _unseen(place: int, row: dict[Any, Any]) -> SentencePair:
    """A pair whose sentences are not here, by its number in the published file."""
    more, less = (f"the {which} stereotypical sentence of pair {place}" for which in ("more", "less"))
    return SentencePair(str(place), row["bias_type"], more, less, row["direction"])


def _by_pair(entry: Entry) -> dict[str, dict[Any, Any]]:
    return {row["pair"]: row for row in entry.table().to_dict("records")}


def _digest(pair: SentencePair) -> str:
    """What the published scores keep of the two sentences: the first 10 hex digits of the SHA-256 of their lines."""
    return hashlib.sha256(f"{pair.more}\n{pair.less}".encode()).hexdigest()[:10]


def _behind(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The rows of both; where one has none, those of the other as they are."""
    some: Sequence[pd.DataFrame] = [frame for frame in (first, second) if len(frame)]
    return pd.concat(some, ignore_index=True) if len(some) > 1 else (some[0] if some else first)
