"""A scan on disk: a folder of Parquet parts, each with its provenance and what was excluded on the way to it.

A part is written whole or not at all, so that a scan that is stopped or killed loses no more than the part it was at.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from ....errors import OptionError
from ....result import ModelInfo, Provenance
from ...shared.provenance import restored_model

SETTINGS = "scan.json"
_PART = "part-{:010d}.parquet"  # by the number of corpus sentences before it
_LOCK, _WRITER = "scan.lock", "scan.writer"
_OWN = (_LOCK, _WRITER, SETTINGS)
_META = b"tiltmeter"


@dataclass(frozen=True)
class ScanSettings:
    """What every part of a scan has in common; a folder holds the parts of one.

    ``positions`` are (kind, layer) of the detectors, ``layers`` of the model's own maps follow them.
    ``reading`` says what was assumed in reading the corpus, empty where nothing was.
    """

    corpus: str
    corpus_digest: str
    column: str | None
    model: ModelInfo
    twin_model: str
    twin_digest: str
    positions: tuple[tuple[str, int | None], ...]
    layers: int
    heads: int
    missing: str
    reading: str = ""

    @property
    def digest(self) -> str:
        """By which a part says to which scan it belongs."""
        known = asdict(self)
        for name in ("published", "parent"):  # no other model by them, and unknown to scans from before they were
            del known["model"][name]
        return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def places(self) -> int:
        """Detector positions and layers of maps together."""
        return len(self.positions) + self.layers


@dataclass
class Part:
    """A batch on its way to disk: sentences kept, and how many were excluded for which reason.

    ``start`` and ``next`` are the numbers of the corpus sentences read before this part and with it: it holds those
    from ``start`` up to ``next``. ``degrees`` are float32 [place, head].
    """

    start: int
    next: int
    finished: bool
    texts: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)
    occupations: list[str] = field(default_factory=list)
    degrees: list[np.ndarray] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def check_folder(folder: Path) -> bool:
    """Whether the folder is there. Raises OptionError for a file, and for a folder that would need its parents made."""
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is a file; give a folder for the scan.")
    if not folder.parent.is_dir():
        raise OptionError(
            f"The folder {folder.parent}, which should hold {folder.name}, does not exist; create it first, or give "
            "another."
        )
    return folder.is_dir()


@contextmanager
def writing(folder: Path, settings: ScanSettings) -> Iterator[tuple[ScanSettings, int]]:
    """The folder, made and locked against other writers: its settings, and the corpus sentences its parts hold.

    Raises OptionError for a folder with something else in it, one that another scan writes to, and parts that do not
    fit together.
    """
    try:
        if not check_folder(folder):
            folder.mkdir()
        _check_empty(folder)
        lock = FileLock(folder / _LOCK, timeout=0)
        lock.acquire()
    except Timeout as error:
        raise OptionError(
            f"Another scan is writing to {folder}{_by(folder)}; wait until it ends, or open the scan to see its "
            "figures so far."
        ) from error
    except NotImplementedError as error:
        raise OptionError(f"The disk of {folder} cannot lock files; give a folder on a local disk.") from error
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        yield _prepared(folder, settings)
    finally:
        (folder / _WRITER).unlink(missing_ok=True)
        lock.release()


def _prepared(folder: Path, settings: ScanSettings) -> tuple[ScanSettings, int]:
    """What ``writing`` gives, once the folder is locked."""
    try:
        who = f"process {os.getpid()} on {socket.gethostname()} since {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        _write(folder / _WRITER, who.encode())
        for rest in folder.glob("part-*.tmp"):
            rest.unlink()
        if not (folder / SETTINGS).exists():
            _check_empty(folder)
            _write(folder / SETTINGS, json.dumps(asdict(settings), indent=1).encode())
    except OSError as error:
        raise _unwritable(folder, error) from error
    held = read_settings(folder)
    _check_same(folder, held, settings)
    parts = _parts(folder, held)
    return held, int(parts[-1][1]["next"]) if parts else 0


def _unwritable(folder: Path, error: OSError) -> OptionError:
    return OptionError(f"{folder} cannot be written to: {error.strerror or error}.")


def writer(folder: Path) -> str:
    """Which scan writes to the folder now ("process 12 on host since …"); empty where none does."""
    if not (folder / _LOCK).is_file():
        return ""
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return _by(folder).strip(" ()") or "another program"
    except (OSError, NotImplementedError):
        return ""
    lock.release()
    return ""


def is_finished(folder: Path, settings: ScanSettings) -> bool:
    """Whether the folder holds the whole corpus under these settings. Raises OptionError as ``writing``."""
    if not (folder / SETTINGS).is_file():
        return False
    held = read_settings(folder)
    _check_same(folder, held, settings)
    parts = _parts(folder, held)
    return bool(parts) and bool(parts[-1][1]["finished"])


def signature(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of what a scan's folder holds: equal while nothing was added or changed."""
    found = []
    for path in sorted(folder.glob("*")):
        if path.name == SETTINGS or path.suffix == ".parquet":
            state = path.stat()
            found.append((path.name, state.st_size, state.st_mtime_ns))
    return tuple(found)


