"""WinoBias and Winogender: pairs that differ in a pronoun, from text files and tables."""

from __future__ import annotations

import pytest

from core.errors import WordListError
from core.sources.benchmarks import Data, Problem, PronounItem
from core.sources.benchmarks.pronouns import WINOBIAS, WINOGENDER
from tests.support.reference import corpus_file

PRO = b"1 [The cook] saw the CEO because [she] was late.\n2 The cook thanked [the CEO] and paid [him].\n"
ANTI = b"1 [The cook] saw the CEO because [he] was late.\n2 The cook thanked [the CEO] and paid [her].\n"
FILES = [(PRO, "pro_stereotyped_type1.txt.dev"), (ANTI, "anti_stereotyped_type1.txt.dev")]
ITEMS = (
    PronounItem("type 1 dev 1", "type 1", "The cook saw the CEO because [MASK] was late.", "she", "he", "cook", "dev"),
    PronounItem("type 1 dev 2", "type 1", "The cook thanked the CEO and paid [MASK].", "him", "her", "CEO", "dev"),
)


def _one(reason: str, name: str) -> Problem:
    return Problem(1, reason, (name,), reason)


def table(*rows: str) -> Data[PronounItem]:
    text = "\n".join(("type,condition,split,number,sentence_bracketed", *rows))
    return WINOBIAS.read([(text.encode(), "a.csv")])


def test_the_text_files() -> None:
    found = WINOBIAS.read(FILES)
    assert found.items == ITEMS
    assert found.left_out == ()
    assert WINOBIAS.read([(content.replace(b"\n", b"\r\n"), name) for content, name in FILES]).items == ITEMS


def test_the_table_gives_what_the_text_files_give() -> None:
    rows = [
        f"1,{condition},dev,{line.split(' ', 1)[0]},{line.split(' ', 1)[1]}"
        for condition, content in (("pro", PRO), ("anti", ANTI))
        for line in content.decode().splitlines()
    ]
    assert table(*rows).items == ITEMS
    assert table(*reversed(rows)).items == ITEMS[::-1]


def test_types_and_splits_are_kept_apart() -> None:
    other = [(PRO, "pro_stereotyped_type2.txt.dev"), (ANTI, "anti_stereotyped_type2.txt.test")]
    found = WINOBIAS.read([*FILES, *other])
    assert found.items == ITEMS
    names = ("type 2 dev 1", "type 2 dev 2", "type 2 test 1", "type 2 test 2")
    assert found.left_out == (
        Problem(4, "sentences have no partner, pro or anti", names, "sentence has no partner, pro or anti"),
    )


@pytest.mark.parametrize(
    ("pro", "anti"),
    [
        ("[The cook] said [he] won.", "[The cook] said [she] lost."),
        ("[The cook] cut [his] hand and [he] won.", "[The cook] cut [her] hand and [she] won."),
        ("[The cook] said [he] won.", "[The cook] said that [she] won."),
        ("[The cook] said [he] won.", "[A cook] said [he] won."),
        ("[The cook] said [he] won.", "[The cook] said [he] won."),
        ("[The cook] said [he] won.", "[The cook] said [He] won."),
        ("[The cook] said [he] won.", "[The cook]  said [she] won."),
        ("[The cook] paid [him].", "[The cook] paid [her]!"),
    ],
)
def test_a_pair_that_differs_elsewhere_is_counted(pro: str, anti: str) -> None:
    good = ("1,pro,dev,1,[The cook] sat when [he] won.", "1,anti,dev,1,[The cook] sat when [she] won.")
    found = table(*good, f"2,pro,dev,1,{pro}", f"2,anti,dev,1,{anti}")
    assert [item.kind for item in found.items] == ["type 1"]
    assert found.left_out == (_one("pair differs in more than the pronoun", "type 2 dev 1"),)


