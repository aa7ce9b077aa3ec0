"""Agreement of templates and representations: against plain loops, then what holds for every model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.engine.pieces import SpanText
from core.errors import NothingToScore, OptionError
from core.measures.agreement.compute import _drawn_by_authors, measure
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.measures.shared.representations import IN_TEMPLATES, OF_WORDS
from core.plain import is_missing
from core.result import Group
from core.run import Run
from core.sources.blanks import TemplateSet, Words, delobelle_words, own_set, template_set
from core.stats.agreement import critical_r
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

FEW = own_set("This is the _.\nThe _ is here.\nThe _ is tired.\nThe _ is a [MASK].")
WORDS = Words(
    Group("X", ("nurse", "secretary", "teacher", "housekeeper", "daughter")),
    Group("Y", ("engineer", "doctor", "manager", "programmer", "son")),
    Group("A", ("woman", "girl", "sister")),
    Group("B", ("man", "boy", "brother")),
)
SMALL = {"subsets": 6, "drawn": 3}


def run(
    models: list[LoadedModel],
    compare: str,
    templates: TemplateSet,
    names: tuple[str, ...] | list[str],
    options: Mapping[str, Any] = SMALL,
    words: Words = WORDS,
    run: Run[Any] | None = None,
) -> AgreementResult:
    spec = AgreementSpec(compare=compare, templates=templates, representations=names, words=words, **options)
    return measure(spec, models, run or Run())


def small(model: LoadedModel, compare: str = "templates", *names: str, **changes: object) -> AgreementResult:
    return run([model], compare, FEW, names or ("pooled-in-templates",), {**SMALL, **changes})


def plain_d(model: LoadedModel, template: str, x: list[str], y: list[str]) -> float:
    """d by cosines one at a time, the words in a sentence in lower case, their pieces' mean in the last layer."""

    def vector(word: str) -> np.ndarray:
        before, after = template.lower().split("_")
        item = SpanText(before + word + after, (len(before), len(before) + len(word)))
        states = Encoder(model).embed([item], ["span-mean"]).of("span-mean")[0, -1].astype(np.float64)
        return states / np.linalg.norm(states)

    def s(word: str) -> float:
        sides = [[float(vector(word) @ vector(other)) for other in group.words] for group in (WORDS.a, WORDS.b)]
        return float(np.mean(sides[0]) - np.mean(sides[1]))

    values = [[s(word) for word in words] for words in (x, y)]
    return float((np.mean(values[0]) - np.mean(values[1])) / np.std([*values[0], *values[1]], ddof=1))


@pytest.fixture(scope="module")
def tiny() -> LoadedModel:
    return load_tiny("bert")


def test_points_are_effect_sizes_of_seeded_subsets(tiny: LoadedModel) -> None:
    result = small(tiny)
    generator = np.random.default_rng(0)
    x_rows, y_rows = ([generator.choice(5, 3, replace=False) for _ in range(6)] for _ in range(2))
    points = result["points"].set_index(["name", "point"])["value"]
    for subset in (0, 5):
        x = [WORDS.x.words[i] for i in x_rows[subset]]
        y = [WORDS.y.words[i] for i in y_rows[subset]]
        assert points["own 1", subset + 1] == pytest.approx(plain_d(tiny, "This is the _.", x, y), abs=1e-4)
        assert points["own 2", subset + 1] == pytest.approx(plain_d(tiny, "The _ is here.", x, y), abs=1e-4)


# Male-typical professions of the first two subsets, as the authors' notebook of first pieces prints them.
AUTHORS = (
    "laborer courier repairer cleaner conductor programmer chef helper estimator porter",
    "pipelayer mason conductor installer courier cleaner announcer electrician helper programmer",
)


def test_the_authors_subsets_are_those_that_their_notebook_prints(tiny: LoadedModel) -> None:
    """The female-typical ones by pandas, as the notebook draws them."""
    of_paper = delobelle_words()
    words = Words(of_paper.x, of_paper.y, WORDS.a, WORDS.b)
    result = run([tiny], "templates", FEW, ("pooled-in-templates",), {"draws": "authors", "subsets": 4}, words)
    points = result["points"].set_index(["name", "point"])["value"]
    for subset, male in enumerate(AUTHORS, 1):
        female = pd.Series(of_paper.x.words).sample(frac=1, random_state=subset)[:10].tolist()
        assert points["own 1", subset] == pytest.approx(
            plain_d(tiny, FEW.templates[0].text, female, male.split()), abs=1e-4
        )


