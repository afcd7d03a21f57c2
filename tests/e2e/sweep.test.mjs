// Sweeps on the page: a number of the table that varies; a table dropped, drawn, sorted, and a run of it in the stepper. The table is what the command line prints, which
// a test of the command line checks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { AXE, becomes, drop, openScenario, says, settled, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

const text = readFileSync(new URL("../data/sweep/runs.csv", import.meta.url), "utf8");
const axe = npmTool("axe-core").source;

test("the table of a sweep is drawn and sorted, and its greatest run opens in the stepper", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, { version: 1, name: "Mine", kernels: [{ name: "K", blocks: 1, threads_per_block: 32, block_time_ns: 5 }] });
  await drop(page, [{ name: "runs.csv", text }]);
  await says(page, "sweep", /16 runs by blocks of K3 and priority of S2\./);
  assert.match(page.url(), /#\/sweep$/);
  const picture = page.locator("#tool-sweep .sweep-picture");
  await becomes(() => picture.getAttribute("aria-label"), "End of the run, s by blocks of K3");
  await page.locator("select[name=sweep-measure]").selectOption("response:K3");
  await becomes(() => picture.getAttribute("aria-label"), "Largest response of K3, s by blocks of K3");
  const response = page.locator("#sweep-table th button", { hasText: "Largest response of K3" });
  await response.click();
  await page.waitForSelector("#sweep-table th[aria-sort=ascending]:has-text('Largest response of K3')");
  await response.click();
  await page.waitForSelector("#sweep-table th[aria-sort=descending]:has-text('Largest response of K3')");
  const first = page.locator("#sweep-table tbody tr").first();
  await becomes(() => first.locator("th").textContent(), "Open run 12");
  await page.evaluate(axe);
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), AXE);
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].failureSummary}`), []);

  // What is refused leaves the table.
  await drop(page, [{ name: "broken.csv", text: text.slice(0, -40) }]);
  await says(page, "sweep", /broken\.csv cannot be opened/);
  assert.equal(await first.locator("th").textContent(), "Open run 12");

  // By keyboard.
  await first.getByRole("button", { name: "Open run 12" }).press("Enter");
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page") && document.activeElement.id === "main");
  await settled(page);
  const blocks = () => page.locator("#kernels [data-field=blocks] input").nth(2).inputValue();
  await becomes(blocks, "7");
  assert.match(await page.locator(".notice[role=status]").innerText(), /^Run 12 of the sweep: blocks of K3 = 7, /);

  // The reader's own is an undo away, and the table is as it was.
  await page.locator("#undo").click();
  await becomes(() => page.locator("#scenario-name").inputValue(), "Mine");
  await page.goto(`${site.url}#/sweep`);
  await becomes(() => first.locator("th").textContent(), "Open run 12");
  assert.deepEqual(problems, []);
  await close();
});

test("without a table the page says what makes one", async () => {
  const { page, problems, close } = await site.open();
  await page.goto(`${site.url}#/sweep`);
  await says(page, "sweep", /blockstep sweep table1\.json --vary/);
  const button = page.getByRole("button", { name: "Open a table…" });
  assert.ok(await button.isVisible());
  await page.locator("#sweep-files").setInputFiles({ name: "runs.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await says(page, "sweep", /16 runs/);
  assert.deepEqual(problems, []);
  await close();
});

test("a researcher varies a number and opens a point in four actions", async () => {
  const { page, problems, close } = await site.open();
  await settled(page);
  // One: the cell. Two: what it can do. Three: the runs. Four: a point.
  await page.getByRole("textbox", { name: "Blocks of K1", exact: true }).click();
  await page.getByRole("button", { name: "Vary Blocks of K1…" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction(() => /^Complete: 12 of 12 runs/.test(document.querySelector("#sweep-text")?.textContent ?? ""));
  const point = page.locator(".sweep-point");
  await point.waitFor();
  assert.match(page.url(), /#\/sweep$/);
  await page.evaluate(axe);
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), AXE);
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].failureSummary}`), []);
  // The point that the pointer is nearest to, which is told.
  const picture = await page.locator(".sweep-chart").boundingBox();
  const places = await page.evaluate(() =>
    [...document.querySelectorAll(".sweep-picture svg > path")].map((mark) => mark.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]),
  );
  assert.equal(places.length, 12);
  assert.ok(picture.x < places[0][0] && places[11][0] < picture.x + picture.width);
  await page.mouse.move(...places[3]);
  await becomes(async () => (await point.getAttribute("aria-label")).split(";")[0], "Open Run 3: blocks of K1 = 4");
  await page.mouse.click(...places[3]);
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  await settled(page);
  const blocks = () => page.locator("#kernels [data-field=blocks] input").first().inputValue();
  await becomes(blocks, "4");
  // Nothing is lost: the table is an undo away, and the runs are a step back.
  await page.locator("#undo").click();
  await becomes(blocks, "6");
  await page.goto(`${site.url}#/sweep`);
  await becomes(() => page.locator("#sweep-table tbody tr").count(), 12);
  assert.deepEqual(problems, []);
  await close();
});

test("a sweep is canceled at once, and what was made of it stays", async () => {
  const { page, problems, close } = await site.open();
  const tasks = Array.from({ length: 6 }, (_, i) => ({ name: `T${i}`, release: "periodic", period_ns: 7_000 + i }));
  const kernels = tasks.map((task, i) => ({ name: `K${i}`, task: task.name, blocks: 4, threads_per_block: 512, block_time_ns: 3_000 }));
  await openScenario(page, { version: 1, name: "Long", horizon_ns: 700_000, tasks, kernels }, { runs: false });
  await page.goto(`${site.url}#/sweep`);
  await page.getByLabel("Values").fill("1 to 20,000");
  await page.getByLabel("Values").press("Enter");
  const said = page.locator("#sweep-text");
  await page.waitForFunction(() => /^[1-9][\d,]* of 20,000 runs/.test(document.querySelector("#sweep-text")?.textContent ?? ""));
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.match(await said.innerText(), /^Canceled: partial, [\d,]+ of 20,000 runs/);
  await says(page, "sweep", /[\d,]+ of 20,000 runs were made; the others were canceled\./);
  assert.deepEqual(problems, []);
  await close();
});
