"""Inputs made from the fields of core's options, which say what those may hold."""

from __future__ import annotations

from collections.abc import Mapping

from core import spec as limits
from core.inputs import Choice, Number


def choice_of(options: type, name: str, label: str, titles: Mapping[str, str], help: str | None = None) -> Choice:
    """The choice of a field of core's options: what it may hold is said there, its ``titles`` here. All have one."""
    choices = {str(value): titles[str(value)] for value in limits.limits(options, name)["choices"]}
    return Choice(name, label, choices=choices, help=help)


def number_of(options: type, name: str, label: str) -> Number:
    """The whole number of a field of core's options, with its limits and default."""
    found = limits.limits(options, name)
    return Number(name, label, limits.default(options, name), found["least"], found["most"])
