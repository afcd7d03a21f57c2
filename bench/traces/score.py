#!/usr/bin/env python3
"""Scores answers against labels: score.py FOLDER ANSWERS [--json] [--mistakes N]

FOLDER is what generate.py made, ANSWERS has kineto/NUMBER.json and nsight/NUMBER.json, as README.md describes them. What a tool does not
answer is no mistake: its score there is "does not say".
"""

import argparse
import json
import os
import statistics

import changes
import labels

JUDGED = 20_000  # ns: shorter parts of waits are not judged
OVERLAPS = ["two_streams_ns", "copies_beside_kernels_ns", "communication_beside_computation_ns"]
GAINS = 0.10  # of the makespan: a gain is near the truth if it is off by no more
BEST = 0.02  # of the makespan: what gains so much less than the best change is as good
WORTH = 0.01  # of the makespan: less is no gain


def mean(values):
    return statistics.fmean(values) if values else None


def ranges(parts):
    """The parts of a wait by time before the start, the last one first."""
    end = 0
    for part in reversed(parts):
        yield end, end + part["ns"], part
        end += part["ns"]


def judge(wait, answer):
    """For each part of a wait that is judged: its binding cause, and right, wrong, certain (wrong and called certain) or untold."""
    found = list(ranges(answer["parts"])) if answer else []
    for start, end, part in ranges(wait["parts"]):
        if end - start <= JUDGED:
            continue
        sums = {}
        for since, until, each in found:
            ns = min(until, end) - max(since, start)
            if ns > 0:
                key = (each["cause"], bool(each.get("certain")))
                sums[key] = sums.get(key, 0) + ns
        cause, certain = max(sums, key=lambda key: sums[key]) if sums else (None, False)
        if cause in part["causes"]:
            verdict = "right"
        elif cause is None:
            verdict = "untold"
        else:
            verdict = "certain" if certain else "wrong"
        yield part, cause, verdict


def score(folder, answers, kind, mistakes=None, misses=None):
    """The figures of all traces in a format; None where the tool does not say."""
    judged, errors, gains, counts, traces = {}, {}, {}, {}, 0
    advice, unchanged = Advice(), []
    has_waits = False
    where = os.path.join(answers, kind)
    for name in sorted(os.listdir(where)) if os.path.isdir(where) else []:
        with open(os.path.join(where, name)) as file:
            answer = json.load(file)
        with open(os.path.join(folder, "labels", name)) as file:
            label = json.load(file)
        traces += 1
        if "waits" in answer:
            has_waits = True
            of = {(wait["correlation"], wait["place"]): wait for wait in answer["waits"]}
            for wait in label[kind]["waits"]:
                for part, cause, verdict in judge(wait, of.get((wait["correlation"], wait["place"]))):
                    judged.setdefault(part["binding"], []).append(verdict)
                    key = (label["kind"], part["binding"], str(cause), verdict)
                    counts[key] = counts.get(key, 0) + 1
                    if mistakes is not None and verdict in ("certain", "wrong", "untold"):
                        mistakes.append((*key, label["number"], wait, part))
        gpus = {gpu["gpu"]: gpu for gpu in answer.get("gpus", [])}
        for gpu in label[kind]["gpus"]:
            found = gpus.get(gpu["gpu"], {})

            def add(field, value, truth):
                if value is not None:
                    errors.setdefault(field, []).append(abs(value - truth) / gpu["span_ns"])

            add("idle_ns", found.get("idle_ns"), gpu["idle_ns"])
            for share in gpu["idle"]:
                add(share, found.get("idle", {}).get(share), gpu["idle"][share])
            for field in OVERLAPS:
                add(field, found.get(field), gpu[field])
        if "unchanged_ns" in answer:
            unchanged.append(abs(answer["unchanged_ns"] - label[kind]["recorded_ns"]) / label[kind]["recorded_ns"])
        if "gains" in answer and "gains" in label:
            told = {}
            for gain in answer["gains"]:
                told.setdefault(changes.key(gain["changes"]), gain["ns"])
            for gain in label["gains"]:
                value = told.get(changes.key(gain["changes"]))
                if value is not None:
                    off = (value - gain["ns"]) / label["makespan_ns"]
                    gains.setdefault(gain["row"], []).append(off)
                    if misses is not None:
                        misses.append((off, gain["row"], kind, label, gain, value))
        if "proposals" in answer and "gains" in label:
            advice.add(answer["proposals"], label)
    verdicts = [verdict for each in judged.values() for verdict in each]
    share = lambda each, *of: sum(each.count(verdict) for verdict in of) / len(each)
    figures = {"traces": traces, "parts": len(verdicts) if has_waits else None}
    told = has_waits and verdicts
    figures["right"] = share(verdicts, "right") if told else None
    figures["right_by_cause"] = mean([share(each, "right") for each in judged.values()]) if told else None
    figures["wrong"] = share(verdicts, "wrong", "certain") if told else None
    figures["wrong_and_certain"] = share(verdicts, "certain") if told else None
    figures["causes"] = {cause: {"parts": len(each), "right": share(each, "right"), "wrong_and_certain": share(each, "certain")}
                         for cause, each in sorted(judged.items(), key=lambda item: labels.CAUSES.index(item[0]))}
    for field in ["idle_ns", "host_ns", "waiting_ns", "other_gpu_ns", *OVERLAPS]:
        figures[f"{field[:-3]}_error"] = mean(errors.get(field))
    figures["gains_near"] = mean([float(abs(off) <= GAINS) for each in gains.values() for off in each])
    figures["gains"] = {change: of_gains(each) for change, each in gains.items()}
    figures["advice"] = {"unchanged": nine_in_ten(unchanged), **advice.figures()}
    return figures, counts


