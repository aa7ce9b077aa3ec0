from __future__ import annotations

import numpy as np
import pytest

from core.stats.random_effects import random_effects


def test_three_studies_by_hand() -> None:
    # Weights 25, 100, 50 (sum 175, squares 13,125). Σwd = 95, Σwd² = 67: Q = 67 − 95²/175 = 15.428571.
    # tau² = (15.428571 − 2) / (175 − 13,125/175) = .13428571. New weights 1/.17428571, 1/.14428571, 1/.15428571 =
    # 5.737705, 6.930693, 6.481481 (sum 19.149879); effect 10.401299 / 19.149879, error 1/√19.149879.
    combined = random_effects([0.2, 0.4, 1.0], [0.04, 0.01, 0.02])
    assert combined.q == pytest.approx(15.428571, abs=1e-6)
    assert combined.tau_squared == pytest.approx(0.13428571, abs=1e-8)
    assert combined.effect == pytest.approx(0.543152, abs=1e-6)
    assert combined.standard_error == pytest.approx(0.228516, abs=1e-6)
    assert combined.ci_low == pytest.approx(0.543152 - 1.959964 * 0.228516, abs=1e-5)
    assert combined.ci_high == pytest.approx(0.543152 + 1.959964 * 0.228516, abs=1e-5)


def test_equal_variances_by_hand() -> None:
    # Weights 10, mean 1, Q = 20; tau² = (20 − 2) / (30 − 10) = .9, so every weight is 1: error 1/√3, z = √3.
    combined = random_effects([0.0, 1.0, 2.0], [0.1, 0.1, 0.1])
    assert combined.tau_squared == pytest.approx(0.9)
    assert combined.effect == pytest.approx(1.0)
    assert combined.standard_error == pytest.approx(3**-0.5)
    assert combined.p_value == pytest.approx(0.0832645, abs=1e-7)  # 2(1 − Φ(1.7320508)), from a table of Φ


def test_no_more_spread_than_chance_is_the_fixed_effect() -> None:
    # Q = 2 · .25/.5 = 1 is no more than its 1 degree of freedom.
    combined = random_effects([1.0, 2.0], [0.5, 0.5])
    assert combined.q == pytest.approx(1.0)
    assert combined.tau_squared == 0
    assert combined.standard_error == pytest.approx(0.5)


def test_invariants() -> None:
    generator = np.random.default_rng(0)
    effects, variances = generator.normal(size=40), generator.uniform(0.1, 0.5, size=40)
    combined = random_effects(effects, variances)
    turned = random_effects(-effects[::-1], variances[::-1])
    assert turned.effect == pytest.approx(-combined.effect)
    assert turned.p_value == pytest.approx(combined.p_value)
    assert (turned.ci_low, turned.ci_high) == pytest.approx((-combined.ci_high, -combined.ci_low))
    doubled = random_effects(2 * effects, 4 * variances)
    assert doubled.tau_squared == pytest.approx(4 * combined.tau_squared)
    assert doubled.p_value == pytest.approx(combined.p_value)
    assert random_effects([0.0, 0.0], [1.0, 2.0]).p_value == 1.0


@pytest.mark.parametrize(
    ("effects", "variances", "message"),
    [
        ([1.0], [1.0], "at least 2"),
        ([1.0, 2.0], [1.0], "one each"),
        ([1.0, 2.0], [1.0, 0.0], "above 0"),
        ([1.0, 2.0], [1.0, np.inf], "finite"),
        ([1.0, np.nan], [1.0, 1.0], "finite"),
    ],
)
def test_wrong_values_are_refused(effects: list[float], variances: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        random_effects(effects, variances)
