"""The result of a task that is built on models."""

from __future__ import annotations

from ...result import Result


class DownstreamResult(Result):
    """The result of a task that is built on models: its headlines are compared with the metrics of reliability."""
