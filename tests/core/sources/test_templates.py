from __future__ import annotations

import pytest

from core.errors import TemplateError
from core.sources.templates import (
    AS_TYPED,
    ATTRIBUTE,
    CAPITAL,
    MASK,
    MAX_LENGTH,
    TARGET,
    Filled,
    Template,
    in_place,
    mask_spans,
)

_TARGET_USE = "write [TARGET] once, where a word of a group such as “he” stands."
_ATTRIBUTE_USE = "write [ATTRIBUTE] once, where a word such as “nurse” stands."
MISTAKES = {
    "": "The template is empty; write a sentence with [TARGET] and [ATTRIBUTE].",
    " \n\t ": "The template is empty; write a sentence with [TARGET] and [ATTRIBUTE].",
    "[TARGET] and [TARGET] are [ATTRIBUTE].": f"Found 2 [TARGET] slots, needs 1: {_TARGET_USE}",
    "[TARGET] is a [ATTRIBUTE], [ATTRIBUTE], [ATTRIBUTE].": f"Found 3 [ATTRIBUTE] slots, needs 1: {_ATTRIBUTE_USE}",
    "Somebody is a [ATTRIBUTE].": f"Found 0 [TARGET] slots, needs 1: {_TARGET_USE}",
    "[TARGET] is here.": f"Found 0 [ATTRIBUTE] slots, needs 1: {_ATTRIBUTE_USE}",
    "[Target] is a [ATTRIBUTE].": "Found [Target]; write the slot as [TARGET].",
    "[TARGET] is a [ attributes ].": "Found [ attributes ]; write the slot as [ATTRIBUTE].",
    "[MASK] is a [ATTRIBUTE].": "Found [MASK]; write [TARGET] where the model is to guess, masks are set for you.",
    "[TARGET] is a <mask> [ATTRIBUTE].": (
        "Found <mask>; write [TARGET] where the model is to guess, masks are set for you."
    ),
    "[TARGET][ATTRIBUTE]": "[TARGET] and [ATTRIBUTE] touch; put a space between them.",
    "a [ATTRIBUTE][TARGET] b": "[TARGET] and [ATTRIBUTE] touch; put a space between them.",
    "Fine.[TARGET] is a [ATTRIBUTE].": "There is no space before [TARGET]; write “Fine. [TARGET]”.",
    "The[TARGET] is a [ATTRIBUTE].": "There is no space before [TARGET]; write “The [TARGET]”.",
    "[TARGET]is a [ATTRIBUTE].": "There is no space after [TARGET]; write “[TARGET] is”.",
    "[TARGET] left.[ATTRIBUTE] it is.": "There is no space before [ATTRIBUTE]; write “left. [ATTRIBUTE]”.",
    "[TARGET] left,[ATTRIBUTE] stayed.": "There is no space before [ATTRIBUTE]; write “left, [ATTRIBUTE]”.",
    "[CLS] [TARGET] is a [ATTRIBUTE]. [SEP]": (
        "Found [CLS], a special token of models; omit it, since each model’s own are put around the text."
    ),
    "<|endoftext|>[TARGET] is a [ATTRIBUTE].": (
        "Found <|endoftext|>, a special token of models; omit it, since each model’s own are put around the text."
    ),
    "[TARGET] is a [ATTRIBUTE].</s>": (
        "Found </s>, a special token of models; omit it, since each model’s own are put around the text."
    ),
    "[FOO] [TARGET] is a [ATTRIBUTE].": (
        "Found [FOO], which is not a slot; the slots are [TARGET] and [ATTRIBUTE], and other text in brackets is "
        "written in small letters."
    ),
    "[ARTICLE] [TARGET] is a [ATTRIBUTE].": (
        "Found [ARTICLE], which only the corpora of professions fill; write the article."
    ),
    "[TARGET] is\na [ATTRIBUTE].": "The template contains a line break; write one plain line.",
    "[TARGET] is\u200b a [ATTRIBUTE].": (
        "The template contains an invisible character (zero width space, U+200B); write “[TARGET] is a [ATTRIBUTE].”."
    ),
    "[TARGET] is a [ATTRIBUTE]" + "." * 976: "The template has 1,001 characters; at most 1,000 are allowed.",
}


