#!/usr/bin/env python3
"""Runs processes of `blockstep measure` under PyTorch's profiler, and saves what that recorded.

    blockstep measure table.json --under "python3 scripts/kineto.py LIBRARY TRACE"

LIBRARY is crates/measure/examples/embedded.rs, compiled; TRACE is where the profile goes. The program that `measure` names after them is not
started, as the profiler sees its own process only. Many scenarios are quicker with one process that loads PyTorch once:

    CUDA_DEVICE_MAX_CONNECTIONS=32 CUDA_MODULE_LOADING=EAGER python3 scripts/kineto.py --serve SOCKET LIBRARY &
    blockstep measure table.json --under "python3 scripts/kineto.py --ask SOCKET TRACE"
"""
import ctypes
import os
import shutil
import socket
import sys
import threading


def follow_orders(library, trace):
    """Follows the orders on standard input, and saves what the profiler saw of it; 0, or 1 if one could not be followed."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    torch.zeros(1, device="cuda")
    config = torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], experimental_config=config) as recorded:
        status = library.blockstep_measure_process()
        torch.cuda.synchronize()
    recorded.export_chrome_trace(trace)
    return status


def read_line(connection):
    line = b""
    while (byte := connection.recv(1)) not in (b"", b"\n"):
        line += byte
    return line.decode()


def serve(path, library):
    """Follows the orders of one client after another."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    kept = os.dup(0), os.dup(1)
    while True:
        connection, _ = listener.accept()
        trace = read_line(connection)
        os.dup2(connection.fileno(), 0)
        os.dup2(connection.fileno(), 1)
        try:
            follow_orders(library, trace)
        finally:
            os.dup2(kept[0], 0)
            os.dup2(kept[1], 1)
            connection.close()


def ask(path, trace):
    """Passes orders and answers on until there are no more."""
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    server.sendall(os.path.abspath(trace).encode() + b"\n")

    def pass_orders():
        while chunk := os.read(0, 1 << 16):
            server.sendall(chunk)
        server.shutdown(socket.SHUT_WR)

    threading.Thread(target=pass_orders, daemon=True).start()
    with server.makefile("rb", buffering=0) as answers, os.fdopen(os.dup(1), "wb", buffering=0) as out:
        shutil.copyfileobj(answers, out)


if sys.argv[1] == "--ask":
    ask(*sys.argv[2:4])
elif sys.argv[1] == "--serve":
    serve(sys.argv[2], ctypes.CDLL(os.path.abspath(sys.argv[3])))
else:
    sys.exit(follow_orders(ctypes.CDLL(os.path.abspath(sys.argv[1])), sys.argv[2]))
