"""The chief figure of a result of any measure: what its folder's ``figures.py`` draws."""

from __future__ import annotations

import importlib
import importlib.util

import plotly.graph_objects as go

from ..charts.theme import LIGHT, Theme
from ..errors import NothingToScore, OptionError
from ..result import Result


def draw(result: Result, *, model: str | None = None, theme: Theme = LIGHT) -> go.Figure:
    """The chief figure of a result, as its page shows it.

    Parameters
    ----------
    result : Result
        Of any measure.
    model : str or None
        The one that a figure of a single model shows, by its name in the result; None for the first.
    theme : Theme
        ``LIGHT`` or ``DARK``.

    Returns
    -------
    Figure
        Of plotly.

    Raises
    ------
    OptionError
        For a model that is not in the result.
    NothingToScore
        Where there is nothing to draw, and for a measure that draws nothing.
    """
    if model is not None and model not in result.models:
        raise OptionError(f"There is no model “{model}” in the result; there are: {', '.join(result.models)}.")
    module = f"{type(result).__module__.rpartition('.')[0]}.figures"
    if importlib.util.find_spec(module) is None:
        raise NothingToScore(f"{result.spec.TITLE}: this measure has tables and no chart.")
    figures = importlib.import_module(module)
    drawn: go.Figure = figures.draw(result, model=model or next(iter(result.models), ""), theme=theme)
    return drawn