class Advice:
    """What a tool proposes, beside what that gains."""

    def __init__(self):
        self.offs, self.unknown, self.without_figure = [], 0, 0
        self.named, self.named_of_rest, self.silent = [], [], []

    def add(self, proposals, label):
        whole = label["makespan_ns"]
        truths = {changes.key(gain["changes"]): gain["ns"] / whole for gain in label["gains"]}
        # One change at a time, of one thing.
        levers = [gain for gain in label["gains"] if len(gain["changes"]) == 1 and gain["changes"][0]["change"] not in changes.SIDES]
        best = max([gain["ns"] / whole for gain in levers], default=0)
        known, known_changes = [], []
        is_work = lambda change: change["change"] == "copied-once" or change.get("what") in ("kernel", "copy")
        for proposal in proposals:
            truth = truths.get(changes.key(proposal["changes"])) if proposal["changes"] else None
            if truth is None:
                self.unknown += 1
            else:
                known.append(truth)
                known_changes.append(proposal["changes"])
                if proposal.get("ns") is not None:
                    self.offs.append(proposal["ns"] / whole - truth)
                else:
                    self.without_figure += 1
        if not proposals:
            self.silent.append(best < WORTH)
        self.named.append(known[0] >= best - BEST if known else best < WORTH)
        # What leaves the work of the GPU as it is.
        known = [truth for truth, of in zip(known, known_changes) if not any(map(is_work, of))]
        best = max([gain["ns"] / whole for gain in levers if not is_work(gain["changes"][0])], default=0)
        self.named_of_rest.append(known[0] >= best - BEST if known else best < WORTH)

    def figures(self):
        offs = self.offs
        proposals = len(offs) + self.without_figure + self.unknown
        return {"traces": len(self.named) or None, "proposals": proposals if self.named else None,
                "unknown": self.unknown if self.named else None,
                "nine_in_ten": nine_in_ten([abs(off) for off in offs]), "too_large": mean([float(off > GAINS) for off in offs]),
                "named": mean([float(is_right) for is_right in self.named]),
                "named_of_rest": mean([float(is_right) for is_right in self.named_of_rest]), "silent": len(self.silent) if self.named else None,
                "silent_right": mean([float(is_right) for is_right in self.silent])}


