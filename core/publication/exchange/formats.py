"""The forms that a result can leave in for others, by the name that the command knows each by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...errors import ExportError
from ...result import Better, Result
from .subject import Subject, subject


@dataclass(frozen=True)
class Format:
    """A form: its ``label`` on screen, the end of its files' names, and its media type."""

    label: str
    ending: str
    mime: str


EVERY_EVAL_EVER, MODEL_INDEX, MODEL_CARD, AVID = "every-eval-ever", "model-index", "model-card", "avid"
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        EVERY_EVAL_EVER: Format("Every Eval Ever", "json", "application/json"),
        MODEL_INDEX: Format("model-index", "yaml", "application/yaml"),
        MODEL_CARD: Format("Model card sections", "md", "text/markdown"),
        AVID: Format("AVID report", "json", "application/json"),
    }
)


def refusal(subject: Subject, form: str) -> str:
    """Why a form cannot hold the numbers of a model.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.
    form : str
        One of ``FORMATS``.

    Returns
    -------
    str
        A sentence; empty where it can.
    """
    ranked = any(value.better is not Better.NEITHER for value in subject.numbers)
    if form == EVERY_EVAL_EVER and not ranked:
        return "Of no number of this result are higher or lower values better, as this form has to say."
    return ""


def exported(result: Result, form: str, model: str | None = None) -> bytes:
    """A result in a form that others read.

    Parameters
    ----------
    result : Result
        Of any measure.
    form : str
        One of ``FORMATS``.
    model : str or None
        The model it is about, by its name in the result; None where there is one alone.

    Returns
    -------
    bytes
        Of a text file in UTF-8.

    Raises
    ------
    ExportError
        Where the result has no number that the form can hold.
    OptionError
        Where the model is not in the result, or has to be named.
    """
    # What they are written with brings the libraries of charts and reports, for which no list of forms waits.
    from . import avid, every_eval_ever, model_card

    written = {
        EVERY_EVAL_EVER: every_eval_ever.written,
        MODEL_INDEX: model_card.index,
        MODEL_CARD: model_card.sections,
        AVID: avid.written,
    }
    about = subject(result, model)
    if why := refusal(about, form):
        raise ExportError(why)
    return written[form](about)
