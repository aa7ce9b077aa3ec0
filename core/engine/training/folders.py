"""The folder of a fine-tuned model: written whole or not at all, and the state that a training resumes from.

Beside the folder NAME lies ``.NAME.part`` until the model is whole: weights and the optimizer's moments in a file of
safetensors, the rest in a JSON file that names it. Nothing is pickled, and only what was written here is read.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from ...errors import ExportError, OptionError, SavedFileError
from ...plain import plain, restored
from ...sources.digests import file_digest
from ...sources.failures import first_line, of_the_disk
from .. import parentage
from ..parentage import Parentage
from .places import part_of

HISTORY = "training.json"
_STATE = "state.json"


@dataclass(frozen=True)
class Step:
    """The mean loss (nats) of the steps since the last one that is listed, and the learning rate of this one."""

    step: int
    loss: float
    rate: float


@dataclass(frozen=True)
class History:
    """How a training went: its steps and its seconds of work."""

    steps: tuple[Step, ...]
    seconds: float


@dataclass(frozen=True)
class _Saved:
    """What the JSON file of a state holds; ``tensors`` is the name of its safetensors file."""

    parentage: Parentage
    done: int
    losses: tuple[float, ...]
    seconds: float
    tensors: str
    sha256: str


@dataclass(frozen=True, eq=False)
class State:
    """A training under way: steps done, the loss of each, seconds of work, and tensors by name."""

    done: int
    losses: tuple[float, ...]
    seconds: float
    tensors: Mapping[str, torch.Tensor]


def finished(folder: Path, wanted: Parentage) -> History | None:
    """How the training of the model in a folder went; None where there is no model yet.

    Raises OptionError for a model of another training.
    """
    found = parentage.read(folder)
    if found is None:
        return None
    if found != wanted:
        raise OptionError(
            f"{folder} holds a model of another fine-tuning ({found.sentence.rstrip('.')}); give another folder."
        )
    try:
        history: History = restored(History, json.loads((folder / HISTORY).read_text(encoding="utf-8")))
    except (OSError, ValueError, SavedFileError) as error:
        raise OptionError(f"{folder / HISTORY} cannot be read; give another folder.") from error
    return history


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Hold the place of a folder's state for one training at a time.

    Raises OptionError where another one trains into this folder, ExportError where the disk refuses.
    """
    part = part_of(folder)
    with writing(folder):
        part.mkdir(parents=True, exist_ok=True)
    lock = FileLock(part / "lock")
    try:
        with lock.acquire(timeout=0):
            yield part
    except Timeout:
        raise OptionError(f"Another fine-tuning writes to {folder}; wait for it, or give another folder.") from None


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into a sentence."""
    try:
        yield
    except (OSError, SafetensorError) as error:
        raise ExportError(
            f"{folder} cannot be written ({of_the_disk(error) or first_line(error)}); nothing is lost: make room or "
            "give access, and start it again to resume."
        ) from error


def save_state(folder: Path, identity: Parentage, state: State) -> None:
    """Keep a state in place of the last one: the JSON file is replaced when the tensors are whole."""
    part = part_of(folder)
    name = f"state-{state.done}.safetensors"
    with writing(folder):
        try:
            save_file({key: tensor.contiguous() for key, tensor in state.tensors.items()}, part / f"{name}.tmp")
            (part / f"{name}.tmp").replace(part / name)
            saved = _Saved(identity, state.done, state.losses, state.seconds, name, file_digest(part / name))
            (part / f"{_STATE}.tmp").write_text(json.dumps(plain(saved)), encoding="utf-8")
            (part / f"{_STATE}.tmp").replace(part / _STATE)
        finally:
            for path in part.glob("*.tmp"):
                path.unlink()
        for path in part.glob("state-*.safetensors"):
            if path.name != name:
                path.unlink()


def load_state(folder: Path, identity: Parentage) -> State | None:
    """The state that a training resumes from; None where there is none.

    Raises OptionError for that of another training, or one that is damaged.
    """
    part = part_of(folder)
    if not (part / _STATE).is_file():
        return None
    other = f"delete {part} to start anew, or give another folder."
    try:
        saved: _Saved = restored(_Saved, json.loads((part / _STATE).read_text(encoding="utf-8")))
        whole = Path(saved.tensors).name == saved.tensors and file_digest(part / saved.tensors) == saved.sha256
        tensors = load_file(part / saved.tensors) if whole else None
    except (OSError, ValueError, SafetensorError, SavedFileError) as error:
        raise OptionError(f"What was kept to resume the fine-tuning into {folder} is damaged; {other}") from error
    if tensors is None:
        raise OptionError(f"What was kept to resume the fine-tuning into {folder} is damaged; {other}")
    if saved.parentage != identity:
        raise OptionError(f"{part} holds an unfinished fine-tuning of another model, text or settings; {other}")
    return State(saved.done, saved.losses, saved.seconds, tensors)


def publish(folder: Path, identity: Parentage, history: History, module: Any, tokenizer_of: Path) -> None:
    """Write the model, its tokenizer's files and its parentage beside the folder, then put them there as a whole."""
    part = part_of(folder)
    made = part / "model"
    with writing(folder):
        shutil.rmtree(made, ignore_errors=True)
        try:
            made.mkdir()
            module.save_pretrained(made)
            for path in _tokenizer_files(tokenizer_of):
                shutil.copyfile(path, made / path.name)
            (made / HISTORY).write_text(json.dumps(plain(history)), encoding="utf-8")
            identity.write(made)
            if folder.is_dir():
                folder.rmdir()  # it was checked to be empty
            made.replace(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    shutil.rmtree(part, ignore_errors=True)


def _tokenizer_files(folder: Path) -> list[Path]:
    from ..checkpoints import deciding

    return sorted(
        path
        for path in deciding(folder)
        if path.suffix != ".safetensors" and path.name not in ("config.json", "model.safetensors.index.json")
    )
