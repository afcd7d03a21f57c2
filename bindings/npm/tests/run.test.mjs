// The package in Node.js: the same runs as everywhere, and what is asked of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { BlockstepError, check, read, simulate, version } from "blockstep";
import { example, examples } from "blockstep/examples";

const golden = (name) => readFileSync(new URL(`../../../tests/golden/${name}`, import.meta.url), "utf8");

/** FNV-1a of 64 bits, as tests/golden/fingerprints.txt has it. */
function fingerprint(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

const fingerprints = new Map(golden("fingerprints.txt").trim().split("\n").filter((line) => !line.startsWith("study ")).map((line) => [line.split(" ")[0], line]));

/** The line of a run in that file. A line before the steps says how far the rules are known. */
const line = (name, run) => `${name} ${fingerprint(run.text("steps").replace(/^#.*\n(?=#)/, ""))} ${fingerprint(run.text("trace"))}`;

test("every run of the fingerprints is the same here, byte for byte", () => {
  const seen = new Set();
  const compare = (name, source, options) => {
    seen.add(name);
    using_(simulate(source, options), (run) => assert.equal(line(name, run), fingerprints.get(name)));
  };
  for (const { id, text } of examples) {
    if (fingerprints.has(id)) compare(id, text);
    else for (const policy of ["fifo", "priority"]) compare(`${id}-${policy}`, text, { policy });
  }
  assert.ok(seen.size > examples.length);
  for (const name of fingerprints.keys()) if (!seen.has(name)) compare(name, golden(`${name}.json`));
});

/** Frees a run after its use. */
function using_(run, use) {
  use(run);
  run.free();
}

test("rows are those of the trace", () => {
  for (const id of ["tx2-table-1", "tx2-table-5", "edf-fig-1"]) {
    const run = simulate(example(id));
    const trace = JSON.parse(run.text("trace"));
    assert.deepEqual(run.blocks.map(({ block, sm, start_ns, end_ns }) => [block, sm, start_ns, end_ns]), trace.blocks.map(({ block, sm, start_ns, end_ns }) => [block, sm, start_ns, end_ns]));
    assert.equal(run.copies.length, trace.copies?.length ?? 0);
    assert.deepEqual(run.kernels.map(({ kernel, job, end_ns }) => [kernel, job, end_ns]), trace.kernels.map(({ kernel, job, end_ns }) => [kernel, job, end_ns]));
    assert.deepEqual(run.jobs.map(({ task, job, end_ns, met }) => [task, job, end_ns, met]), trace.jobs.map(({ task, job, end_ns, met }) => [task, job, end_ns, met ?? null]));
    assert.equal(run.steps.length, run.length);
    assert.equal(run.steps.at(-1).at_ns <= run.end_ns, true);
    // The tables of the command line have the same numbers.
    const csv = (form) => run.text(form).trim().split("\n").map((line) => line.split(","));
    const [waitsHead, ...waits] = csv("waits");
    assert.deepEqual(Object.keys(run.waits[0] ?? Object.fromEntries(waitsHead.map((name) => [name]))), waitsHead);
    assert.equal(run.waits.length, waits.length);
    assert.deepEqual(run.waits.map(({ duration_ns }) => String(duration_ns)), waits.map((cells) => cells[waitsHead.indexOf("duration_ns")]));
    const [head, ...rows] = csv("results");
    const tasks = rows.filter(([section]) => section === "task");
    assert.deepEqual(run.results.map((row) => [row.task, String(row.count), String(row.completed), String(row.missed), String(row.greatest_ns ?? "")]), tasks.map((cells) => ["task", "count", "completed", "missed", "greatest_ns"].map((name) => cells[head.indexOf(name)])));
    assert.ok(run.results.length > 0);
  }
});

test("a run says what it is", () => {
  const run = simulate(example("tx2-table-1"));
  assert.deepEqual([run.name, run.policy, run.device, run.length, run.end_ns], ["TX2 Table 1: basic scheduling rules", "priority", "Jetson TX2 (Pascal gp10b)", 89, 4_800_000_000]);
  assert.deepEqual(run.notes, []);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(simulate(run.toScenario()).text("trace"), run.text("trace"));
  assert.equal(simulate(example("tx2-table-3"), { policy: "fifo" }).kernels[0].end_ns, 1_000_000_000);
});

test("the package says where it is from, as far as that is anywhere", () => {
  const about = JSON.parse(readFileSync(new URL("node_modules/blockstep/package.json", import.meta.url), "utf8"));
  const { BLOCKSTEP_ADDRESS: homepage, BLOCKSTEP_REPOSITORY: sources } = process.env;
  assert.equal(about.homepage, homepage || undefined);
  assert.equal(about.repository?.url, sources ? `git+${sources}.git` : undefined);
  assert.equal(about.bugs, sources ? `${sources}/issues` : undefined);
  assert.equal(about.version, version);
});

test("at an instant: by steps, by time, and in words", () => {
  const run = simulate(example("tx2-table-1"));
  assert.equal(run.sentence(20), "Step 20 of 89, 1 s: Block 1 of K1 completes and frees its place on SM 1.");
  assert.equal(run.sentence("#20"), run.sentence(20));
  const state = run.state("1.2s");
  assert.deepEqual(state.sms.map(({ sm, free_threads }) => [sm, free_threads]), [[0, 768], [1, 768]]);
  assert.equal(state.at_ns, 1_200_000_000);
  assert.equal(state.sentence, run.sentence("1.2s"));
  assert.ok(state.queues.some(({ kind, op }) => kind === "EE" && op === "K5"));
  assert.ok(state.blocks.every(({ end_ns, left_ns }) => (end_ns === null) !== (left_ns === null)));
  assert.equal(state.waiting.find(({ op }) => op === "K5").rule, "R3");
  const why = run.why("K5", "1.2s");
  assert.equal(why.sentence, "K5 waits: needs 32 KiB of free shared memory; no SM has any, and K4 holds it");
  assert.deepEqual([why.op, why.doing, why.rule, why.blockers, why.until_ns], ["K5", "waits", "R3", ["K4"], 2_000_000_000]);
  assert.equal(run.why("K1", 0).doing, "not issued");
  assert.equal(run.why("K1", 89).doing, "complete");
  assert.equal(run.state(0).step, 0);
});

test("pictures and links", () => {
  const run = simulate(example("tx2-table-1"));
  assert.match(run.svg(), /^<svg [^]*<\/svg>\s*$/);
  assert.match(run.svg({ figure: "queues", at: "1.2s", palette: "dark", width: 800 }), /width="800"/);
  assert.notEqual(run.svg({ start: "1s", end: 2_000_000_000 }), run.svg());
  assert.ok(!run.svg({ title: false }).includes("basic scheduling rules</text>"));
  assert.match(run.link("https://example.org/", "1.2s"), /^https:\/\/example\.org\/#v2=[\w-]+$/);
});

test("every file that the command line reads is read", () => {
  const table = read(example("tx2-table-1"));
  assert.equal(table.source, "scenario");
  assert.equal(table.scenario.kernels.length, 6);
  const config = JSON.stringify({
    name: "One", max_iterations: 1, max_time: 0, cpu_assignment: "none", gpu_device_id: 0, base_result_directory: "results", use_processes: false,
    benchmarks: [{ filename: "./bin/timer_spin.so", log_name: "a.json", label: "A", thread_count: 256, block_count: 2, data_size: 0, additional_info: 1000 }],
  });
  const examiner = read(config, { device: "tx2" });
  assert.equal(examiner.source, "examiner");
  assert.ok(examiner.notes.length > 0);
  assert.equal(simulate(config, { device: "tx2" }).blocks.length, 2);
  const simso = '<?xml version="1.0"?><simulation duration="100000000"><sched className="simso.schedulers.EDF"/><caches/><processors><processor name="CPU 1" id="1"/></processors><tasks><task name="T1" id="1" task_type="Periodic" activationDate="0" period="10" deadline="10" WCET="2"/></tasks></simulation>';
  assert.equal(read(simso).source, "simso");
});

test("a policy of one's own, by its name and by its text", () => {
  const text = example("tx2-table-1");
  assert.equal(read(text, { policyText: "gcaps" }).scenario.policy.kind, "own");
  assert.throws(() => simulate(text, { policyText: "no policy" }), BlockstepError);
});

test("check says what is wrong, and nothing of what is right", () => {
  assert.deepEqual(check(example("tx2-table-1")).problems, []);
  const { problems } = check({ version: 1, kernels: [{ name: "K1", blocks: 0, threads_per_block: 64, block_time_ns: 5 }, {}] });
  assert.ok(problems.length > 1);
  assert.ok(problems.every(({ line }) => line === null));
});

const program = process.env.BLOCKSTEP_PROGRAM;
test("every example has the pictures and texts of the command line", { skip: !program && "BLOCKSTEP_PROGRAM names none" }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), "blockstep-npm-"));
  const file = path.join(folder, "scenario.json");
  const print = (format, more = []) => execFileSync(program, ["simulate", file, "--format", format, ...more], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });
  for (const { id, text } of examples) {
    writeFileSync(file, text);
    const run = simulate(text);
    assert.equal(run.svg(), print("svg"), id);
    const queues = ["--figure", "queues", "--step", "5", "--palette", "dark", "--width", "800"];
    assert.equal(run.svg({ figure: "queues", at: 5, palette: "dark", width: 800 }), print("svg", queues), id);
    for (const form of ["trace", "steps", "csv", "kernels", "jobs", "waits", "results", "chrome", "scenario"]) assert.equal(run.text(form), print(form), `${id} ${form}`);
  }
  rmSync(folder, { recursive: true });
});
