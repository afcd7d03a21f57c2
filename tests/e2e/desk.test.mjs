// Whose work is on screen: what a link brings is the link's until the reader keeps it, a run that did not finish is not run
// again, tabs and frames leave each other's work alone, and what is stored is limited, or put aside if it cannot be read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import http from "node:http";
import { after, before, test } from "node:test";
import { cell, openScenario, reload, settled, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

const mine = { version: 1, name: "Mine", device: "gtx1070", policy: { kind: "fifo" }, kernels: [{ name: "A", stream: "S", blocks: 3, threads_per_block: 64, block_time_ns: 5000 }] };
const theirs = { ...mine, name: "Theirs", kernels: [{ ...mine.kernels[0], name: "B", blocks: 7 }] };

const name = (page) => page.locator("#scenario-name").inputValue();
const stored = (page) => page.evaluate(() => ({ ...localStorage }));
/** The address of a scenario, as a tool's link has it. */
const linked = (scenario) => `${site.url}#glossary=stream&scenario=${encodeURIComponent(JSON.stringify(scenario))}`;

async function stands(page) {
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  await settled(page);
}

/** Goes to an address as a visit of its own. */
async function visit(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
  await stands(page);
}

/** Waits until the page has stored what the reader did. */
const named = (page, wanted) => page.waitForFunction((wanted) => document.querySelector("#scenario-name")?.value === wanted, wanted);
const kept = (page) => page.waitForFunction(() => JSON.parse(localStorage["blockstep.kept"] ?? "[]").length > 0);

/** A page with work of the reader's own, stored. */
async function own() {
  const { page, problems, close } = await site.open();
  await openScenario(page, mine);
  await page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes("Mine"));
  await reload(page);
  return { page, problems, close };
}

/** The link that the page offers for a scenario. */
async function shared(scenario) {
  const { page, close } = await site.open();
  await openScenario(page, scenario);
  await page.locator("#share").click();
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v1="));
  const address = await page.locator("#tool-share .tool-body input[readonly]").inputValue();
  await close();
  return address;
}

for (const [what, address, arrived] of [
  ["of the page", () => shared(theirs), "Theirs"],
  ["of a tool with a scenario", () => linked(theirs), "Theirs"],
  ["to an example", () => `${site.url}#example=tx2-table-1&step=3`, "Table 1 of [TX2]"],
]) {
  test(`a link ${what} leaves stored work as it is; a quiet line leads back to it`, async () => {
    const link = await address();
    const { page, problems, close } = await own();
    const before = await stored(page);
    await visit(page, link);
    await page.waitForFunction(() => document.querySelector("#scenario-name").value !== "Mine");
    if (arrived === "Theirs") assert.equal(await name(page), arrived);
    const line = page.locator("#from-link");
    assert.match(await line.innerText(), /From a link\. Your own work is kept: go back to it/);
    // To look at it is no change.
    await page.locator("#forward").click();
    await page.locator("#forward").click();
    await page.waitForTimeout(400);
    await reload(page);
    await page.waitForFunction(() => document.querySelector("#scenario-name").value !== "Mine");
    const { "blockstep.begun": mark, ...now } = await stored(page);
    assert.deepEqual(now, before);
    // The next visit without a link shows it, and so does the button.
    await visit(page, site.url);
    assert.equal(await name(page), "Mine");
    assert.equal(await line.count(), 0);
    await visit(page, link);
    await page.waitForFunction(() => document.querySelector("#scenario-name").value !== "Mine");
    await line.getByRole("button", { name: "go back to it" }).click();
    await named(page, "Mine");
    assert.equal(new URL(page.url()).hash, "");
    assert.deepEqual(problems, []);
    await close();
  });
}

test("a link that is followed on an open page stores that page's work first", async () => {
  const { page, problems, close } = await own();
  await cell(page, 0, "blocks").fill("5");
  await page.evaluate((hash) => (location.hash = hash), new URL(linked(theirs)).hash);
  await named(page, "Theirs");
  await page.locator("#from-link").waitFor();
  await page.locator("#from-link button.link").click();
  await named(page, "Mine");
  await settled(page);
  assert.equal(await cell(page, 0, "blocks").inputValue(), "5");
  assert.deepEqual(problems, []);
  await close();
});

