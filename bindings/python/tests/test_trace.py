"""Traces of profilers."""

from __future__ import annotations

from pathlib import Path

import pytest

import blockstep as bs

TRACES = Path(__file__).parents[3] / "tests" / "data" / "traces"


def test_path_causes_and_gains() -> None:
    trace = bs.trace(TRACES / "43-behind-head-or-connection.json")
    assert trace.answer == ["Of 816.0 µs, 811.0 µs is the GPU working (all of it tiny), 5.0 µs the rest."]
    assert str(trace) == trace.answer[0]
    assert len(trace) == 11
    assert trace.path.columns == ["device", "from_ns", "to_ns", "share", "what", "cause", "certainty", "operation"]
    assert [row["change"] for row in trace.gains.to_list() if row["is_proposed"]] == ["faster", "connections", "faster"]
    assert trace.gains is trace.gains


def test_pieces_of_a_path_follow_each_other_and_add_up() -> None:
    for file in sorted(TRACES.glob("*.json")):
        try:
            trace = bs.trace(file)
        except bs.Error as error:
            assert error.field == "path" and error.value == file, file
            continue
        whole = trace.to_dict()
        for device in set(trace.path["device"]):
            pieces = [row for row in trace.path.to_list() if row["device"] == device]
            assert all(one["to_ns"] == next["from_ns"] for one, next in zip(pieces, pieces[1:])), file
            walls = [path["wall_clock_ns"] for path in whole["paths"] if path["device"] == device]
            assert walls == [pieces[-1]["to_ns"] - pieces[0]["from_ns"]], file
        waited = {row["cause"]: row["waited_ns"] for row in whole["causes"] if row["waited_ns"]}
        found: dict[str, int] = {}
        for row in trace.causes.to_list():
            found[row["cause"]] = found.get(row["cause"], 0) + row["part_ns"]
        assert found == waited, file


def test_an_export_of_nsight_systems() -> None:
    trace = bs.trace(TRACES / "03-loading-table.sqlite")
    assert trace.to_dict()["source"] == "Nsight"
    assert next(row["change"] for row in trace.gains.to_list() if row["is_proposed"]) == "warm-up"


def test_a_trace_beside_that_of_the_changed_program() -> None:
    before, after = (bs.trace(TRACES / f"48-one-kernel-a-step-{when}.json") for when in ("before", "after"))
    compared = before.compare(after)
    assert compared["compares"] == "steps" and compared["step"]["before_ns"] != compared["step"]["after_ns"]
    assert compared["verdict"].startswith("A step is ")
    assert {"what", "promised_permille", "is_gone"} <= set(compared["promises"][0])
    same = before.compare(before)
    assert not same["changes"] and not any(promise["is_gone"] for promise in same["promises"])
    with pytest.raises(TypeError):
        before.compare("after.json")  # type: ignore[arg-type]


def test_what_is_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text("")
    with pytest.raises(bs.Error):
        bs.trace(path)
    with pytest.raises(FileNotFoundError) as missing:
        bs.trace(tmp_path / "none.json")
    assert missing.value.filename == str(tmp_path / "none.json")
    good = TRACES / "43-behind-head-or-connection.json"
    with pytest.raises(bs.Error) as raised:
        bs.trace(good, connections=33)
    assert (raised.value.field, raised.value.limit) == ("connections", 32)
    with pytest.raises(bs.Error, match="there is no built-in device"):
        bs.trace(good, gpu="a1000")
