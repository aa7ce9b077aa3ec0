"""The users' files by content, so that a page that is left, reloaded or opened by a link finds them again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from pages.shared.options import DIGEST_LENGTH


class Uploads:
    """Contents by their digest, at most ``max_bytes`` of them; what was not asked for longest is forgotten first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, data: bytes) -> str:
        """Keep the content; returns its digest."""
        digest = digest_of(data)
        with self._lock:
            self._contents[digest] = data
            self._contents.move_to_end(digest)
            while len(self._contents) > 1 and sum(map(len, self._contents.values())) > self._max_bytes:
                self._contents.popitem(last=False)
        return digest

    def get(self, digest: str) -> bytes | None:
        """The content with this digest; None where it was never here or is forgotten."""
        with self._lock:
            if digest in self._contents:
                self._contents.move_to_end(digest)
            return self._contents.get(digest)


def digest_of(data: bytes) -> str:
    """The first hexadecimal signs of the content's SHA-256."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_LENGTH]
