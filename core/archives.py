"""A ZIP that somebody brings, read in memory and within bounds: the one place where any is opened.

Nothing is written, and no name in it is ever a path of this machine.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from .errors import SavedFileError

_LONGEST = 200  # characters of a name
_END = b"PK\5\6" + bytes(18)  # the record that ends a ZIP, but for its comment


@dataclass(frozen=True)
class Kind:
    """A kind of ZIP: what a sentence calls it, how much it can hold, and how one that is whole is had again."""

    name: str
    most_files: int
    most_bytes: int  # of all files unpacked: a ZIP of zeros would fill the memory
    remedy: str


RESULT = Kind("a result saved by Tiltmeter", 1_000, 1 << 30, "save the result again")
REPORT = Kind("the ZIP of a report", 5_000, 1 << 30, "export the report again")
HISTORY = Kind("an export of the history or a saved result", 20_000, 4 << 30, "export the runs again")


def files(data: bytes, called: str, kind: Kind) -> dict[str, bytes]:
    """The files of a ZIP by name; folders are passed over.

    Parameters
    ----------
    data : bytes
        Of the ZIP.
    called : str
        What a sentence calls it: the name of the file that was brought.
    kind : Kind
        What it should be.

    Returns
    -------
    dict of str to bytes
        In the order of the ZIP.

    Raises
    ------
    SavedFileError
        For what is damaged or no ZIP, holds more than its kind can, a name twice, or a name that leads elsewhere.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if not _is_whole(data, archive):
                raise zipfile.BadZipFile("a part of another file")
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if why := _refusal(entries, kind):
                raise SavedFileError(f"{called} {why}; it was not made by Tiltmeter.")
            # No more than an entry's size is ever unpacked of it, and another length fails its check sum.
            return {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError) as error:
        raise SavedFileError(f"{called} is damaged, or is not {kind.name}; {kind.remedy}.") from error
    except (KeyError, ValueError, OSError, RuntimeError, NotImplementedError) as error:
        # An encrypted part, a way of packing that is not known here, a text that is none.
        raise SavedFileError(f"{called} cannot be unpacked; {kind.remedy}.") from error


def _is_whole(data: bytes, archive: zipfile.ZipFile) -> bool:
    """Whether the ZIP is all of the data. An export that was cut can hold a whole one: the result that came first."""
    end = len(data) - len(archive.comment) - len(_END)
    begin = min((entry.header_offset for entry in archive.infolist()), default=0)
    return begin == 0 and data[end:].startswith(_END[:4])


def _refusal(entries: list[zipfile.ZipInfo], kind: Kind) -> str:
    if len(entries) > kind.most_files or sum(entry.file_size for entry in entries) > kind.most_bytes:
        return f"holds more than {kind.name} can"
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        return "holds a file twice"
    if not all(map(_is_plain, names)):
        return f"holds a file with a name that {kind.name} cannot have"
    return ""


def _is_plain(name: str) -> bool:
    """Whether a name leads nowhere but into the ZIP."""
    path = PurePosixPath(name)
    return not (
        not name or len(name) > _LONGEST or path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name
    )
