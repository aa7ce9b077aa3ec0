"""The inputs of coreference skew."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....errors import OptionError
from ....inputs import Upload
from ....result import Result
from ....run import Run
from ....sources import benchmarks
from ....sources.benchmarks import Data, PronounItem
from ....sources.benchmarks.answers import WinoAnswers, demonstration, read_answers
from ....spec import File, given, seed_field
from ...measure import MeasureSpec
from .result import CoreferenceResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

_MEGABYTES = benchmarks.MAX_BYTES >> 20


def _upload(name: str, label: str, help: str, flag: str) -> Any:
    option = Upload(name, label, several=True, megabytes=_MEGABYTES, help=help, flag=flag, metavar="FILE")
    return given(option, read=tuple, default=(), coerce=tuple)


@functools.lru_cache(maxsize=4)
def _sentences(files: tuple[File, ...]) -> Data[PronounItem]:
    return benchmarks.WINOBIAS.read([(file.data, file.name) for file in files])


@functools.lru_cache(maxsize=8)
def _answers(file: File) -> WinoAnswers:
    return read_answers(file.data, file.name)


@dataclass(frozen=True, kw_only=True)
class CoreferenceSpec(MeasureSpec[CoreferenceResult]):
    """The inputs of coreference skew (metrics: downstream; de Vassimon Manela et al. 2021).

    Parameters
    ----------
    sentences : tuple of File
        WinoBias: the published text files, or a table. None: sentences of our own, a demonstration.
    answers : tuple of File
        Answers of other resolvers on these sentences: pronouns chosen, or whom the pronoun was found to refer to.
    seed : int
        For the bootstraps.
    """

    RESULT: ClassVar[type[Result]] = CoreferenceResult
    COMMAND: ClassVar[str] = "coreference"
    TITLE: ClassVar[str] = "Coreference skew on WinoBias"
    DESCRIPTION: ClassVar[str] = (
        "Is a pronoun matched to the right occupation as often when that is against the stereotype, and as often for "
        "women as for men? Models choose the pronoun, on your WinoBias files (without files: a demonstration on "
        "sentences of our own). A positive difference means a higher F1 for feminine pronouns, or where the pronoun "
        "follows the stereotype."
    )

    sentences: tuple[File, ...] = _upload(
        "wino_sentences",
        "WinoBias",
        "The published text files (pro and anti of each type and split), or a table of them.",
        "--data",
    )
    answers: tuple[File, ...] = _upload(
        "wino_answers",
        "Answers of other resolvers",
        "CSV or TSV with type, condition, split, number and answer: a pronoun chosen, or whom it refers to.",
        "--predictions",
    )
    seed: int = seed_field("wino_seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.answers and not self.sentences:
            raise OptionError("Answers need the sentences they belong to; give your WinoBias files (--data) too.")

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; its files are read, so that a fault in them is said at once."""
        spec = super().of(values)
        spec.items()
        spec.predictions()
        return spec

    @property
    def is_demonstration(self) -> bool:
        """Whether no sentence is the user's."""
        return not self.sentences

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        names = [file.name for file in (*self.sentences, *self.answers)] or ["demonstration"]
        return " · ".join((self.TITLE, *names, *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where sentences and answers are from."""
        return (self.items().source, *(found.source for found in self.predictions()))

    def items(self) -> Data[PronounItem]:
        """The pairs of sentences. Raises InputError for files that cannot be used."""
        return _sentences(self.sentences) if self.sentences else demonstration()

    def predictions(self) -> tuple[WinoAnswers, ...]:
        """The answers of other resolvers. Raises InputError for files that cannot be used."""
        found = tuple(map(_answers, self.answers))
        if not found:
            return ()
        names = {item.item for item in self.items().items}
        for answers in found:
            if names.isdisjoint(of for of, _ in answers.answers):
                raise OptionError(
                    f"No row of {answers.name} is one of the sentences (such as {min(names)}); give the answers on "
                    "these."
                )
        return found

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> CoreferenceResult:
        """Measure with the loaded models, which are those of the spec."""
        from . import compute

        return compute.measure(self, models, run)
