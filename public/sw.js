// The service worker: keeps the site for use without network, and keeps it current.
// One cache per version of the site, filled as a whole or not at all: the page (index.html) and every file
// it names, so that what comes from a cache always fits together. public/boot.js registers this file once
// the page stands; the build (scripts/offline.mjs) writes the version, the list of files, and those that the page
// names into it, so that it differs whenever the site does, which is what makes a browser take the new one.
"use strict";

/* BUILD */ const build = { version: "", files: [], named: [] };

// Caches belong to the whole host, where there may be other copies of the site in other folders.
const ours = `blockstep ${self.registration.scope} `;
const current = ours + build.version;
const home = new URL(self.registration.scope);
const files = new Set(build.files.map((file) => new URL(file, home).href));

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

/** Files named after their content, of this version or another: what is kept of them is right for ever. */
// Trunk writes a hash without its leading zeros.
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

/** What is kept of an address, the newest first; nothing if the browser's storage fails. */
async function kept(request) {
  // The address decides; which compression a host used does not.
  const match = (cacheName) => caches.match(request, { cacheName, ignoreVary: true });
  try {
    return (await match(current)) ?? (await match());
  } catch {
    return undefined;
  }
}

async function install() {
  const cache = await caches.open(current);
  try {
    // Files of an older version that are also of this one are not loaded again.
    await Promise.all(
      [...files].map(async (file) => {
        const response = (isHashed(new URL(file)) && (await kept(file))) || (await load(file, "default"));
        await cache.put(file, response);
      }),
    );
    await cache.put(home.href, await whole());
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
  // Takes over at once: pages that are open keep finding their files in the older cache.
  await self.skipWaiting();
}

/** The page, past the browser's own cache. Some hosts serve it by its file name only. */
async function whole() {
  const response = await load("./", "reload").catch(() => load("index.html", "reload"));
  const html = await response.text();
  // Where copies of a host are not all of the same age, this file and the page may be of different versions.
  if (!build.named.every((file) => html.includes(file))) throw new Error("the page is of another version");
  // Without the mark of having been redirected, which pages must not have.
  return new Response(html, { headers: response.headers });
}

async function load(file, cache) {
  const response = await fetch(new URL(file, home), { cache });
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  return response;
}

/** Older versions go, but for the one before, whose pages may be open. */
async function activate() {
  const older = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== current);
  await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}
