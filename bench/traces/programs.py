"""Programs as people write them, each with its figures drawn from a seed. A program is plain data; machine.py says what its fields do."""

import random

KERNELS = [  # name, threads of a block, registers, bytes of shared memory
    ("ampere_sgemm_128x64_tn", 128, 122, 16384),
    ("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n", 256, 168, 49152),
    ("void at::native::vectorized_elementwise_kernel<4>", 128, 24, 0),
    ("void at::native::reduce_kernel<512, 1>", 512, 32, 2048),
    ("void cudnn::bn_fw_tr_1C11_kernel_NCHW", 512, 40, 4096),
    ("softmax_warp_forward", 128, 40, 0),
    ("layer_norm_kernel", 256, 36, 1024),
    ("flash_fwd_kernel", 128, 200, 32768),
]
GPUS = ["NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB", "Tesla V100-SXM2-32GB", "NVIDIA GeForce RTX 4090", "Tesla T4"]
NULL = 7


class Draft:
    """A program that is being written."""

    def __init__(self, kind, seed, **fields):
        self.draw = random.Random(f"{kind} {seed}")
        draw = self.draw
        self.program = {"kind": kind, "seed": seed, "gpu": draw.choice(GPUS), "bandwidth": draw.choice([6.0, 12.0, 22.0]),
                        "engines": 1 if draw.random() < 0.1 else 2, "processes": []}
        self.program.update(fields)
        self.number = 0

    def process(self, gpus=1, first_gpu=0, null="null"):
        pid = 4000 + 1000 * len(self.program["processes"])
        streams = [{"number": NULL + 8 * gpu, "kind": null, "gpu": first_gpu + gpu} for gpu in range(gpus)]
        process = {"pid": pid, "threads": {}, "streams": streams}
        self.program["processes"].append(process)
        return process

    def stream(self, process, kind="non-blocking", gpu=0, priority=0):
        number = 20 + len(process["streams"])
        process["streams"].append({"number": number, "kind": kind, "gpu": gpu, "priority": priority})
        return number

    def thread(self, process):
        actions = process["threads"].setdefault(process["pid"] + len(process["threads"]), [])
        return Thread(self, actions)


class Thread:
    def __init__(self, draft, actions):
        self.draft, self.draw, self.actions = draft, draft.draw, actions

    def add(self, do, **fields):
        self.actions.append({"do": do, **fields})

    def host(self, low, high, name="aten::linear"):
        self.add("host", ns=int(self.draw.uniform(low, high) * 1000), name=name)

    def shape(self, us, blocks=None, which=None):
        """A kernel of about so many microseconds."""
        name, threads, registers, shared = self.draw.choice(KERNELS) if which is None else KERNELS[which]
        blocks = blocks if blocks is not None else self.draw.choice([1, 8, 32, 64, 108, 132, 200, 264, 400, 800])
        return {"name": name, "blocks": blocks, "threads": threads, "registers": registers, "shared": shared,
                "block_ns": int(us * 1000)}

    def kernel(self, stream, us, blocks=None, which=None, **more):
        call = "cudaLaunchKernelExC" if more.get("pdl") else "cudaLaunchKernel"
        self.add("kernel", call=call, stream=stream, **self.shape(us, blocks, which), **more)

    def copy(self, stream, direction, size, pinned=True, sync=False, read=False):
        """A copy; the host needs at once what one brings that is read."""
        self.add("copy", call="cudaMemcpy" if sync else "cudaMemcpyAsync", stream=stream, direction=direction, bytes=int(size),
                 pinned=pinned, sync=sync, read=read)

    def memset(self, stream, size):
        self.add("memset", call="cudaMemsetAsync", stream=stream, bytes=int(size))

    def record(self, stream):
        self.draft.number += 1
        self.add("record", call="cudaEventRecord", stream=stream, event=self.draft.number)
        return self.draft.number

    def wait(self, stream, event):
        self.add("wait", call="cudaStreamWaitEvent", stream=stream, event=event)

    def after(self, stream, *others):
        """A stream goes on after what others have so far."""
        for event in [self.record(other) for other in others]:
            self.wait(stream, event)

    def sync(self, stream=None, gpu=0, last=False):
        if stream is None:
            self.add("sync", call="cudaDeviceSynchronize", gpu=gpu, last=last)
        else:
            self.add("sync", call="cudaStreamSynchronize", stream=stream, last=last)

    def sync_event(self, event):
        self.add("sync-event", call="cudaEventSynchronize", event=event)

    def alloc(self, name, us, gpu=0):
        self.add("alloc", call=name, gpu=gpu, ns=int(us * 1000))

    def signal(self, name):
        self.add("signal", name=name)

    def wait_for(self, name):
        self.add("await", name=name)


