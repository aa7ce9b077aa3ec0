"""The inputs of association tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ... import sources
from ...errors import OptionError, WordListError
from ...inputs import Choice, Several, Text, Upload, source_of
from ...report.numbers import counted
from ...result import Result
from ...run import Run
from ...sources import AssociationTest, FileWords
from ...sources.association_tests import SETS, WordSet
from ...sources.lists import group_preset, group_presets
from ...spec import File, Labelled, given, one_of, seed_field, whole
from ..comparable import Comparable
from ..lpbs.spec import Form, form_field
from ..measure import MeasureSpec
from ..shared.representations import LPBS, REPRESENTATIONS, representation_by_id
from .result import AssociationResult, compared_items, compared_summaries

if TYPE_CHECKING:
    from ...engine.checkpoints import ModelRequest
    from ...engine.loading import LoadedModel

_OWN = "own"


class Lost(Labelled):
    """Which members are excluded."""

    UNKNOWN = "unknown", "words the model does not know"
    SEVERAL = "several pieces", "all words split into several tokens (Kurita)"


class Unequal(Labelled):
    """What becomes of sets that lost members unequally."""

    KEEP = "keep", "stay as they are"
    DROP = "drop", "are made equal at random (Kurita)"


class LpbsValues(Labelled):
    """Which values of a word are tested."""

    MEAN = "mean", "a word’s mean over templates"
    POOL = "pool", "all templates together (Kurita’s code)"


class CeatVariance(Labelled):
    """What the variance of a sample's effect is."""

    AUTHORS = "authors", "that of s (authors’ code)"
    FORMULA = "formula", "by the formula for d"


class Erase(Labelled):
    """What is erased from every vector before it is measured."""

    NOTHING = "nothing", "nothing"
    LEACE = "leace", "gender, as far as it is linear (LEACE)"


@dataclass(frozen=True)
class AskedTest:
    """What a test asks, in full. ``source`` is empty for lists of the user's own.

    ``sets`` are X, Y, A and B. ``templates`` and the words ``group1`` and ``group2`` are those of its log probability
    bias scores, empty where it has none; the words of the two sets ``permuted`` are then scored, and the groups, named
    ``groups``, stand for the other two. ``note`` is what a reader must know of it, ``reading`` what was assumed in
    reading the user's file, ``caution`` what the words of its groups do not tell.
    """

    id: str
    title: str
    source: str
    sets: tuple[WordSet, WordSet, WordSet, WordSet]
    templates: tuple[str, ...] = ()
    group1: tuple[str, ...] = ()
    group2: tuple[str, ...] = ()
    permuted: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    note: str = ""
    reading: str = ""
    caution: str = ""

    @classmethod
    def of(cls, test: AssociationTest) -> AskedTest:
        """What this test asks."""
        frames = test.lpbs.frames if test.lpbs is not None else ()
        return cls(
            id=test.id,
            title=test.title,
            source="" if test.source is None else str(test.source),
            sets=(test.x, test.y, test.a, test.b),
            templates=tuple(frame.template for frame in frames),
            group1=tuple(dict.fromkeys(word for frame in frames for word in frame.group1)),
            group2=tuple(dict.fromkeys(word for frame in frames for word in frame.group2)),
            permuted=test.lpbs.permuted if test.lpbs is not None else (),
            groups=test.lpbs.groups if test.lpbs is not None else (),
            note=test.note,
            reading=test.reading,
            caution=test.caution,
        )

    @property
    def named_sets(self) -> tuple[tuple[str, WordSet], ...]:
        """Each set with its letter."""
        return tuple(zip(SETS, self.sets, strict=True))

    @property
    def words(self) -> tuple[object, ...]:
        """All that decides its numbers."""
        return self.sets, self.templates, self.group1, self.group2

    def names(self, representation: str) -> tuple[str, ...]:
        """The names of the sets that stand for X, Y, A and B in a row of this representation.

        For LPBS these are first the two permuted sets, then the groups.
        """
        if representation == LPBS and self.permuted:
            by_letter = {letter: words.name for letter, words in self.named_sets}
            return (*(by_letter[letter] for letter in self.permuted), *self.groups)
        return tuple(words.name for words in self.sets)

    def test(self) -> AssociationTest:
        """The test with its sentences. Raises InputError where it is not one that this Tiltmeter knows."""
        if not self.source:
            return _own(self)
        test = sources.association_test(self.id)
        if AskedTest.of(test).words != self.words:
            raise WordListError(f"The words of {self.id} are not those of this Tiltmeter; choose the test again.")
        return test


