"""Files of static vectors, written by hand here."""

from __future__ import annotations

import codecs
import gzip
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.engine import vectors
from core.engine.masked import STOPPED
from core.engine.vectors import StaticVectors, read_vectors
from core.errors import NothingToScore, WordListError
from core.result import Progress
from core.run import Callbacks
from core.sources import own_test
from tests.support import association

GLOVE = "the 0.1 -0.2 0.3\nnurse 1 2 3\nhe -1e-2 0 5.5\n"
FASTTEXT = "3 3\nthe 0.1 -0.2 0.3 \nnurse 1 2 3 \nhe -1e-2 0 5.5 \n"  # a header, and a space before each line's end


def read(folder: Path, content: str | bytes, words: Sequence[str], name: str = "some.txt") -> StaticVectors:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_vectors(path, words)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (GLOVE.encode(), "glove.txt"),
        (FASTTEXT.encode(), "some.vec"),
        (GLOVE.replace("\n", "\r\n").encode(), "windows.txt"),
        (GLOVE.rstrip().encode(), "no-end.txt"),
        (b"\n" + GLOVE.replace("\n", "\n\n").encode(), "blank-lines.txt"),
        (gzip.compress(GLOVE.encode(), mtime=0), "glove.txt.gz"),
        (gzip.compress(FASTTEXT.encode(), mtime=0), "gzipped-without-saying-so.vec"),
    ],
)
def test_words_come_back_in_the_order_asked(tmp_path: Path, content: bytes, name: str) -> None:
    found = read(tmp_path, content, ["he", "doctor", "nurse", "he"], name)
    assert found.vectors.dtype == np.float32
    np.testing.assert_allclose(found.vectors[[0, 2, 3]], [[-0.01, 0, 5.5], [1, 2, 3], [-0.01, 0, 5.5]])
    assert np.isnan(found.vectors[1]).all()
    assert found.lost == ("", f"is not in {name}", "", "")
    assert found.pieces == (("he",), (), ("nurse",), ("he",))


def test_lower_case_is_tried_after_the_word_itself(tmp_path: Path) -> None:
    """ "Amy" stands behind "amy" and is still the one that counts; "Ebony" is there in lower case only."""
    content = "amy 1 1\nebony 2 2\nAmy 3 3\nEBONY 4 4\n"
    found = read(tmp_path, content, ["Amy", "Ebony", "amy"])
    assert found.vectors.tolist() == [[3, 3], [2, 2], [1, 1]]
    assert found.pieces == (("Amy",), ("ebony",), ("amy",))
    assert found.lost == ("", "", "")


def test_of_an_entry_that_stands_twice_the_first_counts(tmp_path: Path) -> None:
    assert read(tmp_path, "he 1 2\nhe 3 4\nshe 5 6\n", ["he", "she"]).vectors.tolist() == [[1, 2], [5, 6]]


def test_entries_with_spaces_numbers_and_letters_of_any_script(tmp_path: Path) -> None:
    content = "New York 1 2\n2019 3 4\nKöchin 5 6\n. . . 7 8\n\u00a0 9 9\nшвея 0.5 0.25\n"
    found = read(tmp_path, "the 0 1\n" + content, ["New York", "2019", "Köchin", ". . .", "швея"])
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8], [0.5, 0.25]]


