// The page of profiler traces: the answer first, the timeline, an operation with its chain, search, tables, a scenario made of a part;
// plain and gzip files, damaged and foreign ones, and the public traces where they are.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { npmTool, project } from "../../scripts/tools.mjs";
import { AXE, becomes, cell, drop, holdEnds, idle, settled, start } from "./page.mjs";

const shared = path.join(process.env.BLOCKSTEP_SHARED ?? path.join(project, "..", "shared"), "data/traces");
let site;
before(async () => (site = await start()));
after(() => site.close());

/** A trace by hand: a copy and two kernels in a stream, and a kernel of the NULL stream that the host calls late. Times in µs. */
function trace() {
  const events = [];
  const add = (cat, name, tid, ts, dur, args) => events.push({ ph: "X", cat, name, pid: 0, tid, ts: 1000.001 + ts, dur, args });
  const size = { grid: [216, 1, 1], block: [1024, 1, 1], "registers per thread": 32, "shared memory": 0 };
  const launch = (id, cat, name, stream, called, ran, dur, args) => {
    add("cuda_runtime", cat === "kernel" ? "cudaLaunchKernel" : "cudaMemcpyAsync", 9, called, 4, { correlation: id });
    add(cat, name, stream, ran, dur, { device: 0, context: 1, stream, correlation: id, ...args });
  };
  launch(1, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20, 0, 8, 100, { bytes: 1_000_000 });
  launch(2, "kernel", "void at::native::gemm<float>(int)", 20, 10, 110, 400, size);
  launch(3, "kernel", "add", 20, 20, 512, 90, size);
  launch(4, "kernel", "late", 7, 5000, 5008, 200, size);
  const device = { id: 0, name: "NVIDIA A100", computeMajor: 8, computeMinor: 0, maxThreadsPerMultiprocessor: 2048, regsPerMultiprocessor: 65536, sharedMemPerMultiprocessor: 167936, numSms: 108 };
  return JSON.stringify({ schemaVersion: 1, deviceProperties: [device], traceEvents: events });
}

/** A small export of Nsight Systems: two kernels in a stream; or a database of something else. */
async function database(statements) {
  const sql = await npmTool("sql.js")();
  const base = new sql.Database();
  base.run(statements);
  return Buffer.from(base.export());
}

const EXPORT = `
  CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
  INSERT INTO StringIds VALUES (1, 'void gemm<float>(int)'), (2, 'add'), (3, 'cudaLaunchKernel_v7000');
  CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    globalPid INTEGER, correlationId INTEGER, demangledName INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (8001, 500001, 0, 1, 20, 282501479432192, 1, 1), (502001, 600001, 0, 1, 20, 282501479432192, 2, 2);
  CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 4001, 282501479432193, 1, 3), (10001, 14001, 282501479432193, 2, 3);`;

const file = (name, content) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });

/** The page of traces with a file, opened by its own button. */
async function open(files, { held = false, ...options } = {}) {
  const opened = await site.open(options);
  await go(opened.page);
  await opened.page.evaluate((held) => (window.__held = held), held);
  await opened.page.locator("#trace-file").setInputFiles(files);
  return opened;
}

async function go(page) {
  await page.goto(`${site.url}#/trace`);
  await page.locator("#trace-file").waitFor({ state: "attached" });
}

async function answer(page) {
  await page.locator("#trace-answer").waitFor();
  await settled(page);
  return page.locator("#trace-answer").innerText();
}

async function audit(page) {
  await settled(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(npmTool("axe-core").source);
  const { violations } = await page.evaluate((options) => window.axe.run(document, options), AXE);
  return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target}: ${n.failureSummary}`).join("; ")}`);
}

test("a page shows the same whether its address is opened or followed", async () => {
  for (const word of ["trace", "batch", "class", "policy", "sweep"]) {
    const shown = async (context) => {
      const { page, problems } = context;
      await page.locator(".is-page :is(button, input, textarea, select) >> nth=2").waitFor({ state: "attached" });
      await settled(page);
      const text = await page.locator(".is-page").innerText();
      assert.deepEqual(problems, [], word);
      await context.close();
      return text;
    };
    const opened = await shown(await site.open({ url: `${site.url}#/${word}` }));
    const followed = await site.open();
    await followed.page.goto(`${site.url}#/${word}`);
    assert.equal(opened, await shown(followed), word);
  }
});

test("a trace that is opened anywhere goes to its page, and begins with an answer", async () => {
  const { page, problems, close } = await site.open();
  const mine = cell(page, 0, "blocks");
  await mine.fill("7");
  await settled(page);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.locator("#open-file").setInputFiles(file("step.json.gz", gzipSync(trace())));
  await page.locator("#trace-answer").waitFor();
  assert.equal(new URL(page.url()).hash, "#/trace");
  assert.match(await page.title(), /Profiler trace/);
  assert.match(await answer(page), /^Of 5\.\d{3} ms, 4\.\d{3} ms is the host, 0\.\d{3} ms the GPU working/);
  assert.ok(requests.some((url) => /tracer-\w+_bg\.wasm/.test(url)), "its worker is loaded now");
  assert.match(await page.locator(".trace-facts").first().innerText(), /NVIDIA A100, 108 SMs/);
  await page.locator("#tool-trace button[aria-label=Close]").click();
  assert.equal(await mine.inputValue(), "7", "the reader's scenario is as it was");
  assert.deepEqual(problems, []);
  await close();
});

