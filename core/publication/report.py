"""A report under construction: what was pinned, in its order, with the reader's own words."""

from __future__ import annotations

import base64
import binascii
import io
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import pandas as pd
import plotly.graph_objects as go
import plotly.io
import pyarrow as pa
import pyarrow.parquet as pq

from ..charts import DARK, LIGHT, WIDTH, Theme
from ..errors import SavedFileError
from ..report.captions import Caption

UNTITLED = "Report on social bias in language models"
_PHONE = 320  # pixels that a chart has across on a phone; WIDTH on a page and on a sheet
LOOKS = tuple(replace(scheme, width=width) for width in (WIDTH, _PHONE) for scheme in (LIGHT, DARK))
_REMEMBERED = 20  # of the pins that were removed, how many can be brought back


class Kind(StrEnum):
    """What a pin holds."""

    CHART = "chart"
    TABLE = "table"
    FINDING = "finding"


@dataclass(frozen=True)
class Pin:
    """What was on screen when it was pinned.

    ``result`` is the SHA-256 of the ``.tilt`` file it is from, ``name`` that of its export panel. A chart has its
    plotly JSON for each of ``LOOKS`` in ``drawings``, a chart or a table its rows as Parquet (base64) in ``rows``, a
    table the headings of its columns in ``heads``, a finding its sentence in ``text``. ``title`` and ``lines`` are the
    caption, ``alt`` says a chart in words, ``note`` is the user's own. ``also``: further results behind it, as
    ``result``.
    """

    id: str
    kind: Kind
    name: str
    title: str
    lines: tuple[str, ...]
    result: str
    drawings: tuple[str, ...] = ()
    rows: str = ""
    heads: tuple[str, ...] = ()
    text: str = ""
    alt: str = ""
    note: str = ""
    also: tuple[str, ...] = ()

    @property
    def results(self) -> tuple[str, ...]:
        """Every result behind it, the first one first."""
        return (self.result, *self.also)

    @property
    def caption(self) -> Caption:
        """What stands above it in a file of its own."""
        return Caption(self.title, self.lines)

    @property
    def figure(self) -> str:
        """The plotly JSON of a chart as it is printed."""
        return self.drawings[0]

    @property
    def drawn(self) -> go.Figure:
        """The figure of a chart as it is printed. Raises SavedFileError."""
        return self._figure(self.figure)

    def drawn_for(self, theme: Theme) -> go.Figure:
        """The figure of a chart for a reader with this theme, its width included. Raises SavedFileError."""
        width = WIDTH if theme.width >= WIDTH else _PHONE
        at = [(look.name, look.width) for look in LOOKS].index((theme.name, width))
        return self._figure(self.drawings[at])

    def _figure(self, written: str) -> go.Figure:
        try:
            return plotly.io.from_json(written)
        except ValueError as error:
            raise SavedFileError(f"The chart “{self.title}” is damaged; remove it and pin it again.") from error

    @property
    def frame(self) -> pd.DataFrame | None:
        """The rows on screen; None where there were none. Raises SavedFileError."""
        if not self.rows:
            return None
        try:
            found: pd.DataFrame = pq.read_table(io.BytesIO(base64.b64decode(self.rows))).to_pandas()
        except (binascii.Error, OSError, ValueError, pa.ArrowException) as error:
            raise SavedFileError(f"The table “{self.title}” is damaged; remove it and pin it again.") from error
        return found


def written(frame: pd.DataFrame | None) -> str:
    """The rows of a frame as a pin keeps them: every digit, without its index."""
    if frame is None:
        return ""
    buffer = io.BytesIO()
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except pa.ArrowException:  # a column of a view that holds words and numbers
        mixed = frame.select_dtypes("object").columns
        table = pa.Table.from_pandas(frame.astype(dict.fromkeys(mixed, "str")), preserve_index=False)
    pq.write_table(table, buffer)
    return base64.b64encode(buffer.getvalue()).decode()


@dataclass(frozen=True)
class Summary:
    """A kept report in a list: what it is called, how much is pinned, and when it was changed last."""

    id: str
    heading: str
    pins: int
    changed: datetime  # UTC


@dataclass(frozen=True)
class Removed:
    """A pin that was removed, and the place it had."""

    place: int
    pin: Pin


@dataclass(frozen=True)
class Report:
    """A report. Every change is a new one; a change that names a pin which is gone changes nothing."""

    id: str
    title: str = ""
    author: str = ""
    summary: str = ""
    pins: tuple[Pin, ...] = ()
    removed: tuple[Removed, ...] = ()

    @property
    def heading(self) -> str:
        """The title, or what stands in for one."""
        return self.title.strip() or UNTITLED

    def with_pins(self, *pins: Pin) -> Report:
        """With other pins at its end."""
        return replace(self, pins=(*self.pins, *pins))

    def noted(self, pin: str, note: str) -> Report:
        """With this note beside a pin."""
        return replace(self, pins=tuple(replace(item, note=note) if item.id == pin else item for item in self.pins))

    def moved(self, pin: str, by: int) -> Report:
        """With a pin moved by so many places, up where it is below 0."""
        place = self._place(pin)
        if place is None:
            return self
        rest = [item for item in self.pins if item.id != pin]
        rest.insert(min(max(place + by, 0), len(rest)), self.pins[place])
        return replace(self, pins=tuple(rest))

    def without(self, pin: str) -> Report:
        """With a pin removed; ``restored`` brings it back."""
        place = self._place(pin)
        if place is None:
            return self
        removed = (*self.removed, Removed(place, self.pins[place]))[-_REMEMBERED:]
        return replace(self, pins=tuple(item for item in self.pins if item.id != pin), removed=removed)

    def restored(self) -> Report:
        """With the pin that was removed last, at its place."""
        if not self.removed:
            return self
        *before, last = self.removed
        pins = list(self.pins)
        pins.insert(last.place, last.pin)
        return replace(self, pins=tuple(pins), removed=tuple(before))

    def _place(self, pin: str) -> int | None:
        return next((place for place, item in enumerate(self.pins) if item.id == pin), None)
