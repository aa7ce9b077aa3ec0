"""Tiltmeter as ``pip install .`` leaves it, in an environment of its own that sees this one's packages."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

DEPENDENCIES = "dependencies.pth"


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel in it."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self._path("scripts") / ("python.exe" if os.name == "nt" else "python")

    @property
    def command(self) -> Path:
        """Its ``tiltmeter``."""
        return self._path("scripts") / ("tiltmeter.exe" if os.name == "nt" else "tiltmeter")

    @property
    def packages(self) -> Path:
        """Its site-packages, which hold the wheel alone and a file that points to the packages of this environment."""
        return self._path("purelib")

    def _path(self, name: str) -> Path:
        return Path(sysconfig.get_path(name, "venv", {"base": str(self.folder), "platbase": str(self.folder)}))

    def run(self, *arguments: str, at: Path) -> subprocess.CompletedProcess[str]:
        """The command with these arguments, run in the folder ``at``."""
        return subprocess.run([self.command, *arguments], cwd=at, capture_output=True, text=True, timeout=300)


def install(folder: Path) -> Installed:
    """Build the wheel and install it into a new environment in ``folder``, from no index and without dependencies."""
    installed = Installed(folder / "environment")
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT)]
        subprocess.run([*pip, *build], check=True)
        (wheel,) = folder.glob("*.whl")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", installed.folder], check=True)
        (installed.packages / DEPENDENCIES).write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        there = ["--python", str(installed.python), "install", "--no-deps", "--no-index", "--no-compile", str(wheel)]
        subprocess.run([*pip, *there], check=True)
    return installed
