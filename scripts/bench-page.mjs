// Speed of the built page in Chromium, as a reader meets it. Prints one line per figure: median and worst.
// Needs the page in dist/ (make bench-page builds it first).
import { serve } from "./serve.mjs";
import { launchChromium } from "./tools.mjs";

const RUNS = 7;

function report(what, times) {
  const sorted = [...times].sort((a, b) => a - b);
  const figure = (value) => `${value.toFixed(1).padStart(8)} ms`;
  console.log(`${what.padEnd(44)} median ${figure(sorted[sorted.length >> 1])}   worst ${figure(sorted[sorted.length - 1])}`);
}

/** Presses a key in the page and takes the time until the frame after it has been handed over. */
function keyToFrame(page, key) {
  return page.evaluate(
    (key) =>
      new Promise((done) => {
        const begin = performance.now();
        (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }));
        requestAnimationFrame(() => {
          // A message posted in the frame is handled once that frame is painted.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now() - begin);
          port2.postMessage(0);
        });
      }),
    key,
  );
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
    await page.goto(server.url);
    await page.waitForFunction(() => globalThis.readyAt !== undefined);
    starts.push(await page.evaluate(() => globalThis.readyAt));
    if (run === RUNS - 1) {
      await page.waitForLoadState("networkidle");
      const steps = [];
      for (let i = 0; i < 30; i += 1) steps.push(await keyToFrame(page, "ArrowRight"));
      report("page stands after opening (Table 1)", starts);
      report("step forward is on screen", steps);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
