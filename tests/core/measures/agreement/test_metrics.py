"""Metrics against each other over models."""

from __future__ import annotations

import csv
import functools
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.errors import ModelError, ModelNotFound, NothingToScore, OptionError
from core.measures.agreement import words
from core.measures.agreement.choices import Compared
from core.measures.agreement.compute import joined, measure
from core.measures.agreement.metrics import LPBS_TEMPLATE, METRICS, metric_by_id
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.measures.association.direction.spec import DirectionSpec
from core.measures.benchmarks.registry import benchmark
from core.report.methods import methods_paragraph
from core.result import Note
from core.run import Run
from core.sources import corpus, own_test
from core.sources.blanks import delobelle_words
from core.spec import File
from core.stats.agreement import critical_r
from core.stats.effects import effect_size
from tests.core.measures.agreement.test_outcomes import F1, NEITHER, task
from tests.support import association
from tests.support import profession_results as professions
from tests.support.benchmark_results import measured
from tests.support.watching import load_tiny

ROWS = (
    ("She is a nurse.", "He is a nurse.", "gender"),
    ("The woman cried.", "The man cried.", "gender"),
    ("The old man fell.", "The young man fell.", "age"),
)
ITEMS = File.of(
    "dev.json",
    json.dumps(
        {
            "data": {
                "intrasentence": [
                    {
                        "id": "1", "bias_type": "gender", "target": "girl", "context": "The girl is BLANK.",
                        "sentences": [
                            {"sentence": f"The girl is {word}.", "gold_label": label}
                            for word, label in (
                                ("kind", "stereotype"), ("strong", "anti-stereotype"), ("chair", "unrelated")
                            )
                        ],
                    }
                ]
            }
        }
    ).encode(),
)  # fmt: skip


def crows(*rows: tuple[str, str, str]) -> File:
    """A file as CrowS-Pairs has it."""
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["", "sent_more", "sent_less", "stereo_antistereo", "bias_type"])
    writer.writerows((at, more, less, "stereo", kind) for at, (more, less, kind) in enumerate(rows, 1))
    return File.of("crows.csv", table.getvalue().encode())


PAIRS = crows(*ROWS)


def run(model: LoadedModel, names: list[str], stop: bool = False, **asked: Any) -> AgreementResult:
    """The metrics of one model."""
    spec = AgreementSpec(compare=Compared.METRICS, models=(model.info.name,), metrics=names, **asked)
    return measure(spec, [model], stopped() if stop else Run())


def stopped() -> Run[Any]:
    run: Run[Any] = Run()
    run.stop("nobody")
    return run


def values(result: AgreementResult) -> dict[str, float]:
    return dict(zip(result["points"]["name"], result["points"]["value"], strict=True))


@functools.cache
def run_once(model: LoadedModel, *names: str) -> AgreementResult:
    return run(model, list(names))


def made(model: LoadedModel, name: str, **numbers: float) -> AgreementResult:
    """The metrics of a model of this name, with these values."""
    result = run_once(model, *numbers)
    rows = [
        {"model": name, "representation": None, "name": metric, "point": 1, "value": value}
        for metric, value in numbers.items()
    ]
    return replace(
        result,
        tables={**result.tables, "points": result.SCHEMA.tables["points"].frame(rows)},
        excluded=(),
        provenance=replace(result.provenance, models=(replace(model.info, name=name, id=name, digest=name),)),
    )


def join(results: Sequence[AgreementResult | ModelError | None], columns: str = "") -> AgreementResult:
    """The metrics of these models, m0 and so on, and columns of a CSV file, against each other."""
    first = next(result for result in results if isinstance(result, AgreementResult))
    names = tuple(f"m{at}" for at in range(len(results)))
    file = File.of("own.csv", columns.encode()) if columns else None
    return joined(replace(first.spec, models=names, columns=file), results)


