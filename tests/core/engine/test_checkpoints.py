"""Fetching by name: this disk first, then the hub, and a sentence for each way in which that can fail.

A stand-in for the hub answers on this machine's own loopback address, in the protocol of the real one, so that the
errors are those the hub client really raises. Nothing leaves the machine.
"""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from huggingface_hub import constants, errors

from core.engine import catalog, checkpoints
from core.engine.checkpoints import ModelRequest, fetch, request
from core.engine.loading import load
from core.errors import BadModelName, ModelNotFound, UnsafeModel
from core.sources.failures import causes
from tests.support.tiny import tiny_folder

MAIN, OLDER = "a" * 40, "b" * 40
UNWANTED = {"pytorch_model.bin": b"\x80", "modeling_own.py": b"raise SystemExit", "onnx/model.onnx": b"\x08"}


@dataclass
class Hub:
    """``asked``: every path that was requested. ``status``: an answer for all questions instead of the usual."""

    files: dict[str, bytes]
    asked: list[str] = field(default_factory=list)
    status: int | None = None


def handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    """owner/name has the commits MAIN (main) and OLDER (v1); owner/gated wants an agreement; nothing else exists."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            hub.asked.append(path)
            if hub.status:
                self.answer(hub.status, b"{}")
            elif path.startswith("/api/models/owner/gated"):
                self.answer(403, b"{}", {"X-Error-Code": "GatedRepo"})
            elif path.startswith("/api/models/owner/name"):
                self.describe(path.split("/")[5:])
            elif path.startswith("/owner/name/resolve/"):
                commit, _, name = path.removeprefix("/owner/name/resolve/").partition("/")
                etag = hashlib.sha256(hub.files[name]).hexdigest()
                self.answer(200, hub.files[name], {"ETag": f'"{etag}"', "X-Repo-Commit": commit})
            else:
                self.answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})

        def describe(self, rest: list[str]) -> None:
            commit = {"main": MAIN, "v1": OLDER, MAIN: MAIN, OLDER: OLDER}.get(rest[1] if rest else "main")
            if commit is None:
                self.answer(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
            elif rest and rest[0] == "tree":
                tree = [
                    {"type": "file", "path": name, "size": len(body), "oid": hashlib.sha1(body).hexdigest()}
                    for name, body in hub.files.items()
                ]
                self.answer(200, json.dumps(tree).encode())
            else:
                names = [{"rfilename": name} for name in hub.files]
                self.answer(200, json.dumps({"id": "owner/name", "sha": commit, "siblings": names}).encode())

        def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    return Handler


def point_to(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{address}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    )


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, an address at which nobody answers, and no way out to any other machine."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    point_to("http://127.0.0.1:9", monkeypatch)
    resolve, elsewhere = socket.getaddrinfo, []

    def loopback_only(host: str, *rest: object, **options: object) -> object:
        if host != "127.0.0.1":
            elsewhere.append(host)
            raise socket.gaierror(f"a test asks for {host}")
        return resolve(host, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", loopback_only)
    yield tmp_path / "hub"
    assert elsewhere == []


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    files = {path.name: path.read_bytes() for path in tiny_folder("bert").iterdir()}
    hub = Hub({**files, **UNWANTED})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(hub)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        point_to(f"http://127.0.0.1:{server.server_port}", monkeypatch)
        yield hub
        server.shutdown()
        thread.join()


def put_in_cache(cache: Path, *, commit: str = MAIN, leave_out: str = "", ref: str | None = "main") -> Path:
    """The layout in which the hub client keeps what it downloaded."""
    repository = cache / "models--owner--name"
    snapshot = repository / "snapshots" / commit
    shutil.copytree(tiny_folder("bert"), snapshot)
    if leave_out:
        (snapshot / leave_out).unlink()
    if ref:
        (repository / "refs").mkdir(exist_ok=True)
        (repository / "refs" / ref).write_text(commit)
    return snapshot


def test_what_is_downloaded(hub: Hub, cache: Path) -> None:
    """The settings, tokenizer and safetensors of the top folder; no other format, no code, no folder below."""
    found = fetch(ModelRequest("owner/name"))
    assert {path.relative_to(found.folder).as_posix() for path in found.folder.rglob("*")} == set(hub.files) - set(
        UNWANTED
    )
    assert found.folder.is_relative_to(cache)
    assert not [path for path in hub.asked if any(name in path for name in UNWANTED)]
    assert (found.name, found.id) == ("name", "owner/name")


def test_the_commit_goes_into_the_provenance(hub: Hub) -> None:
    """A branch or tag moves; what was measured is the commit it stood for."""
    assert load(fetch(ModelRequest("owner/name")), device="cpu").info.revision == MAIN
    tagged = load(fetch(request("owner/name@v1")), device="cpu").info
    assert (tagged.id, tagged.name, tagged.revision) == ("owner/name", "name", OLDER)
    assert tagged.digest == fetch(ModelRequest(str(tiny_folder("bert")))).digest
    assert fetch(request(f"owner/name@{OLDER}")).revision == OLDER


def test_what_was_downloaded_is_not_asked_for_again(hub: Hub) -> None:
    first = fetch(ModelRequest("owner/name"))
    hub.asked.clear()
    assert fetch(ModelRequest("owner/name")) == first
    assert hub.asked == []


def test_a_snapshot_on_this_disk_needs_no_network(
    hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither for a branch nor for a commit; and a catalog name is as good as its id."""
    snapshot = put_in_cache(cache)
    assert fetch(ModelRequest("owner/name")).folder == snapshot
    assert fetch(ModelRequest("owner/name", "main")).revision == MAIN
    assert fetch(ModelRequest("owner/name", MAIN)).revision == MAIN
    entry = catalog.CatalogEntry("short", "owner/name", "masked", "BERT", ("en",), False)
    monkeypatch.setattr(catalog, "_HUB", (entry,))
    assert fetch(ModelRequest("short")).name == "short"
    assert load(fetch(ModelRequest("short")), device="cpu").info.family == "BERT"
    assert hub.asked == []


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_snapshot_cut_short_is_completed(hub: Hub, cache: Path, missing: str) -> None:
    put_in_cache(cache, leave_out=missing)
    assert load(fetch(ModelRequest("owner/name")), device="cpu").info.kind == "masked"
    assert any(path.endswith(missing) for path in hub.asked)


