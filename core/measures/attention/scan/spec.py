"""The inputs of a corpus scan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ....errors import OptionError
from ....inputs import Text
from ....result import Result
from ....run import Run
from ....sources.corpus_files import CorpusFile
from ....sources.example_corpus import example_corpus
from ....spec import given
from ...measure import MODELS, MeasureSpec, models_given
from . import store
from .result import ScanResult

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

CORPUS = Text("corpus", "The path of a text, CSV or TSV file; the example corpus unless given", metavar="FILE")
COLUMN = Text("corpus_column", "Column with the text, in a CSV file", flag="--column", metavar="NAME")
FOLDER = Text(
    "scan_folder",
    "Folder for the results, new or that of a scan to resume; without one nothing is kept to resume",
    placeholder="/path/to/folder",
    flag="--out",
    metavar="DIR",
)


def corpus_read(path: str, column: str) -> CorpusFile:
    """The corpus, looked at; that of the example without a path. Raises WordListError for one that cannot be read."""
    if not path.strip():
        return example_corpus()
    corpus = CorpusFile(Path(path.strip()).expanduser(), column.strip() or None)
    corpus.check()
    return corpus


def folder_read(path: str) -> Path | None:
    """The folder that takes the results; None without a path. Raises OptionError for one that cannot."""
    if not path.strip():
        return None
    folder = Path(path.strip()).expanduser()
    store.check_folder(folder)
    return folder


def corpus_given(value: Any) -> CorpusFile:
    """A corpus file, or its path."""
    return value if isinstance(value, CorpusFile) else CorpusFile(Path(value).expanduser())


def folder_given(value: Any) -> Path | None:
    """A folder, or None for one that is not kept."""
    return None if value is None else Path(value).expanduser()


def one_model(value: Any) -> tuple[str, ...]:
    """The name of the one model. Raises OptionError."""
    names = models_given(value)
    if len(names) > 1:
        raise OptionError(f"{len(names)} models chosen; a scan takes one at a time.")
    return names


@dataclass(frozen=True, kw_only=True)
class ScanSpec(MeasureSpec[ScanResult]):
    """The inputs of a corpus scan (metrics: attention; Li et al. 2021).

    Parameters
    ----------
    corpus : CorpusFile, or its path
        Sentences with a male word, a female word and an occupation are kept.
    folder : Path, text, or None
        Takes the results part by part, and a scan resumes from what is there. None: nothing is kept.
    """

    RESULT: ClassVar[type[Result]] = ScanResult
    COMMAND: ClassVar[str] = "scan"
    TITLE: ClassVar[str] = "Attention bias of every fitting sentence of a corpus"
    DESCRIPTION: ClassVar[str] = (
        "Reads a text file (or a column of a CSV), keeps the sentences with a male word, a female word and an "
        "occupation, and measures attention bias along one model (Li et al. 2021). A degree above 0: heads turn to the "
        "same gender in a sentence and in its gender-swapped twin. Written to a folder as it goes: run the same "
        "command again to resume."
    )
    ATTENTION: ClassVar[str] = "eager"
    EXAMINES: ClassVar[bool] = True

    models: tuple[str, ...] = given(
        replace(MODELS, label="Model, one at a time"),
        read=one_model,
        default=MODELS.default,
        coerce=one_model,
    )
    corpus: CorpusFile = given(CORPUS, COLUMN, read=corpus_read, default=example_corpus(), coerce=corpus_given)
    folder: Path | None = given(FOLDER, read=folder_read, default=None, coerce=folder_given)

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        return " · ".join((self.corpus.path.name, *self.models))

    @property
    def paths(self) -> tuple[Path, ...]:
        """The corpus."""
        return (self.corpus.path,)

    @property
    def writes(self) -> Path | None:
        """The folder of its figures."""
        return self.folder

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> ScanResult:
        """Scan with the loaded model, resuming from what the folder holds."""
        from . import compute

        return compute.measure(self, models, run)
