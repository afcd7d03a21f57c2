"""Runs, and what is asked of them."""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path
from typing import Any

import pytest

import blockstep as bs


def test_path_text_and_dict_are_the_same_run(tmp_path: Path) -> None:
    text = bs.example("tx2-table-1")
    path = tmp_path / "table 1.json"
    path.write_text(text)
    runs = [bs.simulate(source) for source in (text, json.loads(text), path, str(path))]
    assert len({run.text("trace") for run in runs}) == 1
    assert runs[0].name == "TX2 Table 1: basic scheduling rules"
    assert runs[0].device == "Jetson TX2 (Pascal gp10b)"
    assert (len(runs[0]), runs[0].end_ns, runs[0].notes) == (89, 4_800_000_000, [])


def test_numbers_of_numpy_in_a_dict(kernel: dict[str, Any]) -> None:
    numpy = pytest.importorskip("numpy")
    kernel["kernels"][0]["blocks"] = numpy.int64(3)
    assert len(bs.simulate(kernel).blocks) == 3


def test_every_example_runs_and_its_tables_agree_with_the_text_forms() -> None:
    for id in bs.examples():
        run = bs.simulate(bs.example(id))
        forms = (("kernels", run.text("kernels"), run.kernels), ("jobs", run.text("jobs"), run.jobs), ("waits", run.text("waits"), run.waits))
        for form, text, table in forms:
            lines = text.splitlines()
            assert lines[0].split(",") == table.columns, (id, form)
            assert len(lines) - 1 == len(table), (id, form)
        trace = json.loads(run.text("trace"))
        assert len(run.blocks) == len(trace["blocks"])
        assert len(run.copies) == len(trace["copies"])
        for row, block in zip(run.blocks.to_list(), trace["blocks"], strict=True):
            assert row["executed_ns"] == sum(end - start for start, end in block["runs"]), (id, row)
            assert {name: row[name] for name in ("kernel", "job", "block", "sm", "start_ns", "end_ns")} == {
                name: block[name] for name in ("kernel", "job", "block", "sm", "start_ns", "end_ns")
            }
        steps = [line for line in run.text("steps").splitlines() if not line.startswith("#")]
        assert [f"{row['at_ns']} {row['rule']} {row['what']}" for row in run.steps.to_list()] == steps


def test_policy_device_and_variants() -> None:
    text = bs.example("tx2-table-1")
    fifo = bs.simulate(text, policy="fifo")
    assert fifo.policy == "fifo"
    volta = bs.simulate(text, device="titanv")
    assert (volta.device, len(volta.notes)) == ("Titan V (Volta gv100)", 1)
    varied = bs.simulate(text, variants=["no-null-barrier"])
    assert varied.notes == ["this is not what a GPU does; rules changed: no-null-barrier"]
    with pytest.raises(bs.Error, match="no-null-barrier"):
        varied.link()


def test_a_config_without_durations_needs_one() -> None:
    config = {
        "name": "two",
        "max_iterations": 1,
        "max_time": 0,
        "gpu_device_id": 0,
        "use_processes": False,
        "benchmarks": [{"filename": "./bin/mandelbrot.so", "log_name": "m.json", "thread_count": 128, "block_count": 4, "data_size": 0, "additional_info": 1}],
    }
    with pytest.raises(bs.Error):
        bs.simulate(config)
    assert len(bs.simulate(config, duration="10ms").blocks) == 4
    assert bs.simulate(config, duration=10_000_000).end_ns == bs.simulate(config, duration="10ms").end_ns


def test_state_by_steps_and_by_time(run: bs.Run) -> None:
    state = run.state(20)
    assert (state.step, state.at_ns) == (20, 1_000_000_000)
    assert str(state) == "Step 20 of 89, 1 s: Block 1 of K1 completes and frees its place on SM 1."
    assert state.queues.to_list()[0] == {"kind": "stream", "queue": "S1", "process": "P0", "place": 0, "op": "K1"}
    assert state.sms["free_threads"] == [1280, 1280]
    assert [(row["op"], row["block"]) for row in state.blocks.to_list()] == [("K1", 2), ("K1", 3)]
    assert state.waiting["op"][0] == "K2"
    assert run.state(at="#20").step == 20
    assert run.state(at="1.2s").at_ns == 1_200_000_000
    assert (run.state(at=0).step, run.state(at=89).step, run.state(at=True).step) == (0, 89, 1)
    ET.fromstring(state.svg())


def test_why(run: bs.Run) -> None:
    why = run.why("K5", at="1.2s")
    assert (why.op, why.doing, why.rule, why.blockers) == ("K5", "waits", "R3", ["K4"])
    assert str(why) == "K5 waits: needs 32 KiB of free shared memory; no SM has any, and K4 holds it"
    assert why.until_ns == run.kernels["start_ns"][run.kernels["kernel"].index("K5")]
    assert run.why("K6", at="1.2s").doing == "not issued"
    assert run.why("K1", at="4s").doing == "complete"
    assert run.why("K1", at="1.2s").doing == "executes"
    # What it does at every step is what the run says of its times.
    for row in run.kernels.to_list():
        for step in range(len(run) + 1):
            doing, at = run.why(row["kernel"], at=step).doing, run.state(step).at_ns
            assert doing != "executes" or row["start_ns"] <= at <= row["end_ns"]
            assert doing != "complete" or row["end_ns"] <= at
            assert doing != "not issued" or at <= row["issued_ns"]


def test_an_operation_of_several_jobs_is_the_one_that_is_not_complete() -> None:
    run = bs.simulate(bs.example("edf-fig-1"))
    name = run.kernels["kernel"][0]
    jobs = [row for row in run.kernels.to_list() if row["kernel"] == name]
    if len(jobs) > 1:
        later = run.why(name, at=f"{jobs[1]['issued_ns']} ns")
        assert later.op == f"{name}#1"
    assert run.why(f"{name}", at=0).doing == "not issued"


def test_pictures(run: bs.Run) -> None:
    root = ET.fromstring(run.svg())
    assert root.get("width") == "1200"
    assert "1.2" in run.svg(figure="queues", at="1.2s", width=600)
    assert run.svg(start="1s", end="2s") != run.svg()
    assert run.svg(palette="dark") != run.svg(palette="light")
    assert run.name not in run.svg(title=False).split("</desc>", 1)[1]


def test_pictures_in_a_notebook_are_small_and_have_no_ids() -> None:
    for id in bs.examples():
        html = bs.simulate(bs.example(id))._repr_html_()
        assert 1_000 < len(html.encode()) < 30_000, id
        ET.fromstring(html)
        assert not re.search(r"\b(id|class|href)=|<style|<script", html), id
        assert "time, " in html, id


def test_a_picture_of_many_blocks_is_small(kernel: dict[str, Any]) -> None:
    kernel["kernels"][0]["blocks"] = 20_000
    html = bs.simulate(kernel)._repr_html_()
    assert 500 < len(html.encode()) < 30_000
    ET.fromstring(html)


def test_a_link_holds_the_scenario(run: bs.Run) -> None:
    link = run.link(page="https://example.org/", at="1.2s")
    address, fragment = link.split("#v2=")
    assert address == "https://example.org/"
    text = zlib.decompress(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))).decode()
    assert "1200000000" in text.split("\n")[0]
    assert 'K6"' in text


def test_a_text_of_the_scenario_is_the_same_run(run: bs.Run) -> None:
    assert bs.simulate(run.text("scenario")).text("trace") == run.text("trace")
    assert repr(run) == '<blockstep.Run: "TX2 Table 1: basic scheduling rules" under priority, 89 steps, ends at 4.8 s>'
