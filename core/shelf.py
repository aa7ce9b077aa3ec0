"""The reference shelf: scores of real models that others published, as results like any other.

They were not measured here, and say so wherever they are shown.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .measures.measure import measures
from .measures.shared.published import alone
from .result import Result
from .sources.published import PREFIX, Entry, entries, entry

__all__ = ["PREFIX", "Entry", "entries", "entry", "result"]


@cache
def result(id: str) -> Result:
    """A published result, made of its scores by the code of its measure.

    Parameters
    ----------
    id : str
        Of one of ``entries()``, with or without ``PREFIX``.

    Returns
    -------
    Result
        Of the entry's measure. Its one model is the published one.

    Raises
    ------
    OptionError
        For an id that is none.
    """
    known = entry(id.removeprefix(PREFIX))
    spec: Any = measures()[known.measure]
    made: Result = alone(spec, (known,)).run()
    return made
