#!/usr/bin/env python3
"""Blockstep's answers: tools/blockstep.py FOLDER ANSWERS [--program target/release/blockstep]"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

HOST = {"call", "first-use", "launch-queue", "implicit-sync"}
CHANGES = {"fewer-waits": "no-sync", "pinned": "pinned", "non-blocking": "non-blocking", "connections": "connections-32",
           "no-allocations": "no-alloc", "fewer-reads": "no-reads", "warm-up": "warm-up", "graphs": "graphs",
           "fewer-collectives": "fewer-collectives"}
SIDES = {"All kernels": "kernels-2x", "The whole host": "host-2x"}
COPIES = {"Memcpy HtoD": "HtoD", "Memcpy DtoH": "DtoH", "Memcpy PtoP": "PtoP", "Memset": "memset"}
CAUSES = {"overlap": "programmatic", "cannot-tell": None}
# What one would do, where one part of the program takes less time. The last group is the percent, if a sentence has one.
HOST_ROW = r"Spend no host time in (?:the range )?(.+), between its calls|Have worker processes run (?:the range )?(.+)"
CALL = r"Spend no host time in (cu\w+?)(?:_v\d+)?"
LESS_HOST = r"Shorten the host's time in (?:the range )?(.+?)(?:_v\d+)? by (\d+) %"
LESS_BETWEEN = r"Shorten what the host runs between its calls by (\d+) %"
WORK = r"Do without (.+)|Make (.+) itself twice as fast|Shorten (.+) itself by (\d+) %"
COPIED_ONCE = r"(?:Keep|Leave) on the GPU what (.+) copies, and copy it once(?:, at the end)?"


def faster(what, name, percent):
    return {"change": "faster", "what": what, "name": name, "percent": percent}


def part_made_faster(text):
    """A change that Blockstep calls faster, in this benchmark's words; None if it has none for it."""
    def matched(pattern):
        match = re.fullmatch(pattern, text)
        return match and [group for group in match.groups() if group]

    if found := matched(HOST_ROW):
        return faster("host", found[0], 100)
    if found := matched(CALL):
        return faster("call", found[0], 100)
    if text == "Spend no host time between calls":
        return faster("host", None, 100)
    if found := matched(LESS_BETWEEN):
        return faster("host", None, int(found[0]))
    if found := matched(LESS_HOST):
        return faster("call" if found[0].startswith("cu") else "host", found[0], int(found[1]))
    if (found := matched(COPIED_ONCE)) and found[0] in COPIES:
        return {"change": "copied-once", "name": COPIES[found[0]]}
    if found := matched(WORK):
        percent = int(found[1]) if len(found) > 1 else 100 if text.startswith("Do without") else 50
        return faster("copy", COPIES[found[0]], percent) if found[0] in COPIES else faster("kernel", found[0], percent)
    return None


def changes_of(tried):
    """What was tried together, in this benchmark's words; None if it has none for one of them."""
    if tried["change"] == "faster":
        change = part_made_faster(tried["what"])
        return change and [change]
    words = tried["change"].split("+")
    if not all(word in CHANGES for word in words):
        return None
    changes = [{"change": CHANGES[word]} for word in words]
    for change in changes:
        # So many stay of so many: at most as many are one as that takes.
        numbers = re.search(r"Send ([\d, ]+) .* as (one|[\d, ]+) larger ones?", tried["what"])
        if change["change"] == "fewer-collectives" and numbers:
            count, left = (1 if number == "one" else int(re.sub(r"\D", "", number)) for number in numbers.groups())
            change["joined"] = -(-count // left)
    return changes


def gains_of(said):
    """What changes gain, and what is proposed, the best first. Nothing where the program says that it cannot tell."""
    if "unchanged_ns" not in said:
        return {}
    gains = []
    for tried in said["tried"]:
        if changes := changes_of(tried):
            gains.append({"changes": changes, "ns": said["unchanged_ns"] - tried["wall_ns"]})
    # The second of a lever's gains is with half of its time.
    gains += [{"changes": [{"change": SIDES[lever["what"]]}], "ns": lever["gains_ns"][1]}
              for lever in said["levers"] if lever["what"] in SIDES]
    proposed = [tried for tried in said["tried"] if tried["proposed"]]
    # What the second proposal saves beyond the first is what both save together, less the first.
    two = [changes_of(tried) for tried in proposed[:2]]
    if len(two) == 2 and all(two) and not any(set(map(str, two[0])) & set(map(str, two[1]))):
        gains.append({"changes": two[0] + two[1], "ns": proposed[0]["more_ns"] + proposed[1]["more_ns"]})
    return {"unchanged_ns": said["unchanged_ns"], "gains": gains,
            "proposals": [{"changes": changes_of(tried), "ns": tried["gain_ns"]} for tried in proposed]}


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
    return {"waits": found, "gpus": gpus, **gains_of(said["gains"])}


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
