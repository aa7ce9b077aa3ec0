"""Lease the models of the folders given, one after the other, five times round; print the memory after each round."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil

from core.engine.checkpoints import ModelRequest
from core.engine.pool import ModelPool
from tests.support.watching import a_few_numbers

CYCLES = 5


def main(folders: list[str]) -> None:
    pool, process = ModelPool(max_models=1), psutil.Process()
    for _ in range(CYCLES):
        for folder in folders:
            with pool.lease(ModelRequest(folder, device="cpu")) as model:
                a_few_numbers(model)
            assert pool.held() == (Path(folder).name,)
        sys.stdout.write(f"{process.memory_info().rss}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
