"""LPBS of a list of attributes, models side by side; and what stands behind one of its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...engine.causal import CausalScorer
from ...engine.loading import LoadedModel
from ...engine.masked import Fill, MaskedScorer
from ...result import OTHERS, Contrast, Group, Note
from ...run import Run
from ...sources.templates import MASK, Template
from ..shared import provenance
from ..shared.checks import Refusals, check_models
from ..shared.readable import reading_notes, refuse_special_tokens
from .grid import sentence, word_grid
from .metric import ContrastScores, GroupScores, contrast_scores, mean_of_groups
from .omissions import (
    is_paired,
    keep_common,
    members,
    models_not_reached,
    not_scored,
    partners_left_out,
    split_groups,
    statistics_left_out,
    without_a_number,
)
from .result import LpbsResult
from .rows import attribute_rows, overall_rows, share_rows
from .scoring import Asking, Scores, masks_of, score
from .spec import LpbsSpec


def measure(spec: LpbsSpec, models: Sequence[LoadedModel], run: Run[Any]) -> LpbsResult:
    """LPBS of every attribute and contrast of groups in each model (metrics: LPBS; Kurita et al. 2019).

    When the run is stopped, what is finished is returned and the rest is listed as excluded; ``run.memory`` holds what
    was done, and the next run of the same spec resumes from there. A model that refuses while another can be asked is
    listed too. Raises OptionError, TemplateError, the first refusal where no model can be asked, or NothingToScore.
    """
    templates, groups, attributes = spec.templates, spec.groups.groups, spec.attributes.words
    check_models(models)
    words = [word for group in groups for word in group.words]
    refuse_special_tokens(models, [*(template.text for template in templates), *words, *attributes])
    grid = word_grid(templates, attributes, groups, spec.form)
    asking = Asking(spec.masking, spec.several_pieces, whole=True)
    scores: list[Scores] = []
    refusals = Refusals()
    stopped = False
    for model in models:
        with refusals.of(model):
            scores.append(score(model, grid, asking, memory=run.memory, run=run))
        if refusals.has(model):
            continue
        scores[-1].count_attributes_once(attributes)
        scores[-1].notes += (*_notes(model, templates, groups, attributes), *split_groups(scores[-1]))
        if scores[-1].not_reached:
            stopped = True
            break
    refusals.check(bool(scores))
    scores = [part for part in scores if not part.not_reached] or scores
    able = [model.info for model in models if not refusals.has(model)]
    excluded = [*refusals.left_out, *models_not_reached(able, scores)]
    excluded += [item for part in scores for item in not_scored(part)]
    if spec.common_words:
        excluded += keep_common(scores)
    for part in scores:
        part.fill_mean_priors()
    computed = [(part, contrast, _contrast(part, contrast, spec)) for part in scores for contrast in spec.comparisons]
    silent = without_a_number(computed, excluded)
    excluded += silent
    scores = [part for part in scores if part.model.name not in {item.model for item in silent}]
    computed = [part for part in computed if part[0] in scores]
    paired = [contrast for contrast in spec.comparisons if is_paired(contrast, groups, spec.paired)]
    excluded += [
        item
        for part, contrast in itertools.product(scores, paired)
        for item in partners_left_out(part, contrast, members(contrast, groups))
    ]
    excluded += statistics_left_out(computed, attributes, excluded)
    return LpbsResult(
        spec=spec,
        tables=LpbsResult.SCHEMA.frames(
            attributes=attribute_rows(computed, attributes),
            overall=overall_rows(computed),
            shares=list(share_rows(computed)),
            targets=_targets(scores),
        ),
        excluded=tuple(excluded),
        notes=tuple(
            dict.fromkeys(
                [
                    *map(Note, spec.cautions),
                    *(Note(text, part.model.name) for part in scores for text in part.notes),
                ]
            )
        ),
        provenance=provenance.of(
            (replace(part.model, notes=(*part.model.notes, *part.notes)) for part in scores),
            data=spec.data,
            seed=spec.seed,
        ),
        stopped=stopped,
    )


_FILLS = 10  # likeliest words that are shown


@dataclass(frozen=True)
class Explanation:
    """What one model was asked about one attribute: the texts as it saw them, and what it would have said.

    ``asked`` pairs a caption with a text; ``fills`` a caption with the likeliest words there.
    """

    asked: tuple[tuple[str, str], ...]
    fills: tuple[tuple[str, tuple[Fill, ...]], ...]


def explain(
    model: LoadedModel,
    template: Template,
    attribute: str,
    spec: LpbsSpec,
) -> Explanation:
    """The sentences behind a number and the model's likeliest words in the place that was read."""
    if model.info.kind == "masked":
        scorer = MaskedScorer(model)
        asked_of = sentence(template.fill(MASK, attribute, spec.form))
        ((masks, _),) = masks_of(scorer, [asked_of], spec.masking)
        texts = asked_of.masked(masks)
        token = model.tokenizer.mask_token
        return Explanation(
            (
                ("with the attribute", texts.present.replace(MASK, token)),
                ("attribute hidden too", texts.prior.replace(MASK, token)),
            ),
            ((template.text, scorer.top_fills(texts.present, texts.present_mask, _FILLS)),),
        )
    causal, groups = CausalScorer(model), spec.groups.groups
    asked, fills = [], []
    firsts = [group.words[0] for group in groups] if template.target_first else [groups[0].words[0]]
    for word in firsts:
        filled = template.fill(word, attribute, spec.form)
        before = filled.text[: filled.attribute[0] if template.target_first else filled.target[0]].rstrip()
        asked.append(
            (f"“{word}”" if template.target_first else "beginning", filled.text if template.target_first else before)
        )
        fills.append((f"after “{before}”", causal.top_next(before, _FILLS)))
    return Explanation(tuple(asked), tuple(fills))


