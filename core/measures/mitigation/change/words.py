"""The sentences of a comparison before and after: the facts for the templates beside this module."""

from __future__ import annotations

import math
from typing import Any

from ....report.methods import BENJAMINI_HOCHBERG_1995
from ....report.numbers import counted, signed
from ....report.texts import Finding, finding_of, text_of
from ....report.wording import listed
from ....report.works import cited
from ....stats.rank_tests import EXACT_PAIRS, EXACT_TIED_PAIRS
from ....stats.samples import LEAST
from ...lpbs.professions.words import WILCOXON_1945
from ..tuning.words import SALAZAR_2020
from .price import MOST_DOCUMENTS
from .result import BASE, CHANGES, CHILD, CONTROL, LEAN, PRICE, SIZE, SPREAD, SUMMARIES, ChangeResult


def finding(result: ChangeResult) -> Finding:
    """Whether the lean is smaller or larger after, which way it moved, how surely, against the controls; the price."""
    wholes = result.wholes
    chief = wholes[0]
    size, lean = (_spread(result, chief, quantity) for quantity in (SIZE, LEAN))
    ways = [direction(result, whole, SIZE) for whole in wholes]
    clear = [way if beyond_controls(result, whole, SIZE) else 0 for way, whole in zip(ways, wholes, strict=True)]
    first = _first_child(result, chief, LEAN)
    return finding_of(
        __file__,
        "finding",
        base=result.base,
        children=len(result.children),
        controls=len(result.controls),
        erased=result.spec.erased,
        entry=result.comparable.entry,
        unit=f" {result.unit}" if result.unit else "",
        wholes=len(wholes),
        smaller=clear.count(-1),
        larger=clear.count(1),
        way=ways[0],
        beyond=beyond_controls(result, chief, SIZE),
        enough=not math.isnan(_first_child(result, chief, SIZE)["ci_low"]),
        least=LEAST,
        size=size,
        lean=lean,
        lean_way=direction(result, chief, LEAN),
        end=result.ends[0 if lean["difference"] > 0 else 1] or ("higher" if lean["difference"] > 0 else "lower"),
        interval=None if math.isnan(first["ci_low"]) else (first["ci_low"], first["ci_high"]),
        price=price(result),
        summary=summary(result),
    )


def direction(result: ChangeResult, section: str, quantity: str) -> int:
    """Which way every child clearly moved, +1 or −1: each interval excludes 0, on one side. 0 where that is not so."""
    rows = _of(result, section, quantity)
    children = rows[~rows["control"]]
    return int((children["ci_low"] > 0).all()) - int((children["ci_high"] < 0).all())


def beyond_controls(result: ChangeResult, section: str, quantity: str) -> bool:
    """Whether every child moved further than every control, that way; true without controls."""
    rows = _of(result, section, quantity)
    children, controls = (rows.loc[rows["control"] == control, "difference"] for control in (False, True))
    way = direction(result, section, quantity)
    return not len(controls) or bool((way * children).min() > (way * controls).max())


def _of(result: ChangeResult, section: str, quantity: str) -> Any:
    rows = result[CHANGES]
    return rows[(rows["section"] == section) & (rows["quantity"] == quantity)]


def price(result: ChangeResult) -> dict[str, Any] | None:
    """Pseudo-perplexity before, and mean after and of the controls; None where it was not measured."""
    rows = result[PRICE]
    of = {role: rows.loc[rows["role"] == role, "perplexity"] for role in (BASE, CHILD, CONTROL)}
    if not (len(of[BASE]) and len(of[CHILD])):
        return None
    return {
        "before": float(of[BASE].iloc[0]),
        "after": float(of[CHILD].mean()),
        "control": float(of[CONTROL].mean()) if len(of[CONTROL]) else None,
        "documents": int(rows["documents"].iloc[0]),
    }


def summary(result: ChangeResult) -> dict[str, Any] | None:
    """Mean size of the summaries before, after and of the controls, where they say more than items; None elsewhere."""
    rows = result[SUMMARIES]
    if not result.comparable.by_summary or rows.empty:
        return None
    children, controls = (rows[rows["control"] == control] for control in (False, True))
    return {
        "name": str(rows["name"].iloc[0]),
        "count": int(children["section"].nunique()),
        "before": float(children["before"].abs().mean()),
        "after": float(children["after"].abs().mean()),
        "control": float(controls["after"].abs().mean()) if len(controls) else None,
    }


