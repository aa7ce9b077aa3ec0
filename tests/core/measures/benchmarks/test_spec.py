"""What a benchmark is asked for, and what is refused before a model is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import Dataset

from core.errors import InputError, OptionError, WordListError
from core.measures.benchmarks.choices import Average, Fills, Pieces, Sentences
from core.measures.benchmarks.registry import BENCHMARKS
from core.measures.benchmarks.spec import BenchmarkSpec, TwoGroups, _of_data_set
from core.measures.measure import load
from core.plain import plain
from core.run import Run
from core.sources.benchmarks import Words, disco_words
from core.spec import File
from tests.support.tiny import tiny_folder

PAIRS = b"sent_more,sent_less,bias_type\nShe is a nurse.,He is a nurse.,gender\n"
FILE = File.of("pairs.csv", PAIRS)


def test_the_first_visit_needs_no_file() -> None:
    spec = BenchmarkSpec.of({})
    assert (spec.benchmark, spec.words) == ("disco", TwoGroups("names"))
    assert spec.items().items == (disco_words("names"),)


def test_words_are_a_list_s_name_or_two_groups() -> None:
    assert BenchmarkSpec(words="nouns").words == TwoGroups("nouns")
    own = BenchmarkSpec(words=(["she", "wife"], ["he"]))
    assert own.words == TwoGroups("", ("she", "wife"), ("he",))
    assert [group for _, group in own.items().items[0].groups] == [("she", "wife"), ("he",)]
    assert own == BenchmarkSpec.of({"words": "own", "female_words": "she\nwife", "male_words": "he"})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"benchmark": "crows"}, "no benchmark “crows”. Did you mean crows-pairs"),
        ({"words": "verbs"}, "DisCo has names and nouns, no “verbs”"),
        ({"words": ((), ("he",))}, "A group has no word"),
        ({"words": (("she", "he"), ("he",))}, "“he” is in both groups"),
        ({"files": (FILE,)}, "DisCo needs words, no file"),
        ({"data_set": "owner/name"}, "DisCo needs words, no file"),
        ({"benchmark": "crows-pairs", "words": "nouns"}, "CrowS-Pairs takes no words of yours"),
        ({"benchmark": "aul", "files": (FILE,), "data_set": "owner/name"}, "Give either files or the name"),
        ({"pieces": "revealed"}, "Candidates split into several tokens: DisCo has no such choice; omit --pieces"),
        ({"benchmark": "aul", "files": (FILE,), "fills": "probability"}, "has no such choice; omit --fills"),
        ({"fills": "all"}, "Fills counted: “all” is not possible; choose top, probability"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        BenchmarkSpec(**given)
    assert said in str(caught.value)


def test_every_choice_is_that_of_some_benchmark() -> None:
    heeded = {name for benchmark in BENCHMARKS for name in benchmark.options}
    assert heeded == {"pieces", "average", "fills", "text"}
    by_file = {benchmark.id for benchmark in BENCHMARKS if "text" in benchmark.options}
    assert by_file == {benchmark.id for benchmark in BENCHMARKS if not isinstance(benchmark.reads, Words)} - {"honest"}


def test_faults_of_the_data_are_said_when_they_are_given() -> None:
    with pytest.raises(OptionError, match="StereoSet, intrasentence needs your copy of its data; give --data FILE"):
        BenchmarkSpec.of({"benchmark": "stereoset"})
    with pytest.raises(WordListError, match="is not recognised as StereoSet"):
        BenchmarkSpec.of({"benchmark": "stereoset", "data": (FILE,)})
    with pytest.raises(OptionError, match="both --female and --male"):
        BenchmarkSpec.of({"male_words": "he"})


def test_a_file_is_in_the_spec_by_its_name_and_digest_alone() -> None:
    spec = BenchmarkSpec(benchmark="crows-pairs", files=(FILE,))
    (held,) = plain(spec)["files"]  # type: ignore[call-overload,index]
    assert held == {"name": "pairs.csv", "sha256": FILE.sha256}
    again = BenchmarkSpec.restored(plain(spec))
    assert again == spec
    assert again.digest == spec.digest
    assert BenchmarkSpec(benchmark="crows-pairs", files=(File.of("pairs.csv", PAIRS + b"\n"),)) != spec


def test_a_saved_result_of_a_file_opens_and_asks_for_the_file_to_be_measured_again(tmp_path: Path) -> None:
    content = PAIRS + b"He is a doctor.,She is a doctor.,gender\n"  # of this test alone: what was read is remembered
    spec = BenchmarkSpec(
        models=(str(tiny_folder("bert")),), benchmark="crows-pairs", files=(File.of("two.csv", content),)
    )
    result = spec.run(Run(spec))
    assert result["measures"]["n"].iloc[0] == 2
    result.save(tmp_path / "x.tilt")
    again = load(tmp_path / "x.tilt")
    assert again == result
    alone = File("two.csv", "0" * 64)
    with pytest.raises(OptionError, match=r"two.csv \(SHA-256 000000000000\) is needed again"):
        BenchmarkSpec(benchmark="crows-pairs", files=(alone,)).items()


def test_what_a_data_set_holds_decides_whether_it_is_the_same_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "set"
    (place / "data").mkdir(parents=True)
    spec, keys = BenchmarkSpec(benchmark="aul", data_set=str(place)), []
    for text in ("She ran.", "She sat."):
        monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / text)
        table = Dataset.from_dict({"sent_more": [text], "sent_less": ["He ran."]})
        table.to_parquet(place / "data" / "test-00000-of-00001.parquet")
        _of_data_set.cache_clear()  # as when the program is started again
        assert [pair.more for pair in spec.items().items] == [text]
        keys.append(spec.key())
    assert keys[0] != keys[1]


def test_aula_is_measured_with_attention_outputs() -> None:
    wanted = {
        name: BenchmarkSpec(benchmark=name, files=(FILE,)).requests()[0].attention
        for name in ("crows-pairs", "aul", "aula")
    }
    assert wanted == {"crows-pairs": "default", "aul": "default", "aula": "eager"}


def test_choices_are_known_by_their_value_and_their_label() -> None:
    spec = BenchmarkSpec(benchmark="stereoset", pieces="revealed", average="pairs", text="normalised")
    assert (spec.pieces, spec.average, spec.text) == (Pieces.REVEALED, Average.PAIRS, Sentences.NORMALISED)
    assert spec.fills == Fills.TOP
    assert dict(spec.options())["Unit of the average"] == "items"


def test_the_line_has_the_title_of_a_list_and_not_its_id() -> None:
    assert "first names" in BenchmarkSpec().line
    assert "own words" in BenchmarkSpec(words=(("Ada", "Mary"), ("Paul", "John"))).line
