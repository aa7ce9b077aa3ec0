"""Links and inputs: each page's are its own, ids travel, and what cannot be followed is said."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import links, resources
from pages.shared.links import LONGEST
from tests.pages.visiting import PLAYGROUND, button_group, errors, findings, html, opened, playground, settle, visit
from tests.support.tiny import tiny_folder

ASSOCIATION = "pages/2_Association_tests.py"
PROFESSIONS = "pages/3_Professions.py"
ATTENTION = "pages/4_Attention.py"
RELIABILITY = "pages/5_Reliability.py"
BENCHMARKS = "pages/6_Benchmarks.py"
TINY = str(tiny_folder("bert"))
FOUR = ["minilm-mlm", TINY, "b", "c"]
GONE = "0123456789abcdef"
SHARES = b"job,percent\nregistered nurse,95\nsecretary,90\ncarpenter,5\nplumber,10\njudge,50\n"


def warnings(at: AppTest) -> str:
    """What the page says on the link, without the signs that keep Markdown away."""
    return "\n".join(box.value for box in at.warning).replace("\\", "")


def address(at: AppTest) -> dict[str, Any]:
    return {name: texts if len(texts) > 1 else texts[0] for name, texts in links_of(at).items()}


def links_of(at: AppTest) -> dict[str, list[str]]:
    return {name: value if isinstance(value, list) else [value] for name, value in at.query_params.items()}


def changes(at: AppTest) -> str:
    """The line that lists what differs from the defaults."""
    found = [body for body in html(at).split("<p ") if body.startswith('class="changed"')]
    return found[0].split(">", 1)[1].split("<")[0] if found else ""


SHORT = {"attributes": "own", "own_attributes": "nurse"}
JOBS = {"en_words_professions": "nurse\njudge", "en_words_templates": "[TARGET] is a [ATTRIBUTE]."}
WRONG: list[tuple[str, dict[str, Any], str]] = [
    (PLAYGROUND, {"groups": "bogus"}, "“Groups” to “bogus”, which does not exist; shown is gender: he / she."),
    (PLAYGROUND, {"groups": "he / she"}, "“Groups” to “he / she”, which does not exist; shown is gender: he / she."),
    (PLAYGROUND, {"attributes": "bogus"}, "“Attributes” to “bogus”, which does not exist; shown is"),
    (
        PLAYGROUND,
        {"masking": "one mask per word"},
        "“How the attribute is hidden for the prior” to “one mask per word”, which does not exist; shown is",
    ),
    (
        PLAYGROUND,
        {"several_pieces": "x"},
        "“Target words split into several tokens” to “x”, which does not exist; shown is exclude them.",
    ),
    (
        PLAYGROUND,
        {"contrasts": "x"},
        "“Comparisons of three groups or more” to “x”, which does not exist; shown is every pair of groups.",
    ),
    (PLAYGROUND, {"dtype": "int8"}, "“Precision” to “int8”, which does not exist; shown is float32 (full precision)."),
    (PLAYGROUND, {"seed": "-5"}, "“Seed” to “-5”, which is not from 0 to 2,147,483,647; shown is 0."),
    (PLAYGROUND, {"seed": "1.5"}, "“Seed” to “1.5”, which is not a whole number; shown is 0."),
    (PLAYGROUND, {"seed": "seven"}, "“Seed” to “seven”, which is not a whole number; shown is 0."),
    (PLAYGROUND, {"seed": "2147483648"}, "“Seed” to “2147483648”, which is not from 0 to 2,147,483,647; shown is 0."),
    (PLAYGROUND, {"seed": ["1", "2"]}, "“Seed” to “1” and “2”, of which one is possible; shown is 0."),
    (
        PLAYGROUND,
        {"paired": "maybe"},
        "“Groups of equal length are pairs” to “maybe”, which is neither yes nor no; shown is yes.",
    ),
    (
        PLAYGROUND,
        {"common_words": "1"},
        "“Only words that every model knows” to “1”, which is neither yes nor no; shown is yes.",
    ),
    (PLAYGROUND, {"order": "size"}, "“Sort” to “size”, which does not exist; shown is by lean."),
    (PLAYGROUND, {"all": "true"}, "“Show all” to “true”, which is neither yes nor no; shown is no."),
    (PLAYGROUND, {"view": "pie"}, "“View” to “pie”, which does not exist; shown is side by side."),
    (
        PLAYGROUND,
        {"groups": "he-she-they", "template": "[TARGET] worked as a [ATTRIBUTE].", "contrast": "he − it"},
        "“Contrast” to “he − it”, which does not exist; shown",
    ),
    (PLAYGROUND, {"contrast": "he − she"}, "also holds “Contrast” (he − she), which has no use with the other inputs."),
    (PLAYGROUND, {"own_groups": "a\nb"}, "also holds “Your groups” (2 lines), which has no use with the other inputs."),
    (PLAYGROUND, {"tepmlate": "x"}, "holds “tepmlate”, which is not an input of this page."),
    (PLAYGROUND, {"year": "2020"}, "holds “year”, which is not an input of this page."),
    (ASSOCIATION, {"tests": "weat99"}, "“Tests” to “weat99”, which does not exist; shown is"),
    (ASSOCIATION, {"tests": ["weat7", "WEAT 8"]}, "“Tests” to “WEAT 8”, which does not exist; shown is"),
    (ASSOCIATION, {"representations": "bert"}, "“Representations” to “bert”, which does not exist; shown is"),
    (ASSOCIATION, {"ddof": "2"}, "“ddof of the standard deviation in d” to “2”, which is not from 0 to 1; shown is 1."),
    (ASSOCIATION, {"lost": "all"}, "“Excluded members” to “all”, which does not exist; shown is"),
    (
        ASSOCIATION,
        {"own_test": "mine.csv"},
        "“CSV files of tests” to “mine.csv”, which names no file; shown is none.",
    ),
    (PROFESSIONS, {"year": "1999"}, "“Year” to “1999”, which does not exist; shown is 2019."),
    (PROFESSIONS, {"persons": "dogs"}, "“Persons” to “dogs”, which does not exist; shown is women and men."),
    (PROFESSIONS, {"language": "German"}, "“Language” to “German”, which does not exist; shown is English."),
    (PROFESSIONS, {"statistic": "bogus"}, "“Statistic” to “bogus”, which does not exist; shown is"),
    (
        PROFESSIONS,
        {"persons": "names", "statistic": "becpro"},
        "“Statistic” to “becpro”, which does not exist; shown is",
    ),
    (PROFESSIONS, {"view": "models"}, "“View” to “models”, which does not exist; shown is against the statistic."),
    (PROFESSIONS, {"statistic": "becpro", "year": "2022"}, "also holds “Year” (2022), which has no use with the other"),
    (ATTENTION, {"what": "a corpus"}, "“Tab” to “a corpus”, which does not exist; shown is one sentence."),
    (ATTENTION, {"roles": "99m"}, "“Roles of the words” to “99m”, which names no word and role; shown is as found."),
    (ATTENTION, {"roles": "m"}, "“Roles of the words” to “m”, which names no word and role; shown is as found."),
    (
        ATTENTION,
        {"twin_roles": "2z"},
        "“Roles of the twin’s words” to “2z”, which names no word and role; shown is as found.",
    ),
    (ATTENTION, {"view": "bertviz", "bertviz_layer": "40"}, "“Layer” to “40”, which does not exist; shown is 5."),
    (
        ATTENTION,
        {"what": "corpus", "way": "read"},
        "“Way” to “read”, which does not exist; shown is the example corpus.",
    ),
    (RELIABILITY, {"subsets": "9999"}, "“Subsets of professions” to “9999”, which is not from 4 to 500; shown is 20."),
    (
        RELIABILITY,
        {"drawn": "1"},
        "“Professions of each kind in a subset” to “1”, which is not from 2 to 30; shown is 10.",
    ),
    (RELIABILITY, {"method": "kendall"}, "“Correlation” to “kendall”, which does not exist; shown is Pearson."),
    (RELIABILITY, {"set": "mine"}, "“Templates” to “mine”, which does not exist; shown is"),
    (
        RELIABILITY,
        {"compare": "templates and so on"},
        "“What is compared with each other” to “templates and so on”, which does not exist; shown is templates.",
    ),
    (RELIABILITY, {"compare": "divergence", "base": "T99"}, "“Base template” to “T99”, which does not exist; shown is"),
    (
        RELIABILITY,
        {"models": TINY, "compare": "metrics", "metrics": "bogus"},
        "“Metrics” to “bogus”, which does not exist; shown is",
    ),
    (BENCHMARKS, {"benchmark": "CrowS"}, "“Benchmark” to “CrowS”, which does not exist; shown is"),
    (BENCHMARKS, {"fills": "all"}, "“Fills counted” to “all”, which does not exist; shown is"),
    (
        BENCHMARKS,
        {"pieces": "revealed"},
        "also holds “Candidates split into several tokens” (revealed from left to right",
    ),
    ("app.py", {"template": "x"}, "holds “template”, which is not an input of this page."),
]
SMALL = {
    PLAYGROUND: SHORT,
    ASSOCIATION: {"tests": "weat7", "representations": "input-embedding"},
    PROFESSIONS: {"models": TINY, **JOBS},
    RELIABILITY: {"models": TINY},
    BENCHMARKS: {"models": TINY, "words": "own"},
}


def named(case: tuple[str, dict[str, Any], str]) -> str:
    """The name of a case; workers must agree on it, and each builds the tiny model in a folder of its own."""
    page, link, _ = case
    return f"{page[6:9]} {link}".replace(TINY, "tiny")


@pytest.mark.parametrize(("page", "link", "sentence"), WRONG, ids=map(named, WRONG))
def test_what_a_link_cannot_have_is_said_and_stays_in_the_address(
    page: str, link: dict[str, Any], sentence: str
) -> None:
    at = visit(page, **{**SMALL.get(page, {}), **link})
    assert f"This link {sentence}" in warnings(at) or f"This link sets {sentence}" in warnings(at)
    held = address(at)
    assert {name: held.get(name) for name in link} == link, "so that a reload says it again"
    next(button for button in at.button if button.label == "Dismiss").click()
    settle(at)
    assert not warnings(at)
    wrong = list(link)[-1]
    assert wrong not in address(at) or address(at)[wrong] == "weat7"


VIEWS = {"order", "all", "view", "contrast", "bertviz_layer"}  # they decide how a result is shown
MEASURED = [case for case in WRONG if case[0] == RELIABILITY or list(case[1])[-1] not in VIEWS]


@pytest.mark.parametrize(("page", "link", "sentence"), MEASURED, ids=map(named, MEASURED))
def test_nothing_is_measured_in_its_place_without_the_sentence(page: str, link: dict[str, Any], sentence: str) -> None:
    """The sentence is there while the page still waits for its measurement."""
    at = opened(page, **{**SMALL.get(page, {}), **link}).run()
    assert sentence in warnings(at)


def test_a_fifth_model_is_said() -> None:
    at = visit(PLAYGROUND, models=[*FOUR, "fifth"], **SHORT)
    assert "“c” and “fifth”, of which at most 4 are possible; shown is minilm-mlm, " in warnings(at)
    assert at.multiselect(key="playground.models").value == FOUR


def test_a_good_link_has_nothing_to_say() -> None:
    at = visit(PLAYGROUND, **SHORT, masking="word", seed="7")
    assert not warnings(at)
    assert address(at) == {**SHORT, "masking": "word", "seed": "7"}
    listed = (
        "Attributes: your own …; How the attribute is hidden for the prior: one mask per word; Seed: 7; "
        "Your words: “nurse”"
    )
    assert changes(at) == f"Changed from the defaults: {listed}"


def test_changing_what_could_not_be_followed_ends_its_sentence() -> None:
    at = visit(PLAYGROUND, **SHORT, groups="bogus", seed="-5")
    at.selectbox(key="playground.groups").set_value("names")
    settle(at)
    assert "Groups" not in warnings(at)
    assert "“Seed” to “-5”" in warnings(at)
    assert address(at) == {**SHORT, "groups": "names", "seed": "-5"}
    at.number_input(key="playground.seed").set_value(3)
    settle(at)
    assert not warnings(at)
    assert address(at) == {**SHORT, "groups": "names", "seed": "3"}


def test_defaults_leave_the_address_and_reset_gives_them_all() -> None:
    at = playground("nurse")
    at.selectbox(key="playground.masking").set_value("word")
    settle(at)
    assert address(at)["masking"] == "word"
    at.selectbox(key="playground.masking").set_value("wordpiece")
    settle(at)
    assert "masking" not in address(at)
    next(button for button in at.button if button.label == "Reset").click()
    settle(at)
    assert address(at) == {}
    assert changes(at) == ""
    assert "60 professions" in findings(at)[0]


def goes_to(at: AppTest, page: str, **parameters: Any) -> AppTest:
    """What the menu does: the page with the address that its link holds."""
    at.switch_page(page)
    at.query_params.clear()
    at.query_params.update(parameters)
    return settle(at)


def test_options_of_one_page_never_change_another() -> None:
    """Each that two pages share by name, with the value that is another's default."""
    at = playground("nurse", seed="7", masking="word", several_pieces="joint", common_words="no", dtype="float32")
    kept = address(at)
    goes_to(at, PROFESSIONS, **JOBS)
    assert at.number_input(key="professions.seed").value == 0
    assert at.selectbox(key="professions.masking").value == "word"
    assert at.selectbox(key="professions.several_pieces").value == "single"
    assert at.checkbox(key="professions.common_words").value is True
    assert address(at) == JOBS
    at.number_input(key="professions.seed").set_value(9)
    settle(at)
    assert address(at) == {**JOBS, "seed": "9"}
    # The menu's link of the playground holds what it had, and following it brings it back.
    held = {link.proto.label: link.proto.query_string for link in at.sidebar.get("page_link")}
    assert "seed=7" in held["Playground"]
    assert "seed=9" in held["Professions"]
    goes_to(at, PLAYGROUND, **kept)
    assert at.number_input(key="playground.seed").value == 7
    assert at.selectbox(key="playground.masking").value == "word"
    assert address(at) == kept


