"""The tiny models must be what the other tests take them for: loadable, complete, telling pieces apart."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.support.tiny import CASED, CAUSAL, HEADLESS, MASKED, RECIPES, build, tiny_folder

SWALLOWS_THE_SPACE = ("albert", "roberta", "xlm-roberta", "mpnet", "modernbert")


@functools.cache
def load(family: str) -> tuple[Any, Any, dict[str, Any]]:
    folder = tiny_folder(family)
    auto = AutoModelForCausalLM if family in CAUSAL else AutoModelForMaskedLM
    model, info = auto.from_pretrained(
        folder, local_files_only=True, use_safetensors=True, trust_remote_code=False, output_loading_info=True
    )
    return AutoTokenizer.from_pretrained(folder, local_files_only=True), model.eval(), info


def inside(tokenizer: Any, word: str) -> list[int]:
    """The ids between those of "that" and "was", which the word does not change."""
    ids = tokenizer(f"The man said that {word} was tired.").input_ids
    he = tokenizer("The man said that he was tired.").input_ids
    she = tokenizer("The man said that she was tired.").input_ids
    place = next(i for i in range(len(he)) if he[i] != she[i])
    after = len(he) - place - 1
    assert ids[:place] == he[:place]
    assert ids[len(ids) - after :] == he[place + 1 :]
    return list(ids[place : len(ids) - after])


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_loads_complete(family: str) -> None:
    _, model, info = load(family)
    assert not info["missing_keys"]
    assert not info["mismatched_keys"]
    assert not info["unexpected_keys"]
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


@pytest.mark.parametrize("family", HEADLESS)
def test_a_headless_checkpoint_lacks_its_head(family: str) -> None:
    assert load(family)[2]["missing_keys"]


def test_every_family_has_its_kind() -> None:
    assert {*MASKED, *CAUSAL, *HEADLESS, "bert-wrong-case"} == set(RECIPES)


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_words_have_the_pieces_the_tests_rely_on(family: str) -> None:
    tokenizer = load(family)[0]
    for word in ("he", "she", "nurse", "engineer", "chairman"):
        assert len(inside(tokenizer, word)) == 1, word
    assert len(inside(tokenizer, "chairwoman")) > 1
    capitalised = tokenizer.tokenize("Engineer works.")
    assert (capitalised[0].strip("▁Ġ") == "engineer") == (family not in CASED)


def test_chairwoman_is_chair_and_woman_in_word_pieces() -> None:
    assert load("bert")[0].tokenize("the chairwoman") == ["the", "chair", "##woman"]


@pytest.mark.parametrize("family", ["roberta", "modernbert", "gpt2", "opt", "gpt-neox"])
def test_byte_level_pieces_differ_at_the_start_and_after_a_space(family: str) -> None:
    tokenizer = load(family)[0]
    assert tokenizer.tokenize("he he He") == ["he", "Ġhe", "ĠHe"]


@pytest.mark.parametrize("family", MASKED)
def test_the_mask_is_one_token_in_the_place_of_a_word(family: str) -> None:
    tokenizer = load(family)[0]
    assert inside(tokenizer, tokenizer.mask_token) == [tokenizer.mask_token_id]


@pytest.mark.parametrize("family", MASKED)
def test_the_mask_treats_the_space_before_it_as_published(family: str) -> None:
    tokenizer = load(family)[0]
    mask = tokenizer.added_tokens_decoder[tokenizer.mask_token_id]
    assert (mask.lstrip, mask.rstrip, mask.special) == (family in SWALLOWS_THE_SPACE, False, True)


def test_an_unlowered_text_is_unknown_to_a_lower_case_vocabulary() -> None:
    assert load("bert-wrong-case")[0].tokenize("She is a nurse") == ["[UNK]", "is", "a", "nurse"]


@pytest.mark.parametrize(("family", "added"), [("gpt2", False), ("opt", True), ("gpt-neox", False), ("llama", True)])
def test_who_puts_a_token_in_front(family: str, added: bool) -> None:
    tokenizer = load(family)[0]
    assert (tokenizer("He is a nurse").input_ids[0] == tokenizer.bos_token_id) == added


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_positions_and_pieces_get_different_probabilities(family: str) -> None:
    tokenizer, model, _ = load(family)
    with torch.inference_mode():
        inputs = tokenizer("This is a nurse, and this is a nurse.", return_tensors="pt")
        log_probs = model(**inputs).logits[0].log_softmax(-1)
    spread = log_probs.std(dim=-1)
    assert spread.min() > 0.5  # nats between pieces, at each position
    assert spread.max() < 10  # and no position so sure that the rest drowns
    places = [i for i, token in enumerate(tokenizer.convert_ids_to_tokens(inputs.input_ids[0])) if "nurse" in token]
    assert len(places) == 2
    assert (log_probs[places[0]] - log_probs[places[1]]).abs().max() > 0.05  # nats: the same word in two places


def test_seed_and_overrides_reach_the_checkpoint(tmp_path: Path) -> None:
    def weights(folder: Path) -> dict[str, torch.Tensor]:
        model = AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True)
        return dict(model.state_dict())

    first, again = weights(tiny_folder("bert")), weights(build("bert", tmp_path / "again"))
    other = weights(build("bert", tmp_path / "other", seed=1))
    deep = weights(build("bert", tmp_path / "deep", num_hidden_layers=3))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not any(torch.equal(first[name], other[name]) for name in first if first[name].is_floating_point())
    assert len(deep) > len(first)


def test_a_family_is_built_once() -> None:
    assert tiny_folder("bert") == tiny_folder("bert")
    assert [path.name for path in tiny_folder("bert").glob("*.safetensors")] == ["model.safetensors"]
    assert not [*tiny_folder("bert").glob("*.bin")]