def training(draft):
    """One stream, two threads: the second runs the backward pass, as PyTorch does."""
    process = draft.process()
    main, backward = draft.thread(process), draft.thread(process)
    draw = draft.draw
    layers, pinned = draw.randint(4, 10), draw.random() < 0.5
    slow, us = draw.uniform(2, 40), draw.choice([8, 30, 120])
    loader = draft.stream(process) if draw.random() < 0.4 else NULL
    for step in range(draw.randint(3, 5)):
        main.host(50, draw.choice([100, 800]), "DataLoader")
        main.copy(loader, "HtoD", draw.choice([40_000, 400_000, 4_000_000]), pinned)
        if loader != NULL:
            main.after(NULL, loader)
        for layer in range(layers):
            main.host(slow / 2, slow)
            main.kernel(NULL, us * draw.uniform(0.5, 1.5), which=layer % 8)
        main.signal(f"loss {step}")
        backward.wait_for(f"loss {step}")
        for layer in range(layers):
            backward.host(slow / 2, slow, "autograd::engine::evaluate_function")
            backward.kernel(NULL, us * draw.uniform(0.8, 2.5), which=layer % 8)
        backward.signal(f"gradients {step}")
        main.wait_for(f"gradients {step}")
        for _ in range(draw.randint(2, 6)):
            main.host(3, 10, "Optimizer.step")
            main.kernel(NULL, draw.uniform(3, 15), which=2)
        if draw.random() < 0.7:
            main.copy(NULL, "DtoH", 4, pinned=False, read=True)
    main.sync(last=True)


def inference(draft):
    """Small kernels in one stream; the host is mostly late."""
    process = draft.process()
    thread = draft.thread(process)
    slow, us = draft.draw.uniform(1, 25), draft.draw.choice([3, 8, 20])
    for _ in range(draft.draw.randint(3, 6)):
        thread.copy(NULL, "HtoD", draft.draw.choice([500, 100_000]), draft.draw.random() < 0.5)
        for _ in range(draft.draw.randint(10, 25)):
            thread.host(slow / 2, slow)
            thread.kernel(NULL, us * draft.draw.uniform(0.5, 2))
        thread.copy(NULL, "DtoH", 4_000, pinned=draft.draw.random() < 0.5)
        thread.sync(NULL)
        thread.host(20, 200, "tokenize")
    thread.sync(last=True)


def forks(draft):
    """Non-blocking streams that part and meet by events."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    streams = [draft.stream(process) for _ in range(draw.randint(2, 5))]
    us = draw.choice([15, 60, 200])
    for _ in range(draw.randint(3, 7)):
        thread.kernel(NULL, us * draw.uniform(0.5, 1.5), draw.choice([8, 32, 64]))
        fork = thread.record(NULL)
        for stream in streams:
            thread.wait(stream, fork)
            for _ in range(draw.randint(1, 4)):
                thread.host(1, 8)
                thread.kernel(stream, us * draw.uniform(0.3, 2), draw.choice([4, 8, 16, 32]))
        thread.after(NULL, *streams)
        if draw.random() < 0.3:
            thread.sync_event(thread.record(draw.choice(streams)))
    thread.kernel(NULL, us)
    thread.sync(last=True)


def blocking_streams(draft):
    """Streams made by cudaStreamCreate, and work in the NULL stream between."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    streams = [draft.stream(process, "blocking") for _ in range(draw.randint(2, 4))]
    free = draft.stream(process) if draw.random() < 0.4 else None
    us = draw.choice([20, 80, 200])
    for _ in range(draw.randint(3, 6)):
        for stream in streams:
            for _ in range(draw.randint(1, 3)):
                thread.host(1, 6)
                thread.kernel(stream, us * draw.uniform(0.3, 2), draw.choice([4, 8, 16, 64]))
            if draw.random() < 0.3:
                thread.copy(stream, "DtoH", draw.choice([100_000, 2_000_000]))
        if free is not None:
            thread.kernel(free, us * 2, 8)
        for _ in range(draw.randint(1, 2)):
            thread.host(1, 6)
            if draw.random() < 0.3:
                thread.memset(NULL, 4_000_000)
            else:
                thread.kernel(NULL, us * draw.uniform(0.3, 1.5), draw.choice([8, 32]))
    thread.sync(last=True)


