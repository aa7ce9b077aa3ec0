"""What has no number, and why: words no model knows, words lost with their partner, statistics on too few values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import NothingToScore
from core.measures.lpbs.metric import ContrastScores
from core.measures.lpbs.result import LpbsOptions
from core.measures.lpbs.scoring import Scores
from core.result import ALL_ATTRIBUTES, OTHERS, Contrast, Group, LeftOut
from core.sources.templates import Template
from core.stats.samples import is_enough, too_few

Computed = tuple[Scores, Contrast, ContrastScores]


def words_left_out(
    scores: Sequence[Scores], templates: Sequence[Template], attributes: Sequence[str], groups: Sequence[Group]
) -> Iterator[LeftOut]:
    """Target words and attributes that a model cannot read, each with the template it was asked in."""
    words = places(groups)
    for one in scores:
        name = one.model.info.name
        for (t, w), reason in sorted(one.why_word.items()):
            group, word = words[w]
            yield LeftOut(name, "target", word, f"{word} {reason}", group=group, template=templates[t].text)
        for a, reason in {a: reason for (_, a), reason in sorted(one.why_attribute.items())}.items():
            missing = [t for t in range(len(templates)) if (t, a) in one.why_attribute]
            for t in missing if reason != STOPPED else missing[:1]:
                yield LeftOut(name, "attribute", attributes[a], f"{attributes[a]} {reason}", template=templates[t].text)


def models_not_reached(models: Sequence[LoadedModel], scores: Sequence[Scores]) -> Iterator[LeftOut]:
    """Models of a stopped run that have no finished scores."""
    finished = {one.model.info.name for one in scores}
    for name in (model.info.name for model in models):
        if name not in finished:
            yield LeftOut(name, "attribute", ALL_ATTRIBUTES, f"{name} {STOPPED}")


def keep_common_words(
    scores: Sequence[Scores], templates: Sequence[Template], attributes: Sequence[str], groups: Sequence[Group]
) -> list[LeftOut]:
    """Remove from every model what another cannot represent; list what that costs each."""
    present = [~np.isnan(one.ln_p_target) for one in scores]
    common = np.logical_and.reduce(present)
    words = places(groups)
    listed: list[LeftOut] = []
    for one, has in zip(scores, present, strict=True):
        lost = has & ~common
        one.ln_p_target[~common] = np.nan
        missing = {
            t: [o.model.info.name for o, h in zip(scores, present, strict=True) if not h[t].all()]
            for t in range(len(templates))
        }
        # A word that is lost with every attribute is a lost word; else the attribute is what another model lacks.
        for t in range(len(templates)):
            whole_words = [w for w in range(len(words)) if lost[t, :, w].any() and not common[t, :, w].any()]
            whole_attributes = [a for a in range(len(attributes)) if lost[t, a].any() and not common[t, a].any()]
            lacking = f"cannot be scored by every model (not by {', '.join(missing[t])})"
            name, text = one.model.info.name, templates[t].text
            if len(whole_words) < len(words):
                for group, word in (words[w] for w in whole_words):
                    listed.append(LeftOut(name, "target", word, f"{word} {lacking}", group, text))
            if len(whole_attributes) < len(attributes):
                for word in (attributes[a] for a in whole_attributes):
                    listed.append(LeftOut(name, "attribute", word, f"{word} {lacking}", None, text))
    return listed


def partners_left_out(
    scores: Sequence[Scores],
    contrasts: Sequence[Contrast],
    templates: Sequence[Template],
    groups: Sequence[Group],
    options: LpbsOptions,
) -> Iterator[LeftOut]:
    """Words that go with their partner, for groups that are pairs by position."""
    words = places(groups)
    first = dict(zip((g.name for g in groups), np.cumsum([0, *(len(g.words) for g in groups[:-1])]), strict=True))
    for one, contrast, (t, template) in itertools.product(scores, contrasts, enumerate(templates)):
        involved = members(contrast, groups)
        if not is_paired(contrast, groups, options):
            continue
        scored = ~np.isnan(one.ln_p_target[t]).all(axis=0)
        for k in range(len(involved[0].words)):
            pair = [int(first[group.name]) + k for group in involved]
            lost = [words[w][1] for w in pair if not scored[w]]
            for w in pair:
                if lost and scored[w]:
                    yield LeftOut(
                        one.model.info.name,
                        "target",
                        words[w][1],
                        f"{words[w][1]} cannot be paired, since its partner {' and '.join(lost)} could not be scored",
                        group=words[w][0],
                        template=template.text,
                        contrast=contrast.label,
                    )


def statistics_left_out(
    computed: Sequence[Computed],
    attributes: Sequence[str],
    left_out: Sequence[LeftOut],
) -> Iterator[LeftOut]:
    """Attributes without a score in a contrast, and scores on too few values for an interval and a p value."""
    known = {(item.model, item.word) for item in left_out if item.role == "attribute"}
    for one, contrast, numbers in computed:
        name = one.model.info.name
        for a, attribute in enumerate(attributes):
            if not np.isnan(numbers.lpbs[a]):
                if not is_enough(numbers.n[a]):
                    reason = _too_few(attribute, numbers.n[a], "values")
                    yield LeftOut(name, "statistic", attribute, reason, contrast=contrast.label)
            elif (name, attribute) not in known:
                reason = (
                    f"{attribute}: not computed, no word of {contrast.first} or of {contrast.second} could be scored"
                )
                yield LeftOut(name, "attribute", attribute, reason, contrast=contrast.label)
        if not is_enough(numbers.overall.n):
            reason = _too_few(ALL_ATTRIBUTES, numbers.overall.n, "attributes")
            yield LeftOut(name, "statistic", ALL_ATTRIBUTES, reason, contrast=contrast.label)


def _too_few(what: str, n: int, unit: str) -> str:
    return f"{what}: interval and p not computed, n too small ({too_few(n)} {unit})"


def without_a_number(computed: Sequence[Computed], left_out: Sequence[LeftOut]) -> list[LeftOut]:
    """The models that gave no number at all, with the reasons. Raises NothingToScore where that is every model."""
    names = list(dict.fromkeys(one.model.info.name for one, _, _ in computed))
    silent = [
        name
        for name in names
        if not any(one.model.info.name == name and numbers.overall.n for one, _, numbers in computed)
    ]
    found = []
    for name in silent:
        reasons = list(dict.fromkeys(item.reason for item in left_out if item.model == name))
        shown = "; ".join(reasons[:5]) + (f"; and {len(reasons) - 5} more" if len(reasons) > 5 else "")
        found.append(LeftOut(name, "model", name, f"{name} gives no score here: {shown}."))
    if len(silent) == len(names):
        raise NothingToScore(found[0].reason)
    return found


def places(groups: Sequence[Group]) -> list[tuple[str, str]]:
    """(group, word) of every target word, in the order of the score arrays' last axis."""
    return [(group.name, word) for group in groups for word in group.words]


def members(contrast: Contrast, groups: Sequence[Group]) -> list[Group]:
    """The groups that a contrast reads."""
    if contrast.second == OTHERS:
        return list(groups)
    return [group for group in groups if group.name in (contrast.first, contrast.second)]


def is_paired(contrast: Contrast, groups: Sequence[Group], options: LpbsOptions) -> bool:
    """Whether the groups of a contrast are pairs by position."""
    return options.paired and len({len(group.words) for group in members(contrast, groups)}) == 1
