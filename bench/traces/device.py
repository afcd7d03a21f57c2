"""What the GPUs do with what they are given: hardware queues, copy engines, room on SMs, contexts in turns."""

import hashlib

GPUS = {  # compute capability, SMs, and threads, blocks, registers and bytes of shared memory of an SM
    "NVIDIA H100 80GB HBM3": ((9, 0), 132, 2048, 32, 65536, 233472),
    "NVIDIA A100-SXM4-40GB": ((8, 0), 108, 2048, 32, 65536, 167936),
    "Tesla V100-SXM2-32GB": ((7, 0), 80, 2048, 32, 65536, 98304),
    "NVIDIA GeForce RTX 4090": ((8, 9), 128, 1536, 24, 65536, 102400),
    "Tesla T4": ((7, 5), 40, 1024, 16, 65536, 65536),
}


def draw(*key):
    """A figure from 0 to 1 that depends on the key alone."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=7).digest()
    return (int.from_bytes(digest, "big") >> 3) / (1 << 53)


def need_of(op, capability):
    """What a block takes of an SM: threads, registers, bytes of shared memory (CUDA's occupancy calculator)."""
    warps = -(-op.threads // 32)
    registers = warps * (-(-op.registers * 32 // 256) * 256)
    reserved, unit = (1024, 128) if capability >= (8, 0) else (0, 256)
    shared = -(-(op.shared + reserved) // unit) * unit if op.shared + reserved else 0
    return warps * 32, registers, shared


class Device:
    """The part of the machine that works by itself. What it needs of the host stands in Machine."""

    def between(self, low, high, *key):
        return int(low + (high - low) * draw(self.seed, *key))

    def queue_of(self, stream, kind, branch=0):
        if kind not in ("kernel", "memset"):
            return ("copies", stream.context, stream.number)
        if branch:
            return ("branch", stream.context, stream.number, branch)
        return ("kernels", stream.context, stream.priority, stream.place % self.connections)

    def submit(self, op):
        op.submitted = self.now
        op.channel = self.queue_of(op.stream, op.kind, op.branch)
        self.pending_in[op.channel] = self.pending_in.get(op.channel, 0) + 1
        self.queues.setdefault(op.channel, []).append(op)
        self.streams_of.setdefault(op.channel, set()).add(op.stream)
        op.arrived = self.now + self.between(1_000, 2_600, op.uid, "arrive")
        self.at(op.arrived, self.look, op.channel)

    def look(self, channel):
        """The head of a hardware queue goes on if nothing holds it; the others stay behind it."""
        queue = self.queues[channel]
        while queue and queue[0].arrived <= self.now and queue[0].open_deps == 0:
            op = queue.pop(0)
            far = any(dep.stream is not op.stream and (dep.end is None or dep.end > op.called) for dep, _, _ in op.deps)
            gap = self.between(1_300, 2_800, op.uid, "gap") if far else self.between(600, 1_400, op.uid, "gap")
            op.become(self.now, ("launch",))
            self.at(self.now + gap, self.get_ready, op)
        if not self.labels or len(self.streams_of[channel]) < 2:
            return
        ahead = set()
        for op in queue:
            if op.arrived <= self.now:
                op.become(self.now, ("connection",) if ahead - {op.stream} else ())
            ahead.add(op.stream)

    def get_ready(self, op):
        op.ready = self.now
        gpu = op.stream.gpu
        if op.kind == "kernel":
            context = op.stream.context
            context.pending.append(op)
            context.pending.sort(key=lambda k: (k.stream.priority, k.ready))
            self.turn(gpu)
            self.place(gpu)
            return
        if op.kind in ("HtoD", "DtoH"):
            engine = (gpu, "both" if self.has_one_engine else op.kind)
            running = self.engines.setdefault(engine, [])
            running.append(op)
            if len(running) > 1:
                op.become(self.now, ("copy-engine",))
                return
        self.begin_copy(op)

    def begin_copy(self, op):
        op.become(self.now, None)
        op.start = self.now
        self.at(self.now + op.length, self.finish, op)

    def turn(self, gpu):
        """Which context has the SMs: one at a time, in turns."""
        active = [c for c in self.contexts.values() if c.gpu == gpu and c.is_active()]
        now_on = self.resident.get(gpu)
        if not active or gpu in self.switching:
            return
        if now_on is None:
            self.resident[gpu] = active[0]
            return
        others = [c for c in active if c is not now_on]
        if not others:
            self.slice_at.pop(gpu, None)
        elif not now_on.is_active():
            self.switch(gpu)
        elif gpu not in self.slice_at:
            self.slice_at[gpu] = self.now + self.program.get("slice", 2_000_000)
            self.at(self.slice_at[gpu], self.expire, gpu, self.slice_at[gpu])

    def expire(self, gpu, when):
        if self.slice_at.get(gpu) == when:
            self.switch(gpu)

    def switch(self, gpu):
        old = self.resident[gpu]
        active = [c for c in self.contexts.values() if c.gpu == gpu and c.is_active() and c is not old]
        self.slice_at.pop(gpu, None)
        if not active:
            return
        for group in old.groups.values():
            if group["end"] is not None:
                group["left"], group["end"] = group["end"] - self.now, None
        self.switching[gpu] = active[0]
        self.resident[gpu] = None
        self.at(self.now + self.between(20_000, 100_000, gpu, self.now), self.switched, gpu)
        self.place(gpu)

    def switched(self, gpu):
        context = self.switching.pop(gpu)
        self.resident[gpu] = context
        for number, group in context.groups.items():
            if group["begun"]:
                self.start_group(context, number)
        self.turn(gpu)
        self.place(gpu)

    def place(self, gpu):
        """Puts blocks on the SMs: of the kernel in front until it has them all there, then of the next."""
        context = self.resident.get(gpu)
        if context is not None:
            while context.pending:
                op = context.pending[0]
                self.put(context, op)
                if op.left:
                    break
                context.pending.pop(0)
        if not self.labels:
            return
        for other in self.contexts.values():
            if other.gpu != gpu:
                continue
            seen = {}
            for place, op in enumerate(other.pending):
                if op.start is not None:
                    continue
                if other is not context:
                    op.become(self.now, ("other-process",))
                    continue
                # The one in front has no room, else it would have begun.
                if place and op.need not in seen:
                    seen[op.need] = any(self.fit(sm, op) for sm in other.free)
                causes = ("behind-head",) if place else ()
                op.become(self.now, causes if place and seen[op.need] else (*causes, "no-room"))

    def fit(self, sm, op):
        """How many blocks of a kernel an SM has room for."""
        threads, registers, shared = op.need
        if sm[0] < threads or sm[2] < registers or sm[3] < shared or not sm[1]:
            return 0
        most = min(sm[0] // threads, sm[1], sm[2] // registers)
        return min(most, sm[3] // shared) if shared else most

    def put(self, context, op):
        left = op.left
        threads, registers, shared = need = op.need
        fits = []  # free threads, place and how many blocks fit, as by fit()
        for place, (has, slots, of_registers, of_shared) in enumerate(context.free):
            if has >= threads and slots and of_registers >= registers and of_shared >= shared:
                most = min(has // threads, slots, of_registers // registers)
                fits.append((-has, place, min(most, of_shared // shared) if shared else most))
        fits.sort()
        if not fits:
            return
        counts = [0] * len(fits)
        if sum(fit[2] for fit in fits) <= left:
            counts = [fit[2] for fit in fits]
            left -= sum(counts)
        else:
            while left:
                for place, fit in enumerate(fits):
                    if left and fit[2] > counts[place]:
                        counts[place] += 1
                        left -= 1
        placed = [(fit[1], count) for fit, count in zip(fits, counts) if count]
        for sm, count in placed:
            free = context.free[sm]
            free[0] -= need[0] * count
            free[1] -= count
            free[2] -= need[1] * count
            free[3] -= need[2] * count
        if op.start is None:
            op.become(self.now, None)
            op.start = self.now
        op.left = left
        # Blocks do not take equally long: three groups of SMs differ.
        for third in range(3):
            part = placed[third::3]
            if not part:
                continue
            spread = 0.94 + 0.12 * draw(self.seed, op.uid, "block", op.left, third)
            number = next(self.group_numbers)
            group = {"op": op, "sms": part, "need": need, "end": None, "left": int(op.block_ns * spread), "begun": False}
            op.on_sms += 1
            context.groups[number] = group
            if op.holds:
                op.held.append(number)
            else:
                self.start_group(context, number)
        if not op.left:
            trigger = self.now + int(op.block_ns * 0.6)
            self.at(trigger, self.trigger, op)
            if op.group is not None:
                self.meet(op)

    def start_group(self, context, number):
        group = context.groups[number]
        group["begun"] = True
        if self.resident.get(context.gpu) is context:
            group["end"], group["left"] = self.now + group["left"], None
            self.at(group["end"], self.end_group, context, number, group["end"])

    def release(self, op):
        """What its blocks waited for on the SMs has come."""
        op.holds = False
        held, op.held = op.held, []
        for number in held:
            self.start_group(op.stream.context, number)

    def meet(self, op):
        """A collective goes on when all of its kernels are on their GPUs."""
        here = self.collectives.setdefault(op.group["name"], [])
        here.append(op)
        if len(here) == op.group["size"]:
            for other in here:
                self.release(other)

    def trigger(self, op):
        op.triggered = self.now
        self.wake(op, True)

    def wake(self, op, is_trigger):
        waiting, op.waiting = op.waiting, []
        for other, by_trigger in waiting:
            if is_trigger and not by_trigger:
                op.waiting.append((other, by_trigger))
                continue
            other.open_deps -= 1
            if other.open_deps == 0 and other.arrived is not None and other.arrived <= self.now:
                self.look(other.channel)

    def end_group(self, context, number, when):
        group = context.groups.get(number)
        if group is None or group["end"] != when:
            return
        del context.groups[number]
        for sm, count in group["sms"]:
            free = context.free[sm]
            free[0] += group["need"][0] * count
            free[1] += count
            free[2] += group["need"][1] * count
            free[3] += group["need"][2] * count
        op = group["op"]
        op.on_sms -= 1
        if not op.on_sms and not op.left:
            self.finish(op)
        self.turn(context.gpu)
        self.place(context.gpu)

    def finish(self, op):
        op.end = self.now
        context = op.stream.context
        context.open.discard(op)
        if op.kind in ("HtoD", "DtoH"):
            running = self.engines[op.stream.gpu, "both" if self.has_one_engine else op.kind]
            running.remove(op)
            if running:
                self.begin_copy(running[0])
        if op.triggered is None:
            op.triggered = self.now
        for other in op.secondaries:
            self.release(other)
        self.wake(op, False)
        self.pending_in[op.channel] -= 1
        for thread in self.full_waits.pop(op.channel, []):
            self.at(self.now, self.step, thread)
        for left, thread in op.wakes:
            left[0] -= 1
            if not left[0]:
                self.at(self.now, self.step, thread)
