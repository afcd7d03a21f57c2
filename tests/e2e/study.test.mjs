// Schedulability: verdicts, a study on the pool of workers, canceling it, sets that fail, links.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { becomes, idle, settled, start, until } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

/** Opens the panel and waits for its form. */
async function openPanel(page) {
  await page.locator("#study > summary").click();
  await page.waitForSelector("#sf-preset");
}

const said = (page) => page.locator("#study-text").innerText();
const ends = (page, word) =>
  page.waitForFunction((word) => document.querySelector("#study-text").textContent.startsWith(word), word);
const fill = async (page, values) => {
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`#sf-${name}`).fill(value);
    await page.locator(`#sf-${name}`).blur();
  }
};

test("the scenario on screen has verdicts, and its demand is drawn", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("lp-block");
  await openPanel(page);
  await page.waitForSelector("#verdicts [data-section=edf-tests] svg[role=img]");
  const rows = await page.locator("#verdicts [data-section=edf-tests] table").first().locator("tbody tr").count();
  assert.ok(rows >= 9, `${rows} lines`);
  assert.match(await page.locator("#verdicts [data-section=runlist-test]").innerText(), /Theorem 1/);
  const draw = page.locator("#verdicts").getByRole("button", { name: "Draw" });
  await draw.nth(4).click();
  await page.waitForFunction(() => document.querySelectorAll("#verdicts tbody button")[4]?.getAttribute("aria-pressed") === "true");
  assert.match(await page.locator("#verdicts [data-section=one-space-bound]").innerText(), /in one address space/);
  // An edit is judged anew.
  assert.doesNotMatch(await page.locator("#verdicts").innerText(), /This scenario has none: set a task/);
  await page.locator("#example").selectOption("tx2-table-1");
  await page.waitForFunction(() => /This scenario has none: set a task/.test(document.querySelector("#verdicts").innerText));
  // What is said of the scenario's own policy comes first.
  const sections = await page.locator("#verdicts [data-section]").evaluateAll((all) => all.map((section) => section.dataset.section));
  assert.deepEqual(sections, ["own-verdict", "one-space-bound", "edf-tests", "runlist-test"]);
  assert.deepEqual(problems, []);
  await close();
});

