// The page for everyone: axe-core finds no violation in any state of it, light and dark, wide and
// narrow; everything can be done by keyboard; 200 % zoom loses nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { AXE, choosePolicy, filledTool, settled, start, step, TOOLS } from "./page.mjs";

const axe = npmTool("axe-core").source;
let site;
before(async () => (site = await start()));
after(() => site.close());

/** Adds what axe-core has to say against the page as it is, or against a part of it. */
async function audit(page, what, found, part = "html") {
  await settled(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(([part, options]) => window.axe.run(part, options), [part, AXE]);
  found.push(...violations.map((v) => `${what}: ${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => `${n.target}: ${n.failureSummary}`).join("; ")}`));
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing wrong with the page: ${colorScheme}`, async () => {
    const { page, problems, close } = await site.open({ context: { colorScheme } });
    const found = [];
    await audit(page, "as it opens", found);
    for (const name of ["until", ...TOOLS]) {
      await filledTool(page, name);
      await audit(page, name, found, `#tool-${name}`);
      await page.locator(`#tool-${name} button[aria-label=Close]`).click();
    }
    await page.locator('#waiting .waiting-name').first().click();
    await page.waitForFunction(() => document.querySelector("#tool-ask .tool-body")?.childElementCount > 0);
    await audit(page, "ask", found);
    const place = await page.locator("#timeline").boundingBox();
    await page.mouse.click(place.x + place.width * 0.3, place.y + place.height * 0.3);
    await page.getByText(/start here and now/).waitFor();
    await audit(page, "why here, why then", found);
    const csv = "Kernel,Stream,Start (ms),Blocks,Threads,Time per block (ms)\nA,S1,0,4,many,1.5\nB,S2,2,8,256,3\n";
    await page.locator("#open-file").setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.locator("#preview table").waitFor();
    await audit(page, "the preview of a spreadsheet", found);
    await page.keyboard.press("Escape");
    for (const policy of ["fifo", "runlist", "edf"]) {
      await choosePolicy(page, policy);
      await audit(page, policy, found);
    }
    await page.locator("#results summary").first().click();
    await page.waitForSelector("#results-body table");
    await audit(page, "results", found);
    await page.locator("#study summary").first().click();
    await page.waitForSelector("#study-form select");
    await audit(page, "schedulability", found);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await audit(page, "the list of keys", found);
    assert.deepEqual(found, []);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("axe-core finds nothing wrong with a laptop's window beside the exercise maker", async () => {
  const { page, close } = await site.open({ context: { viewport: { width: 1366, height: 657 } } });
  const found = [];
  await filledTool(page, "exercise");
  await audit(page, "exercise", found);
  assert.deepEqual(found, []);
  await close();
});

for (const width of [1440, 390]) {
  test(`axe-core finds nothing wrong with a quiz, a tour that is presented, and frames: ${width} px`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height: 800 } } });
    const found = [];
    const says = (name, words) =>
      page.waitForFunction(([name, words]) => (document.querySelector(`#tool-${name} .tool-body`)?.innerText ?? "").includes(words), [name, words]);
    await filledTool(page, "quiz");
    const quiz = page.locator("#tool-quiz");
    await quiz.locator("select").first().selectOption("5");
    await quiz.getByRole("button", { name: "Start" }).click();
    await says("quiz", "Question 1 of");
    await audit(page, "a question", found);
    await quiz.locator("[type=radio]").first().check();
    await quiz.getByRole("button", { name: "Answer" }).click();
    await says("quiz", "Next question");
    await audit(page, "what was right", found);
    await quiz.getByRole("button", { name: "Give up the quiz" }).click();
    await says("quiz", "given up");
    await audit(page, "the result", found);
    await quiz.locator("button[aria-label=Close]").click();
    await filledTool(page, "tour");
    await page.locator("#tool-tour").getByRole("button").nth(1).click();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("p");
    await page.waitForSelector("[data-presenting]");
    await audit(page, "a tour that is presented", found);
    await page.keyboard.press("Escape");
    await page.locator("#tool-tour button[aria-label=Close]").click();
    await page.keyboard.press("p");
    await audit(page, "presented", found);
    await filledTool(page, "share");
    await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
    const address = await page.locator("#tool-share .tool-body input[readonly]").inputValue();
    for (const view of ["both", "timeline", "queues"]) {
      await page.goto("about:blank");
      await page.goto(`${address}&embed=${view}`);
      await page.waitForFunction(() => document.querySelector("#scenario-name")?.value.includes("Table 1"));
      await audit(page, `a frame: ${view}`, found);
    }
    assert.deepEqual(found, []);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("axe-core finds nothing wrong with the page on a telephone", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 390, height: 800 }, hasTouch: true } });
  const found = [];
  await audit(page, "as it opens", found);
  for (const view of ["queues", "steps", "timeline"]) {
    await page.locator(`.small-tabs [data-view=${view}]`).click();
    await audit(page, `the tab ${view}`, found);
  }
  for (const name of ["until", ...TOOLS]) {
    await filledTool(page, name);
    await audit(page, name, found, `#tool-${name}`);
    await page.locator(`#tool-${name} button[aria-label=Close]`).click();
  }
  assert.deepEqual(found, []);
  assert.deepEqual(problems, []);
  await close();
});

