"""What is said of every training: how its loss fell, and where its models lie."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...engine.catalog import MAX_MODELS
from ...report.numbers import fixed

_SHOWN = MAX_MODELS  # models that a sentence names


def loss_text(models: pd.DataFrame) -> str:
    """In words, what the loss curve of these models shows."""
    rows: list[dict[Any, Any]] = models.to_dict("records")
    told = [
        f"{row['model']} from {fixed(row['first_loss'], 3)} to {fixed(row['last_loss'], 3)} over {row['steps']:,} steps"
        for row in rows
    ]
    return f"Loss in nats, means of the first and of the last steps: {'; '.join(told)}."


def folders_line(models: pd.DataFrame) -> str:
    """Where the models lie and what they are called in the list, in a sentence; empty where none was finished."""
    names = list(models["model"])
    where = [folder for folder in models["folder"] if folder]
    if not where:
        return ""
    more = f" and {len(where) - _SHOWN:,} more" if len(where) > _SHOWN else ""
    return f"In the list of models as {', '.join(names[:_SHOWN])}{more}. Folder: {', '.join(where[:_SHOWN])}{more}."
