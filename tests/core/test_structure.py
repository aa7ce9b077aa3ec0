"""Imports go one way. Sources are parsed, nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT

BASE = ("errors", "plain", "whole", "archives", "tilt", "result", "run", "kept", "runs", "inputs", "spec")
CHAIN = (*BASE, "sources", "stats", "engine", "charts", "report", "measures")
# What each part of core may import besides itself. ``core`` stands for core/__init__.py, which holds the version.
MAY_IMPORT: dict[str, set[str]] = {
    "core": set(),
    **{part: {"core", *CHAIN[:place]} for place, part in enumerate(CHAIN)},
    **{part: {"core", *BASE, "sources", "stats"} for part in ("charts", "engine")},
    "report": {"core", *BASE, "sources", "stats", "charts"},
    "shelf": {"core", *CHAIN},
    "papers": {"core", *CHAIN, "shelf"},
    "history": {"core", *CHAIN},
    "publication": {"core", *CHAIN, "history"},
    "lessons": {"core", *CHAIN},
    "api": {"core", *CHAIN},
    "batch": {"core", *CHAIN, "history", "publication"},
    "cli": {"core", *CHAIN, "shelf", "papers", "history", "publication", "batch"},
    "__main__": {"core", "cli"},
}
# A measure may use those before it.
MEASURES = (
    "shared",
    "lpbs",
    "association",
    "attention",
    "benchmarks",
    "descriptors",
    "mitigation",
    "downstream",
    "agreement",
)
PURE = ("result", "metric", "figures")  # modules of a measure that know no model
MODEL_LIBRARIES = {"torch", "transformers", "huggingface_hub", "safetensors", "tokenizers"}
CACHE_HOME = "pages/shared/resources.py"
FACE = "face.py"  # what the installed package gives to others


def sources() -> Iterator[tuple[str, str]]:
    """(path from the root, text) of every source of the program."""
    for path in sorted([*ROOT.glob("*.py"), *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")]):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def violations(path: str, text: str) -> list[str]:
    """What is wrong with the imports of one source; imports inside functions count too."""
    tree = parsed(text, path)
    found = [problem for name in imported(path, tree) if (problem := refused(path, name))]
    if path.startswith("core/") or path == FACE:
        found += [f"{path} imports {name} by its full name: it is tiltmeter.core elsewhere" for name in absolute(tree)]
    if path != CACHE_HOME:
        found += [f"{path} uses st.{name}" for name in caches(tree)]
    return found


def parsed(text: str, path: str) -> ast.Module:
    """The tree of a source. Python 3.11 counts the depth of all threads' trees together, and may miscount once."""
    for _ in range(3):
        try:
            return ast.parse(text, path)
        except SystemError as error:  # "AST constructor recursion depth mismatch"
            failure = error
    raise failure


def imported(path: str, tree: ast.AST) -> Iterator[str]:
    """Full dotted names; ``from a import b`` gives a.b, since b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = Path(path).parts[: -node.level] if node.level else ()
            base = ".".join([*package, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                yield node.args[0].value


def absolute(tree: ast.AST) -> Iterator[str]:
    """The modules of core that are imported by their full name."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names = [node.module]
        yield from (name for name in names if name.partition(".")[0] == "core")


def refused(path: str, name: str) -> str | None:
    top, *below = name.split(".")
    parts = Path(path).with_suffix("").parts
    in_core = parts[0] == "core"
    problem = f"{path} imports {name}"
    if top in MODEL_LIBRARIES:
        return None if parts[:2] == ("core", "engine") else problem
    if top == "tests" or (in_core and top in ("streamlit", "pages", "app")):
        return problem
    if top != "core":
        return None
    wanted = below[0] if below and below[0] in MAY_IMPORT else "core"
    if below and wanted == "core" and not below[0].startswith("__"):
        return f"{problem}, which has no place in the order"
    if not in_core:
        return problem if wanted in ("api", "cli", "__main__") and path != FACE else None
    own = "core" if parts == ("core", "__init__") else parts[1]
    if own not in MAY_IMPORT:
        return f"{path} has no place in the order"
    if own == "charts" and below[:2] == ["report", "numbers"]:
        return None  # how a number is written is known to all who write one
    if wanted == "measures" and own == "report" and "result" in below:
        return None  # until every text lies in the folder of its measure
    if own == "measures":
        return problem if measure_refused(parts, below) else None
    return None if wanted == own or wanted in MAY_IMPORT[own] else problem


