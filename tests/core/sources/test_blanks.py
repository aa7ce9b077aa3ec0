"""Templates with a blank, and the words they are tried on."""

from __future__ import annotations

import pytest

from core.errors import OptionError, TemplateError
from core.result import Group
from core.sources.blanks import (
    MAX_TEMPLATES,
    BlankTemplate,
    delobelle_words,
    own_templates,
    template_set,
    template_sets,
)
from core.sources.templates import MASK, MAX_LENGTH
from tests.support.reference import digest, published_list


def texts(name: str) -> list[str]:
    return [template.text for template in template_set(name).templates]


def test_the_sets_and_the_ids_of_their_templates() -> None:
    numbers = {"delobelle": ("T", 11), "becpro": ("B", 5), "disco": ("D", 14), "vig": ("V", 17)}
    assert [entry.id for entry in template_sets()] == list(numbers)
    for item in template_sets():
        letter, count = numbers[item.id]
        assert [template.id for template in item.templates] == [f"{letter}{place}" for place in range(1, count + 1)]
        assert item.citation.startswith("Delobelle et al. 2022, ")
        assert all(template.text.count("_") == 1 for template in item.templates)
        assert all(template.source[-4:].isdecimal() for template in item.templates)


def test_the_templates_are_those_of_the_paper() -> None:
    """The paper writes X for the word, and BEC-Pro's templates Y for the mask."""
    with_x = {
        name: [text.replace("The _", "X").replace("the _", "X") for text in texts(name)] for name in ("becpro", "disco")
    }
    for name, ours in {
        "delobelle": [f"{template.id} {template.text}" for template in template_set("delobelle").templates],
        "becpro": [text.replace(MASK, "Y") for text in with_x["becpro"]],
        "disco": with_x["disco"],
        "vig": texts("vig"),
    }.items():
        assert (len(ours), digest(ours)) == published_list(f"{name} templates"), name


def test_every_sentence_starts_with_a_capital_before_it_is_lowered() -> None:
    assert all(
        template.text[0].isupper() or template.text.startswith(MASK)
        for group in template_sets()
        for template in group.templates
    )


@pytest.mark.parametrize(
    ("text", "word", "sentence"),
    [
        ("This is the _.", "Nurse", "this is the nurse."),
        ("The _ is a [MASK].", "woman", "the woman is a [MASK]."),
        ("[MASK] was the _'s major at college.", "aunt", "[MASK] was the aunt's major at college."),
        ("_ said that", "İda", "i̇da said that"),
    ],
)
def test_a_sentence_is_lower_case_and_knows_its_word(text: str, word: str, sentence: str) -> None:
    placed = BlankTemplate("T", text, "").sentence(word)
    assert placed.text == sentence
    assert placed.text[slice(*placed.span)] == word.lower()


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("This is the _.", ("this is the [MASK].", 0)),
        ("The _ is a [MASK].", ("the [MASK] is a [MASK].", 0)),
        ("[MASK] was the _'s major at college.", ("[MASK] was the [MASK]'s major at college.", 1)),
        ("[MASK] and [MASK] saw the _ and [MASK].", ("[MASK] and [MASK] saw the [MASK] and [MASK].", 2)),
    ],
)
def test_the_blank_is_a_mask_among_the_masks(text: str, masked: tuple[str, int]) -> None:
    assert BlankTemplate("T", text, "").masked() == masked


def test_an_unknown_set_lists_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"no set of templates “T1”\. There are: delobelle, becpro, disco, vig"):
        template_set("T1")


def test_own_templates_are_numbered_and_count_once() -> None:
    found = own_templates("\n  A  _ here. \r\nThe _ is a [MASK].\n\nA _ here.\n")
    assert [(item.id, item.text) for item in found] == [("own 1", "A _ here."), ("own 2", "The _ is a [MASK].")]
    assert {entry.source for entry in found} == {"the user's own"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n\n", "There is no template; write one per line, such as “This is the _.”."),
        ("The _ is here.\nThe nurse is here.", "Line 2 has 0 blanks, needs 1: write one “_” where the word stands."),
        ("The __ is here.", "Line 1 has 2 blanks, needs 1: write one “_” where the word stands."),
        ("\nThe _ is [TARGET].", "Line 2 holds [TARGET]; write “_” where the word stands, [MASK] where one is hidden."),
        ("The _ is <mask>.", "Line 1 holds <mask>; write “_” where the word stands, [MASK] where one is hidden."),
        ("The _ is [mask].", "Line 1 holds [mask]; write “_” where the word stands, [MASK] where one is hidden."),
        (
            "The _\u200b is here.",
            "Line 1 contains an invisible character (zero width space, U+200B); write “The _ is here.”.",
        ),
        ("_" + "x" * MAX_LENGTH, "Line 1 has 1,001 characters; at most 1,000 are allowed."),
        (
            "\n".join(f"The _ {i}." for i in range(MAX_TEMPLATES + 1)),
            "There are 101 templates; at most 100 are allowed.",
        ),
    ],
)
def test_own_templates_that_cannot_be_used(text: str, said: str) -> None:
    with pytest.raises(TemplateError) as caught:
        own_templates(text)
    assert str(caught.value) == said


def test_the_words_are_those_of_the_appendix() -> None:
    words = delobelle_words()
    for groups, name, count in (((words.x, words.y), "professions", 30), ((words.a, words.b), "targets", 8)):
        for group, gender in zip(groups, ("female", "male"), strict=True):
            assert (len(group.words), digest(group.words)) == published_list(f"{name} {gender}")
        assert all(isinstance(group, Group) and len(set(group.words)) == count for group in groups)
        assert not set(groups[0].words) & set(groups[1].words)


def test_the_words_name_themselves_and_their_source() -> None:
    words = delobelle_words()
    groups = (words.x, words.y, words.a, words.b)
    assert [group.name for group in groups] == ["female professions", "male professions", "female words", "male words"]
    assert words.citations == ("Delobelle et al. 2022, appendix B.1", "Delobelle et al. 2022, appendix B.2")
