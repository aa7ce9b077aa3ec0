"""Every measure keeps the same promises, by being registered."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pandas as pd
import pytest
import yaml
from huggingface_hub import ModelCard

from core.api import DARK, draw
from core.batch.audit import audit
from core.batch.running import Done, judgements
from core.batch.writing import written
from core.cli import command, main, parser
from core.cli.batch import Commands
from core.engine.pool import ModelPool
from core.errors import InputError, NothingToScore, OptionError
from core.inputs import Upload
from core.measures.downstream.task import DownstreamResult
from core.measures.measure import MeasureSpec, load, measures
from core.plain import plain
from core.publication import pins
from core.publication.contents import contents
from core.publication.document import markdown_literal, to_html, to_markdown
from core.publication.exchange.formats import exported
from core.publication.exchange.subject import models, subject
from core.publication.notebook import to_notebook
from core.publication.references import bibtex
from core.publication.store import Reports
from core.report.captions import caption
from core.report.frames import as_document, to_json, to_table
from core.report.methods import methods_paragraph
from core.report.words import limits_of
from core.report.works import REFERENCES
from core.result import Better, Result
from core.run import Run
from tests.conformance.samples import SAMPLES, Sample
from tests.support.exchange_schemas import AVID, EVERY_EVAL_EVER, MODEL_INDEX

NAMES = sorted(measures())
Measure = Callable[..., Result]


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    """Measure a spec, each once for all promises; a run of its own measures again."""
    pool, made = ModelPool(), {}

    def of(spec: MeasureSpec[Any], run: Run[Any] | None = None) -> Result:
        if run is not None:
            return spec.run(run, pool=pool)
        if spec not in made:
            made[spec] = spec.run(pool=pool)
        return made[spec]

    yield of
    pool.clear()


@pytest.fixture(autouse=True)
def _no_traces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is fine-tuned here stands in no list of the user's."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def sample_of(name: str, promise: str) -> Sample:
    """The sample of a measure, where the promise is one that it gives."""
    sample = SAMPLES[name]
    if promise in sample.without:
        pytest.skip(f"{name}: {sample.without[promise]}")
    return sample


def test_every_measure_has_a_sample() -> None:
    assert sorted(SAMPLES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_spec_is_the_same_from_its_json_its_link_and_its_command(name: str) -> None:
    sample = SAMPLES[name]
    spec, kind = sample.spec, type(sample.spec)
    again = kind.restored(json.loads(json.dumps(plain(spec))))
    assert again == spec
    assert again.digest == spec.digest
    values = parsed(kind, sample.arguments)
    assert kind.of(values) == spec
    # A link holds the digest of a file; the page has its content.
    given = [item for item in kind.inputs() if item.name in values and not isinstance(item, Upload)]
    linked = {item.name: item.read(item.write(values[item.name]))[0] for item in given}
    assert kind.of({**values, **linked}) == spec


@pytest.mark.parametrize("name", NAMES)
def test_a_page_begins_with_the_defaults_of_the_spec(name: str) -> None:
    kind = measures()[name]
    if "defaults" in SAMPLES[name].without:
        with pytest.raises(InputError):
            kind.of({})
    else:
        assert kind.of({}) == kind()


@pytest.mark.parametrize("name", NAMES)
def test_every_input_says_what_it_is(name: str) -> None:
    inputs = measures()[name].inputs()
    assert len({item.name for item in inputs}) == len(inputs)
    assert all(item.label for item in inputs)


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_measured_is_refused_before_a_model_is_loaded(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.engine.loading.load", None)
    try:
        code = main([name, *SAMPLES[name].bad])
    except SystemExit as end:  # argparse's own refusal
        code = end.code
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_the_columns_are_the_declared_ones(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    assert str(result.SCHEMA) == f"{result.SCHEMA.name}/{result.SCHEMA.version}"
    for table, declared in result.SCHEMA.tables.items():
        names = [column.name for column in declared.columns]
        assert list(result[table].columns)[: len(names)] == names
        for column in result[table].columns:
            assert declared.column(column).meaning, f"{table}.{column} does not say what it is"
    assert len(result[next(iter(result.tables))]), "the chief table is empty"


@pytest.mark.parametrize("name", NAMES)
def test_saved_and_loaded_is_equal(name: str, measure: Measure, tmp_path: Path) -> None:
    result = measure(SAMPLES[name].spec)
    result.save(tmp_path / "x.tilt")
    again = load(tmp_path / "x.tilt")
    assert again == result
    assert to_json(again) == to_json(result)
    assert to_table(again) == to_table(result)
    assert methods_paragraph(again) == methods_paragraph(result)


@pytest.mark.parametrize("name", NAMES)
def test_a_stopped_run_that_is_resumed_is_as_if_it_had_never_stopped(name: str, measure: Measure) -> None:
    sample = sample_of(name, "resume")
    whole = measure(sample.spec)
    stops = 0
    for patience in (1, 2, 4, 8):
        first = Run(sample.spec)
        asked = iter(range(patience))
        first.cancelled = lambda asked=asked: next(asked, None) is None  # type: ignore[method-assign]
        memory = first.memory
        try:
            part = measure(sample.spec, first)
        except NothingToScore:  # it was stopped before anything was reached
            stops += 1
        else:
            stops += part.stopped
        second = Run(sample.spec)
        second.memory = memory
        assert_same(measure(sample.spec, second), whole)
    assert stops, "no stop came in time to stop anything"


@pytest.mark.parametrize("name", NAMES)
def test_swapping_the_sides_turns_the_sign(name: str, measure: Measure) -> None:
    sample = sample_of(name, "swap")
    assert sample.swapped is not None
    result, swapped = map(measure, sample.swapped)
    assert sample.signed
    for table, columns in sample.signed.items():
        keys = list(sample.keys[table])
        both = result[table].merge(swapped[table], on=keys, suffixes=("", " swapped"))
        assert len(both) == len(result[table]) > 0
        for column in columns:
            assert both[column].notna().any()
            assert both[column].to_numpy() == pytest.approx(
                -both[f"{column} swapped"].to_numpy(), abs=1e-5, nan_ok=True
            )


@pytest.mark.parametrize("name", NAMES)
def test_order_changes_nothing(name: str, measure: Measure) -> None:
    sample = sample_of(name, "order")
    assert sample.reordered is not None
    result, other = measure(sample.spec), measure(sample.reordered)
    for table in result.tables:
        assert sorted_rows(result[table]) == sorted_rows(other[table])


@pytest.mark.parametrize("name", NAMES)
def test_every_exclusion_says_what_and_why(name: str, measure: Measure) -> None:
    sample = sample_of(name, "exclusions")
    result = measure(sample.excluding)
    assert result.excluded
    for item in result.excluded:
        assert item.what
        assert len(item.why) > len("no")
    told = as_document(result)["excluded"]
    assert [entry["what"] for entry in told] == [item.what for item in result.excluded]  # type: ignore[union-attr]
    text = to_table(result)
    assert all(item.what in text for item in result.excluded[:10])


@pytest.mark.parametrize("name", NAMES)
def test_the_command_prints_the_result(
    name: str, measure: Measure, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sample = SAMPLES[name]
    saved = tmp_path / "x.tilt"
    assert main([name, *sample.arguments, "--format", "json", "--save", str(saved)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["schema", "spec", "tables", "excluded", "notes", "provenance"]
    expected = json.loads(to_json(measure(sample.spec)))
    assert printed["spec"] == expected["spec"]
    assert close(printed["tables"], expected["tables"])
    assert [printed["excluded"], printed["notes"]] == [expected["excluded"], expected["notes"]]
    assert main(["show", str(saved), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == printed


@pytest.mark.parametrize("name", NAMES)
def test_notes_reach_every_format(name: str, measure: Measure) -> None:
    sample = sample_of(name, "notes")
    result = measure(sample.spec)
    for text in (to_table(result), methods_paragraph(result), to_json(result).decode()):
        for note in result.notes:
            assert json.dumps(note.text, ensure_ascii=False)[1:-1] in text or note.text in text


@pytest.mark.parametrize("name", NAMES)
def test_the_methods_text_names_models_and_limits(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    text = methods_paragraph(result)
    for model in result.provenance.models:
        assert model.name in text
        assert model.digest.removeprefix("sha256:")[:12] in text
    assert not re.search(r"\b(nan|None)\b|[{}]|  ", text)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_its_numbers_do_not_say(name: str) -> None:
    limits = limits_of(measures()[name].RESULT)
    assert len(limits) > 1
    for statement in limits:
        assert re.fullmatch(r"[A-Z“0-9].*[.)]", statement), statement
        assert not re.search(r"[*_`#{}]|  ", statement), statement


@pytest.mark.parametrize("name", NAMES)
def test_a_caption_says_what_was_measured(name: str, measure: Measure) -> None:
    made = caption(measure(SAMPLES[name].spec), "A title")
    assert made.title == "A title"
    assert made.lines


@pytest.mark.parametrize("name", NAMES)
def test_it_says_in_a_line_what_it_is(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    line = repr(result)
    assert "\n" not in line
    assert [word for word in (type(result).__name__, *result.models, *result.tables) if word not in line] == []
    assert len(line) < 100 + sum(map(len, result.models)) + 20 * len(result.tables)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_summed_up_by_numbers_that_say_what_they_are(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    assert result.HEADLINES
    columns = [headline.column for headline in result.HEADLINES]
    assert len({column.name for column in columns}) == len(columns)
    assert all(column.meaning and re.fullmatch(r"[a-z0-9_-]+", column.name) for column in columns)
    values = result.headlines()
    assert values
    cells = {cell for frame in result.tables.values() for cell in frame.select_dtypes("number").to_numpy().ravel()}
    frames = result.tables.values()
    named = {"", *(model for frame in frames if "model" in frame for model in frame["model"])}
    for value in values:
        assert value.value in cells, f"{value.name} is in none of the tables"
        assert value.model in named
        assert value.title
        assert value.neutral is None or value.above, f"{value.name} does not say what a value above the neutral is"
        assert (value.low is None) == (value.high is None)
    assert len({(value.name, value.model, value.of) for value in values}) == len(values)
    assert [value.name for value in values] == sorted(
        (value.name for value in values), key=[f"{result.SCHEMA.name}.{column.name}" for column in columns].index
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_summed_up_by_the_first_number_of_a_kind_or_by_why_there_is_none(
    name: str, measure: Measure
) -> None:
    result = measure(SAMPLES[name].spec)
    for headline in result.HEADLINES:
        firsts = {value.model: value.value for value in reversed(headline.values(result))}
        for model in result.models:
            found = headline.of_model(result, model)
            assert found == firsts[model] if model in firsts else isinstance(found, str) and found


@pytest.mark.parametrize("name", [name for name in NAMES if ".downstream." in measures()[name].__module__])
def test_the_result_of_a_task_is_known_as_one(name: str) -> None:
    assert issubclass(SAMPLES[name].spec.RESULT, DownstreamResult)


@pytest.mark.parametrize("name", NAMES)
def test_its_chief_figure_is_drawn(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    drawn = draw(result)
    assert drawn.data
    assert draw(result).to_json() == drawn.to_json()
    assert draw(result, theme=DARK).layout.template != drawn.layout.template
    with pytest.raises(OptionError, match="no model “another”"):
        draw(result, model="another")


def parsed(kind: type[MeasureSpec[Any]], arguments: tuple[str, ...]) -> dict[str, Any]:
    """The values of inputs that a command line gives."""
    return command.values(parser().parse_args([kind.COMMAND, *arguments]), kind)


def assert_same(result: Result, expected: Result) -> None:
    """Equal tables to 1e-5, equal exclusions and notes."""
    assert not result.stopped
    for table in expected.tables:
        assert close(plain(result[table]), plain(expected[table])), table
    assert set(result.excluded) == set(expected.excluded)
    assert set(result.notes) == set(expected.notes)


def close(first: Any, second: Any) -> bool:
    """Equal, with numbers to 1e-5: another batch may round otherwise."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(close(first[key], second[key]) for key in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(close, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return math.isclose(first, second, rel_tol=1e-5, abs_tol=1e-5)
    return bool(first == second)


