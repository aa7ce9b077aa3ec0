"""What has no number, and why: words no model knows, words lost with their partner, statistics on too few values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...engine.masked import SEVERAL_TOKENS, STOPPED
from ...errors import NothingToScore
from ...result import ALL_ATTRIBUTES, OTHERS, Contrast, Excluded, Group, ModelInfo
from ...sources.parsing import quoted
from ...stats.samples import is_enough, too_few
from .metric import ContrastScores
from .scoring import Scores
from .spec import SeveralPieces

_NAMED = 5  # groups that a sentence names
_ADVICE = f"choose “{SeveralPieces.JOINT.label}” ({SeveralPieces.JOINT.value})"
Computed = tuple[Scores, Contrast, ContrastScores]


def not_scored(scores: Scores) -> Iterator[Excluded]:
    """Target words and attributes that a model cannot read, and attributes that a stop left unscored."""
    yield from _lines(scores, scores.why_word, of_word=True)
    yield from _lines(scores, scores.why_attribute, of_word=False)
    for a in scores.not_reached:
        word = scores.grid.attributes[a]
        yield Excluded(scores.model.name, scores.grid.attribute_role, word, f"{word} {STOPPED}")


def split_groups(scores: Scores) -> Iterator[str]:
    """The sentence on groups without a score because the model splits each of their words; none where it has some."""
    groups = [
        group.name
        for group, part in zip(scores.grid.groups, scores.grid.slices, strict=True)
        if not scores.present[:, :, part].any()
        and all(scores.why_word.get((0, w), "").endswith(SEVERAL_TOKENS) for w in range(part.start, part.stop))
    ]
    if groups:
        named = quoted(groups, _NAMED, "or")
        yield f"no word of {named} is a single token, so there is no score: {_ADVICE}."


def models_not_reached(models: Sequence[ModelInfo], scores: Sequence[Scores]) -> Iterator[Excluded]:
    """Models of a stopped run that have no finished scores."""
    finished = {scored.model.name for scored in scores}
    for name in (model.name for model in models):
        if name not in finished:
            yield Excluded(name, "attribute", ALL_ATTRIBUTES, f"{name} {STOPPED}")


def keep_common(scores: Sequence[Scores]) -> list[Excluded]:
    """Remove from every model what another cannot represent; list what that costs each.

    A model that can score nothing here takes nothing from the others.
    """
    scores = [scored for scored in scores if scored.present.any()]
    if len(scores) < 2:
        return []
    present = [scored.present for scored in scores]
    common = np.all(present, axis=0)
    listed: list[Excluded] = []
    for scored, has in zip(scores, present, strict=True):
        lost = has & ~common
        scored.ln_p_target[~common] = np.nan
        lacking = [(other.model.name, has & ~there) for other, there in zip(scores, present, strict=True)]
        # Where every word of a template is lost with an attribute but not with all of them, the attribute is to blame.
        without = ~np.any(common, axis=2) & np.any(common, axis=(1, 2))[:, None]
        words, attributes = {}, {}
        for t, a, w in np.argwhere(lost).tolist():
            if without[t, a]:
                attributes[t, a] = _lacking([name for name, where in lacking if np.any(where[t, a])])
            else:
                words[t, w] = _lacking([name for name, where in lacking if np.any(where[t, ~without[t], w])])
        listed += _lines(scored, words, of_word=True)
        listed += _lines(scored, attributes, of_word=False)
    return listed


def _lacking(models: Sequence[str]) -> str:
    return f"cannot be scored by every model (not by {', '.join(models)})"


def partners_left_out(scores: Scores, contrast: Contrast, groups: Sequence[Group]) -> Iterator[Excluded]:
    """Words that go with their partner; ``groups`` are those of a contrast whose words are pairs by position."""
    starts = {group.name: part.start for group, part in zip(scores.grid.groups, scores.grid.slices, strict=True)}
    present, words = scores.present, scores.grid.words
    reasons = {}
    for k in range(len(groups[0].words)):
        pair = [starts[group.name] + k for group in groups]
        for t, w in itertools.product(range(len(present)), pair):
            lost = [words[v][1] for v in pair if np.any(present[t, :, w] & ~present[t, :, v])]
            if lost:
                reasons[t, w] = f"cannot be paired, since its partner {' and '.join(lost)} could not be scored"
    for item in _lines(scores, reasons, of_word=True):
        yield replace(item, contrast=contrast.label)


def drop_partners(scores: Scores) -> None:
    """Take away the partner of every word without a number, place by place; the two groups are pairs by position."""
    first, second = scores.grid.slices
    either = ~scores.present[:, :, first] | ~scores.present[:, :, second]
    for part in (first, second):
        scores.ln_p_target[:, :, part][either] = np.nan


def _lines(scores: Scores, reasons: Mapping[tuple[int, int], str], *, of_word: bool) -> Iterator[Excluded]:
    """One line for a word or attribute whose reason, by (template, place), is that of all templates, else one each."""
    grid = scores.grid
    where: dict[tuple[int, str], list[str]] = {}
    for (t, i), reason in sorted(reasons.items()):
        where.setdefault((i, reason), []).append(grid.templates[t])
    for (i, reason), templates in where.items():
        group, word = grid.words[i] if of_word else (None, grid.attributes[i])
        role = "target" if of_word else grid.attribute_role
        for template in [None] if 1 < len(templates) == len(grid.templates) else templates:
            yield Excluded(scores.model.name, role, word, f"{word} {reason}", group=group, template=template)


def statistics_left_out(
    computed: Sequence[Computed],
    attributes: Sequence[str],
    left_out: Sequence[Excluded],
) -> Iterator[Excluded]:
    """Attributes without a score in a contrast, and scores on too few values for an interval and a p value."""
    known = {(item.model, item.what) for item in left_out if item.kind == "attribute"}
    for scored, contrast, numbers in computed:
        name = scored.model.name
        if not numbers.overall.n:
            reason = f"{ALL_ATTRIBUTES} in {contrast.label}: {_no_words(contrast)}"
            yield Excluded(name, "attribute", ALL_ATTRIBUTES, reason, contrast=contrast.label)
            continue
        for a, attribute in enumerate(attributes):
            if not np.isnan(numbers.lpbs[a]):
                if not is_enough(numbers.n[a]):
                    reason = _too_few(attribute, numbers.n[a], "values")
                    yield Excluded(name, "statistic", attribute, reason, contrast=contrast.label)
            elif (name, attribute) not in known:
                reason = f"{attribute}: {_no_words(contrast)}"
                yield Excluded(name, "attribute", attribute, reason, contrast=contrast.label)
        if not is_enough(numbers.overall.n):
            reason = _too_few(ALL_ATTRIBUTES, numbers.overall.n, "attributes")
            yield Excluded(name, "statistic", ALL_ATTRIBUTES, reason, contrast=contrast.label)


def _no_words(contrast: Contrast) -> str:
    return f"not computed, no word of {contrast.first} or of {contrast.second} could be scored"


def _too_few(what: str, n: int, unit: str) -> str:
    return f"{what}: interval and p not computed, n too small ({too_few(n)} {unit})"


def without_a_number(computed: Sequence[Computed], left_out: Sequence[Excluded]) -> list[Excluded]:
    """The models that gave no number at all, with the reasons. Raises NothingToScore where that is every model."""
    names = list(dict.fromkeys(scored.model.name for scored, _, _ in computed))
    silent = [
        name
        for name in names
        if not any(scored.model.name == name and numbers.overall.n for scored, _, numbers in computed)
    ]
    found = []
    for name in silent:
        reasons = list(dict.fromkeys(item.why for item in left_out if item.model == name))
        shown = "; ".join(reasons[:5]) + (f"; and {len(reasons) - 5} more" if len(reasons) > 5 else "")
        advice = (
            f" For words of several tokens, {_ADVICE}."
            if any(reason.endswith(SEVERAL_TOKENS) for reason in reasons)
            else ""
        )
        found.append(Excluded(name, "model", name, f"{name} gives no score here: {shown}.{advice}"))
    if len(silent) == len(names):
        raise NothingToScore(found[0].why)
    return found


def members(contrast: Contrast, groups: Sequence[Group]) -> list[Group]:
    """The groups that a contrast reads."""
    if contrast.second == OTHERS:
        return list(groups)
    return [group for group in groups if group.name in (contrast.first, contrast.second)]


def is_paired(contrast: Contrast, groups: Sequence[Group], paired: bool) -> bool:
    """Whether the groups of a contrast are pairs by position."""
    return paired and len({len(group.words) for group in members(contrast, groups)}) == 1
