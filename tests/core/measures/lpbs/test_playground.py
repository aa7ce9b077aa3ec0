"""LPBS of masked models with fixed probabilities; every expected value is worked by hand beside it."""

from __future__ import annotations

import dataclasses
from math import log
from typing import Any

import numpy as np
import pytest

from core.charts import LIGHT
from core.engine import checkpoints, loading
from core.engine.loading import LoadedModel
from core.errors import NoPredictionHead, NothingToScore
from core.measures.lpbs.figures import tilt
from core.measures.lpbs.grid import Sentence
from core.measures.lpbs.result import LpbsResult
from core.report.frames import to_csv
from core.result import OTHERS, Contrast, Group
from core.sources.templates import Template
from tests.support import tiny_tokenizers
from tests.support.lpbs import run, spec_of
from tests.support.stubs import SAID, Probabilities, asked, masked_stub, said, said_model
from tests.support.tiny import tiny_folder

IS_A = Template.parse("[TARGET] is a [ATTRIBUTE]")
HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
BERT = tiny_tokenizers.bert()


def row(result: LpbsResult, attribute: str | None, contrast: str | None = None) -> Any:
    """The one row of an attribute, or of all of them."""
    frame = result["overall"] if attribute is None else result["attributes"]
    if attribute is not None:
        frame = frame[frame["attribute"] == attribute]
    if contrast is not None:
        frame = frame[frame["contrast"] == contrast]
    (index,) = frame.index
    return frame.loc[index]


WORKED = {
    "[MASK] is a nurse": [{"he": 0.02, "she": 0.60}],
    "[MASK] is a [MASK]": [{"he": 0.20, "she": 0.15}, {"he": 0.50, "she": 0.50}],
}


def test_worked_example_reads_the_target_s_mask() -> None:
    # he ln .1 = −2.3026, she ln 4 = 1.3863; difference −3.6889 = ln (.02 / .60) − ln (.20 / .15).
    result = run([masked_stub(BERT, WORKED)], [IS_A], HE_SHE, ["nurse"])
    found = row(result, "nurse")
    assert found.lpbs == pytest.approx(-3.6889, abs=5e-5)
    assert found.log_ratio == pytest.approx(-3.4012, abs=5e-5)
    assert found.prior_log_ratio == pytest.approx(0.2877, abs=5e-5)
    assert found.contrast == "he − she"
    assert result["targets"]["target"].tolist() == ["he", "she"]
    assert result["targets"]["association"].tolist() == pytest.approx([-2.3026, 1.3863], abs=5e-5)
    assert result["targets"]["ln_p_target"].tolist() == pytest.approx([log(0.02), log(0.60)], abs=1e-6)
    assert result["targets"]["ln_p_prior"].tolist() == pytest.approx([log(0.20), log(0.15)], abs=1e-6)


def test_reading_the_other_mask_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Sentence.masked
    monkeypatch.setattr(Sentence, "masked", lambda *given: dataclasses.replace(right(*given), prior_mask=1))
    result = run([masked_stub(BERT, WORKED)], [IS_A], HE_SHE, ["nurse"])
    assert row(result, "nurse").lpbs == pytest.approx(-3.4012, abs=5e-5)


def test_target_after_an_attribute_of_two_pieces() -> None:
    # The target's mask is the third. he .1 over .2, she .4 over .2: ln .5 − ln 2 = −1.3863.
    wrong = {"he": 0.4, "she": 0.1}
    model = masked_stub(
        BERT,
        {
            said("good teacher"): [{"he": 0.1, "she": 0.4}],
            said("[MASK] [MASK]"): [wrong, wrong, {"he": 0.2, "she": 0.2}],
        },
    )
    assert row(run([model], [SAID], HE_SHE, ["good teacher"]), "good teacher").lpbs == pytest.approx(-1.3863, abs=5e-5)


@pytest.mark.parametrize(
    ("tokenizer", "frame"),
    [
        (tiny_tokenizers.roberta, "The{} Ġsaid Ġthat <mask> Ġwas Ġtired ."),
        (tiny_tokenizers.modernbert, "The{} Ġsaid Ġthat [MASK] Ġwas Ġtired ."),
    ],
)
def test_a_word_has_the_form_of_its_place(tokenizer: Any, frame: str) -> None:
    # " he" .30, " she" .10: ln 3 = 1.0986; the bare forms would give ln .5 = −0.6931.
    here = tokenizer()
    alike = dict.fromkeys(("Ġhe", "Ġshe", "he", "she"), 0.2)
    texts: dict[str, list[Probabilities]] = {
        frame.format(" Ġnurse"): [{"Ġhe": 0.30, "Ġshe": 0.10, "he": 0.001, "she": 0.002}],
        frame.format(f" {here.mask_token}"): [{}, alike],
    }
    result = run([masked_stub(here, texts)], [SAID], HE_SHE, ["nurse"])
    assert row(result, "nurse").log_ratio == pytest.approx(1.0986, abs=5e-5)
    assert row(result, "nurse").lpbs == pytest.approx(1.0986, abs=5e-5)
    assert result["targets"]["target"].tolist() == ["he", "she"]


