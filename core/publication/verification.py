"""A bundle checked: every file against its SHA-256, and on demand every number against a new measurement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..errors import SavedFileError, TiltmeterError
from ..measures.measure import opened
from ..result import Result
from ..run import Run

MANIFEST = "manifest.json"
TOLERANCE = 1e-4  # in the unit of each number, and as a share of it: libraries and machines round differently


@dataclass(frozen=True)
class Check:
    """A file, or a result that was measured again: whether it is as it should be, and a sentence."""

    path: str
    good: bool
    says: str


def checked(files: dict[str, bytes], called: str) -> tuple[Check, ...]:
    """Every file of the manifest, and every file that it does not name. Raises SavedFileError without a manifest."""
    expected = _manifest(files, called)
    checks = [_file(path, size, digest, files.get(path)) for path, (size, digest) in expected.items()]
    checks += [
        Check(path, False, "is not in the manifest") for path in files if path not in expected and path != MANIFEST
    ]
    return tuple(checks)


def _file(path: str, size: int, digest: str, data: bytes | None) -> Check:
    if data is None:
        return Check(path, False, "is missing")
    if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
        return Check(path, False, "is not the file that was exported: its SHA-256 differs")
    return Check(path, True, "SHA-256 as exported")


def _manifest(files: dict[str, bytes], called: str) -> dict[str, tuple[int, str]]:
    if MANIFEST not in files:
        raise SavedFileError(f"{called} has no {MANIFEST}; it is not a bundle of Tiltmeter.")
    try:
        document: Any = json.loads(files[MANIFEST])
        version = document["format"]
        expected = {str(item["path"]): (int(item["bytes"]), str(item["sha256"])) for item in document["files"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SavedFileError(f"The {MANIFEST} of {called} is damaged; export the report again.") from error
    if version != 1:
        raise SavedFileError(f"{called} was made by another version of Tiltmeter; verify it with that one.")
    if not expected:
        raise SavedFileError(f"The {MANIFEST} of {called} names no file; export the report again.")
    return expected


def measured_again(files: dict[str, bytes], run: Run[Any] | None = None) -> Iterator[Check]:
    """Each result of the bundle beside a new measurement of its spec."""
    for path, data in sorted(files.items()):
        if path.endswith(".tilt"):
            yield _again(path, data, run)


def _again(path: str, data: bytes, run: Run[Any] | None) -> Check:
    try:
        before = opened(data, path)
        if hasattr(before.spec, "folder"):
            return Check(path, False, "writes a folder, so it is not measured again by a check; run its command")
        after = before.spec.run(run) if run is not None else before.spec.run()
    except TiltmeterError as error:
        return Check(path, False, f"could not be measured again: {error}")
    known = {model.name: model.digest for model in before.provenance.models}
    found = {model.name: model.digest for model in after.provenance.models}
    if other := [name for name, digest in known.items() if found.get(name) not in (None, digest)]:
        return Check(
            path, False, f"{', '.join(other)} has other files here (SHA-256), so the numbers cannot be checked"
        )
    if missing := [name for name in known if name not in found]:
        return Check(path, False, f"{', '.join(missing)} is not here, so the numbers cannot be checked")
    differences = list(_differences(before, after))
    if differences:
        return Check(path, False, "; ".join(differences[:3]))
    return Check(path, True, f"measured again: every number the same within {TOLERANCE:g} (in its unit, or as a share)")


def _differences(before: Result, after: Result) -> Iterator[str]:
    for name, table in before.SCHEMA.tables.items():
        first, second = before[name], after[name]
        if len(first) != len(second) or list(first.columns) != list(second.columns):
            yield f"table {name} has {len(second):,} rows or other columns, {len(first):,} rows were exported"
            continue
        for column in first.columns:
            exported, again = first[column], second[column]
            unit = table.column(str(column)).unit
            if pd.api.types.is_float_dtype(exported):
                gap = _gap(exported.to_numpy(), again.to_numpy())
                if gap is not None:
                    yield f"table {name}, {column} differs by up to {gap:.3g}{f' {unit}' if unit else ''}"
            elif not exported.equals(again):
                yield f"table {name}, {column} differs"


def _gap(exported: np.ndarray[Any, Any], again: np.ndarray[Any, Any]) -> float | None:
    """The largest difference, None where all are within the tolerance; infinite where one of two is missing."""
    if np.allclose(exported, again, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True):
        return None
    if (np.isnan(exported) != np.isnan(again)).any():
        return float("inf")
    return float(np.nanmax(np.abs(exported - again)))
