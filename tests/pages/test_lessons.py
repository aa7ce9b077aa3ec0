"""The page of the lessons: a question first, then what is measured; answers stay; each step leads to its page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons import lessons
from core.measures.prepared import Prepared
from pages.shared.frame import path_of
from pages.shared.places import PAGE_OF, address
from tests.pages.visiting import charts, errors, opened, settle, visit

PAGE = "pages/13_Lessons.py"
ASKED = {asked.spec.digest: asked for lesson in lessons() for step in lesson.steps for asked in step.asked}


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return settle(at)


def texts(at: AppTest) -> str:
    return "\n".join(markdown.value.replace("\\", "") for markdown in at.main.markdown)


def answer(at: AppTest, choice: str) -> AppTest:
    at.radio[0].set_value(choice).run()
    next(button for button in at.button if button.label == "Answer").click()
    return settle(at)


def test_a_lesson_from_its_beginning_and_back() -> None:
    at = visit(PAGE)
    assert [heading.value for heading in at.subheader] == [lesson.title for lesson in lessons()]
    assert "once the page is reloaded, each question is asked again" in at.main.caption[-1].value
    press(at, "begin prior")
    assert [heading.value for heading in at.subheader] == ["1\\. What the model says"]
    (button,) = (button for button in at.button if button.label == "Answer")
    assert button.disabled, "until something is chosen"
    assert not charts(at)
    answer(at, "she")
    assert not errors(at)
    assert "You said: “she”. Measured: “he”." in texts(at)
    assert "all 8 of them stand on the side of “he”" in texts(at)
    assert len(charts(at)) == 1
    press(at, "next above")
    assert not charts(at), "a new question"
    answer(at, "he")
    assert "You said: “he”. That is what was measured." in texts(at)
    press(at, "back below")
    assert "You said: “she”. Measured: “he”." in texts(at), "answers stay"
    assert at.button(key="back above").disabled
    press(at, "all above")
    assert len(at.subheader) == 3


def test_a_link_leads_to_a_step() -> None:
    at = visit(PAGE, lesson="heads", step="4")
    assert at.subheader[0].value.startswith("4")
    assert not [button for button in at.button if button.label == "Next"], "the last"
    answer(at, "none")
    assert "That is what was measured." in texts(at)
    assert not at.exception


def test_the_last_step_leads_to_the_next_lesson() -> None:
    at = visit(PAGE, lesson="prior", step="4")
    assert not [button for button in at.button if button.label == "Next"]
    press(at, "next above")
    assert at.query_params["lesson"] == "templates"
    assert at.subheader[0].value.startswith("1")


@pytest.mark.parametrize("link", [{"lesson": "nothing"}, {"lesson": "prior", "step": "9"}])
def test_a_link_that_cannot_be_followed_says_so(link: dict[str, str]) -> None:
    at = visit(PAGE, **link)
    assert at.warning
    assert "This link sets" in at.warning[0].value


@pytest.mark.parametrize(
    "asked", ASKED.values(), ids=[f"{at} {item.kind.COMMAND}" for at, item in enumerate(ASKED.values())]
)
def test_every_measurement_is_that_of_its_page(asked: Prepared) -> None:
    page = PAGE_OF[asked.kind.COMMAND]
    at = settle(opened(path_of(page), **address(asked)))
    assert not at.warning
    assert not errors(at)
    spec, _ = at.session_state[f"last {asked.kind.COMMAND}"]
    assert spec == asked.spec
