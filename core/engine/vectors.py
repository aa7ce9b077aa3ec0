"""Static vectors: one a word, whatever stands around it; read from a GloVe, word2vec or fastText text file."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import NothingToScore, WordListError
from ..result import Progress
from ..run import UNWATCHED, Watch
from .masked import STOPPED

# A line of 4,096 numbers takes 100 KB; a file without line ends must not be taken in whole to find that out.
_LONGEST_LINE = 1 << 20
_LINES_BETWEEN_REPORTS = 4096
_FIRST_LINES = 100  # by which the width of a file without a header is told
_GZIP = b"\x1f\x8b"
_ZIP = b"PK"
_KIND = "A text file of vectors has a word and its numbers on each line, separated by spaces; binary ones are not read."


@dataclass(frozen=True, eq=False)
class StaticVectors:
    """``vectors`` float32 [word, width], NaN for lost words.

    ``lost``: for each word why it has no vector, empty where it has one; the reason follows the word.
    ``pieces``: for each word what its vector is the mean of: the tokens of a model, or the one entry of a file, which
    differs from the word where the file has only its lower-case form.
    """

    vectors: NDArray[np.float32]
    lost: tuple[str, ...]
    pieces: tuple[tuple[str, ...], ...]


def read_vectors(
    path: Path,
    words: Sequence[str],
    *,
    run: Watch = UNWATCHED,
) -> StaticVectors:
    """The vectors of ``words``, in their order, from a text file of vectors, plain or gzipped.

    A line is an entry, which may hold spaces and digits ("boeing 747"), and its numbers, separated by single spaces; a
    byte-order mark and a first line "count width" are passed over. A word is looked up as it is, then in lower case.
    Of an entry that appears twice the first counts. Lines are read one at a time until every word is found as it is,
    and only the wanted ones are kept. Progress counts bytes of the file.

    Raises WordListError for a file that cannot be read, is of another kind or has uneven lines, naming the line;
    NothingToScore when it holds none of the words.
    """
    exact = {word.encode() for word in words}
    wanted = exact | {word.lower().encode() for word in words}
    found: dict[bytes, NDArray[np.float32]] = {}
    lines = _lines(path)
    first = list(islice(lines, _FIRST_LINES))
    width, stopped = 0, False
    for number, line, done, size in chain(first, lines):
        if number % _LINES_BETWEEN_REPORTS == 1:
            run.report(Progress(f"Reading {path.name}", done, size))
            stopped = run.cancelled()
        if stopped:
            break
        if not line:
            continue
        if not width:
            width = _width([line for _, line, *_ in first if line], path.name)
            if _is_header(line):
                continue
        entry = _entry(line, width, wanted, number, path.name)
        if entry in wanted and entry not in found:
            found[entry] = _numbers(line, width, number, path.name)
            if exact <= found.keys():
                break
    if not stopped:
        _check_found(path, words, width, found)
    return _in_order(words, found, width, f"is not in {path.name}", stopped=stopped)


def _check_found(path: Path, words: Sequence[str], width: int, found: Mapping[bytes, object]) -> None:
    if not width:
        raise WordListError(f"{path.name} is empty. {_KIND}")
    if not found:
        raise NothingToScore(
            f"{path.name} holds none of the requested words, such as “{next(iter(words), '')}”; "
            "take vectors of the language of these words."
        )


def _in_order(
    words: Sequence[str], found: dict[bytes, NDArray[np.float32]], width: int, missing: str, *, stopped: bool
) -> StaticVectors:
    vectors = np.full((len(words), width), np.nan, np.float32)
    lost, pieces = [], []
    for place, word in enumerate(words):
        # Had the run gone on, the word itself might have been found after its lower-case form.
        form = next((f for f in ((word,) if stopped else (word, word.lower())) if f.encode() in found), None)
        pieces.append(() if form is None else (form,))
        if form is None:
            lost.append(STOPPED if stopped else missing)
        elif not found[form.encode()].any():
            lost.append("has only zeros as its vector, which points nowhere")
        else:
            lost.append("")
            vectors[place] = found[form.encode()]
    return StaticVectors(vectors, tuple(lost), tuple(pieces))


def _lines(path: Path) -> Iterator[tuple[int, bytes, int, int]]:
    """(number, line without its end, bytes of the file read, bytes of the file) of each line."""
    try:
        with path.open("rb") as raw:
            size = path.stat().st_size
            start = raw.peek(2)[:2]
            if start == _ZIP:
                raise WordListError(f"{path.name} is a zip archive; unpack it and give the text file inside.")
            file = gzip.GzipFile(fileobj=raw) if start == _GZIP else raw
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                if len(line) == _LONGEST_LINE:
                    raise WordListError(f"Line {number:,} of {path.name} does not end. {_KIND}")
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                yield number, line.rstrip(), raw.tell(), size
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WordListError(f"{path.name} is damaged or cut short; download or copy it again.") from error
    except OSError as error:
        raise WordListError(
            f"{path.name} cannot be read ({error.strerror}); give the path of a text file of vectors."
        ) from error


def _is_header(line: bytes) -> bool:
    fields = line.split(b" ")
    return len(fields) == 2 and all(field.isdigit() for field in fields)


def _width(lines: Sequence[bytes], name: str) -> int:
    """How many numbers a vector has: by the header, else what most of the first lines end with.

    One line is not enough: the first entry may be ". . ." or "boeing 747".
    """
    if _is_header(lines[0]):
        width = int(lines[0].split(b" ")[1])
    else:
        counts = Counter(sum(1 for _ in takewhile(_is_number, reversed(line.split(b" ")[1:]))) for line in lines)
        width = counts.most_common(1)[0][0]
    if width < 2:
        raise WordListError(f"{name} is not a file of vectors. {_KIND}")
    return width


def _entry(line: bytes, width: int, wanted: Set[bytes], number: int, name: str) -> bytes:
    """The word of a line. Entries may hold spaces and end in numbers, so a line's numbers are counted from the end.

    "nurse 1 2 3 4" in a file of width 3 is the entry "nurse 1" or a nurse with a number too many: where "nurse" is
    wanted, it is refused, unless the number is written as none of the vector's (747 before .12 and −.5).
    """
    entry, *numbers = line.rsplit(b" ", width)
    word, *rest = entry.split(b" ")
    extra = rest and all(map(_is_number, rest)) and not (all(map(bytes.isdigit, rest)) and b"." in b"".join(numbers))
    if len(numbers) < width or (extra and word in wanted and entry not in wanted):
        raise WordListError(
            f"Line {number:,} of {name} has {line.count(b' '):,} numbers where {width:,} are expected; "
            f"the file is damaged or of another kind. {_KIND}"
        )
    return entry


def _numbers(line: bytes, width: int, number: int, name: str) -> NDArray[np.float32]:
    fields = line.rsplit(b" ", width)[1:]
    wrong = next((field for field in fields if not _is_number(field)), None)
    if wrong is not None:
        shown = wrong.decode(errors="replace")
        raise WordListError(f"Line {number:,} of {name} has “{shown}” where a number should be. {_KIND}")
    return np.array([float(field) for field in fields], np.float32)


def _is_number(field: bytes) -> bool:
    try:
        return bool(np.isfinite(np.float32(float(field))))
    except ValueError:
        return False
