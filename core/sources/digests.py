"""SHA-256 of files, each read once for as long as it does not change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from .parsing import shown

_BLOCK = 1 << 24
_known: dict[tuple[str, int, int, int], str] = {}


def file_digest(path: Path, heard: Callable[[int], None] = lambda _: None) -> str:
    """SHA-256 of a file's content; ``heard`` gets the bytes of each block that is read for it. Raises OSError."""
    stat = path.stat()
    # With size and times in the key, a changed file is read again.
    key = (str(path), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    if key not in _known:
        total = hashlib.sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                total.update(block)
                heard(len(block))
        _known[key] = total.hexdigest()
    return _known[key]


def files_digest(paths: Iterable[Path], heard: Callable[[int], None] = lambda _: None) -> str:
    """SHA-256 over the names and contents of files of one folder, in whatever order they are given. Raises OSError.

    It is that of a text with a line for each file, by name: the file's SHA-256, two spaces, its name; so what
    ``sha256sum`` prints for them. ``heard`` as in ``file_digest``.
    """
    lines = sorted((path.name, file_digest(path, heard)) for path in paths)
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in lines).encode()).hexdigest()


def texts_digest(texts: Iterable[str]) -> str:
    """SHA-256 of texts, a line each."""
    return hashlib.sha256("".join(f"{text}\n" for text in texts).encode()).hexdigest()


def user_copy(content: bytes, name: str) -> str:
    """A file of the user's as provenance names it."""
    return f"{shown(name)}, the user's copy, SHA-256 {hashlib.sha256(content).hexdigest()[:12]}"