def test_words_that_wait_behind_a_choice_are_kept() -> None:
    at = playground("nurse, judge")
    at.selectbox(key="playground.attributes").set_value("professions")
    settle(at)
    assert address(at) == {}, "what is not in use is no part of the link"
    goes_to(at, PROFESSIONS, **JOBS)
    goes_to(at, PLAYGROUND)
    at.selectbox(key="playground.attributes").set_value("own")
    settle(at)
    assert at.text_area(key="playground.own_attributes").value == "nurse, judge"


def test_another_address_of_the_same_page_is_followed_whole() -> None:
    """Back and forward: what the address does not name has its default."""
    at = playground("nurse", seed="7")
    goes_to(at, "app.py")
    goes_to(at, PLAYGROUND, **SHORT, masking="single")
    assert at.number_input(key="playground.seed").value == 0
    assert at.selectbox(key="playground.masking").value == "single"
    assert at.text_area(key="playground.own_attributes").value == "nurse"


SENTENCE = "The doctor told his sister that she should see the nurse."


def test_clicked_roles_travel_in_the_link() -> None:
    """The sentence of the issue: 44 of 72 heads where “doctor” is clicked, 9 of 72 where it is not."""
    at = visit(ATTENTION, sentence=SENTENCE)
    assert findings(at)[0].startswith("9 of 72 heads")
    at.button(key="sentence_1_is_none").click()
    settle(at)
    assert findings(at)[0].startswith("44 of 72 heads")
    assert address(at) == {"sentence": SENTENCE, "roles": "2m"}
    other = visit(ATTENTION, **address(at))
    assert findings(other) == findings(at)
    # Of the twin too.
    at.button(key="twin_1_is_none").click()
    settle(at)
    assert address(at)["twin_roles"] == "2m"
    assert findings(at) != findings(other)
    assert findings(visit(ATTENTION, **address(at))) == findings(at)
    # Another sentence has words of its own.
    at.text_area(key="attention.sentence").set_value(SENTENCE.replace("doctor", "lawyer"))
    settle(at)
    assert set(address(at)) == {"sentence"}


