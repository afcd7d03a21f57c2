// Processes and deadlines: one table under four policies, a deadline edited until it is missed, the
// runlist's ring, the deadline scheduler's queues, input that is bad or doubtful, the results panel, and long runs in the worker.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { exampleScenario } from "../../scripts/tools.mjs";
import { cell, choosePolicy, enter, holdEnds, openScenario, paste, problemCount, settled, start, step, timeline, timelineName } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const MS = 1_000_000;
const policies = ["fifo", "priority", "runlist", "edf"];

/** Two processes, three tasks: every policy serves them in another order. */
const shared = {
  version: 1,
  name: "Shared",
  device: "tx2",
  policy: { kind: "fifo", switch_cost_ns: 100_000 },
  horizon_ns: 40 * MS,
  processes: [
    { name: "P0", interleave: "high", timeslice_ns: 2 * MS },
    { name: "P1", interleave: "low", timeslice_ns: 1 * MS },
  ],
  tasks: [
    { name: "viewer", process: "P0", release: "continuous", class: "best_effort" },
    { name: "camera", process: "P1", release: "periodic", period_ns: 20 * MS, deadline_ns: 18 * MS, offset_ns: 1 * MS },
    { name: "log", process: "P0", class: "best_effort", priority: 3 },
  ],
  streams: [{ process: "P1", name: "S1", priority: "high" }],
  kernels: [
    { name: "V", task: "viewer", stream: "S1", blocks: 6, threads_per_block: 1024, block_time_ns: 3 * MS },
    { name: "L", task: "log", stream: "S2", blocks: 4, threads_per_block: 1024, block_time_ns: 2 * MS },
    { name: "C", task: "camera", stream: "S1", blocks: 4, threads_per_block: 1024, block_time_ns: 2 * MS, copy_in_bytes: 65536 },
  ],
};

/** Picks a built-in scenario and waits until it stands, which may have to be loaded. */
async function pick(page, id) {
  const name = await page.locator("#scenario-name").inputValue();
  await page.locator("#example").selectOption(id);
  if (id !== "tx2-table-1") await page.waitForFunction((name) => document.querySelector("#scenario-name").value !== name, name);
  await settled(page);
}

test("one table under four policies has four timelines", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, shared);
  const pictures = new Map();
  for (const kind of [...policies, ...policies]) {
    await choosePolicy(page, kind);
    await page.evaluate(() => document.querySelector("#forget-edit")?.click());
    const picture = await timeline(page);
    assert.equal(pictures.get(kind) ?? picture, picture, `${kind} is the same each time`);
    pictures.set(kind, picture);
    const turns = kind === "runlist" || kind === "edf";
    assert.equal(await page.locator("#policy-settings").isVisible(), turns);
    assert.equal(await page.locator("#policy-preemption").isVisible(), kind === "edf");
    assert.equal(await page.locator("[data-scheduler]").count(), turns ? 1 : 0);
    assert.equal(await page.locator("#policy-switch_cost_ns").inputValue(), "100 µs", "the settings of a policy outlive it");
  }
  assert.equal(new Set(pictures.values()).size, policies.length);
  const settings = ["preemption", "cbs", "switch_cost_ns"].map((name) => page.locator(`#policy-${name}`));
  const values = () => Promise.all(settings.map((setting) => setting.inputValue()));
  assert.deepEqual(await values(), ["thread", "on", "100 µs"]);
  await settings[0].selectOption("block");
  await settings[1].selectOption("off");
  await enter(settings[2], "50 us");
  await choosePolicy(page, "fifo");
  await choosePolicy(page, "edf");
  assert.deepEqual(await values(), ["block", "off", "50 µs"]);
  assert.deepEqual(problems, []);
  await close();
});

