from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import TemplateError, WordListError
from core.sources import own_test, read_test
from core.sources.association_tests import AssociationTest, WordSet
from core.sources.parsing import MAX_WORDS

X, Y, A, B = ("he", "him"), ("she", "her"), ("math", "logic"), ("dance", "art", "drama")
LIKES = "[TARGET] likes [ATTRIBUTE]."


def members(test):
    return tuple(words.members for _, words in test.sets)


def refused(call, sentence, error=WordListError):
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        call()


def test_four_lists():
    test = own_test(X, Y, A, B)
    assert members(test) == (X, Y, A, B)
    assert [words.name for _, words in test.sets] == ["X", "Y", "A", "B"]
    assert (test.id, test.level, test.lpbs, test.published, test.source) == ("own", "words", None, (), None)
    assert test.title == "Own lists: X, Y × A, B"
    assert test.templates.sentences("him", "X") == (
        ("This is him.", (8, 11)),
        ("That is him.", (8, 11)),
        ("There is him.", (9, 12)),
        ("It is him.", (6, 9)),
    )
    assert test.templates.spans("B") == ((8, 13), (8, 11), (8, 13))


def test_words_are_tidied_and_names_kept():
    test = own_test((" he ", "", "the  man"), Y, A, B, names=("men", "women", "numbers", "arts"))
    assert test.x == WordSet("men", ("he", "the man"))
    assert test.title == "Own lists: men, women × numbers, arts"


def test_design_of_own_templates():
    design = own_test(
        X, Y, A, B, names=("m", "f", "a", "b"), templates=(LIKES, f" {LIKES} "), group1=("he",), group2=("she", "they")
    ).lpbs
    assert design.groups == ("m", "f")
    assert [(frame.template, frame.group1, frame.group2) for frame in design.frames] == [
        (LIKES, ("he",), ("she", "they"))
    ]
    assert (design.fixed, design.permuted) == (("X", "Y"), ("A", "B"))
    assert design.partner_masked == (LIKES,)
    assert design.source is None


def test_a_word_may_be_target_and_attribute():
    assert own_test(X, Y, ("he",), B).a.members == ("he",)


def test_bad_lists():
    refused(lambda: own_test(X, ("", " "), A, B), "The set Y is empty; write at least one word.")
    refused(
        lambda: own_test(("he", "him", "he "), Y, A, B), "“he” appears more than once in the set X; keep each once."
    )
    refused(
        lambda: own_test(X, Y, ("a", "b", "b", "a"), B), "“a”, “b” appear more than once in the set A; keep each once."
    )
    refused(lambda: own_test(X, ("she", "him"), A, B), "“him” appears in both X and Y; keep each in one of them.")
    refused(
        lambda: own_test(X, Y, ("art", "math", "drama"), B),
        "“art”, “drama” appear in both A and B; keep each in one of them.",
    )
    many = tuple(f"w{number}" for number in range(7))
    refused(
        lambda: own_test(many, many, A, B),
        "“w0”, “w1”, “w2”, “w3”, “w4” and 2 more appear in both X and Y; keep each in one of them.",
    )
    refused(
        lambda: own_test(X, Y, A, ("[MASK]",)),
        "“[MASK]” holds [MASK], which belongs into a template; write a plain word.",
    )


def test_the_most_words():
    def of(count):
        return tuple(f"w{number}" for number in range(count))

    assert len(own_test(of(MAX_WORDS - 3), ("y",), ("a",), ("b",)).x.members) == MAX_WORDS - 3
    refused(
        lambda: own_test(of(MAX_WORDS - 2), ("y",), ("a",), ("b",)),
        "The four sets hold 10,001 words; at most 10,000 are allowed; take a part of them.",
    )


@pytest.mark.parametrize("names", [("X", "X", "A", "B"), ("X", "", "A", "B"), ("X", " X ", "A", "B")])
def test_names_are_told_apart(names):
    refused(
        lambda: own_test(X, Y, A, B, names=names),
        "The four sets need four different names; name each of X, Y, A and B.",
    )


