"""The gender-swapped twin of a sentence: what each gendered word becomes. Pure text; names stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .gender import counterparts, find_words, runs_of

# Words no noun phrase goes on with after a possessive: behind "his" they say that it stands alone ("his is", "his
# and"). Words that can also be nouns or adjectives there are not among them: his will, his past, his down jacket.
_NEVER_IN_A_NOUN_PHRASE = frozenset(
    {
        *("a", "alone", "although", "am", "among", "an", "and", "are", "aren", "as", "at", "because", "before"),
        *("between", "but", "by", "cannot", "could", "couldn", "did", "didn", "does", "doesn", "during"),
        *("except", "for", "from", "had", "hadn", "has", "hasn", "have", "haven", "he", "i", "if", "in", "into"),
        *("is", "isn", "it", "nor", "of", "on", "onto", "or", "she", "should", "shouldn", "since", "than"),
        *("that", "the", "there", "these", "they", "this", "those", "though", "through", "to", "unless", "until"),
        *("upon", "was", "wasn", "we", "were", "weren", "what", "when", "where", "whereas", "whether", "which"),
        *("while", "who", "whom", "whose", "with", "without", "would", "wouldn", "you"),
    }
)
# Words that stand alone behind "his" only where a clause ends with them: "It is his now." but "his now famous book".
_LAST_IN_A_CLAUSE = frozenset(
    {
        *("afterwards", "again", "already", "also", "anymore", "anyway", "either", "forever", "instead", "now"),
        *("once", "still", "then", "today", "tomorrow", "tonight", "too", "yesterday", "yet"),
    }
)
_POSSESSIVES = frozenset({"her", "my", "our", "their", "your"})
_PRONOUNS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
PRONOUN, WORD = "pronoun", "word"  # kinds of what is replaced
_OPENING = "\"'“‘«([{"


@dataclass(frozen=True)
class Part:
    """A stretch of the sentence and what stands there in the twin: one text, or several where "her" is open."""

    text: str
    options: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether the sentence alone does not say what stands there."""
        return len(self.options) > 1


@dataclass(frozen=True)
class SwapPlan:
    """A sentence cut into parts, in order; their texts together are the sentence."""

    parts: tuple[Part, ...]

    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """For each open place, left to right, what may stand there: "his" first, then "him"."""
        return tuple(part.options for part in self.parts if part.is_open)

    def text(self, choices: Sequence[int]) -> str:
        """The twin, with the option of that number (from 0) at each open place. ValueError for another length."""
        if len(choices) != len(self.alternatives()):
            raise ValueError(f"{len(choices)} choices for {len(self.alternatives())} open places")
        chosen = iter(choices)
        return "".join(part.options[next(chosen) if part.is_open else 0] for part in self.parts)


@dataclass(frozen=True)
class Replacement:
    """What is replaced: the characters from ``start`` to ``stop``, and the options for what stands there in the twin.

    ``kind`` and ``reason`` are for whoever reads the change.
    """

    start: int
    stop: int
    options: tuple[str, ...]
    kind: str = ""
    reason: str = ""


def plan(text: str) -> SwapPlan:
    """Give each gendered word its counterpart, capitals kept; "her" is left open between "his" and "him"."""
    return planned(text, gendered(text))


def planned(text: str, replacements: Iterable[Replacement]) -> SwapPlan:
    """The plan of replacements that do not overlap."""
    parts = []
    end = 0
    for replacement in sorted(replacements, key=lambda item: item.start):
        if replacement.start > end:
            parts.append(_unchanged(text[end : replacement.start]))
        parts.append(Part(text[replacement.start : replacement.stop], replacement.options))
        end = replacement.stop
    if end < len(text):
        parts.append(_unchanged(text[end:]))
    return SwapPlan(tuple(parts))


def gendered(text: str) -> tuple[Replacement, ...]:
    """Each word of the pairs in ``assets/data/gender_words.json``, in the order of the text.

    "his" becomes "her" before a noun phrase, else "hers", by a closed class of words that cannot begin one.
    """
    found = find_words(text)
    replacements = []
    for start, stop in sorted(found.male + found.female):
        word = text[start:stop]
        options, kind, reason = counterparts()[word.casefold()], WORD, ""
        if word.casefold() in _PRONOUNS:
            kind = PRONOUN
        if word.casefold() == "his":
            alone = stands_alone(text[stop:])
            options = ("hers" if alone else "her",)
            reason = "stands alone" if alone else "before a noun"
        replacements.append(Replacement(start, stop, tuple(in_case(option, word) for option in options), kind, reason))
    return tuple(replacements)


def stands_alone(rest: str) -> bool:
    """Whether a possessive before ``rest`` has no noun phrase there that it belongs to ("The book is his.")."""
    runs = runs_of(rest)
    if not runs:
        return True
    word, start, stop = runs[0]
    gap = rest[:start]
    if gap.strip("-/") and not gap.isspace():
        # A mark glued to the possessive closes something; behind a space only an opening one goes on: his "own" idea.
        return not gap[0].isspace() or gap.lstrip()[0] not in _OPENING
    if gap == "/":
        return word not in _POSSESSIVES or stands_alone(rest[stop:])  # his/her own, his/hers
    if word in ("and", "or") and len(runs) > 1 and runs[1][0] in _POSSESSIVES:
        return stands_alone(rest[runs[1][2] :])  # his or her own
    if rest[stop : stop + 1] == "-":
        return False  # his in-laws
    if word in _NEVER_IN_A_NOUN_PHRASE:
        return True
    behind = rest[stop:].lstrip()
    return word in _LAST_IN_A_CLAUSE and (not behind or not (behind[0].isalnum() or behind[0] in _OPENING))


def _unchanged(text: str) -> Part:
    return Part(text, (text,))


def in_case(option: str, word: str) -> str:
    """``option`` with the capitals of ``word``: none, the first letters, or all; "Father-In-Law" has three parts."""
    pieces, shapes = option.split("-"), word.split("-")
    return "-".join(_shaped(piece, shape) for piece, shape in zip(pieces, shapes, strict=True))


def _shaped(piece: str, shape: str) -> str:
    if shape.isupper():
        return piece.upper()
    return piece[0].upper() + piece[1:] if shape[0].isupper() else piece
