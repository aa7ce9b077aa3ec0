"""One Chrome, kept running, that draws figures one at a time."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Literal, TypeVar

import kaleido
from choreographer.browsers.chromium import Chromium

from ..errors import ExportError

Format = Literal["png", "svg", "pdf"]
T = TypeVar("T")

TIME_LIMIT = 60.0  # seconds to wait for the pictures of others, and again for one's own with the browser's start
_CLOSE_LIMIT = 10.0
# No picture needs anything from outside: every address but this machine's own files goes to a port where
# nothing listens, so that neither a figure nor the browser itself reaches the network.
_NO_NETWORK = "127.0.0.1:9"


def find_browser() -> str | None:
    """The program of a Chrome or Chromium: ``BROWSER_PATH`` where it is set, else the usual places; or None."""
    path = os.environ.get("BROWSER_PATH") or Chromium.find_browser(skip_local=False)
    return path if path and Path(path).is_file() else None


def image_export_available() -> str | None:
    """Why PNG, SVG and PDF cannot be made here, as a sentence for the screen; None where they can. Cheap."""
    if find_browser():
        return None
    return (
        "PNG, SVG and PDF need Chrome or Chromium, which was not found: install one, or set BROWSER_PATH to its "
        "program. HTML, CSV and JSON still work."
    )


class Renderer:
    """Draws figures in a browser that starts with the first one and stays open for the next.

    Kaleido has a server of its own for this; ours differs where a page with many visitors needs it: it gives up
    after a time limit, survives a browser that crashed or never started, and never hands one caller the picture
    of another.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._browser: Any = None

    def render(self, figure: dict[str, Any], image: Format, width: float, height: float, scale: float = 1) -> bytes:
        """Draw a figure, given as a dict, ``width`` × ``height`` pixels large, each pixel ``scale`` dots.

        Raises ExportError without a browser, and when the picture could not be drawn within ``TIME_LIMIT``.
        """
        if reason := image_export_available():
            raise ExportError(reason)
        if not self._lock.acquire(timeout=TIME_LIMIT):
            raise ExportError("Another picture is still being drawn; try again in a minute.")
        deadline = time.monotonic() + TIME_LIMIT
        try:
            if self._browser is not None and self._browser.subprocess.poll() is not None:
                self._stop()  # the browser crashed or was ended from outside
            if self._browser is None:
                self._start(deadline)
            options = {"format": image, "width": width, "height": height, "scale": scale}
            drawn: bytes = self._wait(self._browser.calc_fig(figure, opts=options), deadline)
        except Exception as error:  # Kaleido, Chrome and the channel between fail in many ways; all mean: no picture
            self._stop()
            if isinstance(error, TimeoutError):
                cause = f"Chrome did not draw the {image.upper()} within {TIME_LIMIT:.0f} seconds"
            else:
                cause = f"Chrome could not draw the {image.upper()} ({type(error).__name__})"
            raise ExportError(f"{cause}; try again, or take HTML, CSV or JSON, which need no browser.") from error
        finally:
            self._lock.release()
        return drawn

    def close(self) -> None:
        """End the browser. The next figure starts a new one."""
        with self._lock:
            self._stop()

    def _start(self, deadline: float) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="figure-export", daemon=True)
        self._thread.start()
        self._browser = self._wait(_make_browser(), deadline)
        self._wait(self._browser.open(), deadline)
        # Registered anew after the browser made its temporary folders: exit handlers run last in, first out, and
        # ours has to end the browser before those folders are cleared away under it.
        atexit.unregister(self.close)
        atexit.register(self.close)

    def _wait(self, work: Coroutine[Any, Any, T], deadline: float) -> T:
        if self._loop is None:
            raise RuntimeError("The loop that draws is not running.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(max(deadline - time.monotonic(), 0))
        except TimeoutError:
            future.cancel()
            raise

    def _stop(self) -> None:
        browser, loop, thread = self._browser, self._loop, self._thread
        self._browser = self._loop = self._thread = None
        if loop is None or thread is None:
            return
        if browser is not None:
            closing = asyncio.run_coroutine_threadsafe(_end(browser), loop)
            try:
                closing.result(_CLOSE_LIMIT)
            except Exception:  # a browser that does not answer is ended the hard way
                closing.cancel()
                if hasattr(browser, "subprocess"):
                    browser.subprocess.terminate()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSE_LIMIT)
        if not thread.is_alive():
            loop.close()


async def _make_browser() -> Any:
    # Made inside the loop because it creates locks and queues. Kaleido starts Chrome without its sandbox, which
    # containers and root need; it draws nothing but our own figures. Without mathjax=False it asks a CDN.
    return kaleido.Kaleido(
        n=1, timeout=TIME_LIMIT, mathjax=False, path=find_browser(), proxy_server=_NO_NETWORK, enable_extensions=False
    )


async def _end(browser: Any) -> None:
    # Gathered before the end, so that what fails because of it is not reported as an error nobody looked at.
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await browser.close()
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


RENDERER = Renderer()
