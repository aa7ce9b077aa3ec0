"""Which kinds of words fit the target's place in an English template, as far as the words beside it tell.

Only what is plain is judged: where the neighbours leave a kind possible, it is taken to fit.
"""

from __future__ import annotations

import re
from enum import StrEnum

from .articles import article
from .templates import ATTRIBUTE, TARGET, Template


class WordKind(StrEnum):
    """What the words of a list are; ``UNKNOWN`` for words of several kinds, and for the user's own."""

    PRONOUN = "pronoun"  # subjects in the singular: he
    PRONOUN_ANY = "pronoun of either number"  # he and they
    NAME = "name"
    SINGULAR = "singular noun"  # needs a word such as "the" before it
    PLURAL = "plural noun"
    ADJECTIVE = "adjective"
    THING = "thing"  # of attributes alone: what one can like, such as "poetry"
    UNKNOWN = ""


_NOUNS = frozenset({WordKind.SINGULAR, WordKind.PLURAL})
_SUBJECTS = frozenset({WordKind.PRONOUN, WordKind.PRONOUN_ANY, WordKind.NAME, WordKind.PLURAL})
_ALL = _SUBJECTS | _NOUNS | {WordKind.ADJECTIVE}

_WORD = re.compile(r"\[[A-Z]+\]|[^\W\d_]+(?:['’][^\W\d_]+)*|[.,;:!?…]")
_STOPS = frozenset(".,;:!?…")
_OPENS_CLAUSE = _STOPS | frozenset(
    {"", "that", "because", "although", "if", "when", "while", "whether", "and", "but", "or", "so", "since", "until"}
)
_ENDS_CLAUSE = _STOPS | frozenset({"", "and", "but", "or", "because", "who", "whom", "when", "while"})
_OF_ONE = frozenset({"a", "an", "this", "every", "each", "another"})
_OF_MANY = frozenset({"these", "those", "many", "most", "some", "all", "several", "few", "two", "three"})
_OF_EITHER = frozenset({"the", "my", "your", "our", "their", "no"})
_PREPOSITIONS = frozenset(
    {"with", "from", "of", "about", "to", "toward", "towards", "against", "without", "among", "between", "by"}
)
_COPULAS_OF_ONE = frozenset({"is", "was", "isn't", "wasn't", "isn’t", "wasn’t"})
_COPULAS = _COPULAS_OF_ONE | {"are", "were", "aren't", "weren't", "aren’t", "weren’t"}
_VERBS_OF_ONE = _COPULAS_OF_ONE | frozenset(
    {"has", "does", "likes", "loves", "hates", "dislikes", "wants", "needs", "says", "thinks", "knows", "seems"}
    | {"works", "lives", "makes", "becomes", "looks", "feels", "doesn't", "doesn’t", "hasn't", "hasn’t"}
)
_VERBS_OF_MANY = (_COPULAS - _COPULAS_OF_ONE) | frozenset(
    {"have", "do", "like", "love", "hate", "dislike", "want", "need", "say", "think", "know", "seem"}
    | {"work", "live", "make", "become", "look", "feel", "don't", "don’t", "haven't", "haven’t"}
)
_VERBS_OF_EITHER = frozenset(
    {"had", "did", "said", "went", "got", "felt", "thought", "knew", "made", "became", "took", "gave", "came", "can"}
    | {"could", "will", "would", "may", "might", "must", "should", "never", "always", "often", "also", "didn't"}
)
_PEOPLE = frozenset(
    {"person", "people", "man", "men", "woman", "women", "boy", "boys", "girl", "girls", "child", "children"}
    | {"student", "students", "neighbor", "neighbors", "neighbour", "neighbours", "family", "families", "patient"}
    | {"patients", "worker", "workers", "community", "communities", "couple", "couples", "citizen", "citizens"}
)

_ARTICLES = re.compile(r"\b(an?)\s+" + re.escape(TARGET), re.IGNORECASE)


def fitting(template: Template) -> frozenset[WordKind]:
    """The kinds of words that the target's place does not rule out.

    Parameters
    ----------
    template : Template
        In English.

    Returns
    -------
    frozenset of WordKind
        Never empty; all kinds where the words beside the place say nothing.
    """
    words = [word.lower() if not word.startswith("[") else word for word in _WORD.findall(template.text)]
    place = words.index(TARGET)
    before, after = (words[at] if 0 <= at < len(words) else "" for at in (place - 1, place + 1))
    if before in _OF_ONE | _OF_MANY | _OF_EITHER:
        return _behind_determiner(before, after)
    if before in _PREPOSITIONS:
        people = after in _PEOPLE
        return frozenset({WordKind.ADJECTIVE} if people else {WordKind.NAME, WordKind.PLURAL, WordKind.ADJECTIVE})
    if before in _COPULAS and after in _ENDS_CLAUSE:
        return frozenset({WordKind.ADJECTIVE, WordKind.NAME if before in _COPULAS_OF_ONE else WordKind.PLURAL})
    if before in _OPENS_CLAUSE:
        return _in_front_of(after)
    return _ALL


