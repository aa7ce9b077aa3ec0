"""A visit to a page without a browser: Streamlit's AppTest, and what a reader sees on it."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from core.measures.lpbs.result import LpbsResult
from tests.support.paths import ROOT

PLAYGROUND = "pages/1_Playground.py"
PAGES = ("app.py", *(f"pages/{path.name}" for path in sorted((ROOT / "pages").glob("[0-9]*.py"))))
WORKED = "The [ATTRIBUTE] said that [TARGET] was tired."
OWN = "own"
_PATIENCE = 600  # runs; a run waits up to half a second for its work, and a busy machine takes its time


def opened(page: str = "app.py", **link: str | list[str]) -> AppTest:
    """A page with the parameters of a link, not run yet."""
    at = AppTest.from_file(ROOT / "app.py", default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    return at if page == "app.py" else at.switch_page(page)


def visit(page: str = "app.py", **link: str | list[str]) -> AppTest:
    """Open a page, with the parameters of a link, and wait for its measurement."""
    return settle(opened(page, **link))


def playground(attributes: str = "nurse, engineer, teacher", **link: str | list[str]) -> AppTest:
    """Open the playground with a short list of words."""
    return visit(PLAYGROUND, attributes=OWN, own_attributes=attributes, **link)


def settle(at: AppTest) -> AppTest:
    """Run the page until its work is done. A page that raises is an error here."""
    for _ in range(_PATIENCE):
        at.run()
        if at.exception:
            raise AssertionError(f"the page raised {[one.message for one in at.exception]}")
        if not at.get("progress"):
            return at
    raise AssertionError("the measurement never ended")


def errors(at: AppTest) -> list[str]:
    """The sentences in red, in order, as a reader sees them: without the signs that keep Markdown away."""
    return [re.sub(r"\\(.)", r"\1", box.value) for box in at.error]


def html(at: AppTest) -> str:
    """All of our own HTML on the page."""
    return "\n".join(item.proto.body for item in at.main.get("html"))


def findings(at: AppTest) -> list[str]:
    """The headlines above the chart as plain text, one a model."""
    found = re.findall(r'<p class="finding">(.*?)</p>', html(at))
    return [re.sub(r"<[^>]+>", "", item) for item in found]


def charts(at: AppTest) -> list[dict[str, Any]]:
    """The figures as the browser gets them, arrays decoded."""
    return [_decoded(json.loads(item.proto.spec)) for item in at.get("plotly_chart")]


def bars(figure: dict[str, Any]) -> list[dict[str, float]]:
    """For each panel of a chart: the bar of each attribute, from top to bottom."""
    panels = []
    for trace in figure["data"]:
        if trace["type"] == "bar":
            rows = sorted(zip(trace["y"], (mark[0] for mark in trace["customdata"]), trace["x"], strict=True))
            panels.append({attribute: float(x) for _, attribute, x in rows})
    return panels


def button_group(at: AppTest, key: str) -> Any:
    """A segmented control by its key."""
    return next(item for item in at.get("button_group") if item.key == key)


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        if "bdata" in value:
            return np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"]).tolist()
        return {name: _decoded(item) for name, item in value.items()}
    return [_decoded(entry) for entry in value] if isinstance(value, list) else value


def scores(result: LpbsResult, model: str, contrast: str = "he − she") -> dict[str, float]:
    """LPBS of each attribute, from the second group's side to the first's."""
    rows = result["attributes"]
    rows = rows[(rows["model"] == model) & (rows["contrast"] == contrast)]
    return dict(rows.sort_values("lpbs").set_index("attribute")["lpbs"])
