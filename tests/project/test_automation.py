"""The CI file and the hooks before a commit run what README and Makefile run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import Any

import yaml

from tests.support.paths import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHONS = ["3.11", "3.12", "3.13"]


def workflow() -> dict[str, Any]:
    # YAML's "on" is a yes to this parser; nothing here reads that key.
    found: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    return found


def commands(job: dict[str, Any]) -> list[str]:
    """What a job runs, a command each."""
    return [line.strip() for step in job["steps"] for line in step.get("run", "").splitlines()]


def test_ci_runs_every_python_that_is_promised() -> None:
    for job in workflow()["jobs"].values():
        assert job["strategy"]["matrix"]["python"] == PYTHONS
        (setup,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/setup-python@")]
        assert setup["with"]["python-version"] == "${{ matrix.python }}"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r"Python :: (3\.\d+)", project) == PYTHONS


def test_ci_runs_the_commands_of_the_readme() -> None:
    jobs = workflow()["jobs"]
    two = re.findall(r"^(make \w+) +# ", README, re.MULTILINE)
    assert two == ["make run", "make test"]
    assert [command.removesuffix(" &") for command in commands(jobs["test"]) if command.startswith("make")] == two
    assert jobs["test"]["env"]["PYTHON"] == "python"  # make's choice would be another one
    installing, *used = commands(jobs["install"])
    assert installing == "pip install ."
    assert installing in README
    assert {"tiltmeter --version"} < set(used)
    for line in used:
        assert shlex.split(line)[0] == "tiltmeter"


def test_ci_may_only_read() -> None:
    assert workflow()["permissions"] == {"contents": "read"}


def test_the_hooks_are_the_checks_of_make() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert local["repo"] == "local"  # nothing is fetched
    hooks = [hook["entry"].removeprefix(".venv/bin/") for hook in local["hooks"]]
    check = MAKEFILE.partition("\ncheck:")[2].partition("\n\n")[0]
    made = [line.partition("$(BIN)/")[2] for line in check.splitlines()[1:]]
    # A commit is put into form, a check only looks.
    assert hooks == [command.replace(" --check", "").removesuffix(" .") for command in made]


def test_the_hooks_are_well_formed() -> None:
    file = str(ROOT / ".pre-commit-config.yaml")
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", file], check=True)
