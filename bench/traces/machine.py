"""A host with GPUs, as far as CUDA says how one behaves: it runs a program and knows what held each operation back.

This is no part of Blockstep's engine and shares no code with it. README.md says what is promised by CUDA and what is chosen here.
Times are whole nanoseconds. Every random figure depends on the seed, the operation and what it is for, never on the order in which
things are drawn: a changed program keeps the figures of what did not change.
"""

import heapq
import itertools

from device import GPUS, Device, draw, need_of

QUEUE = 1024  # launches that a hardware queue holds
SMALL = 65536  # bytes up to which a pageable copy to the device is staged within its call


class Stream:
    def __init__(self, spec, context, place):
        self.number = spec["number"]
        self.kind = spec["kind"]  # null, blocking, non-blocking
        self.priority = spec.get("priority", 0)  # lower goes first
        self.gpu = spec["gpu"]
        self.context = context
        self.place = place
        self.last = []  # operations that the next one comes after
        self.waits = []  # what it was told to wait for since


class Context:
    """The work of one process on one GPU."""

    def __init__(self, process, gpu, number, limits):
        self.process, self.gpu, self.number = process, gpu, number
        self.streams = []
        self.pending = []  # kernels whose blocks are not all placed
        self.groups = {}  # blocks on the SMs that end together, by number
        _, sms, threads, blocks, registers, shared = limits
        self.free = [[threads, blocks, registers, shared] for _ in range(sms)]
        self.open = set()  # operations that have not ended
        self.state = 0  # changes with what is on the SMs

    def is_active(self):
        return bool(self.pending or self.groups)


class Operation:
    """A kernel, a copy, a memset."""

    def __init__(self, uid, kind, stream, call):
        self.uid, self.kind, self.stream, self.call = uid, kind, stream, call
        self.name = kind
        self.called = call["start"]
        self.submitted = self.arrived = self.ready = self.start = self.end = None
        self.why = []  # within the call: (cause, from, to)
        self.deps = []  # (operation, cause, whether its trigger is enough)
        self.open_deps = 0
        self.waiting = []  # operations that depend on this one: (operation, trigger)
        self.wakes = []  # threads
        self.state, self.since, self.log = None, 0, []
        self.channel = None
        self.blocks = self.threads = self.registers = self.shared = 0
        self.block_ns = self.bytes = self.length = 0
        self.left = 0
        self.on_sms = 0
        self.held = []  # groups of blocks that have not begun what they have to do
        self.holds = False
        self.group = None  # a collective
        self.after = None  # the primary of a programmatic dependent launch
        self.secondaries = []
        self.past = []  # (operation, cause) that its thread waited for before it handed the operation over
        self.triggered = None
        self.node = None
        self.pinned = True

    def become(self, now, causes):
        """From now on these causes hold it back."""
        if causes == self.state:
            return
        if self.state is not None and now > self.since:
            self.log.append((self.since, now, self.state))
        self.state, self.since = causes, now