def test_a_revision_that_is_not_here_is_asked_for(hub: Hub, cache: Path) -> None:
    put_in_cache(cache)
    assert fetch(request("owner/name@v1")).revision == OLDER


def test_an_id_nobody_has(hub: Hub) -> None:
    with pytest.raises(ModelNotFound, match="The hub has no model owner/gone; check the spelling"):
        fetch(ModelRequest("owner/gone"))
    assert len(hub.asked) <= 2  # told at once, not after many tries


def test_a_revision_that_does_not_exist(hub: Hub) -> None:
    with pytest.raises(ModelNotFound, match="owner/name has no revision “nope”; give a branch, tag or commit"):
        fetch(request("owner/name@nope"))


def test_a_model_behind_an_agreement(hub: Hub) -> None:
    with pytest.raises(ModelNotFound, match=r"owner/gated asks for an agreement first: .* \(HF_TOKEN\)"):
        fetch(ModelRequest("owner/gated"))


def test_a_repository_without_safetensors(hub: Hub) -> None:
    del hub.files["model.safetensors"]
    with pytest.raises(UnsafeModel, match="name holds no safetensors file"):
        fetch(ModelRequest("owner/name"))
    assert not [path for path in hub.asked if path.endswith(".bin")]


@pytest.mark.parametrize("status", [500, 503, 401, 418])
def test_a_hub_that_answers_strangely(hub: Hub, status: int) -> None:
    hub.status = status
    with pytest.raises(ModelNotFound, match="owner/name"):
        fetch(ModelRequest("owner/name"))


