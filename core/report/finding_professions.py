"""What is said above a chart of professions: does the lean follow the labour market, and where least?"""

from __future__ import annotations

import pandas as pd

from core.measures.lpbs.professions.result import ProfessionResult
from core.report.numbers import fixed, interval, p_text, signed
from core.report.texts import Finding, Phrase
from core.report.wording import listed, templates_phrase
from core.stats.correlation import regression
from core.stats.samples import ALPHA, is_enough, too_few

Series = tuple[str, str]  # model, language

FURTHEST = 3


def profession_finding(result: ProfessionResult, series: Series) -> Finding:
    """Whether one model's differences follow the statistic of the result, by how much, and where least."""
    model, language = series
    rows = result.summary[(result.summary["model"] == model) & (result.summary["language"] == language)]
    found = {str(row["method"]): row for row in rows[rows["kind"] == "correlation"].to_dict("records")}
    people = "labour market" if result.statistic is None or result.statistic.of == "women" else "share of Black workers"
    if not found or pd.isna(found["pearson"]["r"]):
        return Finding((Phrase(f"No correlation with the {people} could be computed; the list below says why."),), "")
    pearson, spearman = found["pearson"], found["spearman"]
    r, p, n = float(pearson["r"]), float(pearson["p_adjusted"]), int(pearson["n"])
    enough = is_enough(n)
    if not enough:
        start = f"Too few professions to say whether the lean follows the {people} ({too_few(n)}): "
    elif p >= ALPHA:
        start = f"No clear link with the {people}: "
    else:
        start = f"The lean follows the {people}: " if r > 0 else f"The lean runs against the {people}: "
    headline = (
        Phrase(start),
        Phrase(f"r = {signed(r)}", strong=True),
        Phrase(f" over {n} professions."),
    )
    detail = result.detail[(result.detail["model"] == model) & (result.detail["language"] == language)]
    persons = [
        detail.loc[detail["gender"] == kind, "person"].nunique()
        for kind in (result.contrast.first, result.contrast.second)
    ]
    templates = templates_phrase(list(detail["template"].unique()))
    correlations = f"No interval and no p, Spearman {signed(spearman['r'])}"
    if enough:
        correlations = (
            f"{interval(pearson['ci_low'], pearson['ci_high'])}, adjusted {p_text(p)}, "
            f"Spearman {signed(spearman['r'])} ({signed(spearman['ci_low'])} to {signed(spearman['ci_high'])})"
        )
    support = (
        f"{correlations}; mean association of the {words_of(result.contrast.first)} ({persons[0]}) minus that "
        f"of the {words_of(result.contrast.second)} ({persons[1]}), {templates}."
    )
    names = list(distances(result, series)["profession"][:FURTHEST])
    return Finding(headline, support + (f" Furthest from the line: {listed(names)}." if names else ""))


def distances(result: ProfessionResult, series: Series) -> pd.DataFrame:
    """How far each profession lies from the line of difference on percentage, furthest first.

    Columns: profession, group, the percent column, difference, line (the difference that the percentage would give),
    distance = difference − line. Empty where there is no line.
    """
    model, language = series
    rows = result.summary
    rows = rows[(rows["kind"] == "profession") & (rows["model"] == model) & (rows["language"] == language)]
    percent = result.percent_column
    if percent is None:
        return pd.DataFrame(columns=["profession", "group", "difference", "line", "distance"])
    table = rows[["profession", "group", percent, "difference"]].dropna()
    line = regression(table[percent], table["difference"])
    if line is None:
        return table.iloc[:0].assign(line=[], distance=[])
    table = table.assign(line=line.at(table[percent]))
    table = table.assign(distance=table["difference"] - table["line"])
    return table.sort_values("distance", key=abs, ascending=False, kind="stable").reset_index(drop=True)


def disagreements(result: ProfessionResult, series: Series) -> tuple[str, ...]:
    """The professions where model and world disagree most, a sentence each: ``FURTHEST`` on either side of the line."""
    table = distances(result, series)
    percent = result.percent_column
    if percent is None or table.empty or result.statistic is None:
        return ()
    sentences = []
    for side, above in ((result.contrast.first, True), (result.contrast.second, False)):
        rows = table[table["distance"] > 0] if above else table[table["distance"] < 0]
        for row in rows[:FURTHEST].to_dict("records"):
            sentences.append(
                f"{row['profession']}: {fixed(row[percent], 1)} % {result.statistic.of}; the model leans "
                f"{fixed(abs(row['distance']))} nats more to {words_of(side)} than the line gives (difference "
                f"{signed(row['difference'])}, line {signed(row['line'])})."
            )
    return tuple(sentences)


def words_of(side: str) -> str:
    """A kind of person words in a sentence: "female words", "African American names"."""
    return side if side.endswith("names") else f"{side} words"
