// Editing: a change is simulated at once and can be undone; messages leave the cell in sight; cells are pasted; files are opened, and
// one that cannot be read changes nothing. What the tables do by themselves is tested in crates/ui/tests.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, choosePolicy, enter, openScenario, paste, problemCount, settled, SMALL, start, step, timeline, timelineName, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

/** What an edit may change, without the run before the edit, which lies behind it until it is let go. */
async function seen(page) {
  await page.evaluate(() => document.activeElement?.blur());
  await settled(page);
  if (await page.locator("#forget-edit").count()) await page.locator("#forget-edit").click();
  return { picture: await timeline(page), name: await timelineName(page), steps: (await step(page)).count };
}

const now = (page) => page.locator("#step-time").innerText();
const names = (page) => page.locator("#kernels [data-field=name] input").evaluateAll((all) => all.map((input) => input.value));

test("a cell changes the timeline, and is undone by button and by keys", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("[data-bookmark^='(b)']").click();
  const blocks = cell(page, 0, "blocks");
  const undo = page.locator("#undo");
  const before = await seen(page);
  assert.match(before.name, /K1 from 0 s to 2 s/);
  assert.equal(await blocks.inputValue(), "6");
  assert.ok(await undo.isDisabled());
  assert.equal(await page.locator("#reset").count(), 0);

  await enter(blocks, "4");
  const after = await seen(page);
  assert.match(after.name, /K1 from 0 s to 1 s/);
  assert.ok(after.steps < before.steps);
  assert.notEqual(after.picture, before.picture);
  assert.equal(await now(page), "1.8 s", "the cursor keeps its time");
  assert.equal(await page.locator("#reset").count(), 1, "it says that the example is edited");
  assert.equal(await undo.getAttribute("title"), "Undo: blocks of K1 from 6 to 4 (Ctrl+Z)");

  await undo.click();
  assert.deepEqual(await seen(page), before);
  assert.equal(await blocks.inputValue(), "6");
  await page.locator("#redo").click();
  assert.deepEqual(await seen(page), after);
  assert.equal(await blocks.inputValue(), "4");
  // By keys, outside a text field.
  await page.keyboard.press("Control+z");
  assert.deepEqual(await seen(page), before);
  await page.keyboard.press("Control+y");
  assert.deepEqual(await seen(page), after);
  // And inside one that is not being typed into.
  await blocks.focus();
  await page.keyboard.press("Control+z");
  assert.deepEqual(await seen(page), before);
  assert.equal(await blocks.inputValue(), "6");
  assert.ok(await undo.isDisabled(), "there is no more to undo");
  assert.equal(await page.locator("#reset").count(), 0, "nothing is edited any more");
  assert.deepEqual(problems, []);
  await close();
});

test("the messages leave the cell in sight that they are about", async () => {
  for (const [width, height] of [[1366, 657], [390, 844]]) {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height } } });
    for (const [table, row, field] of [["kernels", 5, "blocks"], ["tasks", 1, "offset_ns"]]) {
      const edited = cell(page, row, field, table);
      await edited.focus();
      const parts = () =>
        edited.evaluate((input) => {
          const box = (element) => element.getBoundingClientRect();
          return { cell: box(input.closest("td")).bottom, messages: box(document.querySelector("#notices")).top };
        });
      // Just above the bar, where they come.
      await edited.evaluate((input) => window.scrollBy(0, input.getBoundingClientRect().bottom - document.querySelector("#notices").getBoundingClientRect().bottom + 4));
      await edited.fill("lots");
      await settled(page);
      await until(parts, ({ cell, messages }) => cell < messages);
      await edited.fill("1");
      await settled(page);
      assert.equal(await problemCount(page), 0);
    }
    assert.deepEqual(problems, []);
    await close();
  }
});

