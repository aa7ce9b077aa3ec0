"""The inputs of the professions page: language, persons, statistic, and the user's changes to the corpus."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core import sources
from core.measures.lpbs.professions.spec import (
    CORPORA,
    LANGUAGE,
    OWN_FILE,
    PERSONS,
    SHARE_FILE,
    STATISTIC,
    TEXTS,
    WORDS,
    YEAR,
    ProfessionSpec,
    kind_of,
)
from core.sources import BLS, Corpus
from pages.shared import links, shelved
from pages.shared.controls import check, measure_button, number, select, several, steps, text, upload


def profession_spec(models: tuple[str, ...]) -> ProfessionSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="choices"):
        persons_place, language_place, table_place, year_place, button_place = st.columns([1.5, 1.6, 2.4, 1.5, 0.9])
    persons = select(persons_place, PERSONS)
    languages = several(language_place, LANGUAGE) if persons == WORDS else ("en",)
    if not languages:
        links.settle(whole=False)
        st.info("Choose a language; English works with the model that comes with the program.")
        st.stop()
    corpora = tuple(CORPORA[f"{language}_{persons}"] for language in languages)
    women = persons == WORDS
    whose = "women" if women else f"{corpora[0].counted} people"
    tables = dict(sources.share_tables()[:1]) | {OWN_FILE: STATISTIC.choices[OWN_FILE]}
    about = f"Who does the job: the share of {whose} in each profession."
    table = select(table_place, replace(STATISTIC, choices=STATISTIC.choices if women else tables, help=about))
    year = steps(year_place, YEAR) if table == BLS else YEAR.default
    measure_button(button_place)
    _method(corpora)
    if table == OWN_FILE:
        label = f"A CSV file with two columns: the profession and the percentage of {whose} in it"
        upload(st, replace(SHARE_FILE, label=label))
    # What is not on screen does not count.
    shown = {"models": models, LANGUAGE.name: languages, YEAR.name: year}
    alone = {**shown, STATISTIC.name: STATISTIC.default, YEAR.name: YEAR.default, "published": ()}
    chosen = shelved.choose(ProfessionSpec, lambda: ProfessionSpec.of({**links.values(), **alone}))
    links.settle()
    values = links.values()
    if table == OWN_FILE and not values[SHARE_FILE.name]:
        st.info("Give a file to compare with; until then there is nothing to compare the model with.")
        st.stop()
    return ProfessionSpec.of({**values, **shown, "published": chosen})


def _method(corpora: tuple[Corpus, ...]) -> None:
    """The choices of the method, and templates, pairs and professions of each corpus as they are written."""
    with st.expander("Templates, persons, professions and method", key="method"):
        for corpus in corpora:
            texts = TEXTS[kind_of(corpus)]
            left, middle, right = st.columns([2, 1.4, 2])
            text(left, texts.templates)
            if texts.pairs is not None:
                text(middle, texts.pairs)
            else:
                middle.caption(
                    f"{len(corpus.persons[0].words)} African American and {len(corpus.persons[1].words)} European "
                    "American names of WEAT 3; those of a single token are scored."
                )
            text(right, texts.professions)
        left, right = st.columns(2)
        for name in ("masking", "several_pieces", "form"):
            select(left, ProfessionSpec.input(name))
        for name in ("signed_rank", "dtype"):
            select(right, ProfessionSpec.input(name))
        number(right, ProfessionSpec.input("seed"))
        check(right, ProfessionSpec.input("common_words"))
