"""A page of a measure that nobody wrote a page for: controls, run, saved results, from its spec alone."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.measures.measure import opened
from tests.pages.visiting import errors, settle


def page() -> None:
    import streamlit as st

    from core.measures.measure import MODELS
    from pages.shared import controls, links, panels, saved
    from pages.shared.frame import open_page
    from tests.conformance.toy.spec import ToySpec

    def ask(models: tuple[str, ...]) -> ToySpec:
        for option in ToySpec.inputs():
            if option.name != MODELS.name:
                controls.ask(st, option)
        controls.measure_button(st.container())
        links.settle()
        return ToySpec.of({**links.values(), MODELS.name: models})

    open_page("Toy", "A measure to try the house with.", inputs=ToySpec.inputs())
    _, result = saved.shown(ToySpec, ask)
    st.dataframe(result["words"])
    st.session_state["bytes"] = result.to_bytes()
    panels.export_panel("toy", result, table=result["words"])
    links.close()


@pytest.fixture(autouse=True)
def no_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The menu links to the program's pages, which a page of a test has none of."""
    monkeypatch.setattr("pages.shared.frame._menu", lambda page: None)


def test_controls_come_from_the_spec_and_the_result_can_be_saved() -> None:
    at = AppTest.from_function(page, default_timeout=300)
    settle(at)
    assert [box.label for box in at.selectbox] == ["Precision", "How words are written"]
    assert [box.label for box in at.checkbox] == ["Exclude words of four tokens and more"]
    assert [(box.label, box.value) for box in at.number_input] == [("Times", 1)]
    assert at.dataframe[0].value["word"].tolist() == ["nurse"]
    at.text_area(key="toy.words").set_value("nurse\nbookkeeper")
    at.number_input(key="toy.times").set_value(3)
    settle(at)
    assert at.dataframe[0].value["word"].tolist() == ["nurse", "bookkeeper"]
    assert at.query_params["times"] == "3"
    result = opened(at.session_state["bytes"], "toy.tilt")
    assert result.spec.times == 3
    assert result["words"].equals(at.dataframe[0].value)


def test_what_cannot_be_measured_is_a_sentence_and_loses_nothing() -> None:
    at = AppTest.from_function(page, default_timeout=300)
    settle(at)
    at.text_area(key="toy.words").set_value(" ")
    settle(at)
    assert errors(at) == ["There is no word; give at least one."]
    assert at.dataframe[0].value["word"].tolist() == ["nurse"]
