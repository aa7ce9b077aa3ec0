"""Whatever is typed: a result, or an error that says what is wrong. Never a traceback, never a number that is none."""

from __future__ import annotations

import functools
import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import sources
from core import spec as limits
from core.engine import checkpoints, loading
from core.engine.loading import LoadedModel
from core.errors import TiltmeterError
from core.measures.lpbs.spec import Contrasts, Form, Masking, SeveralPieces
from core.report.frames import to_json
from core.sources.templates import Template
from tests.support.lpbs import run
from tests.support.tiny import tiny_folder

# Every kind of tokenizer, and both kinds of model.
FAMILIES = ("bert", "bert-wrong-case", "roberta", "albert", "deberta-v2", "mpnet", "gpt2", "llama")


def mostly(good: st.SearchStrategy[Any], anything: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Seven times in eight well formed: there are three inputs, and one that is wrong ends the attempt."""
    return st.integers(0, 7).flatmap(lambda chosen: anything if chosen == 5 else good)


SIGNS = st.characters(exclude_categories=["Cs"])
PRINTED = st.characters(exclude_categories=["C", "Z"], exclude_characters=',;:"')
COMMON = ["he", "she", "him", "nurse", "Engineer", "chairwoman", "good teacher", "they", "woman", "doctor"]
ODD = ["=1+1", "null", "NA", "é", "##s", "▁he", "Ġhe", "плотник", "👩", "ß", "a b"]
WRONG = ["[MASK]", "<mask>", "[SEP]", "</s>", "<|endoftext|>", '"', "a:b", "\u200b", ""]
STRANGE = st.one_of(st.sampled_from(ODD), st.text(PRINTED, min_size=1, max_size=8))
GOOD_WORDS = st.booleans().flatmap(lambda strange: STRANGE if strange else st.sampled_from(COMMON))
WORDS = mostly(GOOD_WORDS, st.one_of(st.sampled_from(WRONG), st.text(SIGNS, max_size=8)))
GOOD_PARTS = st.one_of(
    st.sampled_from([" ", " is a ", "The ", ". ", "“", "-", " a.m. "]), st.text(PRINTED, max_size=6).map(" {} ".format)
)
PARTS = st.one_of(
    GOOD_PARTS,
    st.sampled_from(["[TARGET]", "[ATTRIBUTE]", "\n", "[mask]", "[ target ]", " [SEP] ", "</s>", "s"]),
    st.text(SIGNS, max_size=6),
)
SLOTS = st.permutations(["[TARGET]", "[ATTRIBUTE]"])
GOOD_TEMPLATES = st.builds(
    lambda start, slots, middle, end: f"{start}{slots[0]}{middle or ' '}{slots[1]}{end}",
    GOOD_PARTS,
    SLOTS,
    GOOD_PARTS,
    GOOD_PARTS,
)
TEMPLATES = mostly(GOOD_TEMPLATES, st.lists(PARTS, max_size=8).map("".join))
GOOD_LISTS = st.lists(GOOD_WORDS, min_size=1, max_size=6)
LISTS = st.builds(
    lambda words, sign: sign.join(words),
    mostly(GOOD_LISTS, st.lists(WORDS, max_size=4)),
    st.sampled_from([",", "\n", "; ", "\t"]),
)
# Distinct words, cut into two to four lines.
GOOD_GROUPS = st.builds(
    lambda words, count: "\n".join(", ".join(words[place::count]) for place in range(count)),
    st.lists(GOOD_WORDS, min_size=4, max_size=6, unique=True),
    st.integers(2, 4),
)
ANY_GROUPS = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(", ".join), max_size=4).map("\n".join)
GROUPS = mostly(GOOD_GROUPS, ANY_GROUPS)
OPTIONS = st.builds(
    dict,
    masking=st.sampled_from(list(Masking)),
    several_pieces=st.sampled_from(list(SeveralPieces)),
    paired=st.booleans(),
    contrasts=st.sampled_from(list(Contrasts)),
    common_words=st.booleans(),
    seed=st.integers(0, limits.MOST_SEED),
    form=st.sampled_from(list(Form)),
)
COMPANIES = st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=2, unique=True)


@functools.cache
def load(family: str) -> LoadedModel:
    return loading.load(checkpoints.fetch(checkpoints.ModelRequest(str(tiny_folder(family)))), device="cpu")


def refuse_constant(name: str) -> float:
    raise AssertionError(f"{name} is no JSON number")


def check(document: dict[str, Any]) -> None:
    """Numbers are finite, the parts of a score add up, and every missing score has a reason."""
    explained = {item["what"] for item in document["excluded"]}
    tables = document["tables"]
    for row in [*tables["attributes"], *tables["overall"]]:
        attribute = row.get("attribute")
        if row["lpbs"] is None:
            assert attribute is None or attribute in explained
            assert row["n"] == 0
        else:
            assert row["n"] > 0
            assert abs(row["lpbs"] - (row["log_ratio"] - row["prior_log_ratio"])) < 1e-6
        if row["p_value"] is None:
            assert {attribute, "all attributes"} & explained
        else:
            assert row["ci_low"] <= row["lpbs"] + 1e-9
            assert row["lpbs"] <= row["ci_high"] + 1e-9
            assert row["p_value"] <= row["p_adjusted"] <= 1
    for row in tables["targets"]:
        assert abs(row["association"] - (row["ln_p_target"] - row["ln_p_prior"])) < 1e-6
        assert row["ln_p_target"] <= 1e-6
        assert row["ln_p_prior"] <= 1e-6
    for item in document["excluded"]:
        assert item["why"]


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in numbers(item)]
    return [value] if isinstance(value, int | float) else []


@pytest.fixture
def one_thread() -> Iterator[None]:
    """On a busy machine, threads that wait for each other take many times as long as such tiny models do."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_a_thousand_random_inputs_give_a_result_or_a_sentence() -> None:
    outcomes: Counter[str] = Counter()
    sentences: list[str] = []

    @settings(
        max_examples=1000,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(TEMPLATES, GROUPS, LISTS, OPTIONS, COMPANIES)
    def try_one(text: str, groups: str, attributes: str, options: dict[str, Any], families: list[str]) -> None:
        try:
            result = run(
                [load(family) for family in families],
                [Template.parse(text)],
                sources.parse_groups(groups),
                sources.parse_words(attributes),
                options,
            )
        except TiltmeterError as error:
            sentences.append(str(error))
            outcomes[type(error).__name__] += 1
            return
        outcomes["result"] += 1
        document = json.loads(to_json(result), parse_constant=refuse_constant)
        assert all(math.isfinite(number) for number in numbers(document))
        check(document)

    try_one()
    assert sum(outcomes.values()) >= 1000
    assert all(sentence.strip() for sentence in sentences)
    # Each way out was taken often enough to mean something. How often shifts a little with every change of the
    # program: Hypothesis draws words from its sources too.
    for way, least in {"result": 200, "TemplateError": 50, "WordListError": 50, "NothingToScore": 10}.items():
        assert outcomes[way] >= least, outcomes


def test_a_number_that_is_none_would_be_noticed() -> None:
    with pytest.raises(AssertionError, match="NaN is no JSON number"):
        json.loads('{"lpbs": NaN}', parse_constant=refuse_constant)
