"""Tables as pyarrow, pandas and polars read them, and without these."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import blockstep as bs
from conftest import many_blocks

NAMES = ("blocks", "copies", "kernels", "jobs", "waits", "results", "steps")


def test_columns_and_rows(run: bs.Run) -> None:
    table = run.blocks
    assert table.columns == ["kernel", "job", "block", "sm", "start_ns", "end_ns", "executed_ns"]
    assert len(table) == 18
    assert table["kernel"][:6] == ["K1"] * 6
    assert table.to_dict()["end_ns"][0] == 1_000_000_000
    assert table.to_list()[1] == {
        "kernel": "K1",
        "job": 0,
        "block": 1,
        "sm": 1,
        "start_ns": 0,
        "end_ns": 1_000_000_000,
        "executed_ns": 1_000_000_000,
    }
    assert repr(table) == "<blockstep.Table: 18 rows of kernel, job, block, sm, start_ns, end_ns, executed_ns>"
    with pytest.raises(KeyError, match="there is no column \\\\?\"end"):
        table["end"]


def test_results_are_those_of_the_command_line(run: bs.Run) -> None:
    head, *lines = [line.split(",") for line in run.text("results").splitlines()]
    tasks = [dict(zip(head, line, strict=True)) for line in lines if line[0] == "task"]
    assert len(tasks) == len(run.results) == 2
    for row, task in zip(run.results.to_list(), tasks, strict=True):
        for name in ("task", "process", "count", "completed", "missed", "least_ns", "greatest_ns"):
            assert str(row[name]) == task[name], name


def test_what_is_missing_is_none(run: bs.Run) -> None:
    assert run.jobs["deadline_ns"] == [None, None]
    assert run.jobs["met"] == [None, None]


def test_times_have_their_unit(run: bs.Run) -> None:
    for name in NAMES:
        table = getattr(run, name)
        for column in table.columns:
            times = ("start", "end", "issued", "queued", "release", "response", "duration", "deadline", "executed", "least", "mean", "greatest")
            is_time = any(word in column for word in times)
            assert column.endswith("_ns") == is_time or column == "at_ns", (name, column)


def test_pyarrow(run: bs.Run) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    for name in NAMES:
        table = getattr(run, name)
        for read in (pyarrow.table(table), pyarrow.table(pyarrow.record_batch(table))):
            read.validate(full=True)
            assert read.column_names == table.columns
            assert read.to_pydict() == table.to_dict()
        assert pyarrow.schema(table) == pyarrow.table(table).schema


def test_rows(run: bs.Run) -> None:
    table = run.blocks
    assert list(table) == table.to_list()
    assert next(iter(table)) == table.to_list()[0]
    assert [row["block"] for row in table] == table["block"]
    many = bs.simulate(many_blocks(2_500)).blocks
    assert [row["end_ns"] for row in many] == many["end_ns"]
    assert sum(1 for _ in zip(many, many)) == len(list(many)) == 2_500


def cells(html: str, name: str) -> list[str | None]:
    return [cell.text for cell in ET.fromstring(f"<div>{html}</div>").iter(name)]


def test_a_notebook_shows_a_table(run: bs.Run, kernel: dict[str, Any]) -> None:
    table = run.jobs
    html = table._repr_html_()
    assert cells(html, "th") == table.columns
    values = [value for row in table for value in row.values()]
    assert cells(html, "td") == [None if value is None else str(value) for value in values]
    assert cells(html, "p") == ["2 rows"]
    many = bs.simulate(many_blocks(2_500)).blocks._repr_html_()
    rows = list(ET.fromstring(f"<div>{many}</div>").iter("tr"))
    assert (len(rows), {cell.text for cell in rows[11]}, cells(many, "p")) == (22, {"…"}, ["2,500 rows"])
    assert [row[2].text for row in rows[10:13]] == ["9", "…", "2490"]
    assert len(list(ET.fromstring(f"<div>{bs.simulate(many_blocks(20)).blocks._repr_html_()}</div>").iter("tr"))) == 21
    kernel["kernels"][0]["name"] = "<b>&'"
    assert cells(bs.simulate(kernel).kernels._repr_html_(), "td")[0] == "<b>&'"
    assert cells(bs.simulate(kernel).copies._repr_html_(), "p") == ["0 rows"]


def test_to_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    tables = [getattr(bs.simulate(bs.example(id)), name) for id in bs.examples() for name in NAMES]
    tables += [bs.edf_schedulable([[1], [9]], [[2], [2]]), bs.study("lp-3", sets=3).curves, bs.simulate(many_blocks(1)).copies]
    for table in tables:
        frame = table.to_pandas()
        assert (list(frame.columns), len(frame)) == (table.columns, len(table))
        for column in table.columns:
            assert [None if pandas.isna(value) else value for value in frame[column]] == table[column], column
    frame = bs.simulate(bs.example("tx2-table-1")).jobs.to_pandas()
    types = {column: str(frame[column].dtype) for column in frame.columns}
    assert (types["job"], types["release_ns"], types["end_ns"], types["met"]) == ("int32", "int64", "Int64", "boolean")
    assert {str(bs.simulate(bs.example("tx2-table-1")).kernels.to_pandas()["kernel"].dtype)} == {"category"}


def test_to_pandas_rounds_no_number(kernel: dict[str, Any]) -> None:
    pytest.importorskip("pandas")
    kernel["tasks"] = [{"name": "T", "deadline_ns": 2**62 + 1}, {"name": "U", "offset_ns": 7}]
    kernel["kernels"] = [{**kernel["kernels"][0], "task": "T"}, {**kernel["kernels"][0], "name": "K2", "task": "U"}]
    jobs = bs.simulate(kernel).jobs
    assert jobs["deadline_ns"] == [2**62 + 1, None]
    assert jobs.to_pandas()["deadline_ns"][0] == 2**62 + 1


def test_without_pandas_it_says_what_to_install(run: bs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="^to_pandas needs pandas: pip install pandas$"):
        run.blocks.to_pandas()


def test_pandas(run: bs.Run) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    for name in NAMES:
        table = getattr(run, name)
        make = getattr(pandas.DataFrame, "from_arrow", lambda table: pyarrow.table(table).to_pandas())
        frame = make(table)
        assert list(frame.columns) == table.columns
        for column in table.columns:
            found = [None if pandas.isna(value) else value for value in frame[column]]
            assert found == table[column], (name, column)


def test_polars(run: bs.Run) -> None:
    polars = pytest.importorskip("polars")
    for name in NAMES:
        table = getattr(run, name)
        frame = polars.DataFrame(table)
        assert frame.to_dict(as_series=False) == table.to_dict()


def test_empty_tables(kernel: dict[str, object]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    run = bs.simulate(kernel)
    assert (len(run.copies), run.copies["op"]) == (0, [])
    assert pyarrow.table(run.copies).num_rows == 0


def test_columns_are_made_once_and_read_where_they_are() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    run = bs.simulate(many_blocks(10_000))
    assert run.blocks is run.blocks

    def addresses() -> list[int]:
        read = pyarrow.table(run.blocks)
        return [buffer.address for column in read.columns for chunk in column.chunks for buffer in chunk.buffers() if buffer]

    assert addresses() == addresses()


def test_a_table_outlives_its_run() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    read = pyarrow.table(bs.simulate(many_blocks(1_000)).blocks)
    assert read.num_rows == 1_000
    assert read["end_ns"].to_pylist()[-1] == 125_000


def test_difference_of_times_may_be_negative() -> None:
    numpy, pyarrow = pytest.importorskip("numpy"), pytest.importorskip("pyarrow")
    jobs = pyarrow.table(bs.simulate(bs.example("edf-overrun-plain")).jobs)
    lateness = numpy.asarray(jobs["end_ns"]) - numpy.asarray(jobs["deadline_ns"])
    assert (lateness < 0).any()


def test_a_number_that_no_column_holds(kernel: dict[str, object]) -> None:
    kernel["tasks"] = [{"name": "T", "deadline_ns": 2**64 - 2}]
    kernel["kernels"][0]["task"] = "T"  # type: ignore[index]
    with pytest.raises(bs.Error, match="deadline_ns: is 18446744073709551614") as raised:
        bs.simulate(kernel).jobs
    assert (raised.value.field, raised.value.value, raised.value.limit) == ("deadline_ns", 2**64 - 2, 2**63 - 1)
