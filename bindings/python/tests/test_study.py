"""Studies of random task sets."""

from __future__ import annotations

import io
import json
import re
import signal
import sys

import pytest

import blockstep as bs


def test_points_and_curves() -> None:
    study = bs.study("lp-3", sets=20)
    points, curves = study.points, study.curves
    assert points.columns == ["utilization", "test", "sets", "undrawn", "passed"]
    assert set(points["sets"]) == {20}
    shares = {(row["test"], row["utilization"]): row["passed"] / row["sets"] for row in points.to_list()}
    assert {(row["curve"], row["x"]): row["y"] for row in curves.to_list()} == shares
    assert all(row["least"] <= row["y"] <= row["most"] for row in curves.to_list())
    assert "20 sets" in repr(study)


def test_the_same_seed_gives_the_same_counts() -> None:
    one, two, other = (bs.study("lp-3", sets=30, seed=seed).csv() for seed in (1, 1, 2))
    assert one == two != other


def test_every_study_runs_and_has_points() -> None:
    for id in bs.studies():
        study = bs.study(id, sets=2)
        assert len(study.points) > 0, id
        assert study.csv().startswith("#"), id


def test_parameters_of_one_s_own() -> None:
    text = bs.study("lp-3", sets=5).csv().splitlines()[0]
    own = json.loads(text[text.index("{") :])
    assert bs.study(own).csv() == bs.study("lp-3", sets=5).csv()
    own["tasks"] = 0
    with pytest.raises(bs.Error) as raised:
        bs.study(own)
    assert (raised.value.field, raised.value.value) == ("tasks", 0)
    with pytest.raises(bs.Error) as raised:
        bs.study("lp-3", sets=0)
    assert (raised.value.field, raised.value.value) == ("sets", 0)
    with pytest.raises(bs.Error, match='there is no file or study "lp-33"; there are ') as raised:
        bs.study("lp-33")
    assert (raised.value.field, raised.value.value) == ("source", "lp-33")
    for path in ("lp-33.json", "./lp-33"):
        with pytest.raises(FileNotFoundError):
            bs.study(path)


class Terminal(io.StringIO):
    """Interrupts what writes to it."""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        if text.strip():
            signal.raise_signal(signal.SIGINT)
        return written


def test_a_line_says_how_far_it_is_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    # More than anybody waits for: only the interrupt of the first line ends it.
    with pytest.raises(KeyboardInterrupt):
        bs.study("lp-3", sets=1_000_000_000)
    said, *rest = terminal.getvalue().split("\r")[1:]
    assert re.fullmatch(r"[0-9,]+ of [0-9,]+ sets, [0-9]+ s left", said), said
    assert "".join(rest).strip() == ""


def test_no_line_is_written_where_nobody_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    bs.sweep(bs.example("tx2-table-1"), {"seed": range(20)})
    bs.study("lp-3", sets=20, progress=False)
    assert written.getvalue() == ""
