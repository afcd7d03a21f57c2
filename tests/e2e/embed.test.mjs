// A run inside another page (public/blockstep-run.js, docs/embedding.md), as its reader and its author meet it: pages of another host, with a
// policy that allows the script, the picture and the frame, and nothing else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, guest, settled, shareAt, start, step, until } from "./page.mjs";

/** What a reader loads before touching a run, at most, bytes. */
const LIMIT = 60_000;

let site, origin;
before(async () => {
  site = await start();
  origin = new URL(site.url).origin;
});
after(() => site?.close());

const script = () => `<script src="${site.url}blockstep-run.js" defer></script>`;

/** A page of another host with these elements in it, opened; `said` collects the element's events. */
async function lecture(elements, { policy = strict(), ...options } = {}) {
  const html = `<!doctype html><html lang=en><title>A lecture</title><meta name=viewport content="width=device-width"><main><h1>A lecture</h1>${elements}<p>After it.</p></main>`;
  const url = `http://localhost:${await guest(html, { "content-security-policy": policy })}/`;
  let bytes = 0;
  const bodies = [];
  const { page, problems, close } = await site.open({
    url,
    ready: false,
    ...options,
    before: async (page) => {
      page.on("response", (response) => bodies.push(response.body().then((body) => (bytes += body.length), () => {})));
      await page.addInitScript(() => {
        globalThis.said = [];
        for (const kind of ["ready", "run", "step", "height", "error"]) {
          document.addEventListener(`blockstep-${kind}`, (event) => said.push({ kind, of: event.target.tagName, ...event.detail }));
        }
      });
    },
  });
  await page.waitForLoadState("networkidle");
  return {
    page,
    close,
    loaded: () => Promise.all(bodies).then(() => bytes),
    // Its own host is not the site's, which is what open() would have said of every file.
    problems: () => problems.filter((problem) => !problem.startsWith(`leaves the site: ${origin}`)),
    said: (kind) => page.evaluate((kind) => said.filter((one) => one.kind === kind), kind),
  };
}

const strict = () => `default-src 'none'; script-src ${origin}; img-src ${origin}; frame-src ${origin}`;

const frameOf = (page) => page.frameLocator("blockstep-run iframe");

async function opened(page) {
  await frameOf(page).locator('html[data-ready="1"]').waitFor({ state: "attached" });
  await page.waitForFunction(() => ["height", "run", "step"].every((wanted) => said.some(({ kind }) => kind === wanted)));
  await settled(page.frames()[1]);
  await settled(page);
}

/** Nothing of a frame's page lies outside of it, once both have followed: nothing scrolls. */
async function fits(page, what) {
  const frame = page.frames()[1];
  await settled(frame);
  await settled(page);
  await becomes(() => frame.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0, what);
}

/** Counts the words of tests that come to a window, behind all messages of the same sender. */
const listens = (frame) =>
  frame.evaluate(() => {
    globalThis.words = 0;
    addEventListener("message", ({ data }) => (globalThis.words += data === "word"));
  });
const heard = (frame, words) => frame.waitForFunction((words) => globalThis.words === words, words);

