"""The table of a card as a print has it: every row, what belongs together below one heading, and no scrolling down.

Labels wrap, so that on a telephone the first numbers stand beside them; the rest is reached by scrolling sideways.
"""

from __future__ import annotations

from html import escape
from itertools import groupby

import pandas as pd

from core.report.numbers import MISSING


def as_html(table: pd.DataFrame, title: str, *, numbers: bool = False) -> str:
    """A table of texts; the first column is that of the headings, the second names the rows below one.

    Parameters
    ----------
    table : DataFrame
        Texts; None where there is none.
    title : str
        What the table is of, for screen readers.
    numbers : bool
        Whether the other columns hold numbers, which stand at the right.

    Returns
    -------
    str
        Markup in which every text is escaped. A row that is alone below its heading has it beside its name.
    """
    heading, _, *others = map(str, table.columns)
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (heading, *others))
    rows = groupby(table.itertuples(index=False, name=None), key=lambda row: row[0])
    bodies = "".join(_group(str(name), list(group)) for name, group in rows)
    kind = "printed numbers" if numbers else "printed"
    return (
        f'<div class="sideways" tabindex="0" role="region" aria-label="{escape(title)}">'
        f'<table class="{kind}"><thead><tr>{heads}</tr></thead>{bodies}</table></div>'
    )


def _group(heading: str, rows: list[tuple[str | None, ...]]) -> str:
    if len(rows) == 1:
        return f"<tbody>{_row(escape(heading) + _below(rows[0][1]), rows[0])}</tbody>"
    span = len(rows[0]) - 1
    lines = "".join(_row(f'<span class="of">{escape(row[1] or MISSING)}</span>', row) for row in rows)
    return f'<tbody><tr><th scope="rowgroup" colspan="{span}">{escape(heading)}</th></tr>{lines}</tbody>'


def _below(name: str | None) -> str:
    return f'<span class="below">{escape(name)}</span>' if name else ""


def _row(label: str, row: tuple[str | None, ...]) -> str:
    cells = "".join(f"<td>{escape(MISSING if pd.isna(cell) else str(cell))}</td>" for cell in row[2:])
    return f'<tr><th scope="row">{label}</th>{cells}</tr>'
