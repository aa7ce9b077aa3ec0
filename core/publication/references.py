"""References as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ..report.works import WORKS, Work

_WORKS = {work.reference: work for work in WORKS.values()}
_SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\^{}",
}


def bibtex(references: Iterable[str]) -> str:
    """References as BibTeX.

    Parameters
    ----------
    references : iterable of str
        As the texts name them, such as “Kurita et al. 2019”.

    Returns
    -------
    str
        An entry for each, the keys different; one that is not of ``WORKS`` is a note.
    """
    entries: dict[str, str] = {}
    for reference in references:
        work = _WORKS.get(reference)
        base = key = _key(reference)
        number = 1
        while key in entries:
            number += 1
            key = f"{base}-{number}"
        fields = {"note": _escaped(reference)} if work is None else _fields(work)
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        entries[key] = f"@{_kind(work)}{{{key},\n{body}\n}}\n"
    return "\n".join(entries.values())


def _kind(work: Work | None) -> str:
    if work is None or not (work.proceedings or work.journal):
        return "misc"
    return "inproceedings" if work.proceedings else "article"


def _fields(work: Work) -> dict[str, str]:
    arxiv = {"eprint": work.arxiv, "archiveprefix": "arXiv"} if work.arxiv else {}
    return {
        "author": " and ".join(map(_escaped, work.authors)),
        "year": str(work.year),
        "title": f"{{{_escaped(work.title)}}}",  # in braces: its capitals stay
        "booktitle": _escaped(work.proceedings),
        "journal": _escaped(work.journal),
        "volume": work.volume,
        "number": work.number,
        "pages": work.pages.replace("–", "--"),
        **arxiv,
    }


def _key(reference: str) -> str:
    plain = unicodedata.normalize("NFKD", reference).encode("ascii", "ignore").decode()
    name = re.search(r"[A-Za-z]+", plain)
    year = re.search(r"\b(1[89]|20)\d\d\b", plain)
    return f"{name.group().lower() if name else 'reference'}{year.group() if year else ''}"


def _escaped(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)
