"""Association tests as a whole: what is lost and said, static vectors, the frames, and options that do not exist."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.loading import LoadedModel
from core.errors import NothingToScore, WordListError
from core.measures.association.result import AssociationResult
from core.sources import AssociationTest, association_test, own_test
from tests.support.association import cells, document, lost, refusals, row, run, weat_d
from tests.support.watching import copy_of, load_folder, load_tiny

X, Y = ("engineer", "programmer", "chairman"), ("nurse", "secretary", "housekeeper")
A, B = ("he", "man", "brother"), ("she", "woman", "sister")
TEST = own_test(X, Y, A, B, templates=("[TARGET] is a [ATTRIBUTE].",), group1=("he",), group2=("she",))
REPRESENTATIONS = ["input-embedding", "cls-in-templates", "pooled-no-context", "vulic", "partner-masked", "lpbs"]


@pytest.fixture(scope="module")
def wrong_case(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A lower-case vocabulary, lower-casing off, without ``##q``: "Brother" and "zzxq" are unknown, "uncle" is not."""
    folder = copy_of("bert-wrong-case", tmp_path_factory.mktemp("models") / "wrong")
    settings = folder / "tokenizer.json"
    text = settings.read_text()
    assert text.count('"##q"') == 1
    settings.write_text(text.replace('"##q"', '"[unused]"'))
    return load_folder(folder)


def of(model: LoadedModel, test: AssociationTest, *rulers: str, **options: Any) -> AssociationResult:
    return run([model], [test], rulers or REPRESENTATIONS, **options)


def check_reasons(result: AssociationResult) -> None:
    """No NaN in the file; a row without a value has its sentence; values lie where they must."""
    explained = {(item.model, item.test, item.representation) for item in result.excluded if item.kind == "statistic"}
    for line in document(result)["tables"]["tests"]:
        if line["effect_size"] is None:
            assert (line["model"], line["test"], line["representation"]) in explained
            assert {line[name] for name in ("ci_low", "p_two_sided", "p_adjusted", "n_x", "n_permutations")} == {None}
        else:
            if min(line["n_x"], line["n_y"]) < 6:
                assert (line["ci_low"], line["ci_high"]) == (None, None)
                assert (line["model"], line["test"], line["representation"]) in explained
            else:
                assert line["ci_low"] <= line["effect_size"] <= line["ci_high"]
            assert 0 < line["p_two_sided"] <= line["p_adjusted"] <= 1
    for cell in cells(result):
        for values in (cell.s_x, cell.s_y, cell.matrix):
            assert np.isfinite(values).all()
        assert cell.matrix.shape == (
            len(cell.members_x) + len(cell.members_y), len(cell.members_a) + len(cell.members_b)
        )  # fmt: skip
    assert all(item.why and not item.why.endswith("..") for item in result.excluded)
    assert result["members"]["association"].notna().all()
    bars = result["distribution"].groupby(["model", "test", "representation"])["count"].sum()
    computed = result["tests"].dropna(subset="effect_size").set_index(["model", "test", "representation"])
    assert bars.to_dict() == computed["n_permutations"].clip(upper=10_000).to_dict()


@pytest.mark.parametrize("one", ["input-embedding", "pooled-no-context", "pooled-in-templates", "cls-in-templates"])
def test_two_of_three_members_lost(wrong_case: LoadedModel, one: str) -> None:
    """cases.md, 6"""
    test = own_test(("Brother", "zzxq", "uncle"), Y, ("he", "zzxq man"), B)
    known = own_test(Y, X, A, B)
    result = run([wrong_case], [test, known], [one])
    found = result["tests"].iloc[0]
    assert math.isnan(found.effect_size)
    assert refusals(result.excluded) == [f"own by {one}: not computed, X kept 1 of 3"]
    assert lost(result, one) == {
        ("X", "Brother"): "Brother is unknown to this model",
        ("X", "zzxq"): "zzxq is unknown to this model",
        ("A", "zzxq man"): "zzxq man is unknown to this model",
    }
    check_reasons(result)
    with pytest.raises(NothingToScore) as caught:
        run([wrong_case], [test], [one])
    assert str(caught.value) == f"No test could be computed. own by {one}: not computed, X kept 1 of 3."


