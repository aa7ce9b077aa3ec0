from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from core import sources
from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.measures.lpbs import scoring
from core.measures.lpbs.professions import compute
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.spec import OWN_FILE, Comparison, ProfessionSpec
from core.measures.lpbs.professions.tables import by_residual
from core.measures.lpbs.professions.words import disagreements, finding
from core.result import Progress
from core.run import Run
from core.sources import Corpus
from pages.professions.views import View
from pages.shared import resources
from tests.pages.visiting import button_group, charts, errors, findings, html, opened, settle, visit
from tests.support.paths import ROOT
from tests.support.profession_results import own_file, run
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

PAGE = "pages/3_Professions.py"
TEMPLATES = "[TARGET] is a [ATTRIBUTE].\n[TARGET] works as a [ATTRIBUTE]."
PAIRS = "she / he\nmy sister / my brother"
JOBS = "registered nurse\nsecretary\ncarpenter\nplumber\njudge"
NAMES = "names"
SHARES = b"job,percent\nregistered nurse,95\nsecretary,90\ncarpenter,5\nplumber,10\njudge,50\n"
MODEL = ("minilm-mlm", "en")


def short(professions: str = JOBS, templates: str = TEMPLATES, pairs: str = PAIRS) -> Corpus:
    return sources.corpus("en").changed(templates=templates, pairs=pairs, professions=professions)


def page(**link: Any) -> AppTest:
    """Open the page with a short corpus."""
    return visit(PAGE, **{**boxes(), **link})


def boxes(professions: str = JOBS) -> dict[str, str]:
    return {"en_words_templates": TEMPLATES, "en_words_pairs": PAIRS, "en_words_professions": professions}


def measured(
    model: LoadedModel,
    *more: LoadedModel,
    corpus: Corpus | None = None,
    statistic: Comparison | None = None,
    options: dict[str, Any] | None = None,
) -> ProfessionResult:
    """The same measurement without any page."""
    return run([model, *more], [corpus or short()], options, statistic=statistic or Comparison())


def points(figure: dict[str, Any]) -> dict[tuple[str, ...], tuple[float, float]]:
    """Share and difference of every point of the scatter, by (profession, model, language)."""
    return {
        tuple(mark): (float(x), float(y))
        for trace in figure["data"]
        if "markers" in (trace.get("mode") or "")
        for mark, x, y in zip(trace["customdata"], trace["x"], trace["y"], strict=True)
    }


def drawn(at: AppTest) -> list[float]:
    """Shares and differences of the scatter, in the order of the professions."""
    return [number for point in points(charts(at)[0]).values() for number in point]


def expected(result: ProfessionResult) -> list[float]:
    rows = result["professions"].dropna(subset=result.percent_column)
    return rows[[result.percent_column, "difference"]].to_numpy().ravel().tolist()


def card(at: AppTest) -> str:
    """The card, from its heading on."""
    return html(at).split('<div class="card">')[1]


def click(at: AppTest, *mark: str) -> None:
    """What the browser sends when a mark of the first chart is clicked."""
    chart = at.get("plotly_chart")[0].proto
    selection = {"selection": {"points": [{"customdata": list(mark)}], "point_indices": [0]}}
    states = WidgetStates()
    states.widgets.add(id=chart.id, string_value=json.dumps(selection))
    at._run(states)
    assert not at.exception


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[ProfessionSpec]:
    """The specs of every measurement that was made."""
    found: list[ProfessionSpec] = []
    plain = compute.measure

    def noting(spec: ProfessionSpec, *rest: Any) -> ProfessionResult:
        found.append(spec)
        return plain(spec, *rest)

    monkeypatch.setattr(compute, "measure", noting)
    return found


def test_finding_chart_and_sentences_are_those_of_the_measurement(embedded: LoadedModel) -> None:
    at = page()
    result = measured(embedded)
    assert not errors(at)
    found = finding(result, MODEL)
    assert findings(at) == [found.text]
    assert found.support in html(at)
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert [text.value for text in at.text if "nats more towards" in text.value] == [
        "\n".join(disagreements(result, MODEL))
    ]
    groups, jobs = (dataframe.value for dataframe in at.dataframe)
    assert list(groups["group"]) == ["female", "balanced", "male"]
    assert list(jobs["profession"]) == JOBS.splitlines()
    assert any("Bartl" in caption.value and "Current Population Survey" in caption.value for caption in at.caption)