test("a small study runs to its end, is saved, and opens a set that fails", async () => {
  const { page, problems, close } = await site.open();
  await openPanel(page);
  await fill(page, { sets: "400", from: "0.7", to: "1", step: "0.1" });
  await page.locator("#study-run").click();
  await ends(page, "Complete: 1,600 of 1,600 sets");
  await becomes(() => page.locator("#study-figure .study-points circle").count(), 36);
  await page.waitForFunction(() => !/so far|partial/.test(document.querySelector("#study-figure").innerText));
  await becomes(() => page.locator("#study-figure .res-legend li").count(), 9);
  await page.locator("#study-table > summary").click();
  await page.waitForSelector("#study-rows tbody tr");
  assert.equal(await page.locator("#study-rows tbody tr").count(), 4);

  const save = async (what) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#study").getByRole("button", { name: `Save ${what}` }).click()]);
    return readFile(await download.path(), "utf8");
  };
  const csv = await save("CSV");
  assert.match(csv, /^# blockstep sweep \{.*"sets": 400/);
  assert.match(csv, /\n# sets 0\.\.400\n/);
  // What `blockstep sweep` counts of the same study.
  assert.match(csv, /\n0\.9,400,0,400,70,0,400,400,398,111,107,106\n/);
  assert.match(await save("SVG"), /^<svg [^]*npEDF, 1 x 44 µs<\/text>[^]*<\/svg>\s*$/);

  const [picture] = await Promise.all([page.waitForEvent("download"), page.locator("#study").getByRole("button", { name: "Save PNG" }).click()]);
  const png = await readFile(await picture.path());
  assert.equal(picture.suggestedFilename(), "study.png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.equal(png.readUInt32BE(16), 1720);

  // The last curve at the last utilization: nothing without preemption holds at 1.
  await page.locator("#study-rows tbody tr").nth(3).getByRole("button").nth(8).click();
  await page.waitForSelector("#study-sets .study-sets > li");
  const sets = await page.locator("#study-sets .study-sets > li").count();
  assert.ok(sets >= 1 && sets <= 5);
  await page.locator("#study-sets").getByRole("button", { name: "Open in the stepper" }).first().click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.startsWith("lp-3"));
  await settled(page);
  assert.match(await page.locator("#said").innerText(), /(First miss|No deadline is missed).*may still meet/s);
  assert.equal(await page.locator("#tasks tbody tr[data-row]").count(), 2);
  // A circle of the chart opens sets, too: the first curve's last one.
  await page.locator("#study-figure .study-points circle").nth(3).dispatchEvent("click");
  await page.waitForFunction(() => /Sets that fail: EDF, 2 x 0/.test(document.querySelector("#study-sets").innerText));
  assert.deepEqual(problems, []);
  await close();
});

test("a study pauses, goes on, and keeps what was counted when it is cancelled", async () => {
  const { page, problems, close } = await site.open();
  await openPanel(page);
  await fill(page, { sets: "100000000", from: "0.6", to: "0.9", step: "0.1" });
  await page.locator("#study-run").click();
  await page.waitForFunction(() => /about .* left/.test(document.querySelector("#study-text").textContent), );
  await page.waitForSelector("#study-figure svg[role=img]");
  await page.locator("#study-pause").click();
  assert.match(await said(page), /^Paused/);
  // What is under way ends, and nothing else begins.
  await settled(page);
  const paused = await said(page);
  await idle(page);
  assert.equal(await said(page), paused);
  const number = (text) => Number(/([\d,]+) of/.exec(text)[1].replaceAll(",", ""));
  await page.locator("#study-pause").click();
  await until(() => said(page), (now) => !now.startsWith("Paused") && number(now) > number(paused));
  await page.locator("#study-cancel").click();
  const cancelled = await said(page);
  assert.match(cancelled, /^Canceled: partial/);
  assert.ok(number(cancelled) > number(paused));
  await page.waitForFunction(() => /partial, [\d,]+ of 400,000,000 sets/.test(document.querySelector("#study-figure").innerText));
  assert.ok((await page.locator("#study-figure .study-points circle").count()) > 0);
  await idle(page);
  assert.equal(await said(page), cancelled);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#study").getByRole("button", { name: "Save CSV" }).click()]);
  assert.match(await readFile(await download.path(), "utf8"), /\n# sets stopped in the middle\n/);
  // Another one can begin.
  await fill(page, { sets: "10" });
  await page.locator("#study-run").click();
  await ends(page, "Complete: 40 of 40 sets");
  assert.deepEqual(problems, []);
  await close();
});

test("a link brings a study back, and nothing runs by itself", async () => {
  const { page, problems, close } = await site.open();
  await openPanel(page);
  await page.locator("#sf-preset").selectOption("edf-3a");
  await page.waitForFunction(() => document.querySelector("#sf-tasks").value === "5");
  await fill(page, { sets: "20", seed: "77", slices: "1000, 3000", bound: "" });
  await page.locator("#study-run").click();
  await ends(page, "Complete");
  const link = await page.locator("#study-link").evaluate((a) => a.href);
  assert.match(link, /#study=preset=edf-3a&.*seed=77/);
  assert.equal(page.url(), link);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector("#sf-preset");
  await idle(page);
  const value = (name) => page.locator(`#sf-${name}`).inputValue();
  assert.deepEqual(
    await Promise.all(["preset", "tasks", "sets", "seed", "slices", "bound"].map(value)),
    ["edf-3a", "5", "20", "77", "1000, 3000", ""],
  );
  assert.equal(await page.locator("#study-done").isVisible(), false);
  assert.equal(await page.locator("#study").getAttribute("open"), "");
  assert.deepEqual(problems, []);
  await close();
});

test("bad input is told beside its field, and nothing runs; a task set that is typed in is judged at once, and opens in the stepper", async () => {
  const { page, problems, close } = await site.open();
  await openPanel(page);
  await fill(page, { tasks: "0", step: "0", thread: "5..1" });
  await page.waitForFunction(() => document.querySelector("#sf-thread-error").textContent !== "");
  await settled(page);
  assert.match(await page.locator("#sf-tasks-error").innerText(), /Tasks of a set.*is 0; 1 to 200/);
  assert.match(await page.locator("#sf-step-error").innerText(), /is 0; it must be positive/);
  assert.match(await page.locator("#sf-thread-error").innerText(), /5 is more than 1/);
  assert.equal(await page.locator("#sf-tasks").getAttribute("aria-invalid"), "true");
  await page.locator("#study-run").click();
  await idle(page);
  assert.equal(await page.locator("#study-done").isVisible(), false);
  await fill(page, { tasks: "2", step: "0.1", thread: "0", sets: "5" });
  await page.waitForFunction(() => document.querySelector("#sf-tasks-error").textContent === "");
  assert.equal(await page.locator("#sf-tasks").getAttribute("aria-invalid"), null);
  await page.locator("#study-run").click();
  await ends(page, "Complete");
  await page.locator(".typed > summary").click();
  await page.locator("#typed-set").fill("5 ms, 10 ms\n9 ms, 20 ms");
  await page.waitForSelector("#typed-verdicts [data-section=edf-tests] svg[role=img]");
  assert.match(await page.locator("#typed-verdicts").innerText(), /2 tasks, utilization 0\.95/);
  await page.locator("#typed-set").fill("5 ms, 10 ms\n9 ms, soon");
  await page.waitForFunction(() => /Line 2: period: "soon"/.test(document.querySelector("#typed-verdicts").textContent));
  await page.locator("#typed-set").fill("5 ms, 10 ms\n4 ms, 20 ms");
  await page.locator(".typed").getByRole("button", { name: "Open in the stepper" }).click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Task set");
  assert.equal(await page.locator("#tasks tbody tr").count(), 2);
  assert.deepEqual(problems, []);
  await close();
});
