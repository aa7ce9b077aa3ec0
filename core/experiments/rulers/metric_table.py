"""The metrics there are: one number of a model each, from the experiments that other pages show in full.

Every number is of gender and the same way round: the higher, the more the female-typical goes with the female words,
or the stereotype is preferred. To add a metric, add a line to ``METRICS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.errors import NothingToScore, OptionError
from core.experiments import association, playground, professions
from core.experiments.benchmarks import runner
from core.experiments.representations import CEAT, ruler
from core.experiments.rulers.templates import delobelle_words
from core.experiments.rulers.word_scores import word_scores
from core.lexicon import corpus, group_preset, own_test
from core.lexicon.benchmarks import Data, published_words
from core.lexicon.rulers import template_set
from core.models.loading import LoadedModel
from core.results import BenchmarkOptions, IsCancelled, LpbsOptions, ReportProgress
from core.stats.effects import effect_size
from core.templates import Template

LPBS_TEMPLATE = "[TARGET] is a [ATTRIBUTE]."
BLEACHED = 8  # T1 to T8, the sentences of SEAT


@dataclass(frozen=True)
class Materials:
    """What the user brings: pairs of CrowS-Pairs, items of StereoSet, sentences for CEAT. None or empty: not given."""

    crows_pairs: Data[Any] | None = None
    stereoset: Data[Any] | None = None
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a metric is computed from."""

    model: LoadedModel
    materials: Materials
    seed: int
    progress: ReportProgress
    cancelled: IsCancelled


@dataclass(frozen=True)
class Metric:
    """One number of a model. ``needs`` is the field of ``Materials`` it cannot be computed without, or empty."""

    id: str
    title: str
    source: str
    value: Callable[[Asked], float]
    needs: str = ""
    attention: str = "default"


def _embedding(representation: str, asked: Asked) -> float:
    """d of Delobelle's professions, the mean over T1 to T8 where the words stand in templates."""
    templates = template_set("delobelle").templates[:BLEACHED]
    one = ruler(representation)
    found, left_out = word_scores(asked.model, [one], templates, delobelle_words(), asked.progress, asked.cancelled)
    if not found:
        raise NothingToScore(next((item.reason for item in left_out), "the run was stopped"))
    return float(effect_size(found[0].x, found[0].y).mean())


def _ceat(asked: Asked) -> float:
    words = delobelle_words()
    test = own_test(words.x.words, words.y.words, words.a.words, words.b.words)
    found = association.run(
        [asked.model],
        [test],
        [],
        sentences=asked.materials.sentences,
        progress=asked.progress,
        cancelled=asked.cancelled,
    ).summary
    return float(found.loc[found["representation"] == CEAT.id, "effect_size"].iloc[0])


def _lpbs(asked: Asked) -> float:
    """d between the LPBS (she − he) of the two sets of professions."""
    words, preset = delobelle_words(), group_preset("he-she")
    result = playground.run(
        [asked.model],
        [Template.parse(LPBS_TEMPLATE)],
        preset.groups[::-1],
        (*words.x.words, *words.y.words),
        LpbsOptions(seed=asked.seed),
        progress=asked.progress,
        cancelled=asked.cancelled,
    )
    rows = result.summary[result.summary["kind"] == "attribute"].dropna(subset="lpbs").set_index("attribute")["lpbs"]
    return _between({str(name): float(value) for name, value in rows.items()}, words.x.words, words.y.words)


def _becpro(asked: Asked) -> float:
    """d between female − male of the professions that BEC-Pro calls female and male."""
    result = professions.run([asked.model], [corpus("en")], progress=asked.progress, cancelled=asked.cancelled)
    rows = result.summary[result.summary["kind"] == "profession"].dropna(subset="difference")
    groups = {group: rows.loc[rows["group"] == group, "profession"].tolist() for group in ("female", "male")}
    differences = dict(zip(rows["profession"], rows["difference"], strict=True))
    return _between(differences, groups["female"], groups["male"])


