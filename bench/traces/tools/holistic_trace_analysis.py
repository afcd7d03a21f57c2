#!/usr/bin/env python3
"""HolisticTraceAnalysis: tools/holistic_trace_analysis.py FOLDER ANSWERS, with the Python of an environment that has HolisticTraceAnalysis.

Its temporal breakdown has the idle time, its breakdown of kernels how long communication ran beside computation. It counts in whole
microseconds. It takes a file as one GPU, so that nothing is asked of files with more. Its idle time by category is of streams, not of the
GPU, and what it calls memory has memsets: neither is translated.
"""

import json
import sys

try:
    from hta.trace_analysis import TraceAnalysis
except ImportError:
    sys.exit("skipped: HolisticTraceAnalysis is not installed")

from common import ask


def answer(path):
    with open(path) as file:
        gpus = [gpu["id"] for gpu in json.load(file)["deviceProperties"]]
    if len(gpus) > 1:
        return {}
    analysis = TraceAnalysis(trace_files={0: path})
    times = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    kinds, _ = analysis.get_gpu_kernel_breakdown(visualize=False)
    both = kinds["kernel_type"].str.contains("COMPUTATION") & kinds["kernel_type"].str.contains("COMMUNICATION")
    return {"gpus": [{"gpu": gpus[0], "idle_ns": int(times["idle_time(us)"] * 1_000),
                      "communication_beside_computation_ns": int(kinds[both]["sum"].sum() * 1_000)}]}


if __name__ == "__main__":
    ask(__doc__, ["kineto"], answer)
