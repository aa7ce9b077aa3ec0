"""Models that were fine-tuned: where they lie, how their loss fell, and what it cost."""

from __future__ import annotations

from typing import ClassVar

from ....result import Result, Schema, Table, count, flag, number, text

MODELS, PERPLEXITY, LOSSES = "models", "perplexity", "losses"
DATA, CONTROL = "data", "control"  # the two texts

_SEED = count("seed", "Of order, hidden tokens and dropout.")
_CONTROL = flag("control", "Whether it was trained on the control text.")


class TuningResult(Result):
    """Models fine-tuned from one.

    Tables: ``models`` (a fine-tuned model a row), ``perplexity`` (before and after, on texts held out of the training),
    ``losses`` (the loss curves).
    """

    SCHEMA: ClassVar[Schema] = Schema(
        "finetune",
        1,
        {
            MODELS: Table(
                "a fine-tuned model",
                (
                    text("model", "What it is called: the name of its folder."),
                    _SEED,
                    _CONTROL,
                    text("folder", "Where it lies; empty where it was not finished."),
                    text("digest", "SHA-256 over its weights, configuration and tokenizer."),
                    count("steps", "Steps of training."),
                    number("seconds", "Of training, over all runs.", unit="s", decimals=1),
                    number(
                        "first_loss",
                        "Mean over the first tenth of the steps, or ten of them (half of fewer than twenty).",
                        "first loss",
                        unit="nats",
                    ),
                    number("last_loss", "Mean over as many of the last steps.", "last loss", unit="nats"),
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
                        "Of the pseudo-perplexity, from before.",
                        unit="%",
                        sign="it predicts the text less well than before",
                        decimals=1,
                    ),
                ),
            ),
            LOSSES: Table(
                "some steps of a training",
                (
                    _SEED,
                    _CONTROL,
                    count("step", "The last of these steps, from 1."),
                    number("loss", "Mean over these steps, of the hidden tokens.", unit="nats"),
                    number("learning_rate", "Of the last of these steps.", "learning rate", decimals=8),
                ),
                long=True,
            ),
        },
    )