def test_year_and_statistic_ask_no_model_again(embedded: LoadedModel, asked: list[ProfessionSpec]) -> None:
    at = page(seed="11")
    assert len(asked) == 1
    first = drawn(at)
    options = {"seed": 11}
    at.select_slider(key="professions.year").set_value("2021")
    settle(at)
    result = measured(embedded, statistic=Comparison(year=2021), options=options)
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5) != first
    assert findings(at) == [finding(result, MODEL).text]

    at.selectbox(key="professions.statistic").set_value("becpro")
    settle(at)
    result = measured(embedded, statistic=Comparison("becpro", None), options=options)
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert findings(at) == [finding(result, MODEL).text]
    assert len(asked) == 1 + 2, "two of them were made here"


def test_a_link_holds_year_and_statistic(embedded: LoadedModel) -> None:
    at = page(year="2022")
    assert at.select_slider(key="professions.year").value == "2022"
    assert drawn(at) == pytest.approx(expected(measured(embedded, statistic=Comparison(year=2022))), abs=1e-5)
    at = page(statistic="becpro")
    assert drawn(at) == pytest.approx(expected(measured(embedded, statistic=Comparison("becpro", None))), abs=1e-5)


def test_own_shares_from_a_file(embedded: LoadedModel) -> None:
    at = page(statistic=OWN_FILE)
    assert not errors(at)
    assert any("Give a file to compare with" in box.value for box in at.info)
    assert not charts(at)
    at.file_uploader(key="professions.share_file").upload("own.csv", b"registered nurse,120\n", "text/csv")
    settle(at)
    (said,) = errors(at)
    assert "own.csv, column “column 2”: registered nurse has “120”; write a number from 0 to 100" in said
    assert not charts(at)

    at.file_uploader[0].set_value([("own.csv", SHARES, "text/csv")])
    settle(at)
    assert not errors(at)
    result = measured(embedded, statistic=own_file(SHARES, "own.csv"))
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert findings(at) == [finding(result, MODEL).text]


def test_a_profession_without_a_share_says_why() -> None:
    at = page(en_words_professions=f"{JOBS}\nlighthouse keeper")
    assert "lighthouse keeper" not in {mark[0] for mark in points(charts(at)[0])}
    assert any("lighthouse keeper has no row in the statistic" in text.value for text in at.text)
    assert "lighthouse keeper" in list(at.dataframe[1].value["profession"])


def test_a_language_the_model_does_not_know_is_a_sentence(embedded: LoadedModel) -> None:
    at = page(language="de")
    (said,) = errors(at)
    assert "minilm-mlm knows English and the corpus is German" in said
    assert not charts(at)
    both = page(language=["en", "de"])
    assert not errors(both)
    assert drawn(both) == pytest.approx(expected(measured(embedded)), abs=1e-5)
    assert any("minilm-mlm knows English and the corpus is German" in text.value for text in both.text)


def test_no_language_asks_for_one() -> None:
    at = page()
    at.multiselect(key="professions.language").set_value([])
    settle(at)
    assert any("Choose a language" in box.value for box in at.info)
    at.multiselect(key="professions.language").set_value(["en"])
    settle(at)
    assert len(findings(at)) == 1
    assert at.text_area(key="professions.en_words_professions").value == JOBS


