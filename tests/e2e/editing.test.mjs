// Editing: every change is simulated at once and can be undone, and nonsense loses nothing; rows are added, moved and pasted; files
// are opened, and one that cannot be read changes nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exampleScenario } from "../../scripts/tools.mjs";
import { becomes, cell, choosePolicy, enter, openScenario, paste, problemCount, settled, SMALL, start, step, timeline, timelineName, until } from "./page.mjs";

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
const focused = (page) => page.evaluate(() => document.activeElement.dataset.cell);

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

test("the keystrokes of a cell are simulated as they come, are one edit, and stay as typed until the cell is left", async () => {
  const { page, problems, close } = await site.open();
  const time = cell(page, 0, "block_time_ns");
  const type = async (text) => {
    await time.selectText();
    await page.keyboard.type(text);
    await settled(page);
  };
  await type("0.5");
  assert.match(await timelineName(page), /K1 from 0 s to 1 s/);
  assert.equal(await time.inputValue(), "0.5");
  await type("1250 ms");
  await time.blur();
  await settled(page);
  assert.equal(await time.inputValue(), "1.25 s", "once it is left, a cell shows how it was read");
  await enter(time, "1500 ms");
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await time.inputValue(), "1.25 s", "leaving the cell ended the edit before");
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await time.inputValue(), "1 s");
  assert.ok(await page.locator("#undo").isDisabled());
  assert.deepEqual(problems, []);
  await close();
});

test("nonsense is named beside its cell, can be undone where it is named, and nothing is lost", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("[data-bookmark^='(d)']").click();
  const [blocks, threads] = [cell(page, 0, "blocks"), cell(page, 2, "threads_per_block")];
  const beside = page.locator("#kernels tr[data-row='2'] [data-field=threads_per_block] .field-error");
  const complaint = page.locator("#problems");
  const queue = () => page.locator("[data-queue='CE queue'] [data-item]").allInnerTexts();
  const before = await seen(page);
  assert.deepEqual(await queue(), ["C2o"]);
  for (const nonsense of ["lots", "12 parsecs", "-3", "1e99", "99999999999999999999999", "0", "4,096", "5000", "🕑"]) {
    await threads.fill(nonsense);
    await settled(page);
    assert.notEqual(await beside.innerText(), "", `${nonsense} is complained about`);
    assert.equal(await beside.getAttribute("role"), "alert");
    assert.equal(await threads.getAttribute("aria-invalid"), "true");
    assert.equal(await threads.getAttribute("aria-describedby"), await beside.getAttribute("id"), "the message belongs to the cell");
    assert.match(await complaint.innerText(), /last valid run/);
    assert.equal(await threads.inputValue(), nonsense, "what was typed stays");
    assert.deepEqual(await seen(page), before, `${nonsense}: the last valid run stays on screen`);
    assert.deepEqual(await queue(), ["C2o"]);
    assert.equal(await now(page), "3.02 s");
  }
  // Another cell, then away from both: the texts are still there.
  await enter(threads, "lots");
  await enter(blocks, "none");
  assert.deepEqual([await threads.inputValue(), await blocks.inputValue()], ["lots", "none"]);
  assert.equal(await page.locator("#kernels .field-error").count(), 2);
  assert.match(await complaint.innerText(), /1 more/);
  // One still can step through the run.
  await page.locator("#forward").click();
  assert.equal((await step(page)).position, 62);
  // Correcting one is not enough, correcting both is.
  await enter(threads, "1,024");
  assert.equal(await problemCount(page), 1);
  await enter(blocks, "6");
  assert.equal(await problemCount(page), 0);
  assert.equal(await page.locator("#kernels .field-error").count(), 0);
  assert.equal(await threads.getAttribute("aria-invalid"), "false");
  assert.deepEqual(await seen(page), before);

  const time = cell(page, 1, "block_time_ns");
  await enter(time, "whenever");
  assert.match(await complaint.innerText(), /whenever/);
  await complaint.locator("button").click();
  await settled(page);
  assert.equal(await problemCount(page), 0);
  assert.equal(await time.inputValue(), "1 s");
  assert.deepEqual(await seen(page), before);
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

test("names are taken when they are complete, and a stream comes into being as it is named", async () => {
  const { page, problems, close } = await site.open();
  const first = cell(page, 0, "name");
  await first.fill("K2");
  await settled(page);
  assert.equal(await problemCount(page), 0, "on the way to another name");
  await first.blur();
  await settled(page);
  assert.equal(await problemCount(page), 1, "two kernels of a name");
  assert.notEqual((await page.locator("#kernels [data-field=name] .field-error").allInnerTexts()).join(""), "");
  await enter(first, "First");
  assert.equal(await problemCount(page), 0);
  assert.match(await timelineName(page), /First from 0 s to 2 s/);
  await enter(cell(page, 3, "stream"), "S9");
  assert.equal(await page.locator("[data-queue='Stream S9']").count(), 1);
  assert.equal(await page.locator("[data-stream=S9]").count(), 1, "its priority can be chosen");
  assert.deepEqual(problems, []);
  await close();
});

test("a row waits for another, and a stream of high priority passes", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#columns-kernel").click();
  await cell(page, 4, "after").selectOption("K4");
  await settled(page);
  assert.equal(await problemCount(page), 0);
  assert.match(await timelineName(page), /K5 from 2.4 s to 3.4 s/);
  await page.locator("#undo").click();
  assert.match(await timelineName(page), /K4 from 1 s to 2 s; .*K5 from 2 s to 3 s/);
  await page.locator("[data-stream=S2]").selectOption("high");
  assert.match(await timelineName(page), /K4 from 200 ms to 1.2 s/, "it passes K1");
  assert.ok((await page.locator(".priority").allInnerTexts()).includes("high"));
  await page.locator("#undo").click();
  assert.match(await timelineName(page), /K4 from 1 s to 2 s/);
  assert.deepEqual(problems, []);
  await close();
});

