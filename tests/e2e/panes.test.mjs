// Panes beside the run: what is new in one starts at its top, nothing in them or around them tells an answer early, and what is empty can be
// filled at once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, filledTool, paste, says, settled, start, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

/** A small window of a laptop. */
const LAPTOP = { viewport: { width: 1366, height: 657 } };

/** Scrolls the panes to their end, as one who reads them to the end does. */
async function readToEnd(page) {
  await settled(page);
  await page.locator("#stage-side").evaluate((side) => side.scrollTo(0, side.scrollHeight));
}

/** Whether the top of a pane is in sight. */
async function startsAtTop(page, pane, what) {
  await settled(page);
  const { top, from, to } = await page.evaluate((pane) => {
    const side = document.querySelector("#stage-side").getBoundingClientRect();
    return { top: document.querySelector(pane).getBoundingClientRect().top, from: side.top, to: side.bottom };
  }, pane);
  assert.ok(top >= from - 1 && top < to - 60, `${what}: its top is at ${top}, in sight is ${from} to ${to}`);
}

test("while a question is open, no bookmark and no title of a later stop tells the answer", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  await page.evaluate(() => (location.hash = "#tour=edf-fig-1/5"));
  const tour = page.locator("#tool-tour");
  await tour.locator(".tour-choices button").first().waitFor();
  await settled(page);
  assert.ok(await page.locator("#veil").isHidden(), "what comes is not hidden at this stop");
  for (const id of ["bookmarks", "intro-text"]) {
    assert.ok(await page.locator(`#${id}`).isHidden(), id);
  }
  const titles = () => tour.locator("select[name=stop] option").allInnerTexts();
  assert.ok((await titles()).slice(5).every((title) => /^\d+\. After your answer$/.test(title)), (await titles()).join("\n"));
  await tour.locator(".tour-choices button").first().click();
  await says(page, "tour", /Right\.|Not quite/);
  await settled(page);
  assert.ok(await page.locator("#bookmarks").isVisible());
  assert.ok((await titles()).every((title) => !/After your answer/.test(title)));
  assert.deepEqual(problems, []);
  await close();
});

test("a new table has a row to type in, and takes cells at once", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  await page.locator("#example").selectOption("new");
  await until(() => page.evaluate(() => document.activeElement.dataset.cell), (focused) => focused === "kernels:0:0");
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 1);
  await page.keyboard.type("Mine");
  await settled(page);
  assert.equal(await cell(page, 0, "name").inputValue(), "Mine");
  await page.locator("#example").focus();
  await page.locator("#example").selectOption("new");
  await until(() => cell(page, 0, "name").inputValue(), (name) => name === "K1");
  await until(() => page.evaluate(() => document.activeElement.dataset.cell), (focused) => focused === "kernels:0:0");
  await paste(page.locator(":focus"), "Kernel\tBlocks\tThreads\tTime per block (ms)\nA\t4\t64\t1\nB\t8\t32\t2\n");
  await page.locator("#preview-take").click();
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 2);
  // What can be done is said where nothing is yet.
  const find = await filledTool(page, "find");
  await says(page, "find", /Press Find to look for/);
  await find.getByRole("button", { name: "Close" }).click();
  assert.deepEqual(problems, []);
  await close();
});
