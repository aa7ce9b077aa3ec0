"""Finding a model's files: a folder, the hub's local cache, or the hub; safetensors only. Needs no torch."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub import errors as hub

from core.errors import BadModelName, BrokenModel, ModelNotFound, UnsafeModel
from core.models import catalog

_HUB_SECONDS = 15
_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_BLOCK = 1 << 20


@dataclass(frozen=True)
class ModelRequest:
    """What a user asks for: a catalog name, hub id or folder, with an optional revision.

    ``dtype`` is float32, bfloat16 or float16; ``device`` cuda, mps or cpu, None for the best there is;
    ``attention`` is ``default``, or ``eager`` for an instance that returns its attention maps.
    """

    name: str = "default"
    revision: str | None = None
    dtype: str = "float32"
    device: str | None = None
    attention: str = "default"


def request(text: str, *, dtype: str = "float32", device: str | None = None) -> ModelRequest:
    """A request from what a user typed: a name, hub id, ``owner/name@revision``, or a folder."""
    name, at, revision = text.strip().rpartition("@")
    if not at or catalog.looks_like_path(text.strip()) or catalog.as_folder(text.strip()) is not None:
        return ModelRequest(text.strip(), None, dtype, device)
    return ModelRequest(name, revision or None, dtype, device)


@dataclass(frozen=True)
class Checkpoint:
    """A model's files on this disk. ``digest`` is the SHA-256 over the weight files."""

    name: str
    id: str
    folder: Path
    revision: str | None
    digest: str


def located(request: ModelRequest) -> tuple[str, str, Path | None]:
    """Short name, hub id or folder as text, and the folder of this machine, None for a model of the hub.

    Raises BadModelName for a text that can be neither, ModelNotFound for a folder that does not exist.
    """
    name, source = catalog.locate(request.name)
    local = catalog.as_folder(source)
    if local is None and catalog.looks_like_path(source):
        raise ModelNotFound(f"There is no folder {source}; give the folder that holds config.json and the weights.")
    return name, source, local


def fetch(request: ModelRequest) -> Checkpoint:
    """Find the files of a model: a folder, the local cache of the hub, or the hub.

    Raises ModelNotFound, BadModelName or UnsafeModel with a sentence of help.
    """
    name, source, local = located(request)
    folder, revision = local or Path(), None
    if local is None:
        folder, revision = _from_hub(source, request.revision)
    if not (folder / "config.json").is_file():
        raise BrokenModel(f"{name} has no config.json, so it is not a model folder that transformers can read.")
    weights = sorted(folder.glob("*.safetensors"))
    if not weights:
        raise UnsafeModel(
            f"{name} holds no safetensors file. Other formats can run code when they are opened and are not read; "
            "save the model again with save_pretrained(safe_serialization=True)."
        )
    return Checkpoint(name, source, folder, revision, _digest(tuple(_stamp(path) for path in weights)))


def _from_hub(model_id: str, revision: str | None) -> tuple[Path, str | None]:
    wanted: dict[str, Any] = {"revision": revision, "allow_patterns": _FILES, "ignore_patterns": ["*/*"]}
    try:
        folder = Path(snapshot_download(model_id, local_files_only=True, **wanted))
        if (folder / "config.json").is_file() and any(folder.glob("*.safetensors")):
            return folder, folder.name
    except hub.HFValidationError:
        raise BadModelName(f"“{model_id}” is not a model name; a hub id has the form owner/name.") from None
    except hub.LocalEntryNotFoundError:
        pass
    try:
        # One quick question first: an unreachable hub answers a download only after many retries.
        HfApi().model_info(model_id, revision=revision, timeout=_HUB_SECONDS)
        folder = Path(snapshot_download(model_id, **wanted))
    except hub.GatedRepoError:
        raise ModelNotFound(
            f"{model_id} asks for an agreement first: accept it on the hub and log in with a token (HF_TOKEN)."
        ) from None
    except hub.RevisionNotFoundError:
        raise ModelNotFound(f"{model_id} has no revision “{revision}”; give a branch, tag or commit of it.") from None
    except hub.RepositoryNotFoundError:
        raise ModelNotFound(f"The hub has no model {model_id}; check the spelling of owner and name.") from None
    except Exception as error:
        # Any transport below the hub client (httpx, requests, sockets) has error classes of its own.
        if isinstance(error, MemoryError | TypeError):
            raise
        raise ModelNotFound(
            f"{model_id} is not on this machine and the model hub could not be reached. Connect to the network, "
            f"or give the folder of a downloaded copy. Without a network {catalog.DEFAULT} always works."
        ) from None
    return folder, folder.name


def _stamp(path: Path) -> tuple[str, int, int]:
    stat = path.stat()
    return str(path), stat.st_size, stat.st_mtime_ns


@functools.lru_cache(maxsize=64)
def _digest(files: tuple[tuple[str, int, int], ...]) -> str:
    """SHA-256 over the weight files; size and time of change in the key let a changed file be read again."""
    total = hashlib.sha256()
    for path, _, _ in files:
        with Path(path).open("rb") as file:
            while block := file.read(_BLOCK):
                total.update(block)
    return total.hexdigest()
