"""Whether blocks that need each other can hang."""

from __future__ import annotations

import json

import pytest

import blockstep as bs


def test_a_hang_is_found_with_what_mends_it() -> None:
    report = bs.check_resident(bs.example("spin-workers"))
    assert report.hangs is True and report.orders == 2
    assert report.sentence == "It can hang, in this order of arrival (one of 2)"
    assert report.hang is not None and report.smallest is not None
    assert [arrival["text"] for arrival in report.hang["arrivals"]] == ["S is launched", "W is launched"]
    assert [repair["text"] for repair in report.repairs][:2] == ["S with at most 20 blocks", "W with at most 68 blocks"]
    workers = report.residents[1]
    assert (workers["row"], workers["device_holds"], workers["beside"][0]["resident"]) == ("W", 148, 68)
    for hang in (report.hang, report.smallest):
        notes = bs.simulate(json.dumps(hang["scenario"])).notes
        assert any("some work hangs forever" in note for note in notes), notes
    mended = bs.check_resident(json.dumps(report.repairs[1]["scenario"]))
    assert mended.hangs is False and mended.hang is None and mended.smallest is None
    assert "This holds for" in str(mended) and mended.to_dict()["verdict"] == "clean"
    assert repr(mended).startswith("<blockstep.ResidentReport: None of the 2 orders of arrival hangs")


def test_where_nothing_spins_there_is_nothing_to_ask() -> None:
    with pytest.raises(bs.Error, match="no kernel has barrier"):
        bs.check_resident(bs.example("tx2-table-1"))
    with pytest.raises(bs.Error, match="fifo and priority only"):
        bs.check_resident(bs.example("spin-workers"), policy="runlist")
