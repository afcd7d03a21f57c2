// The site on a host: deep under a sub-path, with the header of docs/hosting.md, without network after a first
// visit, through new versions, installed, and in a frame of a page of another host.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { hashed, list } from "../../scripts/offline.mjs";
import { serve } from "../../scripts/serve.mjs";
import { dist, project } from "../../scripts/tools.mjs";
import { filledTool, guest, lab, openScenario, settled, shareAt, start, step, until } from "./page.mjs";

const PREFIX = "/~group/papers/2026/v1.0-beta/site/";

let site;
before(async () => (site = await start()));
after(() => site?.close());

// What a test leaves open or behind when it fails.
const ends = [];
after(() => Promise.all(ends.map((end) => end())));

/** A copy of dist/ that a test may change. */
function copy() {
  const folder = mkdtempSync(path.join(tmpdir(), "blockstep-hosted-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dist, folder, { recursive: true });
  return folder;
}

/** Publishes a new version in place of the one in `root`: other style, other worker; the files of the one before are gone. */
function publish(root, mark) {
  const page = path.join(root, "index.html");
  let html = readFileSync(page, "utf8");
  for (const [, kind] of [[/^main-/, ".css"], [/^worker-/, ".js"]].entries()) {
    const old = readdirSync(root).find((name) => kind[0].test(name) && name.endsWith(kind[1]));
    const text = `${readFileSync(path.join(root, old), "utf8")}\n/* ${mark} */`;
    const name = hashed(old.replace(/-[0-9a-f]{12,16}/, ""), text);
    rmSync(path.join(root, old));
    writeFileSync(path.join(root, name), text);
    html = html.replaceAll(old, name);
  }
  html = html.replace(/(<title>).*?(<\/title>)/, `$1Blockstep ${mark}$2`);
  writeFileSync(page, html);
  list(root);
}

/** Serves a site, until the tests have ended at the latest. */
async function host(options) {
  const server = await serve({ prefix: PREFIX, ...options });
  ends.push(server.close);
  return server;
}

/** The policy that docs/hosting.md tells hosts to send. */
function header() {
  const line = readFileSync(path.join(project, "docs/hosting.md"), "utf8").match(/^ {4}Content-Security-Policy: (.*)$/m);
  return { "Content-Security-Policy": line[1] };
}

/** Opens a page on `server` in a profile of its own, with service workers. What the policy stops becomes a problem. */
function open(server, { before, ...options } = {}) {
  return site.open({
    url: lab(server.url),
    context: { serviceWorkers: "allow" },
    before: async (page) => {
      await page.addInitScript(() =>
        addEventListener("securitypolicyviolation", (event) => console.error(`the policy stops ${event.blockedURI} by ${event.effectiveDirective}`)),
      );
      await before?.(page);
    },
    ...options,
  });
}

/** Waits until the site has `count` caches and no service worker on its way; gives their names. */
async function kept(page, count) {
  const state = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration();
      const settled = worker?.active?.state === "activated" && !worker.installing && !worker.waiting;
      return { settled, names: await caches.keys() };
    });
  const names = await until(state, ({ settled, names }) => settled && names.length === count);
  return names.names;
}

async function again(page) {
  await page.reload();
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
}

async function example(page, id, words) {
  await page.locator("#example").selectOption(id);
  await page.waitForFunction((words) => document.querySelector("#scenario-name").value.includes(words), words);
  await settled(page);
}

test("everything works deep under a sub-path with the policy as a header, and nothing leaves the site", async () => {
  const server = await host({ headers: header() });
  const { page, problems, close } = await open(server);
  const asked = [];
  page.context().on("request", (request) => asked.push(request.url()));
  await kept(page, 1);
  for (const [id, words] of [["tx2-table-4", "Table 4"], ["lp-block", "LP"]]) await example(page, id, words);
  await page.keyboard.press("End");
  await openScenario(page, { version: 1, name: "Mine", kernels: [{ name: "K", blocks: 3, threads_per_block: 64, block_time_ns: 1000000 }] });
  for (const name of ["compare", "until", "rules", "words", "quiz", "tour"]) {
    await filledTool(page, name);
    await page.locator(`#tool-${name} button[aria-label=Close]`).click();
  }
  const downloads = {
    "#save-scenario": ["link", /\.json$/],
    '#tool-figure button:text-is("Save PNG")': ["image", /\.png$/],
    '[aria-label="Save Trace (JSON)"]': ["data", /\.json$/],
    '[aria-label="Save Blocks and copies (CSV)"]': ["data", /\.csv$/],
  };
  for (const [button, [tab, name]] of Object.entries(downloads)) {
    await shareAt(page, tab);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(button).click()]);
    assert.match(download.suggestedFilename(), name);
  }
  await page.locator("#study > summary").click();
  await page.waitForSelector("#sf-preset");
  await page.locator("#sf-sets").fill("5");
  await page.locator("#sf-sets").blur();
  await page.locator("#study-run").click();
  await page.waitForFunction(() => document.querySelector("#study-text").textContent.startsWith("Complete"));
  const [png] = await Promise.all([page.waitForEvent("download"), page.locator("#study").getByRole("button", { name: "Save PNG" }).click()]);
  assert.equal(png.suggestedFilename(), "study.png");
  await page.waitForFunction(() => document.querySelector("#study-figure svg"));
  for (const url of asked) assert.ok(url.startsWith(server.url) || /^(data|blob):/.test(url), url);
  assert.deepEqual(problems, []);
  await close();
  await server.close();
});