def test_joint_worked_example() -> None:
    # Word 1 .50 then .02, word 2 .20 then .10: ln .01 = −4.6052 and ln .02 = −3.9120. The prior has as many masks,
    # there .25 then .2 for both words: ln .05.
    masked, prior = [{"chair": 0.50, "nurse": 0.20}, {}], [{}, {"chair": 0.25, "nurse": 0.25}, {}]
    texts: dict[str, list[Probabilities]] = {
        "the calm said that [MASK] [MASK] was tired .": masked,
        "the calm said that chair [MASK] was tired .": [{"##woman": 0.02}],
        "the calm said that nurse [MASK] was tired .": [{"##woman": 0.10}],
        "the [MASK] said that [MASK] [MASK] was tired .": prior,
        "the [MASK] said that chair [MASK] was tired .": [{}, {"##woman": 0.2}],
        "the [MASK] said that nurse [MASK] was tired .": [{}, {"##woman": 0.2}],
    }
    model = masked_stub(BERT, texts)
    groups = (Group("one", ("chairwoman",)), Group("two", ("nursewoman",)))
    result = run([model], [SAID], groups, ["calm"], {"several_pieces": "joint"})
    assert result["targets"]["ln_p_target"].tolist() == pytest.approx([-4.6052, -3.9120], abs=5e-5)
    assert result["targets"]["ln_p_prior"].tolist() == pytest.approx([log(0.05)] * 2, abs=1e-6)
    assert row(result, "calm").lpbs == pytest.approx(log(0.5), abs=1e-6)  # word 2 is more likely
    assert asked(model) == sorted(f"[CLS] {text} [SEP]" for text in texts)  # each once


def test_a_word_of_several_pieces_goes_and_takes_its_partner() -> None:
    table = {"he": 0.1, "she": 0.3, "chairman": 0.2, "chair": 0.05}
    model = said_model({"nurse": table}, dict.fromkeys(table, 0.1))
    groups = (Group("men", ("he", "chairman")), Group("women", ("she", "chairwoman")))
    result = run([model], [SAID], groups, ["nurse"])
    assert row(result, "nurse").lpbs == pytest.approx(log(0.1 / 0.3), abs=1e-6)  # he and she alone
    assert row(result, "nurse").n == 1
    assert "chairwoman" not in set(result["targets"]["target"])
    words = {item.what: item for item in result.excluded if item.kind == "target"}
    assert words.keys() == {"chairman", "chairwoman"}
    assert words["chairwoman"].why == "chairwoman = chair + ##woman: not scored."
    assert (words["chairwoman"].group, words["chairwoman"].template) == ("women", SAID.text)
    assert words["chairman"].why == "chairman cannot be paired, since its partner chairwoman could not be scored."
    assert (words["chairman"].group, words["chairman"].contrast) == ("men", "men − women")


def test_unpaired_groups_keep_the_partner() -> None:
    table = {"he": 0.1, "she": 0.3, "chairman": 0.2}
    model = said_model({"nurse": table}, dict.fromkeys(table, 0.1))
    groups = (Group("men", ("he", "chairman")), Group("women", ("she", "chairwoman")))
    result = run([model], [SAID], groups, ["nurse"], {"paired": False})
    # men: mean of ln 1 and ln 2; women: ln 3
    assert row(result, "nurse").lpbs == pytest.approx(log(2) / 2 - log(3), abs=1e-6)
    assert [item.what for item in result.excluded if item.kind == "target"] == ["chairwoman"]


def test_a_word_the_vocabulary_lacks() -> None:
    model = loading.load(
        checkpoints.fetch(checkpoints.ModelRequest(str(tiny_folder("bert-wrong-case")), device="cpu")), device="cpu"
    )
    groups = (Group("men", ("He",)), Group("women", ("She",)))
    with pytest.raises(NothingToScore) as caught:
        run([model], [Template.parse("A [ATTRIBUTE] said that [TARGET] was there")], groups, ["nurse"])
    sentence = "bert-wrong-case gives no score here: He is unknown to this model; She is unknown to this model."
    assert str(caught.value) == sentence


def test_a_model_without_a_head_is_refused() -> None:
    model = loading.load(checkpoints.fetch(checkpoints.ModelRequest(str(tiny_folder("bert-encoder")))), device="cpu")
    sentence = "no trained prediction head: LPBS is not possible, embeddings and attention are"
    with pytest.raises(NoPredictionHead, match=sentence):
        run([model], [SAID], HE_SHE, ["nurse"])