def measure_refused(parts: tuple[str, ...], below: list[str]) -> bool:
    """Whether a module of a measure imports one that comes after it, or a pure one the engine."""
    if below[:1] == ["engine"]:
        return parts[-1] in PURE
    if below[:1] != ["measures"] or len(below) < 2 or len(parts) < 4:
        return bool(below) and below[0] in MAY_IMPORT and below[0] not in (*MAY_IMPORT["measures"], "measures")
    return below[1] in MEASURES and MEASURES.index(below[1]) > MEASURES.index(parts[2])


def caches(tree: ast.AST) -> Iterator[str]:
    """Streamlit's caches, by attribute or by import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("cache_data", "cache_resource", "cache"):
            if isinstance(node.value, ast.Name) and node.value.id in ("st", "streamlit"):
                yield node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            yield from (alias.name for alias in node.names if alias.name.startswith("cache"))


def test_imports_go_one_way() -> None:
    found = [problem for path, text in sources() for problem in violations(path, text)]
    assert not found, "\n".join(found)


def test_the_whole_program_was_read() -> None:
    read = {path for path, _ in sources()}
    assert {"core/errors.py", "core/engine/loading.py", "core/charts/rows.py", "core/cli/__init__.py"} <= read
    assert {Path(path).parts[1].removesuffix(".py") for path in read if path.startswith("core/")} <= {
        *MAY_IMPORT,
        "__init__",
    }


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/errors.py", "from .result import Group"),
        ("core/result.py", "import core.sources.templates"),
        ("core/sources/templates.py", "from .. import engine"),
        ("core/sources/lists.py", "from ..stats.resampling import sign_flip_test"),
        ("core/stats/resampling.py", "from ..measures import lpbs"),
        ("core/measures/lpbs/metric.py", "def f():\n    from ...engine.masked import MaskedScorer"),
        ("core/measures/lpbs/metric.py", "from ...engine import masked"),
        ("core/measures/lpbs/metric.py", "import importlib\nimportlib.import_module('core.engine.masked')"),
        ("core/engine/masked.py", "from ..measures.lpbs import compute"),
        ("core/engine/masked.py", "from ..report.frames import to_csv"),
        ("core/measures/lpbs/compute.py", "from ..association import compute"),
        ("core/measures/lpbs/compute.py", "if True:\n    import torch"),
        ("core/charts/rows.py", "from ..measures.lpbs.metric import MIN_VALUES"),
        ("core/charts/rows.py", "from ..report.wording import listed"),
        ("core/report/frames.py", "import core.engine.catalog as catalog"),
        ("core/report/frames.py", "from ..measures.lpbs.compute import run"),
        ("core/report/frames.py", "from ..cli import main"),
        ("core/__init__.py", "from .errors import TiltmeterError"),
        ("core/cli/__init__.py", "from core.errors import TiltmeterError"),
        ("core/cli/__init__.py", "import streamlit as st"),
        ("core/cli/__init__.py", "from pages.shared import frame"),
        ("core/report/figures.py", "from tests.support.paths import ROOT"),
        ("core/helpers.py", "from .errors import TiltmeterError"),
        ("core/cli/__init__.py", "from ..helpers import anything"),
        ("pages/1_Playground.py", "from transformers import AutoModel"),
        ("pages/1_Playground.py", "from core.cli import main"),
        ("pages/1_Playground.py", "from core.api import draw"),
        ("pages/1_Playground.py", "import streamlit as st\n@st.cache_data\ndef f(): ..."),
        ("pages/shared/frame.py", "from streamlit import cache_resource"),
        ("app.py", "import streamlit\n@streamlit.cache_resource(max_entries=1)\ndef f(): ..."),
        ("core/sources/lists.py", "import tokenizers"),
    ],
)
def test_a_violation_is_caught(path: str, source: str) -> None:
    assert violations(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/result.py", "from .errors import InputError\nimport pandas as pd"),
        ("core/engine/masked.py", "import torch\nfrom ..sources import lists\nfrom . import reading"),
        ("core/engine/masked.py", "from . import batching, reading"),
        ("core/report/figures.py", "from ..charts import LIGHT\nfrom .. import __version__"),
        ("core/cli/__init__.py", "from .. import __version__, sources\nfrom ..measures.lpbs import compute"),
        ("core/__main__.py", "from .cli import main"),
        (FACE, "from .core.api import draw"),
        ("core/sources/lists.py", "from functools import cache\n@cache\ndef f(): ..."),
        (
            CACHE_HOME,
            "import streamlit as st\nfrom core.engine.pool import ModelPool\n@st.cache_resource\ndef f(): ...",
        ),
        ("pages/1_Playground.py", "import streamlit as st\nfrom core.measures.lpbs import compute\nst.text('x')"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    assert violations(path, source) == []