test("the policy does stop what is inline and what comes from elsewhere", async () => {
  const { page, problems, close } = await open(site);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.bad = 1">');
    document.body.append(Object.assign(document.createElement("script"), { text: "window.bad = 2" }));
    document.body.append(Object.assign(new Image(), { src: "http://localhost:9/picture.png" }));
    return fetch("http://localhost:9/").catch(() => 0);
  });
  const isStopped = (directive) => problems.some((problem) => problem.startsWith("console: the policy stops") && problem.endsWith(directive));
  await until(() => ["script-src-attr", "script-src-elem", "img-src", "connect-src"].filter((directive) => !isStopped(directive)), (missing) => missing.length === 0);
  await settled(page);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  await close();
});

test("after one visit it works without network, the worker and all", async () => {
  const server = await host();
  // The worker is not touched before the network is gone.
  const { page, problems, close } = await open(server);
  await kept(page, 1);
  assert.deepEqual(problems, []);
  await page.context().setOffline(true);
  await server.close();
  await again(page);
  await page.keyboard.press("Home");
  await page.locator("#forward").click();
  assert.equal((await step(page)).position, 1);
  await example(page, "lp-block", "LP");
  await filledTool(page, "rules");
  assert.match(await page.locator("#tool-rules").innerText(), /\d+ of \d+ rules used/);
  // A state in the address, and the name of the file, too.
  await page.goto("about:blank");
  await page.goto(`${server.url}index.html#study=preset=edf-3a`);
  await page.waitForSelector("#sf-preset");
  const offline = problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|sw\.js/.test(problem));
  assert.deepEqual(offline, []);
  await close();
});

test("a network that does not answer is not waited for", async () => {
  let isSilent = false;
  const server = await host({ isSilent: () => isSilent });
  const { page, close } = await open(server);
  await kept(page, 1);
  // From now on it never answers, so the page stands only if it does not wait for it.
  isSilent = true;
  await again(page);
  await close();
  await server.close();
});

test("a new version comes by itself, an open page keeps its own, and what is old goes", async () => {
  const root = copy();
  const server = await host({ root });
  const { page: old, problems, close } = await open(server);
  const [a] = await kept(old, 1);

  publish(root, "B");
  const page = await old.context().newPage();
  await page.goto(lab(server.url));
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal(await page.title(), "Blockstep B", "at the first load");
  const both = await kept(page, 2);
  assert.ok(both.includes(a));
  // The worker of the older page is not on the host any more.
  await filledTool(old, "rules");
  assert.match(await old.locator("#tool-rules").innerText(), /\d+ of \d+ rules used/);
  assert.deepEqual(problems, []);

  publish(root, "C");
  await again(page);
  assert.equal(await page.title(), "Blockstep C");
  await until(() => kept(page, 2), (names) => !names.includes(a));
  // The newest one is what is kept.
  await page.context().setOffline(true);
  await server.close();
  await again(page);
  assert.equal(await page.title(), "Blockstep C");
  await filledTool(page, "rules");
  await close();
});

test("a version that is only half there is not kept, and does no harm", async () => {
  const root = copy();
  const server = await host({ root });
  const { page, close } = await open(server);
  const [a] = await kept(page, 1);
  publish(root, "B");
  const worker = path.join(root, readdirSync(root).find((name) => /^worker-.*\.js$/.test(name)));
  renameSync(worker, `${worker}.away`);
  await again(page);
  assert.equal(await page.title(), "Blockstep B");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await until(() => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).installing)), (busy) => !busy);
  assert.deepEqual(await kept(page, 1), [a]);
  renameSync(`${worker}.away`, worker);
  await again(page);
  await kept(page, 2);
  await close();
  await server.close();
});

/** Another application of the host: a cache with its own answer for every file of the site. */
function foreignCache(page, name, files) {
  return page.evaluate(
    async ([name, files]) => {
      const cache = await caches.open(name);
      for (const file of files) {
        const type = file.endsWith(".wasm") ? "application/wasm" : file.endsWith(".css") ? "text/css" : /\/$|html$/.test(file) ? "text/html" : "text/javascript";
        await cache.put(new URL(file, document.baseURI), new Response("globalThis.hostile = 1;", { headers: { "Content-Type": type } }));
      }
    },
    [name, files],
  );
}

