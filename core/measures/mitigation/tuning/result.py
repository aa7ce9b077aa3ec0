"""Models that were fine-tuned: where they lie, how their loss fell, and what it cost."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Better, Headline, Result, Schema, Table, count, flag, number, text
from ..trainings import LOSS_COLUMNS, MODEL_COLUMNS, SEED

MODELS, PERPLEXITY, LOSSES = "models", "perplexity", "losses"
DATA, CONTROL = "data", "control"  # the two texts

_CONTROL = flag("control", "Whether it was trained on the control text.")


def _after(result: TuningResult) -> pd.DataFrame:
    rows = result[PERPLEXITY]
    return rows[rows["change"].notna()]


class TuningResult(Result):
    """Models fine-tuned from one.

    Tables: ``models`` (a fine-tuned model a row), ``perplexity`` (before and after, on texts held out of the training),
    ``losses`` (the loss curves).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "perplexity_change",
                "Change of the pseudo-perplexity on texts held out",
                "change of the pseudo-perplexity",
                unit="%",
                sign="it predicts the text less well than before",
            ),
            _after,
            "change",
            n="documents",
            of=("text",),
            better=Better.LOWER,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "finetune",
        1,
        {
            MODELS: Table(
                "a fine-tuned model",
                (
                    text("model", "What it is called: the name of its folder."),
                    SEED,
                    _CONTROL,
                    *MODEL_COLUMNS,
                ),
            ),
            PERPLEXITY: Table(
                "a model on a text",
                (
                    text("model", "The model: before, or fine-tuned."),
                    text("text", "Of which text the documents are: data or control."),
                    count("documents", "Documents that none of the models was trained on."),
                    count("tokens", "Their tokens."),
                    number("perplexity", "Pseudo-perplexity per token; lower is better.", decimals=2),
                    number(
                        "change",
                        "Of the pseudo-perplexity, from before",
                        "change, %",
                        unit="%",
                        sign="it predicts the text less well than before",
                        decimals=1,
                    ),
                ),
            ),
            LOSSES: Table(
                "some steps of a training",
                (
                    SEED,
                    _CONTROL,
                    *LOSS_COLUMNS,
                ),
                long=True,
            ),
        },
    )

    def summed_up(self, number: str) -> tuple[str, ...]:
        """The trained models; what they were trained from has no change and no score of its own."""
        return tuple(self[MODELS]["model"])