def test_weat_is_the_effect_size_of_input_embeddings(embedded: LoadedModel) -> None:
    words = delobelle_words()

    def units(group: tuple[str, ...]) -> np.ndarray:
        vectors = Encoder(embedded).input_vectors(group).vectors.astype(np.float64)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    a, b = units(words.a.words), units(words.b.words)
    x, y = ((units(g) @ a.T).mean(axis=1) - (units(g) @ b.T).mean(axis=1) for g in (words.x.words, words.y.words))
    assert values(run(embedded, ["weat"]))["weat"] == pytest.approx(float(effect_size(x, y)), abs=1e-6)


def test_the_gender_direction_is_that_of_its_own_measure(embedded: LoadedModel) -> None:
    result = DirectionSpec(representations=("pooled-in-templates",)).measure([embedded], Run())
    found = values(run(embedded, ["gender-direction", "direct-bias"]))
    pearson = result["correlations"].set_index("method").loc["pearson", "r"]
    assert found == {"gender-direction": pearson, "direct-bias": result["directions"]["direct_bias"][0]}
    assert pearson > 0.3  # of professions with more women the vectors lie further towards the female words


def test_benchmarks_count_their_gender_items_alone(embedded: LoadedModel) -> None:
    found = values(run(embedded, ["crows-pairs", "aul", "stereoset"], crows_pairs=PAIRS, stereoset=ITEMS))
    of_gender = benchmark("crows-pairs").read([(crows(*ROWS[:2]).data, "crows.csv")])
    for name in ("crows-pairs", "aul"):
        alone = measured([embedded], name, of_gender)["measures"]
        assert found[name] == alone.loc[alone["bias_type"] == "all", "value"].iloc[0]
    assert found["stereoset"] in (0.0, 100.0)


def test_what_a_number_does_not_rest_on_is_said(embedded: LoadedModel) -> None:
    """The embedded model knows neither emoji: the pair is excluded from the metrics as it is on the benchmarks page."""
    lost = crows(*ROWS, ("The 👩 cried.", "The 👨 cried.", "gender"), ("", "He fell.", "gender"))
    result = run(embedded, ["crows-pairs", "aul"], crows_pairs=lost)
    assert values(result) == values(run(embedded, ["crows-pairs", "aul"], crows_pairs=PAIRS))
    assert [(item.test, item.why) for item in result.excluded if item.test != "correlation"] == [
        (name, f"{title}: 4: differs in what is unknown to this model (“👩”, “👨”).")
        for name, title in (("crows-pairs", "CrowS-Pairs"), ("aul", "AUL"))
    ]
    (note,) = result.notes
    assert note.text.startswith("1 ")
    assert note.text.endswith("; excluded.")


def test_what_needs_a_file_says_so(embedded: LoadedModel) -> None:
    result = run(embedded, ["weat", "crows-pairs", "stereoset", "ceat"])
    assert list(values(result)) == ["weat"]
    assert [item.why for item in result.excluded if item.test != "correlation"] == [
        "CrowS-Pairs: needs the file of CrowS-Pairs.",
        "StereoSet, stereotype score: needs the file of StereoSet.",
        "CEAT: needs sentences, one per line.",
    ]
    spec = AgreementSpec(compare=Compared.METRICS)
    assert spec.chosen_metrics == tuple(metric for metric in METRICS if not metric.needs)
    with_sentences = replace(spec, sentences=File.of("mine.txt", b"She is a nurse."))
    assert metric_by_id("ceat") in with_sentences.chosen_metrics


def test_one_model_has_values_and_no_correlation(embedded: LoadedModel) -> None:
    result = run(embedded, ["weat", "seat"])
    assert len(result["points"]) == 2
    (row,) = result["pairs"].to_dict("records")
    assert (row["a"], row["b"], row["n"]) == ("weat", "seat", 1)
    assert np.isnan(row["r"])
    assert any("n = 1, at least 4 are required" in item.why for item in result.excluded)


