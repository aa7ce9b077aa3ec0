"""The form in which a word is scored: with a capital where a sentence begins, as typed, or as chosen."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers import BertForMaskedLM, BertTokenizer

from core.engine.checkpoints import ModelRequest, fetch
from core.engine.loading import LoadedModel, load
from core.measures.lpbs.compute import explain
from core.result import Group
from core.sources.templates import Template
from tests.support.lpbs import run, spec_of
from tests.support.tiny import tiny_folder

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
AT_NINE = Template.parse("At 9 a.m. [TARGET] met the [ATTRIBUTE].")


def loaded(family: str) -> LoadedModel:
    """A tiny model."""
    return load(fetch(ModelRequest(str(tiny_folder(family)))), device="cpu")


@pytest.fixture(scope="module")
def cased() -> LoadedModel:
    return loaded("bert-cased")


def by_brute_force(first: str, second: str) -> float:
    """LPBS of nurse, by two calls of transformers alone."""
    folder = tiny_folder("bert-cased")
    tokenizer, model = BertTokenizer.from_pretrained(folder), BertForMaskedLM.from_pretrained(folder).eval()

    def ln_p(text: str) -> Any:
        encoding = tokenizer(text, return_tensors="pt")
        place = int((encoding["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0])
        with torch.inference_mode():
            return torch.log_softmax(model(**encoding).logits[0, place].double(), dim=-1)

    present, prior = ln_p("At 9 a.m. [MASK] met the nurse."), ln_p("At 9 a.m. [MASK] met the [MASK].")
    ids = [tokenizer.get_vocab()[word] for word in (first, second)]
    return float((present[ids[0]] - prior[ids[0]]) - (present[ids[1]] - prior[ids[1]]))


@pytest.mark.parametrize(
    ("form", "words", "value"),
    [("sentence", ("he", "she"), -0.0269), ("typed", ("he", "she"), -0.0269), ("capital", ("He", "She"), -0.1067)],
)
def test_an_abbreviation_begins_no_sentence(
    cased: LoadedModel, form: str, words: tuple[str, str], value: float
) -> None:
    result = run([cased], [AT_NINE], HE_SHE, ["nurse"], {"form": form})
    assert by_brute_force(*words) == pytest.approx(value, abs=5e-5)
    assert result["attributes"]["lpbs"][0] == pytest.approx(by_brute_force(*words), abs=1e-5)
    assert result["targets"]["form"].tolist() == list(words)
    assert result["targets"]["target"].tolist() == ["he", "she"]


def test_as_typed_keeps_small_letters_where_a_sentence_begins(cased: LoadedModel) -> None:
    template = Template.parse("[TARGET] is a [ATTRIBUTE].")
    shown, typed = (run([cased], [template], HE_SHE, ["nurse"], {"form": form}) for form in ("sentence", "typed"))
    assert shown["targets"]["form"].tolist() == ["He", "She"]
    assert typed["targets"]["form"].tolist() == ["he", "she"]
    assert shown["attributes"]["lpbs"][0] != pytest.approx(typed["attributes"]["lpbs"][0], abs=1e-6)
    # Words that are typed with a capital give, as typed, what the sentence shows.
    capitals = (Group("he", ("He",)), Group("she", ("She",)))
    same = run([cased], [template], capitals, ["nurse"], {"form": "typed"})
    assert same["attributes"]["lpbs"][0] == shown["attributes"]["lpbs"][0]


def test_the_attribute_too_has_its_form(cased: LoadedModel) -> None:
    template = Template.parse("[ATTRIBUTE]s know [TARGET].")
    texts = [
        explain(cased, template, "nurse", spec_of([template], HE_SHE, ["nurse"], form=form)).asked[0][1]
        for form in ("sentence", "typed", "capital")
    ]
    assert texts == ["Nurses know [MASK].", "nurses know [MASK].", "Nurses know [MASK]."]
