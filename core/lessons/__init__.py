"""Guided lessons: prepared measurements, each with a question that is answered before its result is seen."""

from __future__ import annotations

import functools

from .lesson import Lesson


@functools.cache
def lessons() -> tuple[Lesson, ...]:
    """Every lesson, in the order they are taken."""
    from . import heads, prior, templates

    return prior.LESSON, templates.LESSON, heads.LESSON
