"""The row of CEAT: the words of an association test in a user's sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.pieces import SpanText
from core.measures.association import ceat
from core.measures.association.contexts import MAX_CONTEXTS, Contexts
from core.measures.association.members import InSentences, TextVectors, in_sentences
from core.measures.association.result import AssociationCell
from core.measures.association.rows import PAIRS, Collected, Combination, asked
from core.measures.association.weat import NotComputed, SetSizes
from core.measures.shared.representations import CEAT
from core.sources import AssociationTest

SHARED_SENTENCES = (
    "CEAT: the samples share sentences, so its p shrinks with their number; read the combined effect size and its "
    "spread."
)
CAPPED = f"CEAT: a word is read in at most {MAX_CONTEXTS} places of the sentences, drawn by the seed where it has more."


def words_sought(tests: Sequence[AssociationTest]) -> list[str]:
    """The words that CEAT looks for in sentences, for all tests of words."""
    every = (word for test in tests if test.level == "words" for _, words in test.sets for word in words.members)
    return list(dict.fromkeys(every))


def places(contexts: Contexts) -> list[tuple[SpanText, str]]:
    """Every (text, pooling) that CEAT reads."""
    return [(place, CEAT.pooling) for found in contexts.values() for place in found]


def notes(contexts: Contexts) -> list[str]:
    """What a reader of a CEAT value must know."""
    capped = any(len(found) == MAX_CONTEXTS for found in contexts.values())
    return [SHARED_SENTENCES, *([CAPPED] if capped else [])]


def ceat_row(out: Collected, what: Combination, contexts: Contexts, vectors: TextVectors | str) -> None:
    """Add the row of CEAT.

    ``vectors`` holds the one layer that is read, at all ``places``, or is the reason why the model gives none.
    """
    if isinstance(vectors, str):
        out.refuse(what, vectors)
        return
    if what.test.level == "sentences":
        out.refuse(what, "the members are sentences, and CEAT looks for words in sentences")
        return
    sets: dict[str, InSentences] = {}
    single = out.options.lost == "several pieces"
    for letter, members in what.test.sets:
        found = in_sentences(members.members, contexts, vectors, single_piece=single)
        if isinstance(found, str):
            out.refuse(what, found)
            return
        out.lose(what, letter, found.lost)
        sets[letter] = found
    missing = out.count_once(what, sets)
    for first, second in PAIRS:
        rows = out.equal(what, (first, sets[first].names), (second, sets[second].names))
        for letter, kept in zip((first, second), rows, strict=True):
            sets[letter] = sets[letter].only(kept)
    options = out.options
    computed = ceat.contextual_test(
        *(found.contexts for found in sets.values()),
        asked=SetSizes(*(asked(found.names, found.lost) + missing[letter] for letter, found in sets.items())),
        ddof=options.ddof,
        seed=options.seed,
        samples=options.ceat_samples,
        variance="authors" if options.ceat_variance == "authors" else "formula",
    )
    if isinstance(computed, NotComputed):
        out.refuse(what, computed.reason)
        return
    x, y, a, b = (found.names for found in sets.values())
    cell = AssociationCell(
        *what.key, x, y, a, b, computed.s_x, computed.s_y, computed.matrix, computed.effect_sizes
    )  # fmt: skip
    out.compute(what, computed, cell, p_kind="random effects", n_permutations=len(computed.effect_sizes))
    out.explain(what, ": CEAT has no permutation test, so no one-sided p")
