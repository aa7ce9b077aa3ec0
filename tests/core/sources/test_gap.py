"""GAP files, predictions and corrections: what is read, and what is wrong with a file, with its line."""

from __future__ import annotations

from collections import Counter

import pytest

from core.errors import WordListError
from core.sources import gap
from core.sources.gap import Document, Split
from tests.support.gap import gap_file
from tests.support.reference import corpus_file

TEXT = "Zoë met Ann. She waved."  # the offsets count characters, of which ë is one
ROW = ["x-1", TEXT, "She", "13", "Zoë", "0", "TRUE", "Ann", "8", "FALSE", "url"]
HEAD = [*gap.COLUMNS, "URL"]


def file_of(*rows: list[str], head: list[str] = HEAD) -> bytes:
    return "\n".join("\t".join(cells) for cells in (head, *rows)).encode()


def changed(**cells: str) -> list[str]:
    return [cells.get(column.replace("-", "_"), cell) for column, cell in zip(HEAD, ROW, strict=True)]


def refusal(content: bytes) -> str:
    with pytest.raises(WordListError) as error:
        gap.read_documents(content, "g.tsv")
    return str(error.value)


def test_a_row_is_a_document_as_it_stands() -> None:
    (document,) = gap.read_documents(file_of(ROW), "g.tsv").documents
    assert document == Document("x-1", TEXT, (13, 16), (0, 3), (8, 11), "A", "feminine")


def test_quotes_tabs_and_line_ends_change_no_offset() -> None:
    quoted = changed(Text='"Zoë" met Ann. She waved.', A_offset="1", B_offset="10", Pronoun_offset="15")
    content = file_of(quoted).replace(b"\n", b"\r\n")
    (document,) = gap.read_documents(b"\xef\xbb\xbf" + content, "g.tsv").documents
    assert document.text[slice(*document.a)] == "Zoë"
    assert document.text[slice(*document.pronoun)] == "She"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"Pronoun_offset": "12"}, "Pronoun-offset 12 is where “ Sh” stands, not “She”"),
        ({"A_offset": "one"}, "A-offset is “one”; it must be a whole number"),
        ({"B_offset": "900"}, "B-offset 900 is where “” stands, not “Ann”"),
        ({"B_coref": "TRUE"}, "are both TRUE"),
        ({"A_coref": "yes"}, "a label is “yes”; it must be TRUE or FALSE"),
        ({"Text": "Zoë met Ann. They waved.", "Pronoun": "They"}, "the pronoun “They” is none of he, him"),
        ({"ID": " "}, "has no ID"),
        ({"A": ""}, "A is empty"),
    ],
)
def test_each_fault_is_a_sentence_with_its_line(cells: dict[str, str], said: str) -> None:
    message = refusal(file_of([*ROW[:0], "x-0", *ROW[1:]], changed(**cells)))
    assert message.startswith("Line 3 of g.tsv: ")
    assert said in message


def test_the_first_fault_is_told_and_the_others_are_counted() -> None:
    wrong = changed(A_offset="3")
    message = refusal(file_of(wrong, wrong, [*ROW[:5]]))
    assert message.startswith("Line 2 of g.tsv: A-offset 3 ")
    assert message.endswith("2 other lines have a fault too.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "g.tsv is empty"),
        (b"PK\x03\x04" + bytes(9), "g.tsv is a spreadsheet"),
        (b"ID,Text\n1,a\n", "lacks the columns “ID”, “Text”, “Pronoun”"),
        (file_of(ROW[:6] + ROW[7:], head=HEAD[:6] + HEAD[7:]), "lacks the column “A-coref”"),
        (file_of(), "holds no document"),
        ("ID\tZo\xeb".encode("latin-1"), "g.tsv is not UTF-8"),
        (file_of(ROW, ROW), "the ID x-1 appears twice"),
    ],
)
def test_a_file_of_another_kind_is_refused(content: bytes, said: str) -> None:
    assert said in refusal(content)


