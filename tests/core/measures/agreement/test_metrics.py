"""Metrics against each other over models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.errors import NothingToScore, OptionError
from core.measures.agreement.compute import join
from core.measures.agreement.compute import metrics_of_model as run
from core.measures.agreement.metrics import LPBS_TEMPLATE, METRICS, Materials, attention, computable, metric_by_id
from core.measures.agreement.result import AgreementOptions, AgreementResult
from core.result import Note
from core.run import Callbacks
from core.sources import corpus, own_test
from core.sources.benchmarks import Association, Data, Problem, SentencePair
from core.sources.blanks import delobelle_words
from core.sources.measured import Column
from core.stats.agreement import critical_r
from core.stats.effects import effect_size
from tests.support import association
from tests.support import profession_results as professions
from tests.support.benchmark_results import measured

PAIRS = Data(
    (
        SentencePair("1", "gender", "She is a nurse.", "He is a nurse.", "stereo"),
        SentencePair("2", "gender", "The woman cried.", "The man cried.", "stereo"),
        SentencePair("3", "age", "The old man fell.", "The young man fell.", "stereo"),
    ),
    "by hand",
)
ITEMS = Data((Association("1", "gender", "girl", "The girl is BLANK.", "kind", "strong", "chair"),), "by hand")


def values(result: AgreementResult) -> dict[str, float]:
    return dict(zip(result.detail["name"], result.detail["value"], strict=True))


def made(model: LoadedModel, name: str, **points: float) -> AgreementResult:
    """A result as ``run`` gives it, with these values."""
    names = list(points)
    result = run(model, ["weat"], Materials())
    info = replace(model.info, name=name)
    rows = [(None, None, metric_id, name, value) for metric_id, value in points.items()]
    return replace(
        result,
        detail=pd.DataFrame(rows, columns=result.detail.columns),
        names=tuple((one, one) for one in names),
        provenance=replace(result.provenance, models=(info,)),
    )


def test_weat_is_the_effect_size_of_input_embeddings(embedded: LoadedModel) -> None:
    words = delobelle_words()

    def units(group: tuple[str, ...]) -> np.ndarray:
        vectors = Encoder(embedded).input_vectors(group).vectors.astype(np.float64)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    a, b = units(words.a.words), units(words.b.words)
    x, y = ((units(g) @ a.T).mean(axis=1) - (units(g) @ b.T).mean(axis=1) for g in (words.x.words, words.y.words))
    assert values(run(embedded, ["weat"], Materials()))["weat"] == pytest.approx(float(effect_size(x, y)), abs=1e-6)


def test_benchmarks_count_their_gender_items_alone(embedded: LoadedModel) -> None:
    materials = Materials(PAIRS, ITEMS)
    found = values(run(embedded, ["crows-pairs", "aul", "stereoset"], materials))
    of_gender = Data(PAIRS.items[:2], "by hand")
    for name in ("crows-pairs", "aul"):
        alone = measured([embedded], name, of_gender)["measures"]
        assert found[name] == alone.loc[alone["bias_type"] == "all", "value"].iloc[0]
    assert found["stereoset"] in (0.0, 100.0)


def test_what_a_number_does_not_rest_on_is_said(embedded: LoadedModel) -> None:
    """The embedded model knows neither emoji: the pair is excluded from the metrics as it is on the benchmarks page."""
    odd = SentencePair("4", "gender", "The 👩 cried.", "The 👨 cried.", "stereo")
    lost = Data((*PAIRS.items, odd), "by hand", (Problem(2, "pairs lack a sentence"),))
    result = run(embedded, ["crows-pairs", "aul"], Materials(lost))
    assert values(result) == values(run(embedded, ["crows-pairs", "aul"], Materials(PAIRS)))
    assert [(item.test, item.reason) for item in result.left_out] == [
        (name, f"{title}: 4: differs in what is unknown to this model (“👩”, “👨”).")
        for name, title in (("crows-pairs", "CrowS-Pairs"), ("aul", "AUL"))
    ]
    assert [note.text for note in result.notes] == ["2 pairs lack a sentence; excluded."]


def test_what_needs_a_file_says_so(embedded: LoadedModel) -> None:
    result = run(embedded, ["weat", "crows-pairs", "stereoset", "ceat"], Materials())
    assert list(values(result)) == ["weat"]
    assert [one.reason for one in result.left_out] == [
        "CrowS-Pairs: needs the file of CrowS-Pairs",
        "StereoSet, stereotype score: needs the file of StereoSet",
        "CEAT: needs sentences, one a line",
    ]
    assert computable(Materials()) == [one.id for one in METRICS if not one.needs]
    assert "ceat" in computable(Materials(sentences=("She is a nurse.",)))


def test_one_model_has_values_and_no_correlation(embedded: LoadedModel) -> None:
    result = join([run(embedded, ["weat", "seat"], Materials())])
    assert len(result.detail) == 2
    (row,) = result.summary.to_dict("records")
    assert (row["metric_a"], row["metric_b"], row["n"]) == ("weat", "seat", 1)
    assert np.isnan(row["r"])
    assert any("n = 1, at least 4 are required" in one.reason for one in result.left_out)


def test_five_models_by_hand_and_a_column_of_the_users(embedded: LoadedModel) -> None:
    weat, seat = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 5.0]
    results = [made(embedded, f"m{i}", weat=w, seat=s) for i, (w, s) in enumerate(zip(weat, seat, strict=True))]
    own = Column("task", (("m0", 3.0), ("m1", 3.0), ("m2", 3.0), ("m3", 3.0), ("m4", 3.0), ("elsewhere", 1.0)))
    result = join(results, [own])
    rows = result.summary.set_index(["metric_a", "metric_b"])
    assert rows.loc[("weat", "seat"), "r"] == pytest.approx(0.8)  # Σ of products 8 over √(10 · 10)
    assert np.isnan(rows.loc[("weat", "seat"), "p"])  # five models are fewer than the six that a p takes
    assert result.critical == {5: critical_r(5)}
    assert result.summary["significant"].isna().all()
    assert np.isnan(rows.loc[("weat", "task"), "r"])
    reasons = [one.reason for one in result.left_out]
    assert "weat and task: undefined: no variation" in reasons
    assert "task: elsewhere is not among the models" in reasons
    assert "correlations: p not computed, n too small (5 of at least 6 points)" in reasons
    assert [info.name for info in result.provenance.models] == [f"m{i}" for i in range(5)]


def test_six_models_have_a_p(embedded: LoadedModel) -> None:
    weat, seat = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 1.0, 4.0, 3.0, 5.0, 7.0]
    results = [made(embedded, f"m{i}", weat=w, seat=s) for i, (w, s) in enumerate(zip(weat, seat, strict=True))]
    result = join(results)
    assert result.summary["p"].tolist() == pytest.approx([pearsonr(weat, seat).pvalue])
    assert not result.left_out


def test_what_is_noted_on_any_of_the_models_stays(embedded: LoadedModel) -> None:
    first, second = made(embedded, "m0", weat=1.0), made(embedded, "m1", weat=2.0)
    both, own = Note("Both read this."), Note("was stopped", "m1")
    result = join([replace(first, notes=(both,)), replace(second, notes=(both, own))])
    assert result.notes == (both, own)


def test_a_model_without_a_number_takes_only_its_own_point(embedded: LoadedModel) -> None:
    results = [made(embedded, f"m{i}", weat=float(i), seat=float(i * i)) for i in range(4)]
    results.append(made(embedded, "m4", weat=4.0))
    result = join([replace(one, names=results[0].names) for one in results])
    assert result.summary["n"].tolist() == [4]
    assert result.summary["r"].notna().all()


def test_a_causal_model_has_the_metrics_it_can_have() -> None:
    from tests.support.watching import load_tiny

    result = run(load_tiny("gpt2"), ["weat", "disco", "crows-pairs"], Materials(PAIRS))
    assert set(values(result)) <= {"weat", "crows-pairs"}
    assert any(one.test == "disco" and "mask" in one.reason for one in result.left_out)


def test_attention_maps_are_asked_for_only_where_they_are_weights() -> None:
    assert attention(["weat", "aul"]) == "default"
    assert attention(["weat", "aula"]) == "eager"
    assert metric_by_id("aula").needs == "crows_pairs"


def test_what_is_refused(embedded: LoadedModel) -> None:
    with pytest.raises(OptionError, match="no metric “weta”"):
        run(embedded, ["weta"], Materials())
    with pytest.raises(OptionError, match="No metric is chosen"):
        run(embedded, [], Materials())
    with pytest.raises(OptionError, match="method is “tau”"):
        run(embedded, ["weat"], Materials(), AgreementOptions(method="tau"))
    stopped = run(embedded, ["weat"], Materials(), run=Callbacks(cancelled=lambda: True))
    assert "was not reached: the run was stopped" in stopped.left_out[0].reason
    with pytest.raises(NothingToScore, match="No metric could be computed"):
        join([stopped])


def test_lpbs_is_the_association_test_in_its_manner(embedded: LoadedModel) -> None:
    """Another way to the same d: the professions are the sets A and B, she and he stand for X and Y."""
    words = delobelle_words()
    test = own_test(
        ("she",), ("he",), words.x.words, words.y.words,
        templates=(LPBS_TEMPLATE,), group1=("she",), group2=("he",),
    )  # fmt: skip
    summary = association.run([embedded], [test], ["lpbs"])["tests"]
    found = values(run(embedded, ["lpbs"], Materials()))["lpbs"]
    assert found == pytest.approx(summary["effect_size"].iloc[0], abs=1e-5)


def test_becpro_is_between_the_female_and_the_male_professions(embedded: LoadedModel) -> None:
    detail = professions.run([embedded], [corpus("en")])["sentences"]
    means = detail.pivot_table(index=["group", "profession"], columns="gender", values="association")
    apart = means["female"] - means["male"]
    x, y = (apart[group].to_numpy() for group in ("female", "male"))
    d = (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1)
    assert values(run(embedded, ["becpro"], Materials()))["becpro"] == pytest.approx(d, abs=1e-6)


def test_ceat_reads_the_words_in_the_users_sentences(embedded: LoadedModel) -> None:
    words = delobelle_words()
    every = [word for group in (words.x, words.y, words.a, words.b) for word in group.words]
    sentences = tuple(f"{start} {word} was there." for word in every for start in ("The", "My", "That"))
    result = run(embedded, ["ceat"], Materials(sentences=sentences))
    assert list(values(result)) == ["ceat"], [one.reason for one in result.left_out]
    assert 0 < values(result)["ceat"] < 2
    assert any("sentences of the user's own" in source for source in result.provenance.data)
