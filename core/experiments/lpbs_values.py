"""LPBS in the manner of WEAT (Kurita's Table 3): one value per attribute word of the two permuted sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.experiments.scoring import score
from core.lexicon import AssociationTest
from core.lexicon.association_tests import LpbsDesign
from core.metrics.lpbs import GroupScores, contrast_scores
from core.models.loading import LoadedModel
from core.results import AssociationOptions, IsCancelled, LpbsOptions, ReportProgress
from core.templates import Template

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LpbsValues:
    """LPBS of the words of the two permuted sets, in nats; positive leans to group 1.

    ``first`` and ``second`` [word] or, pooled, [template × word], named by ``names_first`` and ``names_second``.
    ``matrix`` [words of both sets, 2]: mean association of each group, whose difference is the value.
    ``n_group1`` and ``n_group2`` count the group words, the same word in several templates once.
    """

    first: FloatArray
    second: FloatArray
    names_first: tuple[str, ...]
    names_second: tuple[str, ...]
    lost_first: tuple[tuple[str, str], ...]
    lost_second: tuple[tuple[str, str], ...]
    matrix: FloatArray
    n_group1: int
    n_group2: int


def lpbs_values(
    model: LoadedModel,
    test: AssociationTest,
    design: LpbsDesign,
    options: AssociationOptions,
    *,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> LpbsValues:
    """Ask the design's templates for every word of the permuted sets. Raises the model's refusal."""
    sets = dict(test.sets)
    words = [sets[letter].members for letter in design.permuted]
    attributes = [*words[0], *words[1]]
    frames, groups, reasons = [], [], {}
    for frame in design.frames:
        targets = [*frame.group1, *frame.group2]
        scores = score(
            model,
            [Template.parse(frame.template)],
            attributes,
            targets,
            LpbsOptions(),
            progress=progress,
            cancelled=cancelled,
        )
        scores.fill_mean_priors()
        association = scores.association()
        split = len(frame.group1)
        first, second = association[:, :, :split], association[:, :, split:]
        sentence = scores.ln_p_sentence
        numbers = contrast_scores(
            GroupScores(sentence[:, :, :split], first),
            GroupScores(sentence[:, :, split:], second),
            paired=True,
            seed=options.seed,
        )
        frames.append(numbers.lpbs)
        groups.append(np.stack([_mean(first), _mean(second)], axis=1))
        reasons.update({attributes[a]: reason for (_, a), reason in scores.why_attribute.items()})
        if scores.why_word and np.isnan(numbers.lpbs).all():
            reasons.update(dict.fromkeys(attributes, f"has no score: {next(iter(scores.why_word.values()))}"))
    values = np.stack(frames)
    kept: NDArray[np.bool_] = np.logical_not(np.isnan(values).any(axis=0))
    lost = [(word, reasons.get(word, "has no score")) for word, keep in zip(attributes, kept, strict=True) if not keep]
    size = len(words[0])
    per_word = values if options.lpbs_values == "pool" else values.mean(axis=0, keepdims=True)
    repeats = len(per_word)
    names = [word for word, keep in zip(attributes, kept, strict=True) if keep]
    cut = int(kept[:size].sum())
    matrix = np.mean(groups, axis=0)[kept]
    return LpbsValues(
        first=per_word[:, :size][:, kept[:size]].ravel(),
        second=per_word[:, size:][:, kept[size:]].ravel(),
        names_first=tuple(names[:cut]) * repeats,
        names_second=tuple(names[cut:]) * repeats,
        lost_first=tuple((word, reason) for word, reason in lost if word in words[0]),
        lost_second=tuple((word, reason) for word, reason in lost if word not in words[0]),
        matrix=matrix,
        n_group1=_distinct([frame.group1 for frame in design.frames]),
        n_group2=_distinct([frame.group2 for frame in design.frames]),
    )


def _mean(association: FloatArray) -> FloatArray:
    """[template 1, attribute, word] → [attribute], over the words that were scored."""
    present = ~np.isnan(association[0])
    total = np.where(present, association[0], 0.0).sum(axis=1)
    return np.where(present.any(axis=1), total / np.maximum(present.sum(axis=1), 1), np.nan)


def _distinct(groups: Sequence[Sequence[str]]) -> int:
    return len({word for group in groups for word in group})
