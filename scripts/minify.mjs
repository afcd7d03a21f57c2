// Finishes a site being built: makes one script of each worker, that of the page and that of traces, and shortens the scripts of a release.
// scripts/build.mjs calls it, and so does Trunk (Trunk.toml), which gives a worker's files names without a hash.
// It adds the licenses of what is in it (scripts/notices.mjs); scripts/offline.mjs does the rest.
import { copyFileSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { hashed, offline, posters } from "./offline.mjs";
import { notices } from "./notices.mjs";
import { npmFile, npmTool, project } from "./tools.mjs";

/** Finishes the site in `folder`. */
export async function finish(folder, { isRelease }) {
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
  writeFileSync(file("third-party.txt"), ourNotices());
  if (isRelease) {
    const { minify } = npmTool("terser");
    for (const name of readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "sw.js")) {
      const module = !/^(boot|worker|tracer|blockstep-run)/.test(name);
      const short = await minify(readFileSync(file(name), "utf8"), { module, compress: { passes: 2 } });
      writeFileSync(file(name), short.code);
    }
  }
  offline(folder);
}

// They stay while the crates do: `make dev` builds again and again.
let known = {};
function ourNotices() {
  const crates = readFileSync(path.join(project, "Cargo.lock"), "utf8");
  if (known.crates !== crates) known = { crates, text: notices() };
  return known.text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await finish(process.env.TRUNK_STAGING_DIR, { isRelease: process.env.TRUNK_PROFILE === "release" });
}
