#!/usr/bin/env python3
"""Writes the measured runs that the page offers: public/measured/NAME.json, from tests/data/measured/h200/runs.

    python3 scripts/page-measured.py

Each file holds {"scenario":..., "logs":[...]} as scripts/pack-measured.py packed them, but for the names, which say what was measured and on
what, and for the header of each log, of which the page needs little. The same input gives the same bytes.
"""
import gzip
import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "tests/data/measured/h200/runs"
OUT = ROOT / "public/measured"
# The same list as crates/tools/src/measured/examples.rs.
TITLES = {
    "scaled-tx2-table-1": "Table 1 of [TX2], scaled to 132 SMs",
    "long-queue": "The head of a queue holds up what would fit (X1)",
    "priority-two-levels": "A high-priority kernel goes before waiting blocks",
    "null-and-non-blocking": "The NULL stream, and a stream that does not wait for it",
    "connections-33-streams-8": "33 streams on 8 hardware connections",
}
KEPT = ["version", "gpu", "cuda", "driver", "clock_residual_ns"]


def named(text, field, name):
    """With the first field of this name, at the start of a line, saying something else; numbers stay as they are written."""
    text, count = re.subn(rf'(?m)^(\s*"{field}": )"[^"]*"', lambda found: found[1] + json.dumps(name), text, count=1)
    assert count == 1, field
    return text


def log_for_page(log, title):
    line = re.search(r'(?m)^"blockstep": (\{.*\}),$', log)
    header = json.loads(line[1])
    exact = f'{header["clock_residual_ns"] / 1000:.1f} µs'
    name = f'{title}. Measured on an {header["gpu"]}, driver {header["driver"]}, times exact to {exact}'
    kept = json.dumps({field: header[field] for field in KEPT}, separators=(",", ":"))
    log = log[: line.start(1)] + kept + log[line.end(1) :]
    return re.sub(r'(?m)^("scenario_name": )"[^"]*"', lambda found: found[1] + json.dumps(name, ensure_ascii=False), log, count=1)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for name, title in TITLES.items():
        text = gzip.decompress((RUNS / f"{name}.json.gz").read_bytes()).decode()
        scenario, logs = re.fullmatch(r'\{"scenario":(.*),"logs":\[(.*)\]\}\n', text, re.DOTALL).groups()
        # A log begins on a line of its own, and ends on one.
        logs = [log_for_page(log, title) for log in re.split(r"(?<=\n\]\}),(?=\{\n)", logs)]
        scenario = scenario.replace('"device": { "name": "H100 SXM"', '"device": { "name": "H200 SXM"')
        packed = f'{{"scenario":{named(scenario, "name", title)},"logs":[{",".join(logs)}]}}\n'
        assert len(json.loads(packed)["logs"]) == len(logs)
        (OUT / f"{name}.json").write_text(packed)


main()
