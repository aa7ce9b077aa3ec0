"""The text that is swapped or trained on, as it is given."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import OptionError
from ...sources.documents import MAX_BYTES, DocumentFile, read_documents
from ...sources.lists import DATA
from ...spec import File

EXAMPLE = DATA / "example_documents.txt"  # of our own writing


def file_read(files: Sequence[File]) -> File | None:
    """The one file, or None. Raises OptionError."""
    if len(files) > 1:
        raise OptionError(f"{len(files)} files are given; one at a time is read.")
    return files[0] if files else None


def file_given(value: Any) -> File | None:
    """A file, or its path. Raises OptionError for one that cannot be read."""
    if value is None or isinstance(value, File):
        return value
    path = Path(value).expanduser()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise OptionError(f"{value} is larger than {MAX_BYTES >> 20} MB; give a part of it.")
        return File.of(path.name, path.read_bytes())
    except OSError as error:
        raise OptionError(f"{value} cannot be read: {error.strerror or error}.") from error


@functools.lru_cache(maxsize=4)
def documents_of(file: File | None) -> DocumentFile:
    """The documents of a file, of the example where there is none. Raises WordListError."""
    if file is None:
        return read_documents(EXAMPLE.read_bytes(), EXAMPLE.name)
    return read_documents(file.data, file.name)


def path_given(value: Any) -> Path | None:
    """A path, or None."""
    return None if value is None else Path(value).expanduser()
