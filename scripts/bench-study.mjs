// Speed of studies in Chromium, in one worker of the built page: task sets drawn and tested per second,
// beside the command line on one core. Needs dist/ and a release build of the command line.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { serve } from "./serve.mjs";
import { dist, launchChromium, project } from "./tools.mjs";

const RUNS = 5;
const program = path.join(process.env.CARGO_TARGET_DIR ?? path.join(project, "target"), "release/blockstep");
const folder = mkdtempSync(path.join(tmpdir(), "blockstep-"));
const worker = readdirSync(dist).find((name) => /^worker-.*\.js$/.test(name));
const tests = {
  EDF: { preemption: "thread", switch_us: 263, per_job: 2 },
  lpEDF: { preemption: "block", switch_us: 27, per_job: 2, groups: [5, 500] },
  npEDF: { preemption: "none", switch_us: 27, per_job: 1, blocking: "cost" },
};

function study(tasks, utilisation, test, sets) {
  return JSON.stringify({
    version: 1, name: "speed", tasks, generator: "uunifast", seed: 1, period_us: [1000, 15000],
    utilisation: { from: utilisation, to: utilisation, step: 0.01 }, sets, tests: [{ kind: "edf", ...tests[test] }],
  });
}

/** Seconds of a request to a worker that has answered one before. */
function inWorker(page, text, sets) {
  return page.evaluate(
    ({ worker, text, sets }) =>
      new Promise((done, failed) => {
        globalThis.worker ??= new Worker(worker);
        const begin = performance.now();
        globalThis.worker.onmessage = ({ data }) => (data[1] === "done" ? done((performance.now() - begin) / 1000) : failed(new Error(String(data[2]))));
        globalThis.worker.postMessage([1, "study-count", text, "0", "0", String(sets)]);
      }),
    { worker, text, sets },
  );
}

/** Seconds of the command line, on one core, without its start. */
function natively(text, sets) {
  const file = path.join(folder, "study.json");
  writeFileSync(file, text);
  const time = (sets) => {
    const begin = performance.now();
    execFileSync(program, ["sweep", file, "--sets", String(sets), "--csv"], { env: { ...process.env, RAYON_NUM_THREADS: "1" }, stdio: ["ignore", "ignore", "ignore"] });
    return (performance.now() - begin) / 1000;
  };
  return time(sets) - time(1);
}

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const server = await serve();
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  await page.goto(`${server.url}#/lab`);
  await inWorker(page, study(2, 0.5, "EDF", 1000), 1000);
  console.log("million sets drawn and tested per second, one core");
  console.log("tasks     U  test    Chromium   natively   share");
  for (const tasks of [2, 3, 10, 20]) {
    for (const utilisation of [0.5, 0.9]) {
      for (const test of Object.keys(tests)) {
        const sets = Math.round(1_000_000 / tasks);
        const text = study(tasks, utilisation, test, sets);
        const [there, here] = [[], []];
        for (let run = 0; run < RUNS; run += 1) {
          there.push(await inWorker(page, text, sets));
          here.push(natively(text, sets));
        }
        const [far, near] = [sets / median(there) / 1e6, sets / median(here) / 1e6];
        console.log(`${String(tasks).padStart(5)}  ${utilisation.toFixed(1).padStart(4)}  ${test.padEnd(5)}  ${far.toFixed(2).padStart(9)}  ${near.toFixed(2).padStart(9)}  ${(far / near).toFixed(2).padStart(6)}`);
      }
    }
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}
