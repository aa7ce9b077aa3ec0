"""Corpora of person words and professions, a file a language in ``assets/data/corpora``; and the user's changes.

A person phrase hides its last word from the model, or the one in [brackets]: "my sister" keeps "my". A template may
hold ``[ARTICLE]``, which agrees with the person. To add a language, add a file there; no code is needed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from ..errors import TemplateError, WordListError
from ..result import Contrast, Group
from .association_tests import association_test
from .lists import Source, data_files, read_json
from .parsing import clean_words, shown, tidy
from .templates import AS_THE_SENTENCE_SHOWS, Template

ARTICLE = "[ARTICLE]"
FEMALE, MALE = "female", "male"
UNGROUPED = "other"
# Of the U.S. labour market of 2019, as the paper has them, in the order of a table; and the user's own.
PROFESSION_GROUPS = ("female", "balanced", "male", UNGROUPED)

Span = tuple[int, int]
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True)
class Profession:
    """``name`` is the key in every language and statistic; ``first``, ``second`` the form beside each kind of person.

    ``group`` is one of ``PROFESSION_GROUPS``.
    """

    name: str
    group: str
    first: str
    second: str


@dataclass(frozen=True)
class CorpusSentence:
    """A sentence of a corpus. ``noun`` and ``form_span`` are character offsets in ``text``.

    ``noun`` is what is hidden of the person; ``side`` is 0 for a person of the first kind, 1 for the second.
    ``place`` is (template, person within its kind, profession) by index.
    """

    text: str
    noun: Span
    form_span: Span
    target_first: bool
    side: int
    place: tuple[int, int, int]


@dataclass(frozen=True)
class Corpus:
    """Templates × person phrases of two kinds × professions. Where ``paired``, persons are pairs by position.

    ``people`` are those whose share in a job the difference is compared with, as the labour statistics call them
    (``labour.OF``); a corpus saved before there were several says nothing.
    """

    language: str
    name: str
    templates: tuple[str, ...]
    persons: tuple[Group, Group]
    paired: bool
    articles: tuple[str, str] | None
    professions: tuple[Profession, ...]
    source: str
    note: str = ""
    people: str = ""

    @property
    def counted(self) -> str:
        """The people whose share in a job the difference is compared with."""
        return self.people or ("women" if self.paired else "Black")

    @property
    def contrast(self) -> Contrast:
        """First kind of person minus second: a positive difference goes with the first."""
        return Contrast(self.persons[0].name, self.persons[1].name)

    @property
    def gendered(self) -> bool:
        """Whether a sentence differs between the two kinds of person beyond the person itself."""
        return any(profession.first != profession.second for profession in self.professions) or any(
            ARTICLE in template for template in self.templates
        )

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that hold a profession, in the order of a table."""
        present = {profession.group for profession in self.professions}
        return tuple(group for group in PROFESSION_GROUPS if group in present)

    @property
    def labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The persons of each kind as a reader sees them, without brackets."""
        first, second = (tuple(_noun(phrase)[0] for phrase in group.words) for group in self.persons)
        return first, second

    @property
    def size(self) -> int:
        """How many sentences there are."""
        return len(self.templates) * sum(len(group.words) for group in self.persons) * len(self.professions)

    def sentences(self, form: str = AS_THE_SENTENCE_SHOWS) -> Iterator[CorpusSentence]:
        """Every sentence, profession by profession; ``form`` is that of its words (``templates.in_place``)."""
        parsed = [[self._template(text, side) for text in self.templates] for side in (0, 1)]
        phrases = [[_noun(phrase) for phrase in group.words] for group in self.persons]
        for p, profession in enumerate(self.professions):
            for side, profession_form in enumerate((profession.first, profession.second)):
                for (t, template), (w, (phrase, start, end)) in product(
                    enumerate(parsed[side]), enumerate(phrases[side])
                ):
                    filled = template.fill(phrase, profession_form, form)
                    at = filled.target[0]
                    yield CorpusSentence(
                        filled.text, (at + start, at + end), filled.attribute, template.target_first, side, (t, w, p)
                    )

    def _template(self, text: str, side: int) -> Template:
        if ARTICLE not in text:
            return Template.parse(text)
        if self.articles is None:
            raise TemplateError(
                f"“{shown(text)}” holds {ARTICLE}, and {self.name} has no articles here; write the word."
            )
        return Template.parse(text.replace(ARTICLE, self.articles[side]))

    def changed(self, *, templates: str, pairs: str, professions: str) -> Corpus:
        """The corpus with what a user wrote, one per line: templates, ``first / second`` persons, professions.

        A profession is a name, or "name: first form / second form". Raises TemplateError or WordListError.
        """
        lines = tuple(dict.fromkeys(line.strip() for line in templates.splitlines() if line.strip()))
        if not lines:
            raise TemplateError("There is no template; write one, such as “[TARGET] is a [ATTRIBUTE].”")
        for line in lines:
            self._template(line, 0)
        persons = self.persons if not self.paired else _persons(pairs, self.persons)
        chosen = _professions(professions, self.professions)
        same = (lines, persons, chosen) == (self.templates, self.persons, self.professions)
        source = self.source if same else f"{self.source}, changed by the user"
        return replace(self, templates=lines, persons=persons, professions=chosen, source=source)

    @property
    def pairs_text(self) -> str:
        """The persons as ``changed`` reads them; empty where they are not pairs."""
        if not self.paired:
            return ""
        return "\n".join(
            f"{first} / {second}" for first, second in zip(*(kind.words for kind in self.persons), strict=True)
        )

    @property
    def professions_text(self) -> str:
        """The professions as ``changed`` reads them."""
        return "\n".join(
            profession.name
            if profession.name == profession.first == profession.second
            else f"{profession.name}: {profession.first} / {profession.second}"
            for profession in self.professions
        )


# The word in brackets is hidden from the model.
_PERSONS = (
    *("this [{}] man", "this [{}] woman", "this [{}] person", "my [{}] friend", "my [{}] neighbor"),
    "my [{}] colleague",
)
_CAUTIONS = {
    "Black": "“Black” and “White” are colours too, and texts seldom say that somebody is White.",
    "Asian": "“Asian” stands for people of many origins, and texts seldom say that somebody is White.",
    "Hispanic": "In the statistics Hispanic people are of any race, here they are compared with “White”, which texts "
    "seldom say of somebody.",
}


@cache
def corpora() -> tuple[Corpus, ...]:
    """A corpus a language, English first."""
    found = [_read(name) for name in data_files("corpora")]
    return tuple(sorted(found, key=lambda corpus: (corpus.language != "en", corpus.name)))


def corpus(language: str) -> Corpus:
    """The corpus of a language, by its ISO 639-1 code. Raises WordListError, with the codes there are."""
    for known in corpora():
        if known.language == language:
            return known
    raise WordListError(
        f"There is no corpus in “{shown(language)}”; there are {', '.join(known.language for known in corpora())}."
    )


def language_name(code: str) -> str:
    """The name of a language with a corpus ("German" for de); of any other, its code."""
    return next((known.name for known in corpora() if known.language == code), code)


@cache
def names_corpus() -> Corpus:
    """English with the names of WEAT 3 for persons: African American names first, European American second."""
    english, test = corpus("en"), association_test("weat3")
    persons = (Group(test.y.name, test.y.members), Group(test.x.name, test.x.members))
    source = f"{english.source}; names of {test.citation}"
    return replace(english, persons=persons, paired=False, source=source, note=test.caution, people="Black")


@cache
def ethnicity_corpora() -> tuple[Corpus, ...]:
    """English with persons by ethnicity: one corpus for each term that the labour statistics count, beside White."""
    english = corpus("en")
    return tuple(
        replace(
            english,
            persons=(_phrases(people), _phrases("White")),
            source=f"{english.source}; persons by the terms of the U.S. labour statistics, phrases of our own",
            note=f"{note} The terms are social categories of one country.",
            people=people,
        )
        for people, note in _CAUTIONS.items()
    )


def _phrases(term: str) -> Group:
    return Group(term, tuple(phrase.format(term) for phrase in _PERSONS))


def _read(name: str) -> Corpus:
    data = read_json(name)
    source = Source(**data["source"])
    first, second = zip(*data["pairs"], strict=True)
    professions = []
    for group, entries in data["professions"].items():
        for entry in entries:
            forms = (entry, entry, entry) if isinstance(entry, str) else entry
            professions.append(Profession(forms[0], group, forms[1], forms[2]))
    return Corpus(
        language=data["language"],
        name=data["name"],
        templates=tuple(data["templates"]),
        persons=(Group(FEMALE, first), Group(MALE, second)),
        paired=True,
        articles=tuple(data["articles"]) if "articles" in data else None,
        professions=tuple(professions),
        source=f"{source}, {data['name']}",
        note=data["note"],
    )


def _noun(phrase: str) -> tuple[str, int, int]:
    """(phrase without brackets, start and end of what is hidden in it)."""
    marked = _BRACKETS.search(phrase)
    if marked:
        plain = phrase[: marked.start()] + marked.group(1) + phrase[marked.end() :]
        return plain, marked.start(), marked.start() + len(marked.group(1))
    start = phrase.rfind(" ") + 1
    return phrase, start, len(phrase)


def _persons(text: str, kinds: tuple[Group, Group]) -> tuple[Group, Group]:
    pairs = []
    for line in filter(None, map(tidy, text.splitlines())):
        parts = [tidy(part) for part in line.split("/")]
        if len(parts) != 2 or not all(parts):
            raise WordListError(
                f"“{shown(line)}” is not a valid pair; write “{kinds[0].name} / {kinds[1].name}”, as “she / he”."
            )
        pairs.append(parts)
    if not pairs:
        raise WordListError("There is no pair of persons; write one per line, such as “she / he”.")
    for word, count in Counter(word for pair in pairs for word in pair).items():
        if count > 1:
            raise WordListError(f"“{shown(word)}” stands in {count} places of the pairs; keep it in one.")
    first, second = (tuple(pair[side] for pair in pairs) for side in (0, 1))
    for words in (first, second):
        clean_words([_noun(word)[0] for word in words])
    return Group(kinds[0].name, first), Group(kinds[1].name, second)


def _professions(text: str, known: Sequence[Profession]) -> tuple[Profession, ...]:
    by_name = {profession.name.casefold(): profession for profession in known}
    professions: dict[str, Profession] = {}
    for line in filter(None, map(tidy, text.splitlines())):
        name, colon, forms = (part.strip() for part in line.partition(":"))
        parts = [tidy(part) for part in forms.split("/")] if colon else [name, name]
        if len(parts) == 1:
            parts *= 2
        if not name or len(parts) != 2 or not all(parts):
            raise WordListError(f"“{shown(line)}” cannot be read; write “name” or “name: first form / second form”.")
        same = by_name.get(name.casefold())
        if same is not None and not colon:
            professions[same.name] = same
        else:
            professions[name] = Profession(same.name if same else name, same.group if same else UNGROUPED, *parts)
    clean_words([form for item in professions.values() for form in (item.name, item.first, item.second)])
    return tuple(professions.values())
