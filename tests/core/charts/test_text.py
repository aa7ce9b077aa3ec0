from __future__ import annotations

from core.charts.text import literal, shorten, shorten_within, text_width, wrap


def test_literal_leaves_no_markup_to_plotly() -> None:
    assert literal("<b>x</b> & $y$ &lt;") == "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &amp;lt;"


def test_text_width_grows_with_text_and_size() -> None:
    assert text_width("nn", 10) == 2 * text_width("n", 10) == text_width("n", 20)
    assert text_width("i", 10) < text_width("n", 10) < text_width("護", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_shorten_keeps_what_fits() -> None:
    assert shorten("nurse", 200, 13) == "nurse"
    cut = shorten("n" * 100, 200, 13)
    assert cut.endswith("n…")
    assert text_width(cut, 13) <= 200 < text_width("n" + cut, 13)


def test_wrap_breaks_behind_joints() -> None:
    assert wrap("bert-base-uncased", 80, 12, 3) == ("bert-base-", "uncased")
    assert wrap("bert", 80, 12, 3) == ("bert",)
    assert wrap("my old model", 45, 12, 2) == ("my old", "model")


def test_wrap_cuts_the_last_line_only() -> None:
    lines = wrap("aaaa-bbbb-cccc-dddd-eeee", 50, 12, 2)
    assert lines[0] == "aaaa-"
    assert len(lines) == 2
    assert lines[1].endswith("…")


def test_the_middle_goes_where_the_ends_tell_names_apart() -> None:
    assert shorten_within("short", 500, 12) == "short"
    first, second = (shorten_within(f"a-model-with-a-long-name-seed-{seed}", 120, 12) for seed in (0, 1))
    assert first != second
    assert first.startswith("a-model")
    assert (first[-1], second[-1]) == ("0", "1")
    assert text_width(first, 12) <= 120
    assert shorten_within("anything", 1, 12) == "…"
