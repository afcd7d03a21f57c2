// Can it hang? A newcomer types a persistent kernel, reads how many of its blocks fit, and opens the run that hangs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { AXE, cell, enter, says, settled, start, step } from "./page.mjs";

const axe = npmTool("axe-core").source;
let site;
before(async () => (site = await start()));
after(() => site?.close());

async function accessible(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate((options) => window.axe.run("#tool-hang", options), AXE);
  assert.deepEqual(violations.map((of) => [of.id, of.nodes.map((node) => node.html.slice(0, 120))]), []);
}

test("a grid barrier with too many blocks is typed, its number is read, and the run that hangs is opened", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("new");
  await page.locator("#device").selectOption("p100");
  await settled(page);
  const button = page.locator('.table-head [data-open-tool="hang"]');
  assert.equal(await button.count(), 0, "nothing in it waits for anything");
  await enter(cell(page, 0, "blocks"), "128");
  await enter(cell(page, 0, "threads_per_block"), "1024");
  await page.locator("#columns-kernel").click();
  await cell(page, 0, "barrier").selectOption({ label: "yes" });
  await settled(page);

  // The run on screen hangs, and the message about that leads to the question, too.
  await page.locator("#never-complete [data-open-tool=hang]").waitFor();
  await button.click();
  await page.locator("#hang-repairs").waitFor();
  await settled(page);
  assert.match(await page.locator("#hang-numbers tbody tr").innerText(), /112 of 128\s+112\s+limit: threads/);
  assert.match(await page.locator("#hang-verdict").innerText(), /^It can hang, in this order of arrival:$/);
  assert.match(await page.locator("#hang-repairs").innerText(), /with at most 112 blocks/);
  assert.match(await page.locator("#hang-assumed").innerText(), /where nothing else runs/);
  assert.equal(await page.locator("#never-complete button").count(), 0, "it is open");
  await accessible(page);

  // The run that hangs, at its end.
  await page.locator("#hang-run").click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.endsWith("hangs)"));
  const { position, count } = await step(page);
  assert.equal(position, count);
  assert.match(await page.locator("#never-complete").innerText(), /In this run some work hangs forever: .* waits for 112 blocks of/);
  await says(page, "hang", /The table has changed\. The answer below is about/);

  // One that does not, and back.
  await page.locator("#hang-repairs button").first().click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.endsWith("112 blocks)"));
  await settled(page);
  assert.equal(await cell(page, 0, "blocks").inputValue(), "112");
  assert.equal(await page.locator("#never-complete").count(), 0);
  await page.locator("#hang-search").click();
  await says(page, "hang", /No order of arrival hangs/);
  await settled(page);
  await accessible(page);
  assert.deepEqual(problems, []);
  await close();
});

test("a link opens it with an example; a table in which nothing waits says what to set", async () => {
  const { page, problems, close } = await site.open({ url: `${site.url}#hang=&on=spin-workers` });
  await says(page, "hang", /128 of 128[\s\S]*68 beside S[\s\S]*It can hang, in this order of arrival \(one of 2\)/);
  await settled(page);
  assert.deepEqual(await page.locator("#hang-arrivals li").allInnerTexts(), ["S is launched", "W is launched"]);
  assert.equal(await page.locator("#hang-repairs li").count(), 3);
  assert.equal(await page.locator("#hang-repairs button").count(), 2, "who is launched first, the program says");
  await page.evaluate(() => (location.hash = "#hang=&on=tx2-table-1"));
  await says(page, "hang", /No block of this table waits for another one/);
  assert.deepEqual(problems, []);
  await close();
});
