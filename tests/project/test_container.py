"""The Dockerfile: linted, and held against what it copies and starts. No image is built here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.paths import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINTER = Path(sys.executable).parent / "hadolint"


def instructions() -> list[tuple[str, str]]:
    """(keyword, the rest) of each instruction, continued lines joined, comments passed over."""
    lines = [line for line in DOCKERFILE.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in joined.splitlines() if line.strip()]


def copied() -> set[str]:
    """What goes from this folder into the image."""
    return {source for keyword, rest in instructions() if keyword == "COPY" for source in rest.split()[:-1]}


def last(keyword: str) -> str:
    return [rest for found, rest in instructions() if found == keyword][-1]


@pytest.mark.skipif(not LINTER.exists(), reason="no hadolint for this system")
def test_the_linter_has_nothing_to_say() -> None:
    told = subprocess.run([LINTER, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (0, "")


def test_the_image_gets_all_that_the_wheel_is_made_of() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["force-include"], PROJECT["project"]["readme"], "pyproject.toml"}
    needed |= {pattern.partition("/")[0] for pattern in PROJECT["project"]["license-files"]}
    assert copied() == needed | {"requirements.txt", "constraints.txt"}


def test_what_is_copied_is_there_and_nothing_else_is_sent() -> None:
    assert [source for source in copied() if not (ROOT / source).exists()] == []
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == copied()


def test_it_installs_the_lock_on_a_python_that_is_promised() -> None:
    (base,) = re.findall(r"python:(3\.\d+)-slim", last("FROM"))
    assert f"Programming Language :: Python :: {base}" in PROJECT["project"]["classifiers"]
    runs = " ".join(rest for keyword, rest in instructions() if keyword == "RUN")
    assert "-r requirements.txt" in runs
    assert "--no-deps ." in runs
    make = re.search(r"--no-install-recommends (.*?) >", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert make is not None
    assert f"--no-install-recommends {make[1]} " in runs


def test_it_starts_the_dashboard_as_nobody_special() -> None:
    assert last("USER") == "1000"
    assert [*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))] == ["tiltmeter", "dashboard"]


def test_it_is_healthy_when_the_dashboard_answers() -> None:
    port = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["server"]["port"]
    assert last("EXPOSE") == str(port)
    python, option, program = json.loads(last("HEALTHCHECK").partition("CMD")[2])
    assert (python, option) == ("python", "-c")
    assert f"http://127.0.0.1:{port}/_stcore/health" in program
    compile(program, "HEALTHCHECK", "exec")
