"""``reliability``: do templates, representations or metrics agree; how far is a template's blank from another's?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from core.cli import shared
from core.engine import catalog
from core.errors import OptionError
from core.measures.agreement import metrics
from core.measures.agreement.result import (
    METRICS,
    REPRESENTATIONS,
    TEMPLATES,
    AgreementOptions,
    AgreementResult,
    DivergenceOptions,
)
from core.measures.benchmarks.registry import benchmark
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES
from core.result import Result
from core.run import Callbacks
from core.sources import FileWords, blanks, measured
from core.sources.benchmarks import Data, is_library_name
from core.sources.blanks import BlankTemplate

NAME = "reliability"
HELP = "agreement of templates, representations and metrics; divergence of templates"
DESCRIPTION = (
    "Correlations of effect sizes between templates or representations, over seeded subsets of professions; of "
    "metrics, over models; and how far what a model expects in a template's blank is from the base template's."
)
EPILOG = "An own template has one blank, written as _: “The _ is here.”"
DIVERGENCE = "divergence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("what", choices=(TEMPLATES, REPRESENTATIONS, METRICS, DIVERGENCE))
    sets = ", ".join(chosen.id for chosen in blanks.template_sets())
    parser.add_argument("--set", default="delobelle", metavar="NAME", help=f"templates: {sets}; default: delobelle")
    parser.add_argument("--template", action="append", metavar="TEXT", help="instead of a set; repeatable")
    parser.add_argument(
        "--representation",
        action="append",
        metavar="NAME",
        help="repeatable; see association --help for the names",
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help=f"repeatable: {', '.join(metric.id for metric in metrics.METRICS)}; default: all that can be computed",
    )
    parser.add_argument("--base", metavar="ID", help="for divergence: the template the others are compared with")
    shared.add_option(parser, AgreementOptions, "method", "correlation")
    shared.add_option(parser, AgreementOptions, "subsets", "of professions")
    shared.add_option(parser, AgreementOptions, "drawn", "professions of each kind in a subset")
    parser.add_argument("--crows-pairs", metavar="FILE", help="for metrics: your copy of CrowS-Pairs")
    parser.add_argument("--stereoset", metavar="FILE", help="for metrics: your copy of StereoSet")
    parser.add_argument("--contexts", metavar="FILE", help="for metrics: sentences, one a line, for CEAT")
    parser.add_argument("--columns", metavar="FILE", help="for metrics: your own scores, a CSV of models and numbers")
    shared.add_option(parser, AgreementOptions, "seed", "for subsets and every bootstrap")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Run what was asked."""
    options = shared.options_of(AgreementOptions, asked)
    names = shared.check_models(asked.model or ["default"], most=None if asked.what == METRICS else catalog.MAX_MODELS)
    if asked.what == METRICS:
        return _metrics(asked, names, options)
    chosen, source = _templates(asked)
    if asked.what == DIVERGENCE:
        base = DivergenceOptions(asked.base or chosen[0].id)
        known = [template.id for template in chosen]
        if base.base not in known:
            raise OptionError(f"The base template “{base.base}” is not among those chosen: {', '.join(known)}.")
        from core.measures.agreement.divergence import divergence

        with shared.lent_models(names, asked) as lent:
            return lent.complete(
                divergence(lent.models, chosen, base, data=[source], run=Callbacks(shared.show_progress))
            )
    fitting = IN_TEMPLATES if asked.what == TEMPLATES else COMPARABLE
    for name in asked.representation or []:
        if name not in fitting:
            raise OptionError(f"“{name}” does not read words in templates; choose {', '.join(fitting)}.")
    from core.measures.agreement.compute import agreement

    with shared.lent_models(names, asked) as lent:
        return lent.complete(
            agreement(
                lent.models,
                asked.what,
                chosen,
                asked.representation or fitting,
                options,
                data=[source],
                run=Callbacks(shared.show_progress),
            )
        )


def _templates(asked: argparse.Namespace) -> tuple[tuple[BlankTemplate, ...], str]:
    """Templates, and where they are from."""
    if asked.template:
        return blanks.own_templates("\n".join(asked.template)), f"templates: {blanks.OWN}"
    chosen = blanks.template_set(asked.set)
    return chosen.templates, chosen.citation


def _metrics(asked: argparse.Namespace, names: list[str], options: AgreementOptions) -> Result:
    if asked.template:
        raise OptionError("Metrics have their own templates; omit --template.")
    columns = measured.read_columns(shared.read_file(asked.columns), Path(asked.columns).name) if asked.columns else ()
    crows_pairs = _benchmark_data("crows-pairs", asked.crows_pairs) if asked.crows_pairs else None
    stereoset = _benchmark_data("stereoset", asked.stereoset) if asked.stereoset else None
    sentences = shared.sentences(asked.contexts) if asked.contexts else FileWords(())
    materials = metrics.Materials(crows_pairs, stereoset, sentences.words, sentences.notes)
    for name in asked.metric or []:
        metrics.metric_by_id(name)
    chosen = asked.metric or metrics.computable(materials)
    from core.measures.agreement.compute import metrics_of_model, metrics_of_models

    def measure(name: str) -> AgreementResult:
        with shared.lent_models([name], asked, attention=metrics.attention(chosen)) as lent:
            return metrics_of_model(lent.models[0], chosen, materials, options, run=Callbacks(shared.show_progress))

    return metrics_of_models(list(dict.fromkeys(names)), measure, columns)


def _benchmark_data(name: str, path: str) -> Data[Any]:
    """The data of a benchmark from a file, or from a data set by its name."""
    if not Path(path).exists() and is_library_name(path):
        return benchmark(name).named(path)
    return benchmark(name).read([(shared.read_file(path), Path(path).name)])
