from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.measures.attention.metric import (
    NO_PREDECESSOR,
    PositionFigures,
    RunningFigures,
    bias,
    bias_of_ratio,
    corpus_figures,
    degree,
    direction,
    predecessors,
    sentence_value,
)

Array = NDArray[np.float64]
NAN = math.nan


def array(*values: float) -> Array:
    return np.array(values, dtype=np.float64)


@dataclass(frozen=True)
class Place:
    kind: str
    layer: int | None = None


def places(layers: int, kinds: tuple[str, ...] = ("query", "key", "value", "context", "output")) -> list[Place]:
    return [Place("embedding"), *(Place(kind, layer) for layer in range(layers) for kind in kinds)]


def test_worked_cases() -> None:
    """(.3 − .1) / √(.09 + .01) = .2 / .31623 = .6325; (.25 − .15) / √(.0625 + .0225) = .1 / .29155 = .3430."""
    own, twin = bias(array(0.3, 0.3), array(0.1, 0.1)), bias(array(0.25, 0.1), array(0.15, 0.3))
    assert own.round(4).tolist() == [0.6325, 0.6325]
    assert twin.round(4).tolist() == [0.343, -0.6325]
    # .63246 × .34300 = .2169; .2 × −.2 / .1 = −.4
    assert degree(own, twin).round(4).tolist() == [0.2169, -0.4]
    assert direction(own, twin).tolist() == [1, 0]
    assert direction(-own, -twin).tolist() == [-1, 0]


def test_bounds() -> None:
    assert bias(array(0.2, 0, 0.7), array(0, 0.4, 0.7)).tolist() == [1, -1, 0]
    assert bias(array(1e-300), array(0)).tolist() == [1]  # squares would vanish


def test_bias_depends_on_the_ratio_alone_however_small_both_are() -> None:
    """r = e⁻²: (1 − .13534) / √(1 + .01832) = .86466 / 1.00912 = .8569; T of e⁻⁹⁰⁰ and e⁻⁹⁰² are 0 to any float."""
    assert bias_of_ratio(array(2.0, -2.0, 0.0, 5000.0)).round(4).tolist() == [0.8569, -0.8569, 0, 1]
    assert math.isnan(bias_of_ratio(array(NAN))[0])
    assert bias(array(0.3), array(0.1)) == pytest.approx(bias_of_ratio(array(math.log(3))), abs=1e-15)


def test_nothing_paid_attention_to_is_undefined() -> None:
    """0/0 without a warning, which would be an error here."""
    own = bias(array(0, 0.3, NAN), array(0, 0.1, 0.2))
    assert np.isnan(own).tolist() == [True, False, True]
    assert np.isnan(degree(own, own)).tolist() == np.isnan(direction(own, own)).tolist() == [True, False, True]


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 4), min_size=1))
def test_invariants(rows: list[tuple[float, float, float, float]]) -> None:
    male, female, twin_male, twin_female = np.array(rows).T
    own, twin = bias(male, female), bias(twin_male, twin_female)
    np.testing.assert_array_equal(bias(female, male), -own)
    np.testing.assert_array_equal(np.isnan(own), (male == 0) & (female == 0))
    defined = own[~np.isnan(own)]
    assert (np.abs(defined) <= 1 + 1e-12).all()
    np.testing.assert_array_equal(degree(own, twin), degree(twin, own))
    np.testing.assert_array_equal(direction(own, twin), -direction(-own, -twin))


def test_a_sentences_value_is_the_mean_of_its_defined_heads() -> None:
    found = sentence_value(np.array([[0.2, NAN, 0.6], [NAN, NAN, NAN], [-1, 1, 0.3]]))
    assert found.tolist() == pytest.approx([0.4, NAN, 0.1], nan_ok=True)


def test_predecessors_of_two_layers() -> None:
    """embedding | q k v c o of layer 0 at 1–5 | of layer 1 at 6–10."""
    assert predecessors(places(2)).tolist() == [NO_PREDECESSOR, 0, 0, 0, 3, 4, 5, 5, 5, 8, 9]
    assert len(predecessors(places(12))) == 61


def test_predecessors_where_a_family_lacks_positions() -> None:
    assert predecessors(places(2, ("query", "context", "output"))).tolist() == [
        *(NO_PREDECESSOR, 0, NO_PREDECESSOR, 2, 3, NO_PREDECESSOR, 5),
    ]
    assert predecessors([Place("query", 0), Place("output", 0)]).tolist() == [NO_PREDECESSOR] * 2


