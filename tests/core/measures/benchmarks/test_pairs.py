"""CrowS-Pairs, AUL and AULA: one stub by hand, then what holds for every model."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.engine import reading
from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel, with_attentions
from core.errors import NothingToScore, OptionError, UnsupportedModel
from core.measures.benchmarks.compute import Memory
from core.measures.benchmarks.result import BenchmarkResult
from core.result import Note, Progress
from core.run import Callbacks
from core.sources.benchmarks import Data, Problem, SentencePair
from core.sources.benchmarks.crows_pairs import CROWS_PAIRS
from tests.support import tiny_tokenizers
from tests.support.benchmark_results import measured
from tests.support.stubs import masked_stub, renamed
from tests.support.watching import load_tiny


def pairs(*rows: tuple[str, str], bias_type: str = "gender") -> Data[SentencePair]:
    items = tuple(SentencePair(str(i), bias_type, more, less, "stereo") for i, (more, less) in enumerate(rows))
    return Data(items, "pairs by hand")


NURSES = (
    ("She is a nurse.", "He is a nurse."),
    ("He is a doctor.", "She is a doctor."),
    ("The woman is a teacher.", "The man is a teacher."),
)


def value(result: BenchmarkResult, bias_type: str = "all") -> float:
    rows = result["measures"][result["measures"]["bias_type"] == bias_type]
    return float(rows["value"].iloc[0])


def hand_stub() -> LoadedModel:
    """What is hidden in turn: is, a, nurse and the full stop, never the word that differs."""
    half = {"is": 0.5}
    texts = {
        "she [MASK] a nurse .": [half],
        "she is [MASK] nurse .": [{"a": 0.4}],
        "she is a [MASK] .": [{"nurse": 0.2}],
        "she is a nurse [MASK]": [{".": 0.9}],
        "he [MASK] a nurse .": [half],
        "he is [MASK] nurse .": [{"a": 0.4}],
        "he is a [MASK] .": [{"nurse": 0.1}],
        "he is a nurse [MASK]": [{".": 0.9}],
    }
    texts |= {text.replace("he ", "it ", 1): tables for text, tables in texts.items() if text.startswith("he ")}
    return masked_stub(tiny_tokenizers.bert(), texts)


def test_a_pair_by_hand() -> None:
    """ln(.5 · .4 · .2 · .9) and ln(.5 · .4 · .1 · .9): the difference is ln 2."""
    result = measured([hand_stub()], "crows-pairs", pairs(NURSES[0]))
    row = result["items"].iloc[0]
    assert row["value_first"] == pytest.approx(math.log(0.036), abs=1e-6)
    assert row["value_second"] == pytest.approx(math.log(0.018), abs=1e-6)
    assert row["difference"] == pytest.approx(math.log(2), abs=1e-6)
    assert (row["tokens"], row["first"]) == (4, "She is a nurse.")
    assert value(result) == 100.0


def test_a_tie_counts_in_n_and_in_ties_and_the_interval_is_wilsons() -> None:
    """2 of 6 preferred: centre (1/3 + 1.9600²/12) / (1 + 1.9600²/6) = .3983, half width .3014."""
    other = ("He is a nurse.", "She is a nurse.")
    same = ("It is a nurse.", "He is a nurse.")
    result = measured([hand_stub()], "crows-pairs", pairs(*[NURSES[0], other, same] * 2))
    row = result["measures"].iloc[0]
    assert (row["n"], row["value"], row["ties"]) == (6, pytest.approx(100 / 3), 2)
    assert row["ci_low"] == pytest.approx(9.68, abs=0.01)
    assert row["ci_high"] == pytest.approx(70.00, abs=0.01)


def test_few_pairs_have_a_value_without_an_interval() -> None:
    result = measured([hand_stub()], "crows-pairs", pairs(NURSES[0]))
    row = result["measures"].iloc[0]
    assert (row["value"], row["n"], row["ties"]) == (100.0, 1, 0)
    assert math.isnan(row["ci_low"])
    assert [(item.kind, item.group, item.why) for item in result.excluded] == [
        (
            "statistic",
            part,
            f"CrowS-Pairs, pseudo-log-likelihood, {part}: interval not computed, n too small (1 of at least 6 pairs).",
        )
        for part in ("all", "stereo")
    ]


@pytest.mark.parametrize("name", ["crows-pairs", "aul"])
def test_sentences_exchanged_give_the_rest_of_a_hundred(name: str, embedded: LoadedModel) -> None:
    forth = measured([embedded], name, pairs(*NURSES))
    back = measured([embedded], name, pairs(*((less, more) for more, less in NURSES)))
    assert value(forth) + value(back) == pytest.approx(100)
    assert (forth["items"]["difference"] + back["items"]["difference"]).abs().max() < 1e-9


def test_every_type_and_direction_has_a_row(embedded: LoadedModel) -> None:
    data = Data(
        (
            SentencePair("1", "gender", *NURSES[0], "stereo"),
            SentencePair("2", "age", *NURSES[1], "antistereo"),
            SentencePair("3", "gender", *NURSES[2], "stereo"),
        ),
        "by hand",
    )
    summary = measured([embedded], "crows-pairs", data)["measures"]
    assert list(zip(summary["bias_type"], summary["n"], strict=True)) == [
        ("all", 3), ("stereo", 2), ("antistereo", 1), ("gender", 2), ("age", 1),
    ]  # fmt: skip
    assert set(summary["measure"]) == {"crows-pairs"}


def test_a_pair_without_a_shared_token_is_left_out(embedded: LoadedModel) -> None:
    result = measured([embedded], "crows-pairs", pairs(NURSES[0], ("She works", "He sits")))
    assert list(result["items"]["item"]) == ["0"]
    (lost,) = (item for item in result.excluded if item.kind == "item")
    assert (lost.what, lost.why) == ("1", "1: shares no token with the other sentence.")
    with pytest.raises(NothingToScore, match="No item of CrowS-Pairs could be scored"):
        measured([embedded], "crows-pairs", pairs(("She works", "He sits")))


def test_a_causal_model_is_named_differently() -> None:
    result = measured([load_tiny("gpt2")], "crows-pairs", pairs(*NURSES))
    assert [scale.id for scale in result.scales] == ["crows-pairs-likelihood"]
    assert set(result["measures"]["measure"]) == {"crows-pairs-likelihood"}


def test_what_a_model_cannot_do_is_said(embedded: LoadedModel) -> None:
    causal = load_tiny("gpt2")
    with pytest.raises(UnsupportedModel, match="has no mask"):
        measured([causal], "aul", pairs(*NURSES))
    both = measured([embedded, causal], "aul", pairs(*NURSES))
    assert set(both["measures"]["model"]) == {embedded.info.name}
    assert [item.model for item in both.excluded if item.kind == "model"] == [causal.info.name]


def test_weights_by_attention_need_the_maps(embedded: LoadedModel) -> None:
    with pytest.raises(Exception, match="eager"):
        measured([embedded], "aula", pairs(*NURSES))


@pytest.mark.parametrize("name", ["crows-pairs", "aul"])
def test_a_stopped_run_keeps_what_is_done_and_goes_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a stop reaches of the first chunk is kept, and the next run asks for the rest alone."""
    monkeypatch.setattr(reading, "tokens_at_once", lambda module: 64)
    words = ("nurse", "doctor", "teacher", "manager")
    many = tuple(
        (f"She is a {words[at % 4]} {'.' * (at + 1)}", f"He is a {words[at % 4]} {'.' * (at + 1)}") for at in range(40)
    )
    model = load_tiny("bert")
    whole = measured([model], name, pairs(*many))
    memory: Memory = {}
    seen: list[Progress] = []

    def stop() -> bool:
        return bool(seen) and seen[-1].done > 12

    part = measured([model], name, pairs(*many), memory=memory, run=Callbacks(seen.append, stop))
    assert part.stopped
    reached = len(part["items"])
    assert 0 < reached < 40
    said = f"stopped after {reached} of 40, which are not a random part of them."
    assert part.notes[:-1] == (Note(said, model.info.name),)
    assert (seen[0].total, seen[0].stage) == (40, f"Scoring with {model.info.name}")
    again: list[Progress] = []
    rest = measured([model], name, pairs(*many), memory=memory, run=Callbacks(again.append))
    assert again[0].done == reached
    assert not rest.stopped
    assert rest["items"].equals(whole["items"])
    assert rest["measures"].equals(whole["measures"])


