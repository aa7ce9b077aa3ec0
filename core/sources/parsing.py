"""Words and groups as text: what a text box, a link or a command line holds.

A comma, a semicolon, a tab and a line break each end a word. A word that holds one of the first two stands in
double quotes, with a quote inside it doubled, as in CSV.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from ..errors import WordListError
from ..result import Group
from .invisible import find_slip, visible
from .templates import ATTRIBUTE, MASK, TARGET, special_token

MAX_WORDS = 10_000  # in one list or one set of groups; minutes of work for a small model on a laptop
MAX_WORD_LENGTH = 100  # characters; longer ones are sentences, or the wrong column
MAX_GROUPS = 20  # every pair of groups is a contrast: 190 of them are more than a reader follows

_ITEM = re.compile(
    r"""[^\S\n\t]*"(?P<quoted>(?:[^"\n]|"")*)"[^\S\n\t]*(?:[,;\t\n]|\Z)
      | (?P<plain>[^,;\t\n]*)(?:[,;\t\n]|\Z)""",
    re.VERBOSE,
)
_SLOTS = (TARGET, ATTRIBUTE, MASK, "<MASK>")
_RESERVED = "the others"  # the second half of a contrast against all other groups


def parse_words(text: str) -> tuple[str, ...]:
    """Read words one per line or separated by commas, semicolons or tabs, in the order written.

    Words are NFC-normalised, white space inside a word becomes one space, empty items and exact repetitions are
    dropped. Every word is taken as it stands, "null" and "NA" too.

    Raises WordListError for no word at all, more than ``MAX_WORDS``, a word over ``MAX_WORD_LENGTH`` characters, an
    invisible character that is a slip (``core.sources.invisible``), or a slot, a mask or another special token inside
    a word.
    """
    return clean_words(_items(text))


def clean_words(items: Iterable[str]) -> tuple[str, ...]:
    """Tidy and check words that are separated already; the rules and errors are those of ``parse_words``."""
    words = tuple(dict.fromkeys(word for word in map(tidy, items) if word))
    if not words:
        raise WordListError("There is no word in the list; write at least one.")
    _check_number(len(words))
    for word in words:
        _check(word, "word")
    return words


def format_words(words: Iterable[str]) -> str:
    """Write words one per line, so that ``parse_words`` gives the same words back."""
    return "\n".join(map(_quote, words))


def parse_groups(text: str) -> tuple[Group, ...]:
    """Read groups of target words, one group a line: ``name: word, word``.

    The first colon, or an equals sign where there is none, ends the name; a line without is a group named by its first
    word. Words are read as in ``parse_words``, but a repetition is an error, since dropping it would shift the pairs by
    position, and so is a second colon, unless in a quoted word: it begins another group, or stands for a comma.

    Raises WordListError, besides the errors of ``parse_words``, for fewer than two groups or more than
    ``MAX_GROUPS``, a group without name or word, a name that is used twice or is "the others", and a word that
    appears twice.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) < 2:
        raise WordListError(f"Found {len(lines)} of at least 2 groups; write one per line, such as “he: he, him”.")
    if len(lines) > MAX_GROUPS:
        raise WordListError(f"Found {len(lines):,} groups; at most {MAX_GROUPS} are allowed; a group is one line.")
    groups = [_group(line, number) for number, line in lines]
    _check_number(sum(len(group.words) for group in groups))
    for name, count in Counter(group.name for group in groups).items():
        if count > 1:
            raise WordListError(f"{count} groups are named “{name}”; give each a name of its own.")
    home: dict[str, str] = {}
    for group in groups:
        for word in group.words:
            if home.get(word) == group.name:
                raise WordListError(f"“{word}” appears twice in the group “{group.name}”; keep it once.")
            if word in home:
                raise WordListError(
                    f"“{word}” is in the groups “{home[word]}” and “{group.name}”; keep it in one of them."
                )
            home[word] = group.name
    return tuple(groups)


