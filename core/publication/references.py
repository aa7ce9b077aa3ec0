"""References as BibTeX, made of the one text that a report prints."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_REFERENCE = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\w?\)\.? (?P<title>.+?[.?!])(?: (?P<where>.+))?$")
_AUTHOR = re.compile(r"(?:^|,\s+|\s+and\s+|\s+&\s+)(?P<last>[^,]+?),\s+(?P<first>\w\w?\.(?:[ -]?\w\w?\.)*)")
_SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
}


def bibtex(references: Iterable[str]) -> str:
    """An entry for each reference, the keys different; one that is not of the usual form is a note."""
    entries: dict[str, str] = {}
    for reference in references:
        fields = _fields(reference)
        base = key = _key(reference)
        number = 1
        while key in entries:
            number += 1
            key = f"{base}-{number}"
        body = ",\n".join(f"  {name} = {{{_escaped(value)}}}" for name, value in fields.items() if value)
        entries[key] = f"@misc{{{key},\n{body}\n}}\n"
    return "\n".join(entries.values())


def _fields(reference: str) -> dict[str, str]:
    found = _REFERENCE.match(reference)
    if found is None:
        return {"note": reference}
    authors = [f"{author['last'].strip()}, {author['first'].strip()}" for author in _AUTHOR.finditer(found["authors"])]
    where = (found["where"] or "").rstrip(".")
    return {
        "author": " and ".join(authors) or f"{{{found['authors']}}}",
        "year": found["year"],
        "title": found["title"].removesuffix("."),
        "howpublished": where,
    }


def _key(reference: str) -> str:
    plain = unicodedata.normalize("NFKD", reference).encode("ascii", "ignore").decode()
    name = re.search(r"[A-Za-z]+", plain)
    year = re.search(r"\b(1[89]|20)\d\d\b", plain)
    return f"{name.group().lower() if name else 'reference'}{year.group() if year else ''}"


def _escaped(text: str) -> str:
    # A name in braces, as written above, is one that BibTeX takes whole.
    whole = text.startswith("{") and text.endswith("}")
    inside = text[1:-1] if whole else text
    escaped = "".join(_SIGNS.get(sign, sign) for sign in inside)
    return f"{{{escaped}}}" if whole else escaped
