"""The cells of a notebook, run one after the other as Jupyter would run them, and what each of them shows.

Run as a program (``python cells.py NOTEBOOK PICTURES``) it prints the outputs of each cell of code as JSON: so it
runs in the environment whose packages the notebook is meant for. PICTURES is yes where figures are drawn as PNG.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

Outputs = list[dict[str, Any]]


def run(notebook: Path, *, pictures: bool) -> list[Outputs]:
    """The outputs of each cell of code, in the notebook's format."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    codes = [cell for cell in cells if cell["cell_type"] == "code"]
    return [shown_by(cell, number, names, pictures=pictures) for number, cell in enumerate(codes, 1)]


def shown_by(cell: dict[str, Any], number: int, names: dict[str, Any], *, pictures: bool) -> Outputs:
    """What one cell gives: its error too, where it is marked as one that may have one."""
    try:
        return outputs("".join(cell["source"]), number, names, pictures=pictures)
    except Exception as error:
        if "raises-exception" not in cell["metadata"].get("tags", ()):
            raise
        return [{"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": []}]


def outputs(code: str, number: int, names: dict[str, Any], *, pictures: bool) -> Outputs:
    """What one cell prints, then its last expression."""
    body = ast.parse(code).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None  # type: ignore[attr-defined]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        value = None if last is None else eval(compile(last, f"cell {number}", "eval"), names)
    text = printed.getvalue()
    found: Outputs = [{"output_type": "stream", "name": "stdout", "text": lines(text)}] if text else []
    if value is not None:
        data = shown(value, pictures=pictures)
        found.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return found


def shown(value: Any, *, pictures: bool) -> dict[str, Any]:
    """A value as a notebook holds it: a figure as a picture, a table as HTML too."""
    if hasattr(value, "to_plotly_json"):
        drawn = {"image/png": base64.b64encode(value.to_image("png", scale=1.5)).decode()} if pictures else {}
        return {**drawn, "text/plain": ["a figure"]}
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = lines(value._repr_html_())
    return data


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    json.dump(run(Path(sys.argv[1]), pictures=sys.argv[2] == "yes"), sys.stdout)
