"""What must not change a number, what must only change its sign, and what a stop leaves."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.engine import reading
from core.errors import NothingToScore
from core.measures.association import compute
from core.measures.association.result import AssociationResult
from core.measures.shared.representations import REPRESENTATIONS
from core.result import Progress
from core.run import Callbacks
from core.sources import AssociationTest, own_test
from tests.support.association import document, effect_sizes, refusals, row, run, texts_through
from tests.support.watching import load_tiny

X, Y = ("engineer", "programmer", "chairman"), ("nurse", "secretary", "chairwoman")
A, B = ("doctor", "teacher", "manager"), ("friend", "daughter", "wife")
SENTENCES = [
    f"The {word} said that the {other} was tired."
    for word, other in itertools.product((*X, *Y), (*A, *B))
]  # fmt: skip
EVERY = [representation.id for representation in REPRESENTATIONS]
OPTIONS = {"ceat_samples": 30}


MEN, WOMEN = ("he", "him"), ("she", "her")


def asking(*sets: tuple[str, ...], groups: tuple[tuple[str, ...], tuple[str, ...]] = (MEN, WOMEN)) -> AssociationTest:
    return own_test(*sets, templates=("[TARGET] is a [ATTRIBUTE].",), group1=groups[0], group2=groups[1])


TEST = asking(X, Y, A, B)
OTHER = asking((*X[:2], "doctor"), ("nurse", "friend"), ("man", "son"), ("woman", "wife"))


def everything(tests: list[AssociationTest], rulers: list[str] = EVERY, family: str = "bert") -> AssociationResult:
    return run([load_tiny(family)], tests, rulers, **OPTIONS, sentences=SENTENCES)


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_swapping_x_and_y_flips_every_d(family: str) -> None:
    found = effect_sizes(everything([TEST], family=family))
    swapped = effect_sizes(everything([asking(Y, X, A, B, groups=(WOMEN, MEN))], family=family))
    assert {item for _, _, item in found} == {*EVERY, "ceat"}
    exact = {key: -d for key, d in found.items() if key[2] != "ceat"}
    assert {key: d for key, d in swapped.items() if key[2] != "ceat"} == pytest.approx(exact, rel=1e-4, abs=1e-5)
    # CEAT draws contexts word after word, so that its samples are others: the sign and about the size stay.
    ceat = (load_tiny(family).info.name, "own", "ceat")
    assert swapped[ceat] == pytest.approx(-found[ceat], abs=0.25)


def test_swapping_a_and_b_flips_every_d() -> None:
    rulers = [entry for entry in EVERY if entry != "lpbs"]
    found, swapped = (effect_sizes(everything([test], rulers)) for test in (TEST, asking(X, Y, B, A)))
    for key, d in found.items():
        assert swapped[key] == pytest.approx(-d, rel=1e-4, abs=0.25 if key[2] == "ceat" else 1e-5)
    lpbs = [effect_sizes(everything([test], ["lpbs"]))["bert", "own", "lpbs"] for test in (TEST, asking(X, Y, B, A))]
    assert lpbs[0] == pytest.approx(-lpbs[1], rel=1e-4)


def test_both_p_of_a_swapped_test() -> None:
    """One side's p becomes the other's; both share the observed partition, so that they add up to more than 1."""
    found, swapped = (
        row(run([load_tiny("bert")], [test], ["pooled-no-context"]), test="own") for test in (TEST, asking(Y, X, A, B))
    )
    assert found.p_two_sided == swapped.p_two_sided
    assert found.p_one_sided + swapped.p_one_sided > 1
    assert found.p_observed_direction == swapped.p_observed_direction == min(found.p_one_sided, swapped.p_one_sided)


def test_order_and_company_change_no_number() -> None:
    """Tests together and apart, forwards and backwards, rulers too; beside another model."""
    tests = [replace(TEST, id="one"), replace(OTHER, id="two")]
    found = effect_sizes(everything(tests))
    assert len(found) == 24
    close = functools.partial(pytest.approx, rel=1e-4, abs=1e-5, nan_ok=True)  # "man" stands in no sentence
    assert effect_sizes(everything(tests[::-1], EVERY[::-1])) == close(found)
    apart = {key: d for test in tests for key, d in effect_sizes(everything([test])).items()}
    assert apart == close(found)
    for item in ("cls-in-templates", "vulic", "lpbs"):
        alone = effect_sizes(run([load_tiny("bert")], tests, [item], **OPTIONS))
        assert alone == close({key: found[key] for key in alone})
    models = [load_tiny("roberta"), load_tiny("bert")]
    beside = effect_sizes(run(models, tests, ["vulic", "lpbs"], **OPTIONS))
    for key, d in beside.items():
        if key[0] == "bert":
            assert d == close(found[key])
    assert beside == close(effect_sizes(run(models[::-1], tests, ["vulic", "lpbs"], **OPTIONS)))


def test_order_of_members_changes_no_d() -> None:
    backwards = asking(X[::-1], Y[::-1], A[::-1], B[::-1])
    rulers = [entry for entry in EVERY if entry != "ceat"]
    found, again = (effect_sizes(run([load_tiny("bert")], [test], rulers)) for test in (TEST, backwards))
    assert again == pytest.approx(found, rel=1e-4, abs=1e-5)


def test_batch_size_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    found = effect_sizes(everything([TEST]))
    monkeypatch.setattr(reading, "TOKENS", 30)
    assert effect_sizes(everything([TEST])) == pytest.approx(found, rel=1e-4, abs=1e-5)


def test_progress_reaches_its_total_in_every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "TOKENS", 60)
    reports: list[Progress] = []
    run(
        [load_tiny("bert"), load_tiny("gpt2")],
        [TEST],
        EVERY,
        **OPTIONS,
        sentences=SENTENCES,
        run=Callbacks(reports.append),
    )
    stages = list(dict.fromkeys(report.stage for report in reports))
    assert stages == [
        "Reading vectors of bert",
        "Scoring with bert",
        "Reading vectors of gpt2",
        "Scoring with gpt2",
    ]
    for before, after in itertools.pairwise(reports):
        assert after.done > before.done or after.done == 0 or before.done == before.total
    last = {report.stage: report for report in reports}
    assert all(report.done == report.total > 0 for report in last.values())


def test_a_stop_keeps_the_models_that_are_done() -> None:
    """The second model is not begun: its rows are not there, rather than there without a number."""
    whole = run([load_tiny("bert")], [TEST], ["vulic", "lpbs"])
    reached: list[str] = []
    result = run(
        [load_tiny("bert"), load_tiny("roberta")],
        [TEST],
        ["vulic", "lpbs"],
        run=Callbacks(
            lambda report: reached.append(report.stage), lambda: any("roberta" in stage for stage in reached)
        ),
    )
    assert result["tests"]["model"].tolist() == ["bert", "bert"]
    assert effect_sizes(result) == pytest.approx(effect_sizes(whole), rel=1e-6)
    assert any(item.model == "roberta" and "stopped" in item.why for item in result.excluded)


CHOSEN = ["vulic", "cls-in-templates", "lpbs", "input-embedding"]


@pytest.mark.parametrize("checks", [7, 13, 16, 19, 22, 25, 28, 31])
def test_a_stop_anywhere_gives_no_number_of_a_part(checks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is there after a stop is what the whole run gives; a row without a value has its sentence."""
    monkeypatch.setattr(reading, "TOKENS", 40)
    whole = effect_sizes(everything([TEST], CHOSEN))
    asked = itertools.count()
    cancelled: Callable[[], bool] = lambda: next(asked) >= checks  # noqa: E731
    try:
        result = run(
            [load_tiny("bert")], [TEST], CHOSEN, **OPTIONS, sentences=SENTENCES, run=Callbacks(cancelled=cancelled)
        )
    except NothingToScore:
        return  # nothing was done by then; the test below looks at the sentence
    for key, d in effect_sizes(result).items():
        assert math.isnan(d) or d == pytest.approx(whole[key], rel=1e-4, abs=1e-5), key
    missing = [line for line in document(result)["tables"]["tests"] if line["effect_size"] is None]
    assert len(missing) == len(refusals(result.excluded))


