"""Results as plotly figures: pure functions, one theme, no verdicts.

Each chart names the theme's own template, so screen and file agree. Right and up are positive: of log probability
bias scores (nats) the lean to the contrast's first group, of association tests X with A. Words of a user are shown as
they stand.
"""

from core.charts.key import MOST_MODELS
from core.charts.theme import DARK, LIGHT, PANELS_WIDTH, WIDTH, Theme, hue, template

__all__ = [
    "DARK",
    "LIGHT",
    "MOST_MODELS",
    "PANELS_WIDTH",
    "WIDTH",
    "Theme",
    "hue",
    "template",
]
