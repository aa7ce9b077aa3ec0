"""Data sets by name, through the ``datasets`` library: from the hub, its cache on this machine, or a folder."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from ...errors import WordListError
from ..failures import first_line, is_unreachable, of_the_disk
from ..parsing import shown
from ..tables import MAX_ROWS
from .formats import Format, Item, heading
from .items import Data

_INSTEAD = "Download the file from the authors and give that instead."
_HUB_SECONDS = 5
_NAME = re.compile(r"(?P<place>[\w.-]+/[\w.-]+)(?:/(?P<config>[\w.-]+))?")
_SPLIT = re.compile(r":(\w+)$")
# The library knows one way to stay offline, a flag of the whole process: one load at a time may change it.
_LIBRARY = threading.Lock()


def from_library(layout: Format[Item], name: str) -> Data[Item]:
    """The data of a benchmark from ``owner/name[/configuration][:split]`` or ``folder[:split]``.

    No code of a data set is run. Raises WordListError, which says what to do instead, for a name that is unknown or
    malformed, a missing network, a data set that asks to run code or has several splits none of which is named, and
    for rows that are not those of the benchmark.
    """
    label = shown(name)
    place, config, split = _parts(name)
    splits = _load(place, config, label)
    if not split and len(splits) > 1:
        raise WordListError(
            f"{label} has the splits {', '.join(splits)}; name one, such as {label}:{next(iter(splits))}."
        )
    split = split or next(iter(splits))
    if split not in splits:
        raise WordListError(f"{label} has no split {shown(split)}; there are: {', '.join(splits)}.")
    table = splits[split]
    if len(table) > MAX_ROWS:
        raise WordListError(f"{label} has {len(table):,} rows; at most {MAX_ROWS:,} are allowed. {_INSTEAD}")
    rows = [{heading(column): _named(table.features[column], value) for column, value in row.items()} for row in table]
    layout.check(rows, label)
    parts = (
        Path(place).name if Path(place).is_dir() else place,
        config and f"configuration {config}",
        f"split {split}",
    )
    return layout.data(rows, ", ".join(filter(None, (*parts, "read by the datasets library"))))


def is_library_name(name: str) -> bool:
    """Whether a text can be the name of a data set as ``from_library`` takes it."""
    return _NAME.fullmatch(_SPLIT.sub("", name)) is not None


def _parts(name: str) -> tuple[str, str | None, str]:
    """Place, configuration and split."""
    found = _SPLIT.search(name)
    whole, split = (name[: found.start()], found[1]) if found else (name, "")
    if whole and Path(whole).is_dir():
        return whole, None, split
    match = _NAME.fullmatch(whole)
    if not match:
        raise WordListError(f"“{shown(name)}” names no data set; write owner/name or owner/name/configuration:split.")
    return match["place"], match["config"], split


def _load(place: str, config: str | None, label: str) -> dict[str, Any]:
    """The tables of a data set by split, not yet read."""
    try:
        import datasets  # type: ignore[import-untyped]
    except ImportError as error:
        raise WordListError(f"The datasets library is not installed. {_INSTEAD}") from error
    datasets.utils.logging.set_verbosity_error()
    datasets.utils.logging.disable_progress_bar()
    # An unreachable hub is asked again for half a minute; offline, the library looks into its cache at once.
    is_reached = Path(place).is_dir() or _answers(datasets.config.HF_ENDPOINT)
    try:
        with _LIBRARY, _offline_unless(is_reached, datasets.config):
            return dict(datasets.load_dataset(place, config))
    except datasets.exceptions.DatasetNotFoundError as error:
        raise WordListError(f"There is no data set {label}, or it asks for a login. {_INSTEAD}") from error
    except Exception as error:
        # The library lets through what its parts raise, of a dozen types.
        if disk := of_the_disk(error):
            said = f"{label} could not be put on this machine: {disk}."
        elif is_unreachable(error):
            said = f"{label} is not on this machine and the hub could not be reached. {_INSTEAD}"
        elif isinstance(error, RuntimeError) and "script" in str(error):  # the library has no type of its own for it
            said = f"{label} asks to run code of its own, which is not done here. {_INSTEAD}"
        else:
            said = f"{label} cannot be read ({first_line(error)}). {_INSTEAD}"
        raise WordListError(said) from error


@contextmanager
def _offline_unless(is_reached: bool, settings: Any) -> Iterator[None]:
    before = settings.HF_HUB_OFFLINE
    settings.HF_HUB_OFFLINE = before or not is_reached
    try:
        yield
    finally:
        settings.HF_HUB_OFFLINE = before


def _answers(address: str) -> bool:
    """Whether a server answers, whatever it says; proxies of the environment are used."""
    try:
        urlopen(Request(address, method="HEAD"), timeout=_HUB_SECONDS).close()
    except HTTPError:
        return True
    except OSError:
        return False
    return True


def _named(feature: Any, value: Any) -> Any:
    """A cell with the names of class labels in the place of their numbers, inside lists and records too."""
    if isinstance(value, list):
        return [_named(getattr(feature, "feature", None), inside) for inside in value]
    if isinstance(value, dict):
        inner = feature if isinstance(feature, dict) else getattr(feature, "feature", None)
        return {
            key: _named(inner.get(key) if isinstance(inner, dict) else None, inside) for key, inside in value.items()
        }
    if isinstance(value, int) and hasattr(feature, "int2str"):
        return feature.int2str(value) if value >= 0 else ""
    return value