@pytest.mark.parametrize("checks", range(3, 9))
def test_a_stop_within_lpbs_gives_no_number_of_a_part(checks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six attribute words in batches of a sentence or two: four of them would be enough for a d."""
    monkeypatch.setattr(reading, "TOKENS", 14)
    whole = effect_sizes(run([load_tiny("bert")], [TEST], ["lpbs", "input-embedding"]))
    asked = itertools.count()
    result = run(
        [load_tiny("bert")], [TEST], ["input-embedding", "lpbs"], run=Callbacks(cancelled=lambda: next(asked) >= checks)
    )
    for key, d in effect_sizes(result).items():
        assert math.isnan(d) or d == pytest.approx(whole[key], rel=1e-4), key


def test_a_stop_before_anything_says_so() -> None:
    with pytest.raises(NothingToScore, match="stopped"):
        run([load_tiny("bert")], [TEST], ["vulic"], run=Callbacks(cancelled=lambda: True))


def frames(result: AssociationResult) -> list[tuple[object, ...]]:
    """All that a run gives, in comparable form."""
    return [*((name, table.to_csv()) for name, table in result.tables.items()), (result.excluded, result.notes)]


@pytest.mark.parametrize("after", ["Reading vectors of bert", "Scoring with bert", "Reading vectors of gpt2"])
def test_a_stopped_run_is_resumed_where_it_stood(after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was finished is not asked again, and the whole is what it would have been."""
    monkeypatch.setattr(reading, "TOKENS", 400)
    kinds = ["pooled-no-context", "lpbs", "input-embedding"]
    models, tests = [load_tiny("bert"), load_tiny("gpt2")], [replace(TEST, id="one"), replace(OTHER, id="two")]
    whole = run(models, tests, kinds, **OPTIONS, sentences=SENTENCES)
    memory: dict[Hashable, Any] = {}
    stages: list[str] = []
    stop = Callbacks(lambda report: stages.append(report.stage), lambda: after in stages)
    part = run(models, tests, kinds, **OPTIONS, sentences=SENTENCES, run=stop, memory=memory)
    finished = {key: d for key, d in effect_sizes(part).items() if not math.isnan(d)}
    assert 0 < len(finished) < len(effect_sizes(whole))
    kept = {key: row for key, row in memory.items() if isinstance(row, compute.Row)}
    resumed = run(models, tests, kinds, **OPTIONS, sentences=SENTENCES, memory=memory)
    assert len(kept) >= len(finished)
    assert all(memory[key] is row for key, row in kept.items())
    assert all(isinstance(row, compute.Row) for row in memory.values()), "vectors are kept for a stopped run only"
    assert frames(resumed) == frames(whole)
    with texts_through(models[0]) as inputs:
        again = run(models, tests, kinds, **OPTIONS, sentences=SENTENCES, memory=memory)
    assert inputs == []
    assert frames(again) == frames(whole)


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_vectors_that_were_read_before_a_stop_are_not_read_again(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in the middle of its texts, once and again; in the end every text was read once, and nothing differs."""
    monkeypatch.setattr(reading, "TOKENS", 40)
    kinds = ["pooled-no-context", "first-piece-in-templates", "cls-in-templates"]
    model, tests = load_tiny("bert"), [replace(TEST, id="one"), replace(OTHER, id="two")]
    with texts_through(model) as every:
        whole = run([model], tests, kinds, **OPTIONS, sentences=SENTENCES)
    memory: dict[Hashable, Any] = {}
    reports: list[Progress] = []
    with texts_through(model) as inputs:
        for part in range(1, parts + 1):
            enough = 7 * part
            stop = Callbacks(reports.append, lambda: any(report.done >= enough for report in reports))  # noqa: B023
            with pytest.raises(NothingToScore, match="stopped"):
                run([model], tests, kinds, **OPTIONS, sentences=SENTENCES, run=stop, memory=memory)
            assert len(inputs) < len(every)
        resumed = run(
            [model], tests, kinds, **OPTIONS, sentences=SENTENCES, run=Callbacks(reports.append), memory=memory
        )
    assert inputs == every
    assert frames(resumed) == frames(whole)
    counted = [report.done for report in reports if report.total == reports[0].total]
    assert counted == sorted(counted), "it counts on from where it was"


def test_a_file_of_vectors_is_read_once_for_a_resumed_run(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    words = dict.fromkeys(word for _, members in TEST.sets for word in members.members)
    path.write_text("".join(f"{word} {number} 1 {number % 5}\n" for number, word in enumerate(words)))
    memory: dict[Hashable, Any] = {}
    whole = run([], [TEST], [], vectors=path, memory=memory)
    assert len(memory) == 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compute, "read_vectors", lambda *_, **__: pytest.fail("it was read again"))
        assert frames(run([], [TEST], [], vectors=path, memory=memory)) == frames(whole)
