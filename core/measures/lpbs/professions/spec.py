"""The inputs of a measurement of professions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from .... import sources
from ....errors import OptionError, WordListError
from ....inputs import Choice, Several, Text, Upload
from ....result import Contrast, Result
from ....run import Run
from ....sources import BLS, BLS_YEARS, Corpus, Shares
from ....sources.labour import Statistic, own_statistic
from ....sources.published import Entry
from ....spec import File, Labelled, given, one_of, seed_field
from ...comparable import Comparable
from ...shared.published import ShelvedSpec, published_field
from ..spec import Form, SeveralPieces, common_words_field, form_field
from .published_corpus import obstacle
from .result import ProfessionResult
from .tables import compared_ends, compared_items

if TYPE_CHECKING:
    from ....engine.loading import LoadedModel

WORDS, NAMES = "words", "names"
OWN_FILE = "file"


class Masking(Labelled):
    """How a profession is hidden for the prior; one mask per word is what the BEC-Pro code does."""

    WORD = "word", "one mask per word (BEC-Pro)"
    WORDPIECE = "wordpiece", "one mask per token"
    SINGLE = "single", "a single mask"


class SignedRank(Labelled):
    """How the p of a signed-rank test is got; the normal approximation throughout is the paper's."""

    EXACT = "exact", "exact where it can be"
    NORMAL = "normal", "normal approximation (BEC-Pro)"


@dataclass(frozen=True)
class Comparison:
    """Whose shares the professions are compared with: a table of ours, of a ``year`` where it has several, or a file.

    ``table`` is an id of ``sources.share_tables``, or ``OWN_FILE``.
    """

    table: str = BLS
    year: int | None = BLS_YEARS[0]
    file: File | None = None

    def shares(self, of: str) -> Shares:
        """The percentages of those people (``women``, ``Black``). Raises OptionError or WordListError."""
        if self.file is not None:
            return sources.read_shares(self.file.data, self.file.name, of=of)
        if self.year is None:
            return sources.shares(self.table, of=of)
        if self.table != BLS:
            raise OptionError("A year is chosen of the BLS table alone; omit it, or choose that table.")
        return sources.shares(self.table, year=self.year, of=of)

    def statistic(self, of: str) -> Statistic:
        """What is counted; of a file it needs the name alone."""
        return self.shares(of).statistic if self.file is None else own_statistic(self.file.name, of)


@dataclass(frozen=True)
class CorpusTexts:
    """The parts of a corpus that a user may write; ``pairs`` is None where its persons are not pairs."""

    templates: Text
    pairs: Text | None
    professions: Text

    @classmethod
    def of(cls, corpus: Corpus) -> CorpusTexts:
        """Those of a corpus, which is their default."""
        kind = kind_of(corpus)
        return cls(
            Text(
                f"{kind}_templates",
                f"{corpus.name}: templates, one per line",
                "\n".join(corpus.templates),
                height=190,
                help="[TARGET] is the person, [ATTRIBUTE] the profession, [ARTICLE] agrees with the person.",
                flag="--template",
                metavar="TEXT",
            ),
            Text(
                f"{kind}_pairs",
                f"Pairs, {corpus.persons[0].name} / {corpus.persons[1].name}",
                corpus.pairs_text,
                height=190,
                help="The last word is hidden from the model, or the one in [brackets].",
                flag="--pair",
                metavar="FEMALE/MALE",
            )
            if corpus.paired
            else None,
            Text(
                f"{kind}_professions",
                "Professions, one per line",
                corpus.professions_text,
                height=190,
                help="A name, or “name: female form / male form”. The name is looked up in the statistic.",
                flag="--profession",
                metavar="WORD",
            ),
        )

    @property
    def inputs(self) -> tuple[Text, ...]:
        """All of them."""
        return tuple(item for item in (self.templates, self.pairs, self.professions) if item is not None)


def kind_of(corpus: Corpus) -> str:
    """What tells a corpus from the others: its language, and who its persons are (``PERSONS``)."""
    words = WORDS if corpus.counted == "women" else corpus.counted.lower()
    return f"{corpus.language}_{words if corpus.paired else NAMES}"


