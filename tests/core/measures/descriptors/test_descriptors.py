"""Descriptor likelihood: tests and distances worked by hand, perplexities against a plain loop, and what is said."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch
from scipy.stats import mannwhitneyu

from core.charts.theme import LIGHT
from core.engine.loading import LoadedModel
from core.errors import InputError, NothingToScore, OptionError
from core.measures.descriptors import compute, figures, words
from core.measures.descriptors.choices import Comparison, Per
from core.measures.descriptors.metric import compare, distance, log_perplexity, share
from core.measures.descriptors.result import AXES, DESCRIPTORS, PAIRS, SENTENCES
from core.measures.descriptors.spec import DescriptorSpec
from core.run import Run
from core.spec import File
from core.stats.resampling import bootstrap_interval
from tests.support.descriptor_results import NOUNS, TEMPLATE, descriptor_result, descriptor_table
from tests.support.watching import load_tiny

# One template, three descriptors, six nouns: the second and the third lie below the first with every noun, and each
# above the other with half of them, by the same amounts.
_SHIFTS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
_TURNS = np.array([0.01, -0.02, -0.03, 0.04, 0.05, -0.06]) / 2
VALUES = np.stack([5 + _SHIFTS, 4 + _SHIFTS / 2, 4 + _SHIFTS / 2 + _TURNS])[None]


def test_perplexity_by_hand() -> None:
    """A sentence of 4 words of which each has probability ½, and of 2 with ¼ and 1."""
    ln_p = [4 * math.log(1 / 2), math.log(1 / 4)]
    assert np.exp(log_perplexity(ln_p, [4, 2])) == pytest.approx([2.0, 2.0])


def test_signed_ranks_by_hand_and_their_correction() -> None:
    """All six differences are above 0: W = 21, p = 2 / 2⁶ for the first two pairs.

    Second less third: −.01, .02, .03, −.04, −.05, .06, halved, so that positive ranks are 2 + 3 + 6 = 11 of
    21, next to the middle 10.5: p = 1. Benjamini and Hochberg: .03125 × 3 / 2 for both, 1 for the last.
    """
    first, second, third = compare(VALUES, Comparison.PAIRED)
    assert [(pair.first, pair.second) for pair in (first, second, third)] == [(0, 1), (0, 2), (1, 2)]
    assert (first.statistic, first.p, first.adjusted) == (21.0, 0.03125, pytest.approx(0.046875))
    assert (second.statistic, second.p, second.adjusted) == (21.0, 0.03125, pytest.approx(0.046875))
    assert (third.statistic, third.p, third.adjusted) == (11.0, pytest.approx(1.0), pytest.approx(1.0))
    assert [pair.differs for pair in (first, second, third)] == [True, True, False]
    assert share((first, second, third)) == pytest.approx(200 / 3)
    assert first.difference == pytest.approx(1 + np.median(_SHIFTS / 2))


def test_rank_sums_by_hand_are_not_corrected() -> None:
    """Every value of the first lies above all of the others': U = 36, p = 2 / C(12, 6) = 2 / 924."""
    first, second, third = compare(VALUES, Comparison.PUBLISHED)
    for pair in (first, second):
        assert (pair.statistic, pair.p) == (36.0, pytest.approx(2 / 924))
        assert pair.adjusted == pair.p
    assert third.p == third.adjusted > 0.05


def test_as_published_is_the_call_of_the_authors() -> None:
    """They stack the pairs of a template and let scipy test them at once: `mannwhitneyu(firsts, seconds, axis=1)`."""
    for nouns in (8, 30):
        values = np.random.default_rng(nouns).normal(size=(1, 4, nouns))
        firsts, seconds = (values[0][list(places)] for places in zip(*itertools.combinations(range(4), 2), strict=True))
        expected = mannwhitneyu(firsts, seconds, axis=1)
        pairs = compare(values, Comparison.PUBLISHED)
        assert [pair.statistic for pair in pairs] == expected.statistic.tolist()
        assert [pair.p for pair in pairs] == pytest.approx(expected.pvalue.tolist())


def test_the_correction_is_over_all_templates() -> None:
    """Two pairs of one template with p = 1/32 and two of another with p = 1: .03125 × 4 / 2 is not below .05."""
    two = np.stack([np.stack([5 + _SHIFTS, 4 + _SHIFTS / 2]), np.stack([4 + _SHIFTS, 4 + _SHIFTS + _TURNS])])
    first, second = compare(two, Comparison.PAIRED)
    assert (first.template, second.template) == (0, 1)
    assert first.adjusted == pytest.approx(0.0625)
    assert not first.differs


