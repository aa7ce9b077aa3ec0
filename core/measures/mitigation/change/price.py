"""The pseudo-perplexity of one model on a text: a part of a comparison, kept by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ....errors import NothingToScore
from ....result import Excluded, Result, Schema, Table, count, number, text
from ....run import Run
from ....sources.documents import Document
from ....spec import File
from ...measure import MeasureSpec
from ...shared import provenance
from ..texts_given import documents_of

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

MOST_DOCUMENTS = 100  # of a longer text, at even distances
DOCUMENTS = "documents"


class PriceResult(Result):
    """A text in one model: a row a document that was scored."""

    SCHEMA: ClassVar[Schema] = Schema(
        "price",
        1,
        {
            DOCUMENTS: Table(
                "a document",
                (
                    text("document", "What it is called."),
                    number("ln_p", "Sum over its tokens of ln P, each hidden in turn", unit="nats"),
                    count("tokens", "Its tokens."),
                ),
            )
        },
    )


def chosen(file: File) -> tuple[Document, ...]:
    """The documents that are scored: all, or ``MOST_DOCUMENTS`` at even distances. Raises WordListError."""
    found = documents_of(file).documents
    if len(found) <= MOST_DOCUMENTS:
        return found
    return tuple(found[(2 * at + 1) * len(found) // (2 * MOST_DOCUMENTS)] for at in range(MOST_DOCUMENTS))


@dataclass(frozen=True, kw_only=True)
class PriceSpec(MeasureSpec[PriceResult]):
    """A text to be scored by one masked model (Salazar et al. 2020).

    Parameters
    ----------
    file : File
        The text: plain, or a GAP file.
    """

    RESULT: ClassVar[type[Result]] = PriceResult

    file: File

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> PriceResult:
        """Score the documents. Raises the model's refusal, or NothingToScore."""
        from ....engine.pseudo import PseudoScorer
        from ...shared.checks import check_models

        check_models(models)
        (model,) = models
        documents = chosen(self.file)
        key = ("price", model.info, self.file.sha256)
        if key not in run.memory:
            scores = PseudoScorer(model).sentences([document.text for document in documents], run=run)
            if run.cancelled():
                raise NothingToScore("The run was stopped while the text was scored.")
            run.memory[key] = scores
        named = list(zip([document.name for document in documents], run.memory[key], strict=True))
        return PriceResult(
            spec=self,
            tables=PriceResult.SCHEMA.frames(
                documents=[
                    {"document": name, "ln_p": score.ln_p, "tokens": score.tokens}
                    for name, score in named
                    if score.ln_p is not None
                ]
            ),
            excluded=tuple(
                Excluded(model.info.name, "item", name, score.reason) for name, score in named if score.ln_p is None
            ),
            notes=(),
            provenance=provenance.of([model.info], data=[], seed=0),
        )
