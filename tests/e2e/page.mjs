// Opens the built page in Chromium for the tests beside this file. The site is served under a
// sub-path, as it must work from any, and every test watches console, requests and hosts.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { serve } from "../../scripts/serve.mjs";
import { dist, launchChromium } from "../../scripts/tools.mjs";

/** How long a page may take to stand, in milliseconds. */
const READY = 15_000;

/**
 * Serves dist/ and starts Chromium once for the tests of a file. `close` ends both.
 * `open(options)` gives a fresh, empty browser profile with the page in it, or the one at `url`.
 */
export async function start() {
  assert.ok(existsSync(path.join(dist, "index.html")), "build the page first: make dist");
  const server = await serve({ prefix: "/some/where/" });
  const browser = await launchChromium();
  return {
    url: server.url,
    open: ({ url = server.url, ...options } = {}) => open(browser, url, options),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * A page, opened; without service workers, which have tests of their own (hosted.test.mjs).
 * `context`: playwright's context options; `before`: called with the page before it is opened; `ready`: whether to wait until the page stands;
 * `begins`: whether it stays before the first step; otherwise it goes to the first bookmark, where something waits.
 * `problems` collects what must not be: errors on the console, failed requests, other hosts.
 */
async function open(browser, url, { context: options = {}, before, ready = true, begins = false } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (/registration blocked by Playwright/.test(message.text())) return;
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // What a reload cuts short has not failed.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(`request failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`status ${response.status()}: ${response.url()}`);
  });
  page.on("request", (request) => {
    const local = request.url().startsWith(url) || /^(data|blob):/.test(request.url());
    if (!local) problems.push(`leaves the site: ${request.url()}`);
  });
  await before?.(page);
  await page.goto(url);
  if (ready) await page.waitForSelector('html[data-ready="1"]', { timeout: READY, state: "attached" });
  if (ready && !begins && !url.includes("#")) {
    await page.evaluate(() => document.querySelector("[data-bookmark]")?.click());
    await settled(page);
  }
  return { page, problems, close: () => context.close() };
}

/** Steps applied and steps of the run, as the page says. */
export async function step(page) {
  const numbers = (await page.locator("#step-number").innerText()).replaceAll(",", "").match(/\d+/g).map(Number);
  return { position: numbers[0], count: numbers[1] };
}

/** The page has followed what was done and has painted it. */
export function settled(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
}

/** The picture of the timeline, pixel by pixel. */
export async function timeline(page) {
  await settled(page);
  return page.locator("#timeline").evaluate((canvas) => canvas.toDataURL());
}

/** Opens a scenario by the file dialog. */
export async function openScenario(page, scenario) {
  const buffer = Buffer.from(typeof scenario === "string" ? scenario : JSON.stringify(scenario));
  await page.locator("#open-file").setInputFiles({ name: "scenario.json", mimeType: "application/json", buffer });
  await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, scenario.name);
  await settled(page);
}

/** Opens "Share" at one of its tabs: link, embed, image, latex, data. */
export async function shareAt(page, tab) {
  await page.locator("#share").evaluate((button) => button.click());
  const tabs = page.locator(`.tool:not([hidden]) [data-open-tab="${tab}"]`);
  await tabs.evaluate((button) => button.click());
  await page.waitForFunction((tab) => document.querySelector(`.tool[data-tab="${tab}"] .tool-body`)?.childElementCount > 0, tab);
  await settled(page);
}

/** A cell of the kernel table. */
export function cell(page, row, field) {
  return page.locator(`#kernels tr[data-row="${row}"] [data-field="${field}"]`).locator("input:not([type=button]), select").first();
}

/** Loads the page anew, with what the browser kept. */
export async function reload(page) {
  await page.reload();
  await page.waitForSelector('html[data-ready="1"]', { timeout: READY, state: "attached" });
  await settled(page);
}
