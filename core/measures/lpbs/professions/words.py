"""The sentences of professions: the facts for the templates beside this module."""

from __future__ import annotations

import math

from ....report.methods import BENJAMINI_HOCHBERG_1995, KURITA_2019, form_sentence
from ....report.numbers import counted, fixed, signed
from ....report.texts import Finding, finding_of, text_of
from ....report.wording import templates_line
from ....report.works import REFERENCES
from ....sources.templates import mask_spans
from ....stats.rank_tests import EXACT_PAIRS, EXACT_TIED_PAIRS
from ....stats.samples import ALPHA, LEAST, is_enough, too_few
from .result import (
    CORRELATIONS,
    PROFESSIONS,
    SENTENCES,
    TESTS,
    ProfessionResult,
    Series,
    words_of,
)
from .tables import by_residual, of_series

BARTL_2020 = REFERENCES["Bartl et al. 2020"]
WILCOXON_1945 = REFERENCES["Wilcoxon 1945"]

LARGEST = 3


def finding(result: ProfessionResult, series: Series) -> Finding:
    """Whether one model's differences follow the statistic of the result, by how much, and where least."""
    rows = {str(row["method"]): row for row in of_series(result[CORRELATIONS], series).to_dict("records")}
    people = "labour market" if result.spec.people == "women" else f"share of {result.spec.people} workers"
    if not rows or math.isnan(rows["pearson"]["r"]):
        return finding_of(__file__, "finding", r=None, people=people)
    pearson, spearman, n = rows["pearson"], rows["spearman"], int(rows["pearson"]["n"])
    sentences = of_series(result[SENTENCES], series)
    persons = sentences.groupby("gender")["person"].nunique()
    first, second = result.contrast.first, result.contrast.second
    return finding_of(
        __file__,
        "finding",
        people=people,
        r=pearson["r"],
        n=n,
        few=not is_enough(n),
        too_few=too_few(n),
        clear=pearson["p_adjusted"] < ALPHA,
        p=pearson["p_adjusted"],
        low=pearson["ci_low"],
        high=pearson["ci_high"],
        rho=spearman["r"],
        rho_low=spearman["ci_low"],
        rho_high=spearman["ci_high"],
        first=words_of(first),
        second=words_of(second),
        n_first=int(persons.get(first, 0)),
        n_second=int(persons.get(second, 0)),
        templates=list(sentences["template"].unique()),
        largest=list(by_residual(result, series)["profession"][:LARGEST]),
    )


def profession_lines(result: ProfessionResult, series: Series, profession: str, where: str = "") -> tuple[str, ...]:
    """What the number of one profession says, ``where`` it is one of several; and where it lies beside the line."""
    rows = of_series(result[PROFESSIONS], series)
    row = rows[rows["profession"] == profession].iloc[0]
    difference = float(row["difference"])
    side = result.contrast.first if difference > 0 else result.contrast.second
    # One profession has no test of its own: this says what the number says.
    said = f"higher with the {words_of(side)}" if round(difference, 2) else "as high with both"
    lines = (said + where,)
    percent = result.percent_column
    if result.statistic is None or percent is None or math.isnan(row["residual"]):
        return lines
    beside = f"{fixed(row[percent], 1)} % {result.statistic.of}, residual {signed(row['residual'])} nats"
    return (*lines, beside)


def model_input(result: ProfessionResult, series: Series, profession: str) -> tuple[str, tuple[str, ...]]:
    """What the model is given of a profession in the first template: what that is, and the texts."""
    corpus = next(corpus for corpus in result.spec.corpora if corpus.language == series[1])
    sentences = [
        sentence
        for sentence in corpus.sentences(result.spec.form)
        if corpus.professions[sentence.place[2]].name == profession
    ]
    # That of the second person where there is one: the first is often a bare pronoun.
    sentence = next((sentence for sentence in sentences if sentence.place[1] == 1), sentences[0])
    of = f"One of {counted(len(corpus.templates), 'template')}"
    if any(model.name == series[0] and model.kind == "causal" for model in result.provenance.models):
        return f"{of}, as the model reads it", (sentence.text,)
    masking = result.spec.masking
    masks = 1 if masking == "single" else len(sentence.text[slice(*sentence.form_span)].split())
    how = " (the model gets a mask for each token)" if masking == "wordpiece" else ""
    person, form = (sentence.noun, 1), (sentence.form_span, masks)
    texts = (mask_spans(sentence.text, [person]), mask_spans(sentence.text, [person, form]))
    return f"{of}, with the profession and without{how}", texts


def disagreements(result: ProfessionResult, series: Series) -> tuple[str, ...]:
    """The professions where model and world disagree most, a sentence each: ``LARGEST`` on either side of the line."""
    rows, statistic = by_residual(result, series), result.statistic
    if statistic is None:
        return ()
    sides = (
        (result.contrast.first, rows[rows["residual"] > 0]),
        (result.contrast.second, rows[rows["residual"] < 0]),
    )
    return tuple(
        text_of(
            __file__,
            "disagreement",
            profession=row["profession"],
            percent=row[result.percent_column],
            of=statistic.of,
            residual=row["residual"],
            words=words_of(side),
            difference=row["difference"],
            line=row["line"],
        )
        for side, beyond in sides
        for row in beyond[:LARGEST].to_dict("records")
    )


def methods(result: ProfessionResult) -> tuple[str, ...]:
    """How the numbers were made."""
    models, sentences, tests = result.provenance.models, result[SENTENCES], result[TESTS]
    professions, correlations = result[PROFESSIONS], result[CORRELATIONS]
    merged = professions.loc[professions["share_note"].notna(), "profession"]
    return (
        text_of(
            __file__,
            "methods",
            spec=result.spec,
            n_templates=sentences["template"].nunique(),
            n_persons=sentences["person"].nunique(),
            n_professions=sentences["profession"].nunique(),
            source="; ".join(result.provenance.data),
            # How a causal model is asked stands in the notes.
            masked=any(model.kind != "causal" for model in models),
            form=form_sentence(result.spec.form),
            first=result.contrast.first,
            second=result.contrast.second,
            first_words=words_of(result.contrast.first),
            second_words=words_of(result.contrast.second),
            n_tests=int(tests["p"].notna().sum()),
            p_kinds=sorted(set(tests["p_kind"].dropna())),
            exact_pairs=EXACT_PAIRS,
            exact_tied_pairs=EXACT_TIED_PAIRS,
            statistic="" if result.statistic is None else result.statistic.title,
            n_correlations=int(correlations["p"].notna().sum()),
            some_r=bool(correlations["r"].notna().any()),
            least=LEAST,
            merged=list(merged.unique()),
            several_models=len(models) > 1,
            stopped=result.stopped,
        ),
    )


def references(result: ProfessionResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    tests = (WILCOXON_1945,) if len(result[TESTS]) else ()
    return (BARTL_2020, KURITA_2019, *tests, BENJAMINI_HOCHBERG_1995)


def material(result: ProfessionResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    sentences = result[SENTENCES]
    compared = "" if result.statistic is None else f" Compared with {result.statistic.title}."
    return (
        templates_line(list(sentences["template"].unique())),
        f"n = {counted(sentences['profession'].nunique(), 'profession')}, "
        f"{counted(len(sentences), 'sentence')}.{compared}",
    )