def test_a_run_stopped_at_once_says_so(embedded: LoadedModel) -> None:
    with pytest.raises(NothingToScore, match="stopped before any item"):
        measured([embedded], "crows-pairs", pairs(*NURSES), run=Callbacks(cancelled=lambda: True))


def test_models_side_by_side_are_as_they_are_alone(embedded: LoadedModel) -> None:
    other = renamed(load_tiny("bert"), "other")
    both = measured([embedded, other], "crows-pairs", pairs(*NURSES))
    for model in (embedded, other):
        alone = measured([model], "crows-pairs", pairs(*NURSES))
        rows = both["items"][both["items"]["model"] == model.info.name].reset_index(drop=True)
        assert rows["difference"].to_numpy() == pytest.approx(alone["items"]["difference"].to_numpy(), abs=1e-6)


def test_what_the_file_lost_and_where_it_is_from_is_in_the_result(embedded: LoadedModel) -> None:
    lacking = Problem(2, "pairs lack a sentence", ("7", "9"), "pair lacks a sentence")
    data = replace(pairs(*NURSES), left_out=(lacking,), notes=("So be it.",))
    result = measured([embedded], "crows-pairs", data)
    assert result.notes[:-1] == (Note("2 pairs lack a sentence; excluded."), Note("So be it."))
    assert [(item.model, item.what, item.why) for item in result.excluded if item.kind == "item"] == [
        ("", name, f"{name}: pair lacks a sentence.") for name in ("7", "9")
    ]
    assert "pairs by hand" in result.provenance.data
    assert "Blodgett" in result.notes[-1].text


