from __future__ import annotations

import colorsys
import itertools
import math
import re
import tomllib

import pytest

from core.charts.theme import DARK, LIGHT, Theme, hue, template
from core.result import Group
from tests.support.paths import ROOT

GROUPS = tuple(Group(name, (name,)) for name in ("he", "she", "they", "xe", "ze", "one", "we", "it"))


def test_hue_follows_the_place_in_the_groups() -> None:
    assert [hue(LIGHT, GROUPS, name) for name in ("he", "she")] == ["#B8691B", "#1B7280"]
    assert [hue(DARK, GROUPS, name) for name in ("he", "she")] == ["#E0A458", "#4FB3BF"]
    assert hue(LIGHT, GROUPS, "the others") == hue(LIGHT, GROUPS, "it") == LIGHT.neutral
    assert len({hue(LIGHT, GROUPS, group.name) for group in GROUPS}) == 8


def _luminance(colour: str) -> float:
    """Relative luminance by the WCAG definition."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


PAGE = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
STYLE = (ROOT / "assets" / "style.css").read_text(encoding="utf-8")
OPACITY = 0.85  # of bars and points


def _contrast(first: str, second: str) -> float:
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _blended(colour: str, ground: str, opacity: float) -> str:
    pairs = zip(*([int(item[at : at + 2], 16) for at in (1, 3, 5)] for item in (colour, ground)), strict=True)
    return "#" + "".join(f"{round(front * opacity + back * (1 - opacity)):02X}" for front, back in pairs)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_of_a_chart_can_be_read_wherever_it_stands(theme: Theme) -> None:
    for ground in (theme.paper, theme.shade):
        for colour in (theme.ink, theme.muted, *theme.words):
            assert _contrast(colour, ground) >= 4.5, (colour, ground)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_mark_of_a_chart_stands_out(theme: Theme) -> None:
    for colour in (*theme.groups, theme.neutral):
        assert _contrast(_blended(colour, theme.paper, OPACITY), theme.paper) >= 3, colour
    assert _contrast(theme.zero, theme.paper) >= 3


# Linear RGB as people without one kind of cone see it (Machado, Oliveira & Fernandes 2009, severity 1).
SEEN = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
APART = 14  # CIELAB units; 2.3 is what an eye can just see


def _lab(colour: str, seen: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """The colour in CIELAB (white D65), as it is ``seen``."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    for matrix in (seen, XYZ):
        linear = [max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))) for row in matrix]
    x, y, z = (
        ratio ** (1 / 3) if ratio > 216 / 24389 else (24389 / 27 * ratio + 16) / 116
        for ratio in (part / white for part, white in zip(linear, (0.95047, 1, 1.08883), strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("cones", SEEN)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_any_two_groups_are_told_apart_with_every_colour_blindness(theme: Theme, cones: str) -> None:
    assert len(theme.groups) == len(theme.words) == 7
    for first, second in itertools.combinations(theme.groups, 2):
        assert math.dist(_lab(first, SEEN[cones]), _lab(second, SEEN[cones])) > APART, (first, second)


def test_lab_is_that_of_the_standard() -> None:
    """White, black and pure red of sRGB; and red and green that one without the red cones would confuse are near."""
    assert _lab("#FFFFFF", SEEN["all cones"]) == pytest.approx((100, 0, 0), abs=0.1)
    assert _lab("#000000", SEEN["all cones"]) == pytest.approx((0, 0, 0), abs=0.1)
    assert _lab("#FF0000", SEEN["all cones"]) == pytest.approx((53.24, 80.09, 67.20), abs=0.1)
    olive, brown = (_lab(colour, SEEN["deuteranopia"]) for colour in ("#5F7A1F", "#8C6A1E"))
    assert math.dist(olive, brown) < math.dist(*(_lab(c, SEEN["all cones"]) for c in ("#5F7A1F", "#8C6A1E"))) / 2


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_words_have_the_hues_of_the_marks(theme: Theme) -> None:
    """A hue is an angle: a text may be darker or lighter than the mark, and no other colour."""

    def angle(colour: str) -> float:
        return colorsys.rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[0] * 360

    for mark, word in zip(theme.groups, theme.words, strict=True):
        assert angle(word) == pytest.approx(angle(mark), abs=3)


@pytest.mark.parametrize(("name", "at"), [("light", 0), ("dark", 1)])
def test_the_page_has_the_contrast_of_aa(name: str, at: int) -> None:
    colours, theme = PAGE[name], (LIGHT, DARK)[at]
    grounds = [colours["backgroundColor"], colours["secondaryBackgroundColor"], colours["sidebar"]["backgroundColor"]]
    # In style.css: (property, light, dark) of captions and of texts on the primary colour.
    caption, on_primary = (
        pair[at] for pair in re.findall(r"color: light-dark\((#\w{6}), (#\w{6})\) !important", STYLE)[:2]
    )
    for ground in grounds:
        for text in (colours["textColor"], colours["codeTextColor"], caption, colours["primaryColor"], *theme.words):
            assert _contrast(text, ground) >= 4.5, (text, ground)
        # Quieter texts are the ink at an opacity. What is out of date is greyed out, as what is disabled.
        least = min(float(value) for value in re.findall(r"opacity: (\.\d+)(?!; filter)", STYLE))
        assert _contrast(_blended(colours["textColor"], ground, least), ground) >= 4.5, (least, ground)
    assert _contrast(on_primary, colours["primaryColor"]) >= 4.5
    assert colours["backgroundColor"] == theme.paper


def test_template_carries_the_theme() -> None:
    layout = template(DARK).layout
    assert layout.paper_bgcolor == layout.plot_bgcolor == "#0F1418"
    assert "sans-serif" in layout.font.family
    assert layout.xaxis.gridcolor == DARK.hairline
