"""From points to correlations: of templates or representations in a model, of metrics over models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...result import Excluded
from ...stats.agreement import correlations, critical_r
from ...stats.correlation import FEWEST_POINTS
from ...stats.samples import ALPHA, is_enough, too_few
from .choices import Compared

if TYPE_CHECKING:
    from .spec import AgreementSpec

Row = dict[str, Any]
CORRELATION = "correlation"  # the ``test`` of what has no correlation or no p


def name_row(name: str, title: str, source: str) -> Row:
    """A row of the table of names."""
    return {"name": name, "title": title, "source": source}


def over_models(name: str, title: str, source: str, kind: str, meaning: str) -> Row:
    """A row of the table of names where points are models."""
    return {**name_row(name, title, source), "kind": kind, "meaning": meaning}


def correlate(
    points: pd.DataFrame, names: Sequence[Mapping[str, Any]], spec: AgreementSpec
) -> tuple[list[Row], list[Excluded]]:
    """A row per pair, in the order of ``names``, and what has no correlation or no p, and why."""
    rows, left_out = list[Row](), list[Excluded]()
    ids = [str(name["name"]) for name in names]
    for model, representation, block in _blocks(points, spec):
        where = {"model": model, "representation": representation}
        table = block.pivot_table(index="point", columns="name", values="value", sort=False).reindex(columns=ids)
        correlation = correlations(table.to_numpy(dtype=np.float64), method=spec.method)
        few = set()

        def excluded(what: str, reason: str, model: str | None = model, where: str | None = representation) -> None:
            about = model or "all models"
            left_out.append(
                Excluded(about, "statistic", what, f"{what}: {reason}", test=CORRELATION, representation=where)
            )

        for a, b in combinations(range(len(ids)), 2):
            r, n = float(correlation.r[a, b]), int(correlation.n[a, b])
            p = float(correlation.p[a, b]) if is_enough(n) else np.nan
            known = bool(np.isfinite(r))
            rows.append(
                {
                    **where,
                    **{"a": ids[a], "b": ids[b], "r": r, "p": p, "n": n},
                    "critical": critical_r(n) if known else np.nan,
                    "significant": p < ALPHA,
                }
            )
            if known and not is_enough(n):
                few.add(n)
            if not known:
                required = f"n = {n}, at least {FEWEST_POINTS} are required"
                reason = "undefined: no variation" if n >= FEWEST_POINTS else required
                excluded(f"{ids[a]} and {ids[b]}", reason)
        for n in sorted(few):
            excluded("correlations", f"p not computed, n too small ({too_few(n)} points)")
    return rows, left_out


def _blocks(points: pd.DataFrame, spec: AgreementSpec) -> Iterator[tuple[str | None, str | None, pd.DataFrame]]:
    """The points of one model and representation at a time, in their order; of metrics, which are over models, all."""
    if points.empty:
        return
    if spec.compare == Compared.METRICS:
        yield None, None, points
        return
    for key, block in points.groupby(["model", "representation"], sort=False, dropna=False):
        model, representation = (part if isinstance(part, str) else None for part in tuple(key))
        yield model, representation, block
