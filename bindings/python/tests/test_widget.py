"""The widget: what Python sends, and what becomes of it in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import blockstep as bs

pytest.importorskip("anywidget")
import traitlets

from blockstep.widget import RunWidget

ROOT = Path(__file__).parents[3]
TOOLS = (ROOT / "scripts/tools.mjs").as_uri()


def skip_without_chromium() -> None:
    if not shutil.which("node"):
        pytest.skip("there is no node here")
    begins = f"const {{ launchChromium }} = await import({json.dumps(TOOLS)}); await (await launchChromium()).close();"
    started = subprocess.run(["node", "--input-type=module", "-e", begins], capture_output=True, text=True)
    if started.returncode:
        pytest.skip(f"no Chromium starts here: {started.stderr.strip().splitlines()[-1] if started.stderr.strip() else 'it does not say why'}")


def test_it_begins_where_it_is_told(run: bs.Run) -> None:
    assert run.widget().step == 0
    assert run.widget(at="1.2s").step == run.state("1.2s").step
    assert run.widget(at=len(run)).step == len(run) == 89
    assert RunWidget(run, at="#20").step == 20
    with pytest.raises(bs.Error) as raised:
        run.widget(at=90)
    assert (raised.value.field, raised.value.value, raised.value.limit) == ("at", 90, 89)


def test_python_sets_the_step_and_hears_of_it(run: bs.Run) -> None:
    widget = run.widget()
    heard: list[int] = []
    widget.observe(lambda change: heard.append(change["new"]), "step")
    widget.step = 30
    # As a message of the browser sets it.
    widget.set_state({"step": 31})
    assert (widget.step, heard) == (31, [30, 31])
    assert widget.run is run
    for step in (-1, 90):
        with pytest.raises(traitlets.TraitError, match=f"step is {step}; the widget has steps 0 to 89$"):
            widget.step = step
    assert widget.step == 31


def test_what_is_sent_is_said_once_and_is_small(run: bs.Run) -> None:
    state = run.widget().get_state()
    assert {name for name in state if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")} == {"step"}
    sent = state["_stepper"]
    assert sent["count"] == len(run)
    assert {len(sent[name]) for name in ("x", "said", "rules", "changes")} == {len(run) + 1}
    assert sent["said"] == [str(run.state(step)) for step in range(len(run) + 1)]
    assert sent["rules"] == ["", *run.steps["rule"]]
    assert len({json.dumps(box) for box in sent["boxes"]}) == len(sent["boxes"])
    for id in bs.examples():
        sent = bs.simulate(bs.example(id)).widget().get_state()["_stepper"]
        assert len(json.dumps(sent)) < 1_000_000, id


def test_a_long_run_is_sent_as_far_as_the_limit_says() -> None:
    run = bs.simulate(bs.example("edf-six-processes"))
    widget = run.widget()
    sent = widget.get_state()["_stepper"]
    assert (len(sent["said"]), sent["count"]) == (2_001, len(run))
    # The picture is of those steps.
    assert 0.9 < sent["x"][-1] <= 1
    with pytest.raises(traitlets.TraitError, match=rf"step is 2001; the widget has steps 0 to 2,000 of the run's {len(run):,}; max_steps sends more"):
        widget.step = 2_001
    assert len(run.widget(max_steps=3_000).get_state()["_stepper"]["said"]) == 3_001
    with pytest.raises(bs.Error, match="^at: is step 2,001; the widget has steps 0 to 2,000, and max_steps sends more$") as raised:
        run.widget(at=2_001)
    assert (raised.value.field, raised.value.value, raised.value.limit) == ("at", 2_001, 2_000)
    with pytest.raises(bs.Error) as raised:
        run.widget(max_steps=0)
    assert (raised.value.field, raised.value.limit) == ("max_steps", 1)


def test_where_there_is_no_widget_there_is_the_picture(run: bs.Run) -> None:
    data, _ = run.widget(at=20)._repr_mimebundle_()
    assert data["text/html"] == run._repr_html_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert data["text/plain"].startswith("<blockstep.widget.RunWidget: step 20 of <blockstep.Run")


def test_a_notebook_that_nbconvert_runs_shows_the_picture(tmp_path: Path) -> None:
    for library in ("nbconvert", "ipykernel"):
        pytest.importorskip(library)
    source = "import blockstep as bs\nbs.simulate(bs.example('tx2-table-1')).widget(at=20)"
    cell: dict[str, Any] = {"cell_type": "code", "id": "one", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (tmp_path / "one.ipynb").write_text(json.dumps(book))
    # Kernels that are installed elsewhere are none of ours.
    env = {**os.environ, "JUPYTER_PATH": "", "JUPYTER_DATA_DIR": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    for options in (["--execute", "--to", "notebook", "--output", "done", "one.ipynb"], ["--to", "html", "done.ipynb"]):
        command = [sys.executable, "-m", "nbconvert", *options]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    # The state of the widget is there, and a page takes it before any other form.
    outputs = json.loads((tmp_path / "done.ipynb").read_text())["cells"][0]["outputs"]
    picture, widget = (output["data"] for output in outputs)
    assert "application/vnd.jupyter.widget-view+json" in widget
    still = "".join(picture["text/html"])
    assert still.startswith('<div class="blockstep-still-') and "<svg" in still
    assert still.split(">")[0] in (tmp_path / "done.html").read_text()
    skip_without_chromium()
    file = (tmp_path / "done.html").as_uri()
    look = f"""
        const {{ launchChromium }} = await import({json.dumps(TOOLS)});
        const browser = await launchChromium();
        const context = await browser.newContext({{ offline: true }});
        const page = await context.newPage();
        await page.goto({json.dumps(file)}, {{ waitUntil: "load" }});
        const box = await page.locator("[class^=blockstep-still-] svg").boundingBox();
        console.log(JSON.stringify(box));
        await browser.close();
    """
    looked = subprocess.run(["node", "--input-type=module", "-e", look], capture_output=True, text=True)
    assert looked.returncode == 0, looked.stderr
    box = json.loads(looked.stdout)
    assert box["width"] > 300 and box["height"] > 50


def test_without_anywidget_it_says_what_to_install(run: bs.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "blockstep.widget")
    with pytest.raises(ImportError, match=re.escape('pip install "blockstep[widget]"')):
        run.widget()


def test_nothing_loads_anywidget_before_a_widget_is_asked_for() -> None:
    code = "import sys, blockstep as bs; bs.simulate(bs.example('tx2-table-1'))._repr_html_(); sys.exit('anywidget' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def expected(run: bs.Run, step: int) -> dict[str, Any]:
    """What is to be seen after so many steps, told by other means than the widget."""
    state = run.state(step)
    picture = run.svg(width=800, at=step)
    line = re.search(r'<rect x="(\d+)" y="\d+" width="2" [^>]*fill="#C2185B"', picture)
    assert line
    return {
        "said": str(state),
        "x": (int(line[1]) + 1) / 800,
        "queued": sorted(state.queues["op"]),
        "blocks": sorted(f"{row['op']}:{row['block']}" for row in state.blocks.to_list()),
    }


def test_in_a_browser(run: bs.Run, tmp_path: Path) -> None:
    skip_without_chromium()

    def sent(widget: RunWidget) -> dict[str, Any]:
        state = widget.get_state()
        return {name: state[name] for name in ("_stepper", "_still", "step")}

    turns = bs.simulate(bs.example("edf-fig-1"))
    state = run.widget().get_state()
    file = tmp_path / "widget.json"
    given = {
        "esm": state["_esm"],
        "css": state["_css"],
        "table": sent(run.widget()),
        "turns": sent(turns.widget(at=40)),
        "beginning": sent(run.widget(max_steps=5)),
        "expected": {"table": [expected(run, step) for step in range(len(run) + 1)], "turns": [expected(turns, step) for step in range(len(turns) + 1)]},
    }
    file.write_text(json.dumps(given))
    done = subprocess.run(["node", "--test", str(Path(__file__).parent / "widget.test.mjs")], env={**os.environ, "BLOCKSTEP_WIDGET": str(file)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
