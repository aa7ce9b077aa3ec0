"""The inputs of a benchmark."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...engine.checkpoints import ModelRequest
from ...errors import OptionError
from ...inputs import Choice, Text, Upload
from ...plain import canonical
from ...result import Result
from ...run import UNWATCHED, Run, Watch
from ...sources.benchmarks import MAX_BYTES, Data, NounGroups, Words, own_words, published_words
from ...sources.parsing import parse_words
from ...sources.published import Entry
from ...spec import File, given, one_of, seed_field
from ..comparable import Comparable
from ..shared.published import ShelvedSpec, published_field
from .benchmark import Benchmark
from .choices import Average, Fills, Pieces, Sentences
from .published import joined, obstacle
from .registry import BENCHMARKS, benchmark
from .result import BenchmarkResult, compared_items, compared_summaries

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

OWN = "own"
_LISTS = {"names": "first names", "nouns": "nouns for people"}
_FIRST = benchmark("disco")  # needs no file: a first visit has a result


@dataclass(frozen=True)
class TwoGroups:
    """The words of DisCo: a published list by its name, or where that is empty the user's own words."""

    published: str = "names"
    female: tuple[str, ...] = ()
    male: tuple[str, ...] = ()

    def data(self) -> Data[NounGroups]:
        """The words in their templates. Raises InputError."""
        return published_words(self.published) if self.published else own_words(self.female, self.male)


def _words_read(chosen: str, female: str, male: str) -> TwoGroups:
    return TwoGroups("", parse_words(female), parse_words(male)) if chosen == OWN else TwoGroups(chosen)


def _words_given(value: Any) -> TwoGroups:
    """The words from a list's name, or from two sequences, female first. Raises InputError."""
    if isinstance(value, TwoGroups):
        found = value
    elif isinstance(value, str):
        found = TwoGroups(value)
    else:
        female, male = value
        found = TwoGroups("", tuple(female), tuple(male))
    found.data()  # refuses what cannot be asked
    return found


@functools.lru_cache(maxsize=4)
def _of_files(name: str, files: tuple[File, ...]) -> Data[Any]:
    return benchmark(name).read([(file.data, file.name) for file in files])


@functools.lru_cache(maxsize=8)
def _of_data_set(name: str, data_set: str) -> Data[Any]:
    return benchmark(name).named(data_set)


