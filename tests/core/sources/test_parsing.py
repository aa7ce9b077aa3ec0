from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import WordListError
from core.result import Group
from core.sources.invisible import find_slip
from core.sources.parsing import (
    MAX_GROUPS,
    MAX_WORD_LENGTH,
    MAX_WORDS,
    format_groups,
    format_words,
    parse_groups,
    parse_words,
    tidy,
)

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))

# Few letters, among them all that separate or quote, so that collisions with the syntax are common.
TEXTS = st.text(st.sampled_from('ab,;:"| \t\n#é\u0301ſ\u037e'), max_size=8) | st.text(max_size=20)


def is_word(text: str) -> bool:
    """What the docstrings call a word, said another way than the code says it."""
    return (
        bool(text)
        and find_slip(text) is None
        and text.isprintable()
        and text == tidy(text)
        and "[" not in text
        and "<" not in text
    )


WORDS = TEXTS.map(tidy).filter(is_word)
NAMES = WORDS.filter(lambda name: ":" not in name and name.lower() != "the others")


@st.composite
def groups(draw):
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True))
    words = draw(st.lists(WORDS, min_size=len(names), max_size=12, unique=True))
    return tuple(Group(name, tuple(words[place :: len(names)])) for place, name in enumerate(names))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nurse", ("nurse",)),
        ("nurse, null, NA, None", ("nurse", "null", "NA", "None")),
        ("nurse\nnull\r\nNA\rNone\n", ("nurse", "null", "NA", "None")),
        ("nurse;engineer\tpilot", ("nurse", "engineer", "pilot")),
        ("nurse, engineer\npilot", ("nurse", "engineer", "pilot")),
        (" registered \u00a0 nurse ,, ,cook,", ("registered nurse", "cook")),
        ("cook, nurse, cook, Cook", ("cook", "nurse", "Cook")),
        ("Mu\u0308ller, M\u00fcller", ("M\u00fcller",)),
        ('"carpet, floor installer", "cook" ,nurse', ("carpet, floor installer", "cook", "nurse")),
        ('"say ""hi""", 12" pipe, "open', ('say "hi"', '12" pipe', '"open')),
        (
            "=1+1, -0.5, O'Brien, speech-language pathologist",
            ("=1+1", "-0.5", "O'Brien", "speech-language pathologist"),
        ),
    ],
)
def test_words(text, words):
    assert parse_words(text) == words


@pytest.mark.parametrize("text", ["", " \n,;\t", '""'])
def test_no_word_is_an_error(text):
    with pytest.raises(WordListError, match="at least one"):
        parse_words(text)


def test_limits_are_the_last_that_pass():
    longest = "x" * MAX_WORD_LENGTH
    assert parse_words(longest) == (longest,)
    with pytest.raises(WordListError, match=r"101 characters; at most 100 are allowed in a word"):
        parse_words(longest + "x")
    most = [f"w{number}" for number in range(MAX_WORDS)]
    assert len(parse_words(",".join(most))) == MAX_WORDS
    with pytest.raises(WordListError, match="10,001 words; at most 10,000 are allowed"):
        parse_words(",".join([*most, "one more"]))


@pytest.mark.parametrize("slot", ["[TARGET]", "[ATTRIBUTE]", "[MASK]", "[mask]", "<mask>"])
def test_slots_do_not_belong_in_words(slot):
    with pytest.raises(WordListError, match="belongs into a template"):
        parse_words(f"nurse, a {slot} b")


def test_invisible_characters_are_named():
    with pytest.raises(
        WordListError, match=r"“nur·se” contains an invisible character \(zero width space, U\+200B\); write “nurse”\."
    ):
        parse_words("cook, nur\u200bse")


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8, unique=True).map(tuple))
def test_words_come_back(words):
    assert parse_words(format_words(words)) == words


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | TEXTS)
def test_any_text_gives_words_that_stay(text):
    try:
        words = parse_words(text)
    except WordListError:
        return
    assert parse_words(format_words(words)) == words
    assert all(find_slip(word) is None and word == tidy(word) and 0 < len(word) <= MAX_WORD_LENGTH for word in words)


def test_groups():
    assert parse_groups("he\nshe") == HE_SHE
    assert parse_groups("\n he : he\n\nshe:she,\n") == HE_SHE
    assert parse_groups("men: he, man\nwomen: she; woman") == (
        Group("men", ("he", "man")),
        Group("women", ("she", "woman")),
    )
    assert parse_groups("he, man\nshe, woman\nthey")[1:] == (Group("she", ("she", "woman")), Group("they", ("they",)))
    assert parse_groups('ratio: "a:b", "c, d"\nx')[0] == Group("ratio", ("a:b", "c, d"))


def test_groups_are_written_short_where_they_can_be():
    assert format_groups(HE_SHE) == "he\nshe"
    assert format_groups((Group("men", ("he", "a, b")), Group("she", ("a:b",)))) == 'men: he, "a, b"\nshe: "a:b"'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Found 0 of at least 2 groups"),
        ("he, she", "Found 1 of at least 2 groups"),
        ("he\nhe: him", "2 groups are named “he”"),
        ("he: he\nshe:", "group on line 2 has no word"),
        ("he\n\n,", "group on line 3 has no word"),
        ("he: he\n: she", "Line 2 has no name before the colon"),
        ("m: he, they\nf: she, they", "“they” is in the groups “m” and “f”"),
        ("m: he, he, man\nf: she, her, woman", "“he” appears twice in the group “m”"),
        ("he\nThe others: she", "meaning of its own"),
        ("a: he: she\nb: it", "Line 1 has two colons"),
        ("b: it\na:he:she", "Line 2 has two colons"),
        ("he\nshe: </s>", "a special token of models"),
        ("he\nshe: [TARGET]", "belongs into a template"),
        ("he\n[MASK]: she", "plain group name"),
        ("he\ns\u200bhe", "invisible"),
    ],
)
def test_groups_that_cannot_be(text, message):
    with pytest.raises(WordListError, match=message.replace("[", r"\[")):
        parse_groups(text)


def test_number_of_groups_and_of_their_words_is_bounded():
    lines = [f"w{number}" for number in range(MAX_GROUPS + 1)]
    assert len(parse_groups("\n".join(lines[:-1]))) == MAX_GROUPS
    with pytest.raises(WordListError, match="Found 21 groups; at most 20 are allowed"):
        parse_groups("\n".join(lines))
    half = [",".join(f"{side}{number}" for number in range(MAX_WORDS // 2)) for side in "ab"]
    assert len(parse_groups("\n".join(half))) == 2
    with pytest.raises(WordListError, match="10,001 words"):
        parse_groups("\n".join([*half, "c"]))


@settings(max_examples=150, deadline=None)
@example((Group(";", (";",)), Group("0=", ("0=",))))
@given(groups())
def test_groups_come_back(drawn):
    assert parse_groups(format_groups(drawn)) == drawn
