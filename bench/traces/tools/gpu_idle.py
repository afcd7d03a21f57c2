#!/usr/bin/env python3
"""gpu-idle: tools/gpu_idle.py FOLDER ANSWERS, with the Python of an environment that has gpu-idle.

It looks at what lies within the annotations of a profiler's steps, which these traces do not have. So it is asked about a copy that has one
step, from the first call to the last end. Of its causes, h2d_copy asks for pinned memory, and smallbatch for what this benchmark does not
change; an empty list is its word for nothing to do, and unattributed says that it cannot tell. It gives no figure of what is saved. Its GPU
is busy only while kernels run, so its idle time is another one than that asked for here.
"""

import json
import os
import sys
import tempfile

try:
    import analyzer
except ImportError:
    sys.exit("skipped: gpu-idle is not installed")

from common import ask

PINNED = [{"change": "pinned"}]


def answer(path):
    with open(path) as file:
        trace = json.load(file)
    spans = [event for event in trace["traceEvents"] if event.get("ph") == "X" and event.get("cat") != "cpu_op"]
    first, end = min(event["ts"] for event in spans), max(event["ts"] + event["dur"] for event in spans)
    trace["traceEvents"].append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": first,
                                 "dur": end - first})
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "trace.json")
        with open(copy, "w") as file:
            json.dump(trace, file)
        findings = [finding["cause"] for finding in analyzer.analyze(copy)["findings"]]
    if "unattributed" in findings:
        return {}
    return {"proposals": [{"changes": PINNED if cause == "h2d_copy" else None} for cause in findings]}


if __name__ == "__main__":
    ask(__doc__, ["kineto"], answer)
