"""The recipes for several machines, as they stand in the document, on clusters of this machine."""

from __future__ import annotations

import copy
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

import pytest

import blockstep as bs

DOCS = Path(__file__).parents[3] / "docs"
KILLED = Path(__file__).parent / "killed"

# No reports about the use of Ray. Both wait for processes of their own, on a busy machine for longer than they do by themselves.
SETTINGS = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "600s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "600s",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_server_port_wait_time_s": "600",
    "RAY_gcs_server_request_timeout_seconds": "600",
    "RAY_health_check_failure_threshold": "100",
    "RAY_worker_register_timeout_seconds": "600",
}


def shown(heading: str) -> str:
    """The first block of a section."""
    section = (DOCS / "clusters.md").read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    block = dropwhile(lambda line: not line.startswith("    "), section.splitlines())
    lines = takewhile(lambda line: not line or line.startswith("    "), block)
    return textwrap.dedent("\n".join(lines)).strip() + "\n"


def has_parts_of_one_process(heading: str, tmp_path: Path, **more: str) -> None:
    """Runs a recipe as a script and compares what it writes with what this process gives."""
    first = bs.study("lp-3", sets=200).csv().splitlines()[0]
    (tmp_path / "own.json").write_text(first[first.index("{") :])
    (tmp_path / "recipe.py").write_text(shown(heading), "utf-8")
    # No cluster or settings of whoever runs the tests.
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DASK_", "RAY_"))}
    env |= {**SETTINGS, "HOME": str(tmp_path), **more}
    # Sockets lie there, whose paths have to be short; processes of Ray write there until they are gone.
    with tempfile.TemporaryDirectory(prefix="bs", ignore_cleanup_errors=True) as short:
        done = subprocess.run([sys.executable, "recipe.py"], cwd=tmp_path, env=env | {"TMPDIR": short}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "all.csv").read_bytes() == bs.study(str(tmp_path / "own.json")).csv().encode()


def test_joblib(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    has_parts_of_one_process("joblib", tmp_path)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no process can kill itself here")
@pytest.mark.parametrize(("heading", "library"), [("Dask", "distributed"), ("Ray", "ray")])
def test_a_worker_is_killed_in_the_middle_of_a_part(heading: str, library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    has_parts_of_one_process(heading, tmp_path, PYTHONPATH=str(KILLED), BLOCKSTEP_KILLED=str(tmp_path))
    # What the worker said of its part at its end.
    assert re.match(r"\s*[1-9][0-9,]* of [0-9,]+ sets, ", (tmp_path / "said").read_text())


def misspelled(job: dict[str, Any]) -> None:
    job["spec"]["completionMod"] = job["spec"].pop("completionMode")


def misplaced(job: dict[str, Any]) -> None:
    job["spec"]["volumes"] = job["spec"]["template"]["spec"].pop("volumes")


def of_another_type(job: dict[str, Any]) -> None:
    job["spec"]["completions"] = "64"


def test_the_job_of_kubernetes_fits_its_schema() -> None:
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    yaml = pytest.importorskip("yaml")
    assert shown("Kubernetes") == (DOCS / "job.yaml").read_text("utf-8")
    job = yaml.safe_load(shown("Kubernetes"))

    def validate(job: dict[str, Any]) -> None:
        kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)

    validate(job)
    damages: list[Callable[[dict[str, Any]], None]] = [misspelled, misplaced, of_another_type]
    for damage in damages:
        wrong = copy.deepcopy(job)
        damage(wrong)
        with pytest.raises(kubernetes_validate.ValidationError):
            validate(wrong)
