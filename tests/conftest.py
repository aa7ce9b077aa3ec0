from __future__ import annotations

import os

import pytest
import torch
from filelock import FileLock

from core.engine import checkpoints, loading
from core.engine.loading import LoadedModel
from tests.support.installed import Installed, install
from tests.support.reference import absent

# Nothing that a test measures is kept among the user's runs; tests of the history have one of their own.
os.environ["TILTMETER_HISTORY"] = "off"
# Tiny models gain nothing from threads, and threads that wait for each other starve whatever else the machine runs.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def embedded() -> LoadedModel:
    """The default model, loaded once."""
    return loading.load(checkpoints.fetch(checkpoints.ModelRequest("default")), device="cpu")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own, made once for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with FileLock(shared / "installed.lock"):
        return install(shared / "installed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line on the tests that need a corpus or a model that does not travel with the clone."""
    skipped = terminalreporter.stats.get("skipped", [])
    if line := absent([report.longrepr[2] for report in skipped]):
        terminalreporter.write_line(line)
