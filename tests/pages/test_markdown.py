"""A user's words in a text of Markdown: they stand as they are, with no more backslashes than that takes."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.shared.markdown import literal

_READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PIECES = st.sampled_from([*"\\`*_{}[]()<>#+-=.!|~$:&;'\"/ \n\tab1é", "--", "1.", "amp", "\n\n", "    ", "\r\n"])


class _Shown(HTMLParser):
    """The words of a page, and the marks that stand around them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words, self.marks = "", set[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.marks.add(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def _stands(text: str, inside: str) -> None:
    shown = _Shown(_READER.render(inside))
    assert shown.words.split() == text.split()
    assert shown.marks <= {"p", "br"}


@given(st.lists(_PIECES, max_size=14).map("".join))
@example("[a]: b\n[a] [a][a] [a](b) ![a]")
@example("a\n===")
@example("a | b\n--|--")
@example("1) x")
@example("    code")
@example("a\\\nb")
@example("[MASK] ![x](http://example.org/x.png)")
@example("&lt; &#65;")
def test_words_stand_as_they_are(text: str) -> None:
    _stands(text, literal(text))


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_no_mathematics_struck_text_or_colour_is_left(text: str) -> None:
    """What Streamlit reads besides: ``$…$``, ``~…~`` and ``:red[…]``."""
    unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "", literal(text))
    assert not re.search(r"[$~]|:[^\W\d_]", unescaped)


@pytest.mark.parametrize(
    "text",
    [
        "minilm-mlm",
        "[TARGET] is a [ATTRIBUTE]. (“[MASK]”: hidden)",
        "bert_uncased_L-2",
        "owner/model-v1.0",
        "Professions: 60 (women, men)",
        "r = +0.25, p < .05 & n = 60",
        "−0.25 nats; -0.25",
        "“he − she”",
        "--pair a b",
        "10:30 | 11:30!",
        "C# and #1",
    ],
)
def test_what_markdown_leaves_alone_has_no_backslash(text: str) -> None:
    assert literal(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("[a](b) ![a](b)", "[a]\\(b) ![a]\\(b)"),
        ("[a][b]\n[b]: c", "[a]\\[b]\n[b]\\: c"),
        ("[^1]", "\\[^1]"),
        ("__init__", "\\_\\_init\\_\\_"),
        (":red[x]", "\\:red[x]"),
        ("$5 to $6", "\\$5 to \\$6"),
        ("<b>", "\\<b>"),
        ("- a\n2. b", "\\- a\n2\\. b"),
        ("# a", "\\# a"),
    ],
)
def test_what_markdown_would_read_is_escaped(text: str, escaped: str) -> None:
    assert literal(text) == escaped
