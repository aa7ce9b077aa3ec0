"""Where a fine-tuned model goes: whether a folder can take it, where its training keeps its state. Needs no torch."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ...errors import ExportError, OptionError
from .. import parentage

_GIGABYTE = 1e9


def part_of(folder: Path) -> Path:
    """Where the training into a folder keeps its state."""
    return folder.with_name(f".{folder.name}.part")


def check(folder: Path) -> None:
    """Raise OptionError for a folder that cannot take a model: another's, or one that cannot be written."""
    place = _existing(folder)
    if not place.is_dir():
        raise OptionError(f"{place} is a file; give a folder for the fine-tuned model, new or empty.")
    if folder.is_dir() and any(folder.iterdir()) and parentage.read(folder) is None:
        raise OptionError(f"{folder} holds something else than a model fine-tuned here; give a new or empty folder.")
    if not os.access(_existing(folder.parent), os.W_OK):
        raise OptionError(f"{folder} cannot be written: {_existing(folder.parent)} is read-only; give another folder.")


def check_room(folder: Path, needed: int) -> None:
    """Raise ExportError where the disk of a folder has fewer than ``needed`` bytes left."""
    free = shutil.disk_usage(_existing(folder)).free
    if free < needed:
        raise ExportError(
            f"The disk of {folder} has {free / _GIGABYTE:.1f} GB left; the fine-tuning needs {needed / _GIGABYTE:.1f} "
            "GB for its models and what it resumes from. Make room, or give a folder on another disk."
        )


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
