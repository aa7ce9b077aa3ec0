"""Permutation tests against a plain loop over partitions."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from core.stats import permutation
from core.stats.permutation import SAMPLED_PARTITIONS, permutation_test

FloatList = list[float]


def loop_over_all(values: FloatList, n_x: int) -> int:
    """How many partitions reach the observed statistic, each looked at by itself."""
    n_y, total = len(values) - n_x, sum(values)
    observed = sum(values[:n_x]) / n_x - sum(values[n_x:]) / n_y
    reached = 0
    for chosen in itertools.combinations(values, n_x):
        first = sum(chosen)
        reached += first / n_x - (total - first) / n_y >= observed - 1e-12
    return reached


def loop_over_drawn(values: FloatList, n_x: int, draws: int) -> int:
    generator = np.random.default_rng(0)
    array = np.array(values)
    observed = array[:n_x].mean() - array[n_x:].mean()
    reached = 0
    for _ in range(draws):
        shuffled = generator.permutation(array)
        reached += bool(shuffled[:n_x].mean() - shuffled[n_x:].mean() >= observed)
    return reached


@pytest.mark.benchmark
def test_exact() -> None:
    values = np.random.default_rng(0).normal(size=18).tolist()
    started = time.perf_counter()
    reached = loop_over_all(values, 9)
    plain = time.perf_counter() - started
    times = []
    for _ in range(5):
        started = time.perf_counter()
        test = permutation_test(values[:9], values[9:], seed=0)
        times.append(time.perf_counter() - started)
    ours = min(times)
    print(f"\nexact, 48,620 partitions of 9 + 9: loop {plain:.3f} s, here {ours:.4f} s, {plain / ours:.0f} times")
    assert test.p_one_sided == reached / 48_620
    assert ours < plain


@pytest.mark.benchmark
def test_sampled() -> None:
    values = np.random.default_rng(0).normal(size=50).tolist()
    draws = SAMPLED_PARTITIONS // 10
    started = time.perf_counter()
    reached = loop_over_drawn(values, 25, draws)
    plain = 10 * (time.perf_counter() - started)
    permutation._remembered.cache_clear()
    times = []
    for _ in range(2):
        started = time.perf_counter()
        test = permutation_test(values[:25], values[25:], seed=0)
        times.append(time.perf_counter() - started)
    first, again = times
    print(
        f"\nsampled, 100,000 partitions of 25 + 25: loop {plain:.2f} s, here {first:.3f} s, {plain / first:.0f} times; "
        f"the next test of these sizes {again:.4f} s, {plain / again:.0f} times"
    )
    assert test.p_one_sided == pytest.approx(reached / draws, abs=0.03)
    assert first < plain
