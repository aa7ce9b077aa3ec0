"""A scan on disk: a folder of Parquet parts, each with its provenance and what was left out on the way to it.

A part is written whole or not at all, so that a scan that is stopped or killed loses no more than the part it was at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import OptionError
from core.experiments.provenance import restored_model
from core.results import ModelInfo, Provenance

SETTINGS = "scan.json"
_PART = "part-{:06d}.parquet"
_META = b"tiltmeter"
KEPT = "kept"


@dataclass(frozen=True)
class ScanSettings:
    """What every part of a scan has in common; a folder holds the parts of one.

    ``positions`` are (kind, layer) of the detectors, ``layers`` of the model's own maps follow them.
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

    @property
    def places(self) -> int:
        """Detector positions and layers of maps together."""
        return len(self.positions) + self.layers


@dataclass
class Part:
    """A batch on its way to disk: sentences kept, and how many were left out for which reason.

    ``degrees`` are float32 [place, head], ``next`` the number of corpus sentences read with this part.
    """

    texts: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)
    occupations: list[str] = field(default_factory=list)
    degrees: list[np.ndarray] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    next: int = 0
    finished: bool = False


def open_folder(folder: Path, settings: ScanSettings) -> int:
    """Make the folder ready for these settings; the number of corpus sentences its parts hold already.

    Raises OptionError for a folder with something else in it.
    """
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder} is a file; give a folder for the scan.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for rest in folder.glob("*.tmp"):
            rest.unlink()
        if not (folder / SETTINGS).exists():
            if any(folder.iterdir()):
                raise OptionError(f"{folder} holds other files; give an empty folder for the scan, or a new one.")
            _write(folder / SETTINGS, json.dumps(asdict(settings), indent=1).encode())
            return 0
    except OSError as error:
        raise OptionError(f"{folder} cannot be written to: {error.strerror or error}.") from None
    held = read_settings(folder)
    for name, what in (
        ("corpus_digest", "another corpus"),
        ("column", "another column"),
        ("model", "another model"),
        ("twin_digest", "twins of another model"),
        ("positions", "other positions"),
    ):
        if getattr(held, name) != getattr(settings, name):
            raise OptionError(f"{folder} holds a scan of {what} ({held.corpus}, {held.model.name}); give a new folder.")
    last = _meta(_parts(folder)[-1]) if _parts(folder) else {}
    return int(last.get("next", 0))


def is_finished(folder: Path) -> bool:
    """Whether the whole corpus is in the parts."""
    parts = _parts(folder)
    return bool(parts) and bool(_meta(parts[-1])["finished"])


def write_part(folder: Path, part: Part, settings: ScanSettings, provenance: Provenance) -> None:
    """Write a part, whole or not at all."""
    meta = {
        "next": part.next,
        "finished": part.finished,
        "counts": dict(part.counts),
        "seconds": dict(part.seconds),
        "provenance": asdict(provenance),
    }
    size = settings.places * settings.heads
    flat = np.array([one.ravel() for one in part.degrees], dtype=np.float32).reshape(-1)
    table = pa.table(
        {
            "sentence": pa.array(part.texts, pa.string()),
            "twin": pa.array(part.twins, pa.string()),
            "occupation": pa.array(part.occupations, pa.string()),
            "degree": pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float32()), size),
        }
    ).replace_schema_metadata({_META: json.dumps(meta).encode()})
    path = folder / _PART.format(len(_parts(folder)))
    temporary = path.with_suffix(".tmp")
    pq.write_table(table, temporary)
    temporary.replace(path)


def read_settings(folder: Path) -> ScanSettings:
    """The settings of a scan's folder. Raises OptionError for a folder that holds none."""
    file = folder / SETTINGS
    if not file.is_file():
        raise OptionError(f"{folder} holds no scan; give the folder that a scan was written to.")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        positions = tuple((kind, layer) for kind, layer in data["positions"])
        return ScanSettings(**{**data, "model": restored_model(data["model"]), "positions": positions})
    except (ValueError, KeyError, TypeError):
        raise OptionError(f"{file} is damaged; start the scan again in a new folder.") from None


@dataclass(frozen=True, eq=False)
class Batch:
    """A part as it is read back: ``degrees`` float64 [sentence, place, head]."""

    occupations: Sequence[str]
    degrees: np.ndarray
    meta: dict[str, Any]


def batches(folder: Path, settings: ScanSettings) -> Iterator[Batch]:
    """The parts of a scan, one after the other. Raises OptionError for a part that cannot be read."""
    for path in _parts(folder):
        try:
            table = pq.read_table(path, columns=["occupation", "degree"])
        except (OSError, pa.ArrowException):
            raise OptionError(
                f"{path} cannot be read; delete it and those after it, and start the scan again."
            ) from None
        flat = table["degree"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        degrees = flat.reshape(-1, settings.places, settings.heads).astype(np.float64)
        yield Batch(table["occupation"].to_pylist(), degrees, _meta(path))


def _parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*.parquet"))


def _meta(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pq.read_schema(path).metadata[_META])
    return found


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(data)
    temporary.replace(path)
