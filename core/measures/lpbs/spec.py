"""The inputs of a log probability bias score."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import OptionError, WordListError
from ...inputs import Choice, Text, source_of
from ...report.wording import listed
from ...result import OTHERS, Contrast, Result
from ...run import Run
from ...sources.lists import (
    OWN,
    OWN_GROUPS_TITLE,
    OWN_WORDS_TITLE,
    GroupPreset,
    WordList,
    attribute_list,
    attribute_lists,
    group_preset,
    group_presets,
    own_groups,
    own_words,
)
from ...sources.parsing import parse_groups, parse_words
from ...sources.slots import WordKind, suggestion
from ...sources.templates import ATTRIBUTE, TARGET, Template
from ...spec import Labelled, given, one_of, seed_field, yes_or_no
from ..comparable import Comparable
from ..shared.published import ShelvedSpec, published_field
from .result import LpbsResult
from .tables import compared_ends, compared_items

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

PAIRED_NAMES = (
    "Names are paired in the order of their lists, which means nothing, and one that cannot be scored takes its "
    "partner with it; without pairs (“Groups of equal length are pairs”) they are compared as groups."
)
FIRST_TEMPLATE = "The [ATTRIBUTE] said that [TARGET] was tired."


class Masking(Labelled):
    """How an attribute is hidden for the prior."""

    WORDPIECE = "wordpiece", "one mask per token"
    WORD = "word", "one mask per word"
    SINGLE = "single", "one mask for all of it"


class SeveralPieces(Labelled):
    """What is done with target words split into several tokens."""

    SINGLE = "single", "exclude them"
    JOINT = "joint", "score all their tokens together"


class Form(Labelled):
    """How words are written in their slots."""

    SENTENCE = "sentence", "as the sentence shows them"
    TYPED = "typed", "as typed"
    CAPITAL = "capital", "targets with a capital"


class Contrasts(Labelled):
    """Which groups are compared, where there are three or more."""

    PAIRS = "pairs", "every pair of groups"
    OTHERS = "others", "each group against the mean of the others"


FORM_HELP = (
    "Where a sentence begins, a word gets a capital first letter; models that tell capitals apart score another word "
    "then. Choose another form where the beginning is not found right."
)
TEMPLATE = Text(
    "template",
    "Template",
    FIRST_TEMPLATE,
    help=f"A sentence with one {TARGET}, where the model guesses, and one {ATTRIBUTE}, where each word of the list is "
    "put.",
    flag="--template",
    metavar="TEXT",
)
MORE_TEMPLATES = Text(
    "more_templates",
    "More templates, one per line",
    height=120,
    help="Scores are averaged over templates, attribute by attribute.",
    flag="--template",
)
GROUPS = Choice(
    "groups",
    "Groups",
    choices={preset.id: preset.choice for preset in group_presets()} | {OWN: "your own …"},
    help="The words whose probability is read. A positive score leans towards the first group. Each axis (religion, "
    "age, …) has words of its own kind; a template that has no place for them is named, and another proposed.",
    own="own_groups",
    metavar="PRESET",
)
OWN_GROUPS = Text(
    "own_groups",
    "Your groups, one per line: name: word, word",
    "he: he\nshe: she",
    height=110,
    least=2,
    help="Two groups or more. Groups of equal length are pairs by position.",
    flag="--group",
    metavar="NAME=WORDS",
)
ATTRIBUTES = Choice(
    "attributes",
    "Attributes",
    choices={words.id: words.title for words in attribute_lists()} | {OWN: "your own …"},
    help="The words whose lean is measured, one score each.",
    own="own_attributes",
    metavar="LIST",
)
OWN_ATTRIBUTES = Text(
    "own_attributes",
    "Your words, one per line or separated by commas",
    "nurse\nengineer\nteacher\ncarpenter",
    height=170,
    flag="--attribute",
    metavar="WORD",
)


def templates_read(first: str, more: str) -> tuple[Template, ...]:
    """The templates of two boxes, each once. Raises TemplateError."""
    others = [Template.parse(line) for line in more.splitlines() if line.strip()]
    return tuple(dict.fromkeys([Template.parse(first), *others]))


def templates_given(value: Any) -> tuple[Template, ...]:
    """Templates from texts or templates, or one of them. Raises TemplateError."""
    items: Iterable[Any] = (value,) if isinstance(value, str | Template) else value
    found = tuple(item if isinstance(item, Template) else Template.parse(item) for item in items)
    if not found:
        raise OptionError("There is no template; write one.")
    return tuple(dict.fromkeys(found))


def groups_read(preset: str, own: str) -> GroupPreset:
    """A published preset, or groups of the user's own, a line each. Raises WordListError."""
    return own_groups(parse_groups(own), source_of(own, OWN_GROUPS_TITLE)) if preset == OWN else group_preset(preset)


def groups_given(value: Any) -> GroupPreset:
    """Groups from a preset or its id, a mapping of names to words, or groups. Raises WordListError."""
    if isinstance(value, GroupPreset):
        return value
    return group_preset(value) if isinstance(value, str) else own_groups(value)


def attributes_read(chosen: str, own: str) -> WordList:
    """A published list, or words of the user's own. Raises WordListError."""
    return own_words(parse_words(own), source_of(own, OWN_WORDS_TITLE)) if chosen == OWN else attribute_list(chosen)


