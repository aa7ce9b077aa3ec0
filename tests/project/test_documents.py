"""CITATION.cff and SECURITY.md say what the program does."""

from __future__ import annotations

import re
import tomllib

import yaml

from core import __version__
from pages.shared import links
from tests.support.paths import ROOT

SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def sources() -> str:
    paths = [ROOT / "app.py", *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_the_citation_is_that_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # The keys that the format requires, and those it knows of which we use some.
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation.keys() <= {"cff-version", "message", "title", "type", "version", "license", "authors"} | {
        *("keywords", "abstract", "date-released", "doi", "identifiers", "repository-code", "url", "references")
    }
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["license"]
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_every_setting_of_the_environment_is_listed() -> None:
    read = set(re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", sources())) - {"XDG_CACHE_HOME"}
    table = SECURITY.partition("## Settings")[2].partition("## ")[0]
    listed = set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE))
    assert listed == read
    assert "TILTMETER_MODELS" in listed


def test_the_server_is_as_closed_as_is_said() -> None:
    server = SETTINGS["server"]
    assert server["address"] == "127.0.0.1"
    assert server["allowedHosts"] == ["localhost", "127.0.0.1"]
    assert f"at most {server['maxUploadSize']} MB each" in SECURITY
    assert SETTINGS["browser"]["gatherUsageStats"] is False


def test_saved_results_may_be_as_large_as_is_said() -> None:
    assert f"(`.tilt`, at most {links.SAVED.megabytes} MB" in SECURITY


def test_nothing_is_opened_that_could_run_code() -> None:
    text = sources()
    assert not re.search(r"trust_remote_code=True|\bpickle\b|torch\.load\(|allow_pickle=True|\beval\(\"|\bexec\(", text)
    assert "trust_remote_code=False" in text
