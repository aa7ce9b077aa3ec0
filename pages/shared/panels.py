"""Panels that every page uses: the finding above a chart, the chart itself, the export panel, the words left out."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.batch.writing import written
from core.charts import hue
from core.publication.exchange.formats import FORMATS, exported, refusal
from core.publication.exchange.subject import models, subject
from core.report.captions import caption
from core.report.figures import to_html, to_pdf, to_png, to_svg
from core.report.frames import to_csv, to_json
from core.report.methods import methods_paragraph
from core.report.numbers import counted
from core.report.renderer import image_export_available
from core.report.texts import Finding, text_of
from core.result import ALL_ATTRIBUTES, Excluded, Group, Note, Result, together
from core.stats.samples import LEAST
from pages.shared import jobs, links, pinning, tables
from pages.shared.details import Details
from pages.shared.frame import theme
from pages.shared.markdown import literal
from pages.shared.pinning import Drawn

_ROOT = Path(__file__).resolve().parents[2]
_COPY, _MEASURES = _ROOT / "assets" / "copy", _ROOT / "core" / "measures"
# No request leaves the machine: plotly's button that sends a chart to its makers stays off.
CHART_CONFIG = {"displaylogo": False, "displayModeBar": False, "showSendToCloud": False, "plotlyServerURL": ""}


def show_finding(result: Result, finding: Finding, groups: tuple[Group, ...], prefix: str = "") -> None:
    """What was found in a result: the headline, groups in their hues, and the line of support below."""
    words = [html.escape(prefix)]
    for phrase in finding.headline:
        text = html.escape(phrase.text)
        if phrase.group is not None:
            text = f'<span style="color:{hue(theme().in_words, groups, phrase.group)}">{text}</span>'
        words.append(f"<b>{text}</b>" if phrase.strong else text)
    links.current().findings.setdefault(id(result), []).append(f"{prefix}{finding.text} {finding.support}".strip())
    st.html(f'<p class="finding">{"".join(words)}</p><p class="support">{html.escape(finding.support)}</p>')


def show_notes(notes: Iterable[Note]) -> None:
    """What a reader of the result must see, a line each."""
    for note in notes:
        st.caption(literal(str(note)))


def show_sources(result: Result) -> None:
    """Where words, figures and files are from."""
    sources = result.provenance.data
    if sources:
        st.caption(literal(f"{'Source' if len(sources) == 1 else 'Sources'}: {'; '.join(sources)}."))


def drawn(draw: Callable[[], go.Figure]) -> Drawn:
    """A figure for this page, which a report has drawn again for its readers. Raises as ``draw`` does."""
    return Drawn(draw(), draw)


def show_chart(chart: Drawn, key: str, alt: str, details: Details | None = None) -> None:
    """Draw a chart; a click on one of its marks chooses the ``details``, where there are some."""
    links.current().alts[id(chart.figure)] = alt
    shown: dict[str, Any] = {} if details is None else {"on_select": lambda: details.take(key)}
    st.plotly_chart(chart.figure, theme=None, key=key, selection_mode="points", config=CHART_CONFIG, alt=alt, **shown)


def export_panel(
    name: str,
    result: Result,
    *,
    figure: Drawn | None = None,
    title: str = "",
    table: pd.DataFrame | None = None,
    also: Sequence[Result] = (),
) -> None:
    """Export controls of a chart or a table: images, data, methods text, with provenance in each file.

    ``title`` says what the figure shows and stands above it in the file. ``table`` is what is on screen beside or in
    place of the figure; JSON always holds the whole result. ``also``: further results that the table has rows of.
    """
    if jobs.outdated():
        st.caption("To export, correct the inputs above; what is shown belongs to the last measurement.")
        return
    source = together([result.provenance, *(other.provenance for other in also)])
    methods = methods_paragraph(result)
    with st.container(horizontal=True, gap="small"):
        if figure is not None:
            with st.popover("Image"):
                missing = image_export_available()
                above = caption(result, title)
                makers: tuple[tuple[str, str, Callable[[], bytes]], ...] = (
                    ("PNG", "image/png", lambda: to_png(figure.figure, source, above)),
                    ("SVG", "image/svg+xml", lambda: to_svg(figure.figure, source, above)),
                    ("PDF", "application/pdf", lambda: to_pdf(figure.figure, source, above)),
                )
                for kind, mime, make in makers:
                    if missing is None:
                        _download(name, kind, mime, make)
                    elif st.button(kind, key=f"{name} {kind}", width="stretch"):
                        st.warning(missing, icon=":material/info:")
                _download(name, "HTML", "text/html", lambda: to_html(figure.figure, source, methods, above))
        with st.popover("Data"):
            if table is not None:
                _download(name, "CSV", "text/csv", lambda: to_csv(table, source))
            _download(name, "JSON", "application/json", lambda: to_json(result))
            _download(name, "TILT", "application/zip", result.to_bytes)
            st.caption("TILT is the whole result: this page and the command `show` open it again.")
        with st.popover("Methods text"):
            st.caption("For a report: how these numbers were made, with the references.")
            st.code(methods, language=None, wrap_lines=True)
        with st.popover("For others", key=f"{name} for others"):
            _for_others(name, result)
        pinning.control(name, result, chart=figure, title=title, table=table, also=also)


def _for_others(name: str, result: Result) -> None:
    """The result in forms that others read, about one of its models."""
    known = models(result)
    if not known:
        st.caption("No number of this result belongs to a model, so that there is nothing to write for others.")
        return
    model = known[0] if len(known) == 1 else st.selectbox("Model", known, key=f"{name} for others model")
    of_model = subject(result, model)
    for form, about in FORMATS.items():
        if unsaid := refusal(of_model, form):
            st.caption(f"{about.label}: {literal(unsaid)}")
            continue
        st.download_button(
            about.label,
            partial(exported, result, form, model),
            file_name=f"tiltmeter-{name}-{form}.{about.ending}",
            mime=about.mime,
            on_click="ignore",
            key=f"{name} {form}",
            width="stretch",
        )
    st.download_button(
        "Batch file",
        partial(written, result),
        file_name=f"tiltmeter-{name}-batch.yaml",
        mime="application/yaml",
        on_click="ignore",
        key=f"{name} batch",
        width="stretch",
    )
    st.caption(
        "For a model card of the Hugging Face Hub: model-index for its front matter, the sections to paste. For "
        "auditors and databases: AVID, Every Eval Ever. Each number has its unit, its neutral point and the way it "
        "points. A batch file measures this again, with thresholds of yours (command `batch`); this page and History "
        "open what it leaves."
    )


def _download(name: str, kind: str, mime: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        kind,
        make,
        file_name=f"tiltmeter-{name}.{kind.lower()}",
        mime=mime,
        on_click="ignore",
        key=f"{name} {kind}",
        width="stretch",
    )


def show_tables(
    result: Result,
    titles: Mapping[str, str],
    name: str,
    opened: Collection[str],
    told: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows,
) -> None:
    """The numbers: the result's tables that have rows, each with its export in a box below its title.

    ``titles`` names the tables in their order, ``opened`` those whose box is open; exports are called by ``name`` and
    the table. ``told`` makes of a table what is shown; what leaves is whole.
    """
    st.subheader("The numbers", anchor=False)
    for table, title in titles.items():
        rows = result[table]
        if len(rows):
            with st.expander(title, expanded=table in opened):
                tables.show(told(rows), result.SCHEMA.tables[table].columns)
                export_panel(f"{name}-{table}", result, table=rows)


def show_left_out(left_out: tuple[Excluded, ...]) -> None:
    """What has no number, and why, a reason a line."""
    words = [item for item in left_out if item.kind not in ("statistic", "item", "model")]
    items = [item for item in left_out if item.kind == "item"]
    models = [item for item in left_out if item.kind == "model"]
    combinations = [item for item in left_out if item.kind == "statistic" and item.test is not None]
    # That the mean rests on too few attributes is said by the finding, and more templates would not mend it.
    scores = {item.what for item in left_out if item.kind == "statistic" and item.test is None} - {ALL_ATTRIBUTES}
    _listed(f"Excluded: {counted(len({(item.model, item.what) for item in words}), 'word')}", words)
    _listed(f"Excluded: {counted(len(items), 'item')}", items)
    _listed(f"Not measured: {counted(len(models), 'model')}", models)
    _listed(f"Not computed, in whole or in part: {counted(len(combinations), 'combination')}", combinations)
    if scores:
        st.caption(
            f"No interval or p for {counted(len(scores), 'single score')}: each rests on fewer "
            f"than {LEAST} values (templates × word pairs). More templates or more word pairs give them."
        )


def _listed(title: str, items: Sequence[Excluded]) -> None:
    # What a file lost, it lost for every model.
    lines = list(dict.fromkeys(f"{item.model}: {item.why}" if item.model else item.why for item in items))
    if lines:
        with st.expander(title, expanded=len(lines) <= 5):
            st.text("\n".join(lines))


def explain_method(name: str, text: str = "") -> None:
    """What a number means and does not mean: ``text``, else ``texts/explanation.md`` of the measure in this folder.

    Below stands its ``texts/limits.j2``, which reports have too.
    """
    folder = _MEASURES / name
    with st.expander("What this measures, and what it does not"):
        st.markdown(text or (folder / "texts" / "explanation.md").read_text(encoding="utf-8"))
        st.markdown(f"**What it does not say.** {' '.join(text_of(str(folder / 'words.py'), 'limits').split())}")


def show_text(name: str) -> None:
    """A text of ours from ``assets/copy``, from whatever folder the program was started."""
    st.markdown((_COPY / f"{name}.md").read_text(encoding="utf-8"))
