"""From the bytes of a file that the user gives to its text: UTF-8, UTF-16 with its mark, or Windows-1252 by evidence.

Bytes do not say their encoding. UTF-8 cannot be mistaken, and a byte-order mark decides; anything else is a guess, and
a wrong guess turns "Köchin" or "учитель" into another word that a model scores all the same. So only Windows-1252 is
ever assumed, only where what comes out is spelt like a language of western Europe, and never in silence.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..errors import WordListError
from .parsing import shown

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# A word of a cell, not with its neighbours: their plain letters are no evidence.
_NON_ASCII = re.compile(r"[^\s,;|\"]*[^\x00-\x7f][^\s,;|\"]*")
# A letter of another encoding: no spelling has a capital such as Æ behind a small letter ("irmÆo" for "irmão").
_CAPITAL_INSIDE = re.compile(r"[a-zà-öø-ÿ][À-ÖØ-ÞŒŠŽŸ]")
# The letters beyond a to z of a language. Text of another encoding read as Windows-1252 mixes them, as no language
# does: Mac Roman gives "KŽchin", Czech "lékaø", Turkish "hemþire", Cyrillic and Greek words of such letters alone.
_LETTERS = tuple(
    map(
        frozenset,
        (
            "äöüß",  # German
            "äöåéü",  # Swedish, Finnish
            "æøåéòóô",  # Danish, Norwegian
            "àâæçéèêëîïôœùûüÿ",  # French
            "áéíóúüñ",  # Spanish
            "àáâãçéêíóôõúü",  # Portuguese
            "àèéìíîòóùú",  # Italian
            "àçèéíïòóúü",  # Catalan
            "áäéèëêíïóöúüç",  # Dutch
        ),
    )
)
_IN_WORDS = frozenset("’–—")  # "nurse’s", "Paris–London"; any other sign between two letters is a letter read wrongly
_SHOWN = 3


@dataclass(frozen=True)
class Encoding:
    """What a file is read with; ``note`` says what was assumed, empty where nothing was."""

    codec: str
    note: str = ""


@dataclass(frozen=True)
class Text:
    """The text of a file; ``notes`` say which encoding was assumed, if one had to be."""

    text: str
    notes: tuple[str, ...] = ()


def decoded(data: bytes, name: str) -> Text:
    """The text of a file of this content.

    Raises WordListError for bytes that are no text, that are in an encoding which cannot be told, or whose letters
    were lost or mistaken when the file was saved.
    """
    encoding = encoding_of(lambda: data.split(b"\n"), name)
    try:
        text = data.decode(encoding.codec)
    except UnicodeDecodeError as error:
        raise WordListError(not_text(name)) from error
    if _CONTROL.search(text):
        raise WordListError(not_text(name))
    if "\ufffd" in text:
        line = text[: text.index("\ufffd")].count("\n") + 1
        raise WordListError(
            f"Line {line:,} of {shown(name)} contains “\ufffd”: a letter was lost when the file was saved. Save it "
            "again from the original, as UTF-8."
        )
    mended = _read_once_too_often(text)
    if mended:
        before, after = mended
        raise WordListError(
            f"{shown(name)} contains “{shown(before)}”, which is “{shown(after)}” saved in the wrong encoding. Save it "
            "again from the original, as UTF-8."
        )
    return Text(text, (encoding.note,) if encoding.note else ())


def not_text(name: str) -> str:
    """The sentence for a file that is no text."""
    return f"{shown(name)} is not plain text; save it as text or CSV (UTF-8)."


def encoding_of(lines: Callable[[], Iterable[bytes]], name: str) -> Encoding:
    """The encoding of a file of these lines, which are gone through once or twice and never held.

    Raises WordListError where it cannot be told.
    """
    bad = 0
    for number, line in enumerate(lines(), 1):
        if number == 1 and line.startswith(_UTF16):
            return Encoding("utf-16")
        if not line.isascii() and not _is_utf8(line):
            bad = number
            break
    if not bad:
        return Encoding("utf-8-sig")
    first = next(iter(lines()))
    words = None if first.startswith(codecs.BOM_UTF8) else _western_words(lines())
    if words is None:
        if any(_CONTROL.search(line.decode("latin-1")) for line in lines()):  # an image, say
            raise WordListError(not_text(name))
        raise WordListError(
            f"{shown(name)} is not UTF-8 text (line {bad:,}), and its encoding cannot be determined; save it as UTF-8."
        )
    quoted = ", ".join(f"“{shown(word)}”" for word in words)
    return Encoding(
        "cp1252",
        f"{shown(name)} is not UTF-8 text; it was read as Windows-1252, which gives {quoted}. If that is misspelt, "
        "save the file as UTF-8.",
    )


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _western_words(lines: Iterable[bytes]) -> list[str] | None:
    """Some of the words with letters beyond ASCII, read as Windows-1252; None where they are of no western language."""
    words: dict[str, None] = {}
    used: set[str] = set()
    plain = special = 0
    for line in lines:
        if line.isascii():
            continue
        try:
            text = line.decode("cp1252")
        except UnicodeDecodeError:
            return None
        for word in _NON_ASCII.findall(text):
            letters = [char for char in word.lower() if char.isalpha()]
            own = [char for char in letters if not char.isascii()]
            used.update(own)
            if own:
                special += len(own)
                plain += len(letters) - len(own)
            if any(
                before.isalpha() and after.isalpha() and not sign.isascii() and sign not in _IN_WORDS
                for before, sign, after in zip(word, word[1:], word[2:], strict=False)
                if not sign.isalpha()
            ):
                return None
            if _CAPITAL_INSIDE.search(word):
                return None
            if len(words) < _SHOWN:
                words[word] = None
    if special > plain or not any(used <= letters for letters in _LETTERS):
        return None
    return list(words)


def _read_once_too_often(text: str) -> tuple[str, str] | None:
    """A word of UTF-8 text that was read as Windows-1252 and saved again ("KÃ¶chin"), and what it was."""
    if text.isascii():
        return None
    for word in _NON_ASCII.findall(text):
        try:
            return word, word.encode("cp1252").decode("utf-8")
        except UnicodeError:
            return None
    return None