@pytest.mark.parametrize(
    ("box", "text", "sentence"),
    [
        ("templates", "", "There is no template; write one"),
        ("templates", "[TARGET] is nice.", "Found 0 [ATTRIBUTE] slots"),
        ("templates", "[TARGET] is [ARTICLE] [ATTRIBUTE].", "English has no articles here"),
        ("pairs", "", "There is no pair of persons"),
        ("pairs", "she", "“she” is not a valid pair; write “female / male”"),
        ("pairs", "she / he\nshe / man", "“she” stands in 2 places"),
        ("professions", "", "no word in the list"),
        ("professions", "judge: a / b / c", "cannot be read"),
    ],
)
def test_what_cannot_be_read_gets_its_sentence_and_loses_nothing(box: str, text: str, sentence: str) -> None:
    right = boxes()[f"en_words_{box}"]
    at = page()
    at.selectbox(key="professions.masking").set_value("single")
    settle(at)
    at.text_area(key=f"professions.en_words_{box}").set_value(text)
    settle(at)
    (said,) = errors(at)
    assert sentence in said
    assert any("Shown below is the last measurement" in text.value for text in at.text)
    kept = {**boxes(), f"en_words_{box}": text}
    assert {name: at.text_area(key=f"professions.{name}").value for name in kept} == kept
    assert at.selectbox(key="professions.masking").value == "single", "what is right stays on the page beside it"

    at.text_area(key=f"professions.en_words_{box}").set_value(right)
    settle(at)
    assert not errors(at)
    assert len(findings(at)) == 1
    assert at.selectbox(key="professions.masking").value == "single"


def test_options_reach_the_result_and_the_card(embedded: LoadedModel) -> None:
    at = page()
    before = drawn(at)
    assert "<code>[MASK] is a [MASK] [MASK].</code>" not in html(at)
    click(at, "registered nurse", *MODEL)
    assert "<code>My [MASK] is a [MASK] [MASK].</code>" in card(at)
    at.selectbox(key="professions.masking").set_value("single")
    settle(at)
    result = measured(embedded, options={"masking": "single"})
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert drawn(at) != pytest.approx(before, abs=1e-3)
    assert "<code>My [MASK] is a [MASK].</code>" in card(at)
    at.selectbox(key="professions.form").set_value("typed")  # the card shows the sentence as it was scored
    settle(at)
    assert "<code>my [MASK] is a [MASK].</code>" in card(at)


def test_names_are_held_against_the_share_of_black_workers(embedded: LoadedModel) -> None:
    at = page(persons=NAMES, en_names_templates="[TARGET] is a [ATTRIBUTE].", en_names_professions=JOBS)
    assert not errors(at)
    corpus = sources.names_corpus().changed(templates="[TARGET] is a [ATTRIBUTE].", pairs="", professions=JOBS)
    result = measured(embedded, corpus=corpus)
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert findings(at) == [finding(result, MODEL).text]
    assert "share of Black workers" in findings(at)[0]
    assert "% Black" in card(at)
    assert "names words" not in html(at)
    assert button_group(at, "professions.view").options == [
        "against the statistic",
        "both groups of names",
        "by template",
    ]
    assert any("Shaniqua" in text.value for text in at.text), "names of several pieces are listed"


def test_people_by_ethnicity_are_compared_with_their_share(embedded: LoadedModel) -> None:
    pairs = "this [Asian] woman / this [White] woman"
    texts = {"en_asian_templates": TEMPLATES, "en_asian_pairs": pairs, "en_asian_professions": JOBS}
    at = page(persons="asian", **texts)
    assert not errors(at)
    (asian,) = (item for item in sources.ethnicity_corpora() if item.people == "Asian")
    result = measured(embedded, corpus=asian.changed(templates=TEMPLATES, pairs=pairs, professions=JOBS))
    assert drawn(at) == pytest.approx(expected(result), abs=1e-5)
    assert findings(at) == [finding(result, MODEL).text]
    assert "share of Asian workers" in findings(at)[0]
    assert "% Asian" in card(at)
    assert any("“Asian” stands for people of many origins" in box.value for box in at.info)
    assert at.selectbox(key="professions.statistic").options == [
        "U.S. labour statistics (BLS), by year",
        "your own file …",
    ]


def test_from_words_to_names_and_back() -> None:
    """The view by pair and the statistics on women are not there for names."""
    of_names = {"en_names_templates": "[TARGET] is a [ATTRIBUTE].", "en_names_professions": JOBS}
    at = page(statistic="becpro", **of_names)
    button_group(at, "professions.view").set_value("pairs")
    settle(at)
    assert len(charts(at)) == 1
    at.selectbox(key="professions.persons").set_value("names")
    settle(at)
    assert not errors(at)
    assert "share of Black workers" in findings(at)[0]
    assert len(charts(at)) == 1
    at.selectbox(key="professions.persons").set_value("words")
    settle(at)
    assert not errors(at)
    assert "labour market" in findings(at)[0]


