"""One row of an association test's result: a model, a test and a ruler; or the reason why there is no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.errors import ModelError
from core.experiments.lpbs_values import lpbs_values
from core.experiments.members import Members, TextVectors, contexts, contextual, static
from core.experiments.representations import CEAT, Ruler, read, ruler
from core.lexicon import AssociationTest
from core.metrics import ceat, weat
from core.metrics.weat import NotComputed, SetSizes
from core.models.embeddings import Encoder
from core.models.loading import LoadedModel
from core.models.vectors import StaticVectors
from core.results import AssociationCell, AssociationOptions, IsCancelled, LeftOut, ReportProgress
from core.stats.effects import effect_size

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


@dataclass(eq=False)
class Collected:
    """What the combinations give, row by row."""

    rows: list[dict[str, object]] = field(default_factory=list)
    cells: list[AssociationCell] = field(default_factory=list)
    layers: list[dict[str, object]] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def contextual_row(
    out: Collected, model: str, one: Ruler, test: AssociationTest, vectors: TextVectors, options: AssociationOptions
) -> None:
    """Add the row of a ruler that reads members in a model's sentences, and its curve over layers."""
    layer = one.layer if options.layer is None else str(options.layer)
    single = options.lost == "several pieces"
    sets = {}
    for letter, members in test.sets:
        found = contextual(one, test, letter, members.members, vectors, single_piece=single)
        if isinstance(found, str):
            _refuse(out, model, one, test, layer, found)
            return
        sets[letter] = found
    _vector_row(out, model, one, test, sets, layer, options)
    if out.rows[-1]["n_x"] is not None and all(len(found.names) for found in sets.values()):
        for depth in range(next(iter(sets.values())).states.shape[1]):
            x, y, a, b = (found.states[:, depth] for found in sets.values())
            matrix = weat.cosine_matrix(np.concatenate([x, y]), np.concatenate([a, b]))
            s = weat.associations(matrix, len(a))
            d = float(effect_size(s[: len(x)], s[len(x) :], ddof=options.ddof, scale=weat.COSINE_SCALE))
            shared = {"model": model, "test": test.id, "representation": one.id}
            out.layers.append({**shared, "layer": depth, "effect_size": d})


def static_rows(
    out: Collected,
    model: str,
    one: Ruler,
    tests: Sequence[AssociationTest],
    words: Sequence[str],
    vectors: StaticVectors,
    options: AssociationOptions,
) -> None:
    """Add the rows of vectors that know no context: a model's input embedding, or a file's."""
    table = {word: row for row, word in enumerate(words)}
    single = options.lost == "several pieces"
    for test in tests:
        sets = {
            letter: static(members.members, table, vectors, single_piece=single and test.level == "words")
            for letter, members in test.sets
        }
        _vector_row(out, model, one, test, sets, one.layer, options)


def _vector_row(
    out: Collected,
    model: str,
    one: Ruler,
    test: AssociationTest,
    sets: dict[str, Members],
    layer: str,
    options: AssociationOptions,
) -> None:
    _list_lost(out, model, one, test, {letter: found.lost for letter, found in sets.items()})
    if options.unequal == "drop":
        sets = _made_equal(out, model, one, test, sets, options)
    wide = options.layer if one.pooling else None
    points = {
        letter: np.stack([read(one, states, wide) for states in found.states])
        if found.names
        else np.empty((0, 1), np.float32)
        for letter, found in sets.items()
    }
    asked = _asked(test, sets, options)
    given = (np.asarray(points[letter], dtype=np.float64) for letter in ("X", "Y", "A", "B"))
    computed = weat.vector_test(*given, asked=asked, ddof=options.ddof, seed=options.seed)
    templates = _template_count(one, test)
    if isinstance(computed, NotComputed):
        _refuse(out, model, one, test, layer, computed.reason, templates)
        return
    result = computed.test
    out.rows.append(
        {
            "model": model, "test": test.id, "representation": one.id, "layer": layer, "templates": templates,
            **{name: getattr(result, name) for name in _STATISTICS},
        }
    )  # fmt: skip
    x, y, a, b = (found.names for found in sets.values())
    out.cells.append(
        AssociationCell(model, test.id, one.id, x, y, a, b, result.s_x, result.s_y, computed.matrix, result.null)
    )


