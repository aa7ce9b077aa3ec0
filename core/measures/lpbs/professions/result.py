"""Professions: associations of person words with professions, and the labour statistics they are compared with."""

from __future__ import annotations

from operator import itemgetter
from typing import ClassVar, cast

import pandas as pd

from ....result import Better, Contrast, Headline, Result, Schema, Table, count, number, p_value, text
from ....sources import PROFESSION_GROUPS
from ....sources.labour import Statistic

_MODEL = text("model", "The model, by its short name.")
_LANGUAGE = text("language", "Language of the sentences, ISO 639-1.")
_GROUP = text("group", "Group of professions.")
_PROFESSION = text("profession", "The profession.")
_GENDER = text("gender", "Which kind of person words.")
_TOWARDS_FIRST = "stronger association with the contrast's first words"
_CI = "end of the 95 % confidence interval"
_ADJUSTED = "p, adjusted by Benjamini and Hochberg together with all p values of the table."

PROFESSIONS, GROUPS, TESTS, CORRELATIONS, SENTENCES = "professions", "groups", "tests", "correlations", "sentences"

Series = tuple[str, str]  # one model in one language: (model, ISO 639-1 code)


def words_of(side: str) -> str:
    """A kind of person words in a sentence: "female words", "words for Black people", "African American names"."""
    if side.endswith("names"):
        return side
    return f"words for {side} people" if side[0].isupper() else f"{side} words"


def _tests(result: ProfessionResult) -> pd.DataFrame:
    return result[TESTS].assign(above=f"stronger association with the {words_of(result.contrast.first)}")


def _correlations(result: ProfessionResult) -> pd.DataFrame:
    people = result.spec.people if result.spec.people == "women" else f"{result.spec.people} workers"
    first = words_of(result.contrast.first)
    means = f"the higher the percentage of {people}, the stronger the association with the {first}"
    return result[CORRELATIONS].assign(above=means)