test("a deadline is edited until it is missed; the miss is marked, told and a step", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, { ...shared, policy: { kind: "runlist" } });
  const deadline = page.locator('#tasks tr[data-row="1"] [data-field="deadline_ns"] input');
  const canvas = page.locator("#timeline");
  assert.equal(await deadline.inputValue(), "18 ms");
  let missed = null;
  for (let ms = 18; ms > 0 && missed === null; ms -= 1) {
    const before = await timeline(page);
    await deadline.fill(`${ms} ms`);
    await page.keyboard.press("Enter");
    await settled(page);
    if (ms < 18) assert.notEqual(await timeline(page), before, "the deadline's mark moves");
    if (/[1-9]\d* of \d+ deadlines missed/.test(await canvas.getAttribute("aria-label"))) missed = ms;
  }
  assert.ok(missed >= 2 && missed < 18, `missed at ${missed} ms, not before, and no earlier than the 2 ms the kernel takes`);
  // The mark: somewhere in the task's lane, above the deadline on the time axis.
  const at = 1 + missed;
  await page.evaluate(() => scrollTo(0, 0));
  const box = await canvas.boundingBox();
  const [left, right] = [84, 16];
  const end = Number(await page.locator("#cursor-line").getAttribute("aria-valuemax")) / MS;
  const x = box.x + left + ((box.width - left - right) * at) / end;
  let told = "";
  for (let y = box.y + box.height - 40; y > box.y && !/missed/i.test(told); y -= 4) {
    await page.mouse.move(x, y);
    await settled(page);
    told = (await page.locator(".tip").count()) ? await page.locator(".tip").innerText() : "";
  }
  assert.match(told, /camera/);
  assert.match(told, /missed/i);
  // The step.
  await page.locator("#jump").fill(`${at} ms`);
  await page.keyboard.press("Enter");
  await page.locator('.steps [data-rule="D2"]').first().waitFor();
  assert.match(await page.locator(".step-rows").innerText(), /deadline/);
  assert.deepEqual(problems, []);
  await close();
});

test("the ring of the runlist is read and follows the steps", async () => {
  const { page, problems, close } = await site.open();
  await pick(page, "edf-fig-1");
  const entries = () => page.locator("[data-runlist-entry]").evaluateAll((all) => all.map((e) => [Number(e.dataset.runlistEntry), e.dataset.process]));
  assert.deepEqual([...(await entries())].sort((a, b) => a[0] - b[0]).map((e) => e[1]), ["H1", "H2", "M1", "H1", "H2", "M2"]);
  const served = () => page.locator("[data-served]").getAttribute("data-process");
  const pointer = () => page.locator("[data-pointer]").getAttribute("data-runlist-entry");
  const turns = [];
  for (const ms of [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]) {
    await page.locator("#jump").fill(`${ms} ms`);
    await page.keyboard.press("Enter");
    await settled(page);
    turns.push(await served());
    assert.equal(Number(await pointer()), (Math.floor(ms) + 1) % 6, "the pointer stands after the entry served");
    assert.match(await page.locator("[data-scheduler]").innerText(), new RegExp(`Resident: process ${turns.at(-1)}`));
  }
  assert.deepEqual(turns, ["H1", "H2", "M1", "H1", "H2", "M2"]);
  assert.deepEqual(problems, []);
  await close();
});

test("a process of two channels stands on the ring twice, until it is given one", async () => {
  const { page, problems, close } = await site.open();
  await pick(page, "edf-channels");
  const ring = () => page.locator("[data-runlist-entry]").evaluateAll((all) => all.map((e) => e.dataset.process).sort());
  assert.deepEqual(await ring(), ["A channel 1", "A channel 2", "B"]);
  await page.locator("#jump").fill("1.5 ms");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await page.locator("[data-scheduler]").innerText(), /Resident: process A channel 2/);
  const channels = page.locator('#processes tr[data-row="0"] [data-field="channels"] input');
  assert.equal(await channels.inputValue(), "2");
  await channels.fill("33");
  await settled(page);
  assert.match(await page.locator("#processes").innerText(), /is 33; at most 32 are possible/);
  assert.deepEqual(await ring(), ["A channel 1", "A channel 2", "B"], "the last valid run stays");
  await channels.fill("");
  await settled(page);
  assert.deepEqual(await ring(), ["A", "B"]);
  assert.deepEqual(problems, []);
  await close();
});

test("the turns of a measured GPU are set for every process at once", async () => {
  const { page, problems, close } = await site.open();
  await pick(page, "edf-channels");
  const slices = () => page.locator('#processes [data-field="timeslice_ns"] input').evaluateAll((all) => all.map((input) => input.value));
  assert.deepEqual(await slices(), ["1 ms", "1 ms"]);
  await page.locator("#runlist-settings").getByRole("button", { name: "RTX 5090" }).click();
  await settled(page);
  assert.deepEqual(await slices(), ["2.209 ms", "2.209 ms"]);
  assert.equal(await page.locator("#policy-switch_cost_ns").inputValue(), "56 µs");
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.deepEqual(await slices(), ["1 ms", "1 ms"]);
  assert.equal(await page.locator("#policy-switch_cost_ns").inputValue(), "");
  assert.deepEqual(problems, []);
  await close();
});

