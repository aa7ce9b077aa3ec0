"""The reliability page: what it shows is what the experiments give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.engine.checkpoints import digest, request
from core.engine.loading import LoadedModel
from core.measures.agreement import words
from core.measures.agreement.choices import Compared
from core.measures.agreement.compute import measure
from core.measures.agreement.spec import AgreementSpec
from core.run import Run
from core.sources.blanks import own_set
from pages.shared import resources
from tests.core.measures.agreement.test_outcomes import info, task
from tests.pages.visiting import charts, errors, findings, html, settle, visit
from tests.support.tiny import tiny_folder

PAGE = "pages/5_Reliability.py"
OWN = "own"
TEXT = "This is the _.\nThe _ is here.\nThe _ is tired."
BOXES = {"set": OWN, "own_templates": TEXT, "subsets": "6", "drawn": "5"}
EXPECTS = "divergence"


def page(**link: Any) -> AppTest:
    return visit(PAGE, **{**BOXES, **link})


def test_a_first_visit_shows_the_published_templates() -> None:
    at = visit(PAGE)
    (found,) = findings(at)
    assert "agree least" in found or "disagree most" in found
    assert "Significant: |r| &gt; .44 with n = 20" in html(at)
    *matrices, points = charts(at)
    assert [sum(trace["type"] == "heatmap" for trace in matrix["data"]) for matrix in matrices] == [1, 1]
    assert not errors(at)
    assert points["data"]


def test_own_templates_are_measured_as_the_experiment_does(embedded: LoadedModel) -> None:
    at = page()
    asked = AgreementSpec(
        templates=own_set(TEXT), representations=("cls-in-templates", "pooled-in-templates"), subsets=6, drawn=5
    )
    expected = measure(asked, [embedded], Run())
    assert findings(at) == [words.finding(expected).text]
    table = at.dataframe[-1].value
    assert sorted(table["r"].round(6)) == sorted(expected["pairs"]["r"].round(6))


def test_the_order_by_agreement_is_an_order_of_the_same_templates() -> None:
    at = page()
    plain = charts(at)[0]
    at.toggle(key="reliability.clustered").set_value(True)
    settle(at)
    clustered = charts(at)[0]
    assert plain != clustered or plain["layout"] == clustered["layout"]
    assert not errors(at)


def test_representations_and_divergence_have_their_views(embedded: LoadedModel) -> None:
    at = page(compare="representations")
    assert not errors(at)
    assert len([trace for trace in charts(at)[0]["data"] if trace["type"] == "heatmap"]) == 1
    at = page(compare=EXPECTS)
    asked = AgreementSpec(compare=Compared.DIVERGENCE, templates=own_set(TEXT))
    expected = measure(asked, [embedded], Run())
    assert findings(at) == [words.divergence_finding(expected).text]
    assert len(charts(at)) == 2


def test_metrics_of_one_model_are_shown_with_a_warning() -> None:
    at = visit(PAGE, compare="metrics", metrics=["weat", "lpbs"], models=[str(tiny_folder("bert"))])
    assert not errors(at)
    assert "1 model" in html(at)
    values = at.dataframe[0].value
    assert "WEAT, input embedding" in values.columns
    # An own column of scores that is no table is answered with a sentence; nothing else is lost.
    at.file_uploader(key="reliability.columns").set_value([("mine.csv", b"model\nbert\n", "text/csv")])
    settle(at)
    assert "not a table of scores" in errors(at)[0]
    # What was published does not depend on the inputs: it can be exported, what was measured before cannot.
    exports = {button.key for button in at.get("download_button")}
    assert "published-metrics CSV" in exports
    assert "metric-values CSV" not in exports


def test_five_models_have_a_matrix() -> None:
    families = ("distilbert", "roberta", "electra", "mpnet")
    more = "\n".join(str(tiny_folder(family)) for family in families)
    at = visit(
        PAGE, compare="metrics", metrics=["weat", "lpbs", "seat"], models=[str(tiny_folder("bert"))], more_models=more
    )
    assert not errors(at)
    assert any(trace["type"] == "heatmap" for trace in charts(at)[0]["data"])
    assert len(at.dataframe[0].value) == 5


def test_a_template_without_a_blank_is_answered_with_a_sentence() -> None:
    at = page(own_templates="This is fine.")
    assert errors(at) == ["Line 1 has 0 blanks, needs 1: write one “_” where the word stands."]


def test_a_model_without_a_mask_says_so_for_divergence() -> None:
    at = page(compare=EXPECTS, models=[str(tiny_folder("gpt2"))])
    assert "has no mask" in errors(at)[0]


def test_metrics_of_one_model_stand_beside_the_published_matrix_and_the_models_to_add() -> None:
    at = visit(PAGE, models=[str(tiny_folder("bert"))], compare="metrics", metrics=["weat", "lpbs"])
    assert any("at least 4 are required" in info.value and "the result has 1 model" in info.value for info in at.info)
    (matrix,) = charts(at)
    assert matrix["data"][0]["type"] == "heatmap"
    assert "Published, not measured here" in [heading.value for heading in at.subheader]
    assert any("Delobelle" in caption.value for caption in at.caption)
    (models,) = (code.value for code in at.code if "bert-large-uncased" in code.value)
    assert len(models.splitlines()) == 5


def test_a_downstream_result_measured_here_is_taken_in_without_a_file() -> None:
    folders = [str(tiny_folder(family)) for family in ("bert", "distilbert", "roberta", "electra")]
    infos = [replace(info(f"m{at}", digest(request(folder))), id=folder) for at, folder in enumerate(folders)]
    resources.runs().results.put("a task", task("", *infos, m0=0.1, m1=0.2, m2=0.4, m3=0.3).result)
    resources.runs().results.put("elsewhere", task("", info("away"), away=0.1, created="2026-02-02T00:00:00Z").result)
    link = {"compare": "metrics", "metrics": ["weat"], "models": folders}
    at = visit(PAGE, **link)
    (button,) = (button for button in at.button if button.label == "Compare with it")
    assert "metric × downstream" not in html(at)
    button.click()
    settle(at)
    assert not errors(at)
    assert "GAP: F1, feminine − masculine" in at.dataframe[0].value.columns
    assert sorted(at.dataframe[0].value["GAP: F1, feminine − masculine"]) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert "Metrics with downstream results, 2 pairs" in html(at)
    assert at.dataframe[1].value.set_index("a").loc["WEAT, input embedding", "cross"].tolist() == [True, True]
    assert not [button for button in at.button if button.label == "Compare with it"], "it is taken"
    # By the link that the page has now, and by the digest in it, the result is there again.
    taken = str(at.query_params["downstream"])
    assert taken.endswith(":resolve-2026-01-01T000000Z.tilt")
    again = visit(PAGE, **{**link, "downstream": taken})
    assert not errors(again)
    assert list(again.dataframe[0].value.columns) == list(at.dataframe[0].value.columns)
