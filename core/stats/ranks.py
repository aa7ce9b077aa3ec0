"""Orders: how far raters agree on one, and how far one survives a change of raters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from .resampling import TIE

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class OrderStability:
    """How far an order of items survives a change of templates.

    ``order``: numbers of the items, highest mean first. ``kept``: share (0–1) of resamples in which every pair of
    items stands, or is tied, as in all templates. ``flips``: mean share (0–1) of pairs that stand the other way
    round; a pair that is tied on one side only, in the resample or in all templates, is half a flip.
    """

    order: tuple[int, ...]
    kept: float
    flips: float


def kendall_w(values: ArrayLike) -> float | None:
    """Kendall's W of ``values`` [rater, item]: from 0, no agreement on the order of the items, to 1, one order.

    Tied values share their mean rank, and W is corrected for them. None under 2 raters or 2 items, or where every
    rater ties all items. Raises ValueError for another shape or a value that is not finite.
    Kendall & Babington Smith 1939.
    """
    ratings = _ratings(values)
    raters, items = ratings.shape
    if raters < 2 or items < 2:
        return None
    ranks = rankdata(ratings, axis=1)
    sums = ranks.sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    tied = (np.unique(row, return_counts=True)[1] for row in ratings)
    ties = sum(int((sizes**3 - sizes).sum()) for sizes in tied)
    largest = raters * (raters * (items**3 - items) - ties)
    return 12 * spread / largest if largest else None


def order_stability(values: ArrayLike, *, seed: int, resamples: int = 1000) -> OrderStability:
    """Bootstrap of the templates of ``values`` [template, item]: the order of the items by their mean, drawn again.

    Means closer than rounding are tied; tied items stand in ``order`` as they were given. Raises ValueError under 2
    templates (nothing to draw from) or 2 items, for another shape, or for a value that is not finite. Efron 1979.
    """
    ratings = _ratings(values)
    templates, items = ratings.shape
    if templates < 2 or items < 2:
        raise ValueError(f"{templates} templates and {items} items; needs at least 2 of each.")
    tie = TIE * float(np.abs(ratings).max())
    drawn = np.random.default_rng(seed).integers(templates, size=(resamples, templates))
    means, of_all = ratings[drawn].mean(axis=1), ratings.mean(axis=0)
    pairs = np.triu_indices(items, 1)
    away = np.abs(_directions(means, pairs, tie) - _directions(of_all, pairs, tie))
    order = np.argsort(-of_all, kind="stable")
    return OrderStability(tuple(order.tolist()), float((away == 0).all(axis=1).mean()), float(away.mean()) / 2)


def _ratings(values: ArrayLike) -> FloatArray:
    ratings = np.asarray(values, dtype=np.float64)
    if ratings.ndim != 2 or not np.isfinite(ratings).all():
        raise ValueError("Needs finite values in two dimensions; exclude what could not be computed.")
    return ratings


def _directions(means: FloatArray, pairs: tuple[NDArray[np.int_], NDArray[np.int_]], tie: float) -> NDArray[np.int8]:
    """1 where the first of a pair is higher, −1 where it is lower, 0 where they are tied: ``[..., pair]``."""
    apart = means[..., pairs[0]] - means[..., pairs[1]]
    return (apart > tie).astype(np.int8) - (apart < -tie).astype(np.int8)
