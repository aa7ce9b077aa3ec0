"""A bundle checked: every file against its SHA-256, and on demand every result against a new measurement."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from ..engine.checkpoints import fetch, labels
from ..errors import ModelError, SavedFileError, TiltmeterError
from ..measures.measure import MeasureSpec, opened
from ..report.frames import to_json
from ..report.numbers import counted
from ..report.wording import listed, some
from ..result import Result, Table

MANIFEST = "manifest.json"
TOLERANCE = 1e-4  # in the unit of each number, and as a share of it: libraries and machines round differently
_TILT, _JSON = ".tilt", ".json"
_SAID = 3  # columns that differ which are written out


class Outcome(StrEnum):
    """What became of a check."""

    SAME = "as exported"
    DIFFERS = "differs"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Check:
    """A file, or a result that was to be measured again: what became of it, and a clause or sentence why."""

    path: str
    outcome: Outcome
    says: str


@dataclass(frozen=True, eq=False)
class Kept:
    """A result of a bundle."""

    path: str
    result: Result


def checked(files: Mapping[str, bytes], called: str) -> tuple[Check, ...]:
    """Every file of the manifest, and every file that it does not name. Raises SavedFileError without a manifest."""
    expected = _manifest(files, called)
    checks = [_file(path, size, digest, files.get(path)) for path, (size, digest) in expected.items()]
    checks += [
        Check(path, Outcome.DIFFERS, "is not in the manifest")
        for path in files
        if path not in expected and path != MANIFEST
    ]
    return tuple(checks)


def _file(path: str, size: int, digest: str, data: bytes | None) -> Check:
    if data is None:
        return Check(path, Outcome.DIFFERS, "is missing")
    if len(data) != size or hashlib.sha256(data).hexdigest() != digest:
        return Check(path, Outcome.DIFFERS, "is not the file that was exported: its SHA-256 differs")
    return Check(path, Outcome.SAME, "SHA-256 as exported")


def _manifest(files: Mapping[str, bytes], called: str) -> dict[str, tuple[int, str]]:
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


def results(files: Mapping[str, bytes]) -> tuple[tuple[Kept, ...], tuple[Check, ...]]:
    """The results of a bundle, those of the same models one after the other, and a line for each that cannot be opened.

    A result whose ``.json`` holds other numbers has a line too.
    """
    kept, checks = [], []
    for path, data in files.items():
        if not path.endswith(_TILT):
            continue
        try:
            result = opened(data, path)
        except TiltmeterError as error:
            checks.append(Check(path, Outcome.UNCHECKED, f"cannot be opened: {error}"))
            continue
        kept.append(Kept(path, result))
        beside = f"{path.removesuffix(_TILT)}{_JSON}"
        if beside in files and not _is_json_of(files[beside], result):
            checks.append(Check(beside, Outcome.DIFFERS, f"does not hold the numbers of {path}"))
    return tuple(sorted(kept, key=lambda item: (item.result.spec.models, item.path))), tuple(checks)


def _is_json_of(data: bytes, result: Result) -> bool:
    try:  # what else is beside them an older version may have written otherwise
        return bool(json.loads(data)["tables"] == json.loads(to_json(result))["tables"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def measured_again(
    kept: tuple[Kept, ...],
    measure: Callable[[MeasureSpec[Any]], Result],
    uploads: Mapping[str, bytes],
    heard: Callable[[str], None],
) -> Iterator[Check]:
    """Each result beside a new measurement of its spec; equal specs are measured once.

    Parameters
    ----------
    kept : tuple of Kept
        The results.
    measure : callable
        Of a spec, its result.
    uploads : mapping of str to bytes
        Files that were uploaded for them, by SHA-256: a bundle holds none.
    heard : callable
        Hears, in a line, what is measured next.

    Yields
    ------
    Check
        Each result as it is done. What goes wrong is in it, and does not end the others.
    """
    known: dict[str, Result] = {}
    for number, item in enumerate(kept, start=1):
        heard(f"[{number} of {len(kept)}] {item.path}: {item.result.spec.line}")
        try:
            spec = item.result.spec.with_uploads(uploads)
            if why := _obstacle(item.result, spec):
                yield Check(item.path, Outcome.UNCHECKED, why)
                continue
            if spec.digest not in known:
                known[spec.digest] = measure(spec)
            yield _compared(item.path, item.result, known[spec.digest])
        except TiltmeterError as error:
            yield Check(item.path, Outcome.UNCHECKED, f"could not be measured again: {error}")


def _obstacle(before: Result, spec: MeasureSpec[Any]) -> str:
    """Why a result is not measured again; empty where it is."""
    if before.stopped:
        return "was stopped before its end, so a whole measurement would not be the same"
    if spec.writes is not None:  # where whoever made the bundle says
        return f"measuring it writes to {spec.writes}, which no check does; run “{spec.COMMAND}” yourself"
    if missing := [file for file in spec.uploads if file.content is None]:
        named = listed([f"{file.name} (SHA-256 {file.sha256[:12]})" for file in missing])
        return f"was measured with {named}, which a bundle does not hold; bring each file by --file"
    digests = {model.name: model.digest for model in before.provenance.models}
    requests = spec.requests()
    for name, request in zip(labels(requests), requests, strict=True):
        if name in digests:
            try:
                found = fetch(request).digest
            except ModelError as error:
                return f"its model is not here: {error}"
            if found != digests[name]:
                return f"{name} has other files here (SHA-256), so that other numbers are right for it"
    return ""


def _compared(path: str, before: Result, after: Result) -> Check:
    exported = {model.name: model.digest for model in before.provenance.models}
    again = {model.name: model.digest for model in after.provenance.models}
    if more := [name for name in again if name not in exported]:
        return Check(path, Outcome.UNCHECKED, f"{listed(more)} could not be measured then, and can be here")
    if missing := [name for name in exported if name not in again]:
        return Check(path, Outcome.UNCHECKED, f"{listed(missing)} is not here")
    if other := [name for name, digest in exported.items() if again[name] != digest]:
        return Check(path, Outcome.UNCHECKED, f"{listed(other)} has other files here (SHA-256)")
    compared = list(_columns(before, after))
    differing = [column.differs for column in compared if column.differs]
    if differing:
        more_columns = [f"{len(differing) - _SAID} more columns differ"] if len(differing) > _SAID else []
        says = "; ".join([*differing[:_SAID], *more_columns, *_versions(before, after)])
        return Check(path, Outcome.DIFFERS, says)
    numbers, largest = sum(column.numbers for column in compared), max((column.gap for column in compared), default=0.0)
    apart = f"at most {largest:.1g} apart" if largest else "all equal"
    return Check(path, Outcome.SAME, f"{counted(numbers, 'number')} measured again, {apart}")


@dataclass(frozen=True)
class _Column:
    """A column beside its new measurement: how many numbers were compared, how far apart, and how it differs."""

    numbers: int = 0
    gap: float = 0.0
    differs: str = ""


def _columns(before: Result, after: Result) -> Iterator[_Column]:
    for name, table in before.SCHEMA.tables.items():
        first, second = before[name], after[name]
        if len(first) != len(second):
            yield _Column(differs=f"table {name} has {counted(len(first), 'row')}, and {len(second):,} measured again")
            continue
        if list(first.columns) != list(second.columns):
            other = sorted(set(map(str, first.columns)) ^ set(map(str, second.columns)))
            yield _Column(differs=f"table {name} has other columns than measured again: {some(other)}")
            continue
        for column in map(str, first.columns):
            yield _column(name, table, column, first, second)


def _column(name: str, table: Table, column: str, first: pd.DataFrame, second: pd.DataFrame) -> _Column:
    exported, again = first[column], second[column]
    if not pd.api.types.is_float_dtype(exported):
        numbers = len(exported) if pd.api.types.is_integer_dtype(exported) else 0
        if exported.equals(again):
            return _Column(numbers)
        same = (exported == again) | (exported.isna() & again.isna())
        at = int(np.argmin(same.fillna(False).to_numpy(dtype=bool)))
        values = f"{_shown(exported.iloc[at])} exported, {_shown(again.iloc[at])} measured again"
        return _Column(numbers, differs=f"table {name}, {column} differs{_in(first, at)}: {values}")
    then, now = exported.to_numpy(dtype=float), again.to_numpy(dtype=float)
    with np.errstate(invalid="ignore"):
        gaps = np.where((then == now) | (np.isnan(then) & np.isnan(now)), 0.0, np.abs(then - now))
    gaps = np.where(np.isnan(gaps), np.inf, gaps)  # one of two is missing
    close = np.isclose(then, now, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)
    if close.all():
        return _Column(len(then), float(gaps.max(initial=0.0)))
    at = int(np.argmax(np.where(close, -1.0, gaps)))
    unit = f" {table.column(column).unit}" if table.column(column).unit else ""
    by = f" by up to {gaps[at]:.3g}{unit}" if math.isfinite(gaps[at]) else ""
    count = int((~close).sum())
    rows = "" if count == 1 else f" in {counted(count, 'row')}, most"
    values = f"{_shown(then[at])} exported, {_shown(now[at])} measured again"
    return _Column(len(then), differs=f"table {name}, {column} differs{by}{rows}{_in(first, at)}: {values}")


def _in(frame: pd.DataFrame, at: int) -> str:
    """Which row: by its number from 1, and what its texts say."""
    texts = [value for value in frame.iloc[at] if isinstance(value, str) and value]
    return f" in row {at + 1:,}{f' ({some(texts)})' if texts else ''}"


def _shown(value: object) -> str:
    if isinstance(value, float | np.floating):
        return "none" if np.isnan(value) else f"{value:.6g}"
    return "none" if value is None or value is pd.NA else str(value)


def _versions(before: Result, after: Result) -> list[str]:
    """The versions that are not the same, since they can be why."""
    then = {"Tiltmeter": before.provenance.tool.rpartition(" ")[2], **dict(before.provenance.versions)}
    here = {"Tiltmeter": after.provenance.tool.rpartition(" ")[2], **dict(after.provenance.versions)}
    other = [f"{name} {text}, here {here.get(name, 'none')}" for name, text in then.items() if here.get(name) != text]
    return [f"made with {listed(other)}"] if other else []