def pipeline(draft):
    """Copies in, kernels, copies out, in several streams; pinned memory or not."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    kind = draw.choice(["non-blocking", "blocking"])
    streams = [draft.stream(process, kind) for _ in range(draw.randint(2, 4))]
    size, pinned, sync = draw.choice([200_000, 1_000_000, 4_000_000]), draw.random() < 0.65, draw.random() < 0.15
    us = draw.choice([40, 150, 400])
    for part in range(draw.randint(6, 14)):
        stream = NULL if sync else streams[part % len(streams)]
        thread.host(2, 15, "slice")
        thread.copy(stream, "HtoD", size * draw.uniform(0.7, 1.3), pinned, sync)
        for _ in range(draw.randint(1, 3)):
            thread.kernel(stream, us * draw.uniform(0.5, 1.5), draw.choice([16, 64, 132]))
        thread.copy(stream, "DtoH", size * draw.uniform(0.3, 1), pinned, sync)
        if draw.random() < 0.1:
            thread.sync(stream)
    thread.sync(last=True)


def full_gpu(draft):
    """Kernels that fill the GPU, in several streams, some of high priority."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    priorities = [0, 0, 0, -1 if draw.random() < 0.6 else 0]
    streams = [draft.stream(process, priority=priority) for priority in priorities[: draw.randint(2, 4)][::-1]]
    us = draw.choice([40, 100, 250])
    for _ in range(draw.randint(12, 30)):
        thread.host(1, draw.choice([5, 60]))
        thread.kernel(draw.choice(streams), us * draw.uniform(0.4, 1.6), draw.choice([8, 64, 300, 800, 1_600]))
    thread.sync(last=True)


def many_streams(draft):
    """More streams than hardware queues, launched in depth or in breadth."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    draft.program["connections"] = draw.choice([1, 2, 8, 8, 8])
    streams = [draft.stream(process) for _ in range(draw.randint(10, 20))]
    us, deep = draw.choice([30, 100]), draw.random() < 0.5
    chain = draw.randint(2, 4)
    order = [s for s in streams for _ in range(chain)] if deep else [s for _ in range(chain) for s in streams]
    for stream in order:
        thread.host(0.5, 3)
        thread.kernel(stream, us * draw.uniform(0.4, 1.6), draw.choice([1, 2, 4]))
    thread.sync(last=True)


def graphs(draft):
    """A graph with branches, launched again and again."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    stream = draft.stream(process)
    us, branches, nodes = draw.choice([4, 10, 40]), draw.randint(1, 3), []
    for _ in range(draw.randint(2, 4)):
        first = len(nodes)
        nodes.append({**thread.shape(us * draw.uniform(0.5, 2), draw.choice([16, 64])), "branch": 0, "after": [first - 1] if first else []})
        if first:
            nodes[-1]["after"] = ends
        ends = []
        for branch in range(branches):
            before = first
            for _ in range(draw.randint(1, 4)):
                nodes.append({**thread.shape(us * draw.uniform(0.5, 2), draw.choice([4, 16, 32])), "branch": branch, "after": [before]})
                before = len(nodes) - 1
            ends.append(before)
    for _ in range(draw.randint(3, 7)):
        thread.host(10, draw.choice([50, 400]), "prepare")
        thread.copy(stream, "HtoD", 2_000)
        thread.add("graph", call="cudaGraphLaunch", stream=stream, nodes=nodes)
        if draw.random() < 0.4:
            thread.kernel(stream, us)
        if draw.random() < 0.5:
            thread.copy(stream, "DtoH", 500)
            thread.sync(stream)
    thread.sync(last=True)


