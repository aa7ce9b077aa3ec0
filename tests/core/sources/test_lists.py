from __future__ import annotations

import pytest

from core.errors import WordListError
from core.result import Group
from core.sources.lists import attribute_list, attribute_lists, group_preset, group_presets
from core.sources.parsing import clean_words, format_groups, parse_groups
from tests.support.reference import digest, table

WINOBIAS_FEMALE_AND_MALE = 20 + 20  # Zhao et al. 2018 balance the two halves


@pytest.mark.parametrize("words", attribute_lists(), ids=lambda words: words.id)
def test_every_list_is_clean_and_sourced(words):
    assert clean_words(words.words) == words.words  # no duplicate, nothing invisible, nothing to tidy
    assert words.title.startswith(f"{len(words.words)} ")
    assert words.source.paper
    assert words.source.place
    assert 2000 < words.source.year < 2030
    assert words.licence
    assert words.language == "en"
    assert words.noun_singular
    assert words.noun_plural
    assert words.note == "" or words.note.endswith(".")


@pytest.mark.parametrize("preset", group_presets(), ids=lambda preset: preset.id)
def test_every_preset_is_what_a_user_could_type(preset):
    assert parse_groups(format_groups(preset.groups)) == preset.groups
    assert len({len(group.words) for group in preset.groups}) == 1  # pairs by position
    assert 2000 < preset.source.year < 2030


def test_ids_are_unique():
    for entries in (attribute_lists(), group_presets()):
        assert len({entry.id for entry in entries}) == len(entries)


@pytest.mark.parametrize(
    ("list_id", "count"),
    [
        ("professions", 60),
        ("winobias", WINOBIAS_FEMALE_AND_MALE),
        ("winogender", 60),
        ("bolukbasi", 320),
        ("traits-positive", 230),
        # 365 lines, less 110 neutral ones, one line split in three
        ("traits-negative", 365 - 110 + 2),
        ("weat-pleasant-unpleasant", 25 + 25),
        ("weat-pleasant-unpleasant-short", 8 + 8),
        ("weat-career-family", 8 + 8),
        ("weat-math-arts", 8 + 8),
        ("weat-science-arts", 8 + 8),
        ("weat-flowers-insects", 25 + 25),
        ("weat-instruments-weapons", 25 + 25),
        ("weat-mental-physical", 6 + 6),
        ("weat-temporary-permanent", 7 + 7),
    ],
)
def test_counts(list_id, count):
    assert len(attribute_list(list_id).words) == count


def test_words_that_are_easily_lost():
    assert {"NASA", "Einstein", "Shakespeare"} <= set(attribute_list("weat-science-arts").words)
    assert "CEO" in attribute_list("winobias").words
    negative = attribute_list("traits-negative").words
    assert {"indecisive", "indulgent", "inert", "easily discouraged"} <= set(negative)
    assert {"aggressive"} == {"absentminded", "aggressive", "whimsical"} & set(negative)  # neutral ones are out
    assert all(word == word.lower() for word in negative + attribute_list("traits-positive").words)
    assert attribute_list("weat-career-family").words[::8] == ("executive", "home")  # career first, then family


def test_bolukbasi_s_professions_are_the_published_ones():
    """320 lines of the authors' data/professions.json, words joined by underscores there, by their digest."""
    words = attribute_list("bolukbasi").words
    assert digest(word.replace(" ", "_") for word in words) == "a845c4a59a9b3658"
    assert {"taxi driver", "actress", "registered nurse"} <= set(words)


def test_presets():
    assert group_preset("he-she").groups == (Group("he", ("he",)), Group("she", ("she",)))
    assert [group.name for group in group_preset("he-she-they").groups] == ["he", "she", "they"]
    male, female = group_preset("person-words").groups
    assert list(zip(male.words, female.words, strict=True))[-1] == ("dad", "mom")
    assert len(male.words) == 9
    assert [len(group.words) for group in group_preset("names").groups] == [8, 8]


def test_citation_is_one_line():
    assert attribute_list("professions").citation == (
        "60 professions (BEC-Pro), Bartl, Nissim & Gatt 2020, BEC-Pro corpus"
    )
    assert group_preset("he-she").citation == "gender: he / she, Kurita et al. 2019, Table 2"


def test_unknown_id_names_the_nearest_or_all():
    with pytest.raises(WordListError, match=r"no word list “profesions”\. Did you mean professions"):
        attribute_list("profesions")
    with pytest.raises(WordListError, match=r"no preset of groups “zzxq”\. There are: he-she, men-women"):
        group_preset("zzxq")


def test_lists_are_read_once():
    assert attribute_lists() is attribute_lists()
    assert group_presets() is group_presets()


@pytest.mark.parametrize(
    ("list_id", "name"), [("professions", "becpro"), ("winobias", "winobias"), ("winogender", "winogender")]
)
def test_occupations_equal_the_reference(list_id, name):
    published = table("occupation_shares").query("list == @name")
    assert attribute_list(list_id).words == tuple(published["occupation"])
