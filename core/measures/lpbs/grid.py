"""What LPBS asks about: every template with every attribute and every target word in its slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...result import Group
from ...sources import Corpus
from ...sources.templates import AS_THE_SENTENCE_SHOWS, MASK, Filled, Template, mask_spans

Span = tuple[int, int]
Place = tuple[int, int, int]


@dataclass(frozen=True)
class MaskedTexts:
    """The two texts a masked model is asked: attribute present, and hidden too. ``*_mask``: the mask to read."""

    present: str
    present_mask: int
    prior: str
    prior_mask: int


@dataclass(frozen=True)
class Sentence:
    """A sentence with its words in their slots.

    ``target`` and ``attribute`` are character offsets in ``text``: what is hidden of the target, and the attribute with
    letters that touch it. ``place`` is (template, attribute, target word) by index.
    """

    text: str
    target: Span
    attribute: Span
    place: Place

    @property
    def target_first(self) -> bool:
        """Whether the target stands before the attribute."""
        return self.target < self.attribute

    @property
    def word(self) -> str:
        """The target in the form it has here."""
        return self.text[slice(*self.target)]

    @property
    def present(self) -> str:
        """The sentence with its target hidden behind one mask."""
        return mask_spans(self.text, [(self.target, 1)])

    @property
    def attribute_in_present(self) -> Span:
        """Where the attribute stands in ``present``."""
        shift = len(MASK) - len(self.word) if self.target_first else 0
        start, end = self.attribute
        return start + shift, end + shift

    def masked(self, masks: int) -> MaskedTexts:
        """Hide the target, then the attribute behind so many masks. Both texts are read at the target's mask."""
        prior = mask_spans(self.text, [(self.target, 1), (self.attribute, masks)])
        return MaskedTexts(self.present, 0, prior, 0 if self.target_first else masks)


def sentence(filled: Filled, place: Place = (0, 0, 0)) -> Sentence:
    """A filled template as a sentence."""
    return Sentence(filled.text, filled.target, filled.attribute, place)


@dataclass(frozen=True)
class Grid:
    """Templates × attributes × target words, as a reader sees them, and the sentence of each place.

    The words of all groups stand behind each other. ``sentences`` stand attribute by attribute. ``attribute_role`` says
    what an attribute is called where it is excluded.
    """

    templates: tuple[str, ...]
    attributes: tuple[str, ...]
    groups: tuple[Group, ...]
    sentences: tuple[Sentence, ...]
    attribute_role: str = "attribute"

    @property
    def shape(self) -> Place:
        """How many templates, attributes and words."""
        return len(self.templates), len(self.attributes), len(self.words)

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """(group, word) of every target word."""
        return tuple((group.name, word) for group in self.groups for word in group.words)

    @property
    def slices(self) -> tuple[slice, ...]:
        """Where each group's words stand."""
        ends = list(accumulate(len(group.words) for group in self.groups))
        return tuple(slice(end - len(group.words), end) for group, end in zip(self.groups, ends, strict=True))


def word_grid(
    templates: Sequence[Template],
    attributes: Sequence[str],
    groups: Sequence[Group],
    form: str = AS_THE_SENTENCE_SHOWS,
) -> Grid:
    """Plain words in templates; ``form`` is that of words in their slots (``templates.in_place``)."""
    words = [word for group in groups for word in group.words]
    return Grid(
        tuple(template.text for template in templates),
        tuple(attributes),
        tuple(groups),
        tuple(
            sentence(template.fill(word, attribute, form), (t, a, w))
            for a, attribute in enumerate(attributes)
            for t, template in enumerate(templates)
            for w, word in enumerate(words)
        ),
    )


def corpus_grid(corpus: Corpus, form: str = AS_THE_SENTENCE_SHOWS) -> Grid:
    """A corpus: professions are its attributes, both kinds of persons its groups. Of a person the noun is hidden."""
    persons = tuple(Group(group.name, labels) for group, labels in zip(corpus.persons, corpus.labels, strict=True))
    first = (0, len(persons[0].words))
    return Grid(
        corpus.templates,
        tuple(profession.name for profession in corpus.professions),
        persons,
        tuple(
            Sentence(
                sentence.text,
                sentence.noun,
                sentence.form_span,
                (sentence.place[0], sentence.place[2], first[sentence.side] + sentence.place[1]),
            )
            for sentence in corpus.sentences(form)
        ),
        attribute_role="profession",
    )
