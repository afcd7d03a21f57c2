// Loading: the built page stands under a sub-path, asks nobody else, and says in words what is wrong
// if it cannot load.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { dist } from "../../scripts/tools.mjs";
import { start } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

/** What stands in the loading message once it has become an alert. */
async function alert(page) {
  const boot = page.locator('#boot[role="alert"]');
  await boot.waitFor();
  assert.equal(await page.locator("html").getAttribute("data-ready"), null);
  return boot.innerText();
}

test("the page stands, without errors and without other hosts", async () => {
  const { page, problems, close } = await site.open();
  assert.equal(await page.locator("#boot").count(), 0, "the loading message is gone");
  assert.equal(await page.getByRole("main").count(), 1);
  await page.waitForLoadState("networkidle");
  assert.deepEqual(problems, []);
  await close();
});

test("addresses are relative", async () => {
  const html = await readFile(path.join(dist, "index.html"), "utf8");
  const addresses = [...html.matchAll(/(?:href|src|data-js|data-wasm|data-worker|data-tracer)="?([^">\s]*)/g)].map((match) => match[1]);
  assert.ok(addresses.length >= 5, "scripts and styles are found");
  for (const address of addresses) assert.match(address, /^\.\//);
});

test("no code stands in the HTML, so that a strict content security policy can be set", async () => {
  const { page, problems, close } = await site.open({
    before: (page) =>
      page.route(site.url, async (route) => {
        const response = await route.fetch();
        const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'";
        await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
      }),
  });
  assert.deepEqual(problems, []);
  await close();
});

test("WebAssembly file blocked", async () => {
  const { page, close } = await site.open({ ready: false, before: (page) => page.route("**/*.wasm", (route) => route.abort()) });
  assert.match(await alert(page), /WebAssembly file .* could not be loaded/);
  await close();
});

test("WebAssembly file damaged", async () => {
  const { page, close } = await site.open({
    ready: false,
    before: (page) => page.route("**/*.wasm", (route) => route.fulfill({ contentType: "application/wasm", body: "not wasm" })),
  });
  assert.match(await alert(page), /cannot run Blockstep's WebAssembly/);
  await close();
});

test("script blocked", async () => {
  const { page, close } = await site.open({
    ready: false,
    before: (page) => page.route(/blockstep-[^/]*\.js$/, (route) => route.abort()),
  });
  assert.match(await alert(page), /script of Blockstep could not be loaded/);
  await close();
});

test("no WebAssembly", async () => {
  const { page, close } = await site.open({
    ready: false,
    before: (page) => page.addInitScript(() => delete globalThis.WebAssembly),
  });
  assert.match(await alert(page), /runs on WebAssembly, which this browser does not support/);
  await close();
});

test("every script blocked: words appear without any", async () => {
  const { page, close } = await site.open({
    ready: false,
    before: (page) => page.route("**/*.js", (route) => route.abort()),
  });
  const slow = page.locator(".boot-slow");
  // The words wait for 20 s in an animation of the style sheet; this moves its time on.
  const shownAt = async (time) => {
    await slow.evaluate((element, time) => {
      for (const animation of element.getAnimations()) {
        animation.pause();
        animation.currentTime = time;
      }
    }, time);
    return slow.isVisible();
  };
  assert.equal(await shownAt(0), false);
  assert.equal(await shownAt(19_990), false);
  assert.equal(await shownAt(20_002), true);
  assert.match(await slow.innerText(), /script of this page may be blocked/);
  await close();
});

test("JavaScript switched off", async () => {
  const { page, close } = await site.open({ ready: false, context: { javaScriptEnabled: false } });
  const words = await page.locator("body").innerText();
  assert.match(words, /Blockstep needs JavaScript and WebAssembly/);
  assert.doesNotMatch(words, /Loading/);
  await close();
});

test("opened as a file", async () => {
  const { page, close } = await site.open({ ready: false });
  await page.goto(pathToFileURL(path.join(dist, "index.html")).href);
  assert.match(await alert(page), /opened as a file.*make serve/s);
  await close();
});
