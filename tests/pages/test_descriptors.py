"""Descriptor likelihood on the benchmarks page: controls, the user's list, what is wrong with it, and the charts."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.descriptors import words
from core.measures.descriptors.spec import DescriptorSpec
from pages.benchmarks import descriptors, views
from tests.pages.visiting import charts, errors, findings, settle, visit
from tests.support.descriptor_results import AXES, NOUNS, TEMPLATE, descriptor_table
from tests.support.tiny import tiny_folder

PAGE = "pages/6_Benchmarks.py"
TINY = str(tiny_folder("bert"))
LINK = {"descriptor_nouns": "\n".join(NOUNS), "descriptor_templates": TEMPLATE}


def page(**link: Any) -> AppTest:
    return visit(PAGE, **{"what": "descriptors", "models": [TINY], "axes": ["age", "religion"], **LINK, **link})


def give(at: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    at.file_uploader(key="benchmarks.descriptor_list").set_value([(name, content, "text/csv")])
    return settle(at)


def test_it_shows_what_the_measure_gives() -> None:
    at = page()
    assert not errors(at)
    spec = DescriptorSpec(models=TINY, axes=("age", "religion"), nouns=NOUNS, templates=(TEMPLATE,))
    result = spec.run()
    assert findings(at) == [words.finding(result, result.models[0]).text]
    assert len(charts(at)) == 2
    assert at.dataframe[0].value["descriptor"].unique().tolist() == sorted(spec.axes[0].descriptors)
    at.selectbox(key="benchmarks.descriptor_axis").set_value("religion")
    settle(at)
    assert at.query_params["descriptor_axis"] == "religion"
    assert at.dataframe[0].value["descriptor"].unique().tolist() == sorted(spec.axes[1].descriptors)


def test_a_list_of_the_user_is_measured_and_a_wrong_one_is_a_sentence_that_loses_nothing() -> None:
    at = give(page(axes=["age"]), descriptor_table())
    assert not errors(at)
    assert at.selectbox(key="benchmarks.descriptor_axis").options == ["age", *AXES]
    before = findings(at)
    at = page(axes=["age"])
    at = give(at, b"axis,descriptor\nmood,calm\nmood,calm\n")
    assert errors(at) == ["Line 3 of mine.csv: “calm” is on the axis “mood” already; keep it once."]
    assert findings(at), "the last measurement stays on screen"
    assert before != findings(at)


def test_templates_and_axes_that_cannot_be_used_are_sentences() -> None:
    at = page()
    at.text_area(key="benchmarks.descriptor_templates").set_value("Nobody is here.")
    settle(at)
    assert "holds [PERSON] 0 times" in errors(at)[0]
    at.text_area(key="benchmarks.descriptor_templates").set_value(TEMPLATE)
    at.multiselect(key="benchmarks.axes").set_value([])
    settle(at)
    assert "No axis is chosen" in errors(at)[0]


def test_the_charts_show_one_template_or_all() -> None:
    at = page(descriptor_templates=f"{TEMPLATE}\nThat woman is a [PERSON].")
    table = next(frame.value for frame in at.dataframe if "share_differing" in frame.value)
    boxes = at.selectbox(key="benchmarks.descriptor_template")
    assert boxes.options == ["all templates", TEMPLATE, "That woman is a [PERSON]."]
    for place, template in (("all", "all"), ("2", "That woman is a [PERSON].")):
        at.selectbox(key="benchmarks.descriptor_template").set_value(place)
        settle(at)
        expected = table[table["template"] == template]["share_differing"]
        assert [bar for panel in charts(at)[0]["data"] if panel["type"] == "bar" for bar in panel["x"]] == list(
            expected
        )
    assert at.query_params["descriptor_template"] == "2"
    again = visit(PAGE, **{name: at.query_params[name] for name in at.query_params})
    assert charts(again)[0]["data"] == charts(at)[0]["data"]


def test_few_nouns_have_perplexities_and_no_tests() -> None:
    at = page(descriptor_nouns="doctor\nnurse")
    assert not errors(at)
    assert "too few nouns" in findings(at)[0]
    assert any("No pair of descriptors was tested" in info.value for info in at.info)
    assert len(charts(at)) == 1


def test_models_side_by_side() -> None:
    second = str(tiny_folder("gpt2"))
    at = page(models=[TINY, second])
    assert not errors(at)
    assert len(findings(at)) == 2
    at.segmented_control(key="benchmarks.descriptor_model").set_value(findings(at)[1].partition(":")[0])
    settle(at)
    assert not errors(at)


def test_no_two_tabs_share_the_name_of_an_input() -> None:
    names = [item.name for item in (*BenchmarkSpec.inputs(), *descriptors.INPUTS, *views.VIEWS, *descriptors.VIEWS)]
    assert len(set(names)) == len(names)
