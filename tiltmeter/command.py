"""The command ``tiltmeter``: what ``python -m core`` is in a clone."""

import sys
from pathlib import Path


def main() -> int:
    """Run one command; returns the exit code."""
    # The engine calls itself core, and lies beside this file.
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from core.cli import main as run

    return run()
