"""A comparison from the results of its parts: the measure, and the text, in each model by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ....engine import lending
from ....engine.checkpoints import labels, parentage_of, request
from ....engine.masked import STOPPED
from ....engine.parentage import Parentage
from ....errors import ModelError, NothingToScore
from ....result import Excluded, ModelInfo, Note, Result
from ....stats.corrections import benjamini_hochberg
from ....stats.samples import LEAST
from ...comparable import KEYS
from ...shared import provenance
from ..texts_given import documents_of
from ..tuning.metric import perplexity
from . import metric
from .price import DOCUMENTS, MOST_DOCUMENTS, PriceResult
from .result import (
    BASE,
    CHILD,
    CONTROL,
    ChangeResult,
)
from .spec import ChangeSpec

Row = dict[str, Any]
_SEEDS = 3  # children, or controls, from which their spread says something


@dataclass(frozen=True)
class Member:
    """One of the models, measured: what it is here, and what its folder says of where it comes from."""

    name: str
    role: str
    info: ModelInfo
    result: Result
    parent: Parentage | None

    @property
    def of(self) -> Row:
        """What tells its rows from others'."""
        return {"model": self.name, "control": self.role == CONTROL}


def joined(spec: ChangeSpec, results: Sequence[Any]) -> ChangeResult:
    """What the parts gave, put together; a model that refused, or was not reached whole (None), is listed.

    Raises the base's refusal, the first child's where there is none, or NothingToScore.
    """
    asked = _asked(spec)
    step = 1 if spec.text is None else 2  # each model’s price is behind its measure
    members, excluded = _members(asked, results[::step])
    base, *others = members
    infos = [member.info for member in members[:1] if spec.erased] or [member.info for member in members]
    lending.check_different(infos)
    items = {member.name: spec.comparable.items(member.result) for member in members}
    kept = metric.common(items)
    before = kept[base.name]
    if before.empty:
        raise NothingToScore(f"No {spec.comparable.item} has a number in every model, so nothing can be compared.")
    lost = list(_lost(items))
    excluded += lost
    rows = [
        {**member.of, **row} for member in others for row in metric.changes(before, kept[member.name], seed=spec.seed)
    ]
    changes = pd.DataFrame(rows)
    changes["p_adjusted"] = benjamini_hochberg(changes["p"].to_numpy(dtype=float))
    excluded += _not_computed(spec, changes)
    prices, unpriced, priced = _prices(spec, members, [name for name, *_ in asked], results[1::step])
    ends = spec.comparable.ends(spec.measured.spec)
    return ChangeResult(
        spec=spec,
        tables=ChangeResult.SCHEMA.frames(
            changes=changes,
            spread=metric.spread(changes),
            sides=[{**member.of, **row} for member in others for row in metric.sides(before, kept[member.name], ends)],
            summaries=[row for member in others for row in _summaries(spec, base, member)],
            price=prices,
            models=map(_model_row, members),
            entries=pd.concat(
                [metric.entries(before, kept[member.name]).assign(**member.of) for member in others], ignore_index=True
            ),
            items=_items(before, others, kept),
        ),
        excluded=tuple(dict.fromkeys([*excluded, *unpriced])),
        notes=tuple(dict.fromkeys([*lending.same_files(infos), *_notes(spec, members), *_of_wholes(spec, lost)])),
        provenance=provenance.of(infos, data=spec.data, seed=spec.seed),
        stopped=any(result is None or getattr(result, "stopped", False) for result in results) or not priced,
    )


def _asked(spec: ChangeSpec) -> list[tuple[str, str, str]]:
    """What each of the models is called in the result, what it is there, and as what it was requested."""
    names = labels([request(name) for name in spec.every])
    if spec.erased:
        return [(names[0], BASE, spec.models[0]), (f"{names[0]}, gender erased", CHILD, spec.models[0])]
    roles = (BASE, *(CHILD for _ in spec.children), *(CONTROL for _ in spec.controls))
    return list(zip(names, roles, spec.every, strict=True))


def _members(asked: Sequence[tuple[str, str, str]], results: Sequence[Any]) -> tuple[list[Member], list[Excluded]]:
    """The models that were measured whole, the base first, and what is said of the others and of what they lack."""
    members, excluded, errors = list[Member](), list[Excluded](), list[ModelError]()
    for (name, role, wanted), result in zip(asked, results, strict=True):
        if isinstance(result, ModelError):
            if role == BASE:
                raise result
            errors.append(result)
            excluded.append(lending.excluded(name, result))
        elif result is None or result.stopped:
            excluded.append(Excluded(name, "model", name, f"{name} {STOPPED}"))
        else:
            (info,) = result.provenance.models
            members.append(Member(name, role, replace(info, name=name), result, parentage_of(wanted)))
            excluded += [
                replace(item, model=name if item.model == info.name else item.model)
                for item in result.excluded
                if item.kind != "statistic"
            ]
    if [member.role for member in members[:2]] != [BASE, CHILD]:
        raise errors[0] if errors else NothingToScore("The run was stopped before a model was compared with the base.")
    return members, excluded


