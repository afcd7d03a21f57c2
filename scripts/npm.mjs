// Puts the package for JavaScript together, in FOLDER/package, and packs it: `node scripts/npm.mjs FOLDER`. scripts/npm.sh calls it
// when FOLDER/glue holds what wasm-bindgen and wasm-opt made.
// Ends with status 1 if WebAssembly and scripts are larger than they may be.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { notices } from "./notices.mjs";
import { npmTool, project } from "./tools.mjs";

/**
 * What WebAssembly and scripts of an entry may have together, each by `gzip -9`; bytes. What there is now and a little more, so that growth
 * is seen. Who does not import the examples or the second entry does not load them; both entries need shared.js.
 */
const LIMITS = { blockstep: 632_000, analysis: 965_000 };
const entryOf = (name) => (name.startsWith("analysis") ? "analysis" : name === "examples.js" ? undefined : "blockstep");

const folder = path.resolve(process.argv[2]);
const made = path.join(folder, "package");
const file = (name) => path.join(made, name);

cpSync(path.join(project, "bindings/npm/package"), made, { recursive: true });
copyFileSync(path.join(project, "LICENSE"), file("LICENSE"));
writeFileSync(file("third-party.txt"), notices({ programs: ["blockstep-npm"], features: ["blockstep-npm/analysis"], hasSqlite: false }));
for (const [name, glue] of [["blockstep", "glue.js"], ["analysis", "analysis-glue.js"]]) {
  copyFileSync(path.join(folder, `glue/${name}.wasm`), file(`${name}.wasm`));
  copyFileSync(path.join(folder, `glue/${name}.js`), file(glue));
}
writeFileSync(file("examples.js"), examplesScript());

// One version for all: that of the crates.
const cargo = readFileSync(path.join(project, "Cargo.toml"), "utf8");
const version = cargo.match(/^\[workspace\.package\]\nversion = "(.*)"$/m)[1];
const about = { ...JSON.parse(readFileSync(file("package.json"), "utf8")), version };
// The owner chooses the scope; npm refuses to publish what is private.
const name = process.env.BLOCKSTEP_NPM_NAME;
if (name) Object.assign(about, { name, private: undefined });
// Where it is from, as far as that is anywhere (scripts/address.env).
const { BLOCKSTEP_ADDRESS: homepage, BLOCKSTEP_REPOSITORY: repository } = process.env;
if (homepage) Object.assign(about, { homepage });
if (repository) Object.assign(about, { repository: { type: "git", url: `git+${repository}.git` }, bugs: `${repository}/issues` });
writeFileSync(file("package.json"), `${JSON.stringify(about, null, 2)}\n`);

const { minify } = npmTool("terser");
const scripts = readdirSync(made).filter((name) => name.endsWith(".js"));
for (const name of scripts) {
  const { code } = await minify(readFileSync(file(name), "utf8"), { module: true, compress: { passes: 2 } });
  writeFileSync(file(name), code);
}

const gzip = (name) => execFileSync("gzip", ["-9", "-n", "-c"], { input: readFileSync(file(name)), maxBuffer: 1 << 28 }).length;
const sizes = ["blockstep.wasm", "analysis.wasm", ...scripts].map((name) => [name, gzip(name)]);
const digits = (bytes) => bytes.toLocaleString("en-US");
console.log(`${sizes.map(([name, size]) => `${name} ${digits(size)}`).join(", ")}.`);
for (const [entry, limit] of Object.entries(LIMITS)) {
  const sum = sizes.reduce((sum, [name, size]) => (entryOf(name) === entry ? sum + size : sum), 0);
  console.log(`${entry}: ${digits(sum)} bytes compressed (limit ${digits(limit)}).`);
  if (sum > limit) process.exitCode = 1;
}

execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: made, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });

/** The scenarios that are built in, read from their sources as scripts/tools.mjs reads them. */
function examplesScript() {
  const folder = path.join(project, "crates/sim/src/examples");
  const order = [...readFileSync(path.join(folder, "mod.rs"), "utf8").matchAll(/^ {4}(\w+)::EXAMPLE,$/gm)].map(([, name]) => name);
  const all = order.map((name) => {
    const source = readFileSync(path.join(folder, `${name}.rs`), "utf8");
    const said = (field) => JSON.parse(source.match(new RegExp(`^ {4}${field}: (".*"),$`, "m"))[1]);
    return { id: said("id"), title: said("title"), source: said("source"), text: source.match(/json: r#"(.*?)"#/s)[1] };
  });
  return `export const examples = ${JSON.stringify(all)};
export function example(id) {
  const found = examples.find((example) => example.id === id);
  if (!found) throw new RangeError(\`there is no built-in scenario "\${id}"; there are \${examples.map(({ id }) => id).join(", ")}\`);
  return found.text;
}
`;
}
