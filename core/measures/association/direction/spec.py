"""The inputs of a gender direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ....errors import OptionError
from ....inputs import Choice, Several, Text
from ....report.numbers import counted
from ....result import Result
from ....run import Run
from ....sources.lists import OWN, WordList, attribute_lists
from ....sources.pairs import (
    DefinitionalPairs,
    definitional_pairs,
    format_pairs,
    own_pairs,
    pair_list,
    parse_pairs,
)
from ....spec import given, seed_field, whole
from ...comparable import Comparable
from ...lpbs.professions.spec import (
    SHARE_FILE,
    STATISTIC,
    YEAR,
    Comparison,
    comparison_given,
    comparison_read,
)
from ...lpbs.spec import ATTRIBUTES, OWN_ATTRIBUTES, attributes_given, attributes_read
from ...measure import MeasureSpec
from ...shared.representations import OF_WORDS, representation_by_id
from ..spec import LAYER, VECTORS, Erase, erase_field, fitted_on, layer_given, layer_read, vectors_read
from .result import DirectionResult, compared_items, compared_summaries

if TYPE_CHECKING:
    from ....engine.checkpoints import ModelRequest
    from ....engine.loading import LoadedModel

PEOPLE = "women"  # whose share the projections are compared with
PAIRS = Choice(
    "pairs",
    "Definitional pairs",
    choices={pairs.id: pairs.title for pairs in definitional_pairs()} | {OWN: "your own …"},
    help="Words that differ by definition, such as she and he. The direction points towards the first word of each.",
    own="own_pairs",
    metavar="LIST",
)
OWN_PAIRS = Text(
    "own_pairs",
    "Your pairs, one per line, with a slash between",
    format_pairs(definitional_pairs()[0].pairs),
    height=170,
    flag="--pair",
    metavar="FIRST/SECOND",
)
WORDS = replace(
    ATTRIBUTES, name="words", label="Words", help="The words that are projected on the direction.", own="own_words"
)
OWN_WORDS = replace(OWN_ATTRIBUTES, name="own_words", flag="--word")
KINDS = Several(
    "direction_representations",
    "Representations",
    ("pooled-in-templates", "input-embedding"),
    {name: representation_by_id(name).title for name in OF_WORDS},
    help="How a word is turned into a vector. In templates: “This is …”, “That is …”, “There is …”, “It is …”.",
    flag="--representation",
    metavar="NAME",
    instead=(VECTORS.name,),
)


def _pairs_read(chosen: str, own: str) -> DefinitionalPairs:
    return parse_pairs(own) if chosen == OWN else pair_list(chosen)


def _pairs_given(value: Any) -> DefinitionalPairs:
    """Pairs from a list or its id, or from pairs of words. Raises WordListError."""
    if isinstance(value, DefinitionalPairs):
        return value
    return pair_list(value) if isinstance(value, str) else own_pairs(value)


def _kinds_given(value: Any) -> tuple[str, ...]:
    """The ids of different representations of single words. Raises OptionError."""
    names = tuple(dict.fromkeys((value,) if isinstance(value, str) else value))
    for name in names:
        if representation_by_id(name).id not in OF_WORDS:
            raise OptionError(f"“{name}” reads no word by itself; choose {', '.join(OF_WORDS)}.")
    return names


@dataclass(frozen=True, kw_only=True)
class DirectionSpec(MeasureSpec[DirectionResult]):
    """The inputs of a gender direction (Bolukbasi et al. 2016).

    Parameters
    ----------
    pairs : DefinitionalPairs, the id of a list, or pairs of words
        Words that differ by definition; the direction points towards the first of each.
    words : WordList, the id of one, or words
        What is projected on it.
    representations : ids
        How words become vectors.
    vectors : Path or None
        A file of static vectors, a model of its own in the result.
    layer : int or None
        None reads the layer each representation is defined on, a number that one (0 is the embedding output).
    erase : Erase
        ``leace`` erases from every vector what is linear of gender, fitted in the same representation on gendered
        words that are neither in a pair nor projected (Belrose et al. 2023).
    statistic : Comparison, the id of a table, or None
        The share of women the projections are correlated with.
    strictness : int
        The exponent c of the direct bias.
    seed : int
        For every random draw.
    """

    RESULT: ClassVar[type[Result]] = DirectionResult
    COMMAND: ClassVar[str] = "direction"
    TITLE: ClassVar[str] = "Gender direction"
    DESCRIPTION: ClassVar[str] = (
        "The direction in which pairs such as “she” and “he” differ (first principal component, Bolukbasi et al. "
        "2016), the share of their variance it explains, how words lie along it, against % women, and how far it "
        "hangs on the pairs. A positive projection lies towards the first words of the pairs."
    )

    # Each model has a direction of its own: what changes is how the words lie along it.
    EXAMINES: ClassVar[bool] = True
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="word",
        item="word",
        items=compared_items,
        ends=lambda spec: spec.pairs.names,
        summaries=compared_summaries,
        erased=lambda spec: (replace(spec, erase=Erase.NOTHING), replace(spec, erase=Erase.LEACE)),
        cannot=lambda spec: "Vectors of a file are not changed by a training; omit them." if spec.vectors else "",
        unused=("vectors",),
    )

    pairs: DefinitionalPairs = given(
        PAIRS, OWN_PAIRS, read=_pairs_read, default=definitional_pairs()[0], coerce=_pairs_given
    )
    words: WordList = given(
        WORDS, OWN_WORDS, read=attributes_read, default=attribute_lists()[0], coerce=attributes_given
    )
    representations: tuple[str, ...] = given(KINDS, read=tuple, default=KINDS.default, coerce=_kinds_given)
    vectors: Path | None = given(VECTORS, read=vectors_read, default=None)
    layer: int | None = given(LAYER, read=layer_read, default=None, coerce=layer_given)
    erase: Erase = erase_field()
    statistic: Comparison | None = given(
        STATISTIC, YEAR, SHARE_FILE, read=comparison_read, default=Comparison(), coerce=comparison_given
    )
    strictness: int = whole(
        "Strictness of the direct bias", 1, 1, 4, help="The exponent c: the higher, the less small projections count."
    )
    seed: int = seed_field()

    def __post_init__(self) -> None:
        """Raise InputError where nothing is read, or the statistic is none."""
        super().__post_init__()
        if not (self.representations or self.vectors):
            raise OptionError("No representation is chosen; choose at least one.")
        if self.statistic is not None and (self.statistic.file is None or self.statistic.file.content is not None):
            self.statistic.shares(PEOPLE)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return " · ".join(
            (
                self.TITLE,
                counted(len(self.pairs.pairs), "pair"),
                counted(len(self.words.words), "word"),
                *self.models,
            )
        )

    @property
    def data(self) -> tuple[str, ...]:
        """Where its pairs, its words and the statistic are from."""
        counted_by = () if self.statistic is None else (self.statistic.statistic(PEOPLE).source,)
        return (self.pairs.citation, self.words.citation, *fitted_on(self.erase), *counted_by)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The file of static vectors."""
        return () if self.vectors is None else (self.vectors,)

    def requests(self, device: str | None = None) -> tuple[ModelRequest, ...]:
        """The models as they are leased: none, where a file of vectors is all that is read."""
        return super().requests(device) if self.representations else ()

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> DirectionResult:
        """Measure with the loaded models, resuming from what the run's memory holds."""
        from . import compute

        return compute.measure(self, models, run)
