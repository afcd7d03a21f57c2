"""The notebook says what running it says. `BLESS=1` stores its outputs anew."""

from __future__ import annotations

import copy
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("nbclient", reason="the notebook cannot be run: pip install nbclient ipykernel")
pytest.importorskip("ipykernel", reason="the notebook cannot be run: pip install nbclient ipykernel")
import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "bindings/python/notebooks/first-hour.ipynb"


def read() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


def shown(cell: Any) -> list[tuple[str, str]]:
    """What a cell shows: kind and text. Pieces in which a text came are joined; XML may be written in several ways."""
    found: list[tuple[str, str]] = []
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            found.append(("error", output.evalue))
        elif output.output_type != "stream":
            svg = {kind: ElementTree.canonicalize(text) for kind, text in output.data.items() if kind == "image/svg+xml"}
            found += sorted((output.data | svg).items())
        elif found and found[-1][0] == output.name:
            found[-1] = (output.name, found[-1][1] + output.text)
        else:
            found.append((output.name, output.text))
    return found


def test_its_outputs_are_what_it_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    stored = read()
    fresh = copy.deepcopy(stored)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(fresh, kernel_name="python3", timeout=300, record_timing=False, resources={"metadata": {"path": str(tmp_path)}}).execute()
    # The kernel's, with the version of Python.
    fresh.metadata = stored.metadata
    if os.environ.get("BLESS"):
        nbformat.write(fresh, NOTEBOOK)  # type: ignore[no-untyped-call]
        stored = read()
    for was, now in zip(stored.cells, fresh.cells, strict=True):
        assert shown(was) == shown(now), f"the output of the cell {now.id} is another one; BLESS=1 stores it"


def test_it_reads_on_a_code_host() -> None:
    notebook = read()
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)#]+)", cell.source):
                assert (NOTEBOOK.parent / target).is_file(), target
    kinds = [kind for cell in notebook.cells for kind, _ in shown(cell)]
    # A code host takes pictures out of HTML, and shows these.
    assert kinds.count("image/svg+xml") == 4
    assert "error" not in kinds and "stderr" not in kinds
