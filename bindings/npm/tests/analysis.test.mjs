// The second entry: what it answers is what the command line answers, and what is wrong has field, value and limit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as first from "blockstep";
import { BlockstepError, BlockstepFault, Sweep, analyse, checkResident, policyCheck, sweep, trace } from "blockstep/analysis";
import { example } from "blockstep/examples";

const program = process.env.BLOCKSTEP_PROGRAM;
const withProgram = { skip: !program && "BLOCKSTEP_PROGRAM names none" };
const folder = mkdtempSync(path.join(tmpdir(), "blockstep-npm-"));
after(() => rmSync(folder, { recursive: true }));

/** What the command line prints; a fault that it finds is no failure of its own. */
function print(...args) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
  } catch (error) {
    if (error.status !== 1) throw error;
    return error.stdout;
  }
}

/** A file with this text. */
function put(text) {
  const file = path.join(folder, "file.json");
  writeFileSync(file, text);
  return file;
}

const kineto = new URL("../../../tests/data/traces/43-behind-head-or-connection.json", import.meta.url);
const fields = { "kernels[K3].blocks": "1..=8", "policy.kind": ["fifo", "priority"] };
const measure = ["end", "response:K5", "utilization"];

test("the tests of schedulability", () => {
  const found = analyse(example("lp-block"));
  assert.deepEqual([found.verdict, found.utilization, found.missed], ["schedulable", 0.95, 0]);
  assert.equal(found.sentence, "Under EDF with preemption mode block: schedulable, by the demand test for limited-preemptive EDF.");
  assert.ok(found.judged > 0 && found.tasks.length > 1 && found.edf.length > 3);
  assert.ok(found.tasks.every(({ cost_ns, period_ns }) => cost_ns > 0 && period_ns > cost_ns));
  assert.ok(found.edf.some(({ mode, switch_of, schedulable }) => mode === "limited-preemptive" && switch_of === "scenario" && schedulable === true));
  // A policy of the options is the one that is judged, and bounds are those of runlist and of it.
  const fifo = analyse(example("tx2-table-1"), { policy: "fifo" });
  assert.deepEqual(new Set(fifo.bounds.map(({ policy }) => policy)), new Set(["runlist", "fifo"]));
  assert.ok(fifo.bounds.every(({ bound_ns, why_none }) => (bound_ns === null) === (why_none !== null)));
  assert.deepEqual(analyse(JSON.parse(example("lp-block"))), found);
});

test("its verdict is the first line of the command line's", withProgram, () => {
  for (const id of ["lp-block", "tx2-table-1", "edf-fig-1"]) {
    assert.equal(print("analyse", put(example(id))).split("\n")[0].trimEnd(), analyse(example(id)).sentence, id);
  }
});

test("a sweep has the rows of its table", () => {
  const found = sweep(example("tx2-table-1"), fields, { measure });
  assert.deepEqual([found.count, found.stopped, found.rows.length], [16, null, 16]);
  assert.deepEqual(Object.keys(found.rows[0]), ["run", "kernels[K3].blocks", "policy.kind", ...measure, "problem"]);
  const [, , head, ...lines] = found.csv().trimEnd().split("\n");
  assert.deepEqual(head.split(","), Object.keys(found.rows[0]));
  const read = (cell) => (cell === "" ? null : Number.isNaN(Number(cell)) ? cell : Number(cell));
  assert.deepEqual(lines.map((line) => line.split(",").map(read)), found.rows.map(Object.values));
  assert.equal(typeof found.rows[0].end, "number");
  assert.equal(found.rows[0]["policy.kind"], "fifo");
  assert.match(found.svg(), /^<svg [^]*<\/svg>\s*$/);
  assert.notEqual(found.svg("response:K5"), found.svg());
  const { end_ns } = first.simulate(found.scenario(11));
  assert.equal(end_ns, found.rows[11].end);
  assert.throws(() => new Sweep(), TypeError);
  // A single value, and a run that cannot be made.
  const wide = sweep(example("tx2-table-1"), { "kernels[K3].threads_per_block": [64, 4096] });
  assert.equal(wide.rows[0].problem, null);
  assert.match(wide.rows[1].problem, /at most 1,024 threads/);
  assert.equal(wide.rows[1].end, null);
  assert.equal(sweep(example("tx2-table-1"), { "policy.kind": "fifo" }).rows.length, 1);
});

