"""The sentences of a text classifier: the facts for the templates beside this module."""

from __future__ import annotations

import math

import pandas as pd

from ....charts.rows import finite
from ....report.numbers import counted, fixed
from ....report.texts import Finding, finding_of, text_of
from ....report.works import cited
from ....stats.samples import LEAST, is_enough
from ..trainings import end_steps
from .result import AFTER, BEFORE, LABELS, MAJORITY, MODELS, SCORES, ClassifierResult


def finding(result: ClassifierResult) -> Finding:
    """How many held-out texts it gets right, before and after, and always saying the majority label."""
    models, rows = result[MODELS], result[SCORES]
    after, (majority, *_) = _of(rows, AFTER), [*_of(rows, MAJORITY), None]
    return finding_of(
        __file__,
        "finding",
        base=result.spec.models[0],
        trainings=len(models),
        labels=result[LABELS]["label"].nunique(),
        n=int(rows["n"].max()) if len(rows) else 0,
        after=_mean(after),
        lowest=min(after, default=None),
        highest=max(after, default=None),
        before=_mean(_of(rows, BEFORE)),
        majority=majority,
        enough=is_enough(int(rows["n"].max())) if len(rows) else False,
        least=LEAST,
        above=bool(after) and bool((rows.loc[rows["classifier"] == AFTER, "ci_low"] > majority).all()),
        f1=_mean([float(value) for value in rows.loc[rows["classifier"] == AFTER, "macro_f1"]]),
        first=float(models["first_loss"].mean()),
        last=float(models["last_loss"].mean()),
        steps=int(models["steps"].max()),
        averaged=end_steps(int(models["steps"].max())),
    )


def _of(rows: pd.DataFrame, classifier: str) -> list[float]:
    return [float(value) for value in rows.loc[rows["classifier"] == classifier, "accuracy"]]


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def methods(result: ClassifierResult) -> tuple[str, ...]:
    """How the classifiers were trained and scored."""
    spec, rows = result.spec, result[SCORES]
    labels = result[LABELS].drop_duplicates("label")
    return (
        text_of(
            __file__,
            "methods",
            base=result.models[0],
            data=list(result.provenance.data),
            spec=spec,
            labels=list(labels["label"]),
            trained=int(labels["n_trained"].sum()),
            held=int(labels["n_held_out"].sum()),
            seeds=[int(seed) for seed in dict.fromkeys(result[MODELS]["seed"])],
            steps=int(result[MODELS]["steps"].max()),
            scored=bool(len(rows)),
        ),
    )


def references(result: ClassifierResult) -> tuple[str, ...]:
    """The paper whose settings these are."""
    return cited(("Irani et al. 2020",))


def material(result: ClassifierResult) -> tuple[str, ...]:
    """What was trained on, for the caption of a figure."""
    labels = result[LABELS].drop_duplicates("label")
    return (
        f"Texts: {result.spec.name}, {counted(len(labels), 'label')}. n = {int(labels['n_trained'].sum()):,} trained "
        f"on, {int(labels['n_held_out'].sum()):,} held out.",
    )


def scores_text(result: ClassifierResult) -> str:
    """In words, what the chart of the held-out texts shows."""
    told = []
    for row in result[SCORES].to_dict("records"):
        of = "" if row["classifier"] == MAJORITY else f", seed {row['seed']}"
        low, high = finite(row["ci_low"]), finite(row["ci_high"])
        ends = "" if low is None or high is None else f" (95 % interval {fixed(low, 1)} to {fixed(high, 1)} %)"
        told.append(
            f"{row['classifier']}{of} {fixed(row['accuracy'], 1)} %{ends}, macro F1 {fixed(row['macro_f1'], 3)}"
        )
    return f"Accuracy on texts held out: {'; '.join(told)}."