test("the deadline scheduler's queues: by deadline, with budgets; best effort below", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, { ...shared, policy: { kind: "edf", cbs: true } });
  await page.locator("#jump").fill("1.5 ms");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await page.locator("[data-chosen]").first().innerText(), /camera/);
  const text = await page.locator("[data-scheduler]").innerText();
  assert.match(text, /budget/i);
  assert.match(text, /viewer[\s\S]*log|log[\s\S]*viewer/, "both best-effort tasks wait");
  assert.ok(text.indexOf("camera") < text.indexOf("viewer"), "real-time jobs stand first");
  await page.locator("#policy-cbs").selectOption("off");
  await settled(page);
  assert.doesNotMatch(await page.locator("[data-scheduler]").innerText(), /budget/i);
  assert.deepEqual(problems, []);
  await close();
});

test("a horizon before the cursor takes it along to the end; a later one leaves it where it was", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, { ...shared, policy: { kind: "edf" } });
  await page.locator("#jump").fill("26 ms");
  await page.keyboard.press("Enter");
  await page.locator("#horizon_ns").evaluate((e) => (e.closest("details").open = true));
  const seen = async (horizon) => {
    await page.locator("#horizon_ns").fill(horizon);
    await page.keyboard.press("Tab");
    await settled(page);
    const line = page.locator("#cursor-line");
    const [now, end] = [Number(await line.getAttribute("aria-valuenow")), Number(await line.getAttribute("aria-valuemax"))];
    assert.ok(now <= end, `${now} of ${end} ns`);
    return page.locator("#step-time").innerText();
  };
  assert.equal(await seen("10 ms"), "10 ms");
  assert.equal(await seen("0"), "1 ns");
  assert.doesNotMatch(await timelineName(page), /\. \./, "nothing is named where nothing ran");
  assert.equal(await seen("40 ms"), "26 ms");
  assert.deepEqual(problems, []);
  await close();
});

test("tasks move into a process each and back", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("[data-stream=S2]").selectOption("high");
  await choosePolicy(page, "runlist");
  const undo = () => page.locator("#undo").click();
  const column = (table, field) =>
    page.locator(`#${table} [data-field=${field}]`).locator("input:not([type=button]), select").evaluateAll((all) => all.map((e) => e.value));
  // What the switch says of where the tasks are.
  const pressed = () => Promise.all(["#one-process", "#process-each"].map((button) => page.locator(button).getAttribute("aria-pressed")));
  // The axis is as long as the run once that before it is gone, and nothing of the reader is in the tables.
  const seen = async () => {
    await settled(page);
    if (await page.locator("#forget-edit").count()) await page.locator("#forget-edit").click();
    return { picture: await timeline(page), name: await timelineName(page), processes: await column("processes", "name"), pressed: await pressed() };
  };
  const one = await seen();
  assert.deepEqual([one.processes, one.pressed], [["P0"], ["true", "false"]]);
  await page.locator("#process-each").click();
  const each = await seen();
  assert.deepEqual([each.processes, each.pressed], [["CPU 0", "CPU 1"], ["false", "true"]]);
  assert.deepEqual(await column("tasks", "process"), ["CPU 0", "CPU 1"]);
  assert.equal(await page.locator("[data-stream='CPU 1 S2']").inputValue(), "high", "the stream's priority goes along");
  assert.equal(await problemCount(page), 0);
  assert.notEqual(each.name, one.name, "processes take turns");
  assert.notEqual(each.picture, one.picture);

  await page.locator("#one-process").click();
  assert.deepEqual(await seen(), one);
  await undo();
  assert.deepEqual(await seen(), each);
  // Neither holds when some share a process and some do not.
  await page.locator("#add-task").click();
  await settled(page);
  assert.deepEqual(await pressed(), ["false", "false"]);
  await undo();
  await undo();
  assert.deepEqual(await seen(), one);
  assert.deepEqual(problems, []);
  await close();
});

