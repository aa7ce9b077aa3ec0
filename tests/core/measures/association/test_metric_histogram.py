"""The distribution of a test in bars: every value in one, none across the observed value."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.measures.association.metric import RANDOM_EFFECTS, Computed, Histogram, histogram

# The worked case of five members: X 1, .2, .68 and Y −.2, −1, whose S is the highest of its 10 partitions.
S = (1.0, 0.2, 0.68, -0.2, -1.0)
OBSERVED = 1.88 / 3 + 0.6


def computed(s_x: Sequence[float], s_y: Sequence[float], null: Sequence[float], observed: float) -> Computed:
    """A test with these associations, re-partitions and test statistic; the histogram reads no other number."""
    return Computed(
        test_statistic=observed,
        effect_size=observed,
        ddof=1,
        ci_low=np.nan,
        ci_high=np.nan,
        p_one_sided=np.nan,
        p_two_sided=np.nan,
        p_observed_direction=np.nan,
        p_kind="exact",
        n_permutations=len(null),
        n_x=len(s_x),
        n_y=len(s_y),
        n_a=1,
        n_b=1,
        s_x=np.array(s_x),
        s_y=np.array(s_y),
        matrix=np.zeros((len(s_x) + len(s_y), 2)),
        distribution=np.array(null, dtype=np.float64),
    )


def partitions() -> list[float]:
    parts = [(c, [i for i in range(5) if i not in c]) for c in itertools.combinations(range(5), 3)]
    return [sum(S[i] for i in x) / 3 - sum(S[i] for i in y) / 2 for x, y in parts]


def tail(bars: Histogram) -> int:
    return int(bars.count[bars.in_tail].sum())


def inside(bars: Histogram, values: Sequence[float]) -> list[int]:
    """How many of the values lie in each bar, its ends rounded outwards."""
    slack = 1e-9 * (bars.high - bars.low)
    found = [
        sum(low - more <= value <= high + more for value in values)
        for low, high, more in zip(bars.low, bars.high, slack, strict=True)
    ]
    return [int(number) for number in found]


def test_every_partition_is_in_a_bar_and_the_tail_is_those_at_or_beyond() -> None:
    bars = histogram(computed(S[:3], S[3:], partitions(), OBSERVED))
    assert bars.count.sum() == 10
    assert tail(bars) == 1
    assert bars.low[bars.in_tail][0] == pytest.approx(OBSERVED)
    assert all(held >= count for held, count in zip(inside(bars, partitions()), bars.count, strict=True))
    widths = bars.high - bars.low
    np.testing.assert_allclose(widths, widths[0])
    assert (np.diff(bars.low) > 0).all()


def test_the_mirrored_test_has_the_mirrored_bars() -> None:
    there = histogram(computed(S[:3], S[3:], partitions(), OBSERVED))
    back = histogram(computed([-s for s in S[:3]], [-s for s in S[3:]], [-s for s in partitions()], -OBSERVED))
    np.testing.assert_allclose(back.low, -there.high[::-1])
    assert back.count.tolist() == there.count[::-1].tolist()
    assert back.in_tail.tolist() == there.in_tail[::-1].tolist()


def test_a_tie_up_to_rounding_is_in_the_tail() -> None:
    assert tail(histogram(computed([0.1] * 8, [0.1] * 8, [-0.3, -0.1, 0.3 - 1e-16, 0.3], 0.3))) == 2


def test_the_order_of_the_partitions_changes_no_bar() -> None:
    """Sums that differ by rounding stay in their bar."""
    null = np.array(partitions())
    first = histogram(computed(S[:3], S[3:], null.tolist(), OBSERVED))
    again = histogram(computed(S[:3], S[3:], (null[::-1] + 1e-16).tolist(), OBSERVED))
    assert again.count.tolist() == first.count.tolist()


def test_ten_thousand_values_make_few_bars() -> None:
    null = np.random.default_rng(0).normal(size=10_000)
    bars = histogram(computed([0.1] * 25, [0.0] * 25, null.tolist(), 1.5))
    assert bars.count.sum() == 10_000
    assert len(bars.count) <= 52
    assert tail(bars) == int((null >= 1.5).sum())


def test_ceat_has_the_side_of_its_combined_value() -> None:
    def of(null: Sequence[float], effect: float) -> Histogram:
        return histogram(replace(computed([0.1] * 3, [0.0] * 3, null, effect), p_kind=RANDOM_EFFECTS))

    bars = of([-0.5, -0.4, -0.3, 0.1], -0.3)
    assert tail(bars) == 3
    assert bars.high[bars.in_tail].max() <= 0 <= bars.low[~bars.in_tail].min()
    same = of([0.5, 0.5], 0.5)
    assert (same.count.sum(), tail(same)) == (2, 2)


def test_what_is_not_finite_is_in_no_bar() -> None:
    assert histogram(computed([0.1] * 3, [0.0] * 3, [0.1, np.nan, 0.2], 0.1)).count.sum() == 2
    assert len(histogram(computed([0.1], [0.0], [np.nan], 0.1)).count) == 0
