#!/usr/bin/env python3
"""What changes of a program gain on a real GPU.

    gpu.py FOLDER [--first 0] [--count 96] [--repeat 5] [--seconds 300]    needs PyTorch with CUDA

It draws programs of PyTorch with fixed seeds, records each under PyTorch's profiler, makes each change that fits it, and runs and records that, too.
FOLDER gets NUMBER.json.gz, the trace of the unchanged program, and truth.json: the wall clocks of all runs, from the first call to the end of the last
operation, under the profiler, and of as many without it. Nothing here knows of Blockstep's rules. `crates/tools/tests/src/profile/gpu_gains.rs` compares
what Blockstep says of the traces with it.
"""

import argparse
import gzip
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

GPU = ("kernel", "gpu_memcpy", "gpu_memset")
CALLS = ("cuda_runtime", "cuda_driver")


# What programs do: (what, stream, size). Sizes are in us of a single block's kernel, thousands of elements, or KiB.

def draw(seed):
    """A program: its kind, what its streams are, and its steps."""
    dice = random.Random(seed)
    kind = ("waits", "copies", "allocations", "null", "launches", "streams", "priority", "mixed")[seed % 8]
    steps = []

    def add(what, stream, size):
        steps.append((what, stream, size))

    def kernel(stream):
        if dice.random() < 0.5:
            add("spin", stream, dice.randint(5, 150))
        else:
            add("gamma", stream, dice.choice([64, 256, 1024, 4096]))

    streams = ["null"]
    rounds = dice.randint(4, 10)
    if kind == "waits":
        streams = [dice.choice(["null", "apart"])]
        for _ in range(rounds):
            for _ in range(dice.randint(1, 5)):
                kernel(0)
            add("host", 0, dice.randint(5, 60))
            add("wait", 0, 0)
            add("host", 0, dice.randint(5, 60))
    elif kind == "copies":
        streams = ["apart", "apart"]
        for _ in range(rounds):
            stream = dice.randrange(2)
            add("to device", stream, dice.choice([64, 512, 2048, 8192]))
            kernel(stream)
            if dice.random() < 0.5:
                add("to host", stream, dice.choice([64, 512, 2048]))
            add("host", 0, dice.randint(5, 60))
    elif kind == "allocations":
        streams = ["apart", "apart"]
        for _ in range(rounds):
            for _ in range(dice.randint(1, 4)):
                kernel(dice.randrange(2))
            add("allocate", 0, dice.choice([4096, 32768]))
            add("host", 0, dice.randint(5, 60))
    elif kind == "null":
        streams = ["null", "blocking", "blocking"]
        for _ in range(rounds):
            kernel(1)
            kernel(2)
            if dice.random() < 0.7:
                kernel(0)
    elif kind == "launches":
        streams = ["apart"]
        for _ in range(rounds):
            for _ in range(dice.randint(5, 25)):
                add("spin", 0, dice.randint(1, 6))
                if dice.random() < 0.3:
                    add("host", 0, dice.randint(2, 15))
            add("wait", 0, 0)
    elif kind == "streams":
        streams = ["apart", "apart"]
        for _ in range(rounds):
            add("spin", 0, dice.randint(20, 300))
            add("gamma", 0, dice.choice([64, 256, 1024]))
            if dice.random() < 0.5:
                add("spin", 1, dice.randint(20, 200))
    elif kind == "priority":
        streams = ["apart", "apart"]
        for _ in range(rounds):
            for _ in range(dice.randint(1, 3)):
                add("gamma", 0, dice.choice([16384, 65536]))
            add("gamma", 1, dice.choice([64, 256]))
            add("wait stream", 1, 0)
            add("host", 0, dice.randint(20, 200))
    else:
        streams = ["null", "apart", "apart"]
        for _ in range(rounds):
            for _ in range(dice.randint(1, 4)):
                kernel(dice.randrange(3))
            end = dice.choice(["wait", "event", "to device", "host"])
            add(end, dice.randrange(1, 3), dice.choice([64, 1024]) if end == "to device" else dice.randint(5, 60))
    add("wait", 0, 0)
    return {"kind": kind, "streams": streams, "steps": steps}


def changes(program):
    """What can be different in a program."""
    steps, streams = program["steps"], program["streams"]
    has = {what for what, _, _ in steps}
    waits = sum(what in ("wait", "wait stream") for what, _, _ in steps)
    found = []
    if waits > 1:
        found.append("fewer-waits")
    if has & {"to device", "to host"}:
        found.append("pinned")
    if "allocate" in has:
        found.append("no-allocations")
    if "blocking" in streams:
        found.append("non-blocking")
    if not has & {"to device", "to host", "allocate", "event", "wait stream"} and "blocking" not in streams:
        found.append("graphs")
    for stream in range(len(streams)):
        names = {what for what, of, _ in steps if of == stream and what in ("spin", "gamma")}
        if program["kind"] == "streams" and len(names) > 1:
            found += [f"own-stream {name} {stream}" for name in sorted(names)]
        if program["kind"] == "priority" and names:
            found.append(f"high-priority {stream}")
    return found


