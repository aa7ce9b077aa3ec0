"""``python -m core professions`` through the program's own entry."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from statistics import fmean

import pytest

from core.sources import corpus, shares
from core.sources.digests import user_copy
from tests.support.commands import Command
from tests.support.tiny import tiny_folder

JOBS = ("registered nurse", "secretary", "carpenter", "plumber", "judge")
FEW = (
    *("--template", "[TARGET] is a [ATTRIBUTE].", "--template", "[TARGET] works as a [ATTRIBUTE]."),
    *("--pair", "she / he", "--pair", "my sister / my brother"),
    *(part for job in JOBS for part in ("--profession", job)),
)
# Words that the tiny models know.
TINY = (*FEW[:8], "--profession", "nurse,engineer,teacher,doctor")


COMMAND = Command("professions")
run, document = COMMAND.run, COMMAND.document


def test_every_table_has_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = (part for job in ("bookkeeper", "roofer") for part in ("--profession", job))
    tables = document(capsys, "--language", "en", "--model", "default", *FEW, *jobs)["tables"]
    for rows in tables.values():
        assert {(row["model"], row["language"]) for row in rows} == {("minilm-mlm", "en")}
    groups = ["female", "balanced", "male"]
    assert [(row["group"], row["gender"]) for row in tables["groups"]] == [
        (group, gender) for group in groups for gender in ("female", "male")
    ]
    # 2 templates × 2 persons of a kind × 3, 1 and 3 professions: only the one has too few pairs for a p.
    assert [row["n"] for row in tables["groups"]] == [12, 12, 4, 4, 12, 12]
    tests = tables["tests"]
    assert [(row["group"], row["n"]) for row in tests] == [("female", 12), ("balanced", 4), ("male", 12)]
    assert [row["p_kind"] for row in tests] == ["exact", None, "exact"]
    assert [row["p"] is None for row in tests] == [row["p_adjusted"] is None for row in tests] == [False, True, False]
    assert [(row["method"], row["n"]) for row in tables["correlations"]] == [("pearson", 7), ("spearman", 7)]
    assert [row["profession"] for row in tables["professions"]] == [*JOBS, "bookkeeper", "roofer"]
    assert {row["n"] for row in tables["professions"]} == {8}
    for row in tables["professions"]:
        assert {name for name, value in row.items() if value is None} <= {"share_note"}


def test_the_numbers_are_those_of_the_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "--model", "default", *FEW)
    sentences = found["tables"]["sentences"]
    assert len(sentences) == 2 * 4 * len(JOBS)
    assert all(None not in row.values() for row in sentences)
    assert {row["person"] for row in sentences if row["gender"] == "female"} == {"she", "my sister"}
    published = shares("bls", year=2019)
    for row in found["tables"]["professions"]:
        first, second = (
            fmean(
                sentence["association"]
                for sentence in sentences
                if (sentence["profession"], sentence["gender"]) == (row["profession"], gender)
            )
            for gender in ("female", "male")
        )
        assert (row["mean_first"], row["mean_second"]) == pytest.approx((first, second))
        assert row["difference"] == pytest.approx(first - second)
        assert row["residual"] == pytest.approx(row["difference"] - row["line"])
        assert row["percent_women"] == pytest.approx(published.find(row["profession"]))
    spec = found["spec"]
    assert [spec[name] for name in OPTIONS] == ["word", "single", True, 0, "sentence", "exact"]
    sources = found["provenance"]["data"]
    assert "changed by the user" in sources[0]
    assert sources[1].endswith("2019")


OPTIONS = ("masking", "several_pieces", "common_words", "seed", "form", "signed_rank")


def test_the_corpus_as_it_stands_needs_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    """All of it, on the smallest model there is: its table, and the 60 professions of the paper."""
    found = document(capsys, "--model", str(tiny_folder("bert")), "--language", "en")
    names = [row["profession"] for row in found["tables"]["professions"]]
    assert names == [profession.name for profession in corpus("en").professions]
    assert len(found["tables"]["groups"]) == 6
    assert "changed by the user" not in found["provenance"]["data"][0]


def test_options_reach_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    model = str(tiny_folder("bert"))
    options = ("--masking", "single", "--several-pieces", "joint", "--all-words", "--seed", "7", "--year", "2021")
    options += ("--form", "typed", "--signed-rank", "normal")
    found = document(capsys, "--model", model, *TINY, *options)
    assert [found["spec"][name] for name in OPTIONS] == ["single", "joint", False, 7, "typed", "normal"]
    assert found["provenance"]["data"][1].endswith("2021")
    assert found["provenance"]["seed"] == 7


def test_names_are_held_against_percent_black(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = tuple(part for job in JOBS for part in ("--profession", job))
    found = document(capsys, "--persons", "names", *FEW[:2], *jobs)
    assert "percent_women" not in found["tables"]["professions"][0]
    published = shares("bls", of="Black")
    for row in found["tables"]["professions"]:
        assert row["percent_black"] == pytest.approx(published.find(row["profession"]))
    assert {row["gender"] for row in found["tables"]["sentences"]} == {
        "African American names",
        "European American names",
    }
    assert {row["pair"] for row in found["tables"]["sentences"]} == {None}
    assert not found["tables"]["tests"]
    persons = {row["person"] for row in found["tables"]["sentences"]}
    lacking = {item["what"] for item in found["excluded"] if item["kind"] == "target"}
    assert "Adam" in persons
    assert "Shaniqua" in lacking
    assert len(persons) + len(lacking) == 64


# BLS, Current Population Survey, table 11, 2019: percent of dental hygienists, and of speech-language pathologists.
@pytest.mark.parametrize(
    ("people", "percents"), [("Black", (5.1, 3.9)), ("Asian", (5.0, 2.2)), ("Hispanic", (11.3, 6.7))]
)
def test_people_by_ethnicity_are_compared_with_their_share(
    capsys: pytest.CaptureFixture[str], people: str, percents: tuple[float, float]
) -> None:
    jobs = ("--profession", "dental hygienist", "--profession", "speech-language pathologist")
    pairs = ("--pair", f"this [{people}] man / this [White] man", "--pair", f"my [{people}] friend / my [White] friend")
    found = document(capsys, "--persons", people.lower(), *FEW[:2], *pairs, *jobs)
    rows = found["tables"]["professions"]
    assert [row[f"percent_{people.lower()}"] for row in rows] == list(percents)
    assert not {f"percent_{name}" for name in ("women", "black", "asian", "hispanic")} & set(rows[0]) - {
        f"percent_{people.lower()}"
    }
    sentences = found["tables"]["sentences"]
    assert {row["gender"] for row in sentences} == {people, "White"}
    assert {row["pair"] for row in sentences} == {
        f"this {people} man / this White man",
        f"my {people} friend / my White friend",
    }
    for row in rows:
        of_job = [sentence for sentence in sentences if sentence["profession"] == row["profession"]]
        means = {side: [item["association"] for item in of_job if item["gender"] == side] for side in (people, "White")}
        difference = sum(means[people]) / len(means[people]) - sum(means["White"]) / len(means["White"])
        assert row["difference"] == pytest.approx(difference, abs=1e-6)
    assert any("social categories of one country" in note["text"] for note in found["notes"])


def test_own_statistic_and_professions_from_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "shares.csv").write_text("job;women %\nnurse;87,5\nengineer;12,5\nteacher;75\ndoctor;50\n")
    (tmp_path / "jobs.txt").write_text("nurse\nengineer\nteacher\ndoctor\nmanager\n")
    files = ("--profession", f"@{tmp_path / 'jobs.txt'}", "--share-file", str(tmp_path / "shares.csv"))
    found = document(capsys, "--model", str(tiny_folder("bert")), *FEW[:8], *files)
    assert {row["profession"]: row["percent_women"] for row in found["tables"]["professions"]} == {
        "nurse": 87.5,
        "engineer": 12.5,
        "teacher": 75.0,
        "doctor": 50.0,
        "manager": None,
    }
    assert [row["n"] for row in found["tables"]["correlations"]] == [4, 4]
    (lacking,) = [item for item in found["excluded"] if item["kind"] == "profession"]
    assert lacking["what"] == "manager"
    assert "has no row in the statistic (women among those employed, shares.csv)" in lacking["why"]
    assert found["provenance"]["data"][1] == user_copy((tmp_path / "shares.csv").read_bytes(), "shares.csv")


def test_other_forms_hold_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--model", str(tiny_folder("bert")), *TINY)
    expected = document(capsys, *arguments)["tables"]["professions"]
    code, out, _ = run(capsys, *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out.removeprefix("\ufeff"))))
    assert code == 0
    assert [row["profession"] for row in rows] == [row["profession"] for row in expected]
    assert [float(row["difference"]) for row in rows] == pytest.approx([row["difference"] for row in expected])
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert all(row["profession"] in out for row in expected)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--year", "2018"), "invalid choice: '2018'"),
        (("--year", "2020", "--statistic", "becpro"), "A year is chosen of the BLS table alone"),
        (("--statistic", "bsl"), "invalid choice: 'bsl' (choose from"),
        (("--statistic", "becpro", "--share-file", "README.md"), "Give either --statistic or --share-file, not both."),
        (("--statistic", "becpro", "--persons", "names"), "for Black take the BLS table"),
        (("--share-file", "no-such-file.csv"), "no-such-file.csv cannot be read"),
        (("--template", "[TARGET] is nice."), "Found 0 [ATTRIBUTE] slots"),
        (("--template", ""), "There is no template"),
        (("--pair", "she"), "“she” is not a valid pair; write “female / male”"),
        (("--pair", ""), "There is no pair of persons"),
        (("--profession", ""), "no word in the list"),
        (("--language", "xx"), "“xx”, which does not exist"),
        (("--language", "en", "--language", "de", "--profession", "judge"), "belong to one language"),
        (("--language", "de", "--persons", "names"), "omit the language"),
        (("--language", "de", "--persons", "asian"), "“Asian and White people” are there in English alone"),
        (("--statistic", "becpro", "--persons", "hispanic"), "for Hispanic take the BLS table"),
        (("--persons", "names", "--pair", "she / he"), "Names are not pairs"),
        (("--masking", "words"), "invalid choice: 'words' (choose from"),
        (("--model", "default", "--model", "minilm-mlm", *FEW), "The same model is chosen twice"),
    ],
)
def test_what_is_not_well_formed_exits_with_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nurse\nteacher\n", "has one column; needs two"),
        ("nurse,120\n", "nurse has “120”; write a number from 0 to 100"),
        ("job,women,men\nnurse,90,10\n", "call the one with the percentages “percent”"),
        ("nurse,90\nNurse,80\n", "names Nurse twice"),
    ],
)
def test_a_statistic_that_cannot_be_read_exits_with_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, sentence: str
) -> None:
    (tmp_path / "shares.csv").write_text(text)
    code, out, err = run(capsys, "--share-file", str(tmp_path / "shares.csv"))
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--language", "de"), "minilm-mlm knows English and the corpus is German"),
        (("--model", "no-such-model"), "There is no model named “no-such-model”"),
        (("--model", "default", *FEW[:2], "--pair", "the chairwoman / the alderman"), "No sentence could be scored"),
    ],
)
def test_what_cannot_be_measured_exits_with_1(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (1, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err
