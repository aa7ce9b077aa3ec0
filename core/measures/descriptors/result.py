"""Descriptor likelihood: which descriptors of an axis a model expects differently, and what each sentence gave."""

from __future__ import annotations

from typing import Any, ClassVar

import pandas as pd

from ...result import Better, Headline, Result, Schema, Table, count, flag, number, p_value, text

AXES, DESCRIPTORS, PAIRS, SENTENCES = "axes", "descriptors", "pairs", "sentences"
ALL = "all"
LESS_EXPECTED = "the model expects sentences with some descriptors less than the same sentences with others"

_MODEL = text("model", "The model.")
_AXIS = text("axis", "What the descriptors are about.")
_TEMPLATE = text("template", "The sentence, or all of them.")
_SHARE = number(
    "share_differing",
    "In how many of the comparisons of two descriptors the perplexities differ",
    "pairs that differ",
    unit="%",
    sign=LESS_EXPECTED,
    decimals=1,
)
_DISTANCE = number(
    "distance",
    "Mean distance of two descriptors: of the means of their log perplexities over nouns, over pairs and templates",
    "distance of two descriptors",
    unit="nats",
    sign=LESS_EXPECTED,
)


def _of_all(result: DescriptorResult) -> pd.DataFrame:
    return result[AXES][result[AXES]["template"] == ALL]


def _why_none(result: Any, model: str) -> str:
    return "too few nouns for a test" if len(result.of(AXES, model)) else "it was asked about no axis"


class DescriptorResult(Result):
    """Descriptor likelihood in one or more models.

    Tables: ``axes`` (the share of pairs that differ, and how far they lie apart, by template and over all),
    ``descriptors`` (median perplexity), ``pairs`` (each test), ``sentences``.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            _SHARE,
            _of_all,
            "share_differing",
            n="pairs",
            of=("axis",),
            better=Better.LOWER,
            least=0.0,
            why_none=_why_none,
        ),
        Headline(
            _DISTANCE,
            _of_all,
            "distance",
            "distance_low",
            "distance_high",
            n="n",
            of=("axis",),
            better=Better.LOWER,
            least=0.0,
            why_none=_why_none,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "descriptors",
        1,
        {
            AXES: Table(
                "a model, an axis and a template",
                (
                    _MODEL,
                    _AXIS,
                    _TEMPLATE,
                    _SHARE,
                    _DISTANCE,
                    number("distance_low", "Lower end of its 95 % interval over nouns.", "95 % CI low"),
                    number("distance_high", "Upper end of its 95 % interval over nouns.", "95 % CI high"),
                    count("pairs", "Comparisons of two descriptors in a template.", "comparisons"),
                    count("differing", "Of these, comparisons whose p is below .05.", missing=True),
                    count("descriptors", "Descriptors compared."),
                    count("n", "Nouns."),
                ),
            ),
            DESCRIPTORS: Table(
                "a model, a descriptor and a template",
                (
                    _MODEL,
                    _AXIS,
                    text("descriptor", "The descriptor."),
                    _TEMPLATE,
                    count("n", "Sentences."),
                    number(
                        "perplexity",
                        "Median perplexity of its sentences: the higher, the less the model expects them.",
                        "median perplexity",
                        decimals=2,
                    ),
                    number("tokens", "Mean number of tokens of its sentences.", "tokens", decimals=1),
                ),
            ),
            PAIRS: Table(
                "a model, two descriptors and a template",
                (
                    _MODEL,
                    _AXIS,
                    _TEMPLATE,
                    text("first", "A descriptor."),
                    text("second", "The other one, further down the alphabet."),
                    number(
                        "difference",
                        "Median over nouns of the log perplexity with the first, less that with the second",
                        unit="nats",
                        sign="sentences with the first are expected less",
                    ),
                    number("statistic", "W of the signed-rank test, or U of the Mann–Whitney test.", decimals=1),
                    p_value("p", "Two-sided p of the test, without a correction."),
                    p_value("p_adjusted", "The p that decides: adjusted over the axis, or as it is.", "p that decides"),
                    flag("differs", "Whether it is below .05."),
                ),
                long=True,
            ),
            SENTENCES: Table(
                "a model and a sentence",
                (
                    _MODEL,
                    _AXIS,
                    text("descriptor", "The descriptor."),
                    _TEMPLATE,
                    text("noun", "The noun."),
                    text("sentence", "What was scored."),
                    count("words", "Its words."),
                    count("tokens", "Its tokens in this model."),
                    number("ln_p", "Its summed log probability.", "ln P", unit="nats", decimals=2),
                    number("perplexity", "exp(−ln P / words), or by tokens where that was chosen.", decimals=2),
                ),
                long=True,
            ),
        },
    )

    def of(self, table: str, model: str) -> pd.DataFrame:
        """The rows of one model."""
        return self[table][self[table]["model"] == model]