def test_a_long_list_goes_by_its_digest() -> None:
    words = "\n".join(f"word {number}" for number in range(400))
    assert len(words) > LONGEST
    at = opened(PLAYGROUND, attributes="own", own_attributes=words)
    at.run()
    held = address(at)
    digest = resources.uploads().put(words.encode())
    assert held == {"attributes": "own", "own_attributes.digest": digest}
    assert any("only the digest of “Your words”" in caption.value.replace("\\", "") for caption in at.caption)
    again = opened(PLAYGROUND, **held).run()
    assert again.text_area(key="playground.own_attributes").value == words
    assert not warnings(again)


def test_a_list_that_is_not_here_is_asked_for_and_checked() -> None:
    at = visit(PLAYGROUND, attributes="own", **{"own_attributes.digest": GONE})
    (said,) = errors(at)
    assert "This link needs the text “Your words, one per line or separated by commas”" in said
    assert GONE in said
    assert not findings(at), "nothing is measured in its place"
    at.text_area(key="playground.own_attributes").set_value("nurse")
    settle(at)
    assert "What is in the box is another text." in errors(at)[0]
    assert not findings(at)
    assert address(at) == {"attributes": "own", "own_attributes.digest": GONE}
    next(button for button in at.button if button.label == "Continue without it").click()
    settle(at)
    assert not errors(at)
    assert findings(at)
    assert address(at) == {"attributes": "own", "own_attributes": "nurse"}


