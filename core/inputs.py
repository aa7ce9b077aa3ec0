"""What can be requested: one declaration an input, from which its control, its part of a link, and its command option.

``read`` turns the texts of a link into a value and says what of them cannot be followed; ``write`` is its inverse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

DIGEST_LENGTH = 16  # hexadecimal signs of a SHA-256: 64 bits
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_ROLE = re.compile(r"([0-9]{1,4})([mfon])")
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_LENGTH}}}")
_SWITCH = {"yes": True, "no": False}
_SHOWN = 60  # characters of a text of the user's in a sentence


class Sourced(str):
    """A text of the user's with words of a file: ``source`` names the file, and what was assumed in reading it."""

    source: str

    def __new__(cls, text: str, source: str) -> Sourced:
        """The text, with its source."""
        made = super().__new__(cls, text)
        made.source = source
        return made


def source_of(text: str, otherwise: str) -> str:
    """Where the words of a text are from; ``otherwise`` where they were typed."""
    return text.source if isinstance(text, Sourced) else otherwise


Read = tuple[Any, str | None]  # the value, and what cannot be followed: "“bogus”, which does not exist"


@dataclass(frozen=True)
class Option:
    """An input: ``name`` in links, ``label`` over its control, ``help`` beside it, ``default`` at first.

    ``flag`` is its option on the command line where that is not the name (without dashes it is the command's first
    argument); inputs with the same flag share what is given there, the first one first. ``metavar`` stands for its
    value in the command's help.
    """

    name: str
    label: str
    default: Any = None
    help: str | None = field(default=None, kw_only=True)
    flag: str = field(default="", kw_only=True)
    metavar: str = field(default="", kw_only=True)

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def title(self) -> str:
        """What it is called within a sentence: its label, without what that says on how it is written or used."""
        return re.split(r"[,;] | \(", self.label)[0]

    def holds(self, value: Any) -> bool:
        """Whether the value is a possible one."""
        return True

    def read(self, texts: Sequence[str]) -> Read:
        """The value of a link's texts, as far as they can be followed, and what cannot be."""
        if len(texts) > 1:
            return self.default, f"{quoted(texts)}, of which one is possible"
        return self._read(texts[0])

    def write(self, value: Any) -> list[str]:
        """The texts of a link."""
        return [str(value)]

    def shown(self, value: Any) -> str:
        """The value as a reader knows it."""
        return str(value)

    def _read(self, text: str) -> Read:
        raise NotImplementedError


@dataclass(frozen=True)
class Choice(Option):
    """One of a few; ``choices`` maps ids to what is shown, and is empty where only the drawn page knows them.

    The first is the default. ``own`` names the input that holds the user's own where ``own_value`` is chosen; on the
    command line, giving that one chooses it.
    """

    choices: Mapping[str, str] = field(default_factory=dict)
    own: str = ""
    own_value: str = "own"

    def __post_init__(self) -> None:
        if self.default is None and self.choices:
            object.__setattr__(self, "default", next(iter(self.choices)))

    def holds(self, value: Any) -> bool:
        return not self.choices or value in self.choices

    def shown(self, value: Any) -> str:
        return self.choices.get(value, str(value))

    def _read(self, text: str) -> Read:
        return (text, None) if self.holds(text) else (self.default, f"“{abridged(text)}”, which does not exist")


@dataclass(frozen=True)
class Several(Option):
    """Any number of ``choices``, in the order they were chosen, at most ``most``. ``free``: others can be typed.

    ``instead``: inputs that take the place of the default where they are given on the command line.
    """

    default: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    most: int | None = None
    free: bool = False
    instead: tuple[str, ...] = ()

    def holds(self, value: Any) -> bool:
        known = self.free or not self.choices or all(name in self.choices for name in value)
        return known and (self.most is None or len(value) <= self.most)

    def read(self, texts: Sequence[str]) -> Read:
        chosen = list(dict.fromkeys(text for text in texts if text))  # one empty text stands for none
        known = [text for text in chosen if self.free or not self.choices or text in self.choices]
        problem = None
        if len(known) < len(chosen):
            unknown = [text for text in chosen if text not in known]
            problem = f"{quoted(unknown)}, which {'does' if len(unknown) == 1 else 'do'} not exist"
        elif self.most is not None and len(known) > self.most:
            problem = f"{quoted(known)}, of which at most {self.most} are possible"
        kept = tuple(known[: self.most])
        return (kept if kept or not chosen else self.default), problem

    def write(self, value: Any) -> list[str]:
        return list(value) or [""]

    def shown(self, value: Any) -> str:
        return ", ".join(self.choices.get(name, name) for name in value) or "none"


@dataclass(frozen=True)
class Number(Option):
    """A whole number from ``low`` to ``high``."""

    default: int = 0
    low: int = 0
    high: int = 2**31 - 1

    def holds(self, value: Any) -> bool:
        return value is not None and self.low <= value <= self.high

    def shown(self, value: Any) -> str:
        return f"{value:,}"

    def _read(self, text: str) -> Read:
        if not _WHOLE.fullmatch(text):
            return self.default, f"“{abridged(text)}”, which is not a whole number"
        if not self.holds(int(text)):
            return self.default, f"“{abridged(text)}”, which is not from {self.low:,} to {self.high:,}"
        return int(text), None


