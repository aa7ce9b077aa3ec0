"""The users' files by content, so that a page that is left, reloaded or opened by a link finds them again."""

from __future__ import annotations

import hashlib

from core.inputs import DIGEST_LENGTH
from core.kept import Kept


class Uploads:
    """Contents by their digest, at most ``max_bytes`` of them; what was used longest ago is forgotten first."""

    def __init__(self, max_bytes: int) -> None:
        self._kept = Kept(max_bytes)

    def put(self, data: bytes) -> str:
        """Keep the content; returns its digest."""
        digest = digest_of(data)
        self._kept.put(digest, data)
        return digest

    def get(self, digest: str) -> bytes | None:
        """The content with this digest; None where it was never here or is forgotten."""
        return self._kept.get(digest)


def digest_of(data: bytes) -> str:
    """The first hexadecimal signs of the content's SHA-256."""
    return hashlib.sha256(data).hexdigest()[:DIGEST_LENGTH]
