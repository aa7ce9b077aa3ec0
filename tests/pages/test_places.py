"""Where each measure is shown: on its page, by the tab that the page knows."""

from __future__ import annotations

import re
from collections import Counter

from core.measures.descriptors.spec import DescriptorSpec
from core.measures.lpbs.spec import LpbsSpec
from core.measures.prepared import Prepared
from pages.shared.places import PAGE_OF, TAB_OF, address
from tests.support.paths import ROOT


def test_of_the_measures_of_a_page_one_needs_no_tab() -> None:
    first = Counter(page for command, page in PAGE_OF.items() if command not in TAB_OF)
    assert first == Counter(set(PAGE_OF.values()))


def test_every_tab_is_one_of_its_page() -> None:
    for command, tab in TAB_OF.items():
        (file,) = (ROOT / "pages").glob(f"[0-9]*_{PAGE_OF[command].replace(' ', '_')}.py")
        assert re.search(rf'"{tab}": ', file.read_text()), f"{file.name} has no tab {tab}"


def test_a_link_has_the_tab_and_what_differs_from_the_defaults() -> None:
    assert address(Prepared(DescriptorSpec)) == {"what": ["descriptors"]}
    template = "[TARGET] is a [ATTRIBUTE]."
    assert address(Prepared(LpbsSpec, {"template": template, "seed": LpbsSpec.input("seed").default})) == {
        "template": [template]
    }