def test_a_pair_with_both_labels_is_neither() -> None:
    """Pair 1 says that he is the stereotype of the sentence, pair 2 that she is; pairs 3 and 4 agree."""
    found = table(
        "1,pro,dev,1,[The cook] sat when [he] won.", "1,anti,dev,1,[The cook] sat when [she] won.",
        "1,pro,dev,2,[The cook] sat when [she] won.", "1,anti,dev,2,[The cook] sat when [he] won.",
        "1,pro,dev,3,[The cook] ran when [he] won.", "1,anti,dev,3,[The cook] ran when [she] won.",
        "1,pro,test,9,[The cook] ran when [he] won.", "1,anti,test,9,[The cook] ran when [she] won.",
    )  # fmt: skip
    assert [item.item for item in found.items] == ["type 1 dev 3", "type 1 test 9"]
    assert found.left_out == (
        Problem(2, "pairs occur with both labels", ("type 1 dev 1", "type 1 dev 2"), "pair occurs with both labels"),
    )
    assert found.notes == (
        "1 pair occurs under several numbers with the same labels; each is counted: type 1 dev 3 = type 1 test 9.",
    )


def test_a_number_that_two_sentences_share_is_no_pair() -> None:
    good = ("1,pro,dev,1,[The cook] sat when [he] won.", "1,anti,dev,1,[The cook] sat when [she] won.")
    found = table(*good, *good, "1,pro,dev,2,[He] ran.", "1,pro,dev,2,[He] sat.", "1,anti,dev,2,[She] sat.")
    assert [item.item for item in found.items] == ["type 1 dev 1"]
    assert found.left_out == (_one("number has several sentences", "type 1 dev 2"),)


def test_spaces_stay_as_the_file_has_them() -> None:
    (item,) = table(
        "1,pro,dev,1,[The cook]  sat when [he] won. ", "1,anti,dev,1,[The cook]  sat when [she] won. "
    ).items
    assert item.text == "The cook  sat when [MASK] won. "


def test_an_equal_second_pronoun_and_other_brackets_do_no_harm() -> None:
    found = table("1,pro,,7,[ The cook] fed [ him] and him.", "1,anti,,7,The [cook] fed [her] and him.")
    assert found.items == (PronounItem("type 1 7", "type 1", "The cook fed [MASK] and him.", "him", "her", "cook"),)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (FILES[:1], "2 sentences have no partner, pro or anti"),
        ([(PRO, "type1.txt")], "The name type1.txt does not tell pro from anti, or the type"),
        ([(PRO, "pro.txt")], "The name pro.txt does not tell pro from anti, or the type"),
        ([(b"type,sentence\n1,x\n", "a.csv")], "its columns are “type”, “sentence”"),
        ([(b" \n", "pro_type1.txt.dev")], "pro_type1.txt.dev is empty."),
        ([], "no file is given"),
    ],
)
def test_wrong_files_are_told_what_is_expected(files: list[tuple[bytes, str]], said: str) -> None:
    with pytest.raises(WordListError) as caught:
        WINOBIAS.read(files)
    assert said in str(caught.value)
    assert str(caught.value).endswith(WINOBIAS.expects)


def test_the_published_sentences_of_winobias() -> None:
    found = WINOBIAS.read([(corpus_file("winobias.csv", "WinoBias").read_bytes(), "winobias.csv")])
    # 2 types × 2 splits × 396 pairs. A further pair differs in the place of a bracket only and is the same text.
    assert len(found.items) + 62 == 2 * 2 * 396
    (problem,) = found.left_out
    assert (problem.count, problem.reason) == (62, "pairs differ in more than the pronoun")
    assert len(set(problem.items)) == 62
    # Counted by hand with a dictionary of the sentences: the last pairs of dev are the first of test.
    assert found.notes == (
        "3 pairs occur under several numbers with the same labels; each is counted: type 1 dev 396 = type 1 test 1; "
        "type 2 dev 395 = type 2 test 1; type 2 dev 396 = type 2 test 2.",
    )
    assert len({entry.occupation.casefold() for entry in found.items}) == 40
    male, female = {"he", "him", "his", "himself"}, {"she", "her", "hers", "herself"}
    for item in found.items:
        assert item.text.count("[MASK]") == 1
        assert ({item.first} <= male and {item.second} <= female) or ({item.first} <= female and {item.second} <= male)


