"""What an option may hold, said once, where the option is declared: command, page and experiment read it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field, fields
from typing import Any

from core.errors import OptionError

MOST_SEED = 2**31 - 1


def choice(*values: str | int) -> Any:
    """A field that holds one of ``values``; the first is the default."""
    return field(default=values[0], metadata={"choices": values})


def whole_number(default: int | None, least: int, most: int) -> Any:
    """A field that holds a whole number from ``least`` to ``most``; None is allowed where it is the default."""
    return field(default=default, metadata={"least": least, "most": most})


def seed() -> Any:
    """A field that holds the seed of every random draw."""
    return whole_number(0, 0, MOST_SEED)


def limits(options: type, name: str) -> Mapping[str, Any]:
    """The limits of a field: ``choices``, or ``least`` and ``most``; empty where it has none."""
    return _field(options, name).metadata


def default(options: type, name: str) -> Any:
    """The default of a field."""
    return _field(options, name).default


def check_options(options: Any) -> None:
    """Raise OptionError for an option that holds what it may not, with the values there are."""
    for item in fields(options):
        value = getattr(options, item.name)
        if "choices" in item.metadata and value not in item.metadata["choices"]:
            raise OptionError(f"{item.name} is “{value}”; it can be {', '.join(map(str, item.metadata['choices']))}.")
        if "least" in item.metadata and value is not None:
            least, most = item.metadata["least"], item.metadata["most"]
            if not least <= value <= most:
                raise OptionError(f"{item.name} is {value}; it can be a whole number from {least} to {most:,}.")


def _field(options: type, name: str) -> Field[Any]:
    return next(item for item in fields(options) if item.name == name)
