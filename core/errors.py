"""Every error a user can meet. Each message says what is wrong and what would be right."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from difflib import get_close_matches

_log = logging.getLogger(__name__)


class TiltmeterError(Exception):
    """Base of all expected errors; ``str(error)`` is a sentence made for the screen."""


class InputError(TiltmeterError):
    """The request is not valid; the command line exits with 2."""


class TemplateError(InputError):
    """A template without exactly one [TARGET] and one [ATTRIBUTE], or with something unreadable in it."""


class WordListError(InputError):
    """A word list, group or file of words that cannot be used."""


class OptionError(InputError):
    """An option with a value that does not exist or does not fit the others."""


class BatchFileError(InputError):
    """A batch file that is none, or asks for what does not exist; the sentence names its line."""


class ModelError(TiltmeterError):
    """A model that cannot be loaded, or cannot do what was asked of it."""


class ModelNotFound(ModelError):
    """No such catalog name, folder or hub repository, or no network to fetch it."""


class BadModelName(ModelError):
    """A text that can be neither a hub id nor a folder."""


class UnsafeModel(ModelError):
    """A checkpoint without safetensors, or one that asks to run code of its own."""


class UnsupportedModel(ModelError):
    """A model of a kind that cannot score words, such as translation or ELECTRA's discriminator."""


class BrokenModel(ModelError):
    """A truncated weights file, or weights that do not fit the configuration."""


class NoPredictionHead(ModelError):
    """A checkpoint whose prediction head was never trained: scoring would read random numbers."""


class NothingToScore(TiltmeterError):
    """Every word of a group, or every attribute, had to be excluded."""


class ExportError(TiltmeterError):
    """A file that cannot be made here, such as a PNG without a Chrome."""


class SavedFileError(InputError):
    """A saved result that cannot be opened: damaged, of a newer version, or no such file at all."""


class HistoryError(TiltmeterError):
    """The history cannot be read or written, or holds no such run."""


def instead(given: str, names: Iterable[str], otherwise: str = "") -> str:
    """What follows the sentence that refuses an unknown name.

    Parameters
    ----------
    given : str
        The unknown name, as it was typed; capitals do not matter.
    names : iterable of str
        The names there are.
    otherwise : str
        What to say where none is near, such as the command that names all; empty for the list itself, of a few names.

    Returns
    -------
    str
        A sentence: up to three near names, or ``otherwise``.
    """
    known = {name.casefold(): name for name in names}
    near = get_close_matches(given.casefold(), known, n=3)
    if near:
        return f"Did you mean {' or '.join(known[name] for name in near)}?"
    return otherwise or f"There are: {', '.join(known.values())}."


def log_cause(error: TiltmeterError) -> None:
    """Put what an error was raised from, if anything, into the log with its traceback; its text is for the screen."""
    if error.__cause__ is not None:
        _log.warning("%s", error, exc_info=error)
