"""A command of the program, run in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from core.cli import main


@dataclass(frozen=True)
class Command:
    """``name`` with further arguments."""

    name: str

    def run(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
        """Exit code, what was printed and what was said."""
        try:
            code = main([self.name, *arguments])
        except SystemExit as stop:  # argparse's own refusals, and --help
            code = int(str(stop.code))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    def document(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
        """The JSON it prints when it succeeds."""
        code, out, err = self.run(capsys, *arguments, "--format", "json")
        assert code == 0, err
        found: dict[str, Any] = json.loads(out)
        return found
