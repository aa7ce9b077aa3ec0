from __future__ import annotations

import json
from collections import Counter

import pytest

from core.errors import WordListError
from core.sources import association_test, association_tests
from core.sources.lists import group_preset
from core.sources.parsing import clean_words
from core.sources.templates import Template
from tests.support.paths import ROOT
from tests.support.reference import digest, published_list, table

WORD_TESTS = [test for test in association_tests() if test.level == "words"]
SENTENCE_TESTS = [test for test in association_tests() if test.level == "sentences"]
KURITA = ("weat1", "weat3", "weat6", "weat7", "weat8")
REPRESENTATIONS = {"vectors", "partner-masked", "lpbs", "layer-11-mean"}


def test_what_is_on_offer():
    ids = [test.id for test in association_tests()]
    assert len(set(ids)) == len(ids)
    assert ids[:10] == [f"weat{number}" for number in range(1, 11)]
    assert Counter(test.level for test in association_tests()) == {
        "words": 10 + 5 + 2 + 2,  # Caliskan et al., the b tests of May et al., angry Black woman, double binds
        "sentences": 10 + 5 + 2 + 2 + 2 + 1,  # each of those, both double binds in one sentence, Irani et al.
    }
    for test in SENTENCE_TESTS:
        assert test.id.startswith("seat-") or test.id == "irani"


@pytest.mark.parametrize("test", association_tests(), ids=lambda test: test.id)
def test_every_test_is_clean_and_sourced(test):
    for _, words in test.sets:
        assert len(set(words.members)) == len(words.members)
        assert len(words.members) >= 6 or test.id.endswith("angry-black-woman-b")
        if test.level == "words":
            assert clean_words(words.members) == words.members
    assert len(test.x.members) == len(test.y.members)
    assert not set(test.x.members) & set(test.y.members)
    assert not set(test.a.members) & set(test.b.members)
    assert len({words.name for _, words in test.sets}) == 4
    assert test.title.endswith(f": {test.x.name}, {test.y.name} × {test.a.name}, {test.b.name}")
    assert test.source.paper
    assert test.source.place
    assert test.source.year in (2017, 2019, 2020)
    assert test.citation == f"{test.title}, {test.source}"
    assert test.note == "" or test.note.endswith(".")
    assert hash(test) == hash(association_test(test.id))


@pytest.mark.parametrize(
    ("axis", "tests"),
    [
        ("", {"weat1", "weat2"}),  # flowers and instruments are no people
        ("gender", {"weat6", "weat7", "weat8", "weat6b", "weat7b", "weat8b"}),
        ("ethnicity", {"weat3", "weat4", "weat5", "weat3b", "weat5b"}),
        ("ethnicity and gender", {"angry-black-woman", "angry-black-woman-b"}),
        ("age", {"weat10"}),
        ("health", {"weat9"}),
    ],
)
def test_the_axis_of_every_test(axis, tests):
    double_binds = {"double-bind-competent", "double-bind-likable"}
    found = {
        test.id.removeprefix("seat-").removesuffix("-sentence") for test in association_tests() if test.axis == axis
    }
    assert found - {"irani"} - double_binds == tests
    assert ("irani" in found) is (axis == "ethnicity")
    assert double_binds <= found or axis != "gender"


def test_tests_beyond_gender_have_their_caution():
    for test in association_tests():
        assert bool(test.caution) is (test.axis not in ("", "gender")), test.id
        assert test.choice == (f"{test.axis} · {test.title}" if test.axis else test.title)
    assert association_test("seat-weat10").caution == group_preset("age-names").note
    assert "First names carry class" in association_test("weat3").caution
    assert association_test("irani").caution.startswith("“white” and “black” are colours too")


def test_sources_by_family():
    assert {test.source.year for test in WORD_TESTS if test.id[4:].isdigit()} == {2017}
    assert {test.source.paper for test in association_tests() if test.id.startswith("seat-")} == {"May et al."}
    assert str(association_test("weat6").source) == "Caliskan, Bryson & Narayanan 2017, WEAT 6"
    assert association_test("weat6b").source.year == 2019
    assert str(association_test("irani").source) == "Irani et al. 2020, Appendix A.2"
    content = json.loads((ROOT / "assets" / "data" / "association_tests.json").read_text(encoding="utf-8"))
    assert "the papers named" in content["licence"]


