"""Which words of a sentence are male, female, and the occupation: found by the lists, or said by the user."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..errors import WordListError
from .gender import find_words, runs_of
from .invisible import find_slip
from .parsing import shown, tidy

MALE_ROLE, FEMALE_ROLE, OCCUPATION_ROLE = "male", "female", "occupation"
ROLES = (MALE_ROLE, FEMALE_ROLE, OCCUPATION_ROLE)
Span = tuple[int, int]


MAX_SENTENCE = 4000  # characters; a model of 512 pieces reads about half of that


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence and the character spans (start, end) of its male words, its female words and its occupation."""

    text: str
    male: tuple[Span, ...]
    female: tuple[Span, ...]
    occupation: Span


def parse_sentence(text: str) -> str:
    """The sentence as one tidied line. Raises WordListError for an empty, an overlong or an unprintable one."""
    line = tidy(text)
    if not line:
        raise WordListError("There is no sentence; write one with a male word, a female word and an occupation.")
    if len(line) > MAX_SENTENCE:
        raise WordListError(f"The sentence has {len(line):,} characters; at most {MAX_SENTENCE:,} are allowed.")
    slip = find_slip(line)
    if slip is not None:
        before = line[max(slip.place - 15, 0) : slip.place]
        raise WordListError(f"The sentence contains an invisible character ({slip.name}) after “{before}”; delete it.")
    return line


def found_roles(text: str) -> dict[Span, str]:
    """Each run of letters (start, end) that the lists give a role. An occupation of several words has several."""
    found = find_words(text)
    named = [(MALE_ROLE, found.male), (FEMALE_ROLE, found.female)]
    named.append((OCCUPATION_ROLE, (found.occupation,) if found.occupation else ()))
    roles = {}
    for role, spans in named:
        for start, end in spans:
            for _, at, stop in runs_of(text):
                if start <= at and stop <= end:
                    roles[at, stop] = role
    return roles


def word_spans(text: str) -> tuple[Span, ...]:
    """Where the words of a sentence stand, as ``found_roles`` names them."""
    return tuple((start, end) for _, start, end in runs_of(text))


def marked(text: str, roles: dict[Span, str] | None = None) -> MarkedSentence:
    """The sentence with its words marked; ``roles`` as ``found_roles`` gives them, the default.

    Neighbouring runs of the occupation are one word of several. Raises WordListError where a role has no word, or
    the occupation stands in two places.
    """
    roles = found_roles(text) if roles is None else roles
    male, female = (tuple(sorted(span for span, given in roles.items() if given == role)) for role in ROLES[:2])
    occupation = sorted(span for span, role in roles.items() if role == OCCUPATION_ROLE)
    missing = [
        name for name, spans in (("male word", male), ("female word", female), ("occupation", occupation)) if not spans
    ]
    if missing:
        lacking = " or ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
        raise WordListError(
            f"“{shown(text)}” has no {lacking}; it needs a male word, a female word and an "
            "occupation. Say which word is one, or write another sentence."
        )
    between = [text[end:start] for (_, end), (start, _) in pairwise(occupation)]
    if any(gap.strip(" -") for gap in between):
        raise WordListError(f"“{shown(text)}” has its occupation in two places; mark one of them.")
    return MarkedSentence(text, male, female, (occupation[0][0], occupation[-1][1]))


def roles_of(text: str, *, male: Sequence[str], female: Sequence[str], occupation: str) -> dict[Span, str]:
    """Roles by the words themselves, wherever they stand; of the occupation the last place. Raises WordListError."""
    roles: dict[Span, str] = {}
    for role, words in ((MALE_ROLE, male), (FEMALE_ROLE, female)):
        for word in words:
            places = list(_places(text, word))
            if not places:
                raise WordListError(f"“{shown(word)}” does not stand in the sentence.")
            roles.update((span, role) for place in places for span in place)
    if occupation:
        places = list(_places(text, occupation))
        if not places:
            raise WordListError(f"“{shown(occupation)}” does not stand in the sentence.")
        roles.update((span, OCCUPATION_ROLE) for span in places[-1])
    return roles


def _places(text: str, word: str) -> Iterable[list[Span]]:
    wanted = [run for run, _, _ in runs_of(tidy(word))]
    runs = runs_of(text)
    for at in range(len(runs) - len(wanted) + 1):
        if wanted and [run for run, _, _ in runs[at : at + len(wanted)]] == wanted:
            yield [(start, end) for _, start, end in runs[at : at + len(wanted)]]
