#!/usr/bin/env python3
"""Blockstep's answers: tools/blockstep.py FOLDER ANSWERS [--program target/release/blockstep]"""

import argparse
import csv
import io
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

HOST = {"call", "first-use", "launch-queue", "implicit-sync"}
CHANGES = {"fewer-waits": "no-sync", "pinned": "pinned", "non-blocking": "non-blocking", "connections": "connections-32",
           "no-allocations": "no-alloc", "fewer-reads": "no-reads"}
LEVERS = {"All kernels": "kernels-2x", "The whole host": "host-2x"}
CAUSES = {"overlap": "programmatic", "cannot-tell": None}


def answer(program, path):
    def run(form):
        return subprocess.run([program, "trace", path, "--format", form], check=True, capture_output=True, text=True).stdout

    waits = {}
    for row in csv.DictReader(io.StringIO(run("csv"))):
        if row["correlation"]:
            of = waits.setdefault(int(row["correlation"]), {}).setdefault((int(row["start_ns"]), int(row["operation"])), [])
            of.append({"cause": CAUSES.get(row["cause"], row["cause"]), "certain": row["certainty"] == "certain",
                       "ns": int(row["part_ns"])})
    found = []
    # An operation whose call took no time has no parts; the places count those that the file has.
    for correlation, operations in waits.items():
        by_start = sorted(operations.items())
        found += [{"correlation": correlation, "place": place, "parts": parts} for place, (_, parts) in enumerate(by_start)]
    said = json.loads(run("json"))
    together = {path["device"]: path["overlap"] for path in said["paths"]}
    gains = {CHANGES[tried["change"]]: said["gains"]["unchanged_ns"] - tried["wall_ns"]
             for tried in said["gains"]["tried"] if tried["change"] in CHANGES}
    # The second of a lever's gains is with half of its time.
    gains |= {LEVERS[lever["what"]]: lever["gains_ns"][1] for lever in said["gains"]["levers"] if lever["what"] in LEVERS}
    pieces = {}
    for row in csv.DictReader(io.StringIO(run("path"))):
        # Launches, and what keeps the host within a call, are the host's.
        share = "host" if row["cause"] in HOST or row["share"] == "launching" else row["share"]
        pieces.setdefault(int(row["device"]), []).append((int(row["from_ns"]), int(row["to_ns"]), share))
    gpus = []
    for device, of in pieces.items():
        working = [piece for piece in of if piece[2] == "working"]
        first, last = min(piece[0] for piece in working), max(piece[1] for piece in working)
        sums = {}
        for start, end, share in of:
            if first <= start and end <= last:
                sums[share] = sums.get(share, 0) + end - start
        overlap = together[device]
        gpus.append({"gpu": device, "idle_ns": last - first - sums.get("working", 0),
                     "idle": {f"{share.replace('-', '_')}_ns": sums.get(share, 0) for share in ("host", "waiting", "other-gpu")},
                     "two_streams_ns": overlap["streams_ns"], "copies_beside_kernels_ns": overlap["copy_and_kernel_ns"],
                     "communication_beside_computation_ns": overlap["communication_and_computation_ns"]})
    return {"waits": found, "gpus": gpus, "gains_ns": gains}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("answers")
    parser.add_argument("--program", default="target/release/blockstep")
    args = parser.parse_args()

    def one(task):
        kind, name = task
        path = os.path.join(args.folder, name + (".json" if kind == "kineto" else ".sqlite"))
        with open(os.path.join(args.answers, kind, f"{name}.json"), "w") as out:
            json.dump(answer(args.program, path), out)

    names = sorted(name[:-5] for name in os.listdir(os.path.join(args.folder, "labels")))
    for kind in ("kineto", "nsight"):
        os.makedirs(os.path.join(args.answers, kind), exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, [(kind, name) for kind in ("kineto", "nsight") for name in names]))


if __name__ == "__main__":
    main()
