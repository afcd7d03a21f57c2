// The table of a sweep on the page: dropped, drawn, sorted, and a run of it in the stepper. The table is what the command line prints, which
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
  await says(page, "sweep", /16 runs; kernels\[K3\]\.blocks and streams\[S2\]\.priority vary\./);
  assert.match(page.url(), /#\/sweep$/);
  const picture = page.locator("#tool-sweep .sweep-picture");
  await becomes(() => picture.getAttribute("aria-label"), "end, s by kernels[K3].blocks");
  await page.locator("select[name=sweep-measure]").selectOption("response:K3");
  await becomes(() => picture.getAttribute("aria-label"), "response:K3, s by kernels[K3].blocks");
  const response = page.locator("#sweep-table th button", { hasText: "response:K3" });
  await response.click();
  await page.waitForSelector("#sweep-table th[aria-sort=ascending]:has-text('response:K3')");
  await response.click();
  await page.waitForSelector("#sweep-table th[aria-sort=descending]:has-text('response:K3')");
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
  assert.match(await page.locator(".notice[role=status]").innerText(), /^Run 12 of the sweep: kernels\[K3\]\.blocks 7, /);

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
