"""What is true of a run: for each wait what held the operation back, for each GPU when it worked and what it waited for when it did not.

Times are those of the trace file, in which the clock of a GPU is a little off. README.md defines every figure.
"""

from device import draw

CAUSES = ["stream-order", "event", "null-stream", "graph-order", "programmatic", "connection", "behind-head", "no-room", "copy-engine",
          "other-process", "first-use", "launch-queue", "implicit-sync", "call", "launch"]
HOST = {"call", "first-use", "launch-queue", "implicit-sync", "launch"}
COPIES = ("HtoD", "DtoH", "PtoP")


class Clock:
    """How far times of a GPU are off: a constant, a little noise, and in few traces a step in the middle."""

    def __init__(self, machine):
        self.seed, self.length = machine.seed, machine.length()
        self.has_step = draw(self.seed, "clock step") < 0.05

    def at(self, gpu, time, *key):
        off = 4_000 * draw(self.seed, "clock", gpu) - 2_000 + 300 * draw(self.seed, "noise", *key) - 150
        if self.has_step and self.length / 3 < time < 2 * self.length / 3:
            off += 8_000 + 7_000 * draw(self.seed, "step", gpu)
        return int(time + off)

    def put(self, machine):
        for op in machine.operations:
            gpu = op.stream.gpu
            op.seen_start = self.at(gpu, op.start, op.uid, "start")
            op.seen_end = max(self.at(gpu, op.end, op.uid, "end"), op.seen_start + 1)
            op.seen_trigger = self.at(gpu, op.triggered, op.uid, "end")
            at = lambda time: self.at(gpu, time, op.uid, "start")
            op.seen_log = [(at(start), at(end), causes) for start, end, causes in op.log]


def conditions(op):
    """(from, to, cause, operation waited for): everything that held an operation back, in the file's time."""
    found = [(start, end, cause, None) for cause, start, end in op.why]
    found.append((op.called, op.submitted, "in call", None))
    for other, cause, is_pdl in op.deps:
        until = min(other.seen_trigger, op.seen_start) if is_pdl else other.seen_end
        since = max(op.called, other.called)
        found.append((since, until, cause, other))
        if is_pdl:
            found.append((since, until, "programmatic", other))
    found += [(max(op.called, other.called), other.seen_end, cause, other) for other, cause in op.past]
    for start, end, causes in op.seen_log:
        found += [(start, end, cause, None) for cause in causes if cause != "launch"]
    return [each for each in found if each[0] < each[1]]


def wait(op, begins):
    """The parts of a wait, from when it begins in the file: (from, to, causes, the one that was over last, whether on another GPU)."""
    if op.seen_start <= begins:
        return []
    held = conditions(op)
    bounds = {begins, op.seen_start}
    bounds |= {at for start, end, _, _ in held for at in (start, end) if begins < at < op.seen_start}
    parts = []
    bounds = sorted(bounds)
    for start, end in zip(bounds, bounds[1:]):
        now = [each for each in held if each[0] <= start and each[1] > start]
        # Every call takes a moment: it binds only where something made it long.
        held_now = [each for each in now if each[2] != "in call"]
        causes = {cause for _, _, cause, _ in held_now}
        if len(now) > len(held_now):
            causes.add("call")
        last = max(held_now, key=lambda each: (each[1], -CAUSES.index(each[2])), default=None)
        if last is None:
            causes.add("launch")
        binding = "launch" if last is None else last[2]
        far = binding == "event" and last[3].stream.gpu != op.stream.gpu
        causes = sorted(causes, key=CAUSES.index)
        if parts and parts[-1][2:] == (causes, binding, far):
            parts[-1] = (parts[-1][0], end, causes, binding, far)
        else:
            parts.append((start, end, causes, binding, far))
    return parts


def union(ranges):
    merged = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def total(ranges):
    return sum(end - start for start, end in ranges)


def common(first, second):
    """How long both of two lists of ranges hold; each list is a union."""
    both = place = 0
    for start, end in first:
        while place < len(second) and second[place][1] <= start:
            place += 1
        at = place
        while at < len(second) and second[at][0] < end:
            both += min(end, second[at][1]) - max(start, second[at][0])
            at += 1
    return both


