"""How near professions stand to female and to male words, template by template, in every representation asked for.

Each sentence goes through a model once, whatever the number of representations and subsets that read it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.engine.pieces import SpanText
from core.errors import ModelError
from core.measures.association.metric import COSINE_ROUNDING, associations, cosine_matrix
from core.measures.shared.representations import Representation, read
from core.result import Group, LeftOut
from core.run import Watch
from core.sources.blanks import BlankTemplate

FloatArray = NDArray[np.float64]
NO_TEMPLATE = ""  # the one "template" of a representation that reads words without context


@dataclass(frozen=True)
class Words:
    """The words of the test: professions X and Y, and the gendered words A and B they are compared with."""

    x: Group
    y: Group
    a: Group
    b: Group

    @property
    def all(self) -> tuple[str, ...]:
        """Each word once."""
        return tuple(dict.fromkeys(word for group in (self.x, self.y, self.a, self.b) for word in group.words))


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
class _Read:
    """Vectors [template, word, width] by one representation, and why a word has none in a template ("" if it has).

    ``inputs``: for each template a key that is equal where the model gets the same inputs.
    """

    templates: tuple[str, ...]
    vectors: NDArray[np.float32]
    lost: list[list[str]]
    inputs: Sequence[Hashable]


def not_computed(model: str, what: str, representation: str, reason: str, template: str | None = None) -> LeftOut:
    """An effect size without a number."""
    return LeftOut(
        model, "statistic", what, reason, template=template, test="effect size", representation=representation
    )


def word_scores(
    model: LoadedModel,
    rulers: Sequence[Representation],
    templates: Sequence[BlankTemplate],
    words: Words,
    run: Watch,
) -> tuple[list[WordScores], list[LeftOut]]:
    """What each representation gives, in the order of ``rulers``, and what was left out.

    A template that gives no word a vector, or no two words different ones, is left out; so is a word that another
    template gives none, for all of them. A run that was cancelled gives nothing.
    """
    encoder = Encoder(model)
    found: list[WordScores] = []
    left_out: list[LeftOut] = []
    for one, vectors in _vectors(encoder, rulers, templates, words.all, run):
        if run.cancelled():
            return [], []
        if isinstance(vectors, str):
            left_out.append(not_computed(model.info.name, one.title, one.id, vectors))
            continue
        scores = _scores(model.info.name, one, vectors, words, left_out)
        if scores is not None:
            found.append(scores)
    order = {one.id: place for place, one in enumerate(rulers)}
    return sorted(found, key=lambda scores: order[scores.representation]), left_out


def _vectors(
    encoder: Encoder,
    rulers: Sequence[Representation],
    templates: Sequence[BlankTemplate],
    words: Sequence[str],
    run: Watch,
) -> list[tuple[Representation, _Read | str]]:
    found: list[tuple[Representation, _Read | str]] = []
    for one in rulers:
        if one.place == "static":
            static = encoder.input_vectors(words)
            found.append((one, _Read((NO_TEMPLATE,), static.vectors[None], [list(static.lost)], [NO_TEMPLATE])))
    sentences: dict[str, tuple[tuple[str, ...], Callable[[], list[SpanText]]]] = {
        "templates": (
            tuple(template.id for template in templates),
            lambda: [SpanText(*template.sentence(word)) for template in templates for word in words],
        ),
        "bare": ((NO_TEMPLATE,), lambda: [SpanText(word.lower()) for word in words]),
    }
    for place, (names, texts) in sentences.items():
        asked = [one for one in rulers if one.place == place]
        if not asked:
            continue
        poolings = list(dict.fromkeys(one.pooling for one in asked))
        try:
            embedded = encoder.embed(texts(), poolings, run=run)
        except ModelError as error:
            found += [(one, str(error)) for one in asked]
            continue
        lost = np.array(embedded.lost, dtype=object).reshape(len(names), len(words)).tolist()
        inputs = [tuple(row) for row in np.array(embedded.same).reshape(len(names), len(words)).tolist()]
        for one in asked:
            states = embedded.of(one.pooling)
            vectors = np.stack([read(one, item, None) for item in states])
            found.append((one, _Read(names, vectors.reshape(len(names), len(words), -1), lost, inputs)))
    return found


def _scores(model: str, one: Representation, read_: _Read, words: Words, left_out: list[LeftOut]) -> WordScores | None:
    """s of the words that every template kept gives a vector."""
    place = {word: column for column, word in enumerate(words.all)}
    kept = []
    for row, (template, reasons) in enumerate(zip(read_.templates, read_.lost, strict=True)):
        if all(reasons):
            reason = f"{template or 'every word'}: {reasons[0]}"
            left_out.append(not_computed(model, template or one.title, one.id, reason, template or None))
        else:
            kept.append(row)
    lost: dict[str, str] = {}
    for word, column in place.items():
        reason = next((read_.lost[row][column] for row in kept if read_.lost[row][column]), "")
        if reason and reason != STOPPED:
            lost[word] = reason
            left_out.append(LeftOut(model, "attribute", word, f"“{word}” {reason}", representation=one.id))
    x, y, a, b = ([word for word in group.words if word not in lost] for group in (words.x, words.y, words.a, words.b))
    if not kept or min(map(len, (x, y, a, b))) == 0:
        reason = f"{one.title}: a set of words kept none"
        left_out.append(not_computed(model, one.title, one.id, reason))
        return None
    professions, gendered = ([place[word] for word in (*first, *second)] for first, second in ((x, y), (a, b)))
    names, values = [], []
    for row in kept:
        vectors = read_.vectors[row].astype(np.float64)
        s = associations(cosine_matrix(vectors[professions], vectors[gendered]), len(a))
        if np.isnan(s).any() or np.ptp(s) <= COSINE_ROUNDING:
            name = read_.templates[row] or one.title
            reason = f"{name}: no variation beyond rounding by {one.title}"
            left_out.append(not_computed(model, name, one.id, reason, read_.templates[row] or None))
            continue
        names.append(read_.templates[row])
        values.append(s)
    if not values:
        return None
    table = np.stack(values)
    first: dict[Hashable, str] = {}
    pairs = [(name, first.setdefault(key, name)) for name, key in zip(read_.templates, read_.inputs, strict=True)]
    same = tuple(pair for pair in pairs if pair[0] != pair[1])
    return WordScores(model, one.id, tuple(names), tuple(x), tuple(y), table[:, : len(x)], table[:, len(x) :], same)
