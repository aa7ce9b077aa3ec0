"""Options, models, tests and rulers that do not exist or do not fit: each with its sentence."""

from __future__ import annotations

from typing import Any

import pytest

from core.engine.loading import LoadedModel
from core.errors import OptionError
from core.measures.association.compute import run
from core.measures.association.result import AssociationOptions
from core.sources import AssociationTest, own_test
from tests.support.association import row
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

TEST = own_test(("engineer", "programmer"), ("nurse", "secretary"), ("he", "man"), ("she", "woman"))
REPRESENTATIONS = ["vulic", "input-embedding"]
WRONG = [
    ({"ddof": 2}, "ddof is “2”; it can be 1, 0."),
    ({"lost": "never"}, "lost is “never”; it can be unknown, several pieces."),
    ({"unequal": "pad"}, "unequal is “pad”; it can be keep, drop."),
    ({"lpbs_values": "sum"}, "lpbs_values is “sum”; it can be mean, pool."),
    ({"ceat_variance": "none"}, "ceat_variance is “none”; it can be authors, formula."),
    ({"ceat_samples": 1}, "ceat_samples is 1; it can be a whole number from 2 to 1,000,000."),
    ({"layer": 3}, "Layer 3 does not exist in every model; choose 0 (embeddings) to 2."),
    ({"layer": -1}, "layer is -1; it can be a whole number from 0 to 999."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "sentence"), WRONG)
def test_options_that_do_not_exist(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        run([load_tiny("bert")], [TEST], REPRESENTATIONS, AssociationOptions(**options))
    assert str(caught.value) == sentence


def test_the_deepest_layer_is_that_of_the_shallowest_model(embedded: LoadedModel) -> None:
    assert row(run([embedded], [TEST], ["vulic"], AssociationOptions(layer=6)), test="own").layer == "6"
    with pytest.raises(OptionError, match="Layer 6 does not exist in every model"):
        run([embedded, load_tiny("bert")], [TEST], ["vulic"], AssociationOptions(layer=6))


EMPTY: list[tuple[list[str], list[AssociationTest], list[str], str]] = [
    (["bert"], [], REPRESENTATIONS, "No association test is chosen; choose at least one."),
    (["bert"], [TEST], [], "No representation is chosen; choose at least one."),
    ([], [TEST], REPRESENTATIONS, "No model is chosen; choose at least one."),
]


@pytest.mark.parametrize(("families", "tests", "rulers", "sentence"), EMPTY)
def test_nothing_chosen(families: list[str], tests: list[AssociationTest], rulers: list[str], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        run([load_tiny(family) for family in families], tests, rulers)
    assert str(caught.value) == sentence


def test_one_to_four_models_each_once() -> None:
    """As in the playground: five cannot be read on one screen, and one twice would count twice in the family."""
    model = load_tiny("bert")
    with pytest.raises(OptionError, match="twice"):
        run([model, model], [TEST], ["vulic"])
    with pytest.raises(OptionError, match="5 models"):
        run([renamed(model, name) for name in "abcde"], [TEST], ["vulic"])


def test_a_ruler_or_a_test_chosen_twice_counts_once_or_is_refused() -> None:
    for tests, rulers in (([TEST, TEST], ["vulic"]), ([TEST], ["vulic", "vulic"])):
        try:
            result = run([load_tiny("bert")], tests, rulers)
        except OptionError:
            continue
        assert len(result.summary) == result.family_size == 1
