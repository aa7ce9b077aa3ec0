"""The commands of the history, and what a measure's command keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.history.history import History, Query, history
from tests.support.commands import Command

HISTORY, SCORE = Command("history"), Command("score")
ASKED = ("--template", "[TARGET] is a [ATTRIBUTE]", "--attribute", "nurse", "--format", "json")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/history.db")
    found = history()
    assert found is not None
    return found


def test_a_command_s_run_is_kept_and_printed_again_as_it_was(kept: History, capsys: pytest.CaptureFixture[str]) -> None:
    printed = SCORE.document(capsys, *ASKED)
    (entry,) = kept.find(Query()).entries
    assert entry.origin == "command"
    assert entry.seconds is not None
    assert HISTORY.document(capsys, "show", entry.id[:8]) == printed
    (row,) = HISTORY.document(capsys, "list", "nurse")
    assert (row["id"], row["measure"], row["models"]) == (entry.id[:8], "score", "minilm-mlm")
    assert HISTORY.document(capsys, "list", "welder") == []


def test_a_run_is_left_out_where_that_is_said(kept: History, capsys: pytest.CaptureFixture[str]) -> None:
    SCORE.document(capsys, *ASKED, "--no-history")
    assert kept.find(Query()).total == 0


def test_a_run_whose_history_cannot_be_written_is_printed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/file/history.db")
    code, out, err = SCORE.run(capsys, *ASKED)
    assert code == 0
    assert json.loads(out)["tables"]["overall"]
    assert "This run was not kept in the history:" in err
    assert "Traceback" not in err


def test_two_runs_are_compared(kept: History, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("typed", "sentence"):
        SCORE.document(capsys, *ASKED, "--form", form)
    second, first = (entry.id for entry in kept.find(Query()).entries)
    changed = {row["what"] for row in HISTORY.document(capsys, "diff", first, second, "--of", "changed")}
    assert changed >= {"How words are written in their slots"}
    numbers = HISTORY.document(capsys, "diff", first, second)
    assert [row["title"] for row in numbers] == ["mean LPBS", "share"]
    code, out, err = HISTORY.run(capsys, "diff", first, second, "--of", "tests", "--format", "json")
    assert (code, len(json.loads(out))) == (0, 1)
    assert "Values are in nats." in err


def test_runs_travel(
    kept: History, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SCORE.document(capsys, *ASKED)
    file = str(tmp_path / "runs.zip")
    (row,) = HISTORY.document(capsys, "export", file)
    assert row == {"file": file, "runs": 1}
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/other.db")
    (row,) = HISTORY.document(capsys, "import", file)
    assert row == {"file": file, "added": 1, "known": 0, "refused": 0}
    other = history()
    assert other is not None
    assert other.find(Query()) == kept.find(Query())


def test_an_empty_list_says_why(kept: History, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No run is kept yet." in HISTORY.run(capsys, "list")[2]
    SCORE.document(capsys, *ASKED)
    assert "No run fits." in HISTORY.run(capsys, "list", "nobody")[2]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "zz"), "The history has no run “zz”"),
        (("list", "--since", "yesterday"), "“yesterday” is not a date such as"),
        (("export", "nowhere/runs.zip"), "There is no folder nowhere"),
        (("export", "runs.zip"), "No run fits"),
        (("import", "none.zip"), "none.zip cannot be read: No such file"),
        (("import", "README.md"), "README.md is damaged, or is not an export of the history or a saved result"),
        (("forget",), "invalid choice"),
    ],
)
def test_what_is_wrong_is_said(
    kept: History, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    code, _, err = HISTORY.run(capsys, *arguments)
    assert code in (1, 2)
    assert says in err


def test_without_a_history_its_commands_say_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TILTMETER_HISTORY", "off")
    code, _, err = HISTORY.run(capsys, "list")
    assert code == 1
    assert "The history is off: TILTMETER_HISTORY says so." in err