@lru_cache(maxsize=64)
def _own(asked: AskedTest) -> AssociationTest:
    x, y, a, b = (words.members for words in asked.sets)
    names = tuple(words.name for words in asked.sets)
    test = sources.own_test(
        x, y, a, b,
        names=(names[0], names[1], names[2], names[3]),
        templates=asked.templates, group1=asked.group1, group2=asked.group2,
    )  # fmt: skip
    return replace(test, id=asked.id, title=asked.title, reading=asked.reading, caution=asked.caution)


_PUBLISHED = {test.id: test.choice for test in sources.association_tests()}
_SETS = (("x", "Targets X"), ("y", "Targets Y"), ("a", "Attributes A"), ("b", "Attributes B"))
OWN_TEST = Upload(
    "own_test", "CSV files of tests, with the columns x, y, a, b", several=True, flag="--own", metavar="FILE"
)
TYPED = "typed"
OWN_XY = Choice(
    "own_xy",
    "X and Y from groups",
    choices={
        TYPED: "typed below",
        **{
            preset.id: preset.choice
            for preset in group_presets()
            if len(preset.groups) == 2 and all(len(group.words) > 1 for group in preset.groups)
        },
    },
    help="Published groups of two words or more as the targets X and Y; A and B are then typed.",
    flag="--xy",
    metavar="PRESET",
)
OWN_SETS = tuple(
    Text(f"own_{letter}", label, height=120, placeholder="one word per line", flag=f"--{letter}", metavar="WORDS")
    for letter, label in _SETS
)
OWN_TEMPLATES = Text(
    "own_templates",
    "For LPBS: templates, one per line",
    height=80,
    placeholder="[TARGET] likes [ATTRIBUTE].",
    flag="--template",
    metavar="TEXT",
)
OWN_SIDES = (
    Text("own_group1", "Group 1, stands for X", height=80, flag="--group1", metavar="WORDS"),
    Text("own_group2", "Group 2, stands for Y", height=80, flag="--group2", metavar="WORDS"),
)
TESTS = Several(
    "tests",
    "Tests",
    ("weat1", "weat6", "weat7", "weat8"),
    _PUBLISHED,
    help="Each test compares two sets of targets, X and Y, by two sets of attributes, A and B.",
    flag="--test",
    metavar="TEST",
    instead=(OWN_TEST.name, *(item.name for item in OWN_SETS)),
)
SENTENCES = Upload(
    "sentences",
    "CEAT: your sentences, one per line, in a TXT file",
    help="The words of a test are read in these sentences; 1,000 samples of one sentence per word are combined.",
    several=True,
    flag="--contexts",
    metavar="FILE",
)
VECTORS = Text(
    "vectors",
    "A file of static vectors on this machine (GloVe, word2vec or fastText text)",
    placeholder="/path/to/glove.6B.300d.txt",
    metavar="FILE",
)
KINDS = Several(
    "representations",
    "Representations",
    ("lpbs", "pooled-in-templates", "cls-in-templates", "input-embedding"),
    {kind.id: kind.title for kind in REPRESENTATIONS},
    help="How a word is turned into numbers. The answer may depend on it: that is what this page shows.",
    flag="--representation",
    metavar="NAME",
    instead=(VECTORS.name, SENTENCES.name),
)
LAYER = Text("layer", "Layer to read instead of each representation’s own", placeholder="none", metavar="N")


def _tests_read(chosen: Sequence[str], files: Sequence[File], xy: str, *texts: str) -> tuple[AskedTest, ...]:
    """The chosen tests, then those of the user's own. Raises InputError."""
    published = [sources.association_test(name) for name in chosen]
    own = [sources.read_test(file.data, file.name) for file in files]
    sets, (templates, *groups) = texts[:4], texts[4:]
    preset = None if xy == TYPED else group_preset(xy)
    if preset is not None:
        if any(words.strip() for words in sets[:2]):
            raise WordListError("X and Y are typed and from groups; empty the two lists, or choose no groups.")
        sets = (*(sources.format_words(group.words) for group in preset.groups), *sets[2:])
    if any(words.strip() for words in sets):
        missing = [label for words, (_, label) in zip(sets, _SETS, strict=True) if not words.strip()]
        if missing:
            raise WordListError(f"Your own lists need all four sets; {' and '.join(missing)} is still empty.")
        group1, group2 = (sources.parse_words(words) if words.strip() else () for words in groups)
        x, y, a, b = map(sources.parse_words, sets)
        lines = tuple(line.strip() for line in templates.splitlines() if line.strip())
        first, second = ("X", "Y") if preset is None else (group.name for group in preset.groups)
        test = sources.own_test(
            x, y, a, b, names=(first, second, "A", "B"), templates=lines, group1=group1, group2=group2
        )
        origins = dict.fromkeys(source_of(text, "") for text in texts)
        if preset is not None:
            origins = {f"X and Y: {preset.citation}.": None, **origins}
        caution = "" if preset is None else preset.note
        own.append(replace(test, reading="; ".join(filter(None, origins)), caution=caution))
    elif any(text.strip() for text in (templates, *groups)):
        raise WordListError("Templates and group words need own lists: X, Y, A and B.")
    return _tests_given([*published, *own])