class Runner:
    """Runs a program with one change, or none, on the GPU."""

    def __init__(self, torch, program, change):
        self.torch, self.program, self.change = torch, program, change
        self.steps = program["steps"]
        if change == "fewer-waits":
            self.steps = [step for step in self.steps[:-1] if step[0] not in ("wait", "wait stream")] + self.steps[-1:]
        if change == "no-allocations":
            self.steps = [step for step in self.steps if step[0] != "allocate"]
        self.streams = [self.stream(i, kind) for i, kind in enumerate(program["streams"])]
        self.own = torch.cuda.Stream() if change.startswith("own-stream") else None
        # Each stream has memory of its own, and nothing is read that another writes.
        self.numbers = [torch.rand(65536 * 1024, device="cuda") for _ in range(len(self.streams) + 1)]
        pinned = change == "pinned"
        self.host = [torch.zeros(8192 * 1024, dtype=torch.uint8, pin_memory=pinned) for _ in self.streams]
        self.device = [torch.zeros(8192 * 1024, dtype=torch.uint8, device="cuda") for _ in self.streams]
        self.graphs = self.captured() if change == "graphs" else None
        torch.cuda.synchronize()

    def stream(self, i, kind):
        cuda = self.torch.cuda
        if kind == "null":
            return cuda.default_stream()
        if self.change == f"high-priority {i}":
            return cuda.Stream(priority=-1)
        if kind == "blocking" and self.change != "non-blocking":
            import ctypes

            handle = ctypes.c_void_p()
            status = cuda.cudart().cudaStreamCreate(ctypes.addressof(handle))
            assert int(status) == 0, status
            return cuda.ExternalStream(handle.value)
        return cuda.Stream()

    def issue(self, what, stream, size, into=None):
        """Launches or copies."""
        torch, place = self.torch, stream
        if self.change == f"own-stream {what} {stream}":
            into, place = self.own, len(self.streams)
        with torch.cuda.stream(into or self.streams[stream]):
            if what == "spin":
                torch.cuda._sleep(size * 1900)
            elif what == "gamma":
                part = self.numbers[place][: size * 1024]
                torch.lgamma(part, out=part)
            elif what == "to device":
                self.device[stream][: size * 1024].copy_(self.host[stream][: size * 1024], non_blocking=True)
            elif what == "to host":
                self.host[stream][: size * 1024].copy_(self.device[stream][: size * 1024], non_blocking=True)

    def parts(self):
        """The steps from one wait to the next."""
        part = []
        for step in self.steps:
            if step[0] == "wait":
                yield part
                part = []
            else:
                part.append(step)

    def captured(self):
        """A graph of each part."""
        torch, graphs = self.torch, []
        for part in self.parts():
            if all(what == "host" for what, _, _ in part):
                graphs.append(None)
                continue
            graph, main = torch.cuda.CUDAGraph(), torch.cuda.Stream()
            torch.cuda.synchronize()
            with torch.cuda.graph(graph, stream=main):
                # The streams of the program are branches; the NULL stream cannot be captured.
                branches = {of: torch.cuda.Stream() for of in sorted({of for what, of, _ in part if what != "host"})}
                for branch in branches.values():
                    branch.wait_stream(main)
                for what, of, size in part:
                    if what != "host":
                        self.issue(what, of, size, branches[of])
                for branch in branches.values():
                    main.wait_stream(branch)
            graphs.append(graph)
        return graphs

    def work(self, us):
        end = time.perf_counter_ns() + us * 1000
        while time.perf_counter_ns() < end:
            pass

    def run(self):
        torch = self.torch
        if self.graphs is not None:
            for part, graph in zip(self.parts(), self.graphs):
                is_host = [what == "host" for what, _, _ in part]
                first = is_host.index(False) if graph else 0
                last = len(part) - is_host[::-1].index(False) if graph else 0
                # What the host did between the first launch of a graph and its last is not there any more.
                self.work(sum(size for _, _, size in part[:first]))
                if graph:
                    with torch.cuda.stream(self.streams[0]):
                        graph.replay()
                self.work(sum(size for _, _, size in part[last:]))
                torch.cuda.synchronize()
            return
        for what, stream, size in self.steps:
            if what == "host":
                self.work(size)
            elif what == "wait":
                torch.cuda.synchronize()
            elif what == "wait stream":
                self.streams[stream].synchronize()
            elif what == "event":
                self.streams[stream].wait_event(self.streams[3 - stream].record_event())
            elif what == "allocate":
                # The cache is emptied, so that the driver is asked.
                torch.cuda.empty_cache()
                torch.empty(size * 1024, dtype=torch.uint8, device="cuda")
            else:
                self.issue(what, stream, size)