test("a run is a picture of at most 60 KB with its sentence, and becomes the page when it is touched", async () => {
  const { page, loaded, problems, said, close } = await lecture(`${script()}<blockstep-run example="tx2-table-1">Table 1 of the paper.</blockstep-run>`);
  const element = page.locator("blockstep-run");
  const bytes = await loaded();
  assert.ok(bytes > 10_000 && bytes <= LIMIT, `${bytes} bytes before it is touched`);
  assert.equal(page.frames().length, 1);
  const picture = element.locator("img");
  await until(() => picture.evaluate((img) => img.complete && img.naturalWidth), (width) => width > 600);
  assert.match(await picture.getAttribute("alt"), /Table 1/);
  const sentence = await element.locator(".step").innerText();
  assert.match(sentence, /^Step \d+ of \d+, .+: .+\.$/);
  assert.ok(await page.getByText("Table 1 of the paper.").isVisible());
  assert.deepEqual(await element.evaluate((run) => getComputedStyle(run.shadowRoot.querySelector(".bar")).display), "flex", "its style is there");

  // By the keyboard, which then is the run's.
  await page.keyboard.press("Tab");
  const button = page.getByRole("button", { name: /^Step through it: Blockstep: .*Table 1/ });
  assert.ok(await button.evaluate((button) => button.getRootNode().activeElement === button));
  await page.keyboard.press("Enter");
  await opened(page);
  assert.ok(!(await picture.isVisible()) && !(await element.locator(".step").isVisible()));
  assert.ok(await page.getByText("Table 1 of the paper.").isVisible());
  assert.match(await element.locator("iframe").getAttribute("title"), /Table 1/);
  await fits(page, "nothing scrolls in the frame");

  // It opens at the step of the picture, and tells of each step.
  const [first] = await said("step");
  assert.equal(sentence, `Step ${first.step} of ${first.steps}, ${sentence.split(", ")[1].split(":")[0]}: ${first.sentence}`);
  const [run] = await said("run");
  assert.match(run.run, /Table 1/);
  assert.equal(run.steps, first.steps);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((step) => said.some((one) => one.kind === "step" && one.step === step), first.step + 1);
  const last = (await said("step")).at(-1);
  assert.equal(last.sentence, await frameOf(page).locator(".now-sentence").innerText());
  assert.ok(last.sentence.length > 10 && last.sentence !== first.sentence && last.time_ns >= first.time_ns);
  assert.deepEqual((await said("ready")).map(({ of }) => of), ["BLOCKSTEP-RUN"]);
  assert.equal((await said("run")).length, 1, "no other run is told of first");

  // As high as it needs to be wherever the reader goes, and no lower again, so that the page stays where it is.
  const height = () => element.locator("iframe").evaluate((frame) => frame.offsetHeight);
  for (const key of ["End", "Home"]) {
    const before = await height();
    await page.keyboard.press(key);
    await fits(page, key);
    assert.ok((await height()) >= before, key);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.frames()[1].waitForFunction(() => innerWidth <= 390);
  await fits(page, "on a phone");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.frames()[1].waitForFunction(() => innerWidth > 600);
  await fits(page, "on a desk again");

  // The wheel scrolls the page around.
  await page.evaluate(() => document.body.append(Object.assign(document.createElement("div"), { textContent: "." })));
  await page.locator("main").evaluate((main) => main.style.setProperty("margin-bottom", "3000px"));
  await page.evaluate(() => scrollTo(0, 0));
  const box = await element.locator("iframe").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await until(
    async () => {
      await page.mouse.wheel(0, 300);
      return page.evaluate(() => scrollY);
    },
    (scrolled) => scrolled > 100,
  );

  // On paper it is the picture.
  await page.emulateMedia({ media: "print" });
  assert.ok((await picture.isVisible()) && !(await element.locator("iframe").isVisible()) && (await element.locator(".step").isVisible()));
  assert.deepEqual(problems(), []);
  await close();
});

test("messages of anybody else are ignored, on both sides", async () => {
  const { page, problems, said, close } = await lecture(`${script()}<blockstep-run example="tx2-table-1" view="timeline"></blockstep-run><iframe id=other src="${site.url}blockstep-run.js"></iframe>`);
  const element = page.locator("blockstep-run");
  await element.locator(".picture").click({ position: { x: 20, y: 20 } });
  await opened(page);
  const inner = page.frames().find((frame) => frame.url().includes("embed=timeline"));
  await inner.locator("#timeline").waitFor();
  assert.ok(!(await inner.locator("#queues").isVisible()));
  const before = { steps: (await said("step")).length, height: await element.locator("iframe").evaluate((frame) => frame.style.height) };
  const forged = [{ blockstep: 1, type: "height", height: 5000, width: 1 }, { blockstep: 1, type: "step", step: 999 }, "height", null, { blockstep: 1, type: "constructor" }];
  await listens(page);
  await listens(inner);
  await page.evaluate((forged) => forged.forEach((one) => postMessage(one, "*")), [...forged, "word"]);
  const other = page.frames().find((frame) => frame.url().endsWith("blockstep-run.js"));
  await other.evaluate((forged) => forged.forEach((one) => parent.postMessage(one, "*")), [...forged, "word"]);
  await heard(page, 2);
  assert.equal((await said("step")).length, before.steps);
  assert.equal(await element.locator("iframe").evaluate((frame) => frame.style.height), before.height);

  // The page around may ask for a step; beyond the end it is the end. Another window may not.
  const count = (await said("step"))[0].steps;
  for (const [asked, reached] of [[3, 3], [0, 0], [1e9, count], [-5, 0], ["2", 2]]) {
    await element.evaluate((run, asked) => run.go(asked), asked);
    await page.waitForFunction((reached) => said.filter(({ kind }) => kind === "step").at(-1).step === reached, reached);
  }
  // Of many requests at once the last one is answered.
  const told = (await said("step")).length;
  await element.evaluate((run) => Array.from({ length: 1000 }, (_, i) => i % 20).concat(4).forEach((step) => run.go(step)));
  await page.waitForFunction(() => said.filter(({ kind }) => kind === "step").at(-1).step === 4);
  await settled(inner);
  assert.ok((await said("step")).length - told < 100, "a thousand requests are not a thousand steps");
  await inner.evaluate(() => [{ blockstep: 1, type: "go", step: 7 }, "word"].forEach((one) => postMessage(one, "*")));
  for (const strange of [{ blockstep: 1, type: "go", step: null }, { blockstep: 1, type: "go", step: "7" }, { blockstep: 2, type: "go", step: 7 }, { type: "go", step: 7 }, 7, "go", [7], "word"]) {
    await element.evaluate((run, strange) => run.shadowRoot.querySelector("iframe").contentWindow.postMessage(strange, "*"), strange);
  }
  await heard(inner, 2);
  // What the frame has to say comes before this.
  await settled(inner);
  await inner.evaluate(() => parent.postMessage("word", "*"));
  await heard(page, 3);
  assert.equal((await said("step")).at(-1).step, 4);
  // The page serves its script as text in the other frame, which is not what this test is about.
  assert.deepEqual(problems(), []);
  await close();
});

test("what is wrong with an element, or its address, is said at its place", async () => {
  const { page, close } = await lecture(
    `${script()}<blockstep-run id=none></blockstep-run>
    <blockstep-run id=code src="javascript:alert(1)"></blockstep-run>
    <blockstep-run id=address src="http://["></blockstep-run>
    <blockstep-run id=example example="tx2-table-9"></blockstep-run>
    <blockstep-run id=step example="tx2-table-1" step="soon"></blockstep-run>
    <blockstep-run id=view example="tx2-table-1" view="cinema"></blockstep-run>
    <blockstep-run id=elsewhere src="${origin}/nowhere/#v1=abc"></blockstep-run>
    <blockstep-run id=forbidden src="http://127.0.0.1:9/#v1=abc"></blockstep-run>
    <blockstep-run id=damaged src="#v1=abc"></blockstep-run>`,
  );
  const says = (id) => page.locator(`#${id} .problem`);
  for (const [id, words] of [
    ["none", /needs src/],
    ["code", /javascript: and a frame shows only http/],
    ["address", /src="http:\/\/\[" is no address/],
    ["example", /"tx2-table-9" is none of the built-in ones: cuda-connections, .*edf-fig-1, .*tx2-table-1, /],
    ["step", /step="soon" is not a whole number/],
    ["view", /view="cinema" is none of both, timeline, queues/],
  ]) {
    assert.match(await says(id).innerText(), words);
    assert.equal(await says(id).getAttribute("role"), "alert");
    assert.ok(!(await page.locator(`#${id} button`).isVisible()), "there is nothing to step through");
  }
  for (const id of ["elsewhere", "forbidden"]) {
    assert.ok(!(await says(id).isVisible()), id);
    await page.locator(`#${id} button`).click();
    await says(id).waitFor();
    assert.match(await says(id).innerText(), /Blockstep did not answer/);
    assert.match(await says(id).locator("a").getAttribute("href"), /#v1=abc$/);
    assert.ok(await page.locator(`#${id} button`).isEnabled(), "it can be tried again");
  }
  // A damaged link is the page's to explain.
  await page.locator("#damaged button").click();
  const frame = page.frameLocator("#damaged iframe");
  await frame.locator(".share-problem").waitFor();
  await page.waitForFunction(() => said.some(({ kind, message }) => kind === "error" && /damaged/.test(message)));
  // Mended, it says nothing any more.
  await page.locator("#view").evaluate((run) => run.setAttribute("view", "queues"));
  assert.ok(!(await says("view").isVisible()));
  await close();
});

test("the code that the page gives shows what was on screen, in a page that allows no styles", async () => {
  const { page, problems, close } = await site.open();
  await page.evaluate(() => (location.hash = ""));
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  const at = await step(page);
  await shareAt(page, "embed");
  const tool = page.locator("#tool-share");
  await page.waitForFunction(() => document.querySelector("#tool-share textarea")?.value.includes("<blockstep-run"));
  for (const restricted of [false, true]) {
    if (restricted) {
      await tool.locator("[name=sandbox]").check();
      await page.waitForFunction(() => / sandbox>/.test(document.querySelector("#tool-share textarea").value));
    }
    const code = await tool.locator("textarea").inputValue();
    const other = await lecture(code);
    const bytes = await other.loaded();
    assert.ok(bytes > code.length && bytes <= LIMIT, `${bytes} bytes`);
    const run = other.page.locator("blockstep-run");
    const svg = run.locator("svg");
    assert.ok((await svg.boundingBox()).width > 600);
    assert.match(await run.innerText(), new RegExp(`Step ${at.position} of ${at.count}`));
    await other.page.getByRole("button", { name: /^Step through it: Blockstep: / }).click();
    await opened(other.page);
    assert.equal((await other.said("step"))[0].step, at.position);
    assert.equal((await other.said("run"))[0].run, await page.locator("#scenario-name").inputValue());
    assert.equal((await run.locator("iframe").getAttribute("sandbox")) !== null, restricted);
    await fits(other.page, code);
    assert.deepEqual(other.problems(), []);
    await other.close();
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a frame that is restricted too much says so", async () => {
  const { page, close } = await lecture(`<iframe width=700 height=300 sandbox="allow-scripts" src="${site.url}#example=tx2-table-1&embed=both"></iframe>`);
  await page.frameLocator("iframe").getByText("without allow-same-origin").waitFor();
  await close();
});