@dataclass(frozen=True, kw_only=True)
class BenchmarkSpec(ShelvedSpec[BenchmarkResult]):
    """The inputs of a benchmark.

    Parameters
    ----------
    benchmark : str
        The id of one of ``BENCHMARKS``.
    words : TwoGroups, the name of a published list, or two sequences of words
        For a benchmark that takes words: ``names``, ``nouns``, or own words, female first.
    files : tuple of File
        The user's copy of its data, or a lexicon.
    data_set : str
        Instead of files the data set's name in the ``datasets`` library.
    pieces : Pieces
        Candidates of StereoSet split into several tokens: masked ``together``, or ``revealed`` from left to right.
    average : Average
        Whether StereoSet's scores are means over ``terms`` or ``pairs`` (items).
    fills : Fills
        Which of DisCo's fills count: the ``top`` three, or all above a ``probability`` of .1.
    text : Sentences
        Whether sentences are scored ``exact`` as they are, or ``normalised``.
    seed : int
        For every random draw.
    published : str, or several
        Ids of published results (``core.shelf``) that stand beside the models, or alone where there is no model.
    """

    RESULT: ClassVar[type[Result]] = BenchmarkResult
    COMMAND: ClassVar[str] = "benchmark"
    TITLE: ClassVar[str] = "Benchmarks of bias"
    DESCRIPTION: ClassVar[str] = (
        "What a model prefers in a published data set, by type of bias, with intervals and each item; above the "
        "neutral value it is what the benchmark names first."
    )
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="item",
        item="item",
        items=compared_items,
        ends=lambda spec: spec.asked.sides,
        unit=lambda spec: spec.asked.unit(spec),
        cannot=lambda spec: (
            f"{spec.asked.title} counts the fills of each model, which differ; choose another benchmark."
            if isinstance(spec.asked.reads, Words)
            else ""
        ),
        summaries=compared_summaries,
    )

    benchmark: str = given(
        Choice(
            "benchmark",
            "Benchmark",
            choices={known.id: known.title for known in (_FIRST, *BENCHMARKS)},
            flag="NAME",
            metavar="NAME",
        ),
        read=str,
        default=_FIRST.id,
        coerce=lambda value: benchmark(value).id,
    )
    words: TwoGroups = given(
        Choice(
            "words",
            "Words",
            choices=_LISTS | {OWN: "your own …"},
            help="Two groups, put into the templates one after the other.",
            own="female_words",
        ),
        Text(
            "female_words",
            "Female words, one per line",
            "Mary\nAnna\nEmma\nAda",
            height=130,
            flag="--female",
            metavar="WORD",
        ),
        Text(
            "male_words",
            "Male words, one per line",
            "John\nPaul\nPeter\nAlan",
            height=130,
            flag="--male",
            metavar="WORD",
        ),
        read=_words_read,
        default=TwoGroups(),
        coerce=_words_given,
    )
    files: tuple[File, ...] = given(
        Upload(
            "data",
            "Your copy of its data",
            several=True,
            megabytes=MAX_BYTES >> 20,
            help="Several files where it has several.",
            metavar="FILE",
        ),
        read=tuple,
        default=(),
        coerce=tuple,
    )
    data_set: str = given(
        Text(
            "data_set",
            "Data set by name, where there is a network",
            help="Instead of a file; of the Hugging Face Hub: owner/name, perhaps /configuration and :split.",
            metavar="NAME",
        ),
        read=str.strip,
        default="",
    )
    pieces: Pieces = one_of(Pieces, "Candidates split into several tokens")
    average: Average = one_of(Average, "Unit of the average")
    fills: Fills = one_of(Fills, "Fills counted")
    text: Sentences = one_of(
        Sentences,
        "Sentences",
        help="A double space or another form of a letter is another input to many models.",
    )
    seed: int = seed_field()
    published: tuple[str, ...] = published_field("benchmark")

    def __post_init__(self) -> None:
        super().__post_init__()
        takes_words = isinstance(self.asked.reads, Words)
        if takes_words and (self.files or self.data_set):
            raise OptionError(
                f"{self.asked.title} needs words, no file; omit the file or data set, or give --female and --male."
            )
        if not takes_words and self.words != TwoGroups():
            raise OptionError(f"{self.asked.title} takes no words of yours; omit them. {self.asked.expects}")
        if self.files and self.data_set:
            raise OptionError("Give either files or the name of a data set, not both.")
        for name in ("pieces", "average", "fills", "text"):
            item = self.input(name)
            if name not in self.asked.options and getattr(self, name) != item.default:
                raise OptionError(f"{item.label}: {self.asked.title} has no such choice; omit {item.option}.")
        self.check_published()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; its data are read, so that a fault in them is said at once."""
        if ("female_words" in values) != ("male_words" in values):
            raise OptionError("Own words need both --female and --male.")
        spec = super().of(values)
        if spec.models:
            spec.items()
        return spec

    @property
    def asked(self) -> Benchmark:
        """The benchmark itself."""
        return benchmark(self.benchmark)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of its benchmark's measures, in masked and in causal models."""
        measures = (*self.asked.measures, *self.asked.causal_measures)
        return tuple(dict.fromkeys(f"{self.RESULT.SCHEMA.name}.{measure.id}" for measure in measures))

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        data = self.data_set or ", ".join(file.name for file in self.files)
        words = _LISTS.get(self.words.published, "own words")
        said = data or (words if isinstance(self.asked.reads, Words) else "")
        return " · ".join(filter(None, (self.asked.title, said, *self.names)))

    def items(self) -> Data[Any]:
        """Its data. Raises InputError."""
        if isinstance(self.asked.reads, Words):
            return self.words.data()
        if self.data_set:
            return _of_data_set(self.benchmark, self.data_set)
        if not self.files:
            raise OptionError(f"{self.asked.title} needs your copy of its data; give --data FILE. {self.asked.expects}")
        return _of_files(self.benchmark, self.files)

    def requests(self, device: str | None = None) -> tuple[ModelRequest, ...]:
        """The models as they are leased: with attention outputs where the benchmark weights by them."""
        return tuple(replace(request, attention=self.asked.attention) for request in super().requests(device))

    def key(self, run: Watch = UNWATCHED) -> str:
        """As of every measure; of a data set by name, what it holds decides too."""
        if not self.data_set:
            return super().key(run)
        return hashlib.sha256(f"{super().key(run)}\n{canonical(self.items().items)}".encode()).hexdigest()

    def obstacle(self, entry: Entry) -> str:
        """As of every measure; and where its benchmark, its method or its data are not those of the spec."""
        return super().obstacle(entry) or obstacle(self, entry)

    @property
    def base(self) -> Self:
        """The same without what was published, which asks no model."""
        return replace(self, published=()) if self.models else self

    def finish(self, result: BenchmarkResult) -> BenchmarkResult:
        """The result with what was published beside it."""
        return result if result.spec.published == self.published else joined(self, result)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> BenchmarkResult:
        """Measure with the loaded models, which are those of the spec."""
        if not self.models:
            return joined(self, None)
        from . import compute

        return self.finish(compute.measure(self.base, models, run))