test("parts of a sweep are the whole", () => {
  const parts = [1, 2, 3].flatMap((i) => sweep(example("tx2-table-1"), fields, { part: [i, 3] }).rows);
  assert.deepEqual(parts, sweep(example("tx2-table-1"), fields).rows);
});

test("its table and its picture are those of the command line", withProgram, () => {
  const file = put(example("tx2-table-1"));
  const vary = ["--vary", "kernels[K3].blocks=1..=8", "--vary", "policy.kind=fifo,priority"];
  const found = sweep(example("tx2-table-1"), fields, { measure });
  assert.equal(found.csv(), print("sweep", file, ...vary, ...measure.flatMap((word) => ["--measure", word])));
  assert.equal(found.scenario(3), print("sweep", file, ...vary, "--run", "3"));
  const picture = sweep(example("tx2-table-1"), fields, { measure: "end" }).svg("end");
  assert.equal(picture, print("sweep", file, ...vary, "--chart", "end"));
});

test("a policy is searched for faults", () => {
  const report = policyCheck("gcaps", { tasks: 3 });
  assert.deepEqual([report.policy, report.has_fault, report.is_closed, report.stopped], ["gcaps", true, true, null]);
  const missed = policyCheck("hpf", { properties: ["missed"] }).properties.find(({ property }) => property === "missed");
  assert.equal(missed.fault.at_ns, 6_000_000);
  assert.equal(missed.fault.tasks, "A 2 of 4 ms, B 3 of 6 ms");
  // What is found can be run.
  assert.ok(first.simulate(missed.fault.scenario).results.some(({ missed }) => missed > 0));
});

test("its report is the JSON of the command line", withProgram, () => {
  const { has_fault, ...report } = policyCheck("gcaps", { tasks: 3 });
  assert.deepEqual(report, JSON.parse(print("policy", "check", "gcaps", "--tasks", "3", "--format", "json")));
  assert.ok(has_fault);
  const properties = ["missed", "idle"];
  const { has_fault: _, ...timed } = policyCheck("hpf", { properties });
  assert.deepEqual(timed, JSON.parse(print("policy", "check", "hpf", ...properties.flatMap((word) => ["--property", word]), "--format", "json")));
});

test("orders of arrival are searched for one that hangs", () => {
  const { verdict, orders, hang, smallest, repairs, residents } = checkResident(example("spin-workers"));
  assert.deepEqual([verdict, orders], ["hangs", 2]);
  assert.deepEqual(hang.arrivals.map(({ text }) => text), ["S is launched", "W is launched"]);
  // What is found can be run.
  for (const { scenario } of [hang, smallest]) assert.match(first.simulate(scenario).notes.join(), /some work hangs forever/);
  assert.equal(checkResident(repairs[1].scenario).verdict, "clean");
  assert.equal(residents[1].beside[0].resident, 68);
  assert.match(caught(() => checkResident(example("tx2-table-1"))).message, /^no kernel has barrier/);
});

test("its report is the JSON of the command line, but for notes", withProgram, () => {
  const file = put(example("spin-workers"));
  const { notes, ...report } = checkResident(example("spin-workers"));
  assert.deepEqual(report, JSON.parse(print("check", file, "--resident", "--format", "json")));
  assert.ok(Array.isArray(notes));
});

