"""A measurement held against statistics: matching, what has no share, and correlations worked another way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.spec import Comparison
from core.sources import corpus
from core.sources.digests import user_copy
from tests.support.profession_results import compared, own_file, run
from tests.support.watching import load_tiny

WORDS = ("nurse", "engineer", "teacher", "doctor", "secretary", "manager", "plumber")
SHARES = b"nurse,90\nengineer,10\nteacher,70\ndoctor,40\nsecretary,95\nmanagers,44\n"


@pytest.fixture(scope="module")
def measured() -> ProfessionResult:
    one = corpus("en").changed(
        templates="[TARGET] is a [ATTRIBUTE].", pairs="she / he\nmy sister / my brother", professions="\n".join(WORDS)
    )
    return run([load_tiny("bert")], [one])


def test_each_profession_gets_its_share_and_what_has_none_is_listed(measured: ProfessionResult) -> None:
    result = compared(measured, own_file(SHARES))
    rows = result["professions"].set_index("profession")
    found = rows["percent_women"].dropna().to_dict()
    assert found == {"nurse": 90, "engineer": 10, "teacher": 70, "doctor": 40, "secretary": 95, "manager": 44}
    (missing,) = result.excluded[len(measured.excluded) :]
    assert (missing.what, missing.kind) == ("plumber", "profession")
    assert "has no row in the statistic" in missing.why
    assert result.percent_column == "percent_women"
    assert result.provenance.data[-1] == user_copy(SHARES, "mine.csv")


def test_the_correlations_are_those_of_the_points(measured: ProfessionResult) -> None:
    result = compared(measured, own_file(SHARES))
    rows = result["professions"].dropna(subset="percent_women")
    x, y = rows["percent_women"], rows["difference"]
    found = result["correlations"].set_index("method")
    assert found.loc["pearson", "r"] == pytest.approx(pearsonr(x, y).statistic)
    assert found.loc["spearman", "r"] == pytest.approx(spearmanr(x, y).statistic)
    assert found["n"].tolist() == [6, 6]
    # Two p values: the larger stays, the smaller is doubled unless that exceeds the larger.
    p = sorted(found["p"])
    assert sorted(found["p_adjusted"]) == pytest.approx([min(2 * p[0], p[1]), p[1]])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"nurse,90\nengineer,10\nteacher,70\n", "3 professions have a share; at least 4 are required"),
        (b"nurse,50\nengineer,50\nteacher,50\ndoctor,50\n", "undefined: the shares do not vary"),
    ],
)
def test_a_correlation_that_cannot_be_is_missing_with_its_reason(
    measured: ProfessionResult, text: bytes, reason: str
) -> None:
    result = compared(measured, own_file(text))
    found = result["correlations"]
    assert found[["r", "ci_low", "ci_high", "p", "p_adjusted"]].isna().all(axis=None)
    said = [item.why for item in result.excluded if item.test == "correlation"]
    assert said == [f"{method} correlation of bert: not computed, {reason}." for method in ("pearson", "spearman")]


def test_a_correlation_of_five_professions_is_a_value_alone(measured: ProfessionResult) -> None:
    result = compared(measured, own_file(SHARES.rsplit(b"managers", 1)[0]))
    found = result["correlations"]
    assert found["n"].tolist() == [5, 5]
    assert found["r"].notna().all()
    assert found[["ci_low", "ci_high", "p", "p_adjusted"]].isna().all(axis=None)
    said = [item.why for item in result.excluded if item.test == "correlation"]
    assert said == [
        f"{method} correlation of bert: interval and p not computed, n too small (5 of at least 6 professions)."
        for method in ("pearson", "spearman")
    ]


def test_percent_black_has_a_column_of_its_own(measured: ProfessionResult) -> None:
    names = replace(measured.spec.corpora[0], paired=False)
    result = compared(replace(measured, spec=replace(measured.spec, corpora=(names,))), Comparison())
    assert result.percent_column == "percent_black"
    assert "percent_women" not in result["professions"]
    rows = result["professions"].set_index("profession")
    assert rows.loc["plumber", "percent_black"] == 8.4


def test_notes_are_those_of_the_professions_measured(measured: ProfessionResult) -> None:
    result = compared(measured, Comparison(year=2023))
    rows = result["professions"]
    assert rows.loc[rows["share_note"].notna(), "profession"].tolist() == ["secretary", "plumber"]


def test_resampled_intervals_do_not_hang_on_the_order_of_the_professions(measured: ProfessionResult) -> None:
    backwards = replace(
        measured, tables={**measured.tables, "professions": measured["professions"].iloc[::-1].reset_index(drop=True)}
    )
    columns = ["r", "ci_low", "ci_high", "p"]
    found, again = (compared(result, own_file(SHARES))["correlations"][columns] for result in (measured, backwards))
    assert found.notna().all(axis=None)
    assert again.to_numpy() == pytest.approx(found.to_numpy())


def test_the_measurement_itself_stays_as_it_was(measured: ProfessionResult) -> None:
    before = {name: frame.copy() for name, frame in measured.tables.items()}
    compared(measured, Comparison())
    assert all(measured[name].equals(frame) for name, frame in before.items())
    assert measured.statistic is None


def test_rows_of_the_users_statistic_that_no_profession_is_found_in_are_named(measured: ProfessionResult) -> None:
    result = compared(measured, own_file(SHARES + b"pilots,9\nwizzard,1\n"))
    assert result.notes[-1].text == "2 rows of mine.csv match no profession and are not used: “pilots”, “wizzard”."
    assert [item.what for item in result.excluded if item.kind != "statistic" or item.test is None][-2:] == [
        "pilots",
        "wizzard",
    ]
    assert result.excluded[-2].why == "pilots is a row of mine.csv and none of the professions measured."
    assert compared(measured, Comparison()).notes == measured.notes  # of a published table only what is asked for


def test_what_was_assumed_of_the_statistic_is_in_the_result(measured: ProfessionResult) -> None:
    result = compared(measured, own_file(b"job,share\nnurse,0.9\nengineer,0.1\n"))
    assert "mine.csv: shares from 0 to 1 were read as 0 % to 100 %" in {note.text for note in result.notes}
    assert "shares from 0 to 1" in result.provenance.data[-1]


def test_the_line_is_that_of_the_points(measured: ProfessionResult) -> None:
    """Another way to the same line: y = slope · x + intercept of least squares, by numpy."""
    result = compared(measured, own_file(SHARES))
    rows = result["professions"].dropna(subset="percent_women")
    slope, intercept = np.polyfit(rows["percent_women"], rows["difference"], 1)
    pearson, spearman = result["correlations"].to_dict("records")
    assert (pearson["slope"], pearson["intercept"]) == pytest.approx((slope, intercept))
    assert np.isnan(spearman["slope"])
    residuals = rows["difference"] - slope * rows["percent_women"] - intercept
    assert rows["residual"].tolist() == pytest.approx(residuals.tolist())
    assert pearson["residual_sd"] == pytest.approx(np.sqrt((residuals**2).sum() / (len(rows) - 2)))
