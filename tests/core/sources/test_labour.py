"""Labour statistics: the bureau's figures, merged rows by hand, and files of a user's own."""

from __future__ import annotations

import hashlib

import pytest

from core.errors import OptionError, WordListError
from core.sources import BLS_YEARS, corpus, read_shares, share_tables, shares
from core.sources.labour import OF
from tests.support.reference import digest, table


@pytest.mark.parametrize("year", BLS_YEARS)
def test_every_detailed_occupation_of_the_bureau_is_there(year: int) -> None:
    """With its share, or without one as it is printed there; the professions of BEC-Pro are ours beside them."""
    published = table("bls_shares").query("year == @year").set_index("of")
    assert list(published.index) == list(OF)
    professions = {profession.name for profession in corpus("en").professions}
    for of, row in published.iterrows():
        ours = {
            name: share for name, share in shares("bls", year=year, of=of).percents.items() if name not in professions
        }
        assert row["occupations"] == (535 if year == 2019 else 565)
        assert len(ours) == row["with_share"]
        assert digest(f"{name}\t{share:g}" for name, share in sorted(ours.items())) == row["digest"]


def test_the_sixty_printed_percentages_are_the_bureaus_of_2019_but_for_one_merged_row() -> None:
    printed, bls = shares("becpro"), shares("bls", year=2019)
    differing = [
        profession.name
        for profession in corpus("en").professions
        if printed.find(profession.name) != bls.find(profession.name)
    ]
    assert differing == ["service technician"]
    # 211 thousand at 1.5 % and 880 thousand at 1.9 %.
    assert bls.find("service technician") == pytest.approx((211 * 1.5 + 880 * 1.9) / (211 + 880))


def test_rows_that_were_split_are_merged_by_those_employed() -> None:
    found = shares("bls", year=2020)
    assert found.find("secretary") == pytest.approx(
        (196 * 92.5 + 54 * 83.9 + 72 * 93.3 + 2080 * 92.9) / (196 + 54 + 72 + 2080)
    )
    assert "four rows" in dict(found.statistic.notes)["secretary"]
    assert "secretary" not in dict(shares("bls", year=2019).statistic.notes)


@pytest.mark.parametrize(
    ("name", "count"), [("becpro", 60), ("german-sectors", 60), ("winobias", 40), ("winogender", 60)]
)
def test_the_other_lists_equal_their_sources(name: str, count: int) -> None:
    published = table("occupation_shares").query("list == @name")
    assert len(published) == len(shares(name).percents) == count
    for _, occupation, percent in published.itertuples(index=False):
        assert shares(name).find(occupation) == percent


def test_names_are_found_as_people_write_them() -> None:
    found = shares("bls")
    assert found.find("Electrician") == found.find("electricians") == 2.2
    assert shares("bls", of="Black").find("taper") == 2.5
    assert found.find("wizard") is None
    assert found.reason("wizard").startswith("has no row in the statistic (women among those employed, U.S. 2019")
    assert "so small an occupation" in shares("bls", year=2020).reason("steel worker")


def test_every_statistic_on_offer_can_be_read() -> None:
    for name, title in share_tables():
        one = shares(name)
        assert title
        assert one.statistic.source
        assert len(one.percents) >= 40
        assert all(0 <= value <= 100 for value in one.percents.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"table": "blx"}, "no statistic “blx”; there are bls, "),
        ({"table": "bls", "year": 2018}, "2019 to 2023, none of 2018"),
        ({"table": "bls", "of": "men"}, "The BLS counts women, Black"),
        ({"table": "winobias", "of": "Black"}, "take the BLS table"),
    ],
)
def test_what_is_not_there_is_said(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        shares(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "nurse,87.4\nplumber,2.7\n",
        "profession;women_pct\nnurse;87,4\nplumber;2,7\n",
        "job\tn\tPercent women\nnurse\t12\t87.4 %\nplumber\t9\t2.7\n",
    ],
)
def test_a_file_of_ones_own(text: str) -> None:
    found = read_shares(text.encode(), "mine.tsv" if "\t" in text else "mine.csv")
    assert found.percents == {"nurse": 87.4, "plumber": 2.7}
    assert found.notes == ()
    assert found.find("Nurse") == 87.4
    assert found.statistic.of == "women"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nurse\nplumber\n", "has one column; needs two"),
        ("profession,percent\nnurse,many\n", "column “percent”: nurse has “many”; write a number from 0 to 100"),
        ("nurse,187.4\nplumber,2\n", "“187.4”; write a number from 0 to 100"),
        ("nurse,87\nNurse,86\n", "names Nurse twice"),
        ("a,b,c\nnurse,1,2\n", "call the one with the percentages “percent”"),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(text: str, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        read_shares(text.encode(), "mine.csv")


@pytest.mark.parametrize("heading", ["share", "women (share)", "Proportion of women"])
def test_shares_from_0_to_1_are_read_where_the_heading_says_so_and_noted(heading: str) -> None:
    data = f"job;{heading}\nnurse;0,874\nplumber;0,027\npilot;\n".encode()
    found = read_shares(data, "mine.csv")
    assert found.percents == {"nurse": 87.4, "plumber": 2.7}
    assert found.notes == ("mine.csv: shares from 0 to 1 were read as 0 % to 100 %",)
    digest = hashlib.sha256(data).hexdigest()[:12]
    assert found.statistic.source == (
        f"mine.csv, the user's copy, SHA-256 {digest}; mine.csv: shares from 0 to 1 were read as 0 % to 100 %"
    )
    assert found.reason("pilot") == "has no number in mine.csv"


@pytest.mark.parametrize(
    "text", ["nurse,0.874\nplumber,0.027\n", "job,women\nnurse,1\nplumber,0.5\n", "a,w\nb,5 %\nc,.3\n"]
)
def test_numbers_from_0_to_1_that_may_be_either_are_asked_about(text: str) -> None:
    with pytest.raises(WordListError, match="may be shares or percentages; call the column “share” or “percent”"):
        read_shares(text.encode(), "mine.csv")


def test_percentages_below_1_are_percentages_where_something_says_so() -> None:
    assert read_shares(b"job,percent\nplumber,0.9\n", "mine.csv").percents == {"plumber": 0.9}
    assert "as the heading says" in read_shares(b"job,percent\nplumber,0.9\n", "mine.csv").notes[0]
    assert read_shares(b"plumber,0.9 %\n", "mine.csv").percents == {"plumber": 0.9}
    assert read_shares(b"job,share\nnurse,87.4\nplumber,0.9\n", "mine.csv").percents == {"nurse": 87.4, "plumber": 0.9}


def test_rows_that_no_profession_is_found_in() -> None:
    found = read_shares(b"job,percent\nNurses,90\nengineer,12\nPilote,5\nwizard,\n", "mine.csv")
    assert found.unused(["nurse", "engineer"]) == ("Pilote", "wizard")
    assert shares("winobias").unused(["nurse"]) == ()  # of a published table only what is asked for matters
