"""What the charts and sentences of agreement share: the pairs of a block, and how r and p are written."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.errors import NothingToScore, OptionError
from core.measures.agreement.result import AgreementResult
from core.report.numbers import coefficient
from core.stats.correlation import FEWEST_POINTS
from core.stats.samples import is_enough


def pairs_of(result: AgreementResult, model: str | None, representation: str | None) -> pd.DataFrame:
    """The rows of the summary of one model and representation; of what the kind does not have, all.

    Raises OptionError for a model or a representation the result does not hold, NothingToScore where it has no pair.
    """
    rows = result.summary
    if rows.empty:
        raise NothingToScore("The result holds no pair; agreement needs two or more.")
    for column, wanted in (("model", model), ("representation", representation)):
        held = [str(name) for name in rows[column].dropna().unique()]
        if not held:
            continue
        if wanted not in held:
            raise OptionError(f"The result holds no {column} {wanted}; it holds {', '.join(held)}.")
        rows = rows[rows[column] == wanted]
    return rows


def significance_text(result: AgreementResult, counts: Sequence[int]) -> str:
    """The number of points, and above which |r| a correlation of so many is significant."""
    held = sorted({int(n) for n in counts})
    n = f"n = {held[0]}" + (f" to {held[-1]}" if len(held) > 1 else "")
    if held[-1] < FEWEST_POINTS:
        return f"{n}: too few for a correlation"
    if not is_enough(held[-1]):
        return f"{n}: too few to say"
    critical = [(points, r) for points, r in result.critical if points in held and is_enough(points)]
    if not critical:
        return n
    if len(critical) == 1 and len(held) == 1:
        return f"{n}, |r| > {coefficient(critical[0][1])} is significant"
    points, r = critical[-1]
    return f"{n}; with {points}, |r| > {coefficient(r)} is significant"
