"""The cards of Bartl, Nissim & Gatt 2020: what is kept is what the stored scores give."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core import shelf, sources
from core.engine.parentage import Parentage, Settings
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.mitigation.change.result import ChangeResult
from core.measures.mitigation.change.spec import ChangeSpec
from core.papers.card import NEEDED
from core.papers.comparison import Row, compared, refused, remarks
from core.papers.registry import card
from core.result import ModelInfo, Provenance
from core.sources import corpus
from core.sources.lists import read_json
from tests.support.paths import SHARED
from tests.support.reference import skip, table

GROUPS = ("female", "balanced", "male")
CLEAN, STORED = "padded with [PAD]", "stored scores"
INFO = ModelInfo(
    *("bert-base-uncased", "google-bert/bert-base-uncased", None, "sha256:0", "BERT", "masked"),
    *(12, 12, 1, ("en",), False, "float32", "cpu", "sdpa"),
)
BERT = Provenance("Tiltmeter", (INFO,), (), 0, (), "2026-01-01T00:00:00Z")


def associations(language: str, scores: str) -> pd.DataFrame:
    """The stored associations: profession, group, pair and template, gender, association."""
    name = "becpro_associations_after" if scores.startswith("post") else "becpro_associations"
    wide = table(name).query(
        "language == @language and scores == @scores", local_dict={"language": language, "scores": scores}
    )
    groups = {profession.name: profession.group for profession in corpus("en").professions}
    columns = list(wide.columns[3:])
    half = len(columns) // 2
    rows = [
        {"group": groups[row["profession"]], "profession": row["profession"], "pair": at % half}
        | {"gender": "female" if at < half else "male", "association": float(row[column])}
        for row in wide.to_dict("records")
        for at, column in enumerate(columns)
    ]
    return pd.DataFrame(rows)


def rank_sum(differences: pd.Series) -> tuple[float, float]:
    """W over the differences that are not 0, and −|z| / √(2n), by the formula."""
    kept = differences[differences != 0]
    n = len(kept)
    w = float(kept.abs().rank()[kept > 0].sum())
    z = (w - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return w, -abs(z) / math.sqrt(2 * n)


def references(name: str, reference: str) -> dict[Any, Any]:
    return {value.key: value.references[reference] for value in card(name).values}


def paired(scores: pd.DataFrame) -> pd.Series:
    """Female less male, by group, profession and pair."""
    sides = scores.set_index(["group", "profession", "pair", "gender"])["association"].unstack("gender")
    return sides["female"] - sides["male"]


@pytest.mark.parametrize(("column", "reference"), [("pre_maskpad", STORED), ("pre_pad", CLEAN)])
def test_table_5_of_the_stored_scores(column: str, reference: str) -> None:
    scores = associations("de", column)
    kept = references("bartl-table-5", reference)
    for (group, gender), values in scores.groupby(["group", "gender"])["association"]:
        assert kept[f"{group} professions, {gender} words", "mean"] == pytest.approx(values.mean(), abs=5e-5)
        assert kept[f"{group} professions, {gender} words", "sd"] == pytest.approx(values.std(ddof=1), abs=5e-5)
    for group, differences in paired(scores).groupby("group"):
        w, r = rank_sum(differences)
        assert kept[f"{group} professions", "W"] == w
        assert kept[f"{group} professions", "r"] == pytest.approx(r, abs=5e-5)


def test_table_4_of_the_stored_scores() -> None:
    before, after = associations("en", "pre_maskpad"), associations("en", "post_maskpad_epoch2")
    clean = associations("en", "pre_pad")
    kept, padded = references("bartl-table-4", STORED), references("bartl-table-4", CLEAN)
    bars = references("bartl-figures-3-5", STORED)
    means = {
        name: scores.groupby(["group", "gender"])["association"].mean()
        for name, scores in {"pre": before, "post": after, "clean": clean}.items()
    }
    for group in GROUPS:
        for gender in ("female", "male"):
            name, key = f"{group} professions, {gender} words", (group, gender)
            assert kept[name, "pre"] == bars[name, "before"] == pytest.approx(means["pre"][key], abs=5e-5)
            assert kept[name, "post"] == bars[name, "after"] == pytest.approx(means["post"][key], abs=5e-5)
            assert kept[name, "difference"] == pytest.approx(means["post"][key] - means["pre"][key], abs=5e-5)
            assert padded[name, "pre"] == pytest.approx(means["clean"][key], abs=5e-5)
            assert padded[name, "post"] is None
    for group, changes in (paired(after) - paired(before)).groupby("group"):
        w, r = rank_sum(changes)
        assert kept[f"{group} professions", "W"] == w
        assert kept[f"{group} professions", "r"] == pytest.approx(r, abs=5e-5)


def test_what_is_printed_is_what_the_published_padding_gives() -> None:
    """All of Table 5, and the column pre of Table 4: so the stored scores are the authors' own, but for W by 1."""
    for value in card("bartl-table-5").values:
        stored = value.references[STORED]
        assert isinstance(stored, float | int)
        assert value.number == pytest.approx(stored, abs=1 if value.column == "W" else 0.00501), value
    for value in card("bartl-table-4").values:
        if value.column == "pre":
            # 0.1549 where 0.16 is printed: the published corpus hides wrong tokens (0.1557 with it).
            assert value.number == pytest.approx(value.references[STORED], abs=0.0052), value


