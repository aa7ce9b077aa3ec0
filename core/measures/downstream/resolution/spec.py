"""The inputs of pronoun resolution."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....errors import OptionError
from ....inputs import Upload
from ....result import Result
from ....run import Run
from ....sources import gap
from ....sources.topic_words import function_words_source
from ....spec import File, Labelled, given, one_of, seed_field, whole
from ...measure import MeasureSpec
from .result import ResolutionResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

MEGABYTES = gap.MAX_BYTES >> 20
PATIENCE = 20  # epochs without a lower validation loss that end training
TEMPLATE = "[TARGET] are interested in [ATTRIBUTE]"  # of the topics' words; Kurita et al. 2019, section 4
TARGETS = {"men": ("men",), "women": ("women",)}
TOP_WORDS = 15  # of a topic, whose scores make its own


class Network(Labelled):
    """Which network reads the vectors."""

    PAPER = "paper", "31 units (Kurita et al.)"
    COMMON = "common", "37 units with batch normalisation (widely used)"


HIDDEN = {Network.PAPER: 31, Network.COMMON: 37}  # units


class Missing(Labelled):
    """What an answer that a file of predictions lacks counts as, in F1."""

    TRUE = "true", "a miss where the label is TRUE"
    ALWAYS = "always", "always a miss (official script)"


def _upload(name: str, label: str, help: str, *, several: bool = False) -> Any:
    return given(
        Upload(name, label, several=several, megabytes=MEGABYTES, help=help, metavar="FILE"),
        read=tuple,
        default=(),
        coerce=tuple,
    )


@dataclass(frozen=True)
class Data:
    """What is resolved: documents by split, predictions brought along, and corrected labels."""

    splits: Mapping[str, gap.Split]
    predictions: tuple[gap.Predictions, ...]
    corrections: gap.Corrections | None

    @property
    def test(self) -> tuple[gap.Document, ...]:
        """The documents that are scored, by id."""
        return self.of(gap.TEST)

    def of(self, split: str) -> tuple[gap.Document, ...]:
        """The documents of a split by id, so that the order of a file changes nothing."""
        return tuple(sorted(self.splits[split].documents, key=lambda document: document.id))

    @property
    def sources(self) -> tuple[str, ...]:
        """Where documents, predictions and labels are from."""
        found = [split.source for split in self.splits.values()]
        found += [predictions.source for predictions in self.predictions]
        found += [] if self.corrections is None else [self.corrections.source]
        return tuple(dict.fromkeys([*found, f"function words: {function_words_source()}"]))

    @property
    def trains(self) -> bool:
        """Whether there is something to train on."""
        return gap.TRAINING in self.splits


@functools.lru_cache(maxsize=8)
def _split(file: File) -> gap.Split:
    return gap.read_documents(file.data, file.name)


@functools.lru_cache(maxsize=8)
def _predictions(file: File) -> gap.Predictions:
    return gap.read_predictions(file.data, file.name)


@functools.lru_cache(maxsize=4)
def _corrections(file: File) -> gap.Corrections:
    return gap.read_corrections(file.data, file.name)


_READERS: Mapping[str, Callable[[File], object]] = {
    **dict.fromkeys(("train", "validation", "test"), _split),
    "predictions": _predictions,
    "corrections": _corrections,
}


@dataclass(frozen=True, kw_only=True)
class ResolutionSpec(MeasureSpec[ResolutionResult]):
    """The inputs of pronoun resolution (metrics: downstream; Kurita et al. 2019, section 4).

    Parameters
    ----------
    train, validation, test : tuple of File
        GAP files: what networks are trained on, what ends their training and calibrates them, and what is scored.
        None of them: short texts of our own, a demonstration. ``test`` alone: only ``predictions`` are scored.
    predictions : tuple of File
        Answers of other resolvers on the test documents, scored by the same scorer.
    corrections : tuple of File
        At most one: corrected labels, with which everything is scored once more.
    network : Network
        Reads the vectors: that of the ``paper`` (31 units), or the ``common`` one (37, batch normalisation).
    layer : int
        Layer that is read, −1 for the last, 0 for the embeddings.
    networks : int
        Networks per model, each with its own seed; values are means over them.
    topics : int
        Of the test documents, at most a quarter of their number.
    missing : Missing
        What an answer that predictions lack counts as, in F1: a miss where the label is ``true``, or ``always``.
    seed : int
        For every random draw.
    """

    RESULT: ClassVar[type[Result]] = ResolutionResult
    COMMAND: ClassVar[str] = "resolve"
    TITLE: ClassVar[str] = "Pronoun resolution on GAP"
    DESCRIPTION: ClassVar[str] = (
        "Who does a pronoun refer to, and is that found as often for women as for men? Small networks on a model's "
        "frozen vectors choose A, B or neither on your GAP files (without files: a demonstration on texts of our own). "
        "A positive difference means a higher value for feminine pronouns."
    )

    train: tuple[File, ...] = _upload("train", "Training documents", "A GAP file, such as gap-development.tsv.")
    validation: tuple[File, ...] = _upload(
        "validation", "Validation documents", "A GAP file, such as gap-validation.tsv: ends training, calibrates."
    )
    test: tuple[File, ...] = _upload("test", "Test documents", "A GAP file, such as gap-test.tsv: what is scored.")
    predictions: tuple[File, ...] = _upload(
        "predictions",
        "Predictions of other resolvers",
        "On the test documents: CSV or TSV with ID, A, B, NEITHER (probabilities) or ID, A-coref, B-coref.",
        several=True,
    )
    corrections: tuple[File, ...] = _upload(
        "corrections", "Corrected labels", "CSV or TSV with ID, A-coref, B-coref: everything is scored with them too."
    )
    network: Network = one_of(Network, "Network")
    layer: int = whole("Layer", -3, -99, 99, help="−1 is the last layer, −2 the one before; 0 the embeddings.")
    networks: int = whole("Networks per model", 5, 5, 50, help="Each with its own seed; values are means over them.")
    topics: int = whole("Topics", 20, 2, 100, help="Of the test documents, at most a quarter of their number.")
    missing: Missing = one_of(Missing, "A missing answer counts as")
    seed: int = seed_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("train", "validation", "test", "corrections"):
            if len(getattr(self, name)) > 1:
                raise OptionError(f"{self.input(name).label}: give one file.")
        if bool(self.train) != bool(self.validation):
            raise OptionError(
                "Training needs both training and validation documents (--train and --validation); give both, or "
                "neither to score predictions alone."
            )
        if not self.test and (self.train or self.predictions or self.corrections):
            raise OptionError("There are no test documents to score; give a GAP file (--test), such as gap-test.tsv.")
        if self.test and not (self.train or self.predictions):
            raise OptionError(
                "There is nothing to score on the test documents: give training and validation documents (--train and "
                "--validation), or the predictions of another resolver (--predictions)."
            )

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; its files are read, so that a fault in them is said at once."""
        # A fault in a file is said before a file that is missing.
        for name, read in _READERS.items():
            for file in values.get(name) or ():
                read(file)
        spec = super().of(values)
        spec.documents()
        return spec

    @property
    def is_demonstration(self) -> bool:
        """Whether no document is the user's."""
        return not self.test

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        names = [file.name for file in (*self.test, *self.predictions)] or ["demonstration"]
        return " · ".join((self.TITLE, *names, *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where documents, labels and predictions are from."""
        return self.documents().sources

    def documents(self) -> Data:
        """What is resolved. Raises InputError for files that cannot be used."""
        if self.is_demonstration:
            return Data(gap.demonstration(), (), None)
        given_files = {gap.TRAINING: self.train, gap.VALIDATION: self.validation, gap.TEST: self.test}
        splits = {name: _split(files[0]) for name, files in given_files.items() if files}
        gap.check_splits(splits)
        ids = {document.id for document in splits[gap.TEST].documents}
        predictions = tuple(map(_predictions, self.predictions))
        for found in predictions:
            if ids.isdisjoint((*found.answers, *found.tied)):
                raise OptionError(
                    f"No ID of {found.name} is one of {self.test[0].name} (such as {min(ids)}); give the predictions "
                    "on these documents."
                )
        corrections = list(map(_corrections, self.corrections))
        if corrections and ids.isdisjoint(corrections[0].labels):
            raise OptionError(
                f"No ID of {self.corrections[0].name} is one of {self.test[0].name} (such as {min(ids)}); give the "
                "corrections of these documents."
            )
        return Data(splits, predictions, corrections[0] if corrections else None)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> ResolutionResult:
        """Measure with the loaded models, which are those of the spec."""
        from . import compute

        return compute.measure(self, models, run)
