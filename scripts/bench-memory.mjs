// Memory of the built page in Chromium while runs of a million blocks are opened one after another, and once a small one has taken
// their place. `tab` is the memory footprint that Chromium's task manager shows: what the process of the tab has in memory that is of
// no file. `page` and `workers` are the sizes of their WebAssembly memories, which never shrink. TOOL=find has a tool ask about each
// run. Needs the page in dist/.
import { readFileSync } from "node:fs";
import { serve } from "./serve.mjs";
import { launchChromium } from "./tools.mjs";

const OPENINGS = Number(process.env.OPENINGS ?? 10);

/** A million blocks of kernels of several sizes in eight streams; each `i` is another run. */
function millionBlocks(i) {
  const kernels = Array.from({ length: 500 }, (_, k) => ({
    name: `K${k + 1}`, stream: `S${(k % 8) + 1}`, start_ns: k * 1000 + i, blocks: 2000, threads_per_block: 32 << (k % 5), block_time_ns: 100_000 + ((k * 7919) % 900_000),
  }));
  return { version: 1, name: `million ${i}`, kernels };
}

const SMALL = { version: 1, name: "small", kernels: [{ name: "K1", stream: "S1", start_ns: 0, blocks: 4, threads_per_block: 256, block_time_ns: 1000 }] };

/** Opens a scenario as a reader does, until its run is on screen. */
async function open(page, scenario) {
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator("#open-file").setInputFiles({ name: "scenario.json", mimeType: "application/json", buffer });
  await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, scenario.name);
  const blocks = scenario.kernels.reduce((sum, kernel) => sum + kernel.blocks, 0);
  await page.waitForFunction(
    (blocks) => {
      const steps = Number(document.querySelector("#step-count").textContent.replaceAll(",", ""));
      return document.querySelector("#simulating").hidden && (blocks < 1000 ? steps < 1000 : steps > blocks);
    },
    blocks,
    { timeout: 120_000 },
  );
}

const MIB = 1 << 20;

/** The memory footprint of a process, bytes. */
function footprint(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kib = (field) => Number(status.match(new RegExp(`^${field}:\\s+(\\d+)`, "m"))[1]);
  return (kib("RssAnon") + kib("VmSwap")) * 1024;
}

const server = await serve();
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const real = WebAssembly[name];
      WebAssembly[name] = async (...of) => {
        const made = await real.apply(WebAssembly, of);
        globalThis.wasmMemory ??= (made.instance ?? made).exports.memory;
        return made;
      };
    }
  });
  await page.goto(`${server.url}#/lab`);
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  const session = await page.context().newCDPSession(page);
  const inBrowser = await browser.newBrowserCDPSession();
  const { processInfo } = await inBrowser.send("SystemInfo.getProcessInfo");
  // It keeps the site for use without network; a browser ends it half a minute later. Until then the process is its, too.
  await session.send("ServiceWorker.enable");
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);

  /** One line: after `what`. */
  const report = async (what) => {
    await session.send("ServiceWorker.stopAllWorkers");
    for (let i = 0; i < 2; i += 1) await session.send("HeapProfiler.collectGarbage");
    await page.waitForTimeout(2000);
    const size = (bytes) => `${(bytes / MIB).toFixed(0).padStart(5)} MiB`;
    const tab = Math.max(...renderers.map(footprint));
    const own = await page.evaluate(() => globalThis.wasmMemory.buffer.byteLength);
    const workers = [];
    for (const worker of page.workers()) {
      workers.push(await worker.evaluate(async () => (await wasm_bindgen()).memory.buffer.byteLength).catch(() => NaN));
    }
    console.log(`${what.padEnd(26)} tab ${size(tab)}   page ${size(own)}   workers ${workers.length === 0 ? "none" : workers.map(size).join(" ")}`);
  };

  await report("before");
  if (process.env.TOOL) await page.evaluate((tool) => document.querySelector(`[data-open-tool="${tool}"]`)?.click(), process.env.TOOL);
  for (let i = 1; i <= OPENINGS; i += 1) {
    const begin = Date.now();
    await open(page, millionBlocks(i));
    const took = Date.now() - begin;
    await report(`opened ${i} (${took} ms)`);
  }
  await open(page, SMALL);
  await report("a small one");
} finally {
  await browser.close();
  await server.close();
}