@pytest.mark.parametrize("one", ["input-embedding", "pooled-no-context", "cls-in-templates"])
def test_one_of_three_members_lost_leaves_a_value_with_the_counts(wrong_case: LoadedModel, one: str) -> None:
    """The value is that of the test without the lost words."""
    test = own_test(("Brother", "nurse", "uncle"), ("doctor", "teacher"), ("he", "zzxq"), B)
    result = run([wrong_case], [test], [one])
    found = row(result, representation=one)
    assert (found.n_x, found.n_y, found.n_a, found.n_b) == (2, 2, 1, 3)
    assert set(lost(result, one)) == {("X", "Brother"), ("A", "zzxq")}
    kept = row(run([wrong_case], [own_test(("nurse", "uncle"), ("doctor", "teacher"), ("he",), B)], [one]), test="own")
    assert found.effect_size == pytest.approx(kept.effect_size, rel=1e-5)
    assert found.n_permutations == 6
    check_reasons(result)


def test_a_sentence_with_an_unknown_word_is_lost_wherever_it_stands(wrong_case: LoadedModel) -> None:
    """The members are the sentences: lost is what contains the unknown token, and "This" has a capital letter."""
    irani = association_test("irani")
    with pytest.raises(NothingToScore, match="X kept 0 of 8, Y kept 0 of 8"):
        run([wrong_case], [irani], ["cls-in-templates"])


@pytest.mark.parametrize("one", ["input-embedding", "pooled-no-context", "first-piece-in-templates", "partner-masked"])
def test_kurita_s_rule_loses_words_of_several_pieces(one: str) -> None:
    """With it a word is lost whose pieces are named; without it the word stays."""
    design: dict[str, Any] = {"templates": ("The [TARGET] is a [ATTRIBUTE].",), "group1": ("he",), "group2": ("she",)}
    test = own_test(X, (*Y, "chairwoman"), A, B, **design)
    assert lost(of(load_tiny("bert"), test, one), one) == {}
    result = of(load_tiny("bert"), test, one, lost="several pieces")
    assert lost(result, one) == {("Y", "chairwoman"): "chairwoman = chair + ##woman: not a single token"}
    assert row(result, test="own").n_y == 3
    without = own_test(X, Y, A, B, **design)
    assert row(result, test="own").effect_size == pytest.approx(
        row(of(load_tiny("bert"), without, one), test="own").effect_size, rel=1e-5
    )


def test_sentences_are_not_words_of_several_pieces() -> None:
    result = of(
        load_tiny("bert"), association_test("irani"), "cls-in-templates", "input-embedding", lost="several pieces"
    )
    assert result.excluded == ()
    assert result["tests"]["n_x"].tolist() == [8, 8]


@pytest.mark.parametrize("one", ["input-embedding", "pooled-no-context"])
def test_unequal_sets_may_be_made_equal_by_seed(one: str) -> None:
    long = (*Y, "teacher", "manager", "friend", "doctor")
    model, test = load_tiny("bert"), own_test(X, long, A, ("she", "woman"))
    kept = row(of(model, test, one), test="own")
    assert (kept.n_x, kept.n_y, kept.n_a, kept.n_b) == (3, 7, 3, 2)
    results = [of(model, test, one, unequal="drop", seed=seed) for seed in (0, 0, 1, 2)]
    dropped = [tuple(word for _, word in lost(result, one)) for result in results]
    assert dropped[0] == dropped[1]
    assert len(set(dropped)) > 1
    for result in results:
        found = row(result, test="own")
        assert (found.n_x, found.n_y, found.n_a, found.n_b) == (3, 3, 2, 2)
        assert {letter for letter, _ in lost(result, one)} == {"Y", "A"}
        assert set(lost(result, one).values()) == {
            f"{word} is dropped at random to make the sets equal" for _, word in lost(result, one)
        }
        gone = {word for _, word in lost(result, one)}
        rest = [tuple(word for word in words if word not in gone) for words in (X, long, A, ("she", "woman"))]
        same = row(of(model, own_test(*rest), one), test="own")
        assert found.effect_size == pytest.approx(same.effect_size, rel=1e-5)


