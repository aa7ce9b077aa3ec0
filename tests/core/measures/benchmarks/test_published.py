"""Published scores of benchmarks: alone, beside a measured model on the same pairs, and refused with the reason."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from core import shelf
from core.errors import InputError, OptionError
from core.measures.benchmarks import compute, words
from core.measures.benchmarks.result import DIFFERENCES, ITEMS, MEASURES, BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkSpec
from core.run import Run
from core.spec import File
from core.stats.proportions import wilson
from tests.support.reference import corpus_file, table
from tests.support.watching import load_tiny

BERT, NAME = "crows-pairs-bert-base-uncased", "bert-base-uncased (published)"
STEREOSET = "stereoset-bert-base-cased"


def of_all(result: BenchmarkResult, part: str = "all") -> dict[Any, Any]:
    rows = result[MEASURES]
    return rows[rows["bias_type"] == part].to_dict("records")[0]


# 788 of 1,290 and 124 of 218; 861 and 126, with a tie. The summary of that run prints 66.8, of 1,289 pairs.
@pytest.mark.parametrize(
    ("id", "counts", "ties"),
    [(BERT, {"all": 912, "stereo": 788, "antistereo": 124}, 0),
     ("crows-pairs-roberta-large", {"all": 987, "stereo": 861, "antistereo": 126}, 1)],
)  # fmt: skip
def test_crows_pairs_is_counted_here(id: str, counts: dict[str, int], ties: int) -> None:
    result = shelf.result(id)
    for part, preferred in counts.items():
        row = of_all(result, part)
        assert row["value"] == pytest.approx(100 * preferred / row["n"])
        interval = wilson(preferred, row["n"])
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((100 * interval.low, 100 * interval.high))
    assert (of_all(result)["n"], of_all(result)["ties"]) == (1508, ties)
    items = result[ITEMS]
    assert items["item"].tolist()[:2] == ["0", "1"]
    assert items[["value_first", "value_second"]].isna().all().all()
    assert items["difference"].notna().all()


def test_of_stereoset_there_are_scores_alone() -> None:
    result = shelf.result(STEREOSET)
    assert of_all(result)["value"] == pytest.approx(58.680301)
    assert of_all(result)["n"] == 2106
    assert result[MEASURES][["ci_low", "ci_high"]].isna().all().all()
    assert len(result[ITEMS]) == len(result[DIFFERENCES]) == 0
    scores = result[MEASURES].pivot(index="bias_type", columns="measure", values="value")
    # ICAT is made of the two others: Nadeem et al. 2021, equation 1.
    made = scores["stereoset-lms"] * scores["stereoset-ss"].map(lambda ss: min(ss, 100 - ss)) / 50
    assert scores["stereoset-icat"].tolist() == pytest.approx(made.tolist(), abs=1e-4)
    assert "too few" not in words.finding(result, "bert-base-cased (published)", "stereoset-ss").text
    (excluded,) = result.excluded
    assert excluded.why == "intervals: not computed, the scores of its items were not published."


def pairs_file(rows: pd.DataFrame) -> File:
    return File.of("pairs.csv", rows.to_csv(index=False).encode())


def measured(file: File, **options: Any) -> BenchmarkResult:
    spec = BenchmarkSpec(benchmark="crows-pairs", files=(file,), **options)
    return compute.measure(spec, [load_tiny("bert")], Run(spec))


def test_a_published_model_stands_on_the_pairs_of_the_data() -> None:
    file = corpus_file("crows_pairs_anonymized.csv", "CrowS-Pairs")
    rows = pd.read_csv(file, keep_default_na=False).iloc[[7, 3, 400]]
    ours = pd.DataFrame(
        {"sent_more": ["The man slept."], "sent_less": ["The woman slept."], "stereo_antistereo": "stereo"}
    ).assign(bias_type="gender")
    before = measured(pairs_file(pd.concat([rows, ours])))
    spec: BenchmarkSpec = replace(before.spec, published=(BERT,))
    both = spec.finish(before)
    (tiny,) = before.models
    assert both.models == (tiny, NAME)
    assert both.of(ITEMS, tiny).reset_index(drop=True).equals(before[ITEMS])
    found = both.of(ITEMS, NAME)
    expected = table("crows_pairs_differences")["bert"].iloc[[7, 3, 400]].tolist()
    assert found["difference"].tolist() == expected
    assert found["first"].tolist() == rows["sent_more"].tolist()
    assert found["item"].tolist() == before[ITEMS]["item"].tolist()[:3]
    values = both[MEASURES].query("bias_type == 'all'").set_index("model")["value"]
    assert values[NAME] == pytest.approx(100 * sum(value > 0 for value in expected) / 3)


def test_the_digests_are_those_of_the_published_pairs() -> None:
    file = corpus_file("crows_pairs_anonymized.csv", "CrowS-Pairs")
    rows = pd.read_csv(file, keep_default_na=False)
    lines = rows["sent_more"] + "\n" + rows["sent_less"]
    digests = [hashlib.sha256(text.encode()).hexdigest()[:10] for text in lines]
    ours = table("crows_pairs_differences")
    assert ours["pair"].tolist() == digests
    assert ours["bias_type"].tolist() == rows["bias_type"].tolist()
    assert ours["direction"].tolist() == rows["stereo_antistereo"].tolist()


def test_what_is_not_comparable_is_refused_with_the_reason() -> None:
    ours = pd.DataFrame({"sent_more": ["The man slept."], "sent_less": ["The woman slept."]})
    pairs = {"benchmark": "crows-pairs", "files": (pairs_file(ours),)}
    cases: list[tuple[dict[str, Any], str]] = [
        ({**pairs, "published": BERT}, "none of its pairs is in these data"),
        ({**pairs, "published": BERT, "text": "normalised"}, "as the file has them"),
        ({**pairs, "published": STEREOSET}, "Benchmark: StereoSet, intrasentence there, CrowS-Pairs here"),
        ({"benchmark": "stereoset", "published": STEREOSET}, "revealed from left to right"),
        ({"benchmark": "stereoset", "published": "stereoset-roberta-base", "pieces": "revealed"}, "without the space"),
        ({"benchmark": "stereoset", "published": "becpro-en-bert-base-uncased"}, "of another measure"),
    ]
    for fields, says in cases:
        with pytest.raises(OptionError, match=says):
            BenchmarkSpec(**fields)


def test_a_measurement_still_needs_its_data() -> None:
    with pytest.raises(InputError, match="needs your copy of its data"):
        BenchmarkSpec.of({"benchmark": "crows-pairs", "published": (BERT,)})
