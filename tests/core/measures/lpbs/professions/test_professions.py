"""Professions: one model by hand, then what holds for every measurement."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import BertTokenizer

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.errors import NothingToScore, OptionError, UnsupportedModel, WordListError
from core.measures.lpbs import scoring
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.spec import Comparison, ProfessionSpec
from core.result import Group, Progress
from core.run import Callbacks
from core.sources import Corpus, corpus, names_corpus
from tests.support import tiny, tiny_tokenizers
from tests.support.profession_results import compared, own_file, run
from tests.support.stubs import masked_stub, renamed
from tests.support.watching import load_folder, load_tiny

WORDS = "nurse\nengineer\nteacher\ndoctor\nsecretary\nmanager"


def small(professions: str = WORDS, pairs: str = "she / he\nmy sister / my brother") -> Corpus:
    """Two templates, two pairs, words that the tiny models know."""
    return corpus("en").changed(
        templates="[TARGET] is a [ATTRIBUTE].\nThe [ATTRIBUTE] said that [TARGET] was tired.",
        pairs=pairs,
        professions=professions,
    )


def rows(result: ProfessionResult, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = result[table].to_dict("records")
    return found


def differences(result: ProfessionResult) -> dict[str, float]:
    return {str(row["profession"]): float(row["difference"]) for row in rows(result, "professions")}


def stub() -> LoadedModel:
    """[MASK] is a nurse: he .02, she .60; with the profession hidden .20 and .15. The plumber: .30, .10."""
    prior = ({"he": 0.20, "she": 0.15}, {"he": 0.5, "she": 0.5})
    texts = {
        "[MASK] is a nurse .": [{"he": 0.02, "she": 0.60}],
        "[MASK] is a teacher .": [{"he": 0.30, "she": 0.10}],
        "[MASK] is a [MASK] .": list(prior),
    }
    return masked_stub(tiny_tokenizers.bert(), texts)


def one_pair() -> Corpus:
    return corpus("en").changed(templates="[TARGET] is a [ATTRIBUTE].", pairs="she / he", professions="nurse\nteacher")


def test_by_hand() -> None:
    result = run([stub()], [one_pair()])
    # nurse: ln 4 for she, ln .1 for he; teacher: ln (.1 / .15) and ln (.3 / .2).
    found = {(row["profession"], row["gender"]): row["association"] for row in result["sentences"].to_dict("records")}
    assert found == pytest.approx(
        {
            ("nurse", "female"): math.log(4),
            ("nurse", "male"): math.log(0.1),
            ("teacher", "female"): math.log(2 / 3),
            ("teacher", "male"): math.log(1.5),
        },
        abs=1e-5,
    )
    assert differences(result) == pytest.approx({"nurse": math.log(40), "teacher": math.log(4 / 9)}, abs=1e-5)
    (female, male) = rows(result, "groups")
    mean = (math.log(4) + math.log(2 / 3)) / 2
    assert (female["gender"], female["n"], male["gender"]) == ("female", 2, "male")
    assert female["mean"] == pytest.approx(mean, abs=1e-5)
    assert female["sd"] == pytest.approx(math.sqrt(2) * (math.log(4) - mean), abs=1e-5)  # two values: |a − b| / √2
    (test,) = rows(result, "tests")
    # |+3.69| has rank 2, |−.81| rank 1: W = 2 of a mean 1.5, variance 2·3·5/24 = 1.25.
    assert (test["W"], test["n"]) == (2.0, 2)
    assert test["z"] == pytest.approx(0.5 / math.sqrt(1.25))
    assert test["median_difference"] == pytest.approx((math.log(40) + math.log(4 / 9)) / 2, abs=1e-5)


def test_only_the_noun_is_hidden_and_the_profession_word_by_word() -> None:
    model = load_tiny("bert")
    one = small("steel engineer", "my sister / my brother")
    found = run([model], [one])["sentences"]
    queries = [
        MaskQuery("My [MASK] is a steel engineer.", 0, ("sister", "brother")),
        MaskQuery("My [MASK] is a [MASK] [MASK].", 0, ("sister", "brother")),
        MaskQuery("The steel engineer said that my [MASK] was tired.", 0, ("sister", "brother")),
        MaskQuery("The [MASK] [MASK] said that my [MASK] was tired.", 2, ("sister", "brother")),
    ]
    present, prior, after, prior_after = (
        [score.ln_p for score in scores] for scores in MaskedScorer(model).log_probs(queries)
    )
    expected = [present[0] - prior[0], after[0] - prior_after[0], present[1] - prior[1], after[1] - prior_after[1]]
    assert found["association"].tolist() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("masking", "masks"), [("wordpiece", 6), ("single", 1)])
def test_other_ways_to_hide_the_profession(masking: str, masks: int) -> None:
    model = load_tiny("bert")
    assert len(model.tokenizer.tokenize("steel engineer")) == 6  # s, ##t, ##e, ##e, ##l and engineer
    one = replace(small("steel engineer", "she / he"), templates=("[TARGET] is a [ATTRIBUTE].",))
    found = run([model], [one], {"masking": masking})["sentences"]
    text = f"[MASK] is a {' '.join(['[MASK]'] * masks)}."
    ((she, he),) = MaskedScorer(model).log_probs([MaskQuery(text, 0, ("she", "he"))])
    assert found["ln_p_prior"].tolist() == pytest.approx([she.ln_p, he.ln_p], abs=1e-5)


def test_a_causal_model_gives_the_difference_of_bayes_rule() -> None:
    model = load_tiny("gpt2")
    one = replace(small("nurse\nteacher", "she / he"), templates=("[TARGET] is a [ATTRIBUTE].",))
    result = run([model], [one])
    for word in ("nurse", "teacher"):
        texts = [f"{person} is a {word}." for person in ("She", "He")]
        she, he = CausalScorer(model).log_likelihood(
            [TextQuery(text, (text.index(" a ") + 3, len(text))) for text in texts]
        )
        assert differences(result)[word] == pytest.approx(she.ln_p - he.ln_p, abs=1e-5)
        # The prior is the mean over both persons.
        of_word = result["sentences"][result["sentences"]["profession"] == word]
        assert np.exp(of_word["ln_p_target"]).mean() == pytest.approx(math.exp(of_word["ln_p_prior"].iloc[0]))
    assert any("cannot fill a mask" in note.text for note in result.notes)


def test_a_causal_model_whose_person_stands_last_is_compared_over_professions() -> None:
    result = run(
        [load_tiny("gpt2")], [replace(small("nurse\nteacher"), templates=("The [ATTRIBUTE] knows [TARGET].",))]
    )
    for _, of_person in result["sentences"].groupby("person"):
        assert np.exp(of_person["ln_p_target"]).mean() == pytest.approx(math.exp(of_person["ln_p_prior"].iloc[0]))


def test_swapping_the_two_kinds_flips_every_sign() -> None:
    model, one = load_tiny("bert"), small()
    other = replace(one, persons=(one.persons[1], one.persons[0]))
    shares = own_file(b"nurse,90\nengineer,10\nteacher,70\ndoctor,40\nsecretary,95\nmanager,40\n")
    first, second = (compared(run([model], [c]), shares) for c in (one, other))
    assert {k: -v for k, v in differences(second).items()} == pytest.approx(differences(first))
    for a, b in zip(rows(first, "tests"), rows(second, "tests"), strict=True):
        assert (a["z"], a["median_difference"]) == pytest.approx((-b["z"], -b["median_difference"]))
        assert (a["r"], a["p"]) == pytest.approx((b["r"], b["p"]), nan_ok=True)
    for a, b in zip(rows(first, "correlations"), rows(second, "correlations"), strict=True):
        assert a["r"] == pytest.approx(-b["r"])
    assert second.contrast.label == "male − female"


def test_order_changes_nothing() -> None:
    model = load_tiny("bert")
    backwards = "\n".join(reversed(WORDS.splitlines()))
    one, other = run([model], [small()]), run([model], [small(backwards, "my sister / my brother\nshe / he")])
    assert differences(one) == pytest.approx(differences(other), abs=1e-5)
    for a, b in zip(rows(one, "groups"), rows(other, "groups"), strict=True):
        assert (a["mean"], a["sd"]) == pytest.approx((b["mean"], b["sd"]), abs=1e-5)


def test_a_model_beside_itself_is_the_same() -> None:
    model = load_tiny("bert")
    result = run([model, renamed(model, "twin")], [small()])
    for frame in result.tables.values():
        by_model = frame.drop(columns=["model", "p_adjusted"], errors="ignore")
        half = len(by_model) // 2
        assert by_model[:half].equals(by_model[half:].reset_index(drop=True))
    assert result.series == (("bert", "en"), ("twin", "en"))


def test_a_partner_goes_with_a_word_that_cannot_be_scored() -> None:
    result = run([load_tiny("bert")], [small(pairs="she / he\nthe chairwoman / the chairman")])
    assert set(result["sentences"]["person"]) == {"she", "he"}
    reasons = {item.why for item in result.excluded}
    assert "the chairwoman = chair + ##woman: not scored." in reasons
    assert "the chairman cannot be paired, since its partner the chairwoman could not be scored." in reasons
    joint = run(
        [load_tiny("bert")],
        [small(pairs="she / he\nthe chairwoman / the chairman")],
        {"several_pieces": "joint"},
    )
    assert {"the chairwoman", "the chairman"} <= set(joint["sentences"]["person"])


def test_what_one_model_lacks_is_left_out_for_all_and_listed() -> None:
    def lacking(word: str) -> LoadedModel:
        vocabulary = tiny_tokenizers.wordpiece_vocabulary(specials=tiny_tokenizers.BERT_SPECIALS, cased=False)
        pieces = [piece for piece in vocabulary if piece != word]
        tokenizer = BertTokenizer(vocab={piece: at for at, piece in enumerate(pieces)}, do_lower_case=True)
        full = load_tiny("bert")
        return replace(full, tokenizer=tokenizer, info=replace(full.info, name="lacks sister"))

    models = [load_tiny("bert"), lacking("sister")]
    result = run(models, [small()])
    assert set(result["sentences"]["person"]) == {"she", "he"}
    assert any(
        item.model == "bert" and item.what == "my sister" and "(not by lacks sister)" in item.why
        for item in result.excluded
    )
    kept = run(models, [small()], {"common_words": False})["sentences"]
    assert set(kept.loc[kept["model"] == "bert", "person"]) == {"she", "he", "my sister", "my brother"}


def test_a_model_that_can_score_nothing_takes_nothing_from_the_others(german: LoadedModel) -> None:
    """Two models of unstated languages, one of which knows no English word."""
    known = load_tiny("bert")
    result = run([known, german], [small()])
    assert result.series == (("bert", "en"),)
    assert len(result["sentences"]) == small().size
    assert {item.model for item in result.excluded if item.kind != "statistic"} == {german.info.name}


def test_names_are_two_unpaired_groups() -> None:
    one = replace(
        names_corpus(),
        persons=(Group("first", ("He", "Man", "Chairwoman")), Group("second", ("She",))),
        professions=small().professions,
    )
    result = run([load_tiny("bert")], [one])
    assert not rows(result, "tests")
    assert result["sentences"]["pair"].isna().all()
    detail = result["sentences"]
    of_nurse = detail[detail["profession"] == "nurse"].groupby("gender")["association"].mean()
    assert differences(result)["nurse"] == pytest.approx(of_nurse["first"] - of_nurse["second"])
    assert {item.what for item in result.excluded} == {"Chairwoman"}


class _StopsAfter:
    """Cancels once so many professions are done."""

    def __init__(self, professions: int, per: int) -> None:
        self.least, self.done = professions * per, 0
        self.seen: list[Progress] = []

    def report(self, progress: Progress) -> None:
        self.done = max(self.done, progress.done)
        self.seen.append(progress)

    def __call__(self) -> bool:
        return self.done >= self.least


def many() -> Corpus:
    """24 professions."""
    words = [*WORDS.splitlines(), "man", "woman", "boy", "girl", "friend", "daughter", "son", "wife", "husband"]
    words += ["brother", "mother", "father", "programmer", "chair", "housekeeper", "people", "work", "good teacher"]
    return small("\n".join(words))


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_stopped_run_keeps_whole_professions_and_goes_on_from_there(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, one = load_tiny(family), many()
    monkeypatch.setattr(scoring, "_AT_ONCE", {"masked": 80, "causal": 80})
    whole = run([model], [one])
    memory: dict[Any, Any] = {}
    stop = _StopsAfter(10, one.size // len(one.professions))
    part = run([model], [one], memory=memory, run=Callbacks(stop.report, stop))
    assert part.stopped
    assert not whole.stopped
    done = set(differences(part))
    assert 0 < len(done) < 24
    assert {item.what for item in part.excluded if item.kind == "profession"} == {
        profession.name for profession in one.professions
    } - done
    if family == "bert":
        for name in done:
            assert differences(part)[name] == pytest.approx(differences(whole)[name], abs=1e-5)
    asked: list[str] = []
    scorer = {"bert": MaskedScorer, "gpt2": CausalScorer}[family]
    method = {"bert": "log_probs", "gpt2": "log_likelihood"}[family]
    plain = getattr(scorer, method)

    def noting(self: object, queries: list[MaskQuery], **kwargs: object) -> object:
        asked.extend(query.text for query in queries)
        return plain(self, queries, **kwargs)

    monkeypatch.setattr(scorer, method, noting)
    rest = run([model], [one], memory=memory)
    assert not rest.stopped
    assert differences(rest) == pytest.approx(differences(whole), abs=1e-5)
    assert not any(f" {name}." in text for text in asked for name in done if text.startswith("My"))


def test_progress_counts_sentences_to_the_end() -> None:
    stop = _StopsAfter(1_000, 1)
    run([load_tiny("bert")], [many()], run=Callbacks(stop.report))
    counts = [progress.done for progress in stop.seen]
    assert counts == sorted(counts)
    assert counts[-1] == stop.seen[-1].total == many().size


def test_a_run_stopped_before_it_began_says_so() -> None:
    with pytest.raises(NothingToScore, match="was not reached"):
        run([load_tiny("bert")], [small()], run=Callbacks(cancelled=lambda: True))


def test_another_model_of_a_stopped_run_does_not_spoil_the_first() -> None:
    one = small()
    stop = _StopsAfter(len(one.professions), one.size // len(one.professions))
    models = [load_tiny("bert"), renamed(load_tiny("bert"), "second")]
    result = run(models, [one], run=Callbacks(stop.report, stop))
    assert result.series == (("bert", "en"),)
    assert any("second was not reached" in item.why for item in result.excluded)


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A tiny model whose vocabulary holds the German persons and templates, and letters for the professions."""
    letters = [*tiny_tokenizers.LETTERS, *tiny_tokenizers.LETTERS.upper(), *"äöüßÄÖÜ"]
    texts = [sentence.text for sentence in corpus("de").sentences()]
    persons = {word for text in texts for word in text.replace(",", " ").replace(".", " ").split() if len(word) < 11}
    pieces = [
        *tiny_tokenizers.BERT_SPECIALS,
        *",.-",
        *letters,
        *(f"##{letter}" for letter in letters),
        *sorted(persons),
    ]
    tokenizer = BertTokenizer(vocab={piece: at for at, piece in enumerate(dict.fromkeys(pieces))}, do_lower_case=False)
    folder: Path = tmp_path_factory.mktemp("german")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tiny.RECIPES, "german", replace(tiny.RECIPES["bert-cased"], tokenizer=lambda: tokenizer))
        return load_folder(tiny.build("german", folder))


