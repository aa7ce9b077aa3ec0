"""What sums up a task that is built on models: numbers of each model that reliability compares with its metrics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ...result import Column, Result


@dataclass(frozen=True)
class Headline:
    """A number of each model that a downstream result is summed up by.

    Parameters
    ----------
    column : Column
        Name, title (what it is of any task: "GAP: …"), meaning, unit, and by ``sign`` which way a positive value
        points.
    value : callable
        Of the result and a model by its name in it: the number, or a clause that says why the model has none.
    """

    column: Column
    value: Callable[[Any, str], float | str]


class DownstreamResult(Result):
    """The result of a task that is built on models.

    ``HEADLINES`` declares the numbers that sum each of its models up. A measure that declares them is compared with
    the metrics of reliability without a line there.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]]
