"""The tab of text classifiers: labelled texts in, a model trained on them out; it starts by its button alone."""

from __future__ import annotations

import streamlit as st

from core.measures.mitigation import training_words
from core.measures.mitigation.classifier import figures, words
from core.measures.mitigation.classifier.result import LABELS, MODELS, SCORES, ClassifierResult
from core.measures.mitigation.classifier.spec import EXAMPLE, FILE, LABEL_COLUMN, OUT, TEXT_COLUMN, ClassifierSpec
from pages.mitigation import by_button
from pages.shared import links, panels, tables
from pages.shared.controls import ask, text, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

# The model picker is the page's, and a model is trained in float32 alone.
INPUTS = tuple(option for option in ClassifierSpec.inputs() if option.name not in ("models", "dtype"))
_METHOD = tuple(option for option in INPUTS if option not in (FILE, TEXT_COLUMN, LABEL_COLUMN, OUT))


def result(models: tuple[str, ...]) -> ClassifierResult | None:
    """The training that the controls started, or that is under way for them; None where there is none yet."""
    found: ClassifierResult | None = by_button.result("training of a classifier", lambda: _asked(models), _introduce)
    return found


def show(result: ClassifierResult) -> None:
    """The models: how many held-out texts they get right, where they lie, how their loss fell."""
    panels.show_finding(result, words.finding(result), ())
    line = training_words.folders_line(result[MODELS])
    if line:
        st.caption(literal(line))
    panels.show_notes(result.notes)
    columns = result.SCHEMA.tables
    if len(result[SCORES]):
        st.subheader("Texts held out", anchor=False)
        figure = panels.drawn(lambda: figures.scores(result, theme=theme()))
        panels.show_chart(figure, "held-out texts", words.scores_text(result))
        panels.export_panel(
            "classify",
            result,
            figure=figure,
            title="Texts held out that get their own label, before and after training",
            table=result[SCORES],
        )
        tables.show(result[SCORES], columns[SCORES].columns)
        st.subheader("Label by label, after training", anchor=False)
        tables.show(result[LABELS], columns[LABELS].columns)
        panels.export_panel("classify-labels", result, table=result[LABELS])
    st.subheader("Loss", anchor=False)
    figure = panels.drawn(lambda: figures.loss_curve(result, theme=theme()))
    panels.show_chart(figure, "classifier loss", training_words.loss_text(result[MODELS]))
    panels.export_panel(
        "classify-loss", result, figure=figure, title="Loss over the steps of the training", table=result[MODELS]
    )
    tables.show(result[MODELS], columns[MODELS].columns)
    panels.show_sources(result)


def _asked(models: tuple[str, ...]) -> ClassifierSpec | None:
    """Draw the controls; the training that is to be shown. Raises TiltmeterError."""
    places = st.columns([2, 1, 1])
    files = upload(places[0], FILE)
    text(places[1], TEXT_COLUMN)
    text(places[2], LABEL_COLUMN)
    text(st, OUT)
    with st.expander("Method", key="method"):
        columns = st.columns(3)
        for at, option in enumerate(_METHOD):
            ask(columns[at % len(columns)], option)
    if not files:
        st.caption(literal(f"Without a file: {EXAMPLE.name}, 60 sentences on weather and cooking for a first try."))
    links.settle()
    started: ClassifierSpec | None = by_button.asked("Train", "training", lambda: _spec(models))
    return started


def _spec(models: tuple[str, ...]) -> ClassifierSpec:
    values = links.values()
    return ClassifierSpec.of({**{option.name: values[option.name] for option in INPUTS}, "models": models})


def _introduce() -> None:
    """What it does and costs, before any run."""
    st.info(
        "Trains the chosen model to tell the labels of your texts apart, as models are fine-tuned for use, and keeps "
        "the outcome as a new model, so that its associations can be compared with those of the model it began as. It "
        "costs time: with the embedded model about half a second a step of 32 short sentences on one processor core; "
        "larger models and longer texts take longer. It costs disk: while it trains, about seven times the model’s "
        "size in float32, of which the new model keeps one. “Stop” keeps what is done; “Train” resumes there.",
        icon=":material/model_training:",
    )
