"""One row of an association test's result: a model, a test and a ruler; or the reason why there is no number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.engine.masked import STOPPED
from core.engine.vectors import StaticVectors
from core.measures.association import weat
from core.measures.association.members import InSentences, Lost, Members, TextVectors, contextual, static
from core.measures.association.result import AssociationCell, AssociationOptions
from core.measures.association.weat import NotComputed, SetSizes
from core.measures.shared.representations import Representation, named_layer, read
from core.measures.shared.sameness import Named, not_told_apart
from core.result import LeftOut
from core.sources import AssociationTest
from core.stats.samples import is_enough, too_few

Set = TypeVar("Set", Members, InSentences)

_STATISTICS = (
    "test_statistic",
    "effect_size",
    "ddof",
    "ci_low",
    "ci_high",
    "p_one_sided",
    "p_two_sided",
    "p_observed_direction",
    "p_kind",
    "n_permutations",
    "n_x",
    "n_y",
    "n_a",
    "n_b",
)
COLUMNS = ("model", "test", "representation", "layer", "templates", *_STATISTICS)
X_Y = ("X", "Y")
PAIRS = (X_Y, ("A", "B"))


@dataclass(frozen=True)
class Combination:
    """What a row is about. ``model`` has so many ``layers``, 0 for a file of vectors."""

    model: str
    layers: int
    test: AssociationTest
    ruler: Representation

    @property
    def key(self) -> tuple[str, str, str]:
        """Model, test and representation as every frame names them."""
        return self.model, self.test.id, self.ruler.id

    @property
    def templates(self) -> int:
        """How many sentences each member is read in, at most; 0 without sentences."""
        test, place = self.test, self.ruler.place
        if place == "scores" and test.lpbs is not None:
            return len(test.lpbs.frames)
        if place == "partner" and test.lpbs is not None:
            return len(test.lpbs.partner_masked)
        if place == "templates" and test.templates is not None:
            return max(len(placed.sentences) for placed in test.templates.placements)
        return 0


@dataclass(eq=False)
class Collected:
    """What the combinations of one model give, row by row. ``notes`` are about the model."""

    options: AssociationOptions
    rows: list[dict[str, object]] = field(default_factory=list)
    cells: list[AssociationCell] = field(default_factory=list)
    layers: list[dict[str, object]] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stopped: bool = False

    @property
    def has_values(self) -> bool:
        """Whether any combination was computed."""
        return any(row["n_x"] is not None for row in self.rows)

    def compute(self, what: Combination, result: object, cell: AssociationCell, **others: object) -> None:
        """Add a row with the statistics that ``result`` has, or ``others`` in their place, and what is behind it.

        Where X or Y has too few members there is no interval. Permutation tests keep their p, which is right at any n;
        that of CEAT is not one.
        """
        row = {**self._named(what), **{name: getattr(result, name, None) for name in _STATISTICS}, **others}
        few = [(letter, n) for letter in X_Y if not is_enough(n := int(getattr(result, f"n_{letter.lower()}")))]
        if few:
            by_permutation = row["p_kind"] in ("exact", "sampled")
            row |= dict.fromkeys(("ci_low", "ci_high", *(() if by_permutation else ("p_two_sided",))), np.nan)
            missing = "interval" if by_permutation else "interval and p"
            sizes = ", ".join(f"{letter} {too_few(n)}" for letter, n in few)
            self.explain(what, f": {missing} not computed, n too small ({sizes} members)")
        self.rows.append(row)
        self.cells.append(cell)

    def refuse(self, what: Combination, reason: str) -> None:
        """Add a row without values, with the reason: ``STOPPED``, or what stands behind "not computed"."""
        self.stopped |= reason == STOPPED
        # A number that is missing keeps the column one of numbers.
        self.rows.append({**dict.fromkeys(COLUMNS), **self._named(what), "effect_size": np.nan})
        self.explain(what, f" {STOPPED}" if reason == STOPPED else f": not computed, {reason.rstrip('.')}")

    def explain(self, what: Combination, reason: str) -> None:
        """List a statistic that is missing; ``reason`` goes on from the test and the representation."""
        text = f"{what.test.id} by {what.ruler.id}{reason}"
        self._list(what, "statistic", what.test.id, text)

    def lose(self, what: Combination, letter: str, lost: Iterable[tuple[str, str]]) -> None:
        """List members of the set ``letter`` that are lost, each with a reason that goes on from it."""
        for name, reason in lost:
            self._list(what, "target" if letter in X_Y else "attribute", name, f"{name} {reason}", letter)

    def lose_group_word(self, what: Combination, group: str, word: str, reason: str, template: str) -> None:
        """List a word of an LPBS group that is lost in a template."""
        self._list(what, "target", word, f"{word} {reason}", group, template)

    def _list(
        self,
        what: Combination,
        role: str,
        word: str,
        reason: str,
        group: str | None = None,
        template: str | None = None,
    ) -> None:
        model, test, representation = what.key
        item = LeftOut(model, role, word, reason, group, template, test=test, representation=representation)
        self.left_out.append(item)

    def equal(
        self, what: Combination, first: tuple[str, Sequence[str]], second: tuple[str, Sequence[str]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which members stay when the longer of two sets, each a letter and its members, drops some at random.

        Those dropped are listed. All stay unless the options say ``drop``.
        """
        if self.options.unequal != "drop":
            return np.arange(len(first[1])), np.arange(len(second[1]))
        kept = weat.drop_to_equal(len(first[1]), len(second[1]), seed=self.options.seed)
        for (letter, names), rows in zip((first, second), kept, strict=True):
            gone = np.setdiff1d(np.arange(len(names)), rows)
            self.lose(what, letter, ((names[row], "is dropped at random to make the sets equal") for row in gone))
        return kept

    def count_once(self, what: Combination, sets: MutableMapping[str, Set]) -> dict[str, int]:
        """Take members out of ``sets`` that the model cannot tell apart, and list them; how many went of each set.

        Of one set the first one stays; what stands in X and in Y, or in A and in B, stays in neither.
        """
        gone = {}
        for pair in PAIRS:
            named = [Named(letter, sets[letter].names, sets[letter].keys) for letter in pair]
            for letter, reasons in zip(pair, not_told_apart(named), strict=True):
                names = sets[letter].names
                self.lose(what, letter, ((names[row], reason) for row, reason in reasons.items()))
                if reasons:
                    sets[letter] = sets[letter].only([row for row in range(len(names)) if row not in reasons])
                gone[letter] = len(reasons)
        return gone

    def _named(self, what: Combination) -> dict[str, object]:
        model, test, representation = what.key
        layer = named_layer(what.ruler, what.layers, self.options.layer)
        return {
            "model": model, "test": test, "representation": representation, "layer": layer, "templates": what.templates
        }  # fmt: skip


