// Speed of the built page in Chromium, as a reader meets it. Prints one line per figure: median and worst.
// Needs the page in dist/ (make bench-page builds it first).
import { largeScenarios } from "./large.mjs";
import { serve } from "./serve.mjs";
import { exampleScenario, launchChromium } from "./tools.mjs";

// LARGE=1 measures large scenarios alone.
const RUNS = process.env.LARGE ? 1 : 7;

function report(what, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const figure = (value) => `${value.toFixed(1).padStart(8)} ms`;
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))];
  console.log(`${what.padEnd(44)} median ${figure(sorted[sorted.length >> 1])}   p95 ${figure(p95)}   worst ${figure(sorted[sorted.length - 1])}`);
}

/** Presses a key in the page and takes the time until the frame after it has been handed over. */
function keyToFrame(page, key) {
  return page.evaluate(
    (key) =>
      new Promise((done) => {
        // As browsers do, the key is handed over at the beginning of a frame.
        requestAnimationFrame(() => {
          const begin = performance.now();
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
          // A message posted in the frame is handled once that frame is painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now() - begin);
          port2.postMessage(0);
        });
      }),
    key,
  );
}

/** A scenario of many blocks on the TX2, as a researcher would run one: kernels of several sizes in eight streams. */
function manyBlocks(blocks) {
  const kernels = [];
  for (let i = 0, left = blocks; left > 0; i += 1) {
    const count = Math.min(left, 40 + ((i * 37) % 160));
    left -= count;
    kernels.push({
      name: `K${i + 1}`, stream: `S${(i % 8) + 1}`, start_ns: i * 1000, blocks: count, threads_per_block: 32 << (i % 5),
      block_time_ns: 100_000 + ((i * 7919) % 900_000), copy_out_bytes: i % 5 === 0 ? 65_536 : 0,
    });
  }
  return JSON.stringify({ version: 1, name: `${blocks} blocks`, streams: [{ name: "S1", priority: "high" }], kernels });
}

/** Pulls the slider in every frame for a while; the time of each frame. */
function sliderFrames(page, frames) {
  return page.evaluate(
    (frames) =>
      new Promise((done) => {
        const slider = document.querySelector("#scrubber");
        const times = [];
        let last;
        const pull = (now) => {
          if (last !== undefined) times.push(now - last);
          last = now;
          if (times.length === frames) return done(times);
          slider.value = String(Math.round((Number(slider.max) * (times.length % 50)) / 50));
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          requestAnimationFrame(pull);
        };
        requestAnimationFrame(pull);
      }),
    frames,
  );
}

/** Steps, slider and edits of scenarios that are large in one way each, and how many elements the page has. */
async function large(page) {
  for (const [name, scenario] of Object.entries(largeScenarios())) {
    const opened = await openToFrame(page, JSON.stringify({ version: 1, name, ...scenario }));
    await page.waitForTimeout(1000);
    const elements = await page.evaluate(() => document.querySelectorAll("*").length);
    console.log(`${name.padEnd(44)} opened in ${opened.shown.toFixed(0)} ms, ${elements} elements, ${opened.steps} steps`);
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("Home");
    const steps = [];
    for (let i = 0; i < 40; i += 1) steps.push(await keyToFrame(page, "ArrowRight"));
    report("  a step", steps);
    report("  a frame while the slider is pulled", await sliderFrames(page, 60));
    const edits = [];
    for (let i = 0; i < 30; i += 1) edits.push(await editToFrame(page, "[data-cell='kernels:0:4']", String(4 + (i % 5))));
    report("  an edit", edits);
    await page.evaluate(() => document.activeElement?.blur());
  }
}

/** Picks a file as a user does, and takes the time until the frame that shows its run. */
function openToFrame(page, text) {
  return page.evaluate(
    (text) =>
      new Promise((done) => {
        const input = document.querySelector("#open-file");
        const files = new DataTransfer();
        files.items.add(new File([text], "many.json", { type: "application/json" }));
        performance.clearMeasures();
        const begin = performance.now();
        input.files = files.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
        const look = () => {
          if (performance.getEntriesByName("index", "measure").length === 0) return requestAnimationFrame(look);
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            const steps = Number(document.querySelector("#step-number").textContent.replace(/[^0-9 ]/g, "").trim().split(/ +/).at(-1));
            const measure = (name) => performance.getEntriesByName(name, "measure").at(-1)?.duration;
            done({ shown: performance.now() - begin, simulate: measure("simulate"), index: measure("index"), steps });
          };
          port2.postMessage(0);
        };
        requestAnimationFrame(look);
      }),
    text,
  );
}

