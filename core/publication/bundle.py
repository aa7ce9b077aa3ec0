"""A report as a ZIP: every form of it, every figure with its data, and a manifest with the SHA-256 of each file.

``manifest.json`` holds ``{"format": 1, "tool", "files": [{"path", "bytes", "sha256"}]}``. Nothing in it is ever run.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

from .. import __version__
from ..plain import strict_json
from ..report.figures import to_png, to_svg
from ..report.frames import to_csv, to_json
from ..result import Progress, together
from ..run import UNWATCHED, Watch
from .contents import Contents, Source, step
from .document import file_name, to_html, to_markdown, to_pdf
from .notebook import to_notebook
from .references import bibtex
from .report import Kind, Pin
from .verification import MANIFEST

_WHEN = (1980, 1, 1, 0, 0, 0)  # so that equal reports are equal files
_CITATION = f"""cff-version: 1.2.0
message: If you use these results, please cite Tiltmeter, and the papers in references.bib.
title: Tiltmeter
type: software
version: {__version__}
license: Apache-2.0
authors:
  - name: The Tiltmeter authors
"""
_README = """A report made with Tiltmeter.

report.html    the report; open it in a browser, no network is needed
report.pdf     the same, printed
report.md      the same as text
report.ipynb   a notebook that measures again
figures/       every chart as SVG, PNG and plotly JSON
data/          every table as CSV; every result as JSON and as .tilt, which Tiltmeter opens again
methods.txt    how the numbers were made
references.bib the papers behind them

`python -m core verify FILE.zip` checks every file against manifest.json; with --numbers it measures again.
"""


def to_zip(contents: Contents, run: Watch = UNWATCHED) -> bytes:
    """The bundle.

    Parameters
    ----------
    contents : Contents
        The report with its results.
    run : Watch
        Hears of progress, and can stop it.

    Returns
    -------
    bytes
        Of the ZIP.

    Raises
    ------
    ExportError
        Where pictures cannot be drawn, or it was stopped.
    """
    work = [*_works(contents)]
    made: dict[str, bytes] = {}
    for done, (path, make) in enumerate(work):
        step(run, f"Making {path}", done, len(work))
        made[path] = make()
    run.report(Progress("Packing", len(work), len(work)))
    manifest = {
        "format": 1,
        "tool": f"Tiltmeter {__version__}",
        "files": [
            {"path": path, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for path, data in sorted(made.items())
        ],
    }
    made[MANIFEST] = (strict_json(manifest, indent=1) + "\n").encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, data in sorted(made.items()):
            archive.writestr(zipfile.ZipInfo(path, _WHEN), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _works(contents: Contents) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Each file of the bundle, and what makes it."""
    for number, pin in enumerate(contents.report.pins, start=1):
        yield from _of_pin(contents, f"{number:02d}-{file_name(pin.name)}", pin)
    for source in contents.sources:
        yield f"data/{source.name}.tilt", partial(_tilt, source)
        yield f"data/{source.name}.json", partial(to_json, source.result)
    methods = "\n\n".join(f"{source.title}\n{source.methods}" for source in contents.sources) + "\n"
    yield "methods.txt", methods.encode
    yield "references.bib", bibtex(contents.references).encode
    yield "CITATION.cff", _CITATION.encode
    yield "README.txt", _README.encode
    yield "report.md", lambda: to_markdown(contents)
    yield "report.ipynb", lambda: to_notebook(contents)
    yield "report.html", lambda: to_html(contents)
    yield "report.pdf", lambda: to_pdf(contents)


def _tilt(source: Source) -> bytes:
    return source.tilt


def _of_pin(contents: Contents, name: str, pin: Pin) -> Iterator[tuple[str, Callable[[], bytes]]]:
    source = together([item.result.provenance for item in contents.behind(pin)])
    if pin.kind == Kind.CHART:
        yield f"figures/{name}.svg", lambda: to_svg(pin.drawn, source, pin.caption)
        yield f"figures/{name}.png", lambda: to_png(pin.drawn, source, pin.caption)
        yield f"figures/{name}.json", pin.figure.encode
    rows = pin.frame
    if rows is not None:
        yield f"data/{name}.csv", lambda: to_csv(rows, source)
