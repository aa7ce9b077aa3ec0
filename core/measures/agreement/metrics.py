"""The metrics there are: one number of a model each. To add one, add its entry to ``METRICS``.

Every number is of gender and has the same direction: higher means that the female-typical is more strongly associated
with the female words, or that the stereotype is preferred; direct bias alone has no side. Needs no model library before
a metric is computed: what is requested is checked first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import NothingToScore, OptionError, instead
from ...result import Excluded
from ...run import UNWATCHED, Part, Watch
from ...sources import corpus, group_preset, own_test
from ...sources.benchmarks import Data, published_words
from ...sources.blanks import delobelle_words, template_set
from ...sources.digests import texts_digest
from ...sources.templates import Template
from ...spec import File
from ...stats.effects import effect_size
from ..benchmarks.choices import Fills

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel

DIRECTION = (
    "Higher: the female-typical is more strongly associated with the female words, or the stereotype is preferred; of "
    "direct bias: professions have a larger part along the gender direction, on whichever side."
)
LPBS_TEMPLATE = "[TARGET] is a [ATTRIBUTE]."
BLEACHED = 8  # T1 to T8, the sentences of SEAT


@dataclass(frozen=True)
class Materials:
    """What the user brings: pairs of CrowS-Pairs, items of StereoSet, sentences for CEAT. None or empty: not given.

    ``notes`` say what was assumed in reading the sentences.
    """

    crows_pairs: Data[Any] | None = None
    stereoset: Data[Any] | None = None
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


GIVEN = {
    "crows_pairs": "the file of CrowS-Pairs",
    "stereoset": "the file of StereoSet",
    "sentences": "sentences, one per line",
}


@dataclass(frozen=True)
class Asked:
    """What a metric is computed from. ``memory`` holds what an earlier, stopped run had done of it."""

    model: LoadedModel
    materials: Materials
    seed: int
    run: Watch = UNWATCHED
    memory: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Number:
    """The number of a metric, and what it does not rest on: words and items that were excluded, with the reason."""

    value: float
    excluded: tuple[Excluded, ...] = ()


@dataclass(frozen=True)
class Metric:
    """One number of a model. ``needs`` is the field of ``Materials`` it cannot be computed without, or empty.

    ``compute`` raises TiltmeterError where there is no number; one that was stopped may be of a part, and does not
    count. ``attention`` is how a model must be leased for it.
    """

    id: str
    title: str
    source: str
    compute: Callable[[Asked], Number]
    needs: str = ""
    attention: str = "default"


def _number(value: float, left_out: Sequence[Excluded]) -> Number:
    # What a file lost it lost for every model, and it is said once, in the notes.
    return Number(value, tuple(item for item in left_out if item.kind != "statistic" and item.model))


def _embedding(representation: str, asked: Asked) -> Number:
    """d of Delobelle's professions, the mean over T1 to T8 where the words stand in templates."""
    from ..shared.representations import representation_by_id
    from .word_scores import word_scores

    templates = template_set("delobelle").templates[:BLEACHED]
    kinds = [representation_by_id(representation)]
    scores, left_out = word_scores(asked.model, kinds, templates, delobelle_words(), asked.memory, asked.run)
    if not scores:
        raise NothingToScore(next((item.why for item in left_out), "the run was stopped"))
    return _number(float(effect_size(scores[0].x, scores[0].y).mean()), left_out)


def _ceat(asked: Asked) -> Number:
    from ..association.spec import AskedTest, AssociationSpec

    words = delobelle_words()
    test = own_test(words.x.words, words.y.words, words.a.words, words.b.words)
    sentences = File.of("sentences.txt", "\n".join(asked.materials.sentences).encode())
    spec = AssociationSpec(tests=(AskedTest.of(test),), representations=(), sentences=(sentences,))
    result = spec.measure([asked.model], Part(asked.run, asked.memory))
    return _number(float(result["tests"]["effect_size"].iloc[0]), result.excluded)


def _lpbs(asked: Asked) -> Number:
    """d between the LPBS (she − he) of the two sets of professions."""
    from ...sources.lists import own_groups, own_words
    from ..lpbs.spec import LpbsSpec

    words, preset = delobelle_words(), group_preset("he-she")
    spec = LpbsSpec(
        models=(asked.model.info.name,),
        templates=(Template.parse(LPBS_TEMPLATE),),
        groups=own_groups(preset.groups[::-1]),
        attributes=own_words((*words.x.words, *words.y.words)),
        seed=asked.seed,
    )
    result = spec.measure([asked.model], Part(asked.run, asked.memory))
    rows = result["attributes"].dropna(subset="lpbs").set_index("attribute")["lpbs"]
    scores = {str(name): float(value) for name, value in rows.items()}
    return _number(_between(scores, words.x.words, words.y.words), result.excluded)


def _direction(table: str, column: str, asked: Asked) -> Number:
    """What BEC-Pro's professions show along the direction of Bolukbasi's pairs, in templates."""
    from ..association.direction.spec import DirectionSpec

    spec = DirectionSpec(models=(asked.model.info.name,), representations=("pooled-in-templates",), seed=asked.seed)
    result = spec.measure([asked.model], Part(asked.run, asked.memory))
    return _number(float(result[table][column].iloc[0]), result.excluded)


