// What strangers hand over: links, files, pastes and stored states that ask for much, are damaged, or are made to deceive. None of
// them keeps the page silent for long, at that visit or the next; own work stays; little of theirs is stored; nothing leaves. And
// what takes long, in the worker, can be canceled; a worker or a page that dies says so, with the work still there.
//
// The corpus is made here and stored nowhere. Tests ask that the page answers at all. How soon it answers, `make bench-hostile` asks, on a
// machine that does nothing else: it sets BLOCKSTEP_FACTOR=1. A page is silent while its own timer does not come, and 1 s is the promise.
// The factor is of that promise, both for the silence and for the processor time that one task of the page's thread takes.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import zlib from "node:zlib";
import { becomes, cell, holdEnds, idle, openScenario, paste, reload, settled, shareAt, start, step } from "./page.mjs";

const isTimed = process.env.BLOCKSTEP_FACTOR !== undefined;
/** How long the page may be silent, ms. */
const SILENCE = 1_000 * Number(process.env.BLOCKSTEP_FACTOR ?? 0);
/** Bytes that may be stored of what others sent. */
const FOREIGN = 1_000_000;

let site;
before(async () => (site = await start()));
after(() => site?.close());

const mine = { version: 1, name: "Mine", device: "gtx1070", policy: { kind: "fifo" }, kernels: [{ name: "A", stream: "S", blocks: 3, threads_per_block: 64, block_time_ns: 5000 }] };

const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));
const kernel = (i, more = {}) => ({ name: `K${i}`, stream: `S${i}`, blocks: 1, threads_per_block: 64, block_time_ns: 1_000 + (i % 97), ...more });
const base = (name, more) => ({ version: 1, name, policy: { kind: "edf" }, ...more });
const device = (sms) => ({ name: "wide", sms, threads_per_sm: 2048, blocks_per_sm: 32, shared_memory_per_sm: 98_304, registers_per_sm: 65_536 });

/** Tasks with a process each, which consume what `consumes` says. */
function graph(name, n, consumes, policy = { kind: "edf" }, more = {}) {
  return base(name, {
    policy,
    processes: range(n, (i) => ({ name: `P${i}` })),
    tasks: range(n, (i) => ({ name: `T${i}`, process: `P${i}`, deadline_ns: 1_000_000_000 - i * 1_000, consumes: consumes(i).map((j) => `T${j}`), ...more })),
    kernels: range(n, (i) => kernel(i, { task: `T${i}` })),
  });
}

const before1 = (i) => (i > 0 ? [i - 1] : []);
const none = () => [];
const overload = { kind: "priority" };
const periodic = (name, horizon_ns) =>
  base(name, {
    policy: overload,
    horizon_ns,
    tasks: range(3, (i) => ({ name: `T${i}`, release: "periodic", period_ns: 1 })),
    kernels: range(3, (i) => kernel(i, { task: `T${i}` })),
  });

const scenarios = {
  "a chain of 3,000 producers": graph("chain", 3_000, before1),
  "a full graph of 400 tasks": graph("full", 400, (i) => range(i, (j) => j)),
  "a full graph of 700 tasks": graph("fuller", 700, (i) => range(i, (j) => j)),
  "a full graph with servers": graph("servers", 300, (i) => range(i, (j) => j), { kind: "edf", cbs: true }, { budget_ns: 100 }),
  "3,000 consumers behind events": {
    ...base("events", {
      tasks: range(3_000, (i) => ({ name: `T${i}`, deadline_ns: 1_000_000_000 - i * 1_000, consumes: i % 3 === 1 ? ["T0"] : [] })),
      kernels: range(3_000, (i) => kernel(i, { task: `T${i}`, records: `E${i}`, waits_for: i > 0 ? [`E${i - 1}`] : [] })),
    }),
    version: 2,
  },
  "a kernel that waits for 20,000 events": {
    ...base("waits", { policy: overload, kernels: [...range(5_000, (i) => kernel(i, { records: `E${i}` })), kernel(5_000, { waits_for: range(20_000, (i) => `E${i % 5_000}`) })] }),
    version: 2,
  },
  "servers of 5,000 tasks": graph("many servers", 5_000, none, { kind: "edf", cbs: true }),
  "976 processes on 4,096 SMs": { ...graph("wide", 976, none), device: device(4_096) },
  "20,000 processes on 4,096 SMs": { ...graph("too wide", 20_000, none), device: device(4_096) },
  "jobs without end": periodic("overload", 18_446_744_073_709),
  "blocks without end": base("blocks", { policy: overload, kernels: [kernel(0, { blocks: 4_000_000_000, threads_per_block: 1 })] }),
  "20,000 rows": base("rows", { policy: overload, kernels: range(20_000, (i) => kernel(i)) }),
  "50,000 marks on a letter": base(`Z${"\u0301".repeat(50_000)}`, { kernels: [kernel(0)] }),
  "a name of 100,000 letters": base("n", { kernels: [{ ...kernel(0), name: "W".repeat(100_000) }] }),
  "names that turn and hide": base("\u202eevil\u200b", { kernels: [{ ...kernel(0), name: "K\u200b1" }, { ...kernel(1), name: "K1" }] }),
};

