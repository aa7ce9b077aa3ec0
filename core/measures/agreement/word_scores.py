"""How near professions stand to female and to male words, template by template, in every representation requested.

Each sentence goes through a model once, whatever the number of representations and subsets that read it, and whatever
the number of runs that were stopped before it was reached.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.embeddings import Encoder
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED
from ...engine.pieces import SpanText
from ...errors import ModelError
from ...result import Excluded
from ...run import Watch, continued
from ...sources.blanks import BlankTemplate, Words
from ..association.metric import COSINE_ROUNDING, associations, cosine_matrix
from ..shared.representations import Representation, read

FloatArray = NDArray[np.float64]
NO_TEMPLATE = ""  # the one "template" of a representation that reads words without context


@dataclass(frozen=True, eq=False)
class WordScores:
    """s(w, A, B) of the professions kept, ``x`` and ``y`` [template, word]; above 0: nearer to A.

    ``templates`` are the ids of those kept, ``NO_TEMPLATE`` alone where words stand without context. ``same`` pairs a
    template with the earlier one that is the same input to the model: of course they agree.
    """

    model: str
    representation: str
    templates: tuple[str, ...]
    words_x: tuple[str, ...]
    words_y: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    same: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class _Reading:
    """One text: its vector [width] by representation, why it has none ("" if it has), and a key of what was read.

    ``input`` is equal where the model got the same input.
    """

    vectors: dict[str, NDArray[np.float32]]
    lost: str
    input: Hashable


@dataclass(frozen=True, eq=False)
class _Place:
    """What was read in one place: the ids of the templates, and ``readings`` [template, word]."""

    templates: tuple[str, ...]
    readings: list[list[_Reading]]


def not_computed(model: str, what: str, representation: str, reason: str, template: str | None = None) -> Excluded:
    """An effect size without a number."""
    return Excluded(
        model, "statistic", what, reason, template=template, test="effect size", representation=representation
    )


def word_scores(
    model: LoadedModel,
    kinds: Sequence[Representation],
    templates: Sequence[BlankTemplate],
    words: Words,
    memory: dict[Any, Any],
    run: Watch,
) -> tuple[list[WordScores], list[Excluded]]:
    """What each representation gives, in the order of ``kinds``, and what was excluded.

    A template that gives no word a vector, or no two words different ones, is excluded; so is a word that another
    template gives none, for all of them. ``memory`` takes up what was read, and what it holds is not read again. A
    run that was stopped before every text was read gives nothing.
    """
    readings: dict[str, _Place | ModelError] = {}
    for place in dict.fromkeys(kind.place for kind in kinds):
        of_place = [kind for kind in kinds if kind.place == place]
        try:
            readings_there = _place(model, of_place, templates, words.all, memory, run)
        except ModelError as error:
            readings[place] = error
            continue
        if readings_there is None:
            return [], []
        readings[place] = readings_there
    scores: list[WordScores] = []
    left_out: list[Excluded] = []
    for kind in kinds:
        reading = readings[kind.place]
        if isinstance(reading, ModelError):
            left_out.append(not_computed(model.info.name, kind.title, kind.id, str(reading)))
        elif (of_kind := _scores(model.info.name, kind, reading, words, left_out)) is not None:
            scores.append(of_kind)
    return scores, left_out


def _place(
    model: LoadedModel,
    kinds: Sequence[Representation],
    templates: Sequence[BlankTemplate],
    words: Sequence[str],
    memory: dict[Any, Any],
    run: Watch,
) -> _Place | None:
    """What the representations of one place read; None where the run was stopped before the end."""
    encoder = Encoder(model)
    if kinds[0].place == "static":
        static = encoder.input_vectors(words)
        readings = [
            _Reading({kind.id: vector for kind in kinds}, lost, word)
            for word, vector, lost in zip(words, static.vectors, static.lost, strict=True)
        ]
        return _Place((NO_TEMPLATE,), [readings])
    if kinds[0].place == "bare":
        names: tuple[str, ...] = (NO_TEMPLATE,)
        texts = [SpanText(word.lower()) for word in words]
    else:
        names = tuple(template.id for template in templates)
        texts = [SpanText(*template.sentence(word)) for template in templates for word in words]
    distinct = list(dict.fromkeys(texts))
    missing = [text for text in distinct if (model.info, text) not in memory]
    poolings = list(dict.fromkeys(kind.pooling for kind in kinds))
    embedded = encoder.embed(missing, poolings, run=continued(run, len(distinct) - len(missing)))
    for at, text in enumerate(missing):
        if embedded.lost[at] != STOPPED:
            vectors = {kind.id: read(kind, embedded.of(kind.pooling)[at], None) for kind in kinds}
            memory[model.info, text] = _Reading(vectors, embedded.lost[at], embedded.same[at])
    if any((model.info, text) not in memory for text in texts):
        return None
    readings = [memory[model.info, text] for text in texts]
    return _Place(names, [readings[start : start + len(words)] for start in range(0, len(readings), len(words))])


def _scores(
    model: str, kind: Representation, place: _Place, words: Words, left_out: list[Excluded]
) -> WordScores | None:
    """s of the words that every template kept gives a vector."""
    column = {word: at for at, word in enumerate(words.all)}
    kept = []
    for template, readings in zip(place.templates, place.readings, strict=True):
        if all(reading.lost for reading in readings):
            reason = f"{template or 'every word'}: {readings[0].lost}"
            left_out.append(not_computed(model, template or kind.title, kind.id, reason, template or None))
        else:
            kept.append((template, readings))
    lost: dict[str, str] = {}
    for word, at in column.items():
        reason = next((readings[at].lost for _, readings in kept if readings[at].lost), "")
        if reason:
            lost[word] = reason
            left_out.append(Excluded(model, "attribute", word, f"“{word}” {reason}", representation=kind.id))
    x, y, a, b = ([word for word in group.words if word not in lost] for group in (words.x, words.y, words.a, words.b))
    if not kept or min(map(len, (x, y, a, b))) == 0:
        reason = f"{kind.title}: a set of words kept none"
        left_out.append(not_computed(model, kind.title, kind.id, reason))
        return None
    professions, gendered = ([column[word] for word in (*first, *second)] for first, second in ((x, y), (a, b)))
    names, values = [], []
    for template, readings in kept:
        vectors = np.stack([reading.vectors[kind.id] for reading in readings]).astype(np.float64)
        s = associations(cosine_matrix(vectors[professions], vectors[gendered]), len(a))
        if np.isnan(s).any() or np.ptp(s) <= COSINE_ROUNDING:
            name = template or kind.title
            reason = f"{name}: no variation beyond rounding by {kind.title}"
            left_out.append(not_computed(model, name, kind.id, reason, template or None))
            continue
        names.append(template)
        values.append(s)
    if not values:
        return None
    table = np.stack(values)
    first: dict[Hashable, str] = {}
    for template, readings in zip(place.templates, place.readings, strict=True):
        first.setdefault(tuple(reading.input for reading in readings), template)
    same = tuple(
        (template, earlier)
        for template, readings in zip(place.templates, place.readings, strict=True)
        if (earlier := first[tuple(reading.input for reading in readings)]) != template
    )
    return WordScores(model, kind.id, tuple(names), tuple(x), tuple(y), table[:, : len(x)], table[:, len(x) :], same)
