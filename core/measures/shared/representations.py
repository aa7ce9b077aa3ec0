"""Ways to represent a word as a vector. To add one, add a line to ``REPRESENTATIONS``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...engine.pieces import SpanText
from ...errors import OptionError, instead
from ...sources import AssociationTest
from ...sources.templates import AS_THE_SENTENCE_SHOWS, ATTRIBUTE, CAPITAL, MASK, TARGET, in_place

States = NDArray[np.float32]  # [layer, width]; layer 0 is the embedding output


@dataclass(frozen=True)
class Representation:
    """One representation.

    ``place``: where the word is read, ``bare`` (alone), ``templates`` (in the test's sentences), ``partner``
    (Kurita's template with the other slot masked), ``static`` (no model pass), or ``scores`` (no vector at all).
    ``pooling`` as in ``embeddings``. ``read``: one vector of a member's states; ``layer`` says which in words, a
    format whose ``{top}`` is the layer ``top`` or the last one of a model that has fewer.
    """

    id: str
    title: str
    source: str
    place: str
    pooling: str = ""
    layer: str = ""
    top: int = 0
    read: Callable[[States], NDArray[np.float32]] = lambda states: states[-1]


def _mean_of(low: int, high: int | None) -> Callable[[States], NDArray[np.float32]]:
    def read(states: States) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = states[low:high].mean(axis=0)
        return mean

    return read


LPBS = "lpbs"
_DELOBELLE = "Delobelle et al. 2022"
REPRESENTATIONS = (
    Representation("input-embedding", "input embedding", "Caliskan et al. 2017", "static", layer="input"),
    Representation("cls-in-templates", "[CLS] in templates", "May et al. 2019", "templates", "first-token", "last"),
    Representation("cls-no-context", "[CLS], no context", _DELOBELLE, "bare", "first-token", "last"),
    Representation("pooled-no-context", "pooled, no context", _DELOBELLE, "bare", "span-mean", "last"),
    Representation("pooled-in-templates", "pooled in templates", _DELOBELLE, "templates", "span-mean", "last"),
    Representation(
        "first-piece-in-templates", "first token in templates", _DELOBELLE, "templates", "span-first", "last",
    ),
    Representation(
        "vulic", "Vulić: layers 1–4, no context", "Vulić et al. 2020", "bare", "span-mean", "1–{top}", 4,
        _mean_of(1, 5),
    ),
    Representation("partner-masked", "partner masked", "Kurita et al. 2019", "partner", "span-mean", "last"),
    Representation(
        "layer-11-mean", "next to last layer, all tokens", "Irani et al. 2020", "templates", "all-mean", "next to last",
        read=lambda states: states[-2],
    ),
    Representation(
        "last-two-layers-mean", "last two layers, all tokens", "Irani et al. 2020", "templates", "all-mean", "last two",
        read=_mean_of(-2, None),
    ),
    Representation(LPBS, "LPBS", "Kurita et al. 2019", "scores", layer="output"),
)  # fmt: skip
_BY_ID = {kind.id: kind for kind in REPRESENTATIONS}
# Those that read words in templates, and all that read words in templates or alone.
IN_TEMPLATES = tuple(kind.id for kind in REPRESENTATIONS if kind.place == "templates")
OF_WORDS = tuple(kind.id for kind in REPRESENTATIONS if kind.place in ("static", "bare", "templates"))
# Besides these: CEAT reads words in a user's sentences, and a file of vectors needs no model.
CEAT = Representation("ceat", "CEAT in your sentences", "Guo & Caliskan 2021", "contexts", "span-mean", "last")
VECTORS = Representation("vectors", "vectors from a file", "Caliskan et al. 2017", "static", layer="file")
TITLES = {kind.id: kind.title for kind in (*REPRESENTATIONS, CEAT, VECTORS)}
SOURCES = {kind.id: kind.source for kind in (*REPRESENTATIONS, CEAT, VECTORS)}


def representation_by_id(name: str) -> Representation:
    """The representation of that id. Raises OptionError with the ids there are."""
    if name in _BY_ID:
        return _BY_ID[name]
    raise OptionError(f"There is no representation “{name}”. {instead(name, _BY_ID)}")


def named_layer(kind: Representation, layers: int, asked: int | None) -> str:
    """Which layers of a model with so many a row is read from, in words; ``asked`` is the one requested instead."""
    if asked is not None and kind.pooling:
        return str(asked)
    return kind.layer.format(top=min(kind.top, layers))


def read(kind: Representation, states: States, layer: int | None) -> NDArray[np.float32]:
    """The member's vector: the layers the representation is defined on, or the one requested instead."""
    return kind.read(states) if layer is None else states[layer]


def cannot_read(kind: Representation, test: AssociationTest) -> str:
    """Why a representation cannot read a test at all, empty if it can."""
    sentences = test.level == "sentences"
    match kind.place:
        case "bare" if sentences:
            return "the members are sentences, and this representation reads words without context"
        case "contexts" if sentences:
            return "the members are sentences, and CEAT looks for words in sentences"
        case "partner" if test.lpbs is None or sentences:
            return "no template with a slot for the partner"
        case "scores" if test.lpbs is None:
            return "no template"
        case "templates" if test.templates is None:
            return "no template"
    return ""


def texts(kind: Representation, test: AssociationTest, letter: str, member: str, form: str) -> tuple[SpanText, ...]:
    """Where a representation reads a member of set ``letter`` (X, Y, A, B) of a test that it can read.

    ``form`` is that of words in templates with slots (``templates.in_place``).
    """
    if kind.place == "bare":
        return (SpanText(member, (0, len(member))),)
    if kind.place == "partner" and test.lpbs is not None:
        slot, other = (TARGET, ATTRIBUTE) if letter in test.lpbs.fixed else (ATTRIBUTE, TARGET)
        return tuple(
            _placed(template.replace(other, MASK), slot, member, form) for template in test.lpbs.partner_masked
        )
    if test.templates is None:
        return ()
    return tuple(SpanText(text, span) for text, span in test.templates.sentences(member, letter))


def _placed(template: str, slot: str, word: str, form: str) -> SpanText:
    before, after = template.split(slot)
    shown = in_place(before, word, AS_THE_SENTENCE_SHOWS if form == CAPITAL and slot == ATTRIBUTE else form)
    return SpanText(before + shown + after, (len(before), len(before) + len(shown)))
