"""A measure before and after: each child and control of a base, item by item, and what that cost."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import pandas as pd

from ....result import Better, Headline, Result, Schema, Table, count, flag, number, p_value, text
from ...comparable import Comparable

CHANGES, SPREAD, SIDES, SUMMARIES = "changes", "spread", "sides", "summaries"
PRICE, MODELS, ENTRIES, ITEMS = "price", "models", "entries", "items"
BASE, CHILD, CONTROL = "base", "child", "control"  # what a model is here
LEAN, SIZE = "lean", "size"  # the values, and how far they are from 0

_MODEL = text("model", "The model made from the base, by its short name.")
_CONTROL = flag("control", "Whether it is a control.")
_SECTION = text("section", "The items that are taken together.")
_QUANTITY = text("quantity", "lean: the values of the items; size: how far the mean of each entry is from 0.", "of")
_ENTRY = text("entry", "What is measured, such as a profession or a head.")
_UNIT = "unit of the measure"
_AFTER_HIGHER = "higher after than before"
_CI = "end of the 95 % bootstrap interval of the difference, over entries"


def _changes(quantity: str, result: ChangeResult) -> pd.DataFrame:
    rows = result[CHANGES]
    return rows[rows["quantity"] == quantity]


class ChangeResult(Result):
    """A measure on a base and on models made from it: children, and controls.

    Values are those of the measure, in its unit, 0 where there is no lean. Tables: ``changes`` (each model against the
    base, section by section), ``spread`` (over the children and over the controls), ``sides`` (where a value is a
    difference of two), ``summaries`` (numbers of a whole model), ``price`` (pseudo-perplexity on a text), ``models``
    (where they come from), ``entries`` and ``items``.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = tuple(
        Headline(
            number(name, meaning, title, unit=_UNIT, sign=_AFTER_HIGHER),
            partial(_changes, quantity),
            "difference",
            "ci_low",
            "ci_high",
            "p_adjusted",
            "n",
            of=("section",),
            better=better,
        )
        for name, quantity, meaning, title, better in (
            ("lean", LEAN, "Mean value of the items, after minus before", "change of the mean", Better.NEITHER),
            (
                "size",
                SIZE,
                "Mean distance from 0 of the entries, after minus before",
                "change of the mean size",
                Better.LOWER,
            ),
        )
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "change",
        1,
        {
            CHANGES: Table(
                "a model against the base, over a section",
                (
                    _MODEL,
                    _CONTROL,
                    _SECTION,
                    _QUANTITY,
                    count("n", "Values that are paired: items for lean, entries for size."),
                    number("before", "Mean in the base", unit=_UNIT),
                    number("after", "Mean in the model", unit=_UNIT),
                    number("difference", "after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                    number("ci_low", f"Lower {_CI}", "95 % CI low", unit=_UNIT),
                    number("ci_high", f"Upper {_CI}", "95 % CI high", unit=_UNIT),
                    number("W", "Sum of the ranks of the differences above 0 (Wilcoxon)", decimals=1),
                    number("r", "z / √(2n) over the differences that are not 0", sign=_AFTER_HIGHER),
                    p_value("p", "Two-sided signed-rank test, as if the values were independent; not adjusted."),
                    text("p_kind", "How p was got: exact or normal.", "kind of p"),
                    p_value(
                        "p_adjusted",
                        "Two-sided p, adjusted by Benjamini and Hochberg together with all p values of the table.",
                        "adjusted p",
                    ),
                ),
            ),
            SPREAD: Table(
                "a section: the differences of all children, and of all controls",
                (
                    _SECTION,
                    _QUANTITY,
                    count("n", "Children, such as one for each seed.", "children"),
                    number("before", "Mean in the base", unit=_UNIT),
                    number("difference", "Mean over the children of after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                    number("sd", "Standard deviation (ddof 1) over the children", "SD", unit=_UNIT),
                    number("low", "Lowest difference of a child", unit=_UNIT),
                    number("high", "Highest difference of a child", unit=_UNIT),
                    count("n_control", "Controls.", "controls"),
                    number("control", "Mean over the controls of after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                    number("control_sd", "Standard deviation (ddof 1) over the controls", "SD, controls", unit=_UNIT),
                    number("net", "difference − control", "less control", unit=_UNIT, sign="above the controls"),
                    number("net_se", "Standard error of net, over children and controls", "SE", unit=_UNIT),
                ),
            ),
            SIDES: Table(
                "one of the two sides of the values, over a section",
                (
                    _MODEL,
                    _CONTROL,
                    _SECTION,
                    text("side", "The side."),
                    count("n", "Items."),
                    number("before", "Mean in the base", unit=_UNIT),
                    number("after", "Mean in the model", unit=_UNIT),
                    number("difference", "after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                ),
            ),
            SUMMARIES: Table(
                "a number of the whole model",
                (
                    _MODEL,
                    _CONTROL,
                    text("section", "What it is computed of."),
                    text("name", "What it is called."),
                    text("unit", "Its unit."),
                    number("before", "In the base."),
                    number("after", "In the model."),
                    number("difference", "after − before", sign=_AFTER_HIGHER),
                ),
            ),
            PRICE: Table(
                "a model on the text",
                (
                    text("model", "The model."),
                    text("role", "base, child or control."),
                    count("documents", "Documents of the text that were scored in every model."),
                    count("tokens", "Their tokens, each hidden in turn."),
                    number("perplexity", "Pseudo-perplexity per token; lower is better.", decimals=2),
                    number(
                        "change",
                        "Of the pseudo-perplexity, from the base.",
                        unit="%",
                        sign="it predicts the text less well than the base",
                        decimals=1,
                    ),
                ),
            ),
            MODELS: Table(
                "a model",
                (
                    text("model", "The model."),
                    text("role", "base, child or control."),
                    text(
                        "made_from",
                        "What it was fine-tuned from, as its folder says; missing where nothing says.",
                        "made from",
                    ),
                    text("text", "The text it was fine-tuned on."),
                    count("seed", "Of that training.", missing=True),
                    count("steps", "Of that training.", missing=True),
                ),
            ),
            ENTRIES: Table(
                "an entry: the mean of its items",
                (
                    _MODEL,
                    _CONTROL,
                    text("whole", "The sections that can be taken together."),
                    _SECTION,
                    _ENTRY,
                    count("n", "Items."),
                    number("before", "Mean in the base", unit=_UNIT),
                    number("after", "Mean in the model", unit=_UNIT),
                    number("difference", "after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                ),
                long=True,
            ),
            ITEMS: Table(
                "an item",
                (
                    _MODEL,
                    _CONTROL,
                    _SECTION,
                    _ENTRY,
                    text("item", "The item within the entry."),
                    number("before", "In the base", unit=_UNIT),
                    number("after", "In the model", unit=_UNIT),
                    number("control_after", "Mean of the controls", "controls", unit=_UNIT),
                    number("difference", "after − before", unit=_UNIT, sign=_AFTER_HIGHER),
                ),
                long=True,
            ),
        },
    )

    def summed_up(self, number: str) -> tuple[str, ...]:
        """The models that are compared with the base."""
        return tuple(dict.fromkeys(self[CHANGES]["model"]))

    @property
    def comparable(self) -> Comparable:
        """What is compared."""
        found: Comparable = self.spec.comparable
        return found

    @property
    def unit(self) -> str:
        """The unit of the values; empty where they have none."""
        return self.comparable.unit(self.spec.measured.spec)

    @property
    def ends(self) -> tuple[str, str]:
        """What a value above 0 and one below it point to."""
        return self.comparable.ends(self.spec.measured.spec)

    @property
    def base(self) -> str:
        """The base, by its short name."""
        return self._of(BASE)[0]

    @property
    def children(self) -> tuple[str, ...]:
        """The children with numbers, in their order."""
        return self._of(CHILD)

    @property
    def controls(self) -> tuple[str, ...]:
        """The controls with numbers, in their order."""
        return self._of(CONTROL)

    @property
    def wholes(self) -> tuple[str, ...]:
        """The sections that hold everything that can be taken together, in their order."""
        return tuple(dict.fromkeys(self[ENTRIES]["whole"]))

    def of(self, table: str, model: str) -> pd.DataFrame:
        """The rows of one model."""
        return self[table][self[table]["model"] == model]

    def _of(self, role: str) -> tuple[str, ...]:
        rows = self[MODELS]
        return tuple(rows.loc[rows["role"] == role, "model"])
