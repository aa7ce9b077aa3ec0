"""A user's words inside a text that Streamlit reads as Markdown, where stars would vanish and images be fetched."""

from __future__ import annotations

import re

_ANYWHERE = re.compile(
    r"""
    [\\`*~$]                          # code, emphasis, struck text, mathematics
    | (?<=\])[(:\[] | \[(?=\^)        # links, images, footnotes; brackets alone are none of them
    | (?<![^\W_])_ | _(?![^\W_])      # emphasis; between two letters or digits it is none
    | <(?=[A-Za-z/!?])                # markup
    | &(?=\#?\w+;)                    # a character by its name
    | :(?=[^\W\d_])                   # colours, and what else is called by its name
    """,
    re.VERBOSE,
)
_INDENTED = re.compile(r"^(?: {4}| {0,3}\t)[ \t]*", re.MULTILINE)  # which is code
_BEGINS = re.compile(
    r"""
    ^([ ]*)
    (?: (?=\#{1,6}(?:\s|$) | [+-](?:\s|$) | > | [-=|:][-=|:\ \t]*$)  # headings, lists, quotations, rules, tables
    | (\d{1,9})(?=[.)](?:\s|$)) )                                    # numbered lists
    """,
    re.VERBOSE | re.MULTILINE,
)


def literal(text: str) -> str:
    """The text with what Markdown would read as its own escaped, so that it stands as it is.

    Nothing else is: a screen reader reads the label of a box as it is written here, backslashes included.
    """
    lines = _INDENTED.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _BEGINS.sub(lambda found: f"{found[1]}{found[2] or ''}\\", _ANYWHERE.sub(r"\\\g<0>", lines))