@pytest.mark.parametrize(
    ("test_id", "sizes"),
    [
        ("weat1", (25, 25, 25, 25)),
        ("weat3", (32, 32, 25, 25)),
        ("weat6", (8, 8, 8, 8)),
        ("weat9", (6, 6, 7, 7)),
        ("angry-black-woman-b", (4, 4, 18, 18)),
        ("double-bind-likable", (8, 8, 8, 8)),
        # Count nouns give 8 + 6 sentences, mass nouns 4, adjectives 3, verbs 8. Pleasant: 12 × 14 + 8 × 4 + 5 × 3.
        # Unpleasant: 14 × 14 + 6 × 4 + 2 × 3 + 3 × 8.
        ("seat-weat1", (25 * 14, 25 * 14, 215, 250)),
        ("seat-weat2", (330, 330, 215, 250)),  # 20 of 350 sentences were dropped for 330 about weapons
        ("seat-weat6", (8 * 8, 8 * 8, 101, 112)),
        ("seat-weat9", (6 * 3, 18, 7 * 3, 5 * 3 + 2 * 4)),
        ("seat-double-bind-competent-sentence", (8, 8, 10, 10)),
        ("irani", (8, 8, 9 * 3, 9 * 3)),
    ],
)
def test_sizes(test_id, sizes):
    assert tuple(len(words.members) for _, words in association_test(test_id).sets) == sizes


@pytest.mark.parametrize("test", WORD_TESTS, ids=lambda test: test.id)
def test_every_word_stands_in_its_sentences(test):
    for letter, words in test.sets:
        for word in words.members:
            placed = test.templates.sentences(word, letter)
            assert len({item.text for item in placed}) == len(placed) >= 3
            for text, (start, end) in placed:
                assert text[start:end] in (word, word[:1].upper() + word[1:])
                assert (text[start:end] == word) or start == 0
                assert text[0].isupper()
                assert text.endswith(".")
                assert "{" not in text
                assert not text[start - 1 : start].isalnum()
                assert not text[end].isalnum()


@pytest.mark.parametrize("test", SENTENCE_TESTS, ids=lambda test: test.id)
def test_every_sentence_shows_its_word(test):
    for letter, words in test.sets:
        spans = test.templates.spans(letter)
        assert len(spans) == len(words.members)
        for text, (start, end) in zip(words.members, spans, strict=True):
            assert test.templates.sentences(text, letter) == ((text, (start, end)),)
            assert 0 <= start < end <= len(text)
            assert text[start:end].strip() == text[start:end]
            assert "{" not in text
            assert not text[start - 1 : start].isalnum()
            assert not text[end : end + 1].isalnum()


@pytest.mark.parametrize(("test_id", "words_id"), [("seat-weat6", "weat6"), ("seat-weat3b", "weat3b")])
def test_spans_are_the_words_or_their_plurals(test_id, words_id):
    test, words = association_test(test_id), association_test(words_id)
    spans = test.templates.spans("X")
    found = [text[start:end] for text, (start, end) in zip(test.x.members, spans, strict=True)]
    assert {item.removesuffix("s") if test_id == "seat-weat3b" else item for item in found} == set(words.x.members)


def test_spans_worked_by_hand():
    irani = association_test("irani").templates
    assert irani.sentences("This is a white person", "X") == (("This is a white person", (10, 15)),)
    double_bind = association_test("seat-double-bind-likable-sentence")
    assert double_bind.y.members[0] == "Amy is an engineer with superior technical skills."
    assert double_bind.templates.spans("Y")[0] == (0, 3)
    with pytest.raises(KeyError):
        irani.sentences("This is a white person", "Y")


@pytest.mark.parametrize("test_id", KURITA)
def test_kuritas_categories(test_id):
    test = association_test(test_id)
    design = test.lpbs
    assert {design.fixed, design.permuted} == {("X", "Y"), ("A", "B")}
    assert design.permuted == (("X", "Y") if test_id in ("weat7", "weat8") else ("A", "B"))
    for frame in design.frames:
        assert Template.parse(frame.template).text == frame.template
        assert len(frame.group1) == len(frame.group2) >= 1
    for template in design.partner_masked:
        assert Template.parse(template).target_first
    assert design.source.year == 2019
    assert "Kurita et al." in test.note


