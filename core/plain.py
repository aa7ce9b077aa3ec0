"""Values as plain JSON and back: what a result and a spec are saved, compared and hashed as."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
import typing
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd

from .errors import SavedFileError

T = TypeVar("T")
Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"] | None


def is_missing(value: object) -> bool:
    """Whether a cell holds nothing: None, NaN, NaT or pandas' NA. A list or an array is never missing."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or value is pd.NA or value is pd.NaT


def plain(value: object) -> Plain:
    """``value`` in the types JSON knows.

    Dataclasses become dicts of their fields, those with ``metadata={"plain": False}`` excluded, or the text that a
    method ``to_text`` gives; enums their values, mappings dicts, frames lists of row dicts, sequences and arrays lists,
    numpy scalars Python's own. JSON has no NaN and no infinity: what is missing or not finite becomes None. Raises
    TypeError for any other type, so that nothing is written as its ``repr`` by accident.
    """
    if is_missing(value):
        return None
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, Path):
        return str(value)
    return _of_parts(value)


def _of_parts(value: object) -> Plain:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "to_text"):
            return cast(str, value.to_text())
        return {field.name: plain(getattr(value, field.name)) for field in _written(type(value))}
    if isinstance(value, pd.DataFrame):
        return [plain(row) for row in value.to_dict("records")]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON; a result holds dataclasses, frames, arrays and text.")


def restored(kind: Any, data: Any) -> Any:
    """The value of type ``kind`` whose plain form is ``data``: the inverse of ``plain`` for every type a spec holds.

    ``kind`` is a dataclass, an enum, ``tuple[X, ...]``, ``tuple[X, Y]``, a union with None, a path or a plain type.
    Raises SavedFileError where the data are not of that type.
    """
    try:
        return _restored(kind, data)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise SavedFileError(f"The file holds something that is not a {getattr(kind, '__name__', kind)}.") from error


def _restored(kind: Any, data: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if data is None and type(None) in arguments:
            return None
        return _restored(next(part for part in arguments if part is not type(None)), data)
    if origin is tuple:
        kinds = arguments[:1] * len(data) if arguments[-1] is Ellipsis else arguments
        return tuple(_restored(item_kind, item) for item_kind, item in zip(kinds, data, strict=True))
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, data)
    if kind is Any or kind is object:
        return data
    return _simple(kind, data)


def _dataclass(kind: Any, data: Any) -> Any:
    if hasattr(kind, "from_text"):
        return kind.from_text(data)
    hints = _hints(kind)
    return kind(**{name: _restored(hints[name], item) for name, item in data.items()})


def _simple(kind: Any, data: Any) -> Any:
    if issubclass(kind, Enum | Path):
        return kind(data)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if not isinstance(data, kind) or (kind in (int, float) and isinstance(data, bool)):
        raise TypeError(f"{data!r} is not a {kind}")
    return data


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


@functools.cache
def _written(kind: Any) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(field for field in dataclasses.fields(kind) if field.metadata.get("plain", True))


def strict_json(value: object, indent: int | None = None) -> str:
    """``value`` as JSON that every reader accepts: no NaN, and letters as they are instead of escapes."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False, indent=indent)


def canonical(value: object) -> str:
    """``value`` as JSON that is the same for equal values: keys in order, no spaces."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