test("a trace is explained, as text, as bytes and by gzip", () => {
  const bytes = readFileSync(kineto);
  const found = trace(bytes);
  assert.deepEqual(found.answer, ["Of 816.0 µs, 811.0 µs is the GPU working (all of it tiny), 5.0 µs the rest."]);
  assert.deepEqual(found.gains.filter(({ is_proposed }) => is_proposed).map(({ change, gain_ns }) => [change, gain_ns]), [["faster", 400_000], ["connections", 367_000], ["faster", 15_000]]);
  assert.equal(found.why_no_gains, null);
  assert.ok(found.operations > 0 && found.causes.length > 0);
  assert.equal(found.path.reduce((sum, { from_ns, to_ns }) => sum + to_ns - from_ns, 0), 816_000);
  assert.deepEqual(trace(bytes.toString()), found);
  assert.deepEqual(trace(gzipSync(bytes)), found);
  assert.deepEqual(trace(new Uint8Array(bytes).buffer), found);
  // Who knows more says so; where gains are not to be known there are none.
  assert.notDeepEqual(trace(bytes, { connections: 32 }).causes, found.causes);
  for (const name of ["37-what-if-of-an-event", "42-behind-a-full-gpu", "09-graph-nodes"]) {
    const { gains, why_no_gains } = trace(readFileSync(new URL(`../../../tests/data/traces/${name}.json`, import.meta.url)));
    assert.equal(gains === null, why_no_gains !== null, name);
  }
});

test("its report is the JSON of the command line, and its rows those of the tables", withProgram, () => {
  const [file, found] = [fileURLToPath(kineto), trace(readFileSync(kineto))];
  assert.deepEqual(found.report, JSON.parse(print("trace", file, "--format", "json")));
  assert.deepEqual(trace(readFileSync(kineto), { top: 1 }).report, JSON.parse(print("trace", file, "--format", "json", "--top", "1")));
  for (const [format, rows] of [["csv", found.causes], ["path", found.path]]) {
    const [head, ...lines] = print("trace", file, "--format", format).trimEnd().split("\n").map((line) => line.split(","));
    const names = head.filter((name) => name in rows[0]);
    assert.ok(names.length > 4, head.join());
    assert.deepEqual(rows.map((row) => names.map((name) => String(row[name] ?? ""))), lines.map((cells) => names.map((name) => cells[head.indexOf(name)])), format);
  }
});

test("time that is over ends a call: with what is done, or with an error", () => {
  const long = { "kernels[K3].blocks": "1..=64" };
  const found = sweep(example("tx2-table-1"), long, { maxTime: 1 });
  assert.ok(found.rows.length < found.count);
  assert.equal(found.stopped, `the limit of 1 ns is reached: ${found.rows.length} of 64 runs were made`);
  const report = policyCheck("gcaps", { tasks: 5, maxTime: "1ns" });
  assert.deepEqual([report.is_closed, report.stopped], [false, "the search is not over: it was interrupted"]);
  const resident = () => checkResident(example("spin-workers"), { maxTime: 1 });
  for (const call of [() => analyse(example("lp-block"), { maxTime: 1 }), resident, () => trace(readFileSync(kineto), { maxTime: 1 })]) {
    const error = caught(call);
    assert.deepEqual([error.field, error.value, error.limit, error.message], ["maxTime", 1, 1, "maxTime: the limit of 1 ns is reached"]);
  }
});

/** The error of a call, with what it says of the field. */
function caught(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof BlockstepError && error instanceof first.BlockstepError, String(error));
    assert.equal(error.problems[0].field, error.field);
    return error;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