def test_a_vector_of_zeros_points_nowhere(tmp_path: Path) -> None:
    found = read(tmp_path, "he 0 0.0\nshe 1 2\n", ["he", "she"])
    assert found.lost == ("has only zeros as its vector, which points nowhere", "")
    assert np.isnan(found.vectors[0]).all()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("The nurse was tired.\n", "is not a file of vectors"),
        ("nurse\ndoctor\n", "is not a file of vectors"),
        ("nurse,1,2\n", "is not a file of vectors"),
        ("nurse 120\nhe 300\n", "is not a file of vectors"),  # a list of counts
        ("10 1\nnurse 1\n", "is not a file of vectors"),
        ("he 1 2 3\nnurse 1 2\n", r"Line 2 of some.txt has 2 numbers where 3 are expected"),
        ("he 1 2 3\nnurse 1 2 3 4\n", r"Line 2 of some.txt has 4 numbers where 3 are expected"),
        ("2 3\nhe 1 2 3\nnurse 1 2\n", r"Line 3 of some.txt has 2 numbers where 3 are expected"),
        ("2 4\nhe 1 2 3\nnurse 1 2 3\n", r"Line 2 of some.txt has 3 numbers where 4 are expected"),
        (b"2 4\nhe \x00\x01\xff\x80 nurse", r"Line 2 of some.txt .* binary ones are not read"),
        ("he 1 2\nnurse 1 x2\n", "Line 2 of some.txt has “x2” where a number should be"),
        ("he 1 2\nnurse 1 nan\n", "Line 2 of some.txt has “nan” where a number should be"),
        (b"PK\x03\x04rest", "is a zip archive; unpack it"),
        (gzip.compress(GLOVE.encode(), mtime=0)[:-12], "is damaged or cut short"),
        (b"\x1f\x8bno gzip at all", "is damaged or cut short"),
        (b"x" * (1 << 20), "Line 1 of some.txt does not end"),
    ],
)
def test_files_of_another_kind_are_refused_with_a_sentence(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    with pytest.raises(WordListError, match=sentence):
        read(tmp_path, content, ["nurse", "doctor"])


MARKED = """\
he 0.1257 -0.1321 0.6404 0.1049 -0.5357 0.3616
she 1.3040 0.9471 -0.7037 -1.2654 -0.6233 0.0413
man -2.3250 -0.2188 -1.2459 -0.7323 -0.5443 -0.3163
woman 0.4116 1.0425 -0.1285 1.3665 -0.6652 0.3515
math 0.9035 0.0940 -0.7435 -0.9217 -0.4577 0.2202
art -1.0096 -0.2092 -0.1592 0.5408 0.2147 0.3554
number -0.6538 -0.1296 0.7840 1.4934 -1.2591 1.5139
poem 1.3459 0.7813 0.2645 -0.3139 1.4580 1.9603
physics 1.8016 1.3151 0.3574 -1.2083 -0.0045 0.6565
dance -1.2884 0.3951 0.4299 0.6960 -1.1841 -0.6617
"""


@pytest.mark.parametrize("compress", [bytes, lambda data: gzip.compress(data, mtime=0)], ids=["plain", "gzipped"])
def test_a_byte_order_mark_loses_no_word(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    """d of math, physics, number against art, poem, worked with numpy alone below; without "he" it is -0.8057."""
    words = ("math", "physics", "number", "art", "poem", "he", "man", "she", "woman")
    found = read(tmp_path, compress(codecs.BOM_UTF8 + MARKED.encode()), words)
    assert found.lost == ("",) * len(words)
    unit = {
        line.split()[0]: np.array(line.split()[1:], float) / np.linalg.norm(np.array(line.split()[1:], float))
        for line in MARKED.splitlines()
    }
    np.testing.assert_allclose(
        found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True), [unit[word] for word in words], atol=1e-6
    )

    def d(male: Sequence[str]) -> float:
        s = [
            np.mean([unit[word] @ unit[other] for other in male])
            - np.mean([unit[word] @ unit[other] for other in ("she", "woman")])
            for word in words[:5]
        ]
        return float((np.mean(s[:3]) - np.mean(s[3:])) / np.std(s, ddof=1))

    assert d(("he", "man")) == pytest.approx(-0.6563, abs=5e-5)
    assert d(("man",)) == pytest.approx(-0.8057, abs=5e-5)
    test = own_test(words[:3], words[3:5], words[5:7], words[7:])
    summary = association.run([], [test], [], vectors=tmp_path / "some.txt")["tests"]
    assert summary["effect_size"].tolist() == pytest.approx([-0.6563], abs=5e-5)


SPACED = "boeing 747 0.1 0.2 0.3\n. . . 0.4 0.5 0.6\n747 0.7 0.8 0.9\nhe 1.0 1.1 1.2\nwindows 3.1 1.3 1.4 1.5\n"


@pytest.mark.parametrize("header", ["", "5 3\n"])
def test_entries_hold_spaces_and_digits(tmp_path: Path, header: str) -> None:
    """As in GloVe 840B and in vectors of phrases, on the first line too."""
    found = read(tmp_path, header + SPACED, ["he", "boeing 747", "windows 3.1", "747", "boeing", ". . ."])
    assert found.lost == ("", "", "", "", "is not in some.txt", "")
    expected = [[1, 1.1, 1.2], [0.1, 0.2, 0.3], [1.3, 1.4, 1.5], [0.7, 0.8, 0.9], [0.4, 0.5, 0.6]]
    np.testing.assert_allclose(found.vectors[[0, 1, 2, 3, 5]], expected, rtol=1e-6)


def test_a_number_too_many_is_no_entry_where_the_word_is_wanted(tmp_path: Path) -> None:
    content = "he 1.5 2.5\nnurse 0.5 1.5 2.5\nshe 3.5 4.5\n"
    with pytest.raises(WordListError, match=r"Line 2 of some\.txt has 3 numbers where 2 are expected"):
        read(tmp_path, content, ["he", "nurse", "she"])
    assert read(tmp_path, content, ["he", "she"]).lost == ("", "")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match=r"glove\.txt cannot be read"):
        read_vectors(tmp_path / "glove.txt", ["he"])
    with pytest.raises(WordListError, match="cannot be read"):
        read_vectors(tmp_path, ["he"])


