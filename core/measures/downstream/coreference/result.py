"""Coreference skew: F1 by gender with and against the stereotype, and what they differ by."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Column, Headline, Schema, Table, count, number, text
from ..task import DownstreamResult

SKEWS, SCORES, SENTENCES = "skews", "scores", "sentences"
ALL = "all"
SKEW, STEREO = "skew", "stereo"
FEMININE_MASCULINE, PRO_ANTI = "feminine_masculine", "pro_anti"
NUMBERS = (SKEW, STEREO, FEMININE_MASCULINE, PRO_ANTI)
TITLES = {
    SKEW: "skew",
    STEREO: "stereo",
    FEMININE_MASCULINE: "F1, feminine − masculine",
    PRO_ANTI: "F1, pro − anti",
}
_SIGNS = {
    FEMININE_MASCULINE: "higher for feminine pronouns",
    PRO_ANTI: "higher where the pronoun follows the stereotype",
}
_MEANINGS = {
    SKEW: "Mean distance of F1 between the genders: ½(|pro, feminine − masculine| + |anti, feminine − masculine|).",
    STEREO: "Mean distance of F1 from pro to anti: ½(|feminine, pro − anti| + |masculine, pro − anti|).",
    FEMININE_MASCULINE: "As skew, with its sign: mean over pro and anti of F1 feminine minus masculine",
    PRO_ANTI: "As stereo, with its sign: mean over the genders of F1 pro minus anti",
}  # fmt: skip

_MODEL = text("model", "The model that chose the pronoun, or the file of answers.")
_TYPE = text("type", "Type of the sentences: in 1 the context decides whom the pronoun refers to, in 2 the grammar.")
_SPLIT = text("split", "Split of the sentences: dev, test, or all.")


def _valued(name: str) -> tuple[Column, ...]:
    title = TITLES[name]
    return (
        number(name, _MEANINGS[name], title, sign=_SIGNS.get(name, "")),
        number(f"{name}_low", "Lower end of its 95 % interval over the pairs.", f"{title}, 95 % CI low"),
        number(f"{name}_high", "Upper end of its 95 % interval over the pairs.", f"{title}, 95 % CI high"),
    )


def _of_all(result: CoreferenceResult) -> pd.DataFrame:
    """The rows of all sentences; none of a demonstration."""
    rows = result[SKEWS]
    return rows[(rows["type"] == ALL) & (rows["split"] == ALL) & (not result.spec.is_demonstration)]


def _why_none(result: CoreferenceResult, model: str) -> str:
    if result.spec.is_demonstration:
        return "a demonstration on sentences of our own, which measures nothing"
    return "it chose no pronoun"


class CoreferenceResult(DownstreamResult):
    """Coreference skew on WinoBias with one or more models, and of answers brought along.

    F1 and what is made of it is from 0 to 1 (papers print it times 100). Tables: ``skews`` (by type and split),
    ``scores`` (F1 by condition and gender), ``sentences`` (each pair).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = tuple(
        Headline(
            number(
                f"wino_{name}",
                f"{_MEANINGS[name].partition(': ')[2]} on WinoBias",
                f"WinoBias: {TITLES[name]}",
                sign=_SIGNS[name],
            ),
            _of_all,
            name,
            f"{name}_low",
            f"{name}_high",
            n="n",
            why_none=_why_none,
        )
        for name in (FEMININE_MASCULINE, PRO_ANTI)
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "coreference",
        1,
        {
            SKEWS: Table(
                "a resolver on the pairs of a type and a split",
                (
                    _MODEL,
                    _TYPE,
                    _SPLIT,
                    count("n", "Pairs of sentences, pro and anti."),
                    *(column for name in NUMBERS for column in _valued(name)),
                    number(
                        "masculine_share",
                        "Share (0–1) of choices that are masculine; missing for other answers.",
                        "chosen masculine",
                    ),
                ),
            ),
            SCORES: Table(
                "a resolver on the sentences of a type, a split, a condition and a gender",
                (
                    _MODEL,
                    _TYPE,
                    _SPLIT,
                    text(
                        "condition",
                        "pro: the pronoun follows the stereotype of the occupation it refers to; anti: it does not.",
                    ),
                    text("gender", "Gender of the pronoun in the sentence."),
                    count("n", "Sentences of this condition and gender."),
                    count("missing", "Of these, sentences without an answer."),
                    number("f1", "F1 (0–1).", "F1"),
                    number("f1_low", "Lower end of its 95 % interval over the pairs.", "F1, 95 % CI low"),
                    number("f1_high", "Upper end of its 95 % interval over the pairs.", "F1, 95 % CI high"),
                ),
            ),
            SENTENCES: Table(
                "a pair of sentences and a resolver",
                (
                    _MODEL,
                    text("item", "The pair: type, split and number."),
                    text("occupation", "Whom the pronoun refers to."),
                    text("pro", "The pronoun that follows the stereotype."),
                    text("anti", "The other pronoun."),
                    text("answer_pro", "The answer on the sentence with the first pronoun.", "answer, pro"),
                    text("answer_anti", "The answer on the sentence with the other.", "answer, anti"),
                    number(
                        "log_odds",
                        "ln P(masculine) − ln P(feminine pronoun)",
                        "log odds",
                        unit="nats",
                        sign="masculine is more probable",
                    ),
                ),
                long=True,
            ),
        },
    )

    @property
    def resolvers(self) -> tuple[str, ...]:
        """The models and files of answers that have scores."""
        return tuple(dict.fromkeys(self[SKEWS]["model"]))
