"""Published scores of BEC-Pro beside measured ones, summed up by the same code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from .... import sources
from ....errors import NothingToScore
from ....report.numbers import counted
from ....report.wording import listed
from ....result import Excluded, Note
from ....sources import Corpus
from ....sources import published as shelf
from ....sources.published import Entry
from ...shared import provenance
from ...shared.published import beside
from ..grid import Grid, corpus_grid
from ..omissions import drop_partners
from ..scoring import FloatArray, Scores
from .published_corpus import Places, places_of
from .result import SENTENCES, TESTS, ProfessionResult
from .rows import SIGNED_RANK, all_tables, tests_excluded
from .spec import ProfessionSpec, SignedRank
from .tables import of_series

_SET_ASIDE = "becpro_set_aside.csv"
_WHY = {
    "cut": "of more than 16 tokens, cut when they were scored",
    "masks": "with masks in the wrong place in the published corpus",
    "partner": "excluded with the partner of their person",
}


def joined(spec: ProfessionSpec, result: ProfessionResult | None) -> ProfessionResult:
    """A result without a statistic, and the published scores of ``spec`` beside its models; of these alone for None.

    What not every model has is excluded for all where the spec says so. Both probabilities of a published sentence are
    unknown, its association alone was published. Raises NothingToScore where nothing is left.
    """
    scored: list[tuple[Scores, Corpus]] = []
    excluded = [] if result is None else [item for item in result.excluded if item.test != SIGNED_RANK]
    for corpus in spec.corpora:
        grid = corpus_grid(corpus, spec.form)
        parts = [] if result is None else list(_measured(result, corpus, grid))
        for entry in spec.shelved:
            if corpus.language in entry.inputs["language"]:
                part, lost = _published(entry, corpus, grid)
                parts.append(part)
                excluded += lost
        if spec.common_words:
            excluded += _keep_common(parts)
        scored += [(part, corpus) for part in parts if part.present.any()]
    if not scored:
        raise NothingToScore("No published sentence is among those that were asked for.")
    tables = all_tables(scored, normal=spec.signed_rank == SignedRank.NORMAL)
    names = [entry.model for entry in spec.shelved]
    tables[SENTENCES].loc[tables[SENTENCES]["model"].isin(names), ["ln_p_target", "ln_p_prior"]] = np.nan
    about = provenance.of((), data=spec.data, seed=spec.seed) if result is None else result.provenance
    corpus_notes = [Note(corpus.note) for corpus in spec.corpora if corpus.note] if result is None else result.notes
    return ProfessionResult(
        spec=spec,
        tables=tables,
        excluded=(*excluded, *tests_excluded(tables[TESTS])),
        notes=(*(entry.said for entry in spec.shelved), *corpus_notes),
        provenance=beside(about, spec.shelved),
        stopped=result is not None and result.stopped,
    )


def _measured(result: ProfessionResult, corpus: Corpus, grid: Grid) -> Iterator[Scores]:
    """The scores of each model in this corpus, as its sentences have them."""
    templates = {text: t for t, text in enumerate(grid.templates)}
    professions = {name: p for p, name in enumerate(grid.attributes)}
    persons = {word: w for w, word in enumerate(grid.words)}
    infos = {info.name: info for info in result.provenance.models}
    for series in result.series:
        if series[1] != corpus.language:
            continue
        rows = of_series(result[SENTENCES], series)
        scores = replace(Scores.empty(infos[series[0]], grid), not_reached=())
        place = (
            [templates[text] for text in rows["template"]],
            [professions[name] for name in rows["profession"]],
            [persons[word] for word in zip(rows["gender"], rows["person"], strict=True)],
        )
        scores.ln_p_target[place] = rows["ln_p_target"]
        scores.ln_p_prior[place] = rows["ln_p_prior"]
        yield scores


def _published(entry: Entry, corpus: Corpus, grid: Grid) -> tuple[Scores, list[Excluded]]:
    """The published associations, in the place of ln P with a prior of 0; and what has none of them."""
    scores = replace(Scores.empty(entry.info, grid), not_reached=())
    scores.ln_p_prior[:] = 0.0
    templates, professions, persons = places_of(corpus)
    known = [
        [at for at, place in enumerate(places) if place is not None] for places in (templates, professions, persons)
    ]
    theirs = tuple([place for place in places if place is not None] for places in (templates, professions, persons))
    values, aside = _associations(entry)
    scores.ln_p_target[np.ix_(*known)] = values[np.ix_(*theirs)]
    excluded = list(_not_there(entry, grid, (templates, professions, persons)))
    why = np.full(grid.shape, "", dtype=object)
    why[np.ix_(*known)] = aside[np.ix_(*theirs)]
    before = scores.present
    drop_partners(scores)
    why[before & ~scores.present] = "partner"
    excluded += _set_aside(entry, grid, why)
    return scores, excluded


def _associations(entry: Entry) -> tuple[FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.object_]]]:
    """Associations [template, profession, person] in the order of the corpus, and why some are set aside."""
    (language,) = entry.inputs["language"]
    theirs = sources.corpus(language)
    # The columns of both languages have the English persons.
    persons = [person for labels in sources.corpus("en").labels for person in labels]
    rows = entry.table().set_index("profession").loc[[profession.name for profession in theirs.professions]]
    values = np.array(
        [rows[[f"{person} {t + 1}" for person in persons]].to_numpy(dtype=float) for t in range(len(theirs.templates))]
    )
    why = np.full(values.shape, "", dtype=object)
    if entry.set_aside:
        aside = shelf.table(_SET_ASIDE)
        for _, template, person, profession, reason in aside[aside["language"] == language].itertuples(index=False):
            why[template - 1, rows.index.get_loc(profession), persons.index(person)] = reason
        values[why != ""] = np.nan
    return values, why


def _not_there(entry: Entry, grid: Grid, places: Places) -> Iterator[Excluded]:
    """Templates, professions and persons that were not published."""
    words = [word for _, word in grid.words]
    kinds = (("template", grid.templates), (grid.attribute_role, grid.attributes), ("target", words))
    for (kind, names), found in zip(kinds, places, strict=True):
        for name, place in zip(names, found, strict=True):
            if place is None:
                yield Excluded(entry.model, kind, name, f"{name} is not among the published sentences")


def _set_aside(entry: Entry, grid: Grid, why: np.ndarray[tuple[int, ...], np.dtype[np.object_]]) -> Iterator[Excluded]:
    """The published sentences that are excluded, counted by profession, template and reason."""
    for p, profession in enumerate(grid.attributes):
        for t, template in enumerate(grid.templates):
            for reason, said in _WHY.items():
                if n := int((why[t, p] == reason).sum()):
                    text = f"{profession}: {counted(n, 'sentence')} {said}"
                    yield Excluded(entry.model, "item", profession, text, template=template)


def _keep_common(parts: list[Scores]) -> Iterator[Excluded]:
    """Take from every model the sentences that another lacks; counted by profession and template."""
    present = [part.present for part in parts]
    common = np.all(present, axis=0)
    for part, has in zip(parts, present, strict=True):
        part.ln_p_target[~common] = np.nan
        for (p, profession), (t, template) in product(enumerate(part.grid.attributes), enumerate(part.grid.templates)):
            lost = has[t, p] & ~common[t, p]
            if lost.any():
                lacking = [
                    other.model.name for other, there in zip(parts, present, strict=True) if (lost & ~there[t, p]).any()
                ]
                text = (
                    f"{profession}: {counted(int(lost.sum()), 'sentence')} that not every model has "
                    f"(not {listed(lacking)})"
                )
                yield Excluded(part.model.name, "item", profession, text, template=template)
