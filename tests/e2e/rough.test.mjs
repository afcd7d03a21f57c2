// Rough use: names that look like HTML, fast hands, large tables, files saved and opened again.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { largeScenarios } from "../../scripts/large.mjs";
import { cell, filledTool, isFilled, openTool, problemCount, reload, settled, shareAt, start, step, timeline, timelineName } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const open = (page, name, text) =>
  page.locator("#open-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(typeof text === "string" ? text : JSON.stringify(text)) });

const kernel = (name, more) => ({ name, stream: "S", blocks: 2, threads_per_block: 64, block_time_ns: 1_000_000, ...more });

test("names are texts, whatever they look like, also in tools", async () => {
  const { page, problems, close } = await site.open();
  const bad = `<img src=x onerror="document.title='broken'">`;
  const worse = `"'><script>document.title='broken'</script>&amp;&lt;`;
  await open(page, "names.json", {
    version: 1,
    name: bad,
    device: "tx2",
    policy: { kind: "priority" },
    tasks: [{ name: worse }],
    streams: [{ name: bad, priority: "high" }],
    kernels: [kernel(worse, { stream: bad, copy_out_bytes: 1024 }), kernel(bad, { stream: bad, after: worse, blocks: 900, threads_per_block: 1024 })],
  });
  await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, bad);
  assert.equal(await problemCount(page), 0);
  await page.keyboard.press("Home");
  const { count } = await step(page);
  for (let i = 0; i < Math.min(count, 25); i += 1) {
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await page.locator("img, script:not([src]):not([type=module])").count(), 0);
  }
  assert.ok((await page.locator("#queues").innerText()).includes(`Stream ${bad}`));
  assert.ok((await page.locator("#queues").innerText()).includes(worse));
  assert.ok((await page.locator(".step-rows").innerText()).includes(bad));
  await page.locator("#queues [data-op]").first().click();
  assert.equal(await page.locator("#kernels tr.selected").count(), 1);
  await page.waitForFunction(isFilled, "ask");
  for (const tool of ["compare", "until", "rules", "words", "quiz"]) {
    await filledTool(page, tool);
    assert.equal(await page.locator("img, script:not([src]):not([type=module])").count(), 0, tool);
    await page.locator(`#tool-${tool} button[aria-label=Close]`).click();
  }
  await reload(page);
  assert.equal(await cell(page, 1, "name").inputValue(), bad);
  assert.equal(await page.title(), "Blockstep: step through a GPU's scheduler");
  assert.deepEqual(problems, []);
  await close();
});

test("what is saved opens again as the same", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("tx2-table-3");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.includes("Table 3"));
  await cell(page, 0, "blocks").fill("5");
  await page.locator("#device-sms").evaluate((e) => (e.closest("details").open = true));
  await page.locator("#device-sms").fill("3");
  await page.locator("#scenario-name").fill("Mine, again");
  const saved = async (id) => {
    const download = page.waitForEvent("download");
    await page.locator(id).click();
    const file = await download;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const scenario = await saved("#save-scenario");
  assert.equal(scenario.name, "mine-again.json");
  const picture = await timeline(page);
  await shareAt(page, "image");
  const figure = await saved('#tool-figure button:text-is("Save PNG")');
  assert.deepEqual([figure.name, figure.text.slice(1, 4)], ["timeline.png", "PNG"]);
  await shareAt(page, "data");
  const trace = JSON.parse((await saved('[aria-label="Save Trace (JSON)"]')).text);
  assert.equal(typeof trace, "object");
  const csv = await saved('[aria-label="Save Blocks and copies (CSV)"]');
  assert.equal(csv.text.trim().split("\n").length, 1 + 5 + 16 + 16, "a line for the titles and one for each block");
  await page.locator("#example").selectOption("tx2-table-1");
  assert.notEqual(await timeline(page), picture);
  await open(page, "mine-again.json", scenario.text);
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Mine, again");
  await page.keyboard.press("Escape");
  assert.equal(await timeline(page), picture);
  assert.equal(await page.locator("#device-sms").inputValue(), "3");
  assert.deepEqual(problems, []);
  await close();
});

test("a text with unread cells is saved with their last values, and says so", async () => {
  const { page, close } = await site.open();
  await cell(page, 0, "blocks").fill("many");
  const download = page.waitForEvent("download");
  await page.locator("#save-scenario").click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf8"));
  assert.equal(saved.kernels[0].blocks, 6);
  assert.match(await page.locator(".notice[role=status]").innerText(), /last valid value/);
  await close();
});

