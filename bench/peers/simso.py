"""Blockstep beside SimSo, on the same file: how long 10,000 jobs under EDF take, how much memory, and whether every job completes when it
does in the other one.

    BLOCKSTEP_PROFILE=release make test-bindings
    python -m venv target/peers && target/peers/bin/pip install simso==0.8.5 target/python/wheels/*.whl
    target/peers/bin/python bench/peers/simso.py            # --jobs 100000 and --sets 1000 for more

Both read the file that SimSo writes and reads, a task set on one processor. Each is timed in a process of its own, from the file to the
list of completions, as often as --rounds says; the best round counts. The processes take turns, and the ratio is of this one run.

What is compared: the completion of every job, under EDF and, for as many random sets again, under rate monotonic. No two absolute deadlines
are equal in the sets of the one, and no two periods in those of the other: both leave open which of two such jobs goes first. SimSo takes the
one that was released first; Blockstep's EDF goes on with the task that runs, then takes the one that is first in the table
(docs/semantics.md, section 7).
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    import blockstep

# This file has the name of what it imports.
sys.path = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]

# Absolute deadlines are told apart by their rests: periods are multiples of it, and each task's deadline has a rest of its own. In ms.
GRAIN = 100
CYCLES_PER_MS = 1_000_000


def draw(dice: random.Random, tasks: int) -> list[tuple[int, int, int]]:
    """Cost, period and deadline of each task, whole ms, with a load from 0.3 to 1."""
    load = dice.uniform(0.3, 1.0)
    shares = [dice.random() for _ in range(tasks)]
    rests = dice.sample(range(1, GRAIN), tasks)
    drawn = []
    for share, rest in zip(shares, rests):
        period = GRAIN * dice.randint(2, 20)
        cost = max(1, int(period * load * share / sum(shares)))
        least = cost // GRAIN + 1
        drawn.append((cost, period, GRAIN * dice.randint(least, max(least, period // GRAIN - 1)) + rest))
    return drawn


def write(path: Path, tasks: list[tuple[int, int, int]], duration_ms: int, scheduler: str = "EDF_mono") -> None:
    """The task set as SimSo has it."""
    root = ElementTree.Element("simulation", duration=str(duration_ms * CYCLES_PER_MS), cycles_per_ms=str(CYCLES_PER_MS), etm="wcet")
    ElementTree.SubElement(root, "sched", **{"class": f"simso.schedulers.{scheduler}"}, overhead="0", overhead_activate="0", overhead_terminate="0")
    ElementTree.SubElement(root, "caches", memory_access_time="100")
    processors = ElementTree.SubElement(root, "processors")
    ElementTree.SubElement(processors, "processor", name="GPU", id="1", cl_overhead="0", cs_overhead="0", speed="1.0")
    table = ElementTree.SubElement(root, "tasks")
    for number, (cost, period, deadline) in enumerate(tasks, 1):
        numbers = {"period": period, "deadline": deadline, "WCET": cost, "activationDate": 0, "instructions": 0, "ACET": 0}
        rest = {"base_cpi": "1.0", "mix": "0.5", "preemption_cost": "0", "et_stddev": "0", "list_activation_dates": ""}
        names = {"name": f"T{number}", "id": str(number), "task_type": "Periodic", "abort_on_miss": "no"}
        ElementTree.SubElement(table, "task", names | {name: str(value) for name, value in numbers.items()} | rest)
    ElementTree.ElementTree(root).write(path, encoding="UTF-8", xml_declaration=True)


def with_simso(path: Path) -> dict[str, list[int | None]]:
    """When the jobs of each task complete, ns; None if they do not."""
    from simso.configuration import Configuration
    from simso.core import Model

    configuration = Configuration(str(path))
    configuration.check_all()
    model = Model(configuration)
    model.run_model()
    # In cycles, which are ns here.
    return {task.name: [job.end_date for job in task.jobs] for task in model.results.tasks.values()}


def with_blockstep(path: Path) -> dict[str, list[int | None]]:
    """The same, by EDF whatever the file says."""
    import blockstep

    return ends(blockstep.simulate(path))


def with_rate_monotonic(path: Path) -> dict[str, list[int | None]]:
    """The same, by the published text for it."""
    import blockstep

    return ends(blockstep.simulate(path, policy="rate-monotonic"))


def ends(run: blockstep.Run) -> dict[str, list[int | None]]:
    jobs = run.jobs
    found: dict[str, list[int | None]] = {}
    for task, end in zip(jobs["task"], jobs["end_ns"]):
        found.setdefault(task, []).append(end)
    return found


TOOLS = {"simso": with_simso, "blockstep": with_blockstep}


def child(tool: str, path: Path, rounds: int) -> None:
    """Prints what a tool took for a file, and what came out."""
    run = TOOLS[tool]
    # What is imported is no part of it.
    start = Path(tempfile.mkdtemp()) / "one.xml"
    write(start, [(1, 100, 100)], 100)
    run(start)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        found = run(path)
        best = min(best, time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    json.dump({"seconds": best, "more_kib": peak - before, "peak_kib": peak, "ends": found}, sys.stdout)


def differences(one: dict[str, list[int | None]], other: dict[str, list[int | None]], end_ns: int) -> list[str]:
    """Jobs that do not complete at the same time. Whether one that ends with the run has completed, each decides for itself."""
    found = []
    for task in one.keys() | other.keys():
        ends = [[at if at is not None and at < end_ns else None for at in of.get(task, [])] for of in (one, other)]
        longest = max(map(len, ends))
        padded = [of + [None] * (longest - len(of)) for of in ends]
        found += [f"{task}#{job}: {a} and {b}" for job, (a, b) in enumerate(zip(*padded)) if a != b]
    return found


def compare(dice: random.Random, sets: int, path: Path, scheduler: str) -> int:
    """How many random sets have a completion that differs; prints them."""
    unequal = 0
    compared = 0
    for number in range(sets):
        tasks = draw(dice, dice.randint(2, 8))
        if scheduler == "RM_mono":
            tasks.sort(key=lambda task: task[1])
            for place in range(1, len(tasks)):
                cost, period, deadline = tasks[place]
                tasks[place] = (cost, max(period, tasks[place - 1][1] + GRAIN), deadline)
        duration_ms = GRAIN * dice.randint(20, 60)
        write(path, tasks, duration_ms, scheduler)
        one = with_simso(path)
        other = with_rate_monotonic(path) if scheduler == "RM_mono" else with_blockstep(path)
        compared += sum(map(len, other.values()))
        found = differences(one, other, duration_ms * CYCLES_PER_MS)
        unequal += bool(found)
        if found:
            print(f"  set {number}, {tasks}, {duration_ms} ms: {found[:3]}")
    print(f"{scheduler}: {sets} random sets of {compared} jobs: {unequal} with a completion that differs")
    return unequal


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--sets", type=int, default=200, help="random sets whose completions are compared")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--child", nargs=2, metavar=("TOOL", "FILE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.child[0], Path(args.child[1]), args.rounds)
        return 0
    dice = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.xml"
        tasks = draw(dice, 10)
        # So many jobs, within one of each task.
        duration_ms = int(args.jobs / sum(1 / period for _, period, _ in tasks))
        write(path, tasks, duration_ms)
        took = {}
        for tool in TOOLS:
            command = [sys.executable, __file__, "--child", tool, str(path), "--rounds", str(args.rounds)]
            took[tool] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        simso, ours = took["simso"], took["blockstep"]
        count = sum(map(len, ours["ends"].values()))
        wrong = differences(simso["ends"], ours["ends"], duration_ms * CYCLES_PER_MS)
        print(f"{count} jobs: SimSo {simso['seconds']:.3f} s, Blockstep {ours['seconds']:.4f} s, ratio {simso['seconds'] / ours['seconds']:.0f}")
        print(
            f"peak memory: SimSo {simso['peak_kib'] / 1024:.0f} MiB ({simso['more_kib'] / 1024:.0f} MiB more than before), "
            f"Blockstep {ours['peak_kib'] / 1024:.0f} MiB ({ours['more_kib'] / 1024:.0f} MiB)"
        )
        print(f"completions: {len(wrong)} differ" + "".join(f"\n  {line}" for line in wrong[:5]))
        unequal = sum(compare(dice, args.sets, path, scheduler) for scheduler in ("EDF_mono", "RM_mono"))
    return int(bool(wrong or unequal))


if __name__ == "__main__":
    sys.exit(main())