const packed = (text) => zlib.deflateSync(Buffer.from(text)).toString("base64url");
const links = {
  "4 MB of braces": `v1=${packed("{".repeat(4_000_000))}`,
  "4 MB of the longest word": `v1=${packed("\u0001".repeat(150_000))}`,
  "40 MB of blanks": `v1=${packed(" ".repeat(40_000_000))}`,
  "lists 100,000 deep": `v1=${packed("[".repeat(100_000))}`,
  "damaged zlib": `v1=${packed('{"position":0}').slice(0, -5)}AAAAA`,
  "no zlib at all": "v1=AAAA",
  "a version to come": "v9=AAAA",
  "no version": "v=AAAA&embed=everything",
  "a note of 1 MB": `notes=${encodeURIComponent(`take step=0&at=0&text=${"theirs ".repeat(150_000)}`)}`,
  "a quiz of a million questions": `quiz=${encodeURIComponent("n=1000000&seed=1&kinds=kernel,blocks")}`,
  "a search for everything": `find=${encodeURIComponent("runs=1000000&seed=1")}`,
  "a scenario of lists 50,000 deep": `glossary=stream&scenario=${encodeURIComponent("[".repeat(50_000))}`,
  "an unknown tool": "constructor=__proto__&scenario={}",
  "a study of everything": `study=${encodeURIComponent("kind=acceptance&sets=4294967295&tasks=1000000&from=0&to=1e308&seed=1")}`,
  "a batch workload of a million tasks": `batch=${encodeURIComponent(`name=theirs&${"task=x&kernel=1e308&".repeat(20_000)}`)}`,
  "comparisons with ten thousand runs": `compare=${encodeURIComponent("run=policy:edf&".repeat(10_000))}`,
  "a figure as wide as a street": `figure=${encodeURIComponent("width=4294967295&height=4294967295&from=0&to=18446744073709551615&scale=1e308")}`,
  "an example that is none": "example=../../etc/passwd&step=99999999999999999999",
};

const files = {
  "lists 200,000 deep": "[".repeat(200_000),
  "objects 100,000 deep": '{"a":'.repeat(100_000),
  "a config of 2,000 benchmarks": JSON.stringify({ name: "C", max_iterations: 3, max_time: 0, use_processes: true, benchmarks: range(2_000, (i) => ({ filename: "./bin/timer_spin.so", log_name: `l${i}.json`, thread_count: 128, block_count: 2, additional_info: 1_000 })) }),
  "a batch workload of what is no number": JSON.stringify({ kind: "batch", version: 1, tasks: range(5_000, (i) => ({ name: `t${i}`, period_ms: 1e308 })) }),
  "a table of 20,000 rows": `name\tblocks\tthreads\n${range(20_000, (i) => `K${i}\t1\t64`).join("\n")}`,
  "no text at all": "\u0000\ufffd".repeat(100_000),
};

/** Counts how long the page's own timer did not come, from the first script on. */
function meter() {
  let last = performance.now();
  window.__silence = 0;
  // A silence that has not ended counts, too.
  window.__silent = () => Math.max(window.__silence, performance.now() - last);
  setInterval(() => {
    window.__silence = window.__silent();
    last = performance.now();
  }, 20);
}

const name = (page) => page.locator("#scenario-name").inputValue();

/** The page answers; where time is asked for, it was never silent for long. */
async function quiet(page, what) {
  const longest = await page.evaluate(() => window.__silent?.() ?? 0);
  if (isTimed) assert.ok(longest < SILENCE, `${what}: the page is silent for ${Math.round(longest)} ms; ${SILENCE} are allowed`);
}

/** From now on the browser notes what processor time each task of a page's main thread takes. */
async function watch(page) {
  if (!isTimed) return;
  const browser = page.context().browser();
  // A test that failed has not ended its own.
  await browser.stopTracing().catch(() => {});
  await browser.startTracing(page, { categories: ["toplevel"] });
}

