"""The tab of swapped text: a file in, every change with its reason, what to look at, the swapped file out."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import OptionError
from core.inputs import Choice, Number, Reference, Text
from core.measures.mitigation.swap import figures, words
from core.measures.mitigation.swap.result import CHANGES, DOCUMENTS, DOUBTS, TEXTS, UNRESTORED, SwapResult
from core.measures.mitigation.swap.spec import FILE, SwapSpec
from core.measures.mitigation.texts_given import EXAMPLE, file_given
from core.measures.mitigation.tuning.spec import CONTROL, DATA
from core.report.numbers import counted
from pages.shared import jobs, links, panels, resources, saved, tables
from pages.shared.controls import ask, check, choice, measure_button, number, text, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

PATH = Text("text_path", "or its path on the server’s machine", placeholder="/path/to/file.tsv")
DTYPE, EVERY, SEED = (SwapSpec.input(name) for name in ("dtype", "every", "seed"))
INPUTS = (FILE, PATH, EVERY, SEED, DTYPE)
WHICH = Choice("which", "Documents", choices={"swapped": "every swapped document", "doubtful": "those with doubts"})
PART = Number("part", "Part of the preview", 1, 1)
VIEWS = (WHICH, PART)

_AT_ONCE = 5  # documents on screen


def result(models: tuple[str, ...]) -> SwapResult:
    """The controls, and their result."""
    _, found = saved.measured(SwapSpec, lambda: _spec(models))
    swapped: SwapResult = found
    return swapped


def _spec(models: tuple[str, ...]) -> SwapSpec:
    """Draw the controls. Raises TiltmeterError."""
    with st.container(key="choices"):
        left, right, button = st.columns([3.2, 2.6, 1.0])
    files = upload(left, FILE)
    path = text(right, PATH).strip()
    measure_button(button)
    every = check(st, EVERY)
    with st.expander("Method", key="method"):
        first, second = st.columns(2)
        seed, dtype = number(first, SEED), ask(second, DTYPE)
    if not files and not path:
        st.caption(
            literal(f"Shown are the documents of {EXAMPLE.name}, written for this page. Give a text or a GAP file.")
        )
    links.settle()
    if files and path:
        raise OptionError("Give either a file or the path of one, not both.")
    values: dict[str, Any] = {"models": models, "every": every, "seed": seed, "dtype": dtype}
    if path:
        spec = SwapSpec.of(values)
        return _read(replace(spec, file=file_given(Path(path).expanduser())))
    return SwapSpec.of({**values, FILE.name: links.values()[FILE.name]})


def _read(spec: SwapSpec) -> SwapSpec:
    """The spec, its file looked at. Raises InputError."""
    spec.documents()
    return spec


def show(result: SwapResult) -> None:
    """The result: its changes, what to look at, and the file."""
    panels.show_finding(result, words.finding(result), ())
    panels.show_notes(result.notes)
    _download(result)
    if not result.n("changes"):
        return
    st.subheader("Every change", anchor=False)
    _preview(result)
    panels.export_panel("swap-changes", result, table=result[CHANGES])
    st.subheader("What to look at", anchor=False)
    figure = panels.drawn(lambda: figures.kinds(result, theme=theme()))
    panels.show_chart(figure, "swap kinds", words.counts_text(result))
    panels.export_panel("swap", result, figure=figure, title="Changes and doubts by kind", table=result["summary"])
    columns = result.SCHEMA.tables
    if len(result[DOUBTS]):
        tables.show(result[DOUBTS], columns[DOUBTS].columns)
        panels.export_panel("swap-doubts", result, table=result[DOUBTS])
    lost = result[UNRESTORED]
    if len(lost):
        with st.expander(f"{counted(len(lost), 'token')} that swapping back does not restore", expanded=len(lost) <= 5):
            tables.show(lost, columns[UNRESTORED].columns)
    with st.expander("The documents"):
        tables.show(result[DOCUMENTS], columns[DOCUMENTS].columns)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _download(result: SwapResult) -> None:
    """The swapped file, to keep or to train on; where only a saved result is open, its content is not at hand."""
    if jobs.outdated() or result.stopped:
        return
    spec: SwapSpec = result.spec
    if spec.file is not None and spec.file.content is None:
        st.caption(
            literal(f"The swapped file can be made again with {spec.file.name}: give it at the place of the file.")
        )
        return
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Download the swapped file",
            lambda: _bytes(result),
            file_name=_name(spec),
            mime="text/plain",
            on_click="ignore",
            icon=":material/download:",
            key="swapped file",
        )
        st.button(
            "Fine-tune on this text",
            on_click=_carry,
            args=(result,),
            icon=":material/model_training:",
            help="Goes to the tab of fine-tuning, with the swapped text, and the unswapped one as its control.",
        )


def _carry(result: SwapResult) -> None:
    """Give the swapped text and the unswapped one to the tab of fine-tuning, as files that were uploaded there."""
    spec, page = result.spec, links.current()
    original = EXAMPLE.read_bytes() if spec.file is None else spec.file.data
    texts = ((DATA, _name(spec), _bytes(result)), (CONTROL, spec.name, original))
    for option, name, content in texts:
        links.change(option, (Reference(resources.uploads().put(content), name),))
    links.put(page.options["what"], "tuned")


def _name(spec: SwapSpec) -> str:
    """What the swapped file is called."""
    name = Path(spec.name)
    return f"{name.stem}-swapped{name.suffix}"


def _bytes(result: SwapResult) -> bytes:
    from core.measures.mitigation.swap import compute

    return compute.swapped_file(result)


def _preview(result: SwapResult) -> None:
    """Documents before and after, side by side, a part at a time; each change has a number in both."""
    changed = set(result[CHANGES]["document"])
    doubtful = set(result[DOUBTS]["document"])
    wanted = changed & doubtful if choice(WHICH) == "doubtful" else changed
    texts = result[TEXTS][result[TEXTS]["document"].isin(wanted)]
    parts = max(-(-len(texts) // _AT_ONCE), 1)
    part = 1
    if parts > 1:
        place, _ = st.columns([1, 3])
        part = number(place, replace(PART, high=parts, label=f"Part of the preview, of {parts:,}"))
    if texts.empty:
        st.info("No document has a doubt.", icon=":material/info:")
    for row in texts.iloc[(part - 1) * _AT_ONCE : part * _AT_ONCE].to_dict("records"):
        _document(result, row["document"], row["before"])


def _document(result: SwapResult, name: str, before: str) -> None:
    changes = result[CHANGES][result[CHANGES]["document"] == name]
    doubts = result[DOUBTS][result[DOUBTS]["document"] == name]
    first, second = "".join(_marked(before, changes, "before")), "".join(_marked(before, changes, "after"))
    reasons = "".join(
        f"<li><del>{html.escape(row['before'])}</del> → <ins>{html.escape(row['after'])}</ins> "
        f"{html.escape(_reason(row))}</li>"
        for row in changes.to_dict("records")
    )
    looks = "".join(
        f"<li><b>{html.escape(row['word'])}</b>: {html.escape(row['kind'])}; {html.escape(row['reason'])}</li>"
        for row in doubts.to_dict("records")
    )
    title = f"{name}: {counted(len(changes), 'change')}" + (f", {counted(len(doubts), 'doubt')}" if len(doubts) else "")
    st.html(
        f'<section class="swap"><h4>{html.escape(title)}</h4><div class="sides">'
        f'<p><span class="muted">before</span>{first}</p><p><span class="muted">after</span>{second}</p></div>'
        f"<details><summary>Reasons</summary><ol>{reasons}</ol></details>"
        + (f'<div class="muted">To look at</div><ul>{looks}</ul>' if looks else "")
        + "</section>"
    )


def _reason(row: dict[Any, Any]) -> str:
    return row["reason"] if row["reason"].startswith(row["kind"]) else f"{row['kind']}: {row['reason']}"


def _marked(before: str, changes: pd.DataFrame, side: str) -> Iterator[str]:
    """The text as HTML with its changes marked and numbered."""
    tag = "del" if side == "before" else "ins"
    end = 0
    for place, row in enumerate(changes.to_dict("records"), 1):
        yield html.escape(before[end : row["start"]])
        yield f'<{tag} title="{html.escape(_reason(row))}">{html.escape(row[side])}</{tag}><sup>{place}</sup>'
        end = row["start"] + len(row["before"])
    yield html.escape(before[end:])