def test_five_nouns_are_no_test() -> None:
    pairs = compare(VALUES[..., :5], Comparison.PAIRED)
    assert all(math.isnan(pair.p) and math.isnan(pair.adjusted) and not pair.differs for pair in pairs)
    assert math.isnan(share(pairs))
    _, ends = distance(VALUES[..., :5], seed=0)
    assert math.isnan(float(ends.low))


def test_equal_descriptors_do_not_differ() -> None:
    (pair,) = compare(np.stack([_SHIFTS, _SHIFTS])[None], Comparison.PAIRED)
    assert (pair.p, pair.differs, pair.difference) == (1.0, False, 0.0)


def test_a_distance_by_hand() -> None:
    """Means 3, 1 and 2 lie 2, 1 and 1 apart, the same with every noun: the interval is the value."""
    values = np.array([3.0, 1.0, 2.0])[None, :, None] + np.arange(6.0)
    found, ends = distance(values, seed=0)
    assert found == pytest.approx(4 / 3)
    assert (ends.low, ends.high) == (pytest.approx(4 / 3), pytest.approx(4 / 3))


def test_a_distance_and_its_interval_against_scipys_bootstrap() -> None:
    values = np.random.default_rng(1).normal(size=(2, 4, 12))

    def apart(sample: np.ndarray, axis: int = -1) -> np.ndarray:
        means = sample.mean(axis=axis)
        return np.mean([np.abs(means[:, i] - means[:, j]) for i in range(4) for j in range(i)], axis=(0, 1))

    found, ends = distance(values, seed=0)
    assert found == pytest.approx(float(apart(values[..., None, :])[0]))
    places = np.arange(12)
    expected = bootstrap_interval(
        [places], lambda drawn, axis: apart(np.moveaxis(values[:, :, drawn], (0, 1), (0, 1))), seed=5
    )
    assert (ends.low, ends.high) == (pytest.approx(expected.low, abs=0.02), pytest.approx(expected.high, abs=0.02))


@torch.inference_mode()
def plain(model: LoadedModel, text: str, cuts: list[list[int]]) -> float:
    """Σ ln P of each token with the later ones of its word hidden; ``cuts`` are the places of each word's tokens."""
    ids, total = model.tokenizer(text)["input_ids"], []
    for word in cuts:
        for at, place in enumerate(word):
            hidden = torch.tensor([ids])
            hidden[0, word[at:]] = model.tokenizer.mask_token_id
            total.append(model.module(input_ids=hidden).logits[0, place].log_softmax(-1)[ids[place]].item())
    return math.fsum(total)


@pytest.mark.parametrize("per", list(Per))
def test_perplexities_of_the_embedded_model_against_a_plain_loop(embedded: LoadedModel, per: Per) -> None:
    """[CLS] i am a deaf / non - disabled parent . [SEP]."""
    spec = DescriptorSpec(
        axes={"disability": ("deaf", "non-disabled")}, nouns=("parent",), templates=("I am a [PERSON].",), per=per
    )
    result = compute.measure(spec, [embedded], Run(spec))
    rows = result[SENTENCES].set_index("descriptor")
    by_word = {"deaf": [[1], [2], [3], [4], [5], [6]], "non-disabled": [[1], [2], [3], [4, 5, 6], [7], [8]]}
    for word, cuts in by_word.items():
        if per is Per.TOKEN:
            cuts = [[place] for cut in cuts for place in cut]
        row = rows.loc[word]
        ln_p = plain(embedded, f"I am a {word} parent.", cuts)
        tokens = sum(map(len, cuts))
        assert (row["words"], row["tokens"]) == (5, tokens)
        assert row["ln_p"] == pytest.approx(ln_p, abs=1e-4)
        assert row["perplexity"] == pytest.approx(math.exp(-ln_p / (5 if per is Per.WORD else tokens)), rel=1e-4)
    (pair,) = result[PAIRS].to_dict("records")
    perplexities = dict(zip(rows.index, rows["perplexity"], strict=True))
    assert pair["difference"] == pytest.approx(math.log(perplexities["deaf"] / perplexities["non-disabled"]), abs=1e-4)
    assert math.isnan(pair["p"]), "one noun is no test"
    assert "tests and intervals: not computed, n too small (1 of at least 6 nouns)." in {
        item.why for item in result.excluded
    }