def nine_in_ten(sizes):
    """By at most so much nine in ten are off."""
    return sorted(sizes)[min(len(sizes) * 9 // 10, len(sizes) - 1)] if sizes else None


def of_gains(offs):
    """How far the gains of a change are off, of the makespan: by at most so much in nine of ten, and by more than GAINS in so many."""
    return {"asked": len(offs), "nine_in_ten": nine_in_ten([abs(off) for off in offs]), "too_large": sum(off > GAINS for off in offs),
            "too_small": sum(off < -GAINS for off in offs)}


ROWS = [("traces", "traces"), ("parts of waits", "parts"), ("causes right, mean over parts", "right"),
        ("causes right, mean over causes", "right_by_cause"), ("wrong", "wrong"), ("wrong and certain", "wrong_and_certain"),
        ("error of idle time", "idle_error"), ("error of the host's share", "host_error"), ("error of waiting", "waiting_error"),
        ("error of other GPUs", "other_gpu_error"), ("error of two streams", "two_streams_error"),
        ("error of copies beside kernels", "copies_beside_kernels_error"),
        ("error of communication beside computation", "communication_beside_computation_error"), ("gains within 10 %", "gains_near")]


ADVICE = [("the run without a change, nine in ten are off by at most", "unchanged"), ("traces with an answer", "traces"), ("proposals", "proposals"), ("of these, changes that the benchmark does not make", "unknown"),
          ("of the others, nine in ten are off by at most", "nine_in_ten"), ("promised more than 10 % too much", "too_large"),
          ("the best change named, or one within 2 %", "named"), ("the same without faster kernels and copies", "named_of_rest"),
          ("traces for which nothing is proposed", "silent"),
          ("of these, nothing gains 1 %", "silent_right")]


def shown(value):
    if value is None:
        return "does not say"
    return f"{value:,}" if isinstance(value, int) else f"{value * 100:.2f} %"


def show_misses(misses, most):
    for row in changes.ROWS:
        of_row = sorted((each for each in misses if each[1] == row), key=lambda each: each[0])
        for off, _, kind, label, gain, value in [*of_row[:most], *of_row[: most - 1 : -1][:most]]:
            names = " + ".join(str(change.get("name") or change["change"]) for change in gain["changes"])
            print(f"{row}: {off * 100:+.1f} % {kind} {label['number']:04} {label['kind']} {names}: said {value}, true {gain['ns']}, "
                  f"of {label['makespan_ns']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("answers")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--mistakes", type=int, default=0, help="show the most frequent mistakes, with an example each")
    parser.add_argument("--misses", type=int, default=0, help="show so many gains of each change that are most too large, and too small")
    args = parser.parse_args()
    mistakes = [] if args.mistakes else None
    all_figures, misses = {}, [] if args.misses else None
    for kind in ("kineto", "nsight"):
        all_figures[kind], counts = score(args.folder, args.answers, kind, mistakes, misses)
        if args.mistakes:
            wrong = sorted((item for item in counts.items() if item[0][3] != "right"), key=lambda item: -item[1])
            for key, count in wrong[: args.mistakes]:
                example = next(each for each in mistakes if each[:4] == key)
                wait, part = example[5], example[6]
                print(f"{kind} {count} {' '.join(key)}: {example[4]:04} {wait['correlation']} {wait['place']} {wait['name'][:30]} "
                      f"stream {wait['stream']} begins {wait['begins_ns']} waits {wait['start_ns'] - wait['begins_ns']}: {part}")
            mistakes.clear()
    if args.misses:
        show_misses(misses, args.misses)
    if args.json:
        print(json.dumps(all_figures, indent=1))
        return
    print("| | PyTorch profiler | Nsight Systems |\n|---|---|---|")
    for title, field in ROWS:
        print(f"| {title} | {shown(all_figures['kineto'][field])} | {shown(all_figures['nsight'][field])} |")
    print("\n| | PyTorch profiler | Nsight Systems |\n|---|---|---|")
    for title, field in ADVICE:
        print(f"| {title} | {shown(all_figures['kineto']['advice'][field])} | {shown(all_figures['nsight']['advice'][field])} |")
    print("\n| change | asked | nine in ten are off by at most | too large, too small by more than 10 % | asked "
          "| nine in ten are off by at most | too large, too small by more than 10 % |\n|---|---|---|---|---|---|---|")
    cells = lambda of: f"{of['asked']} | {of['nine_in_ten'] * 100:.1f} % | {of['too_large']}, {of['too_small']}" if of else "0 | |"
    for row in changes.ROWS:
        both = [all_figures[kind]["gains"].get(row) for kind in ("kineto", "nsight")]
        if any(both):
            print(f"| {row} | {cells(both[0])} | {cells(both[1])} |")
    print("\n| binding cause | parts | right | wrong and certain | parts | right | wrong and certain |\n|---|---|---|---|---|---|---|")
    cells = lambda of: f"{of['parts']:,} | {of['right'] * 100:.1f} % | {of['wrong_and_certain'] * 100:.2f} %" if of else "0 | |"
    for cause in labels.CAUSES:
        both = [all_figures[kind]["causes"].get(cause) for kind in ("kineto", "nsight")]
        if any(both):
            print(f"| {cause} | {cells(both[0])} | {cells(both[1])} |")


if __name__ == "__main__":
    main()
