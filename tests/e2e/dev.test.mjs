// `make dev`: what changes in a source is built, and the pages that are open hear of it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { develop } from "../../scripts/dev.mjs";
import { until } from "./page.mjs";

let home;
before(() => {
  home = mkdtempSync(path.join(tmpdir(), "blockstep-dev-"));
});
after(() => rmSync(home, { recursive: true }));

test("pages are told when what they are made of has changed, and not otherwise", async () => {
  const [folder, sources] = ["site-", "sources-"].map((name) => mkdtempSync(path.join(home, name)));
  const source = path.join(sources, "source.txt");
  // In one go, so that no build reads half of it.
  const change = (text) => {
    writeFileSync(path.join(home, "next"), text);
    renameSync(path.join(home, "next"), source);
  };
  const builds = new Set();
  const make = async () => {
    const text = readFileSync(source, "utf8");
    builds.add(text);
    if (text.startsWith("wrong")) throw new Error("This build fails, as the test wants.");
    // What stands behind a colon makes no other site.
    for (const name of ["index.html", "sw.js"]) writeFileSync(path.join(folder, name), `<head></head>${text.split(":")[0]}`);
  };
  change("one");
  const site = await develop({ folder, make, watched: [sources] });
  let told = "";
  const events = (await fetch(`${site.url}builds`)).body.pipeThrough(new TextDecoderStream());
  const listens = (async () => {
    for await (const text of events) told += text;
  })().catch(() => {});
  try {
    const page = async () => (await fetch(site.url)).text();
    assert.equal(await page(), '<head><script defer src="./reload.js"></script></head>one', "a script that is a file, as the page's policy asks for");
    assert.match(await (await fetch(`${site.url}sw.js`)).text(), /unregister/, "no service worker keeps the page");
    for (const text of ["wrong", "one:again", "two", "three"]) {
      change(text);
      await until(() => builds.has(text), Boolean);
    }
    await until(page, (html) => html.endsWith("three"));
    await until(() => told, (told) => told.split("data: built").length >= 3);
  } finally {
    await site.close();
    await listens;
  }
  assert.equal(told, "\ndata: built\n\ndata: built\n\n");
});

test("without a first build it ends with words", async () => {
  const folder = mkdtempSync(path.join(home, "empty-"));
  const make = () => Promise.reject(new Error("This build fails, as the test wants."));
  await assert.rejects(develop({ folder, make, watched: [folder] }), /no page to serve/);
});
