"""Reliability: do two templates, two representations, two metrics give the same answer?"""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ...result import Better, Headline, Result, Schema, Table, count, flag, number, p_value, text
from ..shared.representations import representation_by_id
from .choices import Compared

PAIRS, POINTS, NAMES, STABILITY, DIVERGENCE, WORDS = "pairs", "points", "names", "stability", "divergence", "words"
FULL, GENDERED = "full", "gendered"  # scopes of a divergence
METRIC, OWN, DOWNSTREAM = "metric", "own scores", "downstream"  # kinds of what is compared over models

_MODEL = text("model", "The model, by its short name; of a correlation over models, none.")
_REPRESENTATION = text("representation", "How a word is represented.")
_TEMPLATE = text("template", "The template, by its id.")


def _pairs(result: AgreementResult) -> pd.DataFrame:
    rows = result[PAIRS]
    return rows.assign(pair=rows["a"] + " and " + rows["b"])


class AgreementResult(Result):
    """Templates, representations or metrics against each other; or what is expected in the blank of templates.

    Tables: ``pairs`` (a correlation each, over ``points``), ``names`` (what is compared, in the order given),
    ``stability`` (of templates: whether an order survives a change of them), and where that was requested instead,
    ``divergence`` and the ``words`` that make it.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("correlation", "Correlation of two templates, representations or metrics", "r", sign="they agree"),
            _pairs,
            "r",
            p="p",
            n="n",
            of=("representation", "pair"),
            better=Better.HIGHER,
        ),
        Headline(
            number(
                "divergence",
                "KL divergence of a template's blank from the base's, whole vocabulary; it is never below 0",
                "KL",
                unit="nats",
                sign="the template changes what is expected",
            ),
            lambda result: result[DIVERGENCE],
            "kl_full",
            of=("template",),
            better=Better.LOWER,
            least=0.0,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "agreement",
        1,
        {
            PAIRS: Table(
                "two templates, representations or metrics; of the former two in a model",
                (
                    _MODEL,
                    _REPRESENTATION,
                    text("a", "What is compared, by its id.", "first"),
                    text("b", "With what it is compared, by its id.", "second"),
                    number("r", "Correlation, from −1 to 1; missing where a side does not vary.", decimals=2),
                    p_value("p", "Two-sided p value, not adjusted; missing where n is too small."),
                    count("n", "Points that the correlation rests on."),
                    number(
                        "critical",
                        "The |r| above which a correlation of n points is significant at .05.",
                        "critical |r|",
                        decimals=2,
                    ),
                    flag("significant", "Whether p is below .05; false where there is no p.", "p < .05"),
                ),
            ),
            POINTS: Table(
                "a value: of a subset of professions, in a model; of metrics, of a model",
                (
                    text("model", "The model, by its short name."),
                    _REPRESENTATION,
                    text("name", "The template, representation or metric, by its id."),
                    count("point", "Number of the subset, or of the model, from 1."),
                    number(
                        "value",
                        "Effect size d of the subset, or the model's number",
                        sign="the female-typical is more strongly associated with the female words; of own scores and "
                        "downstream results what the table of names says",
                    ),
                ),
                long=True,
            ),
            NAMES: Table(
                "what is compared",
                (
                    text("name", "Its id."),
                    text("title", "The text of the template, or what the representation or metric is called."),
                    text("source", "Where it is from."),
                ),
                optional=(
                    text("kind", "Over models: metric, own scores, or downstream (the result of a task)."),
                    text("meaning", "Over models: what its number is, and which way a positive one points."),
                ),
            ),
            STABILITY: Table(
                "an order, and whether it survives a change of templates",
                (
                    text("of", "Models, or the words of one model.", "what is ordered"),
                    text("model", "The model whose words are ordered; missing where models are ordered."),
                    _REPRESENTATION,
                    number("kept", "Share (0–1) of bootstraps of the templates in which the whole order holds."),
                    number("flips", "Mean share (0–1) of pairs whose order is reversed.", "pairs flipped"),
                    number("w", "Agreement of the templates about the order: 0 none, 1 complete.", "Kendall's W"),
                    count("templates", "How many templates order them."),
                    count("resamples", "Seeded bootstraps of the templates."),
                    count("ordered", "How many are ordered."),
                    text("order", "The highest mean first."),
                ),
            ),
            DIVERGENCE: Table(
                "a template other than the base, in a model",
                (
                    text("model", "The model, by its short name."),
                    _TEMPLATE,
                    text("base", "The base template, by its id."),
                    number(
                        "kl_full", "KL of its blank from the base's", "KL, whole vocabulary", unit="nats", decimals=4
                    ),
                    number(
                        "kl_gendered",
                        "The same over the gendered words alone, renormalised",
                        "KL, gendered words",
                        unit="nats",
                        decimals=4,
                    ),
                ),
            ),
            WORDS: Table(
                "a word that adds to a divergence: the largest of the vocabulary, and each gendered word",
                (
                    text("model", "The model, by its short name."),
                    _TEMPLATE,
                    text("scope", "Over which words: full (the vocabulary) or gendered."),
                    text("word", "The word."),
                    number("p", "Its probability in the blank of the template.", decimals=4),
                    number("p_base", "Its probability in the blank of the base template.", decimals=4),
                    number("contribution", "p ln(p / p_base)", unit="nats", sign="more expected than in the base"),
                ),
                long=True,
            ),
        },
    )

    @property
    def names(self) -> dict[str, str]:
        """The titles of what is compared, by id, in their order."""
        return dict(zip(self[NAMES]["name"], self[NAMES]["title"], strict=True))

    @property
    def meanings(self) -> dict[str, str]:
        """What the numbers of each downstream result are and which way they point, by id."""
        return {name: self._of(name, "meaning") for name in self.names if self.kind(name) == DOWNSTREAM}

    def kind(self, name: str) -> str:
        """Whether it is a metric, own scores or a downstream result; empty for what is not over models."""
        return self._of(name, "kind")

    def is_cross(self, a: str, b: str) -> bool:
        """Whether one is a metric and the other a downstream result: intrinsic against extrinsic."""
        return {self.kind(a), self.kind(b)} == {METRIC, DOWNSTREAM}

    def _of(self, name: str, column: str) -> str:
        rows = self[NAMES]
        return str(rows.loc[rows["name"] == name, column].iloc[0]) if column in rows else ""

    def label(self, name: str) -> str:
        """What is compared as a reader knows it: templates by their ids, which stand beside their texts."""
        return name if self.by_template else self.names[name]

    def title(self, representation: str) -> str:
        """A representation as a reader knows it."""
        return representation_by_id(representation).title

    @property
    def by_template(self) -> bool:
        """Whether templates are compared, which go by their ids."""
        return self.spec.compare in (Compared.TEMPLATES, Compared.DIVERGENCE)

    @property
    def of_models(self) -> bool:
        """Whether points are models."""
        return bool(self.spec.compare == Compared.METRICS)

    @property
    def of_pairs(self) -> bool:
        """Whether things are correlated in pairs; else they diverge from one."""
        return bool(self.spec.compare != Compared.DIVERGENCE)

    @property
    def n_models(self) -> int:
        """How many models have a number."""
        return int(self[POINTS]["model"].nunique())

    @property
    def critical(self) -> dict[int, float]:
        """The |r| above which a correlation is significant at .05, by the numbers of points that occur."""
        rows = self[PAIRS].dropna(subset="critical").sort_values("n", kind="stable")
        return dict(zip(rows["n"].astype(int), rows["critical"].astype(float), strict=True))

    @property
    def gendered(self) -> tuple[str, ...]:
        """The gendered words that were read in every blank."""
        words = self[WORDS]
        return tuple(dict.fromkeys(words.loc[words["scope"] == GENDERED, "word"]))

    def pairs(self, model: str | None = None, representation: str | None = None) -> pd.DataFrame:
        """The pairs of one model and representation; of what they do not belong to, or that is None, all."""
        return _narrowed(self[PAIRS], model, representation)

    def stability(self, model: str | None = None, representation: str | None = None) -> pd.DataFrame:
        """The orders in one model and by one representation, those of models among them."""
        return _narrowed(self[STABILITY], model, representation)


def _narrowed(rows: pd.DataFrame, model: str | None, representation: str | None) -> pd.DataFrame:
    for column, wanted in (("model", model), ("representation", representation)):
        if wanted is not None:
            rows = rows[rows[column].isna() | (rows[column] == wanted)]
    return rows
