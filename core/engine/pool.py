"""Models in memory: loaded once for everybody, bounded, leased, and really released."""

from __future__ import annotations

import ctypes
import functools
import gc
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from . import checkpoints, loading
from .checkpoints import ModelRequest
from .loading import LoadedModel
from .reading import release_memory

GIGABYTE = 1 << 30
Key = tuple[str, str | None, str, str, str]


@dataclass
class _Shelf:
    """One set of weights, with the instance that gives attentions beside the plain one when requested."""

    instances: dict[str, LoadedModel]
    nbytes: int
    lent: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class ModelPool:
    """Lends models. Holds at most ``max_models`` sets of weights and ``max_bytes`` bytes of them.

    Over the limit the least recently used that nobody holds goes first; one that is leased stays until it comes
    back. Key: id, revision, digest, device, dtype; within it one instance for each attention implementation,
    which share their weights.
    """

    def __init__(self, max_models: int = 4, max_bytes: int | None = None) -> None:
        self._max_models = max_models
        self._max_bytes = max_bytes
        self._shelves: OrderedDict[Key, _Shelf] = OrderedDict()
        self._lock = threading.Lock()
        # One load at a time: two at once would need the memory of both before either can be counted.
        self._loading = threading.Lock()

    @contextmanager
    def lease(self, request: ModelRequest) -> Iterator[LoadedModel]:
        """Hold a model for as long as the ``with`` block runs; loads it when it is not here.

        Raises the typed errors of ``loading``.
        """
        checkpoint = checkpoints.fetch(request)
        device = request.device or loading.best_device()
        key = (checkpoint.id, checkpoint.revision, checkpoint.digest, device, request.dtype)
        shelf = self._take(key)
        if shelf is None:
            with self._loading:
                shelf = self._take(key)
                if shelf is None:
                    self._trim(room_for_one=True)
                    model = loading.load(checkpoint, dtype=request.dtype, device=device)
                    shelf = _Shelf({"default": model}, model.nbytes(), lent=1)
                    with self._lock:
                        self._shelves[key] = shelf
        try:
            yield self._instance(shelf, request.attention)
        finally:
            with self._lock:
                shelf.lent -= 1
            self._trim()

    def held(self) -> tuple[str, ...]:
        """Names of the models in memory, least recently used first."""
        with self._lock:
            return tuple(shelf.instances["default"].info.name for shelf in self._shelves.values())

    def clear(self) -> None:
        """Release every model that nobody holds."""
        with self._lock:
            for key in [key for key, shelf in self._shelves.items() if not shelf.lent]:
                del self._shelves[key]
        _release()

    def _take(self, key: Key) -> _Shelf | None:
        with self._lock:
            shelf = self._shelves.get(key)
            if shelf is not None:
                self._shelves.move_to_end(key)
                shelf.lent += 1
            return shelf

    @staticmethod
    def _instance(shelf: _Shelf, attention: str) -> LoadedModel:
        with shelf.lock:
            if attention not in shelf.instances:
                shelf.instances[attention] = loading.with_attentions(shelf.instances["default"])
            return shelf.instances[attention]

    def _trim(self, *, room_for_one: bool = False) -> None:
        dropped = False
        with self._lock:
            for key in list(self._shelves):
                size = sum(shelf.nbytes for shelf in self._shelves.values())
                over_bytes = self._max_bytes is not None and size > self._max_bytes
                if len(self._shelves) + room_for_one <= self._max_models and not over_bytes:
                    break
                if not self._shelves[key].lent:
                    del self._shelves[key]
                    dropped = True
        if dropped:
            _release()


@functools.cache
def shared_pool() -> ModelPool:
    """The models in memory for the whole program. TILTMETER_MODELS and TILTMETER_GIGABYTES bound how many and large."""
    gigabytes = os.environ.get("TILTMETER_GIGABYTES")
    return ModelPool(
        max_models=int(os.environ.get("TILTMETER_MODELS", "4")),
        max_bytes=int(float(gigabytes) * GIGABYTE) if gigabytes else None,
    )


def _release() -> None:
    """Return the memory of dropped models to the system: modules hold cycles, and glibc keeps freed pages."""
    gc.collect()
    release_memory()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
