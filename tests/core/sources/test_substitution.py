"""A text with its genders swapped, but for what a model decides; expected texts are written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.first_names import DoubtKind
from core.sources.gender import counterparts
from core.sources.lists import read_json
from core.sources.substitution import moved, plan_text

PARTS = [
    "Mary",
    "John",
    "he",
    "She",
    "his",
    "the",
    "king",
    "'s",
    ".",
    ",",
    "\n",
    "Will",
    "May",
    "Smith",
    "MARY",
    "*",
    "-",
    "(",
]


def swapped(text: str, *choices: int) -> str:
    return plan_text(text).swap.text(choices)


def doubts(text: str) -> list[tuple[str, DoubtKind]]:
    return [(doubt.word, doubt.kind) for doubt in plan_text(text).doubts]


def test_each_further_word_is_in_one_pair_and_in_no_other_list() -> None:
    data = read_json("swap_words.json")
    words = [word for pair in data["pairs"] for word in pair]
    assert len(words) == len(set(words))
    assert not set(words) & counterparts().keys()
    one_way = [word for word, _ in data["one_way"]]
    assert not set(one_way) & {*words, *counterparts()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He spoke. “He,” she said.", "She spoke. “She,” he said."),  # exact matching misses a sentence start
        ("HIS idea was his.", "HER idea was hers."),
        ("The priestess was a heroine.", "The priest was a hero."),
        ("Mr. Brown, Mrs. White and Ms. Green", "Mrs. Brown, Mr. White and Mr. Green"),
        ("Miss Green will miss it; 5 ms", "Mr Green will miss it; 5 ms"),
        ("Sir John asked the lady: Sir?", "Dame Mary asked the gentleman: Madam?"),
        ("Lord Brown and Lady Ada", "Lady Brown and Lord Caden"),
        ("his ex-wife, a step-father's godson", "her ex-husband, a step-mother's goddaughter"),
        ("Stephen King met the king. King left.", "Stephanie King met the queen. King left."),
        ("Guy Ritchie is a guy.", "Sierra Ritchie is a gal."),
        ("God save Belle, the belle of the gods.", "God save Belle, the beau of the goddesses."),
        ("see www.he.org/his or he@x.org", "see www.he.org/his or he@x.org"),
    ],
)
def test_words_and_titles(text: str, expected: str) -> None:
    assert swapped(text) == expected


def test_her_is_left_to_the_model() -> None:
    assert swapped("Mary saw her bag.", 0) == "John saw his bag."
    assert swapped("Mary saw her.", 1) == "John saw him."


def test_what_to_look_at() -> None:
    assert doubts("She was pregnant and bearded.") == [
        ("pregnant", DoubtKind.ONE_SIDED),
        ("bearded", DoubtKind.ONE_SIDED),
    ]
    assert doubts("He won Best Actor.") == [("Actor", DoubtKind.UNSURE)]
    assert doubts("An Emma and a Mary") == [("Emma", DoubtKind.GRAMMAR)]  # an Jonathan
    assert doubts("He saw the queen.") == []


def test_a_change_never_runs_across_a_border() -> None:
    assert plan_text("Mary sang.", borders=(0, 4)).swap.text(()) == "John sang."
    plan = plan_text("Mary sang.", borders=(2,))
    assert plan.swap.text(()) == "Mary sang."
    assert [doubt.word for doubt in plan.doubts] == ["Mary"]


def test_places_move_with_the_changes() -> None:
    # "Elizabeth" (9) becomes "William" (7), "she" (3) "he" (2), "Anna" (4) "Edward" (6)
    text = "Elizabeth said she met Anna."
    plan = plan_text(text)
    after = plan.swap.text(())
    words = [replacement.options[0] for replacement in plan.replacements]
    assert after == "William said he met Edward."
    for before, then in (("Elizabeth", "William"), ("she", "he"), ("Anna", "Edward")):
        start = text.index(before)
        assert moved(start, plan.replacements, words) == after.index(then)
        assert moved(start + len(before), plan.replacements, words) == after.index(then) + len(then)


@given(st.lists(st.sampled_from(PARTS), max_size=20))
def test_parts_are_the_text_whatever_it_is(parts: list[str]) -> None:
    text = " ".join(parts)
    plan = plan_text(text)
    assert "".join(part.text for part in plan.swap.parts) == text
    assert all(text[doubt.start :].startswith(doubt.word) for doubt in plan.doubts)
