"""What has no number, in a sentence."""

from __future__ import annotations

from core.report.missing import missing_sentence
from core.result import Excluded


def _item(reason: str, model: str = "m") -> Excluded:
    return Excluded(model, "item", "7", reason)


def test_each_reason_stands_once_whatever_the_model() -> None:
    found = missing_sentence(
        [_item("7: “ze” is several pieces"), _item("7: “ze” is several pieces.", "n"), _item("8: x")]
    )
    assert found == "Excluded or not computed: 7: “ze” is several pieces; 8: x."


def test_more_than_five_are_counted() -> None:
    assert missing_sentence([_item(f"r{at}") for at in range(7)]) == (
        "Excluded or not computed: r0; r1; r2; r3; r4; 2 more."
    )
    assert missing_sentence([_item(f"r{at}") for at in range(5)]).endswith("r3; r4.")


def test_nothing_left_out_is_said() -> None:
    assert missing_sentence([]) == "Nothing was excluded."
