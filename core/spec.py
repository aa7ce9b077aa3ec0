"""The inputs of a measurement: a frozen dataclass a measure, whose fields say once how they are requested."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self, cast

from .errors import OptionError
from .inputs import Choice, Number, Switch
from .inputs import Option as Input
from .plain import canonical, restored

MOST_SEED = 2**31 - 1


class Labelled(StrEnum):
    """A choice with the words that a reader knows it by: members are ``NAME = "value", "label"``."""

    label: str

    def __new__(cls, value: str, label: str) -> Self:
        """A member: its value in files, links and commands, and its label on screen."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member


@dataclass(frozen=True)
class Given:
    """How a field of a spec is requested: by which inputs, and what it is made of their values.

    ``read`` takes the values of the inputs in their order. ``coerce`` takes what a program gives the field itself, an
    id of a published list say, and makes or checks the value. Both raise InputError.
    """

    inputs: tuple[Input, ...]
    read: Callable[..., Any]
    coerce: Callable[[Any], Any] = lambda value: value


def given(
    *inputs: Input, read: Callable[..., Any], default: Any = MISSING, coerce: Callable[[Any], Any] = lambda value: value
) -> Any:
    """A field that is made of the values of one or several inputs."""
    return field(default=default, metadata={"given": Given(inputs, read, coerce)})


def one_of(kind: type[Labelled], label: str, *, help: str | None = None, flag: str = "", name: str = "") -> Any:
    """A field that holds one member of an enum; the first is the default.

    The input is called as the field, or ``name`` where a page has another one that is called so.
    """
    members = list(kind)

    def member(value: Any) -> Labelled:
        try:
            return cast(Labelled, cast(Any, kind)(value))
        except ValueError:
            values = ", ".join(str(known) for known in members)
            raise OptionError(f"{label}: “{value}” is not possible; choose {values}.") from None

    choices = {member.value: member.label for member in members}
    return given(
        Choice(name, label, choices=choices, help=help, flag=flag), read=member, default=members[0], coerce=member
    )


def whole(
    label: str, default: int, least: int, most: int, *, help: str | None = None, flag: str = "", name: str = ""
) -> Any:
    """A field that holds a whole number from ``least`` to ``most``; ``name`` as in ``one_of``."""

    def checked(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise OptionError(f"{label} is {value}; it can be a whole number from {least:,} to {most:,}.")
        return value

    return given(
        Number(name, label, default, least, most, help=help, flag=flag), read=checked, default=default, coerce=checked
    )


def seed_field(name: str = "") -> Any:
    """The field of the seed of every random draw; ``name`` as in ``whole``, where its page has another one."""
    return whole("Seed", 0, 0, MOST_SEED, help="For every random draw.", flag="--seed" if name else "", name=name)


def yes_or_no(label: str, default: bool, *, help: str | None = None, flag: str = "", off: str = "") -> Any:
    """A field that holds yes or no; ``flag`` is the command's option for the value that is not the default.

    ``off`` says what that option does where the default is yes.
    """

    def checked(value: Any) -> bool:
        if not isinstance(value, bool):
            raise OptionError(f"{label} is {value}; it can be yes or no.")
        return value

    return given(
        Switch("", label, default, help=help, flag=flag, off=off), read=checked, default=default, coerce=checked
    )


@dataclass(frozen=True)
class File:
    """A file of the user's: its name, its SHA-256, and its content as long as it is at hand.

    Two are equal by name and SHA-256. A saved spec holds no content: whoever measures again brings the file.
    """

    name: str
    sha256: str
    content: bytes | None = field(default=None, compare=False, repr=False, metadata={"plain": False})

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """The file of this content."""
        return cls(name, hashlib.sha256(content).hexdigest(), content)

    @property
    def data(self) -> bytes:
        """Its content. Raises InputError where only its digest is known."""
        if self.content is None:
            raise OptionError(f"The file {self.name} (SHA-256 {self.sha256[:12]}) is needed again; give it once more.")
        return self.content


@dataclass(frozen=True, kw_only=True)
class Spec:
    """The inputs of a measurement. Equal specs on equal models are the same measurement.

    A field says by ``given`` (or ``one_of``, ``whole``, ``yes_or_no``) how it is requested: label, help, what it may
    hold, its name in links (that of the field or of the inputs) and its option on the command line. Command, controls,
    checks, links, the JSON form and the digest come from there. A field that is no input says nothing.
    """

    def __post_init__(self) -> None:
        for name, how in self.givens().items():
            object.__setattr__(self, name, how.coerce(getattr(self, name)))

    @classmethod
    def givens(cls) -> Mapping[str, Given]:
        """The fields that are requested, in their order, by name."""
        return _givens(cast(Any, cls))

    @classmethod
    def inputs(cls) -> tuple[Input, ...]:
        """Every input, in the order of the fields."""
        return tuple(item for how in cls.givens().values() for item in how.inputs)

    @classmethod
    def input(cls, name: str) -> Any:
        """The input of that name. Raises KeyError."""
        return {item.name: item for item in cls.inputs()}[name]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; one that is missing has its default. Raises InputError."""
        fields_of: dict[str, Any] = {}
        for name, how in cls.givens().items():
            fields_of[name] = how.read(*(values.get(item.name, item.default) for item in how.inputs))
        return cls(**fields_of)

    @classmethod
    def restored(cls, data: Any) -> Self:
        """The spec of its plain form. Raises SavedFileError, or the InputError of what it holds."""
        return cast(Self, restored(cls, data))

    @property
    def digest(self) -> str:
        """SHA-256 of its plain form, hexadecimal: equal for equal specs, on any machine."""
        return hashlib.sha256(canonical(self).encode()).hexdigest()

    @property
    def uploads(self) -> tuple[File, ...]:
        """Every file of the user's that it holds, with its content or without."""
        return tuple(_files(self))

    def with_uploads(self, contents: Mapping[str, bytes]) -> Self:
        """The same spec with the content of its files, of those whose SHA-256 is among ``contents``."""
        return cast(Self, _with_files(self, contents))

    def options(self) -> tuple[tuple[str, str], ...]:
        """Each choice of the method by its label and what it holds, as a reader knows it."""
        found = []
        for name, how in self.givens().items():
            if len(how.inputs) == 1 and isinstance(how.inputs[0], Choice | Number | Switch):
                value = getattr(self, name)
                found.append(
                    (how.inputs[0].label, how.inputs[0].shown(str(value) if isinstance(value, Labelled) else value))
                )
        return tuple(found)


def _files(value: Any) -> Iterator[File]:
    if isinstance(value, File):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _files(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for held in fields(value):
            yield from _files(getattr(value, held.name))


def _with_files(value: Any, contents: Mapping[str, bytes]) -> Any:
    """The value itself where nothing in it changes."""
    if isinstance(value, File):
        return replace(value, content=contents[value.sha256]) if value.sha256 in contents else value
    if type(value) is tuple:
        items = tuple(_with_files(item, contents) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if is_dataclass(value) and not isinstance(value, type):
        held = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        changed = {name: _with_files(item, contents) for name, item in held.items()}
        changed = {name: item for name, item in changed.items() if item is not held[name]}
        return replace(value, **changed) if changed else value
    return value


@functools.cache
def _givens(spec: Any) -> Mapping[str, Given]:
    found = {}
    for item in fields(spec):
        how: Given | None = item.metadata.get("given")
        if how is not None:
            named = tuple(option if option.name else replace(option, name=item.name) for option in how.inputs)
            found[item.name] = replace(how, inputs=named)
    return MappingProxyType(found)
