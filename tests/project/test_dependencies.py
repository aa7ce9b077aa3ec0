"""pyproject.toml says what Tiltmeter can live with, the lock what ``make`` uses."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RANGES = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
LOCK = ("requirements.txt", "requirements-dev.txt", "requirements-extra.txt", "constraints.txt")


def requirements(file: str) -> Iterator[Requirement]:
    """The packages that a file of the lock names; references to other files are passed over."""
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text and not text.startswith("-"):
            yield Requirement(text)


def pins() -> dict[str, set[Version]]:
    """The versions that the lock gives each package; more than one is a mistake."""
    found: dict[str, set[Version]] = defaultdict(set)
    for file in LOCK:
        for requirement in requirements(file):
            (specifier,) = requirement.specifier
            assert specifier.operator == "==", f"{file} does not pin {requirement}"
            found[canonicalize_name(requirement.name)].add(Version(specifier.version))
    return found


def sources() -> Iterator[str]:
    for path in (ROOT / "app.py", *ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py")):
        yield path.read_text(encoding="utf-8")


def outside(text: str) -> set[str]:
    """The top-level modules that a source imports and that are neither Python's nor ours."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - {"core", "pages"}


def needed(names: set[str]) -> set[str]:
    """These packages and all that they need in turn, of those installed here."""
    found: set[str] = set()
    waiting = {(name, "") for name in names}
    done = set()
    while waiting:
        name, extra = waiting.pop()
        done.add((name, extra))
        found.add(name)
        try:
            wanted = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for requirement in map(Requirement, wanted):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                below = {(canonicalize_name(requirement.name), of) for of in ("", *requirement.extras)}
                waiting |= below - done
    return found


def test_the_lock_gives_each_package_one_version() -> None:
    assert {name: versions for name, versions in pins().items() if len(versions) > 1} == {}


@pytest.mark.parametrize("wanted", RANGES, ids=lambda wanted: wanted.name)
def test_a_dependency_is_locked_at_the_lower_end_of_its_range(wanted: Requirement) -> None:
    """What is tested is what is promised: the range begins with the minor version that the lock pins."""
    (pinned,) = pins()[canonicalize_name(wanted.name)]
    assert pinned in wanted.specifier
    (lowest,) = (Version(part.version) for part in wanted.specifier if part.operator == ">=")
    assert (lowest.major, lowest.minor) == (pinned.major, pinned.minor)


def test_what_make_installs_is_what_the_package_depends_on() -> None:
    direct = {canonicalize_name(requirement.name) for requirement in requirements("requirements.txt")}
    assert direct == {canonicalize_name(requirement.name) for requirement in RANGES}


def test_every_import_is_a_dependency() -> None:
    homes = metadata.packages_distributions()
    imported = {name for text in sources() for name in outside(text)}
    assert {"numpy", "torch", "streamlit"} <= imported
    declared = {canonicalize_name(requirement.name) for requirement in RANGES}
    packages = {name: {canonicalize_name(package) for package in homes.get(name, [])} for name in imported}
    assert {name for name in imported if not declared & packages[name]} == set()


def test_everything_that_is_brought_along_is_pinned_as_installed() -> None:
    locked = pins()
    direct = {
        canonicalize_name(requirement.name)
        for file in LOCK[:2]
        for requirement in requirements(file)
        if requirement.marker is None or requirement.marker.evaluate()
    }
    everything = needed(direct)
    assert len(everything) > 100
    unpinned = sorted(everything - locked.keys())
    assert unpinned == []
    here = {name: Version(Version(metadata.version(name)).public) for name in everything}
    assert {name: version for name, version in here.items() if locked[name] != {version}} == {}