test("the first screen says where the time went, and the path leads to its pieces", async () => {
  // An operator of PyTorch from 1 ms to 4 ms: then the host was busy, and the GPU idle.
  const operator = { ph: "X", cat: "cpu_op", name: "aten::sort", pid: 0, tid: 9, ts: 2000, dur: 3000 };
  const text = JSON.stringify({ ...JSON.parse(trace()), traceEvents: [...JSON.parse(trace()).traceEvents, operator] });
  const { page, problems, close } = await open(file("step.json", text), { context: { viewport: { width: 1366, height: 657 } } });
  assert.equal(
    await answer(page),
    "Of 5.208 ms, 4.410 ms is the host (68 % of it in aten::sort), 0.790 ms the GPU working (50 % of it gemm), 0.008 ms the rest.",
  );
  await page.locator("#trace-gains > .tool-note").waitFor();
  assert.match(await page.locator("#trace-gains").innerText(), /Spend no host time in aten::sort, between its calls: saves 3(\.\d+)? ms \(57 %\)\./);
  const bottom = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().bottom);
  for (const selector of ["#trace-answer", "#trace-gains", ".trace-shares", ".trace-bars .tool-note", "#trace-timeline .tool-row"]) {
    assert.ok((await bottom(selector)) <= 657, `${selector} is on the first screen`);
  }
  assert.match(await page.locator(".trace-bars").first().innerText(), /For 790 µs of its work the GPU was ahead of the host|Host\s+84\.6 %/);
  // The proposal leads to the operator's place on the timeline.
  const hover = async (part) => {
    const place = await page.locator("#trace-place").boundingBox();
    const said = new Set();
    for (let y = 30; y < place.height; y += 8) {
      await page.mouse.move(place.x + 118 + (place.width - 128) * part, place.y + y);
      await settled(page);
      said.add(await page.locator("#trace-hover").innerText());
    }
    return [...said].join("\n");
  };
  await page.locator("#trace-gains").getByRole("button", { name: "Show where" }).first().click();
  await page.waitForFunction(() => Math.abs(document.querySelector("#trace-timeline").getBoundingClientRect().top) < 100);
  for (const part of [0.25, 0.75]) assert.match(await hover(part), /Host in aten::sort, between calls: 3 ms, from 1 ms on/);
  const rows = page.locator(".trace-path tbody tr");
  assert.match(await rows.first().innerText(), /Host in aten::sort, between calls\s+3 ms\s+57\.6 %\s+1/);
  await rows.nth(2).getByRole("button").click();
  // Its longest piece is shown: the timeline is in sight, and no longer shows everything.
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector("#trace-timeline").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.deepEqual(await audit(page), []);
  assert.deepEqual(problems, []);
  await close();
});

/** Six steps of two kernels, the second of this length in µs. */
function steps(length) {
  const events = [];
  const add = (cat, name, ts, dur, id) =>
    events.push({ ph: "X", cat, name, pid: 0, tid: 20, ts: 1000 + ts, dur, args: { device: 0, context: 1, stream: 20, correlation: id } });
  for (let step = 0; step < 6; step++) {
    const at = step * (400 + length);
    add("cuda_runtime", "cudaLaunchKernel", at, 4, 2 * step + 1);
    add("kernel", "gemm", at + 8, 200, 2 * step + 1);
    add("cuda_runtime", "cudaLaunchKernel", at + 10, 4, 2 * step + 2);
    add("kernel", "softmax", at + 210, length, 2 * step + 2);
  }
  return JSON.stringify({ traceEvents: events });
}