test("timeslices and what a switch costs change the turns", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#process-each").click();
  await choosePolicy(page, "runlist");
  const slices = [0, 1].map((row) => cell(page, row, "timeslice_ns", "processes"));
  const cost = page.locator("#policy-switch_cost_ns");
  const undo = () => page.locator("#undo").click();
  assert.equal(await slices[0].inputValue(), "");
  assert.equal(await slices[0].getAttribute("placeholder"), "2 ms", "what an empty cell stands for");
  await enter(slices[0], "500 ms");
  await enter(slices[1], "0.5");
  assert.deepEqual(await Promise.all(slices.map((slice) => slice.inputValue())), ["500 ms", "500 ms"]);
  assert.equal(await problemCount(page), 0);
  const halves = await timelineName(page);
  const { count } = await step(page);
  await enter(slices[1], "750 ms");
  assert.notEqual(await timelineName(page), halves);
  await undo();
  assert.equal(await timelineName(page), halves);

  await enter(cost, "10 ms");
  assert.equal(await cost.inputValue(), "10 ms");
  assert.ok((await step(page)).count > count, "switches are steps");
  const slow = await timelineName(page);
  assert.notEqual(slow, halves);
  await page.locator("#policy-settings [title='EDF with registers and local memory, average']").click();
  assert.notEqual(await timelineName(page), slow);
  assert.equal(await cost.inputValue(), "263 µs", "as [LP] measured it");
  await enter(cost, "a while");
  assert.match(await page.locator("#policy-switch_cost_ns-error").innerText(), /a while/);
  assert.deepEqual([await cost.inputValue(), await problemCount(page)], ["a while", 1]);
  await undo();
  await settled(page);
  assert.deepEqual([await cost.inputValue(), await problemCount(page)], ["263 µs", 0]);

  await cell(page, 0, "preemption", "processes").selectOption("none");
  await cell(page, 1, "interleave", "processes").selectOption("high");
  await settled(page);
  assert.equal(await problemCount(page), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a class follows from a task's times, unless it is picked", async () => {
  const { page, problems, close } = await site.open();
  await choosePolicy(page, "edf");
  const task = (field) => cell(page, 0, field, "tasks");
  const values = (...fields) => Promise.all(fields.map((field) => task(field).inputValue()));
  const automatic = async () => [await task("class").inputValue(), await task("class").locator("option").first().textContent()];
  assert.deepEqual(await automatic(), ["", "auto (best effort)"]);
  await enter(task("deadline_ns"), "9 s");
  assert.deepEqual(await automatic(), ["", "auto (real time)"]);
  await task("class").selectOption("best_effort");
  await enter(task("priority"), "-3");
  await enter(task("budget_ns"), "250 ms");
  assert.deepEqual(await values("class", "priority", "budget_ns"), ["best_effort", "-3", "250 ms"]);
  assert.equal(await problemCount(page), 0);
  await enter(task("priority"), "first");
  assert.match(await page.locator("#tasks [data-field=priority] .field-error").innerText(), /first/);
  await enter(task("priority"), "");
  assert.equal(await problemCount(page), 0, "an empty cell is 0");
  // A whole row at once, as from a spreadsheet.
  await page.locator("#columns-task").click();
  await paste(task("deadline_ns"), "8 s\t2\treal time\t1.5 s\t7\t");
  await page.locator("#preview-take").click();
  await settled(page);
  assert.deepEqual(await values("deadline_ns", "class", "budget_ns", "priority", "consumes"), ["8 s", "real_time", "1.5 s", "7", ""]);
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await task("class").inputValue(), "best_effort", "a paste is one edit");
  assert.deepEqual(problems, []);
  await close();
});

