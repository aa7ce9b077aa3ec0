"""Points into correlations: what templates, representations and metrics have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from core.measures.agreement.result import AgreementOptions
from core.result import LeftOut
from core.stats.agreement import correlations, critical_r
from core.stats.correlation import FEWEST_POINTS
from core.stats.samples import is_enough, too_few

POINT_COLUMNS = ("model", "representation", "name", "point", "value")


def correlate(
    points: pd.DataFrame, names: Sequence[tuple[str, str]], columns: tuple[str, str], options: AgreementOptions
) -> tuple[pd.DataFrame, list[LeftOut], tuple[tuple[int, float], ...]]:
    """Summary, what has no correlation or no p and why, and critical |r| (see ``AgreementResult``) of such points."""
    rows, left_out = [], []
    for model, representation, block in _blocks(points):
        few = set()
        table = block.pivot_table(index="point", columns="name", values="value", sort=False)
        table = table.reindex(columns=[name for name, _ in names])
        found = correlations(table.to_numpy(dtype=np.float64), method=options.method)
        for a, b in combinations(range(len(names)), 2):
            n = int(found.n[a, b])
            p = found.p[a, b] if is_enough(n) else np.nan
            if not is_enough(n) and np.isfinite(found.r[a, b]):
                few.add(n)
            rows.append((model, representation, names[a][0], names[b][0], found.r[a, b], p, n))
            if np.isnan(found.r[a, b]):
                reason = (
                    "undefined: no variation"
                    if n >= FEWEST_POINTS
                    else f"n = {n}, at least {FEWEST_POINTS} are required"
                )
                pair = f"{names[a][0]} and {names[b][0]}"
                left_out.append(
                    LeftOut(
                        model or "all models", "statistic", pair, f"{pair}: {reason}", test="correlation",
                        representation=representation,
                    )
                )  # fmt: skip
        left_out += [
            LeftOut(
                model or "all models", "statistic", "correlations",
                f"correlations: p not computed, n too small ({too_few(n)} points)", test="correlation",
                representation=representation,
            )
            for n in sorted(few)
        ]  # fmt: skip
    summary = pd.DataFrame(rows, columns=["model", "representation", *columns, "r", "p", "n"])
    counts = sorted(set(summary.loc[summary["r"].notna(), "n"]))
    return summary, left_out, tuple((int(n), critical_r(int(n))) for n in counts)


def _blocks(points: pd.DataFrame) -> Iterator[tuple[str | None, str | None, pd.DataFrame]]:
    """The points of one model and representation at a time, in their order."""
    for key, block in points.groupby(["model", "representation"], sort=False, dropna=False):
        model, representation = (one if isinstance(one, str) else None for one in tuple(key))
        yield model, representation, block
