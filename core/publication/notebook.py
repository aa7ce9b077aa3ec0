"""A report as a notebook: its words, and cells that measure and draw again. Nothing in it was run."""

from __future__ import annotations

import json
from typing import Any

from ..plain import strict_json
from .contents import Contents
from .document import markdown_literal, markdown_paragraphs

_BRING = """import hashlib
from pathlib import Path

# Files that were uploaded. They lie beside this notebook; write another path where one does not.
files = {files}
contents = [Path(file).read_bytes() for file in files if Path(file).is_file()]
uploads = {{hashlib.sha256(content).hexdigest(): content for content in contents}}"""


def to_notebook(contents: Contents) -> bytes:
    """The report as a notebook, nbformat 4.5.

    A result that cannot be measured again leaves its error and does not keep the others from being measured.

    Parameters
    ----------
    contents : Contents
        The report with its results.

    Returns
    -------
    bytes
        Of the ``.ipynb``: the report's words, and for each result cells that measure by its spec and draw again.
    """
    report = contents.report
    head = [f"# {markdown_literal(report.heading)}", markdown_literal(report.author)]
    head += markdown_paragraphs(report.summary)
    cells = [
        _words("\n\n".join(filter(None, head))),
        _words("Each cell measures again with the same inputs. A cell that cannot says why, and the next ones go on."),
        _code("import json\n\nimport tiltmeter as tm"),
    ]
    uploads = sorted({file.name for source in contents.sources for file in source.result.spec.uploads})
    if uploads:
        cells.append(_code(_BRING.format(files=uploads)))
    for number, source in enumerate(contents.sources, start=1):
        spec = source.result.spec
        pins = [pin for pin in report.pins if source in contents.behind(pin)]
        lines = [f"## {markdown_literal(source.title)}"]
        for pin in pins:
            lines += [markdown_literal(part) for part in (pin.title, pin.text) if part]
            lines += markdown_paragraphs(pin.note)
        lines += [markdown_literal(f"Measuring it writes to {spec.writes}.")] if spec.writes else []
        cells.append(_words("\n\n".join(lines)))
        # As the text of a Python string of its own: whatever it holds is data, never code.
        made = f"tm.{type(spec).__name__}.restored(json.loads({strict_json(spec)!r}))"
        brought = ".with_uploads(uploads)" if spec.uploads else ""
        # A name of its own each, so that none is drawn in the place of one that could not be measured.
        name = f"result_{number}"
        cells.append(_measuring(f"spec = {made}{brought}\n{name} = spec.run()\n{name}"))
        cells.append(_measuring(f"tm.draw({name})"))
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


def _measuring(text: str) -> dict[str, Any]:
    """A cell whose error does not end the run of the cells behind it."""
    return {**_code(text), "metadata": {"tags": ["raises-exception"]}}
