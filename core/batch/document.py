"""YAML as data: texts, lists and mappings with the line that each stands in. Nothing in a file is ever called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from ..errors import BatchFileError, instead

_MOST = 1 << 20  # characters
_DEEPEST = 50  # lists and mappings within each other; far more take the parser minutes
_PLAIN = "tag:yaml.org,2002:"


@dataclass(frozen=True)
class Placed:
    """A value of the file and its line, from 1. A single value is the text that stands there, “no” and “007” too."""

    node: yaml.Node
    line: int

    def text(self, what: str) -> str:
        """The text. Raises BatchFileError where it is none, or empty; ``what`` is what the sentence calls it."""
        if not isinstance(self.node, yaml.ScalarNode) or not self.node.value.strip():
            raise self.refused(f"{what} has to be a text")
        return str(self.node.value)

    def texts(self, what: str) -> tuple[str, ...]:
        """The texts of a list, or a single one."""
        if isinstance(self.node, yaml.SequenceNode):
            return tuple(item.text(what) for item in self.items())
        return (self.text(what),)

    def items(self) -> tuple[Placed, ...]:
        """The values of a list; of anything else, itself alone."""
        nodes = self.node.value if isinstance(self.node, yaml.SequenceNode) else [self.node]
        return tuple(map(_placed, nodes))

    def fields(self, what: str) -> Mapping[str, Placed]:
        """The values of a mapping by their keys. Raises BatchFileError where it is none, or a key stands twice."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self.refused(f"{what} has to be keys with values, such as “measure: score”")
        found: dict[str, Placed] = {}
        for key, value in self.node.value:
            name = _placed(key).text("a key")
            if name in found:
                raise _placed(key).refused(f"the key “{name}” appears twice; give it once")
            found[name] = Placed(value, key.start_mark.line + 1)
        return found

    def data(self) -> Any:
        """The value as YAML reads it: numbers, truth values, texts, lists, mappings. Raises BatchFileError."""
        try:
            return yaml.constructor.SafeConstructor().construct_document(self.node)
        except (yaml.YAMLError, ValueError) as error:
            raise self.refused(f"this cannot be read ({_first(error)})") from error

    def refused(self, why: str) -> BatchFileError:
        """The error of something in this line."""
        end = "" if why.endswith((".", "?", "!")) else "."
        return BatchFileError(f"line {self.line}: {why}{end}")


def read(text: str) -> Placed:
    """The value of a YAML text. Raises BatchFileError for what is none, or more than data."""
    if len(text) > _MOST:
        raise BatchFileError(f"The file has {len(text):,} characters; a batch file has at most {_MOST:,}.")
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise BatchFileError(f"line {line}: this is nested too deeply for a batch file.")
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise BatchFileError(f"line {line}: names with & and * are not read here; write the value out.")
            tag = getattr(event, "tag", None)
            if tag and not (tag == "!" or (tag.startswith(_PLAIN) and ":python" not in tag)):
                raise BatchFileError(f"line {line}: the tag {tag} is not read here; a batch file holds data alone.")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f"line {mark.line + 1}: "
        raise BatchFileError(
            f"{where}this is not YAML ({_first(error)}); a text with a colon or # needs quotes."
        ) from error
    if node is None:
        raise BatchFileError("The file is empty; it needs at least “measures:” with one measure.")
    return _placed(node)


def known(fields: Mapping[str, Placed], names: Iterable[str], what: str) -> None:
    """Raise BatchFileError for a key that is none of these, with what was perhaps meant."""
    possible = tuple(names)
    for name, value in fields.items():
        if name not in possible:
            raise value.refused(f"“{name}” is not a key of {what}. {instead(name, possible)}")


def _placed(node: yaml.Node) -> Placed:
    return Placed(node, node.start_mark.line + 1)


def _first(error: Exception) -> str:
    return str(getattr(error, "problem", None) or error).splitlines()[0]
