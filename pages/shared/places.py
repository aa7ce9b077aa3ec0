"""Where each measure is shown: its page, the tab there, and the link that gives the page its inputs."""

from __future__ import annotations

from core.measures.prepared import Prepared
from pages.shared import links

PAGE_OF = {  # by the command of a measure
    "score": "Playground",
    "association": "Association tests",
    "direction": "Association tests",
    "professions": "Professions",
    "attention": "Attention",
    "scan": "Attention",
    "causes": "Attention",
    "reliability": "Reliability",
    "benchmark": "Benchmarks",
    "descriptors": "Benchmarks",
    "swap": "Mitigation",
    "finetune": "Mitigation",
    "change": "Mitigation",
    "classify": "Mitigation",
    "resolve": "Downstream",
    "coreference": "Downstream",
    "occupations": "Downstream",
}
TAB_OF = {  # of those that share a page and are not its first: what chooses them there
    "direction": "direction",
    "scan": "corpus",
    "causes": "causes",
    "descriptors": "descriptors",
    "finetune": "tuned",
    "change": "changed",
    "classify": "classified",
    "occupations": "occupations",
    "coreference": "coreference",
}


def address(prepared: Prepared) -> links.Parameters:
    """The link's parameters that give the page of a measure these inputs."""
    tab = TAB_OF.get(prepared.kind.COMMAND)
    inputs = links.written(prepared.kind.inputs(), prepared.inputs)
    return inputs if tab is None else inputs | {"what": [tab]}
