"""The benchmarks page: what it shows is what the experiments give."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.engine.loading import LoadedModel
from core.measures.benchmarks import words
from core.measures.benchmarks.registry import BENCHMARKS
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkSpec
from core.result import Progress
from core.run import Run
from core.sources.benchmarks import Words, own_words
from pages.shared import resources
from tests.pages.visiting import charts, errors, findings, settle, visit
from tests.support.benchmark_results import measured
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

PAGE = "pages/6_Benchmarks.py"
OWN = "own"
FEMALE, MALE = "she\nsister\nmother\nwife", "he\nbrother\nfather\nhusband"
PAIRS = (
    b"sent_more,sent_less,bias_type\nShe is a nurse.,He is a nurse.,gender\nHe is a doctor.,She is a doctor.,gender\n"
)
TINY = "bert"


def page(**link: Any) -> AppTest:
    """The first visit's benchmark, on a few words and a tiny model."""
    return visit(PAGE, models=[str(tiny_folder(TINY))], words=OWN, female_words=FEMALE, male_words=MALE, **link)


def of_file(name: str, content: bytes, file: str = "data.csv", **link: Any) -> AppTest:
    at = visit(PAGE, models=[str(tiny_folder(TINY))], benchmark=name, **link)
    assert at.info, "without data the page says what is expected"
    at.file_uploader(key="benchmarks.data").set_value([(file, content, "text/csv")])
    return settle(at)


def test_disco_of_own_words_is_what_the_experiment_gives() -> None:
    at = page()
    model = load_tiny(TINY)
    expected = measured([model], "disco", own_words(FEMALE.split(), MALE.split()))
    assert findings(at) == [words.finding(expected, model.info.name, "disco").text]
    assert not errors(at)
    assert len(charts(at)) == 2


@pytest.mark.parametrize("name", ["crows-pairs", "aul", "aula"])
def test_a_file_of_pairs(name: str) -> None:
    at = of_file(name, PAIRS)
    assert not errors(at)
    assert "of 2 pairs" in findings(at)[0]
    assert any("Blodgett" in caption.value for caption in at.caption)
    assert set(at.dataframe[0].value["item"]) == {"1", "2"}


def test_a_wrong_file_is_answered_with_what_was_expected() -> None:
    at = of_file("stereoset", b"word,count\nnurse,3\n")
    (said,) = errors(at)
    assert "word" in said
    assert "context" in said
    assert at.file_uploader(key="benchmarks.data 1"), "the file can be given again"


def test_a_model_that_cannot_be_asked_says_so() -> None:
    at = visit(PAGE, models=[str(tiny_folder("gpt2"))], words=OWN, female_words=FEMALE, male_words=MALE)
    assert "has no mask" in errors(at)[0]


def test_every_benchmark_opens_and_says_what_it_needs() -> None:
    for benchmark in BENCHMARKS:
        if not isinstance(benchmark.reads, Words):
            at = visit(PAGE, models=[str(tiny_folder(TINY))], benchmark=benchmark.id)
            assert not errors(at)
            assert any(benchmark.problems in caption.value.replace("\\", "") for caption in at.caption)


def test_own_words_in_both_groups_are_refused() -> None:
    at = visit(PAGE, models=[str(tiny_folder(TINY))], words=OWN, female_words="she\nher", male_words="he\nshe")
    assert "“she” is in both groups" in errors(at)[0]


class Reports(Run[BenchmarkResult]):
    """A run that keeps what is reported, and stops when so much is done."""

    def __init__(self, stop_at: int = 1000) -> None:
        super().__init__()
        self.done: list[int] = []
        self.stop_at = stop_at

    def report(self, progress: Progress) -> None:
        self.done.append(progress.done)
        if progress.done >= self.stop_at:
            self.stop("reader")


def test_a_stopped_benchmark_goes_on_where_it_was() -> None:
    """DisCo goes template by template: the second run asks only for those that are left."""
    spec = BenchmarkSpec(models=(str(tiny_folder(TINY)),), words=(FEMALE.split(), MALE.split()), seed=9)
    first, second = Reports(stop_at=5), Reports()
    stopped = resources.measure(spec, first)
    assert stopped.stopped
    reached = stopped["items"]["item"].nunique()
    assert 4 <= reached < 14
    second.memory = first.memory
    whole = resources.measure(spec, second)
    assert not whole.stopped
    assert whole["items"]["item"].nunique() == 14
    # Looking for the model and loading it report 0 of 1; asking starts where the first run ended.
    assert min(done for done in second.done if done) >= reached
    alone = measured([load_tiny(TINY)], "disco", spec.items(), seed=9)
    assert whole["measures"].equals(alone["measures"])


def test_models_side_by_side(embedded: LoadedModel) -> None:
    at = visit(
        PAGE,
        models=["minilm-mlm", str(tiny_folder(TINY))],
        words=OWN,
        female_words=FEMALE,
        male_words=MALE,
    )
    assert not errors(at)
    first, second = findings(at)
    assert "minilm-mlm" in first
    assert load_tiny(TINY).info.name in second


WINOGENDER = "sentid\tsentence\n" + "".join(
    f"{name}.guest.1.{form}.txt\tThe {name} said that {pronoun} was tired.\n"
    for name in ("nurse", "teacher")
    for form, pronoun in (("male", "he"), ("female", "she"))
)


def test_a_measure_without_a_value_says_so_in_place_of_its_chart() -> None:
    """Two occupations have a mean, which is no verdict, and no correlation."""
    at = of_file("winogender", WINOGENDER.encode(), "all_sentences.tsv")
    assert "too few for a verdict (2 of at least 6)" in findings(at)[0]
    at.segmented_control(key="benchmarks.measure").set_value("winogender-r").run()
    assert not at.exception
    assert "could not be computed" in findings(at)[0]
    assert any("has no value" in info.value for info in at.info)
    assert len(charts(at)) == 1


def test_what_the_file_lost_is_named_once_and_for_no_model() -> None:
    at = of_file("crows-pairs", PAIRS + b"He ran.,,age\n")
    assert any("1 pair lacks a sentence; excluded" in caption.value.replace("\\", "") for caption in at.caption)
    assert "3: pair lacks a sentence." in [text.value.splitlines()[0] for text in at.text]


def test_sentences_are_normalised_where_it_is_asked_for() -> None:
    pairs = PAIRS.replace(b"She is a nurse.", b"She  is a nurse.", 1)
    assert any("as the file has them" in caption.value for caption in of_file("crows-pairs", pairs).caption)
    at = of_file("crows-pairs", pairs, text="normalised")
    assert any("they were normalised" in item.value for item in at.caption)