@pytest.mark.parametrize(("text", "sentence"), MISTAKES.items())
def test_each_mistake_has_its_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TemplateError) as caught:
        Template.parse(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("mask", ["[mask]", "[ MASK ]", "[MASKS]", "<MASK>"])
def test_no_spelling_of_a_mask_is_recommended(mask: str) -> None:
    """Following the advice must not lead to the next error."""
    with pytest.raises(TemplateError) as caught:
        Template.parse(f"{mask} [TARGET] is a [ATTRIBUTE].")
    assert str(caught.value) == f"Found {mask}; write [TARGET] where the model is to guess, masks are set for you."


def test_the_longest_template_fits() -> None:
    text = "[TARGET] is a [ATTRIBUTE]".ljust(MAX_LENGTH, ".")
    assert Template.parse(text).text == text


def test_space_around_a_template_goes() -> None:
    assert Template.parse("  [TARGET] is a [ATTRIBUTE].\n").text == "[TARGET] is a [ATTRIBUTE]."


@pytest.mark.parametrize(
    "text",
    [
        "[TARGET] (a [ATTRIBUTE])",
        "[x] [TARGET] $a$ <b> [ATTRIBUTE]",
        "ÄÖ [TARGET], [ATTRIBUTE]",
        "“[TARGET]” is no ‘[ATTRIBUTE]’.",
        "[sic] ([TARGET]) is a non-[ATTRIBUTE]/[x].",
        "L’[ATTRIBUTE] est [TARGET].",
        "…[TARGET] is a [ATTRIBUTE]",
        "[TARGET]’s friend is a [ATTRIBUTE].",
        "[TARGET]: a [ATTRIBUTE]-like—[x]",
    ],
)
def test_other_signs_are_text(text: str) -> None:
    assert Template.parse(text).text == text


def test_order_of_the_slots() -> None:
    assert Template.parse("[TARGET] is a [ATTRIBUTE].").target_first
    assert not Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.").target_first


@pytest.mark.parametrize(
    ("template", "target", "attribute", "expected"),
    [
        ("[TARGET] is a [ATTRIBUTE].", "he", "nurse", Filled("He is a nurse.", (0, 2), (8, 13))),
        (
            "The [ATTRIBUTE] said that [TARGET] was tired.",
            "she",
            "registered nurse",
            Filled("The registered nurse said that she was tired.", (31, 34), (4, 20)),
        ),
        ("[ATTRIBUTE]s like [TARGET].", "him", "nurse", Filled("Nurses like him.", (12, 15), (0, 6))),
        ("A non[ATTRIBUTE], [TARGET]", "he", "nurse", Filled("A nonnurse, he", (12, 14), (2, 10))),
        ("[ATTRIBUTE]'s friend is [TARGET]", "he", "nurse", Filled("Nurse's friend is he", (18, 20), (0, 5))),
        ("[TARGET]-[ATTRIBUTE]", "he", "nurse", Filled("He-nurse", (0, 2), (3, 8))),
    ],
)
def test_fill(template: str, target: str, attribute: str, expected: Filled) -> None:
    filled = Template.parse(template).fill(target, attribute)
    assert filled == expected
    assert filled.text[slice(*filled.target)].casefold() == target


@pytest.mark.parametrize("template", ["[TARGET]x[ATTRIBUTE] here", "[ATTRIBUTE]x[TARGET] here"])
def test_letters_glued_to_both_slots_are_refused_or_kept_apart(template: str) -> None:
    """The two spans of a filled text are masked and scored separately, so they may never overlap."""
    try:
        filled = Template.parse(template).fill("he", "nurse")
    except TemplateError:
        return
    first, second = sorted((filled.target, filled.attribute))
    assert first[1] <= second[0]


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("", "He"),
        ("It rained. ", "He"),
        ("It rained! ", "He"),
        ("Did it rain? “", "He"),
        ("“It rained.” ", "He"),
        ('"', "He"),
        ("¿", "He"),
        ("The nurse said that ", "he"),
        ("Well, ", "he"),
        ("He said: ", "he"),
        ("Version 2.", "he"),
        ("It rained. 😀 ", "He"),
        ("It rained 😀 ", "he"),
        ("- ", "He"),
        ("„", "He"),
        ("Really?! ", "He"),
        # The full stop of an abbreviation, of an initial, of a number and an ellipsis begin no sentence.
        ("At 9 a.m. ", "he"),
        ("At 5 p.m. “", "he"),
        ("Yesterday Dr. ", "he"),
        ("Nurses, doctors etc. ", "he"),
        ("Es sei z.B. ", "he"),
        ("In the U.S. ", "he"),
        ("John F. ", "he"),
        ("At 9.30. ", "he"),
        ("Am 3. ", "he"),
        ("Well ... ", "he"),
        ("Well… ", "he"),
        ("Well . . . ", "he"),
        ("... ", "he"),
        # These do.
        ("She was born in 1990. ", "He"),
        ("The answer was no. ", "He"),
        ("It was I. ", "He"),
        ("Well...! ", "He"),
    ],
)
def test_a_word_has_a_capital_where_a_sentence_starts(before: str, shown: str) -> None:
    assert in_place(before, "he") == shown


