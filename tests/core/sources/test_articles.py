"""“A” and “an”: by the sound, as far as writing shows it."""

from __future__ import annotations

import pytest

from core.sources.articles import article
from core.sources.descriptors import published_axes


@pytest.mark.parametrize(
    "phrase",
    [
        *("deaf parent", "European", "one-armed man", "Ukrainian", "uniformed guard", "UK citizen", "US citizen"),
        *("unique friend", "hearing parent", "Ugandan", "utilitarian", "Black doctor"),
        *("university", "useful", "one-eyed", "Hindu", "Hispanic", "young", "Jewish"),
    ],
)
def test_a(phrase: str) -> None:
    assert article(phrase) == "a"


@pytest.mark.parametrize(
    "phrase",
    [
        *("elderly parent", "old friend", "honest worker", "heir", "LGBT parent", "HIV-positive friend", "unemployed"),
        *("Indian driver", "unidentified man", "uninsured driver", "hourly worker", "Uzbek"),
        *("atheist", "Asian", "American Indian", "independent", "underweight", "overweight", "unimpressed"),
    ],
)
def test_an(phrase: str) -> None:
    assert article(phrase) == "an"


def test_descriptors_that_come_with_the_program() -> None:
    words = [word for axis in published_axes().values() for word in axis.descriptors]
    assert sorted(word for word in words if article(word) == "an") == [
        *("American", "Asian", "Australian", "Indian", "autistic", "elderly", "old", "older", "overweight"),
    ]
