"""What the scripts that ask a tool have in common: where files lie, and where answers go."""

import argparse
import json
import os
import sys


def ask(description, kinds, answer):
    """Asks a tool about every trace. `answer` gets the format, the path and the device numbers; an exception is no answer."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder")
    parser.add_argument("answers")
    args = parser.parse_args()
    failed = 0
    names = sorted(os.listdir(os.path.join(args.folder, "labels")))
    for kind in kinds:
        os.makedirs(os.path.join(args.answers, kind), exist_ok=True)
        for name in names:
            path = os.path.join(args.folder, name if kind == "kineto" else name[:-5] + ".sqlite")
            try:
                found = answer(os.path.abspath(path))
            except Exception as why:  # whatever a tool fails with
                failed += 1
                print(f"{name}: {type(why).__name__}: {why}", file=sys.stderr)
                continue
            with open(os.path.join(args.answers, kind, name), "w") as out:
                json.dump(found, out)
    print(f"{len(names) * len(kinds)} files, {failed} without an answer")
