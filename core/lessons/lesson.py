"""What a lesson is: steps with a question each, what is measured for it, and what the result says of the answers.

Every number of a text comes from the result that is measured there, and what depends on the outcome is chosen by it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from ..charts.theme import Theme
from ..measures.measure import MeasureSpec
from ..report.texts import text_of
from ..result import Result

Facts = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """A measurement of a step, by its inputs as a link of its page holds them.

    ``values`` are the inputs that differ from their defaults, by name; ``tab`` what else its page needs to show it.
    """

    kind: type[MeasureSpec[Any]]
    values: Mapping[str, Any] = field(default_factory=dict)
    tab: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def spec(self) -> MeasureSpec[Any]:
        """What is measured."""
        return self.kind.of(self.values)

    @property
    def link(self) -> dict[str, list[str]]:
        """The parameters of a link to its page with these inputs."""
        written = {name: self.kind.input(name).write(value) for name, value in self.values.items()}
        return {name: [value] for name, value in self.tab.items()} | written


@dataclass(frozen=True)
class Outcome:
    """What the results say: which of the choices they bear out, and the facts of the text that tells it."""

    answer: str
    facts: Facts


@dataclass(frozen=True)
class Step:
    """A question of a lesson.

    ``name`` is that of its texts (``NAME_before.j2``, whose last paragraph is the question, and ``NAME_after.j2``),
    ``choices`` the answers by id, ``asked`` what is measured, the last of which its chart and link show. ``given`` are
    facts that are known before, ``outcome`` reads the results, ``draw`` makes the chart and ``alt`` says it in words.
    """

    name: str
    title: str
    choices: Mapping[str, str]
    asked: tuple[Asked, ...]
    given: Callable[[], Facts]
    outcome: Callable[[Sequence[Any]], Outcome]
    draw: Callable[[Sequence[Any], Theme], go.Figure]
    alt: str

    def before(self) -> tuple[str, ...]:
        """The paragraphs that lead to the question, and the question."""
        return _paragraphs(f"{self.name}_before", self.given())

    def after(self, results: Sequence[Result]) -> tuple[str, ...]:
        """The paragraphs that tell what came out."""
        outcome = self.outcome(results)
        return _paragraphs(f"{self.name}_after", self.given() | outcome.facts | {"answer": outcome.answer})


@dataclass(frozen=True)
class Lesson:
    """A lesson of some steps; ``promise`` says what one knows afterwards, ``source`` which papers it is about."""

    id: str
    title: str
    promise: str
    source: str
    steps: tuple[Step, ...]


def _paragraphs(name: str, facts: Facts) -> tuple[str, ...]:
    return tuple(text_of(__file__, name, **facts).split("\n\n"))