PERSONS = Choice(
    "persons",
    "Persons",
    choices={
        WORDS: "women and men",
        NAMES: "names (WEAT 3)",
        **{of.people.lower(): f"{of.people} and White people" for of in sources.ethnicity_corpora()},
    },
    help="Who is compared over the professions: female and male words, African and European American names, or phrases "
    "such as “this Asian person” and “this White person”.",
)
LANGUAGE = Several(
    "language",
    "Language",
    ("en",),
    {corpus.language: corpus.name for corpus in sources.corpora()},
    help="Each model is measured in the languages it knows.",
    metavar="CODE",
)
CORPORA = {
    kind_of(corpus): corpus for corpus in (*sources.corpora(), sources.names_corpus(), *sources.ethnicity_corpora())
}
TEXTS = {kind: CorpusTexts.of(corpus) for kind, corpus in CORPORA.items()}
STATISTIC = Choice(
    "statistic",
    "Statistic",
    choices=dict(sources.share_tables()) | {OWN_FILE: "your own file …"},
    help="Who does the job: the share of people in each profession.",
    own="share_file",
    own_value=OWN_FILE,
    metavar="NAME",
)
YEAR = Choice("year", "Year", choices={str(year): str(year) for year in BLS_YEARS}, help="Of the BLS table.")
SHARE_FILE = Upload("share_file", "A CSV file with two columns: the profession and its percentage", metavar="FILE")


def corpora_read(persons: str, languages: tuple[str, ...], *written: str) -> tuple[Corpus, ...]:
    """The corpora of these persons and languages as they are written, a text for each of ``TEXTS``.

    Raises OptionError, TemplateError or WordListError.
    """
    texts = {item.name: text for item, text in zip(_ALL_TEXTS, written, strict=True)}
    if persons != WORDS and tuple(languages) != ("en",):
        raise OptionError(f"“{PERSONS.choices[persons]}” are there in English alone; omit the language.")
    if persons == NAMES and len({texts[item.pairs.name] for item in TEXTS.values() if item.pairs}) == 1:
        raise OptionError("Names are not pairs; omit the pairs, or choose words.")
    if not languages:
        raise OptionError("There is no language; choose one, such as English (en).")
    kinds = [f"{language}_{persons}" for language in dict.fromkeys(languages)]
    for part in zip(*(_own(kind, texts) for kind in kinds), strict=True):
        if len(kinds) > 1 and part[0] is not None and len(set(part)) == 1:
            raise OptionError("Own templates, pairs and professions belong to one language; give one language.")
    return tuple(_changed(kind, texts) for kind in kinds)


def corpora_given(value: Any) -> tuple[Corpus, ...]:
    """Corpora, or codes of languages, or one of them. Raises WordListError."""
    items: Iterable[Any] = (value,) if isinstance(value, str | Corpus) else value
    found = tuple(item if isinstance(item, Corpus) else sources.corpus(item) for item in items)
    if not found or len({corpus.contrast for corpus in found}) > 1:
        raise WordListError("Needs one corpus or more, all with the same two kinds of person words.")
    for corpus in found:
        if not corpus.professions:
            raise WordListError("There is no profession; write at least one.")
    return found


def comparison_read(table: str, year: str, files: Sequence[File]) -> Comparison:
    """A table of ours, or the user's own file. Raises OptionError."""
    if table != OWN_FILE:
        return Comparison(table, int(year) if table == BLS or year != YEAR.default else None)
    if not files:
        raise OptionError("There is no file to compare with; give one.")
    if year != YEAR.default:
        raise OptionError("A year is chosen of the BLS table alone; omit it.")
    return Comparison(OWN_FILE, None, files[0])


def comparison_given(value: Any) -> Comparison | None:
    """A comparison, the id of a table, or None for no comparison."""
    if value is None or isinstance(value, Comparison):
        return value
    return Comparison(value, BLS_YEARS[0] if value == BLS else None)


_ALL_TEXTS = tuple(item for texts in TEXTS.values() for item in texts.inputs)


def _own(kind: str, texts: dict[str, str]) -> list[str | None]:
    """What the user wrote of a corpus, templates, pairs and professions; None for what is its own."""
    of = TEXTS[kind]
    return [
        None if item is None or texts[item.name] == item.default else texts[item.name]
        for item in (of.templates, of.pairs, of.professions)
    ]


def _changed(kind: str, texts: dict[str, str]) -> Corpus:
    of, corpus = TEXTS[kind], CORPORA[kind]
    return corpus.changed(
        templates=texts[of.templates.name],
        pairs=corpus.pairs_text if of.pairs is None else texts[of.pairs.name],
        professions=texts[of.professions.name],
    )