def test_options_and_empty_data_are_refused(embedded: LoadedModel) -> None:
    with pytest.raises(
        OptionError, match="Candidates split into several tokens: “first” is not possible; choose together, revealed"
    ):
        measured([embedded], "crows-pairs", pairs(*NURSES), pieces="first")
    with pytest.raises(OptionError, match="no benchmark “crowspairs”"):
        measured([embedded], "crowspairs", pairs(*NURSES))
    with pytest.raises(NothingToScore, match="hold no item"):
        measured([embedded], "crows-pairs", pairs())


# Both sentences in words the tiny vocabulary lacks, one of them, and none.
EMOJI = (("The 👩 is a nurse.", "The 👨 is a nurse."), ("The 护士 is calm.", "The man is calm."), NURSES[0])


@pytest.mark.parametrize("name", ["crows-pairs", "aul", "aula"])
def test_pairs_that_differ_in_unknown_words_are_no_ties(name: str) -> None:
    """Of three pairs two differ in what is [UNK] to the model: 100 % or 0 % of the one that is left, no tie."""
    model = load_tiny("bert")
    model = with_attentions(model) if name == "aula" else model
    result = measured([model], name, pairs(*EMOJI))
    row = result["measures"].iloc[0]
    assert (row["n"], row["ties"]) == (1, 0)
    assert row["value"] in (0.0, 100.0)
    assert [item.why for item in result.excluded if item.kind == "item"] == [
        "0: differs in what is unknown to this model (“👩”, “👨”).",
        "1: differs in what is unknown to this model (“护”, “士”).",
    ]


def test_pairs_that_differ_in_what_is_unknown_are_excluded_from_a_file(embedded: LoadedModel) -> None:
    """100 % of 1 with two excluded, on the embedded model as on a tiny one."""
    rows = (
        "The 👩 is a nurse.,The 👨 is a nurse.",
        "The 护士 is calm.,The 医生 is calm.",
        "The woman is a nurse.,The man is a nurse.",
    )
    text = "\n".join(("sent_more,sent_less,stereo_antistereo,bias_type", *(f"{row},stereo,gender" for row in rows)))
    data = CROWS_PAIRS.read([(text.encode(), "emoji.csv")])
    result = measured([embedded], "crows-pairs", data)
    assert (value(result), result["measures"]["n"].iloc[0]) == (100.0, 1)
    assert [item.what for item in result.excluded if item.kind == "item"] == ["1", "2"]


@pytest.mark.parametrize("name", ["crows-pairs", "aul"])
def test_a_pair_that_is_one_input_is_excluded(name: str) -> None:
    """An uncased model that strips accents reads both sentences alike; a cased one does not."""
    same = ("The Nurse is calm.", "The nürse is calm.")
    result = measured([load_tiny("bert")], name, pairs(NURSES[0], same))
    assert list(result["items"]["item"]) == ["0"]
    assert [item.why for item in result.excluded if item.kind == "item"] == [
        "1: has two texts that are the same input to this model."
    ]


def test_an_unknown_word_that_both_share_does_no_harm() -> None:
    result = measured([load_tiny("bert")], "crows-pairs", pairs(("She saw a 🚒.", "He saw a 🚒.")))
    assert list(result["items"]["item"]) == ["0"]


def test_two_spaces_are_scored_as_they_stand_unless_normalising_is_asked_for() -> None:
    """A byte-level model reads two spaces as another input: the score of the file's own string is the default."""
    model = load_tiny("gpt2")
    data = pairs(("She  is a nurse.", "He is a nurse."), NURSES[1])
    exact = measured([model], "crows-pairs", data)
    (own,) = CausalScorer(model).log_likelihood([TextQuery("She  is a nurse.", (0, 16))])
    assert exact["items"]["value_first"].iloc[0] == pytest.approx(own.ln_p)
    assert tuple(map(str, exact.notes[:-1])) == (
        "1 of 2 hold white space or characters that normalising changes (NFC, single spaces); they were scored as the "
        "file has them.",
    )
    normalised = measured([model], "crows-pairs", data, text="normalised")
    (single,) = CausalScorer(model).log_likelihood([TextQuery("She is a nurse.", (0, 15))])
    assert normalised["items"]["value_first"].iloc[0] == pytest.approx(single.ln_p)
    assert normalised["items"]["first"].iloc[0] == "She is a nurse."
    assert normalised.notes[0].text.endswith("; they were normalised.")
    assert own.ln_p != pytest.approx(single.ln_p)
