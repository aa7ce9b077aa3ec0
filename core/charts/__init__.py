"""The kit that every figure is made of: theme, scale, key, rows, bars, heat map, scatter. It knows no measure.

A figure names the theme's own template, so that screen and file agree. Right and up are positive. Words of a user are
shown as they stand, and nothing is a verdict.
"""

from .key import MOST_MODELS
from .theme import DARK, LIGHT, PANELS_WIDTH, WIDTH, Theme, hue, template

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
