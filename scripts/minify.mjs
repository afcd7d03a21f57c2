// Finishes a page being built: makes one script of the worker, the page's worker, and shortens the scripts of a release.
// Trunk calls it (Trunk.toml) with the folder in TRUNK_STAGING_DIR; it shortens style and HTML itself,
// but cannot read wasm-bindgen's script, and gives a worker's files names without a hash.
// It adds the licenses of what is in it (scripts/notices.mjs); scripts/offline.mjs does the rest.
import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashed, offline, posters } from "./offline.mjs";
import { notices } from "./notices.mjs";
import { npmTool } from "./tools.mjs";

const isRelease = process.env.TRUNK_PROFILE === "release";
const folder = process.env.TRUNK_STAGING_DIR;
const file = (name) => path.join(folder, name);

// A browser that kept the files of another version must not mix them with these: the name tells.
const worker = hashed("worker.js", readFileSync(file("worker.js")), readFileSync(file("worker_bg.wasm"))).replace(".js", "");
renameSync(file("worker_bg.wasm"), file(`${worker}_bg.wasm`));
const start = `wasm_bindgen({ module_or_path: new URL("${worker}_bg.wasm", self.location.href) })`;
// Requests that come while the module is loading wait for it.
const wait = "const early = []; self.onmessage = (event) => early.push(event);";
const go = `${start}.then(() => early.forEach((event) => self.onmessage(event)), (error) => setTimeout(() => { throw error; }));`;
writeFileSync(file(`${worker}.js`), `${readFileSync(file("worker.js"), "utf8")}\n;(() => { ${wait} ${go} })();`);
rmSync(file("worker.js"));
const html = readFileSync(file("index.html"), "utf8");
if (!html.includes("worker.js")) throw new Error("index.html does not name the worker");
writeFileSync(file("index.html"), html.replaceAll("worker.js", `${worker}.js`));

// The service worker stays as it is: it is not part of what a reader waits for, and can be read on any host.
posters(folder);
writeFileSync(file("third-party.txt"), notices());
if (isRelease) {
  const { minify } = npmTool("terser");
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "sw.js")) {
    const module = !/^(boot|worker|blockstep-run)/.test(name);
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
