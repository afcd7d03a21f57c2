"""What the pages show is what happens."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

import blockstep as bs

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["docs/python.md", "docs/simso.md", "bindings/python/README.md"])
def test_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("anywidget", "numpy", "pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "tests/data/simso/tasks.xml", "tasks.xml")
    shutil.copy(ROOT / "tests/data/traces/43-behind-head-or-connection.json", "trace.json")
    done = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert done.attempted > 5
    assert done.failed == 0


def test_docstrings() -> None:
    assert doctest.testmod(bs).failed == 0