/** Ends that: none has taken long. */
async function light(page, what) {
  if (!isTimed) return;
  const { traceEvents } = JSON.parse(await page.context().browser().stopTracing());
  const main = new Set(traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`));
  const tasks = traceEvents.filter((e) => e.tdur !== undefined && main.has(`${e.pid} ${e.tid}`)).map((e) => e.tdur / 1_000);
  assert.ok(tasks.length > 0, "tasks are noted with the processor time that they took");
  const longest = Math.round(Math.max(...tasks));
  if (process.env.BLOCKSTEP_SHOW) console.log(`${longest} ms of work: ${what}`);
  assert.ok(longest < SILENCE, `${what}: a task of the page works for ${longest} ms; ${SILENCE} are allowed`);
}

/** Bytes of what is stored, as UTF-8 has it. */
const bytes = (page) => page.evaluate(() => new TextEncoder().encode(Object.entries(localStorage).flat().join("")).length);

/** A page with stored work of the reader's own, and what every request of it was for. */
async function own({ before } = {}) {
  const outside = [];
  const opened = await site.open({
    before: async (page) => {
      if (isTimed) await page.addInitScript(meter);
      await before?.(page);
      page.on("request", (request) => {
        if (!request.url().startsWith(site.url) && !/^(data|blob|about):/.test(request.url())) outside.push(request.url());
      });
    },
  });
  await openScenario(opened.page, mine);
  await opened.page.waitForFunction(() => localStorage["blockstep.scenario"]?.includes("Mine"));
  await reload(opened.page);
  const stored = await bytes(opened.page);
  await watch(opened.page);
  return { ...opened, outside, before: stored };
}

/** What was stored of it is little, and nothing has left. */
async function contained({ page, outside, before }, what) {
  const stored = await bytes(page);
  assert.ok(stored - before < FOREIGN, `${what}: ${stored - before} bytes are stored of it`);
  assert.deepEqual(outside, [], `${what}: nothing leaves`);
}

/** All is done that was due, but for runs that go on in the worker. */
const rests = (page) => idle(page, { runs: false });

/** The next visit without a link: it stands, soon, with the own work, if `isOwn`. */
async function next(opened, what, isOwn = true) {
  const { page } = opened;
  await page.goto("about:blank");
  await page.goto(site.url);
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal(await page.locator("#unfinished").count(), 0, `${what}: the next visit asks nothing`);
  await rests(page);
  await quiet(page, `${what}, at the next visit`);
  if (isOwn) assert.equal(await name(page), "Mine", `${what}: own work`);
  await contained(opened, what);
}

for (const [what, fragment] of [
  ...Object.entries(links),
  ...["a chain of 3,000 producers", "50,000 marks on a letter", "jobs without end", "blocks without end", "names that turn and hide"].map((what) => [
    what,
    `glossary=stream&scenario=${encodeURIComponent(JSON.stringify(scenarios[what]))}`,
  ]),
]) {
  test(`a link with ${what} does no harm`, async () => {
    const opened = await own();
    const { page, close } = opened;
    await page.goto("about:blank");
    await page.goto(`${site.url}#${fragment}`);
    await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
    await rests(page);
    await quiet(page, what);
    await next(opened, what);
    await light(page, what);
    await close();
  });
}

