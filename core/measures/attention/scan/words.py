"""The sentences of a corpus scan: the facts for the templates beside this module."""

from __future__ import annotations

import pandas as pd

from ....report.numbers import counted, position_name
from ....report.texts import Finding, finding_of, text_of
from ....stats.samples import is_enough, too_few
from ..words import LI_2021, definition
from .result import KEPT, ScanResult

_MOST = 3  # occupations that are named of many


def finding(result: ScanResult) -> Finding:
    """Where along the model the mean degree of a corpus is highest and lowest."""
    rows = result.profile.dropna(subset="mean_degree").sort_values("mean_degree", kind="stable").to_dict("records")
    low, high = (
        {"name": position_name(row["kind"], row["layer"]), "degree": row["mean_degree"]}
        for row in (rows[0], rows[-1])
    ) if rows else ({}, {})  # fmt: skip
    return finding_of(
        __file__,
        "finding",
        positions=len(rows),
        kept=result.kept,
        few=not is_enough(result.kept),
        too_few=too_few(result.kept),
        low=low,
        high=high,
    )


def methods(result: ScanResult) -> tuple[str, ...]:
    """How the numbers were made."""
    excluded = [f"{reason} ({n:,})" for reason, n in result.counts.items() if n and reason != KEPT]
    return (
        text_of(
            __file__,
            "methods",
            kept=result.kept,
            corpus=result.spec.corpus.path.name,
            data="; ".join(result.provenance.data),
            excluded=excluded,
            finished=not result.stopped,
        ),
        definition(),
        "A sentence's value at a position is the mean over its defined heads; figures are means over sentences, and "
        "shares of sentences or of heads × sentences.",
    )


def references(_result: ScanResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    return (LI_2021,)


def material(result: ScanResult) -> tuple[str, ...]:
    """What was put to the model, for the caption of a figure."""
    read = sum(result.counts.values())
    return (f"Corpus: {result.spec.corpus.path.name}. n = {counted(result.kept, 'sentence')} kept of {read:,}.",)


def counts_text(result: ScanResult) -> str:
    """Sentences kept, and excluded by reason, a line each."""
    return "\n".join(f"{reason}: {n:,}" for reason, n in result.counts.items())


def occupations_text(counts: pd.DataFrame) -> str:
    """In words, how often each occupation occurs."""
    rows = counts.sort_values("n", ascending=False, kind="stable").head(_MOST)
    most = ", ".join(f"{name} {n:,}" for name, n in rows[["occupation", "n"]].itertuples(index=False))
    return (
        f"Sentences kept by occupation: {counted(int(counts['n'].sum()), 'sentence')} of "
        f"{counted(len(counts), 'occupation')}; most of {most}."
    )
