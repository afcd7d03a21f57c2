// Editing: every change is simulated at once and can be undone, and nonsense loses nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { exampleScenario } from "../../scripts/tools.mjs";
import { cell, enter, openScenario, policy, settled, start, step, timeline, timelineName } from "./page.mjs";

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
const problemCount = (page) => page.locator("#problems").count();

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

/** The sentences of all steps. The list has those around the current one. */
async function sentences(page) {
  const all = [];
  const { count } = await step(page);
  for (let position = 0; position < count + 10; position += 10) {
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
  await policy(page, "fifo");
  assert.match(await timelineName(page), /K1 from 0 s to 1 s; K2 from 1 s to 3 s; K3 from 3 s to 5 s/);
  assert.equal(await page.locator("[data-queue='EE queue']").count(), 1);
  assert.equal(await page.locator("[data-queue='EE queue, high priority']").count(), 0);
  const fifo = await sentences(page);
  assert.notDeepEqual(fifo, priority);
  await isAt("500 ms", fifo, "Block 4 of K1 is assigned to SM 0.");
  await policy(page, "priority");
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
