"""The inputs of occupation classification."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....errors import OptionError
from ....inputs import Text, Upload
from ....result import Result
from ....run import Run
from ....sources import BLS_YEARS
from ....sources.biographies import (
    MAX_BYTES,
    Biographies,
    Classifications,
    Columns,
    demonstration,
    read_biographies,
    read_classifications,
)
from ....sources.first_names import names_source
from ....spec import File, Labelled, given, one_of, seed_field, whole
from ...measure import MeasureSpec
from .result import AS_THEY_ARE, SCRUBBED, OccupationResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

YEAR = BLS_YEARS[0]  # of the labour statistics
_MEGABYTES = MAX_BYTES >> 20


class Vector(Labelled):
    """Which vector of a text the classifier reads."""

    MEAN = "mean", "Mean of all tokens"
    FIRST = "first", "First token ([CLS]; of causal models the last)"


class Texts(Labelled):
    """Whether the classifier sees pronouns and names."""

    PLAIN = "plain", "As they are"
    SCRUBBED = "scrubbed", "Pronouns, titles and first names scrubbed"
    BOTH = "both", "Both, side by side"


class Erase(Labelled):
    """What is erased from the vectors before the classifier is trained."""

    NOTHING = "nothing", "Nothing"
    LEACE = "leace", "Gender, as far as it is linear (LEACE)"
    BOTH = "both", "Both, side by side"


POOLING = {Vector.MEAN: "span-mean", Vector.FIRST: "first-token"}
SEEN = {Texts.PLAIN: (AS_THEY_ARE,), Texts.SCRUBBED: (SCRUBBED,), Texts.BOTH: (AS_THEY_ARE, SCRUBBED)}
ERASED = {Erase.NOTHING: (False,), Erase.LEACE: (True,), Erase.BOTH: (False, True)}


def _upload(name: str, label: str, help: str, flag: str, *, several: bool = False) -> Any:
    option = Upload(name, label, several=several, megabytes=_MEGABYTES, help=help, flag=flag, metavar="FILE")
    return given(option, read=tuple, default=(), coerce=tuple)


def _column(name: str, label: str, default: str, flag: str, help: str) -> Any:
    option = Text(name, label, default, help=help, flag=flag, metavar="COLUMN")
    return given(option, read=str, default=default, coerce=lambda value: str(value).strip())


@functools.lru_cache(maxsize=4)
def _biographies(file: File, columns: Columns) -> Biographies:
    return read_biographies(file.data, file.name, columns)


@functools.lru_cache(maxsize=8)
def _classifications(file: File) -> Classifications:
    return read_classifications(file.data, file.name)


@dataclass(frozen=True, kw_only=True)
class OccupationSpec(MeasureSpec[OccupationResult]):
    """The inputs of occupation classification (metrics: downstream; De-Arteaga et al. 2019).

    Parameters
    ----------
    biographies : tuple of File
        At most one: a table with a column of texts, of occupations and of genders. None, and no predictions either:
        short biographies of our own, a demonstration.
    predictions : tuple of File
        What other classifiers made of biographies: true, predicted, gender.
    text, occupation, gender, split : str
        What the columns are called; ``split`` (train, test) is empty where the texts are to be split here.
    texts : Texts
        Whether the classifier reads texts as they are, scrubbed of pronouns, titles and first names, or both.
    vector : Vector
        Which vector of a text it reads.
    erase : Erase
        Whether gender is erased from the vectors (LEACE, fitted on those of the training texts by their gender), or
        both: with and without. Predictions have no vectors.
    layer : int
        Layer that is read, −1 for the last, 0 for the embeddings.
    seed : int
        For the split and the bootstraps.
    """

    RESULT: ClassVar[type[Result]] = OccupationResult
    COMMAND: ClassVar[str] = "occupations"
    TITLE: ClassVar[str] = "Occupation classification"
    DESCRIPTION: ClassVar[str] = (
        "Is the occupation of a biography recognised as often for women as for men? A linear classifier on a model's "
        "frozen vectors, trained on your biographies (without files: a demonstration on texts of our own). A positive "
        "gap means that women of an occupation are recognised more often."
    )

    biographies: tuple[File, ...] = _upload(
        "bios", "Biographies", "CSV or TSV with a column of texts, of occupations and of genders.", "--data"
    )
    predictions: tuple[File, ...] = _upload(
        "bios_predictions",
        "Predictions of other classifiers",
        "CSV or TSV with true, predicted and gender.",
        "--predictions",
        several=True,
    )
    text: str = _column("bios_text", "Column of texts", "text", "--text", "In the file of biographies.")
    occupation: str = _column("bios_occupation", "Column of occupations", "occupation", "--occupation", "As above.")
    gender: str = _column("bios_gender", "Column of genders", "gender", "--gender", "male or female, m or f.")
    split: str = _column(
        "bios_split", "Column of splits", "", "--split", "train or test; empty: the texts are split here."
    )
    texts: Texts = one_of(Texts, "Texts", flag="--texts", name="bios_texts")
    vector: Vector = one_of(Vector, "Vector of a text", flag="--vector", name="bios_vector")
    layer: int = whole(
        "Layer", -1, -99, 99, help="−1 is the last layer, 0 the embeddings.", flag="--layer", name="bios_layer"
    )
    erase: Erase = one_of(
        Erase,
        "Erased from the vectors",
        help="A mitigation without training, fitted on the vectors of the training texts by their gender. Predictions "
        "have no vectors and stay as they are.",
        flag="--erase",
        name="bios_erase",
    )
    seed: int = seed_field("bios_seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.biographies) > 1:
            raise OptionError("Biographies: give one file.")
        for name in ("text", "occupation", "gender"):
            if not getattr(self, name):
                raise OptionError(f"{self.input(f'bios_{name}').label}: say what it is called.")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; its files are read, so that a fault in them is said at once."""
        spec = super().of(values)
        spec.texts_given()
        spec.classifications()
        return spec

    @property
    def is_demonstration(self) -> bool:
        """Whether no row is the user's."""
        return not self.biographies and not self.predictions

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        names = [file.name for file in (*self.biographies, *self.predictions)] or ["demonstration"]
        return " · ".join((self.TITLE, *names, *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where biographies, predictions and lists are from."""
        given_texts = self.texts_given()
        found = [] if given_texts is None else [given_texts.source]
        found += [classified.source for classified in self.classifications()]
        return (*found, *([] if self.texts == Texts.PLAIN or given_texts is None else [str(names_source())]))

    def texts_given(self) -> Biographies | None:
        """The biographies; None where there are predictions alone. Raises InputError for a file that is none."""
        if self.is_demonstration:
            return demonstration()
        columns = Columns(self.text, self.occupation, self.gender, self.split)
        return _biographies(self.biographies[0], columns) if self.biographies else None

    def classifications(self) -> tuple[Classifications, ...]:
        """What other classifiers made of biographies. Raises InputError for files that cannot be used."""
        return tuple(map(_classifications, self.predictions))

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> OccupationResult:
        """Measure with the loaded models, which are those of the spec."""
        from . import compute

        return compute.measure(self, models, run)
