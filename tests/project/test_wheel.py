"""``pip install .`` gives the command ``tiltmeter``, which works from any folder and carries its data."""

from __future__ import annotations

import http.client
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from core import __version__
from tests.support.browser import serving
from tests.support.commands import Command
from tests.support.installed import DEPENDENCIES, Installed
from tests.support.paths import ROOT

INSIDE = ("core", "pages", "assets", ".streamlit")
SCORE = (
    *("--template", "[TARGET] is a [ATTRIBUTE].", "--group", "male=he", "--group", "female=she"),
    *("--attribute", "nurse", "--attribute", "engineer"),
)


def files(folder: Path) -> dict[str, bytes]:
    """The content of the program's files below a folder, by their path from it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in INSIDE
        for path in (folder / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != ".DS_Store"
    }


def test_nothing_else_stands_at_the_top_of_site_packages(installed: Installed) -> None:
    found = {path.name for path in installed.packages.iterdir()} - {DEPENDENCIES}
    assert found == {"tiltmeter", f"tiltmeter-{__version__}.dist-info"}


def test_the_wheel_is_the_tree_of_the_repository(installed: Installed) -> None:
    there = files(installed.packages / "tiltmeter")
    assert {"assets/models/minilm-mlm/model.safetensors", ".streamlit/config.toml", "core/__main__.py"} <= there.keys()
    assert there == files(ROOT)
    for here, inside in (("app.py", "app.py"), ("face.py", "__init__.py")):
        assert (installed.packages / "tiltmeter" / inside).read_bytes() == (ROOT / here).read_bytes()


def test_the_command_says_its_version_and_its_models(installed: Installed, tmp_path: Path) -> None:
    assert installed.run("--version", at=tmp_path).stdout == f"Tiltmeter {__version__}\n"
    models = installed.run("models", at=tmp_path)
    assert models.returncode == 0, models.stderr
    assert str(installed.packages / "tiltmeter" / "assets" / "models" / "minilm-mlm") in models.stdout
    help_text = installed.run("--help", at=tmp_path).stdout
    assert help_text.startswith("usage: tiltmeter ")
    assert "dashboard" in help_text


def test_it_is_one_package_in_a_program_too(installed: Installed, tmp_path: Path) -> None:
    program = "import sys; before = list(sys.path); import tiltmeter; print('core' in sys.modules, sys.path == before)"
    answer = subprocess.run([installed.python, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "True"]


def test_it_measures_what_the_clone_measures(
    installed: Installed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = Command("score").document(capsys, *SCORE)
    answer = installed.run("score", *SCORE, "--format", "json", at=tmp_path)
    assert answer.returncode == 0, answer.stderr
    there = json.loads(answer.stdout)
    del here["provenance"], there["provenance"]  # the time differs
    assert there == here


@pytest.fixture
def dashboard(installed: Installed, tmp_path: Path) -> Iterator[str]:
    """The address of the dashboard, started in a folder whose own settings would open it to everybody."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(
        '[server]\naddress = "0.0.0.0"\nallowedHosts = ["*"]\n', encoding="utf-8"
    )
    with serving(command=(str(installed.command), "dashboard"), folder=tmp_path) as address:
        yield address


def test_the_dashboard_starts_in_any_folder_with_its_own_settings(dashboard: str) -> None:
    port = urlsplit(dashboard).port
    listening = [found for found in psutil.net_connections("tcp") if found.status == psutil.CONN_LISTEN]
    assert {found.laddr.ip for found in listening if found.laddr.port == port} == {"127.0.0.1"}
    assert _upgrade(dashboard, "localhost") == 101
    assert _upgrade(dashboard, "elsewhere.example") == 403


def _upgrade(address: str, host: str) -> int:
    """What the server answers to a page that reached it under the name ``host`` and wants to talk to it."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
    headers = {
        "Host": host,
        "Origin": f"http://{host}",
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    try:
        connection.request("GET", "/_stcore/stream", headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()
