"""What the readers of our exports accept, in a form of our own, as JSON schemas.

Facts from Every Eval Ever's ``eval.schema.json`` 0.3.0 (MIT) with the two rules that its validator adds, the data
models of avidtools 0.3.2 (Apache-2.0), and the
specification of ``model-index`` in the documentation of the Hugging Face Hub.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
TEXTS: Schema = {"type": "object", "additionalProperties": TEXT}


def one_of(*values: str) -> Schema:
    return {"enum": list(values)}


def several(item: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": item, "minItems": least}


def thing(needed: dict[str, Schema], possible: dict[str, Schema] | None = None, *, closed: bool = False) -> Schema:
    """An object; ``closed``: with no other fields."""
    fields = {**needed, **(possible or {})}
    return {"type": "object", "required": list(needed), "properties": fields, "additionalProperties": not closed}


_BOUND: Schema = {"anyOf": [NUMBER, one_of("Infinity", "-Infinity"), {"type": "null"}]}
_METRIC = {
    **thing(
        {"lower_is_better": {"type": "boolean"}},
        {
            **dict.fromkeys(("evaluation_description", "metric_id", "metric_name", "metric_kind", "metric_unit"), TEXT),
            "metric_parameters": {
                "type": "object",
                "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
            },
            "score_type": one_of("binary", "continuous", "levels"),
            "min_score": _BOUND,
            "max_score": _BOUND,
            "additional_details": TEXTS,
        },
    ),
    "allOf": [
        {
            "if": {"required": ["score_type"], "properties": {"score_type": {"const": kind}}},
            "then": {"required": needed},
        }
        for kind, needed in (
            ("levels", ["level_names", "has_unknown_level"]),
            ("continuous", ["min_score", "max_score"]),
        )
    ],
}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_UNCERTAINTY = thing(
    {},
    {
        "standard_error": thing({"value": NUMBER}, {"method": TEXT}),
        "confidence_interval": thing({"lower": NUMBER, "upper": NUMBER}, {"confidence_level": _SHARE, "method": TEXT}),
        "standard_deviation": NUMBER,
        "num_samples": WHOLE,
        "num_bootstrap_samples": WHOLE,
    },
)
_DATA = {
    "oneOf": [
        thing({"dataset_name": TEXT, "source_type": {"const": "url"}, "url": several(TEXT, 1)}),
        thing({"dataset_name": TEXT, "source_type": {"const": "hf_dataset"}}, {"hf_repo": TEXT}),
        thing({"dataset_name": TEXT, "source_type": {"const": "other"}}, {"additional_details": TEXTS}),
    ]
}
EVERY_EVAL_EVER = thing(
    {
        "schema_version": {"const": "0.3.0"},
        "evaluation_id": TEXT,
        "retrieved_timestamp": {"type": "string", "pattern": r"^\d+$"},
        "source_metadata": thing(
            {
                "source_type": one_of("documentation", "evaluation_run"),
                "source_organization_name": TEXT,
                "evaluator_relationship": one_of("first_party", "third_party", "collaborative", "other"),
            },
            {"source_name": TEXT, "additional_details": TEXTS},
        ),
        "eval_library": thing({"name": TEXT, "version": TEXT}, {"additional_details": TEXTS}),
        "model_info": thing(
            {
                "name": TEXT,
                "id": TEXT,
                "additional_details": {
                    **TEXTS,
                    "required": ["deployment_type", "model_availability"],
                    "properties": {
                        "deployment_type": one_of("self_deployed", "externally_managed", "unknown"),
                        "model_availability": one_of("open_weights", "closed_weights", "unknown"),
                    },
                },
            },
            {"developer": TEXT, "inference_engine": thing({}, {"name": TEXT, "version": TEXT})},
        ),
        "evaluation_results": several(
            thing(
                {
                    "evaluation_name": TEXT,
                    "source_data": _DATA,
                    "metric_config": _METRIC,
                    "score_details": thing({"score": NUMBER}, {"details": TEXTS, "uncertainty": _UNCERTAINTY}),
                },
                {"evaluation_result_id": TEXT, "evaluation_timestamp": TEXT},
            ),
            least=1,
        ),
    },
    {"evaluation_timestamp": TEXT},
    closed=True,
)
_SAID = thing({"lang": TEXT, "value": TEXT})
AVID = thing(
    {
        "data_type": {"const": "AVID"},
        "data_version": TEXT,
        "affects": thing(
            {
                "developer": several(TEXT),
                "deployer": several(TEXT),
                "artifacts": several(thing({"type": one_of("Dataset", "Model", "System"), "name": TEXT}), 1),
            }
        ),
        "problemtype": thing(
            {
                "classof": one_of(
                    "AIID Incident",
                    "ATLAS Case Study",
                    "CVE Entry",
                    "LLM Evaluation",
                    "Third-party Report",
                    "Undefined",
                ),
                "type": one_of("Issue", "Advisory", "Measurement", "Detection"),
                "description": _SAID,
            }
        ),
        "metrics": several(
            thing(
                {
                    "name": TEXT,
                    "detection_method": thing({"type": one_of("Significance Test", "Static Threshold"), "name": TEXT}),
                    "results": {"type": "object"},
                }
            ),
            1,
        ),
        "references": several(thing({"label": TEXT, "url": TEXT}, {"type": TEXT})),
        "description": _SAID,
        "impact": thing(
            {
                "avid": thing(
                    {
                        "risk_domain": several(one_of("Security", "Ethics", "Performance"), 1),
                        "sep_view": several(
                            one_of("E0100: Bias/ Discrimination", "E0101: Group fairness", "P0204: Accuracy"), 1
                        ),
                        "lifecycle_view": several(one_of("L05: Evaluation", "L06: Deployment"), 1),
                        "taxonomy_version": TEXT,
                    }
                )
            }
        ),
        "reported_date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
    },
    {"metadata": thing({"report_id": TEXT}), "credit": several(_SAID)},
    closed=True,
)
MODEL_INDEX = thing(
    {
        "model-index": several(
            thing(
                {
                    "name": TEXT,
                    "results": several(
                        thing(
                            {
                                "task": thing({"type": TEXT}, {"name": TEXT}, closed=True),
                                "dataset": thing(
                                    {"type": TEXT, "name": TEXT},
                                    {"config": TEXT, "split": TEXT, "revision": TEXT, "args": {"type": "object"}},
                                    closed=True,
                                ),
                                "metrics": several(
                                    thing(
                                        {"type": TEXT, "value": NUMBER},
                                        {"name": TEXT, "config": TEXT, "args": {"type": "object"}},
                                        closed=True,
                                    ),
                                    1,
                                ),
                            }
                        ),
                        1,
                    ),
                },
                closed=True,
            ),
            1,
        )
    },
    closed=True,
)
