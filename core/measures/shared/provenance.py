"""Where a result comes from, collected once for every experiment."""

from __future__ import annotations

import functools
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from ... import __version__
from ...result import ModelInfo, Provenance

_LIBRARIES = ("torch", "transformers", "tokenizers", "numpy", "scipy")


@functools.cache
def _versions() -> tuple[tuple[str, str], ...]:
    return (("python", platform.python_version()), *((name, version(name)) for name in _LIBRARIES))


def of(models: Iterable[ModelInfo], *, data: Sequence[str], seed: int) -> Provenance:
    """The provenance of a result that ``models`` and ``data`` (lists with source and year) gave just now."""
    return Provenance(
        tool=f"Tiltmeter {__version__}",
        models=tuple(models),
        data=tuple(data),
        seed=seed,
        versions=_versions(),
        created=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )


def restored(data: Mapping[str, Any]) -> Provenance:
    """The provenance that was written to a file as plain values (``dataclasses.asdict``)."""
    models = tuple(map(restored_model, data["models"]))
    versions = tuple((library, number) for library, number in data["versions"])
    return Provenance(**{**data, "models": models, "data": tuple(data["data"]), "versions": versions})


def restored_model(data: Mapping[str, Any]) -> ModelInfo:
    """A model's description that was written to a file as plain values."""
    return ModelInfo(**{**data, "languages": tuple(data["languages"]), "notes": tuple(data["notes"])})