@pytest.mark.parametrize(
    ("view", "title"), [("bars", "female and male"), ("templates", "by template"), ("pairs", "by pair")]
)
def test_every_view_draws_and_says_what_it_shows(view: str, title: str) -> None:
    at = page()
    button_group(at, "professions.view").set_value(view)
    settle(at)
    assert not errors(at)
    assert len(charts(at)) == 1
    alt = at.get("plotly_chart")[0].proto.alt
    assert alt.startswith(f"Professions {title}, female − male. ")
    assert "over 5 professions" in alt  # the finding, as on screen


def test_a_click_changes_the_card_and_the_next_one_again(embedded: LoadedModel) -> None:
    at = page()
    result = measured(embedded)
    furthest = by_residual(result, MODEL)["profession"][0]
    assert card(at).startswith(f"<h3>{furthest} ")
    for name in ("judge", "carpenter"):
        click(at, name, *MODEL)
        rows = result["professions"][result["professions"]["profession"] == name]
        shown = f"{rows['difference'].iloc[0]:+.2f}".replace("-", "−")
        assert card(at).startswith(f"<h3>{name} ")
        assert f">{shown}</span></h3>" in card(at)
        assert f"<code>My [MASK] is a {name}.</code><code>My [MASK] is a [MASK].</code>" in card(at)
        assert "<td>she / he</td>" in card(at)
    button_group(at, "professions.view").set_value("bars")
    settle(at)
    assert card(at).startswith("<h3>carpenter "), "another view keeps it"
    at.text_area(key="professions.en_words_professions").set_value(JOBS.replace("carpenter", "nurse"))
    settle(at)
    assert "carpenter" not in card(at)


def test_two_models_side_by_side_and_one_against_the_other(embedded: LoadedModel) -> None:
    at = page(models=["minilm-mlm", str(tiny_folder("bert"))])
    assert not errors(at)
    result = measured(embedded, load_tiny("bert"))
    assert findings(at) == [f"{name}: {finding(result, (name, 'en')).text}" for name in ("minilm-mlm", "bert")]
    rows = result["professions"].set_index(["profession", "model"])["difference"]
    shown = {mark[:2]: y for mark, (_, y) in points(charts(at)[0]).items()}
    assert len(rows) == 10
    assert shown == pytest.approx(rows.to_dict(), abs=1e-5)
    assert any("its languages are not stated" in caption.value for caption in at.caption)

    button_group(at, "professions.view").set_value("models")
    settle(at)
    (bar,) = [trace for trace in charts(at)[0]["data"] if trace["type"] == "bar"]
    found = {mark[0]: float(x) for mark, x in zip(bar["customdata"], bar["x"], strict=True)}
    assert found == pytest.approx(
        {job: rows[job, "minilm-mlm"] - rows[job, "bert"] for job in JOBS.splitlines()}, abs=1e-5
    )
    click(at, "plumber", "minilm-mlm − bert")
    assert card(at).startswith("<h3>plumber ")
    assert "in minilm-mlm" in card(at)

    at.selectbox(key="professions.first_series").set_value("bert")
    settle(at)
    (bar,) = [trace for trace in charts(at)[0]["data"] if trace["type"] == "bar"]
    turned = {mark[0]: float(x) for mark, x in zip(bar["customdata"], bar["x"], strict=True)}
    assert turned == pytest.approx({job: -value for job, value in found.items()}, abs=1e-5)


def test_a_causal_model_shows_its_sentence_without_masks() -> None:
    at = page(models=str(tiny_folder("gpt2")))
    assert not errors(at)
    assert "[MASK]" not in card(at)
    assert "<code>My brother is a" in card(at) or "<code>My sister is a" in card(at)
    assert any("cannot fill a mask" in caption.value for caption in at.caption)


def test_few_professions_are_drawn_without_a_line_and_without_a_correlation(embedded: LoadedModel) -> None:
    at = page(en_words_professions="judge\nplumber")
    assert not errors(at)
    assert findings(at) == ["No correlation with the labour market could be computed; “Excluded” below says why."]
    assert len(points(charts(at)[0])) == 2
    result = measured(embedded, corpus=short("judge\nplumber"))
    exported = View("scatter", (MODEL,), None).table(result)
    assert exported[["percent_women", "difference"]].to_numpy().ravel().tolist() == pytest.approx(expected(result))
    assert exported["line"].isna().all()
    assert any("2 professions have a share; at least 4 are required" in text.value for text in at.text)
    assert any("There is no line to compare the professions with." in item.value for item in at.text)


