"""What the charts of points share: which points are named and where, and the caption of their correlation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.charts.text import text_width
from core.charts.theme import SMALL_SIZE
from core.report.numbers import signed
from core.stats.correlation import FEWEST_POINTS, pearson
from core.stats.samples import is_enough, too_few

LABEL_WIDTH = 190  # pixels; a longer name is cut to that before it is placed
POSITIONS = ("middle right", "middle left", "top center", "bottom center")

_TALL = SMALL_SIZE + 4
_GAP = 4  # the space beside a text, which is written with a blank at both ends


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the lower left corner of the plot."""

    left: float
    right: float
    bottom: float
    top: float

    def meets(self, other: Box) -> bool:
        """Whether the two have a point in common inside."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def is_cut_by(self, line: tuple[float, float]) -> bool:
        """Whether the line y = intercept + slope · x runs through it."""
        intercept, slope = line
        ends = (intercept + slope * self.left, intercept + slope * self.right)
        return min(ends) < self.top and self.bottom < max(ends)


@dataclass(frozen=True)
class View:
    """A plot at one size, in pixels from its lower left corner: what a text must keep clear of.

    ``lines`` are (intercept, slope); ``taken`` are places where something else is written.
    """

    width: float
    height: float
    points: tuple[tuple[float, float], ...]
    lines: tuple[tuple[float, float], ...] = ()
    taken: tuple[Box, ...] = ()


def place_labels(
    names: Sequence[str], order: Iterable[int], views: Sequence[View], *, marker: float, most: int
) -> dict[int, str]:
    """Indices of at most ``most`` points to name, with plotly's position of the text.

    A text meets no point, line, other text or edge, and that in every view: a chart is drawn at many sizes. Points
    come in ``order``, as long as there is room; ``names`` are those shown, one a point, ``marker`` the points' width.
    """
    dots = [tuple(_around(*point, marker) for point in view.points) for view in views]
    written = [list(view.taken) for view in views]
    chosen: dict[int, str] = {}
    for at in order:
        if len(chosen) == most:
            break
        width = text_width(names[at], SMALL_SIZE)
        for position in POSITIONS:
            boxes = [_text_box(around[at], width, position) for around in dots]
            if all(map(_is_free, boxes, views, written, [(*around[:at], *around[at + 1 :]) for around in dots])):
                for box, taken in zip(boxes, written, strict=True):
                    taken.append(box)
                chosen[at] = position
                break
    return chosen


def correlation_caption(x: Sequence[float], y: Sequence[float]) -> str:
    """Pearson's r and n of the points, as ``correlation_text`` says them."""
    found = pearson(x, y)
    return correlation_text(None if found is None else found.r, len(x))


def correlation_text(r: float | None, n: int) -> str:
    """Pearson's r over n points, and whether they are too few for a verdict; or why there is no r."""
    if n < FEWEST_POINTS:
        return f"n = {n}: too few for a correlation (at least {FEWEST_POINTS} are required)"
    if r is None:
        return f"Pearson r undefined: no variation, n = {n}"
    if not is_enough(n):
        return f"Pearson r = {signed(r)}, n = {too_few(n)}: too few to say"
    return f"Pearson r = {signed(r)}, n = {n}"


def _is_free(box: Box, view: View, taken: Sequence[Box], dots: Sequence[Box]) -> bool:
    return (
        box.left >= 0
        and box.right <= view.width
        and box.bottom >= 0
        and box.top <= view.height
        and not any(box.is_cut_by(line) for line in view.lines)
        and not any(box.meets(other) for other in (*dots, *taken))
    )


def _around(x: float, y: float, size: float) -> Box:
    return Box(x - size / 2, x + size / 2, y - size / 2, y + size / 2)


def _text_box(point: Box, width: float, position: str) -> Box:
    """The rectangle of a text beside the marker it names, as plotly sets it."""
    middle_x, middle_y = (point.left + point.right) / 2, (point.bottom + point.top) / 2
    if position == "middle right":
        return Box(point.right, point.right + width + 2 * _GAP, middle_y - _TALL / 2, middle_y + _TALL / 2)
    if position == "middle left":
        return Box(point.left - width - 2 * _GAP, point.left, middle_y - _TALL / 2, middle_y + _TALL / 2)
    below = position == "bottom center"
    bottom = point.bottom - _TALL - 2 if below else point.top + 2
    return Box(middle_x - width / 2 - _GAP, middle_x + width / 2 + _GAP, bottom, bottom + _TALL)
