// The code of docs/npm.md and of the package's own page runs, and is typed as TypeScript at its strictest says.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const project = path.join(here, "../../..");
/** Where the code is put: beneath the packages that it uses. */
const made = path.join(here, "node_modules/.docs");
const pages = { guide: "docs/npm.md", readme: "bindings/npm/package/README.md" };

/** The indented code of a page as one module. `x; // → y` says that x is y. Lines for a shell begin with `npm`. */
function code(page) {
  const lines = readFileSync(path.join(project, page), "utf8").split("\n");
  const code = lines.filter((line) => /^ {4}\S|^ {5,}/.test(line) && !/^ {4}npm /.test(line)).map((line) => line.slice(4));
  assert.ok(code.length > 5, `${page} has code`);
  return code;
}

/** The same with what is said of it asserted. */
function asserted(lines) {
  const claim = (line) => line.replace(/^(.+?);\s+\/\/ → (.+)$/, (_, is, said) => `(assert as (is: unknown, said: unknown) => void)(${is}, ${said});`);
  const claimed = lines.map(claim);
  assert.ok(claimed.some((line, i) => line !== lines[i]), "something is claimed");
  return claimed;
}

for (const [name, page] of Object.entries(pages)) {
  test(`the code of ${page} does what it says`, async () => {
    mkdirSync(made, { recursive: true });
    const file = path.join(made, `${name}.mjs`);
    const plain = asserted(code(page)).map((line) => line.replace("(assert as (is: unknown, said: unknown) => void)", "assert"));
    writeFileSync(file, `import { deepStrictEqual as assert } from "node:assert/strict";\n${plain.join("\n")}\n`);
    await import(pathToFileURL(file).href);
  });
}

test("their types are right, and wrong ones are found", () => {
  mkdirSync(made, { recursive: true });
  const files = Object.entries(pages).map(([name, page]) => {
    writeFileSync(path.join(made, `${name}.mts`), `declare const assert: unknown;\nexport {};\n${asserted(code(page)).join("\n")}\n`);
    return `${name}.mts`;
  });
  // What is to be an error is one, or the comment before it is.
  const wrong = [
    'import { type Run, type Scenario, simulate } from "blockstep";',
    "// @ts-expect-error a policy that is none",
    'simulate("", { policy: "lifo" });',
    "// @ts-expect-error rows are not to be changed",
    'simulate("").blocks[0]!.sm = 1;',
    "// @ts-expect-error a copy may not have ended",
    'const end: number = simulate("").copies[0]!.end_ns;',
    "// @ts-expect-error runs are made by simulate",
    "new Run();",
    "// @ts-expect-error blocks are a number",
    'const table: Scenario = { version: 1, kernels: [{ name: "K1", blocks: "2" }] };',
    'import { Sweep, policyCheck, sweep, trace } from "blockstep/analysis";',
    "// @ts-expect-error a measure that is none",
    'sweep("", { "policy.kind": "fifo" }, { measure: "size" });',
    "// @ts-expect-error a cell may be missing",
    'const cell: number = sweep("", {}).rows[0]!["end"]!;',
    "// @ts-expect-error sweeps are made by sweep",
    "new Sweep();",
    "// @ts-expect-error a property that is none",
    'policyCheck("gcaps", { properties: ["fast"] });',
    "// @ts-expect-error a trace may show no gains",
    'const gains: number = trace("").gains.length;',
    "export { cell, end, gains, table, type Run };",
  ];
  writeFileSync(path.join(made, "wrong.mts"), `${wrong.join("\n")}\n`);
  const all = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2022"];
  const tsc = path.join(here, "node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, ...all, ...files, "wrong.mts"], { cwd: made, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
});
