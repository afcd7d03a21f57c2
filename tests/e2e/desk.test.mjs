// Whose work is on screen: what a link brings is the link's until the reader keeps it, a run that did not finish is not run
// again, tabs and frames leave each other's work alone, and what is stored is limited, or put aside if it cannot be read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { becomes, cell, guest, idle, openScenario, openTool, reload, settled, stands, start } from "./page.mjs";

let site;
before(async () => (site = await start({ apart: true })));
after(() => site?.close());

const mine = { version: 1, name: "Mine", device: "gtx1070", policy: { kind: "fifo" }, kernels: [{ name: "A", stream: "S", blocks: 3, threads_per_block: 64, block_time_ns: 5000 }] };
const theirs = { ...mine, name: "Theirs", kernels: [{ ...mine.kernels[0], name: "B", blocks: 7 }] };

const name = (page) => page.locator("#scenario-name").inputValue();
const stored = (page) => page.evaluate(() => ({ ...localStorage }));
/** The address of a scenario, as a tool's link has it. */
const linked = (scenario) => `${site.url}#glossary=stream&scenario=${encodeURIComponent(JSON.stringify(scenario))}`;

/** Goes to an address as a visit of its own. */
async function visit(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
  await stands(page);
}

/** Waits until the page has stored what the reader did. */
const named = (page, wanted) => page.waitForFunction((wanted) => document.querySelector("#scenario-name")?.value === wanted, wanted);
/** Opens the list of what is stored. */
async function openList(page) {
  await page.locator(".menu summary", { hasText: "Tools" }).click();
  await page.locator(".menu-list button", { hasText: "My scenarios" }).click();
}
/** The line of the list of scenarios that has this name. */
const listed = (page, name) => page.locator("#kept-list tr", { has: page.getByRole("button", { name: `Save ${name}` }) });
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
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
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
    await idle(page);
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

test("a link to the first example shows its own texts, also if those of the stored one come later", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("tx2-table-3");
  await page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes("Table 3"));
  // The first one comes with the page; what a worker sends is late.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...message) {
      setTimeout(() => postMessage.apply(this, message), 1000);
    };
  });
  await visit(page, `${site.url}#example=tx2-table-1`);
  await idle(page);
  await settled(page);
  assert.match(await name(page), /Table 1/);
  assert.match(await page.locator("#intro").innerText(), /K1/);
  assert.equal(await page.locator("#example").inputValue(), "tx2-table-1");
  const own = await page.locator("#intro").innerText();
  await visit(page, site.url);
  await page.locator("#example").selectOption("tx2-table-1");
  await settled(page);
  assert.equal(own, await page.locator("#intro").innerText());
  assert.deepEqual(problems, []);
  await close();
});

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
  await openList(other);
  const row = listed(other, "Theirs");
  assert.match(await row.innerText(), /\d{4}-\d\d-\d\d \d\d:\d\d/);
  const [download] = await Promise.all([other.waitForEvent("download"), row.getByRole("button", { name: "Save" }).click()]);
  const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
  assert.deepEqual([saved.name, saved.kernels[0].blocks], ["Theirs", 9]);
  await row.getByRole("button", { name: "Open" }).click();
  await named(other, "Theirs");
  await openList(other);
  await other.locator("#kept-list").getByRole("button", { name: "Open Mine" }).click();
  await named(other, "Mine");
  await openList(other);
  await row.getByRole("button", { name: "Delete" }).click();
  await becomes(() => row.count(), 0);
  assert.deepEqual(Object.keys(await stored(other)).filter((key) => /kept\.\d/.test(key)), []);
  assert.deepEqual(problems, []);
  await close();
});

