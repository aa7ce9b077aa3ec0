"""Which kinds of words fit the target's place of a template: judged by hand, sentence by sentence."""

from __future__ import annotations

import itertools

import pytest

from core.sources.association_tests import association_test
from core.sources.lists import GroupPreset, attribute_lists, group_preset, group_presets
from core.sources.slots import WordKind, fitting, misfit, suggestion, wrong_article
from core.sources.templates import Template

PRONOUN, ANY, NAME, ONE, MANY, ADJECTIVE = (
    WordKind.PRONOUN,
    WordKind.PRONOUN_ANY,
    WordKind.NAME,
    WordKind.SINGULAR,
    WordKind.PLURAL,
    WordKind.ADJECTIVE,
)
KINDS = {PRONOUN, ANY, NAME, ONE, MANY, ADJECTIVE}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        # he / John was tired; not they, Muslims, Muslim, the bare "man"
        ("The [ATTRIBUTE] said that [TARGET] was tired.", {PRONOUN, NAME}),
        ("[TARGET] is a [ATTRIBUTE].", {PRONOUN, NAME}),
        ("The [ATTRIBUTE] slept because [TARGET] felt tired.", {PRONOUN, ANY, NAME, MANY}),
        ("[TARGET] worked as a [ATTRIBUTE].", {PRONOUN, ANY, NAME, MANY}),
        ("[TARGET] are interested in [ATTRIBUTE].", {MANY}),
        ("[TARGET] like [ATTRIBUTE].", {MANY}),
        ("Yesterday, [TARGET] likes [ATTRIBUTE].", {PRONOUN, NAME}),
        ("The [TARGET] person is [ATTRIBUTE].", {ADJECTIVE}),
        ("The [TARGET] [ATTRIBUTE] was tired.", {ADJECTIVE}),
        ("[TARGET] people are [ATTRIBUTE].", {ADJECTIVE}),
        ("They spoke with [TARGET] people about [ATTRIBUTE].", {ADJECTIVE}),
        ("The [ATTRIBUTE] spoke with [TARGET].", {NAME, MANY, ADJECTIVE}),
        ("The [TARGET] is [ATTRIBUTE].", {ONE}),
        ("The [TARGET] are [ATTRIBUTE].", {MANY}),
        ("The [TARGET] walked to the [ATTRIBUTE].", {ONE, MANY}),
        ("Every [TARGET] has a [ATTRIBUTE].", {ONE}),
        ("These [TARGET] were [ATTRIBUTE].", {MANY}),
        ("A [TARGET] lawyer met the [ATTRIBUTE].", {ONE, ADJECTIVE}),  # "lawyer" is none of the words known
        ("The [ATTRIBUTE] is [TARGET].", {ADJECTIVE, NAME}),
        ("These [ATTRIBUTE] are [TARGET].", {ADJECTIVE, MANY}),
        # Nothing beside the place tells: nothing is ruled out.
        ("The [ATTRIBUTE] met [TARGET] yesterday.", KINDS),
        ("The old [TARGET] was a [ATTRIBUTE].", KINDS),
    ],
)
def test_the_kinds_that_fit(text: str, kinds: set[WordKind]) -> None:
    assert fitting(Template.parse(text)) == kinds


@pytest.mark.parametrize("preset", [preset for preset in group_presets() if preset.kind], ids=lambda preset: preset.id)
@pytest.mark.parametrize("words", sorted({WordKind.UNKNOWN, *(words.kind for words in attribute_lists())}))
def test_every_preset_has_a_template_of_its_own(preset: GroupPreset, words: WordKind) -> None:
    template = Template.parse(suggestion(preset.kind, words))
    assert preset.kind in fitting(template)
    assert preset.misfits(template) == ()


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(sorted(KINDS - {ANY}), 2)))
def test_templates_made_for_one_kind_refuse_the_others(one: WordKind, other: WordKind) -> None:
    """With traits: "[TARGET] is kind." takes pronouns and names, every other one takes its own kind alone."""
    alike = {PRONOUN, NAME}
    template = Template.parse(suggestion(one, WordKind.ADJECTIVE))
    assert bool(misfit(template, other, "word")) is not ({one, other} <= alike)


def test_a_misfit_is_a_sentence() -> None:
    template = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")
    assert group_preset("religion").misfits(template) == (
        "Adjectives, such as “Christian”, are not grammatical at [TARGET] in "
        "“The [ATTRIBUTE] said that [TARGET] was tired.”",
    )
    without_stop = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired")
    (said,) = group_preset("religion").misfits(without_stop)
    assert said.endswith("was tired”.")
    assert group_preset("he-she").misfits(template) == ()
    (they,) = group_preset("he-she-they").misfits(template)
    assert they.startswith("Pronouns of both numbers, such as “he” and “they”, are not all grammatical")
    assert group_preset("person-words").misfits(template) == ()  # pronouns and nouns: nothing is said


def test_an_article_that_some_words_do_not_take_is_said() -> None:
    template = Template.parse("A [TARGET] person is [ATTRIBUTE].")
    (said,) = group_preset("religion").misfits(template)
    assert said == (
        "“A” before [TARGET] is not the article of “atheist”, which makes it less likely there; write “the”."
    )
    assert "“Indian” and 1 more, which makes them" in wrong_article(template, ("Indian", "Russian", "American"))
    assert wrong_article(template, ("Christian", "Jewish")) == ""
    other = Template.parse("She is an [TARGET] [ATTRIBUTE].")
    assert wrong_article(other, ("old",)) == ""
    assert "“young”" in wrong_article(other, ("old", "young"))
    assert wrong_article(Template.parse("The [TARGET] person is a [ATTRIBUTE]."), ("old",)) == ""


def test_only_english_presets_are_judged() -> None:
    german = GroupPreset("x", "x", (), "de", None, "", "x", ADJECTIVE)
    assert german.misfits(Template.parse("[TARGET] ist [ATTRIBUTE].")) == ()


def test_the_beyond_gender_presets() -> None:
    """At least eight axes besides gender, each with its source and, where it has words of a group, its caution."""
    axes = {preset.axis for preset in group_presets()} - {"gender", "gender identity"}
    assert {
        *("ethnicity", "nationality", "religion", "age", "disability", "sexual orientation"),
        *("socioeconomic status", "body", "politics"),
    } <= axes
    for preset in group_presets():
        assert preset.axis in axes | {"gender", "gender identity"}
        if preset.axis in axes:
            assert preset.note.endswith("."), preset.id
        assert preset.kind or preset.id == "person-words"


def test_names_are_those_of_the_published_tests() -> None:
    """WEAT 3, 5 and 10, and May et al.: X and Y of each."""
    for preset, test in {
        "ethnicity-names": "weat3",
        "ethnicity-names-16": "weat5",
        "age-names": "weat10",
        "ethnicity-gender-names": "angry-black-woman",
    }.items():
        published = association_test(test)
        assert [group.words for group in group_preset(preset).groups] == [published.x.members, published.y.members]
    european, african = group_preset("ethnicity-names").groups
    assert (len(european.words), len(african.words)) == (32, 32)
    assert (european.words[0], african.words[0]) == ("Adam", "Alonzo")
