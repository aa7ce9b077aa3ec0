"""Results as plain Python values, and those as strict JSON."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.result import Provenance

Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"] | None


def is_missing(value: object) -> bool:
    """Whether a cell holds nothing: None, NaN, NaT or pandas' NA. A list or an array is never missing."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or value is pd.NA or value is pd.NaT


def plain(value: object) -> Plain:
    """``value`` in the types JSON knows.

    Dataclasses become dicts of all their fields, mappings dicts, frames lists of row dicts, sequences
    and arrays lists, numpy scalars Python's own. JSON has no NaN and no infinity: what is missing or not finite
    becomes None. Raises TypeError for any other type, so that nothing is written as its ``repr`` by accident.
    """
    if is_missing(value):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | bool | int):
        return value
    if dataclasses.is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, pd.DataFrame):
        return [plain(row) for row in value.to_dict("records")]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON; a result holds dataclasses, frames, arrays and text.")


def strict_json(value: object, indent: int | None = None) -> str:
    """``value`` as JSON that every reader accepts: no NaN, and letters as they are instead of escapes."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False, indent=indent)


def provenance_json(provenance: Provenance) -> str:
    """The whole provenance as one line of JSON, for an image or a page to carry."""
    return strict_json(provenance)
