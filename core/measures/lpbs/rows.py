"""From scores of contrasts to the rows of tables: attributes, the list as a whole, shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...stats.corrections import benjamini_hochberg
from .metric import shares
from .omissions import Computed

_NUMBERS = ("lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value")


def attribute_rows(computed: Sequence[Computed], attributes: Sequence[str]) -> pd.DataFrame:
    """A row per model × contrast × attribute."""
    frames = [
        pd.DataFrame(
            {"model": part.model.name, "attribute": attributes, "contrast": contrast.label}
            | {name: getattr(numbers, name) for name in ("n", *_NUMBERS)}
        )
        for part, contrast, numbers in computed
    ]
    return _adjusted(pd.concat(frames, ignore_index=True))


def overall_rows(computed: Sequence[Computed]) -> pd.DataFrame:
    """A row per model × contrast: the mean over the attributes."""
    rows = [
        {"model": part.model.name, "contrast": contrast.label}
        | {name: getattr(numbers.overall, name) for name in ("n", *_NUMBERS)}
        for part, contrast, numbers in computed
    ]
    return _adjusted(pd.DataFrame(rows))


def share_rows(computed: Sequence[Computed]) -> Iterator[dict[str, Any]]:
    """A row per model × contrast with the mean over all templates, and one with each, where there are several."""
    for part, contrast, numbers in computed:
        where = {"model": part.model.name, "contrast": contrast.label}
        yield {**where, "template": None, **vars(shares(numbers.lpbs))}
        if len(numbers.by_template) > 1:
            for template, lpbs in zip(part.grid.templates, numbers.by_template, strict=True):
                yield {**where, "template": template, **vars(shares(lpbs))}


def _adjusted(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(p_adjusted=benjamini_hochberg(rows["p_value"].to_numpy(dtype=np.float64)))
