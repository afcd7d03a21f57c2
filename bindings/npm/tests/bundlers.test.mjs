// A page that uses the package, built by Vite and by webpack and opened in Chromium, and the package without them. The page's content security policy allows what docs/npm.md
// says, and nothing else.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, createServer } from "vite";
import webpack from "webpack";
import { serve } from "../../../scripts/serve.mjs";
import { chromiumOptions } from "../../../scripts/tools.mjs";

const app = fileURLToPath(new URL("app", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "blockstep-npm-"));
/** In milliseconds: a busy machine takes long, and that is no fault of the package. */
const PATIENCE = 120_000;

let browser;
before(async () => {
  if (existsSync(chromiumOptions.executablePath)) browser = await chromium.launch(chromiumOptions);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** What the page at an address finds. */
async function found(t, url) {
  if (!browser) return t.skip("there is no Chromium here: it was built, and not opened");
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(url);
  await page.locator("body[data-found]").waitFor({ state: "attached", timeout: PATIENCE });
  assert.deepEqual(problems, []);
  assert.deepEqual(JSON.parse(await page.locator("body").getAttribute("data-found")), {
    // The second entry is loaded when it is used.
    programs: [1, 2],
    verdict: "schedulable",
    blocks: 18,
    why: "K5 waits: needs 32 KiB of free shared memory; no SM has any, and K4 holds it",
    problem: "kernels[0].blocks",
    width: 800,
  });
  await page.close();
}

/** The same of files in a folder, under a path of its own. */
async function foundIn(t, root) {
  const server = await serve({ root, prefix: "/some/where/" });
  try {
    await found(t, `${server.url}index.html`);
  } finally {
    await server.close();
  }
}

test("Vite builds it", async (t) => {
  const outDir = path.join(folder, "vite");
  await build({ root: app, base: "./", logLevel: "warn", configFile: false, build: { outDir, emptyOutDir: true, modulePreload: false } });
  await foundIn(t, outDir);
});

test("Vite serves it while one works on it", async (t) => {
  // Vite puts scripts into the page itself then, which the policy of the built one forbids.
  const plugins = [{ name: "no-policy", transformIndexHtml: (html) => html.replace(/<meta http-equiv.*>/, "") }];
  const server = await createServer({ root: app, logLevel: "warn", configFile: false, cacheDir: path.join(folder, "cache"), optimizeDeps: { exclude: ["blockstep"] }, plugins, server: { port: 0, host: "127.0.0.1", hmr: false } });
  try {
    await server.listen();
    await found(t, server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
});

test("webpack builds it", async (t) => {
  const out = path.join(folder, "webpack");
  const options = { mode: "production", context: app, entry: "./main.js", output: { path: out, filename: "main.js", module: true }, experiments: { outputModule: true }, performance: { hints: false } };
  const stats = await new Promise((resolve, reject) => webpack(options, (error, stats) => (error ? reject(error) : resolve(stats))));
  assert.equal(stats.hasErrors() || stats.hasWarnings(), false, stats.toString("errors-warnings"));
  copyFileSync(path.join(app, "index.html"), path.join(out, "index.html"));
  await foundIn(t, out);
});

test("a browser takes it as it is, in a page and in a worker", async (t) => {
  if (!browser) return t.skip("there is no Chromium here");
  const server = await serve({ root: fileURLToPath(new URL("node_modules/blockstep", import.meta.url)) });
  try {
    const page = await browser.newPage();
    // Any page of the same origin.
    await page.goto(`${server.url}package.json`);
    const found = await page.evaluate(async () => {
      const scenario = { version: 1, device: "tx2", kernels: [{ name: "K1", blocks: 2, threads_per_block: 64, block_time_ns: 5 }] };
      const { simulate } = await import("/web.js");
      const script = `import { simulate } from "${location.origin}/web.js"; postMessage(simulate(${JSON.stringify(scenario)}).blocks);`;
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
      const there = await new Promise((resolve, reject) => Object.assign(worker, { onmessage: ({ data }) => resolve(data), onerror: reject }));
      return { here: simulate(scenario).blocks, there };
    });
    assert.equal(found.here.length, 2);
    assert.deepEqual(found.there, found.here);
    await page.close();
  } finally {
    await server.close();
  }
});
