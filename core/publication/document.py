"""A report as one page that works without a network, as its PDF, and as Markdown."""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import jinja2
import pandas as pd
from plotly.offline import get_plotlyjs

from ..charts import DARK, LIGHT, WIDTH
from ..errors import ExportError
from ..report.cells import cell
from ..report.numbers import counted
from ..report.renderer import find_browser, image_export_available
from ..run import UNWATCHED, Watch
from .contents import Contents, Source, step
from .pins import columns_of
from .report import Kind, Pin

_MOST_ROWS = 60  # of a table that are printed; the bundle has all
_SHEET = 680  # pixels of an A4 page between its margins
_CELL, _LETTER, _WRAPPED = 20, 8, 20  # pixels beside a cell's words and of a letter; letters after which it wraps
_TIME_LIMIT = 90  # seconds that Chrome may print
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


@dataclass(frozen=True, eq=False)
class Part:
    """A pin as the page draws it."""

    number: int
    pin: Pin
    lines: tuple[str, ...]  # what it rests on
    drawings: str = ""  # plotly JSON for each of ``LOOKS``, as JSON that cannot end a script
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[tuple[str, bool], ...], ...] = ()
    same: str = ""  # what every row says, instead of a column
    more: str = ""

    @property
    def table_zoom(self) -> str:
        """How much smaller its table is printed: so many letters of its widest row fit on a sheet."""
        longest = [max(len(row[at][0]) for row in self.rows) for at in range(len(self.heads))]
        width = sum(_CELL + _LETTER * min(max(letters, 7), _WRAPPED) for letters in longest)
        return f"{min(1.0, _SHEET / max(width, 1)):.3f}"


def to_html(contents: Contents, run: Watch = UNWATCHED) -> bytes:
    """The report as one HTML file: interactive, printable, and forbidden by itself to use a network.

    Parameters
    ----------
    contents : Contents
        The report with its results.
    run : Watch
        Hears of progress, and can stop it.

    Returns
    -------
    bytes
        Of the page.

    Raises
    ------
    ExportError
        Where it was stopped.
    """
    parts = _parts(contents, run)
    page = _template().render(
        report=contents.report,
        parts=parts,
        limits=contents.limits,
        sources=contents.sources,
        references=contents.references,
        script=get_plotlyjs() if any(part.drawings for part in parts) else "",
        light=LIGHT,
        dark=DARK,
        width=WIDTH,
        sheet=_SHEET,
    )
    return page.encode()


def to_pdf(contents: Contents, run: Watch = UNWATCHED) -> bytes:
    """The same page as the user's Chrome prints it.

    Parameters
    ----------
    contents : Contents
        The report with its results.
    run : Watch
        Hears of progress, and can stop it.

    Returns
    -------
    bytes
        Of the PDF.

    Raises
    ------
    ExportError
        Without a browser, where it fails or takes too long, or where it was stopped.
    """
    browser = find_browser()
    if browser is None:
        raise ExportError(image_export_available() or "PDF needs Chrome or Chromium.")
    with tempfile.TemporaryDirectory(prefix="tiltmeter-") as folder:
        page, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        page.write_bytes(to_html(contents, run))
        step(run, "Printing", 0, 1)
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-extensions",
            "--disable-background-networking",
            "--proxy-server=127.0.0.1:9",  # nothing listens there: no request leaves
            f"--user-data-dir={folder}/profile",
            "--virtual-time-budget=20000",
            "--no-pdf-header-footer",
            f"--print-to-pdf={target}",
            f"{page.as_uri()}#print",  # its charts are drawn for a sheet at once
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_TIME_LIMIT)
            return target.read_bytes()
        except subprocess.TimeoutExpired as error:
            raise ExportError(f"Chrome did not print the report within {_TIME_LIMIT} seconds; take HTML.") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise ExportError("Chrome could not print the report; take HTML, which needs no browser.") from error


