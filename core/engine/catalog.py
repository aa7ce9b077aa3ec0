"""The models on offer by name. To add one, add a line here; any hub id or folder works without a line too."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadModelName, instead
from . import parentage

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "models"
DEFAULT = "minilm-mlm"
PRECISIONS = ("float32", "bfloat16", "float16")
DEVICES = ("cuda", "mps", "cpu")
MAX_MODELS = 4  # compared side by side; more cannot be read on one screen


@dataclass(frozen=True)
class CatalogEntry:
    """A model by name. ``id`` is a hub id, or a folder for what is on this disk already.

    ``kind`` is ``masked``, ``causal`` or ``encoder``, which has no prediction head; ``cased`` says whether upper and
    lower case differ; ``origin`` is ``embedded``, ``local`` or ``hub``.
    """

    name: str
    id: str
    kind: str
    family: str
    languages: tuple[str, ...]
    cased: bool
    origin: str = "hub"


def user_models() -> Path:
    """The folder under the user's cache of converted and fine-tuned models (``TILTMETER_CACHE`` moves it)."""
    cache = os.environ.get("TILTMETER_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "tiltmeter" / "models"


_PLACES = "finetuned.txt"  # in that folder: where models lie that were fine-tuned elsewhere, a folder a line
_ENGLISH = ("en",)
_EMBEDDED = CatalogEntry(DEFAULT, str(ASSETS / DEFAULT), "masked", "BERT", _ENGLISH, False, "embedded")
_HUB = (
    CatalogEntry("bert-base-uncased", "google-bert/bert-base-uncased", "masked", "BERT", _ENGLISH, False),
    CatalogEntry("bert-base-cased", "google-bert/bert-base-cased", "masked", "BERT", _ENGLISH, True),
    CatalogEntry("bert-large-uncased", "google-bert/bert-large-uncased", "masked", "BERT", _ENGLISH, False),
    CatalogEntry("bert-base-german", "dbmdz/bert-base-german-cased", "masked", "BERT", ("de",), True),
    CatalogEntry(
        "bert-base-multilingual", "google-bert/bert-base-multilingual-cased", "masked", "BERT", ("multilingual",), True
    ),
    CatalogEntry("distilbert", "distilbert/distilbert-base-uncased", "masked", "DistilBERT", _ENGLISH, False),
    CatalogEntry("albert-base", "albert/albert-base-v2", "masked", "ALBERT", _ENGLISH, False),
    CatalogEntry("roberta-base", "FacebookAI/roberta-base", "masked", "RoBERTa", _ENGLISH, True),
    CatalogEntry("roberta-large", "FacebookAI/roberta-large", "masked", "RoBERTa", _ENGLISH, True),
    CatalogEntry("xlm-roberta-base", "FacebookAI/xlm-roberta-base", "masked", "XLM-R", ("multilingual",), True),
    CatalogEntry("electra-generator", "google/electra-base-generator", "masked", "ELECTRA", _ENGLISH, False),
    CatalogEntry("mpnet-base", "microsoft/mpnet-base", "masked", "MPNet", _ENGLISH, False),
    CatalogEntry("modernbert-base", "answerdotai/ModernBERT-base", "masked", "ModernBERT", _ENGLISH, True),
    CatalogEntry("mobilebert", "google/mobilebert-uncased", "masked", "MobileBERT", _ENGLISH, False),
    CatalogEntry("gpt2", "openai-community/gpt2", "causal", "GPT-2", _ENGLISH, True),
    CatalogEntry("opt-125m", "facebook/opt-125m", "causal", "OPT", _ENGLISH, True),
    CatalogEntry("pythia-160m", "EleutherAI/pythia-160m", "causal", "GPT-NeoX", _ENGLISH, True),
    CatalogEntry("smollm2-135m", "HuggingFaceTB/SmolLM2-135M", "causal", "Llama", _ENGLISH, True),
    CatalogEntry("qwen2.5-0.5b", "Qwen/Qwen2.5-0.5B", "causal", "Qwen", ("multilingual",), True),
    CatalogEntry("gemma-3-270m", "google/gemma-3-270m", "causal", "Gemma", ("multilingual",), True),
)
EXTRA = CatalogEntry("smollm2-135m-instruct", "", "causal", "Llama", _ENGLISH, True, "local")


def entries() -> tuple[CatalogEntry, ...]:
    """Every model on offer, the embedded one first, then what is on this disk, then the hub's."""
    folder = user_models() / EXTRA.name
    local = (
        (CatalogEntry(EXTRA.name, str(folder), EXTRA.kind, EXTRA.family, EXTRA.languages, EXTRA.cased, "local"),)
        if (folder / "config.json").is_file()
        else ()
    )
    known = (_EMBEDDED, *local, *_HUB)
    names = {entry.name for entry in known}
    return (_EMBEDDED, *local, *(entry for entry in _finetuned() if entry.name not in names), *_HUB)


def remember(folder: Path) -> None:
    """Put a model that was fine-tuned into a folder elsewhere on the list; it leaves it when it is moved or deleted."""
    place = user_models()
    if folder.resolve().is_relative_to(place.resolve()) or folder.resolve() in _elsewhere():
        return
    place.mkdir(parents=True, exist_ok=True)
    with (place / _PLACES).open("a", encoding="utf-8") as file:
        file.write(f"{folder.resolve()}\n")


def _finetuned() -> tuple[CatalogEntry, ...]:
    """The models that were fine-tuned here and are still there, by name; of two with one name the first."""
    found: dict[str, CatalogEntry] = {}
    for folder in (*_in_place(), *_elsewhere()):
        parent = parentage.read(folder)
        if parent is not None and (folder / "config.json").is_file():
            kind = "encoder" if parent.labels else "masked"
            entry = CatalogEntry(folder.name, str(folder), kind, parent.family, parent.languages, parent.cased, "local")
            found.setdefault(entry.name, entry)
    return tuple(found.values())


def _in_place() -> list[Path]:
    place = user_models()
    files = [*place.glob(f"*/{parentage.FILE}"), *place.glob(f"*/*/{parentage.FILE}")]
    inside = [file.parent.relative_to(place) for file in files]
    return sorted((place / folder).resolve() for folder in inside if not any(part[0] == "." for part in folder.parts))


def _elsewhere() -> list[Path]:
    try:
        return [Path(line) for line in (user_models() / _PLACES).read_text(encoding="utf-8").splitlines() if line]
    except (OSError, ValueError):
        return []


def find(name: str) -> CatalogEntry | None:
    """The entry of a name (``default`` is the embedded model) or of a hub id; None when not in the catalog."""
    wanted = DEFAULT if name == "default" else name
    return next((entry for entry in entries() if wanted in (entry.name, entry.id)), None)


def locate(name: str) -> tuple[str, str]:
    """(short name, hub id or folder) of what a user typed.

    Raises BadModelName, with the nearest catalog names, for a text that can be neither.
    """
    text = name.strip()
    if not text:
        raise BadModelName(f"No model is named; give one, such as {DEFAULT}.")
    entry = find(text)
    if entry is not None:
        return entry.name, entry.id
    folder = as_folder(text)
    if folder is not None:
        return folder.name, str(folder)
    if looks_like_path(text) or "/" in text:
        return text.rstrip("/").rsplit("/", 1)[-1], text
    names = [entry.name for entry in entries()]
    near = instead(text, names, f"“python -m core models” names all {len(names)}.")
    raise BadModelName(
        f"There is no model named “{text}”. {near} A hub id has the form owner/name; a folder is given by its path."
    )


def as_folder(text: str) -> Path | None:
    """The folder of this machine that a text names, None when it names none."""
    try:
        folder = Path(text).expanduser()
        return folder.resolve() if folder.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        # A name too long for any path, a user without a home, an invisible character.
        return None


def looks_like_path(text: str) -> bool:
    """Whether a text can only be meant as a folder of this machine."""
    return text.startswith(("/", "./", "../", "~", ".\\")) or "\\" in text or (len(text) > 1 and text[1] == ":")
