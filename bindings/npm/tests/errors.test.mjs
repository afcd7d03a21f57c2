// What is wrong comes as an error with field, value and limit; a fault of ours, too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BlockstepError, BlockstepFault, Run, check, read, simulate } from "blockstep";
import { example } from "blockstep/examples";

const one = { name: "K1", blocks: 2, threads_per_block: 64, block_time_ns: 500 };
const table = (row) => ({ version: 1, device: "tx2", kernels: [{ ...one, ...row }] });

/** The error of a call, with what it says of the field. */
function caught(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof BlockstepError, String(error));
    assert.ok(error instanceof Error);
    assert.equal(error.name, "BlockstepError");
    assert.equal(error.problems[0].field, error.field);
    return error;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

test("a field has its value and its limit, with the line if there is one", () => {
  const object = caught(() => simulate(table({ threads_per_block: 2048 })));
  assert.equal(object.message, "kernels[0].threads_per_block is 2,048; at most 1,024 threads fit in a block on this device");
  assert.deepEqual([object.field, object.value, object.limit, object.line], ["kernels[0].threads_per_block", 2048, 1024, null]);
  const text = caught(() => simulate(JSON.stringify(table({ threads_per_block: 2048 }), null, 1)));
  assert.deepEqual([text.field, text.value, text.limit, text.line], ["kernels[0].threads_per_block", 2048, 1024, 8]);
  assert.match(text.message, /^line 8: kernels\[0\]\.threads_per_block is 2,048/);
});

test("every argument is named with its value", () => {
  const run = simulate(table({}));
  const text = example("tx2-table-1");
  const cases = [
    ["policy", "lifo", null, () => simulate(text, { policy: "lifo" })],
    ["policy", "lifo", null, () => check(text, { policy: "lifo" })],
    ["device", "tx9", null, () => read(text, { device: "tx9" })],
    ["duration", -1, null, () => simulate(text, { duration: -1 })],
    ["duration", 0, 1, () => simulate(text, { duration: 0 })],
    ["duration", "soon", null, () => simulate(text, { duration: "soon" })],
    ["variants", ["none-such"], null, () => simulate(text, { variants: ["none-such"] })],
    ["variants", "last-fit", null, () => simulate(text, { variants: "last-fit" })],
    ["maxSteps", 0, 1, () => simulate(text, { maxSteps: 0 })],
    ["maxSteps", 1e9, 100_000_000, () => simulate(text, { maxSteps: 1e9 })],
    ["maxSteps", Number.NaN, 100_000_000, () => simulate(text, { maxSteps: Number.NaN })],
    ["maxSteps", 10, 10, () => simulate(text, { maxSteps: 10 })],
    ["polcy", "fifo", null, () => simulate(text, { polcy: "fifo" })],
    ["policyText", "gcaps", null, () => simulate(text, { policy: "fifo", policyText: "gcaps" })],
    ["at", 99, run.length, () => run.state(99)],
    ["at", -1, null, () => run.sentence(-1)],
    ["at", "9s", 500, () => run.sentence("9s")],
    ["at", "soon", null, () => run.why("K1", "soon")],
    ["operation", "K9", null, () => run.why("K9", 1)],
    ["palette", "pink", null, () => run.svg({ palette: "pink" })],
    ["figure", "pie", null, () => run.svg({ figure: "pie" })],
    ["width", 10, null, () => run.svg({ width: 10 })],
    ["width", "wide", null, () => run.svg({ width: "wide" })],
    ["start", "400ns", 300, () => run.svg({ start: "400ns", end: 300 })],
    ["colour", 1, null, () => run.svg({ colour: 1 })],
    ["form", "pdf", null, () => run.text("pdf")],
    ["page", "javascript:alert(1)", null, () => run.link("javascript:alert(1)")],
    ["page", "//example.org/", null, () => run.link("//example.org/")],
    ["page", 3, null, () => run.link(3)],
  ];
  for (const [field, value, limit, call] of cases) {
    const error = caught(call);
    assert.deepEqual([error.field, error.value, error.limit], [field, value, limit], error.message);
    assert.ok(error.message.startsWith(`${field}: `), error.message);
  }
});

test("what is no scenario says so", () => {
  assert.throws(() => simulate(5), { name: "TypeError", message: "a scenario is a text or an object, not number" });
  assert.throws(() => simulate(null), TypeError);
  assert.throws(() => new Run(), TypeError);
  assert.match(caught(() => simulate("")).message, /the file is empty/);
  assert.match(caught(() => simulate("{")).message, /not JSON/);
  assert.equal(caught(() => simulate("{")).line, 1);
  assert.ok(check("[]").problems.length > 0);
});