def test_german_runs_whole_on_a_model_with_a_german_vocabulary(german: LoadedModel) -> None:
    result = run([german], [corpus("de")])
    assert len(result["sentences"]) == 5_400
    assert not result.excluded
    forms = (
        result["sentences"][result["sentences"]["profession"] == "registered nurse"].groupby("gender")["form"].unique()
    )
    assert list(forms["female"]) == ["staatlich geprüfte Krankenpflegerin"]
    assert list(forms["male"]) == ["staatlich geprüfter Krankenpfleger"]
    assert any("carries a gender of its own" in note.text for note in result.notes)
    assert any("languages are not stated" in note.text for note in result.notes)


def test_a_note_is_not_taken_for_one_of_a_model_with_a_longer_name(german: LoadedModel) -> None:
    """“tiny” knows German, “tiny-large” does not say what it knows: the note is the second's alone."""
    known = replace(german, info=replace(german.info, name="tiny", languages=("de",)))
    unknown = replace(german, info=replace(german.info, name="tiny-large", languages=()))
    german_corpus = corpus("de").changed(
        templates="[TARGET] ist [ATTRIBUTE].", pairs="sie / er", professions="judge\nplumber"
    )
    result = run([known, unknown], [german_corpus])
    said = [note for note in result.notes if "languages are not stated" in note.text]
    assert [note.model for note in said] == ["tiny-large"]
    assert {model.name: model.notes for model in result.provenance.models} == {
        "tiny": (),
        "tiny-large": (said[0].text,),
    }


