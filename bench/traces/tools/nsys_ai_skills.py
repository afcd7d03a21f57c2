#!/usr/bin/env python3
"""nsys-ai: tools/nsys_ai_skills.py FOLDER ANSWERS, with the Python of an environment that has nsys-ai.

Its skill pipeline_bubble_metrics has the idle time of each GPU, overlap_breakdown how long communication ran beside computation. Its other
skills give sums and advice, which are no answers to what is asked here. No language model is asked.
"""

import sqlite3
import sys

try:
    from nsys_ai.skills.registry import get_skill
except ImportError:
    sys.exit("skipped: nsys-ai is not installed")

from common import ask


def answer(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    gpus = []
    for row in get_skill("pipeline_bubble_metrics").execute(connection):
        gpu = {"gpu": row["deviceId"], "idle_ns": int(row["bubble_ms"] * 1e6)}
        overlap = get_skill("overlap_breakdown").execute(connection, device=row["deviceId"])
        if overlap and overlap[0].get("device_id") == row["deviceId"] and "overlap_ms" in overlap[0]:
            gpu["communication_beside_computation_ns"] = int(overlap[0]["overlap_ms"] * 1e6)
        gpus.append(gpu)
    connection.close()
    return {"gpus": gpus}


if __name__ == "__main__":
    ask(__doc__, ["nsight"], answer)
