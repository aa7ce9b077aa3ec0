"""The inputs of descriptor likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import OptionError, instead
from ...inputs import Several, Text, Upload
from ...report.numbers import counted
from ...result import Result
from ...run import Run
from ...sources.descriptors import (
    Axis,
    checked_axes,
    checked_template,
    person_nouns,
    person_templates,
    published_axes,
    read_axes,
)
from ...sources.parsing import clean_words, parse_words
from ...spec import File, given, one_of, seed_field
from ..measure import MeasureSpec
from .choices import Comparison, Per
from .result import DescriptorResult

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

MOST_SENTENCES = 50_000  # of one model: a quarter of an hour for a small one on a laptop

OWN_AXES = Upload(
    "descriptor_list",
    "Your descriptors (CSV: axis, descriptor)",
    help="CSV with a column axis and a column descriptor, a descriptor a line. Clauses (“who is deaf”, “with a "
    "stammer”) are put behind the noun.",
    flag="--data",
    metavar="FILE",
)
AXES = Several(
    "axes",
    "Axes",
    tuple(published_axes()),
    {name: axis.name for name, axis in published_axes().items()},
    help="What people differ in. Each axis has a few plain words, from censuses and everyday English.",
    flag="--axis",
    metavar="NAME",
    instead=(OWN_AXES.name,),
)
NOUNS = Text(
    "descriptor_nouns",
    "Nouns, one per line or separated by commas",
    "\n".join(person_nouns()),
    height=130,
    help="Words for a person that say none of what the axes are about. They are what a test is about: at least 6.",
    flag="--noun",
    metavar="WORD",
)
TEMPLATES = Text(
    "descriptor_templates",
    "Templates, one per line",
    "\n".join(person_templates()),
    height=130,
    help="Sentences with one [PERSON], where descriptor and noun stand; “a” before it becomes “an” where needed.",
    flag="--template",
    metavar="TEXT",
)


def _axes_read(chosen: Sequence[str], files: Sequence[File]) -> tuple[Axis, ...]:
    own = [axis for file in files for axis in read_axes(file.data, file.name)]
    return checked_axes([*(published_axes()[name] for name in chosen), *own])


def _axes_given(value: Any) -> tuple[Axis, ...]:
    """The axes from ids, from axes, or from words by the axes' names. Raises InputError."""
    if isinstance(value, Mapping):
        return checked_axes(Axis(name, tuple(words)) for name, words in value.items())
    return checked_axes(map(_axis, (value,) if isinstance(value, str | Axis) else value))


def _axis(value: Any) -> Axis:
    if isinstance(value, Axis):
        return value
    if value not in published_axes():
        raise OptionError(f"There is no axis “{value}”. {instead(str(value), published_axes())}")
    return published_axes()[value]


def _templates_given(value: Any) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(map(checked_template, (value,) if isinstance(value, str) else value)))
    if not found:
        raise OptionError("There is no template; write at least one, such as “I am a [PERSON].”")
    return found


def _templates_read(text: str) -> tuple[str, ...]:
    return _templates_given([line for line in text.splitlines() if line.strip()])


@dataclass(frozen=True, kw_only=True)
class DescriptorSpec(MeasureSpec[DescriptorResult]):
    """The inputs of descriptor likelihood (Smith et al. 2022, likelihood bias).

    Parameters
    ----------
    axes : tuple of Axis, ids of published ones, or words by name
        What people differ in, and the descriptors that say how.
    nouns : tuple of str
        Words for a person that the descriptors stand with; what a test is over.
    templates : tuple of str
        Sentences with one ``[PERSON]``.
    comparison : Comparison
        ``signed-rank`` over the same nouns with a correction, or ``mann-whitney`` without, as published.
    per : Per
        Whether a perplexity is ``word`` by word, or ``token`` by token as published.
    seed : int
        For the bootstrap.
    """

    RESULT: ClassVar[type[Result]] = DescriptorResult
    COMMAND: ClassVar[str] = "descriptors"
    TITLE: ClassVar[str] = "Descriptor likelihood"
    DESCRIPTION: ClassVar[str] = (
        "Does a model expect the same sentence about a person less with one descriptor than with another (Smith et al. "
        "2022)? For each axis, such as religion or age: the share of pairs of descriptors whose perplexities differ. A "
        "positive difference means that sentences with the first are expected less."
    )

    axes: tuple[Axis, ...] = given(
        AXES, OWN_AXES, read=_axes_read, default=tuple(published_axes().values()), coerce=_axes_given
    )
    nouns: tuple[str, ...] = given(
        NOUNS,
        read=parse_words,
        default=person_nouns(),
        coerce=lambda value: clean_words((value,) if isinstance(value, str) else value),
    )
    templates: tuple[str, ...] = given(
        TEMPLATES, read=_templates_read, default=person_templates(), coerce=_templates_given
    )
    comparison: Comparison = one_of(
        Comparison,
        "Comparison of two descriptors",
        help="The sentences of both are the same but for the descriptor, so they are pairs; of many tests some are "
        "significant by chance, so p is corrected. The authors did neither.",
        flag="--test",
        name="descriptor_test",
    )
    per: Per = one_of(
        Per,
        "Perplexity",
        help="Rare words are split into several tokens, of which the later ones are easy to guess: a mean over tokens "
        "makes such a word look likely.",
        flag="--per",
        name="descriptor_per",
    )
    seed: int = seed_field("descriptor_seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sentences > MOST_SENTENCES:
            raise OptionError(
                f"Descriptors × nouns × templates are {self.sentences:,} sentences; at most {MOST_SENTENCES:,} are "
                "possible: take fewer of them."
            )

    @property
    def sentences(self) -> int:
        """How many sentences are scored."""
        return sum(len(axis.descriptors) for axis in self.axes) * len(self.nouns) * len(self.templates)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        axes = self.axes[0].name if len(self.axes) == 1 else counted(len(self.axes), "axis", "axes")
        return " · ".join((self.TITLE, axes, *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where its descriptors are from."""
        return tuple(axis.citation for axis in self.axes)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> DescriptorResult:
        """Measure with the loaded models, which are those of the spec."""
        from . import compute

        return compute.measure(self, models, run)