/** The sentences of all steps. The list has those around the current one: at least five, however high what stands above it is. */
async function sentences(page) {
  const all = [];
  const { count } = await step(page);
  for (let position = 0; position < count + 5; position += 5) {
    await page.locator("#scrubber").fill(String(Math.min(position, count)));
    await settled(page);
    const shown = await page.locator(".steps [data-step]").evaluateAll((steps) => steps.map((step) => [Number(step.dataset.step), step.textContent]));
    for (const [number, text] of shown) all[number - 1] = text;
  }
  assert.equal(all.filter(Boolean).length, count);
  return all;
}

test("policies lead to different steps, and the same one to the same", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, exampleScenario("tx2-table-3"));
  const isAt = async (time, all, sentence) => {
    assert.ok(all.includes(sentence), all.join("\n"));
    await page.locator("#jump").fill(`#${all.indexOf(sentence) + 1}`);
    await page.keyboard.press("Enter");
    await settled(page);
    assert.deepEqual([await now(page), await page.locator(".step.current .step-text").innerText()], [time, sentence]);
  };
  assert.match(await timelineName(page), /K1 from 0 s to 5 s; K2 from 500 ms to 2.5 s; K3 from 2.5 s to 4.5 s/);
  const priority = await sentences(page);
  await isAt("500 ms", priority, "Block 0 of K2 is assigned to SM 0, before anything in the low-priority EE queue.");
  await choosePolicy(page, "fifo");
  assert.match(await timelineName(page), /K1 from 0 s to 1 s; K2 from 1 s to 3 s; K3 from 3 s to 5 s/);
  assert.equal(await page.locator("[data-queue='EE queue']").count(), 1);
  assert.equal(await page.locator("[data-queue='EE queue, high priority']").count(), 0);
  const fifo = await sentences(page);
  assert.notDeepEqual(fifo, priority);
  await isAt("500 ms", fifo, "Block 4 of K1 is assigned to SM 0.");
  await choosePolicy(page, "priority");
  assert.deepEqual(await sentences(page), priority);
  assert.deepEqual(problems, []);
  await close();
});

test("the limits of the device are changed, one by one or by another device", async () => {
  const { page, problems, close } = await site.open();
  const sms = page.locator("#device-sms");
  const before = await seen(page);
  assert.match(before.name, /^Block timeline of 2 SMs\./);
  await page.locator("#limits summary").click();
  await enter(sms, "4");
  const after = await seen(page);
  assert.match(after.name, /^Block timeline of 4 SMs\..*K1 from 0 s to 1 s/, "six blocks fit at once");
  assert.equal(await page.locator("[data-sm]").count(), 4);
  assert.notEqual(after.picture, before.picture);
  assert.match(await page.locator("#limits summary").innerText(), /edited/, "it is no longer the TX2");
  // A device with less than a kernel needs.
  await enter(page.locator("#device-threads_per_sm"), "512");
  assert.equal(await problemCount(page), 1);
  assert.deepEqual(await seen(page), after);
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  assert.deepEqual(await seen(page), before);
  await enter(sms, "several");
  assert.notEqual(await page.locator("#device-sms-error").innerText(), "");
  assert.equal(await sms.inputValue(), "several");
  assert.deepEqual(await seen(page), before);
  await page.locator("#undo").click();
  await page.locator("#device").selectOption("titanv");
  assert.match(await timelineName(page), /^Block timeline of 80 SMs\./);
  assert.deepEqual(problems, []);
  await close();
});