def random_degrees(seed: int, sentences: int, positions: int, heads: int) -> Array:
    generator = np.random.default_rng(seed)
    degrees = generator.uniform(-1, 1, size=(sentences, positions, heads))
    degrees[generator.uniform(size=degrees.shape) < 0.3] = NAN
    degrees[generator.uniform(size=degrees.shape[:2]) < 0.2] = NAN
    degrees[:, 2] = NAN  # a position that nobody has
    return degrees


def plain_figures(degrees: Array, predecessor: list[int]) -> list[dict[str, float]]:
    """Position by position, sentence by sentence, in plain Python."""
    rows = []
    for place, before in enumerate(predecessor):
        values, every, steps = [], [], []
        for sentence in degrees.tolist():
            heads = [value for value in sentence[place] if value == value]
            earlier = [value for value in sentence[before] if value == value] if before >= 0 else []
            every += heads
            if heads:
                values.append(statistics.fmean(heads))
            if heads and earlier:
                steps.append(statistics.fmean(heads) - statistics.fmean(earlier))
        rows.append(
            {
                "mean_degree": statistics.fmean(values) if values else NAN,
                "share_biased": sum(value > 0 for value in every) / len(every) if every else NAN,
                "difference": statistics.fmean(steps) if steps else NAN,
                "share_rising": sum(step > 0 for step in steps) / len(steps) if steps else NAN,
                "n": len(values),
                "n_heads": len(every),
                "n_compared": len(steps),
            }
        )
    return rows


def same(figures: PositionFigures, rows: list[dict[str, float]]) -> None:
    assert {field.name for field in fields(figures)} == {*rows[0], "sentences"}
    for name in rows[0]:
        expected = [row[name] for row in rows]
        np.testing.assert_allclose(getattr(figures, name), expected, rtol=0, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("cuts", [[], [1], [7, 7, 30]], ids=["at once", "two batches", "four, one empty"])
def test_running_sums_equal_a_plain_loop(cuts: list[int]) -> None:
    predecessor = predecessors(places(1))
    degrees = random_degrees(3, 40, 6, 3)
    running = RunningFigures(predecessor)
    for batch in np.split(degrees, cuts):
        running.add(batch)
    figures = running.figures()
    same(figures, plain_figures(degrees, predecessor.tolist()))
    same(corpus_figures(degrees, predecessor), plain_figures(degrees, predecessor.tolist()))
    assert figures.sentences == 40
    assert figures.n[2] == 0
    assert math.isnan(figures.mean_degree[2])
    assert math.isnan(figures.share_rising[0])
    assert figures.n_compared[4] > 0 or figures.n[3] == 0
    assert 0 < figures.n_compared[1] < figures.n[1]  # so that pairs are told from sentences


def test_figures_worked_by_hand() -> None:
    """Embedding and query, two heads. Values: sentence 1 .2 → .3 (rises), 2 −.4 → −.5, 3 undefined → .1."""
    degrees = np.array([[[0.1, 0.3], [0.3, NAN]], [[-0.4, NAN], [-1.0, 0.0]], [[NAN, NAN], [0.1, 0.1]]])
    figures = corpus_figures(degrees, predecessors([Place("embedding"), Place("query", 0)]))
    assert figures.mean_degree.tolist() == pytest.approx([-0.1, -0.1 / 3])
    assert figures.share_biased.tolist() == pytest.approx([2 / 3, 3 / 5])
    assert figures.difference.tolist() == pytest.approx([NAN, 0.0], nan_ok=True, abs=1e-12)
    assert figures.share_rising.tolist() == pytest.approx([NAN, 1 / 2], nan_ok=True)
    assert figures.n.tolist() == [2, 3]
    assert figures.n_heads.tolist() == [3, 5]
    assert figures.n_compared.tolist() == [0, 2]


def test_figures_so_far_do_not_change_later() -> None:
    running = RunningFigures(predecessors([Place("embedding")]))
    nothing = running.figures()
    running.add(np.full((2, 1, 3), 0.5))
    first = running.figures()
    running.add(np.full((2, 1, 3), -0.5))
    assert nothing.n.tolist() == [0]
    assert np.isnan(nothing.mean_degree).all()
    assert (first.n.tolist(), first.n_heads.tolist(), first.mean_degree.tolist()) == ([2], [6], [0.5])
    assert running.figures().mean_degree.tolist() == [0]
