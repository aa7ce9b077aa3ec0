"""Words on a chart: made literal, measured, shortened, wrapped."""

from __future__ import annotations

import re
import unicodedata

from ..result import PUBLISHED

ELLIPSIS = "…"
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}
_BREAKS = re.compile(r"(?<=[-_/ .])")


def literal(text: str) -> str:
    """The text as plotly must be given it to show it as it stands.

    Plotly reads some tags and entities in every label, and formulas between dollar signs where MathJax is loaded.
    """
    return "".join(_ENTITIES.get(character, character) for character in text)


def text_width(text: str, size: float) -> float:
    """About how many pixels a text takes at a font size: the widths of DejaVu Sans, the widest of the font stack."""
    return size * sum(_character_width(character) for character in text)


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in "iljtfrI.,:;'|!()[] -·":
        return 0.4
    if character in "mwMW@%+−…":
        return 0.95
    return 0.7 if character.isupper() else 0.61


def shorten(text: str, pixels: float, size: float) -> str:
    """The text, or as much of its beginning as fits in ``pixels`` with an ellipsis behind.

    That a model was not measured here is said however little room there is.
    """
    if text_width(text, size) <= pixels:
        return text
    end = ELLIPSIS + (PUBLISHED if text.endswith(PUBLISHED) else "")
    kept = text.removesuffix(PUBLISHED)
    while kept and text_width(kept + end, size) > pixels:
        kept = kept[:-1]
    return kept.rstrip() + end


def shorten_within(text: str, pixels: float, size: float) -> str:
    """As ``shorten``, but it is the middle that goes: of names that begin alike the ends tell which is which."""
    if text_width(text, size) <= pixels:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head = kept // 2
        cut = text[:head] + ELLIPSIS + text[len(text) - (kept - head) :]
        if text_width(cut, size) <= pixels:
            return cut
    return ELLIPSIS


def wrap(text: str, pixels: float, size: float, lines: int) -> tuple[str, ...]:
    """The text broken behind spaces and joints such as hyphens into at most ``lines`` lines; the last may be cut."""
    pieces = _BREAKS.split(text)
    done: list[str] = []
    while pieces and len(done) < lines - 1:
        line = pieces.pop(0)
        while pieces and text_width(line + pieces[0].rstrip(), size) <= pixels:
            line += pieces.pop(0)
        done.append(shorten(line.strip(), pixels, size))
    if pieces:
        done.append(shorten("".join(pieces).strip(), pixels, size))
    return tuple(done)


def sentence_lines(text: str, pixels: float, size: float) -> list[str]:
    """The text broken between words alone: a number stays whole, and so does "r = +0.72"."""
    first, *more = text.replace(" = ", "\u00a0=\u00a0").split(" ")
    lines = [first]
    for word in more:
        longer = f"{lines[-1]} {word}"
        if text_width(longer, size) <= pixels:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