def test_the_right_list_answers_the_link() -> None:
    digest = links.digest_of(b"nurse\njudge")
    at = visit(PLAYGROUND, attributes="own", **{"own_attributes.digest": digest})
    assert errors(at)
    at.text_area(key="playground.own_attributes").set_value("nurse\njudge")
    settle(at)
    assert not errors(at)
    assert findings(at)


def test_an_upload_survives_leaving_and_travels_by_its_digest() -> None:
    at = visit(PROFESSIONS, statistic="file", en_words_professions="registered nurse\njudge\nplumber\ncarpenter")
    at.file_uploader[0].set_value([("own.csv", SHARES, "text/csv")])
    settle(at)
    finding, held = findings(at), address(at)
    assert finding
    assert held["share_file"] == f"{links.digest_of(SHARES)}:own.csv"
    assert any("only the digest of “own.csv”" in caption.value.replace("\\", "") for caption in at.caption)
    goes_to(at, "app.py")
    goes_to(at, PROFESSIONS, **held)
    assert findings(at) == finding
    assert findings(visit(PROFESSIONS, **held)) == finding, "another session of the server has it too"
    next(button for button in at.button if button.label == "Remove file").click()
    settle(at)
    assert "share_file" not in address(at)
    assert any("Give a file" in box.value for box in at.info)