def _lost(items: Mapping[str, pd.DataFrame]) -> Iterator[Excluded]:
    for model, section, entry, lost, every in metric.missing(items):
        what = f"{lost:,} of {every:,} values have no number" if every > 1 else "has no number"
        yield Excluded(model, "item", entry, f"{entry} ({section}): {what} in {model}, and count in no model")


def _not_computed(spec: ChangeSpec, changes: pd.DataFrame) -> Iterator[Excluded]:
    """The sections where nothing differs, or too little for a p, or too few entries for an interval."""
    for row in changes.to_dict("records"):
        what = f"{row['quantity']} of {row['section']}"
        missing = []
        if np.isnan(row["p"]):
            why = "nothing differs" if np.isnan(row["W"]) else f"fewer than {LEAST} values differ"
            missing.append(f"p not computed, {why}")
        if np.isnan(row["ci_low"]):
            missing.append(f"interval not computed, fewer than {LEAST} {spec.comparable.entry} means")
        if missing:
            reason = f"{what} in {row['model']}: {'; '.join(missing)}"
            yield Excluded(row["model"], "statistic", what, reason, test="change")


def _summaries(spec: ChangeSpec, base: Member, member: Member) -> list[Row]:
    read = spec.comparable.summaries
    if read is None:
        return []
    keys = ["section", "name", "unit"]
    both = read(base.result).merge(read(member.result), on=keys, suffixes=("_before", "_after"))
    return [
        {
            **member.of,
            **{key: row[key] for key in keys},
            "before": row["value_before"],
            "after": row["value_after"],
            "difference": row["value_after"] - row["value_before"],
        }
        for row in both.to_dict("records")
    ]


