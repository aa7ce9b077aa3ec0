"""CrowS-Pairs, AUL and AULA: one stub by hand, then what holds for every model."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.errors import NothingToScore, OptionError, UnsupportedModel
from core.experiments.benchmarks import runner
from core.experiments.benchmarks.pairs import CROWS_PAIRS
from core.experiments.benchmarks.runner import Memory, run
from core.lexicon.benchmarks import Data, Problem, SentencePair
from core.models.loading import LoadedModel
from core.results import BenchmarkOptions, BenchmarkResult, Progress
from tests.support import tiny_tokenizers
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
    rows = result.summary[result.summary["bias_type"] == bias_type]
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
    result = run([hand_stub()], "crows-pairs", pairs(NURSES[0]))
    row = result.detail.iloc[0]
    assert row["value_first"] == pytest.approx(math.log(0.036), abs=1e-6)
    assert row["value_second"] == pytest.approx(math.log(0.018), abs=1e-6)
    assert row["difference"] == pytest.approx(math.log(2), abs=1e-6)
    assert (row["tokens"], row["first"]) == (4, "She is a nurse.")
    assert value(result) == 100.0


def test_a_tie_counts_in_n_alone_and_the_interval_is_wilsons() -> None:
    """1 of 3 preferred: centre (1/3 + 1.9600²/6) / (1 + 1.9600²/3) = .4270, half width .3654."""
    other = ("He is a nurse.", "She is a nurse.")
    same = ("It is a nurse.", "He is a nurse.")
    result = run([hand_stub()], "crows-pairs", pairs(NURSES[0], other, same))
    row = result.summary.iloc[0]
    assert (row["n"], row["value"]) == (3, pytest.approx(100 / 3))
    assert row["ci_low"] == pytest.approx(6.15, abs=0.01)
    assert row["ci_high"] == pytest.approx(79.23, abs=0.01)


@pytest.mark.parametrize("name", ["crows-pairs", "aul"])
def test_sentences_exchanged_give_the_rest_of_a_hundred(name: str, embedded: LoadedModel) -> None:
    forth = run([embedded], name, pairs(*NURSES))
    back = run([embedded], name, pairs(*((less, more) for more, less in NURSES)))
    assert value(forth) + value(back) == pytest.approx(100)
    assert (forth.detail["difference"] + back.detail["difference"]).abs().max() < 1e-9


def test_every_type_and_direction_has_a_row(embedded: LoadedModel) -> None:
    data = Data(
        (
            SentencePair("1", "gender", *NURSES[0], "stereo"),
            SentencePair("2", "age", *NURSES[1], "antistereo"),
            SentencePair("3", "gender", *NURSES[2], "stereo"),
        ),
        "by hand",
    )
    summary = run([embedded], "crows-pairs", data).summary
    assert list(zip(summary["bias_type"], summary["n"], strict=True)) == [
        ("all", 3), ("stereo", 2), ("antistereo", 1), ("gender", 2), ("age", 1),
    ]  # fmt: skip
    assert set(summary["measure"]) == {"crows-pairs"}


def test_a_pair_without_a_shared_token_is_left_out(embedded: LoadedModel) -> None:
    result = run([embedded], "crows-pairs", pairs(NURSES[0], ("She works", "He sits")))
    assert list(result.detail["item"]) == ["0"]
    (lost,) = result.left_out
    assert (lost.word, lost.reason) == ("1", "1: shares no token with the other sentence")
    with pytest.raises(NothingToScore, match="No item of CrowS-Pairs could be scored"):
        run([embedded], "crows-pairs", pairs(("She works", "He sits")))


def test_a_causal_model_is_named_differently() -> None:
    result = run([load_tiny("gpt2")], "crows-pairs", pairs(*NURSES))
    assert [one.id for one in result.measures] == ["crows-pairs-likelihood"]
    assert set(result.summary["measure"]) == {"crows-pairs-likelihood"}


def test_what_a_model_cannot_do_is_said(embedded: LoadedModel) -> None:
    causal = load_tiny("gpt2")
    with pytest.raises(UnsupportedModel, match="has no mask"):
        run([causal], "aul", pairs(*NURSES))
    both = run([embedded, causal], "aul", pairs(*NURSES))
    assert set(both.summary["model"]) == {embedded.info.name}
    assert [one.model for one in both.left_out] == [causal.info.name]


def test_weights_by_attention_need_the_maps(embedded: LoadedModel) -> None:
    with pytest.raises(Exception, match="eager"):
        run([embedded], "aula", pairs(*NURSES))


def test_a_stopped_run_keeps_what_is_done_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of chunks of 16 pairs the third is cut short, and the next run asks for it alone."""
    monkeypatch.setitem(runner.TASKS, "crows-pairs", replace(CROWS_PAIRS, chunk=16))
    many = tuple((f"She is a {word}.", f"He is a {word}.") for word in ("nurse", "doctor", "teacher", "manager") * 10)
    model = load_tiny("bert")
    whole = run([model], "crows-pairs", pairs(*many))
    memory: Memory = {}
    seen: list[Progress] = []

    def stop() -> bool:
        return bool(seen) and seen[-1].done > 32

    part = run([model], "crows-pairs", pairs(*many), memory=memory, progress=seen.append, cancelled=stop)
    assert part.stopped
    assert len(part.detail) == 32
    assert part.notes == (f"{model.info.name}: stopped after 32 of 40.",)
    assert (seen[0].total, seen[0].stage) == (40, f"Asking {model.info.name}")
    rest = run([model], "crows-pairs", pairs(*many), memory=memory)
    assert not rest.stopped
    assert rest.detail.equals(whole.detail)
    assert rest.summary.equals(whole.summary)


def test_a_run_stopped_at_once_says_so(embedded: LoadedModel) -> None:
    with pytest.raises(NothingToScore, match="stopped before any item"):
        run([embedded], "crows-pairs", pairs(*NURSES), cancelled=lambda: True)


def test_models_side_by_side_are_as_they_are_alone(embedded: LoadedModel) -> None:
    other = renamed(load_tiny("bert"), "other")
    both = run([embedded, other], "crows-pairs", pairs(*NURSES))
    for model in (embedded, other):
        alone = run([model], "crows-pairs", pairs(*NURSES))
        rows = both.detail[both.detail["model"] == model.info.name].reset_index(drop=True)
        assert rows["difference"].to_numpy() == pytest.approx(alone.detail["difference"].to_numpy(), abs=1e-6)


def test_what_the_file_lost_and_where_it_is_from_is_in_the_result(embedded: LoadedModel) -> None:
    data = replace(pairs(*NURSES), left_out=(Problem(2, "pairs lack a sentence"),))
    result = run([embedded], "crows-pairs", data)
    assert result.notes == ("2 pairs lack a sentence; left out.",)
    assert "pairs by hand" in result.provenance.data
    assert "Blodgett" in result.problems


def test_options_and_empty_data_are_refused(embedded: LoadedModel) -> None:
    with pytest.raises(OptionError, match="pieces is “first”"):
        run([embedded], "crows-pairs", pairs(*NURSES), BenchmarkOptions(pieces="first"))
    with pytest.raises(OptionError, match="no benchmark “crowspairs”"):
        run([embedded], "crowspairs", pairs(*NURSES))
    with pytest.raises(NothingToScore, match="hold no item"):
        run([embedded], "crows-pairs", pairs())
