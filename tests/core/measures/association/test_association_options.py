"""Options, models, tests and rulers that do not exist or do not fit: each with its sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.engine.loading import LoadedModel
from core.errors import OptionError, WordListError
from core.measures.association.spec import AssociationSpec
from core.plain import plain
from core.sources import association_test, own_test
from core.sources.association_tests import WordSet
from tests.support.association import row, run
from tests.support.watching import load_tiny

TEST = own_test(("engineer", "programmer"), ("nurse", "secretary"), ("he", "man"), ("she", "woman"))
REPRESENTATIONS = ["vulic", "input-embedding"]
WRONG = [
    ({"ddof": 2}, "ddof of the standard deviation in d is 2; it can be a whole number from 0 to 1."),
    ({"lost": "never"}, "Excluded members: “never” is not possible; choose unknown, several pieces."),
    ({"unequal": "pad"}, "Sets of unequal size: “pad” is not possible; choose keep, drop."),
    ({"lpbs_values": "sum"}, "LPBS: values tested: “sum” is not possible; choose mean, pool."),
    ({"ceat_variance": "no"}, "CEAT: variance of a sample’s effect: “no” is not possible; choose authors, formula."),
    ({"ceat_samples": 1}, "CEAT: samples is 1; it can be a whole number from 2 to 1,000,000."),
    ({"layer": 3}, "Layer 3 does not exist in every model; choose 0 (embeddings) to 2."),
    ({"layer": -1}, "Layer -1 is not possible; it can be a whole number from 0 to 999."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_options_that_do_not_exist(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        run([load_tiny("bert")], [TEST], REPRESENTATIONS, **options)
    assert str(caught.value) == sentence


def test_the_deepest_layer_is_that_of_the_shallowest_model(embedded: LoadedModel) -> None:
    assert row(run([embedded], [TEST], ["vulic"], layer=6), test="own").layer == "6"
    with pytest.raises(OptionError, match="Layer 6 does not exist in every model"):
        run([embedded, load_tiny("bert")], [TEST], ["vulic"], layer=6)


def test_nothing_chosen() -> None:
    with pytest.raises(OptionError, match="No test is chosen"):
        AssociationSpec(tests=())
    with pytest.raises(OptionError, match="No representation is chosen"):
        AssociationSpec(representations=())
    with pytest.raises(OptionError, match="0 models chosen"):
        AssociationSpec(models=())


def test_what_is_chosen_twice_is_refused_and_own_lists_are_told_apart() -> None:
    for twice in ({"tests": ("weat1", "weat1")}, {"representations": ("vulic", "vulic")}):
        with pytest.raises(OptionError, match="chosen twice"):
            AssociationSpec(**twice)  # type: ignore[arg-type]
    result = run([load_tiny("bert")], [TEST, TEST], ["vulic"])
    assert result["tests"]["test"].tolist() == ["own", "own 2"]
    assert result["tests"]["effect_size"].nunique() == 1


def test_a_file_of_vectors_alone_asks_no_model(tmp_path: Path) -> None:
    path = tmp_path / "own.vec"
    path.write_text("he 1 0\n")
    assert AssociationSpec(representations=(), vectors=path).requests() == ()
    assert len(AssociationSpec(vectors=path).requests()) == 1


def test_a_test_is_restored_from_what_was_asked_and_other_words_are_refused() -> None:
    own = own_test(("a",), ("b",), ("c",), ("d",))
    spec = AssociationSpec(tests=("weat6", own))  # type: ignore[arg-type]
    again = AssociationSpec.restored(plain(spec))
    assert again == spec
    assert [asked.test() for asked in again.tests] == [association_test("weat6"), own]
    asked = spec.tests[0]
    other = replace(asked, sets=(WordSet("x", ("a", "b")), *asked.sets[1:]))
    with pytest.raises(WordListError, match="weat6 are not those of this Tiltmeter"):
        other.test()
