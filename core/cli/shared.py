"""What commands share: words from the command line or a file, models held for one run, progress on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from core import sources
from core import spec as limits
from core.engine import catalog
from core.engine.checkpoints import labels, located, request
from core.errors import ModelError, OptionError, WordListError
from core.result import Progress
from core.run import Callbacks
from core.sources import FileWords
from core.sources.digests import texts_digest

if TYPE_CHECKING:
    from core.engine.lending import Lent

Options = TypeVar("Options")

FORM = "words as the sentence shows them, with a capital where one begins; as typed; or targets with a capital"
FILES = "@FILE reads words from a text or CSV file, @FILE:COLUMN from one column of it."


def add_option(parser: argparse.ArgumentParser, options: type, name: str, text: str) -> None:
    """An option of a measurement: its choices or limits and its default are those of the field of ``options``."""
    allowed, default = limits.limits(options, name), limits.default(options, name)
    flag = "--" + name.replace("_", "-")
    said = text if default is None else f"{text}; default: {default}"
    if "choices" in allowed:
        of = type(allowed["choices"][0])
        parser.add_argument(flag, type=of, choices=allowed["choices"], default=default, help=said)
    else:
        of_range = whole_number(allowed["least"], allowed["most"])
        parser.add_argument(flag, type=of_range, default=default, metavar="N", help=said)


def options_of(options: type[Options], asked: argparse.Namespace, **more: object) -> Options:
    """The options that were asked for: each field by its name, and ``more`` by theirs."""
    given = {item.name: getattr(asked, item.name) for item in fields(cast(Any, options)) if item.name in asked}
    return options(**{**given, **more})


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


def add_models(parser: argparse.ArgumentParser) -> None:
    """The options that choose models and where they run."""
    parser.add_argument(
        "--model",
        action="append",
        metavar="MODEL",
        help=f"catalog name, hub id (owner/name, owner/name@revision) or folder; at most {catalog.MAX_MODELS} times; "
        "default: default",
    )
    add_precision(parser)


def add_precision(parser: argparse.ArgumentParser) -> None:
    """The options that say in which precision and where models run."""
    parser.add_argument("--dtype", choices=catalog.PRECISIONS, default="float32", help="default: float32")
    parser.add_argument("--device", choices=catalog.DEVICES, help="default: the best there is")


def check_models(names: Sequence[str], most: int | None = catalog.MAX_MODELS) -> list[str]:
    """The names, each a model that can be looked for, at most ``most`` of them (None: any number).

    Needs no model library. Raises ModelError where none of them exists, OptionError for too many or
    for one that is there twice.
    """
    errors = []
    for name in names:
        try:
            located(request(name))
        except ModelError as error:
            errors.append(error)
    if errors and len(errors) == len(names):
        raise errors[0]
    if most is not None and len(names) > most:
        raise OptionError(f"{len(names)} models chosen; at most {most} can be compared.")
    if most is not None and len(set(labels([request(name) for name in names]))) < len(names):
        raise OptionError("The same model is chosen twice; choose different ones.")
    return list(names)


@contextmanager
def lent_models(names: Sequence[str], asked: argparse.Namespace, *, attention: str = "default") -> Iterator[Lent]:
    """Hold the named models for one run; ``attention`` "eager" lends them with their maps."""
    # Imported here: everything cheap is checked before the seconds that torch needs to start.
    from core.engine.lending import lend
    from core.engine.pool import ModelPool

    requests = [replace(request(name, dtype=asked.dtype, device=asked.device), attention=attention) for name in names]
    with lend(
        ModelPool(max_models=catalog.MAX_MODELS), requests, Callbacks(lambda progress: say(f"{progress.stage} …"))
    ) as lent:
        yield lent


def words(text: str) -> tuple[str, ...]:
    """Words separated by commas, or those of @FILE or @FILE:COLUMN, saying what was assumed. Raises WordListError."""
    found = _words(text)
    for note in found.notes:
        say(note)
    return found.words


def sources_of(texts: Sequence[str]) -> list[str]:
    """For provenance: which of these words are from a file, and what was assumed in reading it."""
    found = []
    for text in dict.fromkeys(texts):
        if text.startswith("@"):
            read = _words(text)
            found += [f"words of {Path(text[1:]).name}, SHA-256 {texts_digest(read.words)}", *read.notes]
    return found


def _words(text: str) -> FileWords:
    if not text.startswith("@"):
        return FileWords(sources.parse_words(text))
    path, _, column = text[1:].partition(":") if not Path(text[1:]).exists() else (text[1:], "", "")
    return sources.read_words(read_file(path), Path(path).name, column or None)


def sentences(path: str) -> FileWords:
    """The sentences of a text file, one a line, saying what was assumed. Raises WordListError."""
    found = sources.read_lines(read_file(path), Path(path).name)
    for note in found.notes:
        say(note)
    return found


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises WordListError with the reason why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise WordListError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_file(path: str) -> None:
    """Raise WordListError for a file that cannot be opened, without reading it."""
    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise WordListError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_writable(path: str) -> None:
    """Raise OptionError for a file that could not be saved, before anything is measured for it."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise OptionError(f"There is no folder {folder}; make it first, or save elsewhere.")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise OptionError(f"{path} cannot be written; save elsewhere.")


def show_progress(progress: Progress) -> None:
    """A line that counts up on a terminal; elsewhere only its end. Nothing for a stage of nothing.

    A model that is being loaded, which may take minutes and has no end of its own, has a line everywhere.
    """
    if not progress.total:
        return
    if progress.stage.startswith("Loading ") and not sys.stderr.isatty():
        say(progress.stage)
        return
    end = "\n" if progress.done == progress.total else ""
    if sys.stderr.isatty() or end:
        sys.stderr.write(f"\r{progress.stage}: {progress.done:,} of {progress.total:,}{end}")
        sys.stderr.flush()


def say(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
