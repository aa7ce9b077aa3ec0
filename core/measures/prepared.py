"""A measurement that is prepared for its reader: a card of a paper, a step of a lesson."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .measure import MeasureSpec


@dataclass(frozen=True)
class Prepared:
    """A measure, and the values of its inputs by name; those that are not named stand at their defaults."""

    kind: type[MeasureSpec[Any]]
    inputs: Mapping[str, Any] = field(default_factory=dict)

    @functools.cached_property
    def spec(self) -> MeasureSpec[Any]:
        """The spec that command and page make of the same inputs. Raises InputError."""
        return self.kind.of(self.inputs)
