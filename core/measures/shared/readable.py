"""What a model cannot read in a template or a list, although it would give a number all the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from ... import sources
from ...engine.loading import LoadedModel
from ...errors import TemplateError
from ...sources.parsing import quoted, shown
from ...sources.templates import ATTRIBUTE, TARGET

MULTILINGUAL = "multilingual"
_SHOWN = 5
# Languages of the catalog by the scripts they are written in; the others are written in Latin letters alone.
_SCRIPTS = {
    **dict.fromkeys(("ar", "fa", "ur"), ("ARABIC",)),
    **dict.fromkeys(("bg", "ru", "sr", "uk"), ("CYRILLIC",)),
    "el": ("GREEK",),
    "he": ("HEBREW",),
    "hi": ("DEVANAGARI",),
    "ja": ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"),
    "ko": ("CJK", "HANGUL"),
    "th": ("THAI",),
    "zh": ("CJK", "IDEOGRAPHIC"),
}
_EVERYWHERE = {"LATIN", "FEMININE", "MASCULINE", "FULLWIDTH", "MODIFIER", "MICRO"}


def refuse_special_tokens(models: Sequence[LoadedModel], texts: Sequence[str]) -> None:
    """Raise TemplateError for a text that holds a special token of one of the models, which is no text to it."""
    for model in models:
        special = {token.content for token in model.tokenizer.added_tokens_decoder.values() if token.special}
        # A family may declare a plain sign such as "!" to be its padding.
        marked = sorted(token for token in special if len(token) > 2 and not token.isalnum())
        for text in texts:
            token = next((token for token in marked if token in text), None)
            if token is not None:
                raise TemplateError(
                    f"“{shown(text)}” holds {token}, which is a special token of {model.info.name} and no "
                    "text to it; omit it."
                )


def reading_notes(model: LoadedModel, templates: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """Sentences about tokens around the slots that the model does not know, and about a script of other languages."""
    tokenizer = model.tokenizer
    for template in templates:
        around = template.replace(TARGET, " ").replace(ATTRIBUTE, " ")
        ids = tokenizer.backend_tokenizer.encode(around, add_special_tokens=False).ids
        unknown = 0 if tokenizer.unk_token_id is None else ids.count(tokenizer.unk_token_id)
        if unknown:
            yield (
                f"does not know {unknown} of the {len(ids)} tokens around the slots of “{template}”: it reads "
                f"{tokenizer.unk_token} in their place, and another unknown word would give the same numbers."
            )
    foreign = [text for text in (*templates, *words) if _other_script(text, model.info.languages)]
    if foreign:
        known = " and ".join(map(sources.language_name, model.info.languages))
        verb = "is" if len(foreign) == 1 else "are"
        yield (
            f"knows {known}, and {quoted(foreign, _SHOWN)} {verb} written in another script: its numbers there say "
            "little."
        )


def _other_script(text: str, languages: Sequence[str]) -> bool:
    """Whether a letter belongs to no language the model is known to know; nothing is said where that is not known."""
    if not languages or MULTILINGUAL in languages:
        return False
    known = _EVERYWHERE.union(*(_SCRIPTS.get(language, ()) for language in languages))
    return any(char.isalpha() and unicodedata.name(char, "LATIN").split()[0] not in known for char in text)
