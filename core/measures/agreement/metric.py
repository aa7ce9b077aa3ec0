"""How far one template's expectations are from another's: Kullback–Leibler divergence. Delobelle et al. 2022."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

FloatArray = NDArray[np.float64]


def kl(p_ln: FloatArray, q_ln: FloatArray) -> float:
    """KL(p ‖ q) = Σ p ln(p / q) in nats from log probabilities ``[word]``, taken as they are: not renormalised.

    0 where both are the same and above 0 elsewhere, but for the rounding of sums that are not quite 1. Not symmetric.
    Raises as ``contributions`` does. Kullback & Leibler 1951.
    """
    return float(contributions(p_ln, q_ln).sum())


def contributions(p_ln: FloatArray, q_ln: FloatArray) -> FloatArray:
    """What each word adds to KL(p ‖ q): p ln(p / q) ``[word]`` in nats, above 0 where p expects it more than q.

    A word with p = 0 adds 0. Raises ValueError where q is 0 and p is not (the divergence would be infinite), for
    shapes that differ, for no words, or for a value that is no log probability.
    """
    p, q = np.asarray(p_ln, dtype=np.float64), np.asarray(q_ln, dtype=np.float64)
    if p.ndim != 1 or p.shape != q.shape or not p.size:
        raise ValueError(f"Log probabilities of shapes {p.shape} and {q.shape}; needs one shape [word], not empty.")
    if np.isnan(p).any() or np.isnan(q).any() or np.isposinf(p).any() or np.isposinf(q).any():
        raise ValueError("A log probability is NaN or +inf; needs finite ones, or −inf for a probability of 0.")
    possible = np.isfinite(p)
    if not np.isfinite(q[possible]).all():
        raise ValueError("A word has the probability 0 in q and not in p; the divergence would be infinite.")
    parts = np.zeros(p.shape)
    parts[possible] = np.exp(p[possible]) * (p[possible] - q[possible])
    return parts


def among(ln_p: FloatArray, ids: Sequence[int]) -> FloatArray:
    """Log probabilities of the entries ``ids`` of ``ln_p`` [vocabulary] alone, renormalised to sum to 1: ``[id]``.

    Raises ValueError for no entries, one that is there twice (it would weigh double), or a total of 0.
    """
    if not len(ids) or len(set(ids)) < len(ids):
        raise ValueError(f"{len(ids)} entries, {len(set(ids))} of them different; needs 1 or more, each once.")
    chosen = np.asarray(ln_p, dtype=np.float64)[np.asarray(ids, dtype=np.int64)]
    total = float(logsumexp(chosen))
    if not np.isfinite(total):
        raise ValueError("The chosen entries have no probability to share out; needs one above 0, and none NaN.")
    renormalised: FloatArray = chosen - total
    return renormalised