class Machine(Device):
    def __init__(self, program, changes=(), labels=True):
        self.program, self.labels = program, labels
        self.changes = set(changes)
        self.seed = program["seed"]
        self.now = 0
        self.heap, self.order = [], itertools.count()
        self.operations, self.calls, self.host_work, self.overheads = [], [], [], []
        self.own_ns = {}  # by call: how long its calls took themselves; of None how long it was from one call to the next
        self.blocked = []  # a thread, from when to when, the operations that it waited for
        self.event_waits = []  # (call, stream, record's call, record's stream)
        self.correlation = itertools.count(1000)
        self.group_numbers = itertools.count()
        self.limits = GPUS[program["gpu"]]
        self.contexts, self.streams = {}, {}
        self.events, self.signals, self.signal_waits = {}, {}, {}
        self.collectives = {}
        self.locks, self.lock_waits = {}, {}
        self.loaded = set()
        self.queues = {}  # operations of a hardware queue, in order
        self.streams_of = {}
        self.pending_in, self.full_waits = {}, {}
        self.engines = {}
        self.resident, self.slice_at, self.switching = {}, {}, {}
        self.has_one_engine = program.get("engines", 2) == 1
        self.connections = 32 if "connections-32" in self.changes else program.get("connections", 8)
        for process in program["processes"]:
            numbers = itertools.count(1)
            for gpu in sorted({stream["gpu"] for stream in process["streams"]}):
                self.contexts[process["pid"], gpu] = Context(process["pid"], gpu, next(numbers), self.limits)
            for spec in process["streams"]:
                context = self.contexts[process["pid"], spec["gpu"]]
                spec = dict(spec)
                if "non-blocking" in self.changes and spec["kind"] == "blocking":
                    spec["kind"] = "non-blocking"
                alike = [s for s in context.streams if s.priority == spec.get("priority", 0)]
                stream = Stream(spec, context, len(alike))
                context.streams.append(stream)
                self.streams[process["pid"], spec["number"]] = stream

    # The clock.

    def at(self, when, what, *args):
        heapq.heappush(self.heap, (int(when), next(self.order), what, args))

    def run(self):
        for process in self.program["processes"]:
            for tid, actions in process["threads"].items():
                begins = process.get("begins", 0)
                thread = self.thread(process["pid"], tid, actions)
                self.at(begins, self.step, thread)
        while self.heap:
            self.now, _, what, args = heapq.heappop(self.heap)
            what(*args)
        stuck = [op.name for op in self.operations if op.end is None]
        if stuck or any(self.signal_waits.values()):
            raise RuntimeError(f"the program never ends: {stuck[:5]}, {dict(self.signal_waits)}")
        return self

    def length(self):
        """From the first call to the end of everything."""
        ends = [op.end for op in self.operations] + [call["end"] for call in self.calls]
        return max(ends) - min(call["start"] for call in self.calls)

    # The host.

    def host_ns(self, low, high, *key):
        # Few calls take much longer.
        ns = self.between(low, high, *key)
        if draw(self.seed, "tail", *key) > 0.985:
            ns *= 3
        return ns // 2 if "host-2x" in self.changes else ns

    def own(self, name, ns, less):
        """What a call takes itself, of which so many percent are gone."""
        self.own_ns[name] = self.own_ns.get(name, 0) + ns
        return ns * (100 - less) // 100 if less else ns

    def step(self, thread):
        """Goes on with a thread until it has to wait for something."""
        try:
            kind, what = thread.send(None)
        except StopIteration:
            return
        if kind == "until":
            self.at(max(what, self.now), self.step, thread)
        elif kind == "operations":
            opens = [op for op in what if op.end is None]
            if not opens:
                self.at(self.now, self.step, thread)
                return
            left = [len(opens)]
            for op in opens:
                op.wakes.append((left, thread))
        elif kind == "signal":
            if self.signals.get(what, 0):
                self.signals[what] -= 1
                self.at(self.now, self.step, thread)
            else:
                self.signal_waits.setdefault(what, []).append(thread)
        elif kind == "lock":
            self.lock_waits.setdefault(what, []).append(thread)
        elif kind == "full":
            self.full_waits.setdefault(what, []).append(thread)

    def thread(self, pid, tid, actions):
        state = {"pid": pid, "tid": tid, "name": (pid, tid)}
        for place, action in enumerate(actions):
            uid = (pid, tid, place)
            kind = action["do"]
            if kind == "host":
                start = self.now
                ns = action["ns"] // 2 if "host-2x" in self.changes else action["ns"]
                yield "until", self.now + ns
                self.host_work.append({"pid": pid, "tid": tid, "name": action["name"], "place": place, "start": start,
                                       "end": self.now})
            elif kind == "signal":
                waits = self.signal_waits.get(action["name"], [])
                if waits:
                    self.at(self.now + 5_000, self.step, waits.pop(0))
                else:
                    self.signals[action["name"]] = self.signals.get(action["name"], 0) + 1
            elif kind == "await":
                yield "signal", action["name"]
            elif kind in ("sync", "sync-event") and "no-sync" in self.changes and not action.get("last"):
                continue
            elif kind == "gone" or kind == "alloc" and "no-alloc" in self.changes or action.get("read") and "no-reads" in self.changes:
                continue
            else:
                yield from self.call(state, uid, action)
                between = self.host_ns(300, 1_500, uid, "between")
                yield "until", self.now + self.own(None, between, self.program.get("less_between", 0))

    def call(self, thread, uid, action):
        kind = action["do"]
        name = action["call"]
        call = {"pid": thread["pid"], "tid": thread["tid"], "name": name, "start": self.now, "end": None,
                "correlation": next(self.correlation)}
        self.calls.append(call)
        own = lambda ns: self.own(name, ns, action.get("less_call", 0))
        if kind == "record":
            yield "until", self.now + own(self.host_ns(800, 2_000, uid))
            stream = self.streams[thread["pid"], action["stream"]]
            self.events[thread["pid"], action["event"]] = ([*stream.last, *stream.waits], call, stream)
        elif kind == "wait":
            yield "until", self.now + own(self.host_ns(800, 2_000, uid))
            stream = self.streams[thread["pid"], action["stream"]]
            captured, record, source = self.events.get((thread["pid"], action["event"]), ([], None, None))
            stream.waits += [op for op in captured if op.stream is not stream]
            self.event_waits.append((call, stream, record, source))
        elif kind in ("sync", "sync-event"):
            if kind == "sync-event":
                ops = self.events.get((thread["pid"], action["event"]), ([],))[0]
            elif "stream" in action:
                stream = self.streams[thread["pid"], action["stream"]]
                ops = [op for op, _ in self.before(stream)]
            else:
                ops = [op for c in self.contexts.values() if c.process == thread["pid"] and c.gpu == action["gpu"] for op in c.open]
            yield from self.wait_for(thread, ops, uid)
            yield "until", self.now + own(self.host_ns(1_500, 3_000, uid))
        elif kind == "alloc":
            context = self.contexts[thread["pid"], action["gpu"]]
            yield from self.take_lock(context)
            self.locks[context] = "implicit-sync"
            yield from self.wait_for(thread, list(context.open), uid)
            yield "until", self.now + own(self.host_ns(action["ns"] // 2, action["ns"], uid))
            self.give_lock(context)
        else:
            yield from self.launch(thread, uid, action, call, own)
        call["end"] = self.now

    def before(self, stream):
        """What the next operation of a stream comes after, and by what rule."""
        before = [(op, "stream-order") for op in stream.last] + [(op, "event") for op in stream.waits]
        kinds = {"null": "blocking", "blocking": "null"}
        for other in stream.context.streams:
            if other.kind == kinds.get(stream.kind):
                before += [(op, "null-stream") for op in [*other.last, *other.waits]]
        return before

    def wait_for(self, thread, ops, uid):
        start = self.now
        ops = [op for op in ops if op.end is None]
        if ops:
            yield "operations", ops
            yield "until", self.now + self.between(2_500, 6_000, uid, "wake")
            self.blocked.append((thread["name"], start, self.now, ops))

    def take_lock(self, context):
        while context in self.locks:
            yield "lock", context

    def give_lock(self, context):
        del self.locks[context]
        for thread in self.lock_waits.pop(context, []):
            self.at(self.now, self.step, thread)

    def launch(self, thread, uid, action, call, own):
        stream = self.streams[thread["pid"], action["stream"]]
        context = stream.context
        ops = self.make(uid, action, stream, call)
        # Another thread allocates, frees or loads.
        if context in self.locks:
            why, start = self.locks[context], self.now
            yield from self.take_lock(context)
            for op in ops:
                op.why.append(("call", start, self.now))
                if why == "implicit-sync":
                    op.why.append((why, start, self.now))
        # Code is loaded before its first use.
        fresh = {op.name for op in ops if op.kind == "kernel"} - self.loaded
        if self.program.get("cold") and fresh:
            self.loaded |= fresh
            self.locks[context] = "loading"
            start = self.now
            yield "until", self.now + sum(self.between(150_000, 1_500_000, name, "load") for name in sorted(fresh))
            self.overheads.append({"kind": "loading", "pid": thread["pid"], "tid": thread["tid"], "start": start, "end": self.now,
                                   "correlation": call["correlation"]})
            for op in ops:
                op.why += [("first-use", start, self.now), ("call", start, self.now)]
            self.give_lock(context)
        queue = self.queue_of(stream, ops[0].kind)
        if self.pending_in.get(queue, 0) >= QUEUE:
            start = self.now
            while self.pending_in.get(queue, 0) >= QUEUE:
                yield "full", queue
            self.overheads.append({"kind": "full", "pid": thread["pid"], "tid": thread["tid"], "start": start, "end": self.now,
                                   "correlation": call["correlation"]})
            for op in ops:
                op.why += [("launch-queue", start, self.now), ("call", start, self.now)]
        is_copy = action["do"] == "copy"
        becomes_pinned = is_copy and "pinned" in self.changes and not action["read"]
        pinned = not is_copy or action["pinned"] or becomes_pinned
        waits = is_copy and action["sync"] and not becomes_pinned
        low, high = (5_000, 9_000) if is_copy else (3_500, 6_500)
        if action["do"] == "graph":
            low, high = 6_000 + 400 * len(ops), 9_000 + 500 * len(ops)
        first = own(self.host_ns(low, high, uid))
        if is_copy and not pinned and action["direction"] == "HtoD" and (waits or action["bytes"] > SMALL):
            # What came before in the stream ends first; then the host stages.
            ops[0].past = self.before(stream)
            yield from self.wait_for(thread, [op for op, _ in ops[0].past], uid)
            start = self.now
            yield "until", self.now + own(action["bytes"] // 10)
            ops[0].why.append(("call", start, self.now))
            waits = not action["sync"]
        elif is_copy and not pinned and action["direction"] == "HtoD":
            first += own(action["bytes"] // 8)
        elif is_copy and not pinned:
            waits = True
        share = 0.6 + 0.3 * draw(self.seed, uid, "share")
        yield "until", self.now + first * share
        self.order_after(ops, stream, action)
        for op in ops:
            op.pinned = pinned
            self.submit(op)
        if waits:
            yield from self.wait_for(thread, ops, (uid, "copy"))
        else:
            yield "until", self.now + first * (1 - share)

    def make(self, uid, action, stream, call):
        """The operations of a call."""
        specs = action["nodes"] if action["do"] == "graph" else [action]
        ops = []
        for place, spec in enumerate(specs):
            kind = "kernel" if "blocks" in spec else ("memset" if spec.get("do") == "memset" else spec["direction"])
            # In a graph a kernel keeps the figures that it has without one.
            op = Operation(((*uid[:2], spec["at"]), 0) if "at" in spec else (uid, place), kind, stream, call)
            op.name = spec.get("name", kind)
            if kind == "kernel":
                op.blocks, op.threads, op.registers, op.shared = spec["blocks"], spec["threads"], spec["registers"], spec["shared"]
                op.block_ns = max(300, spec["block_ns"] // (2 if "kernels-2x" in self.changes else 1))
                op.need, op.left = need_of(op, self.limits[0]), op.blocks
                op.group = spec.get("collective")
                op.holds = op.group is not None
            else:
                op.bytes = spec["bytes"]
                bandwidth = {"HtoD": self.program["bandwidth"], "DtoH": self.program["bandwidth"], "PtoP": 40.0}.get(kind, 700.0)
                op.length = int(self.between(1_000, 1_800, op.uid, "setup") + op.bytes / bandwidth)
                op.length = op.length * (100 - spec.get("less_copy", 0)) // 100
            op.node = place + 1 if action["do"] == "graph" else None
            op.branch = spec.get("branch", 0)
            ops.append(op)
            self.operations.append(op)
            stream.context.open.add(op)
        return ops

    def order_after(self, ops, stream, action):
        """What the operations of a call have to wait for, by the order of streams, events and the NULL stream."""
        before = self.before(stream)
        nodes = action.get("nodes")
        for place, op in enumerate(ops):
            after = nodes[place].get("after", []) if nodes else []
            deps = [(ops[other], "graph-order", False) for other in after]
            if not after:
                for other, cause in before:
                    is_pdl = bool(action.get("pdl")) and cause == "stream-order" and other.kind == "kernel"
                    deps.append((other, cause, is_pdl))
                    if is_pdl:
                        op.after = other
            for other, cause, is_pdl in deps:
                op.deps.append((other, cause, is_pdl))
                if other.end is None:
                    if not (is_pdl and other.triggered is not None):
                        op.open_deps += 1
                        other.waiting.append((op, is_pdl))
            if op.after is not None and op.after.end is None:
                op.holds = True
                op.after.secondaries.append(op)
        sinks = set(range(len(ops))) - {other for node in nodes or [] for other in node.get("after", [])}
        stream.last = [ops[place] for place in sorted(sinks)]
        stream.waits = []
