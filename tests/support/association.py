"""What an association test should give, from plain transformers calls and numpy: no code of ``core`` computes here."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer

from core.engine.loading import LoadedModel
from core.measures.association import compute
from core.measures.association.result import AssociationResult
from core.measures.association.spec import AskedTest, AssociationSpec
from core.report.frames import to_json
from core.result import Excluded
from core.run import UNWATCHED, Part, Watch
from core.sources import AssociationTest
from core.spec import File

MASK = "[MASK]"
Vectors = NDArray[np.float64]


class Plain:
    """A saved model as transformers gives it. Each text goes through alone, unpadded."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.body: Any = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        bare, framed = self.ids("nurse", special=False), self.ids("nurse")
        self.front = next(place for place in range(len(framed)) if framed[place : place + len(bare)] == bare)

    def ids(self, text: str, *, special: bool = True) -> list[int]:
        shown = text.replace(MASK, self.tokenizer.mask_token or MASK)
        ids: list[int] = self.tokenizer(shown, add_special_tokens=special).input_ids
        return ids

    @functools.cache  # noqa: B019  (a handful of models a process, kept on purpose)
    def states(self, text: str) -> Vectors:
        """[layer, token, width]"""
        with torch.inference_mode():
            output = self.body(input_ids=torch.tensor([self.ids(text)]), output_hidden_states=True)
        found: Vectors = torch.cat(output.hidden_states).double().numpy()
        return found

    def places(self, text: str, word: str) -> list[int]:
        """Where the word's pieces stand: the text is cut before the word and behind it, and both are tokenised."""
        start = text.index(word)
        before = len(self.ids(text[:start].rstrip(), special=False))
        until = len(self.ids(text[: start + len(word)], special=False))
        return list(range(self.front + before, self.front + until))

    def word(self, text: str, word: str) -> Vectors:
        """[layer, width], the mean of the word's pieces in the text."""
        mean: Vectors = self.states(text)[:, self.places(text, word)].mean(axis=1)
        return mean

    def in_frame(self, frame: str, word: str) -> Vectors:
        """[layer, width], the mean of the word's pieces in the blank of a frame, whose own letters may spell it too."""
        start = frame.index("{}")
        low, high = (len(self.ids(text, special=False)) for text in (frame[:start].rstrip(), frame[:start] + word))
        mean: Vectors = self.states(frame.format(word))[:, self.front + low : self.front + high].mean(axis=1)
        return mean

    def input_vector(self, word: str) -> Vectors:
        """Mean of the rows of the pieces that follow on "a" when the word is tokenised behind it."""
        pieces = self.ids(f"a {word}", special=False)[len(self.ids("a", special=False)) :]
        matrix = self.body.get_input_embeddings().weight.detach().double().numpy()
        mean: Vectors = matrix[pieces].mean(axis=0)
        return mean


@functools.cache
def plain(folder: Path) -> Plain:
    """Loaded once a process."""
    return Plain(folder)


def weat_d(x: Any, y: Any, a: Any, b: Any, *, ddof: int = 1) -> float:
    """d of four sets of vectors, member by member and cosine by cosine."""

    def cosine(v: Vectors, w: Vectors) -> float:
        return float(v @ w / np.sqrt((v @ v) * (w @ w)))

    s_x, s_y = (
        [np.mean([cosine(w, v) for v in a]) - np.mean([cosine(w, v) for v in b]) for w in members] for members in (x, y)
    )
    return plain_d(s_x, s_y, ddof=ddof)


def plain_d(s_x: Any, s_y: Any, *, ddof: int = 1) -> float:
    """d of two lists of values."""
    return float((np.mean(s_x) - np.mean(s_y)) / np.std([*s_x, *s_y], ddof=ddof))


@dataclass(frozen=True)
class Made(AskedTest):
    """A test made by hand, with sentences and designs that nobody can ask for."""

    made: AssociationTest | None = field(default=None, metadata={"plain": False})

    def test(self) -> AssociationTest:
        """As it was made."""
        assert self.made is not None
        return replace(self.made, id=self.id)


def made(test: AssociationTest) -> Made:
    """What asks for this very test."""
    asked = AskedTest.of(test)
    return Made(**{item.name: getattr(asked, item.name) for item in fields(asked)}, made=test)


