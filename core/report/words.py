"""The sentences of a result: each measure writes its own in a module ``words`` beside its result's class.

That module may have ``methods(result)`` (sentences that say how the numbers were made, without models, exclusions and
references), ``references(result)`` (a paper each) and ``material(result)`` (lines for a figure's caption: what was put
to the models). What it lacks is said in general words.

What a measure's numbers do not say is in ``texts/limits.j2``.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ..result import Result
from .texts import text_of


def sentences_of(result: Result, name: str) -> Any:
    """What the function ``name`` of the result's ``words`` says; None where there is none."""
    function = getattr(_module(type(result)), name, None)
    return None if function is None else function(result)


def limits_of(kind: type[Result]) -> tuple[str, ...]:
    """What the numbers of a measure do not say, a statement each: ``texts/limits.j2`` beside its result."""
    code = Path(str(sys.modules[kind.__module__].__file__))
    if not (code.parent / "texts" / "limits.j2").exists():
        return ()
    return tuple(text_of(str(code), "limits").split("\n\n"))


def _module(kind: type[Result]) -> ModuleType | None:
    name = f"{kind.__module__.rpartition('.')[0]}.words"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        # Another module that is missing is a fault of its own.
        if error.name is None or not name.startswith(error.name):
            raise
        return None
