"""Headlines: read from the rows of a table, with what they mean; worked by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pandas as pd
import pytest

from core.measures.measure import measures
from core.result import Better, Headline, HeadlineValue, Provenance, Result, Schema, Table, count, number, p_value, text

ROWS = [
    {"model": "a", "part": "all", "value": 61.5, "low": 58.0, "high": 65.0, "p": 0.01, "n": 200},
    {"model": "a", "part": "age", "value": 47.0, "low": None, "high": None, "p": None, "n": 9},
    {"model": "b", "part": "all", "value": None, "low": None, "high": None, "p": None, "n": 0},
]


class Counted(Result):
    """A made-up result."""

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("rate", "How often the first is preferred", "rate", unit="%", sign="the first is preferred"),
            lambda result: result["rates"],
            "value",
            "low",
            "high",
            "p",
            "n",
            of=("part",),
            neutral=50.0,
            why_none=lambda result, model: f"{model} answered nothing",
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "counted",
        1,
        {
            "rates": Table(
                "a part",
                (
                    text("model", "The model."),
                    text("part", "The part."),
                    number("value", "In percent."),
                    number("low", "Lower end."),
                    number("high", "Upper end."),
                    p_value("p", "Two-sided."),
                    count("n", "Items."),
                ),
            )
        },
    )


def counted() -> Counted:
    return Counted(
        spec=None,
        tables=Counted.SCHEMA.frames(rates=ROWS),
        excluded=(),
        notes=(),
        provenance=Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z"),
    )


def test_a_headline_holds_a_row_and_what_it_means() -> None:
    whole, part = counted().headlines()
    assert whole == HeadlineValue(
        "counted.rate", "a", "all", "rate", 61.5, 58.0, 65.0, 0.01, 200, "%", 50.0, "the first is preferred"
    )
    assert (part.low, part.high, part.p, part.n) == (None, None, None, 9)


def test_distance_is_from_the_neutral_value_without_a_sign() -> None:
    whole, part = counted().headlines()
    assert whole.distance == pytest.approx(11.5)
    assert part.distance == pytest.approx(3.0)
    accuracy = HeadlineValue("x.accuracy", "a", "", "accuracy", 61.5, None, None, None, None, "%", None, "")
    assert accuracy.distance is None


def test_a_number_that_is_never_below_0_has_no_sign() -> None:
    lean = HeadlineValue("x.lean", "a", "", "lean", 0.5, None, None, None, None, "nats", 0.0, "towards he")
    assert lean.has_sign
    assert not replace(lean, least=0.0).has_sign
    assert not replace(lean, neutral=50.0).has_sign
    assert not replace(lean, neutral=None).has_sign


@pytest.mark.parametrize(
    "name", ["descriptors.share_differing", "descriptors.distance", "direction.direct_bias", "agreement.divergence"]
)
def test_shares_distances_and_divergences_are_never_below_0_and_best_there(name: str) -> None:
    (kind,) = [spec.RESULT.numbers()[name] for spec in measures().values() if name in spec.RESULT.numbers()]
    assert (kind.neutral, kind.least, kind.better) == (0.0, 0.0, Better.LOWER)


def test_of_a_model_the_first_number_counts_or_the_reason_why_there_is_none() -> None:
    (rate,) = Counted.HEADLINES
    assert rate.of_model(counted(), "a") == 61.5
    assert rate.of_model(counted(), "b") == "b answered nothing"


def test_an_empty_table_has_no_headline() -> None:
    empty = Counted(
        spec=None,
        tables={"rates": Counted.SCHEMA.tables["rates"].frame(pd.DataFrame())},
        excluded=(),
        notes=(),
        provenance=counted().provenance,
    )
    assert empty.headlines() == ()


def test_lpbs_point_towards_the_first_group_of_their_contrast() -> None:
    result = measures()["score"].RESULT
    overall, share = result.HEADLINES
    assert overall.above is not None
    assert overall.above({"contrast": "he − she"}) == "towards he"
    assert (overall.neutral, share.neutral) == (0.0, 0.5)


def test_no_two_kinds_of_number_have_one_name() -> None:
    kinds = {spec.RESULT for spec in measures().values()}
    names = [f"{kind.SCHEMA.name}.{headline.column.name}" for kind in kinds for headline in kind.HEADLINES]
    assert len(set(names)) == len(names)


def test_rates_of_benchmarks_point_nowhere_at_their_own_neutral_value() -> None:
    neutral = {headline.column.name: headline.neutral for headline in measures()["benchmark"].RESULT.HEADLINES}
    assert neutral["crows-pairs"] == 50
    assert neutral["winogender"] == 0
    assert neutral["stereoset-lms"] is None
    better = {headline.column.name: headline.better for headline in measures()["benchmark"].RESULT.HEADLINES}
    assert better["crows-pairs"] is Better.NEARER
    assert [better[f"stereoset-{name}"] for name in ("ss", "lms", "icat")] == [
        Better.NEARER,
        Better.HIGHER,
        Better.HIGHER,
    ]
    assert [better[name] for name in ("disco", "honest")] == [Better.LOWER, Better.LOWER]
