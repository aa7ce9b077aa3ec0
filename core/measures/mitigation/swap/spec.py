"""The inputs of a counterfactual substitution."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ....errors import OptionError
from ....inputs import Text, Upload
from ....result import Result
from ....run import Run
from ....sources.digests import file_digest
from ....sources.documents import MAX_BYTES, DocumentFile
from ....spec import File, given, seed_field, yes_or_no
from ...measure import MODELS, MeasureSpec, models_given
from ..texts_given import EXAMPLE, documents_of, file_given, file_read, path_given
from .result import SwapResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

FILE = Upload(
    "text_file",
    "Text or GAP file",
    megabytes=MAX_BYTES >> 20,
    help="Plain text: a document is a paragraph, or a line where no line between texts is empty. A GAP file: a row; "
    "its labels and offsets move along.",
    flag="FILE",
    metavar="FILE",
)
OUT = Text("out", "File for the swapped text, in the format of the one given", flag="--out", metavar="FILE")


def out_read(path: str) -> Path | None:
    """The file to write. Raises OptionError, before anything is measured, for one that cannot be written."""
    if not path.strip():
        return None
    out = Path(path.strip()).expanduser()
    if not out.parent.is_dir():
        raise OptionError(f"There is no folder {out.parent}; create it first, or give another file to write.")
    if out.is_dir():
        raise OptionError(f"{out} is a folder; give the name of a file to write.")
    if not os.access(out.parent, os.W_OK) or (out.exists() and not os.access(out, os.W_OK)):
        raise OptionError(f"{out} cannot be written; give another file.")
    return out


def one_model(value: Any) -> tuple[str, ...]:
    """The name of the one model. Raises OptionError."""
    names = models_given(value)
    if len(names) > 1:
        raise OptionError(f"{len(names)} models chosen; one decides between “his” and “him”.")
    return names


@dataclass(frozen=True, kw_only=True)
class SwapSpec(MeasureSpec[SwapResult]):
    """The inputs of a counterfactual substitution (Bartl et al. 2020, §4.5; Hall Maudslay et al. 2019).

    Parameters
    ----------
    file : File, its path, or None
        Plain text or a GAP file. None: the example documents.
    every : bool
        All documents; otherwise each with probability one half, by the seed.
    seed : int
        For every random draw.
    out : Path, text, or None
        Takes the swapped file, whole or not at all.
    """

    RESULT: ClassVar[type[Result]] = SwapResult
    COMMAND: ClassVar[str] = "swap"
    TITLE: ClassVar[str] = "Text with its genders swapped"
    DESCRIPTION: ClassVar[str] = (
        "Counterfactual data substitution: swaps the genders in half of the documents of a text or a GAP file, or in "
        "all of them: pronouns, gendered words, titles and first names, each person's the same throughout a document. "
        "Prints every change with its reason, what is doubtful, and what swapping back does not restore. The example "
        "documents unless a FILE is given."
    )

    models: tuple[str, ...] = given(
        replace(MODELS, label="Model, one at a time; it decides whether “her” becomes “his” or “him”"),
        read=one_model,
        default=MODELS.default,
        coerce=one_model,
    )
    file: File | None = given(FILE, read=file_read, default=None, coerce=file_given)
    every: bool = yes_or_no(
        "Swap every document", False, help="Otherwise each with probability ½, by the seed.", flag="--all"
    )
    seed: int = seed_field()
    out: Path | None = given(OUT, read=out_read, default=None, coerce=path_given)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The spec of the values of inputs by name; the file is read, so that a fault in it is said at once."""
        spec = super().of(values)
        spec.documents()
        if spec.out is not None and spec.out.is_file():
            own = file_digest(EXAMPLE) if spec.file is None else spec.file.sha256
            if file_digest(spec.out) == own:
                raise OptionError(f"{spec.out} holds the text that is to be swapped; give another file to write.")
        return spec

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return " · ".join((self.name, "all documents" if self.every else f"half of the documents, seed {self.seed}"))

    @property
    def name(self) -> str:
        """What its file is called."""
        return EXAMPLE.name if self.file is None else self.file.name

    @property
    def writes(self) -> Path | None:
        """The file of the swapped text."""
        return self.out

    def documents(self) -> DocumentFile:
        """The documents of the file. Raises InputError."""
        return documents_of(self.file)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> SwapResult:
        """Swap with the loaded model, resuming from the memory of the run; then write the file, if one is wanted."""
        from . import compute

        return compute.measure(self, models, run)
