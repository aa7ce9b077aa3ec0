"""The file that a result is saved as: ``.tilt``, a ZIP of one JSON document and a Parquet file for each table.

``result.json`` holds ``{"format": 1, "schema", "spec", "excluded", "notes", "provenance"}``; ``tables/NAME.parquet`` a
table. Nothing in it is ever run: JSON and Parquet hold values alone.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from . import archives
from .errors import SavedFileError
from .plain import Plain

FORMAT = 1
_DOCUMENT = "result.json"
_TABLES = "tables/"
_MOST_CELLS = 100_000_000  # of a table: one value can stand in a file for any number of rows
_WHEN = (1980, 1, 1, 0, 0, 0)  # so that equal results are equal files


@dataclass(frozen=True, eq=False)
class Saved:
    """The content of a file: its document, and its tables as they were written."""

    document: dict[str, Any]
    tables: dict[str, pd.DataFrame]


def packed(document: Mapping[str, Plain], tables: Mapping[str, pd.DataFrame]) -> bytes:
    """The bytes of a file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        text = json.dumps({"format": FORMAT, **document}, allow_nan=False, ensure_ascii=False, indent=1)
        archive.writestr(zipfile.ZipInfo(_DOCUMENT, _WHEN), text.encode(), zipfile.ZIP_DEFLATED)
        for name, frame in tables.items():
            table = io.BytesIO()
            pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), table)
            archive.writestr(zipfile.ZipInfo(f"{_TABLES}{name}.parquet", _WHEN), table.getvalue(), zipfile.ZIP_STORED)
    return buffer.getvalue()


def unpacked(data: bytes, called: str) -> Saved:
    """The content of the bytes of a file named ``called``.

    Raises SavedFileError for one that is damaged, larger than a result can be, or of a newer format.
    """
    held = archives.files(data, called, archives.RESULT)
    try:
        document = json.loads(held[_DOCUMENT])
        if not isinstance(document, dict) or not isinstance(document.get("format"), int):
            raise SavedFileError(f"{called} is not a result saved by Tiltmeter.")
        if document["format"] > FORMAT:
            raise SavedFileError(f"{called} was saved by a newer Tiltmeter; open it with that one.")
        tables = {
            name.removeprefix(_TABLES).removesuffix(".parquet"): _table(content, called)
            for name, content in held.items()
            if name.startswith(_TABLES) and name.endswith(".parquet")
        }
    except (KeyError, ValueError, OSError, RecursionError, pa.ArrowException) as error:
        # A missing part, text that is no JSON or nested too deeply, a table that cannot be read.
        raise SavedFileError(f"{called} is damaged; save the result again.") from error
    return Saved(document, tables)


def read_bytes(path: Path) -> bytes:
    """The bytes of a saved result. Raises SavedFileError with the reason why it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SavedFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def _table(data: bytes, called: str) -> pd.DataFrame:
    file = pq.ParquetFile(io.BytesIO(data))
    if file.metadata.num_rows * max(1, file.metadata.num_columns) > _MOST_CELLS:
        raise SavedFileError(f"{called} holds more than {archives.RESULT.name} can; it was not made by Tiltmeter.")
    frame: pd.DataFrame = file.read().to_pandas()
    return frame
