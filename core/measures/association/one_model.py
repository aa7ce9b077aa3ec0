"""All association tests in one model, or in one file of vectors: what each ruler reads, and a row for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.engine.pieces import SpanText
from core.engine.vectors import read_vectors
from core.errors import ModelError, NothingToScore
from core.measures.association.ceat_rows import ceat_row, places
from core.measures.association.contexts import Contexts
from core.measures.association.frame_scores import FrameScores
from core.measures.association.lpbs_rows import lpbs_row
from core.measures.association.members import TextVectors, wanted
from core.measures.association.result import AssociationOptions
from core.measures.association.rows import Collected, Combination, contextual_row, static_row
from core.measures.shared.readable import reading_notes
from core.measures.shared.representations import CEAT, VECTORS, Representation
from core.run import Watch
from core.sources import AssociationTest

AddRow = Callable[[Combination], None]


def of_model(
    out: Collected,
    model: LoadedModel,
    tests: Sequence[AssociationTest],
    rulers: Sequence[Representation],
    contexts: Contexts | None,
    run: Watch,
) -> None:
    """Add what one model gives: its rows in the order of ``rulers``, then CEAT where there are ``contexts``.

    What costs least is computed first, so that a stop keeps the most.
    """

    templates = [frame.template for test in tests if test.lpbs is not None for frame in test.lpbs.frames]
    out.notes += reading_notes(model, list(dict.fromkeys(templates)), _words(tests))

    def add(one: Representation, row: AddRow) -> None:
        for test in tests:
            what = Combination(model.info.name, model.info.layers, test, one)
            if run.cancelled():
                out.refuse(what, STOPPED)
            else:
                row(what)

    if contexts is not None or any(one.place != "scores" for one in rulers):
        encoder = Encoder(model)
        words = _words(tests)
        for one in rulers:
            if one.place == "static":
                add(one, partial(static_row, out, table=_table(words), vectors=encoder.input_vectors(words)))
        read = [one for one in rulers if one.pooling]
        if read:
            vectors = _vectors(encoder, wanted(read, tests, out.options.form), run)
            if isinstance(vectors, TextVectors) and any(one.pooling == "first-token" for one in read):
                _name_first_token(out, model, vectors)
            for one in read:
                add(one, partial(contextual_row, out, vectors=vectors))
        if contexts is not None:
            layer = -1 if out.options.layer is None else out.options.layer
            in_sentences = _vectors(encoder, places(contexts), run, layer=layer)
            add(CEAT, partial(ceat_row, out, contexts=contexts, vectors=in_sentences))
    for one in rulers:
        if one.place == "scores":
            add(one, partial(lpbs_row, out, scores=FrameScores(model, tests, out.options.form, run)))
    order = {one.id: place for place, one in enumerate([*rulers, CEAT])}
    out.rows.sort(key=lambda row: order[str(row["representation"])])
    out.cells.sort(key=lambda cell: order[cell.representation])


def of_file(
    path: Path,
    name: str,
    tests: Sequence[AssociationTest],
    options: AssociationOptions,
    run: Watch,
) -> Collected:
    """What a file of static vectors gives, as the model ``name``. Raises WordListError for a bad file."""
    out, words = Collected(options), _words(tests)
    whats = [Combination(name, 0, test, VECTORS) for test in tests]
    try:
        vectors = read_vectors(path, words, run=run)
    except NothingToScore as nothing:
        for what in whats:
            out.refuse(what, str(nothing))
        return out
    table = _table(words)
    for what in whats:
        static_row(out, what, table, vectors)
    return out


def _vectors(
    encoder: Encoder,
    asked: Sequence[tuple[SpanText, str]],
    run: Watch,
    *,
    layer: int | None = None,
) -> TextVectors | str:
    """The vectors of all these texts, or why the model gives none."""
    try:
        return TextVectors(encoder, asked, run, layer=layer)
    except ModelError as error:
        return str(error)


def _name_first_token(out: Collected, model: LoadedModel, vectors: TextVectors) -> None:
    if vectors.first_token == "last token":
        out.notes.append("a causal (left-to-right) model has no [CLS]: its last token stands for it.")


def _words(tests: Sequence[AssociationTest]) -> list[str]:
    return list(dict.fromkeys(word for test in tests for _, words in test.sets for word in words.members))


def _table(words: Sequence[str]) -> dict[str, int]:
    return {word: row for row, word in enumerate(words)}
