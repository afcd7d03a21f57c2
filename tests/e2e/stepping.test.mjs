// Moving through a run: bookmarks, buttons, keys, instants and times; and what the panels then say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, settled, start, step, timeline, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

const now = (page) => page.locator("#step-time").innerText();
const current = (page) => page.locator(".step.current .step-text").innerText();

/** Clicks what may say that there is nowhere to go. */
const click = (page, selector) => page.locator(selector).click({ force: true });

/** A queue of the diagram: its operations in order, `*` for those dispatched. */
const queue = (page, name) =>
  page.locator(`[data-queue="${name}"]`).evaluate((queue) =>
    [...queue.querySelectorAll("[data-item]")].map((item) => item.dataset.item + (item.classList.contains("dispatched") ? "*" : "")),
  );

/** Holds what is on screen against [TX2] Fig. 4 (d). */
async function isInsetD(page) {
  await settled(page);
  for (const [name, items] of Object.entries({
    "CE queue": ["C2o"],
    "Copy engine": ["C5o*"],
    "Stream S1": ["C2o", "C3i", "K3", "C3o"],
    "Stream S2": ["K6*", "C6o"],
    "Stream S3": ["C5o*"],
    "EE queue, high priority": [],
    "EE queue, low priority": [],
  })) {
    assert.deepEqual(await queue(page, name), items, name);
  }
  assert.deepEqual(await page.locator("[data-sm='0'] [data-block]").allInnerTexts(), ["K6:0"]);
  assert.deepEqual(await page.locator("[data-sm='1'] [data-block]").allInnerTexts(), ["K6:1"]);
  assert.match(await page.locator("[data-sm='0'] [data-gauge=threads]").innerText(), /^1,536/, "free threads");
}

test("the bookmark and single steps, there and back, lead to the same inset (d)", async () => {
  const { page, problems, close } = await site.open();
  const pressed = (inset) => page.locator(`[data-bookmark^="(${inset})"]`).getAttribute("aria-pressed");
  await page.locator("[data-bookmark^='(d)']").click();
  await isInsetD(page);
  assert.equal(await now(page), "3.02 s");
  assert.deepEqual([await pressed("d"), await pressed("a")], ["true", "false"]);
  assert.match(await page.locator(".bookmark-text").innerText(), /C5o/, "what to see there is said");

  await page.locator("#first").click();
  assert.equal((await step(page)).position, 0);
  assert.deepEqual(await queue(page, "CE queue"), []);
  // By key and button to just before 3 s, and by the key to the last step of that instant.
  for (let i = 0; i < 40; i += 1) await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 11; i += 1) await page.locator("#forward").click();
  assert.equal((await step(page)).position, 51);
  assert.equal(await now(page), "2.8 s");
  const forward = async () => {
    await page.keyboard.press("ArrowRight");
    await settled(page);
  };
  await until(async () => (await forward(), current(page)), (sentence) => sentence === "C5o is assigned to the copy engine.");
  assert.equal(await now(page), "3 s");
  await until(async () => (await forward(), now(page)), (time) => time !== "3 s");
  await page.keyboard.press("ArrowLeft");
  await isInsetD(page);
  assert.equal(await now(page), "3 s");
  // And back from the end: the same state by another way.
  const { position, count } = await step(page);
  await page.locator("#last").click();
  assert.equal((await step(page)).position, count);
  for (let i = 0; i < 10; i += 1) await page.locator("#back").click();
  for (let at = count - 10; at > position; at -= 1) await page.keyboard.press("ArrowLeft");
  assert.equal((await step(page)).position, position);
  await isInsetD(page);
  assert.deepEqual(problems, []);
  await close();
});

test("instants by button and key, and no further than either end", async () => {
  const { page, problems, close } = await site.open();
  const disabled = (button) => page.locator(button).getAttribute("aria-disabled");
  await page.keyboard.press("Home");
  const seen = [];
  for (let i = 0; i < 7; i += 1) {
    if (i % 2 === 0) await page.locator("#next-instant").click();
    else await page.keyboard.press(".");
    await settled(page);
    seen.push(await now(page));
  }
  assert.deepEqual(seen, ["0 s", "200 ms", "400 ms", "1 s", "2 s", "2.8 s", "3 s"]);
  await isInsetD(page);
  await page.locator("#previous-instant").click();
  assert.equal(await now(page), "2.8 s");
  await page.keyboard.press(",");
  await settled(page);
  assert.equal(await now(page), "2 s");
  await page.keyboard.press("End");
  const { position, count } = await step(page);
  assert.equal(position, count);
  assert.equal(await disabled("#forward"), "true");
  await click(page, "#forward");
  await click(page, "#next-instant");
  assert.deepEqual(await step(page), { position: count, count });
  await page.locator("#first").click();
  await settled(page);
  assert.equal(await disabled("#back"), "true");
  await click(page, "#back");
  assert.deepEqual(await step(page), { position: 0, count });
  assert.deepEqual(problems, []);
  await close();
});

test("a run plays step by step, pauses, ends, and begins again", async () => {
  const { page, problems, close } = await site.open();
  const play = page.locator("#play");
  const speed = page.locator("#speed");
  const name = () => play.getAttribute("aria-label");
  const place = async () => parseInt(await page.locator("#step-number b").innerText(), 10);
  const { count } = await step(page);
  // So slow that it does not end on the way.
  await speed.selectOption("2");
  await page.locator("#first").click();
  assert.equal(await name(), "Play (Space)");
  await play.click();
  await becomes(name, "Pause (Space)");
  await until(place, (position) => position > 1);
  await play.click();
  await becomes(name, "Play (Space)");
  const { position } = await step(page);
  assert.ok(position < count, "it was stopped on the way");
  await speed.selectOption("60");
  await speed.blur();
  await page.keyboard.press("Space");
  await until(place, (now) => now === count);
  await becomes(name, "Play (Space)", "it stops there");
  // From the end it plays from the start.
  await speed.selectOption("1");
  await play.click();
  await until(place, (now) => now < count);
  assert.equal(await name(), "Pause (Space)");
  await page.locator("#forward").click();
  await becomes(name, "Play (Space)", "whoever moves takes over");
  assert.deepEqual(problems, []);
  await close();
});

test("a selection is seen in every panel, until Escape", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("[data-bookmark^='(d)']").click();
  const plain = await timeline(page);
  await page.locator("[data-queue='Stream S1'] [data-item=K3]").click();
  await becomes(async () => (await timeline(page)) === plain, false, "the timeline shows it");
  const selected = page.locator("#queues .is-selected");
  assert.ok((await selected.count()) >= 3, "K3 and its copies");
  assert.equal(await selected.filter({ hasText: "K6" }).count(), 0);
  assert.deepEqual(await page.locator("#kernels tr.selected").evaluateAll((rows) => rows.map((row) => row.dataset.row)), ["2"]);
  assert.ok((await page.locator("#waiting .selected").count()) >= 1);
  await page.keyboard.press("Escape");
  assert.equal(await timeline(page), plain);
  assert.equal(await page.locator(".is-selected, tr.selected, .waiting.selected").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
