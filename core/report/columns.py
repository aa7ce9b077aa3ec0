"""What each column of a table is called on screen, what it means and how its numbers are written.

Files keep the machine's names; every page that shows a table asks here. To add a column, add a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from .. import result
from ..plain import is_missing
from .numbers import MISSING, fixed, p_value


@dataclass(frozen=True)
class Column:
    """A column on screen: its title, a sentence of help, and the decimals of its numbers (None: whole, or text).

    ``write`` takes the place of fixed decimals where a number has a way of its own, such as a p value.
    """

    title: str
    help: str
    decimals: int | None = None
    write: Callable[[float], str] | None = None

    def text(self, value: object) -> str:
        """A cell: a true minus sign, fixed decimals, and a dash for what is missing."""
        if is_missing(value):
            return MISSING
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        if isinstance(value, int | float | np.integer | np.floating):
            number = float(value)
            if not math.isfinite(number):
                return "∞" if number > 0 else "−∞"
            return self.write(number) if self.write else fixed(number, self.decimals or 0)
        return str(value)


def _p(title: str, meaning: str) -> Column:
    return Column(title, meaning, write=p_value)


_ADJUSTED = _p(
    "adjusted p", "Two-sided p, adjusted by Benjamini and Hochberg together with all p values of the figure."
)
_COMMON = {
    "model": Column("model", "The model, by its short name."),
    "language": Column("language", "Language of the sentences (ISO 639-1)."),
    "test": Column("test", "The association test."),
    "representation": Column("representation", "How a word is represented."),
    "attribute": Column("attribute", "The word that stands at [ATTRIBUTE]."),
    "contrast": Column("contrast", "Which group minus which; a positive value leans towards the first."),
    "lpbs": Column("LPBS", "Log probability bias score, nats: above 0 towards the first group.", 3),
    "ci_low": Column("95 % CI low", "Lower end of the 95 % confidence interval.", 3),
    "ci_high": Column("95 % CI high", "Upper end of the 95 % confidence interval.", 3),
    "p": _p("p", "Two-sided p value, not adjusted."),
    "p_value": _p("p", "p value as printed."),
    "p_adjusted": _ADJUSTED,
    "n": Column("n", "How many values the row rests on."),
    "ties": Column("ties", "Items with equal values on both sides; they count as not preferring the first."),
    "layer": Column("layer", "Layer of the model, from 0; for words, which layers were read."),
    "group": Column("group", "Group of professions."),
    "profession": Column("profession", "The profession."),
    "percent_women": Column("% women", "Women in the profession, by the statistic named above.", 1),
    "percent_black": Column("% Black workers", "Black workers in the profession, by the statistic named above.", 1),
    "template": Column("template", "The template, by its id."),
    "text": Column("text of the template", "The template, with _ for the blank."),
    "kind": Column("kind", "What is read: embedding, query, key, value, context, output; or attention maps."),
    "bias_type": Column("type of bias", "Part of the data; “all” is the whole."),
    "item": Column("item", "Number or name of the item in the data."),
    "source": Column("source", "Where the value was printed."),
    "occupation": Column("occupation", "The occupation in the sentence."),
    "r": Column("r", "Correlation, from −1 to 1.", 2),
}  # fmt: skip
_OF_TABLE: dict[str, dict[str, Column]] = {
    "score": {"n": Column("n", "Template × word-pair values that the score is the mean of.")},
    "groups": {
        "difference": Column("difference", "Mean of the first kind of person words minus that of the second, nats.", 3),
        "W": Column("W", "Wilcoxon's signed-rank statistic: rank sum of the positive differences.", 1),
        "z": Column("z", "Signed-rank statistic as a standard normal value.", 2),
        "r": Column("r", "Size of the effect, |z| / √(2n), without a sign.", 2),
        "median_difference": Column("median difference", "Median of the pairs' differences, nats, with its sign.", 3),
        "p_kind": Column("kind of p", "Exact, or by the normal approximation."),
        "pairs": Column("pairs", "Pairs of sentences that the test rests on."),
    },
    "professions": {
        "difference": Column("difference", "Mean association with the first person words minus the second, nats.", 3),
        "n": Column("n", "Sentences that were scored."),
    },
    "stability": {
        "of": Column("what is ordered", "Models, or the words of one model."),
        "order kept %": Column("order kept, %", "Bootstraps of the templates in which the whole order holds.", 1),
        "pairs flipped %": Column("pairs flipped, %", "Mean share of pairs whose order is reversed.", 1),
        "Kendall W": Column("Kendall's W", "Agreement of the templates about the order: 0 none, 1 complete.", 3),
        "templates": Column("templates", "How many templates order them."),
        "resamples": Column("resamples", "Seeded bootstraps of the templates."),
        "order": Column("order", "The highest mean first."),
    },
    "agreement": {
        "a": Column("first", "What is compared."),
        "b": Column("second", "With what it is compared."),
        "text a": Column("text of the first", "The template, with _ for the blank."),
        "text b": Column("text of the second", "The template, with _ for the blank."),
        "significant": Column("p < .05", "Whether r is significant at .05, not adjusted."),
        "n": Column("n", "Points that the correlation rests on."),
    },
    "divergence": {
        "KL whole vocabulary": Column("KL, whole vocabulary", "Divergence from the base template, in nats.", 4),
        "KL gendered words": Column("KL, gendered words", "The same over the gendered words alone, renormalised.", 4),
    },
}  # fmt: skip
# Columns named after what the user compares: the beginning of the name, and what stands for the rest.
_NAMED = {
    "ln P ": Column("ln P, {}", "Mean log probability of the words of {} with the attribute present.", 3),
    "ln prior ": Column("ln prior, {}", "The same with the attribute hidden.", 3),
    "association ": Column("association, {}", "ln P minus ln prior, in nats.", 3),
    "mean ": Column("mean, {}", "Mean association with the {} words, in nats.", 3),
    "sd ": Column("SD, {}", "Standard deviation of these associations.", 3),
    "n ": Column("n, {}", "Sentences with {} words."),
    "value ": Column("value, {}", "Score of the {} side.", 3),
}
# What the columns are that a table names wholly after what it compares.
_OTHERS = {
    "professions": Column("{}", "Mean association with the {} words, in nats.", 3),
    "metrics": Column("{}", "Value of the metric “{}” in each model.", 3),
    "items": Column("{}", "The side “{}” of the item."),
}


def column(name: str, table: str) -> Column | None:
    """The column ``name`` of the kind of table ``table``; None for a name that nothing is known of."""
    found = _OF_TABLE.get(table, {}).get(name) or _COMMON.get(name)
    if found is not None:
        return found
    for start, named in _NAMED.items():
        if name.startswith(start):
            return _called(named, name.removeprefix(start))
    return _called(_OTHERS[table], name) if table in _OTHERS else None


def _called(named: Column, word: str) -> Column:
    return Column(named.title.replace("{}", word), named.help.replace("{}", word), named.decimals)


def columns_of(frame: pd.DataFrame, table: str, declared: Iterable[result.Column] = ()) -> dict[str, Column]:
    """The columns of a frame by name, as they are ``declared`` or known; one without either is called as it is."""
    found = {}
    own = {item.name: _declared(item) for item in declared}
    for name in map(str, frame.columns):
        known = own.get(name) or column(name, table) or Column(name.replace("_", " "), "", 3)
        counts = table == "items" and _are_whole(frame[name])  # DisCo's differences are numbers of words
        found[name] = replace(known, decimals=0) if counts else known
    return found


def _declared(item: result.Column) -> Column:
    """A column of a result's schema, as it stands on screen."""
    is_number = item.dtype in (result.Dtype.NUMBER, result.Dtype.COUNT)
    return Column(item.heading, item.help, item.decimals if is_number else None, p_value if item.p else None)


def _are_whole(values: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not (values.dropna() % 1).any()
