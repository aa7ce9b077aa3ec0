"""Whether published scores are of the sentences that are asked for, and where these stand among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .... import sources
from ....sources import Corpus, language_name
from ....sources.published import Entry

if TYPE_CHECKING:
    from .spec import ProfessionSpec

Places = tuple[list[int | None], list[int | None], list[int | None]]


def places_of(corpus: Corpus) -> Places:
    """Where the templates, professions and persons of a corpus stand in the published one of its language."""
    theirs = sources.corpus(corpus.language)
    templates = {text: t for t, text in enumerate(theirs.templates)}
    forms = {(item.name, item.first, item.second): p for p, item in enumerate(theirs.professions)}
    persons = {phrase: w for w, phrase in enumerate(phrase for kind in theirs.persons for phrase in kind.words)}
    return (
        [templates.get(text) for text in corpus.templates],
        [forms.get((item.name, item.first, item.second)) for item in corpus.professions],
        [persons.get(phrase) for kind in corpus.persons for phrase in kind.words],
    )


def obstacle(spec: ProfessionSpec, entry: Entry) -> str:
    """Why a published result is not of the sentences of a spec, or was asked in another way; empty where it fits."""
    (language,) = entry.inputs["language"]
    corpus = next((corpus for corpus in spec.corpora if corpus.language == language), None)
    if spec.people != "women":
        return "its persons are women and men"
    if corpus is None:
        return f"its sentences are in {language_name(language)}"
    if spec.masking != entry.inputs["masking"]:
        theirs = spec.input("masking").choices[entry.inputs["masking"]]
        return f"its professions were hidden by {theirs}, and here it is {spec.masking.label}"
    if not all(any(place is not None for place in places) for places in places_of(corpus)):
        return "none of its sentences is among these"
    return ""
