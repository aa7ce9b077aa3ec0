"""The look shared by every chart: colours, font, axes, and how a number is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from ..result import Group

FONT = "Inter, system-ui, DejaVu Sans, sans-serif"
TEXT_SIZE = 13
SMALL_SIZE = 12
BOLD = 1.12  # how much wider bold text runs
WIDTH = 640  # pixels, as all that follows
PANELS_WIDTH = 780  # of several panels side by side
_NARROW = 480


@dataclass(frozen=True)
class Theme:
    """The colours of one scheme, as CSS colours, and the width that charts have.

    Parameters
    ----------
    name : str
        Of the scheme.
    paper, ink, muted : str
        Background, text, and text that stands back.
    hairline, zero, shade : str
        Of grids, of the line of no lean, and behind a row that is marked.
    neutral : str
        For what belongs to no group.
    groups : tuple of str
        The hues of groups 1 to 7, told apart with every common colour blindness.
    words : tuple of str
        The same hues, as dark or light as a text in them has to be.
    width : int
        Pixels that a chart has across at least: texts are cut for it, and charts stretch beyond.
    """

    name: str
    paper: str
    ink: str
    muted: str
    hairline: str
    zero: str
    shade: str
    neutral: str
    groups: tuple[str, ...]
    words: tuple[str, ...]
    width: int = WIDTH

    @property
    def in_words(self) -> Theme:
        """The theme whose hues are for texts."""
        return replace(self, groups=self.words, neutral=self.muted)

    @property
    def is_narrow(self) -> bool:
        """Whether rows have their labels above them, since beside them they would leave no room for a scale."""
        return self.width < _NARROW


LIGHT = Theme(
    name="light",
    paper="#FBFBF9",
    ink="#1C2428",
    muted="#5F6B70",
    hairline="#E3E6E3",
    zero="#8B9393",
    shade="#E6EEED",
    neutral="#768085",
    groups=("#B8691B", "#1B7280", "#6A4FA3", "#7A1F3D", "#27306B", "#4F7A3A", "#5E4314"),
    words=("#9A5510", "#1B7280", "#6A4FA3", "#7A1F3D", "#27306B", "#4A7337", "#5E4314"),
)

DARK = Theme(
    name="dark",
    paper="#0F1418",
    ink="#E9EDED",
    muted="#9AA5A9",
    hairline="#242C31",
    zero="#5A666B",
    shade="#152429",
    neutral="#7F8A8E",
    groups=("#E0A458", "#4FB3BF", "#A993E6", "#D9668F", "#F0E9D2", "#B9D98A", "#8F7446"),
    words=("#E0A458", "#4FB3BF", "#A993E6", "#D9668F", "#F0E9D2", "#B9D98A", "#A48551"),
)


def hue(theme: Theme, groups: Sequence[Group], name: str) -> str:
    """The colour of a group: the same for the same position in ``groups``, whatever it is contrasted with.

    ``the others`` and groups past the seventh are neutral; text and direction tell them apart.
    """
    names = [group.name for group in groups]
    index = names.index(name) if name in names else len(theme.groups)
    return theme.groups[index] if index < len(theme.groups) else theme.neutral


def template(theme: Theme) -> go.layout.Template:
    """The layout template each chart names itself, so that no default of plotly or streamlit shows through.

    Axes are fixed: their labels are written for the range shown, and a page scrolls over a chart undisturbed.
    """
    axis = {
        "automargin": False,
        "fixedrange": True,
        "gridcolor": theme.hairline,
        "gridwidth": 1,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "tickangle": 0,
        "tickfont": {"color": theme.muted, "size": SMALL_SIZE},
        "title": {"font": {"color": theme.ink, "size": SMALL_SIZE}},
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": TEXT_SIZE, "color": theme.ink},
            "paper_bgcolor": theme.paper,
            "plot_bgcolor": theme.paper,
            "colorway": [*theme.groups, theme.neutral],
            "showlegend": False,
            "legend": {
                "orientation": "h",
                "x": 0,
                "xanchor": "left",
                "y": 1,
                "yanchor": "bottom",
                "bgcolor": "rgba(0,0,0,0)",
                "font": {"size": SMALL_SIZE, "color": theme.ink},
                "itemclick": False,
                "itemdoubleclick": False,
                "tracegroupgap": 0,
            },
            "dragmode": False,
            "hovermode": "closest",
            "hoverlabel": {
                "bgcolor": theme.paper,
                "bordercolor": theme.zero,
                "font": {"family": FONT, "size": SMALL_SIZE, "color": theme.ink},
                "align": "left",
            },
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": theme.muted, "activecolor": theme.ink},
            "xaxis": axis,
            "yaxis": axis,
        }
    )
