"""Results as plotly figures: pure functions, one theme, no verdicts.

Each chart names the theme's own template, so screen and file agree. Values are in nats; right and up are positive
and lean to the contrast's first group. Words of a user are shown as they stand.
"""

from core.charts.bars import MOST_PANELS, small_multiples, tilt
from core.charts.fills import top_fills
from core.charts.scatter import model_against_model
from core.charts.theme import DARK, LIGHT, Theme, hue, signed, template

__all__ = [
    "DARK",
    "LIGHT",
    "MOST_PANELS",
    "Theme",
    "hue",
    "model_against_model",
    "signed",
    "small_multiples",
    "template",
    "tilt",
    "top_fills",
]
