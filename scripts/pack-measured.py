#!/usr/bin/env python3
"""Packs what `blockstep measure` wrote on a GPU for the tests.

    python3 scripts/pack-measured.py SCENARIOS OUT [--plain FOLDER] [--kineto FOLDER]

SCENARIOS holds NAME.json; FOLDER of --plain holds NAME/1/*-log*.json, of which run 1 is taken; FOLDER of --kineto holds NAME/*-log*.json and
NAME/trace.json (scripts/kineto.py). OUT gets runs/NAME.json.gz, kineto/NAME.json.gz and kineto/NAME.trace.json.gz. The same input gives the
same bytes.
"""
import argparse
import gzip
import json
import re
from pathlib import Path


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    # No time and no name in the header, so that the bytes depend on the data alone.
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def logs(folder):
    """The logs of a run as texts, in the order of the streams."""
    number = lambda path: int(re.search(r"-log(\d+)\.json$", path.name)[1])
    return [path.read_text() for path in sorted(folder.glob("*-log*.json"), key=number)]


def write_run(path, scenario, texts):
    # Numbers stay as they are written.
    parts = ",".join(text.strip() for text in texts)
    write(path, f'{{"scenario":{scenario.strip()},"logs":[{parts}]}}\n'.encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenarios", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--plain", type=Path)
    parser.add_argument("--kineto", type=Path)
    given = parser.parse_args()
    for kind, folder in (("runs", given.plain), ("kineto", given.kineto)):
        for of_name in sorted(folder.iterdir()) if folder else []:
            scenario = given.scenarios / f"{of_name.name}.json"
            texts = logs(of_name / "1" if kind == "runs" else of_name)
            if not texts or not scenario.exists():
                print(f"{of_name}: left out, it has {'no scenario' if texts else 'no logs'}")
                continue
            json.loads(scenario.read_text())
            write_run(given.out / kind / f"{of_name.name}.json.gz", scenario.read_text(), texts)
            if kind == "kineto":
                name = f"{of_name.name}.trace.json"
                # Where it was saved is nobody's business.
                trace = re.sub(rb'"traceName": "[^"]*"', f'"traceName": "{name}"'.encode(), (of_name / "trace.json").read_bytes())
                write(given.out / kind / f"{name}.gz", trace)


main()