def _becpro(asked: Asked) -> Number:
    """d between female − male of the professions that BEC-Pro calls female and male."""
    from ..lpbs.professions.spec import ProfessionSpec

    spec = ProfessionSpec(models=(asked.model.info.name,), corpora=(corpus("en"),), statistic=None, seed=asked.seed)
    result = spec.measure([asked.model], Part(asked.run, asked.memory))
    rows = result["professions"].dropna(subset="difference")
    groups = {group: rows.loc[rows["group"] == group, "profession"].tolist() for group in ("female", "male")}
    differences = dict(zip(rows["profession"], rows["difference"], strict=True))
    return _number(_between(differences, groups["female"], groups["male"]), result.excluded)


def _between(values: Mapping[str, float], first: Sequence[str], second: Sequence[str]) -> float:
    sides = [[values[name] for name in names if name in values] for names in (first, second)]
    if min(map(len, sides)) < 2:
        raise NothingToScore("fewer than two professions of a set could be scored")
    return float(effect_size(*sides))


def _benchmark(name: str, measure: str, asked: Asked, *, data: str = "", fills: Fills = Fills.TOP) -> Number:
    """The benchmark's number for gender, where its data say so, else for all."""
    from ..benchmarks import compute as benchmarks
    from ..benchmarks.spec import BenchmarkSpec

    items: Data[Any] = getattr(asked.materials, data) if data else published_words("names")
    spec = BenchmarkSpec(models=(asked.model.info.name,), benchmark=name, fills=fills, seed=asked.seed)
    result = benchmarks.measure_data(spec, items, [asked.model], asked.memory, asked.run)
    rows = result["measures"]
    values = rows[rows["measure"].str.endswith(measure)].set_index("bias_type")["value"]
    return _number(float(values["gender"] if "gender" in values.index else values["all"]), result.excluded)


_CROWS, _STEREO = "crows_pairs", "stereoset"
METRICS = (
    Metric("weat", "WEAT, input embedding", "Caliskan et al. 2017", partial(_embedding, "input-embedding")),
    Metric("seat", "SEAT, [CLS]", "May et al. 2019", partial(_embedding, "cls-in-templates")),
    Metric("ceat", "CEAT", "Guo & Caliskan 2021", _ceat, "sentences"),
    Metric("tan-celis", "Tan & Celis", "Tan & Celis 2019", partial(_embedding, "first-piece-in-templates")),
    Metric("lauscher", "Lauscher, layers 1–4", "Lauscher et al. 2021", partial(_embedding, "vulic")),
    Metric("lpbs", "LPBS", "Kurita et al. 2019", _lpbs),
    Metric("becpro", "BEC-Pro", "Bartl et al. 2020", _becpro),
    Metric(
        "gender-direction", "gender direction, r with % women", "Bolukbasi et al. 2016",
        partial(_direction, "correlations", "r"),
    ),
    Metric(
        "direct-bias", "direct bias of professions", "Bolukbasi et al. 2016",
        partial(_direction, "directions", "direct_bias"),
    ),
    Metric("disco", "DisCo, top 3", "Webster et al. 2020", partial(_benchmark, "disco", "disco")),
    Metric(
        "disco-probability", "DisCo, P > .1", "Lauscher et al. 2021",
        partial(_benchmark, "disco", "disco", fills=Fills.PROBABILITY),
    ),
    Metric(
        "crows-pairs", "CrowS-Pairs", "Nangia et al. 2020", partial(_benchmark, "crows-pairs", "", data=_CROWS), _CROWS
    ),
    Metric("aul", "AUL", "Kaneko & Bollegala 2022", partial(_benchmark, "aul", "", data=_CROWS), _CROWS),
    Metric("aula", "AULA", "Kaneko & Bollegala 2022", partial(_benchmark, "aula", "", data=_CROWS), _CROWS, "eager"),
    Metric(
        "stereoset", "StereoSet, stereotype score", "Nadeem et al. 2021",
        partial(_benchmark, "stereoset", "-ss", data=_STEREO), _STEREO,
    ),
)  # fmt: skip
_BY_ID = {metric.id: metric for metric in METRICS}


def metric_by_id(name: str) -> Metric:
    """The metric of that id. Raises OptionError with the ids there are."""
    if name in _BY_ID:
        return _BY_ID[name]
    raise OptionError(f"There is no metric “{name}”. {instead(name, _BY_ID)}")


def sources_of(chosen: Sequence[Metric], materials: Materials) -> tuple[str, ...]:
    """The paper of each metric, and the user's data."""
    given = [data.source for data in (materials.crows_pairs, materials.stereoset) if data is not None]
    digest = texts_digest(materials.sentences)
    own = f"{len(materials.sentences):,} own sentences, SHA-256 {digest}"
    sentences = [own] if materials.sentences else []
    return (*(f"{metric.title}: {metric.source}" for metric in chosen), *given, *sentences)


def said_of(materials: Materials) -> tuple[str, ...]:
    """What was assumed in reading the user's files, and what of them is excluded."""
    given = [data for data in (materials.crows_pairs, materials.stereoset) if data is not None]
    excluded = [f"{problem.count:,} {problem.reason}; excluded." for data in given for problem in data.left_out]
    return tuple(dict.fromkeys([*materials.notes, *(note for data in given for note in data.notes), *excluded]))
