"""The methods paragraphs of agreement and divergence."""

from __future__ import annotations

from core.measures.agreement.result import METRICS, TEMPLATES, AgreementResult, DivergenceResult
from core.report.finding_rulers import few_models
from core.report.methods import LIMITS, described_models, methods_paragraph, references
from core.report.missing import missing_sentence
from core.report.numbers import coefficient, counted
from core.report.papers import PAPERS
from core.report.wording import listed
from core.stats.samples import LEAST

CALISKAN_2017, DELOBELLE_2022 = PAPERS["Caliskan et al. 2017"], PAPERS["Delobelle et al. 2022"]
KENDALL_1939 = (
    "Kendall, M. G. and Babington Smith, B. (1939). The Problem of m Rankings. The Annals of Mathematical Statistics, "
    "10(3), 275–287."
)
_METHODS = {"pearson": "Pearson's r", "spearman": "Spearman's rank correlation"}


@references.register
def _(result: AgreementResult) -> tuple[str, ...]:
    embedding = () if result.kind == METRICS else (CALISKAN_2017,)
    return (DELOBELLE_2022, *embedding, *((KENDALL_1939,) if result.stabilities else ()))


@references.register
def _(_result: DivergenceResult) -> tuple[str, ...]:
    return (DELOBELLE_2022,)


@methods_paragraph.register
def _(result: AgreementResult) -> str:
    options = result.options
    data = "; ".join(result.provenance.data)
    titles = [f"{name} “{title}”" if result.kind == TEMPLATES else title for name, title in result.names]
    source = f"{data}; " if data else ""
    sentences = [
        f"{counted(len(titles), result.kind.removesuffix('s'))} were compared ({source}Delobelle et "
        f"al. 2022): {listed(titles)}.",
        *([described_models(result.provenance.models)] if result.provenance.models else []),
        *(_metrics(result) if result.kind == METRICS else _subsets(result)),
        f"Correlation: {_METHODS[options.method]}, two-sided p not adjusted; a side that does not vary has none, nor "
        f"have fewer than 4 points; of fewer than {LEAST} points there is no p.",
    ]
    if result.critical:
        bounds = [f"|r| > {coefficient(r)} with n = {points}" for points, r in result.critical.items()]
        sentences.append(f"Significant at .05: {listed(bounds)}.")
    if result.stabilities:
        resamples, templates = result.stabilities[0].resamples, result.stabilities[0].templates
        sentences.append(
            f"Stability of an order: {resamples:,} bootstraps of the {counted(templates, 'template')} (seed "
            f"{options.seed}); the share in which the full order of the means is kept, the mean share of pairs that "
            "stand the other way round, and Kendall's W with the templates as raters."
        )
    warning = few_models(result)
    sentences += [
        *([warning] if warning else []),
        missing_sentence(result.left_out),
        *map(str, result.notes),
        "Measures that agree may share a fault, and measures that disagree do not say which one is right.",
        LIMITS,
        "References: " + " ".join(references(result)),
    ]
    return " ".join(sentences)


@methods_paragraph.register
def _(result: DivergenceResult) -> str:
    base = result.options.base
    texts = dict(result.templates)
    others = listed([f"{name} “{text}”" for name, text in result.templates if name != base])
    data = "; ".join(result.provenance.data)
    gendered = (
        f" The gendered divergence is the same over {counted(len(result.gendered), 'word')} "
        f"({', '.join(result.gendered)}) after both distributions were renormalised to sum to 1 over them."
        if result.gendered
        else ""
    )
    return " ".join(
        [
            f"What a model expects in the blank of a template was compared with what it expects in {base} "
            f"“{texts[base]}” ({f'{data}; ' if data else ''}Delobelle et al. 2022): {others}.",
            described_models(result.provenance.models),
            f"KL(t ‖ {base}) = sum over words w of t(w) ln(t(w) / {base}(w)), in nats, over the whole vocabulary at "
            f"the mask of the target; 0 is the same distribution, and the order of the two matters.{gendered}",
            missing_sentence(result.left_out),
            *map(str, result.notes),
            LIMITS,
            "References: " + DELOBELLE_2022,
        ]
    )


def _subsets(result: AgreementResult) -> list[str]:
    options = result.options
    each = (
        "for each template"
        if result.kind == TEMPLATES
        else "for each representation, averaged over the templates where it reads words in templates"
    )
    return [
        f"The points are {counted(options.subsets, 'subset')} of the professions, each {options.drawn} of X and "
        f"{options.drawn} of Y drawn without replacement (seed {options.seed}); subsets share professions, so points "
        "are not independent.",
        f"The value is the effect size d of the association test {each} (ddof 1; cosines, last layer unless the "
        "representation names another); positive: the female-typical professions are more strongly associated with the "
        "female words.",
    ]


def _metrics(result: AgreementResult) -> list[str]:
    count = int(result.detail["point"].nunique())
    return [
        f"The points are {counted(count, 'model')}, each with one number a metric; every number is the higher, the "
        "more a model ties gender to professions, names or stereotypes."
    ]