def _between(values: Mapping[str, float], first: Sequence[str], second: Sequence[str]) -> float:
    sides = [[values[name] for name in names if name in values] for names in (first, second)]
    if min(map(len, sides)) < 2:
        raise NothingToScore("fewer than two professions of a set could be scored")
    return float(effect_size(*sides))


def _benchmark(name: str, data: str, fills: str, measure: str, asked: Asked) -> float:
    """The benchmark's number for gender, where its data say so, else for all."""
    items: Data[Any] = published_words("names") if data == "" else getattr(asked.materials, data)
    options = BenchmarkOptions(fills=fills, seed=asked.seed)
    result = runner.run([asked.model], name, items, options, progress=asked.progress, cancelled=asked.cancelled)
    if result.stopped:
        raise NothingToScore("the run was stopped")
    rows = result.summary[result.summary["measure"].str.endswith(measure)].set_index("bias_type")["value"]
    return float(rows["gender"] if "gender" in rows.index else rows["all"])


METRICS = (
    Metric("weat", "WEAT, input embedding", "Caliskan et al. 2017", partial(_embedding, "input-embedding")),
    Metric("seat", "SEAT, [CLS]", "May et al. 2019", partial(_embedding, "cls-in-templates")),
    Metric("ceat", "CEAT", "Guo & Caliskan 2021", _ceat, "sentences"),
    Metric("tan-celis", "Tan & Celis", "Tan & Celis 2019", partial(_embedding, "first-piece-in-templates")),
    Metric("lauscher", "Lauscher, layers 1–4", "Lauscher et al. 2021", partial(_embedding, "vulic")),
    Metric("lpbs", "LPBS", "Kurita et al. 2019", _lpbs),
    Metric("becpro", "BEC-Pro", "Bartl et al. 2020", _becpro),
    Metric("disco", "DisCo, top 3", "Webster et al. 2020", partial(_benchmark, "disco", "", "top", "disco")),
    Metric(
        "disco-probability",
        "DisCo, P > .1",
        "Lauscher et al. 2021",
        partial(_benchmark, "disco", "", "probability", "disco"),
    ),
    Metric(
        "crows-pairs",
        "CrowS-Pairs",
        "Nangia et al. 2020",
        partial(_benchmark, "crows-pairs", "crows_pairs", "top", ""),
        "crows_pairs",
    ),
    Metric(
        "aul", "AUL", "Kaneko & Bollegala 2022", partial(_benchmark, "aul", "crows_pairs", "top", ""), "crows_pairs"
    ),
    Metric(
        "aula",
        "AULA",
        "Kaneko & Bollegala 2022",
        partial(_benchmark, "aula", "crows_pairs", "top", ""),
        "crows_pairs",
        "eager",
    ),
    Metric(
        "stereoset",
        "StereoSet, stereotype score",
        "Nadeem et al. 2021",
        partial(_benchmark, "stereoset", "stereoset", "top", "-ss"),
        "stereoset",
    ),
)
_BY_ID = {metric.id: metric for metric in METRICS}
GIVEN = {
    "crows_pairs": "the file of CrowS-Pairs",
    "stereoset": "the file of StereoSet",
    "sentences": "sentences, one a line",
}


def metric(name: str) -> Metric:
    """The metric of that id. Raises OptionError with the ids there are."""
    if name in _BY_ID:
        return _BY_ID[name]
    raise OptionError(f"There is no metric “{name}”; choose {', '.join(_BY_ID)}.")


def attention(names: Sequence[str]) -> str:
    """How models must be lent for these metrics."""
    return "eager" if any(metric(name).attention == "eager" for name in names) else "default"


def computable(materials: Materials) -> list[str]:
    """The metrics that can be computed from what the user brings."""
    return [one.id for one in METRICS if not one.needs or getattr(materials, one.needs)]
