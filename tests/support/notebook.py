"""The worked notebook with what its cells show, from the installed package: ``python -m tests.support.notebook``."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tests.support.installed import Installed, install
from tests.support.paths import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def read() -> dict[str, Any]:
    """The notebook as it is stored."""
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return found


def run(installed: Installed, folder: Path, *, pictures: bool, file: Path = NOTEBOOK) -> list[list[dict[str, Any]]]:
    """What each cell of code shows, run in ``folder``. Raises CalledProcessError where a cell fails."""
    program = ROOT / "tests" / "support" / "cells.py"
    command = [installed.python, str(program), str(file), "yes" if pictures else "no"]
    answer = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=600, check=True)
    found: list[list[dict[str, Any]]] = json.loads(answer.stdout)
    return found


def codes(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def main() -> None:
    """Run the notebook and store what its cells show."""
    notebook = read()
    with tempfile.TemporaryDirectory() as folder:
        shown = run(install(Path(folder) / "installed"), Path(folder), pictures=True)
    for number, (cell, outputs) in enumerate(zip(codes(notebook), shown, strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
