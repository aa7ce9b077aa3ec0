"""Agreement of templates and representations: against plain loops, then what holds for every model."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.engine.embeddings import Encoder
from core.engine.loading import LoadedModel
from core.engine.pieces import SpanText
from core.errors import NothingToScore, OptionError
from core.measures.agreement.compute import agreement as run
from core.measures.agreement.result import AgreementOptions, AgreementResult
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES
from core.result import Group
from core.run import Callbacks
from core.sources.blanks import Words, delobelle_words, own_templates, template_set
from core.stats.agreement import critical_r
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

FEW = own_templates("This is the _.\nThe _ is here.\nThe _ is tired.\nThe _ is a [MASK].")
WORDS = Words(
    Group("X", ("nurse", "secretary", "teacher", "housekeeper", "daughter")),
    Group("Y", ("engineer", "doctor", "manager", "programmer", "son")),
    Group("A", ("woman", "girl", "sister")),
    Group("B", ("man", "boy", "brother")),
)
SMALL = AgreementOptions(subsets=6, drawn=3)


def small(model: LoadedModel, kind: str = "templates", *names: str, **changes: object) -> AgreementResult:
    options = AgreementOptions(**{"subsets": 6, "drawn": 3, **changes})  # type: ignore[arg-type]
    return run([model], kind, FEW, names or ("pooled-in-templates",), options, words=WORDS)


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
    points = result.detail.set_index(["name", "point"])["value"]
    for subset in (0, 5):
        x = [WORDS.x.words[i] for i in x_rows[subset]]
        y = [WORDS.y.words[i] for i in y_rows[subset]]
        assert points["own 1", subset + 1] == pytest.approx(plain_d(tiny, "This is the _.", x, y), abs=1e-4)
        assert points["own 2", subset + 1] == pytest.approx(plain_d(tiny, "The _ is here.", x, y), abs=1e-4)


@pytest.mark.parametrize(("method", "other"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_correlations_are_those_of_the_points(tiny: LoadedModel, method: str, other: object) -> None:
    result = small(tiny, method=method)
    table = result.detail.pivot_table(index="point", columns="name", values="value")
    rows = result.summary.set_index(["template_a", "template_b"])
    names = [name for name, _ in result.names]
    assert list(rows.index) == list(combinations(names, 2))
    for (a, b), row in rows.iterrows():
        found = other(table[a], table[b])  # type: ignore[operator]
        assert (row["r"], row["p"], row["n"]) == pytest.approx((found.statistic, found.pvalue, 6))
    assert result.summary["critical"].tolist() == pytest.approx([critical_r(6)] * 6)
    assert result.summary["significant"].tolist() == (result.summary["p"] < 0.05).tolist()


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
    assert sum(rows) == len(FEW) * len(words)


def test_female_and_male_exchanged_flip_every_sign_and_no_correlation(tiny: LoadedModel) -> None:
    forth = small(tiny)
    exchanged = Words(WORDS.x, WORDS.y, WORDS.b, WORDS.a)
    back = run([tiny], "templates", FEW, ["pooled-in-templates"], SMALL, words=exchanged)
    assert (forth.detail["value"] + back.detail["value"]).abs().max() < 1e-6
    assert (forth.summary["r"] - back.summary["r"]).abs().max() < 1e-6


def test_representations_are_means_over_templates(tiny: LoadedModel) -> None:
    names = ("pooled-in-templates", "cls-in-templates", "pooled-no-context", "input-embedding")
    result = small(tiny, "representations", *names)
    assert result.columns == ("representation_a", "representation_b")
    assert len(result.summary) == 6
    of_templates = small(tiny).detail.groupby("point")["value"].mean()
    own = result.detail[result.detail["name"] == "pooled-in-templates"].set_index("point")["value"]
    assert own.to_numpy() == pytest.approx(of_templates.to_numpy(), abs=1e-6)
    assert result.stabilities == ()


def test_every_comparable_representation_has_points(embedded: LoadedModel) -> None:
    templates = template_set("delobelle").templates[:2]
    result = run([embedded], "representations", templates, COMPARABLE, AgreementOptions(subsets=4))
    assert set(result.detail["name"]) == set(COMPARABLE)
    assert result.detail["value"].notna().all()


def test_identical_templates_agree_wholly_and_a_model_has_one_order(tiny: LoadedModel) -> None:
    """Templates whose words stand alike give r = 1, orders that hold, and W = 1."""
    templates = own_templates("_\n_ \n _")
    with pytest.raises(OptionError, match="two templates or more"):
        run([tiny], "templates", templates, ["pooled-in-templates"], SMALL, words=WORDS)
    double = (FEW[0], FEW[0].__class__("again", FEW[0].text, "by hand"))
    result = run([tiny], "templates", double, ["pooled-in-templates"], SMALL, words=WORDS)
    assert result.summary["r"].tolist() == pytest.approx([1.0])
    (stability,) = result.stabilities
    assert (stability.kept, stability.flips, stability.templates) == (1.0, 0.0, 2)
    assert stability.w == pytest.approx(1.0)


def test_orders_of_words_and_of_models(tiny: LoadedModel) -> None:
    other = renamed(load_tiny("roberta"), "other")
    result = run([tiny, other], "templates", FEW, ["pooled-in-templates"], SMALL, words=WORDS)
    words = [one for one in result.stabilities if one.of == "words"]
    assert [one.model for one in words] == [tiny.info.name, "other"]
    assert set(words[0].order) == {*WORDS.x.words, *WORDS.y.words}
    (models,) = [one for one in result.stabilities if one.of == "models"]
    assert set(models.order) == {tiny.info.name, "other"}
    assert (models.model, models.resamples) == ("", 1000)
    assert 0 <= models.flips <= 1 - models.kept or models.kept == 1
    assert set(result.summary["model"]) == {tiny.info.name, "other"}


def test_a_model_without_a_mask_loses_the_template_with_one() -> None:
    result = run([load_tiny("gpt2")], "templates", FEW, ["pooled-in-templates"], SMALL, words=WORDS)
    assert set(result.detail["name"]) == {"own 1", "own 2", "own 3"}
    assert any(one.template == "own 4" and "mask" in one.reason for one in result.left_out)
    lost = result.summary[result.summary["template_b"] == "own 4"]
    assert lost["r"].isna().all()
    assert set(lost["n"]) == {0}


def test_a_word_the_model_does_not_know_is_left_out(tiny: LoadedModel) -> None:
    words = Words(Group("X", (*WORDS.x.words, "☃")), WORDS.y, WORDS.a, WORDS.b)
    result = run([tiny], "templates", FEW, ["pooled-in-templates"], SMALL, words=words)
    assert any(one.word == "☃" and "unknown" in one.reason for one in result.left_out)
    assert result.summary["r"].notna().all()


def test_too_few_words_to_draw_from_is_said(tiny: LoadedModel) -> None:
    with pytest.raises(NothingToScore, match="9 words of each set are drawn, one kept 5"):
        small(tiny, drawn=9)


def test_three_subsets_give_no_correlation(tiny: LoadedModel) -> None:
    with pytest.raises(OptionError, match="subsets is 3; it can be a whole number from 4 to 500"):
        small(tiny, subsets=3)


@pytest.mark.parametrize(
    ("kind", "names", "said"),
    [
        ("templates", ("input-embedding",), "does not read words in templates; choose cls-in-templates"),
        ("templates", ("lpbs",), "does not read words in templates"),
        ("templates", ("cls",), "no representation “cls”"),
        ("representations", ("vulic",), "1 representations chosen; choose 2 or more"),
        ("representations", ("vulic", "lpbs"), "does not read words in templates or alone"),
    ],
)
def test_what_cannot_be_compared_is_refused(tiny: LoadedModel, kind: str, names: tuple[str, ...], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        small(tiny, kind, *names)
    with pytest.raises(OptionError, match="method is “kendall”"):
        small(tiny, method="kendall")


def test_a_run_stopped_at_once_says_so(tiny: LoadedModel) -> None:
    with pytest.raises(NothingToScore, match="stopped"):
        run(
            [tiny], "templates", FEW, ["pooled-in-templates"], SMALL, words=WORDS, run=Callbacks(cancelled=lambda: True)
        )


def test_the_published_words_and_templates_say_where_they_are_from(embedded: LoadedModel) -> None:
    chosen = template_set("delobelle")
    result = run(
        [embedded], "templates", chosen.templates, IN_TEMPLATES[:1], AgreementOptions(subsets=4), data=[chosen.citation]
    )
    assert [name for name, _ in result.names] == [f"T{i}" for i in range(1, 12)]
    assert len(result.summary) == 55
    assert any("Delobelle" in source and "B.1" in source for source in result.provenance.data)
    words = delobelle_words()
    assert [len(group.words) for group in (words.x, words.y, words.a, words.b)] == [30, 30, 8, 8]


def test_templates_that_are_one_input_are_said() -> None:
    """A space before the stop is nothing to BERT: the second line is the first one again, and their r of 1 is none."""
    twice = own_templates("This is the _.\nThis is the _ .\nThe _ is here.")
    result = run([load_tiny("bert")], "templates", twice, ["pooled-in-templates"], SMALL, words=WORDS)
    assert [str(note) for note in result.notes] == [
        "bert: own 2 is the same input as own 1, so that the two agree of necessity."
    ]
    assert not run([load_tiny("bert")], "templates", FEW, ["pooled-in-templates"], SMALL, words=WORDS).notes
