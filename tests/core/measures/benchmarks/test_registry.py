"""Which benchmarks there are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.errors import OptionError
from core.measures.benchmarks.benchmark import Benchmark
from core.measures.benchmarks.registry import BENCHMARKS, benchmark
from core.measures.benchmarks.result import BenchmarkResult
from core.sources.benchmarks import Format, Lexicon, Words, is_library_name

IDS = ("crows-pairs", "aul", "aula", "stereoset", "disco", "winobias", "winogender", "honest")
every_benchmark = pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.id)


def test_the_ids_and_what_each_reads() -> None:
    assert tuple(benchmark.id for benchmark in BENCHMARKS) == IDS
    reads = {benchmark.id: type(benchmark.reads) for benchmark in BENCHMARKS}
    assert reads.pop("disco") is Words
    assert reads.pop("honest") is Lexicon
    assert set(reads.values()) == {Format}


def test_listing_benchmarks_loads_no_model_library() -> None:
    code = "import sys, core.measures.benchmarks.registry as r; print(len(r.BENCHMARKS), 'torch' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["8", "False"]


def test_aul_and_aula_read_the_pairs_of_crows_pairs() -> None:
    pairs = b"sent_more,sent_less\nHe is kind.,She is kind.\n"
    first, second, third = (benchmark(name).read([(pairs, "a.csv")]) for name in IDS[:3])
    assert first == second == third


@every_benchmark
def test_the_texts_are_single_sentences_to_show(benchmark: Benchmark) -> None:
    text = benchmark.problems
    assert text.endswith(".")
    assert ". " not in text.replace("et al. ", "").replace("U.S. ", "")
    assert benchmark.citation
    assert benchmark.expects.endswith(".")


@every_benchmark
def test_measures_are_told_apart_and_their_neutral_value_lies_within_their_bounds(benchmark: Benchmark) -> None:
    measures = (*benchmark.measures, *benchmark.causal_measures)
    assert len({measure.id for measure in measures}) == len({measure.title for measure in measures}) == len(measures)
    for measure in measures:
        assert (measure.neutral is None) or measure.below
        bounds = [end for end in (measure.lowest, measure.neutral, measure.highest) if end is not None]
        assert bounds == sorted(bounds)


def test_the_usual_names_are_names() -> None:
    named = {benchmark.id: benchmark.hub for benchmark in BENCHMARKS if benchmark.hub}
    assert set(named) == {"crows-pairs", "aul", "aula", "stereoset", "winogender"}
    assert all(map(is_library_name, named.values()))


@pytest.mark.parametrize(("name", "title"), [("disco", "DisCo"), ("honest", "Hurtful completions")])
def test_words_and_lexicons_are_no_data_set(name: str, title: str) -> None:
    with pytest.raises(OptionError, match=f"^{title}.* is not read from a data set"):
        benchmark(name).named("owner/name")


def test_words_are_no_file() -> None:
    with pytest.raises(OptionError, match="DisCo needs words, no file"):
        benchmark("disco").read([(b"Mary", "a.txt")])


def test_an_unknown_benchmark_lists_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"no benchmark “crows”\. Did you mean crows-pairs"):
        benchmark("crows")


def test_a_number_that_leaves_says_once_of_which_benchmark_it_is() -> None:
    titles = {headline.column.name: headline.column.title for headline in BenchmarkResult.HEADLINES}
    assert titles["crows-pairs"] == "CrowS-Pairs, pseudo-log-likelihood"
    assert titles["aul"] == "AUL, all tokens unmasked"
    assert titles["stereoset-icat"] == "StereoSet, intrasentence: ICAT"
    assert titles["winogender"] == "Winogender, by pronoun: Mean ln P(he) − ln P(she)"
    numbers = [measure for known in BENCHMARKS for measure in (*known.measures, *known.causal_measures)]
    assert len(titles) == len(BenchmarkResult.HEADLINES) == len(numbers)