def run(
    models: Sequence[LoadedModel],
    tests: Sequence[AssociationTest],
    kinds: Sequence[str],
    *,
    vectors: Path | None = None,
    sentences: Sequence[str] = (),
    run: Watch = UNWATCHED,
    memory: dict[Any, Any] | None = None,
    **options: Any,
) -> AssociationResult:
    """These tests by these representations in these models; sentences are the lines of a file."""
    spec = AssociationSpec(
        tests=tuple(map(made, tests)),
        representations=tuple(kinds),
        vectors=vectors,
        sentences=(File.of("sentences.txt", "\n".join(sentences).encode()),) if sentences else (),
        **options,
    )
    return compute.measure(spec, models, Part(run, {} if memory is None else memory))


@dataclass(frozen=True, eq=False)
class Cell:
    """What is behind one row, as arrays: members and associations of X and Y, and the matrix with A and B."""

    model: str
    test: str
    representation: str
    members_x: tuple[str, ...]
    members_y: tuple[str, ...]
    members_a: tuple[str, ...]
    members_b: tuple[str, ...]
    s_x: Vectors
    s_y: Vectors
    matrix: Vectors


def cells(result: AssociationResult) -> list[Cell]:
    """What is behind each row with a value."""
    found = []
    keys = ["model", "test", "representation"]
    for which, members in result["members"].groupby(keys, sort=False):
        matrix = result["matrix"].set_index(keys).loc[[which]]
        x, y = (members[members["set"] == letter] for letter in "XY")
        across = matrix[["other_set", "other"]].drop_duplicates()
        a, b = (tuple(across.loc[across["other_set"] == letter, "other"]) for letter in "AB")
        values = matrix["value"].to_numpy().reshape(-1, len(across))
        s_x, s_y = (part["association"].to_numpy() for part in (x, y))
        found.append(Cell(*which, tuple(x["member"]), tuple(y["member"]), a, b, s_x, s_y, values))  # type: ignore[misc]
    return found


def row(result: AssociationResult, **where: object) -> Any:
    """The one row of the summary with these values."""
    chosen = np.logical_and.reduce([result["tests"][name] == value for name, value in where.items()])
    (index,) = np.flatnonzero(np.atleast_1d(chosen))
    return result["tests"].iloc[index]


def effect_sizes(result: AssociationResult) -> dict[tuple[str, str, str], float]:
    """d by model, test and representation."""
    rows = result["tests"]
    return {
        (model, test, item): float(d)
        for model, test, item, d in zip(
            rows["model"], rows["test"], rows["representation"], rows["effect_size"], strict=True
        )
    }


def lost(result: AssociationResult, representation: str, *, model: str | None = None) -> dict[tuple[str, str], str]:
    """Reason by set and member."""
    return {
        (str(item.group), item.what): item.why.removesuffix(".")
        for item in result.excluded
        if item.kind != "statistic" and item.representation == representation and (model is None or item.model == model)
    }


def refusals(left_out: Sequence[Excluded]) -> list[str]:
    """The sentences of rows without a value; one with a value may lack its one-sided p (CEAT) or its interval."""
    return [
        item.why.removesuffix(".")
        for item in left_out
        if item.kind == "statistic" and "one-sided" not in item.why and "n too small" not in item.why
    ]


def document(result: AssociationResult) -> dict[str, Any]:
    """The result as its JSON reads; NaN and infinity are no JSON."""

    def refuse(name: str) -> float:
        raise AssertionError(f"{name} is no JSON number")

    found: dict[str, Any] = json.loads(to_json(result), parse_constant=refuse)
    return found


@contextmanager
def texts_through(model: LoadedModel) -> Iterator[list[tuple[int, ...]]]:
    """The inputs of the model's body, padding cut off, in order of arrival."""
    inputs: list[tuple[int, ...]] = []

    def before(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        # A model with a head hands the ids on to its body by position.
        ids, attention = args[0] if args else kwargs["input_ids"], kwargs["attention_mask"]
        inputs.extend(tuple(item[kept.bool()].tolist()) for item, kept in zip(ids, attention, strict=True))

    handle = model.module.base_model.register_forward_pre_hook(before, with_kwargs=True)
    try:
        yield inputs
    finally:
        handle.remove()
