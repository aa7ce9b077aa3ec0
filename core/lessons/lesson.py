"""What a lesson is: steps with a question each, what is measured for it, and what the result says of the answers.

Every number of a text comes from the result that is measured there, and what depends on the outcome is chosen by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ..charts.theme import Theme
from ..measures.prepared import Prepared
from ..report.texts import text_of
from ..result import Result


@dataclass(frozen=True)
class Outcome:
    """What the results say: which of the choices they bear out, and the facts of the text that tells it.

    The text knows ``facts``, a frozen dataclass, as ``found``.
    """

    answer: str
    facts: object


@dataclass(frozen=True)
class Step:
    """A question of a lesson.

    ``name`` is that of its texts (``NAME_before.j2``, whose last paragraph is the question, and ``NAME_after.j2``),
    ``choices`` the answers by id, ``asked`` what is measured, the last of which its chart and link show. ``given`` are
    the facts that are known before (a frozen dataclass, ``given`` in both texts), ``outcome`` reads the results,
    ``draw`` makes the chart and ``alt`` says it in words.
    """

    name: str
    title: str
    choices: Mapping[str, str]
    asked: tuple[Prepared, ...]
    given: Callable[[], object]
    outcome: Callable[[Sequence[Any]], Outcome]
    draw: Callable[[Sequence[Any], Theme], go.Figure]
    alt: str

    def before(self) -> tuple[str, ...]:
        """The paragraphs that lead to the question, and the question."""
        return _paragraphs(f"{self.name}_before", given=self.given())

    def after(self, results: Sequence[Result]) -> tuple[str, ...]:
        """The paragraphs that tell what came out."""
        outcome = self.outcome(results)
        return _paragraphs(f"{self.name}_after", given=self.given(), found=outcome.facts, answer=outcome.answer)


@dataclass(frozen=True)
class Lesson:
    """A lesson of some steps; ``promise`` says what one knows afterwards, ``source`` which papers it is about."""

    id: str
    title: str
    promise: str
    source: str
    steps: tuple[Step, ...]


def _paragraphs(name: str, **facts: object) -> tuple[str, ...]:
    return tuple(text_of(__file__, name, **facts).split("\n\n"))