/** Whether every file of the site that is kept has the bytes of `root`. */
async function assertOwn(page, root, cacheName) {
  const held = await page.evaluate(async (name) => {
    const cache = await caches.open(name);
    const hex = async (response) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()))].map((b) => b.toString(16).padStart(2, "0")).join("");
    const sums = [];
    for (const request of await cache.keys()) sums.push([request.url.slice(new URL(".", document.baseURI).href.length) || "index.html", await hex(await cache.match(request))]);
    return sums;
  }, cacheName);
  assert.ok(held.length > 5);
  for (const [name, sum] of held) assert.equal(sum, createHash("sha256").update(readFileSync(path.join(root, name))).digest("hex"), name);
}

test("what another application of the host keeps is never served, and never copied", async () => {
  const root = copy();
  const server = await host({ root });
  const { page, problems, close } = await open(server);
  const [a] = await kept(page, 1);
  const files = ["./", "index.html", ...readdirSync(root).filter((name) => /\.(js|wasm|css)$/.test(name) && name !== "sw.js")];
  await foreignCache(page, "another application", files);
  // One with a name like ours, of another folder; and an older version of ours with false bytes.
  await foreignCache(page, "blockstep http://127.0.0.1/elsewhere/ 0", files);
  const older = a.replace(/\S+$/, "0000000000000000");
  await foreignCache(page, older, files);
  const foreign = ["another application", "blockstep http://127.0.0.1/elsewhere/ 0"];
  // What is ours is lost: the files come from the network, not from the others.
  await page.evaluate(async ([a, older]) => (await caches.delete(a)) && caches.delete(older), [a, older]);
  await again(page);
  assert.equal(await page.evaluate(() => globalThis.hostile), undefined);
  // A new version copies nothing whose bytes are others, of ours neither.
  await foreignCache(page, older, files);
  publish(root, "B");
  await again(page);
  const names = await until(
    () => page.evaluate(() => caches.keys()),
    (names) => names.some((name) => name.startsWith(a.replace(/\S+$/, "")) && ![a, older].includes(name)),
  );
  const b = names.find((name) => name.startsWith(a.replace(/\S+$/, "")) && ![a, older].includes(name));
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).installing === null), Boolean);
  await assertOwn(page, root, b);
  await page.context().setOffline(true);
  await server.close();
  await again(page);
  assert.equal(await page.title(), "Blockstep B");
  assert.equal(await page.evaluate(() => globalThis.hostile), undefined);
  assert.deepEqual(foreign.filter((name) => !names.includes(name)), [], "what others keep stays");
  assert.deepEqual(problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|sw\.js/.test(problem)), []);
  await close();
});

test("a file with other bytes is not kept, and a script with other bytes does not run", async () => {
  const root = copy();
  const server = await host({ root });
  const name = readdirSync(root).find((name) => /^worker-.*\.wasm$/.test(name));
  const bytes = readFileSync(path.join(root, name));
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(path.join(root, name), bytes);
  const { page, close } = await open(server);
  const left = () => page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]);
  await until(left, (counts) => counts.every((count) => count === 0));
  await close();
  // What the loader loads, which is all but itself.
  const script = path.join(root, readdirSync(root).find((name) => /^blockstep-[0-9a-f]+\.js$/.test(name)));
  writeFileSync(script, `globalThis.hostile = 1;\n${readFileSync(script, "utf8")}`);
  const other = await open(server, { ready: false });
  await until(async () => other.problems.join("\n"), (problems) => /integrity/.test(problems));
  assert.equal(await other.page.evaluate(() => globalThis.hostile), undefined);
  assert.match(await other.page.locator("#boot").innerText(), /script of Blockstep could not be loaded/);
  await other.close();
  await server.close();
});

test("the help loads the page anew without what is kept, and leaves what is not of the site", async () => {
  const server = await host();
  const { page, problems, close } = await open(server);
  const [a] = await kept(page, 1);
  await page.evaluate(async (a) => {
    await (await caches.open("another application")).put("x", new Response("theirs"));
    await (await caches.open(a)).put("mark", new Response("old"));
    localStorage.setItem("theirs", "1");
  }, a);
  const scenario = await page.locator("#scenario-name").inputValue();
  await page.locator("#help").click();
  await Promise.all([page.waitForEvent("load"), page.locator("#reload-without-cache").click()]);
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal(await page.locator("#scenario-name").inputValue(), scenario);
  // It is kept again, by a cache made anew.
  assert.deepEqual((await kept(page, 2)).sort(), ["another application", a].sort());
  await until(() => page.evaluate((a) => caches.match("./", { cacheName: a }).then(Boolean), a), Boolean);
  assert.equal(await page.evaluate((a) => caches.match("mark", { cacheName: a }).then(Boolean), a), false);
  assert.equal(await page.evaluate(() => localStorage.getItem("theirs")), "1");
  assert.deepEqual(problems, []);
  await close();
  await server.close();
});

