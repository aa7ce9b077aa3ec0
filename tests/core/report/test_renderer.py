from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import ExportError
from core.report import renderer
from core.report.renderer import Renderer, find_browser, image_export_available

needs_browser = pytest.mark.skipif(find_browser() is None, reason="no Chrome or Chromium on this machine")

FIGURE: dict[str, Any] = {"data": [{"type": "bar", "x": ["he"], "y": [1]}], "layout": {}}


@pytest.fixture
def own() -> Iterator[Renderer]:
    own = Renderer()
    yield own
    own.close()


def test_browser_path_comes_first_and_must_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "chrome"
    program.touch()
    monkeypatch.setenv("BROWSER_PATH", str(program))
    assert find_browser() == str(program)
    assert image_export_available() is None
    program.unlink()
    assert find_browser() is None
    assert "set BROWSER_PATH" in str(image_export_available())


def test_without_a_browser_the_error_says_what_is_missing_and_what_works(
    monkeypatch: pytest.MonkeyPatch, own: Renderer
) -> None:
    monkeypatch.setattr(renderer, "find_browser", lambda: None)
    with pytest.raises(ExportError) as raised:
        own.render(FIGURE, "png", 300, 200)
    assert str(raised.value) == image_export_available()
    assert str(raised.value) == (
        "PNG, SVG and PDF need Chrome or Chromium, which was not found: install one, or set BROWSER_PATH to its "
        "program. HTML, CSV and JSON still work."
    )


def test_a_caller_does_not_wait_for_ever_for_another(monkeypatch: pytest.MonkeyPatch, own: Renderer) -> None:
    monkeypatch.setattr(renderer, "find_browser", lambda: "chrome")
    monkeypatch.setattr(renderer, "TIME_LIMIT", 0.01)
    with own._lock, pytest.raises(ExportError, match="Another picture is still being drawn"):
        own.render(FIGURE, "png", 300, 200)


def test_a_program_that_is_no_browser_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, own: Renderer, tmp_path: Path
) -> None:
    program = tmp_path / "chrome"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(program))
    with pytest.raises(ExportError, match=r"Chrome could not draw the SVG .*need no browser"):
        own.render(FIGURE, "svg", 300, 200)


@needs_browser
def test_a_crashed_browser_or_a_bad_figure_does_not_spoil_the_next(own: Renderer) -> None:
    first = own.render(FIGURE, "svg", 300, 200)
    own._browser.subprocess.terminate()
    own._browser.subprocess.wait(60)
    assert len(own.render(FIGURE, "svg", 300, 200)) == len(first)
    with pytest.raises(ExportError, match="could not draw the SVG"):
        own.render({"data": object()}, "svg", 300, 200)
    assert len(own.render(FIGURE, "svg", 300, 200)) == len(first)


@needs_browser
def test_drawing_is_given_up_after_the_time_limit(monkeypatch: pytest.MonkeyPatch, own: Renderer) -> None:
    own.render(FIGURE, "svg", 300, 200)
    with monkeypatch.context() as patched:
        patched.setattr(renderer, "TIME_LIMIT", 0.001)
        with pytest.raises(ExportError, match="did not draw the PDF within"):
            own.render(FIGURE, "pdf", 300, 200)
    assert own.render(FIGURE, "pdf", 300, 200).startswith(b"%PDF")