def ranks(draft):
    """Two processes with a GPU each; gradients are reduced beside the backward pass."""
    draw = draft.draw
    layers, us, steps = draw.randint(4, 8), draw.choice([40, 120, 300]), draw.randint(3, 4)
    reduce_us, slow = us * draw.uniform(0.5, 3), draw.uniform(3, 20)
    late = draw.choice([0, 0, 300, 1_000])
    for rank in range(2):
        process = draft.process(first_gpu=rank)
        main, backward = draft.thread(process), draft.thread(process)
        nccl = draft.stream(process, gpu=rank, priority=draw.choice([0, -1]))
        for step in range(steps):
            main.host(20, 100 + late * rank, "DataLoader")
            main.copy(NULL, "HtoD", 400_000)
            for layer in range(layers):
                main.host(slow / 2, slow)
                main.kernel(NULL, us * draw.uniform(0.7, 1.3), which=layer % 8)
            main.signal(f"loss {rank} {step}")
            backward.wait_for(f"loss {rank} {step}")
            for layer in range(layers):
                backward.host(slow / 2, slow, "autograd::engine::evaluate_function")
                backward.kernel(NULL, us * draw.uniform(1.2, 2), which=layer % 8)
                if layer % 2:
                    backward.after(nccl, NULL)
                    backward.add("kernel", call="cudaLaunchKernelExC", stream=nccl, name="ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                                 blocks=16, threads=512, registers=96, shared=20_000, block_ns=int(reduce_us * 1000),
                                 collective={"name": f"{step} {layer}", "size": 2})
            backward.signal(f"gradients {rank} {step}")
            main.wait_for(f"gradients {rank} {step}")
            main.after(NULL, nccl)
            for _ in range(3):
                main.host(3, 10, "Optimizer.step")
                main.kernel(NULL, draw.uniform(5, 30), which=2)
            if draw.random() < 0.5:
                main.copy(NULL, "DtoH", 4, pinned=False, read=True)
        main.sync(gpu=rank, last=True)


def two_gpus(draft):
    """One process, two GPUs: stages hand over by events and copies between the GPUs."""
    process = draft.process(gpus=2)
    threads, draw = [draft.thread(process)], draft.draw
    first, second = draft.stream(process), draft.stream(process, gpu=1)
    us = draw.choice([40, 150, 400])
    thread = threads[0]
    for _ in range(draw.randint(4, 8)):
        thread.host(2, 20)
        for _ in range(draw.randint(1, 3)):
            thread.kernel(first, us * draw.uniform(0.5, 1.5), draw.choice([32, 132, 264]))
        thread.copy(first, "PtoP", draw.choice([500_000, 8_000_000]))
        thread.after(second, first)
        for _ in range(draw.randint(1, 3)):
            thread.kernel(second, us * draw.uniform(0.5, 1.5), draw.choice([32, 132, 264]))
        if draw.random() < 0.4:
            thread.sync(second)
    thread.sync(gpu=1, last=True)
    thread.sync(last=True)


def two_processes(draft):
    """Two processes on one GPU, without MPS: they take turns."""
    draw = draft.draw
    draft.program["slice"] = int(draw.uniform(0.8, 2.2) * 1_000_000)
    for place in range(2):
        process = draft.process()
        process["begins"] = int(draw.uniform(0, 300_000))
        thread = draft.thread(process)
        us = draw.choice([50, 200, 500])
        for _ in range(draw.randint(10, 25)):
            thread.host(2, draw.choice([10, 150]))
            thread.kernel(NULL, us * draw.uniform(0.4, 1.6), draw.choice([16, 132, 400]))
            if draw.random() < 0.1:
                thread.sync(NULL)
        thread.sync(last=True)


def allocations(draft):
    """Memory is allocated and freed within the loop, while another thread launches."""
    process = draft.process()
    draw = draft.draw
    us = draw.choice([50, 200])
    threads = [draft.thread(process) for _ in range(draw.randint(1, 2))]
    streams = [draft.stream(process) for _ in threads]
    for thread, stream in zip(threads, streams):
        for step in range(draw.randint(5, 9)):
            if thread is threads[0]:
                thread.alloc(draw.choice(["cudaMalloc", "cudaFree", "cudaHostAlloc"]), draw.choice([60, 300, 900]))
            for _ in range(draw.randint(2, 4)):
                thread.host(2, 20)
                thread.kernel(stream, us * draw.uniform(0.5, 1.5), draw.choice([16, 64, 132]))
    threads[0].sync(last=True)


