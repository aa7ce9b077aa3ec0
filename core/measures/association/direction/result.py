"""What a gender direction gives: the direction of each model and representation, and how words lie along it."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ....result import Better, Headline, Result, Schema, Table, count, number, p_value, text
from ...comparable import KEYS
from ...shared.representations import TITLES
from ..result import ERASED_BY

DIRECTIONS, PROJECTIONS, COMPONENTS, PAIRS, CORRELATIONS, ALTERNATIVES, ERASED = (
    "directions", "projections", "components", "pairs", "correlations", "alternatives", "erased"
)  # fmt: skip
TOWARDS = "towards the first words of the pairs"
_RISES = "higher shares go with projections towards the first words of the pairs"
_WHICH = (
    text("model", "The model, by its short name, or the file of vectors."),
    text("representation", "How a word is represented."),
)

Which = tuple[str, str]  # model and representation


class DirectionResult(Result):
    """Directions from definitional pairs, by model and representation (Bolukbasi et al. 2016).

    Vectors are of unit length, so that a projection is the cosine of a word and the direction. Tables: ``directions``,
    ``projections`` of the words, ``components`` (shares of the variance of the pairs), ``pairs``, ``correlations`` of
    the projections with the statistic, ``alternatives`` (other ways to a direction), and ``erased``: where gender was
    erased before, what that was fitted on.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "direct_bias",
                "Mean |projection|^strictness of the words on the direction; it is never below 0",
                "direct bias",
                sign="words lie along the direction",
            ),
            lambda result: result[DIRECTIONS],
            "direct_bias",
            "direct_bias_low",
            "direct_bias_high",
            n="n_words",
            of=("representation",),
            better=Better.LOWER,
            least=0.0,
        ),
        Headline(
            number("mean_projection", "Mean projection of the words", "mean projection", sign=TOWARDS),
            lambda result: result[DIRECTIONS],
            "mean_projection",
            n="n_words",
            of=("representation",),
        ),
        Headline(
            number("correlation", "Correlation of the projections with the statistic", "correlation", sign=_RISES),
            lambda result: result[CORRELATIONS],
            "r",
            "ci_low",
            "ci_high",
            "p_adjusted",
            "n",
            of=("representation", "method"),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "direction",
        1,
        {
            DIRECTIONS: Table(
                "the direction of one model in one representation",
                (
                    *_WHICH,
                    text("layer", "Which layers of the model were read."),
                    count("n_pairs", "Pairs that the direction is from.", "n of pairs"),
                    count("n_words", "Words that were projected on it.", "n of words"),
                    number("share", "Share of the variance of the pairs that is along it, 0 to 1"),
                    number("direct_bias", "Mean of |projection|^strictness over the words", "direct bias", decimals=4),
                    number("direct_bias_low", "Its interval over resampled pairs", "direct bias, 95 % low", decimals=4),
                    number(
                        "direct_bias_high", "Its interval over resampled pairs", "direct bias, 95 % high", decimals=4
                    ),
                    number("mean_projection", "Mean projection of the words", "mean projection", sign=TOWARDS),
                    number("cosine", "Median cosine of directions of resampled pairs with it", "stability"),
                    number("cosine_low", "2.5 % of these cosines are lower", "stability, 2.5 %"),
                    number("cosine_high", "2.5 % of these cosines are higher", "stability, 97.5 %"),
                    number("slope", "Of the line of projection on percent; missing under 4 points", decimals=6),
                    number("intercept", "Of that line"),
                ),
            ),
            PROJECTIONS: Table(
                "a word on one direction",
                (
                    *_WHICH,
                    text("word", "The word."),
                    number("projection", "Cosine of the word and the direction", sign=TOWARDS),
                    number("ci_low", "Its interval over resampled pairs", "95 % CI low"),
                    number("ci_high", "Its interval over resampled pairs", "95 % CI high"),
                    number("percent", "Share of people in the statistic; missing where it has no row", unit="%"),
                ),
                long=True,
            ),
            COMPONENTS: Table(
                "a principal component of the pairs",
                (
                    *_WHICH,
                    count("component", "Its place by share, from 1; the direction is the first."),
                    number("share", "Share of the variance of the pairs, 0 to 1"),
                    number(
                        "random",
                        "The same of as many random pairs of the words, mean of 100 draws; missing for too few words",
                        "share, random pairs",
                    ),
                ),
            ),
            PAIRS: Table(
                "a pair and one direction",
                (
                    *_WHICH,
                    text("first", "Its first word."),
                    text("second", "Its second word."),
                    number(
                        "cosine", "Cosine of its difference, first − second, and the direction", sign="as on average"
                    ),
                ),
            ),
            CORRELATIONS: Table(
                "a correlation of projections with the statistic, over the words that have a share",
                (
                    *_WHICH,
                    text("method", "pearson or spearman."),
                    number("r", "Correlation of projection and share", sign=_RISES),
                    number("ci_low", "Lower end of its 95 % confidence interval.", "95 % CI low"),
                    number("ci_high", "Upper end of its 95 % confidence interval.", "95 % CI high"),
                    p_value("p_value", "Two-sided.", "p"),
                    p_value("p_adjusted", "Adjusted over all rows (Benjamini–Hochberg).", "adjusted p"),
                    count("n", "Words."),
                ),
            ),
            ALTERNATIVES: Table(
                "another way to a direction from the same pairs",
                (
                    *_WHICH,
                    text("way", "How it is made."),
                    number("cosine", "Its cosine with the direction; missing where there is none"),
                    number("direct_bias", "Direct bias along it", "direct bias", decimals=4),
                    number("r", "Pearson correlation of the projections on it with the statistic", sign=_RISES),
                ),
            ),
            ERASED: Table("what gender was erased by before one direction", (*_WHICH, *ERASED_BY)),
        },
    )

    @property
    def places(self) -> tuple[Which, ...]:
        """Model and representation of each direction."""
        rows = self[DIRECTIONS]
        return tuple(zip(rows["model"], rows["representation"], strict=True))

    def of(self, table: str, which: Which) -> pd.DataFrame:
        """The rows of a table that one model has in one representation."""
        rows = self[table]
        return rows[(rows["model"] == which[0]) & (rows["representation"] == which[1])]


def compared_items(result: DirectionResult) -> pd.DataFrame:
    """Of one model, a row for each word in a representation (``Comparable.items``)."""
    rows = result[PROJECTIONS].dropna(subset="projection")
    section = [TITLES[kind] for kind in rows["representation"]]
    columns = {"whole": section, "section": section, "entry": rows["word"], "item": ""}
    return pd.DataFrame(columns, columns=[*KEYS]).assign(value=rows["projection"]).reset_index(drop=True)


def compared_summaries(result: DirectionResult) -> pd.DataFrame:
    """Of one model, the direct bias in each representation (``Comparable.summaries``)."""
    rows = result[DIRECTIONS].dropna(subset="direct_bias")
    section = [TITLES[kind] for kind in rows["representation"]]
    found = {"section": section, "name": "direct bias", "value": rows["direct_bias"], "unit": ""}
    return pd.DataFrame(found).reset_index(drop=True)
