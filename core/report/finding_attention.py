"""What is said above the charts of attention."""

from __future__ import annotations

from core.measures.attention.result import AttentionResult, ScanResult
from core.report.numbers import counted, head_name, position_name, signed
from core.report.texts import Finding, Phrase
from core.stats.samples import is_enough, too_few

MALE, FEMALE = "male words", "female words"
_MEANING = (
    "Degree: bias in the sentence × bias in its twin. Above 0 a head turns to the same gender in both (biased); below "
    "0 it follows the swap. Bias is the attention to male less that to female words, from −1 to 1."
)


def attention_finding(result: AttentionResult, model: str) -> Finding:
    """How many of one model's own heads keep their gender when the sentence is swapped, and which."""
    rows = result.summary
    heads = rows[(rows["model"] == model) & (rows["kind"] == "attention")].dropna(subset="degree")
    if heads.empty:
        return Finding((Phrase("No head can be judged; the list below says why."),), "")
    biased = heads[heads["degree"] > 0]
    male, female = ((biased["direction"] == one).sum() for one in ("male", "female"))
    strongest = biased.sort_values("degree", ascending=False).head(1).to_dict("records")
    headline = (
        Phrase(f"{len(biased)} of {len(heads)}", strong=True),
        Phrase(" heads attend to the same gender in both versions: "),
        Phrase(f"{male}", strong=True),
        Phrase(" turn to "),
        Phrase(MALE, MALE, strong=True),
        Phrase(", "),
        Phrase(f"{female}", strong=True),
        Phrase(" to "),
        Phrase(FEMALE, FEMALE, strong=True),
        Phrase("."),
    )
    most = "".join(
        f" Strongest: {head_name(row['layer'], row['head'])}, degree {signed(row['degree'])}, to {row['direction']} "
        "words."
        for row in strongest
    )
    return Finding(headline, f"Mean degree {signed(float(heads['degree'].mean()))}.{most} {_MEANING}")


def scan_finding(result: ScanResult) -> Finding:
    """Where along the model the mean degree of a corpus is highest and lowest."""
    rows = result.profile.dropna(subset="mean_degree")
    kept = dict(result.counts)["kept"]
    if rows.empty:
        return Finding((Phrase("No position can be judged."),), "")
    if not is_enough(kept):
        ends = [signed(float(end)) for end in (rows["mean_degree"].min(), rows["mean_degree"].max())]
        few = f" over {counted(kept, 'sentence')}: too few to say where it is highest ({too_few(kept)})."
        return Finding((Phrase(f"Mean degrees from {' to '.join(ends)}", strong=True), Phrase(few)), _MEANING)
    ordered = rows.sort_values("mean_degree", kind="stable").to_dict("records")
    low, high = ordered[0], ordered[-1]
    headline = (
        Phrase(f"Over {counted(kept, 'sentence')} the mean degree is highest at the "),
        Phrase(f"{position_name(high['kind'], high['layer'])} ({signed(float(high['mean_degree']))})", strong=True),
        Phrase(", lowest at the "),
        Phrase(f"{position_name(low['kind'], low['layer'])} ({signed(float(low['mean_degree']))})", strong=True),
        Phrase("."),
    )
    return Finding(headline, _MEANING)
