"""Results as plotly figures: pure functions, one theme, no verdicts.

Each chart names the theme's own template, so screen and file agree. Right and up are positive: of log probability
bias scores (nats) the lean to the contrast's first group, of association tests X with A. Words of a user are shown as
they stand.
"""

from core.charts.attention_heads import head_grid
from core.charts.attention_map import token_maps
from core.charts.attention_profile import biased_share, degree_boxes, degree_curve, degree_steps
from core.charts.bars import MOST_PANELS, small_multiples, tilt
from core.charts.fills import top_fills
from core.charts.key import MOST_MODELS
from core.charts.occupations import occupation_bars
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
    "biased_share",
    "degree_boxes",
    "degree_curve",
    "degree_steps",
    "head_grid",
    "hue",
    "model_against_model",
    "occupation_bars",
    "small_multiples",
    "template",
    "tilt",
    "token_maps",
    "top_fills",
]
