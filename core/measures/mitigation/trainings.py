"""What all trainings have in common: settings, folders, how these are given, columns and losses. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ...engine.catalog import user_models
from ...engine.checkpoints import located, request
from ...engine.parentage import Settings
from ...engine.training.places import check, part_of
from ...errors import OptionError
from ...result import Column, Result, count, number, text
from ...spec import MOST_SEED, File
from ..measure import MeasureSpec, models_given

R = TypeVar("R", bound=Result)

MOST_SEEDS = 10

SEED = count("seed", "Of order, dropout and all else that is drawn.")
MODEL_COLUMNS: tuple[Column, ...] = (
    text("folder", "Where it lies; empty where it was not finished."),
    text("digest", "SHA-256 over its weights, configuration and tokenizer."),
    count("steps", "Steps of training."),
    number("seconds", "Of training, over all runs.", unit="s", decimals=1),
    number(
        "first_loss",
        "Mean over the first tenth of the steps, or ten of them (half of fewer than twenty).",
        "first loss",
        unit="nats",
    ),
    number("last_loss", "Mean over as many of the last steps.", "last loss", unit="nats"),
)
LOSS_COLUMNS: tuple[Column, ...] = (
    count("step", "The last of these steps, from 1."),
    number("loss", "Mean over these steps.", unit="nats"),
    number("learning_rate", "Of the last of these steps.", "learning rate", decimals=8),
)


@dataclass(frozen=True)
class Training:
    """One of the trainings of a spec: its settings, whether it is the control, and the folder of its model."""

    settings: Settings
    control: bool
    folder: Path


class TrainingSpec(MeasureSpec[R]):
    """What the specs of trainings share beside their fields: names, the folders of their models, and their checks."""

    EXAMPLE: ClassVar[Path]

    file: File | None
    seeds: int
    seed: int
    out: Path | None

    def __post_init__(self) -> None:
        """Raise OptionError for a precision or seeds that no training has."""
        super().__post_init__()
        if self.dtype != "float32":
            raise OptionError("A model is fine-tuned in float32; choose that precision.")
        if self.seed + self.seeds - 1 > MOST_SEED:
            raise OptionError(f"Seeds from {self.seed:,} on leave no room for {self.seeds}; choose a smaller seed.")

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        seeds = f"seed {self.seed}" if self.seeds == 1 else f"seeds {self.seed} to {self.seed + self.seeds - 1}"
        return " · ".join((self.TITLE, *self.models, self.name, seeds))

    @property
    def name(self) -> str:
        """What its file is called."""
        return self.EXAMPLE.name if self.file is None else self.file.name

    @property
    def folder(self) -> Path:
        """Where the models go: without a folder, among the user's other models."""
        if self.out is not None:
            return self.out
        model, _, _ = located(request(self.models[0]))
        return user_models() / f"{model}-{Path(self.name).stem}"

    @property
    def writes(self) -> Path:
        """The folder of the models."""
        return self.folder

    def trainings(self) -> tuple[Training, ...]:
        """What is trained, one after the other."""
        raise NotImplementedError

    def check_folders(self) -> None:
        """Raise OptionError for folders that cannot take the models."""
        _check_folders(self.folder, self.trainings(), self.models[0])


def out_read(path: str) -> Path | None:
    """The folder of a path; None without one."""
    return Path(path.strip()).expanduser() if path.strip() else None


def one_model(value: Any) -> tuple[str, ...]:
    """The name of the one model. Raises OptionError."""
    names = models_given(value)
    if len(names) > 1:
        raise OptionError(f"{len(names)} models chosen; one at a time is fine-tuned.")
    return names


def _check_folders(folder: Path, trainings: Sequence[Training], model: str) -> None:
    """Raise OptionError for a folder, or folders in it, that cannot take the models."""
    if folder.is_dir() and len(trainings) > 1:
        ours = {place.name for training in trainings for place in (training.folder, part_of(training.folder))}
        others = sorted(path.name for path in folder.iterdir() if path.name not in ours)
        if others:
            raise OptionError(
                f"{folder} holds something else than these fine-tuned models, such as {others[0]}; give a new or empty "
                "folder."
            )
    for training in trainings:
        check(training.folder)
        if training.folder.name == located(request(model))[0]:
            raise OptionError(f"The folder {training.folder.name} is called as its model; give it another name.")


def end_steps(count: int) -> int:
    """Of how many steps the first and the last loss are means: a tenth, or ten, of fewer than twenty half; 1 at least.

    A single step says little: what it hides is drawn.
    """
    return max(1, -(-count // 10), min(10, count // 2))


def ends(losses: Sequence[float], weights: Sequence[int]) -> tuple[float | None, float | None]:
    """Mean loss of the first and of the last steps; ``weights`` says of how many steps each loss is the mean.

    None without a step. A listed loss that reaches over the end counts whole.
    """
    wanted = end_steps(sum(weights))
    return _mean(losses, weights, wanted), _mean(losses[::-1], weights[::-1], wanted)


def _mean(losses: Sequence[float], weights: Sequence[int], wanted: int) -> float | None:
    total, count = 0.0, 0
    for loss, weight in zip(losses, weights, strict=True):
        if count >= wanted:
            break
        total, count = total + loss * weight, count + weight
    return total / count if count else None