def test_a_file_without_any_of_the_words(tmp_path: Path) -> None:
    with pytest.raises(NothingToScore, match=r"some\.txt holds none of the requested words, such as “Köchin”"):
        read(tmp_path, GLOVE, ["Köchin", "Koch"])


def write_large(path: Path, lines: int = 10_000, width: int = 50) -> int:
    """A file of about 5 MB: word number n has the numbers n, n + 1, …"""
    with path.open("w") as file:
        for n in range(lines):
            file.write(f"word{n} {' '.join(f'{n + k}.{k:04d}' for k in range(width))}\n")
    return path.stat().st_size


def test_memory_stays_small_whatever_the_files_size(tmp_path: Path) -> None:
    size = write_large(tmp_path / "large.txt")
    assert size > 4_500_000
    tracemalloc.start()
    try:
        found = read_vectors(tmp_path / "large.txt", ["word3", "word9999", "absent"])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < size / 20
    assert found.lost == ("", "", "is not in large.txt")
    assert found.vectors[1, :2] == pytest.approx([9999, 10000.0001])


def test_reading_ends_with_the_last_word(tmp_path: Path) -> None:
    """What comes behind is not looked at: a fault there is not met."""
    content = GLOVE + "broken 1\n"
    assert read(tmp_path, content, ["nurse", "the"]).lost == ("", "")
    with pytest.raises(WordListError, match="Line 4"):
        read(tmp_path, content, ["nurse", "The"])  # "The" might still come


def test_progress_counts_bytes(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    size = write_large(path)
    reports: list[Progress] = []
    read_vectors(path, ["word0", "absent"], run=Callbacks(reports.append))
    assert [report.done for report in reports] == sorted(report.done for report in reports)
    assert {(report.stage, report.total) for report in reports} == {("Reading large.txt", size)}
    assert len(reports) == 3  # at lines 1, 4,097 and 8,193
    assert 0 < reports[1].done < size


def test_a_stop_keeps_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at line 3: "Amy" had not been reached, and "amy" is not taken in its stead."""
    monkeypatch.setattr(vectors, "_LINES_BETWEEN_REPORTS", 2)
    path = tmp_path / "some.txt"
    path.write_text("he 1 2\namy 3 4\nAmy 5 6\nshe 7 8\n")
    answers = iter([False, True])
    found = read_vectors(path, ["he", "Amy", "she"], run=Callbacks(cancelled=lambda: next(answers)))
    assert found.lost == ("", STOPPED, STOPPED)
    assert found.vectors[0].tolist() == [1, 2]
    assert np.isnan(found.vectors[1:]).all()


def test_a_stop_before_the_first_line_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(GLOVE)
    found = read_vectors(path, ["he"], run=Callbacks(cancelled=lambda: True))
    assert found.lost == (STOPPED,)
