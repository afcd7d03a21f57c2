"""What is wrong, with field, value and limit; Ctrl-C; panics."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import blockstep as bs
from conftest import many_blocks


def error_of(*args: Any, **named: Any) -> bs.Error:
    with pytest.raises(bs.Error) as raised:
        bs.simulate(*args, **named)
    return raised.value


def test_field_value_and_limit(kernel: dict[str, Any]) -> None:
    kernel["kernels"][0] |= {"blocks": 0, "threads_per_block": 5_000}
    error = error_of(kernel)
    assert isinstance(error, ValueError)
    assert (error.field, error.value, error.limit, error.line) == ("kernels[0].blocks", 0, 1, None)
    assert str(error).splitlines()[0] == "kernels[0].blocks is 0; at least 1 is needed"
    assert [(problem["field"], problem["value"], problem["limit"]) for problem in error.problems] == [
        ("kernels[0].blocks", 0, 1),
        ("kernels[0].threads_per_block", 5_000, 1_024),
    ]


def test_limits_are_in_the_unit_of_the_field(kernel: dict[str, Any]) -> None:
    kernel["kernels"][0] |= {"shared_memory_bytes": 1 << 20}
    assert error_of(kernel).limit == 48 * 1024
    kernel["kernels"][0] |= {"shared_memory_bytes": 0, "registers_per_thread": 200}
    error = error_of(kernel)
    assert (error.value, error.limit) == (200, 32)
    kernel["kernels"][0] |= {"registers_per_thread": error.limit}
    bs.simulate(kernel)


def test_a_file_has_its_name_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{\n "version": 1,\n "kernels": [ { "name": "K1", "block": 2 } ]\n}')
    error = error_of(path)
    assert (error.field, error.value, error.line) == ("kernels[0].block", 2, 3)
    assert str(error).startswith(f"{path}: line 3: ")
    with pytest.raises(FileNotFoundError) as missing:
        bs.simulate(tmp_path / "none.json")
    assert missing.value.filename == str(tmp_path / "none.json")
    assert str(missing.value) == f"[Errno 2] No such file or directory: {str(tmp_path / 'none.json')!r}"
    path.write_bytes(b'{"version": \xff}')
    assert "not UTF-8" in str(error_of(path))


@pytest.mark.parametrize("text", ["", " ", "{", "{}", "<", "<a/>", "[]", "\ufeff{", '{"version": 9}', '{"kernels": 3}'])
def test_any_text_is_an_error_or_a_run(text: str) -> None:
    try:
        bs.simulate(text)
    except (bs.Error, OSError):
        pass


def test_arguments(kernel: dict[str, Any]) -> None:
    assert error_of(kernel, policy="rr").value == "rr"
    assert error_of(kernel, policy="on request(t):\n  ad t to running\n").line == 2
    assert error_of(kernel, device="gpu").field == "device"
    assert error_of(kernel, duration=0).limit == 1
    assert error_of(kernel, duration="5 parsecs").field == "duration"
    assert error_of(kernel, duration=-1).value == -1
    assert error_of(kernel, max_steps=0).limit == 1
    assert error_of(kernel, max_steps=200_000_000).limit == 100_000_000
    assert error_of(kernel, variants=["none"]).value == "none"
    cut = error_of(kernel, max_steps=3)
    assert (cut.field, cut.limit) == ("max_steps", 3)
    assert error_of([1]).message == "is of type list; give a path, a text or a dict"


@pytest.mark.parametrize(
    ("at", "limit"), [(-1, 89), (10**30, 89), ("#90", 89), ("9s", 4_800_000_000), ("5 parsecs", None), (3.5, None), (None, None), ("", None)]
)
def test_places_that_are_none(run: bs.Run, at: Any, limit: int | None) -> None:
    for ask in (run.state, lambda at: run.why("K1", at), lambda at: run.svg(figure="queues", at="" if at is None else at)):
        with pytest.raises(bs.Error) as raised:
            ask(at)
        assert (raised.value.field, raised.value.limit) == ("at", limit)
        assert raised.value.value == at or at is None


def test_names_that_are_none(run: bs.Run) -> None:
    with pytest.raises(bs.Error, match="there are K1, K2, C2o") as raised:
        run.why("K9", at=3)
    assert raised.value.value == "K9"
    for wrong in ({"figure": "pie"}, {"palette": "pink"}, {"width": 3}, {"start": "2s", "end": "1s"}):
        with pytest.raises(bs.Error):
            run.svg(**wrong)
    with pytest.raises(bs.Error):
        run.text("pdf")  # type: ignore[arg-type]
    with pytest.raises(bs.Error):
        bs.example("none")


def test_a_slip_in_a_name_gets_the_nearest_one(run: bs.Run) -> None:
    text = bs.example("tx2-table-1")
    slips: list[tuple[str, str, str, Callable[[], Any]]] = [
        ("policy", "proirity", "priority", lambda: bs.simulate(text, policy="proirity")),
        ("policy", "gcasp", "gcaps", lambda: bs.analyse(text, policy="gcasp")),
        ("policy", "rate-monotonous", "", lambda: bs.sweep(text, {"seed": [1]}, policy="rate-monotonous")),
        ("text", "round-robbin", "round-robin", lambda: bs.policy("round-robbin")),
        ("device", "titnav", "titanv", lambda: bs.simulate(text, device="titnav")),
        ("variants", "last-fitt", "last-fit", lambda: bs.simulate(text, variants="last-fitt")),
        ("id", "tx2-table1", "tx2-table-1", lambda: bs.example("tx2-table1")),
        ("source", "lp-33", "lp-3", lambda: bs.study("lp-33")),
        ("measure", "ends", "end", lambda: bs.sweep(text, {"seed": [1]}, measure="ends")),
        ("palette", "drak", "dark", lambda: run.svg(palette="drak")),  # type: ignore[arg-type]
        ("figure", "queue", "queues", lambda: run.svg(figure="queue")),  # type: ignore[arg-type]
        ("form", "job", "jobs", lambda: run.text("job")),  # type: ignore[arg-type]
    ]
    for field, value, nearest, call in slips:
        with pytest.raises(bs.Error) as raised:
            call()
        said, _, hint = str(raised.value).partition("; did you mean ")
        assert (raised.value.field, raised.value.value, hint) == (field, value, nearest and f"{nearest}?")
        assert f"{nearest}" in said
    with pytest.raises(bs.Error) as raised:
        bs.simulate(text, policy="none")
    names = str(raised.value).split("there are ")[1].split(", ")
    assert len(set(names)) == len(names) and set(names) == {"fifo", "priority", "runlist", "edf", "own", *bs.policies()}
    with pytest.raises(KeyError, match="did you mean end_ns"):
        run.blocks["end_n"]


def test_the_name_of_an_example_is_no_file() -> None:
    with pytest.raises(bs.Error, match=r'^source: there is no file "tx2-table-1"; bs.example\("tx2-table-1"\) is the example of this name$'):
        bs.simulate("tx2-table-1")
    with pytest.raises(FileNotFoundError):
        bs.simulate("none")


def test_every_error_has_all_attributes() -> None:
    error = bs.Error("one's own")
    assert (error.field, error.value, error.limit, error.line, error.message, error.problems) == (None, None, None, None, None, [])


def test_a_panic_is_an_exception() -> None:
    # Python's own words for it go to standard error.
    code = "from blockstep import _blockstep\ntry: _blockstep._break(is_apart={})\nexcept BaseException as e: print(type(e).__name__, e)"
    for is_apart in (False, True):
        done = subprocess.run([sys.executable, "-c", code.format(is_apart)], capture_output=True, text=True, check=True)
        assert done.stdout == "PanicException broken on purpose\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_control_c_ends_a_run() -> None:
    text = many_blocks(9_000_000)
    begun = threading.Event()

    def interrupt() -> None:
        # It comes on when the run gives Python back.
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        begun.set()
        while True:
            bs.simulate(text, max_steps=50_000_000)
    other.join()


def test_other_threads_go_on() -> None:
    is_inside, is_seen, is_over = threading.Event(), threading.Event(), threading.Event()

    def watch() -> None:
        while not is_over.is_set():
            if is_inside.is_set():
                is_seen.set()

    other = threading.Thread(target=watch)
    other.start()
    # However seldom the system lets the other thread run.
    while not is_seen.is_set():
        is_inside.set()
        bs.simulate(many_blocks(50_000))
        is_inside.clear()
    is_over.set()
    other.join()
