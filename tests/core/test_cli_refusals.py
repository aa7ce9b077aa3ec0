"""A mistyped option is refused at once, by every command, before any model library is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from core.cli import COMMANDS
from core.measures.measure import measures
from tests.support.paths import ROOT

SCORE = ("score", "--template", "[TARGET] is a [ATTRIBUTE].", "--groups", "he-she", "--attribute", "nurse")
ASSOCIATION, PROFESSIONS = ("association", "--test", "weat6"), ("professions",)
ATTENTION = (
    "attention",
    "--sentence",
    "She told him that the nurse was late.",
    "--twin",
    "He told her that the nurse was late.",
)
SCAN, RELIABILITY = ("scan", "--corpus", "README.md", "--out", "nowhere"), ("reliability", "templates")
DISCO, CROWS = ("benchmark", "disco"), ("benchmark", "crows-pairs")
HISTORY = ("history", "list")
# What is asked for, and what the refusal must name: the values there are, or the range.
REFUSED: dict[tuple[str, ...], tuple[str, ...]] = {
    (*HISTORY, "--since", "yesterday"): ("“yesterday”", "2026-11-29"),
    (*HISTORY, "--most", "0"): ("1 to 100,000",),
    ("history", "import", "no-such-file"): ("TILTMETER_HISTORY",),
    ("verify", "no-such-file"): ("cannot be read",),
    ("batch", "no-such-file"): ("no-such-file", "cannot be read"),
    ("batch", "README.md"): ("README.md, line ", "not YAML"),
    ("batch", ".github/workflows/ci.yml"): ("ci.yml, line 1", "“name” is not a key of a batch file"),
    ("paper", "run", "kurita-tabel-3"): ("kurita-table-3",),
    ("paper", "run", "kurita-table-3", "--model", "/no/such/folder"): ("There is no folder /no/such/folder",),
    ("paper", "run", "kurita-table-3", "--device", "tpu"): ("cuda", "mps", "cpu"),
    ("export", "no-such-file", "--as", "avid"): ("no-such-file",),
    ("export", "x.tilt", "--as", "foo"): ("every-eval-ever", "model-index", "model-card", "avid"),
    ("export", "x.tilt", "--as", "avid", "--out", "nowhere/x.json"): ("There is no folder nowhere",),
    ("shelf", "--format", "xml"): ("json", "table", "csv"),
    ("show", "published:bogus"): ("There is no published result “bogus”", "“python -m core shelf” names all 28."),
    (*PROFESSIONS, "--published", "bogus"): ("becpro-en-bert-base-uncased",),
    (*PROFESSIONS, "--published", "becpro-en-bert-base-uncased", "--language", "de"): ("in English",),
    (*SCORE, "--masking", "foo"): ("wordpiece", "word", "single"),
    (*SCORE, "--several-pieces", "foo"): ("single", "joint"),
    (*SCORE, "--contrasts", "foo"): ("pairs", "others"),
    (*SCORE, "--seed", "-5"): ("0 to 2,147,483,647",),
    (*SCORE, "--seed", "1.5"): ("0 to 2,147,483,647",),
    (*SCORE, "--dtype", "int8"): ("float32", "bfloat16", "float16"),
    (*SCORE, "--device", "tpu"): ("cuda", "mps", "cpu"),
    (*SCORE, "--format", "xml"): ("json", "table", "csv"),
    (*SCORE, "--groups", "foo"): ("he-she",),
    (*SCORE[:-2], "--attributes", "foo"): ("winogender",),
    (*SCORE, "--model", "foo"): ("“python -m core models” names all",),
    (*SCORE, "--model", "/no/such/folder"): ("There is no folder /no/such/folder",),
    (*SCORE, *(part for n in range(5) for part in ("--model", f"owner/m{n}"))): ("at most 4",),
    (*SCORE, "--attribute", "@no-such-file"): ("cannot be read",),
    (*ASSOCIATION, "--test", "weat99"): ("weat9",),
    (*ASSOCIATION, "--representation", "foo"): ("lpbs", "vulic"),
    (*ASSOCIATION, "--layer", "-1"): ("0 to 999",),
    (*ASSOCIATION, "--ddof", "2"): ("1", "0"),
    (*ASSOCIATION, "--lost", "foo"): ("unknown", "several pieces"),
    (*ASSOCIATION, "--unequal", "foo"): ("keep", "drop"),
    (*ASSOCIATION, "--lpbs-values", "foo"): ("mean", "pool"),
    (*ASSOCIATION, "--ceat-variance", "foo"): ("authors", "formula"),
    (*ASSOCIATION, "--ceat-samples", "1"): ("2 to 1,000,000",),
    (*ASSOCIATION, "--vectors", "no-such-file"): ("There is no file no-such-file",),
    (*ASSOCIATION, "--contexts", "no-such-file"): ("cannot be read",),
    (*PROFESSIONS, "--language", "xx"): ("en", "de"),
    (*PROFESSIONS, "--statistic", "foo"): ("bls", "becpro"),
    (*PROFESSIONS, "--share-file", "no-such-file"): ("cannot be read",),
    (*PROFESSIONS, "--year", "1999"): ("2019", "2023"),
    (*PROFESSIONS, "--masking", "foo"): ("word", "wordpiece", "single"),
    (*PROFESSIONS, "--several-pieces", "foo"): ("single", "joint"),
    (*PROFESSIONS, "--persons", "foo"): ("words", "names"),
    (*PROFESSIONS, "--model", "foo"): ("“python -m core models” names all",),
    (*ATTENTION, "--dtype", "foo"): ("float32",),
    (*ATTENTION, "--model", "foo"): ("“python -m core models” names all",),
    (*ATTENTION[:3], "--occupation", "plumber"): ("plumber",),
    (*SCAN, "--dtype", "foo"): ("float32",),
    (*SCAN, "--model", "foo"): ("“python -m core models” names all",),
    ("scan", "--corpus", "no-such-file", "--out", "nowhere"): ("no-such-file",),
    ("reliability", "foo"): ("templates", "representations", "metrics", "divergence"),
    (*RELIABILITY, "--set", "foo"): ("delobelle", "becpro"),
    (*RELIABILITY, "--representation", "lpbs"): ("cls-in-templates",),
    (*RELIABILITY, "--representation", "vulic"): ("cls-in-templates",),
    (*RELIABILITY, "--method", "foo"): ("pearson", "spearman"),
    (*RELIABILITY, "--subsets", "3"): ("4 to 500",),
    (*RELIABILITY, "--subsets", "9999"): ("4 to 500",),
    (*RELIABILITY, "--drawn", "1"): ("2 to 30",),
    ("reliability", "divergence", "--base", "T99"): ("T1", "T11"),
    ("reliability", "metrics", "--metric", "foo"): ("weat", "stereoset"),
    ("reliability", "metrics", "--columns", "no-such-file"): ("cannot be read",),
    ("reliability", "metrics", "--crows-pairs", "no-such-file"): ("cannot be read",),
    ("benchmark", "foo"): ("crows-pairs", "honest"),
    (*DISCO, "--words", "foo"): ("names", "nouns"),
    (*DISCO, "--pieces", "foo"): ("together", "revealed"),
    (*DISCO, "--average", "foo"): ("terms", "pairs"),
    (*DISCO, "--fills", "foo"): ("top", "probability"),
    (*DISCO, "--text", "foo"): ("exact", "normalised"),
    (*DISCO, "--model", "foo"): ("“python -m core models” names all",),
    (*CROWS,): ("--data FILE",),
    (*CROWS, "--data", "no-such-file"): ("cannot be read",),
    ("causes", "--model", "foo"): ("“python -m core models” names all",),
    ("swap", "no-such-file"): ("no-such-file cannot be read",),
    ("swap", "--out", "nowhere/x.txt"): ("There is no folder nowhere",),
    ("swap", "README.md", "--out", "README.md"): ("holds the text that is to be swapped",),
    ("swap", "--model", "foo"): ("“python -m core models” names all",),
    ("finetune", "--data", "no-such-file"): ("no-such-file cannot be read",),
    ("finetune", "--data", "README.md", "--out", "core"): ("core holds something else",),
    ("finetune", "--data", "README.md", "--out", "README.md/x"): ("README.md is a file",),
    ("finetune", "--rate", "7"): ("5e-5", "2e-5"),
    ("finetune", "--model", "foo"): ("“python -m core models” names all",),
    ("change", "foo"): ("professions", "score", "association", "direction", "attention", "benchmark"),
    ("change", "professions"): ("choose at least one",),
    ("change", "professions", "--child", "foo"): ("“python -m core models” names all",),
    ("change", "score", "--child", "default", "--masking", "foo"): ("wordpiece", "word", "single"),
    ("classify", "--data", "no-such-file"): ("no-such-file cannot be read",),
    ("classify", "--data", "README.md"): ("README.md is not a .txt, .csv or .tsv file",),
    ("classify", "--model", "foo"): ("“python -m core models” names all",),
    ("direction", "--representation", "lpbs"): ("pooled-in-templates",),
    ("direction", "--pairs", "foo"): ("bolukbasi",),
    ("direction", "--model", "foo"): ("“python -m core models” names all",),
    ("direction", "--erase", "foo"): ("nothing", "leace"),
    (*ASSOCIATION, "--erase", "foo"): ("nothing", "leace"),
    ("occupations", "--erase", "foo"): ("nothing", "leace", "both"),
    ("change", "score", "--erased"): ("only these measures read", "association tests", "gender direction"),
    ("occupations", "--data", "README.md"): ("README.md is not a .txt, .csv or .tsv file",),
    ("occupations", "--data", "tests/reference/noun_pairs.csv"): ("lacks the columns",),
    ("occupations", "--texts", "foo"): ("plain", "scrubbed", "both"),
    ("occupations", "--text", ""): ("say what it is called",),
    ("coreference", "--data", "README.md"): ("README.md is not a .txt, .csv or .tsv file",),
    ("coreference", "--data", "no-such-file"): ("no-such-file cannot be read",),
    ("coreference", "--predictions", "requirements.txt"): ("give your WinoBias files",),
    ("descriptors", "--axis", "foo"): ("age", "religion"),
    ("descriptors", "--data", "README.md"): ("README.md is not a .txt, .csv or .tsv file",),
    ("descriptors", "--data", "tests/reference/noun_pairs.csv"): ("one column descriptor",),
    ("descriptors", "--template", "I am old."): ("[PERSON] 0 times",),
    ("descriptors", "--test", "foo"): ("signed-rank", "mann-whitney"),
    ("resolve", "--train", "no-such-file"): ("no-such-file cannot be read",),
    ("resolve", "--test", "README.md"): ("README.md is not a .txt, .csv or .tsv file",),
    ("resolve", "--networks", "4"): ("5 to 50",),
    ("resolve", "--network", "foo"): ("paper", "common"),
    ("resolve", "--missing", "foo"): ("true", "always"),
    ("resolve", "--model", "foo"): ("“python -m core models” names all",),
    ("models", "--format", "foo"): ("json", "table", "csv"),
}
# Every command line in one process of its own; what it says, its exit code, and whether a model library is there.
PROGRAM = """
import contextlib, io, json, sys
from core.cli import main
found = []
for arguments in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code
    loaded = [name for name in ("torch", "transformers") if name in sys.modules]
    found.append({"code": code, "out": out.getvalue(), "err": err.getvalue(), "loaded": loaded})
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, ...], dict[str, Any]]:
    asked = json.dumps([list(arguments) for arguments in REFUSED])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, input=asked, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(REFUSED, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_a_mistyped_option_is_refused_before_any_model_library_is_imported(
    arguments: tuple[str, ...], answers: dict[tuple[str, ...], dict[str, Any]]
) -> None:
    answer = answers[arguments]
    said = answer["err"].splitlines()[-1]
    assert answer["loaded"] == [], said
    assert answer["code"] in (1, 2)
    assert answer["out"] == ""
    assert "Traceback" not in answer["err"]
    assert all(name in said for name in REFUSED[arguments]), said


def test_every_command_was_tried() -> None:
    assert {arguments[0] for arguments in REFUSED} == {
        *(command.NAME for command in COMMANDS),
        *(name for name, spec in measures().items() if spec.__module__.startswith("core.")),
    }
