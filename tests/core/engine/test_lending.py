"""What models are called beside each other, and a model that cannot be had beside one that can."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine import checkpoints
from core.engine.checkpoints import labels, request
from core.engine.lending import lend
from core.engine.pool import ModelPool
from core.errors import BrokenModel, ModelError, ModelNotFound, OptionError
from core.measures.lpbs.result import LpbsResult
from core.result import Group, Note, Progress
from core.run import UNWATCHED, Callbacks
from core.sources import digests
from core.sources.templates import Template
from tests.support.lpbs import run
from tests.support.tiny import build
from tests.support.watching import change_settings, copy_of

TEMPLATE = Template.parse("[TARGET] is a [ATTRIBUTE].")


def called(*names: object) -> tuple[str, ...]:
    return labels([request(str(name)) for name in names])


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Two checkpoints of one name with different weights, and a copy of the first in a run of a third name."""
    first = build("bert", tmp_path / "a" / "checkpoint-500", seed=1)
    return [first, build("bert", tmp_path / "b" / "checkpoint-500", seed=2)]


def measured(*folders: object) -> LpbsResult:
    requests = [request(str(folder), device="cpu") for folder in folders]
    with lend(ModelPool(), requests, UNWATCHED) as lent:
        groups = (Group("male", ("he",)), Group("female", ("she",)))
        return lent.complete(run(lent.models, [TEMPLATE], groups, ["nurse", "engineer"]))


def values(result: LpbsResult, model: str) -> list[float]:
    """The score of each attribute, and their mean."""
    tables = (result["attributes"], result["overall"])
    return [float(value) for rows in tables for value in rows.loc[rows["model"] == model, "lpbs"]]


def test_folders_of_one_name_are_told_apart_by_what_stands_before_it(tmp_path: Path) -> None:
    for name in ("a/x/last", "b/x/last", "c/last", "other"):
        (tmp_path / name).mkdir(parents=True)
    a, b, c, other = (tmp_path / name for name in ("a/x/last", "b/x/last", "c/last", "other"))
    assert called(a) == ("last",)
    assert called(a, c, other) == ("x/last", "c/last", "other")
    assert called(a, b, c) == ("a/x/last", "b/x/last", "c/last")


def test_owners_and_revisions_are_told_apart() -> None:
    assert called("org1/bert", "org2/bert") == ("org1/bert", "org2/bert")
    assert called("org/bert@rev1", "org/bert@rev2") == ("bert@rev1", "bert@rev2")
    assert called("org/bert", "org/bert@rev2") == ("bert", "bert@rev2")
    assert called("org/bert@rev1") == ("bert",)
    assert called("org1/bert@v1", "org1/bert@v2", "org2/bert") == ("org1/bert@v1", "org1/bert@v2", "org2/bert")


def test_a_name_of_the_catalog_stays_short(tmp_path: Path) -> None:
    (tmp_path / "mine" / "gpt2").mkdir(parents=True)
    assert called("gpt2", tmp_path / "mine" / "gpt2") == ("gpt2", "mine/gpt2")
    assert called("openai-community/gpt2", "someone/gpt2") == ("gpt2", "someone/gpt2")


def test_the_same_model_has_the_same_label_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "last").mkdir()
    assert called("gpt2", "openai-community/gpt2") == ("gpt2", "gpt2")
    assert called(tmp_path / "last", f"{tmp_path}/last/") == ("last", "last")


@pytest.mark.parametrize("names", [("no-such-model", "org/bert"), ("/no/bert", "/not/bert", "org/bert")])
def test_what_does_not_exist_is_called_as_it_is_written(names: tuple[str, ...]) -> None:
    assert called(*names)[:-1] == names[:-1]


def test_two_checkpoints_of_one_name_are_compared(runs: list[Path]) -> None:
    result = measured(*runs)
    assert [info.name for info in result.provenance.models] == ["a/checkpoint-500", "b/checkpoint-500"]
    assert list(dict.fromkeys(result["attributes"]["model"])) == ["a/checkpoint-500", "b/checkpoint-500"]
    for label, folder in zip(("a/checkpoint-500", "b/checkpoint-500"), runs, strict=True):
        assert values(result, label) == pytest.approx(values(measured(folder), "checkpoint-500"), abs=1e-6)
    assert values(result, "a/checkpoint-500") != pytest.approx(values(result, "b/checkpoint-500"), abs=1e-3)


def test_the_same_files_under_two_names_are_said(runs: list[Path], tmp_path: Path) -> None:
    copy = (tmp_path / "copied").absolute()
    runs[0].rename(copy)
    again = build("bert", tmp_path / "again", seed=1)
    result = measured(copy, again, runs[1])
    text = "copied and again are the same files under two names, so their numbers are equal."
    assert result.notes[0] == Note(text)
    assert values(result, "copied") == pytest.approx(values(result, "again"), abs=1e-9)