def to_markdown(contents: Contents, run: Watch = UNWATCHED) -> bytes:
    """The report as text in Markdown; charts by their words and the name of their picture in the bundle.

    Parameters
    ----------
    contents : Contents
        The report with its results.
    run : Watch
        Hears of progress, and can stop it.

    Returns
    -------
    bytes
        In UTF-8.

    Raises
    ------
    ExportError
        Where it was stopped.
    """
    report = contents.report
    lines = [f"# {markdown_literal(report.heading)}", *([markdown_literal(report.author)] if report.author else [])]
    lines += markdown_paragraphs(report.summary)
    lines.append("## Results")
    for part in _parts(contents, run):
        pin, number = part.pin, part.number
        lines.append(f"### {number}. {markdown_literal(pin.title)}")
        lines += [f"> {line}" for line in markdown_paragraphs(pin.note)]
        lines += [markdown_literal(pin.text)] if pin.text else []
        if pin.kind == Kind.CHART:
            lines.append(f"![{markdown_literal(pin.alt)}](figures/{number:02d}-{file_name(pin.name)}.svg)")
        if part.rows:
            lines.append(
                "\n".join(
                    [
                        _line(part.heads),
                        _line(["---"] * len(part.heads)),
                        *(_line([text for text, _ in row]) for row in part.rows),
                    ]
                )
            )
        lines += [markdown_literal(part.same)] if part.same else []
        lines += [part.more] if part.more else []
        lines += map(markdown_literal, part.lines)
    lines.append("## Limits")
    for limit in contents.limits:
        lines += [
            f"### {markdown_literal(limit.measure)}",
            "\n".join(f"- {markdown_literal(line)}" for line in limit.lines),
        ]
    lines.append("## Methods")
    for source in contents.sources:
        lines += [f"### {markdown_literal(source.title)}", markdown_literal(source.methods)]
    if contents.references:
        lines += ["## References", "\n".join(f"- {markdown_literal(paper)}" for paper in contents.references)]
    return ("\n\n".join(lines) + "\n").encode()


def file_name(name: str) -> str:
    """A name that every file system takes."""
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:60] or "part"


def _parts(contents: Contents, run: Watch) -> tuple[Part, ...]:
    """Each pin as it is drawn. What several rest on is said with the first of them."""
    parts = []
    said: dict[tuple[str, ...], int] = {}
    for number, pin in enumerate(contents.report.pins, start=1):
        step(run, "Writing the report", number - 1, len(contents.report.pins))
        sources = contents.behind(pin)
        lines = (*pin.lines, *(f"From: {source.title}" for source in sources))
        first = said.setdefault(lines, number)
        if first != number:
            lines = (f"Models, words and sources are those of {first}.",)
        parts.append(_part(Part(number, pin, lines), sources[0]))
    return tuple(parts)


def _part(part: Part, source: Source) -> Part:
    pin = part.pin
    if pin.kind == Kind.CHART:
        _ = pin.drawn  # raises where it is damaged
        safe = f"[{','.join(pin.drawings)}]".replace("<", "\\u003c")
        return replace(part, drawings=safe.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
    frame = pin.frame
    if frame is None:
        return part
    shown = frame.head(_MOST_ROWS).dropna(axis="columns", how="all")
    same = {str(name) for name in frame.columns if len(frame) > 1 and _is_one_text(frame[name])}
    said = [
        f"{column.heading}: {cell(column, shown.iloc[0][column.name])}"
        for column in columns_of(source.result, shown)
        if column.name in same
    ]
    shown = shown.drop(columns=[name for name in shown.columns if name in same])
    columns = columns_of(source.result, shown)
    rows = tuple(
        tuple((cell(column, value), _is_number(value)) for column, value in zip(columns, row, strict=True))
        for row in shown.itertuples(index=False, name=None)
    )
    hidden = len(frame) - len(shown)
    more = f"{counted(hidden, 'more row')} in the bundle’s data." if hidden else ""
    return replace(
        part,
        heads=tuple(column.heading for column in columns),
        rows=rows,
        same=f"In every row: {'; '.join(said)}." if said else "",
        more=more,
    )


def _is_one_text(values: pd.Series) -> bool:
    is_text = not pd.api.types.is_numeric_dtype(values)
    return is_text and values.nunique(dropna=False) == 1 and bool(values.notna().all())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def markdown_literal(text: str) -> str:
    """A text on one line, with every sign of Markdown and of HTML escaped."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def markdown_paragraphs(text: str) -> list[str]:
    """Each line of a text that holds something, as ``markdown_literal``."""
    return [markdown_literal(line) for line in text.splitlines() if line.strip()]


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(text if text == '---' else markdown_literal(text) for text in cells)} |"


@functools.cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "texts")
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("report.html.j2")
