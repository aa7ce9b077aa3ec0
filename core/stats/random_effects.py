"""Effect sizes of several studies combined by a random-effects model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm


@dataclass(frozen=True)
class RandomEffects:
    """The combined effect and what stands behind it, in the unit of the effects (variances in its square).

    ``tau_squared``: variance between studies; ``q``: Cochran's Q, their heterogeneity. ``p_value`` two-sided,
    2(1 − Φ|effect / standard_error|).
    """

    effect: float
    standard_error: float
    tau_squared: float
    q: float
    ci_low: float
    ci_high: float
    p_value: float


def random_effects(effects: ArrayLike, variances: ArrayLike, *, level: float = 0.95) -> RandomEffects:
    """Combine effects ``(k,)`` with their variances ``(k,)``, weighing each by 1 / (its variance + tau²).

    Supposes studies that do not share data. Raises ValueError for fewer than 2 studies, an effect that is not
    finite, or a variance that is not above 0. DerSimonian & Laird 1986.
    """
    d, within = np.asarray(effects, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    if d.ndim != 1 or d.shape != within.shape or len(d) < 2:
        raise ValueError(f"Effects {d.shape} and variances {within.shape}; needs one each for at least 2 studies.")
    if not (np.isfinite(d).all() and np.isfinite(within).all() and (within > 0).all()):
        raise ValueError("Every effect has to be finite, and every variance finite and above 0.")
    fixed = 1 / within
    q = float(fixed @ (d - np.average(d, weights=fixed)) ** 2)
    excess = (q - (len(d) - 1)) / float(fixed.sum() - (fixed**2).sum() / fixed.sum())
    tau_squared = max(0.0, excess)
    weights = 1 / (within + tau_squared)
    effect, error = float(np.average(d, weights=weights)), float(1 / np.sqrt(weights.sum()))
    reach = float(norm.isf((1 - level) / 2)) * error
    p_value = 2 * float(norm.sf(abs(effect) / error))
    return RandomEffects(effect, error, tau_squared, q, effect - reach, effect + reach, p_value)
