"""What lies beneath an error of a library, by its type."""

from __future__ import annotations

import errno
from collections.abc import Iterator

_FULL = {errno.ENOSPC, errno.EDQUOT}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error, then what it was raised from or while handling, down to the first."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def of_the_disk(error: BaseException) -> str:
    """What is wrong with a disk, as a phrase: it is full, or may not be used; empty for any other error."""
    for cause in causes(error):
        if not isinstance(cause, OSError):
            continue
        if cause.errno in _FULL:
            return "the disk is full"
        if cause.errno in _FORBIDDEN:
            return f"this user may not read or write {cause.filename}" if cause.filename else "access was denied"
    return ""


def is_timeout(error: BaseException) -> bool:
    """Whether something did not answer in time."""
    return any(isinstance(cause, TimeoutError) for cause in causes(error))


def first_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says, for what nobody has foreseen."""
    line = next(iter(str(error).strip().splitlines()), "")[:200].rstrip(".: ")
    return f"{type(error).__name__}: {line}" if line else type(error).__name__