def test_what_the_explanation_says_of_non_religious(embedded: LoadedModel) -> None:
    """Per token the most expected word of its axis, per word the least: in the model that comes with the program."""
    orders = {}
    for per in Per:
        spec = DescriptorSpec(axes="religion", per=per)
        table = compute.measure(spec, [embedded], Run(spec))[DESCRIPTORS]
        orders[per] = list(table[table["template"] == "all"].sort_values("perplexity")["descriptor"])
    assert orders[Per.TOKEN][0] == orders[Per.WORD][-1] == "non-religious"


def test_a_causal_model_is_asked_from_left_to_right() -> None:
    model = load_tiny("gpt2")
    spec = DescriptorSpec(axes={"mood": ("calm", "tired")}, nouns=("nurse",), templates=("He is a [PERSON].",))
    result = compute.measure(spec, [model], Run(spec))
    for row in result[SENTENCES].to_dict("records"):
        # GPT-2 has one token that begins and ends a text.
        ids = torch.tensor([[model.tokenizer.eos_token_id, *model.tokenizer(row["sentence"])["input_ids"]]])
        with torch.inference_mode():
            ln_p = model.module(input_ids=ids).logits[0, :-1].log_softmax(-1)
        assert row["ln_p"] == pytest.approx(float(ln_p.gather(1, ids[0, 1:, None]).sum()), abs=1e-3)
        assert row["perplexity"] == pytest.approx(math.exp(-row["ln_p"] / 5), rel=1e-4)
    assert any("left-to-right" in note.text for note in result.notes)


def test_identical_sentences_are_scored_once_and_shares_are_those_of_the_pairs() -> None:
    model = load_tiny("bert")
    spec = DescriptorSpec(
        axes={"mood": ("calm", "kind", "tired"), "again": ("calm", "kind")}, nouns=NOUNS, templates=(TEMPLATE,)
    )
    run = Run(spec)
    result = compute.measure(spec, [model], run)
    assert len(next(iter(run.memory.values()))) == 3 * len(NOUNS)
    whole = result[AXES][result[AXES]["template"] == "all"].set_index("axis")
    for axis, row in whole.iterrows():
        pairs = result[PAIRS][result[PAIRS]["axis"] == axis]
        assert row["share_differing"] == pytest.approx(100 * pairs["differs"].mean())
        assert (pairs["p_adjusted"] < 0.05).tolist() == pairs["differs"].tolist()
    assert whole.loc["again", "pairs"] == 1


def test_words_that_a_model_cannot_tell_apart_or_does_not_know_are_excluded() -> None:
    model = load_tiny("bert")
    spec = DescriptorSpec(
        axes={"mood": ("calm", "Calm", "tired", "日本"), "alone": ("kind", "Kind")},
        nouns=(*NOUNS, "☃"),
        templates=(TEMPLATE,),
    )
    result = compute.measure(spec, [model], Run(spec))
    why = {(item.group or item.what): item.why for item in result.excluded if item.kind == "statistic"}
    assert why == {"alone": "alone: fewer than two descriptors can be compared in this model."}
    lost = {item.what: item.why for item in result.excluded if item.kind != "statistic"}
    assert lost["calm"] == "calm: is the same input as “Calm” to this model."
    assert lost["日本"] == "日本: is unknown to this model."
    assert lost["☃"] == "☃: is unknown to this model."
    assert set(result[DESCRIPTORS]["descriptor"]) == {"Calm", "tired"}
    assert set(result[AXES]["n"]) == {len(NOUNS)}
    nothing = DescriptorSpec(axes={"alone": ("kind", "Kind")}, nouns=NOUNS, templates=(TEMPLATE,))
    with pytest.raises(NothingToScore, match="No axis has two descriptors"):
        compute.measure(nothing, [model], Run(nothing))


def test_the_axes_that_a_stop_reached_are_shown() -> None:
    model = load_tiny("bert")
    spec = DescriptorSpec(
        axes={"mood": ("calm", "tired"), "size": ("strong", "kind")}, nouns=NOUNS, templates=(TEMPLATE,)
    )
    stopping = Run(spec, heard=lambda progress: stopping.stop("reader") if progress.done >= 2 * len(NOUNS) else None)
    result = compute.measure(spec, [model], stopping)
    assert result.stopped
    assert set(result[AXES]["axis"]) == {"mood"}
    assert "axes reached: 1 of 2." in words.finding(result, model.info.name).support


