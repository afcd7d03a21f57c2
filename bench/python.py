"""How long the Python package takes: import, a small run, a million blocks as columns, and an answer to Ctrl-C.

    python bench/python.py      # with a wheel of BLOCKSTEP_PROFILE=release make test-bindings, and polars

Every number is the best of several rounds, but for Ctrl-C, of which it is the worst.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import blockstep as bs


def best(rounds: int, work: Callable[[], object]) -> float:
    """Seconds."""
    found = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        found = min(found, time.perf_counter() - begun)
    return found


def imported() -> float:
    """Seconds that the import takes in a process of its own."""
    code = "import time; t = time.perf_counter(); import blockstep; print(time.perf_counter() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout) for _ in range(10))


def many(blocks: int) -> str:
    row = {"name": "K1", "blocks": blocks, "threads_per_block": 256, "block_time_ns": 500}
    return json.dumps({"version": 1, "device": "tx2", "kernels": [row]})


def interrupted(work: Callable[[], object], after: float) -> float | None:
    """Seconds from Ctrl-C, which comes so many seconds after the begin, to the exception; None if the work was done before."""
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    try:
        work()
        timer.cancel()
        timer.join()
        return None
    except KeyboardInterrupt:
        return time.perf_counter() - sent


def main() -> None:
    print(f"import: {imported() * 1e3:.2f} ms")
    text = bs.example("tx2-table-1")
    print(f"Table 1 of [TX2]: {best(2000, lambda: bs.simulate(text)) * 1e6:.0f} µs")
    million = many(1_000_000)
    runs: list[bs.Run] = []
    print(f"a run of a million blocks: {best(3, lambda: runs.append(bs.simulate(million, max_steps=10_000_000))) * 1e3:.0f} ms")
    print(f"  its blocks as columns: {min(best(1, lambda: run.blocks) for run in runs) * 1e3:.0f} ms")
    try:
        import polars

        print(f"  these to polars: {best(5, lambda: polars.DataFrame(runs[0].blocks)) * 1e3:.2f} ms")
    except ImportError:
        print("  polars is not installed")
    works: dict[str, Callable[[], object]] = {
        "simulate": lambda: bs.simulate(many(9_000_000), max_steps=60_000_000),
        "blocks": lambda: bs.simulate(million, max_steps=10_000_000).blocks,
        "waits": lambda: bs.simulate(million, max_steps=10_000_000).waits,
        "steps": lambda: runs[1].steps.to_list(),
        "svg": lambda: runs[0].svg(),
        "text": lambda: runs[0].text("trace"),
        "check": lambda: bs.policy("gcaps").check(tasks=6),
        "study": lambda: bs.study("lp-3"),
    }
    del runs[2:]
    for name, work in works.items():
        answers = [interrupted(work, after) for after in (0.05, 0.2, 0.45, 0.8)]
        late = [answer for answer in answers if answer is not None]
        print(f"Ctrl-C in {name}: " + (f"{max(late) * 1e3:.0f} ms" if late else "it is over before"))


if __name__ == "__main__":
    main()
