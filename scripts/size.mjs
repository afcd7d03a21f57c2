// Compressed size of the built page: wasm, script, style and HTML of dist/, each by gzip -9. By the
// program: the zlib of Node.js is a faster one that compresses less. What is loaded only when it is
// asked for (the workers), once the page stands (the service worker) or by other pages (blockstep-run.js) counts for the whole alone.
// The static pages in learn/ have a sum of their own: nobody loads them all, and the page loads none of them, nor its service worker.
// Ends with status 1 above a limit. --brief prints the sums only.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { dist } from "./tools.mjs";

/** What is loaded first, and all there is, at most; bytes. What there is now and a little more, so that growth is seen. */
const LIMITS = { page: 1_990_000, all: 5_150_000, learn: 630_000 };
const later = /^(worker-|tracer-|sqlite-|sw\.js$|blockstep-run\.js$)/;
const isStatic = ({ name }) => name.startsWith("learn/");
const counted = new Set([".wasm", ".js", ".mjs", ".css", ".html"]);

if (!existsSync(path.join(dist, "index.html"))) {
  console.error("There is no page in dist/: build it by `make dist`.");
  process.exit(1);
}

const found = readdirSync(dist, { recursive: true })
  .filter((name) => counted.has(path.extname(name)))
  .map((name) => {
    const content = readFileSync(path.join(dist, name));
    return { name, raw: content.length, gzip: execFileSync("gzip", ["-9", "-n", "-c"], { input: content, maxBuffer: 1 << 28 }).length };
  })
  .sort((a, b) => b.gzip - a.gzip || (a.name < b.name ? -1 : 1));
const rows = found.filter((row) => !isStatic(row));
const first = rows.filter((row) => !later.test(row.name));
const sum = (name, of) => of.reduce((sum, row) => ({ name, raw: sum.raw + row.raw, gzip: sum.gzip + row.gzip }), { name, raw: 0, gzip: 0 });
const sums = [sum("page", first), sum("all", rows), sum("learn", found.filter(isStatic))];

if (!rows.some((row) => row.name.endsWith(".wasm"))) {
  console.error("There is no WebAssembly file in dist/: the build is not complete.");
  process.exit(1);
}

const digits = (bytes) => bytes.toLocaleString("en-US");
const limited = sums.map((total) => `${total.name}: ${digits(total.gzip)} bytes compressed (limit ${digits(LIMITS[total.name])})`);
if (process.argv.includes("--brief")) {
  console.log(`dist/: ${limited.join(", ")}`);
} else {
  const width = Math.max(...rows.map((row) => row.name.length), 5);
  console.log(`${"file".padEnd(width)}  ${"bytes".padStart(11)}  ${"gzip -9".padStart(11)}`);
  for (const row of [...first, sums[0], ...rows.filter((row) => later.test(row.name)), sums[1], sums[2]]) {
    console.log(`${row.name.padEnd(width)}  ${digits(row.raw).padStart(11)}  ${digits(row.gzip).padStart(11)}`);
  }
  console.log(limited.join("\n"));
}
for (const total of sums.filter((total) => total.gzip > LIMITS[total.name])) {
  console.error(`${total.name}: ${digits(total.gzip - LIMITS[total.name])} bytes over the limit of ${digits(LIMITS[total.name])} bytes compressed.`);
  process.exitCode = 1;
}
