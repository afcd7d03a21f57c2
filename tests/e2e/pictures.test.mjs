// How the page looks: pictures of the screens that matter, in the sizes and colors that readers have, compared with those in
// tests/pictures. Small changes of texts pass; boxes that move, change color, appear or vanish do not. CONTRIBUTING.md says
// how the pictures are made anew.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { npmModule, npmTool, project } from "../../scripts/tools.mjs";
import { isFilled, openTool, settled, start } from "./page.mjs";

const { default: pixelmatch } = await npmModule("pixelmatch");
const { PNG } = npmTool("pngjs");

const kept = path.join(project, "tests/pictures");
const fresh = path.join(project, "target/pictures");
const isBlessing = process.env.BLESS === "1";
const BLESS = "Look at it there; if it is right: BLESS=1 node --test tests/e2e/pictures.test.mjs";

/** The share of pixels that may differ: a few lines of text. */
const SHARE = 0.005;
/** What differs in one piece may be as large as a long word, in pixels; a control, a block or an edge is larger. */
const WORD = { width: 150, height: 20 };

const screen = (width, height, more) => ({ viewport: { width, height }, deviceScaleFactor: 1, reducedMotion: "reduce", colorScheme: "light", ...more });
const LAPTOP = screen(1366, 657);
const DESK = screen(1440, 900);
const dark = { colorScheme: "dark" };

/** Goes to the bookmark of that place in the list. */
const bookmark = (place) => (page) => page.locator("[data-bookmark]").nth(place).evaluate((button) => button.click());

/** Shows an example at one of its bookmarks. */
const example = (id, place) => async (page) => {
  const title = await page.locator("#scenario-name").inputValue();
  await page.locator("#example").selectOption(id);
  await page.waitForFunction((title) => document.querySelector("#scenario-name").value !== title && document.querySelector("[data-bookmark]"), title);
  await bookmark(place)(page);
};

async function tool(page, name) {
  await openTool(page, name);
  await page.waitForFunction(isFilled, name);
}

/** What waits at this step, asked about. */
async function ask(page) {
  await bookmark(1)(page);
  await page.locator("#waiting .waiting-name").first().click();
  await page.waitForFunction(() => document.querySelector("#tool-ask .tool-body")?.childElementCount > 0);
}

/** A cell of the table, in hand. */
async function table(page) {
  await example("edf-fig-2a", 1)(page);
  await page.locator('#kernels tr[data-row="1"] [data-field="blocks"] input').focus();
}

async function batch(page) {
  await tool(page, "batch");
  await page.waitForSelector("#tool-batch svg");
}

async function present(page) {
  await bookmark(1)(page);
  await page.keyboard.press("p");
  await page.waitForSelector("[data-presenting]");
}

/** A question of Explore. */
const question = (id) => async (page) => {
  await page.evaluate((id) => (location.hash = `#/explore/${id}`), id);
  await page.waitForSelector(`[data-card="${id}"][aria-current]`);
};

const nothing = () => {};
/** Every question, in one of six looks after the other. */
const LOOKS = [LAPTOP, screen(390, 844, dark), DESK, { ...LAPTOP, ...dark }, screen(390, 844), { ...DESK, ...dark }];
const ids = [...readFileSync(path.join(project, "crates/learn/src/explore/cards.rs"), "utf8").matchAll(/^ {4}id: "(.*)",$/gm)].map(([, id]) => id);
const questions = ids.map((id, place) => [`explore-${id}`, [LOOKS[place % LOOKS.length], question(id)]]);

const scenes = {
  ...Object.fromEntries(questions),
  "explore-390": [screen(390, 844), question("four-policies")],
  "explore-1440-forced": [{ ...DESK, forcedColors: "active" }, question("copies")],
  "first-1440": [DESK, nothing],
  "first-1366": [LAPTOP, nothing],
  "first-390": [screen(390, 844), nothing],
  "waiting-1440": [DESK, bookmark(1)],
  "waiting-1366-dark": [{ ...LAPTOP, ...dark }, bookmark(1)],
  "waiting-1366-forced": [{ ...LAPTOP, forcedColors: "active" }, bookmark(1)],
  "waiting-1024": [screen(1024, 768), bookmark(1)],
  "ask-1440": [DESK, ask],
  "runlist-1366": [LAPTOP, example("edf-fig-1", 1)],
  "edf-1440-dark": [{ ...DESK, ...dark }, example("edf-overrun-cbs", 1)],
  "edf-390-dark": [screen(390, 844, dark), example("edf-overrun-cbs", 1)],
  "table-1366": [LAPTOP, table],
  "batch-1440": [DESK, batch],
  "presenter-1280": [screen(1280, 720), present],
  "presenter-1280-forced-dark": [screen(1280, 720, { ...dark, forcedColors: "active" }), present],
};