test("every argument is named with its value", () => {
  const text = example("tx2-table-1");
  const vary = { "policy.kind": "fifo" };
  const none = { "kernels[K9].blocks": [1] };
  const range = { "kernels[K3].blocks": ["1..4"] };
  const fault = { "kernels[K3].blocks": [{}] };
  const cases = [
    ["policy", "lifo", null, () => analyse(text, { policy: "lifo" })],
    ["maxSteps", 0, 1, () => analyse(text, { maxSteps: 0 })],
    ["maxSteps", "1", null, () => analyse(text, { maxSteps: "1" })],
    ["maxTime", 0, 1, () => analyse(text, { maxTime: 0 })],
    ["maxTime", "soon", null, () => analyse(text, { maxTime: "soon" })],
    ["variants", [], null, () => analyse(text, { variants: [] })],
    ["vary", 3, null, () => sweep(text, 3)],
    ["vary", [], null, () => sweep(text, [])],
    ["vary", none, null, () => sweep(text, none)],
    ["vary", range, null, () => sweep(text, range)],
    ["vary", fault, null, () => sweep(text, fault)],
    ["measure", "size", null, () => sweep(text, vary, { measure: "size" })],
    ["measure", [1], null, () => sweep(text, vary, { measure: [1] })],
    ["measure", "response:K9", null, () => sweep(text, vary, { measure: "response:K9" })],
    ["part", [3, 2], null, () => sweep(text, vary, { part: [3, 2] })],
    ["part", null, null, () => sweep(text, vary, { part: null })],
    ["maxSteps", 1e9, 100_000_000, () => sweep(text, vary, { maxSteps: 1e9 })],
    ["run", 1, 0, () => sweep(text, vary).scenario(1)],
    ["run", "1", null, () => sweep(text, vary).scenario("1")],
    ["measure", "steps", null, () => sweep(text, vary).svg("steps")],
    ["policy", "lifo", null, () => policyCheck("lifo")],
    ["policy", undefined, null, () => policyCheck()],
    ["policy", 5, null, () => policyCheck(5)],
    ["tasks", 9, 8, () => policyCheck("fifo-all", { tasks: 9 })],
    ["properties", "fast", null, () => policyCheck("gcaps", { properties: "fast" })],
    ["tasks", "3", null, () => policyCheck("gcaps", { tasks: "3" })],
    ["task", 3, null, () => policyCheck("gcaps", { task: 3 })],
    ["file", 5, null, () => trace(5)],
    // A file is too large to be the value of an error.
    ["file", null, null, () => trace("{}")],
    ["gpu", "tx9", null, () => trace("{}", { gpu: "tx9" })],
    ["connections", 33, 32, () => trace("{}", { connections: 33 })],
    ["connections", 0, 1, () => trace("{}", { connections: 0 })],
    ["top", 201, 200, () => trace("{}", { top: 201 })],
    ["depth", 1, null, () => trace("{}", { depth: 1 })],
  ];
  for (const [field, value, limit, call] of cases) {
    const error = caught(call);
    assert.deepEqual([error.field, error.value, error.limit], [field, value, limit], error.message);
    assert.ok(error.message.startsWith(`${field}: `), error.message);
  }
  const object = { version: 1, device: "tx2", kernels: [{ name: "K1", blocks: 0, threads_per_block: 64, block_time_ns: 5 }] };
  for (const call of [() => analyse(object), () => sweep(object, vary)]) assert.deepEqual([caught(call).field, caught(call).value], ["kernels[0].blocks", 0]);
  // A policy's text has lines, and a database is for the command line.
  assert.equal(caught(() => policyCheck("policy {\n  nonsense\n}")).line > 0, true);
  assert.match(caught(() => trace(readFileSync(new URL("../../../tests/data/traces/03-loading-table.sqlite", import.meta.url)))).message, /SQLite database/);
  assert.match(caught(() => sweep(text, { seed: [1e21] })).message, /write it as a text/);
});

test("a panic becomes an error that says so, and further calls work", async () => {
  const { broken } = await import(new URL("./node_modules/blockstep/analysis-api.js", import.meta.url));
  const before = sweep(example("tx2-table-1"), fields);
  assert.throws(broken, (error) => error instanceof BlockstepFault && /a fault of Blockstep.*broken on purpose.*Further calls work/s.test(error.message) && !/Runs of before/.test(error.message));
  assert.match(before.svg(), /^<svg /);
  assert.equal(analyse(example("lp-block")).verdict, "schedulable");
});
