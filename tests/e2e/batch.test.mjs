// The page of application-level schedulers: a false dependency with and without its method, stepping by
// keys and buttons, all six beside each other, ours against the paper's, a workload of one's own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { cell, filledTool, openTool, paste, reload, settled, start, step } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

async function open(options) {
  const opened = await site.open(options);
  await filledTool(opened.page, "batch");
  return opened;
}

async function says(page, pattern) {
  await page.waitForFunction(
    ([source, flags]) => new RegExp(source, flags).test((document.querySelector("#tool-batch .tool-body")?.innerText ?? "")),
    [pattern.source, pattern.flags],
  );
}

/** Points at what stands in the row of kernels at 3 ms of 7. */
async function hoverKernel(page) {
  const canvas = page.locator("#batch-timeline");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 84 + ((box.width - 100) * 3) / 7, box.y + box.height - 24 - 16 - 17);
}

/** Shows a part: it is there once a worker has answered, and keys go to what is there. */
async function tab(page, name) {
  const button = page.locator("#tool-batch").getByRole("button", { name }).first();
  await button.click();
  await page.waitForFunction((button) => button.ariaPressed === "true", await button.elementHandle());
}

test("the paper's false dependency is there, and its method removes it", async () => {
  const { page, problems, close } = await open();
  assert.ok(!(await page.locator("#example").isVisible()), "it has the page to itself");
  await says(page, /False dependency/);
  // Words come up where the pointer is; on lines of dependencies as on bars.
  const words = (text) => page.locator("#tool-batch .spots title").filter({ hasText: text }).count();
  assert.equal(await words("false dependency"), 1);
  await hoverKernel(page);
  assert.match(await page.locator(".tip").innerText(), /^t1 kernel held up\s+Start\s+1 ms\s+End\s+5 ms/);
  const wide = await page.evaluate(() => [document.querySelector("#tool-batch .batch.is-wide") !== null, innerWidth]);
  assert.ok(wide[0] || wide[1] < 900, "it is laid out for the room that it has");
  await page.keyboard.press("Home");
  await says(page, /Step 0 of/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await says(page, /Step 2 of/);
  await page.keyboard.press("ArrowLeft");
  await says(page, /Step 1 of/);
  // On and back again before the answer to the first key is there.
  await page.evaluate(() => {
    for (const key of ["ArrowRight", "ArrowLeft"]) {
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  });
  await settled(page);
  await says(page, /Step 1 of/);
  await page.keyboard.press("ArrowRight");
  await says(page, /Step 2 of/);
  await page.keyboard.press("End");
  await says(page, /Step (\d+) of \1/);
  for (const name of ["Compare all six", "Compare with the paper", "Workload"]) {
    await tab(page, name);
    await page.keyboard.press("Home");
  }
  await tab(page, "Step by step");
  await says(page, /Step (\d+) of \1/);
  await page.getByRole("button", { name: /Switch set-event-queue on/ }).click();
  await page.waitForFunction(() => !/False dependency,/.test((document.querySelector("#tool-batch .tool-body")?.innerText ?? "")));
  assert.equal(await words("false dependency"), 0);
  await page.locator("#tool-batch button[aria-label=Close]").click();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  assert.ok(await page.locator("#example").isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test("all six beside each other, and ours against the paper's", async () => {
  const { page, problems, close } = await open();
  await tab(page, "Compare with the paper");
  await says(page, /In \d of 7 cases/);
  assert.ok((await page.locator("#tool-batch table tbody tr").count()) >= 14, "ours and the paper's of seven cases");
  await page.locator("#tool-batch").getByRole("button", { name: "Open" }).first().click();
  await tab(page, "Compare all six");
  await says(page, /GPUAtomics/);
  await page.waitForSelector("#tool-batch svg");
  for (const width of [390, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    const room = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(room <= 0, `at ${width} px the page is ${room} px too wide`);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("keys do not reach what is hidden, and a reload keeps the workload", async () => {
  const { page, problems, close } = await open();
  await page.locator("#tool-batch button[aria-label=Close]").click();
  await cell(page, 0, "blocks").fill("7");
  await settled(page);
  const { position } = await step(page);
  await openTool(page, "batch");
  await tab(page, "Compare with the paper");
  await page.locator("#tool-batch").getByRole("button", { name: "Open" }).first().click();
  await tab(page, "Workload");
  const kernel = page.locator('#batch-tasks [data-field=kernel] input').first();
  const was = await kernel.inputValue();
  await kernel.fill("3 ms");
  await kernel.press("Tab");
  await page.waitForFunction(() => document.querySelector('#batch-tasks [data-field=kernel] input').value !== "");
  await page.evaluate(() => document.activeElement.blur());
  for (const key of [".", ",", "c", "q", "Control+z"]) await page.keyboard.press(key);
  const reads = (text) => page.waitForFunction((text) => document.querySelector('#batch-tasks [data-field=kernel] input').value === text, text);
  await reads(was);
  await page.keyboard.press("Control+y");
  await reads("3 ms");
  await page.keyboard.press("Control+z");
  await reads(was);
  await page.keyboard.press("Space");
  await page.locator("#tool-batch button[aria-label=Close]").click();
  assert.equal(await cell(page, 0, "blocks").inputValue(), "7", "the edit behind it is still there");
  assert.equal((await step(page)).position, position);
  assert.match(await page.locator("#play").getAttribute("aria-label"), /^Play/, "nothing plays");
  assert.equal(await page.locator(".tool:visible").count(), 0);

  await openTool(page, "batch");
  await kernel.waitFor();
  await kernel.fill("5 ms");
  await kernel.press("Tab");
  await settled(page);
  await page.waitForFunction(() => localStorage["blockstep.tool.batch"]?.includes("5"));
  await reload(page);
  await openTool(page, "batch");
  await kernel.waitFor();
  assert.equal(await kernel.inputValue(), "5 ms");
  assert.deepEqual(problems, []);
  await close();
});

test("a workload is edited, saved, opened again, and its mistakes are named", async () => {
  const { page, problems, close } = await open();
  await tab(page, "Compare with the paper");
  await page.locator("#tool-batch").getByRole("button", { name: "Open" }).first().click();
  await tab(page, "Workload");
  const cell = page.locator('#batch-tasks [data-field=kernel] input').first();
  await cell.waitFor();
  const was = await cell.inputValue();
  await cell.fill("soon");
  await cell.press("Tab");
  await says(page, /soon/);
  assert.equal(await cell.inputValue(), "soon", "what was typed stays");
  await cell.fill(was);
  await cell.press("Tab");
  const button = page.locator("#tool-batch").getByRole("button", { name: /JSON/i }).first();
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const text = readFileSync(await download.path());
  JSON.parse(text);
  await page.locator("#tool-batch button[aria-label=Close]").click();
  await page.locator("#open-file").setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: text });
  await page.waitForFunction(() => document.documentElement.hasAttribute("data-page"));
  await says(page, /Step by step/);
  assert.deepEqual(problems, []);
  await close();
});

test("cells from a spreadsheet are shown as they would be read, before the workload takes them", async () => {
  const { page, problems, close } = await open();
  await tab(page, "Compare with the paper");
  await page.locator("#tool-batch").getByRole("button", { name: "Open" }).first().click();
  await tab(page, "Workload");
  const cells = (field) => page.locator(`#batch-tasks [data-field=${field}] input`);
  const names = () => cells("name").evaluateAll((all) => all.map((input) => input.value));
  await cells("name").first().waitFor();
  const before = await names();
  const preview = page.locator("#batch-preview");
  const pasteTwo = async () => {
    await paste(cells("name").nth(before.length - 2), "Name\tKernel time (us)\tBlocks\tOwner\nfirst\t40\tmany\tme\nsecond\t50\t2\tme\n");
    await preview.locator("table").waitFor();
    await preview.getByLabel("Overwrite cells only").check();
    // The cells of the other choice go with the next frame.
    await settled(page);
  };
  await pasteTwo();
  assert.match(await preview.locator("th", { hasText: "“Kernel time" }).innerText(), /“Kernel time \(us\)”, in us/);
  assert.deepEqual(await preview.locator("td.invalid").allInnerTexts(), ["many"]);
  assert.match(await preview.innerText(), /2 rows, matched by their headings/);
  assert.deepEqual(await names(), before, "nothing has changed");
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  // The dialog says a moment after it has closed that it has.
  await settled(page);
  assert.deepEqual(await names(), before, "Escape takes nothing");
  await pasteTwo();
  await page.locator("#batch-preview-take").click();
  await preview.waitFor({ state: "hidden" });
  await settled(page);
  assert.deepEqual(await names(), [...before.slice(0, -2), "first", "second"]);
  assert.equal(await cells("kernel").last().inputValue(), "50 us");
  assert.equal(await cells("blocks").nth(before.length - 2).inputValue(), "many");
  await says(page, /"Blocks" of task 1 \(first\): /);
  await page.locator("#batch-undo").click();
  await page.waitForFunction((count) => document.querySelectorAll('#batch-tasks [data-field=name] input').length === count, before.length);
  await settled(page);
  assert.deepEqual(await names(), before, "it is one change");
  assert.deepEqual(problems, []);
  await close();
});
