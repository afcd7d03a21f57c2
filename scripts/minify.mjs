// Finishes a page being built: makes one script of each worker, that of the page and that of traces, and shortens the scripts of a release.
// Trunk calls it (Trunk.toml) with the folder in TRUNK_STAGING_DIR; it shortens style and HTML itself,
// but cannot read wasm-bindgen's script, and gives a worker's files names without a hash.
// It adds the licenses of what is in it (scripts/notices.mjs); scripts/offline.mjs does the rest.
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashed, offline, posters } from "./offline.mjs";
import { notices } from "./notices.mjs";
import { npmFile, npmTool } from "./tools.mjs";

const isRelease = process.env.TRUNK_PROFILE === "release";
const folder = process.env.TRUNK_STAGING_DIR;
const file = (name) => path.join(folder, name);

// Exports of Nsight Systems are SQLite databases: sql.js is part of the tracer's script, and its WebAssembly is loaded with the first one.
const sql = npmFile("sql.js/dist/sql-wasm.wasm");
const sqlite = hashed("sqlite.wasm", readFileSync(sql));
copyFileSync(sql, file(sqlite));
const open = `self.openSqlite = () => initSqlJs({ locateFile: () => new URL("${sqlite}", self.location.href).href });`;
const before = { worker: "", tracer: `${readFileSync(npmFile("sql.js/dist/sql-wasm.js"), "utf8")}\n;${open}\n` };

// A browser that kept the files of another version must not mix them with these: the name tells.
for (const program of ["worker", "tracer"]) {
  const script = before[program] + readFileSync(file(`${program}.js`), "utf8");
  const name = hashed(`${program}.js`, script, readFileSync(file(`${program}_bg.wasm`))).replace(".js", "");
  renameSync(file(`${program}_bg.wasm`), file(`${name}_bg.wasm`));
  const start = `wasm_bindgen({ module_or_path: new URL("${name}_bg.wasm", self.location.href) })`;
  // Requests that come while the module is loading wait for it. What goes wrong with them is no rejection, which nobody outside
  // hears of, but an error, as with later ones.
  const wait = "const early = []; self.onmessage = (event) => early.push(event);";
  const go = `${start}.then(() => early.forEach((event) => setTimeout(() => self.onmessage(event))), (error) => setTimeout(() => { throw error; }));`;
  writeFileSync(file(`${name}.js`), `${script}\n;(() => { ${wait} ${go} })();`);
  rmSync(file(`${program}.js`));
  const html = readFileSync(file("index.html"), "utf8");
  if (!html.includes(`${program}.js`)) throw new Error(`index.html does not name the ${program}`);
  writeFileSync(file("index.html"), html.replaceAll(`${program}.js`, `${name}.js`));
}

// The service worker stays as it is: it is not part of what a reader waits for, and can be read on any host.
posters(folder);
writeFileSync(file("third-party.txt"), notices());
if (isRelease) {
  const { minify } = npmTool("terser");
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "sw.js")) {
    const module = !/^(boot|worker|tracer|blockstep-run)/.test(name);
    const short = await minify(readFileSync(file(name), "utf8"), { module, compress: { passes: 2 } });
    writeFileSync(file(name), short.code);
  }
}
if (process.env.BLOCKSTEP_RELOADS) reloads();
offline(folder);

/** For `make dev`: Trunk's script that reloads the page is inline, and nothing may come from a cache of an earlier page. */
function reloads() {
  const page = readFileSync(file("index.html"), "utf8");
  if (!page.includes("script-src 'self'")) throw new Error("index.html has no policy for scripts");
  writeFileSync(file("index.html"), page.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"));
  const leaves = 'self.addEventListener("activate", () => self.registration.unregister());';
  writeFileSync(file("sw.js"), `self.addEventListener("install", () => self.skipWaiting());\n${leaves}\n/* BUILD */ const build = null;\n`);
}