@dataclass(frozen=True)
class Span(Option):
    """A range of whole numbers, both ends included, within ``low`` and ``high``; a link has it as ``2-5``."""

    default: tuple[int, int] = (0, 0)
    low: int = 0
    high: int = 2**31 - 1

    def holds(self, value: Any) -> bool:
        return bool(self.low <= value[0] <= value[1] <= self.high)

    def write(self, value: Any) -> list[str]:
        return [f"{value[0]}-{value[1]}"]

    def shown(self, value: Any) -> str:
        return f"{value[0]} to {value[1]}"

    def _read(self, text: str) -> Read:
        found = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
        if found is None or not self.holds(value := (int(found[1]), int(found[2]))):
            return self.default, f"“{abridged(text)}”, which is not a range such as 2-5"
        return value, None


@dataclass(frozen=True)
class Switch(Option):
    """Yes or no; ``off`` says what the command's option does where that turns it off."""

    default: bool = False
    off: str = field(default="", kw_only=True)

    def write(self, value: Any) -> list[str]:
        return ["yes" if value else "no"]

    def shown(self, value: Any) -> str:
        return "yes" if value else "no"

    def _read(self, text: str) -> Read:
        return (
            (_SWITCH[text], None)
            if text in _SWITCH
            else (self.default, f"“{abridged(text)}”, which is neither yes nor no")
        )


@dataclass(frozen=True)
class Text(Option):
    """A text of the user's: a line, or several with ``height`` pixels. A long one travels by its digest.

    ``least``: how many lines it has at least, which the command checks in its own words.
    """

    default: str = ""
    height: int = 0
    least: int = 0
    placeholder: str | None = None

    def shown(self, value: Any) -> str:
        lines = value.strip().splitlines()
        if len(lines) > 1:
            return f"{len(lines):,} lines"
        return f"“{abridged(value.strip())}”" if lines else "empty"

    def _read(self, text: str) -> Read:
        return text, None


@dataclass(frozen=True)
class Roles(Option):
    """What words of a sentence are, where that is not what the lists say: (number of the word from 1, role) pairs.

    In a link each is the number and the first letter of the role, n for none: ``2o`` makes the second word the
    occupation. ``words`` is how many the sentence has.
    """

    default: tuple[tuple[int, str], ...] = ()
    words: int = 9_999
    letters: ClassVar[Mapping[str, str]] = {"m": "male", "f": "female", "o": "occupation", "n": ""}

    def holds(self, value: Any) -> bool:
        return all(1 <= number <= self.words for number, _ in value)

    def read(self, texts: Sequence[str]) -> Read:
        found, wrong = {}, []
        for text in texts:
            if (parts := _ROLE.fullmatch(text)) and 1 <= int(parts[1]) <= self.words:
                found[int(parts[1])] = self.letters[parts[2]]
            else:
                wrong.append(text)
        return tuple(sorted(found.items())), f"{quoted(wrong)}, which names no word and role" if wrong else None

    def write(self, value: Any) -> list[str]:
        letter_of = {role: letter for letter, role in self.letters.items()}
        return [f"{number}{letter_of[role]}" for number, role in value]

    def shown(self, value: Any) -> str:
        return ", ".join(f"word {number} {role or 'without a role'}" for number, role in value) or "as found"


@dataclass(frozen=True)
class Reference:
    """A file of the user's by its content: the digest of its bytes and its name."""

    digest: str
    name: str


@dataclass(frozen=True)
class Upload(Option):
    """Files of the user's, one or ``several``, each of at most ``megabytes``. A link holds their digests.

    Any kind of file can be given: a browser that refuses one says no word, and whoever reads it says what is wrong.
    """

    default: tuple[Reference, ...] = ()
    megabytes: int = 5
    several: bool = False

    def read(self, texts: Sequence[str]) -> Read:
        found, wrong = [], []
        for text in texts:
            digest, _, name = text.partition(":")
            if _DIGEST.fullmatch(digest) and name:
                found.append(Reference(digest, name))
            else:
                wrong.append(text)
        if len(found) > 1 and not self.several:
            return tuple(found[:1]), f"{quoted([file.name for file in found])}, of which one is possible"
        return tuple(dict.fromkeys(found)), f"{quoted(wrong)}, which names no file" if wrong else None

    def write(self, value: Any) -> list[str]:
        return [f"{file.digest}:{file.name}" for file in value]

    def shown(self, value: Any) -> str:
        return ", ".join(file.name for file in value) or "none"


def is_digest(text: str) -> bool:
    """Whether a text can be the digest of a link."""
    return _DIGEST.fullmatch(text) is not None


def quoted(texts: Iterable[str]) -> str:
    """Texts in quotes as a list within a sentence."""
    *others, last = [f"“{abridged(text)}”" for text in texts]
    return f"{', '.join(others)} and {last}" if others else last


def abridged(text: str) -> str:
    """At most some characters of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
