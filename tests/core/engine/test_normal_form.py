"""Texts that are one to a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.engine.normal_form import normal_form, same_input
from core.sources.templates import MASK
from tests.support import tiny_tokenizers


def test_an_uncased_bert_drops_case_and_accents_but_keeps_what_it_cannot_drop() -> None:
    tokenizer = tiny_tokenizers.bert()
    assert normal_form(tokenizer, "Grüner") == "gruner"
    assert normal_form(tokenizer, " Außenseiter ") == "außenseiter"  # casefold would write "aussenseiter"
    assert normal_form(tokenizer, "schwül") == normal_form(tokenizer, "Schwul")


def test_a_cased_bert_keeps_both() -> None:
    tokenizer = tiny_tokenizers.bert_cased()
    assert normal_form(tokenizer, "Grüner") == "Grüner"


@pytest.mark.parametrize("make", [tiny_tokenizers.roberta, tiny_tokenizers.xlm_roberta, tiny_tokenizers.albert])
def test_other_kinds_show_no_marker(make: Callable[[], Any]) -> None:
    assert normal_form(make(), "nice nurse") == "nice nurse"


def test_texts_that_are_one_input_point_to_the_first() -> None:
    """By hand: 0 and 2 differ by case, 3 and 4 are unknown both, 1 and 5 stand alone."""
    texts = ["the nurse", "the engineer", "The Nurse", "the 🚒", "the 🚜", f"the {MASK}"]
    assert same_input(tiny_tokenizers.bert(), texts) == [0, 1, 0, 3, 3, 5]
    cased = tiny_tokenizers.bert_cased()
    assert same_input(cased, ["the nurse", "the Nurse"]) == [0, 1]
    assert same_input(cased, []) == []
