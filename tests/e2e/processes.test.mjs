// Processes and deadlines: one table under four policies, a deadline edited until it is missed, the results panel, and long runs in
// the worker.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { exampleScenario } from "../../scripts/tools.mjs";
import { choosePolicy, enter, holdEnds, openScenario, settled, start, step, timeline } from "./page.mjs";

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
