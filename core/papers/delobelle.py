"""Delobelle et al. 2022, Measuring Fairness with Biased Rulers: its tables and figures."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd

from ..measures.agreement.choices import Compared, Draws
from ..measures.agreement.result import DIVERGENCE, PAIRS, POINTS, AgreementResult
from ..measures.agreement.spec import AgreementSpec
from ..measures.downstream.occupations.result import AS_THEY_ARE, MEAN_ABSOLUTE, OVERALL, OccupationResult
from ..measures.downstream.occupations.spec import OccupationSpec
from ..measures.shared.representations import representation_by_id
from ..sources.blanks import template_set
from .card import Card, Obtained, Paper, ask
from .inputs import Inputs

_BERT = "google-bert/bert-base-uncased"
_MODEL, _ROBERTA = "bert-base-uncased", "roberta-base"
_SET = "delobelle"
_TEMPLATES = tuple(template.id for template in template_set(_SET).templates)  # T1 to T11
_BASE = "T1"
# In the order of the authors' matrix.
_REPRESENTATIONS = (
    "cls-in-templates",
    "cls-no-context",
    "pooled-no-context",
    "pooled-in-templates",
    "first-piece-in-templates",
    "vulic",
)
_METRICS = {"seat": "SEAT, [CLS]", "tan-celis": "Tan & Celis", "lauscher": "Lauscher, layers 1–4"}
# The five models of Figure 4 by their hub ids, as the paper calls them.
_MODELS = {
    _BERT: _MODEL,
    "google-bert/bert-large-uncased": "bert-large-uncased",
    "FacebookAI/roberta-base": _ROBERTA,
    "distilbert/distilbert-base-uncased": "distilbert-base-uncased",
    "google-bert/bert-base-multilingual-uncased": "bert-base-multilingual-uncased",
}
_OTHER = "any other model"
_FILES = ("crows_pairs", "stereoset", "sentences", "columns", "downstream")  # of metrics that no card reads
# Correlations take no base and no metric.
_CORRELATED = (Inputs(of=AgreementSpec, free=("base_template", "metrics", *_FILES), parts={"representations": str}),)
# A divergence draws no subset and correlates nothing; its rows name the base.
_DIVERGING = (
    Inputs(
        of=AgreementSpec,
        free=("base_template", "representations", "metrics", "method", "subsets", "drawn", "draws", *_FILES),
    ),
)
# Metrics have templates of their own, and what a card reads is one metric of one model. The task is measured on the
# user's copy of the biographies, with or without scrubbed ones beside them.
_OF_MODELS = (
    Inputs(
        of=AgreementSpec,
        free=(
            *("templates", "representations", "base_template", "method", "subsets", "drawn", "draws"),
            *_FILES,
        ),
        parts={"metrics": str},
    ),
    Inputs(
        of=OccupationSpec,
        free=("text", "occupation", "gender", "split", "texts"),
        other={"biographies": "another classifier on your own biographies", "predictions": "your own predictions"},
    ),
)
_KL = {"kl_full": "whole vocabulary", "kl_gendered": "gendered words"}

_NOTEBOOK = (
    "The figure’s digits are not available: what stands as printed is the matrix that the authors’ notebook prints, "
    "with six digits."
)
_SUBSETS = (
    "Each point is one of 20 subsets of 10 female-typical and 10 male-typical professions; over 20 points r is "
    "significant at .05 above 0.4438 or below −0.4438."
)
_TOLERANCE = (
    "0.001: sentences, words, subsets and model are those of the authors’ notebook, so that only float32 on another "
    "machine is left. Two runs that the authors stored of the same 20 subsets differ by 0.000005 in an effect size, "
    "which moves r by 0.000002; the rest is room for other versions of the libraries."
)
_CAUSES = (
    "The subsets: the notebooks shuffle the professions with the seeds 1 to 20. The card draws the same ones; the page "
    "Reliability draws its own by a seed unless “as the paper’s authors drew them” is chosen: every r then differs by "
    "chance, often by 0.2 and more, so that such a result is not put beside the print.",
    "The words: the notebooks’ lists name daughter and son twice. They keep the vectors by word, so that the second "
    "one falls away: the values are those of the eight words of appendix B.2.",
    "d divides by the standard deviation with ddof 1 in the notebooks and here.",
)
_POOLED = (
    "Pooled representations: the notebooks take one token too many, the one behind the word (in a template “.” or "
    "“is”, without context [SEP]). Here a word is its own tokens, so that pairs with a pooled representation differ, "
    "also for bert-base-uncased."
)
_FIRST = (
    "The representation: the caption and the authors’ post on the paper speak of pooled vectors of the word; the "
    "notebook of the matrix reads the first token of each word, and so does this card."
)


def _pairs(rows: pd.DataFrame, named: dict[str, str], what: str) -> Obtained:
    """r of every pair of those that are named, and how many are significant."""
    rows = rows[rows["a"].isin(named) & rows["b"].isin(named)].dropna(subset="r")
    found: dict[tuple[str, str], float | str] = {
        (f"{named[row['a']]} and {named[row['b']]}", "r"): float(row["r"]) for row in rows.to_dict("records")
    }
    if found:
        found[f"pairs of {what}", "significant at .05"] = f"{rows['significant'].sum()} of {len(rows)}"
    return found


def _of_templates(representation: str) -> Callable[[AgreementResult, str], Obtained]:
    def obtained(result: AgreementResult, model: str) -> Obtained:
        rows = result[PAIRS]
        rows = rows[(rows["model"] == model) & (rows["representation"] == representation)]
        return _pairs(rows, {name: name for name in _TEMPLATES}, "templates")

    return obtained


def _of_representations(result: AgreementResult, model: str) -> Obtained:
    rows = result[PAIRS]
    names = {name: representation_by_id(name).title for name in _REPRESENTATIONS}
    return _pairs(rows[rows["model"] == model], names, "representations")


def _divergences(result: AgreementResult, model: str) -> Obtained:
    rows = result[DIVERGENCE]
    return {
        (row["template"], title): float(row[column])
        for row in rows[(rows["model"] == model) & (rows["base"] == _BASE)].to_dict("records")
        for column, title in _KL.items()
        if not math.isnan(row[column])
    }


def _metrics(result: AgreementResult | OccupationResult, model: str) -> Obtained:
    """In the column of the model where the notebooks store it, else in that of any other."""
    ids = {info.name: info.id for info in result.provenance.models}
    column = _MODELS.get(ids.get(model, ""), _OTHER)
    if isinstance(result, OccupationResult):
        return _gap(result, model, column)
    rows = result[POINTS]
    return {
        (_METRICS[row["name"]], column): float(row["value"])
        for row in rows[(rows["model"] == model) & rows["name"].isin(_METRICS)].to_dict("records")
    }


def _gap(result: OccupationResult, model: str, column: str) -> Obtained:
    if result.spec.is_demonstration:
        return {}
    rows = result[OVERALL]
    rows = rows[(rows["model"] == model) & (rows["texts"] == AS_THEY_ARE)].dropna(subset=MEAN_ABSOLUTE)
    return {("Bias in Bios", f"mean |gap| of {column}"): float(gap) for gap in rows[MEAN_ABSOLUTE]}


# Where the measures of Table 1 are found.
_PAGES = {
    "DisCo (Webster et al. 2020)": "page Benchmarks",
    "DisCo, as in Lauscher et al. 2021": "page Benchmarks",
    "LPBS (Kurita et al. 2019)": "page Playground",
    "BEC-Pro (Bartl et al. 2020)": "page Professions",
    "SEAT (May et al. 2019)": "page Association tests",
    "Based on WEAT (Lauscher et al. 2021)": "page Association tests",
    "Tan & Celis 2019": "page Association tests",
    "CEAT (Guo & Caliskan 2021)": "page Association tests",
    "CAT (Nadeem et al. 2021)": "page Benchmarks",
    "CrowS-Pairs (Nangia et al. 2020)": "page Benchmarks",
    "Basta et al. 2019": "page Association tests, gender direction",
    "Zhao et al. 2019": "page Association tests, gender direction",
    "Sedoc & Ungar 2019": "page Association tests, gender direction",
}


def _measures_here() -> Obtained:
    return {(measure, "in this program"): page for measure, page in _PAGES.items()}


def _templates_here() -> Obtained:
    return {(template.id, "template"): template.text for template in template_set(_SET).templates}


def _matrix_of_templates(figure: str, representation: str, *causes: str) -> Card:
    title = representation_by_id(representation).title
    return Card(
        id=f"delobelle-figure-{figure}",
        place=f"Figure {figure}",
        title=f"Correlations between templates, {title}",
        shows=(
            "Do two templates give the same answer? r of the effect sizes that two of the templates T1 to T11 give, "
            f"with the representation {title}: +1 rise and fall together, 0 unrelated, below 0 the opposite. "
            f"{_SUBSETS} {_NOTEBOOK}"
        ),
        model=_MODEL,
        model_ids=(_BERT,),
        asks=ask(
            AgreementSpec,
            compare=Compared.TEMPLATES,
            set=_SET,
            representations=(representation,),
            draws=Draws.AUTHORS,
        ),
        inputs=_CORRELATED,
        obtained=_of_templates(representation),
        tolerances={"r": 0.001},
        tolerance=_TOLERANCE,
        causes=(*causes, *_CAUSES),
    )


PAPER = Paper(
    "delobelle",
    "Delobelle et al. 2022",
    (
        Card(
            id="delobelle-figure-1",
            place="Figure 1",
            title="Pre-training and fine-tuning",
            shows=(
                "A drawing without numbers: a language model is first trained on one data set, then fine-tuned on "
                "another, and each of the two can bring in bias. What fine-tuning changes is measured on the page "
                "Mitigation, before and after."
            ),
        ),
        Card(
            id="delobelle-table-1",
            place="Table 1",
            title="Measures of bias inside a language model",
            shows=(
                "Measures that need no task: their type, templates (§ is a section of the paper’s appendix), the "
                "models they were tried on, and what stands for a word. Under “obtained” is where this program has "
                "the measure. Cells that are empty or could not be read are left out, and so is the last column, which "
                "says in symbols whether code and data are public."
            ),
            here=_measures_here,
        ),
        Card(
            id="delobelle-table-2",
            place="Table 2",
            title="The templates T1 to T11",
            shows=(
                "The sentences that are compared with each other, with “_” where a word stands. Its column of "
                "divergences is that of the gendered words in Table 4. Beside the print: the templates of this program."
            ),
            here=_templates_here,
            causes=(
                "The authors’ notebooks write the templates in lower case, and so does this program when it reads "
                "them.",
            ),
        ),
        Card(
            id="delobelle-table-3",
            place="Table 3",
            title="Code and data of the measures",
            shows="Where the authors of each measure keep its code or data. The table has no numbers.",
        ),
        Card(
            id="delobelle-table-4",
            place="Table 4",
            title="What a model expects in a template’s blank, against T1",
            shows=(
                "Does a template change what a model expects? KL divergence, in nats, of the blank of each template "
                "from the blank of T1: 0 is the same expectation, and a larger value a larger change. Over the whole "
                "vocabulary, and over the 16 gendered words alone. T1 is the base and has no values."
            ),
            asks=ask(AgreementSpec, compare=Compared.DIVERGENCE, set=_SET, base=_BASE),
            inputs=_DIVERGING,
            obtained=_divergences,
            tolerance="none, since the model that was printed is not known here.",
            causes=(
                "The model: which one the table is of is not among the facts at hand, so that no tolerance is meant "
                "for any; the authors’ notebooks take bert-base-uncased where they take one model alone.",
                "The code of this table is not in the authors’ repository. Here it is KL(template ‖ T1) at the blank’s "
                "mask, in lower case; the other way round the values differ.",
                "The gendered words: here the 16 of appendix B.2 (female, woman, girl, sister, daughter, mother, aunt, "
                "grandmother and the male ones), renormalised to sum to 1; a word of several tokens is excluded.",
            ),
        ),
        _matrix_of_templates("2a", "cls-in-templates"),
        _matrix_of_templates("2b", "first-piece-in-templates", _FIRST),
        Card(
            id="delobelle-figure-3",
            place="Figure 3",
            title="Correlations between representations",
            shows=(
                "Do two ways to turn a word into a vector give the same answer? r of the effect sizes, averaged over "
                "T1 to T11 where words stand in templates: +1 rise and fall together, 0 unrelated, below 0 the "
                f"opposite. {_SUBSETS} {_NOTEBOOK}"
            ),
            model=_MODEL,
            model_ids=(_BERT,),
            asks=ask(
                AgreementSpec,
                compare=Compared.REPRESENTATIONS,
                set=_SET,
                representations=_REPRESENTATIONS,
                draws=Draws.AUTHORS,
            ),
            inputs=_CORRELATED,
            obtained=_of_representations,
            tolerances={"r": 0.001},
            tolerance=_TOLERANCE,
            causes=(_POOLED, *_CAUSES),
        ),
        Card(
            id="delobelle-figure-4",
            place="Figure 4",
            title="Correlations between metrics, over models",
            shows=(
                "Do metrics of a model agree with each other, and with what it does in a task? The figure draws r over "
                "five models. Its digits are not available; this is what the authors’ notebooks store of each, and "
                "r over the five from that. A metric is the higher, the more strongly female-typical professions are "
                "associated with female words."
            ),
            model="five models",
            model_ids=tuple(_MODELS),
            asks=ask(AgreementSpec, compare=Compared.METRICS, metrics=tuple(_METRICS)),
            inputs=_OF_MODELS,
            also=lambda: (OccupationSpec(),),
            obtained=_metrics,
            expected="stored values",
            tolerances={name: 0.001 for name in _MODELS.values() if name != _ROBERTA},
            tolerance=(
                "0.001, around what the notebooks store, as in Figure 2; none for roberta-base, whose tokens for a "
                "word at the start of a text and behind a space differ, and how the notebooks find them there is not "
                "known here."
            ),
            causes=(
                "The templates: these metrics are averages over T1 to T8, here and in what is stored; the "
                "notebooks average over T1 to T11.",
                "roberta-base: the notebooks give it “[MASK]” in T9 as a text; its own mask is another token.",
                "Bias in Bios: what the notebooks store are gaps between the true positive rates of women and men, one "
                "for each occupation and without sign, of the classifiers that they train. Those of this program are "
                "of a linear classifier on the vectors of the model as it is, and include only occupations with enough "
                "biographies of each gender.",
                "Five models: with so few points only an r above 0.8783 is significant, and none of those stored is.",
            ),
            needs=(
                "For the task bring a saved result of Occupation classification (page Downstream) on your copy of Bias "
                "in Bios, and open it beside this card. The paper’s metrics are more than these three: on the page "
                "Reliability, metrics, bring CrowS-Pairs and StereoSet; a correlation takes four models or more, a p "
                "six."
            ),
        ),
    ),
)
