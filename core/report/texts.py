"""Texts from Jinja templates: each measure keeps its own in a folder ``texts`` beside its code.

A template gets facts (numbers, words, rows) and the filters below, and writes sentences. What a number means is
decided in Python; how it is said, in the template.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import jinja2

from core.report.numbers import counted, fixed, p_value, percent, signed
from core.report.wording import listed


def text_of(code: str, name: str, **facts: Any) -> str:
    """The text ``texts/NAME.j2`` beside the file ``code`` (a module's ``__file__``), with its facts filled in.

    Lines of the template that belong to one paragraph are joined by single spaces; an empty line begins another.
    A fact that the template names and nobody gives is an error.
    """
    rendered = _environment(Path(code).parent / "texts").get_template(f"{name}.j2").render(**facts)
    paragraphs = (" ".join(part.split()) for part in rendered.split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)


@functools.cache
def _environment(folder: Path) -> jinja2.Environment:
    # Plain sentences: whoever shows them as HTML or Markdown escapes them there.
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, autoescape=False
    )
    environment.filters |= {
        "signed": signed,
        "fixed": fixed,
        "percent": percent,
        "p": p_value,
        "listed": listed,
        "counted": counted,
        "quoted": _quoted,
    }
    return environment


def _quoted(text: str) -> str:
    return f"“{text}”"
