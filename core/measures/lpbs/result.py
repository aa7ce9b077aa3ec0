"""Log probability bias scores."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import pandas as pd

from ...result import Contrast, Group, Headline, Result, Schema, Table, count, number, p_value, text

_SCORES = (
    number("lpbs", "Log probability bias score", "LPBS", unit="nats", sign="towards the contrast's first group"),
    number("log_ratio", "Difference of the groups' mean ln P with the attribute present", unit="nats"),
    number("prior_log_ratio", "The same with the attribute hidden; LPBS is log_ratio − prior_log_ratio", unit="nats"),
    number("ci_low", "Lower end of the 95 % confidence interval of the LPBS", "95 % CI low", unit="nats"),
    number("ci_high", "Upper end of the 95 % confidence interval of the LPBS", "95 % CI high", unit="nats"),
    p_value("p_value", "Two-sided p value, not adjusted.", "p"),
    p_value(
        "p_adjusted",
        "Two-sided p, adjusted by Benjamini and Hochberg together with all p values of the table.",
        "adjusted p",
    ),
)
_MODEL = text("model", "The model, by its short name.")
_CONTRAST = text("contrast", "Which group minus which; a positive value leans towards the first.")

ATTRIBUTES, OVERALL, SHARES, TARGETS = "attributes", "overall", "shares", "targets"


def _towards_first(row: dict[str, Any]) -> str:
    return f"towards {row['contrast'].partition(' − ')[0]}"


def _all_templates(result: LpbsResult) -> pd.DataFrame:
    rows = result[SHARES]
    return rows[rows["template"].isna()]


class LpbsResult(Result):
    """Log probability bias scores of one or more models. All log quantities in nats, natural logarithm.

    Tables: ``attributes`` (a score each), ``overall`` (the mean over the attributes of each model and contrast),
    ``shares`` (how many attributes lean towards either group, with all templates and with each) and ``targets`` (each
    target word that was scored in each template, with association = ln_p_target − ln_p_prior).
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number("overall", "Mean log probability bias score over the attributes", "mean LPBS", unit="nats"),
            lambda result: result[OVERALL],
            "lpbs",
            "ci_low",
            "ci_high",
            "p_adjusted",
            "n",
            of=("contrast",),
            above=_towards_first,
        ),
        Headline(
            number("share", "Share (0–1) of the attributes that lean towards the contrast's first group", "share"),
            _all_templates,
            "share",
            "ci_low",
            "ci_high",
            n="n",
            of=("contrast",),
            neutral=0.5,
            above=_towards_first,
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "lpbs",
        2,
        {
            ATTRIBUTES: Table(
                "an attribute in a model and a contrast",
                (
                    _MODEL,
                    text("attribute", "The word that stands at [ATTRIBUTE]."),
                    _CONTRAST,
                    count("n", "Template × word-pair values that the score is the mean of."),
                    *_SCORES,
                ),
            ),
            OVERALL: Table(
                "a contrast in a model: the mean over the attributes",
                (_MODEL, _CONTRAST, count("n", "Attributes that the mean is over."), *_SCORES),
            ),
            SHARES: Table(
                "a contrast in a model: how many attributes lean towards either group",
                (
                    _MODEL,
                    _CONTRAST,
                    text("template", "The template; missing: the mean over all templates counts."),
                    count("n", "Attributes with a score."),
                    count("first", "Of these, attributes that lean towards the contrast's first group (LPBS > 0)."),
                    count("second", "Attributes that lean towards the second (LPBS < 0)."),
                    count("ties", "Attributes that lean towards neither (LPBS = 0)."),
                    number("share", "Share (0–1) of n that lean towards the first group."),
                    number("ci_low", "Lower end of its 95 % interval (Wilson).", "95 % CI low"),
                    number("ci_high", "Upper end of its 95 % interval (Wilson).", "95 % CI high"),
                ),
            ),
            TARGETS: Table(
                "a target word in a template with an attribute, in a model",
                (
                    _MODEL,
                    text("template", "The template."),
                    text("attribute", "The word that stands at [ATTRIBUTE]."),
                    text("group", "The group of the target word."),
                    text("target", "The target word, as it was given."),
                    text("form", "The target word as it was scored in its place."),
                    number("ln_p_target", "ln P of the target with the attribute present", unit="nats"),
                    number("ln_p_prior", "ln P of the target with the attribute hidden", unit="nats"),
                    number("association", "ln_p_target − ln_p_prior", unit="nats"),
                ),
                long=True,
            ),
        },
    )

    @property
    def templates(self) -> tuple[str, ...]:
        """The texts of the templates."""
        return tuple(template.text for template in self.spec.templates)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of target words."""
        return cast("tuple[Group, ...]", self.spec.groups.groups)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The words that were requested, those without a score too."""
        return cast("tuple[str, ...]", self.spec.attributes.words)

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """Which groups are compared."""
        return cast("tuple[Contrast, ...]", self.spec.comparisons)
