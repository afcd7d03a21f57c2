"""Schedulability tests of scenarios and of task sets in arrays."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import blockstep as bs


def demand_fits(costs: list[int], periods: list[int], deadlines: list[int]) -> bool:
    """Preemptive EDF by definition, for a load of at most 1: the demand at every deadline up to the hyperperiod."""
    hyperperiod = math.lcm(*periods)
    if sum(cost * (hyperperiod // period) for cost, period in zip(costs, periods, strict=True)) > hyperperiod:
        return False
    tasks = list(zip(costs, periods, deadlines, strict=True))
    instants = {deadline + job * period for _, period, deadline in tasks for job in range(hyperperiod // period + 1)}
    return all(sum(cost * ((at - deadline) // period + 1) for cost, period, deadline in tasks if deadline <= at) <= at for at in instants)


def test_random_sets_by_definition() -> None:
    draw = random.Random(37)
    sets = []
    for _ in range(400):
        periods = [draw.choice([2, 3, 4, 6, 8, 12]) for _ in range(3)]
        costs = [draw.randint(1, max(1, period // 2)) for period in periods]
        deadlines = [draw.randint(cost, period) for cost, period in zip(costs, periods, strict=True)]
        sets.append((costs, periods, deadlines))
    verdicts = bs.edf_schedulable([of[0] for of in sets], [of[1] for of in sets], [of[2] for of in sets])
    expected = [demand_fits(*of) for of in sets]
    assert 40 < sum(expected) < 360
    for of, verdict, fails_at, right in zip(sets, verdicts["schedulable"], verdicts["fails_at"], expected, strict=True):
        # A load of exactly 1 may be undecided.
        assert verdict in (right, None), of
        assert (fails_at is None) == (verdict is not False), of
    assert verdicts["schedulable"].count(None) < 40


def test_arrays_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    costs, periods, deadlines = [[1, 2], [2, 3]], [[4, 5], [5, 5]], [[4, 5], [3, 4]]
    expected = bs.edf_schedulable(costs, periods, deadlines).to_list()
    assert expected == [{"schedulable": True, "fails_at": None}, {"schedulable": False, "fails_at": 4}]
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "longlong"):
        arrays = [numpy.array(of, dtype=kind) for of in (costs, periods, deadlines)]
        assert bs.edf_schedulable(*arrays).to_list() == expected
        # Other orders in memory, and parts of larger arrays.
        assert bs.edf_schedulable(*(numpy.asfortranarray(array) for array in arrays)).to_list() == expected
        assert bs.edf_schedulable(*(numpy.repeat(array, 2, axis=1)[:, ::2] for array in arrays)).to_list() == expected


def test_deadlines_are_periods_unless_given() -> None:
    assert bs.edf_schedulable([[1, 1], [2, 3]], [[2, 2], [4, 5]])["schedulable"] == [True, False]
    assert bs.edf_schedulable([1, 1], [2, 2])["schedulable"] == [True]


def test_zeros_fill_up_short_sets() -> None:
    assert bs.edf_schedulable([[1, 1], [1, 0]], [[2, 2], [2, 0]])["schedulable"] == [True, True]
    assert bs.edf_schedulable([[0, 0]], [[0, 0]])["schedulable"] == [True]


def test_switches_and_preemption_count() -> None:
    costs, periods = [[2, 4]], [[10, 8]]
    assert bs.edf_schedulable(costs, periods)["schedulable"] == [True]
    assert bs.edf_schedulable(costs, periods, switch=2)["schedulable"] == [False]
    # A short deadline waits for a long job.
    assert bs.edf_schedulable([[1, 5]], [[4, 20]])["schedulable"] == [True]
    assert bs.edf_schedulable([[1, 5]], [[4, 20]], preemptive=False)["schedulable"] == [False]


def wrong(*args: Any) -> bs.Error:
    with pytest.raises(bs.Error) as raised:
        bs.edf_schedulable(*args)
    return raised.value


def test_wrong_sets() -> None:
    numpy = pytest.importorskip("numpy")
    assert wrong(numpy.array([[1.5]]), [[2]]).field == "costs"
    error = wrong([[1]], numpy.array([[-3]]))
    assert (error.field, error.value, error.limit) == ("periods[0][0]", -3, 0)
    error = wrong([[1, 1]], [[2, 0]])
    assert (error.field, error.value, error.limit) == ("periods[0][1]", 0, 1)
    assert wrong([[0, 1]], [[2, 2]]).field == "costs[0][0]"
    assert "row 1 has 2" in str(wrong([[1], [1, 2]], [[2], [2, 2]]))
    assert wrong([[1, 2]], [[2]]).field == "periods"
    assert wrong([[1]], [[2]], [[1], [1]]).field == "deadlines"
    assert wrong(numpy.zeros((2, 2, 2), int), [[2]]).field == "costs"
    assert wrong("12", [[2]]).field == "costs"
    assert wrong([[-1]], [[2]]).field == "costs"
    assert wrong([[2**64]], [[2]]).field == "costs"
    assert wrong(numpy.array([[1]], dtype=">i8"), [[2]]).field == "costs"


def test_scenarios() -> None:
    found = bs.analyse(bs.example("lp-block"))
    assert (found.verdict, found.missed, found.judged, found.utilization) == ("schedulable", 0, 10, 0.95)
    assert str(found) == found.sentence
    assert found.sentence.startswith("Under EDF with preemption mode block: schedulable, by the demand test")
    assert found.tasks.columns == ["task", "cost_ns", "period_ns", "deadline_ns", "section_ns"]
    assert "limited-preemptive" in found.edf["mode"]
    assert bs.analyse(bs.example("lp-thread")).verdict == "not guaranteed"
    assert bs.analyse(bs.example("edf-signals")).verdict == "no verdict"
    assert bs.analyse(bs.example("tx2-table-1")).verdict == "nothing due"
    under = bs.analyse(bs.example("lp-block"), policy="priority")
    assert set(under.bounds["policy"]) == {"runlist", "priority"}
    for row in under.bounds.to_list():
        assert (row["bound_ns"] is None) == (row["why_none"] is not None)


def test_what_is_schedulable_misses_nothing() -> None:
    for id in bs.examples():
        found = bs.analyse(bs.example(id))
        assert found.verdict != "schedulable" or found.missed == 0, id
        jobs = bs.simulate(bs.example(id)).jobs
        assert (found.missed, found.judged) == (jobs["met"].count(False), len(jobs) - jobs["met"].count(None)), id