def full_queue(draft):
    """More launches than a queue holds."""
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    stream, us = draft.stream(process), draw.uniform(12, 30)
    for _ in range(draw.randint(1_250, 1_500)):
        thread.kernel(stream, us, draw.choice([8, 16]))
    thread.sync(last=True)


def dependent_launches(draft):
    """Programmatic dependent launches, with others between."""
    draft.program["gpu"] = GPUS[0]
    process = draft.process()
    thread, draw = draft.thread(process), draft.draw
    stream = draft.stream(process)
    us = draw.choice([15, 60, 150])
    for _ in range(draw.randint(30, 60)):
        thread.host(0.5, draw.choice([3, 30]))
        thread.kernel(stream, us * draw.uniform(0.5, 1.5), draw.choice([8, 64, 132]), pdl=draw.random() < 0.6)
        if draw.random() < 0.05:
            thread.copy(stream, "DtoH", 4_000)
            thread.sync(stream)
    thread.sync(last=True)


def threads(draft):
    """Threads that launch into streams of their own, and sometimes into one that they share."""
    process = draft.process()
    draw = draft.draw
    shared = draft.stream(process)
    us = draw.choice([20, 80, 250])
    for _ in range(draw.randint(2, 4)):
        thread = draft.thread(process)
        own = draft.stream(process)
        for _ in range(draw.randint(8, 18)):
            thread.host(2, draw.choice([15, 100]))
            thread.kernel(shared if draw.random() < 0.15 else own, us * draw.uniform(0.4, 1.6), draw.choice([4, 16, 64]))
            if draw.random() < 0.1:
                thread.sync(own)
        thread.sync(own, last=True)


def many_collectives(draft):
    """Two ranks that reduce each gradient by itself, most of them small."""
    draw = draft.draw
    layers, us, steps = draw.randint(6, 16), draw.choice([4, 10, 25]), draw.randint(3, 4)
    slow, beside = draw.uniform(2, 8), draw.random() < 0.5
    sizes = [draw.choice([9, 9, 10, 12, 20, 40]) for _ in range(layers)]
    reads, waits = draw.random() < 0.5, draw.random() < 0.5
    for rank in range(2):
        process = draft.process(first_gpu=rank)
        main = draft.thread(process)
        nccl = draft.stream(process, gpu=rank) if beside else NULL
        for step in range(steps):
            main.host(20, 60, "DataLoader")
            main.copy(NULL, "HtoD", 40_000)
            for layer in range(layers):
                main.host(slow / 2, slow)
                main.kernel(NULL, us * draw.uniform(0.7, 1.3), which=layer % 8)
            for layer in range(layers):
                main.host(slow / 2, slow, "autograd::engine::evaluate_function")
                main.kernel(NULL, us * draw.uniform(1.2, 2), which=layer % 8)
                if beside:
                    main.after(nccl, NULL)
                main.add("kernel", call="cudaLaunchKernelExC", stream=nccl, name="ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                         blocks=4, threads=512, registers=96, shared=20_000, block_ns=int(sizes[layer] * 1000),
                         collective={"name": f"{step} {layer}", "size": 2})
            if beside:
                main.after(NULL, nccl)
            main.host(3, 10, "Optimizer.step")
            main.kernel(NULL, draw.uniform(5, 15), which=2)
            if reads:
                main.copy(NULL, "DtoH", 4, pinned=False, read=True)
            if waits:
                main.sync(gpu=rank)
        main.sync(gpu=rank, last=True)


KINDS = {  # how many of a hundred
    training: 14, inference: 8, forks: 10, blocking_streams: 9, pipeline: 9, full_gpu: 8, many_streams: 6, graphs: 8, ranks: 7,
    two_gpus: 4, two_processes: 4, allocations: 4, full_queue: 1, dependent_launches: 4, threads: 4,
}


EXTRA = 500  # programs from this number on are all of one kind, which came later


def program(number, seed):
    """The program with a number. Of the first five hundred, every hundred have the same kinds."""
    place = number * 37 % 100
    for kind, count in KINDS.items():
        place -= count
        if place < 0:
            break
    if number >= EXTRA:
        kind = many_collectives
    draft = Draft(kind.__name__, f"{seed} {number}")
    kind(draft)
    if draft.draw.random() < 0.15:
        draft.program["cold"] = True
    return draft.program
