// The service worker: keeps the site for use without network, and keeps it current.
// One cache per version of the site, filled as a whole or not at all: the page (index.html) and every file
// it names, so that what comes from a cache always fits together. public/boot.js registers this file once
// the page stands; the build (scripts/offline.mjs) writes the version and the SHA-256 of the page and of every file
// into it, so that it differs whenever the site does, which is what makes a browser take the new one. Nothing is kept
// whose bytes are others.
"use strict";

/* BUILD */ const build = { version: "", page: "", files: {} };

// Caches belong to the whole host, where there may be other copies of the site in other folders, and other applications.
const ours = `blockstep ${self.registration.scope} `;
const current = ours + build.version;
const home = new URL(self.registration.scope);
const files = new Map(Object.entries(build.files).map(([file, hash]) => [new URL(file, home).href, hash]));

/** How long the page is waited for before a kept one is shown, in milliseconds. */
const PATIENCE = 3000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode === "navigate") {
    if (isHome(url)) event.respondWith(page(request));
  } else if (isHashed(url)) {
    event.respondWith(kept(request).then((response) => response ?? fetch(request)));
  } else if (files.has(url.href)) {
    event.respondWith(fetch(request).catch(async () => (await kept(request)) ?? Response.error()));
  }
});

/** The site's only page, with or without its file name. */
function isHome(url) {
  return url.origin === home.origin && (url.pathname === home.pathname || url.pathname === `${home.pathname}index.html`);
}

/** Files named after their content, of this version or another: what is kept of them is right forever. */
// Trunk, by which the site can be built too, writes a hash without its leading zeros.
function isHashed(url) {
  return url.href.startsWith(home.href) && /-[0-9a-f]{12,16}[^/]*$/.test(url.pathname) && !url.search;
}

/** The newest page from the network, or the kept one if the network fails, fails to answer, or takes too long. */
async function page(request) {
  const mine = kept(home.href);
  const fresh = fetch(request);
  fresh.catch(() => {});  // It may fail after the kept page was shown.
  const slow = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const first = await Promise.race([fresh, slow]).catch(() => null);
  // A host that says that the page is gone, or moved, is believed.
  if (first && first.status < 500) return first;
  return (await mine) ?? fresh;
}

/**
 * What is kept of an address, the newest first; nothing if the browser's storage fails. Other applications of the host
 * have caches too, which are none of ours: only those of this site are looked into.
 */
async function kept(request) {
  const url = request.url ?? request;
  const hash = url === home.href ? build.page : files.get(url);
  try {
    for (const cacheName of [current, ...(await older()).reverse()]) {
      // The address decides; which compression a host used does not.
      const response = await caches.match(request, { cacheName, ignoreVary: true });
      // What is of this version has its bytes, wherever it was kept; the rest is of pages that are still open.
      if (response && (cacheName === current || !hash || (await sum(response)) === hash)) return response;
    }
  } catch {
    // As if nothing were kept.
  }
  return undefined;
}

/** The caches of other versions of this site, the newest last. */
async function older() {
  return (await caches.keys()).filter((name) => name.startsWith(ours) && name !== current);
}

async function install() {
  const cache = await caches.open(current);
  try {
    await Promise.all([...files].map(async ([file, hash]) => cache.put(file, await sound(file, hash))));
    await cache.put(home.href, await whole());
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
  // Takes over at once: pages that are open keep finding their files in the older cache.
  await self.skipWaiting();
}

/** A file, byte for byte as it was built. Files of an older version that are also of this one are not loaded again. */
async function sound(file, hash) {
  const sources = [() => isHashed(new URL(file)) && kept(file), () => load(file, "default"), () => load(file, "reload")];
  for (const source of sources) {
    const response = await source();
    if (response && (await sum(response)) === hash) return response;
  }
  throw new Error(`${file}: is not the file of this version`);
}

/** The SHA-256 of what a response holds, which can still be read after it. */
async function sum(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The page, past the browser's own cache. Some hosts serve it by its file name only. */
async function whole() {
  const response = await load("./", "reload").catch(() => load("index.html", "reload"));
  // Where copies of a host are not all of the same age, this file and the page may be of different versions.
  if ((await sum(response)) !== build.page) throw new Error("the page is of another version");
  // Without the mark of having been redirected, which pages must not have.
  return new Response(await response.text(), { headers: response.headers });
}

async function load(file, cache) {
  const response = await fetch(new URL(file, home), { cache });
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  return response;
}

/** Older versions go, but for the one before, whose pages may be open. */
async function activate() {
  await Promise.all((await older()).slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}
