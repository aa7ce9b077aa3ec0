"""What the charts and sentences of agreement share: the pairs of a block, and how r and p are written."""

from __future__ import annotations

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


def significance_text(rows: pd.DataFrame) -> str:
    """The number of points of these pairs, and above which |r| a correlation of so many is significant."""
    fewest, most = int(rows["n"].min()), int(rows["n"].max())
    n = f"n = {fewest}" + (f" to {most}" if most > fewest else "")
    if most < FEWEST_POINTS:
        return f"{n}: too few for a correlation"
    if not is_enough(most):
        return f"{n}: too few to say"
    bounds = rows[rows["n"] == most]["critical"].dropna()
    if bounds.empty:
        return n
    with_most = "," if most == fewest else f"; with {most},"
    return f"{n}{with_most} |r| > {coefficient(bounds.iloc[0])} is significant"