def test_a_lost_word_gives_its_place_in_the_authors_subset_to_the_next() -> None:
    """Of five words, shuffled by 1 as c b e a d and by 2 as c e b d a (numpy's old generator), c is lost."""
    assert [list(np.random.RandomState(seed).permutation(5)) for seed in (1, 2)] == [[2, 1, 4, 0, 3], [2, 4, 1, 3, 0]]
    spec = AgreementSpec(draws="authors", subsets=4, drawn=2)
    assert _drawn_by_authors("abcde", "abde", spec)[:2].tolist() == [[1, 3], [3, 1]]  # b e, e b


@pytest.mark.parametrize(("method", "other"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_correlations_are_those_of_the_points(tiny: LoadedModel, method: str, other: object) -> None:
    result = small(tiny, method=method)
    table = result["points"].pivot_table(index="point", columns="name", values="value")
    rows = result["pairs"].set_index(["a", "b"])
    names = list(result.names)
    assert list(rows.index) == list(combinations(names, 2))
    for (a, b), row in rows.iterrows():
        found = other(table[a], table[b])  # type: ignore[operator]
        assert (row["r"], row["p"], row["n"]) == pytest.approx((found.statistic, found.pvalue, 6))
    assert result["pairs"]["critical"].tolist() == pytest.approx([critical_r(6)] * 6)
    assert result["pairs"]["significant"].tolist() == (result["pairs"]["p"] < 0.05).tolist()


def test_each_text_goes_through_the_model_once(tiny: LoadedModel) -> None:
    """Two representations read the same sentences; subsets read none again."""
    rows: list[int] = []
    hook = tiny.module.base_model.register_forward_pre_hook(
        lambda _module, _args, kwargs: rows.append(len(kwargs["input_ids"])), with_kwargs=True
    )
    try:
        small(tiny, "templates", "pooled-in-templates", "cls-in-templates")
    finally:
        hook.remove()
    words = {*WORDS.x.words, *WORDS.y.words, *WORDS.a.words, *WORDS.b.words}
    assert sum(rows) == len(FEW.templates) * len(words)


def test_female_and_male_exchanged_flip_every_sign_and_no_correlation(tiny: LoadedModel) -> None:
    forth = small(tiny)
    exchanged = Words(WORDS.x, WORDS.y, WORDS.b, WORDS.a)
    back = run([tiny], "templates", FEW, ["pooled-in-templates"], words=exchanged)
    assert (forth["points"]["value"] + back["points"]["value"]).abs().max() < 1e-6
    assert (forth["pairs"]["r"] - back["pairs"]["r"]).abs().max() < 1e-6


def test_representations_are_means_over_templates(tiny: LoadedModel) -> None:
    names = ("pooled-in-templates", "cls-in-templates", "pooled-no-context", "input-embedding")
    result = small(tiny, "representations", *names)
    assert len(result["pairs"]) == 6
    of_templates = small(tiny)["points"].groupby("point")["value"].mean()
    own = result["points"][result["points"]["name"] == "pooled-in-templates"].set_index("point")["value"]
    assert own.to_numpy() == pytest.approx(of_templates.to_numpy(), abs=1e-6)
    assert result["stability"].empty


def test_every_comparable_representation_has_points(embedded: LoadedModel) -> None:
    two = replace(template_set("delobelle"), templates=template_set("delobelle").templates[:2])
    result = run([embedded], "representations", two, OF_WORDS, {"subsets": 4}, delobelle_words())
    assert set(result["points"]["name"]) == set(OF_WORDS)
    assert result["points"]["value"].notna().all()


def test_identical_templates_agree_wholly_and_a_model_has_one_order(tiny: LoadedModel) -> None:
    """Templates whose words stand alike give r = 1, orders that hold, and W = 1."""
    with pytest.raises(OptionError, match="two templates or more"):
        run([tiny], "templates", own_set("_\n_ \n _"), ["pooled-in-templates"])
    first = FEW.templates[0]
    double = replace(FEW, templates=(first, replace(first, id="again")))
    result = run([tiny], "templates", double, ["pooled-in-templates"])
    assert result["pairs"]["r"].tolist() == pytest.approx([1.0])
    (stability,) = result["stability"].to_dict("records")
    assert (stability["kept"], stability["flips"], stability["templates"]) == (1.0, 0.0, 2)
    assert stability["w"] == pytest.approx(1.0)


def test_orders_of_words_and_of_models(tiny: LoadedModel) -> None:
    other = renamed(load_tiny("roberta"), "other")
    result = run([tiny, other], "templates", FEW, ["pooled-in-templates"])
    orders = result["stability"].to_dict("records")
    words = [order for order in orders if order["of"] == "words"]
    assert [order["model"] for order in words] == [tiny.info.name, "other"]
    assert set(words[0]["order"].split(", ")) == {*WORDS.x.words, *WORDS.y.words}
    assert words[0]["ordered"] == 10
    (models,) = [order for order in orders if order["of"] == "models"]
    assert set(models["order"].split(", ")) == {tiny.info.name, "other"}
    assert is_missing(models["model"])
    assert models["resamples"] == 1000
    assert 0 <= models["flips"] <= 1 - models["kept"] or models["kept"] == 1
    assert set(result["pairs"]["model"]) == {tiny.info.name, "other"}


def test_a_model_without_a_mask_loses_the_template_with_one() -> None:
    result = run([load_tiny("gpt2")], "templates", FEW, ["pooled-in-templates"])
    assert set(result["points"]["name"]) == {"own 1", "own 2", "own 3"}
    assert any(item.template == "own 4" and "mask" in item.why for item in result.excluded)
    lost = result["pairs"][result["pairs"]["b"] == "own 4"]
    assert lost["r"].isna().all()
    assert set(lost["n"]) == {0}


def test_a_word_the_model_does_not_know_is_left_out(tiny: LoadedModel) -> None:
    words = Words(Group("X", (*WORDS.x.words, "☃")), WORDS.y, WORDS.a, WORDS.b)
    result = run([tiny], "templates", FEW, ["pooled-in-templates"], words=words)
    assert any(item.what == "☃" and "unknown" in item.why for item in result.excluded)
    assert result["pairs"]["r"].notna().all()


def test_too_few_words_to_draw_from_is_said(tiny: LoadedModel) -> None:
    with pytest.raises(NothingToScore, match="9 words of each set are drawn, one kept 5"):
        small(tiny, drawn=9)


def test_three_subsets_give_no_correlation(tiny: LoadedModel) -> None:
    with pytest.raises(OptionError, match="Subsets of professions is 3; it can be a whole number from 4 to 500"):
        small(tiny, subsets=3)


@pytest.mark.parametrize(
    ("kind", "names", "said"),
    [
        ("templates", ("input-embedding",), "does not read words in templates; choose cls-in-templates"),
        ("templates", ("lpbs",), "does not read words in templates"),
        ("templates", ("cls",), "no representation “cls”"),
        ("representations", ("vulic",), "1 representation chosen; choose 2 or more"),
        ("representations", ("vulic", "lpbs"), "does not read words in templates or alone"),
    ],
)
def test_what_cannot_be_compared_is_refused(tiny: LoadedModel, kind: str, names: tuple[str, ...], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        small(tiny, kind, *names)
    with pytest.raises(OptionError, match="Correlation: “kendall” is not possible; choose pearson, spearman"):
        small(tiny, method="kendall")


def test_a_run_stopped_at_once_says_so(tiny: LoadedModel) -> None:
    stopped: Run[Any] = Run()
    stopped.stop("nobody")
    with pytest.raises(NothingToScore, match="stopped"):
        run([tiny], "templates", FEW, ["pooled-in-templates"], run=stopped)


def test_the_published_words_and_templates_say_where_they_are_from(embedded: LoadedModel) -> None:
    chosen = template_set("delobelle")
    result = run([embedded], "templates", chosen, IN_TEMPLATES[:1], {"subsets": 4}, delobelle_words())
    assert list(result.names) == [f"T{i}" for i in range(1, 12)]
    assert len(result["pairs"]) == 55
    assert result.provenance.data[0] == chosen.citation
    assert any("Delobelle" in source and "B.1" in source for source in result.provenance.data)
    words = delobelle_words()
    assert [len(group.words) for group in (words.x, words.y, words.a, words.b)] == [30, 30, 8, 8]


def test_templates_that_are_one_input_are_said() -> None:
    """A space before the stop is nothing to BERT: the second line is the first one again, and their r of 1 is none."""
    twice = own_set("This is the _.\nThis is the _ .\nThe _ is here.")
    result = run([load_tiny("bert")], "templates", twice, ["pooled-in-templates"])
    assert [str(note) for note in result.notes] == [
        "bert: own 2 is the same input as own 1, so that the two agree of necessity."
    ]
    assert not run([load_tiny("bert")], "templates", FEW, ["pooled-in-templates"]).notes
