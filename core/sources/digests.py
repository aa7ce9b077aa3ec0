"""SHA-256 of files, each read once for as long as it does not change."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

from .parsing import shown

_BLOCK = 1 << 20


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content. Raises OSError."""
    stat = path.stat()
    return _digest(str(path), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


def files_digest(paths: Iterable[Path]) -> str:
    """SHA-256 over the names and contents of files of one folder, in whatever order they are given. Raises OSError.

    It is that of a text with a line for each file, by name: the file's SHA-256, two spaces, its name; so what
    ``sha256sum`` prints for them.
    """
    lines = sorted((path.name, file_digest(path)) for path in paths)
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in lines).encode()).hexdigest()


def texts_digest(texts: Iterable[str]) -> str:
    """SHA-256 of texts, a line each."""
    return hashlib.sha256("".join(f"{text}\n" for text in texts).encode()).hexdigest()


def user_copy(content: bytes, name: str) -> str:
    """A file of the user's as provenance names it."""
    return f"{shown(name)}, the user's copy, SHA-256 {hashlib.sha256(content).hexdigest()[:12]}"


@functools.lru_cache(maxsize=4096)
def _digest(path: str, _size: int, _modified: int, _changed: int) -> str:
    """Size and times in the key let a changed file be read again."""
    total = hashlib.sha256()
    with Path(path).open("rb") as file:
        while block := file.read(_BLOCK):
            total.update(block)
    return total.hexdigest()
