// What the user has done survives a reload.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, problemCount, reload, settled, start, step, timeline, timelineName } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

test("edits, texts that cannot be read, the cursor and the colours are found again", async () => {
  const { page, problems, close } = await site.open();
  await page.locator('[data-bookmark^="(d)"]').click();
  await cell(page, 0, "blocks").fill("4");
  await cell(page, 3, "threads_per_block").fill("lots & lots");
  await cell(page, 5, "name").fill("Last");
  await page.keyboard.press("Tab");
  await page.locator("#device-sms").evaluate((e) => (e.closest("details").open = true));
  await page.locator("#device-sms").fill("many");
  await page.keyboard.press("Tab");
  await page.locator("#theme").click();
  const seen = async () => (await settled(page), {
    cells: await page.locator("#kernels input, #kernels select").evaluateAll((cells) => cells.map((e) => e.value)),
    sms: await page.locator("#device-sms").inputValue(),
    name: await page.locator("#scenario-name").inputValue(),
    example: await page.locator("#example").inputValue(),
    theme: await page.locator("html").getAttribute("data-theme"),
    button: await page.locator("#theme").getAttribute("aria-label"),
    now: await page.locator("#step-time").innerText(),
    problems: await page.locator("#problems").innerText(),
  });
  const before = await seen();
  assert.equal(before.cells[4], "4");
  assert.ok(before.cells.includes("lots & lots"));
  assert.equal(before.theme, "dark");
  await reload(page);
  assert.deepEqual(await seen(), before);
  // Mended, it goes on where it was.
  await cell(page, 3, "threads_per_block").fill("256");
  await page.locator("#device-sms").evaluate((e) => (e.closest("details").open = true));
  await page.locator("#device-sms").fill("2");
  await page.keyboard.press("Tab");
  assert.equal(await problemCount(page), 0);
  assert.match(await timelineName(page), /K1 from 0 s to 1 s/);
  assert.equal(await page.locator("#step-time").innerText(), "3.02 s");
  assert.deepEqual(problems, []);
  await close();
});

test("a step within an instant is found again", async () => {
  const { page, close } = await site.open();
  await page.keyboard.press("Home");
  for (let i = 0; i < 7; i += 1) await page.keyboard.press("ArrowRight");
  const before = await step(page);
  assert.equal(before.position, 7);
  const queues = await page.locator("#queues").innerText();
  await reload(page);
  assert.deepEqual(await step(page), before);
  assert.equal(await page.locator("#queues").innerText(), queues);
  await close();
});

test("a file that was opened and edited is found again", async () => {
  const { page, problems, close } = await site.open();
  const scenario = { version: 1, name: "Mine", device: "gtx1070", policy: { kind: "fifo" }, kernels: [{ name: "A", stream: "S", blocks: 3, threads_per_block: 64, block_time_ns: 5000 }] };
  await page.locator("#open-file").setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(scenario)) });
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Mine");
  await page.locator("#add-kernel").click();
  const picture = await timeline(page);
  await page.locator(".notice [aria-label=Dismiss]").click();
  const shown = await timeline(page);
  await reload(page);
  assert.equal(await page.locator("#scenario-name").inputValue(), "Mine");
  assert.equal(await page.locator("#kernels tbody tr").count(), 2);
  assert.equal(await timeline(page), shown);
  assert.equal(picture, shown, "a message does not change the picture");
  assert.deepEqual(problems, []);
  await close();
});

test("what is kept may be damaged: the page opens as on the first visit", async () => {
  const { page, problems, close } = await site.open();
  await cell(page, 0, "blocks").fill("5");
  await reload(page);
  assert.equal(await cell(page, 0, "blocks").inputValue(), "5", "an edit right before leaving is kept");
  const keys = await page.evaluate(() => Object.keys(localStorage));
  assert.ok(keys.length >= 2);
  const kept = await page.evaluate(() => ({ ...localStorage }));
  // Written after the page has said good-bye, before it opens again.
  await page.addInitScript(() => {
    const damaged = sessionStorage.getItem("damaged");
    if (damaged === null) return;
    localStorage.clear();
    for (const [name, value] of Object.entries(JSON.parse(damaged))) localStorage.setItem(name, value);
  });
  const damages = ["", "{", "\u0000", "9".repeat(400), "\t\t\t"];
  // All at once by each damage, and each by one of them.
  for (const [damaged, damage] of [...damages.map((damage) => [keys, damage]), ...keys.map((key, i) => [[key], damages[i % damages.length]])]) {
    const stored = { ...kept, ...Object.fromEntries(damaged.map((key) => [key, damage])) };
    await page.evaluate((stored) => sessionStorage.setItem("damaged", stored), JSON.stringify(stored));
    await reload(page);
    assert.equal(await page.locator("#kernels tbody tr").count(), 6);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.equal((await step(page)).position, 1);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("the theme follows the system until it is chosen", async () => {
  const { page, close } = await site.open({ context: { colorScheme: "light" } });
  const theme = async () => {
    await settled(page);
    return page.locator("html").getAttribute("data-theme");
  };
  assert.equal(await theme(), "light");
  const light = await timeline(page);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await theme(), "dark");
  assert.notEqual(await timeline(page), light, "the picture is dark too");
  await page.locator("#theme").click();
  assert.equal(await theme(), "light");
  assert.equal(await timeline(page), light);
  await reload(page);
  assert.equal(await theme(), "light", "chosen once, it stays");
  await close();
});
