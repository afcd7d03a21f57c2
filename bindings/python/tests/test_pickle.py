"""What is pickled answers the same in another process."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

import blockstep as bs

# A task set with what a scenario has to assume of it.
SIMSO = """<simulation duration="60000000" cycles_per_ms="1000000" etm="wcet">
  <sched class="simso.schedulers.EDF" overhead="0" overhead_activate="0" overhead_terminate="0"/>
  <processors><processor name="CPU 1" id="1" cl_overhead="2000" cs_overhead="1000" speed="1.0"/></processors>
  <tasks>
    <task name="T1" id="1" task_type="Periodic" abort_on_miss="yes" period="10" activationDate="0.5" list_activation_dates="" deadline="8"
      WCET="2.25" ACET="1"/>
  </tasks>
</simulation>"""
TABLES = ("blocks", "copies", "kernels", "jobs", "waits", "results", "steps")
WAYS: list[Callable[[Any], Any]] = [lambda of: pickle.loads(pickle.dumps(of)), copy.copy, copy.deepcopy]


def again(of: Any) -> Any:
    return pickle.loads(pickle.dumps(of))


def is_same_run(one: bs.Run, other: bs.Run) -> bool:
    is_same = one.text("trace") == other.text("trace") and one.text("scenario") == other.text("scenario")
    return is_same and (one.notes, repr(one)) == (other.notes, repr(other))


def test_every_example() -> None:
    for id in bs.examples():
        run = bs.simulate(bs.example(id))
        assert is_same_run(again(run), run), id
        for name in TABLES:
            table = getattr(run, name)
            assert again(table).to_dict() == table.to_dict(), (id, name)


def test_what_was_given_instead_of_the_scenario_s_own(kernel: dict[str, Any]) -> None:
    text = bs.example("tx2-table-1")
    for run in (
        bs.simulate(text, policy="fifo"),
        bs.simulate(text, device="titanv"),
        bs.simulate(text, policy="gcaps"),
        bs.simulate(text, variants=["no-null-barrier", "last-fit"]),
        bs.simulate(kernel),
        bs.simulate(SIMSO),
    ):
        for way in WAYS:
            assert is_same_run(way(run), run)
    varied = again(bs.simulate(text, variants="last-fit"))
    assert varied.notes == ["this is not what a GPU does; rules changed: last-fit"]


def test_a_table_as_other_libraries_read_it(run: bs.Run) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    tables = [getattr(run, name) for name in TABLES] + [bs.edf_schedulable([[1], [9]], [[2], [2]]), bs.study("lp-3", sets=3).curves]
    for table in tables:
        for way in WAYS:
            found = pyarrow.table(way(table))
            found.validate(full=True)
            assert found.schema == pyarrow.table(table).schema
            assert found.equals(pyarrow.table(table))


def test_sweeps_and_studies() -> None:
    text = bs.example("tx2-table-1")
    vary = {"kernels[K3].blocks": "1..=3", "policy.kind": ["fifo", "priority"], "name": ["=1", "a"]}
    for sweep in (
        bs.sweep(text, vary, measure=["end", "response:K3", "first-difference"]),
        bs.sweep(text, vary, part=(2, 3)),
        bs.sweep(text, {"kernels[0].blocks": [0, 1]}),
    ):
        found = again(sweep)
        assert (found.csv(), found.rows.to_list(), repr(found)) == (sweep.csv(), sweep.rows.to_list(), repr(sweep))
        assert found.scenario(1) == sweep.scenario(1)
    sweep = bs.sweep(text, {"kernels[K3].blocks": "1..=3"})
    assert again(sweep).svg() == sweep.svg()
    for study in (bs.study("lp-3", sets=10), bs.study("lp-3", sets=4, part=(2, 2))):
        found = again(study)
        assert (found.csv(), found.points.to_list(), found.curves.to_list(), repr(found)) == (
            study.csv(),
            study.points.to_list(),
            study.curves.to_list(),
            repr(study),
        )


def test_policies_and_analyses() -> None:
    for policy in (bs.policy("gcaps"), bs.policy(bs.policy("hpf").text, name="mine")):
        assert (again(policy).name, again(policy).text) == (policy.name, policy.text)
    found = bs.analyse(bs.example("lp-block"))
    assert (str(again(found)), again(found).edf.to_list()) == (str(found), found.edf.to_list())


def simulated(id: str) -> tuple[bs.Run, bs.Table]:
    run = bs.simulate(bs.example(id))
    return run, run.kernels


def end_of(run: bs.Run) -> int:
    return run.end_ns


def wrong(text: str) -> bs.Run:
    return bs.simulate(text, policy="gcap")


def test_a_process_pool_gives_them_back_and_takes_them(run: bs.Run) -> None:
    # A thread of ours may run here, which no fork takes along.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found, kernels = pool.submit(simulated, "tx2-table-1").result()
        assert is_same_run(found, run)
        assert kernels.to_list() == run.kernels.to_list()
        assert pool.submit(end_of, run).result() == run.end_ns
        with pytest.raises(bs.Error, match="did you mean gcaps") as raised:
            pool.submit(wrong, bs.example("tx2-table-1")).result()
    error = raised.value
    assert (error.field, error.value, len(error.problems)) == ("policy", "gcap", 1)


def test_joblib(run: bs.Run) -> None:
    joblib = pytest.importorskip("joblib")
    [(found, _)] = joblib.Parallel(n_jobs=2)(joblib.delayed(simulated)(id) for id in ["tx2-table-1"])
    assert is_same_run(found, run)


def test_what_cannot_be_is_said(run: bs.Run) -> None:
    for of in (run.state(3), run.why("K1", at=3)):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(of)
