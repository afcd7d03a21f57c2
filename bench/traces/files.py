"""Writes a run as profilers do: the PyTorch profiler's JSON, and an export of Nsight Systems as SQLite. A file has no more than these
tools record, and lacks in some traces what some versions of them leave out."""

import json
import sqlite3

from device import GPUS, draw

NO_STREAM = 4294967295
BASE = 5_000_000_000_000  # ns: when the recording begins, in the file's time
NAMES = {"HtoD": ("Pageable -> Device", "Pinned -> Device"), "DtoH": ("Device -> Pageable", "Device -> Pinned"),
         "PtoP": ("Device -> Device", "Device -> Device")}
TABLES = {
    "StringIds": "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
    "CUPTI_ACTIVITY_KIND_KERNEL": "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, "
    "shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, "
    "gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
    "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, "
    "copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, graphNodeId INTEGER",
    "CUPTI_ACTIVITY_KIND_MEMSET": "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
    "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL, "
    "bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
    "deprecatedSyncType INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL, eventSyncId INTEGER",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "timestamp INTEGER, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, "
    "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER",
    "CUPTI_ACTIVITY_KIND_OVERHEAD": "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER, overheadType INTEGER NOT NULL",
    "NVTX_EVENTS": "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER, "
    "text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, jsonTextId INTEGER, jsonText TEXT",
    "TARGET_INFO_GPU": "vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT, totalMemory INTEGER, smCount INTEGER, "
    "memoryBandwidth INTEGER, computeMajor INTEGER, computeMinor INTEGER, maxWarpsPerSm INTEGER, maxRegistersPerSm INTEGER, "
    "maxShmemPerSm INTEGER, cuDevice INTEGER",
    "TARGET_INFO_CUDA_STREAM": "streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL, processId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL",
    "META_DATA_EXPORT": "name TEXT NOT NULL, value TEXT",
}
ENUMS = {  # what numbers in columns mean; the words are those of schema 3.25
    "ENUM_CUPTI_SYNC_TYPE": ["Unknown", "Event sync", "Stream wait sync", "Stream sync", "Context sync"],
    "ENUM_CUDA_MEM_KIND": ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"],
    "ENUM_CUDA_MEMCPY_OPER": ["Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host", "Array-to-Array",
                              "Array-to-Device", "Device-to-Array", "Device-to-Device", "Host-to-Host", "Peer-to-Peer"],
}


def where(op):
    """The number of the stream in the file; branches of a graph run in streams of their own."""
    return op.stream.number + 40 * op.branch


def kernels_of(machine, pids):
    return sorted((op for op in machine.operations if op.stream.context.process in pids), key=lambda op: op.seen_start)