def test_group_1_is_the_first_sets():
    def said(test_id):
        design = association_test(test_id).lpbs
        return design.groups, [(frame.template, frame.group1, frame.group2) for frame in design.frames]

    assert said("weat1") == (
        ("flowers", "insects"),
        [
            ("[TARGET] are [ATTRIBUTE].", ("flowers",), ("insects",)),
            ("The [TARGET] is [ATTRIBUTE].", ("flower",), ("insect",)),
        ],
    )
    assert said("weat3")[0] == ("white", "black")  # European American first
    assert {frame[1:] for frame in said("weat3")[1]} == {(("white",), ("black",))}
    assert said("weat7") == said("weat8") == said("weat6")
    assert said("weat6")[0] == ("male", "female")
    assert [frame[1:] for frame in said("weat6")[1]] == [
        (("he",), ("she",)),
        (("boys", "men"), ("girls", "women")),
        (("he",), ("she",)),
    ]
    assert (association_test("weat6").x.name, association_test("weat7").a.name) == ("male names", "male terms")
    assert all(test.lpbs is None for test in association_tests() if test.id not in KURITA)


def test_published_values():
    flowers = association_test("weat1").published
    assert [(flower.representation, flower.model, flower.effect_size, flower.significant) for flower in flowers] == [
        ("vectors", "GloVe", 1.543, True),
        ("partner-masked", "bert-base-uncased", 0.6688, False),
        ("lpbs", "bert-base-uncased", 0.8744, True),
    ]
    bert, *_, hate = association_test("irani").published
    assert (bert.representation, bert.model, bert.effect_size, bert.p_value) == (
        "layer-11-mean",
        "BERT-base",
        -0.541,
        0.145,
    )
    assert (hate.model, hate.effect_size, hate.p_value) == ("Hate", 0.537, 0.147)
    for test in association_tests():
        assert bool(test.published) == (test.id in (*KURITA, "irani"))
        for item in test.published:
            assert item.representation in REPRESENTATIONS
            assert (item.p_value is None) != (item.significant is None)
            assert str(item.source) in ("Kurita et al. 2019, Table 3", "Irani et al. 2020, Table I")


def test_unknown_id_names_the_nearest_and_how_to_list():
    with pytest.raises(WordListError) as caught:
        association_test("iranni")
    assert str(caught.value) == ("There is no association test “iranni”. Did you mean irani?")
    with pytest.raises(WordListError, match=r"“zzxq”\. “python -m core association --help” names all 41\."):
        association_test("zzxq")
    with pytest.raises(WordListError, match=r"Did you mean .*weat1\b"):
        association_test("waet1")


def test_tests_are_read_once():
    assert association_tests() is association_tests()


@pytest.mark.parametrize(("paper", "count"), [("weat", 15), ("may", 25), ("irani", 1)])
def test_sets_equal_the_published_ones(paper, count):
    """Of May et al. all but the double binds whose sentences are the running text of a study: 1, 1- and 1+3-."""
    published = table("association_sets").query("paper == @paper")
    assert published["test"].nunique() == count
    assert len(published) == 4 * count
    for _, name, letter, members, of_all in published.itertuples(index=False):
        ours = dict(association_test(name).sets)[letter].members
        assert (len(ours), digest(ours)) == (members, of_all), (name, letter)


def test_every_test_is_a_published_one():
    assert {test.id for test in association_tests()} == set(table("association_sets")["test"])


def test_published_values_are_the_printed_ones():
    rows = [
        (name, item.representation, item.effect_size, item.significant)
        for name in KURITA
        for item in association_test(name).published
    ]
    assert rows == list(table("kurita_table_3").itertuples(index=False, name=None))


@pytest.mark.parametrize("name", KURITA)
def test_words_and_templates_are_those_of_kuritas_tables(name):
    test = association_test(name)
    words = sorted({word for frame in test.lpbs.frames for word in frame.group1 + frame.group2})
    templates = [paper(frame.template).removesuffix(".") for frame in test.lpbs.frames]
    partners = [paper(template) for template in test.lpbs.partner_masked]
    for what, ours in (
        ("group words", words),
        ("templates of LPBS", templates),
        ("templates of a masked partner", partners),
    ):
        assert (len(ours), digest(ours)) == published_list(f"{name} {what}"), what


def paper(template):
    """A template as the paper writes it."""
    return template.replace("[TARGET]", "T").replace("[ATTRIBUTE]", "A").replace("The ", "the ")
