"""The effects of heads, with Li's degree beside them."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Headline, Result, Schema, Table, count, number, p_value, text
from ..result import MODEL

HEADS, TOTALS, SENTENCES, CORRELATIONS, COUNTS = "heads", "totals", "sentences", "correlations", "counts"
OUTCOME, OF_TWIN, TOTAL, TOGETHER, SUM = (
    "outcome",
    "outcome of the twin",
    "total effect",
    "all heads at once",
    "sum over heads",
)
EFFECT, SIZE = "effect", "size of the effect"
KEPT = "measured"
TOWARDS = "towards the first group"
NATS = "nats"


class CausesResult(Result):
    """What each head of one or more models does to an outcome (after Vig et al. 2020; Li et al. 2021).

    Tables: ``heads``, ``totals`` (what they are parts of), ``sentences``, ``correlations`` (of effects and degrees over
    the heads of a model) and ``counts`` (of a corpus: sentences measured, and excluded by reason).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("mean", "Mean of a quantity over the sentences", "mean", unit=NATS, sign=TOWARDS),
            lambda result: result[TOTALS],
            "mean",
            "ci_low",
            "ci_high",
            "p_value",
            "n",
            of=("quantity",),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "causes",
        1,
        {
            HEADS: Table(
                "a head of a model",
                (
                    MODEL,
                    count("layer", "Layer of the model, from 0."),
                    count("head", "Head of the layer, from 0."),
                    count("n", "Sentences."),
                    number(
                        EFFECT,
                        "Mean over sentences: outcome with the head changed minus outcome without (with the twin’s "
                        "value: the indirect effect)",
                        unit=NATS,
                        sign=TOWARDS,
                    ),
                    number("ci_low", "Its bootstrap interval over sentences", "95 % CI low", unit=NATS),
                    number("ci_high", "Its bootstrap interval over sentences", "95 % CI high", unit=NATS),
                    p_value("p_value", "Two-sided sign-flip test over sentences.", "p"),
                    p_value("p_adjusted", "Adjusted over the heads of the model (Benjamini–Hochberg).", "p, adjusted"),
                    number(
                        "direct",
                        "Mean over sentences: outcome of the twin with the head’s value from the sentence minus "
                        "outcome of the sentence; missing for a knock-out",
                        unit=NATS,
                        sign=TOWARDS,
                    ),
                    number("degree", "Mean degree of the head (Li et al. 2021)", sign="biased", decimals=4),
                    count("n_degree", "Sentences with a degree.", "n, degree"),
                ),
            ),
            TOTALS: Table(
                "a quantity of a model, over its sentences",
                (
                    MODEL,
                    text(
                        "quantity",
                        "outcome; outcome of the twin; total effect: their difference; all heads at once: the effect "
                        "of changing every head; sum over heads: of their effects one by one.",
                    ),
                    count("n", "Sentences."),
                    number("mean", "Mean over sentences", unit=NATS, sign=TOWARDS),
                    number("ci_low", "Its bootstrap interval over sentences", "95 % CI low", unit=NATS),
                    number("ci_high", "Its bootstrap interval over sentences", "95 % CI high", unit=NATS),
                    p_value("p_value", "Two-sided sign-flip test over sentences; not of the outcomes.", "p"),
                ),
            ),
            SENTENCES: Table(
                "a sentence in a model",
                (
                    MODEL,
                    text("sentence", "The sentence."),
                    text("twin", "Its gender-swapped twin."),
                    text("hidden", "The word that is hidden, where the outcome is read."),
                    number(OUTCOME, "The outcome", unit=NATS, sign=TOWARDS),
                    number("outcome_twin", "That of the twin; missing for a knock-out", unit=NATS, sign=TOWARDS),
                    number("total", "Outcome of the twin minus outcome", "total effect", unit=NATS, sign=TOWARDS),
                    number("together", "Effect of all heads at once", TOGETHER, unit=NATS, sign=TOWARDS),
                    count("layer", "Layer of the head with the largest effect in this sentence."),
                    count("head", "That head."),
                    number("largest", "Its effect", "largest effect", unit=NATS, sign=TOWARDS),
                ),
                long=True,
            ),
            CORRELATIONS: Table(
                "a correlation over the heads of a model, which depend on each other: without interval and p",
                (
                    MODEL,
                    text("quantity", "What is correlated with the degree: the effect, or its size without the sign."),
                    text("method", "Pearson or Spearman."),
                    number("r", "Correlation with the degree", decimals=3),
                    count("n", "Heads."),
                ),
            ),
            COUNTS: Table(
                "what became of the corpus's sentences",
                (MODEL, text("reason", "measured, or why they were excluded."), count("n", "Sentences.")),
            ),
        },
    )

    def heads_of(self, model: str) -> pd.DataFrame:
        """The heads of one model."""
        return self[HEADS][self[HEADS]["model"] == model]

    def total(self, model: str, quantity: str) -> dict[str, float] | None:
        """Mean, interval, p and n of a quantity of one model; None where it has none."""
        rows = self[TOTALS]
        rows = rows[(rows["model"] == model) & (rows["quantity"] == quantity)]
        return {str(name): value for name, value in rows.iloc[0].items()} if len(rows) else None

    def correlation(self, model: str, quantity: str, method: str) -> dict[str, float] | None:
        """r and n; None where it was not computed."""
        rows = self[CORRELATIONS]
        rows = rows[(rows["model"] == model) & (rows["quantity"] == quantity) & (rows["method"] == method)]
        return {str(name): value for name, value in rows.iloc[0].items()} if len(rows) else None
