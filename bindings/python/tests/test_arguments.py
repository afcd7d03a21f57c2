"""Values of other types than are expected: the message is ours, and names the argument and what is expected."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import blockstep

# Types are wrong here on purpose.
bs: Any = blockstep


class Odd:
    """What no argument takes."""


ODD: list[Any] = [Odd(), 3.5, b"bytes", object, {1, 2}, float("nan"), "\ud800", [Odd()], (1, "x"), {3: 4}, -(10**30), 10**5_000]

# What PyO3 and Python say by themselves.
FOREIGN = re.compile(r"Can't extract|cannot be converted|cannot be interpreted|argument '|has no attribute|codec can't|can't convert")


def functions() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Every public function and method that takes something: its name, and arguments that are right."""
    text = bs.example("tx2-table-1")
    run = bs.simulate(text)
    sweep = bs.sweep(text, {"policy.kind": ["fifo"]}, progress=False)
    yield "simulate", bs.simulate, {"source": text}
    yield "analyse", bs.analyse, {"source": text}
    yield "check_resident", bs.check_resident, {"source": bs.example("spin-barrier")}
    yield "edf_schedulable", bs.edf_schedulable, {"costs": [[1]], "periods": [[2]]}
    yield "example", bs.example, {"id": "tx2-table-1"}
    yield "merge", bs.merge, {"parts": [sweep.csv()]}
    yield "policy", bs.policy, {"text": "gcaps"}
    yield "study", bs.study, {"source": "lp-3", "sets": 1, "progress": False}
    yield "sweep", bs.sweep, {"source": text, "vary": {"policy.kind": ["fifo"]}, "progress": False}
    yield "trace", bs.trace, {"path": "none.json"}
    yield "Run.state", run.state, {"at": 1}
    yield "Run.why", run.why, {"operation": "K1", "at": 1}
    yield "Run.svg", run.svg, {}
    yield "Run.text", run.text, {"form": "steps"}
    yield "Run.link", run.link, {}
    yield "Run._stepper", run._stepper, {"at": 1, "max_steps": 3}
    yield "Policy.check", bs.policy("gcaps").check, {"tasks": 2}
    yield "Sweep.scenario", sweep.scenario, {"run": 0}
    yield "Sweep.svg", sweep.svg, {}


def test_every_public_function_is_looked_at() -> None:
    named = {name.split(".")[0] for name, _, _ in functions()}
    without = {"examples", "policies", "studies"}
    assert {name for name in bs.__all__ if inspect.isbuiltin(getattr(bs, name))} <= named | without


@pytest.mark.parametrize("odd", ODD, ids=[type(value).__name__ for value in ODD])
def test_messages_are_ours(odd: Any) -> None:
    seen = 0
    for name, function, right in functions():
        for argument in inspect.signature(function).parameters:
            try:
                function(**{**right, argument: odd})
            except bs.Error as error:
                # A dict may be a scenario with other fields, and rows are compared with one another.
                if not isinstance(odd, dict) and name != "edf_schedulable":
                    assert error.field is not None and error.field.split("[")[0] == argument, (name, argument, error)
                assert not FOREIGN.search(str(error)), (name, argument, str(error))
                seen += 1
            except FileNotFoundError:
                assert argument in {"source", "path"}, name
                seen += 1
    assert seen > 20