test("copies of one's work are kept, renamed, deleted and brought back, and opened without loss", async () => {
  const { page, problems, close } = await own();
  const list = page.locator("#kept-list");
  await openList(page);
  assert.match(await listed(page, "Mine").innerText(), /your own.*on screen/s);
  await list.getByRole("button", { name: "Keep a copy" }).click();
  await becomes(() => listed(page, "Mine").count(), 2);
  const copy = list.locator("tr:not([aria-current])");
  await copy.getByRole("textbox", { name: "Name of Mine" }).fill("With three blocks");
  await page.keyboard.press("Tab");
  await listed(page, "With three blocks").getByRole("button", { name: "Delete" }).click();
  await becomes(() => copy.count(), 0);
  await list.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await becomes(() => copy.count(), 1);
  // What is changed after the copy stays with the own work.
  await list.getByRole("button", { name: "Close" }).click();
  await cell(page, 0, "blocks").fill("7");
  await page.keyboard.press("Tab");
  await openList(page);
  await listed(page, "With three blocks").getByRole("button", { name: "Open" }).click();
  await named(page, "With three blocks");
  assert.equal(await cell(page, 0, "blocks").inputValue(), "3");
  await openList(page);
  assert.match(await listed(page, "With three blocks").innerText(), /on screen/);
  await list.getByRole("textbox", { name: "Name of With three blocks" }).fill("Three");
  await page.keyboard.press("Tab");
  await named(page, "Three");
  await listed(page, "Mine").getByRole("button", { name: "Open" }).click();
  await named(page, "Mine");
  assert.equal(await cell(page, 0, "blocks").inputValue(), "7");
  assert.deepEqual(problems, []);
  await close();
});

test("without work of one's own, what came by link and is changed becomes it", async () => {
  const { page, close } = await site.open({ url: linked(theirs) });
  await named(page, "Theirs");
  await idle(page);
  assert.equal(await page.locator("#from-link").count(), 0);
  assert.equal((await stored(page))["blockstep.scenario"], undefined, "to look at it stores nothing");
  await cell(page, 0, "blocks").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes("Theirs"));
  await visit(page, site.url);
  assert.equal(await name(page), "Theirs");
  await close();
});

/** Stores texts as an earlier visit would have, and opens an address anew. */
async function storedBefore(page, state, address = site.url) {
  await page.evaluate((state) => {
    const { setItem, clear } = Storage.prototype;
    const put = () => {
      clear.call(sessionStorage);
      clear.call(localStorage);
      Object.entries({ "blockstep.version": "1", ...state }).forEach(([key, text]) => setItem.call(localStorage, key, text));
    };
    addEventListener("pagehide", put, { once: true });
  }, state);
  await visit(page, address);
}

/** What a reader does in tools that keep it, beside the scenario. */
const doings = [
  ["notes", "notes", async (page) => {
    await openTool(page, "notes");
    await page.locator("#tool-notes textarea").fill("of the other tab");
    await page.locator("#tool-notes textarea").blur();
  }],
  ["a batch workload", "batch", async (page) => {
    await openTool(page, "batch");
    for (const name of ["Compare with the paper", "Open", "Workload"]) await page.locator("#tool-batch").getByRole("button", { name }).first().click();
    await page.locator("#batch-tasks [data-field=kernel] input").first().fill("5 ms");
    await page.keyboard.press("Tab");
  }],
  ["comparisons", "compare", async (page) => {
    await page.locator("#compare").click();
    await page.waitForSelector("#wide-compare svg");
  }],
];

for (const [what, tool, change] of doings) {
  test(`${what}: own work without a scenario, which a link leaves as it is`, async () => {
    const { page, problems, close } = await site.open();
    const key = `blockstep.tool.${tool}`;
    await change(page);
    await page.waitForFunction((key) => localStorage[key], key);
    const memory = (await stored(page))[key];
    await storedBefore(page, { [key]: memory }, linked(theirs));
    await named(page, "Theirs");
    await page.locator("#from-link").waitFor();
    await cell(page, 0, "blocks").fill("9");
    await page.keyboard.press("Tab");
    await kept(page);
    const now = await stored(page);
    assert.equal(now[key], memory);
    assert.equal(now["blockstep.scenario"], undefined, "what was changed is kept beside it");
    assert.deepEqual(problems, []);
    await close();
  });
}

