"""What a sentence about an unknown name goes on with."""

from __future__ import annotations

import pytest

from core.errors import instead

NAMES = ("nurse", "nurses", "nursery", "purse", "engineer")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("enginer", "Did you mean engineer?"),
        ("nurse.", "Did you mean nurse or nurses or nursery?"),  # 10/11, 10/12, 10/13 of the letters; purse 8/11
        ("NURSERY", "Did you mean nursery or nurse or nurses?"),  # 14/14, 10/12, 10/13 of the letters
        ("zzz", "There are: nurse, nurses, nursery, purse, engineer."),
        ("", "There are: nurse, nurses, nursery, purse, engineer."),
    ],
)
def test_near_names_or_all(given: str, said: str) -> None:
    assert instead(given, NAMES) == said


def test_a_long_list_is_named_elsewhere() -> None:
    assert instead("zzz", iter(NAMES), "“--help” names them all.") == "“--help” names them all."
    assert instead("enginer", iter(NAMES), "“--help” names them all.") == "Did you mean engineer?"