def asked(names: Sequence[str], lost: Lost) -> int:
    """How many members a set was to have: those dropped at random to make the sets equal were not lost."""
    return len(names) + len(lost)


def contextual_row(out: Collected, what: Combination, vectors: TextVectors | str) -> None:
    """Add the row of a ruler that reads members in a model's sentences, and its curve over layers.

    ``vectors`` may be the reason why the model gives none.
    """
    if isinstance(vectors, str):
        out.refuse(what, vectors)
        return
    sets: dict[str, Members] = {}
    single = out.options.lost == "several pieces"
    for letter, members in what.test.sets:
        found = contextual(
            what.ruler, what.test, letter, members.members, vectors, single_piece=single, form=out.options.form
        )
        if isinstance(found, str):
            out.refuse(what, found)
            return
        sets[letter] = found
    kept = _vector_row(out, what, sets)
    if kept is None:
        return
    model, test, representation = what.key
    for depth in range(kept["X"].states.shape[1]):
        points = (found.states[:, depth].astype(np.float64) for found in kept.values())
        d = weat.vector_effect_size(*points, ddof=out.options.ddof)
        if d is not None:
            out.layers.append(
                {"model": model, "test": test, "representation": representation, "layer": depth, "effect_size": d}
            )


def static_row(out: Collected, what: Combination, table: Mapping[str, int], vectors: StaticVectors) -> None:
    """Add the row of vectors that know no context: a model's input embedding, or a file's; ``table`` has each row."""
    sets: dict[str, Members] = {}
    single = out.options.lost == "several pieces" and what.test.level == "words"
    for letter, members in what.test.sets:
        found = static(members.members, table, vectors, single_piece=single)
        if isinstance(found, str):
            out.refuse(what, found)
            return
        sets[letter] = found
    _vector_row(out, what, sets)


def _vector_row(out: Collected, what: Combination, sets: dict[str, Members]) -> dict[str, Members] | None:
    """Add the row of four sets of vectors; the sets it was computed on, None if it was not."""
    for letter, found in sets.items():
        out.lose(what, letter, found.lost)
    missing = out.count_once(what, sets)
    for first, second in PAIRS:
        rows = out.equal(what, (first, sets[first].names), (second, sets[second].names))
        for letter, kept in zip((first, second), rows, strict=True):
            sets[letter] = sets[letter].only(kept)
    layer = out.options.layer if what.ruler.pooling else None
    computed = weat.vector_test(
        *(_points(what.ruler, found, layer) for found in sets.values()),
        asked=SetSizes(*(asked(found.names, found.lost) + missing[letter] for letter, found in sets.items())),
        ddof=out.options.ddof,
        seed=out.options.seed,
    )
    if isinstance(computed, NotComputed):
        out.refuse(what, computed.reason)
        return None
    result = computed.test
    x, y, a, b = (found.names for found in sets.values())
    cell = AssociationCell(*what.key, x, y, a, b, result.s_x, result.s_y, computed.matrix, result.null)
    out.compute(what, result, cell)
    return sets


def _points(one: Representation, found: Members, layer: int | None) -> NDArray[np.float64]:
    """[member, width]"""
    if not found.names:
        return np.empty((0, 1))
    return np.stack([read(one, states, layer) for states in found.states]).astype(np.float64)
