from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.gender import FoundWords, counterparts, find_words, gender_sources, occupations
from core.sources.lists import attribute_list, read_json
from tests.support.reference import table

NOUNS = [tuple(pair) for pair in read_json("gender_words.json")["nouns"]]


def words(text: str) -> tuple[list[str], list[str], list[str]]:
    """(male, female, occupations) as they stand in the text."""
    found = find_words(text)
    male, female, jobs = (
        [text[start:end] for start, end in spans] for spans in (found.male, found.female, found.occupations)
    )
    return male, female, jobs


def test_spans_are_characters_and_the_last_occupation_counts() -> None:
    text = "The doctor told her nurse that he left."
    assert find_words(text) == FoundWords(male=((31, 33),), female=((16, 19),), occupations=((4, 10), (20, 25)))
    assert find_words(text).occupation == (20, 25)
    assert find_words("He left.").occupation is None
    assert find_words("") == FoundWords((), (), ())


@pytest.mark.parametrize(
    ("text", "male", "female", "jobs"),
    [
        ("The boy's nurse saw the girls’ teacher.", ["boy"], ["girls"], ["nurse", "teacher"]),
        ("HE, She and HERSELF", ["HE"], ["She", "HERSELF"], []),
        ("He's here; she'd come.", ["He"], ["she"], []),
        ("The nursery, theme, sheriffs and hiss", [], [], ["sheriffs"]),
        ("A registered nurse and a nurse", [], [], ["registered nurse", "nurse"]),
        ("Registered  nurses met", [], [], ["Registered  nurses"]),
        ("registered, nurse", [], [], ["nurse"]),
        ("A speech-language pathologist", [], [], ["speech-language pathologist"]),
        ("Secretaries, coaches, CEOs and salespeople", [], [], ["Secretaries", "coaches", "CEOs", "salespeople"]),
        ("two directors of religious activities", [], [], ["directors of religious activities"]),
        ("the attorneys and the bus mechanics", [], [], ["attorneys", "bus mechanics"]),
        ("Her co-worker, a taxi-driver", [], ["Her"], ["worker", "driver"]),
        ("The waitress, the actors and a policeman", ["actors", "policeman"], ["waitress"], []),
        ("Her father-in-law and her father", ["father-in-law", "father"], ["Her", "her"], []),
        ("her father in law school", ["father"], ["her"], []),
        ("_His_ fiancée", ["His"], ["fiancée"], []),
        ("Mr. and Mrs. Miller", ["Mr"], ["Mrs"], []),
        ("John and Mary are here", [], [], []),
    ],
)
def test_what_is_found(text: str, male: list[str], female: list[str], jobs: list[str]) -> None:
    assert words(text) == (male, female, jobs)


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("The cook said that she cooks for him.", ["cook"]),
        ("They judge the man who coaches her.", []),
        ("He wants to nurse his wife and will guard her.", []),
        ("She'll doctor the figures.", []),
        # No verbs: the noun needs an s after "to", or is none of the forms that verbs share.
        ("He spoke to nurses and to teacher trainers.", ["nurses", "teacher"]),
        ("Is he, judge, a guard to her?", ["judge", "guard"]),
    ],
)
def test_a_verb_is_no_occupation(text: str, jobs: list[str]) -> None:
    assert words(text)[2] == jobs


@pytest.mark.parametrize("text", ["ſhe", "\u212aing of İstanbul", "hİs", "ŉhe", "ßir"])
def test_letters_that_change_length_or_kin_in_lower_case(text: str) -> None:
    """A long s reads as s and a Kelvin sign as k; a dotted capital I is two characters in lower case: no "his"."""
    male, female, _ = words(text)
    assert (male, female) == {
        "ſhe": ([], ["ſhe"]),
        "\u212aing of İstanbul": (["\u212aing"], []),
    }.get(text, ([], []))


@given(st.lists(st.sampled_from(["she", "father-in-law", "registered nurse", "x", "-", " ", ", ", "'s", "cooks", "İ"])))
def test_spans_are_in_order_apart_and_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = find_words(text)
    for spans in (found.male, found.female, found.occupations):
        assert list(spans) == sorted(spans)
    every = sorted(found.male + found.female + found.occupations)
    assert all(first[1] <= second[0] for first, second in pairwise(every))
    for start, end in every:
        assert not text[:start][-1:].isalnum()
        assert not text[end:][:1].isalnum()


def test_each_noun_stands_in_one_pair_and_is_no_occupation() -> None:
    count = Counter(word for pair in NOUNS for word in pair)
    assert set(count.values()) == {1}
    assert len(NOUNS) > 60
    assert all(word == word.lower() for word in count)
    assert not set(occupations()) & set(count)
    for male, female in NOUNS:
        assert words(f"a {male}, a {female}") == ([male], [female], [])


def test_counterparts_go_both_ways() -> None:
    table = counterparts()
    assert table["her"] == ("his", "him")
    assert table["his"] == ("her", "hers")
    assert [table[word] for word in ("he", "she", "him", "hers", "himself", "men")] == [
        *(("she",), ("he",), ("her",), ("his",), ("herself",), ("women",)),
    ]
    assert all(word in table[other] for word, others in table.items() for other in others)
    assert all(len(others) == 1 for word, others in table.items() if word not in ("her", "his"))


def test_occupations_are_the_union_of_the_lists() -> None:
    found = occupations()
    assert len(found) == len(set(found)) == 309  # 127 in the three lists together and 182 of Bolukbasi's
    for list_id in ("professions", "winobias", "winogender"):
        assert set(attribute_list(list_id).words) <= set(found)
    for word in found:
        assert words(f"the {word}.")[2] == [word]


def test_irregular_words_are_occupations() -> None:
    data = read_json("occupations.json")
    assert set(data["plurals"]) | set(data["also_verbs"]) <= set(occupations())
    assert all(data["further"][i] < data["further"][i + 1] for i in range(len(data["further"]) - 1))


def test_sources() -> None:
    cited = [source.paper for source in gender_sources()]
    assert cited[0] == "Li et al."
    assert {"Bartl, Nissim & Gatt", "Rudinger et al.", "Bolukbasi et al."} <= set(cited)
    assert len({str(source) for source in gender_sources()}) == len(cited)


def test_words_are_those_of_the_published_lists() -> None:
    rated = table("occupation_gender").set_index("occupation")["definitional_gender"]
    for word in read_json("occupations.json")["further"]:
        assert abs(rated[word.replace("-", " ")]) < 0.4
    published = {frozenset(pair) for pair in table("noun_pairs")[["male", "female"]].itertuples(index=False)}
    added = [male for male, female in NOUNS if frozenset((male, female)) not in published]
    singular = {male.replace("men", "man").replace("s-in", "-in").removesuffix("s") for male in added}
    new = {"salesman", "stepbrother", "brother-in-law", "fiancé"}
    assert new <= singular
    assert all(
        frozenset((word, counterparts()[word][0])) in published for word in singular - new
    )  # only a plural is new
