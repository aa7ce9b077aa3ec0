"""LPBS of a list of attributes, models side by side; and what stands behind one of its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.engine.causal import CausalScorer
from core.engine.loading import LoadedModel
from core.engine.masked import Fill, MaskedScorer
from core.errors import OptionError, WordListError
from core.measures.lpbs.grid import sentence, word_grid
from core.measures.lpbs.metric import ContrastScores, GroupScores, contrast_scores, mean_of_groups
from core.measures.lpbs.omissions import (
    Computed,
    is_paired,
    keep_common,
    members,
    models_not_reached,
    not_scored,
    partners_left_out,
    statistics_left_out,
    without_a_number,
)
from core.measures.lpbs.result import LpbsOptions, LpbsResult
from core.measures.lpbs.scoring import Asking, Memory, Scores, masks_of, score
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.measures.shared.readable import reading_notes, refuse_special_tokens
from core.result import OTHERS, Contrast, Group, Note
from core.run import UNWATCHED, Watch
from core.sources.templates import MASK, Template
from core.spec import check_options
from core.stats.corrections import benjamini_hochberg


def run(
    models: Sequence[LoadedModel],
    templates: Sequence[Template],
    groups: Sequence[Group],
    attributes: Sequence[str],
    options: LpbsOptions | None = None,
    *,
    data: Sequence[str] = (),
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
) -> LpbsResult:
    """LPBS of every attribute and contrast of groups in each model (metrics: LPBS; Kurita et al. 2019).

    ``data`` names the word lists for the provenance. ``memory`` holds what earlier, stopped runs have done and takes up
    what this one does: a run resumes from there. When cancelled, what is finished is returned and the rest is
    listed as left out. So is a model that refuses while another can be asked. Raises OptionError, WordListError, the
    first refusal where no model can be asked, or NothingToScore.
    """
    options = options or LpbsOptions()
    _check(models, templates, groups, attributes, options)
    grid = word_grid(templates, attributes, groups, options.form)
    asking = Asking(options.masking, options.several_pieces, whole=True)
    scores: list[Scores] = []
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            scores.append(score(model, grid, asking, memory=memory, run=run))
        if refusals.has(model):
            continue
        scores[-1].count_attributes_once(attributes)
        scores[-1].notes += tuple(_notes(model, templates, groups, attributes))
        if scores[-1].not_reached:
            break
    refusals.check(bool(scores))
    scores = [one for one in scores if not one.not_reached] or scores
    able = [model.info for model in models if not refusals.has(model)]
    left_out = [*refusals.left_out, *models_not_reached(able, scores)]
    left_out += [item for one in scores for item in not_scored(one)]
    if options.common_words:
        left_out += keep_common(scores)
    for one in scores:
        one.fill_mean_priors()
    contrasts = contrasts_of(groups, options.contrasts)
    computed = [(one, contrast, _contrast(one, contrast, groups, options)) for one in scores for contrast in contrasts]
    silent = without_a_number(computed, left_out)
    left_out += silent
    scores = [part for part in scores if part.model.name not in {item.model for item in silent}]
    computed = [part for part in computed if part[0] in scores]
    paired = [contrast for contrast in contrasts if is_paired(contrast, groups, options)]
    left_out += [
        item
        for part, contrast in itertools.product(scores, paired)
        for item in partners_left_out(part, contrast, members(contrast, groups))
    ]
    left_out += statistics_left_out(computed, attributes, left_out)
    summary, families = _summary(computed, attributes)
    return LpbsResult(
        summary=summary,
        detail=_detail(scores),
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of(
            (replace(part.model, notes=part.notes) for part in scores), data=data, seed=options.seed
        ),
        templates=tuple(template.text for template in templates),
        groups=tuple(groups),
        contrasts=contrasts,
        attributes=tuple(attributes),
        family_sizes=families,
        notes=tuple(dict.fromkeys(Note(text, part.model.name) for part in scores for text in part.notes)),
    )


def contrasts_of(groups: Sequence[Group], kind: str) -> tuple[Contrast, ...]:
    """Every pair of groups in their order, or each group against the mean of the others."""
    names = [group.name for group in groups]
    if kind == "others" and len(groups) > 2:
        return tuple(Contrast(name, OTHERS) for name in names)
    return tuple(Contrast(first, second) for first, second in itertools.combinations(names, 2))


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
    groups: Sequence[Group],
    options: LpbsOptions,
    *,
    count: int = 10,
) -> Explanation:
    """The sentences behind a number and the model's ``count`` likeliest words in the place that was read."""
    if model.info.kind == "masked":
        scorer = MaskedScorer(model)
        asked_of = sentence(template.fill(MASK, attribute, options.form))
        ((masks, _),) = masks_of(scorer, [asked_of], options.masking)
        texts = asked_of.masked(masks)
        token = model.tokenizer.mask_token
        return Explanation(
            (
                ("with the attribute", texts.present.replace(MASK, token)),
                ("attribute hidden too", texts.prior.replace(MASK, token)),
            ),
            ((template.text, scorer.top_fills(texts.present, texts.present_mask, count)),),
        )
    causal = CausalScorer(model)
    asked, fills = [], []
    firsts = [group.words[0] for group in groups] if template.target_first else [groups[0].words[0]]
    for word in firsts:
        filled = template.fill(word, attribute, options.form)
        before = filled.text[: filled.attribute[0] if template.target_first else filled.target[0]].rstrip()
        asked.append(
            (f"“{word}”" if template.target_first else "beginning", filled.text if template.target_first else before)
        )
        fills.append((f"after “{before}”", causal.top_next(before, count)))
    return Explanation(tuple(asked), tuple(fills))


