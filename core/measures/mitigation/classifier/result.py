"""Classifiers that were trained: where they lie, how well they tell labels apart, and how their loss fell."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Better, Headline, Result, Schema, Table, count, number, text
from ..trainings import LOSS_COLUMNS, MODEL_COLUMNS, SEED

MODELS, SCORES, LABELS, LOSSES = "models", "scores", "labels", "losses"
MAJORITY, BEFORE, AFTER = "majority label", "before", "after"


def _scores(result: ClassifierResult) -> pd.DataFrame:
    """The scores, with what each is of, and that of a trained classifier with its model."""
    rows = result[SCORES]
    trained = dict(zip(result[MODELS]["seed"], result[MODELS]["model"], strict=True))
    models, which = [], []
    for classifier, seed in zip(rows["classifier"], rows["seed"], strict=True):
        model = trained.get(seed, "") if classifier == AFTER else ""
        models.append(model)  # which says its seed
        which.append(classifier if model or pd.isna(seed) else f"{classifier}, seed {seed}")
    return rows.assign(which=which, model=models)


class ClassifierResult(Result):
    """Classifiers trained from one model on labelled texts.

    Tables: ``models`` (a trained model a row), ``scores`` (held-out texts, beside a majority baseline), ``labels``
    (label by label), ``losses`` (the loss curves).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("accuracy", "Share of held-out texts that get their own label", "accuracy", unit="%"),
            _scores,
            "accuracy",
            "ci_low",
            "ci_high",
            n="n",
            of=("which",),
            neutral=None,
            better=Better.HIGHER,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "classify",
        1,
        {
            MODELS: Table(
                "a trained model", (text("model", "What it is called: the name of its folder."), SEED, *MODEL_COLUMNS)
            ),
            SCORES: Table(
                "a classifier on the texts held out",
                (
                    text(
                        "classifier", "The majority label of the training texts for all, or before or after training."
                    ),
                    count("seed", "Of the training; none for the majority label.", missing=True),
                    count("n", "Texts that no training saw."),
                    count("correct", "Of these, those that get their own label."),
                    number("accuracy", "Share of texts that get their own label", unit="%", decimals=1),
                    number("ci_low", "Lower end of its 95 % confidence interval.", "95 % CI low", decimals=1),
                    number("ci_high", "Upper end of its 95 % confidence interval.", "95 % CI high", decimals=1),
                    number("macro_f1", "Mean F1 of the labels that held-out texts have.", "macro F1"),
                ),
            ),
            LABELS: Table(
                "a label after a training",
                (
                    count("seed", "Of the training.", missing=True),
                    text("label", "The label, as the file has it."),
                    count("n_trained", "Texts of it that were trained on.", "n trained"),
                    count("n_held_out", "Texts of it that were held out.", "n held out"),
                    count("n_predicted", "Held-out texts that the classifier gives it.", "n predicted", missing=True),
                    number("precision", "Share of these that have it."),
                    number("recall", "Share of its held-out texts that the classifier gives it."),
                    number("f1", "Harmonic mean of both.", "F1"),
                ),
            ),
            LOSSES: Table("some steps of a training", (SEED, *LOSS_COLUMNS), long=True),
        },
    )

    def summed_up(self, number: str) -> tuple[str, ...]:
        """The trained models; what they were trained from has no change and no score of its own."""
        return tuple(self[MODELS]["model"])
