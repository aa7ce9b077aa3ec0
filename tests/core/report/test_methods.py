from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.report.methods import methods_paragraph, references
from core.result import Excluded, Note, Provenance
from tests.support.lpbs import replaced


def test_paragraph_says_what_was_measured_and_how(lpbs: LpbsResult) -> None:
    text = methods_paragraph(lpbs)
    for phrase in (
        "template “[TARGET] is a [ATTRIBUTE].”",
        "men (he, chairman) and women (she, chairwoman)",
        "2 attributes (nurse and pilot)",
        "minilm-mlm (assets/minilm-mlm, SHA-256 ab12cd34ef56, float32 on cpu)",
        "Kurita et al. 2019",
        "ln P([MASK] = t | target masked, attribute present)",
        "both read at the mask of the target",
        "one mask for each of its tokens",
        "split into several tokens were excluded",
        "men − women; a positive value leans towards the group named first",
        "Words were written as the sentence shows them, with a capital where a sentence begins.",
        "pairs by position",
        "percentile bootstrap over attributes, 10,000 resamples, seed 0",
        "exact up to 2¹⁶ flips, else 100,000 sampled",
        "number of p values adjusted together: 1 for whole lists",
        "2 words were excluded: chairwoman is split into several tokens: chair + ##woman; chairman cannot be paired",
        "2 intervals or p values (nurse and pilot) were not computed: n too small.",
        "A start token was added.",
        "no lean found is not its absence",
        "arXiv:1906.07337",
    ):
        assert phrase in text
    assert "\n" not in text
    for absent in ("Bayes", "averaged over", "all models could represent", "unbiased", "fair "):
        assert absent not in text


@pytest.mark.parametrize(
    ("options", "phrase"),
    [
        ({"masking": "word"}, "one mask for each of its whitespace-separated words"),
        ({"masking": "single"}, "hidden by a single mask"),
        ({"several_pieces": "joint"}, "tokens to its right masked"),
        ({"paired": False}, "were not treated as pairs"),
        ({"contrasts": "others"}, "each other group, averaged over those groups"),
        ({"seed": 42}, "seed 42"),
        ({"form": "typed"}, "Words were written as they were typed"),
        ({"form": "capital"}, "Target words were written with a capital first letter wherever they stand."),
    ],
)
def test_paragraph_follows_the_options(lpbs: LpbsResult, options: dict[str, Any], phrase: str) -> None:
    assert phrase not in methods_paragraph(lpbs)
    assert phrase in methods_paragraph(dataclasses.replace(lpbs, spec=dataclasses.replace(lpbs.spec, **options)))


def test_several_templates_and_models_are_explained(lpbs: LpbsResult, two_models: Provenance) -> None:
    several = dataclasses.replace(
        lpbs,
        spec=dataclasses.replace(lpbs.spec, templates=("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] is [TARGET].")),
        provenance=two_models,
        notes=(Note("a small model.", "minilm-mlm"),),
    )
    text = methods_paragraph(several)
    assert "averaged over the 2 templates for each attribute first" in text
    assert "not all models could represent was excluded for all" in text
    assert "revision 3f2a9c1b77" in text
    assert "minilm-mlm: a small model." in text
    own_words = dataclasses.replace(several, spec=dataclasses.replace(several.spec, common_words=False))
    assert "Each model was measured on the words it could represent." in methods_paragraph(own_words)


def test_causal_models_follow_the_order_of_target_and_attribute(lpbs: LpbsResult, two_models: Provenance) -> None:
    causal = dataclasses.replace(lpbs, provenance=dataclasses.replace(two_models, models=two_models.models[1:]))
    text = methods_paragraph(causal)
    assert "P(t | a) / P(t) = P(a | t) / P(a)" in text
    assert "mean over the attributes" not in text
    assert "[MASK]" not in text
    attribute_first = dataclasses.replace(
        causal, spec=dataclasses.replace(causal.spec, templates="The [ATTRIBUTE] is [TARGET].")
    )
    text = methods_paragraph(attribute_first)
    assert "mean over the attributes" in text
    assert "Bayes" not in text


def test_many_words_left_out_are_counted_and_only_some_named(lpbs: LpbsResult) -> None:
    words = [Excluded("minilm-mlm", "attribute", f"word{i}", "unknown.", template=t) for i in range(8) for t in "ab"]
    text = methods_paragraph(dataclasses.replace(lpbs, excluded=tuple(words)))
    assert "8 words were excluded: word0: unknown; " in text  # each once, though left out of two templates
    assert "word4: unknown; 3 more." in text
    assert "word5" not in text
    assert "No word was excluded." in methods_paragraph(dataclasses.replace(lpbs, excluded=()))


def test_what_is_the_same_for_sixty_words_is_said_once(lpbs: LpbsResult) -> None:
    """By hand: one sentence for the 60 attributes, which names five of them, and one for the list."""
    reason = "interval and p not computed, n too small (1 of at least 6 values)"
    words = [f"word{i}" for i in range(60)]
    left_out = [Excluded("minilm-mlm", "statistic", word, f"{word}: {reason}", contrast="he − she") for word in words]
    left_out.append(Excluded("minilm-mlm", "statistic", "all attributes", "all attributes: too few"))
    text = methods_paragraph(dataclasses.replace(lpbs, excluded=tuple(left_out)))
    assert text.count("n too small") == 1
    assert (
        "60 intervals or p values (word0, word1, word2, word3, word4 and 55 more) were not computed: n too small (1 of "
        "at least 6 values). 1 interval or p value (all attributes) was not computed: too few."
    ) in text
    sentences = text.split(". ")
    assert len(sentences) == len(set(sentences))
    without = methods_paragraph(dataclasses.replace(lpbs, excluded=()))
    assert len(text) < len(without) + 300


def test_published_lists_and_groups_have_their_source(lpbs: LpbsResult) -> None:
    spec = LpbsSpec(groups="he-she", attributes="professions")
    text = methods_paragraph(dataclasses.replace(lpbs, spec=spec))
    assert "he (he) and she (she) from Kurita et al. 2019, Table 2, and 60 attributes (60 professions (BEC-Pro)" in text
    assert "your own" not in text + methods_paragraph(lpbs)


def test_references_leave_out_what_was_not_used(lpbs: LpbsResult) -> None:
    assert len(references(lpbs)) == 2
    mean = {"model": "minilm-mlm", "contrast": "men − women", "lpbs": -0.5}
    unadjusted = replaced(lpbs, overall=[mean])
    assert [reference[:7] for reference in references(unadjusted)] == ["Kurita,"]
    assert "Benjamini" not in methods_paragraph(unadjusted)


def test_the_sizes_of_families_are_those_of_the_tables(lpbs: LpbsResult) -> None:
    row = {"model": "minilm-mlm", "contrast": "men − women", "lpbs": 1.0}
    words = [{**row, "attribute": word, "p_value": p} for word, p in (("a", 0.5), ("b", None), ("c", 0.1))]
    both = replaced(lpbs, attributes=words)
    assert "adjusted together: 2 for single attributes and 1 for whole lists." in methods_paragraph(both)
