"""The effects of heads: what is asked, against the other measures, what is excluded, and what is said."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.engine.interventions import HeadEditor
from core.engine.loading import LoadedModel, with_attentions
from core.engine.masked import MaskedScorer, MaskQuery
from core.errors import InputError, NoPredictionHead, NothingToScore, OptionError, UnsupportedModel, WordListError
from core.measures.attention.causes import compute, metric
from core.measures.attention.causes.questions import Asked, Asker, misfit
from core.measures.attention.causes.result import CausesResult
from core.measures.attention.causes.spec import CausesSpec, Outcome, hidden_word
from core.measures.attention.causes.words import finding, methods
from core.measures.lpbs.spec import LpbsSpec
from core.run import Run
from core.sources import CorpusFile, marked, roles_of
from core.sources.templates import MASK
from tests.support.attention_results import measured
from tests.support.causes_results import causes_result
from tests.support.tiny import CAUSAL
from tests.support.watching import load_tiny

TEXT, TWIN = "She told him that the nurse was late.", "He told her that the nurse was late."
BEHIND = "The nurse told her that he was late."  # a gendered word stands before the hidden one
PAIR = {"sentence": TEXT, "twin": TWIN}
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def model(embedded: LoadedModel) -> LoadedModel:
    return with_attentions(embedded)


@cache
def tiny(family: str) -> LoadedModel:
    return with_attentions(load_tiny(family))


def measure(models: list[LoadedModel], run: Run[Any] | None = None, **spec: Any) -> CausesResult:
    return compute.measure(CausesSpec(**spec), models, run or Run())


def asker(model: LoadedModel, outcome: str = "odds", **groups: tuple[str, ...]) -> Asker:
    spec = CausesSpec(groups=groups or "he-she", outcome=outcome)
    return Asker(model, spec.pair, spec.outcome)


def asked(model: LoadedModel, text: str, outcome: str = "odds", **groups: tuple[str, ...]) -> Asked:
    found = asker(model, outcome, **groups).asked(marked(text))
    assert isinstance(found, Asked), found
    return found


def total(result: CausesResult, quantity: str) -> float:
    (model,) = set(result["heads"]["model"])
    found = result.total(model, quantity)
    assert found is not None
    return found["mean"]


# What is asked.


def test_the_first_he_or_she_is_hidden() -> None:
    assert hidden_word(marked("His sister saw that she met him, a nurse.")) == (20, 23)
    assert hidden_word(marked("Her brother met him, a nurse.")) is None


def test_the_outcome_is_the_log_odds_at_the_mask() -> None:
    result = measure([tiny("bert")], **PAIR)
    queries = [MaskQuery(f"{MASK} told {word} that the nurse was late.", 0, ("he", "she")) for word in ("him", "her")]
    odds = [he.ln_p - she.ln_p for he, she in MaskedScorer(tiny("bert")).log_probs(queries)]  # type: ignore[operator]
    (row,) = result["sentences"].to_dict("records")
    assert [row["outcome"], row["outcome_twin"]] == pytest.approx(odds, abs=TOLERANCE)
    assert row["total"] == pytest.approx(odds[1] - odds[0], abs=TOLERANCE)
    assert row["hidden"] == "She"


def test_a_group_of_words_is_their_mean(model: LoadedModel) -> None:
    result = measure([model], **PAIR, groups={"men": ("he", "man"), "women": ("she", "woman", "girl")})
    (scores,) = MaskedScorer(model).log_probs(
        [MaskQuery(f"{MASK} told him that the nurse was late.", 0, ("he", "man", "she", "woman", "girl"))]
    )
    values = [score.ln_p for score in scores]
    assert total(result, "outcome") == pytest.approx(np.mean(values[:2]) - np.mean(values[2:]), abs=TOLERANCE)


def test_lpbs_is_that_of_the_playground(model: LoadedModel, embedded: LoadedModel) -> None:
    """The sentence as a template, its occupation as the attribute; bookkeeper is two tokens, hidden by two masks."""
    sentence = BEHIND.replace("nurse", "bookkeeper")
    result = measure([model], sentence=sentence, twin=sentence, outcome="lpbs", intervention="zero")
    spec = LpbsSpec(templates="The [ATTRIBUTE] told her that [TARGET] was late.", attributes=("bookkeeper",))
    expected = spec.measure([embedded], Run())["attributes"]["lpbs"].iloc[0]
    assert total(result, "outcome") == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("family", CAUSAL)
def test_a_causal_model_is_asked_after_what_stands_before(family: str) -> None:
    found = asked(tiny(family), BEHIND)
    other = asked(tiny(family), "The nurse told her that he was somewhere else, and so was her brother.")
    assert found.present == other.present
    assert found.present.position == len(found.present.ids) - 1


def test_a_causal_model_has_no_lpbs_and_reads_nothing_before_a_first_word() -> None:
    with pytest.raises(UnsupportedModel, match="choose the log odds"):
        asker(tiny("gpt2"), "lpbs")
    found = asker(tiny("gpt2")).asked(marked(TEXT))
    assert isinstance(found, str)
    assert found.startswith("begins with the hidden word")
    assert "causal" in asker(tiny("gpt2")).note


def test_words_without_a_token_are_excluded_and_a_group_without_any_has_no_outcome(model: LoadedModel) -> None:
    found = asked(model, TEXT, men=("he", "chairman"), women=("she",))
    assert [(group, word) for group, word, _ in found.missing] == [("men", "chairman")] or not found.missing
    lost = asker(model, men=("electroencephalographer",), women=("she",)).asked(marked(TEXT))
    assert isinstance(lost, str)
    assert "no word of the group “men”" in lost


def test_a_twin_with_another_occupation_does_not_fit(model: LoadedModel) -> None:
    text, twin = "She told him that the nurse was a judge.", "He told her that the nurse was a judge."
    first, second = asked(model, text, "lpbs"), asked(model, twin, "lpbs")
    assert misfit(first, second) == ""
    roles = roles_of(twin, male=("He",), female=("her",), occupation="nurse")
    other = asker(model, "lpbs").asked(marked(twin, roles))
    assert isinstance(other, Asked)
    assert misfit(first, other) == "has its occupation at another place than the twin"


@pytest.mark.parametrize(
    ("sentence", "twin", "reason"),
    [
        (TEXT, TWIN, ""),
        (TEXT, "He told her that the tired nurse was late.", "has 11 tokens and its twin 12"),
        (TEXT, "Then he told her the nurse was late.", "hidden word at another place"),
        (TEXT, "He told the nurse that she was late.", "gendered words at other places"),
        (TEXT, "He told her that the nurse was here.", "in more than its gendered words"),
        (TEXT, TEXT, "is the same input as its twin"),
    ],
)
def test_a_twin_fits_where_only_gendered_words_differ(
    model: LoadedModel, sentence: str, twin: str, reason: str
) -> None:
    found = misfit(asked(model, sentence), asked(model, twin))
    assert reason in found
    assert bool(found) == bool(reason)


# The effects.


def test_effects_are_those_of_the_engine_and_degrees_those_of_attention() -> None:
    result = measure([tiny("bert")], **PAIR)
    heads, editor = result["heads"], HeadEditor(tiny("bert"))
    first, second = asked(tiny("bert"), TEXT).present, asked(tiny("bert"), TWIN).present
    ((_, (plain,)),) = editor.changed([(first, second)], [[head] for head in editor.every])
    ((_, (other,)),) = editor.changed([(second, first)], [[head] for head in editor.every])
    assert heads["effect"].to_numpy() == pytest.approx(plain[1:] - plain[0], abs=TOLERANCE)
    assert heads["direct"].to_numpy() == pytest.approx(other[1:] - plain[0], abs=TOLERANCE)
    expected = measured([tiny("bert")], TEXT, TWIN)["heads"]
    expected = expected[expected["kind"] == "attention"]
    assert heads["degree"].to_numpy() == pytest.approx(expected["degree"].to_numpy(), abs=TOLERANCE, nan_ok=True)
    assert list(zip(heads["layer"], heads["head"], strict=True)) == list(editor.every)


def test_all_heads_of_the_twin_give_its_whole_effect_and_their_effects_do_not_add_up() -> None:
    """The mask stands at one place in both: what it knows of the twin comes through heads alone."""
    result = measure([tiny("bert")], **PAIR)
    assert total(result, "all heads at once") == pytest.approx(total(result, "total effect"), abs=TOLERANCE)
    assert total(result, "sum over heads") == pytest.approx(result["heads"]["effect"].sum(), abs=TOLERANCE)
    assert abs(total(result, "sum over heads") - total(result, "all heads at once")) > 0.01


def test_the_mean_of_a_head_is_over_the_tokens_of_all_inputs() -> None:
    result = measure([tiny("bert")], sentence=TEXT, twin=TWIN, intervention="mean")
    editor, question = HeadEditor(tiny("bert")), asked(tiny("bert"), TEXT).present
    ((_, (row,)),) = editor.changed([(question, None)], [[(1, 2)]], instead=editor.mean_output([question]))
    rows = result["heads"].set_index(["layer", "head"])
    assert rows.loc[(1, 2), "effect"] == pytest.approx(row[1] - row[0], abs=TOLERANCE)
    assert rows["direct"].isna().all()
    assert result["sentences"]["outcome_twin"].isna().all()


def test_a_corpus_is_the_mean_of_its_sentences_and_all_swaps_go_one_way(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(f"{TEXT}\nIt rained.\n{BEHIND}\n{TEXT}\nThe man met a nurse.\n", encoding="utf-8")
    result = measure([tiny("bert")], corpus=tmp_path / "c.txt")
    turned = "The nurse told him that she was late."
    assert result["sentences"]["sentence"].tolist() == [TEXT, turned]
    assert result["sentences"]["twin"].tolist() == [TWIN, BEHIND]
    alone = [measure([tiny("bert")], **PAIR), measure([tiny("bert")], sentence=turned, twin=BEHIND)]
    expected = np.mean([part["heads"]["effect"] for part in alone], axis=0)
    assert result["heads"]["effect"].to_numpy() == pytest.approx(expected, abs=TOLERANCE)
    assert result["heads"]["n"].eq(2).all()
    assert result["heads"]["ci_low"].isna().all()
    counts = dict(zip(result["counts"]["reason"], result["counts"]["n"], strict=True))
    assert counts == {"measured": 2, "no male or female word": 1, "only male words": 1, "the same sentence again": 1}
    assert result.provenance.data[0].startswith("c.txt, SHA-256 ")
    assert [item.why for item in result.excluded] == ["heads: interval and p not computed, 2 of at least 6 sentences."]


def test_a_knock_out_keeps_the_sentences_of_a_corpus_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(f"{BEHIND}\n{TEXT}\nThe man told her that the nurse was calm.", encoding="utf-8")
    result = measure([tiny("bert")], corpus=tmp_path / "c.txt", intervention="zero", most=1)
    assert result["sentences"]["sentence"].tolist() == [BEHIND]
    result = measure([tiny("bert")], corpus=tmp_path / "c.txt", intervention="zero")
    assert result["counts"].set_index("reason")["n"]["no “he” or “she” to hide"] == 1


def test_a_sentence_whose_twin_does_not_fit_is_excluded_with_the_reason(model: LoadedModel, tmp_path: Path) -> None:
    assert [len(model.tokenizer.tokenize(word)) for word in ("stepson", "stepdaughter")] == [2, 4]
    text = "The nurse told her stepson that she was late."
    (tmp_path / "c.txt").write_text(f"{text}\n{TEXT}", encoding="utf-8")
    result = measure([model], corpus=tmp_path / "c.txt")
    (item,) = [item for item in result.excluded if item.kind == "item"]
    assert item.why == f"“{text}” has 13 tokens and its twin 15."
    assert result["counts"].set_index("reason")["n"].to_dict() == {"measured": 1, "cannot be asked": 1}


def test_a_causal_model_beside_a_masked_one(tmp_path: Path) -> None:
    """GPT-2 has nothing before the first word of one sentence, and cannot judge the degree of the other."""
    (tmp_path / "c.txt").write_text(f"{TEXT}\n{BEHIND}", encoding="utf-8")
    result = measure([tiny("bert"), tiny("gpt2")], corpus=tmp_path / "c.txt")
    of_causal = result.heads_of(tiny("gpt2").info.name)
    assert of_causal["n"].eq(1).all()
    assert of_causal["degree"].isna().all()
    assert any("degree undefined in 1 of 1" in item.why for item in result.excluded)
    assert result.correlation(tiny("gpt2").info.name, "effect", "Pearson") is None


def test_a_model_without_a_sentence_is_named_and_one_alone_is_refused() -> None:
    result = measure([tiny("bert"), tiny("gpt2")], **PAIR)
    assert any(item.kind == "model" and "begins with the hidden word" in item.why for item in result.excluded)
    with pytest.raises(NothingToScore, match="No sentence can be asked of gpt2"):
        measure([tiny("gpt2")], **PAIR)
    with pytest.raises(NoPredictionHead):
        measure([tiny("bert-encoder")], **PAIR)


def test_a_run_that_was_stopped_says_so() -> None:
    run: Run[Any] = Run()
    run.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore, match="stopped before"):
        measure([tiny("bert")], run, **PAIR)


def test_what_was_reached_before_a_stop_is_kept_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "_AT_ONCE", 1)
    (tmp_path / "c.txt").write_text(f"{TEXT}\n{BEHIND}", encoding="utf-8")
    spec = {"corpus": tmp_path / "c.txt", "intervention": "zero"}
    whole = measure([tiny("bert")], **spec)
    run: Run[Any] = Run()
    run.cancelled = lambda: any(  # type: ignore[method-assign]
        read.effects for read in run.memory.values() if isinstance(read, compute._Read)
    )
    part = measure([tiny("bert")], run, **spec)
    assert part.stopped
    assert part["sentences"]["sentence"].tolist() == [TEXT]
    again: Run[Any] = Run()
    again.memory = run.memory
    result = measure([tiny("bert")], again, **spec)
    assert not result.stopped
    pd.testing.assert_frame_equal(result["heads"], whole["heads"], atol=TOLERANCE, rtol=0)


# What is refused before anything is measured.


@pytest.mark.parametrize(
    ("spec", "error", "sentence"),
    [
        ({"sentence": "The man told the woman that the nurse was late."}, OptionError, "has no “he” or “she” to hide"),
        ({**PAIR, "twin": "The man told her that the nurse was late."}, OptionError, "The twin “The man"),
        ({"groups": "he-she-they"}, WordListError, "3 groups are given"),
        ({"sentence": "It rained."}, WordListError, "has no male word"),
        ({"most": 0}, OptionError, "from 1 to 10,000"),
    ],
)
def test_bad_requests(spec: dict[str, Any], error: type[InputError], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        CausesSpec(**spec)


def test_a_corpus_without_a_fitting_sentence_says_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("It rained.\nHer brother met a nurse.\n", encoding="utf-8")
    with pytest.raises(
        NothingToScore, match=r"a “he” or “she” \(no male or female word: 1, no “he” or “she” to hide: 1"
    ):
        measure([tiny("bert")], corpus=CorpusFile(tmp_path / "c.txt"))


# Numbers.


def test_means_by_hand() -> None:
    """Six sentences of one sign: 2 of 64 sign patterns reach their mean, p = 1/32; adjusted over two columns."""
    found = metric.means(np.array([[1.0, 1.0], [1.0, -1.0]] * 3), seed=0)
    assert found.mean.tolist() == [1.0, 0.0]
    assert found.p.tolist() == [1 / 32, 1.0]
    assert found.adjusted.tolist() == [1 / 16, 1.0]
    assert (found.low[0], found.high[0]) == (1.0, 1.0)
    few = metric.means(np.ones((5, 1)), seed=0)
    assert few.mean.tolist() == [1.0]
    assert np.isnan([few.low[0], few.high[0], few.p[0], few.adjusted[0]]).all()


def test_mean_degrees_leave_out_what_is_undefined() -> None:
    mean, n = metric.mean_degrees(np.array([[0.5, np.nan], [-0.1, np.nan]]))
    assert mean[0] == pytest.approx(0.2)
    assert np.isnan(mean[1])
    assert n.tolist() == [2, 0]


def test_correlations_by_hand() -> None:
    """Effects −2, −1, 1, 3 on degrees 1 to 4: ranks agree; sizes 2, 1, 1, 3. The fifth head has no degree."""
    found = {
        (quantity, method): correlation
        for quantity, method, correlation in metric.correlations(
            np.array([-2.0, -1.0, 1.0, 3.0, 9.0]), np.array([1.0, 2.0, 3.0, 4.0, np.nan])
        )
    }
    assert found["effect", "Spearman"].r == pytest.approx(1.0)
    # Σ(x−2.5)(y−.25) = 8.5; Σ(x−2.5)² = 5; Σ(y−.25)² = 14.75
    assert found["effect", "Pearson"].r == pytest.approx(8.5 / np.sqrt(5 * 14.75))
    # sizes, mean 1.75: Σ = 1.5; Σ(y−1.75)² = 2.75
    assert found["size of the effect", "Pearson"].r == pytest.approx(1.5 / np.sqrt(5 * 2.75))
    assert {correlation.n for correlation in found.values()} == {4}
    assert not list(metric.correlations(np.ones(9), np.arange(9.0)))


# What is said.


def test_the_finding_says_which_head_towards_whom_and_by_how_much() -> None:
    said = finding(causes_result("m", [[0.5, -1.25]], n=1), "m")
    assert said.text == "The twin’s value of L0 H1 moves the log odds most: by −1.25 nats towards she."
    assert "Total effect of the twin: +1.25 (−0.50 to +0.75)" in said.support
    assert "sum to −0.75 (effects do not add up). " in said.support
    said = finding(causes_result("m", [[0.5, -0.25]], n=8, intervention="zero"), "m")
    assert said.text == (
        "2 of 2 heads have an effect over 8 sentences; the largest is that of L0 H0: knocking it out moves the log "
        "odds by +0.50 nats towards he."
    )
    assert "95 % interval +0.40 to +0.60, adjusted p = 0.010 over 2 heads), n = 8. Heads are counted" in said.support
    assert "below .05. Outcome with nothing changed: −0.50." in said.support
    said = finding(causes_result("m", [[0.5, -0.25]], n=8, p=0.2), "m")
    assert said.text == "No head has an effect that can be told from 0 over 8 sentences."
    said = finding(causes_result("m", [[0.5, -0.25]], n=3), "m")
    assert (
        said.text
        == "No head has an effect that can be told from 0 over 3 sentences: 3 of at least 6 are too few to say."
    )


@pytest.mark.parametrize("intervention", ["twin", "zero", "mean"])
@pytest.mark.parametrize("outcome", list(Outcome))
def test_methods_say_what_was_done(intervention: str, outcome: Outcome) -> None:
    (text,) = methods(causes_result("m", [[0.5, -1.25]], n=1, intervention=intervention, outcome=outcome))
    assert ("Vig et al. 2020" in text) == (intervention == "twin")
    assert ("set to zero" in text) == (intervention == "zero")
    assert ("its mean over all tokens" in text) == (intervention == "mean")
    assert ("LPBS" in text) == (outcome == Outcome.LPBS)
    assert "do not add up" in text


def test_a_twin_that_is_not_given_is_made(model: LoadedModel) -> None:
    result = CausesSpec(sentence=TEXT).measure([model], Run())
    assert result.spec.twin is not None
    assert result.spec.twin.text == TWIN
    with pytest.raises(OptionError, match="There is no twin"):
        measure([model], sentence=TEXT)


def test_the_groups_turn_the_sign() -> None:
    result = measure([tiny("bert")], **PAIR)
    spec = replace(result.spec, groups={"she": ("she",), "he": ("he",)})
    turned = compute.measure(spec, [tiny("bert")], Run())
    for table, column in (("heads", "effect"), ("heads", "direct"), ("totals", "mean")):
        pd.testing.assert_series_equal(turned[table][column], -result[table][column], atol=TOLERANCE, rtol=0)
