"""A file written whole, or not at all: whatever happens, a reader finds what was there before or all of the new."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from .errors import ExportError


def put(path: Path, data: bytes) -> None:
    """Write a file by way of one beside it, which is on the disk before it takes the name. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def write(path: Path, data: bytes) -> None:
    """As ``put``, for a file that a user asked for. Raises ExportError with the reason why it cannot be written."""
    try:
        put(path, data)
    except OSError as error:
        raise ExportError(f"{path} cannot be written: {error.strerror or error}.") from error
