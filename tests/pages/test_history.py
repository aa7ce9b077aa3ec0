"""The page of the history: found, opened without computing, named, compared, taken away and brought."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.state import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from core.history.history import COMMAND, History, Query, history
from core.measures.lpbs.spec import LpbsSpec
from tests.pages.visiting import PLAYGROUND, errors, findings, playground, settle, visit
from tests.support.past import scores

PAGE = "pages/10_History.py"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/history.db")
    found = history()
    assert found is not None
    return found


def lines(at: AppTest) -> list[str]:
    """The runs of the list."""
    return [box.label.replace("\\", "") for box in at.checkbox if box.key and box.key.startswith("choose ")]


def successes(at: AppTest) -> list[str]:
    """What a press did, as a reader sees it."""
    return [success.value.replace("\\", "") for success in at.success]


def choose(at: AppTest, *entries: Any) -> AppTest:
    for entry in entries:
        at.checkbox(key=f"choose {entry.id}").check().run()
    return settle(at)


def press(at: AppTest, label: str) -> AppTest:
    """Press a button; what that says is on the page until its next run."""
    next(button for button in at.button if button.label == label).click().run()
    assert not at.exception
    return at


def test_what_a_page_measures_is_kept_once_and_opened_again_without_computing(
    kept: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "nurse, plumber, florist"
    measured = findings(playground(words))
    playground(words)  # the same measurement comes from what the server keeps
    (entry,) = kept.find(Query()).entries
    assert entry.origin == "dashboard"
    at = visit(PAGE)
    assert len(lines(at)) == 1

    def never(self: LpbsSpec, *_: Any) -> None:
        raise AssertionError("it measures")

    monkeypatch.setattr(LpbsSpec, "measure", never)
    again = visit(PLAYGROUND, saved=f"{entry.digest[:16]}:kept.tilt")
    assert findings(again) == measured
    assert not errors(again)


def test_a_page_says_that_its_run_could_not_be_kept_beside_what_it_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{tmp_path}/file/history.db")
    at = playground("nurse, dental hygienist, plumber")
    assert findings(at)
    assert ["This run was not kept" in said.value for said in at.warning] == [True]


def test_an_export_without_a_result_that_is_gone_says_so(kept: History, tmp_path: Path) -> None:
    gone, still = (kept.record(scores(number), origin=COMMAND) for number in range(2))
    (tmp_path / "history-results" / gone.digest[:2] / f"{gone.digest}.tilt").unlink()
    at = choose(visit(PAGE), gone, still)
    assert any("An export leaves out what is not here any more" in said.value for said in at.warning)


def test_the_list_is_narrowed_by_words_and_dates_and_says_what_is_no_date(kept: History) -> None:
    kept.record(scores(word="nurse", created="2026-01-01T00:00:00Z"), origin=COMMAND)
    kept.record(scores(word="welder", created="2026-03-01T00:00:00Z"), origin=COMMAND)
    assert len(lines(visit(PAGE))) == 2
    (line,) = lines(visit(PAGE, words="nurse"))
    assert "nurse" in line
    (line,) = lines(visit(PAGE, since="2026-02-01"))
    assert "welder" in line
    at = visit(PAGE, words="nothing like it")
    assert [info.value for info in at.info] == ["No run fits; change what narrows the list."]
    assert errors(visit(PAGE, since="yesterday")) == ["Measured from: “yesterday” is not a date such as 2026-11-29."]


def test_a_run_is_named_noted_and_starred(kept: History) -> None:
    entry = kept.record(scores(), origin=COMMAND)
    at = choose(visit(PAGE), entry)
    at.text_input(key=f"name {entry.id}").set_value("Baseline *of* <b>ours</b>")
    at.text_area(key=f"note {entry.id}").set_value("first\nsecond")
    at.checkbox(key=f"star {entry.id}").check()
    at = press(at, "Save")
    after = kept.entry(entry.id)
    assert (after.name, after.note, after.starred) == ("Baseline *of* <b>ours</b>", "first\nsecond", True)
    assert lines(at) == ["★ Baseline *of* <b>ours</b>"]


def test_two_runs_are_compared_the_earlier_first_whichever_was_chosen_first(kept: History) -> None:
    first = kept.record(scores(0.25, created="2026-01-01T00:00:00Z"), origin=COMMAND)
    second = kept.record(scores(-0.5, created="2026-02-01T00:00:00Z"), origin=COMMAND)
    for order in ((first, second), (second, first)):
        at = choose(visit(PAGE), *order)
        changed, numbers = (frame.value for frame in at.dataframe[:2])
        assert changed.iloc[0].tolist() == ["Measured", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]
        assert numbers["difference"].tolist() == [-0.75]


def test_the_chosen_runs_are_in_the_link(kept: History) -> None:
    entry = kept.record(scores(), origin=COMMAND)
    at = choose(visit(PAGE), entry)
    assert at.query_params["run"] in (entry.id, [entry.id])
    again = visit(PAGE, run=entry.id)
    assert again.checkbox(key=f"choose {entry.id}").value


def test_a_chosen_run_that_is_gone_is_said_until_it_is_let_go(kept: History) -> None:
    entry = kept.record(scores(), origin=COMMAND)
    at, other = choose(visit(PAGE), entry), choose(visit(PAGE), entry)
    press(press(at, "Delete"), "Delete for good")
    (warning,) = settle(other).warning
    assert "it was deleted, or is in another history" in warning.value
    settle(press(other, "Choose none"))
    assert not other.warning
    assert "run" not in other.query_params


def test_what_is_chosen_stays_in_the_address_also_where_the_list_does_not_show_it(
    kept: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = kept.record(scores(), origin=COMMAND)
    written: list[dict[str, Any]] = []  # each is a step for the browser's back
    write = QueryParamsProxy.from_dict

    def noted(proxy: QueryParamsProxy, address: dict[str, Any]) -> None:
        written.append(address)
        write(proxy, address)

    at = visit(PAGE)
    monkeypatch.setattr(QueryParamsProxy, "from_dict", noted)
    choose(at, entry)
    at.text_input(key="history.words").input("nobody")
    settle(at)
    assert written == [{"run": [entry.id]}, {"run": [entry.id], "words": ["nobody"]}]
    assert at.text_input(key=f"name {entry.id}").value == ""
    assert [info.value for info in at.info] == ["No run fits; change what narrows the list."]
    again = visit(PAGE, run=entry.id, words="nobody")
    assert not again.warning
    assert len(written) == 2


def test_deleting_asks_first(kept: History) -> None:
    entry = kept.record(scores(), origin=COMMAND)
    at = press(choose(visit(PAGE), entry), "Delete")
    assert kept.find(Query()).total == 1
    at = press(at, "Keep")
    assert "Delete for good" not in [button.label for button in at.button]
    at = press(press(at, "Delete"), "Delete for good")
    assert kept.find(Query()).total == 0
    assert successes(at) == ["1 run deleted."]
    assert [info.value for info in at.info] == ["No run is kept yet: measure something."]


def test_files_are_brought_and_what_is_none_is_said(kept: History) -> None:
    at = visit(PAGE)
    at.file_uploader(key="bring 0").set_value(
        [("one.tilt", scores().to_bytes(), "application/zip"), ("bad.zip", b"rubbish", "application/zip")]
    )
    at = press(settle(at), "Import")
    assert kept.find(Query()).total == 1
    assert successes(at) == ["1 run added."]
    assert errors(at) == [
        "bad.zip is damaged, or is not an export of the history or a saved result; export the runs again."
    ]
    assert len(lines(at)) == 1
    at.file_uploader(key="bring 1").set_value(("empty.zip", b"", "application/zip"))
    at = press(settle(at), "Import")
    assert not successes(at)
    assert len(errors(at)) == 1
    assert at.file_uploader(key="bring 2").value == []  # so that the next press does not bring it again


def test_a_long_list_has_pages(kept: History) -> None:
    for day in range(1, 24):
        kept.record(scores(day, created=f"2026-01-{day:02}T00:00:00Z"), origin=COMMAND)
    assert len(lines(visit(PAGE))) == 20
    assert len(lines(visit(PAGE, part="2"))) == 3
    assert len(lines(visit(PAGE, part="9"))) == 20  # as when the list has become shorter


def test_without_a_history_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILTMETER_HISTORY", "off")
    at = visit(PAGE)
    assert "The history is off: TILTMETER" in at.info[0].value.replace("\\", "")


def test_a_damaged_database_is_said_and_its_results_are_found_again(kept: History, tmp_path: Path) -> None:
    kept.record(scores(), origin=COMMAND)
    kept._database.close()
    for file in tmp_path.glob("history.db*"):
        file.write_bytes(b"rubbish" * 999)
    at = visit(PAGE)
    assert any("was damaged" in warning.value for warning in at.warning)
    at = press(at, "Find kept results again")
    assert successes(at) == ["1 run found again."]
    assert len(lines(at)) == 1