def _items(before: pd.DataFrame, others: Sequence[Member], kept: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    controls = [kept[member.name]["value"] for member in others if member.role == CONTROL]
    mean = sum(controls) / len(controls) if controls else np.nan
    frames = []
    for member in others:
        rows = before.reset_index()[list(KEYS)].drop(columns="whole")
        after = kept[member.name]["value"]
        values = {
            "before": before["value"],
            "after": after,
            "control_after": mean,
            "difference": after - before["value"],
        }
        columns = pd.DataFrame(values, index=before.index).reset_index(drop=True)
        frames.append(pd.concat([rows, columns], axis=1).assign(**member.of))
    return pd.concat(frames, ignore_index=True)


def _prices(
    spec: ChangeSpec, members: Sequence[Member], names: Sequence[str], results: Sequence[Any]
) -> tuple[list[Row], list[Excluded], bool]:
    """Pseudo-perplexity of each model on the documents that all could score, what is excluded, and if all was done.

    A model that splits the text into other tokens than the base has none.
    """
    if spec.text is None:
        return [], [], True
    scored: dict[str, pd.DataFrame] = {}
    excluded: list[Excluded] = []
    whole = True
    found = dict(zip(names, results, strict=True))
    for member in members:
        result = found[member.name]
        if isinstance(result, PriceResult):
            scored[member.name] = result[DOCUMENTS].set_index("document")
            excluded += [replace(item, model=member.name) for item in result.excluded]
        elif isinstance(result, ModelError):
            what = "pseudo-perplexity"
            excluded.append(Excluded(member.name, "statistic", what, f"{what}: {result}", test="price"))
        else:
            whole = False
    base = scored.get(members[0].name)
    if base is None:
        return [], excluded, whole
    for name in [name for name, frame in scored.items() if _is_split_otherwise(frame, base)]:
        del scored[name]
        why = f"pseudo-perplexity: {name} splits the text into other tokens than the base, so that means do not compare"
        excluded.append(Excluded(name, "statistic", "pseudo-perplexity", why, test="price"))
    documents = [name for name in base.index if all(name in frame.index for frame in scored.values())]
    rows: list[Row] = []
    for member in members:
        if member.name in scored and documents:
            frame = scored[member.name].loc[documents]
            value = perplexity(frame["ln_p"].tolist(), frame["tokens"].tolist())
            rows.append(
                {
                    "model": member.name,
                    "role": member.role,
                    "documents": len(documents),
                    "tokens": int(frame["tokens"].sum()),
                    "perplexity": value,
                    "change": 100 * (value / rows[0]["perplexity"] - 1) if rows else np.nan,
                }
            )
    return rows, excluded, whole


def _is_split_otherwise(frame: pd.DataFrame, base: pd.DataFrame) -> bool:
    """Whether a document that both models scored has other tokens: a mean over tokens is then of another thing."""
    shared = base.index[base.index.isin(frame.index)]
    return bool((frame.loc[shared, "tokens"] != base.loc[shared, "tokens"]).any())


def _model_row(member: Member) -> Row:
    parent = member.parent
    return {
        "model": member.name,
        "role": member.role,
        "made_from": None if parent is None else parent.base,
        "text": None if parent is None else parent.data,
        "seed": None if parent is None else parent.settings.seed,
        "steps": None if parent is None else parent.steps,
    }


def _notes(spec: ChangeSpec, members: Sequence[Member]) -> Iterator[Note]:
    """What stands between a difference and the conclusion that the text made it."""
    base, *others = members
    if spec.erased:
        yield Note(
            "Gender was erased from the vectors that are read. Nothing was trained and the model predicts as before: "
            "there are no seeds, no controls and no price."
        )
    else:
        yield from _of_training(spec, base, others)
    for member in members:
        own = member.result.provenance.models[0].name
        for note in member.result.notes:
            yield replace(note, model=member.name if note.model == own else note.model)


def _of_wholes(spec: ChangeSpec, lost: Sequence[Excluded]) -> Iterator[Note]:
    """What numbers of a whole model are over, where the models do not have the same items."""
    if lost and spec.comparable.summaries is not None:
        yield Note(
            f"Numbers of a whole model are over all of its own {spec.comparable.items_noun}, those among them that "
            "another model lacks."
        )


def _of_training(spec: ChangeSpec, base: Member, others: Sequence[Member]) -> Iterator[Note]:
    children = [member for member in others if member.role == CHILD]
    controls = [member for member in others if member.role == CONTROL]
    if not controls:
        yield Note(
            "There is no control: any fine-tuning changes a model. Give models fine-tuned in the same way on the "
            "unswapped text before a difference is put down to the text."
        )
    for of, what in ((children, "model after"), (controls, "control")):
        if 0 < len(of) < _SEEDS:
            count = "one" if len(of) == 1 else "two"
            yield Note(
                f"There {'is' if len(of) == 1 else 'are'} {count} {what if len(of) == 1 else _plural(what)}: another "
                f"seed may give another difference, and the spread takes at least {_SEEDS}."
            )
    for member in others:
        yield from (Note(said, member.name) for said in _of_parent(base, member, children))
    if spec.text is not None:
        yield from _of_text(spec, others)


def _of_parent(base: Member, member: Member, children: Sequence[Member]) -> Iterator[str]:
    parent = member.parent
    if parent is None:
        if member.info.digest != base.info.digest:
            yield f"nothing in its folder says that it was made from {base.name}; the difference may have other causes."
        return
    if parent.base_digest != base.info.digest:
        yield (
            f"its folder says that it was fine-tuned from {parent.base} (SHA-256 {parent.base_digest[:12]}), which is "
            f"not the base {base.name} (SHA-256 {base.info.digest[:12]})."
        )
    if member.role == CONTROL:
        known = [child for child in children if child.parent is not None]
        same = [child.name for child in known if child.parent and child.parent.data_digest == parent.data_digest]
        if same:
            yield f"this control was fine-tuned on the same text as {same[0]}, {parent.data}, so it is none."
        elif known and all(_training(child.parent) != _training(parent) for child in known):
            yield "this control was fine-tuned with other settings or steps than the models after."


def _training(parent: Parentage | None) -> Any:
    return None if parent is None else (parent.steps, replace(parent.settings, seed=0))


def _of_text(spec: ChangeSpec, others: Iterable[Member]) -> Iterator[Note]:
    assert spec.text is not None
    file = documents_of(spec.text)
    yield from map(Note, file.notes)
    if len(file.documents) > MOST_DOCUMENTS:
        yield Note(
            f"The price is that of {MOST_DOCUMENTS} of the {len(file.documents):,} documents of {file.name}, at even "
            "distances."
        )
    for member in others:
        if member.parent is not None and member.parent.data_digest == spec.text.sha256:
            yield Note(
                f"it was fine-tuned on {file.name}, so that its price there says little; give a text it has not seen.",
                member.name,
            )


def _plural(what: str) -> str:
    return "models after" if what == "model after" else f"{what}s"
