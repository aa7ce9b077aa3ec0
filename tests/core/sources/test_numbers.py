"""Numbers as people write them: one reading of a column, or a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WordListError
from core.sources.numbers import Numbers, is_number, read_numbers


def read(*cells: str, separator: str = ",", within: tuple[float, float] | None = None) -> Numbers:
    rows = [f"row {place}" for place in range(len(cells))]
    return read_numbers(cells, rows=rows, column="c", name="f.csv", separator=separator, within=within)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1", "-2", "−3", "+4", "", "0"), (1, -2, -3, 4, None, 0)),
        (("87.4", "5"), (87.4, 5)),
        (("87,4", "5"), (87.4, 5)),
        (("0.985", "1.508"), (0.985, 1.508)),  # no number of thousands begins with 0
        (("0,985", "1,508"), (0.985, 1.508)),
        (("1,50", "1,508"), (1.5, 1.508)),
        (("1,234.5", "2,000"), (1234.5, 2000)),
        (("1.234,5", "2.000"), (1234.5, 2000)),
        (("1,234,567", "2,000"), (1234567, 2000)),
        (("1 234,5", "12 345"), (1234.5, 12345)),
        (("1\u202f234.5", "1\u00a0000"), (1234.5, 1000)),
        (("1'234.5", "12’345"), (1234.5, 12345)),
        (("87.4 %", "3%"), (87.4, 3)),
        (("1e-5", "2.5E+3", "-.5", "7."), (1e-5, 2500, -0.5, 7)),
        (("1,5e2",), (150,)),
    ],
)
def test_columns_with_one_reading(separator: str, cells: tuple[str, ...], values: tuple[float | None, ...]) -> None:
    found = read(*cells, separator=separator)
    assert found.values == values
    assert found.note == ""
    assert found.percent == tuple("%" in cell for cell in cells)


def test_a_file_separated_by_commas_groups_thousands_with_them() -> None:
    found = read("1,508", "985", "1,204", "870")
    assert found.values == (1508, 985, 1204, 870)
    assert found.note == "f.csv, column “c”: commas group thousands (“1,508” is 1508)."
    assert read("1.508", "2.310").values == (1.508, 2.31)


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (("1,508", "985"), ";"),
        (("1.508", "2.310"), ";"),
        (("1,508", "2,310"), "\t"),
        (("1.508", "985"), "\t"),
        (("1.508", "985"), "|"),
    ],
)
def test_a_column_that_stays_open_is_asked_about(cells: tuple[str, ...], separator: str) -> None:
    sign = cells[0][1]
    with pytest.raises(WordListError, match="can be read in two ways") as caught:
        read(*cells, separator=separator)
    assert str(caught.value) == (
        f"f.csv, column “c” can be read in two ways: “1{sign}508” as 1508 or as 1.508. "
        "Write 1508, or 1.5080 with another decimal place."
    )
    # Following the advice leads on, either way.
    assert read("1508", "985", separator=separator).values == (1508, 985)
    assert read("1.5080", "985", separator=separator).values == (1.508, 985)


def test_three_decimals_throughout_between_tabs_are_decimals_and_noted() -> None:
    found = read("12.345", "15.678", separator="\t")
    assert found.values == (12.345, 15.678)
    assert found.note == "f.csv, column “c”: the point is the decimal sign (“12.345” is not 12345)."


def test_limits_tell_what_the_form_does_not() -> None:
    """87,400 women of 100 cannot be."""
    found = read("87,400", "12,300", separator=";", within=(0, 100))
    assert found.values == (87.4, 12.3)
    assert found.note == "f.csv, column “c”: “87,400” is 87.4, since 87400 cannot be."
    assert read("87.400", separator=",", within=(0, 100)) == Numbers((87.4,), (False,), "")
    with pytest.raises(WordListError, match=r"row 1 has “187\.4”; write a number from 0 to 100"):
        read("5", "187.4", within=(0, 100))
    with pytest.raises(WordListError, match="row 0 has “-1”"):
        read("-1", within=(0, 100))


def test_a_count_among_percentages_is_refused_where_commas_group_thousands() -> None:
    """1,234 women are not 1.234 % women."""
    with pytest.raises(WordListError, match="row 0 has “1,234”; write a number from 0 to 100"):
        read("1,234", "10", "40", separator=",", within=(0, 100))
    assert read("1,234", "10,5", separator=",", within=(0, 100)).values == (1.234, 10.5)  # the second cell tells


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("1.5", "2,5"), "has decimal points and decimal commas (“1.5”, “2,5”); write all numbers the same way"),
        (("1", "many"), "row 1 has “many”; write a number."),
        (("nan",), "write a number"),
        (("inf",), "write a number"),
        (("1e999",), "write a number"),
        (("1_000",), "write a number"),
        (("1,23,456",), "write a number"),
        (("1 23",), "write a number"),
        (("5 kg",), "write a number"),
        (("-",), "write a number"),
        (("%",), "write a number"),
    ],
)
def test_what_is_no_number_is_said(cells: tuple[str, ...], message: str) -> None:
    with pytest.raises(WordListError) as caught:
        read(*cells)
    assert message in str(caught.value)
    if cells[-1] not in ("2,5",):
        assert not is_number(cells[-1])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1), st.sampled_from(",;\t|"))
def test_what_python_writes_is_read_back_or_asked_about(numbers: list[float], separator: str) -> None:
    try:
        found = read(*map(repr, numbers), separator=separator)
    except WordListError:
        assert separator != ","  # "1.508" may be a thousand there
    else:
        assert list(found.values) == numbers
