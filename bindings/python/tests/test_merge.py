"""Parts of studies and sweeps, joined."""

from __future__ import annotations

import pytest

import blockstep as bs

TABLE = bs.example("tx2-table-1")
VARY = {"kernels[K3].blocks": "0..=6", "policy.kind": ["fifo", "priority"]}


def study_part(i: int, n: int) -> str:
    return bs.study("lp-3", sets=40, part=(i, n)).csv()


def sweep_part(i: int, n: int) -> str:
    return bs.sweep(TABLE, VARY, part=(i, n)).csv()


def test_parts_of_a_study_are_the_bytes_of_the_whole() -> None:
    whole = bs.study("lp-3", sets=40).csv()
    for n in (1, 3, 50):
        assert bs.merge([study_part(i, n) for i in range(n, 0, -1)]) == whole
    assert study_part(2, 3).splitlines()[1] == "# sets 13..26"
    assert set(bs.study("lp-3", sets=40, part=(2, 3)).points["sets"]) == {13}


def test_parts_of_a_sweep_are_the_bytes_of_the_whole() -> None:
    whole = bs.sweep(TABLE, VARY).csv()
    for n in (1, 4, 20):
        assert bs.merge([sweep_part(i, n) for i in range(n, 0, -1)]) == whole
    # As a study of as many sets is divided.
    assert sweep_part(2, 4).splitlines()[1] == "# runs 3..7 of 14"


def test_what_is_missing_is_named() -> None:
    with pytest.raises(bs.Error) as raised:
        bs.merge([study_part(1, 3), study_part(3, 3)])
    assert str(raised.value) == "parts: of 40 sets, counted from 0, these are missing: sets 13 to 25 (part 2/3)"
    assert (raised.value.field, raised.value.value, raised.value.limit) == ("parts", None, None)
    with pytest.raises(bs.Error) as raised:
        bs.merge([sweep_part(4, 4), sweep_part(1, 4)])
    assert str(raised.value) == "parts: of 14 runs, counted from 0, these are missing: runs 3 to 9 (parts 2/4 to 3/4)"


def test_what_is_wrong_is_named() -> None:
    def why(*parts: str) -> tuple[str | None, str | None]:
        with pytest.raises(bs.Error) as raised:
            bs.merge(parts)
        return raised.value.field, raised.value.message

    assert why() == ("parts", "there is no part")
    one = study_part(1, 2)
    assert why(one, one) == ("parts[1]", "has sets that were counted already, from number 0 on")
    other = bs.study("lp-3", sets=40, seed=2, part=(2, 2)).csv()
    assert why(one, other) == ("parts[1]", "is of another study: the seeds differ")
    run = sweep_part(1, 2)
    assert why(run, run) == ("parts[1]", "run 0 is there twice")
    assert why(run, one) == ("parts[1]", "this is not a result of blockstep sweep --vary: its first line is another")
    with pytest.raises(bs.Error, match=r"parts\[1\]: line 1: "):
        bs.merge([one, run])
    with pytest.raises(bs.Error, match=r"^parts\[0\]: line 4: "):
        bs.merge([one.replace("\n0.2,", "\n0.3,")])
    with pytest.raises(bs.Error, match="is not one of the parts") as raised:
        study_part(3, 2)
    assert (raised.value.field, raised.value.value) == ("part", (3, 2))
    # A text is a list of one.
    with pytest.raises(bs.Error, match="these are missing"):
        bs.merge(one)