test("what came by link and is changed is kept beside the own work: opened, saved and deleted from a list", async () => {
  const { page, problems, close } = await own();
  const before = await stored(page);
  await visit(page, linked(theirs));
  await named(page, "Theirs");
  await cell(page, 0, "blocks").fill("9");
  await page.keyboard.press("Tab");
  await kept(page);
  assert.equal((await stored(page))["blockstep.scenario"], before["blockstep.scenario"]);
  assert.match(await page.locator("#from-link").innerText(), /Kept beside your own work/);
  // A reload goes on with it; a new visit shows the own work.
  await reload(page);
  assert.deepEqual([await name(page), await cell(page, 0, "blocks").inputValue()], ["Theirs", "9"]);
  const other = await page.context().newPage();
  await other.goto(site.url);
  await stands(other);
  assert.equal(await name(other), "Mine");
  await other.locator("#kept-scenarios").click();
  const row = other.locator("#kept-list tr", { hasText: "Theirs" });
  assert.match(await row.innerText(), /\d{4}-\d\d-\d\d \d\d:\d\d/);
  const [download] = await Promise.all([other.waitForEvent("download"), row.getByRole("button", { name: "Save" }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
  assert.deepEqual([saved.name, saved.kernels[0].blocks], ["Theirs", 9]);
  await row.getByRole("button", { name: "Open" }).click();
  await named(other, "Theirs");
  await other.locator("#kept-scenarios").click();
  await other.locator("#kept-list").getByRole("button", { name: "Your own work" }).click();
  await named(other, "Mine");
  await other.locator("#kept-scenarios").click();
  await row.getByRole("button", { name: "Delete" }).click();
  assert.equal(await row.count(), 0);
  assert.deepEqual(Object.keys(await stored(other)).filter((key) => /kept\.\d/.test(key)), []);
  assert.deepEqual(problems, []);
  await close();
});

test("without work of one's own, what came by link and is changed becomes it", async () => {
  const { page, close } = await site.open({ url: linked(theirs) });
  await named(page, "Theirs");
  assert.equal(await page.locator("#from-link").count(), 0);
  assert.equal((await stored(page))["blockstep.scenario"], undefined, "to look at it stores nothing");
  await cell(page, 0, "blocks").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes("Theirs"));
  await visit(page, site.url);
  assert.equal(await name(page), "Theirs");
  await close();
});

test("notes of a link are not stored with the reader's own", async () => {
  const { page, close } = await own();
  await visit(page, `${site.url}#notes=${encodeURIComponent("take step=0&at=0&text=theirs")}`);
  await page.waitForFunction(() => document.querySelector("#tool-notes .tool-body")?.innerText.includes("Before") || document.querySelector("#tool-notes textarea"));
  await page.waitForTimeout(400);
  assert.equal((await stored(page))["blockstep.tool.notes"], undefined);
  await close();
});

/** A mark as a page leaves it that was ended while it ran. */
const mark = (page, work) =>
  page.evaluate((work) => {
    const { setItem } = Storage.prototype;
    addEventListener("pagehide", () => setItem.call(localStorage, "blockstep.begun", JSON.stringify({ at_ms: Date.now() - 60_000, work })), { once: true });
  }, work);

test("the mark of a run goes once it stands on screen", async () => {
  const { page, close } = await own();
  await page.waitForFunction(() => localStorage["blockstep.begun"] === undefined && sessionStorage["blockstep.begun"] === undefined);
  await reload(page);
  await page.waitForFunction(() => localStorage["blockstep.begun"] === undefined);
  assert.equal(await page.locator("#unfinished").count(), 0);
  await close();
});

test("work whose run did not finish is opened without running, and run by the worker if the reader says so", async () => {
  const { page, problems, close } = await own();
  await mark(page, "stored");
  await reload(page);
  assert.match(await page.locator("#unfinished").innerText(), /The last run did not finish[\s\S]*Open it without running[\s\S]*Start empty[\s\S]*Download it/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download it" }).click()]);
  assert.equal(JSON.parse(readFileSync(await download.path(), "utf8")).name, "Mine");
  await page.getByRole("button", { name: "Open it without running" }).click();
  await named(page, "Mine");
  assert.equal(await page.evaluate(() => performance.getEntriesByName("simulate").length), 0, "nothing is run");
  assert.match(await page.locator("#not-simulated").innerText(), /Opened without running/);
  await page.getByRole("button", { name: "Run it" }).click();
  await page.waitForFunction(() => / of [1-9]\d*/.test(document.querySelector("#step-number").innerText));
  assert.equal(await page.evaluate(() => performance.getEntriesByName("simulate").length), 0, "nor later on the page");
  assert.deepEqual(problems, []);
  await close();
});

test("or left among the kept scenarios", async () => {
  const { page, close } = await own();
  await mark(page, "stored");
  await reload(page);
  await page.getByRole("button", { name: "Start empty" }).click();
  await page.locator("#kept-scenarios").click();
  assert.notEqual(await name(page), "Mine");
  await page.locator("#kept-list tr", { hasText: "Mine" }).getByRole("button", { name: "Open" }).click();
  await named(page, "Mine");
  await close();
});

test("a link whose run did not finish asks only when it is opened again", async () => {
  const { page, close } = await own();
  const link = linked(theirs);
  const hash = new URL(link).hash;
  const number = [...new TextEncoder().encode(hash)].reduce((n, byte) => Math.imul(n ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
  await mark(page, { link: number });
  await visit(page, site.url);
  assert.equal(await page.locator("#unfinished").count(), 0, "other work is opened as ever");
  await mark(page, { link: number });
  await visit(page, link);
  assert.equal(await page.locator("#unfinished").count(), 1);
  await page.getByRole("button", { name: "Start without the link" }).click();
  await named(page, "Mine");
  assert.equal(new URL(page.url()).hash, "");
  await close();
});

test("an idle tab that is closed last writes nothing, and each knows when another has stored", async () => {
  const { page, problems, close } = await own();
  const other = await page.context().newPage();
  await other.goto(site.url);
  await stands(other);
  await cell(other, 0, "blocks").fill("8");
  await other.keyboard.press("Tab");
  await page.locator("#elsewhere").waitFor();
  assert.match(await page.locator("#elsewhere").innerText(), /Another tab has stored a newer version/);
  const blocks = () => other.evaluate(() => JSON.parse(localStorage["blockstep.scenario"]).kernels[0].blocks);
  // Where the idle one stands is no change of the work.
  await page.locator("#forward").click();
  await page.waitForTimeout(400);
  await page.close({ runBeforeUnload: true });
  await other.waitForTimeout(300);
  assert.equal(await blocks(), 8);
  const third = await page.context().newPage();
  await third.goto(site.url);
  await stands(third);
  await cell(other, 0, "blocks").fill("6");
  await other.keyboard.press("Tab");
  await third.locator("#elsewhere").getByRole("button", { name: "Show it" }).click();
  await third.waitForFunction(() => !document.querySelector("#elsewhere") && document.querySelector("#scenario-name")?.value === "Mine");
  await settled(third);
  assert.equal(await cell(third, 0, "blocks").inputValue(), "6");
  // The newer change wins.
  await cell(third, 0, "blocks").fill("4");
  await third.keyboard.press("Tab");
  await other.locator("#elsewhere").waitFor();
  assert.equal(await blocks(), 4);
  assert.deepEqual(problems, []);
  await close();
});

test("a page in a frame stores nothing before its reader acts in it, and in a frame of another origin nothing at all", async () => {
  const host = http.createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>A page</h1>"));
  await new Promise((done) => host.listen(0, "127.0.0.1", done));
  for (const [address, stores] of [
    [new URL("index.html", site.url).href, true],
    [`http://127.0.0.1:${host.address().port}/`, false],
  ]) {
    const { page, close } = await site.open({ begins: true });
    // A page around without any of ours.
    if (stores) await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<h1>A page</h1>" }));
    await page.goto(address);
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement("iframe"), { src, width: 1200, height: 800 });
      document.body.append(frame);
    }, site.url);
    const inside = page.frameLocator("iframe");
    await inside.locator('html[data-ready="1"]').waitFor({ state: "attached" });
    const frame = page.frames().find((frame) => frame !== page.mainFrame());
    await frame.evaluate(() => localStorage.clear());
    // What a script clicks is not what the reader does.
    await frame.evaluate(() => document.querySelector("#forward").click());
    await page.waitForTimeout(400);
    const keys = () => frame.evaluate(() => Object.keys(localStorage));
    assert.deepEqual(await keys(), [], address);
    await inside.locator("#forward").click();
    await page.waitForTimeout(600);
    assert.equal((await keys()).includes("blockstep.scenario"), stores, address);
    await close();
  }
  host.close();
});

test("what cannot be read is put aside and can be saved", async () => {
  const { page, problems, close } = await own();
  await page.evaluate(() => addEventListener("pagehide", () => localStorage.setItem("blockstep.scenario", '{"broken"'), { once: true }));
  await reload(page);
  assert.match(await page.locator("#put-aside").innerText(), /cannot be read/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#put-aside").getByRole("button", { name: "Download it" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /\{"broken"/);
  await cell(page, 0, "blocks").fill("2");
  await page.waitForTimeout(400);
  assert.ok(Object.entries(await stored(page)).some(([key, text]) => key.startsWith("blockstep.aside.") && text === '{"broken"'));
  await reload(page);
  assert.equal(await page.locator("#put-aside").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a full store is said once, with a way to save a file", async () => {
  const { page, close } = await site.open({
    before: (page) =>
      page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
      }),
  });
  await cell(page, 0, "blocks").fill("4");
  await page.locator("#not-stored").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#not-stored").getByRole("button", { name: "Save as a file" }).click()]);
  assert.equal(JSON.parse(readFileSync(await download.path(), "utf8")).kernels[0].blocks, 4);
  await close();
});
