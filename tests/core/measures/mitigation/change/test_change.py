from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.charts.theme import LIGHT
from core.cli import main
from core.engine.parentage import FILE, read
from core.engine.pool import ModelPool
from core.errors import ModelError, NothingToScore, OptionError
from core.measures.association.direction.spec import DirectionSpec
from core.measures.association.spec import AskedTest, AssociationSpec
from core.measures.attention.spec import AttentionSpec
from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.comparable import KEYS
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MeasureSpec
from core.measures.mitigation.change import figures, metric, words
from core.measures.mitigation.change.price import MOST_DOCUMENTS
from core.measures.mitigation.change.result import CHANGES, ENTRIES, ITEMS, PRICE, SIDES, SPREAD, ChangeResult
from core.measures.mitigation.change.spec import ChangeSpec, comparable
from core.measures.mitigation.change.tables import section_table
from core.measures.mitigation.tuning.spec import Rate, TuningSpec
from core.plain import plain
from core.run import Run
from core.sources import corpus, own_test
from core.spec import File
from core.stats.resampling import bootstrap_mean_interval
from tests.support.change_results import change_result
from tests.support.finetuning import TEXTS, loaded, trained
from tests.support.reference import table
from tests.support.tiny import tiny_folder

JOBS = ("nurse", "engineer", "teacher", "doctor", "clerk", "mechanic")
HELD = File.of("held.txt", b"He said that she was right.\nThe clerk was late.\n")
_CORPUS = corpus("en").changed(templates="[TARGET] is a [ATTRIBUTE].", pairs="she / he", professions="\n".join(JOBS))
PROFESSIONS = ProfessionSpec(corpora=(_CORPUS,))


def items(values: Sequence[float], entries: Sequence[str] = "", sections: Sequence[str] = "") -> pd.DataFrame:
    """Items with these values, each an entry of one section where nothing is said."""
    names = list(entries or [f"e{at}" for at in range(len(values))])
    parts = list(sections or ["s"] * len(values))
    rows = {
        "whole": "all",
        "section": parts,
        "entry": names,
        "item": list(map(str, range(len(values)))),
        "value": values,
    }
    return pd.DataFrame(rows).set_index(list(KEYS))


def lean_and_size(before: pd.DataFrame, after: pd.DataFrame) -> tuple[dict[str, Any], dict[str, Any]]:
    first, second = list(metric.changes(before, after, seed=1))[:2]
    assert (first["quantity"], second["quantity"]) == ("lean", "size")
    return first, second


# -- pure numbers -----------------------------------------------------------------------------------------------------


def test_a_change_worked_by_hand() -> None:
    before, after = items([1, 3, -2, 0], "aabb"), items([0, 2, -1, 0], "aabb")
    lean, size = lean_and_size(before, after)
    # Differences −1, −1, +1, 0: three are not 0, of one size, so each has rank 2, and W = 2.
    assert (lean["n"], lean["before"], lean["after"], lean["difference"], lean["W"]) == (4, 0.5, 0.25, -0.25, 2)
    # z = (2 − 3·4/4) / √(3·4·7/24), r = z / √(2·3).
    assert lean["r"] == pytest.approx(-1 / math.sqrt(3.5) / math.sqrt(6))
    assert math.isnan(lean["p"])  # three differences are too few
    # Means of a 2 → 1 and of b −1 → −0.5: sizes 2 → 1 and 1 → 0.5.
    assert (size["n"], size["before"], size["after"], size["difference"], size["W"]) == (2, 1.5, 0.75, -0.75, 0)