test("notes of a link are not stored with the reader's own", async () => {
  const { page, close } = await own();
  await visit(page, `${site.url}#notes=${encodeURIComponent("take step=0&at=0&text=theirs")}`);
  await page.waitForFunction(() => document.querySelector("#tool-notes .tool-body")?.innerText.includes("Before") || document.querySelector("#tool-notes textarea"));
  await idle(page);
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
  await openList(page);
  assert.notEqual(await name(page), "Mine");
  await listed(page, "Mine").getByRole("button", { name: "Open" }).click();
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

/** Has a page leave word in the store when it goes, after all else that it stores then. */
const leavesWord = (page) => page.evaluate(() => addEventListener("pagehide", () => localStorage.setItem("word", "gone")));
/** Waits for it in another tab, and takes it away. */
async function hearsWord(page) {
  await page.waitForFunction(() => localStorage.getItem("word") === "gone");
  await page.evaluate(() => localStorage.removeItem("word"));
}

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
  await idle(page);
  await leavesWord(page);
  await page.close({ runBeforeUnload: true });
  await hearsWord(other);
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

for (const [what, tool, change] of doings) {
  test(`${what} stored by another tab are announced like a scenario`, async () => {
    const { page, close } = await own();
    const other = await page.context().newPage();
    await other.goto(site.url);
    await stands(other);
    await change(other);
    await other.waitForFunction((key) => localStorage[key], `blockstep.tool.${tool}`);
    await page.locator("#elsewhere").waitFor();
    assert.equal(await other.locator("#elsewhere").count(), 0);
    await close();
  });
}

test("a tab that another one has overtaken leaves what can be undone there alone", async () => {
  const { page, close } = await own();
  const other = await page.context().newPage();
  // It stores what can be undone only when it is left, as it does for many rows.
  await other.addInitScript(() => {
    const { setTimeout } = window;
    window.setTimeout = (f, ms, ...more) => (ms === 1_000 ? 0 : setTimeout(f, ms, ...more));
  });
  await other.goto(site.url);
  await stands(other);
  await cell(other, 0, "blocks").fill("8");
  await other.keyboard.press("Tab");
  await page.locator("#elsewhere").waitFor();
  await cell(page, 0, "blocks").fill("6");
  await page.keyboard.press("Tab");
  await other.locator("#elsewhere").waitFor();
  await idle(page);
  const history = (await stored(page))["blockstep.history"];
  assert.ok(history);
  await leavesWord(other);
  await other.goto("about:blank");
  await hearsWord(page);
  assert.equal((await stored(page))["blockstep.history"], history);
  await close();
});

test("a hidden frame and an embedded view store nothing at all", async () => {
  for (const [what, address, style] of [
    ["hidden", linked(theirs), "display: none"],
    ["embedded", `${site.url}#example=tx2-table-1&embed=timeline`, ""],
    ["hidden, with a page of its own", `${site.url}#/batch`, "display: none"],
  ]) {
    const { page, close } = await site.open({ begins: true });
    const around = new URL("around.html", site.url).href;
    await page.route(around, (route) => route.fulfill({ contentType: "text/html", body: "<h1>A page</h1>" }));
    await page.goto(around);
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    await page.evaluate(([src, style]) => document.body.append(Object.assign(document.createElement("iframe"), { src, style, width: 1200, height: 800 })), [address, style]);
    await page.frameLocator("iframe").locator('html[data-ready="1"]').waitFor({ state: "attached" });
    const frame = page.frames().find((frame) => frame !== page.mainFrame());
    await frame.evaluate(() => document.querySelector("#forward")?.click());
    await idle(frame);
    // The page around has the same storage; that of a tab is shared with its frames.
    assert.deepEqual(await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]), [[], []], what);
    await close();
  }
});

