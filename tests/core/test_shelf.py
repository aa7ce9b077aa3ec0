"""Published scores as results: what they give, what is set aside, and that they say what they are everywhere."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
import pytest
from tokenizers import Tokenizer

from core import shelf
from core.charts.text import shorten
from core.cli import main
from core.engine.lending import same_files
from core.errors import OptionError
from core.history.difference import compare
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import load
from core.publication.exchange.formats import exported
from core.report.frames import to_csv
from core.report.methods import methods_paragraph
from core.report.wording import footer_parts, provenance_lines
from core.result import Result
from core.sources import corpus, published
from core.stats.proportions import wilson
from core.stats.rank_tests import normal_approximation
from tests.support.paths import ROOT
from tests.support.reference import table

BERT = "becpro-en-bert-base-uncased"
NAME = "bert-base-uncased (published)"
GERMAN = "becpro-de-bert-base-german-dbmdz-cased"
EVERY = [entry.id for entry in shelf.entries()]


def cells(result: Result) -> dict[tuple[str, str], tuple[float, int]]:
    """Mean and n by group of professions and gender."""
    rows = result["groups"].to_dict("records")
    return {(row["group"], row["gender"]): (row["mean"], row["n"]) for row in rows}


def test_every_entry_says_where_it_is_from_and_under_which_licence() -> None:
    assert len(set(EVERY)) == len(EVERY)
    for entry in shelf.entries():
        assert entry.source
        assert entry.licence
        assert entry.note
        assert (ROOT / "assets" / "data" / "published" / entry.file).is_file()
        assert len(entry.table())


@pytest.mark.parametrize("id", EVERY)
def test_an_entry_is_a_result_that_says_it_was_not_measured_here(id: str, tmp_path: Path) -> None:
    result = shelf.result(id)
    (model,) = result.provenance.models
    assert model.name.endswith("(published)")
    assert (model.dtype, model.device, model.attention, model.parameters) == ("", "", "", 0)
    assert len(next(iter(result.tables.values())))
    assert any("not measured here" in str(note) for note in result.notes)
    entry = shelf.entry(id)
    assert entry.source in " ".join(result.provenance.data)
    assert entry.licence in " ".join(result.provenance.data)
    for text in (
        methods_paragraph(result),
        " ".join(footer_parts(result.provenance)),
        " ".join(provenance_lines(result.provenance)),
        to_csv(next(iter(result.tables.values())), result.provenance).decode().splitlines()[1],
    ):
        assert "not measured here" in text
        assert " on ," not in text
    result.save(tmp_path / "kept.tilt")
    assert load(tmp_path / "kept.tilt") == result
    again = type(result.spec).restored(json.loads(json.dumps(result.document()["spec"])))
    assert again == result.spec
    measured = again.run()
    assert all(measured[name].equals(frame) for name, frame in result.tables.items())


def test_padding_of_the_authors_gives_the_means_of_table_4() -> None:
    before = cells(shelf.result(f"{BERT}-as-published"))
    # Bartl, Nissim & Gatt 2020, Table 4, two decimals each, before fine-tuning.
    printed = {
        ("balanced", "female"): -0.35,
        ("balanced", "male"): 0.05,
        ("female", "female"): 0.50,
        ("female", "male"): -0.68,
        ("male", "female"): -0.83,
        ("male", "male"): 0.16,
    }
    assert before.keys() == printed.keys()
    for cell, mean in printed.items():
        assert before[cell][0] == pytest.approx(mean, abs=0.0051)
        assert before[cell][1] == 900


def test_padding_of_the_authors_gives_table_5_in_german() -> None:
    result = shelf.result(f"{GERMAN}-as-published")
    tests = result["tests"].set_index("group")
    # Printed: W 315058, 304635, 297605; the scores of the other run give them but for one each.
    assert tests["W"].to_dict() == pytest.approx({"balanced": 315057, "female": 304636, "male": 297605})
    assert tests.loc["balanced", "z"] == pytest.approx(normal_approximation(315057, 900)[0])
    assert round(cells(result)["balanced", "female"][0], 2) == 2.14


def test_what_the_code_cut_and_what_the_corpus_misplaced_is_set_aside() -> None:
    """The embedded model has the vocabulary of bert-base-uncased, so it says how long a sentence is."""
    tokenizer = Tokenizer.from_file(str(ROOT / "assets" / "models" / "minilm-mlm" / "tokenizer.json"))
    english = corpus("en")
    misplaced = set(table("becpro_misplaced_masks").query("language == 'en'")["sentence"])
    labels = english.labels
    expected = set()
    for sentence in english.sentences():
        template, person, profession = sentence.place
        place = (template + 1, labels[sentence.side][person], english.professions[profession].name)
        if sentence.text in misplaced:
            expected.add((*place, "masks"))
        elif len(tokenizer.encode(sentence.text).ids) > 16:
            expected.add((*place, "cut"))
    aside = published.table("becpro_set_aside.csv").query("language == 'en'")
    found = set(aside[["template", "person", "profession", "why"]].itertuples(index=False, name=None))
    assert found == expected
    assert len(found) == 314 + 23


def test_its_means_are_those_of_the_scores_that_are_left() -> None:
    """Again from the two files by hand: without what is set aside, and without the partner of each of these."""
    pairs = list(zip(*corpus("en").labels, strict=True))
    rows = table("becpro_associations").query("language == 'en' and scores == 'pre_pad'").set_index("profession")
    gone = set(
        published.table("becpro_set_aside.csv")
        .query("language == 'en'")[["template", "person", "profession"]]
        .itertuples(index=False, name=None)
    )
    female: list[float] = []
    male: list[float] = []
    for profession in (item for item in corpus("en").professions if item.group == "female"):
        for template in range(1, 6):
            for woman, man in pairs:
                if {(template, woman, profession.name), (template, man, profession.name)} & gone:
                    continue
                female.append(rows.at[profession.name, f"{woman} {template}"])
                male.append(rows.at[profession.name, f"{man} {template}"])
    found = cells(shelf.result(BERT))
    assert found["female", "female"] == (pytest.approx(math.fsum(female) / len(female)), len(female))
    assert found["female", "male"] == (pytest.approx(math.fsum(male) / len(male)), len(male))


# Rows above 0; Kurita et al. 2019, Table 5, prints 88.5, 80.0 and 78.9 %, of 921, 230 and 365 rows.
@pytest.mark.parametrize(
    ("name", "male", "n"), [("job-titles", 814, 920), ("positive-traits", 184, 230), ("negative-traits", 287, 363)]
)
def test_the_shares_of_kurita_s_lists(name: str, male: int, n: int) -> None:
    result = shelf.result(f"kurita-{name}-bert-base-uncased")
    row = result["shares"].iloc[0]
    assert (row["first"], row["n"]) == (male, n)
    interval = wilson(male, n)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((interval.low, interval.high))
    scores = result["attributes"]
    rows = table("kurita_he_she").query("dataset == @name.replace('-', '_')").drop_duplicates("attribute")
    known = rows.set_index("attribute").loc[scores["attribute"]]
    assert scores["lpbs"].tolist() == known["lpbs"].tolist()
    assert scores["prior_log_ratio"].tolist() == pytest.approx((known["log_ratio"] - known["lpbs"]).tolist())
    assert result["overall"]["lpbs"].iloc[0] == pytest.approx(known["lpbs"].mean())
    assert "at the token before the last mask" in methods_paragraph(result)
    with pytest.raises(OptionError, match="read at another mask"):
        LpbsSpec(published=f"kurita-{name}-bert-base-uncased")


def test_of_a_published_sentence_the_association_alone_is_known() -> None:
    sentences = shelf.result(BERT)["sentences"]
    assert sentences["association"].notna().all()
    assert sentences[["ln_p_target", "ln_p_prior"]].isna().all().all()


def test_a_run_is_compared_with_a_published_result() -> None:
    found = compare(shelf.result(BERT), shelf.result(f"{BERT}-single-mask"))
    difference = found.numbers.set_index(["title", "of"])
    first, second = (
        shelf.result(id)["tests"].set_index("group").loc["female", "median_difference"]
        for id in (BERT, f"{BERT}-single-mask")
    )
    assert difference.loc[("median difference", "en, female"), "difference"] == pytest.approx(second - first)
    assert len(found.tests)
    assert (found.changed["what"] == "How the profession is hidden for the prior").any()
    assert found.changed.iloc[0].tolist() == ["Measured", *["published, not measured here"] * 2]


@pytest.mark.parametrize("form", ["every-eval-ever", "model-index", "model-card", "avid"])
def test_what_leaves_for_others_says_so_too(form: str) -> None:
    data = exported(shelf.result(BERT), form).decode()
    assert "not measured here" in data
    assert '"dtype"' not in data


def test_a_model_that_was_trained_further_is_not_taken_for_the_one_it_was_made_from() -> None:
    base, after = (published.entry(f"becpro-en-bert-base-uncased{part}").info for part in ("", "-fine-tuned"))
    assert base.id == "google-bert/bert-base-uncased"
    assert after.id != base.id
    assert after.name == "bert-base-uncased, fine-tuned, authors’ padding (published)"


def test_two_of_one_file_are_not_said_to_be_the_same_model() -> None:
    infos = [shelf.entry(id).info for id in (BERT, f"{BERT}-single-mask")]
    assert infos[0].digest == infos[1].digest
    assert same_files(infos) == ()


def test_however_little_room_there_is_a_chart_says_that_it_was_published() -> None:
    assert shorten(NAME, 150, 12) == "bert-base-… (published)"
    assert shorten(NAME, 1000, 12) == NAME
    assert shorten("bert-base-uncased", 100, 12) == "bert-base-unc…"


def test_an_id_that_is_none_names_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"“bogus”\. “python -m core shelf” names all 28\.$"):
        shelf.result("bogus")
    with pytest.raises(OptionError, match=f"Did you mean {BERT}"):
        shelf.result(f"{BERT}s")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"masking": "wordpiece"}, "hidden by one mask per word"),
        ({"corpora": "de"}, "its sentences are in English"),
        ({"published": (BERT, BERT)}, "chosen twice"),
        ({"published": f"{BERT}-as-published"}, "padded with"),
        ({"models": ("a", "b", "c", "d")}, "5 models chosen, with the published ones; 1 to 4"),
        ({"published": "bogus"}, "There is no published result “bogus”"),
    ],
)
def test_what_is_not_comparable_is_refused_with_the_reason(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        ProfessionSpec(**{"published": BERT, **options})


def test_a_spec_without_any_model_is_refused() -> None:
    with pytest.raises(OptionError, match="0 models chosen; 1 to 4"):
        ProfessionSpec(models=())


def test_the_command_lists_and_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shelf", "--format", "json"]) == 0
    rows = pd.DataFrame(json.loads(capsys.readouterr().out))
    assert list(rows["id"]) == EVERY
    assert main(["show", f"published:{BERT}", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["spec"]["published"] == [BERT]
    assert printed["provenance"]["models"][0]["published"].startswith("scores of each sentence from")
    assert main(["show", "published:bogus"]) == 2
    assert "There is no published result “bogus”" in capsys.readouterr().err