def test_six_differences_of_one_sign_have_the_exact_p() -> None:
    lean, _ = lean_and_size(items([0.0] * 6), items([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
    assert lean["p"] == pytest.approx(2 / 2**6)  # all six signs equal, either way
    assert (lean["W"], lean["p_kind"]) == (21, "exact")


def test_nothing_changed_is_zero_everywhere_and_has_no_p() -> None:
    same = items(np.linspace(-1, 1, 8).tolist())
    for row in metric.changes(same, same, seed=0):
        assert (row["difference"], row["ci_low"], row["ci_high"]) == (0, 0, 0)
        assert math.isnan(row["W"])
        assert math.isnan(row["p"])


def test_exchanging_before_and_after_turns_every_sign() -> None:
    generator = np.random.default_rng(3)
    entries, sections = [f"e{at // 3}" for at in range(48)], ["a"] * 24 + ["b"] * 24
    before, after = (items(generator.normal(size=48).tolist(), entries, sections) for _ in range(2))
    there, back = (list(metric.changes(*pair, seed=2)) for pair in ((before, after), (after, before)))
    assert len(there) == 6  # all, a and b, of lean and of size
    for first, second in zip(there, back, strict=True):
        assert first["difference"] == pytest.approx(-second["difference"])
        assert (first["r"], first["p"]) == (pytest.approx(-second["r"]), pytest.approx(second["p"]))
        assert (first["ci_low"], first["ci_high"]) == pytest.approx((-second["ci_high"], -second["ci_low"]))
        assert first["W"] + second["W"] == first["n"] * (first["n"] + 1) / 2


def test_the_order_of_items_changes_nothing() -> None:
    generator = np.random.default_rng(5)
    entries = [f"e{at // 3}" for at in range(30)]
    before, after = (items(generator.normal(size=30).tolist(), entries) for _ in range(2))
    place = generator.permutation(30)
    for row, other in zip(
        metric.changes(before, after, seed=2),
        metric.changes(before.iloc[place], after.iloc[place], seed=2),
        strict=True,
    ):
        assert {name: pytest.approx(value, nan_ok=True) for name, value in row.items()} == other


def test_the_interval_draws_whole_entries() -> None:
    generator = np.random.default_rng(7)
    entries = [f"e{at // 4}" for at in range(32)]
    before, after = (items(generator.normal(size=32).tolist(), entries) for _ in range(2))
    lean, _ = lean_and_size(before, after)
    # Of entries with equally many items, the mean over items is the mean of the entries' means.
    means = (after["value"] - before["value"]).to_numpy().reshape(8, 4).mean(axis=1)
    expected = bootstrap_mean_interval(means, seed=1)
    assert (lean["ci_low"], lean["ci_high"]) == pytest.approx((expected.low, expected.high))


def test_what_a_model_lacks_counts_in_none_and_is_said() -> None:
    of = {"m": items([1, 2, 3], "aab").reset_index(), "n": items([1, 2, 3], "aab").reset_index().iloc[1:]}
    assert {len(frame) for frame in metric.common(of).values()} == {2}
    assert list(metric.missing(of)) == [("n", "s", "a", 1, 2)]


def test_the_spread_worked_by_hand() -> None:
    rows = pd.DataFrame(
        {
            "section": "s",
            "quantity": "lean",
            "control": [False, False, False, True, True],
            "before": 1.0,
            "difference": [-1.0, -2.0, -3.0, -0.5, 0.5],
        }
    )
    (row,) = metric.spread(rows)
    assert (row["n"], row["difference"], row["sd"], row["low"], row["high"]) == (3, -2, 1, -3, -1)
    assert (row["n_control"], row["control"], row["net"]) == (2, 0, -2)
    # Variances 1 of three and 0.5 of two.
    assert row["control_sd"] == pytest.approx(math.sqrt(0.5))
    assert row["net_se"] == pytest.approx(math.sqrt(1 / 3 + 0.5 / 2))


def test_table_4_of_bartl_follows_from_the_published_scores() -> None:
    groups = table("becpro_means").set_index("profession")["group"]
    before = table("becpro_associations").query("scores == 'pre_maskpad' and language == 'en'")
    rows = metric.changes(_pairs(before, groups), _pairs(table("becpro_associations_after"), groups), seed=0)
    found = {row["section"]: row for row in rows if row["quantity"] == "lean"}
    # V by R's formula over the 900 pairs of a group, and r = |z| / √(2n) with its sign, from the same scores
    # (epoch 2 of an independent run; Table 4 prints 359188, 96428 and 395974 of the authors' own).
    expected = {"balanced": (358978, 0.4721), "female": (114473, -0.2667), "male": (396473, 0.5854)}
    for group, (w, r) in expected.items():
        assert (found[group]["n"], found[group]["W"]) == (900, w)
        assert found[group]["r"] == pytest.approx(r, abs=1e-4)
    # Means of the women's words less those of the men's: 0.6031 − 0.0048, −0.1052 − 0.5113, 1.0456 + 0.0019.
    means = {group: found[group]["difference"] for group in expected}
    assert means == pytest.approx({"balanced": 0.5983, "female": -0.6165, "male": 1.0475}, abs=2e-4)


def _pairs(wide: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """The female − male associations of each profession, template and pair of persons."""
    columns = list(wide.columns[3:])
    numbers = wide[columns].astype(float).to_numpy()
    differences = numbers[:, : len(columns) // 2] - numbers[:, len(columns) // 2 :]
    rows = [
        {"whole": "all", "section": groups[job], "entry": job, "item": column, "value": value}
        for job, of_job in zip(wide["profession"], differences, strict=True)
        for column, value in zip(columns, of_job, strict=False)
    ]
    return pd.DataFrame(rows).set_index(list(KEYS))


# -- what is compared is what the measure says ------------------------------------------------------------------------

_LISTS = (("he", "man"), ("she", "woman"), ("engineer", "doctor"), ("nurse", "teacher"))
_PAIRS = File.of(
    "crows.csv",
    b",sent_more,sent_less,stereo_antistereo,bias_type\n"
    b"0,She is a nurse.,He is a nurse.,stereo,gender\n1,He is a doctor.,She is a doctor.,stereo,gender\n",
)


@pytest.fixture(scope="module")
def pool() -> Iterator[ModelPool]:
    found = ModelPool()
    yield found
    found.clear()


@pytest.mark.parametrize(
    ("spec", "table", "entry", "value"),
    [
        (PROFESSIONS, "professions", "profession", "difference"),
        (
            LpbsSpec(
                templates=("[TARGET] is a [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired."),
                groups={"male": ("he", "man", "bookkeeper"), "female": ("she", "woman", "girl")},
                attributes=("nurse", "engineer"),
            ),
            "attributes",
            "attribute",
            "lpbs",
        ),
        (
            LpbsSpec(groups={"male": ("he", "man"), "female": ("she",)}, attributes=("nurse", "engineer")),
            "attributes",
            "attribute",
            "lpbs",
        ),
        (
            LpbsSpec(
                groups={"a": ("he", "man"), "b": ("she", "woman"), "c": ("it", "they")},
                attributes=("nurse",),
                contrasts="others",
            ),
            "attributes",
            "attribute",
            "lpbs",
        ),
        (AttentionSpec(sentence="She told him that the nurse was late."), "heads", "", "degree"),
        (
            AssociationSpec(tests=(AskedTest.of(own_test(*_LISTS)),), representations=("input-embedding",)),
            "members",
            "member",
            "association",
        ),
        (
            DirectionSpec(words=("nurse", "engineer", "doctor"), representations=("input-embedding",)),
            "projections",
            "word",
            "projection",
        ),
        (BenchmarkSpec(benchmark="crows-pairs", files=(_PAIRS,)), "items", "item", "difference"),
    ],
)
def test_the_means_of_entries_are_the_numbers_of_the_measure(
    spec: MeasureSpec[Any], table: str, entry: str, value: str, pool: ModelPool
) -> None:
    result = replace(spec, models=(str(tiny_folder("bert")),)).run(pool=pool)
    of = type(spec).COMPARABLE
    assert of is not None
    found = of.items(result)
    assert not found.duplicated(list(KEYS)).any()
    rows = result[table]
    rows = rows[rows["kind"] == "attention"] if "kind" in rows else rows
    heads = zip(rows["layer"], rows["head"], strict=True) if not entry else ()
    names = rows[entry] if entry else [f"L{int(layer)} H{head}" for layer, head in heads]
    section = rows["contrast"] if "contrast" in rows else [""] * len(rows)
    keys = found["section"] if "contrast" in rows else [""] * len(found)
    means = found.groupby([list(keys), "entry"])["value"].mean().to_dict()
    expected = dict(zip(zip(section, names, strict=True), rows[value], strict=True))
    assert means == pytest.approx({key: number for key, number in expected.items() if not math.isnan(number)}, abs=1e-6)


def test_d_of_an_association_test_is_compared_too(pool: ModelPool) -> None:
    spec = AssociationSpec(tests=("weat7",), representations=("input-embedding",), models=(str(tiny_folder("bert")),))
    result = spec.run(pool=pool)
    of = type(spec).COMPARABLE
    assert of is not None
    assert of.summaries is not None
    (row,) = of.summaries(result).to_dict("records")
    assert (row["section"], row["name"]) == ("weat7, input embedding", "d")
    assert row["value"] == result["tests"]["effect_size"].iloc[0]


def test_the_direct_bias_of_a_direction_is_compared_too(pool: ModelPool) -> None:
    spec = DirectionSpec(
        words=("nurse", "engineer"), representations=("input-embedding",), models=(str(tiny_folder("bert")),)
    )
    result = spec.run(pool=pool)
    of = type(spec).COMPARABLE
    assert of is not None
    assert of.summaries is not None
    (row,) = of.summaries(result).to_dict("records")
    assert (row["section"], row["name"]) == ("input embedding", "direct bias")
    assert row["value"] == pytest.approx(result["projections"]["projection"].abs().mean(), abs=1e-6)
    assert of.ends(spec) == ("female", "male")


# -- fine-tuned models ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two children of the tiny BERT and their controls, of 50 steps each, and a copy of the base."""
    place = tmp_path_factory.mktemp("models")
    patch = pytest.MonkeyPatch()
    patch.setenv("TILTMETER_CACHE", str(place / "cache"))
    spec = TuningSpec(
        models=(str(tiny_folder("bert")),),
        file=File.of("swapped.txt", "\n".join(TEXTS).encode()),
        control=File.of("unswapped.txt", "\n".join((*TEXTS[1:], TEXTS[0].replace("she", "he"))).encode()),
        max_steps=50,
        epochs=99,
        batch=4,
        rate=Rate.HIGHEST,
        seeds=2,
        out=place / "tuned",
    )
    tuned = spec.run()
    assert (tuned["models"]["last_loss"] < tuned["models"]["first_loss"]).all()
    shutil.copytree(tiny_folder("bert"), place / "copy")
    patch.undo()
    return place


def spec_of(folder: Path, **changed: Any) -> ChangeSpec:
    tuned = folder / "tuned"
    given = {
        "models": str(tiny_folder("bert")),
        "measured": PROFESSIONS,
        "children": [str(tuned / f"tuned-seed-{seed}") for seed in (0, 1)],
        "controls": [str(tuned / f"tuned-control-seed-{seed}") for seed in (0, 1)],
    }
    return ChangeSpec(**{**given, **changed})


@pytest.fixture(scope="module")
def result(folder: Path, pool: ModelPool) -> ChangeResult:
    return spec_of(folder, text=HELD).run(pool=pool)


def test_fifty_steps_change_the_professions(folder: Path, result: ChangeResult, pool: ModelPool) -> None:
    alone = [
        replace(PROFESSIONS, models=(name,), statistic=None).run(pool=pool)["professions"].set_index("profession")
        for name in result.spec.every[:2]
    ]
    rows = result.of(ENTRIES, "tuned-seed-0").set_index("entry")
    assert rows["before"].to_dict() == pytest.approx(alone[0]["difference"].to_dict(), abs=1e-6)
    assert rows["after"].to_dict() == pytest.approx(alone[1]["difference"].to_dict(), abs=1e-6)
    assert (rows["difference"].abs() > 1e-3).any()
    # Read again from their folders, the same numbers to the last bit.
    again = spec_of(folder, text=HELD).run(pool=ModelPool())
    assert all(again[name].equals(result[name]) for name in result.tables)


def test_sides_and_their_difference_agree(result: ChangeResult) -> None:
    sides = result[SIDES].pivot(index=["model", "section"], columns="side", values="difference")
    lean = result[CHANGES].query("quantity == 'lean'").set_index(["model", "section"])["difference"]
    assert (sides["female words"] - sides["male words"]).to_dict() == pytest.approx(lean.to_dict())


def test_table_4_has_a_row_a_model_and_group(result: ChangeResult) -> None:
    table = section_table(result)
    assert list(table.columns) == [
        "model",
        "section",
        *(f"{part} {side} words" for side in ("female", "male") for part in ("before", "after", "difference")),
        *("W", "r", "p_adjusted", "n"),
    ]
    assert len(table) == len(result[CHANGES]) / 2
    row = table.iloc[1]
    sides = result[SIDES].set_index(["model", "section", "side"])
    assert row["after male words"] == sides.loc[(row["model"], row["section"], "male words"), "after"]
    change = result[CHANGES].query("quantity == 'lean'").set_index(["model", "section"])
    assert row["W"] == change.loc[(row["model"], row["section"]), "W"]


def test_a_difference_is_filled_where_its_interval_does_not_include_0(result: ChangeResult) -> None:
    for quantity in ("lean", "size"):
        rows = result[CHANGES].query(f"quantity == '{quantity}'").set_index(["model", "section"])
        filled = {}
        for trace in figures.differences(result, quantity=quantity, theme=LIGHT).data:
            for data, hue in zip(trace.customdata or (), trace.marker.color or (), strict=False):
                filled[tuple(data)] = hue != LIGHT.paper
        assert filled == {at: bool(row["ci_low"] > 0 or row["ci_high"] < 0) for at, row in rows.iterrows()}


def test_the_control_of_an_item_is_the_mean_of_the_controls(result: ChangeResult) -> None:
    rows = result[ITEMS].set_index(["model", "section", "entry", "item"]).sort_index()
    controls = rows.loc[list(result.controls), "after"].groupby(level=[1, 2, 3]).mean()
    told = rows.loc[result.children[0], "control_after"]
    assert told.to_dict() == pytest.approx(controls.to_dict())


def test_models_say_where_they_come_from(result: ChangeResult) -> None:
    rows = result["models"]
    assert list(rows["role"]) == ["base", "child", "child", "control", "control"]
    assert list(rows["made_from"].iloc[1:]) == ["bert"] * 4
    assert list(rows["text"].iloc[1:]) == ["swapped.txt"] * 2 + ["unswapped.txt"] * 2
    assert list(rows["seed"].iloc[1:]) == [0, 1, 0, 1]
    told = [note.text for note in result.notes]
    assert sum("takes at least 3" in text for text in told) == 2
    assert not any("not the base" in text or "no control" in text or "nothing in its folder" in text for text in told)


def test_the_price_is_that_of_a_loop_over_the_tokens(folder: Path, result: ChangeResult) -> None:
    told = result[PRICE].set_index("model")["perplexity"]
    for name in (result.models[0], result.children[0]):
        place = next(place for place in result.spec.every if Path(place).name == name)
        model = loaded(Path(place))
        total, count = 0.0, 0
        for line in HELD.data.decode().splitlines():
            ids = model.tokenizer(line)["input_ids"]
            for at in range(1, len(ids) - 1):
                hidden = torch.tensor([[*ids[:at], model.tokenizer.mask_token_id, *ids[at + 1 :]]])
                with torch.no_grad():
                    logits = model.module(input_ids=hidden).logits[0, at]
                total, count = total + float(torch.log_softmax(logits, -1)[ids[at]]), count + 1
        assert told[name] == pytest.approx(math.exp(-total / count), rel=1e-4)
    rows = result[PRICE].set_index("model")
    change = 100 * (rows["perplexity"] / rows["perplexity"].iloc[0] - 1)
    assert rows["change"].iloc[1:].to_dict() == pytest.approx(change.iloc[1:].to_dict())
    assert math.isnan(rows["change"].iloc[0])


def test_a_base_against_itself_is_zero_everywhere(folder: Path, pool: ModelPool) -> None:
    same = spec_of(folder, children=str(folder / "copy"), controls=(), text=HELD).run(pool=pool)
    assert not same[CHANGES]["difference"].any()
    assert same[CHANGES]["p"].isna().all()
    assert not same[ITEMS]["difference"].any()
    assert list(same[PRICE]["change"].dropna()) == [0]
    assert any("same files under two names" in note.text for note in same.notes)
    assert any("There is no control" in note.text for note in same.notes)
    assert "nothing differs" in next(item.why for item in same.excluded if item.kind == "statistic")
    assert "not clearly smaller or larger" in words.finding(same).text


def test_what_is_written_nine_times_makes_p_smaller_and_no_interval_narrower() -> None:
    """Pairs that share a profession say the same nine times: only the interval, which is what is told, knows that.

    Differences .3, .2, .1, .05, −.04 and −.02 have ranks 6, 5, 4, 3, −2, −1: W = 18 and 3 against it, and of
    the 64 ways to set the signs 5 have a sum of 3 or less: p = 10/64.
    Nine times each, W = Σ 9 · (mean ranks 50, 41, 32, 23) = 1,314 of n = 54.
    """
    moved = (0.3, 0.2, 0.1, 0.05, -0.04, -0.02)

    def items(after: bool, times: int) -> pd.DataFrame:
        rows = [("w", "s", f"e{at}", str(copy)) for at in range(6) for copy in range(times)]
        values = [value if after else 0.0 for value in moved for _ in range(times)]
        return pd.DataFrame({"value": values}, index=pd.MultiIndex.from_tuples(rows, names=KEYS))

    once, often = (next(iter(metric.changes(items(False, n), items(True, n), seed=0))) for n in (1, 9))
    assert (once["W"], often["W"], often["n"]) == (18, 1314, 54)
    assert once["p"] == pytest.approx(10 / 64)
    z = (1314 - 54 * 55 / 4) / math.sqrt(54 * 55 * 109 / 24)
    assert often["p"] == pytest.approx(math.erfc(z / math.sqrt(2)))
    assert often["p"] < 0.001 < once["p"]
    assert (often["ci_low"], often["ci_high"]) == pytest.approx((once["ci_low"], once["ci_high"]))
    told = words.finding(change_result({f"e{at}": (0.0, after) for at, after in enumerate(moved)})).support
    assert "moved by +0.098 nats towards he (95 % interval" in told
    assert "p =" not in told
    assert "p <" not in told


def test_base_and_child_exchanged_turn_every_sign(folder: Path, pool: ModelPool) -> None:
    base, child = str(tiny_folder("bert")), str(folder / "tuned" / "tuned-seed-0")
    there = spec_of(folder, controls=(), children=child).run(pool=pool)
    back = spec_of(folder, controls=(), children=base, models=child).run(pool=pool)
    for column in ("difference", "r"):
        assert there[CHANGES][column].to_numpy() == pytest.approx(-back[CHANGES][column].to_numpy(), nan_ok=True)
    assert there[CHANGES]["p"].to_numpy() == pytest.approx(back[CHANGES]["p"].to_numpy(), nan_ok=True)
    assert there[SPREAD]["difference"].to_numpy() == pytest.approx(-back[SPREAD]["difference"].to_numpy())


def test_parentage_that_says_otherwise_is_named(folder: Path, pool: ModelPool, tmp_path: Path) -> None:
    spec = spec_of(
        folder,
        models=str(tiny_folder("distilbert")),
        children=[str(folder / "tuned" / "tuned-seed-0"), str(tiny_folder("electra"))],
        controls=(),
        text=File.of("swapped.txt", "\n".join(TEXTS).encode()),
    )
    told = {note.model: note.text for note in spec.run(pool=pool).notes if note.model and "languages" not in note.text}
    assert "was fine-tuned on swapped.txt" in told["tuned-seed-0"]
    assert any(
        "fine-tuned from bert" in note.text and "not the base distilbert" in note.text
        for note in spec.run(pool=pool).notes
        if note.model == "tuned-seed-0"
    )
    assert "nothing in its folder says that it was made from distilbert" in told["electra"]


def test_a_control_on_the_same_text_is_none(folder: Path, pool: ModelPool) -> None:
    tuned = folder / "tuned"
    spec = spec_of(folder, children=str(tuned / "tuned-seed-0"), controls=str(tuned / "tuned-seed-1"))
    told = [note.text for note in spec.run(pool=pool).notes if note.model == "tuned-seed-1"]
    assert any("the same text as tuned-seed-0" in text for text in told)


def test_a_control_of_other_settings_is_said(folder: Path, pool: ModelPool, tmp_path: Path) -> None:
    trained(tiny_folder("bert"), tmp_path / "short", max_steps=2)
    assert read(tmp_path / "short") is not None
    spec = spec_of(folder, controls=str(tmp_path / "short"))
    told = [note.text for note in spec.run(pool=pool).notes if note.model == "short"]
    assert any("other settings or steps" in text for text in told)


def test_a_causal_model_has_no_price_but_its_numbers(pool: ModelPool, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder("gpt2"), tmp_path / "copy")
    spec = ChangeSpec(
        models=str(tiny_folder("gpt2")),
        measured=LpbsSpec(attributes=("nurse", "engineer")),
        children=str(tmp_path / "copy"),
        text=HELD,
    )
    found = spec.run(pool=pool)
    assert found[PRICE].empty
    assert len(found[CHANGES]) == 2
    assert {item.what for item in found.excluded if item.test == "price"} == {"pseudo-perplexity"}


def test_a_model_with_other_tokens_has_no_price_beside_the_base(folder: Path, pool: ModelPool) -> None:
    """A mean over tokens compares nothing where the tokens are others: half as many pieces have twice the ln P each."""
    spec = spec_of(folder, children=(str(tiny_folder("roberta")), *spec_of(folder).children), text=HELD)
    found = spec.run(pool=pool)
    assert set(found[PRICE]["model"]) == {Path(name).name for name in spec.every} - {"roberta"}
    (said,) = [item for item in found.excluded if item.test == "price"]
    assert "splits the text into other tokens" in said.why
    assert found[PRICE]["tokens"].nunique() == 1


def test_of_a_long_text_documents_at_even_distances_are_scored(folder: Path, pool: ModelPool) -> None:
    lines = "\n".join(f"The clerk was late {at} times." for at in range(3 * MOST_DOCUMENTS))
    spec = spec_of(folder, children=str(folder / "copy"), controls=(), text=File.of("long.txt", lines.encode()))
    found = spec.run(pool=pool)
    assert set(found[PRICE]["documents"]) == {MOST_DOCUMENTS}
    assert any(f"{MOST_DOCUMENTS} of the 300 documents" in note.text for note in found.notes)


def test_a_broken_child_is_listed_and_a_broken_base_is_refused(folder: Path, pool: ModelPool, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / FILE).write_text("{}")
    broken, child = str(tmp_path / "broken"), str(folder / "copy")
    found = spec_of(folder, children=[broken, child], controls=()).run(pool=pool)
    assert found.children == ("copy",)
    assert [item.model for item in found.excluded if item.kind == "model"] == ["broken"]
    for spec in (spec_of(folder, models=broken, controls=()), spec_of(folder, children=broken, controls=())):
        with pytest.raises(ModelError, match=r"config\.json"):
            spec.run(pool=pool)


def test_a_run_that_is_stopped_before_a_child_has_nothing(folder: Path, pool: ModelPool) -> None:
    run: Run[Any] = Run()
    run.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore, match="stopped"):
        spec_of(folder).run(run, pool=pool)


def test_gender_erased_is_a_model_after_without_training(pool: ModelPool) -> None:
    base = str(tiny_folder("bert"))
    tests = AssociationSpec(tests=("weat6",), representations=("lpbs", "input-embedding"))
    spec = ChangeSpec(models=base, measured=tests, erased=True)
    found = spec.run(pool=pool)
    alone = [
        replace(tests, models=(base,), representations=("input-embedding",), erase=erase).run(pool=pool)["tests"]
        for erase in ("nothing", "leace")
    ]
    (row,) = found["summaries"].to_dict("records")
    assert (row["before"], row["after"]) == tuple(rows["effect_size"].iloc[0] for rows in alone)
    assert row["before"] != row["after"]
    assert found.children == ("bert, gender erased",)
    # The bars are those of d, not of the means of cosines.
    (bars,) = figures.means_of(found)
    assert (bars.before, bars.after, bars.control) == (row["before"], row["after"], None)
    sizes = f"{abs(row['before']):.3f} before, {abs(row['after']):.3f} after"
    assert f"Mean size of d over 1 test: {sizes}." in words.finding(found).support
    assert [model.name for model in found.provenance.models] == ["bert"]
    assert not any("There is no control" in note.text for note in found.notes)
    assert any("Nothing was trained" in note.text for note in found.notes)
    assert ChangeSpec.restored(plain(spec)) == spec


# -- what is refused --------------------------------------------------------------------------------------------------


def test_of_many_entries_those_that_changed_most_are_counted_within_their_whole() -> None:
    def caption(found: ChangeResult) -> str:
        drawn = figures.entry_dots(found, whole="all s", theme=LIGHT)
        return " ".join(str(note.text) for note in drawn.layout.annotations).replace("<br>", " ")

    many = change_result({f"job {at}": (0.0, 0.01 * at) for at in range(70)})
    assert "the 60 that changed most of 70" in caption(many)
    sixty = change_result({f"job {at}": (0.0, 0.01 * at) for at in range(60)})
    entries = sixty[ENTRIES]
    other = entries.assign(whole="all t", section=entries["section"] + " of t")
    both = replace(sixty, tables={**sixty.tables, ENTRIES: pd.concat([entries, other], ignore_index=True)})
    assert "mean of each" in caption(both)
    assert "that changed most" not in caption(both)


def test_where_a_model_lacks_an_item_numbers_of_whole_models_say_what_they_are_over(pool: ModelPool) -> None:
    """Two sentences that differ in a capital alone are one input to a model without capitals."""
    pairs = File.of("crows.csv", _PAIRS.data + b"2,She is a Nurse.,She is a nurse.,stereo,gender\n")
    models = {"models": str(tiny_folder("bert-cased")), "children": (str(tiny_folder("bert")),)}
    said = "Numbers of a whole model are over all of its own items"
    for file, expected in ((pairs, 1), (_PAIRS, 0)):
        found = ChangeSpec(**models, measured=BenchmarkSpec(benchmark="crows-pairs", files=(file,))).run(pool=pool)
        assert found[ITEMS]["entry"].nunique() == 2
        assert sum(said in note.text for note in found.notes) == expected


def test_what_can_be_compared_is_declared_by_the_measures() -> None:
    assert {"professions", "score", "association", "direction", "attention", "benchmark"} <= set(comparable())
    assert "reliability" not in comparable()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"children": ()}, "no model to compare with the base"),
        ({"children": ["default"]}, "chosen twice"),
        ({"children": ["a"], "controls": ["a"]}, "chosen twice"),
        ({"children": [str(at) for at in range(9)]}, "at most 8"),
        ({"erased": True}, "which only these measures read: association tests, gender direction"),
        ({"erased": True, "measured": "association"}, "omit models after"),
        (
            {"erased": True, "measured": AssociationSpec(representations=("lpbs",)), "children": ()},
            "choose another representation",
        ),
        ({"measured": "reliability"}, "cannot be measured before and after"),
        ({"measured": BenchmarkSpec()}, "choose another benchmark"),
        ({"measured": AssociationSpec(vectors=Path("glove.txt"))}, "not changed by a training"),
    ],
)
def test_what_cannot_be_compared_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        ChangeSpec(**{"children": ["bert-base-uncased"], **changed})


def test_models_and_precision_are_those_of_the_comparison() -> None:
    inner = AttentionSpec(models=("bert-base-uncased",))
    spec = ChangeSpec(measured=inner, children=["bert-base-cased"], dtype="bfloat16")
    assert (spec.measured.spec.models, spec.measured.spec.dtype) == (("minilm-mlm",), "bfloat16")
    assert [part.models for part in spec.parts] == [("minilm-mlm",), ("bert-base-cased",)]
    assert ChangeSpec.restored(plain(spec)) == spec


def test_the_command_takes_the_options_of_its_measure(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (["score", "--child", "no-such-model"], "no model named “no-such-model”"),
        (["professions"], "no model to compare with the base"),
        (["benchmark", "crows-pairs", "--child", "bert-base-uncased"], "needs your copy of its data"),
    ):
        assert main(["change", *arguments]) in (1, 2)
        assert said in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["change", "professions", "--year", "2021", "--child", "bert-base-uncased"])  # compares with no statistic
    with pytest.raises(SystemExit):
        main(["change"])
