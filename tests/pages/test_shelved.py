"""Published results on the pages: beside the models, alone, refused with the reason, and beside a run that was kept."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core import shelf
from core.history.history import COMMAND, History, history
from core.measures.lpbs.professions.spec import ProfessionSpec
from pages.shared import resources
from pages.shared.uploads import digest_of
from tests.pages.visiting import PLAYGROUND, button_group, charts, errors, findings, settle, visit
from tests.support.profession_results import run
from tests.support.reference import corpus_file
from tests.support.watching import load_tiny

PROFESSIONS, RELIABILITY = "pages/3_Professions.py", "pages/5_Reliability.py"
BENCHMARKS, HISTORY = "pages/6_Benchmarks.py", "pages/10_History.py"
BERT, NAME = "becpro-en-bert-base-uncased", "bert-base-uncased (published)"
SHORT = {
    "en_words_templates": "[TARGET] is a [ATTRIBUTE].",
    "en_words_pairs": "she / he\nmy sister / my brother",
    "en_words_professions": "registered nurse\nsecretary\ncarpenter\nplumber",
}


def said(at: AppTest) -> str:
    """Every caption, notice and warning, as a reader sees it."""
    return re.sub(r"\\(.)", r"\1", " ".join(one.value for one in (*at.caption, *at.info, *at.warning)))


def box(at: AppTest) -> Any:
    return next(one for one in at.sidebar.multiselect if one.label == "Published results")


def test_a_published_model_stands_beside_the_measured_one() -> None:
    at = visit(PROFESSIONS, **SHORT)
    (alone,) = findings(at)
    box(at).set_value([BERT])
    settle(at)
    assert len(findings(at)) == 2
    assert findings(at)[0] == f"minilm-mlm: {alone}"
    assert findings(at)[1].startswith(f"{NAME}: ")
    assert f"{NAME}: published, not measured here." in said(at)
    (figure, *_) = charts(at)
    assert NAME in str(figure["layout"]["annotations"])
    assert at.query_params["published"] in (BERT, [BERT])
    assert "gender-bias-german-mlm" in said(at)


def test_a_link_that_asks_for_what_is_not_comparable_says_why() -> None:
    at = visit(PROFESSIONS, published=BERT, masking="wordpiece", **SHORT)
    assert "not comparable with its other inputs" in said(at)
    assert "hidden by one mask per word" in said(at)
    assert box(at).value == []
    assert len(findings(at)) == 1
    assert errors(at) == []


def test_what_another_input_makes_incomparable_is_let_go() -> None:
    at = visit(PROFESSIONS, published=BERT, **SHORT)
    assert len(findings(at)) == 2
    next(one for one in at.selectbox if one.label.startswith("How the profession is hidden")).set_value("single")
    settle(at)
    assert len(findings(at)) == 1
    assert "published" not in at.query_params
    assert errors(at) == []
    assert f"{shelf.entry(BERT).title}: its professions were hidden by one mask per word" in said(at)


def test_a_published_result_is_opened_on_its_page_and_its_link_works_anywhere() -> None:
    at = visit(PROFESSIONS, **SHORT)
    german = "becpro-de-bert-base-german-dbmdz-cased"
    next(one for one in at.sidebar.selectbox if one.label == "A published result").set_value(german)
    next(button for button in at.sidebar.button if button.label == "Open").click()
    settle(at)
    assert "This is a published result, not measured here: bert-base-german-dbmdz-cased" in said(at)
    assert "The link holds only the digest" not in said(at)
    (saved,) = (at.query_params["saved"],) if isinstance(at.query_params["saved"], str) else at.query_params["saved"]
    elsewhere = visit(PROFESSIONS, saved=f"{'0' * 16}:published:{german}")
    assert saved.endswith(f":published:{german}")
    assert findings(elsewhere) == findings(at)
    next(button for button in elsewhere.button if button.label == "Close it").click()
    assert "published result" not in said(settle(elsewhere))


def test_a_link_to_a_published_result_that_is_none_says_so() -> None:
    at = visit(PROFESSIONS, saved=f"{'0' * 16}:published:bogus")
    assert "There is no published result “bogus”" in " ".join(errors(at))


def test_without_data_a_benchmark_opens_what_was_published() -> None:
    at = visit(BENCHMARKS, benchmark="crows-pairs")
    assert findings(at) == []
    next(button for button in at.button if button.label.replace("\\", "") == "roberta-large, CrowS-Pairs").click()
    settle(at)
    (found,) = findings(at)
    assert found == "roberta-large (published) prefers the more stereotypical sentence in 65.5 % of 1,508 pairs."
    stereoset = visit(BENCHMARKS, saved=f"{'0' * 16}:published:stereoset-bert-base-cased")
    assert findings(stereoset) == ["bert-base-cased (published) prefers the stereotype in 58.7 % of 2,106 items."]
    assert "its scores alone were published" in said(stereoset)


def test_a_published_model_stands_beside_the_measured_one_on_the_pairs_of_the_user() -> None:
    rows = pd.read_csv(corpus_file("crows_pairs_anonymized.csv", "CrowS-Pairs"), keep_default_na=False).head(3)
    data = rows.to_csv(index=False).encode()
    resources.uploads().put(data)
    link = {"benchmark": "crows-pairs", "data": f"{digest_of(data)}:three.csv"}
    at = visit(BENCHMARKS, published="crows-pairs-bert-base-uncased", **link)
    assert len(findings(at)) == 2
    assert "bert-base-uncased (published)" in findings(at)[1]
    assert "not measured here" in said(at)


def test_scores_without_probabilities_open_on_the_playground() -> None:
    at = visit(PLAYGROUND, saved=f"{'0' * 16}:published:kurita-positive-traits-bert-base-uncased")
    assert errors(at) == []
    assert findings(at)[0].startswith("Leans towards he for 184 of 230 attributes")
    assert "Its score alone was published" in said(at)
    assert "not the LPBS that is measured here" in said(at)


def test_the_effect_sizes_of_the_paper_stand_beside_those_of_a_measured_model() -> None:
    published = "seat-templates-bert-base-uncased"
    link = {"draws": "authors", "published": published}
    at = visit(RELIABILITY, shown_model="bert-base-uncased (published)", **link)
    assert len(button_group(at, "reliability.shown_model").options) == 2
    assert errors(at) == []
    # T7 and T8 of [CLS] in templates: the lowest cell of the matrix that the authors print.
    assert findings(at) == ["T7 and T8 disagree most: r = −0.48 over 20 subsets."]
    elsewhere = visit(RELIABILITY, representations="cls-in-templates", published=published)
    assert "as the paper’s authors drew them there, by the seed here" in said(elsewhere)
    assert box(elsewhere).value == []


@pytest.fixture
def kept(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/history.db")
    found = history()
    assert found is not None
    return found


def test_a_kept_run_is_compared_with_a_published_result(kept: History) -> None:
    from core.sources import corpus

    short = corpus("en").changed(
        templates=SHORT["en_words_templates"],
        pairs=SHORT["en_words_pairs"],
        professions=SHORT["en_words_professions"],
    )
    result = run([load_tiny("bert")], [short])
    assert isinstance(result.spec, ProfessionSpec)
    entry = kept.record(result, origin=COMMAND)
    at = visit(HISTORY, run=entry.id)
    next(one for one in at.selectbox if one.label == "Compare with a published result").set_value(BERT)
    settle(at)
    assert "published, not measured here" in said(at)
    tests = at.dataframe[-1].value
    assert f"{NAME} → bert" in set(tests["model"])
    again = visit(HISTORY, run=entry.id, against=BERT)
    assert again.dataframe[-1].value.equals(tests)