SENTENCES = (
    "sentid\tsentence\n"
    "cook.guest.1.male.txt\tThe cook asked the guest if he won.\n"
    "cook.guest.1.neutral.txt\tThe cook asked the guest if they won.\n"
    "cook.guest.1.female.txt\tThe cook asked the guest if she won.\n"
    "cook.someone.1.male.txt\tThe cook asked someone if he won.\n"
    "cook.someone.1.female.txt\tThe cook asked someone if she won.\n"
)
TEMPLATES = (
    "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
    "cook\tguest\t1\tThe $OCCUPATION asked {} if $NOM_PRONOUN won.\n"
)


def test_both_files_of_winogender() -> None:
    text = "The cook asked {} if [MASK] won."
    expected = tuple(
        PronounItem(f"cook.{other}.1", "", text.format(shown), "he", "she", "cook")
        for other, shown in (("guest", "the guest"), ("someone", "someone"))
    )
    sentences = (SENTENCES.encode(), "all_sentences.tsv")
    templates = (TEMPLATES.format("the $PARTICIPANT").encode(), "templates.tsv")
    assert WINOGENDER.read([sentences]).items == expected
    assert WINOGENDER.read([templates]).items == expected
    assert WINOGENDER.read([sentences, templates]).items == expected


def test_the_participant_is_someone_after_any_article() -> None:
    (_, item) = WINOGENDER.read([(TEMPLATES.format("a $PARTICIPANT").encode(), "templates.tsv")]).items
    assert item.text == "The cook asked someone if [MASK] won."


def test_each_pronoun_has_its_form() -> None:
    rows = "cook\tguest\t0\t{} met the $OCCUPATION for {}.\n"
    text = "occupation(0)\tother-participant(1)\tanswer\tsentence\n"
    for slot, first, second in (("$POSS_PRONOUN tea", "his", "her"), ("$ACC_PRONOUN", "him", "her")):
        found = WINOGENDER.read([((text + rows.format("The $PARTICIPANT", slot)).encode(), "t.tsv")])
        assert [(item.first, item.second) for item in found.items] == [(first, second)] * 2
        assert found.items[1].text.startswith("Someone met the cook for [MASK]")


def test_what_winogender_leaves_out() -> None:
    more = (
        "x.txt\tHe won.\n"
        "boss.guest.0.male.txt\tThe boss won, he said.\n"
        "boss.guest.0.male.txt\tThe boss ran, he said.\n"
        "boss.guest.0.female.txt\tThe boss ran, she said.\n"
        "cook.guest.0.male.txt\tThe cook won.\n"
        "maid.guest.0.male.txt\tThe maid won, he said.\n"
        "maid.guest.0.female.txt\tThe maid lost, she said.\n"
    )
    found = WINOGENDER.read([((SENTENCES + more).encode(), "all_sentences.tsv")])
    assert len(found.items) == 2
    assert found.left_out == (
        _one("number has several sentences", "boss.guest.0"),
        _one("row has a sentid of another form", "x.txt"),
        _one("sentence lacks its male or female version", "cook.guest.0"),
        _one("pair differs in more than the pronoun", "maid.guest.0"),
    )


def test_the_two_published_files_of_winogender_give_the_same_items() -> None:
    sentences, templates = (
        WINOGENDER.read([(corpus_file(name, "Winogender").read_bytes(), name)])
        for name in ("winogender_all_sentences.tsv", "winogender_templates.tsv")
    )
    # 60 occupations × 2 templates × (the participant, someone).
    assert len(sentences.items) == 60 * 2 * 2
    assert sentences.items == templates.items
    assert len({item.occupation for item in sentences.items}) == 60
    assert sentences.left_out == templates.left_out == ()