def test_the_curve_over_layers_is_of_the_members_kept() -> None:
    """Sets made equal: the last layer of the curve is the d of the row."""
    result = of(load_tiny("bert"), own_test(X, (*Y, "teacher", "manager"), A, B), "pooled-no-context", unequal="drop")
    curve = dict(zip(result["layers"]["layer"], result["layers"]["effect_size"], strict=True))
    assert curve[2] == pytest.approx(row(result, test="own").effect_size, rel=1e-6)


def test_the_curve_over_layers_is_d_by_the_layer_option() -> None:
    rulers = [
        "cls-no-context",
        "pooled-no-context",
        "pooled-in-templates",
        "first-piece-in-templates",
        "partner-masked",
    ]
    model = load_tiny("bert")
    result = of(model, TEST, *rulers, "input-embedding", "lpbs", "vulic")
    last = {
        (item, layer): d
        for item, layer, d in result["layers"][["representation", "layer", "effect_size"]].itertuples(index=False)
    }
    assert {part for part, _ in last} == {*rulers, "vulic"}  # what knows no layers has no curve
    for layer in (1, 2):
        at = of(model, TEST, *rulers, "vulic", layer=layer)
        for entry in (*rulers, "vulic"):
            assert last[entry, layer] == pytest.approx(row(at, representation=entry).effect_size, rel=1e-5), (
                entry,
                layer,
            )
    for ruler in rulers:
        assert last[ruler, 2] == pytest.approx(row(result, representation=ruler).effect_size, rel=1e-5)


def write_vectors(path: Path, vectors: dict[str, list[float]]) -> Path:
    path.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items()))
    return path


# metrics.md §2, worked: s = 1, .2, .68 | −.2, −1
WORKED = {"x1": [1, 0], "x2": [4, 3], "x3": [24, 7], "y1": [3, 4], "y2": [0, 1], "a": [1, 0], "b": [0, 1]}
WORKED_TEST = own_test(("x1", "x2", "x3"), ("y1", "y2"), ("a",), ("b",))


def test_a_file_of_vectors_is_a_model_of_its_own(tmp_path: Path) -> None:
    """cases.md, 5: d = 1.5674, with ddof 0 1.7524; 10 partitions, both p .1"""
    path = write_vectors(tmp_path / "glove.txt", WORKED)
    result = run([], [WORKED_TEST], [], vectors=path)
    found = row(result, model="glove.txt")
    assert (found.representation, found.layer, found.templates) == ("vectors", "file", 0)
    assert found.effect_size == pytest.approx(1.5674, abs=5e-5)
    assert (found.p_one_sided, found.p_two_sided, found.n_permutations) == (0.1, 0.1, 10)
    assert (found.n_x, found.n_y, found.n_a, found.n_b) == (3, 2, 1, 1)
    assert result["members"]["association"].tolist() == pytest.approx([1, 0.2, 0.68, -0.2, -1], abs=1e-6)
    assert result["layers"].empty
    population = row(run([], [WORKED_TEST], [], ddof=0, vectors=path), test="own")
    assert population.effect_size == pytest.approx(1.7524, abs=5e-5)
    smaller = run([], [own_test(("x1", "x2"), ("y1", "y2"), ("a",), ("b",))], [], vectors=path)
    assert row(smaller, test="own").effect_size == pytest.approx(1.4412, abs=5e-5)
    assert row(smaller, test="own").p_two_sided == pytest.approx(1 / 3)


