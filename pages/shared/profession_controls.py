"""The inputs of the professions page: language, persons, statistic, and the user's changes to the corpus."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core import lexicon
from core.lexicon import BLS, BLS_YEARS, Corpus, Shares
from core.results import ProfessionOptions
from pages.shared.controls import PRECISIONS, measure_button, seed_box, select
from pages.shared.inputs import ProfessionInputs

_PERSONS = {"words": "women and men", "names": "names (WEAT 3)"}
_MASKING = {"word": "one mask per word (BEC-Pro)", "wordpiece": "one mask per word piece", "single": "a single mask"}
_SEVERAL = {"single": "leave them out", "joint": "score all pieces together"}
_OWN_FILE = "file"


@dataclass(frozen=True)
class Chosen:
    """What the page measures, and what it holds the result against."""

    inputs: ProfessionInputs
    shares: Shares


def profession_inputs(models: tuple[str, ...]) -> Chosen:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="choices"):
        persons_place, language_place, table_place, year_place, button_place = st.columns([1.5, 1.6, 2.4, 1.5, 0.9])
    names = (
        select(persons_place, "Persons", _PERSONS, "persons", help="Who is held against the professions.") == "names"
    )
    languages = ["en"] if names else _languages(language_place)
    tables = dict(lexicon.share_tables()[:1] if names else lexicon.share_tables()) | {_OWN_FILE: "your own file …"}
    table = select(
        table_place,
        "Statistic",
        tables,
        "statistic",
        help=f"Who does the job: the share of {'Black people' if names else 'women'} in each profession.",
    )
    year = BLS_YEARS[0]
    if table == BLS:
        year = year_place.select_slider("Year", list(BLS_YEARS), key="year", bind="query-params")
    measure_button(button_place)
    corpora = (lexicon.names_corpus(),) if names else tuple(map(lexicon.corpus, languages))
    options, dtype, corpora = _method(corpora)
    shares = _shares(table, year, "Black" if names else "women")
    return Chosen(ProfessionInputs(models, dtype, corpora, options), shares)


def _languages(place: st.delta_generator.DeltaGenerator) -> list[str]:
    names = {one.language: one.name for one in lexicon.corpora()}
    chosen = place.multiselect(
        "Language",
        list(names),
        default=["en"],
        key="language",
        bind="query-params",
        format_func=names.get,
        help="Each model is measured in the languages it knows.",
    )
    if not chosen:
        st.info("Choose a language; English works with the model that comes with the program.")
        st.stop()
    return chosen


def _shares(table: str, year: int, of: str) -> Shares:
    if table != _OWN_FILE:
        return lexicon.shares(table, year=year, of=of)
    file = st.file_uploader(
        f"A CSV file with two columns: the profession and the percentage of {of} in it (up to 5 MB)",
        type=["csv", "tsv"],
        key="share_file",
    )
    if file is None:
        st.info("Give a file to compare with; until then there is nothing to hold the model against.")
        st.stop()
    return lexicon.read_shares(file.getvalue(), file.name, of=of)


def _method(corpora: tuple[Corpus, ...]) -> tuple[ProfessionOptions, str, tuple[Corpus, ...]]:
    """The choices of the method, and the corpora as the user changed them."""
    default = ProfessionOptions()
    written = []
    with st.expander("Templates, persons, professions and method", key="method"):
        for corpus in corpora:
            kind = f"{corpus.language}_{'words' if corpus.paired else 'names'}"
            left, middle, right = st.columns([2, 1.4, 2])
            templates = left.text_area(
                f"{corpus.name}: templates, one a line",
                "\n".join(corpus.templates),
                key=f"{kind}_templates",
                bind="query-params",
                height=190,
                help="[TARGET] is the person, [ATTRIBUTE] the profession, [ARTICLE] agrees with the person.",
            )
            pairs = corpus.pairs_text
            if corpus.paired:
                pairs = middle.text_area(
                    "Pairs, female / male",
                    pairs,
                    key=f"{kind}_pairs",
                    bind="query-params",
                    height=190,
                    help="The last word is hidden from the model, or the one in [brackets].",
                )
            else:
                middle.caption(
                    f"{len(corpus.persons[0].words)} African American and {len(corpus.persons[1].words)} European "
                    "American names of WEAT 3; those of a single piece are scored."
                )
            professions = right.text_area(
                "Professions, one a line",
                corpus.professions_text,
                key=f"{kind}_professions",
                bind="query-params",
                height=190,
                help="A name, or “name: female form / male form”. The name is looked up in the statistic.",
            )
            written.append((templates, pairs, professions))
        left, right = st.columns(2)
        masking = select(left, "How the profession is hidden for the prior", _MASKING, "masking")
        several = select(left, "Person words of several pieces", _SEVERAL, "several_pieces")
        dtype = select(right, "Precision", PRECISIONS, "dtype")
        seed = seed_box(right)
        common = right.checkbox(
            "Only what every model can score", default.common_words, key="common_words", bind="query-params"
        )
    # Read when all is drawn: what is wrong in one box does not take the others off the page.
    changed = tuple(
        corpus.changed(templates=templates, pairs=pairs, professions=professions)
        for corpus, (templates, pairs, professions) in zip(corpora, written, strict=True)
    )
    return ProfessionOptions(masking, several, common, seed), dtype, changed
