"""Association tests over models, tests and rulers: does a model hold the associations people hold?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from core.engine.catalog import MAX_MODELS
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import NothingToScore, OptionError, WordListError
from core.measures.association.ceat_rows import notes, words_sought
from core.measures.association.contexts import contexts
from core.measures.association.one_model import of_file, of_model
from core.measures.association.result import AskedTest, AssociationCell, AssociationOptions, AssociationResult
from core.measures.association.rows import COLUMNS, Collected
from core.measures.shared import provenance
from core.measures.shared.readable import refuse_special_tokens
from core.measures.shared.representations import CEAT, representation_by_id
from core.result import LeftOut, Note
from core.run import UNWATCHED, Watch
from core.sources import AssociationTest
from core.sources.digests import file_digest, texts_digest
from core.spec import check_options
from core.stats.corrections import benjamini_hochberg


def run(
    models: Sequence[LoadedModel],
    tests: Sequence[AssociationTest],
    representations: Sequence[str],
    options: AssociationOptions | None = None,
    *,
    vectors: Path | None = None,
    sentences: Sequence[str] = (),
    data: Sequence[str] = (),
    run: Watch = UNWATCHED,
) -> AssociationResult:
    """Every test by every representation in every model, each row with its d, interval and p (metrics: WEAT, CEAT).

    ``vectors`` is a file of static vectors, a model of its own in the result, read before the models are asked;
    ``sentences`` are the contexts of CEAT, which runs when there are any. A combination that cannot be computed is a
    row without values, its reason in ``left_out``. When cancelled, what is finished is returned; a combination that
    was not reached is such a row too, and a model of which none is finished has no rows and is listed in ``left_out``.
    Raises OptionError, WordListError for a bad vector file, or NothingToScore.
    """
    options = options or AssociationOptions()
    refuse_special_tokens(models, list(dict.fromkeys(text for test in tests for text in _texts(test))))
    _check(models, tests, representations, options, vectors is not None, bool(sentences))
    rulers = [representation_by_id(name) for name in representations]
    # Before it is read: a file that is exchanged meanwhile must not pass for what it became.
    digest = _digest(vectors) if vectors is not None else ""
    called = _called(vectors, models) if vectors is not None else ""
    file = of_file(vectors, called, tests, options, run) if vectors is not None else None
    found = contexts(sentences, words_sought(tests), options.seed) if sentences else None
    parts: list[tuple[str, Collected]] = []
    for model in models:
        out = Collected(options, stopped=run.cancelled())
        if not out.stopped:
            of_model(out, model, tests, rulers, found, run)
        parts.append((model.info.name, out))
    if vectors is not None and file is not None:
        parts.append((called, file))
        data = [*data, f"vectors of {vectors.name}, SHA-256 {digest}"]
    if sentences:
        data = [*data, f"{len(sentences):,} sentences, SHA-256 {texts_digest(sentences)}"]
    _require_something([out for _, out in parts])
    # Of a model that the stop left without any number nothing is shown.
    shown = {name: out for name, out in parts if out.has_values or not out.stopped}
    rows = [row for out in shown.values() for row in out.rows]
    summary = pd.DataFrame(rows, columns=list(COLUMNS))
    # Counts stay whole numbers beside rows that have none.
    summary = summary.astype(dict.fromkeys(("ddof", "n_permutations", "n_x", "n_y", "n_a", "n_b"), "Int64"))
    adjusted = benjamini_hochberg(summary["p_two_sided"].to_numpy(dtype=float))
    summary.insert(list(summary.columns).index("p_kind"), "p_adjusted", adjusted)
    cells = [cell for out in shown.values() for cell in out.cells]
    layers = [row for out in shown.values() for row in out.layers]
    left_out = [item for out in shown.values() for item in out.left_out]
    left_out += [
        LeftOut(name, "statistic", "all tests", f"{name} {STOPPED}", test="all tests")
        for name, _ in parts
        if name not in shown
    ]
    said = [Note(test.reading) for test in tests if test.reading]
    said += [Note(text, name) for name, out in shown.items() for text in out.notes]
    if found is not None and any(cell.representation == CEAT.id for cell in cells):
        said += map(Note, notes(found))
    infos = (
        replace(model.info, notes=(*model.info.notes, *dict.fromkeys(shown[model.info.name].notes)))
        for model in models
        if model.info.name in shown
    )
    return AssociationResult(
        summary=summary,
        detail=_detail(cells),
        left_out=tuple(dict.fromkeys(left_out)),
        options=options,
        provenance=provenance.of(infos, data=data, seed=options.seed),
        cells=tuple(cells),
        layers=pd.DataFrame(layers, columns=["model", "test", "representation", "layer", "effect_size"]),
        published=_published(tests),
        family_size=int(summary["p_two_sided"].notna().sum()),
        notes=tuple(dict.fromkeys(said)),
        tests=tuple(map(_words, tests)),
    )


def _words(test: AssociationTest) -> AskedTest:
    frames = test.lpbs.frames if test.lpbs is not None else ()
    return AskedTest(
        id=test.id,
        title=test.title,
        source="" if test.source is None else str(test.source),
        sets=(test.x, test.y, test.a, test.b),
        templates=tuple(frame.template for frame in frames),
        group1=tuple(dict.fromkeys(word for frame in frames for word in frame.group1)),
        group2=tuple(dict.fromkeys(word for frame in frames for word in frame.group2)),
    )


def _texts(test: AssociationTest) -> Iterator[str]:
    """The members of a test, and the templates and words of its log probability bias scores."""
    for _, words in test.sets:
        yield from words.members
    for frame in test.lpbs.frames if test.lpbs is not None else ():
        yield from (frame.template, *frame.group1, *frame.group2)


def _digest(path: Path) -> str:
    try:
        return file_digest(path)
    except OSError as error:
        raise WordListError(f"{path.name} cannot be read: {error.strerror or error}.") from error


def _called(path: Path, models: Sequence[LoadedModel]) -> str:
    """The name of a file of vectors in the result, where it stands beside the models."""
    names = {model.info.name for model in models}
    return f"{path.name} (file)" if path.name in names else path.name


def _require_something(parts: Sequence[Collected]) -> None:
    """Raise NothingToScore, with the reasons, when no combination has a number."""
    if any(out.has_values for out in parts):
        return
    if any(out.stopped for out in parts):
        raise NothingToScore("The run was stopped before any test was computed; start it again for a result.")
    reasons = list(dict.fromkeys(item.reason for out in parts for item in out.left_out if item.role == "statistic"))
    more = f"; and {len(reasons) - 5} more" if len(reasons) > 5 else ""
    raise NothingToScore(f"No test could be computed. {'; '.join(reasons[:5])}{more}.")


def _check(
    models: Sequence[LoadedModel],
    tests: Sequence[AssociationTest],
    representations: Sequence[str],
    options: AssociationOptions,
    has_vectors: bool,
    has_sentences: bool,
) -> None:
    check_options(options)
    if not tests:
        raise OptionError("No association test is chosen; choose at least one.")
    if not representations and not has_vectors and not has_sentences:
        raise OptionError("No representation is chosen; choose at least one.")
    if not models and not has_vectors:
        raise OptionError("No model is chosen; choose at least one.")
    if len(models) > MAX_MODELS:
        raise OptionError(f"{len(models)} models chosen; 1 to {MAX_MODELS} can be compared.")
    chosen: dict[str, Sequence[object]] = {
        "model": [model.info.name for model in models],
        "test": tests,
        "representation": representations,
    }
    for what, items in chosen.items():
        if len(set(items)) < len(items):
            raise OptionError(f"The same {what} is chosen twice; choose different ones.")
    deepest = min((model.info.layers for model in models), default=0)
    if options.layer is not None and models and not 0 <= options.layer <= deepest:
        raise OptionError(f"Layer {options.layer} does not exist in every model; choose 0 (embeddings) to {deepest}.")


def _detail(cells: Sequence[AssociationCell]) -> pd.DataFrame:
    rows = [
        (cell.model, cell.test, cell.representation, letter, member, float(value))
        for cell in cells
        for letter, names, values in (("X", cell.members_x, cell.s_x), ("Y", cell.members_y, cell.s_y))
        for member, value in zip(names, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["model", "test", "representation", "set", "member", "association"])


def _published(tests: Sequence[AssociationTest]) -> pd.DataFrame:
    rows = [
        (test.id, value.representation, str(value.source), value.model, value.effect_size, value.p_value)
        for test in tests
        for value in test.published
    ]
    return pd.DataFrame(rows, columns=["test", "representation", "source", "model", "effect_size", "p_value"])