def attributes_given(value: Any) -> WordList:
    """A word list from one or its id, or from words. Raises WordListError."""
    if isinstance(value, WordList):
        return value
    if isinstance(value, str):
        return attribute_list(value)
    if not isinstance(value, Sequence) or not value:
        raise WordListError("The attribute list is empty; give at least one word, such as nurse.")
    return own_words(parse_words("\n".join(value)))


def form_field() -> Any:
    """The field of the form of words in their slots."""
    return one_of(Form, "How words are written in their slots", help=FORM_HELP)


def common_words_field(label: str = "Only words that every model knows") -> Any:
    """The field that says whether words that not every model knows are excluded for all."""
    return yes_or_no(label, True, flag="--all-words", off="keep for each model what others cannot score")


@dataclass(frozen=True, kw_only=True)
class LpbsSpec(ShelvedSpec[LpbsResult]):
    """The inputs of log probability bias scores (metrics: LPBS; Kurita et al. 2019).

    Parameters
    ----------
    templates : Template, or texts
        Sentences with one [TARGET] and one [ATTRIBUTE]; scores are averaged over them, attribute by attribute.
    groups : GroupPreset, the id of one, or words by the groups' names
        Target words whose probability is read. Groups of equal length are pairs by position where ``paired``.
    attributes : WordList, the id of one, or words
        One score each.
    masking : Masking
        How the attribute is hidden for the prior: one mask per ``wordpiece``, per ``word``, or a ``single`` one.
    several_pieces : SeveralPieces
        Target words split into several tokens: ``single`` excludes them, ``joint`` scores their tokens together.
    form : Form
        How words are written in their slots: ``sentence`` with a capital where a sentence begins, ``typed``, or
        ``capital`` for targets.
    contrasts : Contrasts
        Of three groups or more: all ``pairs``, or each against the mean of the ``others``.
    paired : bool
        Whether groups of equal length are pairs.
    common_words : bool
        Whether words that not every model knows are excluded for all.
    seed : int
        For every random draw.
    published : str, or several
        Ids of published results (``core.shelf``), which stand alone: there is no model then.
    """

    RESULT: ClassVar[type[Result]] = LpbsResult
    COMMAND: ClassVar[str] = "score"
    TITLE: ClassVar[str] = "Log probability bias scores of a list of attributes"
    DESCRIPTION: ClassVar[str] = (
        "Log probability bias score (Kurita et al. 2019) of each attribute, group 1 minus group 2. "
        "A positive value leans towards the first group."
    )
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="attribute",
        item="value of a template and a word pair",
        items=compared_items,
        ends=compared_ends,
        side_ends=("more likely", "less likely"),
        unit=lambda spec: "nats",
        unused=("common_words", "published"),
    )

    templates: tuple[Template, ...] = given(
        TEMPLATE,
        MORE_TEMPLATES,
        read=templates_read,
        default=(Template(FIRST_TEMPLATE),),
        coerce=templates_given,
    )
    groups: GroupPreset = given(GROUPS, OWN_GROUPS, read=groups_read, default=group_presets()[0], coerce=groups_given)
    attributes: WordList = given(
        ATTRIBUTES, OWN_ATTRIBUTES, read=attributes_read, default=attribute_lists()[0], coerce=attributes_given
    )
    masking: Masking = one_of(Masking, "How the attribute is hidden for the prior")
    several_pieces: SeveralPieces = one_of(SeveralPieces, "Target words split into several tokens")
    form: Form = form_field()
    contrasts: Contrasts = one_of(Contrasts, "Comparisons of three groups or more")
    paired: bool = yes_or_no(
        "Groups of equal length are pairs",
        True,
        flag="--unpaired",
        off="compare groups of equal length as groups, not word by word",
    )
    common_words: bool = common_words_field()
    seed: int = seed_field()
    published: tuple[str, ...] = published_field("score")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_published()

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        more = len(self.templates) - 1
        return " · ".join(
            (
                f"“{self.templates[0].text}”" + (f" and {more:,} more" if more else ""),
                " / ".join(group.name for group in self.groups.groups),
                listed(self.attributes.words, most=3),
                *self.names,
            )
        )

    @property
    def data(self) -> tuple[str, ...]:
        """Where the words are from."""
        return (self.groups.citation, self.attributes.citation)

    @property
    def misfits(self) -> tuple[str, ...]:
        """What is not grammatical where the groups' words stand, a sentence for each template, as far as known."""
        return tuple(sentence for template in self.templates for sentence in self.groups.misfits(template))

    @property
    def better_template(self) -> str:
        """Where the groups' words are not grammatical, a template in which they are, as far as known; else empty."""
        found = suggestion(self.groups.kind, self.attributes.kind) if self.misfits else ""
        return "" if [template.text for template in self.templates] == [found] else found

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader must know of the groups, and of their words in the templates."""
        in_order = PAIRED_NAMES if self.paired and self.groups.kind == WordKind.NAME else ""
        return (*filter(None, [self.groups.note, in_order]), *self.misfits)

    @property
    def comparisons(self) -> tuple[Contrast, ...]:
        """Every pair of groups in their order, or each group against the mean of the others."""
        names = [group.name for group in self.groups.groups]
        if self.contrasts == Contrasts.OTHERS and len(names) > 2:
            return tuple(Contrast(name, OTHERS) for name in names)
        return tuple(Contrast(first, second) for first, second in itertools.combinations(names, 2))

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> LpbsResult:
        """Measure with the loaded models, which are those of the spec."""
        if not self.models:
            from . import published

            return published.result(self)
        from . import compute

        return compute.measure(self, models, run)