def _spread(result: ChangeResult, section: str, quantity: str) -> dict[Any, Any]:
    rows = result[SPREAD]
    found: dict[Any, Any] = rows[(rows["section"] == section) & (rows["quantity"] == quantity)].to_dict("records")[0]
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in found.items()}


def _first_child(result: ChangeResult, section: str, quantity: str) -> dict[Any, Any]:
    rows = _of(result, section, quantity)
    found: dict[Any, Any] = rows[~rows["control"]].to_dict("records")[0]
    return found


def methods(result: ChangeResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec, inner = result.spec, result.spec.measured.spec
    return (
        text_of(
            __file__,
            "methods",
            title=inner.TITLE,
            description=inner.DESCRIPTION,
            options=[f"{label[:1].lower()}{label[1:]}: {value}" for label, value in spec.options()],
            base=result.base,
            children=list(result.children),
            controls=list(result.controls),
            erased=result.spec.erased,
            entry=result.comparable.entry,
            item=result.comparable.item,
            tests=int(result[CHANGES]["p"].notna().sum()),
            exact=EXACT_PAIRS,
            tied=EXACT_TIED_PAIRS,
            least=LEAST,
            text="" if spec.text is None else spec.text.name,
            priced=price(result) is not None,
            most=MOST_DOCUMENTS,
        ),
    )


def references(result: ChangeResult) -> tuple[str, ...]:
    """The papers that the method is from."""
    priced = (SALAZAR_2020,) if len(result[PRICE]) else ()
    return (*cited(("Bartl et al. 2020",)), WILCOXON_1945, BENJAMINI_HOCHBERG_1995, *priced)


def material(result: ChangeResult) -> tuple[str, ...]:
    """What was compared, for the caption of a figure."""
    rows = result[CHANGES][(result[CHANGES]["quantity"] == LEAN) & result[CHANGES]["section"].isin(result.wholes)]
    n = int(rows.drop_duplicates("section")["n"].sum())
    after = counted(len(result.children), "model after", "models after")
    controls = f", {counted(len(result.controls), 'control')}" if result.controls else ""
    items = counted(n, result.comparable.item, result.comparable.items_noun)
    return (f"{result.spec.measured.spec.TITLE}. n = {items}; {after}{controls}.",)


def means_text(rows: Any, what: str, unit: str) -> str:
    """In words, what the paired bars show, from what they are (``figures.bars_of``, ``figures.means_of``)."""
    told = [f"{' '.join(filter(None, (row.section, row.side)))} {row.text}" for row in rows]
    return f"{what[:1].upper()}{what[1:]} before and after{f' in {unit}' if unit else ''}: {'; '.join(told)}."


def entries_text(result: ChangeResult, whole: str) -> str:
    """In words, what the entries show: how many came nearer to 0."""
    rows = result["entries"]
    rows = rows[(rows["whole"] == whole) & ~rows["control"]]
    nearer, noun = int((rows["after"].abs() < rows["before"].abs()).sum()), f"{result.comparable.entry} mean"
    return f"{nearer:,} of {counted(len(rows), noun)} are nearer to 0 after than before."


def differences_text(result: ChangeResult, quantity: str) -> str:
    """In words, what the differences show."""
    rows = result[SPREAD][result[SPREAD]["quantity"] == quantity].to_dict("records")
    told = [f"{row['section']} {signed(row['difference'], 3)}" for row in rows]
    return f"Mean differences after minus before: {listed(told)}."


def beside_the_table(result: ChangeResult) -> str:
    """What is known of the paper's table, beside that of the professions; empty for other measures."""
    if result.spec.measured.command != "professions":
        return ""
    return (
        "As in Table 4 of Bartl et al. 2020, W is over the pairs of a group: how much more the female word changed "
        "than the male one. There r is |z| / √(2n), always printed with a minus; here it has the sign of the change. "
        "In the authors’ code the printed statistics are split by the profession’s group, not by the person, and the "
        "Shapiro test ran on 3,600 unpaired values. Pairs of one profession are not independent, so p is too small: "
        "the intervals draw whole professions."
    )
