"""Thresholds: what can be written, what is refused before anything is measured, and judgements worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.batch.thresholds import How, judged, sentences, threshold, unmeasured
from core.errors import OptionError
from core.measures.lpbs.result import LpbsResult
from core.measures.measure import measures
from core.result import Excluded
from tests.support.benchmark_results import benchmark_result, info_of
from tests.support.past import scores

NUMBERS = {**LpbsResult.numbers(), **measures()["benchmark"].RESULT.numbers()}


@pytest.mark.parametrize(
    ("written", "name", "of", "how", "sign", "limit"),
    [
        ("lpbs.overall.abs > 0.8", "lpbs.overall", "", How.SIZE, ">", 0.8),
        ("lpbs.overall>0.8", "lpbs.overall", "", How.VALUE, ">", 0.8),
        ("lpbs.share.distance >= .1", None, "", How.VALUE, "", 0),
        ("lpbs.share.distance >= 0.1", "lpbs.share", "", How.DISTANCE, ">=", 0.1),
        ("lpbs.overall of he − she < −0.5", "lpbs.overall", "he - she", How.VALUE, "<", -0.5),
        ("lpbs.overall of he - she.abs <= 1e-3", "lpbs.overall", "he - she", How.SIZE, "<=", 0.001),
        ("benchmarks.crows-pairs.distance > 10", "benchmarks.crows-pairs", "", How.DISTANCE, ">", 10.0),
    ],
)
def test_a_threshold_is_read(written: str, name: str | None, of: str, how: How, sign: str, limit: float) -> None:
    if name is None:
        with pytest.raises(OptionError, match="is not a threshold such as"):
            threshold(written, NUMBERS)
        return
    found = threshold(written, NUMBERS)
    assert (found.name, found.of, found.how, found.sign, found.limit) == (name, of, how, sign, limit)
    assert found.written == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("lpbs.overal > 1", "no number “lpbs.overal”. Did you mean lpbs.overall"),
        ("agreement.correlation > 1", "no number “agreement.correlation”. "),
        ("weat.d > 1", "There are: lpbs.overall, lpbs.share, "),
        ("lpbs.overall > high", "is not a threshold such as “lpbs.overall.abs > 0.8”"),
        ("lpbs.overall = 1", "is not a threshold"),
        ("lpbs.overall > 1; lpbs.share > 1", "is not a threshold"),
        ("benchmarks.disco.distance > 1", "has no neutral value"),
    ],
)
def test_what_no_measure_gives_is_refused_with_what_there_is(written: str, said: str) -> None:
    with pytest.raises(OptionError) as caught:
        threshold(written, NUMBERS)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("written", "value", "compared", "crossed"),
    [
        ("lpbs.overall.abs > 0.8", -0.9, 0.9, True),
        ("lpbs.overall.abs > 0.9", -0.9, 0.9, False),
        ("lpbs.overall.abs >= 0.9", -0.9, 0.9, True),
        ("lpbs.overall > 0.8", -0.9, -0.9, False),
        ("lpbs.overall < -0.8", -0.9, -0.9, True),
        ("lpbs.overall <= -0.9", -0.9, -0.9, True),
        ("lpbs.overall of he - she.distance > 0.1", 0.25, 0.25, True),
    ],
)
def test_a_number_is_compared_with_the_limit(written: str, value: float, compared: float, crossed: bool) -> None:
    (found,) = judged(threshold(written, NUMBERS), "mine", scores(value))
    assert (found.run, found.model, found.of, found.unit) == ("mine", "bert", "he − she", "nats")
    assert (found.value, found.judged, found.crossed) == (value, compared, crossed)


@pytest.mark.parametrize(
    ("written", "share", "crossed"),
    [  # .6 − .5 is .09999999999999998 to a computer, .8 − .5 is .30000000000000004
        ("benchmarks.crows-pairs.distance >= 7.3", 57.3, True),
        ("benchmarks.crows-pairs.distance < 7.3", 57.3, False),
        ("benchmarks.crows-pairs.distance > 4.6", 54.6, False),
        ("benchmarks.crows-pairs.distance <= 4.6", 54.6, True),
        ("benchmarks.crows-pairs.distance > 7.2999999", 57.3, True),
    ],
)
def test_a_distance_that_is_the_limit_is_neither_above_nor_below_it(written: str, share: float, crossed: bool) -> None:
    measured = benchmark_result([("bert", "crows-pairs", "all", share, share - 4, share + 4, 900)])
    (found,) = judged(threshold(written, NUMBERS), "mine", measured)
    assert found.crossed is crossed


def test_a_judgement_says_its_wording_value_and_unit() -> None:
    (found,) = judged(threshold("lpbs.overall.abs > 0.8", NUMBERS), "mine", scores(-0.9))
    assert list(sentences([found])) == [
        "lpbs.overall.abs > 0.8: crossed (mine, bert, he − she: −0.900 nats, compared as 0.900)."
    ]
    (found,) = judged(threshold("lpbs.overall > 0.8", NUMBERS), "mine", scores(0.25))
    assert next(sentences([found])) == "lpbs.overall > 0.8: not crossed (mine, bert, he − she: 0.250 nats)."


def test_a_missing_number_is_not_judged_and_says_why() -> None:
    (found,) = judged(threshold("lpbs.overall of she - he > 0", NUMBERS), "mine", scores(1.0))
    assert found.crossed is None
    assert found.why == "it has this number only of: he − she"
    (none,) = judged(threshold("lpbs.share > 0", NUMBERS), "mine", scores(1.0))
    assert none.crossed is None
    assert next(sentences([none])).startswith("lpbs.share > 0: could not be judged for mine, bert (")
    lacking = replace(scores(1.0), excluded=(Excluded("gpt", "model", "gpt", "It has no mask token."),))
    assert [(item.model, item.crossed) for item in judged(threshold("lpbs.overall > 2", NUMBERS), "mine", lacking)] == [
        ("bert", False),
        ("gpt", None),
    ]
    (gone,) = unmeasured(threshold("lpbs.overall > 2", NUMBERS), "mine", ("bert",), "no such model")
    assert next(sentences([gone])) == "lpbs.overall > 2: could not be judged for mine, bert (no such model)."


def test_a_measure_of_masked_models_is_not_missing_in_a_causal_one() -> None:
    masked = benchmark_result([("bert", "crows-pairs", "all", 57.0, 53.0, 61.0, 900)])
    models = (*masked.provenance.models, info_of("gpt", "causal"))
    result = replace(masked, provenance=replace(masked.provenance, models=models))
    found = list(judged(threshold("benchmarks.crows-pairs.distance > 5", NUMBERS), "mine", result))
    assert [(item.model, item.value, item.judged, item.crossed) for item in found] == [("bert", 57.0, 7.0, True)]