/** Opens a scenario that the worker simulates; the time until its run is on screen, and the longest frame meanwhile. */
function openInLab(page, text) {
  return page.evaluate(
    (text) =>
      new Promise((done) => {
        const input = document.querySelector("#open-file");
        const files = new DataTransfer();
        files.items.add(new File([text], "long.json", { type: "application/json" }));
        input.files = files.files;
        const simulating = document.querySelector("#simulating");
        let seen = false;
        const begin = performance.now();
        let [last, longest] = [begin, 0];
        input.dispatchEvent(new Event("change", { bubbles: true }));
        const look = (now) => {
          [longest, last] = [Math.max(longest, now - last), now];
          seen ||= !simulating.hidden;
          if (!seen || !simulating.hidden) return requestAnimationFrame(look);
          const steps = Number(document.querySelector("#step-count").textContent.replaceAll(",", ""));
          done({ shown: performance.now() - begin, longest, steps });
        };
        requestAnimationFrame(look);
      }),
    text,
  );
}

/** Turns the wheel over the timeline in every frame for a while; the time of each frame. */
function wheelFrames(page, wheel, frames) {
  return page.evaluate(
    ({ wheel, frames }) =>
      new Promise((done) => {
        const place = document.querySelector(".timeline-place");
        const at = place.getBoundingClientRect();
        const times = [];
        let last;
        const turn = (now) => {
          if (last !== undefined) times.push(now - last);
          last = now;
          if (times.length === frames) return done(times);
          const sign = wheel.sweep ? Math.sign(Math.sin(times.length / 12)) || 1 : 1;
          place.dispatchEvent(
            new WheelEvent("wheel", {
              deltaX: (wheel.x ?? 0) * sign, deltaY: (wheel.y ?? 0) * sign, clientX: at.left + at.width / 2, clientY: at.top + 40,
              bubbles: true, cancelable: true,
            }),
          );
          requestAnimationFrame(turn);
        };
        requestAnimationFrame(turn);
      }),
    { wheel, frames },
  );
}

/** Types into a cell and takes the time until the frame that shows the new run. */
function editToFrame(page, selector, text) {
  return page.evaluate(
    ({ selector, text }) =>
      new Promise((done) => {
        const cell = document.querySelector(selector);
        cell.focus();
        // As browsers do, the input is handed over at the beginning of a frame.
        requestAnimationFrame(() => {
          const begin = performance.now();
          cell.value = text;
          cell.dispatchEvent(new Event("input", { bubbles: true }));
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now() - begin);
          port2.postMessage(0);
        });
      }),
    { selector, text },
  );
}

/** Clicks on something and takes the time until the panel that answers it has changed, or is there. */
function clickToAnswer(page, selector, panel) {
  return page.evaluate(
    ([selector, panel]) =>
      new Promise((done) => {
        const begin = performance.now();
        const observer = new MutationObserver((changes) => {
          const place = document.querySelector(panel);
          if (!place || !changes.some(({ target }) => place.contains(target) || target.contains(place))) return;
          observer.disconnect();
          requestAnimationFrame(() => done(performance.now() - begin));
        });
        observer.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
        document.querySelector(selector).click();
      }),
    [selector, panel],
  );
}

/** The tools beside a run: how soon they answer, and how long the search for each effect takes. */
async function tools(page) {
  console.log(`${"why not now, with loading the worker".padEnd(44)} ${(await clickToAnswer(page, "#waiting .waiting-name", "#tool-ask .tool-body")).toFixed(1)} ms`);
  const stepping = async (panel) => {
    const times = [];
    for (let i = 0; i < 30; i += 1) times.push(await clickToAnswer(page, i % 2 ? "#back" : "#forward", panel));
    return times;
  };
  report("why not now, after a step", await stepping("#tool-ask .tool-body"));
  await page.locator("#tool-ask button[aria-label=Close]").click();
  console.log(`${"compare, by one click".padEnd(44)} ${(await clickToAnswer(page, "#compare", "#wide-compare")).toFixed(1)} ms`);
  report("runs beside each other, after a step", await stepping("#wide-compare"));
  await page.locator("#tool-compare button[aria-label=Close]").click();
  await page.evaluate(() => document.querySelector('[data-open-tool="find"]').click());
  await page.waitForSelector("#tool-find .tool-body select");
  const choice = page.locator("#tool-find .tool-body select").first();
  const effects = await choice.locator("option").evaluateAll((options) => options.map((option) => option.value));
  const found = (is) =>
    page.waitForFunction((is) => is === [...document.querySelectorAll("#tool-find .tool-body button")].some((b) => b.textContent === "Open"), is);
  const times = [];
  for (const effect of effects) {
    await choice.selectOption(effect);
    await found(false);
    const begin = Date.now();
    await page.locator("#tool-find .tool-body button.primary").click();
    await found(true);
    times.push(Date.now() - begin);
  }
  report(`an example of each of ${effects.length} effects`, times);
  await page.locator("#tool-find button[aria-label=Close]").click();
}