def profiled(torch, runner, folder):
    """The trace of a run, its text and its wall clock in ns. The profiler itself is warm by then."""
    from torch.profiler import ProfilerActivity, profile, schedule

    config = torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True)
    path = os.path.join(folder, "trace.json")
    with profile(
        activities=[ProfilerActivity.CUDA],
        schedule=schedule(wait=0, warmup=1, active=1, repeat=1),
        on_trace_ready=lambda recorded: recorded.export_chrome_trace(path),
        experimental_config=config,
    ) as steps:
        for _ in range(2):
            runner.run()
            steps.step()
    with open(path) as file:
        text = file.read()
    return text, wall_ns(json.loads(text)["traceEvents"])


def plain_ns(runner):
    """How long a run takes without a profiler."""
    begin = time.perf_counter_ns()
    runner.run()
    return time.perf_counter_ns() - begin


def wall_ns(events):
    """From the first call to the end of the last operation."""
    timed = [event for event in events if event.get("ph") == "X" and "dur" in event]
    operations = [event for event in timed if event.get("cat") in GPU]
    calls = [event for event in timed if event.get("cat") in CALLS]
    first = min(float(event["ts"]) for event in operations + calls)
    return round((max(float(event["ts"]) + float(event["dur"]) for event in operations) - first) * 1000)


def stream_numbers(program, events):
    """The number that the trace has for each stream, by the kernels in the order of their launches."""
    kernels = sorted((event["args"]["correlation"], event["args"]["stream"]) for event in events if event.get("cat") == "kernel")
    issued = [stream for what, stream, _ in program["steps"] if what in ("spin", "gamma")]
    assert len(kernels) == len(issued), (len(kernels), len(issued))
    return {str(stream): number for stream, (_, number) in zip(issued, kernels)}


def run(args):
    import torch

    os.makedirs(args.folder, exist_ok=True)
    began = time.monotonic()
    gpu = torch.cuda.get_device_name()
    truth = {"gpu": gpu, "torch": torch.__version__, "cuda": torch.version.cuda, "repeat": args.repeat, "programs": {}}
    where = os.path.join(args.folder, "truth.json")
    if os.path.exists(where):
        with open(where) as file:
            before = json.load(file)
        if {**before, "programs": {}} != truth:
            sys.exit(f"{where} is of another GPU, version or number of runs: choose another folder")
        truth = before
    for seed in range(args.first, args.first + args.count):
        if time.monotonic() - began > args.seconds:
            print(f"stopped before program {seed}: {args.seconds} s are over")
            break
        program = draw(seed)
        of = {"kind": program["kind"], "walls_ns": {}, "plain_ns": {}, "failed": {}}
        with tempfile.TemporaryDirectory() as folder:
            for change in ["none", *changes(program)]:
                try:
                    runner = Runner(torch, program, change)
                    runner.run()
                    of["plain_ns"][change] = sorted(plain_ns(runner) for _ in range(args.repeat))
                    runs = sorted((profiled(torch, runner, folder) for _ in range(args.repeat)), key=lambda one: one[1])
                except Exception as error:  # one that fails leaves the others
                    of["failed"][change] = repr(error)[:300]
                    continue
                finally:
                    runner = None
                    torch.cuda.empty_cache()
                of["walls_ns"][change] = [wall for _, wall in runs]
                if change == "none":
                    text = runs[len(runs) // 2][0]
                    of["streams"] = stream_numbers(program, json.loads(text)["traceEvents"])
                    # Where it was saved is nobody's business.
                    text = re.sub('"traceName": "[^"]*"', f'"traceName": "{seed:03}.json"', text)
                    with open(os.path.join(args.folder, f"{seed:03}.json.gz"), "wb") as file:
                        file.write(gzip.compress(text.encode(), 9, mtime=0))
        truth["programs"][f"{seed:03}"] = of
        print(seed, of["kind"], {change: statistics.median(walls) // 1000 for change, walls in of["walls_ns"].items()}, of["failed"], flush=True)
    with open(where, "w") as file:
        json.dump(truth, file, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=96)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300)
    run(parser.parse_args())


if __name__ == "__main__":
    main()
