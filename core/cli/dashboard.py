"""``dashboard``: the pages in a browser, served from where the program lies, whatever folder one is in."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

NAME = "dashboard"
HELP = "serve the pages to a browser on this machine"
DESCRIPTION = "Serves the dashboard on 127.0.0.1 until it is interrupted (Ctrl-C)."
APP = Path(__file__).resolve().parents[2] / "app.py"


def serve(port: int) -> None:
    """Run app.py as ``python app.py --port …`` does: its folder is where it finds core and pages."""
    sys.path.insert(0, str(APP.parent))
    sys.argv = [str(APP), "--port", str(port)]
    runpy.run_path(str(APP), run_name="__main__")