test("fast typing, undo while typing, and away", async () => {
  const { page, problems, close } = await site.open();
  const time = cell(page, 0, "block_time_ns");
  await time.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("1.25 s");
  assert.equal(await time.inputValue(), "1.25 s");
  assert.match(await timelineName(page), /K1 from 0 s to 2\.5 s/);
  // Where one typed in the text nothing was lost on the way, and the caret is at its end.
  assert.deepEqual(await time.evaluate((e) => [e.selectionStart, e.selectionEnd]), [6, 6]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("5");
  assert.equal(await time.inputValue(), "1.255 s");
  assert.deepEqual(await time.evaluate((e) => [e.selectionStart, e.selectionEnd]), [5, 5], "the caret stays where one types");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+z");
  assert.equal(await time.inputValue(), "1 s", "all of it was one edit");
  // Escape takes the focus off the cell and keeps what was typed.
  await time.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("3");
  await page.keyboard.press("Escape");
  assert.equal(await time.inputValue(), "3 s");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY");
  // A name that is being typed is taken when the focus goes, also to a button.
  const name = cell(page, 0, "name");
  await name.fill("Prelude");
  await page.locator("#forward").click();
  assert.match(await timelineName(page), /Prelude from 0 s/);
  await page.locator("#undo").click();
  assert.equal(await name.inputValue(), "K1");
  assert.deepEqual(problems, []);
  await close();
});

test("of a table of many rows those in sight exist, and every cell can be reached", async () => {
  const { page, problems, close } = await site.open();
  const kernels = Array.from({ length: 250 }, (_, i) => kernel(`k${i}`));
  await open(page, "many.json", { version: 1, name: "Many", device: "tx2", policy: { kind: "fifo" }, kernels });
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Many");
  await settled(page);
  const rows = page.locator("#kernels tbody tr[data-row]");
  assert.ok((await rows.count()) < 60, `${await rows.count()} rows`);
  assert.match(await page.locator(".table-foot", { has: page.locator("#add-kernel") }).innerText(), /250 rows/);
  const scroll = (top) => page.locator(".table-scroll", { has: page.locator("#kernels") }).evaluate((box, top) => box.scrollTo(0, top), top);
  await scroll(1_000_000);
  await cell(page, 249, "name").waitFor();
  assert.equal(await cell(page, 249, "name").inputValue(), "k249");
  const { count } = await step(page);
  await cell(page, 249, "blocks").fill("4");
  assert.ok((await step(page)).count > count);
  await cell(page, 249, "blocks").fill("none");
  assert.match(await page.locator("#problems").innerText(), /249/);
  // What is typed into a row that is scrolled away is kept.
  await cell(page, 249, "name").fill("last");
  await scroll(0);
  await cell(page, 0, "name").waitFor();
  await scroll(1_000_000);
  await cell(page, 249, "name").waitFor();
  assert.equal(await cell(page, 249, "name").inputValue(), "last");
  // Keys go on to rows that did not exist.
  await scroll(0);
  await cell(page, 0, "name").click();
  for (let row = 0; row < 60; row += 1) {
    await page.keyboard.press("Enter");
    await settled(page);
  }
  assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), "kernels:60:0");
  // So does a row that is added.
  await page.locator("#add-kernel").click();
  await page.waitForFunction(() => document.activeElement.dataset.cell === "kernels:250:0");
  await page.locator("#example").selectOption("tx2-table-1");
  await settled(page);
  assert.equal(await rows.count(), 6, "short tables exist whole");
  assert.deepEqual(problems, []);
  await close();
});

test("a page of a large scenario has at most 3,000 elements", async () => {
  const { page, problems, close } = await site.open();
  for (const [name, scenario] of Object.entries(largeScenarios())) {
    await open(page, "large.json", { version: 1, name, ...scenario });
    await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, name);
    await settled(page);
    for (let i = 0; i < 40; i += 1) await page.keyboard.press("ArrowRight");
    await settled(page);
    const count = await page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok(count <= 3000, `${name}: ${count} elements`);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a run that never ends is cut short in words and can be stepped through", async () => {
  const { page, problems, close } = await site.open();
  await open(page, "endless.json", {
    version: 1,
    name: "Endless",
    device: "tx2",
    policy: { kind: "fifo" },
    horizon_ns: 3_600_000_000_000,
    tasks: [{ name: "T", release: "continuous" }],
    kernels: [kernel("A", { task: "T", block_time_ns: 1000 })],
  });
  await page.locator("#cut").waitFor();
  await page.keyboard.press("End");
  const { position, count } = await step(page);
  assert.equal(position, count);
  assert.ok(count > 1_000_000);
  // The list follows in the next frame: the last step comes in sight.
  await page.locator(".step.current").waitFor();
  await page.locator("#jump").fill("#1,234,567");
  await page.keyboard.press("Enter");
  assert.equal((await step(page)).position, 1_234_567);
  await page.locator('.steps [data-step="1234567"]').waitFor();
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await page.locator("#cut").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("playing while editing, undoing while playing", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#speed").selectOption("1000");
  await page.keyboard.press("Home");
  await page.locator("#play").click();
  for (let i = 0; i < 10; i += 1) {
    await cell(page, 0, "blocks").fill(String(i % 2 ? 60 : 4));
    await page.locator("#undo").click();
    if ((await page.locator("#play").getAttribute("aria-label")).startsWith("Play")) await page.locator("#play").click();
  }
  await page.locator("#example").selectOption("tx2-table-5");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.includes("Table 5"));
  await settled(page);
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Play (Space)", "another scenario is not played by itself");
  const { position, count } = await step(page);
  assert.ok(position <= count);
  assert.deepEqual(problems, []);
  await close();
});