def test_five_models_by_hand_and_a_column_of_the_users(embedded: LoadedModel) -> None:
    weat, seat = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 5.0]
    results = [made(embedded, f"m{i}", weat=w, seat=s) for i, (w, s) in enumerate(zip(weat, seat, strict=True))]
    own = "model,task\n" + "".join(f"m{at},3\n" for at in range(5)) + "elsewhere,1\n"
    result = join(results, own)
    rows = result["pairs"].set_index(["a", "b"])
    assert rows.loc[("weat", "seat"), "r"] == pytest.approx(0.8)  # Σ of products 8 over √(10 · 10)
    assert np.isnan(rows.loc[("weat", "seat"), "p"])  # five models are fewer than the six that a p takes
    assert result.critical == {5: critical_r(5)}
    assert not result["pairs"]["significant"].any()
    assert np.isnan(rows.loc[("weat", "task"), "r"])
    reasons = [item.why for item in result.excluded]
    assert "weat and task: undefined: no variation." in reasons
    assert "task: elsewhere is not among the models." in reasons
    assert "correlations: p not computed, n too small (5 of at least 6 points)." in reasons
    assert [info.name for info in result.provenance.models] == [f"m{i}" for i in range(5)]


def test_six_models_have_a_p(embedded: LoadedModel) -> None:
    weat, seat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 1.0, 4.0, 3.0, 5.0, 7.0]
    results = [made(embedded, f"m{i}", weat=w, seat=s) for i, (w, s) in enumerate(zip(weat, seat, strict=True))]
    result = join(results)
    assert result["pairs"]["p"].tolist() == pytest.approx([pearsonr(weat, seat).pvalue])
    assert not result.excluded


def test_a_downstream_result_is_a_column_of_the_models_it_is_of(embedded: LoadedModel) -> None:
    weat, f1 = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.02, 0.01, 0.04, 0.03, 0.05, 0.07]
    results = [made(embedded, f"m{i}", weat=value) for i, value in enumerate(weat)]
    infos = [result.provenance.models[0] for result in results]
    # Known by its files: in the saved result the models have other names.
    brought = task(
        "gap.tilt",
        *(replace(info, name=f"other {at}", id=f"elsewhere {at}") for at, info in enumerate(infos)),
        **{f"other {at}": value for at, value in enumerate(f1)},
    )
    spec = replace(results[0].spec, models=tuple(info.name for info in infos))
    file = File.of("gap.tilt", brought.result.to_bytes())
    result = joined(replace(spec, downstream=(file,)), results)
    rows = result["pairs"].set_index(["a", "b"])
    assert rows.loc[("weat", F1), "r"] == pytest.approx(pearsonr(weat, f1).statistic)
    assert rows.loc[("weat", F1), "p"] == pytest.approx(pearsonr(weat, f1).pvalue)
    assert result.is_cross("weat", F1)
    assert not result.is_cross(F1, NEITHER)
    assert not result.excluded
    support = words.finding(result).support
    assert "Metrics with downstream results, 2 pairs, 2 with p < .05; the strongest is WEAT, input embedding" in support
    text = methods_paragraph(result)
    assert "1 metric and 2 numbers of downstream tasks were compared" in text
    assert "above 0: higher for feminine pronouns" in text
    assert any("gap.tilt: Pronoun resolution on GAP" in source for source in result.provenance.data)
    assert replace(spec, downstream=(file,)).parts == tuple(replace(spec, models=(info.name,)) for info in infos)


def test_what_is_noted_on_any_of_the_models_stays(embedded: LoadedModel) -> None:
    first, second = made(embedded, "m0", weat=1.0), made(embedded, "m1", weat=2.0)
    both, own = Note("Both read this."), Note("was stopped", "m1")
    result = join([replace(first, notes=(both,)), replace(second, notes=(both, own))])
    assert result.notes == (both, own)