def kineto(machine, pid):
    """The trace of one process."""
    seed = machine.seed
    whole = draw(seed, "whole us") < 0.08
    has_waits = draw(seed, "sync events") < 0.5
    has_sources = has_waits and draw(seed, "sources") < 0.5
    has_channel, has_priority = draw(seed, "channel") < 0.15, draw(seed, "priority") < 0.15
    has_overhead = draw(seed, "overhead") < 0.6

    def us(ns):
        return (BASE + ns) // 1_000 if whole else round((BASE + ns) / 1_000, 3)

    def span(cat, name, process, thread, start, end, **args):
        # Both ends are rounded, so that what followed still follows.
        duration = us(end) - us(start)
        return {"ph": "X", "cat": cat, "name": name, "pid": process, "tid": thread, "ts": us(start),
                "dur": duration if whole else round(duration, 3), "args": args}

    capability, sms, threads, _, registers, shared = GPUS[machine.program["gpu"]]
    gpus = sorted({stream.gpu for (process, _), stream in machine.streams.items() if process == pid})
    events = [{"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "ts": us(0), "args": {"name": "python"}},
              {"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "ts": us(0), "args": {"labels": "CPU"}}]
    events += [{"ph": "M", "name": "process_labels", "pid": gpu, "tid": 0, "ts": us(0), "args": {"labels": f"GPU {gpu}"}} for gpu in gpus]
    external = 1
    for work in machine.host_work:
        if work["pid"] == pid:
            events.append(span("cpu_op", work["name"], pid, work["tid"], work["start"], work["end"], **{"External id": external}))
            external += 1
    launches = {op.call["correlation"] for op in machine.operations}
    for call in machine.calls:
        if call["pid"] != pid:
            continue
        events.append(span("cuda_runtime", call["name"], pid, call["tid"], call["start"], call["end"], cbid=0,
                           correlation=call["correlation"]))
        if call["correlation"] in launches:
            events.append({"ph": "s", "cat": "ac2g", "name": "ac2g", "id": call["correlation"], "pid": pid, "tid": call["tid"],
                           "ts": us(call["start"])})
    for op in kernels_of(machine, {pid}):
        stream, gpu = where(op), op.stream.gpu
        args = {"device": gpu, "context": op.stream.context.number, "stream": stream, "correlation": op.call["correlation"]}
        if op.node is not None:
            args["graph node id"] = op.node
        if op.kind == "kernel":
            args |= {"queued": 0, "registers per thread": op.registers, "shared memory": op.shared, "grid": [op.blocks, 1, 1],
                     "block": [op.threads, 1, 1], "blocks per SM": op.blocks / sms, "warps per SM": op.blocks * op.threads / 32 / sms,
                     "est. achieved occupancy %": 0}
            if has_channel and op.node is None:
                args["channel"] = 8 + (1 + op.channel[3]) + (100 if op.stream.priority else 0)
            if has_priority:
                args["priority"] = op.stream.priority
            category, name = "kernel", op.name
        else:
            args |= {"bytes": op.bytes, "memory bandwidth (GB/s)": op.bytes / op.length}
            category = "gpu_memset" if op.kind == "memset" else "gpu_memcpy"
            name = "Memset (Device)" if op.kind == "memset" else f"Memcpy {op.kind} ({NAMES[op.kind][op.pinned]})"
        events.append(span(category, name, gpu, stream, op.seen_start, op.seen_end, **args))
        events.append({"ph": "f", "cat": "ac2g", "name": "ac2g", "id": op.call["correlation"], "pid": gpu, "tid": stream,
                       "ts": us(op.seen_start), "bp": "e"})
    for call, stream, record, source in machine.event_waits if has_waits else []:
        if call["pid"] == pid:
            known = has_sources and record is not None
            events.append(span("cuda_sync", "Stream Wait Event", stream.gpu, stream.number, call["start"] + 300, call["start"] + 900,
                               **{"cuda_sync_kind": "Stream Wait Event", "stream": stream.number, "correlation": call["correlation"],
                                  "device": stream.gpu, "context": stream.context.number, "wait_on_stream": source.number if known else -1,
                                  "wait_on_cuda_event_record_corr_id": record["correlation"] if known else -1, "wait_on_cuda_event_id": 1}))
    for overhead in machine.overheads if has_overhead else []:
        if overhead["pid"] == pid:
            name = "Lazy Function Loading" if overhead["kind"] == "loading" else "Command Buffer Full"
            events.append(span("overhead", name, -1, 0, overhead["start"], overhead["end"]))
    properties = [{"id": gpu, "name": machine.program["gpu"], "totalGlobalMem": 1 << 34, "computeMajor": capability[0],
                   "computeMinor": capability[1], "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": threads, "regsPerBlock": 65536,
                   "regsPerMultiprocessor": registers, "warpSize": 32, "sharedMemPerBlock": 49152, "sharedMemPerMultiprocessor": shared,
                   "sharedMemPerBlockOptin": shared - 1024, "numSms": sms} for gpu in gpus]
    rank = sorted({process for process, _ in machine.streams}).index(pid)
    trace = {"schemaVersion": 1, "deviceProperties": properties, "cuda_runtime_version": 12060, "cuda_driver_version": 12080,
             "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": len({process for process, _ in machine.streams})},
             "displayTimeUnit": "ms", "traceEvents": events, "traceName": "trace.json"}
    return json.dumps(trace, separators=(",", ":"))


def nsight(machine, path):
    """The export of a recording of all processes."""
    seed = machine.seed
    has_events = draw(seed, "cuda-event-trace") < 0.25
    rows = {table: [] for table in TABLES}
    names = {}

    def name(text):
        return names.setdefault(text, len(names) + 1)

    def of(pid, tid=0):
        return (1 << 48) | (pid << 24) | tid

    pids = {process for process, _ in machine.streams}
    sync = 0
    for op in kernels_of(machine, pids):
        context = op.stream.context
        begin = (BASE + op.seen_start, BASE + op.seen_end, op.stream.gpu, context.number, None, where(op), op.call["correlation"],
                 of(context.process))
        if op.kind == "kernel":
            text = name(op.name)
            rows["CUPTI_ACTIVITY_KIND_KERNEL"].append((*begin, text, text, text, 1, op.registers, op.blocks, 1, 1, op.threads, 1, 1,
                                                       op.shared, 0, op.node))
        elif op.kind == "memset":
            rows["CUPTI_ACTIVITY_KIND_MEMSET"].append((*begin, 0, op.bytes, op.node, 2))
        else:
            host = 1 if op.pinned else 0
            kinds = {"HtoD": (1, host, 2), "DtoH": (2, 2, host), "PtoP": (10, 2, 2)}[op.kind]
            rows["CUPTI_ACTIVITY_KIND_MEMCPY"].append((*begin, op.bytes, *kinds, op.node))
    records = {}
    for call in machine.calls:
        thread = of(call["pid"], call["tid"])
        rows["CUPTI_ACTIVITY_KIND_RUNTIME"].append((BASE + call["start"], BASE + call["end"], 0, thread, call["correlation"],
                                                    name(call["name"] + "_v7000"), 0, None))
        kind = {"cudaStreamSynchronize": 3, "cudaDeviceSynchronize": 4, "cudaEventSynchronize": 1}.get(call["name"])
        if kind:
            rows["CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"].append((BASE + call["start"], BASE + call["end"], 0, 1, None, NO_STREAM,
                                                                call["correlation"], of(call["pid"]), None, kind,
                                                                1 if kind == 1 else NO_STREAM, 0))
    for call, stream, record, source in machine.event_waits:
        sync += 1
        rows["CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"].append((BASE + call["start"] + 300, BASE + call["start"] + 900, stream.gpu,
                                                            stream.context.number, None, stream.number, call["correlation"],
                                                            of(call["pid"]), None, 2, sync, sync if has_events else 0))
        if has_events and record is not None:
            records.setdefault(record["correlation"], (record, source))
            rows["CUPTI_ACTIVITY_KIND_CUDA_EVENT"].append((0, source.gpu, source.context.number, None, source.number, record["correlation"],
                                                           of(record["pid"]), sync, sync))
    for overhead in machine.overheads:
        kind, text = (7, "Lazy Function Loading") if overhead["kind"] == "loading" else (8, "Command Buffer Full")
        rows["CUPTI_ACTIVITY_KIND_OVERHEAD"].append((BASE + overhead["start"], BASE + overhead["end"], 0,
                                                     of(overhead["pid"], overhead["tid"]), overhead["correlation"], name(text), kind))
    for work in machine.host_work:
        rows["NVTX_EVENTS"].append((BASE + work["start"], BASE + work["end"], 59, None, None, None, work["name"],
                                    of(work["pid"], work["tid"]), None, None, 0, None, None))
    capability, sms, threads, _, registers, shared = GPUS[machine.program["gpu"]]
    for gpu in sorted({stream.gpu for stream in machine.streams.values()}):
        rows["TARGET_INFO_GPU"].append((1, gpu, machine.program["gpu"], "", 1 << 34, sms, 1 << 40, *capability, threads // 32, registers,
                                        shared, gpu))
    flags = {"blocking": 1, "non-blocking": 2, "null": 3}
    for (pid, number), stream in machine.streams.items():
        rows["TARGET_INFO_CUDA_STREAM"].append((number, 0, 1, pid, stream.context.number, stream.priority & 0xFFFFFFFF, flags[stream.kind]))
    rows["META_DATA_EXPORT"] = [("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", "2026.2.1.210"),
                                ("EXPORT_SCHEMA_VERSION", "3.25.0")]
    rows["StringIds"] = [(number, text) for text, number in names.items()]
    database = sqlite3.connect(path)
    for table, columns in TABLES.items():
        # As in an export, a table is there only if it has rows.
        if rows[table]:
            database.execute(f"CREATE TABLE {table} ({columns})")
            database.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[table][0]))})", rows[table])
    for table, values in ENUMS.items():
        database.execute(f"CREATE TABLE {table} (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)")
        database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", [(place, name, name) for place, name in enumerate(values)])
    database.commit()
    database.close()