test("a page in a frame stores nothing before its reader acts in it, and in a frame of another origin nothing at all", async () => {
  for (const [address, stores] of [
    [new URL("index.html", site.url).href, true],
    [`http://127.0.0.1:${await guest("<h1>A page</h1>")}/`, false],
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
    await frame.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    // What a script clicks is not what the reader does.
    await frame.evaluate(() => document.querySelector("#forward").click());
    await idle(frame);
    const keys = () => frame.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    assert.deepEqual(await keys(), [], address);
    await inside.locator("#forward").click();
    await idle(frame);
    assert.equal((await keys()).includes("blockstep.scenario"), stores, address);
    if (!stores) assert.deepEqual(await keys(), [], address);
    await close();
  }
});

test("what cannot be read is put aside and can be saved", async () => {
  const { page, problems, close } = await own();
  await page.evaluate(() => addEventListener("pagehide", () => localStorage.setItem("blockstep.scenario", '{"broken"'), { once: true }));
  await reload(page);
  assert.match(await page.locator("#put-aside").innerText(), /cannot be read/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#put-aside").getByRole("button", { name: "Download it" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /\{"broken"/);
  await cell(page, 0, "blocks").fill("2");
  await idle(page);
  assert.ok(Object.entries(await stored(page)).some(([key, text]) => key.startsWith("blockstep.aside.") && text === '{"broken"'));
  await reload(page);
  assert.equal(await page.locator("#put-aside").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("damaged notes, memories of tools and a damaged list are put aside; the list comes back from what is stored", async () => {
  const { page, problems, close } = await own();
  const scenario = JSON.stringify(mine);
  await storedBefore(page, {
    "blockstep.scenario": scenario,
    "blockstep.notes": "[damaged",
    "blockstep.tool.notes": '{"damaged"',
    "blockstep.kept": '[{"id":-1}]',
    "blockstep.kept.1700000000000.scenario": JSON.stringify(theirs),
  });
  await page.locator("#put-aside").waitFor();
  const aside = Object.entries(await stored(page)).filter(([key]) => key.startsWith("blockstep.aside."));
  assert.deepEqual(aside.map(([, text]) => text).sort(), ['[damaged', '[{"id":-1}]', '{"damaged"']);
  await openList(page);
  assert.match(await listed(page, "Theirs").innerText(), /2023-11-1\d/);
  await page.keyboard.press("Escape");
  // The help offers it at every visit, until it is deleted.
  await reload(page);
  assert.equal(await page.locator("#put-aside").count(), 0);
  await page.keyboard.press("?");
  const all = page.locator("#all-aside");
  assert.match(await all.innerText(), /3 texts/);
  const [download] = await Promise.all([page.waitForEvent("download"), all.getByRole("button", { name: "Download it" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /\{"damaged"/);
  await all.getByRole("button", { name: "Delete it" }).click();
  assert.equal(await all.count(), 0);
  assert.deepEqual(Object.keys(await stored(page)).filter((key) => key.startsWith("blockstep.aside.")), []);
  assert.deepEqual(problems, []);
  await close();
});

test("what cannot be read and not be put aside stays where it is, and nothing is stored over it", async () => {
  const { page, close } = await own();
  // Five texts of a kind have a place; these are others.
  const others = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`blockstep.aside.scenario.${i}`, `other ${i}`]));
  await storedBefore(page, { "blockstep.scenario": '{"broken"', ...others });
  assert.match(await page.locator("#put-aside").innerText(), /no room to put it aside/);
  await cell(page, 0, "blocks").fill("2");
  await page.keyboard.press("Tab");
  await page.locator("#not-stored").waitFor();
  assert.equal((await stored(page))["blockstep.scenario"], '{"broken"');
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#put-aside").getByRole("button", { name: "Download it" }).click()]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /\{"broken"/);
  assert.match(text, /other 5/);
  // Once the reader deletes it, work is stored again.
  await page.keyboard.press("?");
  await page.locator("#all-aside").getByRole("button", { name: "Delete it" }).click();
  await page.keyboard.press("Escape");
  await cell(page, 0, "blocks").fill("3");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes('"kernels"'));
  await close();
});

test("the last ten changed links are kept, though their histories fill the store", async () => {
  const { page, close } = await own();
  const state = { "blockstep.scenario": JSON.stringify(mine) };
  const list = [];
  for (let i = 1; i <= 9; i += 1) {
    const id = 1_700_000_000_000 + i;
    list.unshift({ id, name: `Kept ${i}`, saved_ms: id });
    state[`blockstep.kept.${id}.scenario`] = JSON.stringify({ ...theirs, name: `Kept ${i}` });
    state[`blockstep.kept.${id}.history`] = `[[],[]]${" ".repeat(110_600)}`;
  }
  state["blockstep.kept"] = JSON.stringify(list);
  await storedBefore(page, state, linked({ ...theirs, notes: undefined, kernels: Array.from({ length: 60 }, (_, i) => ({ ...theirs.kernels[0], name: `Kernel ${i}` })) }));
  await named(page, "Theirs");
  await cell(page, 0, "blocks").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => JSON.parse(localStorage["blockstep.kept"]).length === 10);
  await idle(page);
  const now = await stored(page);
  assert.equal(Object.keys(now).filter((key) => /kept\.\d+\.scenario/.test(key)).length, 10);
  assert.equal(now["blockstep.kept.1700000000001.history"], undefined, "the oldest history has gone");
  assert.equal(await page.locator("#not-stored").count(), 0);
  await close();
});

test("a full store is said once, with a way to save a file", async () => {
  const { page, problems, close } = await site.open({
    before: (page) =>
      page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
      }),
  });
  await cell(page, 0, "blocks").fill("4");
  await page.locator("#not-stored").waitFor();
  assert.match(await page.locator("#not-stored").innerText(), /too large.*Save it/s);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#not-stored").getByRole("button", { name: "Save as a file" }).click()]);
  assert.equal(JSON.parse(readFileSync(await download.path(), "utf8")).kernels[0].blocks, 4);
  await page.locator("#not-stored").getByRole("button", { name: "Dismiss" }).click();
  await page.locator("#not-stored").waitFor({ state: "detached" });
  await cell(page, 0, "blocks").fill("5");
  await page.keyboard.press("Tab");
  await page.locator("#forward").click();
  await idle(page);
  assert.equal(await page.locator(".notice").count(), 0, "it is not said again");
  assert.deepEqual(problems, []);
  await close();
});

/** Longer than a part of a frame: the worker makes its run. */
const dear = { version: 1, name: "Dear", device: "gtx1070", policy: { kind: "priority" }, horizon_ns: 400_000, tasks: [{ name: "T", release: "periodic", period_ns: 1 }], kernels: [{ ...mine.kernels[0], task: "T" }] };

test("a page that freezes when a run comes from the worker asks at the next visit", async () => {
  const { page, close } = await own();
  await openScenario(page, dear);
  await page.waitForFunction(() => / of [\d,]{5,}/.test(document.querySelector("#step-number").innerText));
  await page.waitForFunction(() => localStorage["blockstep.begun"] === undefined && localStorage["blockstep.scenario"]?.includes("Dear"));
  const frozen = await page.context().newPage();
  // The first mark is of the opening; the next one comes with the run, and then this page does nothing: it waits for an answer.
  let thaw;
  await frozen.route("**/never", (route) => (thaw = () => route.fulfill({ body: "" })));
  await frozen.addInitScript(() => {
    const { setItem, removeItem } = Storage.prototype;
    let ended = false;
    Storage.prototype.removeItem = function (key) {
      removeItem.call(this, key);
      if (key === "blockstep.begun" && this === localStorage) ended = true;
    };
    Storage.prototype.setItem = function (key, text) {
      setItem.call(this, key, text);
      if (key !== "blockstep.begun" || this !== localStorage || !ended) return;
      const request = new XMLHttpRequest();
      request.open("GET", "never", false);
      request.send();
    };
  });
  await frozen.goto(site.url, { waitUntil: "commit" });
  await page.waitForFunction(() => localStorage["blockstep.begun"] !== undefined, undefined, { polling: 100 });
  await page.waitForFunction(() => Date.now() - JSON.parse(localStorage["blockstep.begun"] ?? "{}").at_ms > 3_100, undefined, { polling: 100 });
  const next = await page.context().newPage();
  await next.goto(site.url);
  await next.locator("#unfinished").waitFor();
  await thaw();
  await close();
});

test("the mark of a run that comes from the worker goes once it stands on screen", async () => {
  const { page, close } = await own();
  await openScenario(page, dear);
  await page.waitForFunction(() => / of [\d,]{5,}/.test(document.querySelector("#step-number").innerText));
  await page.waitForFunction(() => localStorage["blockstep.begun"] === undefined && sessionStorage["blockstep.begun"] === undefined);
  await reload(page);
  assert.equal(await page.locator("#unfinished").count(), 0);
  await close();
});
