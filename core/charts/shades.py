"""Colours between two colours, and which text can be read on them."""

from __future__ import annotations

from core.charts.theme import Theme

READABLE = 4.5  # the contrast that WCAG 2 asks of a text; black or white has it on any colour


def blend(start: str, end: str, share: float) -> str:
    """The colour ``share`` (0 to 1) of the way from ``start`` to ``end``; all are written ``#RRGGBB``."""
    pairs = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(first + (last - first) * share):02X}" for first, last in pairs)


def text_on(theme: Theme, colour: str) -> str:
    """Ink or paper, whichever stands out more from ``colour``, or black or white where neither can be read."""
    return next(
        text
        for texts in ((theme.ink, theme.paper), ("#000000", "#FFFFFF"))
        if contrast(text := max(texts, key=lambda text: contrast(text, colour)), colour) >= READABLE
    )


def contrast(first: str, second: str) -> float:
    """The contrast of two colours by WCAG 2: from 1, none, to 21."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