def sorted_rows(frame: pd.DataFrame) -> list[str]:
    """The rows as texts in an order of their own, numbers to four decimals."""
    rounded = frame.round(4).map(lambda value: 0.0 if isinstance(value, float) and value == 0 else value)
    return sorted(json.dumps(row, default=str) for row in plain(rounded))  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NAMES)
def test_it_leaves_in_every_form_that_others_read(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    assert models(result)
    for model in models(result):
        numbers = subject(result, model).numbers
        assert numbers
        evaluated = json.loads(exported(result, "every-eval-ever", model))
        jsonschema.validate(evaluated, EVERY_EVAL_EVER)
        scores = {item["evaluation_result_id"] for item in evaluated["evaluation_results"]}
        assert len(scores) == len(evaluated["evaluation_results"])
        incident = json.loads(exported(result, "avid", model))
        jsonschema.validate(incident, AVID)
        front = exported(result, "model-index", model).decode()
        jsonschema.validate(yaml.safe_load(front.split("---\n")[1]), MODEL_INDEX)
        indexed = ModelCard(front).data.eval_results
        card = exported(result, "model-card", model).decode()
        read = [item["results"]["reading"] for item in incident["metrics"]]
        for value, said, entry, metric in zip(numbers, read, indexed, incident["metrics"], strict=True):
            assert metric["results"]["value"] == entry.metric_value == value.value
            assert metric["results"]["unit"] == entry.metric_args["unit"]
            assert said in entry.metric_name
            assert markdown_literal(said) in card


@pytest.mark.parametrize("name", NAMES)
def test_it_writes_a_batch_file_that_asks_for_the_same_and_judges_its_numbers(
    name: str, measure: Measure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = measure(SAMPLES[name].spec)
    for file in result.spec.uploads:
        (tmp_path / file.name).write_bytes(file.data)
    monkeypatch.chdir(tmp_path)
    numbers = result.headlines()
    limits = [f"{value.name}{f' of {value.of}' if value.of else ''} >= {value.value:.12f}" for value in numbers]
    text = written(result).decode().replace("fail_if: []", f"fail_if: {json.dumps(limits, ensure_ascii=False)}")
    asked = audit(text, "audit.yaml", Commands())
    (planned,) = asked.planned
    assert planned.spec == result.spec
    found = judgements(asked, Done(planned, result))
    assert {(item.model, item.of, item.value) for item in found} == {
        (value.model, value.of, value.value) for value in numbers
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_number_without_a_neutral_value_says_which_end_is_better(name: str) -> None:
    for headline in measures()[name].RESULT.HEADLINES:
        assert headline.neutral is not None or headline.better is not Better.NEARER


@pytest.mark.parametrize("name", NAMES)
def test_a_report_takes_it_and_its_notebook_measures_the_same(name: str, measure: Measure) -> None:
    result = measure(SAMPLES[name].spec)
    kept = Reports(None)
    whole = contents(pins.report_of(kept, [result], title="Report"), kept)
    page = html.unescape(to_html(whole).decode())
    assert SAMPLES[name].spec.TITLE in page
    measured, every = whole.limits
    assert measured.measure == SAMPLES[name].spec.TITLE
    assert set(limits_of(type(result))) <= set(measured.lines)
    for line in (*measured.lines, *every.lines):
        assert f"<li>{line}</li>" in page
    assert to_markdown(whole).startswith(b"# Report")
    cells = json.loads(to_notebook(whole))["cells"]
    code = next(cell["source"] for cell in cells if cell["cell_type"] == "code" and ".restored(" in cell["source"])
    kind = type(result.spec)
    made: dict[str, Any] = {"tm": SimpleNamespace(**{kind.__name__: kind}), "json": json, "uploads": {}}
    exec(code.partition("\nresult_1")[0], made)
    assert made["spec"] == result.spec
    assert len(re.findall(r"^@", bibtex(whole.references), flags=re.MULTILINE)) == len(whole.references)
    unknown = [item for item in whole.references if item not in REFERENCES.values()]
    assert unknown == []
