"""What lies beneath an error of a library, by its type."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from collections.abc import Iterator

_FULL = {errno.ENOSPC, errno.EDQUOT}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_UNREACHABLE = {errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTUNREACH}
# Libraries in Rust (safetensors, tokenizers, the hub's transfers) raise no OSError, but end their text with its number.
_RUST = re.compile(r"\(os error (\d+)\)")


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error, then what it was raised from or while handling, down to the first."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def of_the_disk(error: BaseException) -> str:
    """What is wrong with a disk or a file, as a phrase; empty for any other error."""
    for cause in causes(error):
        number, file = _number(cause), getattr(cause, "filename", None)
        if number in _FULL:
            return "the disk is full" if number == errno.ENOSPC else "this user's share of the disk is used up"
        if number == errno.EROFS:
            return f"{file} is on a disk that can only be read" if file else "the disk can only be read"
        if isinstance(cause, PermissionError) or number in _FORBIDDEN:
            return f"this user may not read or write {file}" if file else "access was denied"
    # Not of the causes: libraries look for many files that need not be there.
    if isinstance(error, OSError) and error.filename and error.errno:
        return f"{error.filename}: {os.strerror(error.errno)}"
    return ""


def _number(error: BaseException) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    found = _RUST.search(str(error))
    return int(found[1]) if found else None


def is_timeout(error: BaseException) -> bool:
    """Whether something did not answer in time."""
    return any(isinstance(cause, TimeoutError) for cause in causes(error))


def is_unreachable(error: BaseException) -> bool:
    """Whether another machine could not be spoken to: no name, no way, no answer, or a connection that broke."""
    return any(
        isinstance(cause, ConnectionError | TimeoutError | socket.gaierror | ssl.SSLError)
        or (isinstance(cause, OSError) and cause.errno in _UNREACHABLE)
        for cause in causes(error)
    )


def first_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says, for what nobody has foreseen."""
    line = next(iter(str(error).strip().splitlines()), "")[:200].rstrip(".: ")
    return f"{type(error).__name__}: {line}" if line else type(error).__name__
