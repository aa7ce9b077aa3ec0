"""The inputs of attention in one sentence: the sentence and its gender-swapped twin, with their words marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import InputError, WordListError
from ...inputs import Roles, Text
from ...result import Result
from ...run import Run
from ...sources.marking import (
    OCCUPATION_ROLE,
    MarkedSentence,
    Span,
    found_roles,
    marked,
    parse_sentence,
    roles_of,
    word_spans,
)
from ...sources.parsing import parse_words
from ...spec import given
from ..comparable import Comparable
from ..measure import MeasureSpec
from .result import AttentionResult, compared_items

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

EXAMPLE = "She accompanied him on stage and on several recordings before becoming a nurse in 1939."
EXAMPLE_TWIN = "He accompanied her on stage and on several recordings before becoming a nurse in 1939."
SENTENCE = Text(
    "sentence",
    "Sentence",
    EXAMPLE,
    help="With a male word, a female word and an occupation. A click on a word changes what it is.",
    metavar="TEXT",
)
ROLES = Roles("roles", "Roles of the words", metavar="ROLE")
MALE = Text("male", "Male words of the sentence, separated by commas; found by lists unless given", metavar="WORDS")
FEMALE = Text("female", "Female words of the sentence, separated by commas", metavar="WORDS")
OCCUPATION = Text("occupation", "Occupation of the sentence; the last one of several unless given", metavar="WORD")
TWIN = Text(
    "twin",
    "Its gender-swapped twin",
    help="Made by word lists; the embedded model decides between his and him. Change it where it is wrong.",
    metavar="TEXT",
)
TWIN_ROLES = Roles("twin_roles", "Roles of the twin’s words", metavar="ROLE")

Clicked = Iterable[tuple[int, str]]  # (number of a word from 1, role)


def sentence_read(text: str, clicked: Clicked, male: str, female: str, occupation: str) -> MarkedSentence:
    """The sentence with its words marked by the lists, but for those that are said. Raises WordListError."""
    line = parse_sentence(text)
    said = {"male": male.strip(), "female": female.strip(), OCCUPATION_ROLE: occupation.strip()}
    chosen = roles_of(
        line,
        male=parse_words(male) if said["male"] else (),
        female=parse_words(female) if said["female"] else (),
        occupation=said[OCCUPATION_ROLE],
    )
    kept = {span: role for span, role in found_roles(line).items() if not said[role]}
    return marked(line, _with_clicked(line, {**kept, **chosen}, clicked))


def twin_read(text: str, clicked: Clicked) -> MarkedSentence | str | None:
    """The twin with its words marked; its text, where nothing is said of them; None without one."""
    if not text.strip():
        return None
    clicked = tuple(clicked)
    line = parse_sentence(text)
    return of_twin(lambda: marked(line, _with_clicked(line, found_roles(line), clicked))) if clicked else line


def sentence_given(value: Any) -> MarkedSentence:
    """A sentence with its words marked, or its text. Raises WordListError."""
    return value if isinstance(value, MarkedSentence) else marked(parse_sentence(value))


def twin_given(value: Any) -> Any:
    """A twin with its words marked, its text, or None. Raises WordListError."""
    return parse_sentence(value) if isinstance(value, str) else value


def marked_twin(text: str, sentence: MarkedSentence) -> MarkedSentence:
    """The twin, its words marked by the lists and its occupation where that of the sentence stands in it.

    Raises WordListError.
    """
    roles = found_roles(text)
    try:
        word = sentence.text[slice(*sentence.occupation)]
        occupation = roles_of(text, male=(), female=(), occupation=word)
    except WordListError:
        return of_twin(lambda: marked(text, roles))
    others = {span: role for span, role in roles.items() if role != OCCUPATION_ROLE}
    return of_twin(lambda: marked(text, others | occupation))


def of_twin(mark: Any) -> MarkedSentence:
    """What ``mark`` gives; what it refuses is said of the twin."""
    try:
        found: MarkedSentence = mark()
    except InputError as error:
        raise type(error)(f"The twin: {error}") from error
    return found


def _with_clicked(text: str, roles: dict[Span, str], clicked: Clicked) -> dict[Span, str]:
    spans = word_spans(text)
    changed = dict(clicked)
    if any(number > len(spans) for number in changed):
        raise WordListError(f"The sentence has {len(spans)} words; there is no word {max(changed)}.")
    roles = roles | {spans[number - 1]: role for number, role in changed.items()}
    return {span: role for span, role in roles.items() if role}


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(MeasureSpec[AttentionResult]):
    """The inputs of attention in one sentence (metrics: attention; Li et al. 2021).

    Parameters
    ----------
    sentence : MarkedSentence, or text
        With a male word, a female word and an occupation, found by the lists where they are not marked.
    twin : MarkedSentence, text, or None
        The sentence with its genders swapped. None: it is made when the sentence is measured, by the lists, and the
        embedded model decides between his and him; the result's spec has the one that was made.
    """

    RESULT: ClassVar[type[Result]] = AttentionResult
    COMMAND: ClassVar[str] = "attention"
    TITLE: ClassVar[str] = "Attention from an occupation to the gendered words of its sentence"
    DESCRIPTION: ClassVar[str] = (
        "Attention bias of a sentence and its gender-swapped twin (Li et al. 2021), for every head and detector. "
        "A degree above 0: the head turns to the same gender in both. Bias: above 0 to male words."
    )
    ATTENTION: ClassVar[str] = "eager"
    EXAMINES: ClassVar[bool] = True
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="head",
        item="head",
        items=compared_items,
        ends=lambda spec: ("the same gender in both versions", "another gender in each version"),
    )

    sentence: MarkedSentence = given(
        SENTENCE, ROLES, MALE, FEMALE, OCCUPATION, read=sentence_read, default=EXAMPLE, coerce=sentence_given
    )
    twin: MarkedSentence | None = given(TWIN, TWIN_ROLES, read=twin_read, default=None, coerce=twin_given)

    def __post_init__(self) -> None:
        super().__post_init__()
        twin: Any = self.twin
        if isinstance(twin, str):
            object.__setattr__(self, "twin", marked_twin(twin, self.sentence))

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return " · ".join((f"“{self.sentence.text}”", *self.models))

    @property
    def data(self) -> tuple[str, ...]:
        """Where the gender words are from."""
        return ("gender words and occupations of the program's lists (Li et al. 2021)",)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> AttentionResult:
        """Measure with the loaded models, which are those of the spec."""
        from ..shared import twins
        from . import compute

        twin = self.twin or marked_twin(twins.made(self.sentence.text), self.sentence)
        return compute.measure(replace(self, twin=twin), models, run)
