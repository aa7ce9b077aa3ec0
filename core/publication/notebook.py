"""A report as a notebook: its words, and cells that measure and draw again. Nothing in it was run."""

from __future__ import annotations

import json
from typing import Any

from ..plain import strict_json
from .contents import Contents
from .document import markdown_literal


def to_notebook(contents: Contents) -> bytes:
    """The report as ``.ipynb`` (nbformat 4.5): a spec a result, rebuilt by ``import tiltmeter``."""
    report = contents.report
    head = [f"# {markdown_literal(report.heading)}", markdown_literal(report.author), markdown_literal(report.summary)]
    cells = [
        _words("\n\n".join(filter(None, head))),
        _words("Each cell measures again with the same inputs. Files that were uploaded have to be brought again."),
        _code("import json\n\nimport tiltmeter as tm"),
    ]
    for source in contents.sources:
        spec = source.result.spec
        pins = [pin for pin in report.pins if contents.of[pin.result] is source]
        lines = [f"## {markdown_literal(source.title)}"]
        for pin in pins:
            lines += [markdown_literal(part) for part in (pin.title, pin.text, pin.note) if part]
        cells.append(_words("\n\n".join(lines)))
        # As the text of a Python string of its own: whatever it holds is data, never code.
        kind = type(spec).__name__
        cells.append(
            _code(f"spec = tm.{kind}.restored(json.loads({strict_json(spec)!r}))\nresult = spec.run()\nresult")
        )
        cells.append(_code("tm.draw(result)"))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _words(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code(text: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