def test_a_model_without_a_number_takes_only_its_own_point(embedded: LoadedModel) -> None:
    results = [made(embedded, f"m{i}", weat=float(i), seat=float(i * i)) for i in range(4)]
    last = made(embedded, "m4", weat=4.0, seat=0.0)
    without = last["points"][last["points"]["name"] == "weat"]
    results.append(replace(last, tables={**last.tables, "points": without}))
    result = join(results)
    assert result["pairs"]["n"].tolist() == [4]
    assert result["pairs"]["r"].notna().all()


def test_a_causal_model_has_the_metrics_it_can_have() -> None:
    from tests.support.watching import load_tiny

    result = run(load_tiny("gpt2"), ["weat", "disco", "crows-pairs"], crows_pairs=PAIRS)
    assert set(values(result)) <= {"weat", "crows-pairs"}
    assert any(item.test == "disco" and "mask" in item.why for item in result.excluded)


def test_attention_maps_are_asked_for_only_where_they_are_weights() -> None:
    for names, attention in ((["weat", "aul"], "default"), (["weat", "aula"], "eager")):
        spec = AgreementSpec(compare=Compared.METRICS, metrics=names)
        assert [request.attention for request in spec.requests()] == [attention]
    assert metric_by_id("aula").needs == "crows_pairs"


def test_what_is_refused(embedded: LoadedModel) -> None:
    with pytest.raises(OptionError, match="no metric “weta”"):
        run(embedded, ["weta"])
    with pytest.raises(OptionError, match="Correlation: “tau” is not possible"):
        run(embedded, ["weat"], method="tau")
    nothing = run(embedded, ["weat"], stop=True)
    assert nothing.stopped
    assert "was not reached: the run was stopped" in nothing.excluded[0].why
    with pytest.raises(NothingToScore, match="No metric could be computed"):
        join([nothing])


def test_a_model_that_refused_and_one_that_was_not_reached_are_listed(embedded: LoadedModel) -> None:
    result = join([made(embedded, "m0", weat=1.0), ModelNotFound("The hub has no model m1."), None])
    assert result.models == ("m0",)
    assert result.stopped
    assert [(item.model, item.why) for item in result.excluded if item.kind == "model"] == [
        ("m1", "The hub has no model m1."), ("m2", "m2 was not reached: the run was stopped."),
    ]  # fmt: skip


def test_lpbs_is_the_association_test_in_its_manner(embedded: LoadedModel) -> None:
    """Another way to the same d: the professions are the sets A and B, she and he stand for X and Y."""
    words = delobelle_words()
    test = own_test(
        ("she",), ("he",), words.x.words, words.y.words,
        templates=(LPBS_TEMPLATE,), group1=("she",), group2=("he",),
    )  # fmt: skip
    summary = association.run([embedded], [test], ["lpbs"])["tests"]
    found = values(run(embedded, ["lpbs"]))["lpbs"]
    assert found == pytest.approx(summary["effect_size"].iloc[0], abs=1e-5)


def test_becpro_is_between_the_female_and_the_male_professions() -> None:
    model = load_tiny("bert")
    detail = professions.run([model], [corpus("en")])["sentences"]
    means = detail.pivot_table(index=["group", "profession"], columns="gender", values="association")
    apart = means["female"] - means["male"]
    x, y = (apart[group].to_numpy() for group in ("female", "male"))
    d = (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1)
    assert values(run(model, ["becpro"]))["becpro"] == pytest.approx(d, abs=1e-6)


def test_ceat_reads_the_words_in_the_users_sentences(embedded: LoadedModel) -> None:
    words = delobelle_words()
    every = [word for group in (words.x, words.y, words.a, words.b) for word in group.words]
    sentences = tuple(f"{start} {word} was there." for word in every for start in ("The", "My", "That"))
    result = run(embedded, ["ceat"], sentences=File.of("mine.txt", "\n".join(sentences).encode()))
    assert list(values(result)) == ["ceat"], [item.why for item in result.excluded]
    assert 0 < values(result)["ceat"] < 2
    assert any("own sentences" in source for source in result.provenance.data)
