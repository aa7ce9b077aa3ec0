"""Texts from Jinja templates: each measure keeps its own in a folder ``texts`` beside its code.

A template gets facts (numbers, words, rows) and the filters below, and writes sentences. What a number means is
decided in Python; how it is said, in the template.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from .numbers import counted, fixed, interval, p_text, percent, signed
from .wording import listed, templates_phrase


def text_of(code: str, name: str, **facts: Any) -> str:
    """The text ``texts/NAME.j2`` beside the file ``code`` (a module's ``__file__``), with its facts filled in.

    Lines of the template that belong to one paragraph are joined by single spaces; an empty line begins another.
    A fact that the template names and nobody gives is an error.
    """
    rendered = _environment(Path(code).parent / "texts").get_template(f"{name}.j2").render(**facts)
    paragraphs = (" ".join(part.split()) for part in rendered.split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)


@dataclass(frozen=True)
class Phrase:
    """A piece of a sentence; ``group`` names the group whose hue it takes, ``strong`` prints it bold."""

    text: str
    group: str | None = None
    strong: bool = False


@dataclass(frozen=True)
class Finding:
    """``headline`` in pieces, and ``support``: interval, p, n and what the number means."""

    headline: tuple[Phrase, ...]
    support: str

    @property
    def text(self) -> str:
        """The headline as plain text."""
        return "".join(phrase.text for phrase in self.headline)


def finding_of(code: str, name: str, **facts: Any) -> Finding:
    """The finding that a template writes: its first paragraph is the headline, the second the support.

    The filters ``strong`` and ``group`` mark what is bold and what takes a group's hue.
    """
    headline, _, support = text_of(code, name, **facts).partition("\n\n")
    return Finding(tuple(_phrases(headline)), support)


# What no text of a reader holds: such characters are refused in words, templates and names.
_STRONG, _GROUP, _END = "\x01", "\x02", "\x03"
_MARKED = re.compile(f"([{_STRONG}{_GROUP}])([^{_END}]*){_END}")


def _phrases(text: str) -> Iterator[Phrase]:
    at = 0
    for found in _MARKED.finditer(text):
        if found.start() > at:
            yield Phrase(text[at : found.start()])
        yield Phrase(found[2], found[2] if found[1] == _GROUP else None, strong=True)
        at = found.end()
    if at < len(text):
        yield Phrase(text[at:])


@functools.cache
def _environment(folder: Path) -> jinja2.Environment:
    # Plain sentences: whoever shows them as HTML or Markdown escapes them there.
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "signed": signed,
        "fixed": fixed,
        "percent": percent,
        "p": p_text,
        "listed": listed,
        "counted": counted,
        "quoted": _quoted,
        "interval": interval,
        "templates": templates_phrase,
        "strong": lambda text: f"{_STRONG}{text}{_END}",
        "group": lambda name: f"{_GROUP}{name}{_END}",
    }
    return environment


def _quoted(text: str) -> str:
    return f"“{text}”"