def _tests_given(value: Any) -> tuple[AskedTest, ...]:
    """The tests that a program names by id, builds, or has asked before. Raises InputError."""
    tests = [_test_given(test) for test in ([value] if isinstance(value, str) else value)]
    if not tests:
        raise OptionError("No test is chosen; choose at least one, or write your own lists.")
    if len({test.id for test in tests if test.source}) < sum(bool(test.source) for test in tests):
        raise OptionError("The same test is chosen twice; choose different ones.")
    return tuple(_numbered(tests))


def _test_given(value: Any) -> AskedTest:
    if isinstance(value, str):
        return AskedTest.of(sources.association_test(value))
    return AskedTest.of(value) if isinstance(value, AssociationTest) else value


def _numbered(tests: Iterable[AskedTest]) -> Iterator[AskedTest]:
    """The tests with ids that differ: the second of the user's own is “own 2”."""
    taken: set[str] = set()
    for test in tests:
        names = (test.id, *(f"{_OWN} {number}" for number in range(2, 2 + len(taken))))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(test, id=name)


def _kinds_given(value: Any) -> tuple[str, ...]:
    """The ids of different representations. Raises OptionError."""
    names = (value,) if isinstance(value, str) else tuple(value)
    for name in names:
        representation_by_id(name)
    if len(set(names)) < len(names):
        raise OptionError("The same representation is chosen twice; choose different ones.")
    return names


def _sentences_read(files: tuple[File, ...]) -> tuple[File, ...]:
    read_sentences(files)  # what is wrong with them is said before a model is loaded
    return files


def read_sentences(files: Sequence[File]) -> FileWords:
    """The sentences of the user's files, one per line, and what was assumed in reading them. Raises WordListError."""
    of_files = [_lines(file.name, file.data) for file in files]
    return FileWords(
        tuple(line for lines in of_files for line in lines.words),
        tuple(note for lines in of_files for note in lines.notes),
    )


@lru_cache(maxsize=4)
def _lines(name: str, data: bytes) -> FileWords:
    return sources.read_lines(data, name)


def vectors_read(path: str) -> Path | None:
    """The path of a file that is there, None for an empty text. Raises WordListError."""
    if not path.strip():
        return None
    file = Path(path.strip()).expanduser()
    if not file.is_file():
        raise WordListError(f"There is no file {path.strip()}; give the path of a vector file on this machine.")
    return file


def layer_read(text: str) -> int | None:
    """A layer, None for an empty text. Raises OptionError."""
    layer = text.strip()
    if layer and not (layer.isascii() and layer.isdecimal() and int(layer) < 1000):
        raise OptionError(f"“{layer}” is not a valid layer; write a number from 0 to 999, or nothing.")
    return int(layer) if layer else None