test("what is typed into a note belongs to the step that it was typed at, whatever the page does", async () => {
  const { page, problems, close } = await site.open();
  const notes = page.locator("#tool-notes");
  const area = notes.locator("textarea[name=text]");
  const show = async () => {
    await openTool(page, "notes");
    await area.waitFor();
    await settled(page);
  };
  // None of these takes the focus, so that the page goes on while somebody types.
  const click = (selector) => page.locator(selector).evaluate((button) => button.click());
  await page.keyboard.press("Home");
  await show();
  await area.click();
  await page.keyboard.type("Before it all");
  await click("#forward");
  await notes.getByRole("heading", { name: "Notes of this run (1)" }).waitFor();
  assert.equal(await area.inputValue(), "", "the next step has a text area of its own");
  assert.match(await notes.locator(".note-text").innerText(), /^Before it all$/);
  // A change that has nothing to do with notes leaves what is being typed as it is, with the caret.
  await area.click();
  await page.keyboard.type("The firt");
  await page.keyboard.press("ArrowLeft");
  await click("#theme");
  await settled(page);
  await page.keyboard.type("s");
  assert.equal(await area.inputValue(), "The first");
  // Closed in the middle of a sentence, opened again.
  await click("#tool-notes button[aria-label=Close]");
  await show();
  await notes.locator(".note-here", { hasText: "The first" }).waitFor();
  assert.equal(await area.inputValue(), "The first");
  await click("#back");
  await notes.locator(".note-here", { hasText: "Before it all" }).waitFor();
  assert.equal(await area.inputValue(), "Before it all");
  await notes.getByRole("button", { name: "Next note" }).click();
  await notes.getByRole("button", { name: "Remove the note of step 1" }).click();
  await notes.getByText("The note of step 1 was removed.").waitFor();
  assert.equal(await area.inputValue(), "");
  await notes.getByRole("button", { name: "Restore" }).click();
  await notes.locator(".note-here", { hasText: "The first" }).waitFor();
  await reload(page);
  await show();
  assert.equal(await notes.locator(".note-text").count(), 2, "they are found again");
  assert.deepEqual(problems, []);
  await close();
});

test("without storage the page works all the same", async () => {
  const { page, problems, close } = await site.open({
    before: (page) =>
      page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }),
  });
  await cell(page, 0, "blocks").fill("4");
  await page.keyboard.press("Tab");
  await page.locator("#theme").click();
  await page.locator(".notice").waitFor();
  assert.match(await page.locator(".notice").innerText(), /storage is switched off.*Save it/s);
  assert.match(await timelineName(page), /K1 from 0 s to 1 s/);
  assert.deepEqual(problems, []);
  await close();
});

test("a worker ends with the large run that it has made or keeps", async () => {
  const { page, problems, close } = await site.open();
  for (const [blocks, steps] of [[510_000, "1,020,006"], [520_000, "1,040,006"]]) {
    await open(page, "large.json", { version: 1, name: "large", kernels: [kernel("K", { blocks })] });
    await page.waitForFunction((steps) => document.querySelector("#step-count").textContent === steps, steps);
    assert.equal(page.workers().length, 0);
  }
  await openTool(page, "find");
  await page.waitForSelector("#tool-find .tool-body select");
  const ends = page.workers()[0].waitForEvent("close");
  await open(page, "small.json", { version: 1, name: "small", kernels: [kernel("K")] });
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "small");
  await ends;
  // The tool goes on with another.
  await page.locator("#tool-find .tool-body button.primary").click();
  await page.waitForFunction(() => [...document.querySelectorAll("#tool-find .tool-body button")].some((button) => button.textContent === "Open"));
  assert.deepEqual(problems, []);
  await close();
});
