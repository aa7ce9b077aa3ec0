"""What a notebook's ``help`` says: the docstrings of the public face have the sections of numpydoc.

numpydoc itself brings Sphinx and all that Sphinx needs; what is checked here needs its headings alone.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from core import api
from core.charts.theme import Theme
from core.measures.measure import MeasureSpec
from core.result import Result

FACE = [getattr(api, name) for name in api.__all__]
FUNCTIONS: list[Callable[..., Any]] = [*filter(inspect.isfunction, FACE), MeasureSpec.run, Result.save]
CLASSES: list[type] = [*filter(inspect.isclass, FACE), MeasureSpec, Result, Theme]


def sections(text: str) -> dict[str, dict[str, str]]:
    """The sections of a docstring by heading, each as its entries by name; ``a, b : type`` is an entry of both."""
    found: dict[str, dict[str, str]] = {}
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(text), flags=re.MULTILINE)
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        entries = re.findall(r"^(\S.*)\n((?:[ \t]+.*\n?|\n)*)", f"{body}\n", flags=re.MULTILINE)
        found[heading] = {
            name: said.strip() for head, said in entries for name in re.split(r",\s*", head.partition(" : ")[0])
        }
    return found


def raised(function: Callable[..., Any]) -> set[str]:
    """The errors that a function's own statements raise."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def summary(documented: Any) -> str:
    return (documented.__doc__ or "").split("\n", 1)[0]


def test_sections_are_told_apart() -> None:
    text = """Do it.

    More of it.

    Parameters
    ----------
    a, b : int
        Two numbers.
    c : str
        A word,
        on two lines.

    Raises
    ------
    KeyError
        Where it is not there.
    """
    assert sections(text) == {
        "Parameters": {"a": "Two numbers.", "b": "Two numbers.", "c": "A word,\n    on two lines."},
        "Raises": {"KeyError": "Where it is not there."},
    }
    assert sections("Do it.") == {}


@pytest.mark.parametrize("documented", [*FUNCTIONS, *CLASSES], ids=lambda documented: documented.__qualname__)
def test_the_first_line_is_a_sentence(documented: Any) -> None:
    assert re.fullmatch(r"[A-Z].*\.", summary(documented))
    assert all(all(entries.values()) for entries in sections(documented.__doc__).values())


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_a_function_says_what_it_takes_gives_and_raises(function: Callable[..., Any]) -> None:
    said = sections(function.__doc__ or "")
    signature = inspect.signature(function)
    assert list(said.get("Parameters", ())) == [name for name in signature.parameters if name != "self"]
    assert ("Returns" in said) == (signature.return_annotation != "None")
    assert raised(function) <= set(said.get("Raises", ()))


@pytest.mark.parametrize("kind", [*filter(is_dataclass, CLASSES)], ids=lambda kind: kind.__qualname__)
def test_a_class_says_what_each_of_its_fields_holds(kind: Any) -> None:
    own = sections(kind.__doc__).get("Parameters", {})
    said = {name for above in kind.__mro__ for name in sections(above.__doc__ or "").get("Parameters", ())}
    names = [field.name for field in fields(kind)]
    assert [name for name in names if name not in said] == []
    assert [name for name in own if name not in names] == []
