"""Colours between colours, by hand, and text that can be read on them."""

from __future__ import annotations

import pytest

from core.charts.heat import blend, contrast, text_on
from core.charts.theme import DARK, LIGHT, Theme


def test_a_blend_is_linear_in_each_channel() -> None:
    assert blend("#000000", "#FF8000", 0.5) == "#804000"  # 127.5 and 64, rounded to even
    assert blend("#123456", "#ABCDEF", 0) == "#123456"
    assert blend("#123456", "#ABCDEF", 1) == "#ABCDEF"


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#FFFFFF", "#FFFFFF") == 1
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)  # the well-known grey that just fails


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_can_be_read_on_every_shade_between_the_paper_and_any_colour(theme: Theme) -> None:
    for colour in (*theme.groups, theme.neutral, theme.ink):
        for percent in range(101):
            ground = blend(theme.paper, colour, percent / 100)
            assert contrast(text_on(theme, ground), ground) >= 4.5


def test_text_is_ink_on_paper_and_paper_on_ink() -> None:
    for theme in (LIGHT, DARK):
        assert text_on(theme, theme.paper) == theme.ink
        assert text_on(theme, theme.ink) == theme.paper
