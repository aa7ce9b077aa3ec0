"""The English indefinite article before a word, told from how the word is written."""

from __future__ import annotations

import re

# Called letter by letter: an LGBT parent, an HIV-positive friend, a UK citizen.
_ACRONYM = re.compile(r"([A-Z])[A-Z]{1,5}(?![A-Za-z])")
_VOWELS_BY_NAME = "AEFHILMNORSX"
# Written with a vowel and spoken with a consonant: a European, a one-armed man, a Ukrainian, a uniformed guard.
_CONSONANT = re.compile(
    r"eu|ewe|one(?![a-z])|once|ubiq|ugand|ukr|uni(?:[cfqstv]|on|lat)|uru|usa|use|usu|ut[aeio]", re.I
)
# Written with a consonant and spoken with a vowel.
_VOWEL = re.compile(r"heir|hono|honest|hour", re.I)


def article(phrase: str) -> str:
    """“a” or “an”, as it stands before a word or phrase of English that is not empty."""
    acronym = _ACRONYM.match(phrase)
    if acronym:
        return "an" if acronym[1] in _VOWELS_BY_NAME else "a"
    is_vowel = phrase[0].lower() in "aeiou" and not _CONSONANT.match(phrase)
    return "an" if is_vowel or _VOWEL.match(phrase) else "a"