test("two traces that are opened together are compared, and swapped", async () => {
  const { page, problems, close } = await site.open();
  // In the order of their names, whatever the order in which they were picked.
  await page.locator("#open-file").setInputFiles([file("b-after.json", steps(330)), file("a-before.json.gz", gzipSync(steps(300)))]);
  await page.locator("#trace-verdict").waitFor();
  assert.equal(new URL(page.url()).hash, "#/trace");
  const verdict = () => page.locator("#trace-verdict").innerText();
  assert.match(await verdict(), /^A step is 30 µs slower \(4\.2 %\): 700 µs before, 730 µs after\./);
  assert.match(await verdict(), /Before: a-before\.json\.gz\. After: b-after\.json\. Steps compared: 6 before, 6 after\./);
  const rows = page.locator(".trace-changes tbody tr");
  assert.match(await rows.first().innerText(), /softmax\s+300 µs\s+330 µs\s+\+30 µs/);
  // Below stands the trace after.
  assert.equal(await page.locator(".trace-name").innerText(), "b-after.json");
  assert.match(await answer(page), /^Of 4\.\d{3} ms/);
  await page.locator("#trace-promised").waitFor();
  assert.match(await page.locator("#trace-promised").innerText(), /^Make softmax itself twice as fast: promised 2\d\.\d % of the run; it would still save 2\d\.\d %\.$/m);
  assert.deepEqual(await audit(page), []);
  await page.locator("#trace-swap").click();
  await becomes(async () => (await verdict()).split("\n")[0], "A step is 30 µs faster (4.1 %): 730 µs before, 700 µs after.");
  assert.equal(await page.locator(".trace-name").innerText(), "a-before.json.gz");
  // One of them that is no trace is told, and one alone is compared with nothing.
  await page.locator("#trace-file").setInputFiles([file("a.json", steps(300)), file("b.json.gz", gzipSync("[1]"))]);
  await page.locator("#trace-failed").waitFor();
  assert.match(await page.locator("#trace-failed").innerText(), /^b\.json\.gz was not opened: /);
  await page.locator("#trace-file").setInputFiles([file("a.json", steps(300)), file("b.json", trace())]);
  await page.locator("#trace-verdict").waitFor();
  assert.match(await verdict(), /^The run is \d+(\.\d+)? .s (faster|slower)/);
  await page.locator("#trace-file").setInputFiles(file("alone.json", steps(300)));
  await becomes(() => page.locator(".trace-name").innerText(), "alone.json");
  assert.equal(await page.locator("#trace-verdict").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

/** The file of a rank of a job of three: a kernel of this length in each of four steps, then a collective in which it waits for the others. */
function rank(number, lengths) {
  const events = [];
  const add = (cat, name, stream, ts, dur, id) =>
    events.push({ ph: "X", cat, name, pid: 0, tid: stream, ts: 1000.001 + ts, dur, args: { device: 0, context: 1, stream, correlation: id } });
  // Each rank has its own clock.
  let now = 5_000_000 * number;
  for (let step = 0; step < 4; step++) {
    const came = now + 8 + lengths[number];
    const end = now + 8 + Math.max(...lengths) + 60;
    add("cuda_runtime", "cudaLaunchKernel", 9, now, 4, 2 * step + 1);
    add("kernel", "gemm", 7, now + 8, lengths[number] - 2, 2 * step + 1);
    add("cuda_runtime", "cudaLaunchKernel", 9, now + 10, 4, 2 * step + 2);
    add("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, came, end - came, 2 * step + 2);
    now = end + 5;
  }
  return JSON.stringify({ distributedInfo: { backend: "nccl", rank: number, world_size: lengths.length }, traceEvents: events });
}

test("the ranks of a job stand in a table, and each opens as a whole", async () => {
  const { page, problems, close } = await site.open();
  const texts = [0, 1, 2].map((number) => rank(number, [700, 1000, 720]));
  // One of them is damaged; the rest stays.
  await drop(page, [...texts.map((text, number) => ({ name: `${"cab"[number]}.json`, text })), { name: "d.json", text: texts[0].slice(0, 200) }]);
  await page.locator("#trace-ranks").waitFor();
  assert.equal(new URL(page.url()).hash, "#/trace");
  const said = () => page.locator("#trace-ranks-said").innerText();
  assert.match(await said(), /^Rank 1 holds the others up \(consistent\): the others spend at least 1\.12 ms more in collectives than it\./);
  assert.match(await said(), /It spends the least time in 4 of 4 collectives/);
  const rows = () => page.locator("#trace-ranks tbody tr").allInnerTexts();
  const cells = (await rows()).map((row) => row.split(/\s*\t\s*/));
  assert.deepEqual(cells.slice(0, 3).map((row) => [row[0], row.at(-1)]), [["Rank 0", "c.json"], ["Rank 1", "a.json"], ["Rank 2", "b.json"]]);
  // Rank 1 waits for no other: 60 us in each step; it works all the time but for 8 us and 5 us of each.
  assert.deepEqual(cells[1].slice(1, 6), ["4.287 ms", "4.232 ms", "240 µs", "0 s", "240 µs"]);
  assert.match(cells[3].join(" "), /^d\.json d\.json: .*damaged/);
  assert.deepEqual(await audit(page), []);
  // A row opens its rank with all that a single file has, below the table.
  await page.getByRole("button", { name: "Rank 2" }).click();
  assert.match(await answer(page), /^Of 4\.28\d ms/);
  assert.equal(await page.locator(".trace-name").innerText(), "b.json");
  assert.equal(await page.locator("#trace-ranks tr[aria-current] th").innerText(), "Rank 2");
  assert.equal(await page.locator("#trace-verdict").count(), 0);
  await page.getByRole("button", { name: "Rank 0" }).click();
  await becomes(() => page.locator(".trace-name").innerText(), "c.json");
  await answer(page);
  assert.equal((await rows()).length, 4);
  assert.deepEqual(await audit(page), []);
  // Two ranks are a table too, and compared if that is asked for.
  await page.locator("#trace-file").setInputFiles([file("x.json", texts[0]), file("y.json", texts[1])]);
  await page.locator("#trace-compare").waitFor();
  assert.match(await said(), /Of 3 ranks of the job these are 2\./);
  await page.locator("#trace-compare").click();
  await page.locator("#trace-verdict").waitFor();
  assert.match(await page.locator("#trace-verdict").innerText(), /Before: x\.json\. After: y\.json\./);
  assert.equal(await page.locator("#trace-ranks").count(), 0);
  // More than can be shown are refused, with both numbers.
  await page.locator("#trace-file").setInputFiles(Array.from({ length: 65 }, (_, i) => file(`${i}.json`, texts[0])));
  await page.getByText("65 traces are too many to be put beside each other: at most 64 are read.").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("the first screen says what would help, and the changes are tried again with what the reader knows", async () => {
  // Forty launches 50 us apart, each of a kernel of 4 us on one of two streams.
  const traceEvents = Array.from({ length: 40 }, (_, i) => i).flatMap((i) => [
    { ph: "X", cat: "cuda_runtime", name: "cudaLaunchKernel", pid: 1, tid: 9, ts: 1000 + 50 * i, dur: 5, args: { correlation: i + 1 } },
    { ph: "X", cat: "kernel", name: "small", pid: 0, tid: 20, ts: 1008 + 50 * i, dur: 4,
      args: { device: 0, context: 1, stream: 20 + (i % 2), correlation: i + 1, grid: [1, 1, 1], block: [64, 1, 1] } },
  ]);
  const { page, problems, close } = await open(file("small.json", JSON.stringify({ traceEvents })), {
    context: { viewport: { width: 1366, height: 657 } },
  });
  const gains = page.locator("#trace-gains");
  const advice = /in a CUDA graph: saves 1\.\d+ ms \(9\d %\), if they repeat\./;
  await gains.locator("li").filter({ hasText: advice }).waitFor();
  assert.match(await gains.innerText(), /Estimated by replay \(unchanged replay: 1\.962 ms; recorded: 1\.962 ms\)\./);
  assert.ok((await gains.evaluate((element) => element.getBoundingClientRect().bottom)) <= 657, "it is on the first screen");
  await page.locator("#trace-connections input").fill("1");
  await page.locator("#trace-connections input").press("Enter");
  await gains.locator("li").filter({ hasText: advice }).waitFor();
  assert.deepEqual(await audit(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test("names are sorted by any column; an operation's parts add up, and its chain leads to others", async () => {
  const { page, problems, close } = await open(file("step.json", trace()));
  const rows = () => page.locator("#trace-names tbody th").allInnerTexts();
  await becomes(rows, ["add", "gemm", "Memcpy HtoD", "late"]);
  await page.locator("#trace-names").getByRole("button", { name: "Time in all" }).click();
  await becomes(rows, ["gemm", "late", "Memcpy HtoD", "add"]);
  await page.locator("#trace-names").getByRole("button", { name: "Time in all" }).click();
  await becomes(rows, ["add", "Memcpy HtoD", "late", "gemm"]);
  await page.locator("#trace-waits tbody tr").first().waitFor();
  assert.match(await page.locator("#trace-waits tbody tr").first().innerText(), /add \(stream 20\)\s+492 µs\s+1\s+492 µs\s+Stream order \(certain\)/);
  await page.locator("#trace-waits tbody button").first().click();
  const card = page.locator("#trace-card");
  await card.waitFor();
  assert.match(await card.innerText(), /It waited 492 µs from its call to its start\./);
  assert.match(await card.locator(".trace-parts").innerText(), /Stream order \(certain\): 490 µs behind gemm \(stream 20\)/);
  assert.match(await card.locator(".trace-chain").innerText(), /gemm \(stream 20\)/);
  await card.locator(".trace-chain button").first().click();
  await page.waitForFunction(() => document.querySelector("#trace-card-title")?.innerText === "gemm");
  assert.match(await card.innerText(), /Memcpy HtoD/);
  // The same by key, on the timeline.
  await page.locator("#trace-place").focus();
  await page.keyboard.press("]");
  await page.waitForFunction(() => document.querySelector("#trace-card-title")?.innerText === "add");
  await card.getByText("Ruled out", { exact: true }).click();
  assert.match(await card.innerText(), /Copy engine busy: It does not copy over the bus\./);
  assert.deepEqual(await audit(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test("the timeline says the use of the SMs above the streams; it is zoomed, moved, searched and clicked", async () => {
  const { page, problems, close } = await open(file("step.json", trace()));
  await page.locator("#trace-place").waitFor();
  await settled(page);
  await page.locator("#trace-place").scrollIntoViewIfNeeded();
  const box = await page.locator("#trace-place").boundingBox();
  // The first kernels fill the first tenth of the time: somewhere above their stream is the lane.
  let said = "";
  for (let y = 30; y < box.height && !/SMs in use/.test(said); y += 8) {
    await page.mouse.move(box.x + 118 + (box.width - 128) * 0.06, box.y + y);
    await settled(page);
    said = await page.locator("#trace-hover").innerText();
  }
  assert.match(said, /^SMs in use: about 100 % of their threads for 400 µs, from 11\d µs on\. An estimate from grids and blocks\.$/);
  await page.mouse.move(5, 5);
  const picture = async () => {
    await settled(page);
    return page.locator("#trace-canvas").evaluate((canvas) => canvas.toDataURL());
  };
  const whole = await picture();
  await page.locator("#trace-place").focus();
  for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
  const near = await picture();
  assert.notEqual(near, whole);
  await page.keyboard.press("0");
  assert.equal(await picture(), whole);
  for (const key of ["w", "w", "d"]) await page.keyboard.press(key);
  assert.equal(await picture(), near, "letters as in other viewers of traces");
  for (const key of ["a", "s", "s"]) await page.keyboard.press(key);
  assert.equal(await picture(), whole);
  const place = await page.locator("#trace-place").boundingBox();
  await page.mouse.move(place.x + 140, place.y + 60);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  assert.notEqual(await picture(), whole);
  await page.locator("#trace-all").click();
  assert.equal(await picture(), whole);
  await page.locator("#trace-search").fill("GEMM");
  await page.locator("#trace-search").press("Enter");
  await page.locator("#trace-found button").waitFor();
  assert.match(await page.locator("#trace-found").innerText(), /1 operation\.\s+gemm \(stream 20\)/);
  assert.notEqual(await picture(), whole, "what was found is marked");
  await page.locator("#trace-found button").click();
  await page.waitForFunction(() => document.querySelector("#trace-card-title")?.innerText === "gemm");
  // It is in the middle of its lane now: a click there selects it again.
  await page.locator("#trace-card button[aria-label=Close]").click();
  const now = await page.locator("#trace-place").boundingBox();
  const lanes = await page.locator("#trace-place").evaluate((place) => place.clientHeight);
  for (let y = 40; y < lanes && (await page.locator("#trace-card").count()) === 0; y += 11) {
    await page.mouse.click(now.x + 118 + (now.width - 128) * 0.6, now.y + y);
    await settled(page);
  }
  assert.equal(await page.locator("#trace-card-title").innerText(), "gemm");
  assert.deepEqual(problems, []);
  await close();
});

test("what was clicked and its explanation are in sight together on a laptop", async () => {
  const { page, problems, close } = await open(file("step.json", trace()), { context: { viewport: { width: 1366, height: 657 } } });
  await page.locator("#trace-place").waitFor();
  await settled(page);
  // The timeline stands at the lower edge of the window, where the explanation will be.
  await page.locator("#trace-place").evaluate((place) => scrollBy(0, place.getBoundingClientRect().bottom - innerHeight));
  const box = await page.locator("#trace-place").boundingBox();
  let lane = 0;
  for (lane = 40; lane < box.height && (await page.locator("#trace-card").count()) === 0; lane += 11) {
    await page.mouse.click(box.x + 118 + (box.width - 128) * 0.06, box.y + lane);
    await settled(page);
  }
  const seen = await page.evaluate(() => {
    const of = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
    return { height: innerHeight, place: of("#trace-place"), card: of("#trace-card"), waited: of(".trace-waited"), part: of(".trace-parts li") };
  });
  const { place, card, waited, part, height } = seen;
  assert.ok(place.top >= 0 && place.top + lane <= card.top && waited.bottom <= height && part.bottom <= height, JSON.stringify(seen));
  assert.deepEqual(problems, []);
  await close();
});

/** A text with a time, in ns; "2.00 ms" is 2,000,000. */
function ns(text) {
  const [, number, unit] = /([\d.,]+)\s*(ns|µs|ms|s)\b/.exec(text);
  return Math.round(Number(number.replaceAll(",", "")) * { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit]);
}

test("a range of the timeline is summed up: by mouse, by key and of an operation", async () => {
  const { page, problems, close } = await open(file("step.json", trace()), { context: { viewport: { width: 1366, height: 657 } } });
  await page.locator("#trace-place").waitFor();
  await settled(page);
  const card = page.locator("#trace-range");
  const cells = async (table) => (await card.locator("table").nth(table).locator("tbody tr").allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
  const rows = async (table) => Object.fromEntries((await cells(table)).map((row) => row.slice(0, 2)));
  const length = () => page.locator("#trace-range-length").innerText();
  const addsUp = async () => {
    const sum = Object.values(await rows(0)).reduce((sum, time) => sum + ns(time), 0);
    assert.equal(sum, ns(await length()), "the shares add up to the length");
  };
  // Along the ruler, from the beginning to the end: what there is of the whole.
  await page.locator("#trace-place").scrollIntoViewIfNeeded();
  const drag = async (from, to, y) => {
    const box = await page.locator("#trace-place").boundingBox();
    const at = (part) => box.x + 118 + (box.width - 130) * part;
    await page.mouse.move(at(from), box.y + y);
    await page.mouse.down();
    await page.mouse.move(at((from + to) / 2), box.y + y);
    await page.mouse.move(at(to), box.y + y);
    await page.mouse.up();
    await card.waitFor();
    await settled(page);
  };
  await drag(0, 1, 10);
  assert.equal(await length(), "5.208 ms");
  assert.deepEqual(await rows(0), { Host: "4.4100 ms", "GPU working": "0.7900 ms", Launching: "0.0080 ms" });
  await addsUp();
  assert.deepEqual(await cells(2), [["Kernels", "690 µs", "3"], ["Copies over the bus", "100 µs", "1"]]);
  assert.match(await card.innerText(), /They wait at the same time, so this adds up to more than the range\./);
  // Timeline and sums are in sight together.
  const seen = await page.evaluate(() => {
    const of = (selector) => document.querySelector(selector).getBoundingClientRect();
    return [of("#trace-map").top, of("#trace-place").bottom, of("#trace-range").top, of("#trace-range tbody tr").bottom, innerHeight];
  });
  assert.ok(seen[0] >= 0 && seen[1] <= seen[2] && seen[3] <= seen[4], `${seen}`);
  assert.deepEqual(await audit(page), []);
  // With Shift over the lanes; a plain drag moves what is in sight, and the range stays.
  await page.keyboard.down("Shift");
  await drag(0.5, 0.75, 60);
  await page.keyboard.up("Shift");
  const half = await length();
  assert.ok(ns(half) > 1_200_000 && ns(half) < 1_500_000, half);
  assert.deepEqual(Object.keys(await rows(0)), ["Host"]);
  await addsUp();
  await card.getByRole("button", { name: "Zoom to it" }).click();
  await drag(0.5, 0.6, 60);
  assert.equal(await length(), half);
  // By key: one end moves, and Escape ends it.
  await page.locator("#trace-place").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  assert.ok(ns(await length()) > ns(half));
  await page.keyboard.press("Shift+Home");
  await becomes(async () => (await card.innerText()).includes("from 0 s to "), true);
  await addsUp();
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  // Of an operation, all the time from its call; its explanation and the sums are one card.
  await page.locator("#trace-waits button").first().click();
  await page.waitForFunction(() => document.querySelector("#trace-card-title")?.innerText === "add");
  await page.locator("#trace-sum-operation").click();
  await card.waitFor();
  assert.equal(await page.locator("#trace-card").count(), 0);
  assert.equal(await length(), "582 µs");
  await addsUp();
  assert.deepEqual(await audit(page), []);
  await page.locator("#trace-place").focus();
  await page.keyboard.press("]");
  await page.locator("#trace-card").waitFor();
  assert.equal(await card.count(), 0);
  // The button has the next drag take a range, as a finger has no Shift.
  await page.locator("#trace-take").click();
  assert.equal(await page.locator("#trace-take").getAttribute("aria-pressed"), "true");
  await drag(0.2, 0.4, 60);
  assert.equal(await page.locator("#trace-take").getAttribute("aria-pressed"), "false");
  await addsUp();
  assert.deepEqual(problems, []);
  await close();
});

test("the whole recording stands above the timeline, and moves it", async () => {
  const { page, problems, close } = await open(file("step.json", trace()));
  const part = page.locator("#trace-part");
  await part.waitFor();
  await settled(page);
  await page.locator("#trace-map").scrollIntoViewIfNeeded();
  const said = () => part.getAttribute("aria-valuetext");
  assert.equal(await said(), "all of it");
  const map = await page.locator("#trace-map").boundingBox();
  const at = (share) => map.x + 118 + (map.width - 130) * share;
  const drag = async (from, to) => {
    await page.mouse.move(from, map.y + 14);
    await page.mouse.down();
    await page.mouse.move((from + to) / 2, map.y + 14);
    await page.mouse.move(to, map.y + 14);
    await page.mouse.up();
    await settled(page);
  };
  const edges = async () => {
    const { x, width } = await part.boundingBox();
    return [x, x + width];
  };
  const near = (value, expected) => assert.ok(Math.abs(value - expected) < 3, `${value} is not ${expected}`);
  // While all is in sight, a drag takes a part of it.
  await drag(at(0.5), at(0.75));
  let [left, right] = await edges();
  near(left, at(0.5));
  near(right, at(0.75));
  assert.match(await said(), /^2\.\d+ ms to 3\.\d+ ms of 5\.208 ms$/);
  // Its middle moves it, its ends zoom, and a click beside it leads there.
  await drag((left + right) / 2, (left + right) / 2 - 100);
  near((await edges())[0], left - 100);
  [left, right] = await edges();
  await drag(right - 2, right + 60);
  near((await edges())[0], left);
  near((await edges())[1], right + 62);
  await page.mouse.click(at(0.1), map.y + 14);
  await settled(page);
  assert.match(await said(), /^first 1\.\d+ ms of 5\.208 ms$/);
  // By key, as it has the focus now.
  assert.equal(await page.evaluate(() => document.activeElement.id), "trace-part");
  const before = await said();
  await page.keyboard.press("End");
  await becomes(async () => /to 5\.208 ms of/.test(await said()), true);
  await page.keyboard.press("Home");
  await settled(page);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.notEqual(await said(), before);
  assert.deepEqual(await audit(page), []);
  await page.keyboard.press("0");
  await becomes(said, "all of it");
  assert.deepEqual(problems, []);
  await close();
});

test("what the file leaves open is asked, and the waits are explained again with it", async () => {
  const { page, problems, close } = await open(file("step.json", trace()));
  const field = page.locator("#trace-connections input");
  await page.locator("#trace-waits button").first().click();
  await page.waitForFunction(() => document.querySelector("#trace-card-title")?.innerText === "add");
  for (const [typed, said] of [
    ["40", /CUDA_DEVICE_MAX_CONNECTIONS: 40 is not a whole number from 1 to 32/],
    ["many", /many is not a whole number/],
  ]) {
    await field.fill(typed);
    await field.press("Tab");
    await settled(page);
    assert.match(await page.locator("#trace-connections-error").innerText(), said);
    assert.equal(await field.inputValue(), typed, "what was typed stays");
  }
  await field.fill("1");
  await field.press("Tab");
  await page.waitForFunction(() => document.querySelector("#trace-connections-error")?.innerText === "");
  assert.equal(await field.inputValue(), "1");
  assert.match(await answer(page), /^Of 5\.\d{3} ms, 4\.\d{3} ms is the host/);
  assert.equal(await page.locator("#trace-card-title").innerText(), "add", "what was selected stays");
  // A file that names the hardware queues itself is not asked about.
  const told = trace().replaceAll('"stream":20', '"channel":3,"stream":20');
  await page.locator("#trace-file").setInputFiles(file("told.json", told));
  await page.waitForFunction(() => document.querySelector(".trace-name")?.innerText === "told.json");
  await page.locator("#trace-answer").waitFor();
  assert.equal(await page.locator("#trace-connections").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("what is in sight becomes a scenario beside the reader's own", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#scenario-name").fill("Mine");
  await page.locator("#scenario-name").press("Tab");
  await idle(page);
  await page.locator("#open-file").setInputFiles(file("step.json", trace()));
  await page.locator("#trace-make").click();
  await page.locator("#trace-made").waitFor();
  assert.match(await page.locator("#trace-made").innerText(), /This differs from the trace:\s+Copies and memsets: 1\.[^]+The trace does not say which streams are non-blocking/);
  await page.locator("#trace-open-scenario").click();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  assert.equal(await page.locator("#scenario-name").inputValue(), "From step.json");
  const names = await page.locator('#kernels [data-field="name"] input').evaluateAll((all) => all.map((input) => input.value));
  assert.deepEqual(names, ["Memcpy HtoD", "gemm", "add", "late"]);
  assert.equal(await cell(page, 0, "bytes").inputValue(), "1,000,000 B", "as recorded: the copy took 100 us at the rate of this one");
  assert.equal(await cell(page, 1, "blocks").inputValue(), "216");
  await page.locator("#from-link button.link").click();
  await page.waitForFunction(() => document.querySelector("#scenario-name")?.value === "Mine");
  assert.deepEqual(problems, []);
  await close();
});

test("of what is in sight, a stream or what is found becomes a scenario", async () => {
  const { page, problems, close } = await open(file("step.json", trace()));
  const chosen = page.locator("#trace-chosen");
  const choices = () => chosen.locator("option").evaluateAll((all) => all.map((option) => option.disabled));
  await chosen.waitFor();
  assert.deepEqual(await choices(), [false, true, true], "nothing is selected or searched for");
  await page.locator("#trace-search").fill("late");
  await page.locator("#trace-search").press("Enter");
  await page.locator("#trace-found").waitFor();
  assert.deepEqual(await choices(), [false, true, false]);
  await chosen.selectOption("found");
  await page.locator("#trace-make").click();
  await page.locator("#trace-open-scenario").click();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  const names = await page.locator('#kernels [data-field="name"] input').evaluateAll((all) => all.map((input) => input.value));
  assert.deepEqual(names, ["late"]);
  assert.deepEqual(problems, []);
  await close();
});

test("damaged and foreign files are told apart, and the next file opens", async () => {
  const { page, problems, close } = await site.open();
  const says = async (pattern) => {
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#trace-failed")?.innerText ?? ""), pattern.source);
  };
  // A report of Nsight Systems gets the command that exports it.
  await page.locator("#open-file").setInputFiles(file("my run.nsys-rep", "anything"));
  await says(/nsys export --type sqlite 'my run\.nsys-rep'$/);
  await page.locator("#trace-file").setInputFiles(file("half.json", trace().slice(0, 450)));
  await says(/half\.json was not opened: expected a trace of the PyTorch profiler; the file is damaged \(events read: \d+\)/);
  for (const [name, content, pattern] of [
    ["picture.png", "\x89PNG\r\n", /picture\.png was not opened: expected a trace .* found a file that begins with/],
    ["empty.json", "", /the file is empty; expected a trace/],
    ["scenario.json", '{"format": "blockstep-scenario", "version": 1, "kernels": []}', /there is no "traceEvents"/],
    ["other.json", '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a"}]}', /no kernel, copy or memset of a GPU among its 1 events/],
    ["broken.json.gz", gzipSync(trace()).subarray(0, 200), /broken\.json\.gz was not opened: .*damaged/],
  ]) {
    await page.locator("#trace-file").setInputFiles(file(name, content));
    await says(pattern);
  }
  assert.deepEqual(await audit(page), []);
  await page.locator("#trace-file").setInputFiles(file("step.json", trace()));
  await page.locator("#trace-answer").waitFor();
  // What is whole of a file that was cut off is read, and the page says so.
  await page.locator("#trace-file").setInputFiles(file("cut.json", trace().slice(0, -40)));
  await becomes(() => page.locator(".trace-name").innerText(), "cut.json");
  await page.locator(".trace-notes summary").first().click();
  assert.match(await page.locator(".trace-notes").innerText(), /The file was cut off\. Events before the cut, which are read: 7\./);
  assert.deepEqual(problems, []);
  await close();
});

test("an export of Nsight Systems opens, and other databases are told apart", async () => {
  const requests = [];
  const { page, problems, close } = await site.open({ before: (page) => page.on("request", (request) => requests.push(request.url())) });
  await go(page);
  await page.getByText("Open a trace of the PyTorch profiler").waitFor();
  assert.ok(!requests.some((url) => /tracer/.test(url)), "nothing of the tracer is loaded before a trace is opened");
  assert.deepEqual(await audit(page), []);
  await page.locator("#trace-file").setInputFiles(file("step.json", trace()));
  await page.locator("#trace-answer").waitFor();
  assert.ok(!requests.some((url) => /sqlite/.test(url)), "SQLite is loaded with the first database");
  await page.locator("#trace-file").setInputFiles(file("report.sqlite", await database(EXPORT)));
  await page.getByText("Nsight Systems", { exact: true }).waitFor();
  assert.equal(await answer(page), "Of 600.0 µs, 590.0 µs is the GPU working (83 % of it gemm), 10.0 µs launching.");
  assert.match(await page.locator("#trace-waits tbody tr").first().innerText(), /add \(stream 20\)\s+492 µs\s+1\s+492 µs\s+Stream order \(certain\)/);
  const says = (pattern) =>
    page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#trace-failed")?.innerText ?? ""), pattern.source);
  await page.locator("#trace-file").setInputFiles(file("songs.db", await database("CREATE TABLE songs (id INTEGER)")));
  await says(/songs\.db was not opened: no kernel, copy or memset of a GPU in this database \(tables: songs\)/);
  const whole = await database(`${EXPORT} CREATE TABLE more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n`);
  await page.locator("#trace-file").setInputFiles(file("half.sqlite", whole.subarray(0, 6000)));
  await says(/half\.sqlite was not opened: .*the database is damaged: /);
  await page.locator("#trace-file").setInputFiles(file("none.sqlite", "SQLite format 3\0rest"));
  await says(/none\.sqlite was not opened: .*damaged/);
  assert.deepEqual(problems, []);
  await close();
});

test("reading is shown and can be given up", async () => {
  const events = Array.from({ length: 700_000 }, (_, i) => `{"ph":"X","cat":"cpu_op","name":"op${i % 7}","pid":1,"tid":1,"ts":${i},"dur":1}`);
  // From the disk: a buffer of 47 MB would go to the browser as text first.
  const folder = mkdtempSync(path.join(tmpdir(), "blockstep-"));
  const large = path.join(folder, "large.json");
  writeFileSync(large, `{"traceEvents":[${events.join(",")}]}`);
  const { page, problems, close } = await open(large, { before: (page) => page.addInitScript(holdEnds), held: true });
  await page.locator("#trace-progress").waitFor();
  await page.waitForFunction(() => /Reading large\.json: [1-9][\d.]* MB of \d+\.\d MB/.test(document.querySelector("#trace-progress")?.innerText ?? ""));
  await page.locator("#trace-progress button").click();
  await page.locator("#trace-progress").waitFor({ state: "detached" });
  await page.evaluate(() => (window.__held = false));
  await page.locator("#trace-file").setInputFiles(file("step.json", trace()));
  await page.locator("#trace-answer").waitFor();
  assert.deepEqual(problems, []);
  await close();
  rmSync(folder, { recursive: true });
});

for (const [width, colorScheme] of [[390, "light"], [390, "dark"], [1366, "dark"], [1440, "light"]]) {
  test(`axe-core finds nothing wrong, and nothing is too wide: ${width} px, ${colorScheme}`, async () => {
    const { page, problems, close } = await open(file("step.json", trace()), { context: { colorScheme, viewport: { width, height: 657 } } });
    await page.locator("#trace-waits tbody button").first().click();
    await page.locator("#trace-card").waitFor();
    assert.deepEqual(await audit(page), []);
    const room = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(room <= 0, `the page is ${room} px too wide`);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("an engineer finds in a public trace what pays, what to type, and where it is", async (t) => {
  const trace = path.join(shared, "kineto/h100-owlv2.json.gz");
  if (!existsSync(trace)) return t.skip("the public traces are not there");
  const { page, problems, close } = await open(trace, { context: { viewport: { width: 1366, height: 657 } } });
  const first = page.locator("#trace-gains li").first();
  await first.getByRole("button", { name: "Show where" }).waitFor();
  assert.match(await first.innerText(), /^Have worker processes run the range .*DataLoader.*: saves 6\d\d(\.\d+)? ms \(50 %\), if they can keep up\./s);
  // Which line to change, and what to type.
  assert.match(await first.innerText(), /all in Python's pipelines\/pt_utils\.py\(249\): __next__\. In PyTorch: num_workers of the DataLoader\./);
  assert.ok((await first.evaluate((line) => line.getBoundingClientRect().bottom)) <= 657, "it is on the first screen");
  await first.getByRole("button", { name: "Show where" }).click();
  await page.waitForFunction(() => Math.abs(document.querySelector("#trace-timeline").getBoundingClientRect().top) < 100);
  await settled(page);
  const place = await page.locator("#trace-place").boundingBox();
  let said = "";
  for (let y = 30; y < place.height && !/DataLoader/.test(said); y += 8) {
    await page.mouse.move(place.x + 118 + (place.width - 128) * 0.5, place.y + y);
    await settled(page);
    said = await page.locator("#trace-hover").innerText();
  }
  assert.match(said, /^Host in the range enumerate\(DataLoader\)#_SingleProcessDataLoaderIter\.__next__, between calls: 1\d\d(\.\d+)? ms, from /);
  assert.deepEqual(problems, []);
  await close();
});

/** Native tests read all of them; the page has its own ways to a file of each format. */
test("the largest public trace of each format opens", async (t) => {
  if (!existsSync(shared)) return t.skip("the public traces are not there");
  const bySize = readdirSync(shared, { recursive: true }).sort((one, other) => statSync(path.join(shared, other)).size - statSync(path.join(shared, one)).size);
  const largest = [".gz", ".sqlite"].map((ending) => bySize.find((name) => name.endsWith(ending)));
  assert.ok(largest.every(Boolean), `${largest}`);
  for (const name of largest) {
    const { page, problems, close } = await open(path.join(shared, name));
    await page.locator("#trace-answer, #trace-failed").first().waitFor();
    assert.match(await answer(page), /^Of [\d.]+ (s|ms)( of GPU \d+)?, [\d.]+ (s|ms) is (the GPU working|the host|not known)/, name);
    // The first operation, as some have no wait that is worth a line.
    await page.locator("#trace-place").focus();
    await page.keyboard.press("]");
    await page.locator("#trace-card .trace-chain li").first().waitFor();
    assert.deepEqual(problems, [], name);
    await close();
  }
});

/** As long as it is set, workers hear nothing, as one that is busy forever. */
function deaf() {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, transfer) {
    if (window.__deaf > 0) window.__deaf -= 1;
    else postMessage.call(this, message, transfer);
  };
}

test("a question about the trace that takes long says so at its place; to cancel it opens the file anew", async () => {
  const { page, close } = await open(file("trace.json", trace()), { before: (page) => page.addInitScript(deaf) });
  await page.locator("#trace-answer").waitFor();
  await settled(page);
  for (const [ask, place] of [
    [async () => {
      await page.locator("#trace-search").fill("add");
      await page.locator("#trace-search").press("Enter");
    }, "#trace-timeline"],
    [() => page.locator("#trace-make").click(), "section:has(#trace-make)"],
  ]) {
    await page.evaluate(() => (window.__deaf = 100));
    await ask();
    const busy = page.locator(`${place} .busy`);
    await busy.waitFor();
    await page.evaluate(() => (window.__deaf = 0));
    await busy.getByRole("button", { name: "Cancel" }).click();
    await page.locator("#trace-answer").waitFor();
    assert.equal(await page.locator(".busy").count(), 0);
  }
  // The file that was opened anew answers.
  await page.locator("#trace-search").fill("add");
  await page.locator("#trace-search").press("Enter");
  await page.locator("#trace-found").waitFor();
  await idle(page);
  assert.equal(await page.locator(".busy").count(), 0, "what is answered in time is not shown");
  await close();
});
