"""A ZIP from elsewhere is read within bounds, or refused with a sentence; nothing is written."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from core import archives
from core.archives import HISTORY, REPORT, RESULT, Kind, files
from core.errors import SavedFileError

SMALL = Kind("a small thing", 3, 1_000, "make it again")


def zipped(*files: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def says(data: bytes, kind: Kind = SMALL) -> str:
    with pytest.raises(SavedFileError) as raised:
        files(data, "x.zip", kind)
    return str(raised.value)


def in_directory(data: bytes, at: int, value: int, form: str) -> bytes:
    """With a field of the first entry of the central directory changed, and the local header as it was."""
    place = data.index(b"PK\1\2") + at
    return data[:place] + struct.pack(form, value) + data[place + struct.calcsize(form) :]


def test_files_come_by_name_in_their_order_and_folders_are_passed_over() -> None:
    data = zipped(("b/c.txt", b"1"), ("a.txt", b""), ("b/", b""))
    assert list(files(data, "x.zip", SMALL).items()) == [("b/c.txt", b"1"), ("a.txt", b"")]


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_cut_anywhere_is_refused_and_never_half_read(how: int) -> None:
    data = zipped(("a", b"abc" * 50), ("b", b"xyz" * 50), how=how)
    for length in range(len(data)):
        assert says(data[:length]) == "x.zip is damaged, or is not a small thing; make it again."


def test_a_zip_that_is_whole_within_one_that_was_cut_is_not_taken_for_it() -> None:
    inner = zipped(("a", b"1" * 50))
    whole = zipped(("b", inner), ("c", inner), how=zipfile.ZIP_STORED)
    assert list(files(whole, "x.zip", SMALL)) == ["b", "c"]
    for length in range(len(whole)):
        assert says(whole[:length]) == "x.zip is damaged, or is not a small thing; make it again."
    for around in (b"x" + whole, whole + b"x"):
        assert says(around) == "x.zip is damaged, or is not a small thing; make it again."


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_changed_byte_never_gives_other_content(how: int) -> None:
    whole = {"a": b"abc" * 50}
    data = zipped(*whole.items(), how=how)
    outcomes = set()
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        try:
            outcomes.add("".join(map(bytes.decode, files(changed, "x.zip", SMALL).values())))
        except SavedFileError:
            outcomes.add("refused")
    assert outcomes <= {"refused", "", (b"abc" * 50).decode()}  # "": its end said that it holds nothing


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    assert says(zipped(("a", b"0" * 1_001))) == "x.zip holds more than a small thing can; it was not made by Tiltmeter."
    assert "holds more" in says(zipped(("a", b"0" * 501), ("b", b"0" * 500)))
    assert "holds more" in says(zipped(*((f"{number}", b"") for number in range(4))))


def test_a_bomb_that_says_it_is_small_is_unpacked_no_further_than_it_says() -> None:
    bomb = in_directory(zipped(("a", b"0" * 50_000_000)), 24, 10, "<L")
    assert "is damaged" in says(bomb)


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/x", "//x", "C:x", "C:\\x", "a\\..\\x", "a" * 201, "x:stream", ".."]
)
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    assert "holds a file with a name that a small thing cannot have" in says(zipped((name, b"")))


def test_a_name_twice_is_refused() -> None:
    assert says(zipped(("a", b"1"), ("a", b"2"))) == "x.zip holds a file twice; it was not made by Tiltmeter."


@pytest.mark.parametrize(("at", "value"), [(8, 1), (10, 99)])  # encrypted; a way of packing that nobody knows
def test_what_cannot_be_unpacked_is_said(at: int, value: int) -> None:
    assert "cannot be unpacked; make it again." in says(in_directory(zipped(("a", b"abc")), at, value, "<H"))


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files(zipped(("a/b", b"1")), "x.zip", SMALL)
    assert not list(tmp_path.iterdir())


def test_every_kind_has_bounds_and_reads_in_its_sentences() -> None:
    assert [says(b"", kind) for kind in (RESULT, REPORT, HISTORY)] == [
        "x.zip is damaged, or is not a result saved by Tiltmeter; save the result again.",
        "x.zip is damaged, or is not the ZIP of a report; export the report again.",
        "x.zip is damaged, or is not an export of the history or a saved result; export the runs again.",
    ]
    kinds = [kind for kind in vars(archives).values() if isinstance(kind, Kind)]
    assert all(0 < kind.most_files <= 20_000 and 0 < kind.most_bytes <= 4 << 30 for kind in kinds)


def test_it_is_the_one_reader_of_zips() -> None:
    core = Path(archives.__file__).parent
    opened = re.compile(r"ZipFile\((?!buffer, \"w\")")
    assert [path.name for path in core.rglob("*.py") if opened.search(path.read_text("utf-8"))] == ["archives.py"]