class ProfessionResult(Result):
    """A corpus of professions and person words in one or more models and languages. Associations in nats.

    Tables: ``professions`` (mean associations with both kinds of person words, their difference, the percentage of the
    statistic and how far the profession lies from the line), ``groups`` (mean, sd and n of a group of professions with
    a kind of words), ``tests`` (their signed-rank tests), ``correlations`` (of differences with percentages) and
    ``sentences`` (each sentence scored, with association = ln_p_target − ln_p_prior).

    The percentages stand in a column named after the people counted, such as ``percent_women``; there is one where
    the result is compared with a statistic.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "median_difference",
                "Median difference of the pairs of a group of professions, first words minus second",
                "median difference",
                unit="nats",
            ),
            _tests,
            "median_difference",
            p="p_adjusted",
            n="n",
            of=("language", "group"),
            above=itemgetter("above"),
        ),
        Headline(
            number(
                "correlation",
                "Correlation of the differences with the percentages of the statistic",
                "correlation with the statistic",
            ),
            _correlations,
            "r",
            "ci_low",
            "ci_high",
            "p_adjusted",
            "n",
            of=("language", "method"),
            better=Better.NEITHER,  # whether a model should follow the labour market depends on its use
            above=itemgetter("above"),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "professions",
        1,
        {
            PROFESSIONS: Table(
                "a profession in a model and language",
                (
                    _MODEL,
                    _LANGUAGE,
                    _PROFESSION,
                    _GROUP,
                    number("mean_first", "Mean association with the contrast's first words", unit="nats"),
                    number("mean_second", "Mean association with the contrast's second words", unit="nats"),
                    number("difference", "mean_first − mean_second", unit="nats", sign=_TOWARDS_FIRST),
                    count("n", "Sentences scored."),
                    count("n_first", "Sentences scored with the contrast's first words."),
                    count("n_second", "Sentences scored with the contrast's second words."),
                    number("line", "Difference that the least-squares line gives for the percentage", unit="nats"),
                    number("residual", "difference − line", unit="nats", sign="more to the first words than the line"),
                    text("share_note", "How a row of the statistic was merged or approximated for the profession."),
                ),
                optional=(
                    number("percent_women", "Women in the profession, by the statistic", "% women", decimals=1),
                    *(
                        number(
                            f"percent_{people.lower()}",
                            f"{people} workers in the profession, by the statistic",
                            f"% {people} workers",
                            decimals=1,
                        )
                        for people in ("Black", "Asian", "Hispanic")
                    ),
                ),
            ),
            GROUPS: Table(
                "a group of professions with one kind of person words, in a model and language",
                (
                    _MODEL,
                    _LANGUAGE,
                    _GROUP,
                    _GENDER,
                    number("mean", "Mean association", unit="nats"),
                    number("sd", "Standard deviation (ddof 1) of the associations", unit="nats"),
                    count("n", "Sentences scored."),
                ),
            ),
            TESTS: Table(
                "a Wilcoxon signed-rank test over the pairs of a group of professions, first − second",
                (
                    _MODEL,
                    _LANGUAGE,
                    _GROUP,
                    number("W", "Sum of the ranks of the positive differences", decimals=1),
                    number("z", "Standardised W", sign=_TOWARDS_FIRST),
                    number("r", "Effect size |z| / √(2n)"),
                    p_value("p", "Two-sided p value, not adjusted."),
                    text("p_kind", "How p was got: exact or normal."),
                    p_value("p_adjusted", f"Two-sided {_ADJUSTED}", "adjusted p"),
                    number("median_difference", "Median of the pairs' differences", unit="nats", sign=_TOWARDS_FIRST),
                    count("n", "Pairs kept."),
                ),
            ),
            CORRELATIONS: Table(
                "a correlation of differences with percentages, in a model and language",
                (
                    _MODEL,
                    _LANGUAGE,
                    text("method", "pearson or spearman."),
                    number("r", "Correlation", sign="the higher the percentage, the stronger with the first words"),
                    number("ci_low", f"Lower {_CI}", "95 % CI low"),
                    number("ci_high", f"Upper {_CI}", "95 % CI high"),
                    p_value("p", "Two-sided p value, not adjusted."),
                    p_value("p_adjusted", f"Two-sided {_ADJUSTED}", "adjusted p"),
                    count("n", "Professions."),
                    number("slope", "Slope of the least-squares line", unit="nats per percentage point", decimals=4),
                    number("intercept", "Difference that the line gives for 0 %", unit="nats"),
                    number("residual_sd", "Standard deviation (n − 2) of the residuals", unit="nats"),
                ),
            ),
            SENTENCES: Table(
                "a sentence that was scored, in a model and language",
                (
                    _MODEL,
                    _LANGUAGE,
                    text("template", "The template."),
                    text("person", "The person as written."),
                    text("pair", "Pair of persons; missing where persons are no pairs."),
                    _GENDER,
                    _PROFESSION,
                    text("form", "The profession as written."),
                    _GROUP,
                    number("ln_p_target", "ln P of the person with the profession present", unit="nats"),
                    number("ln_p_prior", "ln P of the person with the profession hidden", unit="nats"),
                    number("association", "ln_p_target − ln_p_prior", unit="nats"),
                ),
                long=True,
            ),
        },
    )

    @property
    def contrast(self) -> Contrast:
        """Which kind of person words minus which: a positive difference is a higher association with the first."""
        return cast(Contrast, self.spec.contrast)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of professions in the order of a table."""
        held = {group for corpus in self.spec.corpora for group in corpus.groups}
        return tuple(group for group in PROFESSION_GROUPS if group in held)

    @property
    def series(self) -> tuple[Series, ...]:
        """Each (model, language) with numbers, in their order."""
        rows = self[SENTENCES]
        return tuple(dict.fromkeys(zip(rows["model"], rows["language"], strict=True)))

    @property
    def statistic(self) -> Statistic | None:
        """What the professions are compared with; None where they are not."""
        if self.spec.statistic is None:
            return None
        return cast(Statistic, self.spec.statistic.statistic(self.spec.people))

    @property
    def percent_column(self) -> str | None:
        """The column that holds the statistic's percentages; None before there is a statistic."""
        return None if self.spec.statistic is None else f"percent_{self.spec.people.lower()}"
