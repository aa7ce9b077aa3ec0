"""The inputs of the professions page: language, persons, statistic, and the user's changes to the corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core import sources
from core.inputs import Choice, Several, Switch, Text, Upload
from core.measures.lpbs.professions.result import ProfessionOptions
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import MODELS, PRECISION
from core.sources import BLS, BLS_YEARS, Corpus, Shares
from pages.shared import controls, links
from pages.shared.controls import SEED, File, check, measure_button, number, select, several, steps, text, upload
from pages.shared.inputs import ProfessionInputs
from pages.shared.options import choice_of

_OWN_FILE = "file"
_DEFAULT = ProfessionOptions()

PERSONS = Choice(
    "persons",
    "Persons",
    choices={"words": "women and men", "names": "names (WEAT 3)"},
    help="Who is compared over the professions.",
)
LANGUAGE = Several(
    "language",
    "Language",
    ("en",),
    {corpus.language: corpus.name for corpus in sources.corpora()},
    help="Each model is measured in the languages it knows.",
)
STATISTIC = Choice("statistic", "Statistic", choices=dict(sources.share_tables()) | {_OWN_FILE: "your own file …"})
YEAR = Choice("year", "Year", choices={str(year): str(year) for year in BLS_YEARS})
SHARE_FILE = Upload("share_file", "A CSV file with two columns")
MASKING = choice_of(
    ProfessionOptions,
    "masking",
    "How the profession is hidden for the prior",
    {
        "word": "one mask per word (BEC-Pro)",
        "wordpiece": "one mask per word piece",
        "single": "a single mask",
    },
)
SEVERAL_PIECES = replace(LpbsSpec.input("several_pieces"), label="Person words split into several tokens")
SIGNED_RANK = choice_of(
    ProfessionOptions,
    "signed_rank",
    "p of the signed-rank tests",
    {"exact": "exact where it can be", "normal": "normal approximation (BEC-Pro)"},
)
COMMON_WORDS = Switch("common_words", "Only what every model can score", _DEFAULT.common_words)


@dataclass(frozen=True)
class CorpusTexts:
    """The parts of a corpus that a user may write; ``pairs`` is None where its persons are not in pairs."""

    templates: Text
    pairs: Text | None
    professions: Text

    @classmethod
    def of(cls, corpus: Corpus) -> CorpusTexts:
        """Those of a corpus, which is their default."""
        kind = _kind(corpus)
        return cls(
            Text(
                f"{kind}_templates",
                f"{corpus.name}: templates, one a line",
                "\n".join(corpus.templates),
                height=190,
                help="[TARGET] is the person, [ATTRIBUTE] the profession, [ARTICLE] agrees with the person.",
            ),
            Text(
                f"{kind}_pairs",
                "Pairs, female / male",
                corpus.pairs_text,
                height=190,
                help="The last word is hidden from the model, or the one in [brackets].",
            )
            if corpus.paired
            else None,
            Text(
                f"{kind}_professions",
                "Professions, one a line",
                corpus.professions_text,
                height=190,
                help="A name, or “name: female form / male form”. The name is looked up in the statistic.",
            ),
        )

    @property
    def options(self) -> tuple[Text, ...]:
        """All of them."""
        return tuple(option for option in (self.templates, self.pairs, self.professions) if option is not None)


def _kind(corpus: Corpus) -> str:
    return f"{corpus.language}_{'words' if corpus.paired else 'names'}"


TEXTS = {_kind(corpus): CorpusTexts.of(corpus) for corpus in (*sources.corpora(), sources.names_corpus())}

INPUTS = (
    MODELS,
    PERSONS,
    LANGUAGE,
    STATISTIC,
    YEAR,
    SHARE_FILE,
    *(option for texts in TEXTS.values() for option in texts.options),
    MASKING,
    SEVERAL_PIECES,
    controls.FORM,
    SIGNED_RANK,
    PRECISION,
    SEED,
    COMMON_WORDS,
)


@dataclass(frozen=True)
class Chosen:
    """What the page measures, and what it compares the result with."""

    inputs: ProfessionInputs
    shares: Shares


def profession_inputs(models: tuple[str, ...]) -> Chosen:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="choices"):
        persons_place, language_place, table_place, year_place, button_place = st.columns([1.5, 1.6, 2.4, 1.5, 0.9])
    names = select(persons_place, PERSONS) == "names"
    of = "Black" if names else "women"
    languages = ("en",) if names else several(language_place, LANGUAGE)
    if not languages:
        links.settle(whole=False)
        st.info("Choose a language; English works with the model that comes with the program.")
        st.stop()
    tables = dict(sources.share_tables()[:1]) | {_OWN_FILE: STATISTIC.choices[_OWN_FILE]}
    about = f"Who does the job: the share of {'Black people' if names else 'women'} in each profession."
    table = select(table_place, replace(STATISTIC, choices=tables if names else STATISTIC.choices, help=about))
    year = int(steps(year_place, YEAR)) if table == BLS else BLS_YEARS[0]
    measure_button(button_place)
    corpora = (sources.names_corpus(),) if names else tuple(map(sources.corpus, languages))
    options, dtype, written = _method(corpora)
    files: tuple[File, ...] = ()
    if table == _OWN_FILE:
        label = f"A CSV file with two columns: the profession and the percentage of {of} in it"
        files = upload(st, replace(SHARE_FILE, label=label))
    links.settle()
    # Read when all is drawn: what is wrong in one box does not take the others off the page.
    changed = tuple(
        corpus.changed(templates=templates, pairs=pairs, professions=professions)
        for corpus, (templates, pairs, professions) in zip(corpora, written, strict=True)
    )
    if table == _OWN_FILE and not files:
        st.info("Give a file to compare with; until then there is nothing to compare the model with.")
        st.stop()
    shares = (
        sources.read_shares(files[0].data, files[0].name, of=of) if files else sources.shares(table, year=year, of=of)
    )
    return Chosen(ProfessionInputs(models, dtype, changed, options), shares)


def _method(corpora: tuple[Corpus, ...]) -> tuple[ProfessionOptions, str, list[tuple[str, str, str]]]:
    """The choices of the method, precision, and templates, pairs and professions of each corpus as they are written."""
    written = []
    with st.expander("Templates, persons, professions and method", key="method"):
        for corpus in corpora:
            texts = TEXTS[_kind(corpus)]
            left, middle, right = st.columns([2, 1.4, 2])
            templates = text(left, texts.templates)
            pairs = corpus.pairs_text
            if texts.pairs is not None:
                pairs = text(middle, texts.pairs)
            else:
                middle.caption(
                    f"{len(corpus.persons[0].words)} African American and {len(corpus.persons[1].words)} European "
                    "American names of WEAT 3; those of a single token are scored."
                )
            written.append((templates, pairs, text(right, texts.professions)))
        left, right = st.columns(2)
        masking = select(left, MASKING)
        several_pieces = select(left, SEVERAL_PIECES)
        form = select(left, controls.FORM)
        signed_rank = select(right, SIGNED_RANK)
        dtype = select(right, PRECISION)
        seed = number(right, SEED)
        common = check(right, COMMON_WORDS)
    return ProfessionOptions(masking, several_pieces, common, seed, form, signed_rank), dtype, written
