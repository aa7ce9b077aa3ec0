"""Results as plotly figures: pure functions, one theme, no verdicts.

Each chart names the theme's own template, so screen and file agree. Right and up are positive: of log probability
bias scores (nats) the lean to the contrast's first group, of association tests X with A. Words of a user are shown as
they stand.
"""

from core.charts.bars import MOST_PANELS, small_multiples, tilt
from core.charts.fills import top_fills
from core.charts.key import MOST_MODELS
from core.charts.scatter import model_against_model
from core.charts.theme import DARK, LIGHT, PANELS_WIDTH, WIDTH, Theme, hue, template

__all__ = [
    "DARK",
    "LIGHT",
    "MOST_MODELS",
    "MOST_PANELS",
    "PANELS_WIDTH",
    "WIDTH",
    "Theme",
    "hue",
    "model_against_model",
    "small_multiples",
    "template",
    "tilt",
    "top_fills",
]