for (const [what, text] of [...Object.entries(files), ...Object.entries(scenarios).map(([what, scenario]) => [what, JSON.stringify(scenario)])]) {
  test(`a file with ${what} does no harm`, async () => {
    const opened = await own();
    const { page, close } = opened;
    await page.locator("#open-file").setInputFiles({ name: "theirs.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await rests(page);
    await quiet(page, what);
    // What takes long can be canceled, or is refused in words, or stands.
    await page.evaluate(() => document.querySelector("#simulating:not([hidden]) #cancel")?.click());
    await page.locator("#simulating").waitFor({ state: "hidden" });
    // The reader opened it, so it is kept as theirs; undo leads back.
    if (await page.locator("dialog[open]").count()) await page.keyboard.press("Escape");
    for (let i = 0; i < 3 && (await name(page)) !== "Mine"; i += 1) {
      await page.keyboard.press("Control+z");
      await settled(page);
    }
    assert.equal(await name(page), "Mine", `${what}: undo leads back`);
    await rests(page);
    await quiet(page, `${what}, afterwards`);
    await next(opened, what);
    await light(page, what);
    await close();
  });
}

test("the dear chain does no harm from its first step to its end and back", async () => {
  const opened = await own();
  const { page, close } = opened;
  await openScenario(page, scenarios["a chain of 3,000 producers"]);
  await page.locator("#simulating").waitFor({ state: "hidden" });
  for (const key of ["End", "Home", "End", "ArrowLeft", "ArrowLeft", "Home"]) {
    await page.locator("#timeline").press(key);
    await settled(page);
    await quiet(page, `${key} on the dear chain`);
  }
  // It is the reader's by now: as a file of theirs it may be stored, and is shown again.
  await next(opened, "stepping on the dear chain", false);
  await light(page, "stepping on the dear chain");
  await close();
});

/** A name as long as one can be, in letters or with marks. */
const plainName = "K".repeat(200);
const markedName = `Z${"\u0301".repeat(10)}`.repeat(200);

for (const [what, name, blocks, isSaved] of [
  ["just below the limit", plainName, 300_000, true],
  ["of 2.5 GB", markedName, 300_000, false],
]) {
  test(`a run whose table is ${what} is ${isSaved ? "saved" : "not saved, in words"}`, async () => {
    const opened = await own();
    const { page, close } = opened;
    await openScenario(page, base("large", { policy: overload, kernels: [kernel(0, { name, blocks })] }));
    await page.waitForFunction(() => / of 600,\d/.test(document.querySelector("#step-number").innerText));
    await settled(page);
    await shareAt(page, "data");
    const button = (does) => page.locator("#tool-export").getByRole("button", { name: `${does} Blocks and copies (CSV)`, exact: true });
    await button("Preview").click();
    await page.waitForFunction(() => document.querySelector("#tool-export .tool-body pre")?.innerText.length > 1_000);
    assert.equal(/more than 128 MiB/.test(await page.locator("#tool-export .tool-body").innerText()), !isSaved, "the size is told before");
    if (isSaved) {
      const [download] = await Promise.all([page.waitForEvent("download"), button("Save").click()]);
      const { size } = statSync(await download.path());
      assert.ok(size > 120 * 1024 * 1024 && size <= 128 * 1024 * 1024, `${size} bytes are near the limit`);
    } else {
      await button("Save").click();
      await page.waitForFunction(() => /larger than 128 MiB.*command line/.test(document.querySelector("#tool-export .tool-body").innerText));
    }
    await rests(page);
    await quiet(page, `a table ${what}`);
    await next(opened, `a table ${what}`, false);
    await light(page, `a table ${what}`);
    await close();
  });
}

test("a damaged trace of a profiler is refused in words, and nothing of it stays", async () => {
  for (const [what, text] of [
    ["cut off", `{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"kernel","name":"${"k".repeat(100_000)}"`],
    ["of numbers that are none", JSON.stringify({ schemaVersion: 1, traceEvents: range(20_000, (i) => ({ ph: "X", cat: "kernel", name: `k${i}`, pid: 0, tid: 7, ts: 1e308, dur: -1e308, args: { device: 0, stream: 7, correlation: 1e308 } })) })],
    ["of what is no event", JSON.stringify({ schemaVersion: 1, traceEvents: range(50_000, () => [null, {}, "x"]) })],
  ]) {
    const opened = await own();
    const { page, close } = opened;
    await page.goto(`${site.url}#/trace`);
    await page.locator("#trace-file").setInputFiles({ name: "trace.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.locator("#trace-progress").waitFor({ state: "detached" });
    await page.locator("#trace-failed, #trace-answer").first().waitFor();
    await quiet(page, `a trace ${what}`);
    await next(opened, `a trace ${what}`);
    await light(page, `a trace ${what}`);
    await close();
  }
});

test("stored states that others left are put aside, and nothing of them runs for long", async () => {
  for (const [what, state] of Object.entries({
    "lists 100,000 deep": { "blockstep.scenario": "[".repeat(100_000) },
    "a chain of 3,000 producers": { "blockstep.scenario": JSON.stringify(scenarios["a chain of 3,000 producers"]) },
    "a history of what is no history": { "blockstep.scenario": JSON.stringify(mine), "blockstep.history": `[[${'{"scenario":"{}"},'.repeat(20_000)}{}],[]]` },
    "memories of tools": { "blockstep.scenario": JSON.stringify(mine), "blockstep.tool.notes": "take step=0&text=".padEnd(1_500_000, "x"), "blockstep.tool.quiz": "n=4294967295&seed=1" },
    "another version": { "blockstep.scenario": JSON.stringify(mine), "blockstep.version": "999999" },
    "places that are none": { "blockstep.scenario": JSON.stringify(mine), "blockstep.view": '{"at_ns":18446744073709551615,"position":4294967295}', "blockstep.kept": '[{"id":-1}]', "blockstep.panes": '{"side_px":1e308}' },
  })) {
    const opened = await own();
    const { page, close } = opened;
    await page.evaluate((state) => {
      const { setItem } = Storage.prototype;
      addEventListener("pagehide", () => Object.entries(state).forEach(([key, text]) => setItem.call(localStorage, key, text)), { once: true });
    }, state);
    await reload(page);
    await rests(page);
    await quiet(page, what);
    assert.equal(await page.locator("#scenario-name").count(), 1, `${what}: the page stands`);
    // What stood there before is put aside, or shown.
    opened.before += new TextEncoder().encode(JSON.stringify(state)).length;
    await next(opened, what, state["blockstep.scenario"] === JSON.stringify(mine) && state["blockstep.version"] === undefined);
    await light(page, what);
    await close();
  }
});

for (const [what, rows, isTaken] of [
  ["20,000 rows", 20_000, true],
  ["150,000 rows", 150_000, false],
]) {
  test(`${what} that are pasted are looked at before they are taken`, async () => {
    const opened = await own();
    const { page, close } = opened;
    const cells = range(rows, (i) => `K${i}\tT${i % 5_000}\tS${i % 700}\t0\t1\t64\t1 ms`).join("\n");
    await paste(cell(page, 0, "name"), cells);
    await rests(page);
    if (isTaken) await page.locator("#preview-take").click();
    await rests(page);
    await quiet(page, `a paste of ${what}`);
    if (isTaken) {
      await page.keyboard.press("Control+z");
      await page.waitForFunction(() => document.querySelectorAll("#kernels tbody tr").length < 20);
    } else {
      assert.match(await page.locator("#said").innerText(), /150,000 lines; the page takes at most 100,000 rows/);
      assert.equal(await cell(page, 0, "name").inputValue(), "A", "nothing is changed");
    }
    await rests(page);
    await next(opened, `a paste of ${what}`);
    await light(page, `a paste of ${what}`);
    await close();
  });
}

test("a table of 150,000 rows is refused with both numbers, and nothing is changed", async () => {
  const opened = await own();
  const { page, close } = opened;
  const text = `Kernel,Blocks,Threads\n${range(150_000, (i) => `K${i},1,64`).join("\n")}`;
  await page.locator("#open-file").setInputFiles({ name: "theirs.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.locator("#said").waitFor();
  assert.match(await page.locator("#said").innerText(), /theirs\.csv cannot be opened[\s\S]*150,001 lines; the page takes at most 100,000 rows/);
  assert.equal(await page.locator("#preview[open]").count(), 0);
  assert.equal(await name(page), "Mine");
  await quiet(page, "a table of 150,000 rows");
  await next(opened, "a table of 150,000 rows");
  await light(page, "a table of 150,000 rows");
  await close();
});

/** A scenario whose run is as long as runs may be. */
const long = periodic("Long", 5_000_000);

test("a long run is made in the worker, with progress and Cancel, while the page goes on", async () => {
  const { page, close } = await own({ before: (page) => page.addInitScript(holdEnds) });
  await page.evaluate(() => (window.__held = true));
  await openScenario(page, long, { runs: false });
  await page.locator("#simulating").waitFor();
  await page.waitForFunction(() => /[1-9][\d,]* steps/.test(document.querySelector("#simulating-text").innerText));
  await page.locator("#cancel").click();
  assert.match(await page.locator("#not-simulated").innerText(), /Stopped/);
  await quiet(page, "a long run");
  await light(page, "a long run");
  await page.evaluate(() => (window.__held = false));
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Mine");
  await page.waitForFunction(() => / of [1-9]/.test(document.querySelector("#step-number").innerText));
  await close();
});

/** The worker's next message is exchanged for one that it cannot read, so that it dies while it is asked. */
function fragile() {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, transfer) {
    if (!window.__kill) return postMessage.call(this, message, transfer);
    window.__kill = false;
    return postMessage.call(this, new Uint8Array([255, 255, 255, 255, 255, 255]));
  };
}

/** As long as it is set, the worker hears nothing, as one that is busy forever. */
function deaf() {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, transfer) {
    if (window.__deaf > 0) window.__deaf -= 1;
    else postMessage.call(this, message, transfer);
  };
}

test("a request that takes long shows so where its answer will appear, and can be cancelled; others go on", async () => {
  const { page, close } = await site.open({ before: (page) => page.addInitScript(deaf) });
  await page.evaluate(() => (window.__deaf = 1));
  await page.locator("#results > summary").click();
  const busy = page.locator("#results .busy");
  await busy.waitFor();
  assert.match(await busy.innerText(), /Working on it/);
  // What waits behind it says so, too, and the first one is shown where it keeps others waiting.
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  await page.locator(".top-actions summary", { hasText: "Tools" }).click();
  await page.locator('[data-open-tool="rules"]').click();
  await page.locator("#tool-rules .busy").waitFor();
  await page.locator("#notices .busy").waitFor();
  await busy.getByRole("button", { name: "Cancel" }).click();
  await page.waitForFunction(() => document.querySelector("#tool-rules .tool-body").childElementCount > 0);
  assert.match(await page.locator("#results-body").innerText(), /Stopped/);
  await becomes(() => page.locator(".busy").count(), 0);
  // The new worker is told the run anew.
  await page.locator("#results > summary").click();
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => document.querySelector("#results-body table"));
  await close();
});

test("a tool that is closed while it takes long keeps nobody waiting", async () => {
  const { page, close } = await site.open({ before: (page) => page.addInitScript(deaf) });
  await page.evaluate(() => (window.__deaf = 1));
  await page.locator(".top-actions summary", { hasText: "Tools" }).click();
  await page.locator('[data-open-tool="rules"]').click();
  await page.locator("#tool-rules .busy").waitFor();
  await page.locator("#tool-rules").getByRole("button", { name: "Close" }).click();
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => document.querySelector("#results-body table"));
  await close();
});

test("a worker that dies says so, is started again, and what waited goes to the new one", async () => {
  const { page, close } = await site.open({ before: (page) => page.addInitScript(fragile) });
  await page.evaluate(() => (window.__kill = true));
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => /background worker did not load or has stopped/.test(document.querySelector("#results-body").innerText));
  assert.match(await page.locator("#results-body").innerText(), /your work is unchanged/);
  await page.locator("#results > summary").click();
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => document.querySelector("#results-body table"));
  // The same where the worker's trap comes while nothing is asked.
  for (const worker of page.workers()) {
    const ended = worker.waitForEvent("close");
    await worker.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
    await ended;
  }
  await page.locator(".top-actions summary", { hasText: "Tools" }).click();
  await page.locator('[data-open-tool="rules"]').click();
  await page.waitForFunction(() => document.querySelector("#tool-rules .tool-body")?.childElementCount > 0);
  assert.ok((await step(page)).count > 0, "the run is there");
  await close();
});