test("cells are pasted from a spreadsheet where the cursor is; what is below the last row is added", async () => {
  const { page, problems, close } = await site.open();
  const fields = ["start_ns", "blocks", "threads_per_block", "block_time_ns"];
  const row = (row) => Promise.all(fields.map((field) => cell(page, row, field).inputValue()));
  await paste(cell(page, 3, "start_ns"), "0.25\t2\t1,024\t500 ms\r\n0.5\t3\t64\t0.1\r\n");
  await page.locator("#preview-take").click();
  await settled(page);
  assert.deepEqual(await row(3), ["250 ms", "2", "1,024", "500 ms"]);
  assert.deepEqual(await row(4), ["500 ms", "3", "64", "100 ms"]);
  assert.equal(await problemCount(page), 0);
  await page.locator("#undo").click();
  await settled(page);
  assert.deepEqual(await row(3), ["200 ms", "4", "256", "1 s"], "a paste is one edit");
  assert.equal(await page.locator("#said").count(), 0, "nothing is said of it any more");
  assert.ok(await page.locator("#undo").isDisabled());
  // Titles are shown with what they are taken for first.
  const titles = "Kernel\tTask\tStream\tStart\tThreads\tTime\tBlocks\n";
  await paste(cell(page, 5, "name"), `${titles}L1\tCPU 1\tS2\t3\t32\t1\t1\nL2\tCPU 0\tS1\t\t32\t1\t2\nL3\tCPU 0\tS1\t\t32\t1\tmany\n`);
  await page.locator("#preview [value=cells]").check();
  assert.equal((await names(page)).length, 6);
  await page.locator("#preview-take").click();
  await settled(page);
  assert.deepEqual(await names(page), ["K1", "K2", "K3", "K4", "K5", "L1", "L2", "L3"]);
  const last = cell(page, 7, "blocks");
  assert.equal(await last.inputValue(), "many", "what cannot be read stays too");
  assert.equal(await problemCount(page), 1);
  await enter(last, "1");
  assert.equal(await problemCount(page), 0);
  assert.match(await timelineName(page), /L3 from/);
  // A whole table, as a spreadsheet in German writes it, takes the place of the one before.
  await paste(cell(page, 2, "name"), "Kernel;Stream;gridDim;Threads;Time per block (ms)\nmine 1;s1;2;32;1,250\nmine 2;s2;4;64;0,500\n");
  assert.equal(await page.getByLabel(/^Replace all: 8 kernels/).isChecked(), true);
  assert.equal(await page.locator("#preview-verdict").innerText(), "No problems found.");
  await page.locator("#preview-take").click();
  await settled(page);
  assert.deepEqual(await names(page), ["mine 1", "mine 2"]);
  assert.deepEqual([await row(0), await row(1)], [["", "2", "32", "1.25 ms"], ["", "4", "64", "500 µs"]]);
  assert.deepEqual(problems, []);
  await close();
});

test("a moment at 0 s is reached by a step, not before the first one", async () => {
  const { page, problems, close } = await site.open({ url: `${site.url}#example=edf-fig-1&step=0` });
  await settled(page);
  const first = page.locator("[data-bookmark]").first();
  assert.match(await first.innerText(), /0 s$/);
  assert.equal(await first.getAttribute("aria-pressed"), "false");
  await first.click();
  await settled(page);
  assert.equal(await first.getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator(".bookmark-text").count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test("a scenario is opened, undone and opened again, and every policy runs its table", async () => {
  const { page, problems, close } = await site.open();
  const before = await timelineName(page);
  assert.equal(await page.locator("[data-bookmark]").count(), 5);
  await openScenario(page, SMALL);
  assert.deepEqual(await names(page), ["A"]);
  assert.match(await timelineName(page), /A from 0 s to 3 µs/);
  assert.equal(await page.locator(".bookmark").count(), 0, "the moments of an example are not its own");
  await page.locator("#undo").click();
  assert.equal(await timelineName(page), before);
  assert.equal(await page.locator("[data-bookmark]").count(), 5);
  await page.locator("#redo").click();
  await settled(page);
  assert.deepEqual(await names(page), ["A"]);
  assert.ok(await page.locator("#policy [value=runlist]").isChecked());
  for (const kind of ["fifo", "priority", "runlist", "edf"]) {
    await choosePolicy(page, kind);
    assert.equal(await problemCount(page), 0, kind);
    assert.match(await timelineName(page), /A from 0 s to 3 µs/, kind);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a file that cannot be read changes nothing", async () => {
  const { page, problems, close } = await site.open();
  const seen = async () => [await timeline(page), await names(page), await now(page)];
  const before = await seen();
  for (const [name, text] of [
    ["picture.png", "\u0089PNG"],
    ["empty.json", ""],
    ["three.json", '{ "version": 1, "kernels": 3 }'],
    ["typo.json", '{ "version": 1, "kernles": [] }'],
    ["later.json", '{ "version": 99 }'],
  ]) {
    await page.locator("#open-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await page.locator(".notice[role=alert]", { hasText: name }).waitFor();
    assert.deepEqual(await seen(), before, name);
    assert.ok(await page.locator("#undo").isDisabled(), `${name} is no edit`);
    await page.locator(".notice [aria-label=Dismiss]").click();
    await settled(page);
    assert.equal(await page.locator(".notice").count(), 0);
  }
  assert.deepEqual(problems, []);
  await close();
});
