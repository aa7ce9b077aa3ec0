"""A batch file that measures again what a result was measured by."""

from __future__ import annotations

from typing import Any

import yaml

from .. import __version__
from ..errors import InputError
from ..measures.measure import MeasureSpec
from ..plain import Plain, plain
from ..publication.exchange.subject import reading
from ..report.numbers import fixed
from ..result import HeadlineValue, Result


def written(result: Result) -> bytes:
    """A batch file that measures again what a result was measured by.

    Parameters
    ----------
    result : Result
        Of any measure.

    Returns
    -------
    bytes
        YAML in UTF-8: the measurement, and in comments its numbers as names for thresholds.
    """
    spec = result.spec
    single = len(spec.models) == 1
    document: dict[str, Plain] = {"title": spec.line}
    if single:
        document["models"] = list(spec.models)
    document["measures"] = [{"measure": spec.COMMAND, "spec": _chosen(spec, without=("models",) if single else ())}]
    text = yaml.dump(
        document, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None
    )
    lines = [
        f"# A batch file of Tiltmeter {__version__}: python -m core batch FILE",
        "# Files that it names have to lie beside it.",
        text.rstrip("\n"),
        "# Thresholds, fixed before the run, such as “- lpbs.overall.abs > 0.8” (.abs is the size of a number,",
        "# .distance that from its neutral value). The numbers of this measurement:",
        *(f"#   {_said(value)}" for value in result.headlines()),
        "fail_if: []",
    ]
    return ("\n".join(lines) + "\n").encode()


def _chosen(spec: MeasureSpec[Any], without: tuple[str, ...]) -> dict[str, Plain]:
    """The plain form of a spec, as far as it is not what the measure has by default."""
    found = plain(spec)
    assert isinstance(found, dict)
    usual = _usual(type(spec))
    return {
        name: value
        for name, value in found.items()
        if name not in without and (name == "models" or name not in usual or usual[name] != value)
    }


def _usual(kind: type[MeasureSpec[Any]]) -> dict[str, Plain]:
    """The plain form of a measure's defaults; empty where it has no measurement by default."""
    try:
        found = plain(kind())
    except (InputError, TypeError):
        return {}
    assert isinstance(found, dict)
    return found


def _said(value: HeadlineValue) -> str:
    of = f" of {value.of}" if value.of else ""
    unit = f" {value.unit}" if value.unit else ""
    who = f" ({value.model})" if value.model else ""
    return " ".join(f"{value.name}{of}: {fixed(value.value, 3)}{unit}{who}; {reading(value)}".split())