def _by(folder: Path) -> str:
    try:
        who = (folder / _WRITER).read_text(encoding="utf-8")
    except OSError:
        return ""
    return f" ({who})"


def _check_empty(folder: Path) -> None:
    if not (folder / SETTINGS).exists() and any(path.name not in _OWN for path in folder.iterdir()):
        raise OptionError(f"{folder} holds other files; give an empty folder for the scan, or a new one.")


def _check_same(folder: Path, held: ScanSettings, settings: ScanSettings) -> None:
    for name, what in (
        ("corpus_digest", "another corpus"),
        ("column", "another column"),
        ("model", "another model"),
        ("twin_digest", "twins of another model"),
        ("positions", "other positions"),
    ):
        if getattr(held, name) != getattr(settings, name):
            raise OptionError(f"{folder} holds a scan of {what} ({held.corpus}, {held.model.name}); give a new folder.")


def write_part(folder: Path, part: Part, settings: ScanSettings, provenance: Provenance) -> None:
    """Write a part, whole or not at all; ``settings`` are those of the folder. Raises OptionError for a full disk."""
    meta = {
        "scan": settings.digest,
        "start": part.start,
        "next": part.next,
        "finished": part.finished,
        "counts": dict(part.counts),
        "provenance": asdict(provenance),
    }
    size = settings.places * settings.heads
    flat = np.array([degrees.ravel() for degrees in part.degrees], dtype=np.float32).reshape(-1)
    table = pa.table(
        {
            "sentence": pa.array(part.texts, pa.string()),
            "twin": pa.array(part.twins, pa.string()),
            "occupation": pa.array(part.occupations, pa.string()),
            "degree": pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float32()), size),
        }
    ).replace_schema_metadata({_META: json.dumps(meta).encode()})
    path = folder / _PART.format(part.start)
    temporary = path.with_suffix(".tmp")
    try:
        pq.write_table(table, temporary)
        temporary.replace(path)
    except OSError as error:
        raise _unwritable(folder, error) from error


def read_settings(folder: Path) -> ScanSettings:
    """The settings of a scan's folder. Raises OptionError for a folder that holds none."""
    file = folder / SETTINGS
    if not file.is_file():
        raise OptionError(f"{folder} holds no scan; give the folder that a scan was written to.")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        positions = tuple((kind, layer) for kind, layer in data["positions"])
        return ScanSettings(**{**data, "model": restored_model(data["model"]), "positions": positions})
    except (ValueError, KeyError, TypeError) as error:
        raise OptionError(f"{file} is damaged; start the scan again in a new folder.") from error


@dataclass(frozen=True, eq=False)
class Batch:
    """A part as it is read back: ``degrees`` float64 [sentence, place, head]."""

    occupations: Sequence[str]
    degrees: np.ndarray
    meta: dict[str, Any]


def batches(folder: Path, settings: ScanSettings) -> Iterator[Batch]:
    """The parts of a scan, one after the other.

    Raises OptionError for a part that cannot be read, and for parts that do not hold one stretch of the corpus after
    the other, each once.
    """
    for path, meta in _parts(folder, settings):
        try:
            table = pq.read_table(path, columns=["occupation", "degree"])
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(path) from error
        flat = table["degree"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        degrees = flat.reshape(-1, settings.places, settings.heads).astype(np.float64)
        yield Batch(table["occupation"].to_pylist(), degrees, meta)


def _parts(folder: Path, settings: ScanSettings) -> list[tuple[Path, dict[str, Any]]]:
    """The parts in the order of the corpus, each with what it says of itself; their ranges must follow each other."""
    found: list[tuple[Path, dict[str, Any]]] = []
    read = 0
    for path in sorted(folder.glob("part-*.parquet")):
        try:
            meta = json.loads(pq.read_schema(path).metadata[_META])
            digest, start, following = meta["scan"], meta["start"], meta["next"]
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            raise _unreadable(path) from error
        again = f"delete {path.name} and the parts after it, and start the scan again; it resumes there"
        if digest != settings.digest:
            raise OptionError(f"{path} is a part of another scan; {again}.")
        if start > read or (found and found[-1][1]["finished"]):
            raise OptionError(f"{folder}: sentences {read + 1:,} to {start:,} of the corpus are in no part; {again}.")
        if start < read:
            raise OptionError(
                f"{folder}: sentences {start + 1:,} to {min(read, following):,} of the corpus are in two parts and "
                f"would count twice; {again}."
            )
        read = following
        found.append((path, meta))
    return found


def _unreadable(path: Path) -> OptionError:
    return OptionError(f"{path} cannot be read; delete it and those after it, and start the scan again.")


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    temporary.replace(path)
