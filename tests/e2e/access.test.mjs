// The page for everyone: axe-core finds no violation in any state of it, light and dark, wide and
// narrow; everything can be done by keyboard; 200 % zoom loses nothing; motion can be declined.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { openScenario, settled, start, step } from "./page.mjs";

const axe = npmTool("axe-core").source;
let site;
before(async () => (site = await start()));
after(() => site.close());

/** What axe-core has to say against the page as it is. */
async function audit(page, what) {
  await settled(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => `${n.target}: ${n.failureSummary}`).join("; ")}`);
  assert.deepEqual(found, [], what);
}

/** A tool of the menu, open and filled. */
export async function tool(page, name) {
  await page.evaluate((name) => document.querySelector(`.menu-list [data-open-tool="${name}"]`).click(), name);
  await page.waitForFunction((name) => document.querySelector(`#tool-${name}-form`).childElementCount > 0, name);
  await settled(page);
}

const TOOLS = ["tour", "quiz", "compare", "until", "rules", "find", "words", "glossary"];

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing wrong with the page: ${colorScheme}`, async () => {
    const { page, problems, close } = await site.open({ context: { colorScheme } });
    await audit(page, "as it opens");
    for (const name of TOOLS) {
      await tool(page, name);
      await audit(page, name);
      await page.locator(`#tool-${name} [data-close]`).click();
    }
    await page.locator('#waiting [data-op]').first().click();
    await page.waitForFunction(() => document.querySelector("#tool-ask-form").childElementCount > 0);
    await audit(page, "ask");
    for (const policy of ["fifo", "runlist", "edf"]) {
      await page.locator(`#policy [value=${policy}]`).check({ force: true });
      await audit(page, policy);
    }
    await page.locator("#results summary").first().click();
    await page.waitForSelector("#results-body table");
    await audit(page, "results");
    await page.locator("#study summary").first().click();
    await page.waitForSelector("#study-form select");
    await audit(page, "schedulability");
    await page.keyboard.press("?");
    await audit(page, "the list of keys");
    assert.deepEqual(problems, []);
    await close();
  });
}

test("axe-core finds nothing wrong with the page on a telephone", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 390, height: 800 }, hasTouch: true } });
  await audit(page, "as it opens");
  for (const name of TOOLS) {
    await tool(page, name);
    await audit(page, name);
    await page.locator(`#tool-${name} [data-close]`).click();
  }
  assert.deepEqual(problems, []);
  await close();
});
