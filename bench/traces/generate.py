#!/usr/bin/env python3
"""Makes labelled traces: generate.py FOLDER [--count 520] [--first 0] [--seed 34] [--no-gains]

FOLDER gets NUMBER.json (the PyTorch profiler's trace of the first process), NUMBER.sqlite (an export of Nsight Systems of all of them)
and labels/NUMBER.json.
"""

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor

import changes
import files
import labels
import programs
from machine import Machine


def make(task):
    folder, number, seed, has_gains = task
    program = programs.program(number, seed)
    machine = Machine(program).run()
    labels.Clock(machine).put(machine)
    first = program["processes"][0]["pid"]
    every = {process["pid"] for process in program["processes"]}
    stem = f"{number:04}"
    with open(os.path.join(folder, f"{stem}.json"), "w") as out:
        out.write(files.kineto(machine, first))
    path = os.path.join(folder, f"{stem}.sqlite")
    if os.path.exists(path):
        os.remove(path)
    files.nsight(machine, path)
    label = {"number": number, "kind": program["kind"], "first_pid": first, "makespan_ns": machine.length(),
             "kineto": labels.label(machine, {first}), "nsight": labels.label(machine, every)}
    if has_gains:
        label["gains"] = changes.gains(program, machine)
    with open(os.path.join(folder, "labels", f"{stem}.json"), "w") as out:
        json.dump(label, out, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=520)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--no-gains", action="store_true", help="do not run changed programs")
    args = parser.parse_args()
    os.makedirs(os.path.join(args.folder, "labels"), exist_ok=True)
    tasks = [(args.folder, args.first + place, args.seed, not args.no_gains) for place in range(args.count)]
    with ProcessPoolExecutor() as pool:
        for _ in pool.map(make, tasks, chunksize=4):
            pass


if __name__ == "__main__":
    main()
