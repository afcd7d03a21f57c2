// Opens the built page in Chromium for the tests beside this file. The site is served under a
// sub-path, as it must work from any, and every test watches console, requests and hosts.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { afterEach } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { serve } from "../../scripts/serve.mjs";
import { dist, launchChromium } from "../../scripts/tools.mjs";

/**
 * By how many milliseconds workers answer later than they do. A test that does not wait for an answer passes by luck as long as answers
 * are quick; with BLOCKSTEP_LATE=400 it fails.
 */
const LATE = Number(process.env.BLOCKSTEP_LATE ?? 0);

/**
 * How long anything may take before a test fails, in milliseconds: a machine that has much else to do takes long, and that is no
 * fault of the page. No test asks how long something took: benches do.
 */
export const PATIENCE = 120_000;

/** The address of the run with all that the page has, as the plain one opens Explore for whoever is new. */
export const lab = (url) => `${url}#/lab`;

/** What ends with a test, whether it passes or fails, so that it keeps no other one waiting. */
const ends = new Set();
afterEach(async () => {
  const all = [...ends];
  ends.clear();
  await Promise.allSettled(all.map((end) => end()));
});

/** Serves a page of another host until the test ends; gives its port. */
export async function guest(html, headers = {}) {
  const server = http.createServer((_, response) => response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(html));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  ends.add(() => (server.closeAllConnections(), server.close()));
  return server.address().port;
}

/**
 * Serves dist/ and starts Chromium once for the tests of a file. `close` ends both.
 * `open(options)` gives an empty browser profile with the run in it, as Lab shows it, or what is at `url`.
 * `apart`: each page has a process of its own, as one that stands still would keep those of the same process waiting.
 */
