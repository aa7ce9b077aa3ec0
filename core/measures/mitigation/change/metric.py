"""Items of a base and of models made from it: differences, their tests and their spread. Pure numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ....stats.rank_tests import signed_rank
from ....stats.resampling import bootstrap_interval
from ....stats.samples import is_enough
from ...comparable import KEYS
from ...comparable import SIDES as BOTH
from .result import LEAN, SIZE

Row = dict[str, Any]
FloatArray = NDArray[np.float64]


def common(items: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The items that every model has, by their keys, in the order of the first model."""
    keyed = {model: frame.set_index(list(KEYS)) for model, frame in items.items()}
    first, *others = keyed.values()
    kept = first.index
    for frame in others:
        kept = kept[kept.isin(frame.index)]
    return {model: frame.loc[kept] for model, frame in keyed.items()}


def missing(items: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, str, str, int, int]]:
    """What a model lacks and another has: model, section, entry, how many of its items, and how many there are."""
    every = pd.concat([frame[list(KEYS)] for frame in items.values()]).drop_duplicates()
    sizes = every.groupby(["section", "entry"], sort=False).size()
    for model, frame in items.items():
        own = frame.groupby(["section", "entry"], sort=False).size().reindex(sizes.index, fill_value=0)
        lacking = pd.DataFrame({"own": own, "every": sizes}).reset_index()
        for section, entry, has, every in lacking[lacking["own"] < lacking["every"]].itertuples(index=False):
            yield model, str(section), str(entry), int(every - has), int(every)


def entries(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """A row an entry, from items with equal keys: whole, section, entry, n, and the means before and after."""
    both = pd.DataFrame({"before": before["value"], "after": after["value"]})
    means = both.groupby(level=["whole", "section", "entry"], sort=False).agg(
        n=("before", "size"), before=("before", "mean"), after=("after", "mean")
    )
    return means.assign(difference=means["after"] - means["before"]).reset_index()


def sections(keys: pd.Index) -> dict[str, NDArray[np.bool_]]:
    """Which items belong to each whole, and to each of its sections behind it where it has several."""
    whole, section = keys.get_level_values("whole"), keys.get_level_values("section")
    found: dict[str, NDArray[np.bool_]] = {}
    for of in dict.fromkeys(whole):
        found[str(of)] = np.asarray(whole == of)
        parts = dict.fromkeys(section[whole == of])
        if len(parts) > 1:
            found |= {str(part): np.asarray(section == part) for part in parts}
    return found


def changes(before: pd.DataFrame, after: pd.DataFrame, *, seed: int) -> Iterator[Row]:
    """Two rows a section, of the values and of their sizes (``ChangeResult``), without what models they are of."""
    for section, held in sections(before.index).items():
        first, second = before[held]["value"], after[held]["value"]
        # In an order of their own, so that no interval hangs on that of the items.
        means = entries(before[held], after[held]).sort_values(["section", "entry"])
        sums = (means["n"] * means["difference"]).to_numpy()
        yield {
            "section": section,
            "quantity": LEAN,
            **_difference(first.to_numpy(), second.to_numpy()),
            **_interval(sums, means["n"].to_numpy(), seed=seed),
        }
        sizes = means[["before", "after"]].abs()
        yield {
            "section": section,
            "quantity": SIZE,
            **_difference(sizes["before"].to_numpy(), sizes["after"].to_numpy()),
            **_interval((sizes["after"] - sizes["before"]).to_numpy(), np.ones(len(sizes)), seed=seed),
        }


def sides(before: pd.DataFrame, after: pd.DataFrame, names: Sequence[str]) -> Iterator[Row]:
    """A row for each section and side, where the items have two; ``names`` are those of the sides."""
    if not set(BOTH) <= set(before.columns):
        return
    for section, held in sections(before.index).items():
        for side, name in zip(BOTH, names, strict=True):
            first, second = float(before[held][side].mean()), float(after[held][side].mean())
            yield {
                "section": section,
                "side": name,
                "n": int(held.sum()),
                "before": first,
                "after": second,
                "difference": second - first,
            }


def spread(rows: pd.DataFrame) -> Iterator[Row]:
    """A row a section and quantity, of the rows of ``changes`` of all models."""
    for (section, quantity), of in rows.groupby(["section", "quantity"], sort=False):
        children = of.loc[~of["control"], "difference"].to_numpy(dtype=float)
        controls = of.loc[of["control"], "difference"].to_numpy(dtype=float)
        sd, control_sd = _sd(children), _sd(controls)
        yield {
            "section": section,
            "quantity": quantity,
            "n": len(children),
            "before": float(of["before"].iloc[0]),
            "difference": float(children.mean()),
            "sd": sd,
            "low": float(children.min()),
            "high": float(children.max()),
            "n_control": len(controls),
            "control": float(controls.mean()) if len(controls) else np.nan,
            "control_sd": control_sd,
            "net": float(children.mean() - controls.mean()) if len(controls) else np.nan,
            "net_se": float(np.sqrt(sd**2 / len(children) + control_sd**2 / max(1, len(controls)))),
        }


def _sd(values: FloatArray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else np.nan


def _difference(before: FloatArray, after: FloatArray) -> Row:
    """Means and the signed-rank test of after − before; without a p where too few of them differ for a verdict."""
    row: Row = {"n": len(before), "before": float(before.mean()), "after": float(after.mean())}
    row |= {"difference": row["after"] - row["before"], "W": np.nan, "r": np.nan, "p": np.nan, "p_kind": None}
    found = signed_rank(after - before)
    if found is not None:
        row |= {"W": found.w, "r": float(np.copysign(found.r, found.z)) if found.z else 0.0}
        if is_enough(found.n):
            row |= {"p": found.p, "p_kind": "exact" if found.exact else "normal"}
    return row


def _interval(sums: FloatArray, counts: NDArray[Any], *, seed: int) -> Row:
    """Of the mean over all items, where whole entries are drawn; none for too few of them."""
    if not is_enough(len(sums)):
        return {"ci_low": np.nan, "ci_high": np.nan}
    found = bootstrap_interval(
        [sums, counts.astype(float)],
        lambda total, count, axis: total.sum(axis=axis) / count.sum(axis=axis),
        seed=seed,
        paired=True,
    )
    return {"ci_low": float(found.low), "ci_high": float(found.high)}
