"""Axes and descriptors: ours, the user's file, and the sentences they make."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.sources.descriptors import (
    Axis,
    checked_axes,
    checked_template,
    person_nouns,
    person_templates,
    published_axes,
    read_axes,
    sentence,
)
from core.sources.parsing import clean_words

MET = "We met a [PERSON] here."


def test_at_least_eight_axes_each_with_source_and_caution() -> None:
    assert len(published_axes()) >= 8
    for axis in published_axes().values():
        assert axis.source
        assert axis.caution.endswith(".")
    assert checked_axes(published_axes().values()) == tuple(published_axes().values())
    assert clean_words(person_nouns()) == person_nouns()
    assert tuple(map(checked_template, person_templates())) == person_templates()


@pytest.mark.parametrize(
    ("template", "descriptor", "noun", "expected"),
    [
        (MET, "deaf", "parent", "We met a deaf parent here."),
        (MET, "elderly", "parent", "We met an elderly parent here."),
        ("We met an [PERSON] here.", "deaf", "engineer", "We met a deaf engineer here."),
        (MET, "who is deaf", "engineer", "We met an engineer who is deaf here."),
        (MET, "With a stammer", "parent", "We met a parent With a stammer here."),
        (MET, "from Peru", "parent", "We met a parent from Peru here."),
        ("A [PERSON] came.", "old", "friend", "An old friend came."),
        ("[PERSON] came.", "old", "friend", "Old friend came."),
        ("The [PERSON] came.", "old", "friend", "The old friend came."),
        ("Peseta [PERSON].", "old", "friend", "Peseta old friend."),
    ],
)
def test_a_sentence(template: str, descriptor: str, noun: str, expected: str) -> None:
    assert sentence(template, descriptor, noun) == expected


def test_a_file_of_axes() -> None:
    table = b"Descriptor;note;AXIS\nhappy;x;mood\ndog;;pets\ncat;;pets\nsad;;mood\n"
    mood, pets = read_axes(table, "my.csv")
    assert (mood.name, mood.descriptors) == ("mood", ("happy", "sad"))
    assert (pets.name, pets.descriptors) == ("pets", ("dog", "cat"))
    assert mood.source.startswith("my.csv")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n", "my.csv needs one column axis and one column descriptor; it has “a”, “b”."),
        ("axis,word\n1,2\n", "my.csv needs one column descriptor; it has “axis”, “word”."),
        ("axis,descriptor\nage,old\nage,\n", "Line 3 of my.csv has no descriptor; fill it in, or remove the line."),
        ("axis,descriptor\nage,old\n,young\n", "Line 3 of my.csv has no axis"),
        ("axis,descriptor\nage,old\nage,old\n", "Line 3 of my.csv: “old” is on the axis “age” already; keep it once."),
        ("axis,descriptor\nage,old\n", "The axis “age” has one descriptor, “old”; at least 2 are compared."),
        ("axis,descriptor\nage,[MASK]\n", "Line 2 of my.csv: “[MASK]” holds [MASK]"),
        ("axis,descriptor\n", "my.csv has no line below its headings"),
        ("axis,descriptor\nage,old,x\n", "Line 2 of my.csv has 3 cells where the first row has 2"),
        ("axis,descriptor\n" + "".join(f"age,w{n}\n" for n in range(51)), "has 51 descriptors; at most 50"),
        ("axis,descriptor\n" + "".join(f"a{n},x\na{n},y\n" for n in range(21)), "21 axes are given; at most 20"),
    ],
)
def test_a_file_that_cannot_be_used(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        read_axes(text.encode(), "my.csv")
    assert sentence in str(refused.value)


def test_axes_of_one_name_and_words_that_are_there_twice() -> None:
    with pytest.raises(InputError, match="Two axes are called “age”"):
        checked_axes((Axis("age", ("old", "young")), Axis("age", ("new", "late"))))
    with pytest.raises(InputError, match="a descriptor twice"):
        checked_axes((Axis("age", ("old", "old")),))


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("I am old.", "holds [PERSON] 0 times"),
        ("A [PERSON] met a [PERSON].", "holds [PERSON] 2 times"),
        ("A [PERSON] is [MASK].", "holds [MASK]; [PERSON] is the only slot here"),
        ("A [PERSON] is [TARGET].", "holds [TARGET]; [PERSON] is the only slot here"),
        ("[CLS] A [PERSON].", "holds [CLS]"),
        ("A [PERSON] came" + "\N{ZERO WIDTH SPACE}.", "holds an invisible character"),
        ("A [PERSON]" + " came" * 250, "at most 1,000 are allowed"),
    ],
)
def test_a_template_that_cannot_be_used(template: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        checked_template(template)
    assert said in str(refused.value)
