"""What is kept in memory, within a bound in bytes."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd


class Kept:
    """Things kept within a bound in bytes; what was used longest ago goes first.

    A thing larger than the bound is not kept at all. Safe to share between threads.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._things: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any | None:
        """The thing, or None."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: Hashable, thing: Any) -> None:
        """Keep a thing, in place of an earlier one of this key."""
        size = size_of(thing)
        with self._lock:
            self._things.pop(key, None)
            if size > self.max_bytes:
                return
            self._things[key] = (thing, size)
            while self._sum() > self.max_bytes:
                self._things.popitem(last=False)

    def pop(self, key: Hashable) -> Any | None:
        """The thing, which is kept no longer, or None."""
        with self._lock:
            return self._things.pop(key, (None, 0))[0]

    def things(self) -> tuple[Any, ...]:
        """Everything kept, what was used longest ago first."""
        with self._lock:
            return tuple(thing for thing, _ in self._things.values())

    @property
    def bytes(self) -> int:
        """The size of everything kept, as ``size_of`` estimates it."""
        with self._lock:
            return self._sum()

    def _sum(self) -> int:
        return sum(size for _, size in self._things.values())


def size_of(thing: Any) -> int:
    """Bytes that a result takes: its frames with their texts, its arrays whole, and everything they stand in.

    What is held twice counts once. An estimate: small numbers and texts that other results share count here too.
    """
    total, seen, left = 0, set(), [thing]
    while left:
        item = left.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, pd.DataFrame | pd.Series | pd.Index):
            total += int(np.sum(item.memory_usage(deep=True)))
        elif isinstance(item, np.ndarray) and isinstance(item.base, np.ndarray):
            left.append(item.base)  # a view holds the whole
        elif isinstance(item, np.ndarray):
            total += item.nbytes
        else:
            total += sys.getsizeof(item)
            left += _inside(item)
    return total


def _inside(item: Any) -> Iterable[Any]:
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, tuple | list | set | frozenset):
        return item
    if is_dataclass(item) and not isinstance(item, type):
        return [getattr(item, field.name) for field in fields(item)]
    return ()
