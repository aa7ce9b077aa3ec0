"""Kurita et al. 2019, Measuring Bias in Contextualized Word Representations: Tables 1 to 6."""

from __future__ import annotations

from collections.abc import Sequence

from ..measures.association.result import AssociationResult
from ..measures.association.spec import AssociationSpec
from ..measures.shared.representations import LPBS
from .card import Card, Obtained, Paper, ask

_BERT = "google-bert/bert-base-uncased"
_TESTS = {
    "weat1": "WEAT 1: flowers, insects",
    "weat3": "WEAT 3: European, African American",
    "weat6": "WEAT 6: career, family",
    "weat7": "WEAT 7: math, arts",
    "weat8": "WEAT 8: science, arts",
}
_KINDS = {"partner-masked": "WEAT on BERT", LPBS: "LPBS"}


def _effect_sizes(results: Sequence[AssociationResult], model: str) -> Obtained:
    rows = results[0]["tests"].query("model == @model", local_dict={"model": model}).dropna(subset="effect_size")
    return {
        (_TESTS[row["test"]], _KINDS[row["representation"]]): float(row["effect_size"])
        for row in rows.to_dict("records")
    }


_TABLE_3 = Card(
    id="kurita-table-3",
    place="Table 3",
    title="Effect sizes on the words of WEAT",
    shows=(
        "Do three ways to measure find the associations that people hold? Effect sizes d of WEAT on GloVe's vectors, "
        "of WEAT on BERT's vectors (a word in a template whose other slot is masked) and of log probability bias "
        "scores. A value above 0 is the association that people hold: flowers and European American names with "
        "pleasant, male words with career, math and science. A star marks what is printed as significant."
    ),
    model="bert-base-uncased, and GloVe",
    model_ids=(_BERT,),
    asks=ask(
        AssociationSpec,
        tests=tuple(_TESTS),
        representations=tuple(_KINDS),
        lpbs_values="pool",
    ),
    obtained=_effect_sizes,
    tolerances={"WEAT on BERT": 0.2, "LPBS": 0.2},
    tolerance=(
        "0.2 standard deviations, the conventional size of a small effect: below it the table reads the same. Rounding "
        "alone would be 0.0005 at most, but the words of the groups and the place of the prior are not those of the "
        "authors' code (see the causes), so that the same model need not give the same d."
    ),
    causes=(
        "The prior: the authors' code reads it at the token before the last mask, not at the target's mask. Here both "
        "probabilities are read at the target's mask, as the paper says.",
        "LPBS of WEAT 1: the paper prints 0.8744. The authors' stored scores give 0.4458, and 0.8792 without the "
        "prior: the print looks like a log ratio from which no prior was subtracted.",
        "WEAT 3: the columns of WEAT on GloVe and on BERT are swapped in the print; the stored outputs are 1.0030 on "
        "GloVe and 1.0120 on BERT. The code takes black first, so that its values are negative; here white comes "
        "first, and the stored values are shown with that sign.",
        "WEAT on BERT: the stored outputs give 0.6928 for WEAT 1 and 0.5725 for WEAT 8, where the paper prints 0.6688 "
        "and 0.8815.",
        "Words: the code asks for bugs in place of insects, adds up the probabilities of boys and men (girls and "
        "women), and takes one list of arts for math and science. Here the words are those of Table 2 and of WEAT, "
        "each with a value of its own.",
    ),
    needs=(
        "WEAT on GloVe needs a file of GloVe vectors: give it on the page Association tests, or to the command "
        "association by --vectors."
    ),
)

PAPER = Paper("kurita", "Kurita et al. 2019", (_TABLE_3,))
