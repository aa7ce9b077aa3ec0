"""Irani et al. 2020, on SEAT in fine-tuned models: Table I and Figures 1 to 7."""

from __future__ import annotations

from operator import attrgetter

import pandas as pd

from ..measures.association.result import AssociationResult
from ..measures.association.spec import AssociationSpec
from .card import Card, Obtained, Paper, ask
from .inputs import Inputs

_BERT = "google-bert/bert-base-uncased"
_TEST = "irani"
# Of its rows the card reads one test in two representations: contexts, LPBS and vectors of a file decide other rows.
_INPUTS = (
    Inputs(
        of=AssociationSpec,
        free=("sentences", "vectors", "lpbs_values", "ceat_variance", "ceat_samples"),
        parts={"tests": attrgetter("id"), "representations": str},
    ),
)
_CODE, _TEXT = "layer-11-mean", "last-two-layers-mean"
_ROWS = {_CODE: "BERT-base", _TEXT: "BERT-base (text)"}
_EMOTIONS = {"A": "negative emotions", "B": "positive emotions"}
_PEOPLE = {"X": "white", "Y": "black"}
_UNPUBLISHED = (
    "The four fine-tuned models (MSRP, Jigsaws, COVID, Hate) were never published. Train such models on labelled texts "
    "of your own (page Mitigation, Text classifier, or the command classify) and choose them as the models: each "
    "gives the values of the row BERT-base."
)
_CAUSES = (
    "The layer: the text says the mean over the tokens of the last two hidden layers; the authors’ code takes the next "
    "to last layer alone (layer 11 of 12), [CLS] and [SEP] included. The print follows the code; what the text says is "
    "a row of its own.",
    "The sentences: the paper prints them with a full stop, the code reads them without one, and so does this program.",
    "The p: of both one-sided permutation p values the paper prints the smaller one, over all 12,870 partitions. A "
    "two-sided p is about twice as large.",
    "The code file that is published (src/compute_seat.py) has three sentences for each side and a p that does not "
    "run; the print is that of the notebook beside it, with the eight sentences of the appendix.",
    "d divides by the standard deviation with ddof 1, as the authors’ code does; with ddof 0 it would be 3 % larger.",
)


def _of_test(result: AssociationResult, table: str, model: str) -> pd.DataFrame:
    rows = result[table]
    return rows[(rows["model"] == model) & (rows["test"] == _TEST)]


def _effects(result: AssociationResult, model: str) -> Obtained:
    rows = _of_test(result, "tests", model).dropna(subset="effect_size").to_dict("records")
    columns = {"d": "effect_size", "p": "p_observed_direction"}
    return {
        (_ROWS[row["representation"]], column): float(row[name])
        for row in rows
        for column, name in columns.items()
        if row["representation"] in _ROWS
    }


def _cosines(result: AssociationResult, model: str) -> Obtained:
    rows = _of_test(result, "matrix", model)
    means = rows[rows["representation"] == _CODE].groupby(["set", "other_set"])["value"].mean()
    return {
        (f"{people}, {emotions}", "mean cosine"): float(means[x, a])
        for x, people in _PEOPLE.items()
        for a, emotions in _EMOTIONS.items()
        if (x, a) in means.index
    }


PAPER = Paper(
    "irani",
    "Irani et al. 2020",
    (
        Card(
            id="irani-table-1",
            place="Table I, Figures 2 and 3",
            title="SEAT of BERT and of four models fine-tuned from it",
            shows=(
                "What becomes of an association when BERT is fine-tuned? Effect size d and p of sentences about white "
                "and black people with negative and positive emotions. Above 0, sentences about white people are more "
                "strongly associated with negative emotions, and those about black people with positive ones; below 0 "
                "the other way round. Figures 2 and 3 draw the same numbers."
            ),
            model="bert-base-uncased (BERT-base), and four models fine-tuned from it",
            model_ids=(_BERT,),
            asks=ask(AssociationSpec, tests=(_TEST,), representations=(_CODE, _TEXT)),
            inputs=_INPUTS,
            obtained=_effects,
            tolerances={"d": 0.001, "p": 0.001},
            tolerance=(
                "0.001, twice the rounding of three printed decimals: the sentences, the layer and the test are those "
                "of the authors’ code, so that only the last digits of float32 on another machine are left. A p moves "
                "in steps of 1/12,870 = 0.00008."
            ),
            causes=_CAUSES,
            needs=_UNPUBLISHED,
        ),
        Card(
            id="irani-figures-1-7",
            place="Figures 1 to 7",
            title="Cosines of the sentences with each emotion, model by model",
            shows=(
                "How near do sentences about white and about black people stand to each emotion? The figures draw the "
                "cosines emotion by emotion; here are their means, from −1 to 1. On the page Association tests they "
                "are drawn emotion by emotion, with several models side by side. The authors’ notebook draws one such "
                "chart for each model, and which figure is of which model is not available; Figures 2 and 3 draw d "
                "and p, on the card of Table I."
            ),
            model="bert-base-uncased (BERT-base), and four models fine-tuned from it",
            asks=ask(AssociationSpec, tests=(_TEST,), representations=(_CODE,)),
            inputs=_INPUTS,
            obtained=_cosines,
            tolerance="none, since nothing is printed to compare with.",
            causes=_CAUSES[:2],
            needs=f"The values of these figures are not available, so that nothing is printed here. {_UNPUBLISHED}",
        ),
    ),
)