const server = await serve();
const browser = await launchChromium();
try {
  const starts = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    // Taken inside the page, from the start of its navigation.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.documentElement?.dataset.ready !== "1") return;
        observer.disconnect();
        globalThis.readyAt = performance.now();
      }).observe(document, { subtree: true, attributes: true, childList: true });
    });
    await page.goto(`${server.url}#/lab`);
    await page.waitForFunction(() => globalThis.readyAt !== undefined);
    starts.push(await page.evaluate(() => globalThis.readyAt));
    if (run === RUNS - 1) {
      await page.waitForLoadState("networkidle");
      const steps = [];
      for (let i = 0; i < 30; i += 1) steps.push(await keyToFrame(page, "ArrowRight"));
      report("page stands after opening (Table 1)", starts);
      report("step forward is on screen", steps);
      const edits = [];
      for (let i = 0; i < 30; i += 1) edits.push(await editToFrame(page, "[data-cell='kernels:0:4']", String(4 + (i % 5))));
      report("edit of Table 1 is on screen", edits);

      await large(page);
      if (process.env.LARGE) break;
      await page.locator("#example").selectOption("tx2-table-1");
      // It opens before its first step: the first bookmark is where something waits.
      await page.locator("[data-bookmark]").first().click();
      await page.waitForSelector("#waiting .waiting-name");

      await tools(page);

      const text = manyBlocks(100_000);
      const opened = [];
      for (let i = 0; i < RUNS; i += 1) opened.push(await openToFrame(page, text.replace("100000 blocks", `run ${i}`).replace('"start_ns":1000,', `"start_ns":${1000 + i},`)));
      report("100,000 blocks on screen after opening", opened.map((o) => o.shown));
      report("  of which the simulation", opened.map((o) => o.simulate));
      report("  of which records and lanes", opened.map((o) => o.index));
      const best = Math.max(...opened.map((o) => o.steps / o.simulate)) / 1000;
      const sorted = opened.map((o) => o.steps / o.simulate / 1000).sort((a, b) => a - b);
      console.log(`${"  steps per second".padEnd(44)} median ${sorted[sorted.length >> 1].toFixed(2)} million, best ${best.toFixed(2)} million (${opened[0].steps} steps)`);
      for (const id of ["edf-vi-a-runlist", "edf-vi-a-cbs"]) {
        const minute = exampleScenario(id);
        const inWorker = [];
        for (let i = 0; i <= RUNS; i += 1) inWorker.push(await openInLab(page, JSON.stringify({ ...minute, horizon_ns: 60_000_000_000 + i })));
        // The first one loads the worker.
        report(`${id}, 60 s, on screen`, inWorker.slice(1).map((o) => o.shown));
        report("  of which the longest frame", inWorker.slice(1).map((o) => o.longest));
        console.log(`${"  with loading the worker".padEnd(44)} ${inWorker[0].shown.toFixed(1)} ms (${inWorker[0].steps} steps)`);
      }
      // After a long run the next one may be long too, and goes to the worker: a short one between them.
      await page.locator("#example").selectOption("tx2-table-1");
      await openToFrame(page, text);
      for (const [what, wheel] of [
        ["zoom, 100,000 blocks: frame", { y: -40, sweep: true }],
        ["pan, whole run: frame", { x: 30, sweep: true }],
      ]) {
        const frames = await wheelFrames(page, wheel, 150);
        report(what, frames);
        console.log(`${"  frames per second".padEnd(44)} ${(1000 / (frames.reduce((a, b) => a + b) / frames.length)).toFixed(1)}`);
      }
      await page.keyboard.press("w");
      for (let i = 0; i < 8; i += 1) await wheelFrames(page, { y: -60 }, 2);
      const frames = await wheelFrames(page, { x: 30, sweep: true }, 150);
      report("pan, zoomed in: frame", frames);
      console.log(`${"  frames per second".padEnd(44)} ${(1000 / (frames.reduce((a, b) => a + b) / frames.length)).toFixed(1)}`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
