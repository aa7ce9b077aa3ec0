"""A measurement of professions held against the labour statistics of a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.measures.lpbs.professions.result import ProfessionResult
from core.result import LeftOut, Note
from core.sources import Shares
from core.sources.parsing import quoted
from core.stats.corrections import benjamini_hochberg
from core.stats.correlation import FEWEST_POINTS, Correlation, is_constant, pearson, spearman
from core.stats.samples import is_enough, too_few

_SHOWN = 10


def against(result: ProfessionResult, shares: Shares) -> ProfessionResult:
    """The result with each profession's share, and the correlations of differences with shares, model by model.

    A profession without a share, and a correlation that cannot be computed, are listed in ``left_out``.
    """
    column = f"percent_{shares.statistic.of.lower()}"
    summary = result.summary.copy()
    of_profession = summary["kind"] == "profession"
    found = [shares.find(name) if isinstance(name, str) else None for name in summary["profession"]]
    percents = [np.nan if value is None else value for value in found]
    summary.insert(list(summary.columns).index("difference"), column, percents)
    left_out = []
    for name in dict.fromkeys(summary.loc[of_profession & summary[column].isna(), "profession"]):
        left_out.append(LeftOut("all models", "profession", name, f"{name} {shares.reason(name)}"))
    rows: list[dict[str, Any]] = []
    for (model, language), points in summary[of_profession].groupby(["model", "language"], sort=False):
        points = points.dropna(subset=column)
        x, y = points[column].to_numpy(float), points["difference"].to_numpy(float)
        for method, correlation in (("pearson", pearson(x, y)), ("spearman", spearman(x, y, seed=result.options.seed))):
            row = {"model": model, "language": language, "kind": "correlation", "method": method, "n": len(x)}
            rows.append({**row, **_columns(correlation)})
            if correlation is None:
                reason = f"{method} correlation of {model}: not computed, {_obstacle(x, y)}"
                left_out.append(LeftOut(str(model), "statistic", f"{method} correlation", reason, test="correlation"))
            elif not is_enough(len(x)):
                reason = (
                    f"{method} correlation of {model}: interval and p not computed, n too small ({too_few(len(x))} "
                    "professions)"
                )
                left_out.append(LeftOut(str(model), "statistic", f"{method} correlation", reason, test="correlation"))
    summary = pd.concat([summary, pd.DataFrame(rows, columns=summary.columns)], ignore_index=True)
    of_kind = summary["kind"] == "correlation"
    summary.loc[of_kind, "p_adjusted"] = benjamini_hochberg(summary.loc[of_kind, "p"].to_numpy(dtype=float))
    used = set(summary["profession"].dropna())
    unused = shares.unused(used)
    source = shares.statistic.source.partition(",")[0]
    left_out += [
        LeftOut("all models", "profession", name, f"{name} is a row of {source} and none of the professions measured")
        for name in unused
    ]
    said = (*shares.notes, *filter(None, [_unmatched(unused, source)]))
    notes = tuple((name, note) for name, note in shares.statistic.notes if name in used)
    return replace(
        result,
        summary=summary,
        left_out=(*result.left_out, *left_out),
        provenance=replace(result.provenance, data=(*result.provenance.data, shares.statistic.source)),
        statistic=replace(shares.statistic, notes=notes),
        notes=(*result.notes, *map(Note, said)),
    )


def _columns(correlation: Correlation | None) -> dict[str, float]:
    """r, and its interval and p where there are enough professions for them."""
    if correlation is None:
        return {}
    if not is_enough(correlation.n):
        return {"r": correlation.r}
    return {
        "r": correlation.r,
        "ci_low": correlation.ci_low,
        "ci_high": correlation.ci_high,
        "p": correlation.p,
    }


def _unmatched(unused: Sequence[str], source: str) -> str:
    """The sentence on rows of the user's file that no profession is found in."""
    if not unused:
        return ""
    some = quoted(unused, _SHOWN)
    if len(unused) == 1:
        return f"1 row of {source} matches no profession and is not used: {some}."
    return f"{len(unused):,} rows of {source} match no profession and are not used: {some}."


def _obstacle(x: np.ndarray, y: np.ndarray) -> str:
    if len(x) < FEWEST_POINTS:
        have = "profession has" if len(x) == 1 else "professions have"
        return f"{len(x)} {have} a share; at least {FEWEST_POINTS} are required"
    return f"undefined: the {'shares' if is_constant(x) else 'differences'} do not vary"
