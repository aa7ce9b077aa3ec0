"""A measurement of professions compared with the labour statistics of a year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ....result import Excluded, Note
from ....sources import Shares, corpora
from ....sources.parsing import quoted
from ....stats.corrections import benjamini_hochberg
from ....stats.correlation import FEWEST_POINTS, Correlation, is_constant, pearson, regression, spearman
from ....stats.samples import is_enough, too_few
from .result import CORRELATIONS, PROFESSIONS, ProfessionResult
from .spec import ProfessionSpec

_SHOWN = 10


def compared(result: ProfessionResult, spec: ProfessionSpec) -> ProfessionResult:
    """The result of ``spec``, whose statistic it is compared with, from that of the same without one.

    Each profession gets its percentage and its place by the least-squares line of its model and language; differences
    are correlated with percentages. What has no percentage, and what cannot be computed, is excluded with the reason.
    Raises OptionError or WordListError for a statistic that is not there.
    """
    assert spec.statistic is not None
    shares, column = spec.statistic.shares(spec.people), f"percent_{spec.people.lower()}"
    professions = with_shares(result[PROFESSIONS], shares, column)
    rows: list[dict[str, Any]] = []
    excluded: list[Excluded] = []
    for name in dict.fromkeys(professions.loc[professions[column].isna(), "profession"]):
        excluded.append(Excluded("all models", "profession", name, f"{name} {shares.reason(name)}"))
    for (model, language), points in professions.groupby(["model", "language"], sort=False):
        points = in_published_order(points.dropna(subset=[column, "difference"]), str(language))
        x, y = points[column].to_numpy(float), points["difference"].to_numpy(float)
        for method, found in (("pearson", pearson(x, y)), ("spearman", spearman(x, y, seed=spec.seed))):
            rows.append({"model": model, "language": language, "method": method, "n": len(x), **_columns(found)})
            if method == "pearson" and (line := regression(x, y)) is not None:
                rows[-1] |= {"slope": line.slope, "intercept": line.intercept, "residual_sd": line.residual_sd}
            excluded += _not_computed(str(model), method, found, x, y)
    correlations = pd.DataFrame(rows, columns=[item.name for item in result.SCHEMA.tables[CORRELATIONS].columns])
    correlations["p_adjusted"] = benjamini_hochberg(correlations["p"].to_numpy(dtype=float))
    unused = shares.unused(set(professions["profession"]))
    source = shares.statistic.source.partition(",")[0]
    excluded += [
        Excluded("all models", "profession", name, f"{name} is a row of {source} and none of the professions measured")
        for name in unused
    ]
    said = (*shares.notes, *filter(None, [_unmatched(unused, source)]))
    return replace(
        result,
        spec=spec,
        tables=result.SCHEMA.frames(**{**result.tables, PROFESSIONS: professions, CORRELATIONS: correlations}),
        excluded=(*result.excluded, *excluded),
        notes=(*result.notes, *map(Note, said)),
        provenance=replace(result.provenance, data=(*result.provenance.data, shares.statistic.source)),
    )


def in_published_order(professions: pd.DataFrame, language: str) -> pd.DataFrame:
    """The rows in the order of the corpus of their language, other professions behind it by name.

    What is resampled with a seed then does not hang on the order in which the professions were given.
    """
    published = [known.name for corpus in corpora() if corpus.language == language for known in corpus.professions]
    places = {name: place for place, name in enumerate(published)}
    names = professions["profession"].tolist()
    order = sorted(range(len(names)), key=lambda row: (places.get(names[row], len(places)), names[row]))
    return professions.iloc[order]


def with_shares(professions: pd.DataFrame, shares: Shares, column: str) -> pd.DataFrame:
    """The table ``professions`` with percentages in a ``column`` of their own, and the line of each series."""
    notes = dict(shares.statistic.notes)
    found = [shares.find(name) for name in professions["profession"]]
    table = professions.assign(
        **{column: np.array([np.nan if percent is None else percent for percent in found], dtype=float)},
        share_note=professions["profession"].map(notes),
    )
    return with_lines(table, column)


def with_lines(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The table with line and residual of difference on percentage, where there are points enough for a line."""
    table = table.copy()
    for _, points in table.groupby(["model", "language"], sort=False):
        points = points.dropna(subset=[column, "difference"])
        x = points[column].to_numpy(float)
        line = regression(x, points["difference"])
        if line is None:
            continue
        table.loc[points.index, "line"] = line.at(x)
        table.loc[points.index, "residual"] = points["difference"] - line.at(x)
    return table


def _not_computed(
    model: str, method: str, found: Correlation | None, x: np.ndarray, y: np.ndarray
) -> Iterator[Excluded]:
    what = f"{method} correlation"
    if found is None:
        reason = f"{what} of {model}: not computed, {_obstacle(x, y)}"
    elif not is_enough(len(x)):
        reason = f"{what} of {model}: interval and p not computed, n too small ({too_few(len(x))} professions)"
    else:
        return
    yield Excluded(model, "statistic", what, reason, test="correlation")


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
