"""What docs/simso.md says of its task set. `BLESS=1` draws its picture anew."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import blockstep as bs

ROOT = Path(__file__).parents[3]
TASKS = ROOT / "tests/data/simso/tasks.xml"
PICTURE = ROOT / "docs/simso.svg"

# The more urgent task has the greater number in SimSo, the smaller one here.
URGENCY = {"camera": 3, "lidar": 1, "planner": 2}
POLICIES = {"EDF_mono": None, "RM_mono": "rate-monotonic", "FP": "hpf"}


def with_simso(scheduler: str) -> dict[str, list[int | None]]:
    """When the jobs of each task complete, ns; None if they do not."""
    why = "SimSo cannot be imported here; it does not start on Python 3.12 and later"
    configuration = pytest.importorskip("simso.configuration", reason=why).Configuration(str(TASKS))
    configuration.scheduler_info.clas = f"simso.schedulers.{scheduler}"
    for task in configuration.task_info_list:
        task.data["priority"] = URGENCY[task.name]
    configuration.check_all()
    model = pytest.importorskip("simso.core").Model(configuration)
    model.run_model()
    # In cycles, of which the file has a million in a millisecond.
    return {task.name: [job.end_date for job in task.jobs] for task in model.results.tasks.values()}


def with_blockstep(policy: str | None) -> dict[str, list[int | None]]:
    """The same."""
    scenario: dict[str, Any] = json.loads(bs.simulate(TASKS).text("scenario"))
    for task in scenario["tasks"]:
        task["priority"] = -URGENCY[task["name"]]
    found: dict[str, list[int | None]] = {}
    for job in bs.simulate(scenario, policy=policy).jobs:
        found.setdefault(job["task"], []).append(job["end_ns"])
    return found


@pytest.mark.parametrize("scheduler", POLICIES)
def test_each_job_completes_when_it_does_in_simso(scheduler: str) -> None:
    found = with_blockstep(POLICIES[scheduler])
    assert found == with_simso(scheduler)
    assert [len(ends) for ends in found.values()] == [7, 3, 4]


def test_the_picture_is_that_of_its_run() -> None:
    picture = bs.simulate(TASKS).svg(end="30ms", width=900)
    if os.environ.get("BLESS"):
        PICTURE.write_text(picture, encoding="utf-8")
    assert PICTURE.read_text(encoding="utf-8") == picture
