"""Results in the forms that others read: every number with its unit, its neutral point and the way it points."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest
import yaml
from huggingface_hub import ModelCard

from core import shelf
from core.cli import main
from core.errors import ExportError, OptionError
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import measures
from core.publication.exchange import every_eval_ever, model_card
from core.publication.exchange.formats import FORMATS, exported
from core.publication.exchange.subject import models, reading, subject
from core.publication.pins import sentence
from core.result import (
    Better,
    Excluded,
    Headline,
    HeadlineValue,
    ModelInfo,
    Note,
    Provenance,
    Result,
    Schema,
    Table,
    count,
    number,
    p_value,
    text,
)
from tests.support.exchange_schemas import AVID, EVERY_EVAL_EVER, MODEL_INDEX
from tests.support.past import scores

INFO = ModelInfo(
    "bert", "owner/bert", "abc123", "sha256:0f", "BERT", "masked", 2, 2, 7, ("en",), False, "float32", "cpu", "default"
)
NUMBERS = ("part", "value", "low", "high", "p", "n")
ROWS = (
    ("rate", 47.0, 40.0, 52.0, 0.3, 200),  # the interval holds 50
    ("lean", -0.35, -0.6, -0.1, 0.01, 30),
    ("fit", 80.0, 75.0, 84.0, None, 200),
    ("loss", -2.5, None, None, None, 9),
    ("change", 0.5, 0.25, 0.75, None, 9),
)


def _kind(name: str, unit: str, neutral: float | None, better: Better, above: str) -> Headline:
    return Headline(
        number(name, f"What {name} is", f"the {name}", unit=unit, sign=above),
        lambda result: result["parts"][result["parts"]["part"] == name],
        "value", "low", "high", "p", "n", of=("part",), neutral=neutral, better=better,
    )  # fmt: skip


class MadeUp(Result):
    """A number of each way in which values are better."""

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        _kind("rate", "%", 50.0, Better.NEARER, "the stereotype is preferred"),
        _kind("lean", "nats", 0.0, Better.NEARER, "towards he"),
        _kind("fit", "%", None, Better.HIGHER, "words that fit are preferred"),
        _kind("loss", "", 0.0, Better.LOWER, "it predicts less well"),
        _kind("change", "SD", 0.0, Better.NEITHER, "higher after than before"),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "made-up",
        1,
        {
            "parts": Table(
                "a part",
                (
                    text("model", "The model."),
                    text("part", "The part."),
                    number("value", "Its value."),
                    number("low", "Lower end."),
                    number("high", "Upper end."),
                    p_value("p", "Two-sided."),
                    count("n", "Items."),
                ),
            )
        },
    )


def made_up(rows: tuple[tuple[Any, ...], ...] = ROWS, model: str = "bert", notes: tuple[Note, ...] = ()) -> MadeUp:
    return MadeUp(
        spec=LpbsSpec(models=(model,)),
        tables=MadeUp.SCHEMA.frames(parts=[{"model": model, **dict(zip(NUMBERS, row, strict=True))} for row in rows]),
        excluded=(),
        notes=notes,
        provenance=Provenance(
            "Tiltmeter 1.2.3",
            (replace(INFO, name=model),),
            ("words of a paper",),
            7,
            (("transformers", "5"),),
            "2026-01-02T03:04:05Z",
        ),
    )


DATASET = (  # the words that were put to the model are in no table of this result
    "words of a paper; Log probability bias scores of a list of attributes; "
    f"inputs SHA-256 {LpbsSpec(models=('bert',)).digest[:12]}"
)


def record(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(exported(result, "every-eval-ever"))
    return found


def test_a_bias_is_ranked_by_its_distance_and_keeps_its_sign_in_the_details() -> None:
    of = {item["metric_config"]["metric_id"]: item for item in record(made_up())["evaluation_results"]}
    rate, lean = of["made-up.rate"], of["made-up.lean"]
    # |47 − 50| = 3; 40 to 52 holds 50, and its far end is 10 away
    assert rate["score_details"]["score"] == 3.0
    interval = {"lower": 0.0, "upper": 10.0, "confidence_level": 0.95}
    assert rate["score_details"]["uncertainty"] == {"confidence_interval": interval, "num_samples": 200}
    assert (
        rate["score_details"]["details"] | {"value": "47.0", "neutral": "50.0", "ci_low": "40.0", "p": "0.3"}
        == (rate["score_details"]["details"])
    )
    # −0.6 to −0.1 lies on one side of 0: distances 0.1 to 0.6
    assert lean["score_details"]["score"] == 0.35
    assert lean["score_details"]["uncertainty"]["confidence_interval"]["lower"] == 0.1
    assert lean["score_details"]["uncertainty"]["confidence_interval"]["upper"] == 0.6
    assert lean["score_details"]["details"]["value"] == "-0.35"
    assert lean["metric_config"]["metric_unit"] == "nats"
    assert lean["metric_config"]["metric_name"] == "the lean, lean, distance from 0"
    assert {item["metric_config"]["lower_is_better"] for item in (rate, lean)} == {True}


def test_a_number_with_a_better_end_keeps_its_value() -> None:
    of = {item["metric_config"]["metric_id"]: item for item in record(made_up())["evaluation_results"]}
    fit, loss = of["made-up.fit"], of["made-up.loss"]
    assert (fit["score_details"]["score"], fit["metric_config"]["lower_is_better"]) == (80.0, False)
    assert fit["score_details"]["uncertainty"]["confidence_interval"]["upper"] == 84.0
    assert (loss["score_details"]["score"], loss["metric_config"]["lower_is_better"]) == (-2.5, True)
    assert loss["metric_config"]["metric_unit"] == "no unit"
    assert "confidence_interval" not in loss["score_details"]["uncertainty"]


def test_a_share_that_is_best_at_0_has_no_plus_and_no_distance() -> None:
    whole = subject(made_up(ROWS[1:2]))
    share = replace(whole.numbers[0], value=93.33, low=80.0, high=96.0, unit="%", better=Better.LOWER, least=0.0)
    about = replace(whole, numbers=(share,))
    assert " 93.33 % (" in sentence(share)
    assert "| 93.330 | % |" in model_card.sections(about).decode()
    (made,) = json.loads(every_eval_ever.written(about))["evaluation_results"]
    metric, score = made["metric_config"], made["score_details"]
    assert (metric["metric_name"], metric["lower_is_better"], metric["min_score"]) == ("the lean, lean", True, 0.0)
    assert (score["score"], score["uncertainty"]["confidence_interval"]["lower"]) == (93.33, 80.0)


def test_a_number_without_a_better_end_is_not_ranked_but_named() -> None:
    made = record(made_up())
    assert "made-up.change" not in {item["metric_config"]["metric_id"] for item in made["evaluation_results"]}
    details = made["source_metadata"]["additional_details"]
    assert details["not exported, as neither higher nor lower is better"] == "the change, change"
    with pytest.raises(ExportError, match="as this form has to say"):
        exported(made_up(ROWS[4:]), "every-eval-ever")
    assert b"the change, change" in exported(made_up(ROWS[4:]), "model-card")


def test_how_a_number_is_read() -> None:
    rate, lean, fit, loss, change = made_up().headlines()
    assert reading(rate) == "50 is neutral; above it: the stereotype is preferred; nearer to it is better"
    assert reading(lean) == "0 is neutral; above it: towards he; nearer to it is better"
    assert reading(fit) == "no value is neutral; a higher value means: words that fit are preferred; higher is better"
    assert reading(loss) == "0 is neutral; above it: it predicts less well; lower is better"
    assert reading(change).endswith("neither higher nor lower is better")


def test_it_says_who_was_measured_with_what_and_when() -> None:
    made = record(made_up())
    assert made["evaluation_id"] == "score/owner/bert/1767323045"  # 2026-01-02T03:04:05Z
    assert made["eval_library"]["version"] == "1.2.3"
    assert (made["model_info"]["name"], made["model_info"]["id"], made["model_info"]["developer"]) == (
        "bert",
        "owner/bert",
        "owner",
    )
    assert made["model_info"]["additional_details"]["sha256"] == "0f"
    assert made["evaluation_results"][0]["source_data"]["dataset_name"] == DATASET


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made["evaluation_results"][0]["metric_config"].pop("lower_is_better"),
        lambda made: made["evaluation_results"][0]["score_details"].update(score="3"),
        lambda made: made["evaluation_results"][0]["score_details"]["details"].update(value=47.0),
        lambda made: made["evaluation_results"][0]["metric_config"].update(score_type="continuous"),
        lambda made: made["model_info"]["additional_details"].pop("deployment_type"),
        lambda made: made["source_metadata"].update(source_type="measurement"),
        lambda made: made.update(title="x"),
        lambda made: made.update(evaluation_results=[]),
    ],
)
def test_the_schema_of_every_eval_ever_takes_ours_and_refuses_a_spoilt_one(spoil: Any) -> None:
    made = record(made_up())
    jsonschema.validate(made, EVERY_EVAL_EVER)
    spoilt = copy.deepcopy(made)
    spoil(spoilt)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spoilt, EVERY_EVAL_EVER)


def test_the_front_matter_is_read_by_the_hub_s_own_library() -> None:
    made = exported(made_up(), "model-index").decode()
    jsonschema.validate(yaml.safe_load(made.split("---\n")[1]), MODEL_INDEX)
    found = ModelCard(f"{made}\n# bert\n").data.eval_results
    assert [(item.metric_type, item.metric_value) for item in found] == [
        ("made-up.rate", 47.0),
        ("made-up.lean", -0.35),
        ("made-up.fit", 80.0),
        ("made-up.loss", -2.5),
        ("made-up.change", 0.5),
    ]
    lean = found[1]
    assert lean.metric_name == "the lean, lean (nats; 0 is neutral; above it: towards he; nearer to it is better)"
    assert lean.metric_args["ci_low"] == -0.6
    assert (lean.task_type, lean.dataset_name) == ("fill-mask", DATASET)


def test_the_sections_are_those_of_a_model_card_and_the_numbers_stand_in_a_table() -> None:
    made = exported(made_up(notes=(Note("A note.", "bert"), Note("Of another.", "other"))), "model-card").decode()
    assert [line for line in made.splitlines() if line.startswith("## ")] == [
        "## Bias, Risks, and Limitations",
        "## Evaluation",
        "## Model Examination",
    ]
    (row,) = [line for line in made.splitlines() if line.startswith("| the lean, lean |")]
    assert "| −0.350 | nats | −0.600 to −0.100 | 0.010 | 30 | 0 is neutral; above it: towards he;" in row
    assert "bert: A note." in made
    assert "no lean found is not its absence" in made
    bias = made.partition("## Evaluation")[0]
    assert "Of another" not in bias


def test_what_must_be_known_of_the_numbers_leaves_beside_them() -> None:
    noted = made_up(notes=(Note("Not grammatical."), Note("It is small.", "bert"), Note("Of another.", "other")))
    front = yaml.safe_load(exported(noted, "model-index").decode().split("---\n")[1])
    for result in front["model-index"][0]["results"]:
        assert result["metrics"][0]["args"]["notes"] == ["Not grammatical.", "bert: It is small."]
    plain_front = yaml.safe_load(exported(made_up(), "model-index").decode().split("---\n")[1])
    assert "notes" not in plain_front["model-index"][0]["results"][0]["metrics"][0]["args"]
    told = json.loads(exported(noted, "avid"))["description"]["value"].splitlines()
    place = told.index("Note: Not grammatical.")
    assert told[place - 1].startswith("bert: the change change")  # the last number
    assert told[place + 1] == "Note: bert: It is small."
    assert "Of another." not in " ".join(told)
    assert " ".join(told).count("Not grammatical.") == 1


def test_the_testing_data_names_words_and_templates_that_were_brought() -> None:
    made = exported(scores(word="welder"), "model-card").decode().replace("\\", "")
    data = made.partition("#### Testing Data\n")[2].partition("####")[0].strip().splitlines()
    assert data == [
        "- Template: “The [ATTRIBUTE] said that [TARGET] was tired.”",
        "- Groups: he; she. n = 1 attribute: welder.",
        "- Source: made up",
        f"- SHA-256 of all inputs: {scores(word='welder').spec.digest}",
    ]
    (name,) = {item["source_data"]["dataset_name"] for item in record(scores(word="welder"))["evaluation_results"]}
    assert name == (
        "made up; Template: “The [ATTRIBUTE] said that [TARGET] was tired.”; Groups: he; she. n = 1 attribute: welder; "
        f"inputs SHA-256 {scores(word='welder').spec.digest[:12]}"
    )


def test_of_many_numbers_the_first_are_sentences_and_all_are_in_the_table() -> None:
    rows = [{"model": "bert", **dict(zip(NUMBERS, ROWS[1], strict=True)), "n": number} for number in range(1, 24)]
    many = replace(made_up(), tables={"parts": MadeUp.SCHEMA.tables["parts"].frame(rows)})
    made = exported(many, "model-card").decode()
    assert made.partition("## Evaluation")[0].count("the lean lean") == 20
    assert "- 3 more numbers are in the table below." in made.splitlines()
    assert made.count("| the lean, lean |") == 23
    incident = json.loads(exported(many, "avid"))
    assert "3 more numbers are among the metrics." in incident["description"]["value"]
    assert len(incident["metrics"]) == 23


def test_a_user_s_words_are_no_markup() -> None:
    evil = "a|b<script>alert(1)</script>[x](y)"
    made = exported(made_up(model=evil), "model-card").decode()
    assert "<script>" not in made
    assert "[x](y)" not in made
    front = yaml.safe_load(exported(made_up(model=evil), "model-index").decode().split("---\n")[1])
    assert front["model-index"][0]["name"] == evil


def test_a_report_of_avid_is_of_its_data_model() -> None:
    made = json.loads(exported(made_up(), "avid"))
    jsonschema.validate(made, AVID)
    assert made["affects"]["artifacts"] == [{"type": "Model", "name": "owner/bert"}]
    assert made["reported_date"] == "2026-01-02"
    assert made["metrics"][1]["results"] == {
        "id": "made-up.lean",
        "value": -0.35,
        "unit": "nats",
        "neutral": 0.0,
        "reading": "0 is neutral; above it: towards he; nearer to it is better",
        "ci_low": -0.6,
        "ci_high": -0.1,
        "p": 0.01,
        "n": 30,
    }
    assert "reported date" not in made["description"]["value"]
    assert [item["detection_method"]["type"] for item in made["metrics"][1:3]] == [
        "Significance Test",
        "Static Threshold",
    ]


class Adjusted(MadeUp):
    """One number whose p is adjusted for the tests beside it."""

    HEADLINES: ClassVar[tuple[Headline, ...]] = (replace(MadeUp.HEADLINES[1], p="p_adjusted"),)
    SCHEMA: ClassVar[Schema] = Schema(
        "made-up",
        1,
        {
            "parts": Table(
                "a part", (*MadeUp.SCHEMA.tables["parts"].columns, p_value("p_adjusted", "Adjusted over the parts."))
            )
        },
    )


def test_an_adjusted_p_never_leaves_as_a_plain_one() -> None:
    rows = [{"model": "bert", **dict(zip(NUMBERS, ROWS[1], strict=True)), "p_adjusted": 0.02}]
    plain = made_up()
    result = Adjusted(
        spec=plain.spec,
        tables=Adjusted.SCHEMA.frames(parts=rows),
        excluded=(),
        notes=(),
        provenance=plain.provenance,
    )
    (scored,) = record(result)["evaluation_results"]
    details = scored["score_details"]["details"]
    assert details["p_adjusted"] == "0.02"
    assert "p" not in details
    (metric,) = json.loads(exported(result, "avid"))["metrics"]
    assert metric["results"]["p_adjusted"] == 0.02
    assert "p" not in metric["results"]
    index = yaml.safe_load(exported(result, "model-index").decode().split("---\n")[1])
    (indexed,) = index["model-index"][0]["results"][0]["metrics"]
    assert indexed["args"]["p_adjusted"] == 0.02
    assert "p" not in indexed["args"]
    assert "| 0.020 (adjusted) |" in exported(result, "model-card").decode()
    (value,) = result.headlines()
    assert "adjusted p = 0.020, n = 30" in sentence(value)


def test_of_several_models_one_is_chosen() -> None:
    first, second = made_up(), made_up(model="gpt")
    both = replace(
        first,
        tables={"parts": MadeUp.SCHEMA.tables["parts"].frame([*_rows(first), *_rows(second)])},
        provenance=replace(first.provenance, models=(*first.provenance.models, *second.provenance.models)),
    )
    assert models(both) == ("bert", "gpt")
    with pytest.raises(OptionError, match="choose one with --model: bert, gpt"):
        subject(both)
    with pytest.raises(OptionError, match="no number of a model “x”; there are: bert, gpt"):
        subject(both, "x")
    assert {value.model for value in subject(both, "gpt").numbers} == {"gpt"}


def test_a_result_without_numbers_has_nothing_to_export() -> None:
    assert models(made_up(())) == ()
    with pytest.raises(ExportError, match="nothing to export"):
        subject(made_up(()))


@pytest.mark.parametrize("form", FORMATS)
def test_the_command_writes_what_it_prints(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, target = tmp_path / "x.tilt", tmp_path / "out"
    scores(-0.25).save(saved)
    assert main(["export", str(saved), "--as", form]) == 0
    printed = capsys.readouterr().out
    assert main(["export", str(saved), "--as", form, "--out", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == printed
    assert capsys.readouterr().out == ""
    assert "0.25" in printed.replace("−", "-")
    assert main(["export", "published:crows-pairs-bert-base-uncased", "--as", form]) == 0
    assert "published, not measured here" in capsys.readouterr().out
    assert main(["export", str(saved), "--as", form, "--model", "nobody"]) == 2
    assert "there are: bert" in capsys.readouterr().err


def _rows(result: Result) -> list[dict[Any, Any]]:
    return result["parts"].to_dict("records")


def test_the_interval_of_a_share_is_written_as_the_share() -> None:
    share = HeadlineValue("lpbs.shares", "m", "he − she", "share", 0.86, 0.49, 0.97, None, 7, "", 0.5, "towards he")
    assert sentence(share) == (
        "m: share he − she 0.86 (95 % interval 0.49 to 0.97, n = 7). 0.5 is neutral; above it: towards he."
    )
    mean = replace(share, title="mean LPBS", value=0.88, low=0.5, high=1.33, unit="nats", neutral=0.0)
    assert sentence(mean) == (
        "m: mean LPBS he − she +0.88 nats (95 % interval +0.50 to +1.33, n = 7). 0 is neutral; above it: towards he."
    )


def test_what_was_published_has_no_day_on_which_it_was_measured() -> None:
    measured, published = made_up(), made_up()
    of_others = replace(INFO, published="a paper")
    published = replace(published, provenance=replace(published.provenance, models=(of_others,)))
    for result, day in ((measured, "2026-01-02T03:04:05Z"), (published, None)):
        document = record(result)
        assert document.get("evaluation_timestamp") == day
        assert {item.get("evaluation_timestamp") for item in document["evaluation_results"]} == {day}
        jsonschema.validate(document, EVERY_EVAL_EVER)
        (front,) = yaml.safe_load_all(exported(result, "model-index").decode().strip().strip("-"))
        arguments = front["model-index"][0]["results"][0]["metrics"][0]["args"]
        assert arguments.get("measured") == day
        (told,) = [json.loads(exported(result, "avid"))["description"]["value"]]
        assert ("the reported date is the day of this record, not of their publication" in told) == (day is None)


def test_what_is_of_another_model_is_not_said_of_this_one() -> None:
    """Neither the source of another's published numbers nor what it lacks."""
    result = made_up()
    other = replace(INFO, name="other (published)", published="a paper")
    known = result.provenance
    result = replace(
        result,
        excluded=(
            Excluded("bert", "attribute", "nurse", "nurse: is unknown"),
            Excluded("other (published)", "attribute", "judge", "judge: was not published"),
        ),
        provenance=replace(
            known,
            models=(*known.models, other),
            data=(*known.data, "other (published): published, not measured here; X"),
        ),
    )
    for form in FORMATS:
        text = exported(result, form, "bert").decode()
        assert ("words of a paper" in text) == (form != "avid")
        assert "measured here; X" not in text
    for form in ("model-card", "avid"):
        text = exported(result, form, "bert").decode()
        assert "nurse" in text
        assert "judge" not in text
        assert "other (published)" not in text.replace("\\", "")
        assert "Its numbers were made beside those of 1 other model." in text


def test_where_no_number_is_of_a_part_the_factors_say_so() -> None:
    made = exported(shelf.result("published:crows-pairs-bert-base-uncased"), "model-card").decode()
    assert "#### Factors\n\n- Each number is of all inputs together.\n" in made


def test_a_measure_says_itself_whether_it_looks_inside_a_model() -> None:
    made = exported(made_up(), "model-card").decode().partition("## Model Examination")[2]
    assert "the commands attention, causes, direction and scan do." in made
    assert {spec.COMMAND for spec in measures().values() if spec.EXAMINES} == {
        "attention",
        "causes",
        "direction",
        "scan",
    }