test("rows are added, duplicated, moved and deleted, and all of it is undone", async () => {
  const { page, problems, close } = await site.open();
  const act = async (row, action) => {
    await page.locator(`#kernels tr[data-row="${row}"] [data-action="${action}"]`).click();
    await settled(page);
  };
  const six = ["K1", "K2", "K3", "K4", "K5", "K6"];
  assert.deepEqual(await names(page), six);
  await act(0, "Duplicate");
  assert.deepEqual(await names(page), ["K1", "K7", ...six.slice(1)]);
  for (const field of ["stream", "blocks", "threads_per_block", "block_time_ns"]) {
    assert.equal(await cell(page, 1, field).inputValue(), await cell(page, 0, field).inputValue());
  }
  assert.match(await timelineName(page), /K7 from/);
  await act(1, "Move down");
  assert.deepEqual(await names(page), ["K1", "K2", "K7", ...six.slice(2)]);
  await act(2, "Move up");
  await act(1, "Move up");
  assert.deepEqual(await names(page), ["K7", ...six]);
  await act(0, "Move up");
  await act(6, "Move down");
  assert.deepEqual(await names(page), ["K7", ...six], "there is no further");
  await act(0, "Delete");
  assert.deepEqual(await names(page), six);
  assert.doesNotMatch(await timelineName(page), /K7/);
  await page.locator("#add-kernel").click();
  await becomes(() => focused(page), "kernels:6:0", "the new row has the focus");
  assert.deepEqual(await names(page), [...six, "K7"]);
  // All the way back: two moves that changed nothing are none.
  for (let i = 0; i < 6; i += 1) await page.locator("#undo").click();
  await settled(page);
  assert.ok(await page.locator("#undo").isDisabled());
  assert.deepEqual(await names(page), six);
  assert.equal(await page.locator("#reset").count(), 0, "nothing is edited any more");
  assert.deepEqual(problems, []);
  await close();
});

test("a table without rows is fine", async () => {
  const { page, problems, close } = await site.open();
  for (let i = 0; i < 6; i += 1) await page.locator("#kernels tr[data-row='0'] [data-action=Delete]").click();
  await settled(page);
  assert.deepEqual(await names(page), []);
  assert.equal(await problemCount(page), 0);
  assert.equal((await page.locator("#waiting").innerText()).trim(), "Nothing waits at this step.");
  // They say that there is nowhere to go, and can be clicked all the same.
  for (const button of ["#last", "#forward", "#first"]) await page.locator(button).click({ force: true });
  await page.keyboard.press("f");
  await page.locator("#play").click();
  await becomes(() => page.locator("#play").getAttribute("aria-label"), "Play (Space)");
  await page.locator("#add-kernel").click();
  assert.match(await timelineName(page), /K1 from 0 s to/);
  assert.deepEqual(await names(page), ["K1"]);
  assert.equal(await problemCount(page), 0);
  assert.deepEqual(problems, []);
  await close();
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

test("tasks and processes are edited, too, and kernels follow the name of their task", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#add-task").click();
  await settled(page);
  assert.equal(await page.locator("#tasks tbody tr").count(), 3);
  assert.equal(await cell(page, 1, "name", "tasks").inputValue(), "CPU 1");
  await enter(cell(page, 1, "name", "tasks"), "Camera");
  assert.equal(await cell(page, 3, "task").inputValue(), "Camera");
  assert.equal(await problemCount(page), 0);
  assert.ok((await page.locator(".task-box b").allInnerTexts()).includes("Camera"));
  // A task with kernels cannot go without a word.
  await page.locator("#tasks tr[data-row='1'] [data-action=Delete]").click();
  await settled(page);
  assert.equal(await problemCount(page), 1);
  assert.ok((await page.locator("#kernels [data-field=task] .field-error").count()) >= 1, "it stands beside the cells that need it");
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await problemCount(page), 0);
  await cell(page, 1, "release", "tasks").selectOption("periodic");
  await settled(page);
  assert.ok((await page.locator("#tasks .field-error").count()) >= 1, "a period is missing");
  await enter(cell(page, 1, "period_ns", "tasks"), "5 s");
  await enter(cell(page, 1, "jobs", "tasks"), "2");
  assert.equal(await problemCount(page), 0);
  await page.locator("#last").click();
  await settled(page);
  assert.match((await page.locator(".task-box").allInnerTexts()).join("\n"), /2 jobs, /);
  await page.locator("#add-process").click();
  await settled(page);
  assert.equal(await page.locator("#processes tbody tr").count(), 2);
  assert.equal(await problemCount(page), 0);
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
