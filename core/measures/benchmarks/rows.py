"""From the items of models to the rows of the other tables: measures, scales, how differences are spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...result import Excluded, ModelInfo
from .benchmark import Measure
from .summary import Row

if TYPE_CHECKING:
    from .spec import BenchmarkSpec


def by_model(frames: Mapping[ModelInfo, pd.DataFrame]) -> pd.DataFrame:
    """The rows of each model behind each other, with its name."""
    return pd.concat([frame.assign(model=model.name) for model, frame in frames.items()], ignore_index=True)


def measure_rows(rows: Sequence[tuple[ModelInfo, Row]], scales: Iterable[Measure]) -> Iterator[dict[str, Any]]:
    """The rows of the table of measures, of rows of models."""
    of = {scale.id: scale for scale in scales}
    for model, row in rows:
        scale = of[row.measure]
        middle = np.nan if scale.neutral is None else scale.neutral
        values = row._asdict()
        del values["reason"]
        # Comparisons with what is missing are all false.
        clear = middle < row.ci_low or middle > row.ci_high
        yield {
            "model": model.name,
            **values,
            "unit": scale.unit,
            "from_neutral": row.value - middle,
            "clear": bool(clear),
        }


def scale_row(measure: Measure, intervals: str) -> dict[str, Any]:
    """What the values of a measure mean; ``intervals`` says how its intervals were got where it does not itself."""
    told = asdict(measure)
    return {"measure": told.pop("id"), "intervals": told.pop("interval") or intervals, **told}


def spread_row(model: ModelInfo, items: pd.DataFrame, spec: BenchmarkSpec) -> dict[str, Any]:
    """How the differences of a model's items are spread."""
    differences = items["difference"].to_numpy(dtype=np.float64)
    return {
        "model": model.name,
        "n": len(differences),
        "above": int((differences > 0).sum()),
        "below": int((differences < 0).sum()),
        "equal": int((differences == 0).sum()),
        "median": float(np.median(differences)),
        # A causal model is compared by log likelihoods, whatever the choices.
        "unit": "nats" if model.kind == "causal" else spec.asked.unit(spec),
    }


def without_interval(model: str, row: Row, scales: Iterable[Measure]) -> Excluded:
    """The line on a value that has no interval, or is none."""
    title = next(scale.title for scale in scales if scale.id == row.measure)
    why = f"{title}, {row.bias_type}: {row.reason}"
    return Excluded(model, "statistic", title, why, group=row.bias_type, test=row.measure)