def _notes(
    model: LoadedModel, templates: Sequence[Template], groups: Sequence[Group], attributes: Sequence[str]
) -> Iterator[str]:
    words = [word for group in groups for word in group.words]
    yield from reading_notes(model, [template.text for template in templates], [*words, *attributes])
    for template in templates:
        word = attributes[0]
        filled = template.fill(words[0], word)
        glued = filled.text[slice(*filled.attribute)]
        if len(glued) > len(word):
            yield f"letters that touch [ATTRIBUTE] are a part of its word: “{glued}” in “{template.text}”."


def _group_scores(scores: Scores) -> dict[str, GroupScores]:
    association = scores.association()
    return {
        group.name: GroupScores(scores.ln_p_sentence[:, :, part], association[:, :, part])
        for group, part in zip(scores.grid.groups, scores.grid.slices, strict=True)
    }


def _contrast(scores: Scores, contrast: Contrast, spec: LpbsSpec) -> ContrastScores:
    named = _group_scores(scores)
    paired = is_paired(contrast, spec.groups.groups, spec.paired)
    if contrast.second == OTHERS:
        second = mean_of_groups([s for name, s in named.items() if name != contrast.first], paired=paired)
    else:
        second = named[contrast.second]
    return contrast_scores(named[contrast.first], second, paired=paired, seed=spec.seed)


def _targets(scores: Sequence[Scores]) -> pd.DataFrame:
    """One row per model × template × attribute × target word that was scored."""
    grid = scores[0].grid
    forms = {item.place: item.word for item in grid.sentences}
    frames = []
    for scored in scores:
        t, a, w = np.nonzero(scored.present)
        frames.append(
            pd.DataFrame(
                {
                    "model": scored.model.name,
                    "template": np.array(grid.templates, dtype=object)[t],
                    "attribute": np.array(grid.attributes, dtype=object)[a],
                    "group": np.array([group for group, _ in grid.words], dtype=object)[w],
                    "target": np.array([word for _, word in grid.words], dtype=object)[w],
                    "form": [forms[place] for place in zip(t.tolist(), a.tolist(), w.tolist(), strict=True)],
                    "ln_p_target": scored.ln_p_target[t, a, w],
                    "ln_p_prior": scored.ln_p_prior[t, a, w],
                    "association": scored.association()[t, a, w],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