def test_one_model_twice_is_refused(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"The same model is chosen twice; choose different ones"):
        measured(runs[0], f"{runs[0]}/")
    copy = build("bert", tmp_path / "c" / "checkpoint-500", seed=1)
    with pytest.raises(OptionError, match=r"chosen twice \(a/checkpoint-500 and c/checkpoint-500\)"):
        measured(runs[0], copy)


def broken(folder: Path) -> Path:
    """A model whose weights file is cut short."""
    copy_of("bert", folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    return folder


def test_a_model_that_cannot_be_had_is_listed_beside_one_that_can(runs: list[Path], tmp_path: Path) -> None:
    bad, missing = broken(tmp_path / "bad"), tmp_path / "nowhere"
    result = measured(bad, runs[0], missing)
    assert [info.name for info in result.provenance.models] == ["checkpoint-500"]
    assert values(result, "checkpoint-500") == values(measured(runs[0]), "checkpoint-500")
    excluded = [item for item in result.excluded if item.kind == "model"]
    assert [item.model for item in excluded] == ["bad", str(missing)]
    assert "damaged or cut short" in excluded[0].why
    assert "There is no folder" in excluded[1].why


def test_where_no_model_can_be_had_the_first_reason_is_raised(tmp_path: Path) -> None:
    with pytest.raises(BrokenModel, match="damaged or cut short"):
        measured(broken(tmp_path / "bad"), tmp_path / "nowhere")
    with pytest.raises(ModelNotFound):
        measured(tmp_path / "nowhere", broken(tmp_path / "worse"))


def test_a_refusal_begins_with_the_name_in_the_result(runs: list[Path], tmp_path: Path) -> None:
    """A folder without a mask token, named as a sound one: it is listed under its longer name."""
    other = copy_of("bert", tmp_path / "c" / "checkpoint-500")
    change_settings(other, "tokenizer_config.json", mask_token=None)
    requests = [request(str(folder), device="cpu") for folder in (runs[0], other)]
    with lend(ModelPool(), requests, UNWATCHED) as lent:
        refusal = lent.models[1].refusal
        assert refusal is not None
        assert str(refusal).startswith("c/checkpoint-500 has no mask token")
    result = measured(runs[0], other)
    assert [item.model for item in result.excluded if item.kind == "model"] == ["c/checkpoint-500"]


def test_loading_is_reported_by_label(runs: list[Path]) -> None:
    seen: list[Progress] = []
    with lend(ModelPool(), [request(str(folder), device="cpu") for folder in runs], Callbacks(seen.append)):
        pass
    assert [part.stage for part in seen] == ["Loading a/checkpoint-500", "Loading b/checkpoint-500"]


def test_the_check_of_a_models_files_is_heard_before_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In megabytes, each block of a file once: the second time the digest is known."""
    monkeypatch.setattr(digests, "_BLOCK", 10_000)
    monkeypatch.setattr(checkpoints, "_MEGABYTE", 10_000)
    monkeypatch.setattr(checkpoints, "_LARGE", 10_000)
    folder = copy_of("bert", tmp_path / "new")
    size = sum(path.stat().st_size for path in folder.iterdir() if path.name != "generation_config.json")
    seen: list[Progress] = []
    for _ in range(2):
        with lend(ModelPool(), [request(str(folder), device="cpu")], Callbacks(seen.append)):
            pass
    *checks, first, second = seen
    assert {check.stage for check in checks} == {"Checking weights of new, megabytes"}
    assert [check.done for check in checks] == sorted(check.done for check in checks)
    assert {check.total for check in checks} == {checks[-1].done} == {size // 10_000}
    assert len(checks) > size // 10_000
    assert first == second == Progress("Loading new", 0, 1)


def test_a_device_that_is_not_here_is_said_before_anything_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetched(*_: object) -> None:
        raise AssertionError("fetched")

    monkeypatch.setattr(checkpoints, "fetch", fetched)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    with (
        pytest.raises(ModelError, match="The device “mps” cannot be used here"),
        lend(ModelPool(), [request("owner/large", device="mps")], UNWATCHED),
    ):
        pass


def test_the_cause_of_a_refusal_beside_a_result_is_in_the_log(
    runs: list[Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = copy_of("bert", tmp_path / "spoilt")
    (spoilt / "model.safetensors").write_bytes(b"cut")
    (refused,) = (item for item in measured(runs[0], spoilt).excluded if item.kind == "model")
    assert "damaged or cut short" in refused.why
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is not None
    assert type(record.exc_info[1].__cause__).__name__ == "SafetensorError"
