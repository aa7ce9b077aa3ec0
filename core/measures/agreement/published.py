"""Published effect sizes of Delobelle et al. 2022 beside measured ones, correlated by the same code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from ...result import Excluded
from ...sources.published import Entry
from ..shared import provenance
from ..shared.published import beside
from ..shared.representations import representation_by_id
from .choices import Compared
from .correlating import CORRELATION, correlate, name_row, over_models
from .metrics import BLEACHED, DIRECTION, metric_by_id
from .result import METRIC, NAMES, PAIRS, POINTS, AgreementResult

if TYPE_CHECKING:
    from .spec import AgreementSpec

# The authors' code takes one token too many where it pools the tokens of a word.
_POOLED = ("pooled-no-context", "pooled-in-templates")
# Metrics that are the effect size of a representation over all professions.
_METRIC_OF = {"cls-in-templates": "seat", "first-piece-in-templates": "tan-celis", "vulic": "lauscher"}

Row = dict[str, Any]


def joined(spec: AgreementSpec, result: AgreementResult | None) -> AgreementResult:
    """A result, and the published effect sizes of ``spec`` beside its own; these alone for None.

    Over models, published ones are further points; otherwise each is correlated by itself.
    """
    schema = AgreementResult.SCHEMA
    known = schema.frames() if result is None else dict(result.tables)
    begin = 0 if result is None else len(result.models)
    added = [row for at, entry in enumerate(spec.shelved, 1) for row in _points(spec, entry, begin + at)]
    points = schema.tables[POINTS].frame(added)
    if result is None:
        names = _names(spec, set(points["name"]))
    else:
        names = [{str(key): value for key, value in row.items()} for row in known[NAMES].to_dict("records")]
        points = points[points["name"].isin([row["name"] for row in names])]
        points = pd.concat([known[POINTS], points], ignore_index=True)
    pairs, undefined = correlate(points, names, spec)
    excluded = () if result is None else tuple(item for item in result.excluded if item.test != CORRELATION)
    data = () if spec.compare == Compared.METRICS else spec.data
    about = provenance.of((), data=data, seed=spec.seed) if result is None else result.provenance
    return AgreementResult(
        spec=spec,
        tables={
            **known,
            PAIRS: schema.tables[PAIRS].frame(pairs),
            POINTS: schema.tables[POINTS].frame(points),
            NAMES: schema.tables[NAMES].frame(names),
        },
        excluded=(*excluded, *_left_out(spec), *undefined),
        notes=(*(entry.said for entry in spec.shelved), *(() if result is None else result.notes)),
        provenance=beside(about, spec.shelved),
        stopped=result is not None and result.stopped,
    )


def obstacle(spec: AgreementSpec, entry: Entry) -> str:
    """Why published effect sizes are not of what a spec compares, or of other subsets; empty where they fit."""
    for name, value in entry.inputs.items():
        held = spec.templates.id if name == "set" else getattr(spec, name)
        if str(held) != str(value):
            option = spec.input(name)
            here = spec.templates.title if name == "set" else option.shown(str(held) if isinstance(held, str) else held)
            return f"{option.label}: {option.shown(value)} there, {here} here"
    if spec.models and not {row["name"] for row in _points(spec, entry, 1)} & set(_asked(spec)):
        return "it has none of what is compared here"
    return ""


def _asked(spec: AgreementSpec) -> tuple[str, ...]:
    """The ids of what a spec compares."""
    if spec.compare == Compared.METRICS:
        return tuple(metric.id for metric in spec.chosen_metrics)
    return tuple(spec.texts) if spec.compare == Compared.TEMPLATES else spec.kinds


def _points(spec: AgreementSpec, entry: Entry, number: int) -> Iterator[Row]:
    """The published values as points; ``number`` is that of the model among the models."""
    # The notebooks hold two of the files twice.
    rows = entry.table().drop_duplicates(["representation", "unit"])
    kinds = [kind for kind in spec.kinds if not (spec.models and kind in _POOLED)]
    texts = list(spec.texts)
    for row in rows.to_dict("records"):
        kind = row["representation"]
        if spec.compare == Compared.METRICS:
            if kind in _METRIC_OF:
                yield _point(entry, None, _METRIC_OF[kind], number, _mean(row, texts[:BLEACHED]))
        elif kind not in kinds:
            continue
        elif spec.compare == Compared.TEMPLATES:
            for text in texts:
                yield _point(entry, kind, text, row["unit"] + 1, row[text])
        else:
            yield _point(entry, None, kind, row["unit"] + 1, _mean(row, texts))


def _point(entry: Entry, representation: str | None, name: str, point: int, value: float) -> Row:
    return {"model": entry.model, "representation": representation, "name": name, "point": point, "value": value}


def _mean(row: Mapping[Any, Any], templates: list[str]) -> float:
    return float(sum(row[name] for name in templates) / len(templates))


def _names(spec: AgreementSpec, there: set[str]) -> list[Row]:
    """What is compared where nothing is measured: that of which there is a value, in its order."""
    if spec.compare == Compared.METRICS:
        metrics = [metric_by_id(name) for name in _METRIC_OF.values() if name in there]
        return [over_models(metric.id, metric.title, metric.source, METRIC, DIRECTION) for metric in metrics]
    if spec.compare == Compared.TEMPLATES:
        return [name_row(template.id, template.text, template.source) for template in spec.templates.templates]
    kinds = [representation_by_id(name) for name in spec.kinds if name in there]
    return [name_row(kind.id, kind.title, kind.source) for kind in kinds]


def _left_out(spec: AgreementSpec) -> Iterator[Excluded]:
    """The representations that are those of another code, where they would stand beside measured ones."""
    if not spec.models or spec.compare == Compared.METRICS:
        return
    for entry in spec.shelved:
        for kind in spec.kinds:
            if kind in _POOLED:
                title = representation_by_id(kind).title
                yield Excluded(
                    entry.model,
                    "statistic",
                    title,
                    f"{title}: not shown, the published one takes one token more than a word has",
                    test="published",
                    representation=kind,
                )
