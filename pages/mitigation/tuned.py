"""The tab of fine-tuning: a text in, a model trained further on it out; it starts by its button alone."""

from __future__ import annotations

import streamlit as st

from core.measures.mitigation import training_words
from core.measures.mitigation.tuning import figures, words
from core.measures.mitigation.tuning.result import MODELS, PERPLEXITY, TuningResult
from core.measures.mitigation.tuning.spec import CONTROL, DATA, OUT, TuningSpec
from pages.mitigation import by_button
from pages.shared import links, panels, tables
from pages.shared.controls import ask, text, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

# The model picker is the page's, and a model is trained in float32 alone.
INPUTS = tuple(option for option in TuningSpec.inputs() if option.name not in ("models", "dtype"))
_METHOD = tuple(option for option in INPUTS if option not in (DATA, CONTROL, OUT))


def result(models: tuple[str, ...]) -> TuningResult | None:
    """The fine-tuning that the controls started, or that is under way for them; None where there is none yet."""
    found: TuningResult | None = by_button.result("fine-tuning", lambda: _asked(models), _introduce)
    return found


def show(result: TuningResult) -> None:
    """The models: where they lie, how their loss fell, what became of the text's perplexity."""
    panels.show_finding(result, words.finding(result), ())
    line = training_words.folders_line(result[MODELS])
    if line:
        st.caption(literal(line))
    panels.show_notes(result.notes)
    st.subheader("Loss", anchor=False)
    figure = panels.drawn(lambda: figures.loss_curve(result, theme=theme()))
    panels.show_chart(figure, "fine-tuning loss", training_words.loss_text(result[MODELS]))
    panels.export_panel(
        "finetune", result, figure=figure, title="Loss over the steps of the fine-tuning", table=result[MODELS]
    )
    columns = result.SCHEMA.tables
    tables.show(result[MODELS], columns[MODELS].columns)
    if len(result[PERPLEXITY]):
        st.subheader("What it cost: documents held out", anchor=False)
        tables.show(result[PERPLEXITY], columns[PERPLEXITY].columns)
        panels.export_panel("finetune-perplexity", result, table=result[PERPLEXITY])
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _asked(models: tuple[str, ...]) -> TuningSpec | None:
    """Draw the controls; the fine-tuning that is to be shown. Raises TiltmeterError."""
    left, right = st.columns(2)
    files = upload(left, DATA)
    upload(right, CONTROL)
    text(st, OUT)
    with st.expander("Method", key="method"):
        places = st.columns(3)
        for at, option in enumerate(_METHOD):
            ask(places[at % len(places)], option)
    links.settle()
    missing = "" if files else "There is no text to train on; upload a file."
    started: TuningSpec | None = by_button.asked("Fine-tune", "fine-tuning", lambda: _spec(models), missing=missing)
    return started


def _spec(models: tuple[str, ...]) -> TuningSpec:
    values = links.values()
    return TuningSpec.of({**{option.name: values[option.name] for option in INPUTS}, "models": models})


def _introduce() -> None:
    """What it does and costs, before any run."""
    st.info(
        "Trains the chosen model further on your text, such as one with swapped genders, and keeps the outcome as a "
        "new model. It costs time: with the embedded model a third to two thirds of a second a step of one short "
        "document on one processor core, and each document is read as often as there are epochs; larger models and "
        "longer documents take longer. It costs disk: while it trains, about seven times the model’s size in float32, "
        "of which the new model keeps one. "
        "To try it, take the embedded model and a small text. “Stop” keeps what is done; “Fine-tune” resumes there.",
        icon=":material/model_training:",
    )