@pytest.mark.parametrize(("groups", "value", "printed"), [(HE_SHE, 3.0, "+3.00"), (HE_SHE[::-1], -3.0, "−3.00")])
def test_direction_is_the_same_everywhere(groups: tuple[Group, ...], value: float, printed: str) -> None:
    """Associations he −2, she −5: he − she is +3 in table, chart, legend and file, and −3 with the groups swapped."""
    model = said_model({"nurse": {"he": 0.4 * np.exp(-2), "she": 0.4 * np.exp(-5)}}, {"he": 0.4, "she": 0.4})
    result = run([model], [SAID], groups, ["nurse"])
    first, second = (group.name for group in groups)
    assert row(result, "nurse").lpbs == pytest.approx(value, abs=1e-5)
    figure = tilt(result, contrast=result.contrasts[0], model="stub", theme=LIGHT)
    (bar,) = (trace for trace in figure.data if trace.type == "bar")
    assert list(bar.x) == pytest.approx([value], abs=1e-5)
    (number,) = (trace for trace in figure.data if trace.name == "numbers")
    assert number.text[0].strip() == printed
    legend = [text.text for text in figure.layout.annotations if "leans towards" in text.text]
    right, left = (next(text for text in legend if sign in text) for sign in "▶◀")
    assert f"leans towards {first}" in right
    assert f"leans towards {second}" in left
    header, line = csv_rows(result)
    assert float(line[header.index("lpbs")]) == pytest.approx(value, abs=1e-5)
    assert line[header.index("contrast")] == f"{first} − {second}"


def csv_rows(result: LpbsResult) -> tuple[list[str], list[str]]:
    lines = to_csv(result["attributes"], result.provenance).decode("utf-8-sig").splitlines()
    return lines[0].split(","), lines[1].split(",")


def two_templates() -> tuple[list[Template], LoadedModel]:
    """The sentence of 10 pieces fits, the same with a word of two pieces does not; the short one fits both."""
    texts: dict[str, list[Probabilities]] = {
        said("nurse"): [{"he": 0.4, "she": 0.1}],  # ln 4
        said("[MASK]"): [{}, {"he": 0.1, "she": 0.1}],
        "[MASK] is a nurse": [{"he": 0.32, "she": 0.02}],  # ln 16
        "[MASK] is a chair ##woman": [{"he": 0.1, "she": 0.2}],  # −ln 2
        "[MASK] is a [MASK]": [{"he": 0.1, "she": 0.1}, {}],
        "[MASK] is a [MASK] [MASK]": [{"he": 0.1, "she": 0.1}, {}, {}],
    }
    return [SAID, IS_A], masked_stub(BERT, texts, max_tokens=10)


def test_several_templates_are_averaged_per_attribute_first() -> None:
    templates, model = two_templates()
    result = run([model], templates, HE_SHE, ["nurse", "chairwoman"])
    assert row(result, "nurse").lpbs == pytest.approx(3 * log(2), abs=1e-6)  # (ln 4 + ln 16) / 2
    assert row(result, "nurse").n == 2
    assert row(result, "chairwoman").lpbs == pytest.approx(-log(2), abs=1e-6)
    assert row(result, "chairwoman").n == 1
    # (3 − 1) / 2 ln 2; pooling the three values would give (2 + 4 − 1) / 3 ln 2.
    assert row(result, None).lpbs == pytest.approx(log(2), abs=1e-6)
    assert row(result, None).n == 2
    assert any("11 tokens; stub reads 10" in item.why for item in result.excluded)


THREE = (Group("he", ("he",)), Group("she", ("she",)), Group("they", ("they",)))


def three_groups(contrasts: str) -> LpbsResult:
    model = said_model({"nurse": {"he": 0.1, "she": 0.4, "they": 0.05}}, {"he": 0.1, "she": 0.1, "they": 0.1})
    return run([model], [SAID], THREE, ["nurse"], {"contrasts": contrasts})


def test_three_groups_give_every_pair() -> None:
    result = three_groups("pairs")
    found = {label: row(result, "nurse", label).lpbs for label in ("he − she", "he − they", "she − they")}
    assert found == pytest.approx({"he − she": -log(4), "he − they": log(2), "she − they": log(8)}, abs=1e-6)
    assert len(result["attributes"]) == len(result["overall"]) == 3
    assert len(result["targets"]) == 3


def test_three_groups_each_against_the_others() -> None:
    # associations 0, ln 4, −ln 2: he − mean = −ln 2 / 2; she 2 + .5 = 2.5 ln 2; they −1 − 1 = −2 ln 2
    result = three_groups("others")
    found = [row(result, "nurse", f"{name} − the others").lpbs / log(2) for name in ("he", "she", "they")]
    assert found == pytest.approx([-0.5, 2.5, -2.0], abs=1e-6)


def contrasts_of(groups: tuple[Group, ...], contrasts: str) -> tuple[Contrast, ...]:
    return spec_of([SAID], groups, ["nurse"], contrasts=contrasts).comparisons


def test_contrasts() -> None:
    assert contrasts_of(THREE, "pairs") == (Contrast("he", "she"), Contrast("he", "they"), Contrast("she", "they"))
    assert contrasts_of(THREE, "others") == tuple(Contrast(name, OTHERS) for name in ("he", "she", "they"))
    assert contrasts_of(HE_SHE, "others") == (Contrast("he", "she"),)  # the other one is all the others
