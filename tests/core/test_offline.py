"""With every socket but loopback closed: the default model measures, and what is not here is said at once."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from core.engine.checkpoints import request
from core.engine.pool import ModelPool
from core.errors import ModelNotFound
from core.result import Group
from core.sources.templates import Template
from tests.support.lpbs import run

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Closes the network; the list fills with the addresses that were tried."""
    tried: list[str] = []

    def guard(wanted: Any, right: Callable[..., Any], *given: Any, **named: Any) -> Any:
        host = wanted.decode() if isinstance(wanted, bytes) else str(wanted or "localhost")
        if host.startswith(LOOPBACK):
            return right(*given, **named)
        tried.append(host)
        raise OSError(101, "Network is unreachable")

    def close(name: str) -> None:
        right = getattr(socket.socket, name)

        def guarded(self: socket.socket, address: Any, *rest: Any) -> Any:
            host = address[0] if isinstance(address, tuple) else "localhost"  # a path is a socket of this machine
            return guard(host, right, self, address, *rest)

        monkeypatch.setattr(socket.socket, name, guarded)

    for name in ("connect", "connect_ex"):
        close(name)
    resolve = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *rest, **named: guard(host, resolve, host, *rest, **named))
    return tried


def test_the_guard_closes_the_network_and_leaves_loopback(attempts: list[str]) -> None:
    with pytest.raises(OSError, match="unreachable"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(OSError, match="unreachable"), socket.socket() as outside:
        outside.connect(("192.0.2.1", 80))
    assert attempts == ["192.0.2.1", "192.0.2.1"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
    assert len(attempts) == 2


def test_the_default_model_needs_no_network(attempts: list[str]) -> None:
    with ModelPool().lease(request("default")) as model:
        result = run(
            [model],
            [Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")],
            (Group("he", ("he",)), Group("she", ("she",))),
            ["registered nurse"],
        )
    assert round(float(result["attributes"]["lpbs"].iloc[0]), 2) == -1.35
    assert attempts == []


def test_a_model_that_is_not_here_is_said_at_once(attempts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Quickly means: few addresses tried, and no waiting between them."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    name = "nobody-of-that-name/no-such-model-0"
    with pytest.raises(ModelNotFound) as caught, ModelPool().lease(request(name)):
        pass
    assert str(caught.value) == (
        f"{name} is not on this machine and the model hub could not be reached. Connect to the network, "
        "or give the folder of a downloaded copy. Without a network minilm-mlm always works."
    )
    assert len(attempts) <= 2
    assert sum(slept) <= 1
