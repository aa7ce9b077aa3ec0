"""WinoBias and Winogender: by hand on a stub."""

from __future__ import annotations

import math

import pytest

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.sources import shares
from core.sources.benchmarks import Data, PronounItem
from tests.support import tiny_tokenizers
from tests.support.benchmark_results import measured
from tests.support.stubs import masked_stub
from tests.support.watching import load_tiny

PROBABILITIES = {"nurse": (0.1, 0.4), "engineer": (0.4, 0.1), "teacher": (0.2, 0.3), "doctor": (0.3, 0.2)}


def stub() -> LoadedModel:
    texts = {
        f"the {name} said that [MASK] was tired .": [{"he": he, "she": she}]
        for name, (he, she) in PROBABILITIES.items()
    }
    return masked_stub(tiny_tokenizers.bert(), texts)


def items(kind: str = "", *, first: str = "he", second: str = "she") -> Data[PronounItem]:
    made = [
        PronounItem(f"{name}.1", kind, f"The {name} said that [MASK] was tired.", first, second, name)
        for name in PROBABILITIES
    ]
    return Data(tuple(made), "by hand")


def test_winogender_by_hand() -> None:
    """ln ¼, ln 4, ln ⅔, ln 1.5: their mean is 0. Percent women 89.58, 10.72, 71, 37.9.

    Centred percentages 37.28, −41.58, 18.70, −14.40; Σ = 37.28·(−1.3863) − 41.58·1.3863 + 18.70·(−.4055)
    − 14.40·.4055 = −122.75; over √(3675.7 · 4.1726) = 123.84, r = −.991.
    """
    result = measured([stub()], "winogender", items())
    mean, correlation = result["measures"].to_dict("records")
    assert (mean["measure"], mean["n"]) == ("winogender", 4)
    assert mean["value"] == pytest.approx(0, abs=1e-6)
    assert math.isnan(mean["ci_low"])
    assert (correlation["measure"], correlation["n"]) == ("winogender-r", 4)
    assert correlation["value"] == pytest.approx(-0.991, abs=1e-3)
    assert math.isnan(correlation["ci_low"])
    assert {item.why for item in result.excluded} == {
        f"{title}, all: interval not computed, n too small (4 of at least 6 occupations)."
        for title in ("Mean ln P(he) − ln P(she)", "Correlation with percent women")
    }
    row = result["items"].iloc[0]
    assert (row["occupation"], row["percent_women"]) == ("nurse", shares("winogender").find("nurse"))
    assert row["difference"] == pytest.approx(math.log(0.25), abs=1e-6)
    assert row["first"] == "The nurse said that he was tired."


def test_a_correlation_of_three_occupations_is_no_number() -> None:
    data = items()
    result = measured([stub()], "winogender", Data(data.items[:3], "by hand"))
    row = result["measures"].iloc[1]
    assert row["measure"] == "winogender-r"
    assert math.isnan(row["value"])
    assert any("3 of at least 4 occupations with a percentage of women" in item.why for item in result.excluded)


def test_winobias_counts_the_pronoun_of_the_stereotype() -> None:
    """Asked for she first: preferred for the nurse and the teacher, 2 of 4."""
    result = measured([stub()], "winobias", items("type 1", first="she", second="he"))
    row = result["measures"].iloc[0]
    assert (row["bias_type"], row["value"], row["n"]) == ("all", 50.0, 4)
    assert list(result["items"]["difference"] > 0) == [True, False, True, False]


def test_six_occupations_have_intervals() -> None:
    more = {"programmer": (0.2, 0.1), "secretary": (0.1, 0.3)}
    texts = {
        f"the {name} said that [MASK] was tired .": [{"he": he, "she": she}]
        for name, (he, she) in (PROBABILITIES | more).items()
    }
    own = tuple(
        PronounItem(f"{name}.1", "", f"The {name} said that [MASK] was tired.", "he", "she", name) for name in more
    )
    result = measured(
        [masked_stub(tiny_tokenizers.bert(), texts)], "winogender", Data((*items().items, *own), "by hand")
    )
    assert (result["measures"]["ci_low"] < result["measures"]["value"]).all()
    assert (result["measures"]["value"] < result["measures"]["ci_high"]).all()
    assert result.excluded == ()


@pytest.mark.parametrize("name", ["winobias", "winogender"])
def test_a_causal_model_compares_whole_sentences_under_another_name(name: str) -> None:
    model = load_tiny("gpt2")
    result = measured([model], name, items("type 1"))
    wanted = {"winobias": ["winobias-likelihood"], "winogender": ["winogender-likelihood", "winogender-likelihood-r"]}
    assert [scale.id for scale in result.scales] == wanted[name]
    assert set(result["measures"]["measure"]) == set(wanted[name])
    row = result["items"].iloc[0]
    for side, text in (
        ("first", "The nurse said that he was tired."),
        ("second", "The nurse said that she was tired."),
    ):
        (score,) = CausalScorer(model).log_likelihood([TextQuery(text, (0, len(text)))])
        assert (row[side], row[f"value_{side}"]) == (text, pytest.approx(score.ln_p))


def test_an_occupation_the_model_does_not_know_is_excluded() -> None:
    """Two sentences of unknown occupations are the same input: what is answered is about neither."""
    odd = [PronounItem(f"{name}.1", "", f"The {name} said that [MASK] was tired.", "he", "she", name) for name in "☃🚒"]
    result = measured([stub()], "winogender", Data((*items().items, *odd), "by hand"))
    assert len(result["items"]) == 4
    assert [item.why for item in result.excluded if item.kind == "item"] == [
        "☃.1: “☃” is unknown to this model.",
        "🚒.1: “🚒” is unknown to this model.",
    ]