@dataclass(frozen=True, kw_only=True)
class ProfessionSpec(ShelvedSpec[ProfessionResult]):
    """The inputs of a measurement of professions (metrics: professions; Bartl, Nissim & Gatt 2020).

    Parameters
    ----------
    corpora : Corpus, or the codes of languages
        Templates × person words of two kinds × professions; each model is measured in the languages it knows.
    statistic : Comparison, the id of a table, or None
        What the professions are compared with; None for no comparison.
    masking : Masking
        How the profession is hidden for the prior: one mask per ``word``, per ``wordpiece``, or a ``single`` one.
    several_pieces : SeveralPieces
        Person words split into several tokens: ``single`` excludes them, ``joint`` scores their tokens together.
    form : Form
        How words are written in their slots: ``sentence`` with a capital where a sentence begins, ``typed``, or
        ``capital`` for targets.
    signed_rank : SignedRank
        p of the signed-rank tests: ``exact`` where it can be, or by the ``normal`` approximation.
    seed : int
        For every random draw.
    common_words : bool
        Whether what not every model can score is excluded for all.
    published : str, or several
        Ids of published results (``core.shelf``) that stand beside the models, or alone where there is no model.
    """

    RESULT: ClassVar[type[Result]] = ProfessionResult
    COMMAND: ClassVar[str] = "professions"
    TITLE: ClassVar[str] = "Professions against labour statistics (BEC-Pro), in English and German"
    DESCRIPTION: ClassVar[str] = (
        "Association of female and male person words with professions (Bartl, Nissim & Gatt 2020), compared with the "
        "share of women in each. A positive difference means a stronger association with the female words."
    )
    COMPARABLE: ClassVar[Comparable | None] = Comparable(
        entry="profession",
        item="pair of sentences",
        items=compared_items,
        ends=compared_ends,
        side_ends=("more likely", "less likely"),
        unit=lambda spec: "nats",
        unused=("statistic", "year", "share_file", "signed_rank", "common_words", "published"),
    )

    corpora: tuple[Corpus, ...] = given(
        PERSONS, LANGUAGE, *_ALL_TEXTS, read=corpora_read, default=(sources.corpora()[0],), coerce=corpora_given
    )
    statistic: Comparison | None = given(
        STATISTIC, YEAR, SHARE_FILE, read=comparison_read, default=Comparison(), coerce=comparison_given
    )
    masking: Masking = one_of(Masking, "How the profession is hidden for the prior")
    several_pieces: SeveralPieces = one_of(SeveralPieces, "Person words split into several tokens")
    form: Form = form_field()
    signed_rank: SignedRank = one_of(SignedRank, "p of the signed-rank tests")
    seed: int = seed_field()
    common_words: bool = common_words_field("Only what every model can score")
    published: tuple[str, ...] = published_field("professions")

    def __post_init__(self) -> None:
        """Check what is compared before anything is measured; a saved spec has no file to check."""
        super().__post_init__()
        self.check_published()
        if self.statistic is not None and (self.statistic.file is None or self.statistic.file.content is not None):
            self.statistic.shares(self.people)

    @property
    def contrast(self) -> Contrast:
        """First kind of person words minus second."""
        return self.corpora[0].contrast

    @property
    def people(self) -> str:
        """The people whose share is requested, such as ``women``, or ``Black`` people for names."""
        return self.corpora[0].counted

    @property
    def line(self) -> str:
        """What is measured, in a line for the reader."""
        count = sum(len(corpus.professions) for corpus in self.corpora)
        names = " and ".join(corpus.name for corpus in self.corpora)
        return " · ".join((names, f"{count:,} profession{'' if count == 1 else 's'}", *self.names))

    @property
    def data(self) -> tuple[str, ...]:
        """Where the sentences are from."""
        return tuple(corpus.source for corpus in self.corpora)

    def obstacle(self, entry: Entry) -> str:
        """As of every measure; and where its sentences or its masking are not those of the spec."""
        return super().obstacle(entry) or obstacle(self, entry)

    @property
    def base(self) -> Self:
        """The same without the statistic and what was published: others ask no model again."""
        return replace(self, statistic=None, published=() if self.models else self.published)

    def finish(self, result: ProfessionResult) -> ProfessionResult:
        """The result with what was published beside it, compared with the statistic."""
        from .labour import compared
        from .published import joined

        if result.spec.published != self.published:
            result = joined(replace(self, statistic=None), result)
        return result if self.statistic is None else compared(result, self)

    def measure(self, models: Sequence[LoadedModel], run: Run[Any]) -> ProfessionResult:
        """Measure with the loaded models, which are those of the spec."""
        if self.models:
            from . import compute

            return self.finish(compute.measure(self.base, models, run))
        from .published import joined

        return self.finish(joined(self.base, None))
