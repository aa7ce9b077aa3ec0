"""``rulers``: do templates, representations or metrics agree; how far is a template's blank from another's?"""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli import shared
from core.cli.benchmark import benchmark_data
from core.errors import OptionError
from core.lexicon import measured, read_lines, rulers
from core.lexicon.rulers import RulerTemplate
from core.results import METRICS, REPRESENTATIONS, TEMPLATES, AgreementOptions, DivergenceOptions, Result

NAME = "rulers"
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
    sets = ", ".join(one.id for one in rulers.template_sets())
    parser.add_argument("--set", default="delobelle", metavar="NAME", help=f"templates: {sets}; default: delobelle")
    parser.add_argument("--template", action="append", metavar="TEXT", help="instead of a set; repeatable")
    parser.add_argument(
        "--representation", action="append", metavar="NAME", help="repeatable; see association --list for the names"
    )
    parser.add_argument(
        "--metric", action="append", metavar="NAME", help="repeatable; default: all that can be computed"
    )
    parser.add_argument("--base", metavar="ID", help="for divergence: the template the others are held against")
    parser.add_argument("--method", default="pearson", metavar="HOW", help="pearson (default) or spearman")
    parser.add_argument("--subsets", type=int, default=20, help="of professions; default 20")
    parser.add_argument("--drawn", type=int, default=10, help="professions of each kind in a subset; default 10")
    parser.add_argument("--crows-pairs", metavar="FILE", help="for metrics: your copy of CrowS-Pairs")
    parser.add_argument("--stereoset", metavar="FILE", help="for metrics: your copy of StereoSet")
    parser.add_argument("--contexts", metavar="FILE", help="for metrics: sentences, one a line, for CEAT")
    parser.add_argument("--columns", metavar="FILE", help="for metrics: your own scores, a CSV of models and numbers")
    parser.add_argument("--seed", type=int, default=0, help="for subsets and every bootstrap; default 0")
    shared.add_models(parser)


def run(asked: argparse.Namespace) -> Result:
    """Run what was asked."""
    options = AgreementOptions(asked.method, asked.subsets, asked.drawn, asked.seed)
    names = asked.model or ["default"]
    if asked.what == METRICS:
        return _metrics(asked, names, options)
    chosen, source = _templates(asked)
    if asked.what == DIVERGENCE:
        from core.experiments.rulers import divergence

        base = DivergenceOptions(asked.base or chosen[0].id)
        with shared.lent_models(names, asked) as models:
            return divergence.run(models, chosen, base, data=[source], progress=shared.show_progress)
    from core.experiments.representations import COMPARABLE, IN_TEMPLATES
    from core.experiments.rulers import templates

    default = IN_TEMPLATES if asked.what == TEMPLATES else COMPARABLE
    with shared.lent_models(names, asked) as models:
        return templates.run(
            models,
            asked.what,
            chosen,
            asked.representation or default,
            options,
            data=[source],
            progress=shared.show_progress,
        )


def _templates(asked: argparse.Namespace) -> tuple[tuple[RulerTemplate, ...], str]:
    """Templates, and where they are from."""
    if asked.template:
        return rulers.own_templates("\n".join(asked.template)), f"templates: {rulers.OWN}"
    chosen = rulers.template_set(asked.set)
    return chosen.templates, chosen.citation


def _metrics(asked: argparse.Namespace, names: list[str], options: AgreementOptions) -> Result:
    if asked.template:
        raise OptionError("Metrics have their own templates; leave --template away.")
    columns = measured.read_columns(shared.read_file(asked.columns), Path(asked.columns).name) if asked.columns else ()
    crows_pairs = benchmark_data("crows-pairs", [asked.crows_pairs]) if asked.crows_pairs else None
    stereoset = benchmark_data("stereoset", [asked.stereoset]) if asked.stereoset else None
    sentences = read_lines(shared.read_file(asked.contexts), Path(asked.contexts).name) if asked.contexts else ()
    from core.experiments.rulers import metric_table, metrics

    materials = metric_table.Materials(crows_pairs, stereoset, sentences)
    chosen = asked.metric or metric_table.computable(materials)
    results = []
    for name in dict.fromkeys(names):  # one at a time, so that any number of models can be compared
        with shared.lent_models([name], asked, attention=metric_table.attention(chosen)) as (model,):
            results.append(metrics.run(model, chosen, materials, options, progress=shared.show_progress))
    return metrics.join(results, columns)
