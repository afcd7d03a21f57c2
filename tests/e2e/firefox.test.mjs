// The page in Firefox, as a reader uses it: the first visit, stepping, edits, files, links, a long run, narrow and dark.
// Chromium has the tests beside this file; here is what could differ. No test relies on the words of the page.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../scripts/serve.mjs";
import { dist, launchFirefox } from "../../scripts/tools.mjs";
import { isFilled, lab, openTool, PATIENCE, settled, until, watchWork } from "./page.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "blockstep-firefox-"));
let server;
let firefox;
before(async () => {
  assert.ok(existsSync(path.join(dist, "index.html")), "build the page first: make dist");
  server = await serve({ prefix: "/some/where/" });
  firefox = await launchFirefox({
    "browser.download.folderList": 2,
    "browser.download.dir": folder,
    // The list of downloads would take the focus, and keep it from the next test's page: fields there that are left do not say `change`.
    "browser.download.alwaysOpenPanel": false,
  });
});
after(async () => {
  await firefox?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page of a profile, which is watched as those of Chromium are. */
async function newPage(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.setDefaultNavigationTimeout(PATIENCE);
  await page.evaluateOnNewDocument(watchWork);
  return page;
}

/** A test with the page in an empty profile, 1440 px wide; nothing may go wrong behind it. */
function reader(what, does, { width = 1440, height = 900 } = {}) {
  test(what, async () => {
    const context = await firefox.createBrowserContext();
    const page = await newPage(context);
    const problems = [];
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => {
      // What a reload cuts short has not failed.
      if (request.failure()?.errorText !== "NS_BINDING_ABORTED") problems.push(`request failed: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
    });
    page.on("request", (request) => {
      const isLocal = request.url().startsWith(server.url) || /^(about|blob|data):/.test(request.url());
      if (!isLocal) problems.push(`leaves the site: ${request.url()}`);
    });
    try {
      await page.setViewport({ width, height });
      await page.goto(lab(server.url));
      await stands(page);
      await does(page, context);
      assert.deepEqual(problems, []);
    } finally {
      await context.close();
    }
  });
}

async function stands(page) {
  await page.waitForSelector('html[data-ready="1"]');
  await settled(page);
}

async function step(page) {
  await settled(page);
  const [position, count] = await page.$$eval("#step-at, #step-count", (all) => all.map((e) => Number(e.textContent.replaceAll(",", ""))));
  return { position, count };
}

const at = (page, position) => page.waitForFunction((text) => document.querySelector("#step-at").textContent === text, {}, position.toLocaleString("en"));
const value = (page, selector) => page.$eval(selector, (e) => e.value);
/** A fingerprint of the timeline's pixels, without the run before the last edit. Firefox writes PNGs that differ from profile to profile. */
/** The timeline, of the run now alone and as long as that is: nothing of the reader is in the tables. */
async function picture(page) {
  await page.mouse.move(5, 5);
  await page.evaluate(() => {
    document.activeElement?.blur();
    document.querySelector("#forget-edit")?.click();
  });
  await settled(page);
  return page.$eval("#timeline", async (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    return [canvas.width, canvas.height, ...hash.slice(0, 6)].join(" ");
  });
}
const cell = (row, field) => `#kernels tr[data-row="${row}"] [data-field="${field}"] input:not([type=button])`;

/** Types into a field in place of what it holds. */
async function fill(page, selector, text) {
  await page.click(selector, { count: 3 });
  await page.keyboard.type(text);
  await page.keyboard.press("Tab");
  await settled(page);
}

/** Opens a tool as a reader does. */
async function tool(page, name) {
  await openTool(page, name);
  await page.waitForFunction(isFilled, {}, name);
  await settled(page);
}

/** Opens a scenario by the file dialog's field. */
async function openScenario(page, scenario) {
  const file = path.join(folder, "to open.json");
  writeFileSync(file, JSON.stringify(scenario));
  await (await page.$("#open-file")).uploadFile(file);
  await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, {}, scenario.name);
  await settled(page);
}

const kernel = (name, more) => ({ name, stream: "S", blocks: 2, threads_per_block: 64, block_time_ns: 1_000_000, ...more });

reader("it opens before the first step, with timeline, queues and bar in sight", async (page) => {
  const { position, count } = await step(page);
  assert.equal(position, 0);
  assert.ok(count > 50, `${count} steps`);
  const outside = await page.$$eval("#top, #timeline, #queues, #transport, #hint", (all) => all.map((e) => [e.id, e.getBoundingClientRect()])
    .filter(([, box]) => box.height < 20 || box.top < 0 || box.left < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1).map(([id]) => id));
  assert.deepEqual(outside, []);
  const colours = await page.$eval("#timeline", (canvas) => new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size);
  assert.ok(colours > 10, `${colours} colours in the timeline`);
});

reader("the first tour asks, and answers to a click", async (page) => {
  await page.click("#hint button.primary");
  await page.waitForSelector("#tool-tour .tour-choices button");
  assert.ok((await page.$$("#tool-tour .tour-choices button")).length >= 2);
  assert.equal(await page.$("#hint"), null, "whoever started needs no hint");
  await page.click("#tool-tour .tour-choices button");
  await page.waitForSelector("#tool-tour :is(.verdict-good, .verdict-bad)");
});

reader("keys, buttons, slider and field move through the run", async (page) => {
  const start = await picture(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await at(page, 2);
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  await page.click("#forward");
  await page.click("#next-instant");
  const instant = (await step(page)).position;
  assert.ok(instant > 2, `${instant}`);
  await page.click("#previous-instant");
  await page.click("#back");
  assert.ok((await step(page)).position < instant);
  const { count } = await step(page);
  await page.click("#last");
  await at(page, count);
  const box = await (await page.$("#scrubber")).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await settled(page);
  const { position } = await step(page);
  assert.ok(Math.abs(position - count / 2) < count / 20, `the slider's middle is step ${position} of ${count}`);
  assert.ok((await page.$$("#queues .item")).length > 0);
  await fill(page, "#jump", "#12");
  await page.click(".jump button");
  await at(page, 12);
  await page.click("#first");
  await at(page, 0);
  assert.equal(await picture(page), start, "the same place looks the same");
});

reader("it plays and stops", async (page) => {
  const button = () => page.$eval("#play path", (path) => path.getAttribute("d"));
  const stands = await button();
  await page.select("#speed", "60");
  await page.click("#play");
  assert.notEqual(await button(), stands);
  await page.waitForFunction(() => Number(document.querySelector("#step-at").textContent) >= 5);
  await page.keyboard.press(" ");
  assert.equal(await button(), stands, "what would play says that it does not");
});

reader("an edit changes the timeline; undo and redo go back and on", async (page) => {
  const original = await picture(page);
  await fill(page, cell(0, "blocks"), "3");
  const edited = await picture(page);
  assert.notEqual(edited, original);
  await page.click("#undo");
  assert.equal(await value(page, cell(0, "blocks")), "6");
  assert.equal(await picture(page), original);
  await page.click("#redo");
  assert.equal(await value(page, cell(0, "blocks")), "3");
  assert.equal(await picture(page), edited);
  await fill(page, cell(0, "blocks"), "many");
  await page.waitForSelector("#kernels tr[data-row='0'] [data-field=blocks].invalid");
  assert.equal(await value(page, cell(0, "blocks")), "many", "nothing that was typed is lost");
  assert.equal(await picture(page), edited, "the last valid run stays");
});

reader("another policy, another example", async (page) => {
  const original = await picture(page);
  const title = await value(page, "#scenario-name");
  await page.select("#example", "tx2-table-4");
  await page.waitForFunction((title) => document.querySelector("#scenario-name").value !== title, {}, title);
  const priority = await picture(page);
  assert.notEqual(priority, original);
  await page.click("#policy label:has([value=fifo]) span");
  assert.equal(await page.$eval("#policy [value=fifo]", (radio) => radio.checked), true);
  assert.notEqual(await picture(page), priority);
  await page.select("#example", "edf-fig-1");
  await page.waitForSelector("#queues .ring");
  await page.click("[data-bookmark]");
  await settled(page);
  assert.ok((await step(page)).position > 0);
});

reader("a link brings the edit and the step to another reader", async (page) => {
  await fill(page, cell(0, "blocks"), "5");
  await page.click("#next-instant");
  const { position } = await step(page);
  const shown = await picture(page);
  await page.click("#share");
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
  const address = await value(page, "#tool-share .tool-body input[readonly]");
  const context = await firefox.createBrowserContext();
  const other = await newPage(context);
  await other.setViewport({ width: 1440, height: 900 });
  await other.goto(address);
  await stands(other);
  await at(other, position);
  assert.equal(await value(other, cell(0, "blocks")), "5");
  assert.equal(await picture(other), shown);
  await context.close();
});

reader("a scenario is saved as a file, and opens as the same", async (page) => {
  await fill(page, "#scenario-name", "Kept in Firefox");
  await fill(page, cell(0, "blocks"), "7");
  const shown = await picture(page);
  await page.click("#save-scenario");
  const file = path.join(folder, "kept-in-firefox.json");
  await until(() => (existsSync(file) ? readFileSync(file, "utf8") : readdirSync(folder)), (text) => typeof text === "string" && text.trimEnd().endsWith("}"));
  const scenario = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual([scenario.name, scenario.kernels[0].blocks], ["Kept in Firefox", 7]);
  await page.select("#example", "tx2-table-1");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value !== "Kept in Firefox");
  await openScenario(page, scenario);
  assert.equal(await value(page, cell(0, "blocks")), "7");
  assert.equal(await picture(page), shown);
});

reader("steps are drawn by the worker, and saved as a GIF", async (page) => {
  await tool(page, "figure");
  await fill(page, "#tool-figure [name=gif-steps]", "25-30");
  await page.evaluate(() => [...document.querySelectorAll("#tool-figure button")].find((button) => button.innerText === "Save GIF").click());
  const file = path.join(folder, "steps.gif");
  const isWhole = (bytes) => bytes instanceof Buffer && bytes.at(-1) === 0x3b;
  const gif = await until(() => (existsSync(file) ? readFileSync(file) : readdirSync(folder)), isWhole);
  assert.deepEqual([gif.subarray(0, 6).toString(), gif.readUInt16LE(6)], ["GIF89a", 1600]);
  // Words and boxes are there: a sheet with nothing on it would take some hundred bytes.
  assert.ok(gif.length > 20_000, `${gif.length} bytes`);
  assert.equal(gif.toString("latin1").match(/\x21\xf9\x04.{4}\x00\x2c/gs).length, 6, "frames");
});

reader("steps are saved as a video", async (page) => {
  await tool(page, "figure");
  await fill(page, "#tool-figure [name=gif-steps]", "25-26");
  await page.select("#tool-figure [name=gif-delay]", "0.5");
  await page.evaluate(() => [...document.querySelectorAll("#tool-figure button")].find((button) => button.innerText === "Save video").click());
  const file = path.join(folder, "steps.webm");
  const webm = await until(() => (existsSync(file) ? readFileSync(file) : readdirSync(folder)), (bytes) => bytes instanceof Buffer && bytes.includes("V_VP"));
  assert.equal(webm.readUInt32BE(0), 0x1a45dfa3, "WebM begins so");
});

reader("a file that is none is refused in words", async (page) => {
  const file = path.join(folder, "x.json");
  writeFileSync(file, '{"a":1}');
  const name = await value(page, "#scenario-name");
  await (await page.$("#open-file")).uploadFile(file);
  await page.waitForSelector(".notice.error");
  assert.equal(await value(page, "#scenario-name"), name);
});

reader("a long run comes from the worker, and any step of it can be gone to", async (page) => {
  const tasks = [{ name: "T", release: "continuous" }];
  await openScenario(page, { version: 1, name: "Long", device: "tx2", policy: { kind: "fifo" }, horizon_ns: 30_000_000_000, tasks, kernels: [kernel("A", { task: "T", block_time_ns: 1_000_000 })] });
  await page.waitForFunction(() => Number(document.querySelector("#step-count").textContent.replaceAll(",", "")) > 100_000);
  const { count } = await step(page);
  await page.keyboard.press("End");
  await at(page, count);
  await fill(page, "#jump", "#98,765");
  await page.click(".jump button");
  await at(page, 98_765);
  await page.waitForSelector('.steps [data-step="98765"]');
});

reader("a reload brings back the edit, the step and the dark colours", async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b));
  while ((await page.$eval("html", (root) => root.dataset.theme)) !== "dark") await page.click("#theme");
  assert.ok((await ground()) < 3 * 128);
  const pixel = await page.$eval("#timeline", (canvas) => [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)].reduce((a, b) => a + b));
  assert.ok(pixel < 3 * 128, "the timeline too");
  await fill(page, cell(1, "blocks"), "4");
  await page.click("#next-instant");
  const { position } = await step(page);
  const shown = await picture(page);
  await page.reload();
  await stands(page);
  await at(page, position);
  assert.equal(await value(page, cell(1, "blocks")), "4");
  assert.ok((await ground()) < 3 * 128);
  assert.equal(await picture(page), shown);
});

for (const [width, height] of [[1024, 768], [733, 844], [390, 844]]) {
  reader(`${width} px wide: nothing sticks out, and the bar works`, async (page) => {
    assert.equal(await page.evaluate(() => innerWidth), width);
    await page.click("#last");
    const { position, count } = await step(page);
    assert.equal(position, count);
    const out = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const cut = [...document.querySelectorAll("#top *, #transport *")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1 && !e.closest(".menu-list, .visually-hidden"));
      return scrollWidth > clientWidth ? [scrollWidth] : cut.map((e) => e.id || e.className);
    });
    assert.deepEqual(out, []);
  }, { width, height });
}

test("after a first visit it opens without network", async () => {
  const own = await serve({ prefix: "/once/" });
  const context = await firefox.createBrowserContext();
  try {
    const page = await newPage(context);
    await page.goto(own.url);
    await stands(page);
    await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then((r) => r?.active?.state === "activated"));
    await own.close();
    await page.goto(own.url);
    await stands(page);
    // The first question of Explore.
    assert.ok((await step(page)).count > 40);
  } finally {
    await context.close();
    await own.close();
  }
});
