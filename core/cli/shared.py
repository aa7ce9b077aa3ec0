"""What commands share: words from the command line or a file, models held for one run, progress on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core import lexicon
from core.errors import WordListError
from core.results import Progress

if TYPE_CHECKING:
    from core.models.loading import LoadedModel

FILES = "@FILE reads words from a text or CSV file, @FILE:COLUMN from one column of it."


def add_models(parser: argparse.ArgumentParser) -> None:
    """The options that choose models and where they run."""
    parser.add_argument(
        "--model",
        action="append",
        metavar="MODEL",
        help="catalog name, hub id (owner/name, owner/name@revision) or folder; up to four times; default: default",
    )
    add_precision(parser)


def add_precision(parser: argparse.ArgumentParser) -> None:
    """The options that say in which precision and where models run."""
    parser.add_argument("--dtype", default="float32", metavar="TYPE", help="float32 (default), bfloat16 or float16")
    parser.add_argument("--device", choices=("cuda", "mps", "cpu"), help="default: the best there is")


@contextmanager
def lent_models(
    names: Sequence[str], asked: argparse.Namespace, *, attention: str = "default"
) -> Iterator[list[LoadedModel]]:
    """Hold the named models for one run; ``attention`` "eager" lends them with their maps."""
    # Imported here: everything cheap is checked before the seconds that torch needs to start.
    from core.models.catalog import MAX_MODELS
    from core.models.checkpoints import request
    from core.models.pool import ModelPool

    pool = ModelPool(max_models=MAX_MODELS)
    with ExitStack() as lent:
        models = []
        for name in names:
            say(f"Loading {name} …")
            wanted = replace(request(name, dtype=asked.dtype, device=asked.device), attention=attention)
            models.append(lent.enter_context(pool.lease(wanted)))
        yield models


def words(text: str) -> tuple[str, ...]:
    """Words separated by commas, or those of @FILE or @FILE:COLUMN. Raises WordListError."""
    if not text.startswith("@"):
        return lexicon.parse_words(text)
    path, _, column = text[1:].partition(":") if not Path(text[1:]).exists() else (text[1:], "", "")
    return lexicon.read_words(read_file(path), Path(path).name, column or None)


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises WordListError with the reason why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise WordListError(f"{path} cannot be read: {error.strerror or error}.") from None


def show_progress(progress: Progress) -> None:
    """A line that counts up on a terminal; elsewhere only its end."""
    end = "\n" if progress.done == progress.total else ""
    if sys.stderr.isatty() or end:
        sys.stderr.write(f"\r{progress.stage}: {progress.done:,} of {progress.total:,} inputs{end}")
        sys.stderr.flush()


def say(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