def lpbs_row(
    out: Collected,
    model: LoadedModel,
    test: AssociationTest,
    options: AssociationOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> None:
    """Add the row of LPBS in the manner of WEAT."""
    one, name = ruler("lpbs"), model.info.name
    if test.lpbs is None:
        _refuse(out, name, one, test, "output", "no template")
        return
    try:
        found = lpbs_values(model, test, test.lpbs, options, progress=progress, cancelled=cancelled)
    except ModelError as error:
        _refuse(out, name, one, test, "output", str(error))
        return
    _list_lost(out, name, one, test, dict(zip(test.lpbs.permuted, (found.lost_first, found.lost_second), strict=True)))
    frames, groups = len(test.lpbs.frames), test.lpbs.groups
    times = frames if options.lpbs_values == "pool" else 1
    first, second = (dict(test.sets)[letter].members for letter in test.lpbs.permuted)
    computed = weat.association_test(
        found.first.ravel(),
        found.second.ravel(),
        n_a=found.n_group1,
        n_b=found.n_group2,
        asked=SetSizes(len(first) * times, len(second) * times, found.n_group1, found.n_group2),
        ddof=options.ddof,
        seed=options.seed,
    )
    if isinstance(computed, NotComputed):
        _refuse(out, name, one, test, "output", computed.reason, frames)
        return
    out.rows.append(
        {
            "model": name, "test": test.id, "representation": one.id, "layer": "output", "templates": frames,
            **{statistic: getattr(computed, statistic) for statistic in _STATISTICS},
        }
    )  # fmt: skip
    out.cells.append(
        AssociationCell(
            name, test.id, one.id, found.names_first, found.names_second, (groups[0],), (groups[1],),
            computed.s_x, computed.s_y, found.matrix, computed.null,
        )
    )  # fmt: skip


def ceat_row(
    out: Collected,
    model: LoadedModel,
    encoder: Encoder,
    test: AssociationTest,
    sentences: Sequence[str],
    options: AssociationOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> None:
    """Add the row of CEAT: the test's words in the user's sentences."""
    name = model.info.name
    layer = CEAT.layer if options.layer is None else str(options.layer)
    if test.level == "sentences":
        _refuse(out, name, CEAT, test, layer, "the members are sentences, and CEAT looks for words in sentences")
        return
    words = [word for _, members in test.sets for word in members.members]
    places = contexts(sentences, words, options.seed)
    asked = [(place, CEAT.pooling) for word in words for place in places[word]]
    vectors = TextVectors(encoder, asked, progress, cancelled) if asked else None
    sets: dict[str, dict[str, np.ndarray]] = {}
    lost: dict[str, tuple[tuple[str, str], ...]] = {}
    for letter, members in test.sets:
        sets[letter], reasons = {}, []
        for word in members.members:
            found = [vectors.member([p], CEAT.pooling, single_piece=False) for p in places[word]] if vectors else []
            states = [read(CEAT, one, options.layer) for one in found if not isinstance(one, str)]
            if states:
                sets[letter][word] = np.stack(states).astype(np.float64)
            else:
                reasons.append(
                    (word, next((r for r in found if isinstance(r, str)), "stands in none of the sentences"))
                )
        lost[letter] = tuple(reasons)
    _list_lost(out, name, CEAT, test, lost)
    computed = ceat.contextual_test(
        *(list(sets[letter].values()) for letter in ("X", "Y", "A", "B")),
        asked=SetSizes(*(len(members.members) for _, members in test.sets)),
        ddof=options.ddof,
        seed=options.seed,
        samples=options.ceat_samples,
        variance="authors" if options.ceat_variance == "authors" else "formula",
    )
    if isinstance(computed, NotComputed):
        _refuse(out, name, CEAT, test, layer, computed.reason, 0)
        return
    statistics: dict[str, object] = {column: getattr(computed, column, None) for column in _STATISTICS}
    statistics.update(p_kind="random effects", n_permutations=len(computed.effect_sizes))
    row = {"model": name, "test": test.id, "representation": CEAT.id, "layer": layer, "templates": 0}
    out.rows.append({**row, **statistics})
    x, y, a, b = (tuple(kept) for kept in sets.values())
    out.cells.append(
        AssociationCell(
            name, test.id, CEAT.id, x, y, a, b, computed.s_x, computed.s_y, computed.matrix, computed.effect_sizes
        )
    )
    out.notes.append(
        "CEAT: the samples share sentences, so its p shrinks with their number; read the combined effect size and "
        "its spread."
    )


def _refuse(
    out: Collected, model: str, one: Ruler, test: AssociationTest, layer: str, reason: str, templates: int = 0
) -> None:
    row: dict[str, object] = dict.fromkeys(COLUMNS)
    row.update(model=model, test=test.id, representation=one.id, layer=layer, templates=templates)
    row["effect_size"] = np.nan
    out.rows.append(row)
    text = f"{test.id} by {one.id}: not computed, {reason}"
    out.left_out.append(LeftOut(model, "statistic", test.id, text, test=test.id, representation=one.id))


def _list_lost(
    out: Collected, model: str, one: Ruler, test: AssociationTest, lost: dict[str, tuple[tuple[str, str], ...]]
) -> None:
    for letter, members in lost.items():
        role = "target" if letter in ("X", "Y") else "attribute"
        for name, reason in members:
            item = LeftOut(model, role, name, f"{name} {reason}", letter, test=test.id, representation=one.id)
            out.left_out.append(item)


def _made_equal(
    out: Collected,
    model: str,
    one: Ruler,
    test: AssociationTest,
    sets: dict[str, Members],
    options: AssociationOptions,
) -> dict[str, Members]:
    """Drop members at random, by seed, from the longer of X and Y and of A and B; list them."""
    equal = {}
    for first, second in (("X", "Y"), ("A", "B")):
        kept = weat.drop_to_equal(len(sets[first].names), len(sets[second].names), seed=options.seed)
        for letter, rows in zip((first, second), kept, strict=True):
            found = sets[letter]
            names = tuple(found.names[row] for row in rows)
            dropped = tuple((n, "is dropped at random to make the sets equal") for n in found.names if n not in names)
            _list_lost(out, model, one, test, {letter: dropped})
            equal[letter] = Members(names, found.states[rows], found.lost)
    return equal


def _asked(test: AssociationTest, sets: dict[str, Members], options: AssociationOptions) -> SetSizes:
    """How many members each set was to have; those dropped at random were not lost."""
    if options.unequal == "drop":
        return SetSizes(*(len(found.names) + len(found.lost) for found in sets.values()))
    return SetSizes(*(len(members.members) for _, members in test.sets))


def _template_count(one: Ruler, test: AssociationTest) -> int:
    """How many sentences each member is read in, at most; 0 without sentences."""
    if one.place == "partner" and test.lpbs is not None:
        return len(test.lpbs.partner_masked)
    if one.place == "templates" and test.templates is not None:
        return max(len(placed.sentences) for placed in test.templates.placements)
    return 0
