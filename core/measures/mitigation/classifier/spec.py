"""The inputs of the training of a text classifier."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....engine.parentage import Settings
from ....errors import OptionError
from ....inputs import Text, Upload
from ....result import Result
from ....run import Run
from ....sources.documents import MAX_BYTES
from ....sources.labelled import LabelledTexts, read_labelled
from ....sources.lists import DATA
from ....spec import File, Labelled, given, one_of, seed_field, whole
from ...measure import MODELS
from ..texts_given import file_given, file_read, path_given
from ..trainings import MOST_SEEDS, Training, TrainingSpec, one_model, out_read
from .result import ClassifierResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

EXAMPLE = DATA / "example_labelled.csv"  # of our own writing
FILE = Upload(
    "labelled_data",
    "Labelled texts",
    megabytes=MAX_BYTES >> 20,
    help="A CSV or TSV file with a column of texts and a column of labels, of which there are at least two.",
    flag="--data",
    metavar="FILE",
)
TEXT_COLUMN = Text("text_column", "Column of the texts", "text", metavar="NAME")
LABEL_COLUMN = Text("label_column", "Column of the labels", "label", metavar="NAME")
OUT = Text(
    "classifier_folder",
    "Folder for the trained model, new or that of a run to resume",
    placeholder="/path/to/folder",
    help="Without one it goes to the folder of your models. Several seeds: a folder for each inside.",
    flag="--out",
    metavar="FOLDER",
)


class Rate(Labelled):
    """AdamW's learning rate at its highest."""

    AUTHORS = "2e-5", "2e-5 (Irani et al., code)"
    HIGHER = "5e-5", "5e-5"
    LOW = "1e-5", "1e-5"
    HIGH = "1e-4", "1e-4"
    HIGHEST = "1e-3", "1e-3"


def _column_given(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise OptionError("No column is named; give the heading of a column of the file.")
    return value.strip()


@dataclass(frozen=True, kw_only=True)
class ClassifierSpec(TrainingSpec[ClassifierResult]):
    """The inputs of the training of a text classifier (Irani et al. 2020).

    Parameters
    ----------
    file : File, its path, or None
        The labelled texts, a CSV or TSV file. None: the example.
    text_column, label_column : str
        The headings of its columns of texts and of labels.
    epochs, max_steps : int
        Times that the texts are read; steps after which a training ends earlier, 0 for none.
    batch : int
        Texts a step.
    rate : Rate
        AdamW's learning rate, which falls linearly to 0.
    warmup : int
        Percent of the steps over which the learning rate rises first.
    length : int
        Tokens that a text is cut to, special ones included.
    seeds : int
        Trainings, each with its own seed, from ``seed`` on.
    seed : int
        The first seed.
    out : Path, text, or None
        Takes the model. None: a folder beside the user's other models.
    """

    EXAMPLE: ClassVar[Path] = EXAMPLE
    RESULT: ClassVar[type[Result]] = ClassifierResult
    COMMAND: ClassVar[str] = "classify"
    TITLE: ClassVar[str] = "Text classifier"
    DESCRIPTION: ClassVar[str] = (
        "Trains a model to tell labels of texts apart, as models are fine-tuned for use, and prints how many of the "
        "texts held out it gets right, before and after, beside the majority label. The model becomes a folder whose "
        "encoder the association tests read, so that a bias can be measured before and after. Stopped or killed, run "
        "the same command again to resume."
    )

    models: tuple[str, ...] = given(
        replace(MODELS, label="Model, one at a time"), read=one_model, default=MODELS.default, coerce=one_model
    )
    file: File | None = given(FILE, read=file_read, default=None, coerce=file_given)
    text_column: str = given(TEXT_COLUMN, read=_column_given, default=TEXT_COLUMN.default, coerce=_column_given)
    label_column: str = given(LABEL_COLUMN, read=_column_given, default=LABEL_COLUMN.default, coerce=_column_given)
    epochs: int = whole(
        "Epochs", 4, 1, 100, help="Times that the texts are read.", flag="--epochs", name="classifier_epochs"
    )
    max_steps: int = whole(
        "At most so many steps",
        0,
        0,
        10_000_000,
        help="0: those of all epochs.",
        flag="--max-steps",
        name="classifier_steps",
    )
    batch: int = whole("Texts a step", 32, 1, 256, flag="--batch", name="classifier_batch")
    rate: Rate = one_of(Rate, "Learning rate", flag="--rate", name="classifier_rate")
    warmup: int = whole(
        "Warm-up, % of the steps",
        0,
        0,
        50,
        help="Over which the learning rate rises.",
        flag="--warmup",
        name="classifier_warmup",
    )
    length: int = whole(
        "Tokens read of a text",
        64,
        8,
        8192,
        help="The rest of it is cut off.",
        flag="--length",
        name="classifier_length",
    )
    seeds: int = whole(
        "Seeds",
        1,
        1,
        MOST_SEEDS,
        help="Trainings, each with its own seed; three show the spread.",
        flag="--seeds",
        name="classifier_seeds",
    )
    seed: int = seed_field()
    out: Path | None = given(OUT, read=out_read, default=None, coerce=path_given)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; file and folders are looked at, so faults are said at once."""
        spec = super().of(values)
        spec.labelled()
        spec.check_folders()
        return spec

    def labelled(self) -> LabelledTexts:
        """The texts and their labels. Raises InputError."""
        return _labelled(self.file, self.text_column, self.label_column)

    def trainings(self) -> tuple[Training, ...]:
        """What is trained, seed by seed."""
        folder = self.folder
        return tuple(
            Training(
                Settings(
                    epochs=self.epochs,
                    max_steps=self.max_steps,
                    batch=self.batch,
                    rate=float(self.rate.value),
                    warmup=self.warmup / 100,
                    hidden=0.0,
                    length=self.length,
                    seed=seed,
                ),
                False,
                folder if self.seeds == 1 else folder / f"{folder.name}-seed-{seed}",
            )
            for seed in range(self.seed, self.seed + self.seeds)
        )

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> ClassifierResult:
        """Train the loaded model, resuming from what the folder holds."""
        from . import compute

        return compute.measure(self, models, run)


@functools.lru_cache(maxsize=4)
def _labelled(file: File | None, text_column: str, label_column: str) -> LabelledTexts:
    content, name = (EXAMPLE.read_bytes(), EXAMPLE.name) if file is None else (file.data, file.name)
    return read_labelled(content, name, text_column, label_column)
