"""Finding a model's files: a folder, the hub's local cache, or the hub; safetensors only. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub import errors as hub

from ..errors import BadModelName, BrokenModel, ModelError, ModelNotFound, UnsafeModel
from ..result import Progress
from ..run import UNWATCHED, Watch
from ..sources.digests import files_digest
from ..sources.failures import first_line, is_timeout, is_unreachable, of_the_disk
from . import catalog, parentage
from .parentage import Parentage

_HUB_SECONDS = 15
_MEGABYTE = 1_000_000
_LARGE = 200 * _MEGABYTE  # fewer are read within a second
_TRANSPORT: type = hub.HfHubHTTPError.__bases__[0]  # what every error of the hub client's own transport is
_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
_DECIDING = (
    *("*.safetensors", "*.safetensors.index.json", "config.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.*", "merges.txt", "*.model", "*.tiktoken", "bpe.codes", "dict.txt"),
)


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
    """A model's files on this disk.

    ``digest`` is the SHA-256 over all that decide what it computes: weights, configuration and tokenizer
    (``core.sources.digests.files_digest``).
    """

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


def parentage_of(name: str) -> Parentage | None:
    """What the folder of a model, as a user named it, says of the model it was fine-tuned from; None without one."""
    try:
        _, _, folder = located(request(name))
    except ModelError:
        return None
    return None if folder is None else parentage.read(folder)


def labels(requests: Sequence[ModelRequest]) -> tuple[str, ...]:
    """What each of these models is called beside the others: its short name, made longer until no two are equal.

    Two revisions of one model get the revision behind the name, two folders or owners as much of what stands before
    the name as tells them apart; a name of the catalog stays short. Requests for the same model have the same label,
    and what cannot be located is called as it was written.
    """
    known = [_known(request) for request in requests]
    revisions = {model.source: {other.revision for other in known if other.source == model.source} for model in known}
    depths = [0] * len(known)
    while True:
        names = [model.names[depth] for model, depth in zip(known, depths, strict=True)]
        # Of two folders "bert", or owners of one, neither is "bert", not even beside a revision that is "bert@v1".
        clashing = [
            index
            for index, model in enumerate(known)
            if depths[index] + 1 < len(model.names)
            and any(
                name == names[index] and other.source != model.source for name, other in zip(names, known, strict=True)
            )
        ]
        if not clashing:
            break
        for index in clashing:
            depths[index] += 1
    return tuple(
        f"{name}@{model.revision}" if model.revision and len(revisions[model.source]) > 1 else name
        for name, model in zip(names, known, strict=True)
    )


@dataclass(frozen=True)
class _Known:
    """Where a model is, its revision as it was requested, and its names, the shortest first."""

    source: str
    revision: str | None
    names: tuple[str, ...]


def _known(request: ModelRequest) -> _Known:
    try:
        name, source, local = located(request)
    except ModelError:
        return _Known(request.name, request.revision, (request.name,))
    if catalog.find(request.name) is not None:
        return _Known(source, request.revision, (name,))
    parts = local.parts if local is not None else tuple(source.split("/"))
    tails = (str(Path(*parts[start:])) if local else "/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1))
    return _Known(source, request.revision, tuple(tails))


def fetch(request: ModelRequest, run: Watch = UNWATCHED) -> Checkpoint:
    """Find the files of a model: a folder, the local cache of the hub, or the hub.

    What takes long, the download and reading the files for their digest, is reported.

    Raises ModelNotFound, BadModelName or UnsafeModel with a sentence of help.
    """
    name, source, local = located(request)
    folder, revision = local or Path(), None
    if local is None:
        folder, revision = _from_hub(source, request.revision, run)
    if not (folder / "config.json").is_file():
        raise BrokenModel(f"{name} has no config.json, so it is not a model folder that transformers can read.")
    if not any(folder.glob("*.safetensors")):
        raise UnsafeModel(
            f"{name} holds no safetensors file. Other formats can run code when they are opened and are not read; "
            "save the model again with save_pretrained(safe_serialization=True)."
        )
    try:
        return Checkpoint(name, source, folder, revision, _digest(name, folder, run))
    except OSError as error:
        raise _unreadable(name, error) from error


def digest(request: ModelRequest, run: Watch = UNWATCHED) -> str:
    """The digest of a model's files, empty where it cannot be had: what tells whether it is still the same model."""
    try:
        return fetch(request, run).digest
    except ModelError:
        return ""


