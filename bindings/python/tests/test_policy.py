"""Policies of one's own."""

from __future__ import annotations

import json
from typing import Any

import pytest

import blockstep as bs


def test_published_ones() -> None:
    assert "gcaps" in bs.policies()
    report = bs.policy("gcaps").check(tasks=3)
    assert report.has_fault
    lost = next(row for row in report.properties if row["property"] == "lost")
    assert lost["verdict"] == "fault"
    assert lost["fault"]["requests"]
    assert report.to_dict()["tasks"] == 3
    assert "a fault in" in repr(report)


def test_every_published_policy_is_searched() -> None:
    for name in bs.policies():
        policy = bs.policy(name)
        assert policy.name == name
        try:
            report = policy.check(tasks=2)
        except bs.Error as error:
            # Those that read sizes cannot be.
            assert "cannot judge" in str(error), name
            continue
        assert report.is_closed and report.states > 0 and report.stopped is None, name


def test_a_text_is_the_same_as_its_name() -> None:
    text = bs.policy("round-robin").text
    own = bs.policy(text, name="mine")
    assert own.name == "mine"
    assert own.check(tasks=3).properties == bs.policy("round-robin").check(tasks=3).properties


def test_properties_are_chosen() -> None:
    report = bs.policy("fifo-lock").check(tasks=2, properties=["idle", "at-most=1"])
    assert [row["property"] for row in report.properties] == ["fails", "idle", "at-most=1"]


def test_task_sets_are_run_where_deadlines_are_expected() -> None:
    report = bs.policy("hpf").check(tasks=2, properties=["missed"])
    assert (report.has_fault, report.is_closed, report.states) == (True, False, 0)
    fault = report.properties[1]["fault"]
    assert (fault["tasks"], fault["at_ns"]) == ("A 2 of 4 ms, B 3 of 6 ms", 6_000_000)
    run = bs.simulate(fault["scenario"])
    assert [job["met"] for job in run.jobs.to_list() if job["task"] == "B"][0] is False
    assert repr(report) == "<blockstep.PolicyReport: hpf, a fault in 12694 task sets>"
    none = bs.policy("edf").check(tasks=2)
    assert [row["verdict"] for row in none.properties if row["property"] == "missed"] == ["none-found"]
    assert none.is_closed and " states and " in repr(none)


def test_runs_and_analyses_are_by_a_policy_of_one_s_own() -> None:
    table = bs.example("own-gcaps")
    for name in ("gcaps", "round-robin", "edf"):
        policy = bs.policy(name)
        givens: list[Any] = [policy, policy.text, *([name] if name != "edf" else [])]
        runs = [bs.simulate(table, policy=given) for given in givens]
        assert {run.text("trace") for run in runs} == {runs[0].text("trace")}
        assert {run.policy for run in runs} == {"own"}
        assert json.loads(runs[0].text("scenario"))["policy"]["text"] == policy.text
        assert str(bs.analyse(table, policy=policy)) == str(bs.analyse(table, policy=policy.text))
    # A kind goes before a published policy of its name.
    assert bs.simulate(table, policy="edf").policy == "edf"


def test_wrong_policies() -> None:
    with pytest.raises(bs.Error) as raised:
        bs.policy("when nonsense\n")
    assert (raised.value.field, raised.value.line) == ("text", 1)
    for tasks, limit in ((0, 1), (9, 8)):
        with pytest.raises(bs.Error) as raised:
            bs.policy("gcaps").check(tasks=tasks)
        assert (raised.value.field, raised.value.value, raised.value.limit) == ("tasks", tasks, limit)
    with pytest.raises(bs.Error) as raised:
        bs.policy("gcaps").check(properties=["fast"])
    assert raised.value.value == "fast"
