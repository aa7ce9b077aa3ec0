"""What a masked model is asked, and how many masks hide an attribute."""

from __future__ import annotations

from dataclasses import replace
from math import log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.measures.lpbs.grid import MaskedTexts, sentence, word_grid
from core.measures.lpbs.scoring import Scores
from core.result import Group
from core.sources.templates import Template
from tests.support import tiny_tokenizers
from tests.support.lpbs import run
from tests.support.stubs import Probabilities, asked, masked_stub

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
EVEN: Probabilities = {"he": 0.2, "she": 0.2}


def test_texts_with_the_target_first() -> None:
    template = Template.parse("[TARGET] is a [ATTRIBUTE].")
    assert sentence(template.fill("she", "registered nurse")).masked(2) == MaskedTexts(
        "[MASK] is a registered nurse.", 0, "[MASK] is a [MASK] [MASK].", 0
    )


def test_texts_with_the_target_last() -> None:
    template = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")
    assert sentence(template.fill("she", "registered nurse")).masked(2) == MaskedTexts(
        "The registered nurse said that [MASK] was tired.", 0, "The [MASK] [MASK] said that [MASK] was tired.", 2
    )


def test_letters_glued_to_the_attribute_are_hidden_with_it() -> None:
    template = Template.parse("[ATTRIBUTE]s know [TARGET].")
    assert sentence(template.fill("she", "nurse")).masked(1) == MaskedTexts(
        "Nurses know [MASK].", 0, "[MASK] know [MASK].", 1
    )


@pytest.mark.parametrize(
    ("template", "attribute", "pieces", "masks"),
    [
        ("The [ATTRIBUTE] said that [TARGET] was tired.", "nurse", "nurse", (1, 1, 1)),
        ("The [ATTRIBUTE] said that [TARGET] was tired.", "good nurse", "good nurse", (2, 2, 1)),
        ("The [ATTRIBUTE] said that [TARGET] was tired.", "good chairwoman", "good chair ##woman", (3, 2, 1)),
        ("The [ATTRIBUTE]s said that [TARGET] was tired.", "nurse", "nurse ##s", (2, 1, 1)),
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_masks_that_hide_an_attribute(
    template: str, attribute: str, pieces: str, masks: tuple[int, int, int], place: int
) -> None:
    """wordpiece: one a piece as it stands; word: one a whitespace word; single: one. Other texts are an error."""
    count = masks[place]
    sentence = "the {} said that [MASK] was tired ."
    texts: dict[str, list[Probabilities]] = {
        sentence.format(pieces): [{"he": 0.1, "she": 0.4}],
        sentence.format(" ".join(["[MASK]"] * count)): [{}] * count + [EVEN],
    }
    model = masked_stub(tiny_tokenizers.bert(), texts)
    options = {"masking": ("wordpiece", "word", "single")[place]}
    result = run([model], [Template.parse(template)], HE_SHE, [attribute], options)
    for table in ("attributes", "overall"):
        assert result[table]["lpbs"].tolist() == pytest.approx([-log(4)], abs=1e-6)
    assert asked(model) == sorted(f"[CLS] {text} [SEP]" for text in texts)


def test_pieces_of_an_attribute_are_those_of_its_place() -> None:
    """ "Engineer" is several pieces in the cased vocabulary, "engineer" one: so is the number of masks."""
    tokenizer = tiny_tokenizers.bert_cased()
    count = len(tokenizer.tokenize("Engineer"))
    assert count > 1 == len(tokenizer.tokenize("engineer"))
    texts: dict[str, list[Probabilities]] = {
        f"{' '.join(tokenizer.tokenize('Engineer'))} said that [MASK] was tired": [{"he": 0.1, "she": 0.4}],
        f"{' '.join(['[MASK]'] * count)} said that [MASK] was tired": [{}] * count + [EVEN],
        "The engineer said that [MASK] was tired": [{"he": 0.4, "she": 0.1}],
        "The [MASK] said that [MASK] was tired": [{}, EVEN],
    }
    templates = [Template.parse(f"{beginning}[ATTRIBUTE] said that [TARGET] was tired") for beginning in ("", "The ")]
    result = run([masked_stub(tokenizer, texts)], templates, HE_SHE, ["engineer"])
    assert result["targets"]["association"].tolist() == pytest.approx([log(0.5), log(2), log(2), log(0.5)], abs=1e-6)


def test_mean_priors_run_over_what_is_there() -> None:
    values = np.log([[[0.2, 0.5], [0.4, 0.1], [0.9, 0.6]]])
    values[0, 2, 0] = np.nan
    model: Any = SimpleNamespace(name="stub")
    grid = word_grid([Template.parse("The [ATTRIBUTE] knows [TARGET].")], ["a", "b", "c"], HE_SHE)
    scores = replace(Scores.empty(model, grid), ln_p_target=values, mean_prior=(0,))
    scores.fill_mean_priors()
    np.testing.assert_allclose(np.exp(scores.ln_p_prior[0]), [[0.3, 0.4]] * 3)
    assert scores.notes == ("where the target stands last, the prior is a mean over 3 attributes.",)
    np.testing.assert_allclose(scores.association()[0, 1], [log(0.4 / 0.3), log(0.1 / 0.4)])
    # Over the words instead: a mean an attribute.
    over_words = replace(Scores.empty(model, grid), ln_p_target=values, mean_prior=(1,))
    over_words.fill_mean_priors()
    np.testing.assert_allclose(np.exp(over_words.ln_p_prior[0]), [[0.35] * 2, [0.25] * 2, [0.6] * 2])
    assert not over_words.notes
