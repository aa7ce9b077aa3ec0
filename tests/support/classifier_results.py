"""Results of text classifiers made by hand, for figures and texts."""

from __future__ import annotations

from collections.abc import Sequence

from core.measures.mitigation.classifier.result import AFTER, BEFORE, MAJORITY, ClassifierResult
from core.measures.mitigation.classifier.spec import ClassifierSpec
from tests.support.attention_results import NOBODY


def classifier_result(
    scores: Sequence[tuple[float | None, float]] = ((50.0, 0.3), (40.0, 0.4), (90.0, 0.9)),
    *,
    labels: tuple[str, str] = ("a", "b"),
    n: int = 20,
    stopped: bool = False,
) -> ClassifierResult:
    """Accuracy (%) and macro F1 of the majority label, then before and after of seed 0, then after of others.

    Intervals are ± 20; None: 100 % without one.
    """
    rows = []
    for at, (accuracy, f1) in enumerate(scores):
        value = 100.0 if accuracy is None else accuracy
        rows.append(
            {
                "classifier": (MAJORITY, BEFORE)[at] if at < 2 else AFTER,
                "seed": None if at == 0 else max(0, at - 2),
                "n": n,
                "correct": round(n * value / 100),
                "accuracy": value,
                "ci_low": None if accuracy is None else value - 20,
                "ci_high": None if accuracy is None else value + 20,
                "macro_f1": f1,
            }
        )
    seeds = range(max(1, len(scores) - 2))
    models = [
        {
            "model": f"m-seed-{seed}", "seed": seed, "folder": f"/m/m-seed-{seed}", "digest": "ab", "steps": 50,
            "seconds": 2.0, "first_loss": 0.7, "last_loss": 0.2,
        }
        for seed in seeds
    ]  # fmt: skip
    label_rows = [
        {
            "seed": seed, "label": label, "n_trained": 90, "n_held_out": n // 2, "n_predicted": n // 2,
            "precision": 0.9, "recall": 0.9, "f1": 0.9,
        }
        for label in labels
        for seed in seeds
    ]  # fmt: skip
    losses = [
        {"seed": seed, "step": step, "loss": 0.7 / step + seed, "learning_rate": 1e-5}
        for seed in seeds
        for step in range(1, 51)
    ]
    tables = ClassifierResult.SCHEMA.frames(
        models=models, scores=[] if stopped else rows, labels=label_rows, losses=losses
    )
    return ClassifierResult(
        spec=ClassifierSpec(), tables=tables, excluded=(), notes=(), provenance=NOBODY, stopped=stopped
    )
