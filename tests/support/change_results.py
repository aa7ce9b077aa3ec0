"""Small comparisons before and after made by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.measures.attention.spec import AttentionSpec
from core.measures.comparable import KEYS
from core.measures.lpbs.spec import LpbsSpec
from core.measures.mitigation.change import metric
from core.measures.mitigation.change.result import ChangeResult
from core.measures.mitigation.change.spec import ChangeSpec
from tests.support.attention_results import NOBODY


def change_result(
    values: Mapping[str, tuple[float, float]],
    *,
    child: str = "child",
    section: str = "s",
    groups: tuple[str, str] = ("he", "she"),
    sides: bool = True,
    controls: bool = True,
    price: tuple[float, float] | None = None,
    children: int = 1,
) -> ChangeResult:
    """Entries by their name with the value before and after, each of one item, in two sections of one whole.

    Each further child is 0.01 higher than the one before; a control does not change.
    """
    inner = LpbsSpec(groups={name: (name,) for name in groups}) if sides else AttentionSpec()
    spec = ChangeSpec(measured=inner, children=["bert-base-uncased"])
    names = [child, *(f"{child} {at}" for at in range(1, children))]
    frames = {
        (name, False): _frame({entry: after + 0.01 * at for entry, (_, after) in values.items()}, section, sides)
        for at, name in enumerate(names)
    }
    before = _frame({entry: first for entry, (first, _) in values.items()}, section, sides)
    if controls:
        frames["control", True] = before
    of = {key: {"model": key[0], "control": key[1]} for key in frames}
    changes = pd.DataFrame(
        [of[key] | row for key, after in frames.items() for row in metric.changes(before, after, seed=0)]
    ).assign(p_adjusted=lambda rows: rows["p"])
    scored = {"base": 10.0 if price is None else price[0]} | dict.fromkeys(names, 12.0 if price is None else price[1])
    return ChangeResult(
        spec=spec,
        tables=ChangeResult.SCHEMA.frames(
            changes=changes,
            spread=metric.spread(changes),
            sides=[of[key] | row for key, after in frames.items() for row in metric.sides(before, after, groups)],
            price=[
                {"model": name, "role": role, "documents": 2, "tokens": 9, "perplexity": value, "change": None}
                for (name, value), role in zip(scored.items(), ["base", *["child"] * children], strict=True)
                if price is not None
            ],
            models=[
                {"model": name, "role": role, "made_from": None, "text": None, "seed": None, "steps": None}
                for name, role in (
                    ("base", "base"),
                    *((name, "child") for name in names),
                    *((("control", "control"),) if controls else ()),
                )
            ],
            entries=pd.concat([metric.entries(before, after).assign(**of[key]) for key, after in frames.items()]),
        ),
        excluded=(),
        notes=(),
        provenance=NOBODY,
    )


def _frame(values: Mapping[str, float], section: str, sides: bool) -> pd.DataFrame:
    rows = [
        {"whole": f"all {section}", "section": f"{section} {at % 2}", "entry": entry, "item": "", "value": value}
        | ({"first": value / 2, "second": -value / 2} if sides else {})
        for at, (entry, value) in enumerate(values.items())
    ]
    return pd.DataFrame(rows).set_index(list(KEYS))
