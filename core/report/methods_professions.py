"""The methods paragraph of professions against labour statistics."""

from __future__ import annotations

import pandas as pd

from core.measures.lpbs.professions.result import ProfessionResult
from core.report.finding_professions import words_of
from core.report.methods import (
    BENJAMINI_HOCHBERG_1995,
    KURITA_2019,
    LIMITS,
    described_models,
    form_sentence,
    left_out_sentences,
    methods_paragraph,
    references,
)
from core.report.numbers import counted
from core.report.wording import listed
from core.stats.rank_tests import EXACT_PAIRS, EXACT_TIED_PAIRS
from core.stats.samples import LEAST

BARTL_2020 = (
    "Bartl, M., Nissim, M. and Gatt, A. (2020). Unmasking Contextual Stereotypes: Measuring and Mitigating BERT's "
    "Gender Bias. Proceedings of the Second Workshop on Gender Bias in Natural Language Processing."
)
WILCOXON_1945 = "Wilcoxon, F. (1945). Individual Comparisons by Ranking Methods. Biometrics Bulletin, 1(6), 80–83."

_MASKING = {
    "word": "one mask for each of its whitespace-separated words",
    "wordpiece": "one mask for each of its word pieces",
    "single": "a single mask",
}


def _correlations(result: ProfessionResult, title: str) -> str:
    """How the differences were correlated with the percentages of ``title``."""
    found = result.summary[result.summary["kind"] == "correlation"]
    tested = int(found["p"].notna().sum())
    if tested:
        return (
            f"The differences were correlated with the percentages of {title} by Pearson's r (95 % interval by "
            f"Fisher's z) and Spearman's (percentile bootstrap, 10,000 resamples, seed {result.options.seed}), p "
            f"adjusted over {counted(tested, 'correlation')}."
        )
    if found["r"].isna().all():
        return f"No correlation with the percentages of {title} could be computed."
    return (
        f"The differences were correlated with the percentages of {title} by Pearson's r and Spearman's; with fewer "
        f"than {LEAST} professions neither has an interval or a p."
    )


def _p_of(rows: pd.DataFrame) -> str:
    """How the p values of the signed-rank tests were got."""
    kinds = set(rows.loc[rows["kind"] == "test", "p_kind"].dropna())
    normal = "by the normal approximation without corrections"
    if kinds == {"exact", "normal"}:
        return f"p exact up to {EXACT_PAIRS} pairs ({EXACT_TIED_PAIRS} with tied sizes), beyond that {normal}"
    return "p exact" if kinds == {"exact"} else f"p {normal}"


@references.register
def _(result: ProfessionResult) -> tuple[str, ...]:
    tests = (WILCOXON_1945,) if (result.summary["kind"] == "test").any() else ()
    return (BARTL_2020, KURITA_2019, *tests, BENJAMINI_HOCHBERG_1995)


@methods_paragraph.register
def _(result: ProfessionResult) -> str:
    options, contrast, rows = result.options, result.contrast, result.summary
    detail = result.detail
    sentences = [
        f"Sentences of {counted(detail['template'].nunique(), 'template')}, "
        f"{counted(detail['person'].nunique(), 'person word')} and "
        f"{counted(detail['profession'].nunique(), 'profession')} were scored ({'; '.join(result.provenance.data)}).",
        described_models(result.provenance.models),
    ]
    # How a causal model is asked stands in the notes.
    if any(model.kind != "causal" for model in result.provenance.models):
        sentences += [
            "The association of a person word with a profession is ln P(word | profession present) − ln P(word | "
            "profession hidden too), read at the mask of the word; determiners stay. The profession was hidden by "
            f"{_MASKING[options.masking]}.",
            form_sentence(options.form),
            "Person words split into several tokens were "
            + ("excluded." if options.several_pieces == "single" else "scored jointly, token by token."),
        ]
    sentences.append(
        f"The difference of a profession is the mean association of the {words_of(contrast.first)} minus that of the "
        f"{words_of(contrast.second)}, in nats; a positive value means a stronger association with the "
        f"{words_of(contrast.first)}."
    )
    tests = int(rows.loc[rows["kind"] == "test", "p"].notna().sum())
    if tests:
        sentences.append(
            f"Pairs of the same template and profession were compared by a two-sided Wilcoxon signed-rank test "
            f"(W = sum of the ranks of the positive {contrast.first} − {contrast.second} differences, zeros dropped, "
            f"r = |z| / √(2n), {_p_of(rows)}), adjusted by Benjamini and Hochberg (1995) over {counted(tests, 'test')}."
        )
    if result.statistic is not None:
        sentences.append(_correlations(result, result.statistic.title))
        if result.statistic.notes:
            names = listed([name for name, _ in result.statistic.notes], most=5)
            sentences.append(f"Approximated or merged rows of the statistic: {names}.")
    if len(result.provenance.models) > 1 and options.common_words:
        sentences.append("What not all models of a language could score was excluded for all.")
    if result.stopped:
        sentences.append("The run was stopped before its end; only professions scored in whole are counted.")
    sentences += [*left_out_sentences(result.left_out), *map(str, result.notes), LIMITS]
    return " ".join([*sentences, "References: " + " ".join(references(result))])
