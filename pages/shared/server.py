"""The server behind ``python app.py``: Streamlit, once the default model is loaded and the first chart measured.

Loading beside the first visit would take twice as long, since both want the same interpreter.
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from streamlit.web import cli

from pages.shared import resources


def serve(app: Path) -> None:
    """Serve ``app`` on 127.0.0.1 until interrupted; ``--port`` chooses the port."""
    parser = argparse.ArgumentParser(description="Tiltmeter: the dashboard in your browser.")
    parser.add_argument("--port", type=int, default=8501)
    port = parser.parse_args().port
    sys.stderr.write("Loading the default model, some seconds …\n")
    _warm_up()
    sys.argv = ["streamlit", "run", str(app), "--server.port", str(port)]
    cli.main()


def _warm_up() -> None:
    # A failure here shows again, as a sentence, on the first page that needs the model.
    try:
        resources.warm_up()
    except Exception:
        logging.getLogger(__name__).exception("the default model could not be loaded ahead")