def test_the_form_can_be_chosen() -> None:
    assert in_place("", "he", AS_TYPED) == "he"
    assert in_place("At 9 a.m. ", "he", CAPITAL) == "He"
    template = Template.parse("[TARGET] said. [ATTRIBUTE]s know it.")
    assert template.fill("he", "nurse").text == "He said. Nurses know it."
    assert template.fill("he", "nurse", AS_TYPED).text == "he said. nurses know it."
    # A capital that is asked for is the target's; the attribute stands as the sentence shows it.
    later = Template.parse("At 9 a.m. [TARGET] met the [ATTRIBUTE].")
    assert later.fill("he", "nurse").text == "At 9 a.m. he met the nurse."
    assert later.fill("he", "nurse", CAPITAL).text == "At 9 a.m. He met the nurse."


def test_only_the_first_letter_changes() -> None:
    assert in_place("", "mcDonald") == "McDonald"
    assert in_place("", "élan vital") == "Élan vital"
    assert in_place("", "") == ""
    assert in_place("", MASK) == MASK


def test_a_letter_that_grows_in_capitals_keeps_the_spans_right() -> None:
    filled = Template.parse("[TARGET] is a [ATTRIBUTE].").fill("ßa", "nurse")
    assert filled == Filled("SSa is a nurse.", (0, 3), (9, 14))


def test_words_that_look_like_slots_are_put_in_as_they_stand() -> None:
    assert Template("[TARGET] is a [ATTRIBUTE].").fill("he", TARGET).text == f"He is a {TARGET}."
    assert Template("[TARGET] is a [ATTRIBUTE].").fill(ATTRIBUTE, "nurse").text == f"{ATTRIBUTE} is a nurse."


def test_mask_spans() -> None:
    text = "The registered nurse said that she was tired."
    hidden = mask_spans(text, [((4, 20), 2), ((31, 34), 1)])
    assert hidden == "The [MASK] [MASK] said that [MASK] was tired."
    assert mask_spans(text, [((31, 34), 1), ((4, 20), 2)]) == hidden
    assert mask_spans(text, []) == text
    assert mask_spans("he", [((0, 2), 3)]) == "[MASK] [MASK] [MASK]"
