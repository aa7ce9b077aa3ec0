"""The gender direction on the page of association tests, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from core.engine.loading import LoadedModel
from core.measures.association.direction.spec import DirectionSpec
from core.measures.association.direction.words import finding
from core.run import Run
from tests.pages.visiting import charts, errors, findings, html, settle, visit

PAGE = "pages/2_Association_tests.py"


def marks(figure: dict[str, Any]) -> dict[str, float]:
    """The value of each word in the figure of projections."""
    return {
        data[0]: float(x)
        for trace in figure["data"]
        if trace.get("customdata")
        for data, x in zip(trace["customdata"], trace["x"], strict=True)
    }


def test_it_shows_what_the_measure_gives(embedded: LoadedModel) -> None:
    at = visit(PAGE, what="direction", direction_representations=["pooled-no-context", "input-embedding"])
    assert not errors(at)
    result = DirectionSpec(representations=("pooled-no-context", "input-embedding")).measure([embedded], Run())
    first = result.places[0]
    assert findings(at)[0] == f"pooled, no context: {finding(result, first).text}"
    rows = result.of("projections", first)
    expected = dict(zip(rows["word"], rows["projection"], strict=True))
    projections, _, variance = charts(at)
    assert marks(projections) == pytest.approx(expected, abs=1e-5)
    assert variance["data"][0]["x"][0] == pytest.approx(result.of("components", first)["share"].iloc[0])
    assert "Directions of resampled pairs" in html(at)
    at.selectbox(key="association_tests.direction_shown").set_value("minilm-mlm · input-embedding")
    settle(at)
    rows = result.of("projections", result.places[1])
    assert marks(charts(at)[0]) == pytest.approx(dict(zip(rows["word"], rows["projection"], strict=True)), abs=1e-5)


def test_own_pairs_and_words_that_no_statistic_has() -> None:
    at = visit(
        PAGE,
        what="direction",
        pairs="own",
        own_pairs="xe / he\nmoon / sun",
        words="own",
        own_words="rose\ntulip\nant",
        direction_representations=["input-embedding"],
    )
    assert not errors(at)
    assert "towards “xe”" in html(at)
    assert any("No word has a row in the statistic" in item.value for item in at.info)
    assert len(charts(at)) == 2


def test_gender_can_be_erased_before() -> None:
    at = visit(PAGE, what="direction", direction_representations=["input-embedding"], erase="leace")
    assert not errors(at)
    assert "Gender was erased from the vectors before (LEACE)." in html(at)
    (erased,) = (table.value for table in at.dataframe if "rank" in table.value)
    assert erased["rank"].tolist() == [1]


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"pairs": "own", "own_pairs": "she / he"}, "1 pairs are given; a direction needs 2 to 200"),
        ({"pairs": "own", "own_pairs": "she / she\nher / his"}, "stands on both sides of a pair"),
        ({"layer": "40"}, "Layer 40 does not exist"),
        ({"vectors": "/no/such/file.vec"}, "There is no file /no/such/file.vec"),
        ({"statistic": "file"}, "There is no file to compare with"),
    ],
)
def test_bad_input_is_a_sentence(link: dict[str, Any], sentence: str) -> None:
    at = visit(PAGE, what="direction", direction_representations=["input-embedding"], **link)
    assert sentence in " ".join(errors(at)).replace("\\", "")
    assert not charts(at)