def layer_given(value: Any) -> int | None:
    """A layer or None. Raises OptionError."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1000):
        raise OptionError(f"Layer {value} is not possible; it can be a whole number from 0 to 999.")
    return value


def erase_field() -> Any:
    """The field of what is erased from vectors, one for the tabs of the page."""
    return one_of(
        Erase,
        "Erased from the vectors",
        help="A mitigation without training: it is fitted on gendered words, none of them a word that is measured. "
        "Only vectors: LPBS reads none and cannot take part.",
    )


def fitted_on(erase: Erase) -> tuple[str, ...]:
    """Where the words are from that an eraser is fitted on."""
    return tuple(f"gendered words, {source}" for source in sources.pair_sources() if erase == Erase.LEACE)


@dataclass(frozen=True, kw_only=True)
class AssociationSpec(MeasureSpec[AssociationResult]):
    """The inputs of association tests.

    Parameters
    ----------
    tests : AskedTest, or ids
        Targets X and Y, attributes A and B each.
    representations : ids
        How words become vectors, or ``lpbs`` for log probability bias scores.
    sentences : tuple of File
        The contexts of CEAT, which runs when there are any.
    vectors : Path or None
        A file of static vectors, a model of its own in the result.
    layer : int or None
        None reads the layer each representation is defined on, a number that one (0 is the embedding output).
    erase : Erase
        ``leace`` erases from every vector what is linear of gender, fitted on gendered words that are none of the
        test's, in the representation that is tested (Belrose et al. 2023); LPBS has no vectors and refuses it.
    lost : Lost
        Which members are excluded: those with a word ``unknown`` to the model, or with one of ``several pieces``.
    unequal : Unequal
        Sets that lost members unequally: ``keep`` them, or ``drop`` members at random until they are equal.
    lpbs_values : LpbsValues
        Values of a word that LPBS tests: their ``mean`` over templates, or all of them as a ``pool``.
    ceat_variance : CeatVariance
        Variance of a sample's effect in CEAT: that of s (``authors``), or by the ``formula`` for d.
    ceat_samples : int
        Samples that CEAT draws.
    ddof : int
        0 or 1, of the standard deviation in d.
    form : Form
        How words are written in their slots: ``sentence`` with a capital where a sentence begins, ``typed``, or
        ``capital`` for targets.
    seed : int
        For every random draw.
    """

    RESULT: ClassVar[type[Result]] = AssociationResult
    COMMAND: ClassVar[str] = "association"
    TITLE: ClassVar[str] = "Association tests"
    DESCRIPTION: ClassVar[str] = (
        "WEAT, SEAT, CEAT and LPBS: is X more strongly associated with A, and Y with B? "
        "A positive effect size says so; a negative one says the opposite."
    )
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="word",
        item="word",
        items=compared_items,
        ends=lambda spec: ("A", "B"),
        summaries=compared_summaries,
        by_summary=True,
        erased=lambda spec: _with_and_without_gender(spec),
        cannot=lambda spec: "Vectors of a file are not changed by a training; omit them." if spec.vectors else "",
        unused=("vectors",),
    )

    tests: tuple[AskedTest, ...] = given(
        TESTS,
        OWN_TEST,
        OWN_XY,
        *OWN_SETS,
        OWN_TEMPLATES,
        *OWN_SIDES,
        read=_tests_read,
        default=TESTS.default,
        coerce=_tests_given,
    )
    representations: tuple[str, ...] = given(KINDS, read=tuple, default=KINDS.default, coerce=_kinds_given)
    sentences: tuple[File, ...] = given(SENTENCES, read=_sentences_read, default=(), coerce=tuple)
    vectors: Path | None = given(VECTORS, read=vectors_read, default=None)
    layer: int | None = given(LAYER, read=layer_read, default=None, coerce=layer_given)
    erase: Erase = erase_field()
    lost: Lost = one_of(Lost, "Excluded members")
    unequal: Unequal = one_of(Unequal, "Sets of unequal size")
    lpbs_values: LpbsValues = one_of(LpbsValues, "LPBS: values tested")
    ceat_variance: CeatVariance = one_of(CeatVariance, "CEAT: variance of a sample’s effect")
    ceat_samples: int = whole("CEAT: samples", 1000, 2, 1_000_000)
    ddof: int = whole("ddof of the standard deviation in d", 1, 0, 1)
    form: Form = form_field()
    seed: int = seed_field()

    def __post_init__(self) -> None:
        """Raise OptionError where nothing is read."""
        super().__post_init__()
        if not (self.representations or self.sentences or self.vectors):
            raise OptionError("No representation is chosen; choose at least one.")

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        tests = ", ".join(test.title for test in self.tests)
        return " · ".join((tests, counted(len(self.representations), "representation"), *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where its words and sentences are from."""
        return (
            *(test.test().citation for test in self.tests),
            *fitted_on(self.erase),
            *(f"sentences of {file.name}" for file in self.sentences),
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file of static vectors."""
        return () if self.vectors is None else (self.vectors,)

    def requests(self, device: str | None = None) -> tuple[ModelRequest, ...]:
        """The models as they are leased: none, where a file of vectors is all that is read."""
        return super().requests(device) if self.representations or self.sentences else ()

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> AssociationResult:
        """Measure with the loaded models, resuming from what the run's memory holds."""
        from . import compute

        return compute.measure(self, models, run)


def _with_and_without_gender(spec: AssociationSpec) -> tuple[AssociationSpec, AssociationSpec]:
    """The tests that read vectors, and the same with gender erased from these. Raises OptionError where none does."""
    kinds = tuple(kind for kind in spec.representations if kind != LPBS)
    if not (kinds or spec.sentences):
        raise OptionError("LPBS reads no vectors from which gender could be erased; choose another representation.")
    whole = replace(spec, representations=kinds, erase=Erase.NOTHING)
    return whole, replace(whole, erase=Erase.LEACE)