def test_bad_designs():
    def own(**given):
        return lambda: own_test(X, Y, A, B, **given)

    refused(own(templates=(LIKES,)), "There is a template and no group words; write words for group 1 and group 2.")
    refused(
        own(group1=("he",), group2=("she",)),
        "There are group words and no template; write one with [TARGET] and [ATTRIBUTE].",
    )
    refused(own(templates=(LIKES,), group1=("he",)), "The group 2 is empty; write at least one word.")
    refused(
        own(templates=(LIKES,), group1=("he", "she"), group2=("she",)),
        "“she” appears in both group 1 and group 2; keep each in one of them.",
    )
    refused(
        own(templates=("He likes it.",), group1=("he",), group2=("she",)),
        "Found 0 [TARGET] slots, needs 1: write [TARGET] once, where a word of a group such as “he” stands.",
        TemplateError,
    )


EXPECTED = (("he", "him"), ("she",), ("math", "logic", "null"), ("NA",))


@pytest.mark.parametrize(
    "text",
    [
        "x,y,a,b\nhe,she,math,NA\nhim,,logic,\n,,null,\n",
        "X;Y;A;B\r\nhe;she;math;NA\r\nhim;;logic;\r\n;;null;\r\n",
        "b\ta\ty\tx\nNA\tmath\tshe\the\n\tlogic\t\thim\n\tnull\t\t\n",
        "note,x,y,a,b\n1,he,she,math,NA\n2,him,,logic,\n3,,,null,\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_read_named_columns(text, encoding):
    test = read_test(text.encode(encoding), "lists.csv")
    assert members(test) == EXPECTED
    assert [words.name for _, words in test.sets] == ["X", "Y", "A", "B"]


def test_read_columns_in_order():
    test = read_test("Männer|Frauen|Zahl|Kunst\nhe|she|math|NA\nhim||logic|\n||null|\n".encode("cp1252"), "lists.csv")
    assert members(test) == EXPECTED
    assert [words.name for _, words in test.sets] == ["Männer", "Frauen", "Zahl", "Kunst"]


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("he\nshe\n", "l.csv", "l.csv has 1 column (“he”); a test needs four: x, y, a and b."),
        ("x,y\nhe,she\n", "l.csv", "l.csv has 2 columns (“x”, “y”); a test needs four: x, y, a and b."),
        (
            "p,q,r,s,t\n1,2,3,4,5\n",
            "l.csv",
            "l.csv has 5 columns (“p”, “q”, “r”, “s”, “t”); a test needs four: x, y, a and b.",
        ),
        ("x,X,y,a,b\n1,2,3,4,5\n", "l.csv", "l.csv has more than one column “x”; keep one of them."),
        ("x,y,a,b\nhe,she,math,\n", "l.csv", "The set B is empty; write at least one word."),
        ("x,y,a,b\nhe,she,1,2\nhe,her,3,4\n", "l.csv", "“he” appears more than once in the set X; keep each once."),
        ("x,y,a,b\nhe,she,1,2\nher,he,3,4\n", "l.csv", "“he” appears in both X and Y; keep each in one of them."),
        ("p,p,r,s\n1,2,3,4\n", "l.csv", "The four sets need four different names; name each of X, Y, A and B."),
        ("x,y,a,b\n", "l.txt", "l.txt is plain text; a test is a CSV file with four columns: x, y, a and b."),
        ("", "l.csv", "l.csv is empty; write at least one word into it."),
    ],
)
def test_bad_files(text, name, sentence):
    refused(lambda: read_test(text.encode(), name), sentence)


pieces = st.lists(
    st.sampled_from(
        [b"x", b"y", b"a", b"b", b",", b";", b"\t", b"|", b"\n", b"\r\n", b'"', b" ", b"he", b"\xe9", b"\xff"]
    )
).map(b"".join)


@settings(deadline=None)
@given(data=st.one_of(st.binary(max_size=200), pieces, pieces.map(lambda tail: b"x,y,a,b\n" + tail)))
@pytest.mark.parametrize("name", ["l.csv", "l.tsv"])
def test_any_bytes_give_a_test_or_a_sentence(data, name):
    try:
        test = read_test(data, name)
    except WordListError as error:
        sentence = str(error)
    else:
        sentence = f"{test.title}."
        assert isinstance(test, AssociationTest)
        assert all(words.members and all(words.members) for _, words in test.sets)
        assert not set(test.x.members) & set(test.y.members)
    # A character that this Python does not know yet, a newer emoji say, is no slip.
    assert all(char.isprintable() or unicodedata.category(char) == "Cn" for char in sentence)
    assert sentence.endswith(".")
