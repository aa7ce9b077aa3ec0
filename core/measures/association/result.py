"""What association tests give: WEAT, SEAT, CEAT and WEAT-style LPBS."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd

from ...result import Column, Headline, Result, Schema, Table, count, flag, number, p_value, text
from ..comparable import KEYS
from ..shared.representations import TITLES

_TOWARDS_A = "X is more strongly associated with A, and Y with B"
_NEARER_TO_A = "more strongly associated with A than with B"
_WHICH = (
    text("model", "The model, by its short name, or the file of vectors."),
    text("test", "The association test."),
    text("representation", "How a word is represented."),
)
_MEMBER = (
    text("set", "X or Y, as the row of the test has them."),
    text("member", "The word or sentence."),
    text("template", "Of pooled LPBS, the template that the value is from."),
)


def _kept(letter: str, lpbs: str = "") -> Column:
    return count(f"n_{letter.lower()}", f"Members of {letter} that were kept{lpbs}.", f"n of {letter}", missing=True)


_TESTS = (
    *_WHICH,
    text("layer", "Which layers of the model were read."),
    count("templates", "Sentences that each word was read in; 0: alone."),
    number("test_statistic", "Mean association of X minus that of Y", "test statistic", sign=_TOWARDS_A),
    number("effect_size", "Effect size: the test statistic in standard deviations", "d", sign=_TOWARDS_A, decimals=2),
    count("ddof", "Degrees of freedom taken off in the standard deviation of d.", missing=True),
    number("ci_low", "Lower end of the 95 % confidence interval of d.", "95 % CI low", decimals=2),
    number("ci_high", "Upper end of the 95 % confidence interval of d.", "95 % CI high", decimals=2),
    p_value("p_one_sided", "p value of d above 0, from permutations of X and Y.", "p, one-sided"),
    p_value("p_two_sided", "p value of d on either side of 0, from permutations of X and Y.", "p, two-sided"),
    p_value("p_observed_direction", "One-sided p value on the side that d has.", "p, observed side"),
    p_value("p_adjusted", "Two-sided p, adjusted by Benjamini and Hochberg over all rows.", "adjusted p"),
    flag("significant", "Whether the adjusted p is below .05 and there is an interval."),
    text("p_kind", "Exact or sampled permutations; random effects for CEAT.", "kind of p"),
    count("n_permutations", "Partitions of X and Y, or samples of CEAT, behind p.", "permutations", missing=True),
    _kept("X"),
    _kept("Y"),
    _kept("A", "; of LPBS, words of the group that stands for it"),
    _kept("B", "; of LPBS, words of the group that stands for it"),
)
_MEMBERS = (
    *_WHICH,
    *_MEMBER,
    number("association", "Mean cosine with A minus that with B, or LPBS in nats", sign=_NEARER_TO_A),
)
_LAYERS = (
    *_WHICH,
    count("layer", "The layer; 0 is the embedding output."),
    number("effect_size", "Effect size d of the test in this layer", "d", sign=_TOWARDS_A, decimals=2),
)
_PUBLISHED = (
    text("test", "The association test."),
    text("representation", "How a word is represented."),
    text("source", "Where the value was printed."),
    text("model", "The model, by the name that the paper uses."),
    number("effect_size", "Effect size d as printed", "d", sign=_TOWARDS_A, decimals=2),
    p_value("p_value", "p value as printed.", "p"),
)
_MATRIX = (
    *_WHICH,
    *_MEMBER,
    text("other_set", "A or B."),
    text("other", "The member of A or B, or the group that stands for it."),
    number("value", "Cosine of the two, or mean association with the group's words in nats"),
)
_DISTRIBUTION = (
    *_WHICH,
    number("low", "Lower end of the bar."),
    number("high", "Upper end of the bar."),
    count("count", "Re-partitions of X and Y whose test statistic is between; for CEAT, samples by their d."),
    flag("in_tail", "Whether they lie at the observed value or beyond; for CEAT, on its side of 0.", "in tail"),
)


ERASED_BY = (  # the columns of what an eraser was fitted on
    count("n_male", "Male words, or sentences with them, that the eraser was fitted on.", "male"),
    count("n_female", "Female words, or sentences with them, that the eraser was fitted on.", "female"),
    count("vectors", "Vectors that it was fitted on; in your sentences a word has several."),
    count("held_out", "Words it was not fitted on since they, or their partners, are measured.", "held out"),
    count("lost", "Words, or sentences with them, that could not be read or told apart."),
    count("rank", "Dimensions that were erased; 0: the fitted vectors do not differ by gender."),
    count("width", "Dimensions of the vectors."),
)


class AssociationResult(Result):
    """Association tests of one or more models in one or more representations.

    ``tests`` has a row for each model, test and representation; one without values has its reason in ``excluded``.
    Where the representation is lpbs, the two permuted sets stand for X and Y, and the groups for A and B.
    ``layers``: the curve over layers, where a representation reads several; a layer whose values do not vary beyond
    rounding has no row; there is none where gender was erased. ``distribution``: up to 10,000 re-partitions of each
    test as a histogram. ``erased``: where gender was erased before the test, what that was fitted on.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("effect_size", "Effect size of an association test", "d", unit="SD", sign=_TOWARDS_A),
            lambda result: result["tests"],
            "effect_size",
            "ci_low",
            "ci_high",
            "p_adjusted",
            of=("test", "representation"),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "association",
        2,
        {
            "tests": Table("one test by one representation in one model", _TESTS),
            "members": Table("one member of X or Y in one test", _MEMBERS, long=True),
            "layers": Table("one test in one layer", _LAYERS, long=True),
            "published": Table("one value as a paper prints it", _PUBLISHED),
            "matrix": Table("one member of X or Y with one of A or B", _MATRIX, long=True),
            "distribution": Table("one bar of the null distribution of a test", _DISTRIBUTION, long=True),
            "erased": Table("what gender was erased by before one test", (*_WHICH, *ERASED_BY)),
        },
    )

    @property
    def family_size(self) -> int:
        """How many p values were adjusted together."""
        return int(self["tests"]["p_two_sided"].notna().sum())


def compared_items(result: AssociationResult) -> pd.DataFrame:
    """Of one model, a row for each member of X or Y in a test and representation (``Comparable.items``)."""
    rows = result["members"].dropna(subset="association")
    section = [f"{name}: {which}" for name, which in zip(_named(rows), rows["set"], strict=True)]
    columns = {"whole": section, "section": section, "entry": rows["member"], "item": rows["template"].fillna("")}
    return pd.DataFrame(columns, columns=[*KEYS]).assign(value=rows["association"]).reset_index(drop=True)


def compared_summaries(result: AssociationResult) -> pd.DataFrame:
    """Of one model, the effect size d of each test and representation (``Comparable.summaries``)."""
    rows = result["tests"].dropna(subset="effect_size")
    found = {"section": _named(rows), "name": "d", "value": rows["effect_size"], "unit": "SD"}
    return pd.DataFrame(found).reset_index(drop=True)


def _named(rows: pd.DataFrame) -> list[str]:
    """Test and representation of each row."""
    return [f"{test}, {TITLES[kind]}" for test, kind in zip(rows["test"], rows["representation"], strict=True)]
