"""Probabilities that mean what they say: a temperature for logits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

FloatArray = NDArray[np.float64]

LOWEST, HIGHEST = 0.05, 20.0


def temperature(logits: FloatArray, labels: NDArray[np.int64]) -> float:
    """The T from ``LOWEST`` to ``HIGHEST`` by which logits [example, class] are divided so that labels are likeliest.

    The probabilities' order stays, so no decision changes. Guo et al. 2017. Raises ValueError without examples.
    """
    if not len(labels):
        raise ValueError("No examples to calibrate on; needs at least 1.")
    found = minimize_scalar(
        lambda log_t: mean_log_loss(log_softmax(logits / np.exp(log_t), axis=1), labels),
        bounds=(np.log(LOWEST), np.log(HIGHEST)),
        method="bounded",
        options={"xatol": 1e-6},
    )
    return float(np.exp(found.x))


def mean_log_loss(log_probs: FloatArray, labels: NDArray[np.int64]) -> float:
    """Mean −ln P of the labels, nats; ``log_probs`` [example, class]."""
    return float(-log_probs[np.arange(len(labels)), labels].mean())
