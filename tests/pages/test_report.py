"""The page of reports: what is pinned on other pages, edited here, and found again by its link."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest

from core.measures.measure import opened
from core.publication.report import Kind, Pin
from core.publication.store import reports
from tests.pages.visiting import errors, playground, settle, visit

PAGE = "pages/11_Report.py"


def button(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return settle(at)


def press(at: AppTest, label: str) -> AppTest:
    next(item for item in at.button if item.label == label).click()
    return settle(at)


def kept_reports() -> set[str]:
    return {report.id for report in reports().latest(100)}


def pinned(note: str = "Look here.") -> AppTest:
    """The page of a report with a chart, a table and a finding of the playground."""
    at = playground()
    at.text_area(key="playground pin note").input(note)
    for what in ("chart", "table", "finding"):
        button(at, f"playground Pin the {what}")
    return settle(at.switch_page(PAGE))


def test_without_pins_the_page_says_how_to_pin() -> None:
    at = visit(PAGE)
    assert "Nothing is pinned yet" in at.info[0].value
    assert not at.button or all("Up" not in (item.key or "") for item in at.button)


def test_of_many_pins_a_part_is_drawn_and_the_others_are_a_choice_away() -> None:
    made = reports().new()
    many = tuple(
        Pin(f"p{number}", Kind.FINDING, "x", "X", (), "digest", text=f"finding {number}") for number in range(45)
    )
    reports().change(made.id, lambda report: report.with_pins(*many))
    at = visit(PAGE, report=made.id)
    assert [item.value for item in at.text] == [f"finding {number}" for number in range(20)]
    (choice,) = [box for box in at.selectbox if box.label == "Show"]
    assert choice.options == ["1 to 20 of 45", "21 to 40 of 45", "41 to 45 of 45"]
    choice.select(2)
    settle(at)
    assert [item.value for item in at.text] == [f"finding {number}" for number in range(40, 45)]
    button(at, "Up p40")
    assert [item.value for item in at.text] == ["finding 39", *(f"finding {number}" for number in range(41, 45))]
    for number in range(40):
        reports().change(made.id, lambda report, number=number: report.without(f"p{number}"))  # type: ignore[misc]
    assert [item.value for item in settle(at.run()).text] == [f"finding {number}" for number in range(40, 45)]


def test_a_link_to_no_report_gets_a_sentence() -> None:
    assert errors(visit(PAGE, report="../../etc")) == [
        "There is no such report here; pin something to begin a new one."
    ]


def test_what_is_pinned_is_edited_and_found_by_its_link() -> None:
    at = pinned()
    link = "".join(at.query_params["report"])  # one value, as a text or a list
    first = reports().get(link)
    assert [pin.kind for pin in first.pins] == [Kind.CHART, Kind.TABLE, Kind.FINDING]
    assert {pin.note for pin in first.pins} == {"Look here."}
    assert first.pins[2].text in [item.value for item in at.text]
    assert re.search(r"lean", first.pins[2].text)
    other = visit(PAGE, report=link)
    other.text_input(key=f"report {link} title").input("Audit")
    settle(other)
    chart, table, finding = (pin.id for pin in first.pins)
    button(at, f"Down {chart}")
    assert [pin.id for pin in reports().get(link).pins] == [table, chart, finding]
    assert at.text_input(key=f"report {link} title").value == "Audit"
    button(other, f"Remove {table}")
    button(at, f"Remove {finding}")
    assert [pin.id for pin in reports().get(link).pins] == [chart]
    undo = next(item for item in settle(other).button if item.label == "Undo the last removal")
    undo.click()
    settle(other)
    assert [pin.id for pin in reports().get(link).pins] == [chart, finding]
    assert reports().get(link).title == "Audit"


def test_a_session_that_was_reloaded_pins_to_a_report_it_chooses_and_finds_every_report() -> None:
    at = pinned()
    link = "".join(at.query_params["report"])
    again = playground()
    box = again.selectbox(key="playground pin report")
    assert box.value == ""
    assert any(option.startswith("Report on social bias in language models · 3 pins") for option in box.options)
    box.set_value(link)
    settle(again)
    button(again, "playground Pin the table")
    assert len(reports().get(link).pins) == 4
    assert "playground pin report" not in {item.key for item in settle(again).selectbox}
    listing = visit(PAGE)
    assert "· 4 pins ·" in listing.button(key=f"open {link}").label
    button(listing, f"open {link}")
    assert listing.query_params["report"] in (link, [link])
    assert len([item for item in listing.button if item.label == "Remove"]) == 4
    assert [table.proto.placeholder for table in listing.dataframe] == ["–", "–"], "what is missing is no “None”"
    leave = next(item for item in at.button if item.label == "Begin another report")
    leave.click()
    settle(at)
    assert "report" not in at.query_params
    assert "Nothing is pinned yet" in at.info[0].value
    another = playground()
    button(another, "playground Pin the chart")
    assert len(reports().get(link).pins) == 4


def test_the_menu_leads_to_the_report_that_is_pinned_to() -> None:
    before = kept_reports()
    at = playground()
    button(at, "playground Pin the chart")
    (report,) = kept_reports() - before
    (menu,) = (item.proto for item in settle(at).get("page_link") if item.proto.label == "Report")
    assert menu.query_string == f"report={report}"  # else the page adds it, and back needs a press for each of the two


def test_a_report_is_deleted_once_that_was_confirmed() -> None:
    link = "".join(pinned().query_params["report"])
    at, other = visit(PAGE, report=link), visit(PAGE, report=link)
    press(at, "Delete this report")
    assert "with 3 pins for good?" in at.warning[0].value
    press(at, "Keep")
    assert not at.warning
    assert len(reports().get(link).pins) == 3
    press(at, "Delete this report")
    press(at, "Delete for good")
    assert "report" not in at.query_params
    assert "Nothing is pinned yet" in at.info[0].value
    assert link not in kept_reports()
    other.text_input(key=f"report {link} title").input("Audit")
    assert errors(settle(other)) == ["There is no such report here; pin something to begin a new one."]
    assert link not in kept_reports()


def test_a_file_is_made_and_offered() -> None:
    at = button(pinned(), "make Markdown")
    assert "Download the Markdown" in [item.label for item in at.get("download_button")]


def test_a_finding_is_pinned_with_the_result_it_stands_above() -> None:
    at = visit("pages/3_Professions.py")
    pin = next(item for item in at.button if item.label.startswith("Pin the finding"))
    pin.click()
    settle(at)
    at = settle(at.switch_page(PAGE))
    report = reports().get("".join(at.query_params["report"]))
    assert {pin.kind for pin in report.pins} == {Kind.FINDING}
    (result,) = {pin.result for pin in report.pins}
    assert opened(reports().tilt(result), "kept").spec.COMMAND == "professions"