@pytest.mark.parametrize(
    ("split", "counts", "neither"),
    [
        ("development", {"A": 874, "B": 925, "neither": 201}, {"masculine": 103, "feminine": 98}),
        ("test", {"A": 918, "B": 855, "neither": 227}, {"masculine": 111, "feminine": 116}),
        ("validation", {"A": 187, "B": 205, "neither": 62}, {"masculine": 39, "feminine": 23}),
    ],
)
def test_class_counts_of_gap(split: str, counts: dict[str, int], neither: dict[str, int]) -> None:
    content = corpus_file(f"gap-{split}.tsv", "GAP").read_bytes()
    documents = gap.read_documents(content, f"gap-{split}.tsv").documents
    assert Counter(document.label for document in documents) == counts
    assert Counter(document.gender for document in documents if document.label == "neither") == neither


def test_a_swapped_text_whose_offsets_did_not_move_is_refused() -> None:
    content = corpus_file("gap_flipped.tsv", "GAP with its genders swapped").read_bytes()
    with pytest.raises(WordListError, match=r"^Line 2 of gap_flipped.tsv: Pronoun-offset 274 .* other lines"):
        gap.read_documents(content, "gap_flipped.tsv")


def test_the_demonstration_is_balanced_and_survives_a_file() -> None:
    for split in gap.demonstration().values():
        counts = Counter((document.label, document.gender) for document in split.documents)
        assert all(counts[label, "masculine"] == counts[label, "feminine"] > 0 for label in gap.LABELS)
        again = gap.read_documents(gap_file(split.documents), "demo.tsv").documents
        assert again == split.documents


def test_probabilities_and_decisions_are_read() -> None:
    found = gap.read_predictions(b"ID,NEITHER,A,B\nx,0.2,0.5,0.3\ny,0.1,0.2,0.7\nz,0.4,0.4,0.2\n", "p.csv")
    assert found.answers["x"] == gap.Answer(True, False, (0.5, 0.3, 0.2))
    assert found.answers["y"].probabilities == pytest.approx((0.2, 0.7, 0.1))
    assert (found.answers["y"].a, found.answers["y"].b) == (False, True)
    assert found.tied == ("z",)
    official = gap.read_predictions(b"x\tTRUE\tFALSE\ny\tFALSE\tFALSE\n", "p.tsv").answers
    assert official == {"x": gap.Answer(True, False), "y": gap.Answer(False, False)}
    assert gap.read_predictions(b"ID\tA-coref\tB-coref\nx\tTRUE\tFALSE\n", "p.tsv").answers == {"x": official["x"]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"id,guess\nx,A\n", "its columns are “id”, “guess”"),
        (b"ID,A,B,NEITHER\nx,0.9,0.9,0\n", "Line 2 of p.csv: the probabilities 0.9, 0.9, 0 must"),
        (b"ID,A,B,NEITHER\nx,high,0,0\n", "must be three numbers"),
        (b"ID,A-coref,B-coref\nx,TRUE,no\n", "Line 2 of p.csv: a label is “no”"),
        (b"ID,A-coref,B-coref\nx,TRUE,FALSE\nx,TRUE,FALSE\n", "Line 3 of p.csv: x has an answer above"),
    ],
)
def test_other_predictions_are_refused(content: bytes, said: str) -> None:
    with pytest.raises(WordListError) as error:
        gap.read_predictions(content, "p.csv")
    assert said in str(error.value)


def test_corrections_are_labels_by_id() -> None:
    found = gap.read_corrections(b"ID,A-coref,B-coref\nx,FALSE,TRUE\ny,false,false\n", "c.csv")
    assert found.labels == {"x": "B", "y": "neither"}
    with pytest.raises(WordListError, match=r"Line 3 of c\.csv: x has another label above"):
        gap.read_corrections(b"ID,A-coref,B-coref\nx,FALSE,TRUE\nx,TRUE,FALSE\n", "c.csv")
    with pytest.raises(WordListError, match="both TRUE"):
        gap.read_corrections(b"ID,A-coref,B-coref\nx,TRUE,TRUE\n", "c.csv")
    with pytest.raises(WordListError, match="needs ID, A-coref and B-coref"):
        gap.read_corrections(b"ID,label\nx,A\n", "c.csv")


def test_splits_that_cannot_train_or_test_are_refused() -> None:
    documents = gap.demonstration()["training"].documents
    with pytest.raises(WordListError, match="demo-1-m is in the training and in the test documents"):
        gap.check_splits({"training": Split(documents, ""), "test": Split(documents[:1], "")})
    one_class = tuple(document for document in documents if document.label == "A")
    with pytest.raises(WordListError, match="All 18 training documents have the label A"):
        gap.check_splits({"training": Split(one_class, "")})