def test_a_type_is_named_with_what_is_expected() -> None:
    text = bs.example("tx2-table-1")
    run = bs.simulate(text)
    wrong: list[tuple[str, Callable[[], Any]]] = [
        ("policy: is of type int; give a name, a text, or what bs.policy gives", lambda: bs.simulate(text, policy=3)),
        ("device: is of type list; give a text", lambda: bs.analyse(text, device=[])),
        ("duration: is of type float; give a time: whole nanoseconds, or a text such as \"10ms\"", lambda: bs.simulate(text, duration=1.5)),
        ("variants[1]: is of type int; give a text", lambda: bs.simulate(text, variants=["last-fit", 2])),
        ("variants: is of type int; give a list of texts", lambda: bs.simulate(text, variants=2)),
        ("max_steps: is of type str; give a whole number", lambda: bs.simulate(text, max_steps="9")),
        ("max_steps: is -1; it is a number from 1 to 100000000", lambda: bs.simulate(text, max_steps=-1)),
        ("vary: is of type list; give a dict of fields with their values", lambda: bs.sweep(text, ["a"])),
        ("part: is of type list; give a pair of whole numbers (i, n)", lambda: bs.study("lp-3", part=[1, 2])),
        ("progress: is of type int; give True or False", lambda: bs.study("lp-3", progress=1)),
        ("sets: is -1; it is a number from 0 to 18446744073709551615", lambda: bs.study("lp-3", sets=-1)),
        ("seed: is a number of too many digits; it is a number from 0 to 18446744073709551615", lambda: bs.study("lp-3", seed=10**5_000)),
        ("at: is of type float; give a place in a run: steps as a whole number, or a time such as \"1.2s\"", lambda: run.state(1.5)),
        ("title: is of type str; give True or False", lambda: run.svg(title="yes")),
        ("width: is 10; it is a number from 240 to 4000", lambda: run.svg(width=10)),
        ("form: is of type NoneType; give a text", lambda: run.text(None)),
        ("path: is of type int; give a path", lambda: bs.trace(3)),
        ("policy: has half of a character: one surrogate without the other", lambda: bs.simulate(text, policy="\ud800")),
    ]
    for message, call in wrong:
        with pytest.raises(bs.Error) as raised:
            call()
        assert str(raised.value) == message


def test_a_text_is_a_list_of_one() -> None:
    text = bs.example("tx2-table-1")
    rows = bs.sweep(text, {"policy.kind": ["fifo"]}, measure="end", progress=False).rows
    assert rows.columns == bs.sweep(text, {"policy.kind": ["fifo"]}, measure=["end"], progress=False).rows.columns
    assert len(bs.simulate(text, variants="last-fit").notes) == 1
    with pytest.raises(bs.Error, match="measure"):
        bs.sweep(text, {"policy.kind": ["fifo"]}, measure="speed", progress=False)


def test_a_column_is_named_by_a_text() -> None:
    with pytest.raises(TypeError, match="^a column has a text as its name, not int$"):
        bs.simulate(bs.example("tx2-table-1")).blocks[3]


def test_what_no_file_holds_is_named_by_its_place(kernel: dict[str, Any]) -> None:
    def wrong(value: Any) -> tuple[str | None, str]:
        with pytest.raises(bs.Error) as raised:
            bs.simulate({**kernel, "kernels": [{**kernel["kernels"][0], "blocks": value}]})
        return raised.value.field, str(raised.value)

    field = "kernels[0].blocks"
    around: list[Any] = []
    around.append(around)
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert wrong(float("nan")) == (field, f"{field}: is nan; a number is expected")
    assert wrong(float("inf")) == (field, f"{field}: is inf; a number is expected")
    assert wrong(10**5_000) == (field, f"{field}: is a number of too many digits")
    assert wrong({1, 2}) == (field, f"{field}: is of type set, which a file does not hold")
    assert wrong({(1, 2): 3}) == (field, f"{field}: has a key of type tuple; keys are texts")
    assert wrong(around) == (f"{field}[0]", f"{field}[0]: holds itself")
    assert "nested deeper than 128 levels" in wrong(deep)[1]
    assert wrong(10**30)[0] == field
    kernel["self"] = kernel
    with pytest.raises(bs.Error, match="^self: holds itself$"):
        bs.simulate(kernel)


def test_a_link_leads_to_a_page(run: Any) -> None:
    for good in ("", "https://example.org/", "../blockstep/", "/index.html?embed=1"):
        assert run.link(page=good).startswith(f"{good}#v2=")
    for bad in ("javascript:alert(1)", "data:text/html,x", "//example.org/", "file:///etc/passwd", "localhost:8080/", "a#b", " x"):
        with pytest.raises(bs.Error, match="begins with http:// or https://") as raised:
            run.link(page=bad)
        assert (raised.value.field, raised.value.value) == ("page", bad)
