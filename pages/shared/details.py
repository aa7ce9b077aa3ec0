"""Whose details are shown: a select box does what a click on a chart's mark does, and each follows the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.inputs import Choice
from pages.shared import links
from pages.shared.controls import Place, select

DETAILS = Choice("details", "Show details of", help="A click on the chart does the same.")

Mark = tuple[str, ...]  # the ``customdata`` of what is drawn


@dataclass(frozen=True)
class Details:
    """The marks that have details, by their name in links, and the one that is chosen."""

    option: Choice
    marks: Mapping[str, Mark]
    chosen: Mark

    def take(self, chart: str) -> None:
        """Choose the mark that was clicked on a chart; before the page is drawn anew."""
        points = st.session_state[chart]["selection"]["points"]
        slot = f"clicked on {chart}"
        # A second click on a mark takes the first one back: what is meant is the mark.
        data = tuple(map(str, points[0].get("customdata") or ())) if points else st.session_state.get(slot, ())
        st.session_state[slot] = data
        name = self.name_of(data)
        if name is not None:
            links.put(self.option, name)

    def name_of(self, data: Mark) -> str | None:
        """The first mark that what was clicked stands for: itself, the same pair turned round, or one it begins.

        A point of two models has the name of its attribute alone, and a matrix has every pair twice.
        """
        if not data:
            return None
        for fits in (Mark.__eq__, lambda mark, given: sorted(mark) == sorted(given), _begins):
            for name, mark in self.marks.items():
                if fits(mark, data):
                    return name
        return None


def choose(place: Place, names: Mapping[Any, str], default: Mark) -> Details:
    """Draw the box; ``names`` has what is shown of each mark. Draw it before the chart, which marks what is chosen."""
    marks = {" · ".join(filter(None, mark)): mark for mark in names}
    choices = {name: names[mark] for name, mark in marks.items()}
    option = replace(DETAILS, choices=choices, default=next(name for name, mark in marks.items() if mark == default))
    return Details(option, marks, marks[select(place, option)])


def _begins(mark: Mark, data: Mark) -> bool:
    return mark[: len(data)] == data
