// How long a large profiler trace takes in Chromium: a file of PyTorch's profiler with a million operations, over 300 MB, is picked as a user
// picks it. Prints the time until its answer stands, and of that the time of the path of every GPU, and of what comes after it: lanes,
// summary, words. Needs the page in dist/ (make bench-page builds it first).
//   OPERATIONS   how many, instead of a million
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { serve } from "./serve.mjs";
import { launchChromium } from "./tools.mjs";

const OPERATIONS = Number(process.env.OPERATIONS ?? 1_000_000);
const RUNS = 3;

/** Steps of 40 kernels in two streams, each with its launch; the host is ahead of the GPU in most of a step. Times in µs. */
function write(file) {
  const out = openSync(file, "w");
  writeSync(out, '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA A100","computeMajor":8,"computeMinor":0,"maxThreadsPerMultiprocessor":2048,"regsPerMultiprocessor":65536,"sharedMemPerMultiprocessor":167936,"numSms":108}],"traceEvents":[\n');
  const free = [0, 0];
  let called = 0;
  for (let i = 0; i < OPERATIONS; ) {
    const lines = [];
    for (const end = Math.min(i + 1_000, OPERATIONS); i < end; i += 1) {
      called += i % 40 === 0 ? 400 : 6;
      const stream = i % 5 === 4 ? 1 : 0;
      const starts = Math.max(called + 5, free[stream]);
      const lasts = 4 + ((i % 40) * 7919) % 23;
      free[stream] = starts + lasts + 1;
      lines.push(`{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":9,"ts":${called}.000,"dur":4.000,"args":{"External id":${i},"cbid":211,"correlation":${i + 1}}}`);
      lines.push(`{"ph":"X","cat":"kernel","name":"void at::native::vectorized_elementwise_kernel<${i % 40}>(int)","pid":0,"tid":${7 + stream},"ts":${starts}.000,"dur":${lasts}.000,"args":{"External id":${i},"device":0,"context":1,"stream":${7 + stream},"correlation":${i + 1},"registers per thread":32,"shared memory":0,"grid":[216,1,1],"block":[256,1,1]}}`);
    }
    writeSync(out, lines.join(",\n") + (i < OPERATIONS ? ",\n" : "\n]}\n"));
  }
  closeSync(out);
}

const folder = mkdtempSync(path.join(tmpdir(), "blockstep-trace-"));
const file = path.join(folder, "large.json");
write(file);
const server = await serve();
const browser = await launchChromium();
try {
  for (let run = 0; run < RUNS; run += 1) {
    const page = await browser.newPage({ viewport: { width: 1366, height: 657 } });
    // When the worker said something last before its answer: what comes between is not the explaining of waits.
    await page.addInitScript(() => {
      globalThis.said = [];
      const Plain = globalThis.Worker;
      globalThis.Worker = class extends Plain {
        constructor(...given) {
          super(...given);
          // The last part of what a worker posts says whether more comes.
          this.addEventListener("message", ({ data }) => globalThis.said.push([performance.now(), data[3] ? "progress" : "answer"]));
        }
      };
    });
    await page.goto(`${server.url}#/trace`);
    const input = page.locator("#trace-file");
    await input.waitFor({ state: "attached" });
    await input.evaluate((input) => input.addEventListener("change", () => (globalThis.picked = performance.now()), { capture: true }));
    await input.setInputFiles(file);
    await page.locator("#trace-answer").waitFor({ timeout: 300_000 });
    const { stands, said, answer } = await page.evaluate(() => ({
      stands: performance.now() - globalThis.picked,
      said: globalThis.said.map(([at, what]) => [at - globalThis.picked, what]),
      answer: document.querySelector("#trace-answer").innerText,
    }));
    const opened = said.findIndex(([, what]) => what === "answer");
    const [explained, found, answered] = said.slice(opened - 2, opened + 1);
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    console.log(`${(statSync(file).size / 1e6).toFixed(0)} MB, ${OPERATIONS.toLocaleString("en-US")} operations: answer after ${seconds(stands)}`);
    console.log(`  of which ${seconds(found[0] - explained[0])} for the path, then ${seconds(answered[0] - found[0])} for lanes, summary and words`);
    if (run === 0) console.log(`  ${answer.split("\n")[0]}`);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}