let site;
let otherFonts;
before(async () => {
  site = await start();
  mkdirSync(kept, { recursive: true });
  rmSync(fresh, { recursive: true, force: true });
  const here = await fonts();
  const file = path.join(kept, "fonts.json");
  if (isBlessing) {
    for (const name of readdirSync(kept)) if (!(path.parse(name).name in scenes)) rmSync(path.join(kept, name));
    writeFileSync(file, `${JSON.stringify(here, null, 2)}\n`);
  }
  const there = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  if (there && JSON.stringify(here) !== JSON.stringify(there)) otherFonts = "the pictures were made with other fonts than this machine's (tests/pictures/fonts.json)";
});
after(() => site?.close());

/** How wide a text is in the page's fonts, which tells fonts apart. */
async function fonts() {
  const { page, close } = await site.open({ begins: true });
  const widths = await page.evaluate(() => {
    const text = "Block 0 of K1 waits: 1,024 threads, 32 KiB";
    const width = (element, weight) => {
      const span = document.body.appendChild(document.createElement("span"));
      Object.assign(span.style, { position: "fixed", whiteSpace: "pre", fontFamily: getComputedStyle(element).fontFamily, fontSize: "20px", fontWeight: weight });
      span.textContent = text;
      const { width } = span.getBoundingClientRect();
      span.remove();
      return Math.round(width * 10) / 10;
    };
    const mono = document.body.appendChild(document.createElement("code"));
    const widths = { text: width(document.body, "400"), bold: width(document.body, "700"), mono: width(mono, "400") };
    mono.remove();
    return widths;
  });
  await close();
  return widths;
}

/** The picture of a scene. */
async function take(context, does) {
  const { page, problems, close } = await site.open({ begins: true, context });
  await does(page);
  await settled(page);
  const picture = PNG.sync.read(await page.screenshot({ animations: "disabled", caret: "hide", scale: "css" }));
  assert.deepEqual(problems, []);
  await close();
  return picture;
}

/** Writes a picture to be kept, with fewer colours than it has: nobody sees it, and the file is a third as large. */
function keep(name, picture) {
  picture.data = picture.data.map((value) => Math.min(255, Math.round(value / 8) * 8));
  writeFileSync(path.join(kept, `${name}.png`), PNG.sync.write(picture, { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 }));
}

/** The largest pieces of a mask, whose pixels are set where their fourth byte is: width of the widest, height of the highest. */
function pieces({ data, width, height }) {
  const isSet = (x, y) => x >= 0 && x < width && y >= 0 && y < height && data[(y * width + x) * 4 + 3] > 0;
  const seen = new Uint8Array(width * height);
  const largest = { width: 0, height: 0 };
  for (let at = 0; at < width * height; at += 1) {
    if (seen[at] || !data[at * 4 + 3]) continue;
    const box = { left: width, right: 0, top: height, bottom: 0 };
    const open = [at];
    seen[at] = 1;
    while (open.length > 0) {
      const next = open.pop();
      const [x, y] = [next % width, Math.floor(next / width)];
      Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y), bottom: Math.max(box.bottom, y) });
      // Letters of a word are a pixel apart.
      for (let dy = -2; dy <= 2; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1) {
          const other = (y + dy) * width + x + dx;
          if (!isSet(x + dx, y + dy) || seen[other]) continue;
          seen[other] = 1;
          open.push(other);
        }
      }
    }
    largest.width = Math.max(largest.width, box.right - box.left + 1);
    largest.height = Math.max(largest.height, box.bottom - box.top + 1);
  }
  return largest;
}

/** Says in a line what is wrong with a picture, or nothing; then it and what differs lie in target/pictures. */
function judge(name, picture) {
  const wrong = (what, difference) => {
    mkdirSync(fresh, { recursive: true });
    writeFileSync(path.join(fresh, `${name}.png`), PNG.sync.write(picture));
    if (difference) writeFileSync(path.join(fresh, `${name}.difference.png`), PNG.sync.write(difference));
    return `${name}: ${what}; target/pictures/${name}.png. ${BLESS}`;
  };
  const file = path.join(kept, `${name}.png`);
  if (!existsSync(file)) return wrong("there is no such picture yet");
  const before = PNG.sync.read(readFileSync(file));
  const { width, height } = picture;
  if (before.width !== width || before.height !== height) return wrong(`${width} × ${height} px instead of ${before.width} × ${before.height} px`);
  const mask = new PNG({ width, height });
  const share = pixelmatch(before.data, picture.data, mask.data, width, height, { threshold: 0.1, diffMask: true }) / (width * height);
  const largest = pieces(mask);
  if (share <= SHARE && largest.width <= WORD.width && largest.height <= WORD.height) return "";
  const difference = new PNG({ width, height });
  pixelmatch(before.data, picture.data, difference.data, width, height, { threshold: 0.1 });
  return wrong(`${(share * 100).toFixed(2)} % of the pixels differ, the largest piece is ${largest.width} px wide, ${largest.height} px high`, difference);
}

for (const [name, [context, does]] of Object.entries(scenes)) {
  test(`it looks as before: ${name}`, async (t) => {
    if (otherFonts) return t.skip(otherFonts);
    const picture = await take(context, does);
    if (isBlessing) keep(name, picture);
    else {
      const wrong = judge(name, picture);
      assert.ok(wrong === "", wrong);
    }
  });
}