def test_an_upload_that_is_not_here_is_asked_for_and_checked() -> None:
    link = {"statistic": "file", "en_words_professions": "registered nurse\njudge\nplumber\ncarpenter"}
    at = visit(PROFESSIONS, **link, share_file=f"{GONE}:theirs.csv")
    assert errors(at) == [f"This link needs the file “theirs.csv” (its digest is {GONE}): upload it again."]
    assert not findings(at)
    at.file_uploader[0].set_value([("mine.csv", SHARES, "text/csv")])
    settle(at)
    assert findings(at)
    assert f"asks for the file “theirs.csv” (its digest is {GONE}); shown is “mine.csv”, whose content" in warnings(at)


def test_the_right_upload_answers_the_link() -> None:
    data = SHARES + b"nurse,88\n"
    digest = links.digest_of(data)
    link = {"statistic": "file", "en_words_professions": "registered nurse\njudge\nplumber\ncarpenter"}
    at = visit(PROFESSIONS, **link, share_file=f"{digest}:theirs.csv")
    assert errors(at)
    at.file_uploader[0].set_value([("renamed.csv", data, "text/csv")])
    settle(at)
    assert findings(at)
    assert not warnings(at)


def declared() -> None:
    import streamlit as st

    from core.inputs import Text
    from pages.shared import links

    links.begin("Page", inputs=(Text("mine", "Mine", "default"),), views=())
    st.text(links.value_of(Text("mine", "Mine", "default")))


def undeclared() -> None:
    from core.inputs import Text
    from pages.shared import links

    links.begin("Page", inputs=(Text("mine", "Mine"),), views=())
    links.value_of(Text("another", "Another"))


def test_a_page_draws_only_what_it_declares() -> None:
    """An input that is drawn and not declared would be unknown to the page's own links."""
    assert AppTest.from_function(declared).run().text[0].value == "default"
    assert AppTest.from_function(undeclared).run().exception


def test_view_of_several_models_is_followed() -> None:
    at = visit(PLAYGROUND, models=["minilm-mlm", TINY], **SHORT, view="scatter")
    assert button_group(at, "playground.view").value == "scatter"
    assert not warnings(at)


def interrupted() -> None:
    """A page with one number, which the test cuts short."""
    import streamlit as st

    from core.inputs import Number
    from pages.shared import controls, links

    seed = Number("seed", "Seed")
    links.begin("A page", (seed,), ())
    st.text(str(controls.number(st.container(), seed)))
    if not st.session_state["cut"]:
        links.close()


@pytest.mark.parametrize(
    ("brought", "then"), [([7], "0"), ([5], "5"), ([0], "0"), ([7, 7], "7")], ids=["old", "another", "new", "old twice"]
)
def test_what_a_control_held_before_a_step_back_does_not_undo_it(
    brought: list[int], then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser hears nothing of a run that is cut short, and may bring once more what it had."""
    at = AppTest.from_function(interrupted)
    at.query_params["seed"] = "7"
    at.session_state["cut"] = False
    assert at.run().text[0].value == "7"
    with monkeypatch.context() as patch:
        patch.setattr(links, "_by_history", lambda: True)
        at.query_params.clear()
        at.session_state["cut"] = True
        assert at.run().text[0].value == "0"
    for value in brought:
        at.number_input(key="a_page.seed").set_value(value).run()
    assert at.text[0].value == then
    at.session_state["cut"] = False
    assert at.run().text[0].value == then