def format_groups(groups: Iterable[Group]) -> str:
    """Write groups one per line, so that ``parse_groups`` gives the same groups back.

    A group of one word that is also its name is written as that word alone, unless an equals sign would split it.
    """
    return "\n".join(
        _quote(group.name)
        if group.words == (group.name,) and "=" not in group.name
        else f"{group.name}: {', '.join(_quote(word, ',;:=') for word in group.words)}"
        for group in groups
    )


def tidy(text: str) -> str:
    """``text`` NFC-normalised, without white space at its ends and with single spaces inside."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def shown(text: str) -> str:
    """The beginning of ``text`` as a message can show it, a dot for each invisible character."""
    start = visible(text[:60])[:40]  # a joiner is judged by its neighbours
    return start + "…" if len(text) > 40 else start


def quoted(texts: Sequence[str], most: int, last: str = "") -> str:
    """The first ``most`` texts in quotes, as ``shown``, and how many there are beside them.

    ``last``: the word before the last of them, such as "or"; a comma without one.
    """
    named = [f"“{shown(text)}”" for text in texts[:most]]
    if len(texts) > most:
        named.append(f"{len(texts) - most:,} more")
        last = last or "and"
    if not last or len(named) < 2:
        return ", ".join(named)
    return f"{', '.join(named[:-1])} {last} {named[-1]}"


def _items(text: str) -> list[str]:
    lines = "\n".join(text.splitlines())
    return [
        found["plain"] if found["quoted"] is None else found["quoted"].replace('""', '"')
        for found in _ITEM.finditer(lines)
    ]


def _quote(word: str, separators: str = ",;") -> str:
    if any(sign in word for sign in separators) or word.startswith('"'):
        return '"' + word.replace('"', '""') + '"'
    return word


def _group(line: str, number: int) -> Group:
    # A command line writes NAME=WORDS.
    before, colon, after = line.partition(":" if ":" in line else "=")
    if any(":" in (found["plain"] or "") for found in _ITEM.finditer(after)):
        raise WordListError(
            f"Line {number} has two colons (“{shown(tidy(line))}”); write one group a line, its name, a colon and its "
            "words, such as “he: he, him”, and a word that holds a colon in double quotes."
        )
    if colon == ":" and any("=" in (found["plain"] or "") for found in _ITEM.finditer(after)):
        raise WordListError(
            f"Line {number} has a colon and an equals sign (“{shown(tidy(line))}”); write one of them between name and "
            "words, and a word that holds the other in double quotes."
        )
    words = tuple(word for word in map(tidy, _items(after if colon else line)) if word)
    name = tidy(before) if colon else "".join(words[:1])
    if colon and not name:
        raise WordListError(f"Line {number} has no name before the colon; write “he: he, him”, for example.")
    if not words:
        raise WordListError(f"The group on line {number} has no word; write at least one.")
    _check(name, "group name")
    if name.casefold() == _RESERVED:
        raise WordListError(f"“{name}” has a meaning of its own in contrasts; name the group otherwise.")
    for word in words:
        _check(word, "word")
    return Group(name, words)


def _check_number(count: int) -> None:
    if count > MAX_WORDS:
        raise WordListError(f"The list has {count:,} words; at most {MAX_WORDS:,} are allowed; take a part of it.")


def _check(word: str, what: str) -> None:
    if len(word) > MAX_WORD_LENGTH:
        raise WordListError(
            f"“{shown(word)}” has {len(word):,} characters; at most {MAX_WORD_LENGTH} are allowed in a {what}."
        )
    slip = find_slip(word)
    if slip is not None:
        right = f"“{slip.corrected}”" if slip.corrected else f"the {what} without it"
        raise WordListError(f"“{shown(word)}” contains an invisible character ({slip.name}); write {right}.")
    token = special_token(word)
    if token:
        raise WordListError(f"“{shown(word)}” contains {token}, a special token of models; write a plain {what}.")
    slot = next((slot for slot in _SLOTS if slot in word.upper()), None)
    if slot is not None:
        raise WordListError(f"“{shown(word)}” holds {slot}, which belongs into a template; write a plain {what}.")
