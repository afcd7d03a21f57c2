// Compressed size of the built page: wasm, script, style and HTML of dist/, each by gzip -9. By the
// program: the zlib of Node.js is a faster one that compresses less. What is loaded only when it is
// asked for (the lab) or once the page stands (the service worker) is listed, but does not count.
// Ends with status 1 above the limit. --brief prints the sum only.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { dist } from "./tools.mjs";

const LIMIT = 300_000;
const later = /^(lab-|sw\.js$)/;
const counted = new Set([".wasm", ".js", ".mjs", ".css", ".html"]);

if (!existsSync(path.join(dist, "index.html"))) {
  console.error("There is no page in dist/: build it by `make dist`.");
  process.exit(1);
}

const rows = readdirSync(dist, { recursive: true })
  .filter((name) => counted.has(path.extname(name)))
  .map((name) => {
    const content = readFileSync(path.join(dist, name));
    return { name, raw: content.length, gzip: execFileSync("gzip", ["-9", "-n", "-c"], { input: content, maxBuffer: 1 << 28 }).length };
  })
  .sort((a, b) => b.gzip - a.gzip || (a.name < b.name ? -1 : 1));
const first = rows.filter((row) => !later.test(row.name));
const total = first.reduce((sum, row) => ({ name: "page", raw: sum.raw + row.raw, gzip: sum.gzip + row.gzip }), { raw: 0, gzip: 0 });

if (!rows.some((row) => row.name.endsWith(".wasm"))) {
  console.error("There is no WebAssembly file in dist/: the build is not complete.");
  process.exit(1);
}

const digits = (bytes) => bytes.toLocaleString("en-US");
if (process.argv.includes("--brief")) {
  console.log(`dist/: ${digits(total.gzip)} bytes compressed (limit ${digits(LIMIT)})`);
} else {
  const width = Math.max(...rows.map((row) => row.name.length), 5);
  console.log(`${"file".padEnd(width)}  ${"bytes".padStart(11)}  ${"gzip -9".padStart(11)}`);
  for (const row of [...first, total, ...rows.filter((row) => later.test(row.name))]) {
    console.log(`${row.name.padEnd(width)}  ${digits(row.raw).padStart(11)}  ${digits(row.gzip).padStart(11)}`);
  }
  console.log(`limit ${digits(LIMIT)}`);
}
if (total.gzip > LIMIT) {
  console.error(`The page is ${digits(total.gzip - LIMIT)} bytes over its limit of ${digits(LIMIT)} bytes compressed.`);
  process.exit(1);
}
