"""CrowS-Pairs (Nangia et al. 2020): pairs of sentences, one of them more stereotypical. AUL and AULA read them too."""

from __future__ import annotations

from collections.abc import Sequence

from core.lexicon.benchmarks.formats import Format, Row, cell, problem, table_rows
from core.lexicon.benchmarks.items import Problem, SentencePair

NO_TYPE = "not stated"
_KNOWN = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
_DIRECTIONS = ("stereo", "antistereo")


def _items(rows: Sequence[Row]) -> tuple[list[SentencePair], list[Problem]]:
    items = []
    lacking = 0
    for number, row in enumerate(rows, 1):
        more, less = cell(row, "sent_more"), cell(row, "sent_less")
        if not more or not less:
            lacking += 1
            continue
        direction = cell(row, "stereo_antistereo").casefold()
        items.append(
            SentencePair(
                _number(row) or str(number),
                cell(row, "bias_type") or NO_TYPE,
                more,
                less,
                direction if direction in _DIRECTIONS else "",
            )
        )
    return items, [problem(lacking, "pair lacks a sentence", "pairs lack a sentence")]


def _number(row: Row) -> str:
    """The number in the first column; empty where the first column holds something else."""
    first = next(iter(row))
    number = cell(row, first)
    return number if first not in _KNOWN and number.isdecimal() else ""


CROWS_PAIRS = Format(
    title="CrowS-Pairs",
    expects=(
        "CrowS-Pairs is a CSV file with the columns sent_more and sent_less, and as published also stereo_antistereo "
        "and bias_type (crows_pairs_anonymized.csv)."
    ),
    columns=(frozenset({"sent_more", "sent_less"}),),
    items=_items,
    rows=table_rows,
)
