"""The inputs of the effects of heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ....errors import OptionError, WordListError
from ....inputs import Choice
from ....result import Group, Result
from ....run import Run
from ....sources.corpus_files import CorpusFile
from ....sources.example_corpus import example_corpus
from ....sources.lists import GroupPreset, group_preset
from ....sources.marking import MarkedSentence, Span
from ....sources.parsing import shown
from ....sources.slots import WordKind
from ....spec import Labelled, given, one_of, seed_field, whole
from ...lpbs.spec import GROUPS, OWN_GROUPS, groups_given, groups_read
from ...measure import MeasureSpec
from ..scan.spec import COLUMN, CORPUS, corpus_given, corpus_read
from ..spec import (
    EXAMPLE,
    FEMALE,
    MALE,
    OCCUPATION,
    ROLES,
    SENTENCE,
    TWIN,
    TWIN_ROLES,
    marked_twin,
    sentence_given,
    sentence_read,
    twin_given,
    twin_read,
)
from .result import CausesResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

HIDDEN = ("he", "she")  # the words that are hidden, in any case; her and his are two words each
ONE, OF_EXAMPLE, OWN = "sentence", "example", "own"
PATH = replace(CORPUS, label="The path of a text, CSV or TSV file")
OVER = Choice(
    "over",
    "Which sentences",
    choices={ONE: "one sentence", OF_EXAMPLE: "the example corpus", OWN: "your own corpus"},
    own=CORPUS.name,
)


def _can_replace(preset: GroupPreset) -> bool:
    """Whether the words of a preset can stand where “he” or “she” does."""
    return preset.kind not in (WordKind.ADJECTIVE, WordKind.PLURAL)


PAIR = replace(
    GROUPS,
    label="Words read at the mask",
    choices={name: label for name, label in GROUPS.choices.items() if name == OWN or _can_replace(group_preset(name))},
    help="The first “he” or “she” of the sentence is hidden, and the probability of these words is read there. A "
    "positive effect moves towards the first of the two groups.",
    default="he-she",
)
OWN_PAIR = replace(OWN_GROUPS, label="Your two groups, one per line: name: word, word")


class Intervention(Labelled):
    """What is done with a head."""

    TWIN = "twin", "patched from the twin"
    ZERO = "zero", "knocked out (zero)"
    MEAN = "mean", "knocked out (mean)"


class Outcome(Labelled):
    """What is read of a sentence."""

    ODDS = "odds", "log odds"
    LPBS = "lpbs", "LPBS of the occupation"


def over_read(over: str, path: str, column: str) -> CorpusFile | None:
    """The corpus, or None for one sentence. Raises WordListError for one that cannot be read."""
    if over == ONE:
        return None
    if over == OF_EXAMPLE:
        return example_corpus()
    if not path.strip():
        raise WordListError("There is no corpus; give the path of a text or CSV file.")
    return corpus_read(path, column)


def over_given(value: Any) -> CorpusFile | None:
    """A corpus file, its path, or None for one sentence."""
    return None if value is None else corpus_given(value)


def two_groups(value: Any) -> GroupPreset:
    """Two groups of words, as for LPBS. Raises WordListError for another number of groups."""
    found = groups_given(value)
    if len(found.groups) != 2:
        raise WordListError(f"{len(found.groups)} groups are given; an effect moves between two.")
    return found


def hidden_word(sentence: MarkedSentence) -> Span | None:
    """Where the first "he" or "she" of a sentence stands; None where it has none."""
    spans = sorted((*sentence.male, *sentence.female))
    return next((span for span in spans if sentence.text[slice(*span)].casefold() in HIDDEN), None)


@dataclass(frozen=True, kw_only=True)
class CausesSpec(MeasureSpec[CausesResult]):
    """The inputs of the effects of heads (after Vig et al. 2020).

    The first "he" or "she" of a sentence is hidden, and the outcome is read there. A head's output is its slice of the
    averaged attention before the output projection. The effect of an intervention is the outcome with it less the
    outcome without it, in nats; above 0 it moves towards the first group.

    Parameters
    ----------
    corpus : CorpusFile, its path, or None
        Sentences with a male word, a female word, an occupation and a "he" or "she" are kept, the first ``most`` of
        them. None: the one ``sentence``.
    most : int
        Sentences at most.
    sentence : MarkedSentence, or text
        With a male word, a female word and an occupation, found by the lists where they are not marked.
    twin : MarkedSentence, text, or None
        The sentence with its genders swapped. None: it is made when the sentence is measured.
    intervention : Intervention
        ``twin``: the head gets its value from the twin (indirect effect), and the twin's head that of the sentence
        (direct effect). ``zero``: the head gives zero at every position. ``mean``: the head gives the mean of its
        output over all tokens of the inputs measured.
    outcome : Outcome
        ``odds``: mean ln P of the words of group 1 less that of group 2, at the mask. ``lpbs``: that less the same with
        the occupation hidden too, one mask per token. Causal models have log odds alone, after what stands before.
    groups : GroupPreset, the id of one, or words by the groups' names
        Two of them.
    seed : int
        For every random draw.
    """

    RESULT: ClassVar[type[Result]] = CausesResult
    COMMAND: ClassVar[str] = "causes"
    TITLE: ClassVar[str] = "Effect of each attention head on what a model says"
    DESCRIPTION: ClassVar[str] = (
        "Hides the first “he” or “she” of a sentence and reads the log odds (or LPBS) of two groups there, once as it "
        "is and once for every attention head that is knocked out or gets its value from the gender-swapped twin "
        "(after Vig et al. 2020). The effect is the outcome with the intervention less that without it, in nats; "
        "above 0 it moves towards the first group. Beside it stands the head's degree (Li et al. 2021)."
    )
    ATTENTION: ClassVar[str] = "eager"
    EXAMINES: ClassVar[bool] = True

    corpus: CorpusFile | None = given(OVER, PATH, COLUMN, read=over_read, default=None, coerce=over_given)
    most: int = whole("Sentences at most", 100, 1, 10_000, help="Of a corpus: the first ones that fit.")
    sentence: MarkedSentence = given(
        SENTENCE, ROLES, MALE, FEMALE, OCCUPATION, read=sentence_read, default=EXAMPLE, coerce=sentence_given
    )
    twin: MarkedSentence | None = given(TWIN, TWIN_ROLES, read=twin_read, default=None, coerce=twin_given)
    intervention: Intervention = one_of(
        Intervention,
        "What is done with a head",
        help="Each head in turn. Zero leaves what the model knows; the mean stays closer to it; the twin’s value is "
        "one that the model gives itself.",
    )
    outcome: Outcome = one_of(
        Outcome, "Outcome", help="LPBS takes off what the model expects with the occupation hidden."
    )
    groups: GroupPreset = given(PAIR, OWN_PAIR, read=groups_read, default=group_preset("he-she"), coerce=two_groups)
    seed: int = seed_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        twin: Any = self.twin
        if isinstance(twin, str):
            object.__setattr__(self, "twin", marked_twin(twin, self.sentence))
        for name, sentence in (("sentence", self.sentence), ("twin", self.twin)):
            if self.corpus is None and sentence is not None and hidden_word(sentence) is None:
                raise OptionError(
                    f"The {name} “{shown(sentence.text)}” has no “he” or “she” to hide; write one that has."
                )

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        what = f"“{self.sentence.text}”" if self.corpus is None else self.corpus.path.name
        return " · ".join((what, self.intervention.label, self.outcome.label, *self.models))

    @property
    def pair(self) -> tuple[Group, Group]:
        """The two groups."""
        first, second = self.groups.groups
        return first, second

    @property
    def data(self) -> tuple[str, ...]:
        """Where its words are from."""
        return (
            "gender words and occupations of the program's lists (Li et al. 2021)",
            self.groups.citation,
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The corpus."""
        return () if self.corpus is None else (self.corpus.path,)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> CausesResult:
        """Measure with the loaded models, which are those of the spec."""
        from ...shared import twins
        from . import compute

        spec = self
        if self.corpus is None and self.twin is None:
            spec = replace(self, twin=marked_twin(twins.made(self.sentence.text), self.sentence))
        return compute.measure(spec, models, run)
