"""Every figure that the program draws, from a small result whose words would be markup if they were not escaped.

To add a figure, add a line to that of its measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import plotly.graph_objects as go

from core.charts.theme import Theme
from core.measures.agreement import figures as agreement
from core.measures.agreement.choices import Compared
from core.measures.association import figures as association
from core.measures.association import side_by_side
from core.measures.association.direction import figures as direction
from core.measures.attention import figures as attention
from core.measures.attention.causes import figures as causes
from core.measures.attention.scan import figures as scan
from core.measures.benchmarks import figures as benchmarks
from core.measures.descriptors import figures as descriptors
from core.measures.downstream.coreference import figures as coreference
from core.measures.downstream.occupations import figures as occupations
from core.measures.downstream.resolution import figures as resolution
from core.measures.lpbs import figures as lpbs
from core.measures.lpbs.professions import figures as professions
from core.measures.mitigation.change import figures as change
from core.measures.mitigation.classifier import figures as classifier
from core.measures.mitigation.swap import figures as swap
from core.measures.mitigation.swap.result import SwapResult
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.tuning import figures as tuning
from core.measures.mitigation.tuning.result import TuningResult
from core.measures.mitigation.tuning.spec import TuningSpec
from core.result import Group
from core.sources.pairs import own_pairs
from core.sources.templates import Template
from tests.support.agreement_results import POOLED, agreement_result, divergence_result, pairs, points
from tests.support.association_results import asked_test, association_result, bars, matrix, members, row
from tests.support.attention_results import NOBODY, heads, maps, profile
from tests.support.benchmark_results import benchmark_result, winogender_result
from tests.support.causes_results import causes_result
from tests.support.change_results import change_result
from tests.support.classifier_results import classifier_result
from tests.support.coreference_results import coreference_result
from tests.support.descriptor_results import descriptor_result
from tests.support.direction_results import direction_result
from tests.support.lpbs import by_hand, spec_of
from tests.support.occupation_results import occupation_result
from tests.support.profession_results import profession_result, sentences
from tests.support.resolution_results import resolution_result

Draw = Callable[[Theme], go.Figure]
MARKED = "<u>m</u> & $x$"  # a name as a user may give a model, a word or a set
_NAMES = (f"{MARKED} 1", f"{MARKED} 2", f"{MARKED} 3", f"{MARKED} 4")


def _attention() -> Mapping[str, Draw]:
    own = heads(MARKED, [[0.5, -0.4], [0.2, None]], [["male", "female"], ["female", ""]])
    along = profile(MARKED, [0.1, -0.2, 0.3, None, 0.05, 0.2])
    pair = maps(MARKED, ("[CLS]", MARKED, "she", "nurse"), ("", "male", "female", "occupation"))
    counts = own.head(2).assign(occupation=[MARKED, "nurse"], n=[3, 2])
    return {
        "head_grid": lambda theme: attention.head_grid(own, theme=theme, selected=(MARKED, 0, 1)),
        "token_maps": lambda theme: attention.token_maps(pair, layer=1, head=0, theme=theme),
        "degree_curve": lambda theme: attention.degree_curve(along, theme=theme),
        "degree_steps": lambda theme: attention.degree_steps(along, theme=theme),
        "degree_boxes": lambda theme: attention.degree_boxes(along, theme=theme),
        "biased_share": lambda theme: attention.biased_share(along, theme=theme),
        "occupation_bars": lambda theme: scan.occupation_bars(counts, theme=theme),
    }


def _causes() -> Mapping[str, Draw]:
    effects = [[0.5, -1.25, 0.0, 0.1], [0.2, -0.3, 0.02, 0.4]]
    result = causes_result(
        MARKED, effects, groups=(MARKED, "she"), degrees=[[0.1, None, -0.4, 0.2], [0.3, 0.1, 0.0, 0.9]]
    )
    return {
        "effect_grid": lambda theme: causes.effect_grid(result, model=MARKED, theme=theme, selected=(0, 1)),
        "largest_effects": lambda theme: causes.largest_effects(result, model=MARKED, theme=theme, selected=(0, 1)),
        "effect_against_degree": lambda theme: causes.effect_against_degree(result, model=MARKED, theme=theme),
    }


def _change() -> Mapping[str, Draw]:
    values = {MARKED: (0.5, 0.25), "nurse": (-1.0, -1.5), "judge": (0.2, 0.2)}
    result = change_result(values, child=MARKED, section=MARKED, groups=(MARKED, "she"))
    one_sided = change_result({MARKED: (0.5, 0.25)}, child=MARKED, section=MARKED, sides=False, controls=False)
    return {
        "change_bars": lambda theme: change.section_bars(result, theme=theme),
        "change_bars_of_values": lambda theme: change.section_bars(one_sided, theme=theme),
        "change_dots": lambda theme: change.entry_dots(result, whole=result.wholes[0], theme=theme),
        "change_differences": lambda theme: change.differences(result, quantity="lean", theme=theme),
        "change_sizes": lambda theme: change.differences(result, quantity="size", theme=theme),
    }


def _association() -> Mapping[str, Draw]:
    which = (MARKED, "weat1", "lpbs")
    words = ((MARKED, "tulip"), ("ant",))
    result = association_result(
        [row(*which, 0.5), row(MARKED, "weat1", "vulic", None), row("n", "weat1", "lpbs", -0.2)],
        tests=[asked_test("weat1", MARKED, names=_NAMES)],
        layers=[
            {"model": MARKED, "test": "weat1", "representation": "lpbs", "layer": at, "effect_size": 0.1 * at}
            for at in range(4)
        ],
        members=members([0.2, 0.1], [-0.3], words, which),
        matrix=matrix([[0.5, -0.25], [0.1, 0.2], [-0.3, 0.4]], words, ((MARKED,), ("war",)), which),
        distribution=bars([-0.3, 0.1, 0.3], [3, 1], [False, True], which),
    )
    return {
        "effect_sizes": lambda theme: association.effect_sizes(result, theme=theme),
        "layer_curve": lambda theme: association.layer_curve(result, "weat1", theme=theme),
        "member_associations": lambda theme: association.member_associations(result, which, theme=theme),
        "association_matrix": lambda theme: association.association_matrix(result, which, theme=theme),
        "null_distribution": lambda theme: association.null_distribution(result, which, theme=theme),
        "effects_by_model": lambda theme: side_by_side.effects_by_model(result, *which[1:], theme=theme),
        "cosine_plot": lambda theme: side_by_side.cosine_plot(result, *which[1:], theme=theme),
    }


def _direction() -> Mapping[str, Draw]:
    words = {
        "nurse": (0.1, 90.0),
        MARKED: (-0.2, 5.0),
        "judge": (-0.01, 40.0),
        "clerk": (0.05, 70.0),
        "tulip": (0, None),
    }
    result = direction_result(words, models=(MARKED,), pairs=own_pairs([(MARKED, "he"), ("moon", "sun")]))
    which = (MARKED, "input-embedding")
    return {
        "direction_projections": lambda theme: direction.projections(result, which, theme=theme),
        "direction_against_share": lambda theme: direction.against_share(result, which, theme=theme),
        "direction_variance": lambda theme: direction.variance(result, which, theme=theme),
    }


def _agreement() -> Mapping[str, Draw]:
    result = agreement_result(
        pairs({("T1", "T2"): (0.91, 0.031, 4), ("T1", "T10"): (None, None, 4), ("T2", "T10"): (0.2, 0.8, 4)}),
        points({"T1": [0.1, 0.2, 0.3, 0.4], "T2": [0.2, 0.1, 0.5, 0.3], "T10": [0.0, 0.0, 0.0, 0.0]}),
    )
    divergence = divergence_result()
    over_models = agreement_result(
        pairs({("T1", "T2"): (0.91, 0.031, 6), ("T1", "T10"): (-0.4, 0.3, 6)}, model=None, representation=None),
        compare=Compared.METRICS,
        names=(("T1", MARKED), ("T2", "LPBS"), ("T10", f"GAP: {MARKED}")),
        kinds=("metric", "metric", "downstream"),
    )
    return {
        "matrix_with_tasks": lambda theme: agreement.correlation_matrix(over_models, theme=theme, model=None),
        "correlation_matrix": lambda theme: agreement.correlation_matrix(
            result, theme=theme, model="m", representations=(POOLED,)
        ),
        "agreement_scatter": lambda theme: agreement.agreement_scatter(
            result, theme=theme, model="m", representation=POOLED, a="T1", b="T2"
        ),
        "divergences": lambda theme: agreement.divergences(divergence, theme=theme),
        "contributions": lambda theme: agreement.contributions(divergence, theme=theme, model="m", template="T2"),
    }


def _benchmarks() -> Mapping[str, Draw]:
    jobs = {"mechanic": (0.0, 1.0), "farmer": (20.0, 0.6), "teacher": (80.0, -0.6), MARKED: (100.0, -1.0)}
    result, occupations = benchmark_result(), winogender_result(jobs)
    return {
        "benchmark_rates": lambda theme: benchmarks.rates(result, theme=theme, measure="crows-pairs"),
        "benchmark_differences": lambda theme: benchmarks.differences(result, theme=theme, model="m"),
        "winogender_scatter": lambda theme: benchmarks.occupations(occupations, theme=theme, model="m"),
    }


def _professions() -> Mapping[str, Draw]:
    jobs = {"roofer": 1.0, "judge": 3.0, "lawyer": 2.0, MARKED: 4.0}
    percent = {"roofer": 10.0, "judge": 20.0, "lawyer": 30.0, MARKED: 40.0}
    result = profession_result(sentences(jobs, model=MARKED) + sentences(jobs, model="n"), percent=percent)
    first, second = (MARKED, "en"), ("n", "en")
    return {
        "profession_scatter": lambda theme: professions.profession_scatter(result, series=[first], theme=theme),
        "profession_bars": lambda theme: professions.profession_bars(result, series=first, theme=theme),
        "profession_differences": lambda theme: professions.profession_differences(
            result, first=first, second=second, theme=theme
        ),
        "profession_heat": lambda theme: professions.profession_heat(result, series=first, by="template", theme=theme),
    }


def _resolution() -> Mapping[str, Draw]:
    topics = [("album, band", 0.2, 0.1, 9), (f"{MARKED}, king", -0.1, 0.2, 4), ("film, role", 0.0, 0.15, 3)]
    result = resolution_result({MARKED: (0.74, 0.72), "n": (0.7, 0.75)}, topics=topics)
    return {
        "resolution_by_gender": lambda theme: resolution.by_gender(result, theme=theme, measure="f1"),
        "resolution_neither": lambda theme: resolution.by_gender(
            result, theme=theme, measure="p_neither", resolver=MARKED
        ),
        "resolution_topics": lambda theme: resolution.topic_scatter(
            result, theme=theme, resolver=MARKED, words_by=MARKED
        ),
    }


def _coreference() -> Mapping[str, Draw]:
    result = coreference_result({MARKED: (0.65, 0.3, 0.6, 0.2), "n": (0.7, 0.0, 0.6, 0.1)})
    return {"coreference_by_gender": lambda theme: coreference.by_gender(result, theme=theme)}


def _descriptors() -> Mapping[str, Draw]:
    axes = {MARKED: (9, 10), "religion": (3, 21)}
    result = descriptor_result({MARKED: axes, "n": axes}, {MARKED: 338_182.0, "blind": 27.3, "deaf": 151.0})
    return {
        "descriptor_shares": lambda theme: descriptors.shares(result, theme=theme),
        "descriptor_perplexities": lambda theme: descriptors.perplexities(
            result, theme=theme, axis=MARKED, model=MARKED
        ),
    }


def _occupations() -> Mapping[str, Draw]:
    result = occupation_result({MARKED: (0.3, 90.0), "model": (-0.2, 70.0), "nurse": (0.0, 85.0), "dj": (-0.4, 10.0)})
    classifier = ("m", "as they are")
    return {
        "occupation_gaps": lambda theme: occupations.gaps(result, classifier=classifier, theme=theme),
        "occupation_women": lambda theme: occupations.against_women(
            result, classifier=classifier, against=occupations.AGAINST["file"], theme=theme
        ),
    }


def _lpbs() -> Mapping[str, Draw]:
    groups = (Group("he", ("he",)), Group(MARKED, ("she",)))
    models = (MARKED, "n")
    scores = [
        (model, word, 0.5 * at - 0.7) for model in models for at, word in enumerate(("nurse", MARKED, "clerk", "judge"))
    ]
    label = f"he − {MARKED}"
    spec = spec_of([Template.parse("[TARGET] is a [ATTRIBUTE].")], groups, ["nurse", MARKED, "clerk", "judge"])
    result = by_hand(
        spec,
        {
            "attributes": [
                {
                    "model": model,
                    "attribute": word,
                    "contrast": label,
                    "n": 7,
                    "lpbs": value,
                    "ci_low": value - 0.2,
                    "ci_high": value + 0.2,
                    "p_value": 0.01,
                    "p_adjusted": 0.04,
                }
                for model, word, value in scores
            ],
            "overall": [{"model": model, "contrast": label, "n": 4, "lpbs": 0.05} for model in models],
            "shares": [
                {"model": model, "contrast": label, "template": template, "n": 60, "first": first, "second": 60 - first}
                | {"ties": 0, "share": first / 60, "ci_low": first / 60 - 0.1, "ci_high": first / 60 + 0.1}
                for model, first in zip(models, (27, 54), strict=True)
                for template in (None, f"[TARGET] is {MARKED} and a [ATTRIBUTE].", "[TARGET] is a [ATTRIBUTE].")
            ],
        },
        provenance=NOBODY,
    )
    (contrast,) = result.contrasts
    return {
        "tilt": lambda theme: lpbs.tilt(result, contrast=contrast, model=MARKED, theme=theme, highlight=MARKED),
        "small_multiples": lambda theme: lpbs.small_multiples(result, contrast=contrast, theme=theme),
        "model_against_model": lambda theme: lpbs.model_against_model(
            result, contrast=contrast, x_model=MARKED, y_model="n", theme=theme
        ),
        "shares": lambda theme: lpbs.shares(result, contrast=contrast, theme=theme),
        "contrasts": lambda theme: lpbs.contrasts(result, model=MARKED, theme=theme),
        "top_fills": lambda theme: lpbs.top_fills(["he", MARKED], [0.5, 0.00001], theme),
    }


def _swap() -> Mapping[str, Draw]:
    counts = [
        {"what": what, "kind": kind, "n": n, "percent": 50.0}
        for what, kind, n in (("changes", "all", 14), ("changes", MARKED, 12), ("changes", "name", 2))
    ]
    counts.append({"what": "doubts", "kind": "half-swapped name", "n": 1, "percent": 100.0})
    tables = SwapResult.SCHEMA.frames(summary=counts)
    result = SwapResult(spec=SwapSpec(), tables=tables, excluded=(), notes=(), provenance=NOBODY)
    return {"swap_kinds": lambda theme: swap.kinds(result, theme=theme)}


def _tuning() -> Mapping[str, Draw]:
    losses = [
        {"seed": seed, "control": control, "step": step, "loss": 4 / step + seed, "learning_rate": 1e-5}
        for seed in (0, 1)
        for control in (False, True)
        for step in range(1, 100)
    ]
    tables = TuningResult.SCHEMA.frames(losses=losses)
    result = TuningResult(spec=TuningSpec(), tables=tables, excluded=(), notes=(), provenance=NOBODY)
    return {"loss_curve": lambda theme: tuning.loss_curve(result, theme=theme)}


def _classifier() -> Mapping[str, Draw]:
    result = classifier_result([(60.0, 0.4), (50.0, 0.5), (90.0, 0.8), (None, 0.9)], labels=(MARKED, "b"))
    return {
        "classifier_scores": lambda theme: classifier.scores(result, theme=theme),
        "classifier_loss": lambda theme: classifier.loss_curve(result, theme=theme),
    }


def figures() -> Mapping[str, Draw]:
    """Every figure by its name: a function of the theme."""
    return {
        name: draw
        for of_measure in (
            _lpbs,
            _attention,
            _causes,
            _change,
            _association,
            _direction,
            _agreement,
            _benchmarks,
            _resolution,
            _coreference,
            _descriptors,
            _occupations,
            _professions,
            _swap,
            _tuning,
            _classifier,
        )
        for name, draw in of_measure().items()
    }
