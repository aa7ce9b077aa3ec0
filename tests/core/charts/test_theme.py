from __future__ import annotations

import math

import pytest

from core.charts.theme import DARK, LIGHT, Theme, hue, signed, template
from core.results import Group

GROUPS = tuple(Group(name, (name,)) for name in ("he", "she", "they", "one", "it"))


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.4, 2, "+0.40"),
        (-1.35, 2, "−1.35"),
        (0.0, 2, "0.00"),
        (-0.004, 2, "0.00"),
        (0.004, 2, "0.00"),
        (-0.006, 2, "−0.01"),
        (1.0, 0, "+1"),
        (-12.34567, 4, "−12.3457"),
    ],
)
def test_signed(value: float, decimals: int, text: str) -> None:
    assert signed(value, decimals) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_signed_refuses_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        signed(value)


def test_hue_follows_the_place_in_the_groups() -> None:
    assert [hue(LIGHT, GROUPS, name) for name in ("he", "she")] == ["#B8691B", "#1B7280"]
    assert [hue(DARK, GROUPS, name) for name in ("he", "she")] == ["#E0A458", "#4FB3BF"]
    assert hue(LIGHT, GROUPS, "the others") == hue(LIGHT, GROUPS, "it") == LIGHT.neutral
    assert len({hue(LIGHT, GROUPS, group.name) for group in GROUPS}) == 5


def _luminance(colour: str) -> float:
    """Relative luminance by the WCAG definition."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_and_bars_stand_out_from_the_paper(theme: Theme) -> None:
    def contrast(colour: str) -> float:
        low, high = sorted((_luminance(colour), _luminance(theme.paper)))
        return (high + 0.05) / (low + 0.05)

    assert min(contrast(theme.ink), contrast(theme.muted)) > 4.5
    assert min(map(contrast, (*theme.groups, theme.neutral))) > 3


def test_template_carries_the_theme() -> None:
    layout = template(DARK).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "#0F1418"
    assert "sans-serif" in layout.font.family
    assert layout.xaxis.gridcolor == DARK.hairline