def deciding(folder: Path) -> set[Path]:
    """The files that decide what a model computes: weights, configuration, and all of the tokenizer."""
    return {path for pattern in _DECIDING for path in folder.glob(pattern) if path.is_file()}


def _digest(name: str, folder: Path, run: Watch) -> str:
    """The digest of a model's files, read once for as long as they do not change; reported in megabytes."""
    files = deciding(folder)
    total, done = sum(path.stat().st_size for path in files), 0

    def heard(size: int) -> None:
        nonlocal done
        done += size
        if total > _LARGE:
            run.report(Progress(f"Checking weights of {name}, megabytes", done // _MEGABYTE, total // _MEGABYTE))

    return files_digest(files, heard)


def _unreadable(name: str, error: OSError) -> BrokenModel:
    path = Path(error.filename).name if error.filename else "a file"
    return BrokenModel(f"{path} of {name} cannot be read: {error.strerror or error}.")


def _from_hub(model_id: str, revision: str | None, run: Watch) -> tuple[Path, str | None]:
    wanted: dict[str, Any] = {"revision": revision, "allow_patterns": _FILES, "ignore_patterns": ["*/*"]}
    try:
        folder = Path(snapshot_download(model_id, local_files_only=True, **wanted))
        if (folder / "config.json").is_file() and any(folder.glob("*.safetensors")):
            return folder, folder.name
    except hub.HFValidationError as error:
        raise BadModelName(f"“{model_id}” is not a model name; a hub id has the form owner/name.") from error
    except hub.LocalEntryNotFoundError:
        pass
    except OSError as error:
        raise _explained(model_id, revision, error) from error
    run.report(Progress(f"Downloading {model_id}", 0, 1))
    try:
        # One quick question first: an unreachable hub answers a download only after many retries.
        HfApi().model_info(model_id, revision=revision, timeout=_HUB_SECONDS)
        folder = Path(snapshot_download(model_id, **wanted))
    except Exception as error:  # of the hub's client, its transport, the disk and whatever else has a part in it
        raise _explained(model_id, revision, error) from error
    return folder, folder.name


def _explained(model_id: str, revision: str | None, error: Exception) -> ModelNotFound:
    """The sentence for what came of asking the hub, by the type of the error and of what lies beneath it."""
    instead = f"give the folder of a downloaded copy. Without a network {catalog.DEFAULT} always works."
    if isinstance(error, hub.GatedRepoError):
        said = f"{model_id} asks for an agreement first: accept it on the hub and log in with a token (HF_TOKEN)."
    elif isinstance(error, hub.RevisionNotFoundError):
        said = f"{model_id} has no revision “{revision}”; give a branch, tag or commit of it."
    elif isinstance(error, hub.RepositoryNotFoundError):
        said = f"The hub has no model {model_id}; check the spelling of owner and name."
    elif isinstance(error, hub.HfHubHTTPError):
        said = (
            f"{model_id} is not on this machine, and the model hub answered with error {error.response.status_code}. "
            f"Try again later, or {instead}"
        )
    elif isinstance(error, hub.OfflineModeIsEnabled):
        said = f"{model_id} is not on this machine, and HF_HUB_OFFLINE bars access to the hub. Unset it, or {instead}"
    elif disk := of_the_disk(error):
        said = f"{model_id} could not be put on this machine: {disk}. Make room or give access to the hub's cache."
    elif is_timeout(error):
        said = f"{model_id} is not on this machine, and the model hub did not answer in time. Try again, or {instead}"
    elif isinstance(error, _TRANSPORT) or is_unreachable(error):
        said = (
            f"{model_id} is not on this machine and the model hub could not be reached. Connect to the network, or "
            f"{instead}"
        )
    else:
        said = f"{model_id} could not be fetched from the model hub ({first_line(error)}). Try again, or {instead}"
    return ModelNotFound(said)