def test_the_printed_r_follows_from_the_printed_w() -> None:
    """z = (W − n(n+1)/4) / √(n(n+1)(2n+1)/24), r = −|z| / √(2n), n = 900."""
    n = 900
    for name in ("bartl-table-4", "bartl-table-5"):
        printed = {value.key: value.number for value in card(name).values}
        for group in GROUPS:
            w = printed[f"{group} professions", "W"]
            assert w is not None
            z = (w - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
            assert round(-abs(z) / math.sqrt(2 * n), 2) == printed[f"{group} professions", "r"]


def test_the_tables_hold_the_numbers_of_the_paper() -> None:
    file = SHARED / "data" / "reference" / "bartl_tables.json"
    if not file.is_file():
        skip("the tables of Bartl et al.")
    paper = json.loads(file.read_text(encoding="utf-8"))
    printed = {
        name: {value.key: value.number for value in card(name).values} for name in ("bartl-table-4", "bartl-table-5")
    }
    names = {"pre": "pre", "post": "post", "diff": "difference", "mean": "mean", "sd": "sd"}
    count = 0
    for number in (4, 5):
        for group, cells in paper[f"published_table{number}"].items():
            found = printed[f"bartl-table-{number}"]
            for gender in ("female", "male"):
                for name, value in cells[gender[0]].items():
                    assert found[f"{group} professions, {gender} words", names[name]] == value
                    count += 1
            assert (found[f"{group} professions", "W"], found[f"{group} professions", "r"]) == (cells["W"], cells["r"])
            count += 2
    assert count == sum(map(len, printed.values())) == 24 + 18
    # The tolerances of what is random: ten re-runs of the fine-tuning.
    tolerances = card("bartl-table-4").tolerances
    runs = {"post": paper["en_post"].values(), "difference": paper["en_diff_post_minus_pre"].values()}
    for column, of in runs.items():
        furthest = max(
            abs(
                run[group][f"{gender[0]}_mean"]
                - (printed["bartl-table-4"][f"{group} professions, {gender} words", column] or 0)
            )
            for run in of
            for group in GROUPS
            for gender in ("female", "male")
        )
        assert 0.5 < furthest < tolerances[column]
    furthest = max(
        abs(run[group]["r"] - (printed["bartl-table-4"][f"{group} professions", "r"] or 0))
        for run in paper["en_diff_post_minus_pre"].values()
        for group in GROUPS
    )
    assert 0.15 < furthest < tolerances["r"]


def test_the_patterns_and_professions_of_this_program_are_those_of_the_paper() -> None:
    assert all(row.agrees for row in compared(card("bartl-table-1")))
    rows = compared(card("bartl-professions"))
    assert {row.value.row: row.value.number for row in rows} == read_json("labour/becpro.json")["shares"]
    assert [row.value.row for row in rows if not row.agrees] == ["service technician"]


def test_what_is_not_at_hand_is_said() -> None:
    others = card("bartl-others")
    assert others.values == ()
    assert others.runs == NEEDED
    assert compared(others) == ()


# -- what a model gives ------------------------------------------------------------------------------------------------


def measured(scores: pd.DataFrame, language: str, **inputs: Any) -> ProfessionResult:
    """The result of a bert-base-uncased that gave these associations, with inputs of its own."""
    of = {"model": INFO.name, "language": language}
    cells = scores.groupby(["group", "gender"])["association"].agg(["mean", "std", "size"])
    tests = [(group, *rank_sum(differences)) for group, differences in paired(scores).groupby("group")]
    frames = {name: [] for name in ProfessionResult.SCHEMA.tables} | {
        "groups": [
            of | {"group": group, "gender": gender, "mean": row["mean"], "sd": row["std"], "n": row["size"]}
            for (group, gender), row in cells.iterrows()
        ],
        "tests": [
            of
            | {"group": group, "W": w, "z": 0.0, "r": -r, "p": 0.0, "p_kind": "normal", "p_adjusted": 0.0}
            | {"median_difference": 0.0, "n": 900}
            for group, w, r in tests
        ],
    }
    return ProfessionResult(
        spec=ProfessionSpec(**({"corpora": language, "statistic": None} | inputs)),
        tables=ProfessionResult.SCHEMA.frames(**frames),
        excluded=(),
        notes=(),
        provenance=BERT,
    )


def by_key(rows: tuple[Row, ...]) -> dict[Any, Row]:
    return {row.value.key: row for row in rows}


def test_a_clean_bert_base_uncased_agrees_with_table_4_before() -> None:
    rows = by_key(compared(card("bartl-table-4"), [measured(associations("en", "pre_pad"), "en")]))
    name = ("female professions, male words", "pre")
    # −0.8102 measured, −0.68 printed; the tolerance is meant around what right padding gives.
    assert rows[name].difference == pytest.approx(-0.1302, abs=5e-5)
    assert rows[name].expected == -0.8102
    assert {row.agrees for (_, column), row in rows.items() if column == "pre"} == {True}
    assert rows["female professions, male words", "post"].obtained is None
    assert rows["female professions", "W"].obtained is None


def test_the_difference_is_to_the_print_and_the_tolerance_around_what_is_expected() -> None:
    shifted = associations("en", "pre_pad").assign(association=lambda rows: rows["association"] + 0.2)
    rows = by_key(compared(card("bartl-table-4"), [measured(shifted, "en")]))
    name = ("female professions, male words", "pre")
    # −0.6102: 0.07 from the print, 0.2 from what right padding gives.
    assert rows[name].difference == pytest.approx(0.0698, abs=5e-5)
    assert rows[name].agrees is False


def test_table_5_takes_the_german_sentences_alone() -> None:
    scores = associations("de", "pre_pad")
    rows = by_key(compared(card("bartl-table-5"), [measured(scores, "de")]))
    assert {key: row.obtained for key, row in rows.items()} == pytest.approx(
        references("bartl-table-5", CLEAN), abs=5e-5
    )
    assert all(row.obtained is None for row in compared(card("bartl-table-5"), [measured(scores, "en")]))


def test_another_prior_or_other_words_do_not_stand_beside_the_print() -> None:
    german = sources.corpus("de")
    fewer = replace(german, professions=german.professions[:30])
    for inputs in ({"masking": "single"}, {"corpora": (fewer,)}):
        result = measured(associations("de", "pre_pad"), "de", **inputs)
        assert all(row.obtained is None for row in compared(card("bartl-table-5"), [result])), inputs


def change(**infos: ModelInfo) -> ChangeResult:
    """A comparison of ``base`` with models made from it; one called control is a control."""
    of = {"control": False, "section": "male professions"}
    sides = [
        of | {"side": "female words", "n": 9, "before": -0.8, "after": 0.1, "difference": 0.9},
        of | {"side": "male words", "n": 9, "before": 0.2, "after": 0.3, "difference": 0.1},
    ]
    one = of | {"n": 9, "before": -1.0, "after": -0.2, "difference": 0.8, "ci_low": 0.7, "ci_high": 0.9, "W": 40.0}
    changes = [
        one | {"quantity": quantity, "r": r, "p": 0.1, "p_kind": "exact", "p_adjusted": 0.1}
        for quantity, r in (("size", 0.3), ("lean", 0.5))
    ]
    after = [name for name in infos if name != "base"]
    role = {"base": "base", "control": "control"}
    return ChangeResult(
        spec=ChangeSpec(measured="professions", children=["tuned/model"]),
        tables=ChangeResult.SCHEMA.frames(
            sides=[{"model": name} | row for name in after for row in sides],
            changes=[{"model": name} | row for name in after for row in changes],
            models=[
                {"model": name, "role": role.get(name, "child")} | dict.fromkeys(("made_from", "text", "seed", "steps"))
                for name in infos
            ],
        ),
        excluded=(),
        notes=(),
        provenance=replace(BERT, models=tuple(infos.values())),
    )


def info(name: str, parent: str = "") -> ModelInfo:
    return replace(INFO, name=name, id=f"me/{name}", digest=f"sha256:{name}", parent=parent)


def test_table_4_with_a_model_after() -> None:
    """Sides and changes of a comparison before and after stand in the columns post and difference, W and r."""
    result = change(base=info("base"), tuned=info("tuned", "sha256:base"))
    rows = compared(card("bartl-table-4"), [result])
    assert {row.model for row in rows} == {"tuned"}
    found = {key: row.obtained for key, row in by_key(rows).items() if row.obtained is not None}
    assert found == {
        ("male professions, female words", "pre"): -0.8,
        ("male professions, female words", "post"): 0.1,
        ("male professions, female words", "difference"): 0.9,
        ("male professions, male words", "pre"): 0.2,
        ("male professions, male words", "post"): 0.3,
        ("male professions, male words", "difference"): 0.1,
        ("male professions", "W"): 40.0,
        ("male professions", "r"): -0.5,
    }
    bars = by_key(compared(card("bartl-figures-3-5"), [result]))
    assert bars["male professions, male words", "after"].obtained == 0.3
    assert not refused(card("bartl-table-4"), [result])


def test_a_model_after_is_what_the_user_names_where_no_record_contradicts() -> None:
    """The record of another training, and a control, are refused; without any the user's word counts, and is told."""
    found = card("bartl-table-4")
    result = change(
        base=info("base"),
        tuned=info("tuned", "sha256:base"),
        other=info("other", "sha256:else"),
        unknown=info("unknown"),
        control=info("control", "sha256:base"),
    )
    assert {row.model for row in compared(found, [result])} == {"tuned", "unknown"}
    control, other = refused(found, [result])
    assert "control: this is a control; the print needs a model fine-tuned on swapped text" in control
    assert "other: the record of its training names another model than base as what it was made from" in other
    said = [line for line in remarks(found, [result]) if "made from" in line]
    assert said == ["unknown: made from base, as you said; there is no record of its training here."]
    assert not [
        line
        for line in remarks(found, [change(base=info("base"), tuned=info("tuned", "sha256:base"))])
        if "you" in line
    ]
    alone = change(base=info("base"), control=info("control"))
    assert all(row.obtained is None for row in compared(found, [alone]))


def test_fewer_sentences_than_the_print_s_are_said() -> None:
    """Of 5,400 sentences in each language: all, then 4 of 5 of them."""
    scores = associations("en", "pre_pad")
    assert remarks(card("bartl-table-4"), [measured(scores, "en")]) == ()
    fewer = scores[scores["pair"] % 5 != 0]
    assert len(fewer) == 4320
    (said,) = remarks(card("bartl-table-4"), [measured(fewer, "en")])
    assert said.startswith(
        "bert-base-uncased: its values are of 4,320 of the 5,400 sentences of the print; the others are excluded"
    )
    assert remarks(card("bartl-table-5"), [measured(fewer, "en")]) == (), "the German card reads no English sentence"


def test_the_record_of_a_training_decides_between_before_and_after() -> None:
    """A model alone that was fine-tuned fills the column after; its parent, or one without a record, that before."""
    result = measured(associations("en", "pre_pad"), "en")
    for parent, column in (("sha256:base", "post"), ("", "pre")):
        models = (replace(INFO, parent=parent),)
        found = compared(card("bartl-table-4"), [replace(result, provenance=replace(BERT, models=models))])
        assert {row.value.column for row in found if row.obtained is not None} == {column}


def test_several_models_are_a_base_and_what_the_records_say_was_made_of_it(tmp_path: Path) -> None:
    found = card("bartl-table-4")
    assert found.asks is not None
    tuned = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        Parentage("base", None, "0" * 64, "texts.txt", "ab" * 32, 1, 1, Settings(), "BERT", ("en",), False).write(
            folder
        )
        tuned.append(str(folder))
    for models in (("minilm-mlm",), ("minilm-mlm", "distilbert"), tuned, ("minilm-mlm", "distilbert", tuned[0])):
        (asked,) = found.asks(tuple(models))
        assert asked.spec == ProfessionSpec(models=tuple(models), signed_rank="normal")
    for models in (("minilm-mlm", *tuned), (*tuned, "minilm-mlm")):
        (asked,) = found.asks(models)
        assert asked.spec == ChangeSpec(models="minilm-mlm", children=tuple(tuned), measured="professions")


@pytest.mark.parametrize(
    ("entry", "name", "columns", "reference", "apart"),
    [
        ("becpro-en-bert-base-uncased", "bartl-table-4", ("pre",), CLEAN, 0.1001),
        ("becpro-en-bert-base-uncased-as-published", "bartl-table-4", ("pre",), STORED, 5e-5),
        ("becpro-de-bert-base-german-dbmdz-cased", "bartl-table-5", ("mean", "sd", "r"), CLEAN, 0.01),
        ("becpro-de-bert-base-german-dbmdz-cased-as-published", "bartl-table-5", ("mean", "sd", "r"), STORED, 5e-5),
    ],
)
def test_the_published_scores_of_the_shelf_stand_beside_the_print(
    entry: str, name: str, columns: tuple[str, ...], reference: str, apart: float
) -> None:
    """Those padded with [PAD] lack what the stored scores cut or hide wrongly: that is what the tolerance is for."""
    rows = [row for row in compared(card(name), [shelf.result(entry)]) if row.value.column in columns]
    found = [row.obtained - row.value.references[reference] for row in rows]  # type: ignore[operator]
    assert 0.5 * apart < max(map(abs, found)) <= apart
    # Those with the padding of the print are the print but for its rounding, though far from what is expected without.
    assert all(row.agrees for row in rows)


def test_the_published_scores_after_fine_tuning_stand_in_the_column_after() -> None:
    result = shelf.result("becpro-en-bert-base-uncased-fine-tuned")
    for name, column in (("bartl-table-4", "post"), ("bartl-figures-3-5", "after")):
        found = [row for row in compared(card(name), [result]) if row.obtained is not None]
        assert [row.value.column for row in found] == [column] * 6
        assert [row.obtained for row in found] == pytest.approx(
            [row.value.references[STORED] for row in found], abs=5e-5
        )


def test_what_is_neither_the_print_nor_near_the_tolerance_does_not_agree() -> None:
    """Of 2.05, rounded, and .18 ± .1 padded with [PAD]: 2.0549 is the print, 2.0551 is not; .28 is near, not .2801."""
    found = compared(card("bartl-table-5"), [shelf.result("becpro-de-bert-base-german-dbmdz-cased")])
    row = next(row for row in found if (row.value.printed, row.value.column) == ("2.05", "mean"))
    row = replace(row, expected=0.18)
    tried = (2.0549, 2.0451, 2.0551, 0.28, 0.2801, 1.0)
    assert [replace(row, obtained=value).agrees for value in tried] == [True, True, False, True, False, False]