def label(machine, pids):
    """The waits and the GPUs of what a file has of these processes."""
    operations = sorted((op for op in machine.operations if op.stream.context.process in pids), key=lambda op: (op.seen_start, op.uid))
    first_of_graph, places, waits, parts_of = {}, {}, [], {}
    for op in operations:
        correlation = op.call["correlation"]
        place = places[correlation] = places.get(correlation, -1) + 1
        begins = op.called
        if op.node is not None:
            first = first_of_graph.setdefault(correlation, op)
            if any(cause == "graph-order" for _, cause, _ in op.deps):
                begins = first.seen_start
        parts_of[op] = wait(op, begins)
        waits.append({"correlation": correlation, "place": place, "pid": op.stream.context.process, "gpu": op.stream.gpu,
                      "name": op.name, "stream": op.stream.number, "begins_ns": begins, "start_ns": op.seen_start,
                      "parts": [{"ns": end - start, "causes": causes, "binding": binding}
                                for start, end, causes, binding, _ in parts_of[op]]})
    gpus = sorted({op.stream.gpu for op in operations})
    calls = [call for call in machine.calls if call["pid"] in pids]
    ends = [op.end for op in operations] + [call["end"] for call in calls]
    return {"recorded_ns": max(ends) - min(call["start"] for call in calls), "waits": waits,
            "gpus": [gpu_label(machine, [op for op in operations if op.stream.gpu == gpu], gpu, parts_of) for gpu in gpus]}


def gpu_label(machine, operations, gpu, parts_of):
    busy = union((op.seen_start, op.seen_end) for op in operations)
    shares = {"host_ns": 0, "waiting_ns": 0, "other_gpu_ns": 0}
    far = {}
    for thread, start, end, ops in machine.blocked:
        elsewhere = [op.end for op in ops if op.stream.gpu != gpu]
        if elsewhere:
            far.setdefault(thread, []).append((start, min(end, max(elsewhere))))
    for (_, start), (end, _) in zip(busy, busy[1:]):
        op = next(op for op in operations if op.seen_start == end)
        called = min(max(op.called, start), end)
        thread = (op.call["pid"], op.call["tid"])
        elsewhere = common([(start, called)], union(far.get(thread, []))) if called > start else 0
        shares["other_gpu_ns"] += elsewhere
        shares["host_ns"] += called - start - elsewhere
        covered = called
        for since, until, _, binding, is_far in parts_of[op]:
            ns = max(0, min(until, end) - max(since, called))
            covered += ns
            shares["other_gpu_ns" if is_far else "host_ns" if binding in HOST else "waiting_ns"] += ns
        # What a node of a graph waited before the graph began is the launch.
        shares["host_ns"] += end - covered
    kernels = union((op.seen_start, op.seen_end) for op in operations if op.kind == "kernel")
    copies = union((op.seen_start, op.seen_end) for op in operations if op.kind in COPIES)
    sums = union((op.seen_start, op.seen_end) for op in operations if op.kind == "kernel" and op.group is None)
    talks = union((op.seen_start, op.seen_end) for op in operations if op.group is not None)
    span = busy[-1][1] - busy[0][0]
    return {"gpu": gpu, "span_ns": span, "busy_ns": total(busy), "idle_ns": span - total(busy), "idle": shares,
            "copies_beside_kernels_ns": common(copies, kernels), "communication_ns": total(talks),
            "communication_beside_computation_ns": common(talks, sums), "two_streams_ns": two_streams(operations)}


def two_streams(operations):
    """How long operations of two streams or more ran."""
    ranges = {}
    for op in operations:
        ranges.setdefault((op.stream.number, op.branch), []).append((op.seen_start, op.seen_end))
    changes = sorted(change for each in ranges.values() for start, end in union(each) for change in ((start, 1), (end, -1)))
    running = both = since = 0
    for at, change in changes:
        both += at - since if running > 1 else 0
        running, since = running + change, at
    return both
