// Moving through a run by bookmarks, buttons and keys; and a selection, in every panel.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, settled, start, step, timeline, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

const now = (page) => page.locator("#step-time").innerText();
const current = (page) => page.locator(".step.current .step-text").innerText();

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
