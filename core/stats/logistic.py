"""Multinomial logistic regression with a quadratic penalty: a convex problem, so that equal data give equal weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

FloatArray = NDArray[np.float64]

_TOLERANCE = 1e-6  # of the largest entry of the gradient
_STEPS = 2_000
_ROUNDING = 1e-10  # of the largest value: a feature that varies by less is constant, and is not blown up to scale 1


@dataclass(frozen=True, eq=False)
class Logistic:
    """Weights [feature, class] of standardised features, biases [class], and the mean and scale of each feature."""

    weights: FloatArray
    biases: FloatArray
    mean: FloatArray
    scale: FloatArray
    converged: bool

    def logits(self, features: NDArray[np.floating]) -> FloatArray:
        """[example, class] logits of features ``(n, feature)``."""
        found: FloatArray = (features.astype(np.float64) - self.mean) / self.scale @ self.weights + self.biases
        return found


def fit_logistic(
    features: NDArray[np.floating],
    labels: NDArray[np.int64],
    *,
    classes: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Logistic | None:
    """Fit on features ``(n, feature)`` and labels ``(n,)`` from 0; None when cancelled.

    Features are standardised. What is minimised is Σ −ln P(label) + ½ Σ weights², biases free: the usual C = 1. By
    L-BFGS from zero, until no entry of the mean's gradient exceeds 1e-6.
    Raises ValueError for no examples.
    """
    if not len(labels):
        raise ValueError("No examples; needs at least one.")
    n, width = features.shape
    inputs = features.astype(np.float64)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0)
    scale = np.where(scale > _ROUNDING * np.abs(inputs).max(), scale, 1.0)
    inputs = (inputs - mean) / scale
    target = np.eye(classes)[labels]

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        weights, biases = flat[: width * classes].reshape(width, classes), flat[width * classes :]
        log_p = log_softmax(inputs @ weights + biases, axis=1)
        value = (-(target * log_p).sum() + (weights**2).sum() / 2) / n
        apart = (np.exp(log_p) - target) / n
        gradient = np.concatenate([(inputs.T @ apart + weights / n).ravel(), apart.sum(axis=0)])
        return float(value), gradient

    def stop(_: FloatArray) -> None:
        if cancelled():
            raise StopIteration

    found = cast(Any, minimize)(  # its types know no loss that gives the gradient too
        loss,
        np.zeros((width + 1) * classes),
        jac=True,
        method="L-BFGS-B",
        callback=stop,
        options={"gtol": _TOLERANCE, "ftol": 0.0, "maxiter": _STEPS, "maxfun": 2 * _STEPS},
    )
    if cancelled():
        return None
    weights, biases = found.x[: width * classes].reshape(width, classes), found.x[width * classes :]
    converged = bool(np.abs(found.jac).max() <= 10 * _TOLERANCE)
    return Logistic(weights, biases, mean, scale, converged)