def _check(
    models: Sequence[LoadedModel],
    templates: Sequence[Template],
    groups: Sequence[Group],
    attributes: Sequence[str],
    options: LpbsOptions,
) -> None:
    check_options(options)
    check_models(models)
    if not templates:
        raise OptionError("There is no template; write one.")
    if len(groups) < 2:
        raise WordListError(f"Found {len(groups)} group of target words, needs 2 or more, such as he and she.")
    if any(not group.words for group in groups):
        raise WordListError("A group of target words is empty; give each group at least one word.")
    if len({group.name for group in groups}) < len(groups):
        raise WordListError("Two groups have the same name; name them apart.")
    if not attributes:
        raise WordListError("The attribute list is empty; give at least one word, such as nurse.")
    words = [word for group in groups for word in group.words]
    refuse_special_tokens(models, [*(template.text for template in templates), *words, *attributes])


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


def _group_scores(one: Scores) -> dict[str, GroupScores]:
    association = one.association()
    return {
        group.name: GroupScores(one.ln_p_sentence[:, :, part], association[:, :, part])
        for group, part in zip(one.grid.groups, one.grid.slices, strict=True)
    }


def _contrast(one: Scores, contrast: Contrast, groups: Sequence[Group], options: LpbsOptions) -> ContrastScores:
    named = _group_scores(one)
    paired = is_paired(contrast, groups, options)
    if contrast.second == OTHERS:
        second = mean_of_groups([s for name, s in named.items() if name != contrast.first], paired=paired)
    else:
        second = named[contrast.second]
    return contrast_scores(named[contrast.first], second, paired=paired, seed=options.seed)


def _summary(
    computed: Sequence[Computed], attributes: Sequence[str]
) -> tuple[pd.DataFrame, tuple[tuple[str, int], ...]]:
    frames = []
    for one, contrast, numbers in computed:
        shared = {"model": one.model.name, "contrast": contrast.label}
        fields = ("n", "lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value")
        rows = {name: getattr(numbers, name) for name in fields}
        frames.append(pd.DataFrame({**shared, "kind": "attribute", "attribute": attributes, **rows}))
        whole = {name: [getattr(numbers.overall, name)] for name in fields}
        frames.append(pd.DataFrame({**shared, "kind": "all", "attribute": pd.Series([None], dtype="str"), **whole}))
    summary = pd.concat(frames, ignore_index=True)
    families = []
    summary["p_adjusted"] = np.nan
    for kind in ("attribute", "all"):
        rows_of_kind = summary["kind"] == kind
        summary.loc[rows_of_kind, "p_adjusted"] = benjamini_hochberg(summary.loc[rows_of_kind, "p_value"].to_numpy())
        if size := int(summary.loc[rows_of_kind, "p_value"].notna().sum()):
            families.append((kind, size))
    columns = ["model", "kind", "attribute", "contrast", "n", "lpbs", "log_ratio", "prior_log_ratio"]
    return summary[[*columns, "ci_low", "ci_high", "p_value", "p_adjusted"]], tuple(families)


def _detail(scores: Sequence[Scores]) -> pd.DataFrame:
    """One row per model × template × attribute × target word that was scored."""
    grid = scores[0].grid
    forms = {one.place: one.word for one in grid.sentences}
    frames = []
    for one in scores:
        t, a, w = np.nonzero(one.present)
        frames.append(
            pd.DataFrame(
                {
                    "model": one.model.name,
                    "template": np.array(grid.templates, dtype=object)[t],
                    "attribute": np.array(grid.attributes, dtype=object)[a],
                    "group": np.array([group for group, _ in grid.words], dtype=object)[w],
                    "target": np.array([word for _, word in grid.words], dtype=object)[w],
                    "form": [forms[place] for place in zip(t.tolist(), a.tolist(), w.tolist(), strict=True)],
                    "ln_p_target": one.ln_p_target[t, a, w],
                    "ln_p_prior": one.ln_p_prior[t, a, w],
                    "association": one.association()[t, a, w],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
