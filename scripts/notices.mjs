// The licenses of what is compiled into the page and its workers: every crate of the WebAssembly with its license text, each text
// once. scripts/minify.mjs writes it into the site as third-party.txt; the help of the page leads there.
// `node scripts/notices.mjs TARGET` prints those of the program that `make release` builds for this target.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { npmFile, project } from "./tools.mjs";

const PAGE = { programs: ["blockstep", "blockstep-worker", "blockstep-traces-worker"], hasSqlite: true };

/** The crates of others that are linked: what the programs depend on, without macros, builds and tests. */
function linked({ target = "wasm32-unknown-unknown", programs, features = [] }) {
  const options = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target, ...features.flatMap((name) => ["--features", name])];
  const { packages, resolve } = JSON.parse(execFileSync("cargo", options, { cwd: project, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] }));
  const byId = new Map(packages.map((of) => [of.id, of]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = ({ targets }) => targets.some(({ kind }) => kind.includes("proc-macro"));
  const found = new Set(packages.filter(({ name, source }) => source === null && programs.includes(name)).map(({ id }) => id));
  for (const id of found) {
    const uses = nodes.get(id).deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null));
    for (const { pkg } of uses) if (!isMacro(byId.get(pkg))) found.add(pkg);
  }
  return [...found].map((id) => byId.get(id)).filter(({ source }) => source !== null);
}

/** The license texts of a crate; of several to choose from, that of MIT. What else it has to say of itself comes too. */
function texts(of) {
  const folder = path.dirname(of.manifest_path);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(entry.name)).map((entry) => entry.name);
  const licences = names.filter((name) => /^(licen[cs]e|copying|unlicense)/i.test(name));
  const mit = licences.filter((name) => /mit/i.test(name));
  const chosen = / OR |\//.test(of.license ?? "") && mit.length > 0 ? mit : licences;
  const also = names.filter((name) => /^(notice|copyright)/i.test(name));
  const read = [...chosen, ...also].sort().map((name) => readFileSync(path.join(folder, name), "utf8").replaceAll("\r\n", "\n").trim());
  if (chosen.length > 0) return read;
  // Some crates name their licence only. Ours is MIT, too: its words with their authors.
  if (!/\bMIT\b/.test(of.license ?? "")) throw new Error(`${of.name} ${of.version} has no license text (${of.license})`);
  const words = readFileSync(path.join(project, "LICENSE"), "utf8").replace(/^Copyright.*$/m, `Copyright (c) ${of.authors.join(", ") || `the authors of ${of.name}`}`);
  return [words.trim(), ...read];
}

/** The whole text, of the page if nothing is said. */
export function notices(...programs) {
  if (programs.length === 0) programs = [PAGE];
  const byId = new Map(programs.flatMap(linked).map((of) => [of.id, of]));
  const crates = [...byId.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
  const byText = new Map();
  for (const of of crates) {
    for (const text of texts(of)) byText.set(text, [...(byText.get(text) ?? []), `${of.name} ${of.version}`]);
  }
  // sql.js holds SQLite, which is in the public domain.
  if (programs.some(({ hasSqlite }) => hasSqlite)) {
    const sql = path.resolve(path.dirname(npmFile("sql.js/dist/sql-wasm.js")), "..");
    const { version } = JSON.parse(readFileSync(path.join(sql, "package.json"), "utf8"));
    crates.push({ name: "sql.js", version, license: "MIT; SQLite itself is in the public domain", repository: "https://github.com/sql-js/sql.js" });
    byText.set(readFileSync(path.join(sql, "LICENSE"), "utf8").replaceAll("\r\n", "\n").trim(), [`sql.js ${version}`]);
  }
  const line = "-".repeat(80);
  const list = crates.map((of) => `${of.name} ${of.version} (${of.license})${of.repository ? `, ${of.repository}` : ""}`);
  const parts = [...byText].map(([text, names]) => `${line}\n${names.join(", ")}\n${line}\n\n${text}\n`);
  const head = "Blockstep is made with the Rust standard library (MIT OR Apache-2.0, https://github.com/rust-lang/rust) and these packages:\n";
  return `${head}\n${list.join("\n")}\n\nTheir licenses:\n\n${parts.join("\n")}`;
}

const [, script, target] = process.argv;
if (import.meta.url === pathToFileURL(script ?? "").href) {
  // It has the page in it.
  console.log(notices(PAGE, { target, programs: ["blockstep"], features: ["serve"] }));
}
