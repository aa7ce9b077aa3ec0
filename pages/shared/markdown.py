"""A user's words inside a text that Streamlit reads as Markdown, where `[MASK]` would vanish and images be fetched."""

from __future__ import annotations

import re

_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def literal(text: str) -> str:
    """The text with every sign of Markdown escaped, so that it stands as it is."""
    return _SIGNS.sub(r"\\\1", text)
