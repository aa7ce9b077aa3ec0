"""Which benchmarks there are."""

from __future__ import annotations

import pytest

from core.errors import OptionError
from core.sources.benchmarks import BENCHMARKS, benchmark

IDS = ("crows-pairs", "aul", "aula", "stereoset", "disco", "winobias", "winogender", "honest")


def test_the_ids_and_what_each_needs() -> None:
    assert tuple(one.id for one in BENCHMARKS) == IDS
    needs = {one.id: one.needs for one in BENCHMARKS}
    assert needs.pop("disco") == "words"
    assert needs.pop("honest") == "lexicon"
    assert set(needs.values()) == {"file"}


def test_only_words_need_no_reader() -> None:
    assert [one.id for one in BENCHMARKS if one.read is None] == ["disco"]


def test_aul_and_aula_read_the_pairs_of_crows_pairs() -> None:
    pairs = b"sent_more,sent_less\nHe is kind.,She is kind.\n"
    found = [one.read([(pairs, "a.csv")]) for one in map(benchmark, IDS[:3]) if one.read]
    assert len(found) == 3
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("one", BENCHMARKS, ids=lambda one: one.id)
def test_the_texts_are_single_sentences_to_show(one: object) -> None:
    text = one.problems  # type: ignore[attr-defined]
    assert text.endswith(".")
    assert ". " not in text.replace("et al. ", "").replace("U.S. ", "")
    assert one.citation  # type: ignore[attr-defined]
    assert one.expects.endswith(".")  # type: ignore[attr-defined]


def test_an_unknown_benchmark_lists_those_there_are() -> None:
    with pytest.raises(OptionError, match="no benchmark “crows”; there are: crows-pairs, aul, aula, stereoset"):
        benchmark("crows")
