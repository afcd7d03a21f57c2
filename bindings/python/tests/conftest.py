"""What several tests use."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

import blockstep as bs

# A shell has what it starts in the background ignore Ctrl-C, which some tests send to themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def run() -> bs.Run:
    """Table 1 of [TX2]."""
    return bs.simulate(bs.example("tx2-table-1"))


@pytest.fixture
def kernel() -> dict[str, Any]:
    """A scenario of one kernel of two blocks, which run beside each other for 500 ns."""
    row = {"name": "K1", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 500}
    return {"version": 1, "name": "one", "device": "tx2", "kernels": [row]}


def many_blocks(blocks: int) -> str:
    """A scenario of one kernel, of which four blocks run at a time."""
    row = {"name": "K1", "blocks": blocks, "threads_per_block": 1024, "block_time_ns": 500}
    return json.dumps({"version": 1, "device": "tx2", "kernels": [row]})