test("bad input of tasks and processes is named beside its cell", async () => {
  const { page, problems, close } = await site.open();
  const wrong = async (table, field) => (await page.locator(`#${table} [data-field=${field}] .field-error`).allInnerTexts()).join("").trim();
  const undo = () => page.locator("#undo").click();
  const slice = cell(page, 0, "timeslice_ns", "processes");
  const [first, second] = [0, 1].map((row) => cell(page, row, "consumes", "tasks"));
  assert.equal(await slice.count(), 0, "no policy that is chosen uses it");
  await page.locator("#columns-process").click();
  await page.locator("#columns-task").click();
  await enter(slice, "0");
  assert.equal(await wrong("processes", "timeslice_ns"), "is 0 ns; at least 1 ns is needed");
  assert.equal(await slice.inputValue(), "0 s");
  assert.equal(await slice.getAttribute("aria-invalid"), "true");
  await undo();
  await enter(first, "CPU 1");
  await enter(second, "CPU 0");
  assert.match(await wrong("tasks", "consumes"), /CPU 0 waits for CPU 1, which waits for CPU 0$/);
  await enter(second, "CPU 9");
  assert.equal(await wrong("tasks", "consumes"), 'there is no task "CPU 9"');
  await enter(second, "");
  await enter(first, "");
  assert.equal(await problemCount(page), 0);

  await page.locator("#process-each").click();
  await page.locator("#processes tr[data-row='1'] [data-action=Delete]").click();
  await settled(page);
  assert.equal(await wrong("tasks", "process"), 'there is no process "CPU 1"');
  assert.match((await page.locator("#streams .field-error").allInnerTexts()).join("\n"), /there is no process "CPU 1"/, "nor for its streams");
  assert.equal(await cell(page, 1, "process", "tasks").inputValue(), "CPU 1", "it is not lost");
  await undo();

  // The field for the horizon is unfolded when one is missing.
  const limits = page.locator("#limits");
  assert.equal(await limits.getAttribute("open"), null);
  await cell(page, 0, "release", "tasks").selectOption("continuous");
  await settled(page);
  assert.match(await page.locator("#horizon_ns-error").innerText(), /is required/);
  assert.equal(await limits.getAttribute("open"), "");
  await enter(page.locator("#horizon_ns"), "5 s");
  assert.equal(await problemCount(page), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("doubtful input is simulated with a warning", async () => {
  const { page, problems, close } = await site.open();
  const task = (field) => cell(page, 0, field, "tasks");
  const counts = () => Promise.all(["#problems", "#warnings", "#tasks td.doubtful"].map((selector) => page.locator(selector).count()));
  await enter(task("deadline_ns"), "1 ms");
  const beside = page.locator("#tasks [data-field=deadline_ns] .field-error");
  assert.match(await beside.innerText(), /^is 1 ms; a job takes at least/);
  assert.equal(await beside.getAttribute("role"), "status");
  assert.equal(await task("deadline_ns").getAttribute("aria-invalid"), "false");
  assert.equal(await task("deadline_ns").getAttribute("aria-describedby"), await beside.getAttribute("id"));
  assert.deepEqual(await counts(), [0, 1, 1]);
  await enter(task("period_ns"), "10 s");
  await enter(task("deadline_ns"), "");
  assert.equal(await page.locator("#warnings").count(), 0);
  await page.locator("#columns-task").click();
  await enter(task("budget_ns"), "11 s");
  assert.equal(await page.locator("#tasks [data-field=budget_ns] .field-error").innerText(), "is 11 s, above the period of 10 s");
  await enter(task("budget_ns"), "");
  assert.deepEqual(await counts(), [0, 0, 0]);
  assert.deepEqual(problems, []);
  await close();
});

test("results: figures, links to the worst job, a table to save", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, { ...shared, policy: { kind: "runlist" } });
  await page.locator("#results > summary").click();
  const body = page.locator("#results-body");
  await body.locator("table").first().waitFor();
  assert.match(await body.innerText(), /camera/);
  assert.ok((await body.locator("svg").count()) >= 2, "charts are drawn");
  const worst = body.getByRole("button", { name: /^job \d+ of .*: Go to / }).first();
  await worst.click();
  const there = Number(await worst.getAttribute("data-time"));
  assert.equal(Number(await page.locator("#cursor-line").getAttribute("aria-valuenow")), there);
  // They follow an edit.
  const figures = await body.innerText();
  await page.locator('#kernels tr[data-row="2"] [data-field="block_time_ns"] input').fill("1 ms");
  await page.waitForFunction((figures) => document.querySelector("#results-body").innerText !== figures, figures);
  const download = page.waitForEvent("download");
  await body.getByRole("button", { name: "Save results as CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  assert.match(csv.split("\n")[0], /section/);
  assert.match(csv, /camera/);
  // With the run under another policy: both are named in the chart's legend and in the file.
  await page.locator("#results-beside").selectOption("policy=fifo");
  await body.locator(".res-legend", { hasText: ", under fifo" }).first().waitFor();
  assert.match(await body.innerText(), /camera.*, this run/);
  const both = page.waitForEvent("download");
  await body.getByRole("button", { name: "Save results as CSV" }).click();
  assert.match(await readFile(await (await both).path(), "utf8"), /^run,[^]*\nunder fifo,/);
  assert.deepEqual(problems, []);
  await close();
});

test("on a phone the results stay within the page, and a short name within its line", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 390, height: 844 } } });
  const tasks = shared.tasks.map((task) => (task.name === "log" ? { ...task, name: "a".repeat(64) } : task.name === "camera" ? { ...task, name: "network" } : task));
  const kernels = shared.kernels.map((kernel) => ({ ...kernel, task: { log: "a".repeat(64), camera: "network" }[kernel.task] ?? kernel.task }));
  await openScenario(page, { ...shared, policy: { kind: "runlist" }, tasks, kernels });
  await page.locator("#results > summary").click();
  const name = page.locator("#results-body tbody th", { hasText: "network" }).first();
  await name.waitFor();
  await settled(page);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "nothing is wider than the page");
  const lines = await name.evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).fontSize);
  });
  assert.ok(lines < 2, `a name of seven letters takes one line, not ${lines} ems`);
  assert.deepEqual(problems, []);
  await close();
});

