"""What commands share: words from a file, checks that need no model, progress on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pandas as pd

from .. import sources
from ..engine.checkpoints import labels, located, request
from ..errors import ModelError, OptionError, WordListError
from ..measures.measure import load
from ..report.wording import time_left
from ..result import Progress, Result
from ..sources.digests import texts_digest
from ..sources.published import PREFIX


@dataclass(frozen=True, eq=False)
class Listing:
    """What is on offer or was found, a row each: for a command that gives no result. ``code``: the exit code."""

    rows: pd.DataFrame
    code: int = 0


@dataclass(frozen=True)
class Below:
    """A command below another, such as ``history list``: its parts are called as those of a command's module are."""

    NAME: str
    HELP: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Result | Listing]
    EPILOG: ClassVar[str] = ""

    @property
    def DESCRIPTION(self) -> str:
        """Its help, as a sentence."""
        return f"{self.HELP[0].upper()}{self.HELP[1:]}."


@dataclass(frozen=True)
class Text:
    """What a command prints as it stands, in no format of ours."""

    text: str


_LEFT = len(", about 1,000 min left")

FILES = "@FILE reads words from a text or CSV file, @FILE:COLUMN from one column of it."


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers from ``least`` to ``most``, for an option's ``type``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(f"“{text}” is not a whole number from {least} to {most:,}")
        return number

    return read


def check_models(names: Sequence[str]) -> None:
    """Raise ModelError where none of the models can be looked for, OptionError for one that is there twice.

    Needs no model library.
    """
    errors = []
    for name in names:
        try:
            located(request(name))
        except ModelError as error:
            errors.append(error)
    if errors and len(errors) == len(names):
        raise errors[0]
    if len(set(labels([request(name) for name in names]))) < len(names):
        raise OptionError("The same model is chosen twice; choose different ones.")


def words_of_file(text: str) -> tuple[tuple[str, ...], str]:
    """The words of @FILE or @FILE:COLUMN, and where they are from with what was assumed, which is said too.

    Raises WordListError.
    """
    path, _, column = text[1:].partition(":") if not Path(text[1:]).exists() else (text[1:], "", "")
    found = sources.read_words(read_file(path), Path(path).name, column or None)
    for note in found.notes:
        say(note)
    named = f"words of {Path(path).name}, SHA-256 {texts_digest(found.words)}"
    return found.words, "; ".join((named, *found.notes))


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises WordListError with the reason why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise WordListError(f"{path} cannot be read: {error.strerror or error}.") from error


def saved_result(named: str) -> Result:
    """The result in a saved file, or a published one (``published:ID``). Raises SavedFileError or OptionError."""
    if named.startswith(PREFIX):
        from .. import shelf

        return shelf.result(named)
    return load(named)


def check_writable(path: str) -> None:
    """Raise OptionError for a file that could not be saved, before anything is measured for it."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise OptionError(f"There is no folder {folder}; make it first, or save elsewhere.")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise OptionError(f"{path} cannot be written; save elsewhere.")


def show_progress(progress: Progress, seconds: float | None = None) -> None:
    """A line that counts up on a terminal, with the ``seconds`` left; elsewhere only its end. Nothing for no work.

    A model that is being loaded, which may take minutes and has no end of its own, has a line everywhere.
    """
    if not progress.total:
        return
    if progress.stage.startswith("Loading ") and not sys.stderr.isatty():
        say(progress.stage)
        return
    end = "\n" if progress.done == progress.total else ""
    if sys.stderr.isatty() or end:
        left = "" if seconds is None else f", {time_left(seconds)}"
        blanks = " " * (_LEFT - len(left)) if sys.stderr.isatty() else ""  # hide the end of a longer line before
        sys.stderr.write(f"\r{progress.stage}: {progress.done:,} of {progress.total:,}{left}{blanks}{end}")
        sys.stderr.flush()


def say(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
