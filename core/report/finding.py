"""The sentence above a chart: what was found, in words that fit it. Never a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.measures.association.result import AssociationResult
from core.measures.lpbs.result import LpbsResult
from core.report.numbers import counted, fixed, interval, p_text, signed
from core.report.wording import listed, templates_phrase
from core.result import Contrast
from core.stats.samples import ALPHA, LEAST, is_enough, too_few


@dataclass(frozen=True)
class Phrase:
    """A piece of a sentence; ``group`` names the group whose hue it takes, ``strong`` prints it bold."""

    text: str
    group: str | None = None
    strong: bool = False


@dataclass(frozen=True)
class Finding:
    """``headline`` in pieces, and ``support``: interval, p, n and what the number means."""

    headline: tuple[Phrase, ...]
    support: str

    @property
    def text(self) -> str:
        """The headline as plain text."""
        return "".join(phrase.text for phrase in self.headline)


def lpbs_finding(result: LpbsResult, contrast: Contrast, model: str, noun: str = "attributes") -> Finding:
    """What one model's scores say of one contrast; ``noun`` names the attributes ("professions")."""
    rows = result.summary[(result.summary["model"] == model) & (result.summary["contrast"] == contrast.label)]
    scores = rows.loc[rows["kind"] == "attribute", "lpbs"].dropna().to_numpy()
    overall = rows[rows["kind"] == "all"].iloc[0]
    first, second = int((scores > 0).sum()), int((scores < 0).sum())
    mean, p = float(overall["lpbs"]), float(overall["p_adjusted"])
    if not len(scores):
        return Finding((Phrase("No score in this contrast; “Excluded” below says why."),), "")
    if not is_enough(len(scores)):
        headline = [
            Phrase(f"{signed(mean)} nats", strong=True),
            Phrase(f" on average, {counted(len(scores), 'word')}: too few to say. Scores towards "),
            Phrase(contrast.first, contrast.first, strong=True),
            Phrase(f": {first}, towards "),
            Phrase(contrast.second, contrast.second, strong=True),
            Phrase(f": {second}."),
        ]
        return Finding(tuple(headline), _support(result, contrast, overall, noun))
    many, few = sorted(((first, contrast.first), (second, contrast.second)), key=lambda pair: -pair[0])
    headline = [
        Phrase("Leans towards "),
        Phrase(many[1], many[1], strong=True),
        Phrase(" for "),
        Phrase(f"{many[0]} of {len(scores)}", strong=True),
        Phrase(f" {noun}, towards "),
        Phrase(few[1], few[1], strong=True),
        Phrase(f" for {few[0]}; on average "),
    ]
    if p < ALPHA:
        side = contrast.first if mean > 0 else contrast.second
        amount = Phrase(f"{fixed(abs(mean))} nats", strong=True)
        headline += [Phrase("towards "), Phrase(side, side, strong=True), Phrase(" by "), amount, Phrase(".")]
    else:
        headline += [Phrase("no clear lean", strong=True), Phrase(f" ({signed(mean)} nats).")]
    return Finding(tuple(headline), _support(result, contrast, overall, noun))


def _support(result: LpbsResult, contrast: Contrast, overall: pd.Series[Any], noun: str) -> str:
    n, parts = int(overall["n"]), []
    if not is_enough(n):
        parts.append(f"No interval and no p: n = {too_few(n)} {noun}")
    else:
        parts.append(interval(overall["ci_low"], overall["ci_high"]))
        p, family = float(overall["p_adjusted"]), dict(result.family_sizes)["all"]
        parts.append(f"sign-flip {p_text(p)}" + (f" (adjusted over {family} tests)" if family > 1 else ""))
        parts.append(f"n = {n} {noun}")
    parts.append(templates_phrase(result.templates))
    scored = result.detail.loc[result.detail["form"] != result.detail["target"], "form"].unique()
    if len(scored):
        parts.append(f"scored as {listed(list(scored), most=6)}")
    return (
        f"{', '.join(parts)}. Log probability bias score: ln (P / prior) of “{contrast.first}” minus that of "
        f"“{contrast.second}”; above 0 leans towards {contrast.first}, 0 means that the word moves both alike."
    )


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
