"""Bytes to text: what is certain, what is assumed and said, what is refused."""

from __future__ import annotations

import codecs

import pytest

from core.errors import WordListError
from core.sources import read_lines, read_words
from core.sources.decoding import decoded, encoding_of

WESTERN = {
    "German": "Gärtner\nKöchin\nMüllerin\nKrankenschwester",
    "French": "infirmière\nmédecin\nl’avocat\nfrançais",
    "Spanish": "niñera\npolicía\nmédico",
    "Danish": "sygeplejerske\nlærer\nrengøringsassistent",
    "English": "nurse’s aide\nwriter – editor\n“maid”",
}
RUSSIAN = "учитель\nмедсестра\nврач"


@pytest.mark.parametrize("language", WESTERN)
def test_windows_1252_is_assumed_and_said_with_words(language: str) -> None:
    text = WESTERN[language]
    found = decoded(text.encode("cp1252"), "w.txt")
    assert found.text == text
    (note,) = found.notes
    assert note.startswith("w.txt is not UTF-8 text; it was read as Windows-1252, which gives “")
    special = [word for word in text.split() if not word.isascii()]
    assert all(f"“{word}”" in note for word in special[:3])
    assert note.endswith("If that is misspelt, save the file as UTF-8.")
    assert read_words(text.encode("cp1252"), "w.txt").notes == found.notes
    assert read_lines(text.encode("cp1252"), "w.txt").notes == found.notes


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "mac-cyrillic"),
        ("nurse\nengineer\nврач", "cp1251"),
        ("я", "cp1251"),
        ("international,он", "cp1251"),  # the plain letters of the cell before are not the word's
        ("enfermeira\nirmão\ncirurgiã", "cp850"),  # "irmÆo": a capital behind a small letter
        (WESTERN["German"], "mac-roman"),
        (WESTERN["French"], "mac-roman"),
        (WESTERN["Spanish"], "mac-roman"),
        (WESTERN["German"], "cp850"),
        ("učitel\nlékař\nzdravotní sestra", "cp1250"),
        ("pielęgniarka\nnauczyciel\nsędzia\nżołnierz", "cp1250"),
        ("hemşire\nöğretmen", "cp1254"),
        ("νοσοκόμα\nγιατρός", "cp1253"),
        ("אחות\nרופא", "cp1255"),
        ("ممرضة\nطبيب", "cp1256"),
        ("看護師\n医者", "shift-jis"),
        ("护士\n医生", "gbk"),
        ("간호사\n의사", "euc-kr"),
        ("Köchin" + "\nGärtner", "cp500"),
    ],
)
def test_other_encodings_are_refused_and_never_read_as_other_words(text: str, encoding: str) -> None:
    with pytest.raises(WordListError, match="UTF-8"):
        decoded(text.encode(encoding), "w.txt")


def test_words_are_shown_without_the_cells_beside_them() -> None:
    found = decoded('profession,percent\nKöchin,50\n"Bäcker";Maurer'.encode("cp1252"), "w.csv")
    assert "which gives “Köchin”, “Bäcker”." in found.notes[0]


def test_the_line_that_is_not_utf8_is_named() -> None:
    with pytest.raises(WordListError) as caught:
        decoded(b"nurse\n" + "Köchin\n".encode() + "врач".encode("cp1251"), "w.txt")
    assert str(caught.value) == (
        "w.txt is not UTF-8 text (line 3), and its encoding cannot be determined; save it as UTF-8."
    )


@pytest.mark.parametrize("text", [RUSSIAN, WESTERN["German"], "خانه\u200cدار", "👩\u200d⚕️"])
@pytest.mark.parametrize(
    "encode",
    [str.encode, lambda text: codecs.BOM_UTF8 + text.encode(), lambda text: text.encode("utf-16")],
    ids=["utf-8", "with mark", "utf-16"],
)
def test_unicode_needs_no_note(text: str, encode) -> None:  # type: ignore[no-untyped-def]
    found = decoded(encode(text), "w.txt")
    assert (found.text, found.notes) == (text, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nurse\nKrankenpfl\ufffdger", "Line 2 of w.txt contains “\ufffd”: a letter was lost"),
        ("Köchin".encode().decode("cp1252"), "contains “KÃ¶chin”, which is “Köchin” saved in the wrong encoding"),
        ("nurse’s".encode().decode("cp1252"), "which is “nurse’s” saved in the wrong encoding"),
    ],
)
def test_letters_that_were_lost_before_are_said(text: str, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        decoded(text.encode(), "w.txt")


def test_a_file_is_gone_through_line_by_line() -> None:
    """The lines of a large file are never held: each is made when it is asked for."""
    asked = []

    def lines():  # type: ignore[no-untyped-def]
        for number in range(1000):
            asked.append(number)
            yield b"Die K\xf6chin kam.\n"

    assert encoding_of(lines, "c.txt").codec == "cp1252"
    assert asked == [0, 0, *range(1000)]  # the first is no UTF-8; whether it has a mark; all of them for evidence