test("numbers that JavaScript does not hold exactly are refused, never rounded", () => {
  const seed = JSON.stringify(table({})).replace('"version":1', '"version":1,"seed":18446744073709551615');
  const run = simulate(seed);
  assert.match(caught(() => run.toScenario()).message, /18446744073709551615.*exact up to 9007199254740991/);
  assert.match(run.text("scenario"), /18446744073709551615/);
  const long = caught(() => simulate(table({ block_time_ns: 9_007_199_254_740_991, blocks: 1000 })));
  assert.deepEqual([long.field, long.limit], ["end_ns", Number.MAX_SAFE_INTEGER]);
  assert.ok(BigInt(long.value) > BigInt(Number.MAX_SAFE_INTEGER) && long.message.startsWith(`end_ns is ${long.value};`), long.message);
});

test("a value of another type is named, whatever it is", () => {
  const text = example("tx2-table-1");
  const run = simulate(text);
  const odd = [null, true, 5n, Number.NaN, Symbol("odd"), {}, [], Object.create(null), () => 1];
  const calls = {
    policy: (value) => simulate(text, { policy: value }),
    policyText: (value) => read(text, { policyText: value }),
    device: (value) => check(text, { device: value }),
    duration: (value) => simulate(text, { duration: value }),
    maxSteps: (value) => simulate(text, { maxSteps: value }),
    variants: (value) => simulate(text, { variants: [value] }),
    at: (value) => run.state(value),
    operation: (value) => run.why(value, 1),
    form: (value) => run.text(value),
    page: (value) => run.link(value),
    figure: (value) => run.svg({ figure: value }),
    palette: (value) => run.svg({ palette: value }),
    width: (value) => run.svg({ width: value }),
    start: (value) => run.svg({ start: value }),
  };
  for (const [field, call] of Object.entries(calls)) {
    for (const value of odd) assert.equal(caught(() => call(value)).field, field);
  }
  assert.equal(caught(() => run.state(5n)).message, 'at: is 5n; write steps as a whole number, or a time such as "1.2s"');
  assert.equal(caught(() => run.state(undefined)).field, "at");
});

test("what no file holds is named by its place", () => {
  const around = [];
  around.push(around);
  let deep = [];
  for (let i = 0; i < 5000; i += 1) deep = [deep];
  const field = "kernels[0].blocks";
  for (const [value, at, message] of [
    [5n, field, "is 5n, a bigint, which a file does not hold"],
    [Number.NaN, field, "is NaN; give a number"],
    [Number.POSITIVE_INFINITY, field, "is Infinity; give a number"],
    [Symbol("odd"), field, "is Symbol(odd), a symbol, which a file does not hold"],
    [around, `${field}[0]`, "holds itself"],
  ]) {
    for (const call of [simulate, read]) {
      const error = caught(() => call(table({ blocks: value })));
      assert.deepEqual([error.field, error.message, error.value], [at, `${at}: ${message}`, value]);
    }
    assert.equal(check(table({ blocks: value })).problems[0].field, at);
  }
  assert.match(caught(() => simulate(table({ blocks: deep }))).message, /nested deeper than 128 levels/);
  const self = table({});
  self.self = self;
  assert.equal(caught(() => simulate(self)).message, "self: holds itself");
  assert.match(caught(() => simulate({ toJSON: () => 5n })).message, /^source: cannot be written as JSON: /);
});

test("a run that was freed says so, and its number is not used again", () => {
  const run = simulate(table({}));
  run.free();
  run.free();
  assert.match(caught(() => run.blocks).message, /freed/);
  assert.equal(simulate(table({})).blocks.length, 2);
  if (Symbol.dispose) assert.equal(run[Symbol.dispose], run.free);
});

test("a panic becomes an error that says so, and further calls work", async () => {
  const { broken } = await import(new URL("./node_modules/blockstep/api.js", import.meta.url));
  const before = simulate(table({}));
  assert.throws(broken, (error) => error instanceof BlockstepFault && /a fault of Blockstep.*broken on purpose/s.test(error.message) && error.cause instanceof WebAssembly.RuntimeError);
  assert.throws(() => before.blocks, (error) => error instanceof BlockstepFault && /simulate it again/.test(error.message));
  before.free();
  const after = simulate(table({}));
  assert.equal(after.blocks.length, 2);
  assert.throws(broken, BlockstepFault);
});