test("a worker that cannot be loaded once is asked for again", async () => {
  let refused = 0;
  const { page, close } = await site.open({
    before: (page) => page.route(/worker-[^/]*\.js/, (route) => ((refused += 1) === 1 ? route.fulfill({ status: 404, body: "" }) : route.continue())),
  });
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => /did not load/.test(document.querySelector("#results-body").innerText));
  await page.locator("#results > summary").click();
  await page.locator("#results > summary").click();
  await page.waitForFunction(() => document.querySelector("#results-body table"));
  assert.ok(refused >= 2);
  await close();
});

test("a trap of the page says so; the work can be saved, is there after a reload, and can be undone", async () => {
  const { page, close } = await own();
  await light(page, "own work, opened");
  await cell(page, 0, "blocks").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => localStorage["blockstep.history"]?.includes("scenario") && JSON.parse(localStorage["blockstep.scenario"]).kernels[0].blocks === 9);
  await page.evaluate(() => void setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
  await page.locator(".stopped").waitFor();
  assert.match(await page.locator(".stopped").innerText(), /Blockstep has stopped[\s\S]*Your work is stored/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save your work as a file" }).click()]);
  assert.equal(JSON.parse(readFileSync(await download.path(), "utf8")).kernels[0].blocks, 9);
  await Promise.all([page.waitForNavigation(), page.getByRole("button", { name: "Reload without running" }).click()]);
  await page.getByRole("button", { name: "Open it without running" }).click();
  await page.waitForFunction(() => document.querySelector("#scenario-name")?.value === "Mine");
  assert.equal(await cell(page, 0, "blocks").inputValue(), "9");
  await idle(page);
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal(await cell(page, 0, "blocks").inputValue(), "3");
  await close();
});
