"""Which share of the attributes leans towards which group: counts, interval, sentence and figure."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.charts import LIGHT
from core.engine.loading import LoadedModel
from core.errors import NothingToScore, OptionError
from core.measures.lpbs import figures, words
from core.measures.lpbs.metric import shares
from core.measures.lpbs.result import SHARES, LpbsResult
from core.papers.printed import paper_data
from core.result import Contrast, Group
from core.sources.templates import Template
from tests.core.measures.lpbs.conftest import MakeResult
from tests.support.lpbs import replaced, run
from tests.support.reference import table

HE, SHE = Group("he", ("he",)), Group("she", ("she",))
HE_SHE = Contrast("he", "she")
TEMPLATES = (Template.parse("[TARGET] is a [ATTRIBUTE]."), Template.parse("The [ATTRIBUTE] said that [TARGET] slept."))
JOBS = ("nurse", "engineer", "teacher", "judge", "plumber", "pilot", "clerk")


def row(n: int, first: int, ties: int = 0, **more: object) -> dict[str, object]:
    """A row of the table; Wilson's interval of 27 of 60 by his formula."""
    interval = {"ci_low": 0.3313, "ci_high": 0.5747} if n == 60 else {}
    counts = {"n": n, "first": first, "second": n - first - ties, "ties": ties, "share": first / n if n else np.nan}
    return {"model": "m", "contrast": HE_SHE.label, "template": None, **counts, **interval, **more}


def made(make_result: MakeResult, *rows: dict[str, object]) -> LpbsResult:
    result = make_result({"m": {"nurse": -1.0, "judge": 1.0}}, groups=("he", "she"))
    return replaced(result, shares=rows)


def test_zero_is_a_tie_and_what_has_no_score_does_not_count() -> None:
    found = shares(np.array([0.5, 1e-9, 0.0, -0.1, np.nan, -2.0, 0.3, 0.2]))
    assert (found.n, found.first, found.second, found.ties) == (7, 4, 2, 1)
    assert found.share == pytest.approx(4 / 7)
    # Wilson 1927: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n), with z = 1.959964.
    p, n, z = 4 / 7, 7, 1.959964
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    ends = [(p + z**2 / (2 * n) + side * half) / (1 + z**2 / n) for side in (-1, 1)]
    assert [found.ci_low, found.ci_high] == pytest.approx(ends, abs=1e-6)


def test_few_have_no_interval_and_none_no_share() -> None:
    few = shares(np.array([0.5, -0.5, 0.1, 0.2, 0.3]))
    assert few.share == 0.8
    assert np.isnan([few.ci_low, few.ci_high]).all()
    assert np.isnan(shares(np.array([np.nan])).share)


LISTS = {
    "job_titles": "Salary",
    "positive_traits": "Pos-Traits",
    "negative_traits": "Neg-Traits",
    "skills_linkedin25": "Skills",
}


def test_the_shares_of_kurita_s_table_5() -> None:
    scores = table("kurita_he_she").groupby("dataset")["lpbs"]
    found = {LISTS[name]: round(100 * shares(values.to_numpy()).share, 1) for name, values in scores}
    printed = {value.row: value.number for value in paper_data("kurita").cards["kurita-table-5"]}
    # The authors' stored scores of the skills give 14 of 25; the 84 % of the paper occur nowhere in their outputs.
    assert printed.pop("Skills") == 84.0
    assert found.pop("Skills") == 56.0
    assert found == printed


def test_swapping_the_groups_gives_the_other_share(embedded: LoadedModel) -> None:
    one, other = (run([embedded], TEMPLATES, groups, JOBS)[SHARES] for groups in ((HE, SHE), (SHE, HE)))
    assert (one["first"] == other["second"]).all()
    assert one["share"].to_numpy() == pytest.approx(1 - other["share"].to_numpy())
    assert one["ci_low"].to_numpy() == pytest.approx(1 - other["ci_high"].to_numpy())


def test_the_mean_over_the_templates_counts_and_each_is_as_if_alone(embedded: LoadedModel) -> None:
    both = run([embedded], TEMPLATES, (HE, SHE), JOBS)
    rows = both[SHARES]
    assert rows["template"].fillna("").tolist() == ["", *(template.text for template in TEMPLATES)]
    assert int(rows["first"].iloc[0]) == int((both["attributes"]["lpbs"] > 0).sum())
    for at, template in enumerate(TEMPLATES, 1):
        (alone,) = run([embedded], (template,), (HE, SHE), JOBS)[SHARES].to_dict("records")
        assert pd.isna(alone.pop("template"))
        assert rows.iloc[at].drop("template").to_dict() == pytest.approx(alone)


def test_the_sentence_names_both_groups_and_what_the_interval_includes(make_result: MakeResult) -> None:
    result = made(make_result, row(60, 27, ties=1))
    found = words.shares_finding(result, HE_SHE, "m")
    assert found.text == "Towards he: 45.0 % of 60 attributes, towards she: 53.3 %, towards neither: 1."
    assert found.support == (
        "27 and 32 of 60; 95 % CI of the share towards he: 33.1 % to 57.5 % (Wilson), which includes 50 %."
    )
    by_template = [row(60, first, template=name) for first, name in ((6, "a"), (54, "b"))]
    assert words.shares_finding(made(make_result, row(60, 27), *by_template), HE_SHE, "m").support.endswith(
        "With single templates, from 10.0 % to 90.0 % towards he."
    )
    few = words.shares_finding(made(make_result, row(3, 3)), HE_SHE, "m")
    assert few.text == "Towards he: 100.0 % of 3 attributes, towards she: 0.0 %."
    assert few.support == "No interval: n = 3 of at least 6 attributes."


def test_the_figure_has_a_mark_for_each_share_with_its_interval(make_result: MakeResult) -> None:
    result = made(make_result, row(60, 27), row(60, 54, template="a <b> [TARGET]", ci_low=0.8, ci_high=0.95))
    figure = figures.shares(result, contrast=HE_SHE, theme=LIGHT)
    (marks,) = (trace for trace in figure.data if trace.name == "m")
    assert list(marks.x) == pytest.approx([45.0, 90.0])
    (spans,) = (trace for trace in figure.data if trace.mode == "lines")
    assert list(spans.x) == pytest.approx([33.13, 57.47, None, 80.0, 95.0, None], nan_ok=True)
    texts = [note.text for note in figure.layout.annotations]
    assert {"45.0 % of 60", "90.0 % of 60", "all templates", "a &lt;b&gt; [TARGET]"} <= set(texts)
    assert "<b>◀ more lean towards she</b>" in texts
    assert "<b>more lean towards he ▶</b>" in texts
    assert tuple(figure.layout.xaxis.range) == (0, 100)
    assert "towards he: 27" in marks.hovertext[0]
    assert "towards she: 33" in marks.hovertext[0]


def test_what_the_figure_cannot_show_is_said(make_result: MakeResult) -> None:
    with pytest.raises(NothingToScore, match="No attribute has a score"):
        figures.shares(made(make_result, row(0, 0)), contrast=HE_SHE, theme=LIGHT)
    with pytest.raises(OptionError, match="holds no contrast"):
        figures.shares(made(make_result, row(60, 27)), contrast=Contrast("x", "y"), theme=LIGHT)
    empty = words.shares_finding(made(make_result, row(0, 0)), HE_SHE, "m")
    assert empty.text == "No score in this contrast; “Excluded” below says why."
