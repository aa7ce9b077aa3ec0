"""Occupation classification: who is recognised, by occupation and gender."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import pandas as pd

from ....result import Column, Headline, Schema, Table, count, number, p_value, text
from ..task import DownstreamResult

OCCUPATIONS, OVERALL, CORRELATIONS, BIOGRAPHIES = "occupations", "overall", "correlations", "biographies"
ERASED = "erased"
AS_THEY_ARE, SCRUBBED, GIVEN = "as they are", "scrubbed", "as given"
WITHOUT_GENDER = ", gender erased"  # behind the texts, where gender was erased from their vectors
IN_FILE, IN_STATISTICS = "% women in the file", "% women in the labour statistics"
MEAN_GAP, MEAN_ABSOLUTE, RMS, ACCURACY = "mean_gap", "mean_absolute", "rms", "accuracy"
TITLES = {MEAN_GAP: "mean gap", MEAN_ABSOLUTE: "mean |gap|", RMS: "RMS gap", ACCURACY: "accuracy"}

_MODEL = text("model", "The model whose vectors were read, or the file of predictions.")
_TEXTS = text(
    "texts",
    "Which texts the classifier saw: as they are, scrubbed, or, of predictions, as given; and whether gender was "
    "erased from their vectors.",
)
_SIGN = "women are recognised more often"


def _valued(name: str, what: str, *, sign: str = "") -> tuple[Column, ...]:
    title = TITLES[name]
    return (
        number(name, what, title, sign=sign),
        number(f"{name}_low", "Lower end of its 95 % interval over the biographies.", f"{title}, 95 % CI low"),
        number(f"{name}_high", "Upper end of its 95 % interval over the biographies.", f"{title}, 95 % CI high"),
    )


def _gaps(result: OccupationResult) -> pd.DataFrame:
    return _as_they_are(result, OVERALL)


def _correlations(result: OccupationResult) -> pd.DataFrame:
    rows = _as_they_are(result, CORRELATIONS)
    return rows[(rows["against"] == IN_FILE) & (rows["method"] == "Pearson")]


def _as_they_are(result: OccupationResult, table: str) -> pd.DataFrame:
    """Rows of each model on the texts as they are, or scrubbed where only these were read; none with gender erased."""
    first = dict(reversed(result.classifiers))
    shown = (
        []
        if result.spec.is_demonstration
        else [(model, texts) for model, texts in first.items() if not texts.endswith(WITHOUT_GENDER)]
    )
    rows = result[table]
    return rows[[which in shown for which in zip(rows["model"], rows["texts"], strict=True)]]


def _why_none(otherwise: str, result: OccupationResult, model: str) -> str:
    if result.spec.is_demonstration:
        return "a demonstration on texts of our own, which measures nothing"
    seen = [texts for name, texts in result.classifiers if name == model]
    if seen and all(texts.endswith(WITHOUT_GENDER) for texts in seen):
        return "gender was erased from its vectors, so that this is no number of the model as it is"
    return otherwise


class OccupationResult(DownstreamResult):
    """Occupation classification with one or more models, and of predictions brought along.

    A gap is the true positive rate of women minus that of men. Tables: ``occupations`` (each occupation), ``overall``
    (means and accuracy), ``correlations`` (of the gap with the percentage of women), ``biographies`` (each answer),
    ``erased`` (where gender was erased from the vectors, what that was fitted on).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "occupations_gap",
                "Mean gap in true positive rate of occupation classification, women minus men",
                "Biographies: mean gap, women − men",
                sign=_SIGN,
            ),
            _gaps,
            MEAN_GAP,
            f"{MEAN_GAP}_low",
            f"{MEAN_GAP}_high",
            n="occupations",
            why_none=partial(_why_none, "no occupation has enough biographies of both genders"),
        ),
        Headline(
            number(
                "occupations_r",
                "Pearson correlation of the gap with the percentage of women in the file",
                "Biographies: gap with % women, r",
                sign="women are recognised more often where they are many",
            ),
            _correlations,
            "r",
            "ci_low",
            "ci_high",
            "p",
            "n",
            why_none=partial(_why_none, "too few occupations for a correlation, or no variation"),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "occupations",
        2,
        {
            OCCUPATIONS: Table(
                "an occupation with a classifier",
                (
                    _MODEL,
                    _TEXTS,
                    text("occupation", "The occupation."),
                    count("n_men", "Test biographies of men.", "n, men"),
                    count("n_women", "Test biographies of women.", "n, women"),
                    number("tpr_men", "True positive rate (0–1) for men: the share recognised.", "TPR, men"),
                    number("tpr_women", "True positive rate (0–1) for women.", "TPR, women"),
                    number("gap", "TPR of women minus TPR of men", sign=_SIGN),
                    number("gap_low", "Lower end of its 95 % interval over the biographies.", "gap, 95 % CI low"),
                    number("gap_high", "Upper end of its 95 % interval over the biographies.", "gap, 95 % CI high"),
                    number(
                        "women_file", "Women among the occupation's biographies", "% women, file", unit="%", decimals=1
                    ),
                    number(
                        "women_labour", "Women in the labour statistics", "% women, statistics", unit="%", decimals=1
                    ),
                ),
            ),
            OVERALL: Table(
                "a classifier",
                (
                    _MODEL,
                    _TEXTS,
                    count("n", "Test biographies."),
                    *_valued(ACCURACY, "Share (0–1) of them that were recognised."),
                    number("accuracy_men", "Accuracy (0–1) for men.", "accuracy, men"),
                    number("accuracy_women", "Accuracy (0–1) for women.", "accuracy, women"),
                    count(
                        "occupations", "Occupations with enough biographies of both genders, which the gaps are over."
                    ),
                    *_valued(MEAN_GAP, "Mean of their gaps", sign=_SIGN),
                    number(MEAN_ABSOLUTE, "Mean distance of their gaps from 0.", TITLES[MEAN_ABSOLUTE]),
                    number(
                        "mean_absolute_chance",
                        "The same by chance: genders shuffled within occupations.",
                        "mean |gap| by chance",
                    ),
                    number(RMS, "Root of the mean square of their gaps.", TITLES[RMS]),
                    number(
                        "rms_chance", "The same by chance: genders shuffled within occupations.", "RMS gap by chance"
                    ),
                ),
            ),
            CORRELATIONS: Table(
                "a classifier: gaps against a percentage of women, over occupations",
                (
                    _MODEL,
                    _TEXTS,
                    text("against", "Where the percentage is from."),
                    text("method", "Pearson or Spearman."),
                    number("r", "Correlation coefficient", sign="women are recognised more often where they are many"),
                    number("ci_low", "Lower end of its 95 % interval.", "95 % CI low"),
                    number("ci_high", "Upper end of its 95 % interval.", "95 % CI high"),
                    p_value("p", "Two-sided p value, not adjusted; missing under 6 occupations."),
                    count("n", "Occupations."),
                ),
            ),
            BIOGRAPHIES: Table(
                "a test biography and a classifier",
                (
                    _MODEL,
                    _TEXTS,
                    count("line", "Line of the biography in its file."),
                    text("occupation", "The person's occupation."),
                    text("gender", "men or women: the person's gender."),
                    text("predicted", "The predicted occupation."),
                    number("probability", "Probability (0–1) of the person's occupation; missing for predictions."),
                ),
                long=True,
            ),
            ERASED: Table(
                "what gender was erased by from the vectors of a classifier",
                (
                    _MODEL,
                    _TEXTS,
                    count("n_men", "Training texts of men that the eraser was fitted on.", "n, men"),
                    count("n_women", "Training texts of women that the eraser was fitted on.", "n, women"),
                    count("rank", "Dimensions that were erased; 0: the fitted vectors do not differ by gender."),
                    count("width", "Dimensions of a vector."),
                ),
            ),
        },
    )

    @property
    def classifiers(self) -> tuple[tuple[str, str], ...]:
        """The models and files of predictions, each with the texts they saw."""
        rows = self[OVERALL]
        return tuple(zip(rows["model"], rows["texts"], strict=True))
