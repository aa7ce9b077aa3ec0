"""The history of a team, in a PostgreSQL that the test starts."""

from __future__ import annotations

import multiprocessing
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from core.history.database import Database
from core.history.history import COMMAND, History, Query
from tests.support.past import scores

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
_PATIENCE = 30


@pytest.fixture(scope="module")
def server() -> Iterator[URL]:
    """The URL of an empty server, which runs as another user where the tests are root's: it refuses to be root's."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL here (Debian's package postgresql): the history of a team was not tried")
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="postgres-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, user)
    data = folder / "data"
    as_user = {"user": user} if os.geteuid() == 0 else {}
    initdb = [PROGRAMS[0] / "initdb", "-D", data, "-U", "tiltmeter", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
    subprocess.run(initdb, check=True, capture_output=True, cwd=folder, **as_user)  # type: ignore[call-overload]
    options = [PROGRAMS[0] / "postgres", "-D", data, "-p", str(port), "-k", folder, "-h", "127.0.0.1", "-F"]
    with subprocess.Popen(
        options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, **as_user
    ) as process:  # type: ignore[call-overload]
        url = URL.create("postgresql+psycopg", "tiltmeter", "secret", "127.0.0.1", port, "postgres")
        try:
            _wait_for(url)
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # the fast way: connections are not waited for
            process.wait(_PATIENCE)
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: URL) -> None:
    engine, began = create_engine(url), time.monotonic()
    while True:
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
            break
        except OperationalError:
            if time.monotonic() - began > _PATIENCE:
                raise
            time.sleep(0.1)
    engine.dispose()


def _write(url: str, first: int) -> None:
    kept = History(Database(make_url(url)))
    for number in range(first, first + 10):
        kept.record(scores(number), origin=COMMAND)
    kept._database.close()


def test_processes_that_begin_at_once_in_an_empty_database_lose_nothing(server: URL) -> None:
    spawning, url = multiprocessing.get_context("spawn"), server.render_as_string(hide_password=False)
    writers = [spawning.Process(target=_write, args=(url, first)) for first in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(_PATIENCE)
    assert [writer.exitcode for writer in writers] == [0, 0]
    kept = History(Database(server))
    found = kept.find(Query(), most=100)
    values = sorted(kept.result(entry)["overall"]["lpbs"].iloc[0] for entry in found.entries)
    assert values == [*range(10), *range(100, 110)]
    kept._database.close()


def test_it_is_searched_edited_and_deleted_as_any_other(server: URL) -> None:
    kept = History(Database(server))
    entry = kept.record(scores(word="Übersetzerin"), origin=COMMAND, seconds=1.0)
    kept.edit(entry.id, name="Prüfung", starred=True)
    assert [found.id for found in kept.find(Query(words="übersetzerin PRÜFUNG", starred=True)).entries] == [entry.id]
    assert kept.by_digest(entry.digest[:16]) == scores(word="Übersetzerin").to_bytes()
    assert "secret" not in kept.place
    kept.delete([entry.id])
    assert kept.find(Query(words="übersetzerin")).total == 0
    assert kept.by_digest(entry.digest[:16]) is None
    kept._database.close()
