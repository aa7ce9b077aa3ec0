"""The models that were fine-tuned here from a base. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import ModelError
from . import catalog, parentage
from .checkpoints import located, request


@dataclass(frozen=True)
class Descendants:
    """Models made together from one base, by name: those of the text itself, and the controls."""

    children: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()


def made_last_from(base: str) -> Descendants:
    """The masked models that were fine-tuned from a base together, and last of all that were made from it.

    Together are those of one folder, or where each lies alone among the user's models, those of one text.

    Parameters
    ----------
    base : str
        A catalog name, hub id or folder.

    Returns
    -------
    Descendants
        None of either where the base cannot be found, or nothing was made from it here.
    """
    try:
        names = located(request(base))[:2]
    except ModelError:
        return Descendants()
    groups: dict[str | Path, list[Path]] = {}
    for entry in catalog.entries():
        folder = Path(entry.id)
        parent = parentage.read(folder) if entry.origin == "local" else None
        if parent is None or parent.base not in names or parent.labels:
            continue
        alone = folder.parent == catalog.user_models().resolve()
        groups.setdefault(parent.data_digest if alone else folder.parent, []).append(folder)
    if not groups:
        return Descendants()
    last = max(groups.values(), key=lambda folders: max(map(_made, folders)))
    controls = tuple(folder.name for folder in last if "-control-" in folder.name)
    return Descendants(tuple(folder.name for folder in last if folder.name not in controls), controls)


def _made(folder: Path) -> float:
    """When, in seconds."""
    return (folder / parentage.FILE).stat().st_mtime
