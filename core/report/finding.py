"""The sentence above a chart: what was found, in words that fit it. Never a verdict."""

from __future__ import annotations

from core.measures.association.result import AssociationResult
from core.report.numbers import counted, signed
from core.report.texts import Finding, Phrase
from core.stats.samples import ALPHA, LEAST


def association_finding(result: AssociationResult) -> Finding:
    """In how many combinations of model, test and representation X is more strongly associated with A, or with B.

    A combination counts as clear when its p is below ``ALPHA`` and X and Y have enough members for an interval.
    """
    rows = result.summary.dropna(subset="effect_size")
    enough = rows["ci_low"].notna()
    clear = rows[enough & (rows["p_adjusted"] < ALPHA)]
    with_a, with_b = int((clear["effect_size"] > 0).sum()), int((clear["effect_size"] < 0).sum())
    count, few = len(rows), int((~enough).sum())
    headline = [
        Phrase("X is more strongly associated with A in "),
        Phrase(f"{with_a} of {count}", strong=True),
        Phrase(" measurements, with B in "),
        Phrase(str(with_b), strong=True),
        Phrase(f"; {count - with_a - with_b - few} inconclusive"),
        Phrase(f", {few} with too few members to say." if few else "."),
    ]
    low, high = rows["effect_size"].min(), rows["effect_size"].max()
    missing = len(result.summary) - count
    support = (
        f"Effect sizes d from {signed(low)} to {signed(high)}; adjusted p < .05 in the cases counted (two-sided, "
        f"Benjamini–Hochberg over {counted(result.family_size, 'test')}). A measurement is one test, by one "
        "representation, in one model."
    )
    if few:
        support += f" X and Y need at least {LEAST} members each for an interval and a verdict; an exact p is shown."
    if missing:
        support += f" {counted(missing, 'combination')} could not be computed; “Excluded” below says why."
    return Finding(tuple(headline), support)