@pytest.mark.parametrize("name", ["owner/name", "bert-base-uncased", "owner/name@v1"])
def test_without_a_network(name: str) -> None:
    """Nobody listens at the address: refused at once, as a machine without a network is."""
    with pytest.raises(ModelNotFound, match="could not be reached") as caught:
        fetch(request(name))
    assert all(help in str(caught.value) for help in ("Connect to the network", "folder", catalog.DEFAULT))


@pytest.mark.parametrize(
    "error", [OSError(errno.EHOSTUNREACH, "no route"), ConnectionResetError(), socket.gaierror("no name")]
)
def test_a_connection_that_breaks_in_whatever_way(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(checkpoints.HfApi, "model_info", fail)
    with pytest.raises(ModelNotFound, match="could not be reached"):
        fetch(ModelRequest("owner/name"))


BENEATH = {
    "the disk is full. Make room": OSError(errno.ENOSPC, "No space left on device"),
    "this user may not read or write /cache": PermissionError(errno.EACCES, "Permission denied", "/cache"),
    "did not answer in time": TimeoutError(),
    "could not be put on this machine: /cache: Not a directory": NotADirectoryError(errno.ENOTDIR, "No", "/cache"),
    "could not be put on this machine: the disk can only be read": OSError(errno.EROFS, "Read-only file system"),
    "could not be put on this machine: the disk is full.": RuntimeError("Data processing error (os error 28)"),
    "HF_HUB_OFFLINE bars access to the hub": errors.OfflineModeIsEnabled("offline"),
    "could not be fetched from the model hub (ValueError: proxy)": ValueError("proxy"),
    "could not be fetched from the model hub (KeyError: 'siblings')": KeyError("siblings"),
    "could not be fetched from the model hub (TypeError: none)": TypeError("none"),
}


@pytest.mark.parametrize(("sentence", "error"), BENEATH.items())
@pytest.mark.parametrize("deep", [False, True])
def test_each_cause_has_its_own_sentence(
    sentence: str, error: Exception, deep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the type of the error, or of what it was raised from; the cause stays with it."""
    own = "could not be fetched" in sentence or "HF_HUB_OFFLINE" in sentence or isinstance(error, NotADirectoryError)

    def fail(*_: object, **__: object) -> None:
        if deep and not own:
            raise RuntimeError("a library's own") from error
        raise error

    monkeypatch.setattr(checkpoints.HfApi, "model_info", fail)
    with pytest.raises(ModelNotFound) as caught:
        fetch(ModelRequest("owner/name"))
    assert sentence in str(caught.value)
    assert error in list(causes(caught.value))
    assert caught.value.__cause__ is not None


def test_a_hub_that_takes_the_question_and_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the real client raises: the server listens and says nothing."""
    monkeypatch.setattr(checkpoints, "_HUB_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        point_to(f"http://127.0.0.1:{server.getsockname()[1]}", monkeypatch)
        with pytest.raises(ModelNotFound, match="the model hub did not answer in time"):
            fetch(ModelRequest("owner/name"))


def test_a_download_that_breaks_off(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    real = checkpoints.snapshot_download

    def breaks(*args: object, **options: object) -> object:
        if options.get("local_files_only"):
            return real(*args, **options)  # type: ignore[arg-type]
        raise ConnectionResetError("in the middle")

    monkeypatch.setattr(checkpoints, "snapshot_download", breaks)
    with pytest.raises(ModelNotFound, match="could not be reached"):
        fetch(ModelRequest("owner/name"))


@pytest.mark.parametrize("name", ["a/b/c", "sp ace/x", "owner/na--me", "owner/.name", "owner/", "ümlaut/x", "a/b?c=d"])
def test_what_can_be_no_id(hub: Hub, name: str) -> None:
    with pytest.raises(BadModelName, match="owner/name"):
        fetch(ModelRequest(name))
    assert hub.asked == []


def test_the_embedded_model_asks_nobody(hub: Hub) -> None:
    assert fetch(ModelRequest()).name == catalog.DEFAULT
    assert hub.asked == []