test("a long run is made in the worker: the page goes on, says how far it is, and can cancel", async () => {
  const { page, problems, close } = await site.open({ before: (page) => page.addInitScript(holdEnds) });
  const scenario = exampleScenario("edf-vi-a-runlist");
  const kernels = () => page.locator("#kernels tbody tr").count();
  const before = await step(page);
  // Its end is not heard of before it is canceled.
  await page.evaluate(() => (window.__held = true));
  await openScenario(page, { ...scenario, name: "For ever", horizon_ns: 3_600_000 * MS }, { runs: false });
  await page.locator("#simulating").waitFor();
  await page.waitForFunction(() => /[1-9]\d*,\d{3} steps/.test(document.querySelector("#simulating-text").textContent));
  assert.ok(Number(await page.locator("#simulating-bar").getAttribute("value")) < 1000);
  assert.equal((await step(page, { runs: false })).count, before.count, "the last run stays on screen");
  await page.locator("#cancel").click();
  await page.locator("#not-simulated").waitFor();
  assert.equal(await page.locator("#simulating").isVisible(), false);
  assert.equal(await kernels(), scenario.kernels.length, "what was opened stays");
  // A minute: to the end, in portions between which the page goes on.
  await page.evaluate(() => {
    window.__held = false;
    window.said = 0;
    new MutationObserver(() => (window.said += 1)).observe(document.querySelector("#simulating-text"), { childList: true, characterData: true, subtree: true });
  });
  await page.locator("#horizon_ns").evaluate((e) => (e.closest("details").open = true));
  await page.locator("#horizon_ns").fill("60 s");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => Number(document.querySelector("#step-count").textContent.replaceAll(",", "")) > 400_000);
  const portions = await page.evaluate(() => window.said);
  assert.ok(portions >= 3, `it says ${portions} times how far it is`);
  const { count } = await step(page);
  assert.ok(count > 400_000, `${count} steps`);
  assert.equal(await page.locator("#not-simulated").count(), 0);
  await page.locator("#last").click();
  await settled(page);
  assert.equal((await step(page)).position, count);
  // The same run as a short one's beginning: nothing differs before its horizon.
  await page.locator("#jump").fill("#1,000");
  await page.keyboard.press("Enter");
  await settled(page);
  const far = await page.locator(".step.current").innerText();
  await page.locator("#horizon_ns").fill("2 s");
  // The shorter run may be made in the worker, too.
  await page.waitForFunction(() => Number(document.querySelector("#step-count").textContent.replaceAll(",", "")) < 100_000);
  await settled(page);
  await page.locator("#jump").fill("#1,000");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.locator(".step.current").innerText(), far);
  assert.deepEqual(problems, []);
  await close();
});

test("without the worker's file everything short works, and the rest says what is missing", async () => {
  const { page, close } = await site.open({ before: (page) => page.route("**/worker-*.js", (route) => route.abort()) });
  await choosePolicy(page, "runlist");
  assert.ok((await step(page)).count > 50);
  await page.locator("#example").selectOption("edf-fig-1");
  await page.locator(".notice[role=alert]").waitFor();
  assert.match(await page.locator(".notice[role=alert]").innerText(), /did not load/);
  await close();
});