/** Presses Tab until something has the focus, as a user without a pointer does. */
async function tabTo(page, css) {
  await settled(page);
  for (let presses = 0; presses < 250; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, css)) return;
  }
  assert.fail(`Tab does not lead to ${css}`);
}

test("load, edit, step, ask, compare and export by keyboard alone", async () => {
  const { page, problems, close } = await site.open();
  await tabTo(page, "#example");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.includes("Table 2"));
  await tabTo(page, '#kernels tbody tr:first-child [data-field="blocks"] input');
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("8");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#reset"));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  for (let i = 0; i < 12; i += 1) await page.keyboard.press("ArrowRight");
  assert.equal((await step(page)).position, 12);
  await page.waitForFunction(() => document.querySelector("#announcer").textContent.length > 0);
  await tabTo(page, "#waiting .waiting-name");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#tool-ask .tool-body")?.childElementCount > 0);
  await tabTo(page, "#tool-ask [data-step]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("#step-at").textContent.match(/^12$/));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("c");
  await page.waitForFunction(() => document.querySelector("#wide-compare svg"));
  await settled(page);
  assert.ok(await page.evaluate(() => document.activeElement?.closest("#tool-compare")), "the panel that opened has the focus");
  await tabTo(page, "#tool-compare button[aria-label=Close]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => (document.querySelector("#tool-compare")?.hidden ?? true) && (document.querySelector("#wide-compare")?.hidden ?? true));
  await page.keyboard.press("Control+Home");
  await tabTo(page, "#save-scenario");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.match(download.suggestedFilename(), /\.json$/);
  assert.deepEqual(problems, []);
  await close();
});

// A window of 1280 × 900 px at 200 % is one of 640 × 450 px.
test("at 200 % zoom nothing is lost and nothing scrolls sideways", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 } });
  const sideways = () => page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
  assert.equal(await sideways(), 0);
  for (const name of ["until", ...TOOLS]) {
    await filledTool(page, name);
    assert.equal(await sideways(), 0, name);
    const head = await page.locator(`#tool-${name} h2`).boundingBox();
    assert.ok(head.width > 0 && head.x >= 0 && head.x + head.width <= 640, name);
    await page.locator(`#tool-${name} button[aria-label=Close]`).click();
  }
  for (const id of ["#play", "#undo", "#policy", "#timeline", "#queues", "#kernels", "#step-rows"]) {
    assert.ok(await page.locator(id).isVisible(), id);
  }
  assert.deepEqual(problems, []);
  await close();
});
