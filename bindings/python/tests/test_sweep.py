"""Sweeps over scenarios."""

from __future__ import annotations

import pytest

import blockstep as bs

TABLE = bs.example("tx2-table-1")


def test_every_combination_is_a_row() -> None:
    sweep = bs.sweep(TABLE, {"kernels[K3].blocks": "1..=3", "policy.kind": ["fifo", "priority"]}, measure=["end", "response:K3", "utilization"])
    rows = sweep.rows
    assert rows.columns == ["run", "kernels[K3].blocks", "policy.kind", "end", "response:K3", "utilization", "problem"]
    assert rows["kernels[K3].blocks"] == [1, 1, 2, 2, 3, 3]
    assert rows["policy.kind"] == ["fifo", "priority"] * 3
    assert rows["utilization"][0] == 46.875
    assert rows["problem"] == [None] * 6
    assert len(rows) == 6
    for row in rows.to_list():
        assert bs.simulate(sweep.scenario(row["run"])).end_ns == row["end"]


def test_parts_are_rows_of_the_whole() -> None:
    vary = {"seed": range(3), "kernels[0].blocks": [0, 1, 2]}
    whole = bs.sweep(TABLE, vary)
    parts = [bs.sweep(TABLE, vary, part=(i, 2)) for i in (1, 2)]
    assert [row for part in parts for row in part.rows.to_list()] == whole.rows.to_list()
    assert parts[0].csv().splitlines()[1] == "# runs 0..4 of 9"
    assert whole.rows["problem"][0].startswith("kernels[0].blocks")
    assert whole.rows["end"][0] is None


def test_a_measure_is_drawn() -> None:
    sweep = bs.sweep(TABLE, {"kernels[K3].blocks": "1..=9", "policy.kind": ["fifo", "priority"]})
    assert ">policy.kind priority<" in sweep.svg()
    with pytest.raises(bs.Error, match="the sweep has no measure") as raised:
        sweep.svg("steps")
    assert raised.value.field == "measure"


def test_all_runs_are_by_the_policy_that_is_given() -> None:
    for policy in ("fifo", "gcaps", bs.policy("gcaps")):
        sweep = bs.sweep(TABLE, {"kernels[K3].blocks": [1, 2]}, measure="end", policy=policy, device="titanv")
        for row in sweep.rows.to_list():
            assert bs.simulate(sweep.scenario(row["run"])).end_ns == row["end"]
        run = bs.simulate(sweep.scenario(0))
        assert (run.policy, run.device) == ("fifo" if policy == "fifo" else "own", "Titan V (Volta gv100)")
        assert bs.simulate(TABLE, policy=policy, device="titanv").policy == run.policy


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(bs.Error, match="kernels has no row") as raised:
        bs.sweep(TABLE, {"kernels[K9].blocks": [1]})
    assert raised.value.field == "vary"
    with pytest.raises(bs.Error, match="is not a measure") as raised:
        bs.sweep(TABLE, {"seed": [1]}, measure=["speed"])
    assert (raised.value.field, raised.value.value) == ("measure", ["speed"])
    with pytest.raises(bs.Error, match="is no single value"):
        bs.sweep(TABLE, {"seed": ["1..3"]})
    with pytest.raises(bs.Error, match="is not one of the parts"):
        bs.sweep(TABLE, {"seed": [1]}, part=(3, 2))
    with pytest.raises(bs.Error, match="the sweep has 1 run") as raised:
        bs.sweep(TABLE, {"seed": [1]}).scenario(1)
    assert raised.value.limit == 0