def test_a_file_of_vectors_beside_a_model(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    vectors = {word: generator.normal(size=5).tolist() for word in (*X[:2], *Y, *A, *B)}
    path = write_vectors(tmp_path / "vectors.txt", vectors)
    result = run([load_tiny("bert")], [TEST], ["input-embedding"], vectors=path)
    assert list(zip(result["tests"]["model"], result["tests"]["representation"], strict=True)) == [
        ("bert", "input-embedding"),
        ("vectors.txt", "vectors"),
    ]
    assert lost(result, "vectors") == {("X", "chairman"): "chairman is not in vectors.txt"}
    expected = weat_d(*([np.array(vectors[word]) for word in words if word in vectors] for words in (X, Y, A, B)))
    assert row(result, representation="vectors").effect_size == pytest.approx(expected, rel=1e-5)


def test_a_file_of_vectors_is_known_by_its_content(tmp_path: Path) -> None:
    """The provenance holds its SHA-256; beside a model of its name it is told apart."""
    path = write_vectors(tmp_path / "bert", {word: [float(at), 1.0] for at, word in enumerate((*X, *Y, *A, *B))})
    result = run([load_tiny("bert")], [TEST], ["input-embedding"], vectors=path)
    assert list(result["tests"]["model"]) == ["bert", "bert (file)"]
    assert f"vectors of bert, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}" in result.provenance.data


def test_a_file_without_these_words_takes_no_model_s_numbers_away(tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "german.txt", {"das": [1.0, 2.0], "ist": [0.5, 1.0]})
    result = run([load_tiny("bert")], [TEST], ["input-embedding"], vectors=path)
    assert result["tests"]["effect_size"].notna().tolist() == [True, False]
    with pytest.raises(NothingToScore):
        run([], [TEST], [], vectors=path)
    with pytest.raises(WordListError):
        run([load_tiny("bert")], [TEST], ["input-embedding"], vectors=tmp_path / "missing.txt")


def test_frames_provenance_and_family() -> None:
    """Benjamini–Hochberg by hand over all two-sided p: p of rank r times m / r, the least of those behind it."""
    models = [load_tiny("bert"), load_tiny("roberta")]
    tests = [TEST, association_test("irani")]
    result = run(models, tests, REPRESENTATIONS, seed=3)
    assert result.provenance.data == tuple(test.citation for test in tests)
    assert result.provenance.seed == 3
    assert result.provenance.models == tuple(model.info for model in models)
    p = result["tests"]["p_two_sided"].dropna()
    assert result.family_size == len(p) == 16  # 2 models × (6 rulers for words, 2 for sentences)
    order = np.argsort(p.to_numpy(), kind="stable")
    scaled = p.to_numpy()[order] * len(p) / np.arange(1, len(p) + 1)
    expected = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1)
    assert result["tests"].loc[p.index, "p_adjusted"].to_numpy()[order] == pytest.approx(expected)
    check_reasons(result)
    one = result["members"][(result["members"]["model"] == "bert") & (result["members"]["representation"] == "vulic")]
    assert one["member"].tolist() == [*X, *Y]
    assert one["set"].tolist() == ["X"] * 3 + ["Y"] * 3
    s = one["association"].to_numpy()
    assert row(result, model="bert", representation="vulic", test="own").test_statistic == pytest.approx(
        s[:3].mean() - s[3:].mean()
    )


def test_published_values_stand_beside_the_measured_ones() -> None:
    """Irani Table I, BERT-base, as printed; Kurita Table 3, WEAT 6: LPBS 1.126, partner masked .5047, GloVe 1.814."""
    tests = [association_test("irani"), association_test("weat6"), TEST]
    published = run([load_tiny("bert")], tests, ["input-embedding"])["published"]
    assert set(published["test"]) == {"irani", "weat6"}
    irani = published[published["test"] == "irani"]
    assert (irani["representation"] == "layer-11-mean").any()
    assert any(
        (d, p) == pytest.approx((-0.541, 0.145)) for d, p in zip(irani["effect_size"], irani["p_value"], strict=True)
    )
    weat6 = published[published["test"] == "weat6"].set_index("representation")["effect_size"]
    assert weat6.to_dict() == {"lpbs": 1.126, "partner-masked": 0.5047, "vectors": 1.814}
    assert published["source"].str.contains("20").all()
    assert published["model"].str.len().gt(0).all()