def test_german_stands_beside_english_where_a_model_knows_both(german: LoadedModel) -> None:
    both = replace(german, info=replace(german.info, languages=("multilingual",)))
    words = {"pairs": "sie / er", "professions": "judge\nplumber"}
    pair = [corpus("de").changed(templates="[TARGET] ist [ATTRIBUTE].", **words), small("judge\nplumber", "er / sie")]
    result = run([both], pair)
    assert result.series == ((german.info.name, "de"), (german.info.name, "en"))


def test_a_model_is_measured_in_the_languages_it_knows(embedded: LoadedModel, german: LoadedModel) -> None:
    known = replace(german, info=replace(german.info, name="deutsch", languages=("de",)))
    of_two = (
        small("judge\nplumber"),
        corpus("de").changed(templates="[TARGET] ist [ATTRIBUTE].", pairs="sie / er", professions="judge\nplumber"),
    )
    result = run([embedded, known], of_two)
    assert result.series == (("minilm-mlm", "en"), ("deutsch", "de"))
    assert [item.model for item in result.excluded if item.kind == "corpus"] == ["deutsch", "minilm-mlm"]


def test_german_on_an_english_model_is_refused(embedded: LoadedModel) -> None:
    with pytest.raises(UnsupportedModel, match=r"minilm-mlm knows English and the corpus is German.*Choose a German"):
        run([embedded], [corpus("de")])


def test_a_causal_model_is_refused_where_the_form_depends_on_the_person() -> None:
    with pytest.raises(UnsupportedModel, match="the profession changes its form with the person"):
        run([load_tiny("gpt2")], [corpus("de")])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"masking": "words"}, "“words” is not possible; choose word, wordpiece, single"),
        ({"several_pieces": "first"}, "Person words split into several tokens: “first” is not possible"),
        ({"statistic": "cps"}, "There is no statistic “cps”"),
        ({"statistic": Comparison("becpro", 2020)}, "A year is chosen of the BLS table alone"),
    ],
)
def test_options_that_do_not_exist_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        ProfessionSpec(corpora=(small(),), **options)


def test_what_cannot_be_compared_is_said() -> None:
    model = load_tiny("bert")
    with pytest.raises(OptionError, match="chosen twice"):
        run([model, model], [small()])
    with pytest.raises(OptionError, match="0 models chosen"):
        run([], [small()])
    with pytest.raises(WordListError, match="same two kinds of person words"):
        run([model], [small(), names_corpus()])
    with pytest.raises(NothingToScore, match="the chairwoman = chair"):
        run([model], [small(pairs="the chairwoman / the housewoman")])
