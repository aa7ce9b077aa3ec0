"""Every Eval Ever, schema 0.3.0: one JSON document a model, which its database takes.

The schema asks whether a lower score is better. A bias is best inside its range, so that the score of such a number is
its distance from the neutral value; the value with its sign stands in the details. A number of which neither higher
nor lower values are better cannot be said in this form, and is named in ``source_metadata`` instead.
"""

from __future__ import annotations

from ...plain import Plain, plain, strict_json
from ...result import Better, HeadlineValue
from ...sources.published import NOT_MEASURED
from .subject import Subject, called, reading, unit

SCHEMA = "0.3.0"
_LEVEL = 0.95


def written(subject: Subject) -> bytes:
    """The document of a model in Every Eval Ever's schema 0.3.0.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.

    Returns
    -------
    bytes
        JSON in UTF-8. It ranks by one end: a bias goes in as its distance from the neutral point, and a number of which
        neither end is better stays out.
    """
    ranked = [value for value in subject.numbers if value.better is not Better.NEITHER]
    document: dict[str, Plain] = {
        "schema_version": SCHEMA,
        "evaluation_id": f"{subject.result.spec.COMMAND}/{subject.id}/{_seconds(subject)}",
        **_when(subject),
        "retrieved_timestamp": _seconds(subject),
        "source_metadata": _source(subject),
        "eval_library": {
            "name": "Tiltmeter",
            "version": subject.version,
            "additional_details": dict[str, Plain](subject.result.provenance.versions),
        },
        "model_info": _model(subject),
        "evaluation_results": [_result(subject, value) for value in ranked],
    }
    return (strict_json(document, indent=2) + "\n").encode()


def _seconds(subject: Subject) -> str:
    return str(int(subject.made.timestamp()))


def _when(subject: Subject) -> dict[str, Plain]:
    return {"evaluation_timestamp": subject.measured} if subject.measured else {}


def _source(subject: Subject) -> dict[str, Plain]:
    details = {"notes": " ".join(map(str, subject.notes))}
    details["not exported, as neither higher nor lower is better"] = "; ".join(
        called(value) for value in subject.numbers if value.better is Better.NEITHER
    )
    if subject.result.stopped:
        details["incomplete"] = "The run was stopped before its end."
    return {
        "source_name": "Tiltmeter",
        "source_type": "documentation" if subject.info and subject.info.published else "evaluation_run",
        "source_organization_name": "unknown",
        "evaluator_relationship": "other",
        "additional_details": {name: text for name, text in details.items() if text},
    }


def _model(subject: Subject) -> dict[str, Plain]:
    model: dict[str, Plain] = {"name": subject.model, "id": subject.id}
    if subject.developer:
        model["developer"] = subject.developer
    info = subject.info
    if info is None or info.published:
        unknown: dict[str, Plain] = {"deployment_type": "unknown", "model_availability": "unknown"}
        said: dict[str, Plain] = {"numbers": f"{NOT_MEASURED}: {info.published}"} if info else {}
        return {**model, "additional_details": {**unknown, **said}}
    libraries = dict(subject.result.provenance.versions)
    if "transformers" in libraries:
        model["inference_engine"] = {"name": "transformers", "version": libraries["transformers"]}
    return {
        **model,
        "additional_details": {
            "deployment_type": "self_deployed",
            "model_availability": "open_weights" if info.revision else "unknown",
            "revision": info.revision or "none",
            "sha256": info.digest.removeprefix("sha256:"),
            "family": info.family,
            "kind": info.kind,
            "parameters": str(info.parameters),
            "dtype": info.dtype,
            "device": info.device,
        },
    }


def _result(subject: Subject, value: HeadlineValue) -> dict[str, Plain]:
    return {
        "evaluation_result_id": "/".join(filter(None, (value.name, value.model, value.of))),
        "evaluation_name": subject.result.spec.TITLE,
        "source_data": {
            "dataset_name": subject.dataset,
            "source_type": "other",
            "additional_details": {"spec_sha256": subject.result.spec.digest},
        },
        **_when(subject),
        "metric_config": _metric(subject, value),
        "score_details": _score(value),
    }


def _metric(subject: Subject, value: HeadlineValue) -> dict[str, Plain]:
    far = value.better is Better.NEARER
    least = 0.0 if far else value.least
    return {
        "evaluation_description": subject.result.spec.DESCRIPTION,
        "metric_id": value.name,
        "metric_name": f"{called(value)}, distance from {value.neutral:g}" if far else called(value),
        "metric_unit": unit(value),
        "metric_parameters": {"of": value.of, "neutral": value.neutral, "seed": subject.result.provenance.seed},
        "lower_is_better": value.better is not Better.HIGHER,
        **({} if least is None else {"min_score": least}),
        "additional_details": {"reading": reading(value), **dict(subject.result.spec.options())},
    }


def _score(value: HeadlineValue) -> dict[str, Plain]:
    far = value.better is Better.NEARER
    details = {"value": value.value, "unit": unit(value), "neutral": value.neutral, "reading": reading(value)}
    details |= {"ci_low": value.low, "ci_high": value.high, value.p_name: value.p}
    uncertainty: dict[str, Plain] = {}
    if value.low is not None and value.high is not None:
        low, high = _distances(value, value.low, value.high) if far else (value.low, value.high)
        uncertainty["confidence_interval"] = {"lower": low, "upper": high, "confidence_level": _LEVEL}
    if value.n is not None:
        uncertainty["num_samples"] = value.n
    return {
        "score": value.distance if far else value.value,
        "details": {name: str(plain(held)) for name, held in details.items() if held is not None},
        **({"uncertainty": uncertainty} if uncertainty else {}),
    }


def _distances(value: HeadlineValue, low: float, high: float) -> tuple[float, float]:
    """The distances from the neutral value of all that the interval holds."""
    assert value.neutral is not None
    ends = sorted((abs(low - value.neutral), abs(high - value.neutral)))
    return (0.0, ends[1]) if low <= value.neutral <= high else (ends[0], ends[1])