def wrong_article(template: Template, words: tuple[str, ...]) -> str:
    """What is wrong with the “a” or “an” right before the target for some of the words, in a sentence; or nothing."""
    found = _ARTICLES.search(template.text)
    if found is None:
        return ""
    wrong = [word for word in words if article(word) != found[1].lower()]
    if not wrong:
        return ""
    return (
        f"“{found[1]}” before {TARGET} is not the article of “{wrong[0]}”"
        f"{f' and {len(wrong) - 1} more' if len(wrong) > 1 else ''}, which makes {'it' if len(wrong) == 1 else 'them'} "
        "less likely there; write “the”."
    )


def misfit(template: Template, words: WordKind, example: str) -> str:
    """Why words of this kind, such as ``example``, have no place in a template, in a sentence; or nothing."""
    if words == WordKind.UNKNOWN or words in fitting(template):
        return ""
    where = f"at {TARGET} in “{template.text}”{'' if template.text.endswith(('.', '!', '?')) else '.'}"
    if words == WordKind.PRONOUN_ANY:  # each fits a verb of its number, so that no one of them is the example
        return f"Pronouns of both numbers, such as “he” and “they”, are not all grammatical {where}"
    return f"{_MANY[words]}, such as “{example}”, are not grammatical {where}"


def suggestion(words: WordKind, attributes: WordKind) -> str:
    """A template in which words of this kind are grammatical, with attributes of that kind; empty for unknown words."""
    by_kind = _SUGGESTIONS.get(attributes, _SUGGESTIONS[WordKind.SINGULAR])
    return by_kind.get(words, "")


def _behind_determiner(determiner: str, after: str) -> frozenset[WordKind]:
    nouns = _NOUNS
    if determiner in _OF_ONE | _OF_MANY:
        nouns = frozenset({WordKind.SINGULAR if determiner in _OF_ONE else WordKind.PLURAL})
    if after in _PEOPLE or after == ATTRIBUTE:
        return frozenset({WordKind.ADJECTIVE})
    if after in _ENDS_CLAUSE or _is_verb(after):
        # "the Muslim are" fits nothing; what the determiner asks for is then left to the reader.
        return (nouns & _of_number(after)) or nouns
    return nouns | {WordKind.ADJECTIVE}


def _in_front_of(after: str) -> frozenset[WordKind]:
    """The kinds that fit between the beginning of a clause and this word."""
    if after in _PEOPLE:
        return frozenset({WordKind.ADJECTIVE})
    if _is_verb(after):
        return _SUBJECTS & _of_number(after)
    return _ALL - {WordKind.SINGULAR}


def _is_verb(word: str) -> bool:
    return word in _VERBS_OF_ONE | _VERBS_OF_MANY | _VERBS_OF_EITHER or (len(word) > 4 and word.endswith("ed"))


def _of_number(verb: str) -> frozenset[WordKind]:
    """The kinds that a verb leaves possible by its number."""
    if verb in _VERBS_OF_ONE:
        return frozenset({WordKind.PRONOUN, WordKind.NAME, WordKind.SINGULAR})
    if verb in _VERBS_OF_MANY:
        return frozenset({WordKind.PLURAL})
    return _ALL


_MANY = {
    WordKind.PRONOUN: "Pronouns",
    WordKind.NAME: "Names",
    WordKind.SINGULAR: "Singular nouns",
    WordKind.PLURAL: "Plural nouns",
    WordKind.ADJECTIVE: "Adjectives",
}
_SUGGESTIONS = {
    WordKind.SINGULAR: {
        WordKind.PRONOUN: "The [ATTRIBUTE] said that [TARGET] was tired.",
        WordKind.PRONOUN_ANY: "The [ATTRIBUTE] said that [TARGET] felt tired.",
        WordKind.NAME: "The [ATTRIBUTE] said that [TARGET] was tired.",
        WordKind.SINGULAR: "The [ATTRIBUTE] said that the [TARGET] was tired.",
        WordKind.PLURAL: "The [ATTRIBUTE] said that [TARGET] were tired.",
        WordKind.ADJECTIVE: "The [TARGET] [ATTRIBUTE] was tired.",
    },
    WordKind.ADJECTIVE: {
        WordKind.PRONOUN: "[TARGET] is [ATTRIBUTE].",
        WordKind.PRONOUN_ANY: "[TARGET] seemed [ATTRIBUTE].",
        WordKind.NAME: "[TARGET] is [ATTRIBUTE].",
        WordKind.SINGULAR: "The [TARGET] is [ATTRIBUTE].",
        WordKind.PLURAL: "[TARGET] are [ATTRIBUTE].",
        WordKind.ADJECTIVE: "The [TARGET] person is [ATTRIBUTE].",
    },
    WordKind.THING: {
        WordKind.PRONOUN: "[TARGET] likes [ATTRIBUTE].",
        WordKind.PRONOUN_ANY: "[TARGET] liked [ATTRIBUTE].",
        WordKind.NAME: "[TARGET] likes [ATTRIBUTE].",
        WordKind.SINGULAR: "The [TARGET] likes [ATTRIBUTE].",
        WordKind.PLURAL: "[TARGET] like [ATTRIBUTE].",
        WordKind.ADJECTIVE: "The [TARGET] person likes [ATTRIBUTE].",
    },
}
