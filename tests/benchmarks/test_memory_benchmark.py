"""Four models of about 100 MB in turns through a pool with room for one: the memory must not creep up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import EMBEDDED, ROOT
from tests.support.tiny import build

# Layers and width of BERT-like models of 70 to 130 MB in float32; sizes that differ leave holes in the memory.
SIZES = ((6, 480), (8, 512), (6, 640))


@pytest.mark.benchmark
def test_cycling_four_models(tmp_path: Path) -> None:
    """In a process of its own, whose memory nothing else has stretched before."""
    folders = [
        build(
            "bert",
            tmp_path / f"random-{layers}-{width}",
            num_hidden_layers=layers,
            hidden_size=width,
            intermediate_size=4 * width,
            num_attention_heads=8,
        )
        for layers, width in SIZES
    ]
    weights = [path.stat().st_size / 1e6 for folder in folders for path in folder.glob("*.safetensors")]
    run = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.memory_cycle", str(EMBEDDED), *map(str, folders)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    cycles = [int(line) / 1e6 for line in run.stdout.split()]
    print(f"\nMemory, weights of the random models: {', '.join(f'{size:.0f} MB' for size in weights)}")
    print(f"Memory after each of {len(cycles)} cycles: {', '.join(f'{size:.0f} MB' for size in cycles)}")
    print(f"Memory, last cycle to first: {100 * (cycles[-1] / cycles[0] - 1):+.1f} % (target within 20 %)")