def test_nothing_to_hold_against_is_a_sentence_beside_the_tables() -> None:
    at = page(en_words_professions="lighthouse keeper")
    assert not errors(at)
    assert not charts(at)
    assert any("No profession has both a difference and a share" in box.value for box in at.info)
    assert card(at).startswith("<h3>lighthouse keeper ")


def test_words_of_a_user_are_text_and_never_markup() -> None:
    at = page(en_words_professions="<b>bold</b>\n*nurse*\njudge")
    assert "<b>bold" not in html(at)
    assert "<b>bold</b>" in list(at.dataframe[1].value["profession"])


def test_a_stopped_run_is_shown_and_measure_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model gives its first ten professions, then nothing until somebody presses Stop."""
    folder = str(tiny_folder("bert"))
    words = [*JOBS.splitlines(), "nurse", "engineer", "teacher", "doctor", "manager", "clerk", "cook", "baker"]
    monkeypatch.setattr(scoring, "_AT_ONCE", {"masked": 10 * short("nurse").size})
    waiting, go_on = threading.Event(), threading.Event()
    queries: list[MaskQuery] = []
    calls = 0
    plain = MaskedScorer.log_probs

    def slow(self: MaskedScorer, asked: list[MaskQuery], **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 1 and not go_on.is_set():
            waiting.set()
            while not more["run"].cancelled():
                threading.Event().wait(0.01)
        else:
            queries.extend(asked)
        return plain(self, asked, **more)

    monkeypatch.setattr(MaskedScorer, "log_probs", slow)
    at = opened(PAGE, models=folder, seed="5", **boxes("\n".join(words))).run()
    assert waiting.wait(300)
    assert at.get("progress")
    next(button for button in at.button if button.label == "Stop").click()
    settle(at)
    assert any("Stopped before its end" in info.value for info in at.info)
    part = dict(zip(at.dataframe[1].value["profession"], at.dataframe[1].value["difference"], strict=True))
    assert len(part) == 10
    assert sum("was not reached" in line for text in at.text for line in text.value.splitlines()) == 3

    at.select_slider(key="professions.year").set_value("2021")
    settle(at)
    assert calls == 2, "another year does not go on by itself"

    go_on.set()
    first = set(queries)
    queries.clear()
    at.button(key="measure").click()
    settle(at)
    assert not any("Stopped" in info.value for info in at.info)
    whole = dict(zip(at.dataframe[1].value["profession"], at.dataframe[1].value["difference"], strict=True))
    assert list(whole) == words
    assert {name: whole[name] for name in part} == pytest.approx(part)
    present = {query for query in first if query.text.count("[MASK]") == 1}
    assert present
    assert not present & set(queries), "what was measured is not asked again"
    result = measured(load_tiny("bert"), corpus=short("\n".join(words)))
    assert list(whole.values()) == pytest.approx(list(result["professions"]["difference"]), abs=1e-5)


def test_the_method_is_explained_on_the_page() -> None:
    text = (
        (ROOT / "core" / "measures" / "lpbs" / "professions" / "texts" / "explanation.md")
        .read_text(encoding="utf-8")
        .strip()
    )
    assert text in [item.value for item in page().markdown]


def test_a_stop_after_the_last_sentence_stopped_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole measurement is kept, and the next visit asks no model."""
    spec = ProfessionSpec(models=(str(tiny_folder("bert")),), corpora=(short("nurse\nteacher"),), seed=91).base

    class AtTheEnd(Run[ProfessionResult]):
        def report(self, progress: Progress) -> None:
            if progress.total > 1 and progress.done == progress.total:
                self.stop("reader")
                self.cancelled()

    stopped = AtTheEnd()
    result = resources.measure(spec, stopped)
    assert stopped.interrupted
    assert not result.stopped
    monkeypatch.setattr(compute, "measure", None)
    assert resources.measure(spec, Run()) is result
