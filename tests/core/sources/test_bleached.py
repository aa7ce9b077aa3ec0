from __future__ import annotations

import json

import pytest

from core.sources.bleached import any_kind, every_form, own_form, place
from tests.support.paths import ROOT

KINDS = json.loads((ROOT / "assets" / "data" / "word_kinds.json").read_text(encoding="utf-8"))


def texts(placed) -> list[str]:
    return [item.text for item in placed]


@pytest.mark.parametrize(
    ("frame", "word", "text", "span"),
    [
        ("This is {a} {word}.", "rose", "This is a rose.", (10, 14)),
        ("This is {a} {word}.", "iris", "This is an iris.", (11, 15)),
        ("{a} {word} is a thing.", "iris", "An iris is a thing.", (3, 7)),
        ("{word} are things.", "roses", "Roses are things.", (0, 5)),
        ("This is {a} {word}.", "honor", "This is an honor.", (11, 16)),
        ("This is {a} {word}.", "European American", "This is a European American.", (10, 27)),
        ("They feel {word}", "joy", "They feel joy", (10, 13)),
        ("Here {word} is.", "he", "Here he is.", (5, 7)),
        ("{word} is here.", "he", "He is here.", (0, 2)),
    ],
)
def test_place(frame, word, text, span):
    assert place(frame, word) == (text, span)


@pytest.mark.parametrize(
    ("word", "count", "first", "last"),
    [
        ("rose", 8, "This is a rose.", "It is a rose."),
        ("equations", 6, "These are equations.", "Equations are things."),  # the plural stands in WEAT 7 itself
        ("woman of color", 7, "This is a woman of color.", "A woman of color is a person."),
        ("Amy", 8, "This is Amy.", "The person's name is Amy."),
        ("freedom", 4, "This is freedom.", "It is freedom."),
        ("loyal", 3, "This is loyal.", "They are loyal."),
        ("kill", 8, "This will kill.", "That may kill."),
        ("she", 5, "She is here.", "She is a person."),
        ("her", 3, "It is her.", "That is her."),
        ("hers", 7, "This is hers.", "Hers is here."),
    ],
)
def test_a_word_stands_as_it_is_written(word, count, first, last):
    found = texts(own_form(word))
    assert len(found) == count
    assert (found[0], found[-1]) == (first, last)


def test_seat_has_both_forms():
    found = texts(every_form("children"))
    assert len(found) == 8 + 6
    assert found[0] == "This is a child."
    assert found[-1] == "Children are things."
    assert every_form("children") == every_form("child")
    assert every_form("loyal") == own_form("loyal")  # no plural


def test_any_kind_is_the_same_whatever_the_word():
    assert texts(any_kind("zzxq")) == ["This is zzxq.", "That is zzxq.", "There is zzxq.", "It is zzxq."]
    assert texts(any_kind("roses"))[0] == "This is roses."


def test_every_word_has_one_kind():
    spellings = [word for kind in KINDS["kinds"] for pair in kind["words"] for word in pair.split("/")]
    assert len(set(spellings)) == len(spellings)
    for kind in KINDS["kinds"]:
        assert all(("/" in pair) == bool(kind["plural"]) for pair in kind["words"])


def test_the_file_says_where_it_is_from():
    assert KINDS["source"]["year"] == 2019
    assert "May et al. 2019" in KINDS["licence"]
