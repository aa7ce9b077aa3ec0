"""The history: what goes in comes out whole, whatever happens around it."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect

from core.errors import HistoryError, SavedFileError
from core.history import database, schema
from core.history.history import COMMAND, IMPORT, Query, history, keep
from core.measures.lpbs.result import LpbsResult
from tests.support.past import past, scores
from tests.support.paths import ROOT


def test_a_run_comes_out_as_it_went_in(tmp_path: Path) -> None:
    kept = past(tmp_path).record(scores(0.25), origin=COMMAND, seconds=1.5)
    again = past(tmp_path)
    (entry,) = again.find(Query()).entries
    assert entry == kept
    assert again.result(entry) == scores(0.25)
    assert (entry.measure, entry.models, entry.created) == ("score", ("bert",), "2026-01-02T03:04:05Z")
    assert (entry.headlines[0].name, entry.headlines[0].value) == ("lpbs.overall", 0.25)
    assert entry.summary == "mean LPBS he − she: +0.25 nats"
    assert again.by_digest(entry.digest[:16]) == scores(0.25).to_bytes()
    assert again.by_digest("0" * 16) is None


def test_tables_lie_beside_the_database_as_parquet(tmp_path: Path) -> None:
    entry = past(tmp_path).record(scores(), origin=COMMAND)
    (file,) = tmp_path.glob("history-results/*/*.tilt")
    assert file.stem == entry.digest
    assert "tables/overall.parquet" in zipfile.ZipFile(file).namelist()


def test_a_search_needs_every_word_wherever_it_is(tmp_path: Path) -> None:
    kept = past(tmp_path)
    nurse = kept.record(scores(word="nurse", created="2026-01-01T23:59:59Z"), origin=COMMAND)
    kept.record(scores(word="welder", model="gpt2", created="2026-01-03T00:00:00Z"), origin=COMMAND)

    def found(**query: object) -> list[str]:
        return [entry.id for entry in kept.find(Query(**query)).entries]  # type: ignore[arg-type]

    assert found(words="NURSE bert") == [nurse.id]
    assert found(words="nurse gpt2") == []
    assert len(found(words="score")) == 2
    assert found(until="2026-01-01") == [nurse.id]
    assert found(until="2026-01-02", since="2026-01-02") == []
    assert len(found(since="2026-01-01", until="2026-01-03")) == 2
    assert found(model="BERT") == [nurse.id]
    assert found(measure="association") == []
    assert found(words="100%") == []  # a sign of SQL's is a sign
    kept.edit(nurse.id, name="Übersicht", note="for the audit", starred=True)
    assert found(words="übersicht AUDIT") == [nurse.id]
    assert found(starred=True) == [nurse.id]


def test_the_last_measured_comes_first_and_a_page_counts_them_all(tmp_path: Path) -> None:
    kept = past(tmp_path)
    for day in (3, 1, 2):
        kept.record(scores(day, created=f"2026-01-0{day}T00:00:00Z"), origin=COMMAND)
    found = kept.find(Query(), most=2)
    assert [entry.created[9] for entry in found.entries] == ["3", "2"]
    assert found.total == 3
    assert [entry.created[9] for entry in kept.find(Query(), most=2, skip=2).entries] == ["1"]


def test_what_is_the_user_s_own_changes_and_the_rest_stays(tmp_path: Path) -> None:
    kept = past(tmp_path)
    entry = kept.record(scores(), origin=COMMAND)
    kept.edit(entry.id, name="  Baseline ")
    kept.edit(entry.id, starred=True)
    after = kept.entry(entry.id[:6])
    assert (after.title, after.note, after.starred, after.headlines) == ("Baseline", "", True, entry.headlines)
    with pytest.raises(HistoryError, match="not in the history any more"):
        kept.edit("f" * 32, name="x")


def test_an_id_may_be_short_but_not_doubtful(tmp_path: Path) -> None:
    kept = past(tmp_path)
    ids = [kept.record(scores(number), origin=COMMAND).id for number in range(17)]  # two begin alike
    with pytest.raises(HistoryError, match="no run “zz”"):
        kept.entry("zz")
    with pytest.raises(HistoryError, match="no run “”"):
        kept.entry("")
    first = next(id[0] for id in ids if sum(other[0] == id[0] for other in ids) > 1)
    with pytest.raises(HistoryError, match="Several runs"):
        kept.entry(first)


def test_deleting_takes_the_file_unless_another_run_has_it(tmp_path: Path) -> None:
    kept = past(tmp_path)
    first, second = (kept.record(scores(), origin=COMMAND) for _ in range(2))
    assert first.digest == second.digest
    kept.delete([first.id])
    assert kept.result(second) == scores()
    kept.delete([second.id])
    assert not list(tmp_path.glob("history-results/*/*"))
    assert kept.find(Query()).total == 0


def test_an_export_is_an_import_elsewhere(tmp_path: Path) -> None:
    here, there = past(tmp_path / "here"), past(tmp_path / "there")
    for number in range(3):
        here.record(scores(number), origin=COMMAND, seconds=number)
    first = here.find(Query()).entries[0]
    here.edit(first.id, name="Baseline", note="a\nb", starred=True)
    exported = here.exported(here.find(Query()).entries).data
    brought = there.imported(exported, "runs.zip")
    assert (brought.added, brought.known, brought.refused) == (3, 0, ())
    assert there.find(Query()) == here.find(Query())
    assert there.result(there.entry(first.id)) == here.result(first)
    assert there.imported(exported, "runs.zip").known == 3


def test_a_saved_result_alone_is_an_import_too_once(tmp_path: Path) -> None:
    kept = past(tmp_path)
    assert kept.imported(scores().to_bytes(), "one.tilt").added == 1
    assert kept.find(Query()).entries[0].origin == IMPORT
    assert kept.imported(scores().to_bytes(), "again.tilt").known == 1
    assert kept.find(Query()).total == 1


def test_an_export_leaves_out_a_run_whose_file_is_gone_and_says_which(tmp_path: Path) -> None:
    here, there = past(tmp_path / "here"), past(tmp_path / "there")
    gone, still = (here.record(scores(number), origin=COMMAND) for number in range(2))
    (tmp_path / "here" / "history-results" / gone.digest[:2] / f"{gone.digest}.tilt").unlink()
    exported = here.exported([gone, still])
    assert here.missing([gone, still]) == (gone,)
    assert [gone.id[:8] in why and "cannot be read" in why for why in exported.left_out] == [True]
    assert there.imported(exported.data, "runs.zip").added == 1
    assert there.result(there.entry(still.id)) == scores(1)
    with pytest.raises(HistoryError, match="is left out"):
        here.exported([gone])


def test_an_index_that_lists_a_run_twice_adds_it_once(tmp_path: Path) -> None:
    here, there = past(tmp_path / "here"), past(tmp_path / "there")
    entry = here.record(scores(), origin=COMMAND)
    brought = there.imported(here.exported([entry, entry]).data, "runs.zip")
    assert (brought.added, brought.known) == (1, 1)


def test_a_note_that_is_no_text_is_kept_as_far_as_it_is_one(tmp_path: Path) -> None:
    kept = past(tmp_path)
    entry = kept.record(scores(), origin=COMMAND)
    kept.edit(entry.id, note="half a pair: \ud83d")
    assert kept.entry(entry.id).note == "half a pair: ?"


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_json", ".json"), text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"no zip", "damaged, or is not an export of the history or a saved result"),
        (zipped(index_json="no json"), "a part of the export is missing"),
        (zipped(index_json='{"runs": 3}'), "a part of the export is missing"),
        (zipped(index_json='{"runs": [{"id": "1", "digest": "../../etc"}]}'), "a part of the export is missing"),
        (zipped(index_json=json.dumps({"runs": [{"id": "1", "digest": "0" * 64}]})), "a part of the export is missing"),
    ],
)
def test_a_file_that_is_no_export_is_refused_with_a_sentence(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(SavedFileError, match=says):
        past(tmp_path).imported(data, "runs.zip")


def test_a_run_that_cannot_be_read_is_named_and_the_others_come(tmp_path: Path) -> None:
    here, there = past(tmp_path / "here"), past(tmp_path / "there")
    for number in range(2):
        here.record(scores(number), origin=COMMAND)
    entries = here.find(Query()).entries
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(here.exported(entries).data)) as good, zipfile.ZipFile(buffer, "w") as bad:
        for name in good.namelist():
            bad.writestr(name, b"rubbish" if entries[0].digest in name else good.read(name))
    brought = there.imported(buffer.getvalue(), "runs.zip")
    assert brought.added == 1
    assert [f"{entries[0].digest[:12]}.tilt of runs.zip is damaged" in why for why in brought.refused] == [True]


def test_a_result_of_a_later_version_is_refused_and_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = past(tmp_path)
    entry = kept.record(scores(), origin=COMMAND)
    monkeypatch.setattr(LpbsResult, "SCHEMA", replace(LpbsResult.SCHEMA, version=1))
    with pytest.raises(SavedFileError, match="this Tiltmeter reads lpbs/1"):
        kept.result(entry)
    monkeypatch.undo()
    assert kept.result(entry) == scores()


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    kept = past(tmp_path)
    entry = kept.record(scores(), origin=COMMAND)
    (file,) = tmp_path.glob("history-results/*/*.tilt")
    file.write_bytes(scores(9.0).to_bytes())
    with pytest.raises(HistoryError, match="damaged: its SHA-256"):
        kept.result(entry)
    file.unlink()
    with pytest.raises(HistoryError, match="cannot be read: No such file"):
        kept.result(entry)


@pytest.mark.parametrize("damage", ["rubbish", "cut", "page"])
def test_a_damaged_database_is_put_aside_and_its_results_are_found_again(tmp_path: Path, damage: str) -> None:
    kept = past(tmp_path)
    for number in range(40):
        kept.record(scores(number), origin=COMMAND)
    file = tmp_path / "history.db"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    kept._database.close()
    whole = file.read_bytes()
    damaged = {"rubbish": b"rubbish" * 100, "cut": whole[:5000], "page": whole[:100] + b"\xff" * 4000 + whole[4100:]}
    file.write_bytes(damaged[damage])
    again = past(tmp_path)
    with suppress(HistoryError):  # found out when it is opened, or by the first question that reads the broken page
        assert again.find(Query()).total == 0
    assert "was damaged. It was put aside as" in again.problem()
    (aside,) = tmp_path.glob("history-damaged-*.db")
    assert aside.read_bytes()[:100] == damaged[damage][:100]
    again.record(scores(99), origin=COMMAND)
    assert again.found_again() == 40
    assert again.problem() == ""
    assert again.find(Query()).total == 41


def test_nothing_is_ever_lost_for_want_of_a_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("TILTMETER_HISTORY", f"sqlite:///{blocked}/history.db")
    assert "was not kept in the history: " in keep(scores(), origin=COMMAND, seconds=1)
    monkeypatch.setenv("TILTMETER_HISTORY", "nonsense")
    assert "it can be off, or a URL such as" in keep(scores(), origin=COMMAND, seconds=1)
    monkeypatch.setenv("TILTMETER_HISTORY", "oracle://nowhere/x")
    assert "was not kept in the history" in keep(scores(), origin=COMMAND, seconds=1)
    monkeypatch.setenv("TILTMETER_HISTORY", "sqlite:///:memory:")
    assert "a SQLite database without a file" in keep(scores(), origin=COMMAND, seconds=1)
    monkeypatch.setenv("TILTMETER_HISTORY", "off")
    assert keep(scores(), origin=COMMAND, seconds=1) == ""
    assert history() is None


@pytest.mark.parametrize(
    "setting", ["postgresql//me:secret@host/db", "postgresql+psycopg://me:secret@127.0.0.1:1/db?password=secret"]
)
def test_no_sentence_shows_a_password(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.setenv("TILTMETER_HISTORY", setting)
    said = keep(scores(), origin=COMMAND, seconds=1)
    assert "was not kept" in said
    assert "secret" not in said
    if "://" in setting:
        kept = history()
        assert kept is not None
        assert "secret" not in kept.place


def test_without_a_setting_it_is_in_the_user_s_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILTMETER_HISTORY")
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path / "data"))
    assert keep(scores(), origin=COMMAND, seconds=1) == ""
    assert (tmp_path / "data" / "history.db").is_file()


def _write(folder: Path, first: int) -> None:
    kept = past(folder)
    for number in range(first, first + 25):
        kept.record(scores(number), origin=COMMAND)


def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    spawning = multiprocessing.get_context("spawn")
    writers = [spawning.Process(target=_write, args=(tmp_path, first)) for first in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(300)
    assert [writer.exitcode for writer in writers] == [0, 0]
    kept = past(tmp_path)
    found = kept.find(Query(), most=100)
    assert sorted(kept.result(entry)["overall"]["lpbs"].iloc[0] for entry in found.entries) == [
        *range(25),
        *range(100, 125),
    ]


def test_killed_in_the_middle_of_a_write_it_loses_at_most_the_run_under_way(tmp_path: Path) -> None:
    """50 kills, each some moments after a first write; a writer forks from one that has imported everything."""
    said: list[tuple[int, str]] = []
    for attempt in range(50):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                kept, number = past(tmp_path), attempt * 1000
                while True:
                    entry = kept.record(scores(number), origin=COMMAND)
                    os.write(write, f"{number} {entry.id}\n".encode())
                    number += 1
            finally:
                os._exit(1)
        os.close(write)
        with os.fdopen(read) as lines:
            first = lines.readline()  # it is writing
            time.sleep(attempt * 0.0013)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            said += [(int(number), id) for number, id in map(str.split, [first, *lines])]
    assert len(said) >= 50
    kept = past(tmp_path)
    found = kept.find(Query(), most=100_000)
    listed = {entry.id: entry for entry in found.entries}
    assert kept.problem() == ""
    assert {id for _, id in said} <= listed.keys()
    assert len(listed) - len(said) <= 50  # written, and killed before it could say so
    for number, id in said:
        assert kept.result(listed[id])["overall"]["lpbs"].iloc[0] == number
    for entry in found.entries:
        kept.result(entry)


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    config.attributes["metadata"] = schema.METADATA
    return config


def revisions() -> list[str]:
    return [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]


@pytest.mark.parametrize("first", ["base", *revisions()])
def test_every_earlier_state_is_brought_to_the_newest(tmp_path: Path, first: str) -> None:
    file = tmp_path / "history.db"
    config, engine = alembic_config(), create_engine(f"sqlite:///{file}")
    if first != "base":
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, first)
    kept = past(tmp_path)
    entry = kept.record(scores(), origin=COMMAND)
    assert kept.result(entry) == scores()
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"render_as_batch": True})
        assert context.get_current_revision() == schema.LATEST == revisions()[-1]
        assert compare_metadata(context, schema.METADATA) == []
    names = {index["name"] for index in inspect(engine).get_indexes("runs")}
    assert names == {"ix_runs_created", "ix_runs_digest"}
    engine.dispose()


def test_the_history_of_a_later_tiltmeter_is_refused_and_not_touched(tmp_path: Path) -> None:
    past(tmp_path).record(scores(), origin=COMMAND)
    with sqlite3.connect(tmp_path / "history.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(HistoryError, match="written by a later Tiltmeter"):
        past(tmp_path).find(Query())
    with sqlite3.connect(tmp_path / "history.db") as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (1,)
    connection.close()


def test_a_list_opens_without_loading_what_migrates_or_measures(tmp_path: Path) -> None:
    past(tmp_path).record(scores(), origin=COMMAND)
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from sqlalchemy import make_url; from core.history.database import Database\n"
        "from core.history.history import History, Query\n"
        "assert History(Database(make_url(f'sqlite:///{sys.argv[1]}/history.db'))).find(Query()).total == 1\n"
        "assert not {'torch', 'transformers', 'alembic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path), str(ROOT)], check=True)