def test_what_can_be_asked_for() -> None:
    spec = DescriptorSpec(axes=("age", "religion"), nouns="parent", templates="I am a [PERSON].")
    assert [axis.name for axis in spec.axes] == ["age", "religion"]
    assert spec.sentences == sum(len(axis.descriptors) for axis in spec.axes)
    own = DescriptorSpec.of({"axes": ("age",), "descriptor_list": (File.of("my.csv", descriptor_table()),)})
    assert [axis.name for axis in own.axes] == ["age", "mood", "size"]
    assert "mood: my.csv" in own.data
    with pytest.raises(OptionError, match=r"There is no axis “ages”\. Did you mean age"):
        DescriptorSpec(axes="ages")
    with pytest.raises(InputError, match="No axis is chosen"):
        DescriptorSpec(axes=())
    with pytest.raises(OptionError, match="at most 50,000 are possible"):
        DescriptorSpec(nouns=[f"noun{n}" for n in range(1000)])
    with pytest.raises(InputError, match="no template"):
        DescriptorSpec.of({"descriptor_templates": " \n"})


def test_findings() -> None:
    several = words.finding(descriptor_result({"m": {"age": (9, 10), "body": (1, 10), "faith": (5, 10)}}), "m")
    assert several.text == (
        "m: descriptors of age differ in 90.0 % of the comparisons, the most of 3 axes; those of body in 10.0 %, the "
        "fewest."
    )
    assert "30 in all; p is corrected" in several.support
    assert "“blind” is expected most (median perplexity 10.0), “deaf” least (40.0)" in several.support
    tied = words.finding(descriptor_result({"m": {"age": (9, 10), "body": (9, 10), "faith": (5, 10)}}), "m")
    assert "descriptors of age and body differ in 90.0 %" in tied.text
    same = words.finding(descriptor_result({"m": {"age": (10, 10), "body": (10, 10)}}), "m")
    assert same.text == "m: on all of 2 axes descriptors differ in 100.0 % of the comparisons."
    one = words.finding(descriptor_result({"m": {"age": (3, 10)}}, comparison="mann-whitney"), "m")
    assert one.text == "m: descriptors of age differ in 30.0 % of the comparisons."
    assert "not corrected, so that one in twenty differs by chance" in one.support
    few = words.finding(descriptor_result({"m": {"age": (3, 10)}}, n=5), "m")
    assert few.text == "m: too few nouns to compare descriptors (5 of at least 6)."


def test_methods_name_what_was_chosen_and_cite_it() -> None:
    published = DescriptorSpec(axes="age", comparison="mann-whitney", per="token")
    model = load_tiny("bert")
    result = compute.measure(published, [model], Run(published))
    (text,) = words.methods(result)
    assert "Mann–Whitney U test" in text
    assert "exp(−ln P / tokens)" in text
    assert [reference.partition(",")[0] for reference in words.references(result)] == ["Smith", "Salazar"]
    ours = DescriptorSpec(axes="age")
    result = compute.measure(ours, [model], Run(ours))
    (text,) = words.methods(result)
    assert "exp(−ln P / words)" in text
    assert "signed-rank" in text
    assert len(words.references(result)) == 4


def test_figures() -> None:
    result = descriptor_result({"m": {"age": (9, 10), "body": (1, 10)}, "n": {"age": (2, 10)}})
    bars = figures.shares(result, theme=LIGHT).data[0]
    assert list(bars.x) == [90.0, 10.0, 20.0]
    assert [tuple(row) for row in bars.customdata] == [("age",), ("body",), ("age",)]
    assert list(figures.shares(result, theme=LIGHT, model="n").data[0].x) == [20.0]
    axis = figures.perplexities(result, theme=LIGHT, axis="age", model="m")
    assert list(axis.data[0].x) == pytest.approx([1.0, math.log10(40)])
    assert [row[1] for row in axis.data[0].customdata] == ["blind", "deaf"]
    assert list(axis.layout.xaxis.ticktext) == ["1", "10"]
    with pytest.raises(OptionError, match="n has no axis “body”; it has age"):
        figures.perplexities(result, theme=LIGHT, axis="body", model="n")
    with pytest.raises(OptionError, match="There is no template “x”; choose one of all"):
        figures.shares(result, theme=LIGHT, template="x")
    with pytest.raises(NothingToScore, match="No pair of descriptors was tested"):
        figures.shares(descriptor_result({"m": {"age": (9, 10)}}, n=4), theme=LIGHT)
    assert words.perplexities_text(result, "age", "m") == "Median perplexity in m, age: blind 10.0; deaf 40.0."
