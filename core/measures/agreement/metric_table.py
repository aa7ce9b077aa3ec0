"""How each metric of ``metric_list`` is computed, from the experiments that other pages show in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.engine.loading import LoadedModel
from core.errors import NothingToScore
from core.measures.agreement.metric_list import Materials
from core.measures.agreement.templates import delobelle_words
from core.measures.agreement.word_scores import word_scores
from core.measures.association import compute as association
from core.measures.benchmarks import compute as runner
from core.measures.benchmarks.spec import BenchmarkOptions
from core.measures.lpbs import compute as playground
from core.measures.lpbs.professions import compute as professions
from core.measures.lpbs.result import LpbsOptions
from core.measures.shared.representations import CEAT, representation_by_id
from core.result import LeftOut
from core.run import Watch
from core.sources import corpus, group_preset, own_test
from core.sources.benchmarks import Data, published_words
from core.sources.blanks import template_set
from core.sources.templates import Template
from core.stats.effects import effect_size

LPBS_TEMPLATE = "[TARGET] is a [ATTRIBUTE]."
BLEACHED = 8  # T1 to T8, the sentences of SEAT


@dataclass(frozen=True)
class Asked:
    """What a metric is computed from."""

    model: LoadedModel
    materials: Materials
    seed: int
    run: Watch


@dataclass(frozen=True)
class Number:
    """The number of a metric, and what it does not rest on: words and items that were excluded, with the reason."""

    value: float
    excluded: tuple[LeftOut, ...] = ()


def _number(value: float, left_out: Sequence[LeftOut]) -> Number:
    # What a file lost it lost for every model, and it is said once, in the notes.
    return Number(value, tuple(item for item in left_out if item.role != "statistic" and item.model))


def _embedding(representation: str, asked: Asked) -> Number:
    """d of Delobelle's professions, the mean over T1 to T8 where the words stand in templates."""
    templates = template_set("delobelle").templates[:BLEACHED]
    one = representation_by_id(representation)
    found, left_out = word_scores(asked.model, [one], templates, delobelle_words(), asked.run)
    if not found:
        raise NothingToScore(next((item.reason for item in left_out), "the run was stopped"))
    return _number(float(effect_size(found[0].x, found[0].y).mean()), left_out)


def _ceat(asked: Asked) -> Number:
    words = delobelle_words()
    test = own_test(words.x.words, words.y.words, words.a.words, words.b.words)
    found = association.run(
        [asked.model],
        [test],
        [],
        sentences=asked.materials.sentences,
        run=asked.run,
    )
    rows = found.summary[found.summary["representation"] == CEAT.id]
    return _number(float(rows["effect_size"].iloc[0]), found.left_out)


def _lpbs(asked: Asked) -> Number:
    """d between the LPBS (she − he) of the two sets of professions."""
    words, preset = delobelle_words(), group_preset("he-she")
    result = playground.run(
        [asked.model],
        [Template.parse(LPBS_TEMPLATE)],
        preset.groups[::-1],
        (*words.x.words, *words.y.words),
        LpbsOptions(seed=asked.seed),
        run=asked.run,
    )
    rows = result.summary[result.summary["kind"] == "attribute"].dropna(subset="lpbs").set_index("attribute")["lpbs"]
    scores = {str(name): float(value) for name, value in rows.items()}
    return _number(_between(scores, words.x.words, words.y.words), result.left_out)


def _becpro(asked: Asked) -> Number:
    """d between female − male of the professions that BEC-Pro calls female and male."""
    result = professions.run([asked.model], [corpus("en")], run=asked.run)
    rows = result.summary[result.summary["kind"] == "profession"].dropna(subset="difference")
    groups = {group: rows.loc[rows["group"] == group, "profession"].tolist() for group in ("female", "male")}
    differences = dict(zip(rows["profession"], rows["difference"], strict=True))
    return _number(_between(differences, groups["female"], groups["male"]), result.left_out)


def _between(values: Mapping[str, float], first: Sequence[str], second: Sequence[str]) -> float:
    sides = [[values[name] for name in names if name in values] for names in (first, second)]
    if min(map(len, sides)) < 2:
        raise NothingToScore("fewer than two professions of a set could be scored")
    return float(effect_size(*sides))


def _benchmark(name: str, data: str, fills: str, measure: str, asked: Asked) -> Number:
    """The benchmark's number for gender, where its data say so, else for all."""
    items: Data[Any] = published_words("names") if data == "" else getattr(asked.materials, data)
    options = BenchmarkOptions(fills=fills, seed=asked.seed)
    result = runner.run([asked.model], name, items, options, run=asked.run)
    if result.stopped:
        raise NothingToScore("the run was stopped")
    rows = result.summary[result.summary["measure"].str.endswith(measure)].set_index("bias_type")["value"]
    return _number(float(rows["gender"] if "gender" in rows.index else rows["all"]), result.left_out)


VALUES: Mapping[str, Callable[[Asked], Number]] = {
    "weat": partial(_embedding, "input-embedding"),
    "seat": partial(_embedding, "cls-in-templates"),
    "ceat": _ceat,
    "tan-celis": partial(_embedding, "first-piece-in-templates"),
    "lauscher": partial(_embedding, "vulic"),
    "lpbs": _lpbs,
    "becpro": _becpro,
    "disco": partial(_benchmark, "disco", "", "top", "disco"),
    "disco-probability": partial(_benchmark, "disco", "", "probability", "disco"),
    "crows-pairs": partial(_benchmark, "crows-pairs", "crows_pairs", "top", ""),
    "aul": partial(_benchmark, "aul", "crows_pairs", "top", ""),
    "aula": partial(_benchmark, "aula", "crows_pairs", "top", ""),
    "stereoset": partial(_benchmark, "stereoset", "stereoset", "top", "-ss"),
}
