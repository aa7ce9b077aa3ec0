"""The inputs of a fine-tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....engine.parentage import Settings
from ....errors import OptionError
from ....inputs import Text, Upload
from ....result import Result
from ....run import Run
from ....sources.documents import MAX_BYTES, DocumentFile
from ....spec import File, Labelled, given, one_of, seed_field, whole
from ...measure import MODELS
from ..texts_given import EXAMPLE, documents_of, file_given, file_read, path_given
from ..trainings import MOST_SEEDS, Training, TrainingSpec, one_model, out_read
from .result import TuningResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

OUT = Text(
    "tuned_folder",
    "Folder for the fine-tuned model, new or that of a run to resume",
    placeholder="/path/to/folder",
    help="Without one it goes to the folder of your models. Several seeds or a control: a folder for each inside.",
    flag="--out",
    metavar="FOLDER",
)


class Rate(Labelled):
    """AdamW's learning rate at its highest."""

    PAPER = "5e-5", "5e-5 (Bartl et al., text)"
    CODE = "2e-5", "2e-5 (Bartl et al., code)"
    LOW = "1e-5", "1e-5"
    HIGH = "1e-4", "1e-4"
    ADAPTERS = "3e-4", "3e-4"
    HIGHEST = "1e-3", "1e-3"


DATA = Upload(
    "tuning_data",
    "Text",
    megabytes=MAX_BYTES >> 20,
    help="Plain text: a document is a paragraph, or a line where no line between texts is empty. Or a GAP file.",
    flag="--data",
    metavar="FILE",
)
CONTROL = Upload(
    "tuning_control",
    "Control, the same text unswapped",
    megabytes=MAX_BYTES >> 20,
    help="The same trainings on it: what any fine-tuning changes.",
    flag="--control",
    metavar="FILE",
)


@dataclass(frozen=True, kw_only=True)
class TuningSpec(TrainingSpec[TuningResult]):
    """The inputs of a fine-tuning (Bartl et al. 2020, section 4.5).

    Parameters
    ----------
    file : File, its path, or None
        The text: plain, or a GAP file. None: the example documents.
    control : File, its path, or None
        The same text unswapped, on which the same trainings are done again. None: no control.
    epochs, max_steps : int
        Times that the text is read; steps after which a training ends earlier, 0 for none.
    batch : int
        Documents a step.
    rate : Rate
        AdamW's learning rate, which falls linearly to 0.
    warmup : int
        Percent of the steps over which the learning rate rises first.
    hidden : int
        Percent of the tokens that are predicted.
    lora : int
        Rank of low-rank adapters that are trained in place of all weights; 0 for all weights.
    seeds : int
        Trainings, each with its own seed, from ``seed`` on.
    seed : int
        The first seed.
    out : Path, text, or None
        Takes the model. None: a folder beside the user's other models.
    """

    EXAMPLE: ClassVar[Path] = EXAMPLE
    RESULT: ClassVar[type[Result]] = TuningResult
    COMMAND: ClassVar[str] = "finetune"
    TITLE: ClassVar[str] = "Fine-tuning"
    DESCRIPTION: ClassVar[str] = (
        "Trains a masked model further on a text, such as one with swapped genders: some of the tokens are hidden, and "
        "it learns to predict them. The model becomes a folder that every command takes, and stands in the list of "
        "models. Prints the loss, and the pseudo-perplexity on documents held out before and after: above 0, the "
        "text is predicted less well than before. Stopped or killed, run the same command again to resume."
    )

    models: tuple[str, ...] = given(
        replace(MODELS, label="Model, one at a time"), read=one_model, default=MODELS.default, coerce=one_model
    )
    file: File | None = given(DATA, read=file_read, default=None, coerce=file_given)
    control: File | None = given(CONTROL, read=file_read, default=None, coerce=file_given)
    epochs: int = whole("Epochs", 3, 1, 100, help="Times that the text is read.")
    max_steps: int = whole("At most so many steps", 0, 0, 10_000_000, help="0: those of all epochs.")
    batch: int = whole("Documents a step", 1, 1, 256)
    rate: Rate = one_of(Rate, "Learning rate")
    warmup: int = whole("Warm-up, % of the steps", 0, 0, 50, help="Over which the learning rate rises.")
    hidden: int = whole("Tokens predicted, %", 15, 1, 80, help="80 % of them masked, 10 % replaced, 10 % kept.")
    lora: int = whole("LoRA rank", 0, 0, 256, help="Of low-rank adapters that are trained; 0: all weights.")
    seeds: int = whole("Seeds", 1, 1, MOST_SEEDS, help="Trainings, each with its own seed; three show the spread.")
    seed: int = seed_field()
    out: Path | None = given(OUT, read=out_read, default=None, coerce=path_given)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; files and folders are looked at, so faults are said at once."""
        spec = super().of(values)
        spec.documents()
        spec.control_documents()
        spec.check_folders()
        return spec

    def documents(self) -> DocumentFile:
        """The documents of the text. Raises InputError."""
        return documents_of(self.file)

    def control_documents(self) -> DocumentFile | None:
        """Those of the control. Raises InputError."""
        if self.control is None:
            return None
        found, own = documents_of(self.control), self.documents()
        if len(found.documents) != len(own.documents):
            raise OptionError(
                f"{found.name} has {len(found.documents):,} documents and {own.name} {len(own.documents):,}; give the "
                "same text before it was swapped as the control."
            )
        return found

    def trainings(self) -> tuple[Training, ...]:
        """What is trained, seed by seed, each followed by its control."""
        folder, kinds = self.folder, (False,) if self.control is None else (False, True)
        alone = self.seeds == 1 and self.control is None
        return tuple(
            Training(
                Settings(
                    epochs=self.epochs,
                    max_steps=self.max_steps,
                    batch=self.batch,
                    rate=float(self.rate.value),
                    warmup=self.warmup / 100,
                    hidden=self.hidden / 100,
                    lora_rank=self.lora,
                    seed=seed,
                ),
                control,
                folder if alone else folder / f"{folder.name}-{'control-' if control else ''}seed-{seed}",
            )
            for seed in range(self.seed, self.seed + self.seeds)
            for control in kinds
        )

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> TuningResult:
        """Fine-tune the loaded model, resuming from what the folder holds."""
        from . import compute

        return compute.measure(self, models, run)