test("a site that is taken down is let go", async () => {
  const root = copy();
  const server = await host({ root });
  const { page, close } = await open(server);
  await kept(page, 1);
  const last = readFileSync(path.join(project, "docs/hosting.md"), "utf8").match(/^ {4}self\.addEventListener\("install"[^]*?\n\n/m)[0];
  for (const name of readdirSync(root)) rmSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, "sw.js"), last);
  const response = await page.goto(server.url);
  assert.equal(response.status(), 404);
  const left = () => page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]).catch(() => [1]);  // It loads the page anew.
  await until(left, (counts) => counts.every((count) => count === 0));
  await close();
  await server.close();
});

test("the manifest is read, and its icons are there in the sizes that it says", async () => {
  const { page, problems, close } = await open(site);
  const address = await page.locator('link[rel="manifest"]').evaluate((link) => link.href);
  const { manifest, icons } = await page.evaluate(async (address) => {
    const manifest = await (await fetch(address)).json();
    const icons = [];
    for (const { src, sizes } of manifest.icons) {
      const image = Object.assign(new Image(), { src: new URL(src, address).href });
      await image.decode();
      icons.push([sizes, `${image.naturalWidth}x${image.naturalHeight}`]);
    }
    return { manifest, icons };
  }, address);
  assert.equal(new URL(manifest.start_url, address).href, site.url);
  assert.equal(new URL(manifest.scope, address).href, site.url);
  assert.deepEqual(icons.map(([said]) => said), ["192x192", "512x512", "512x512"]);
  for (const [said, is] of icons) assert.equal(is, said);
  assert.ok(manifest.icons.some(({ purpose }) => purpose === "maskable"));
  const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  const png = readFileSync(path.join(dist, touch));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [180, 180]);
  // What Chromium itself has to say about it.
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.ok(data.includes("Blockstep"));
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
  assert.deepEqual(problems, []);
  await close();
});

test("in a frame of another host it shows the view that the address names, and leaves nothing behind", async () => {
  const server = await host({ headers: header() });
  const frameAddress = `${server.url}#v1=none&embed=timeline`;
  const port = await guest(`<!doctype html><title>A paper</title><iframe width=800 height=500 src="${frameAddress}"></iframe>`);
  const { page, close } = await site.open({ url: `http://localhost:${port}/`, ready: false, context: { serviceWorkers: "allow" } });
  const frame = page.frameLocator("iframe");
  await frame.locator('html[data-ready="1"]').waitFor({ state: "attached" });
  assert.equal(await frame.locator("html").getAttribute("data-embed"), "timeline");
  const full = frame.locator("#embed-full");
  assert.equal(await full.evaluate((link) => link.href), `${server.url}#v1=none`);
  // Only the page opened from it keeps anything. A browser that lets no other host's frame keep anything denies the question.
  await page.waitForLoadState("networkidle");
  const registered = page.frames()[1].evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length));
  assert.equal(await registered.catch((error) => (/denied/.test(error.message) ? 0 : error)), 0);
  const [opened] = await Promise.all([page.context().waitForEvent("page"), full.evaluate((link) => link.click())]);
  await opened.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal(await opened.locator("html").getAttribute("data-embed"), null);
  assert.equal(await opened.evaluate(() => window.opener), null);
  await close();
  await server.close();
});

test("where there is no service worker, or it is refused, the page says nothing of it", async () => {
  for (const how of [
    () => delete Navigator.prototype.serviceWorker,
    () => (ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError"))),
  ]) {
    const { page, problems, close } = await open(site, { before: (page) => page.addInitScript(how) });
    await page.waitForLoadState("networkidle");
    assert.deepEqual(problems, []);
    await close();
  }
});

test("every file but the few that are asked for anew, or have addresses of their own, is named after its content", () => {
  assert.ok(existsSync(path.join(dist, "sw.js")));
  // The static pages, which pages.test.mjs asks for, are found by their addresses.
  const plain = readdirSync(dist).filter((name) => !["learn", "sitemap.xml"].includes(name) && !/-[0-9a-f]{12,16}(_bg)?\.(js|wasm|css|svg)$/.test(name));
  assert.deepEqual(plain.sort(), ["apple-touch-icon.png", "blockstep-run.js", "icon-192.png", "icon-512.png", "icon-maskable-512.png", "index.html", "manifest.webmanifest", "measured", "posters", "scenario.schema.json", "sw.js", "third-party.txt"]);
});
