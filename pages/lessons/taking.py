"""A lesson as it is taken: a step, its question, and after the answer what the model says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice, Number
from core.lessons import lessons
from core.lessons.lesson import Lesson, Step
from core.result import Result
from pages.shared import jobs, links, panels, resources
from pages.shared.frame import path_of, theme
from pages.shared.markdown import literal
from pages.shared.places import PAGE_OF, address

ALL = "all"
LESSON = Choice("lesson", "Lesson", choices={ALL: "all lessons", **{item.id: item.title for item in lessons()}})
STEP = Number("step", "Step", 1, 1, max(len(item.steps) for item in lessons()))
_ANSWERS = "answers of lessons"  # in the session, by lesson and number of the step


def overview() -> None:
    """The lessons, each with what it promises."""
    for lesson in lessons():
        with st.container(key=f"lesson_{lesson.id}"):
            st.subheader(lesson.title, anchor=False)
            st.markdown(literal(lesson.promise))
            st.caption(literal(f"{len(lesson.steps)} questions, about ten minutes. {lesson.source}."))
            st.button("Begin", key=f"begin {lesson.id}", on_click=go, args=(lesson.id, 1))
    st.caption(
        "Your answers are yours alone and are not kept: once the page is reloaded, each question is asked again."
    )


def go(lesson: str, step: int) -> None:
    """Go to a step of a lesson, or to all lessons."""
    links.change(LESSON, lesson)
    links.change(STEP, step)


def take(lesson: Lesson, number: int) -> None:
    """One step, by its number from 1."""
    step = lesson.steps[number - 1]
    _ways(lesson, number, "above")
    st.subheader(literal(f"{number}. {step.title}"), anchor=False)
    *lead, question = step.before()
    with st.container(key="lesson"):
        for paragraph in lead:
            st.markdown(literal(paragraph))
        answer = _answered(lesson, number, step, question)
        if answer is None:
            # It is measured while the reader thinks.
            for asked in step.asked:
                resources.runs().join(asked.spec, resources.measure, jobs.visitor())
            return
    results = [
        jobs.finished(f"lesson {lesson.id} {number} {place}", asked.spec, resources.measure)
        for place, asked in enumerate(step.asked)
    ]
    _tell(lesson, number, step, answer, results)


def _answered(lesson: Lesson, number: int, step: Step, question: str) -> str | None:
    """The reader's answer, once it is given; draws the question."""
    answers: dict[tuple[str, int], str] = st.session_state.setdefault(_ANSWERS, {})
    st.markdown(f"**{literal(question)}**")
    if (given := answers.get((lesson.id, number))) is not None:
        return given
    chosen = st.radio(
        question,  # hidden, for screen readers: they would hear the signs of Markdown
        list(step.choices),
        index=None,
        format_func=lambda name: literal(step.choices[name]),
        key=f"choice {lesson.id} {number}",
        label_visibility="collapsed",
    )
    st.button("Answer", type="primary", disabled=chosen is None, on_click=_note, args=(lesson.id, number, chosen))
    return None


def _note(lesson: str, number: int, chosen: str) -> None:
    st.session_state[_ANSWERS][lesson, number] = chosen


def _tell(lesson: Lesson, number: int, step: Step, answer: str, results: Sequence[Result]) -> None:
    try:
        found = step.outcome(results).answer
        paragraphs = step.after(results)
        figure = panels.drawn(lambda: step.draw(results, theme()))
    except TiltmeterError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return
    so = "That is what was measured." if answer == found else f"Measured: {step.choices[found]}."
    with st.container(key="lesson_after"):
        st.markdown(f"**{literal(f'You said: {step.choices[answer]}. {so}')}**")
        for paragraph in paragraphs:
            st.markdown(literal(paragraph))
    asked, result = step.asked[-1], results[-1]
    panels.show_chart(figure, f"lesson {step.name}", step.alt)
    panels.show_notes(result.notes)
    panels.export_panel(f"lesson-{step.name}", result, figure=figure, title=step.title)
    page = PAGE_OF[asked.spec.COMMAND]
    st.page_link(
        path_of(page), label=f"Change this measurement on {page}", icon=":material/tune:", query_params=address(asked)
    )
    _ways(lesson, number, "below")


def _ways(lesson: Lesson, number: int, place: str) -> None:
    """Back, on, and out."""
    at = lessons().index(lesson) + 1
    following = lessons()[at] if at < len(lessons()) else None
    with st.container(horizontal=True, vertical_alignment="center", key=f"lesson_ways_{place}"):
        st.button("All lessons", key=f"all {place}", on_click=go, args=(ALL, 1))
        st.button("Back", key=f"back {place}", disabled=number == 1, on_click=go, args=(lesson.id, number - 1))
        if number < len(lesson.steps):
            st.button("Next", key=f"next {place}", on_click=go, args=(lesson.id, number + 1))
        elif following is not None:
            st.button("Next lesson", key=f"next {place}", on_click=go, args=(following.id, 1))
        if place == "above":
            st.caption(literal(f"{lesson.title}: step {number} of {len(lesson.steps)}"))