export async function start({ apart = false } = {}) {
  assert.ok(existsSync(path.join(dist, "index.html")), "build the page first: make dist");
  const server = await serve({ prefix: "/some/where/" });
  const browser = await launchChromium(apart ? [] : ["--process-per-site"]);
  const profiles = new Profiles(browser, server.url, apart);
  return {
    url: server.url,
    open: ({ url = lab(server.url), ...options } = {}) => open(profiles, url, options),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * Browser profiles that are emptied and used again, one for each set of playwright's context options: in the process of its first page,
 * a second one finds WebAssembly that is compiled, which is most of the work of a short test.
 */
class Profiles {
  #free = new Map();
  #browser;
  #url;
  #apart;

  constructor(browser, url, apart) {
    [this.#browser, this.#url, this.#apart] = [browser, url, apart];
  }

  /**
   * An empty profile, and what gives it back. One with service workers is new, as they outlive their pages, and one of pages in
   * processes of their own, as nothing tells when the last of those has stored something.
   */
  async take(options) {
    const key = JSON.stringify(options);
    const free = this.#free.get(key);
    this.#free.delete(key);
    const { context, anchor } = free ?? (await this.#make(options));
    const end = async () => {
      const isNew = this.#apart || options.serviceWorkers !== "block" || this.#free.has(key);
      if (isNew || !(await this.#empty(context, anchor).catch(() => false))) return context.close();
      this.#free.set(key, { context, anchor });
    };
    let ended;
    const give = () => (ended ??= end());
    ends.add(give);
    return { context, give };
  }

  /** Whether nothing is left of the pages. A page stores what it has when it is left, so each is left before what is stored goes. */
  async #empty(context, anchor) {
    await context.clearPermissions();
    for (const page of context.pages().filter((page) => page !== anchor)) {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.goto(this.#nothing);
      await page.close();
    }
    const session = await context.newCDPSession(anchor);
    await session.send("Storage.clearDataForOrigin", { origin: new URL(this.#url).origin, storageTypes: "all" });
    await session.detach();
    return anchor.evaluate(() => {
      localStorage.clear();
      return localStorage.length === 0;
    });
  }

  /** A file of the site that runs nothing. */
  get #nothing() {
    return new URL("icon-192.png", this.#url).href;
  }

  async #make(options) {
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout(PATIENCE);
    context.setDefaultNavigationTimeout(PATIENCE);
    // It keeps the process of the site's pages.
    const anchor = await context.newPage();
    await anchor.goto(this.#nothing);
    await context.addInitScript(watchWork, LATE);
    return { context, anchor };
  }
}

/**
 * A page, opened; without service workers, which have tests of their own (hosted.test.mjs).
 * `context`: playwright's context options; `before`: called with the page before it is opened; `ready`: whether to wait until the page stands;
 * `begins`: whether it stays before the first step; otherwise it goes to the first bookmark, where something waits.
 * `problems` collects what must not be: errors on the console, failed requests, other hosts.
 */
async function open(profiles, url, { context: options = {}, before, ready = true, begins = false } = {}) {
  const { context, give } = await profiles.take({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (/registration blocked by Playwright/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // What a reload cuts short has not failed.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(`request failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  page.on("request", (request) => {
    const local = request.url().startsWith(url.split("#")[0]) || /^(data|blob):/.test(request.url());
    if (!local) problems.push(`leaves the site: ${request.url()}`);
  });
  await before?.(page);
  await page.goto(url);
  if (ready) await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  if (ready && !begins && (!url.includes("#") || url === lab(url.split("#")[0]))) {
    await page.evaluate(() => document.querySelector("[data-bookmark]")?.click());
    await settled(page);
  }
  return { page, problems, close: give };
}

/** What axe-core is asked: its rules, and the one for the size of targets, which it leaves out unless it is named. */
export const AXE = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } };

/** Steps applied and steps of the run, as the page says once it is at rest. `options`: those of `settled`. */
export async function step(page, options) {
  await settled(page, options);
  const numbers = (await page.locator("#step-number").innerText()).replaceAll(",", "").match(/\d+/g).map(Number);
  return { position: numbers[0], count: numbers[1] };
}

/**
 * In a page, before its own scripts: counts what is under way there, so that a test can wait until nothing is. That is what was asked of
 * a worker and is not answered, files that are being read, frames that are asked for, and timers. Workers are asked `late` ms later.
 */
export function watchWork(late = 0) {
  if (globalThis.__work) return;
  const { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout } = globalThis;
  const frames = new Set();
  const timers = new Map();
  const readers = new Set();
  const asked = new Map();
  globalThis.requestAnimationFrame = (then) => {
    const id = requestAnimationFrame((now) => {
      frames.delete(id);
      then(now);
    });
    frames.add(id);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    frames.delete(id);
    cancelAnimationFrame(id);
  };
  globalThis.setTimeout = (then, delay, ...rest) => {
    if (typeof then !== "function") return setTimeout(then, delay, ...rest);
    const fire = (...values) => {
      timers.delete(id);
      then(...values);
    };
    const id = setTimeout(fire, delay, ...rest);
    timers.set(id, Number(delay) || 0);
    return id;
  };
  globalThis.clearTimeout = (id) => {
    timers.delete(id);
    clearTimeout(id);
  };
  for (const name of ["readAsText", "readAsArrayBuffer"]) {
    const read = FileReader.prototype[name];
    FileReader.prototype[name] = function (...values) {
      readers.add(this);
      this.addEventListener("loadend", () => readers.delete(this), { once: true });
      return read.apply(this, values);
    };
  }
  globalThis.Worker = class extends Worker {
    constructor(script, options) {
      super(script, options);
      // A reply is its question's number, bytes, what travels beside them, and whether more follow: crates/protocol/src/wire.rs.
      asked.set(this, { open: 0, goesOn: false });
      this.addEventListener("message", ({ data }) => {
        const mine = asked.get(this);
        if (!mine) return;
        mine.goesOn = data?.[3] === true;
        if (!mine.goesOn) mine.open = Math.max(0, mine.open - 1);
      });
      this.addEventListener("error", () => asked.delete(this));
    }
    postMessage(...message) {
      const mine = asked.get(this);
      if (mine) [mine.open, mine.goesOn] = [mine.open + 1, false];
      if (!late) return super.postMessage(...message);
      setTimeout(() => super.postMessage(...message), late);
    }
    terminate() {
      asked.delete(this);
      return super.terminate();
    }
  };
  globalThis.__work = {
    frame: (then) => requestAnimationFrame(then),
    frames: () => frames.size,
    /** All but frames, in words: of timers those of so many milliseconds or fewer; `runs`: with what says how far it is. */
    under: (within, runs) => [
      ...[...asked.values()].filter(({ open, goesOn }) => open > 0 && (runs || !goesOn)).map(({ open }) => `${open} asked of a worker`),
      ...[...timers.values()].filter((delay) => delay <= within).map((delay) => `a timer of ${delay} ms`),
      ...[...readers].map(() => "a file is read"),
    ],
  };
}

/**
 * In a page, before its own scripts: while `__held` is set, no worker is heard to end what it says the progress of, so that a test finds
 * it under way however long the test takes.
 */
export function holdEnds() {
  globalThis.Worker = class extends Worker {
    constructor(script, options) {
      super(script, options);
      this.addEventListener("message", (event) => {
        if (globalThis.__held && event.data?.[3] === false) event.stopImmediatePropagation();
      });
    }
  };
}

/** In a page: comes back once nothing is under way there, and that has been painted. */
export function atRest([within, runs, patience]) {
  const work = globalThis.__work ?? { frame: (then) => requestAnimationFrame(then), frames: () => 0, under: () => [] };
  const began = performance.now();
  return new Promise((done, failed) => {
    let quiet = 0;
    const look = () => {
      const under = work.under(within, runs);
      quiet = under.length === 0 ? quiet + 1 : 0;
      if (performance.now() - began > patience) return failed(new Error(`the page does not come to rest: ${under.join(", ") || "frames"}`));
      if (quiet < 2 || work.frames() > 0) return work.frame(look);
      // A message comes after what the frame has painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (work.under(within, runs).length > 0 || work.frames() > 0 ? work.frame(look) : done());
      port2.postMessage(0);
    };
    work.frame(look);
  });
}

/**
 * The page has followed what was done and has painted it: workers have answered, files are read, no frame is due.
 * `within`: timers of so many milliseconds have come, too; `runs`: whether to wait for what a worker says the progress of, as of a run.
 */
export async function settled(page, { within = 20, runs = true } = {}) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await page.evaluate(atRest, [within, runs, PATIENCE]);
    } catch (error) {
      // Another page has taken its place.
      if (!/context was destroyed|navigation/i.test(error.message) || Date.now() > end) throw error;
    }
  }
}

/** The same, and all that waits for a while has been done: answers that follow edits, and what is stored. */
export function idle(page, options) {
  return settled(page, { within: 1_000, ...options });
}

/** Asks until the answer holds; gives it. */
export async function until(ask, holds) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (await holds(answer)) return answer;
    assert.ok(Date.now() < end, `it stays at ${JSON.stringify(answer)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until what is read is this. */
export async function becomes(read, expected, what) {
  const end = Date.now() + PATIENCE;
  let now = await read();
  while (!isDeepStrictEqual(now, expected) && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 50));
    now = await read();
  }
  assert.deepEqual(now, expected, what);
}

/** The picture of the timeline, pixel by pixel. */
export async function timeline(page) {
  await settled(page);
  return page.locator("#timeline").evaluate((canvas) => canvas.toDataURL());
}

/** Pastes a text into a cell, as the clipboard hands it over. */
export async function paste(cell, text) {
  await cell.focus();
  await cell.evaluate((input, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** What the timeline shows, in words. */
export async function timelineName(page, options) {
  await settled(page, options);
  return page.locator("#timeline").getAttribute("aria-label");
}

/** Opens a scenario by the file dialog, and waits for its run. `options`: those of `settled`. */
export async function openScenario(page, scenario, options) {
  const buffer = Buffer.from(typeof scenario === "string" ? scenario : JSON.stringify(scenario));
  await page.locator("#open-file").setInputFiles({ name: "scenario.json", mimeType: "application/json", buffer });
  await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, scenario.name);
  await settled(page, options);
}

/** A scenario with one short kernel. */
export const SMALL = {
  version: 1,
  name: "Small",
  device: "tx2",
  policy: { kind: "runlist" },
  kernels: [{ name: "A", stream: "S", blocks: 1, threads_per_block: 32, block_time_ns: 3000 }],
};

/** Drops files anywhere on the page, each with its text, or with so many spaces; whether the page takes them from the browser. */
export function drop(page, files, at = "body") {
  return page.locator(at).evaluate((element, files) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text, bytes } of files) dataTransfer.items.add(new File([text ?? new Uint8Array(bytes).fill(32)], name));
    const drag = (type) => element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return !drag("dragover") && !drag("drop");
  }, files);
}

/** Waits until what a tool shows says this. */
export async function says(page, name, pattern) {
  await page.waitForFunction(
    ([name, source, flags]) => new RegExp(source, flags).test(document.querySelector(`#tool-${name} .tool-body`)?.innerText ?? ""),
    [name, pattern.source, pattern.flags],
  );
}

const entry = (name) => `.menu-list [data-open-tool="${name}"]`;
const tabAt = (tab) => `.tool:not([hidden]) [data-open-tab="${tab}"]`;

/** What a reader clicks to open each tool, in order; an option is chosen. */
const WAYS = {
  tour: [entry("tour")],
  quiz: [entry("quiz")],
  exercise: [entry("exercise")],
  class: [entry("exercise"), '#tool-exercise [data-open-tool="class"]'],
  ask: ["#queues [data-op]"],
  compare: ["#compare"],
  rules: [entry("rules")],
  glossary: [entry("rules"), tabAt("terms")],
  find: [entry("find")],
  hang: [entry("hang")],
  trace: [entry("trace")],
  measured: [entry("trace"), '#tool-trace [data-open-tool="measured"]'],
  batch: ['#example option[value="batch"]'],
  policy: [entry("policy")],
  share: ["#share", tabAt("link")],
  figure: ["#share", tabAt("image")],
  export: ["#share", tabAt("data")],
  words: [".as-text"],
  program: ['.table-head [data-open-tool="program"]'],
  notes: ["#share", '.tool:not([hidden]) .place-tabs [data-open-tool="notes"]'],
};

/** Every tool but *Run until*, which has a key and a field alone, and *Why not now?*, which opens with a selection. */
export const TOOLS = Object.keys(WAYS).filter((name) => name !== "ask");

/** Runs in the page: clicks what opens a tool, one after another as they appear. */
async function clickThrough([ways, patience]) {
  const end = Date.now() + patience;
  for (const selector of ways) {
    let element;
    while (!(element = document.querySelector(selector))) {
      if (Date.now() > end) throw new Error(`there is no ${selector}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    if (element instanceof HTMLOptionElement) {
      const select = element.closest("select");
      select.value = element.value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
      element.click();
    }
  }
}

/** Opens a tool as a reader does, without waiting for what it shows. */
export async function openTool(page, name) {
  if (name === "until") return page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "u", bubbles: true, cancelable: true })));
  await page.evaluate(clickThrough, [WAYS[name], PATIENCE]);
}

/** Whether a tool shows something; for `waitForFunction`. */
export const isFilled = (name) => document.querySelector(`#tool-${name}:not([hidden]) .tool-body`)?.childElementCount > 0;

/** Opens a tool as a reader does, and waits until it is filled. */
export async function filledTool(page, name) {
  await openTool(page, name);
  await page.waitForFunction(isFilled, name);
  await settled(page);
  return page.locator(`#tool-${name}`);
}

/** Opens "Share" at one of its tabs: link, embed, image, latex, data, tables. */
export async function shareAt(page, tab) {
  await page.evaluate(clickThrough, [["#share", tabAt(tab)], PATIENCE]);
  await page.waitForFunction((tab) => document.querySelector(`.tool[data-tab="${tab}"] .tool-body`)?.childElementCount > 0, tab);
  await settled(page);
}

/** A cell of the kernel table, or of another. */
export function cell(page, row, field, table = "kernels") {
  return page.locator(`#${table} tr[data-row="${row}"] [data-field="${field}"]`).locator("input:not([type=button]), select").first();
}

/** Fills a field, leaves it, and waits for what comes of that. */
export async function enter(field, text) {
  await field.fill(text);
  await field.blur();
  await settled(field.page());
}

/** How many messages say what keeps the document from being simulated: one or none. */
export function problemCount(page) {
  return page.locator("#problems").count();
}

/** Chooses a policy, leaves the choice, whose keys are the arrows, and waits for its run. */
export async function choosePolicy(page, kind) {
  const choice = page.locator(`#policy [value=${kind}]`);
  await choice.check({ force: true });
  await choice.blur();
  await settled(page);
}

/** Waits until the page, or the one in a frame, stands and is at rest. */
export async function stands(page) {
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  await settled(page);
}

/** Loads the page anew, with what the browser kept. */
export async function reload(page) {
  await page.reload();
  await stands(page);
}
