// Panes beside the run: what is new in one starts at its top, nothing in them or around them tells an answer early, what is empty can be
// filled at once, and two runs stand under each other.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, cell, filledTool, paste, says, settled, start, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

/** A small window of a laptop. */
const LAPTOP = { viewport: { width: 1366, height: 657 } };

/** Scrolls the panes to their end, as one who reads them to the end does. */
async function readToEnd(page) {
  await settled(page);
  await page.locator("#stage-side").evaluate((side) => side.scrollTo(0, side.scrollHeight));
}

/** Whether the top of a pane is in sight. */
async function startsAtTop(page, pane, what) {
  await settled(page);
  const { top, from, to } = await page.evaluate((pane) => {
    const side = document.querySelector("#stage-side").getBoundingClientRect();
    return { top: document.querySelector(pane).getBoundingClientRect().top, from: side.top, to: side.bottom };
  }, pane);
  assert.ok(top >= from - 1 && top < to - 60, `${what}: its top is at ${top}, in sight is ${from} to ${to}`);
}

test("a pane that gets other content starts at its top", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  // Predict: each question, and what is said of each answer.
  const quiz = await filledTool(page, "quiz");
  await readToEnd(page);
  await quiz.getByRole("button", { name: "Start", exact: true }).click();
  for (let question = 1; question <= 3; question += 1) {
    await says(page, "quiz", new RegExp(`Question ${question} of`));
    await startsAtTop(page, "#tool-quiz", `question ${question}`);
    await quiz.locator("fieldset.quiz input").last().check();
    await readToEnd(page);
    await quiz.getByRole("button", { name: "Answer", exact: true }).click();
    await says(page, "quiz", /Right:|Not quite/);
    await startsAtTop(page, "#tool-quiz", `what is said of answer ${question}`);
    await quiz.locator("summary").click();
    await readToEnd(page);
    await quiz.getByRole("button", { name: "Next question" }).click();
  }
  await quiz.getByRole("button", { name: "Give up the quiz" }).click();
  await says(page, "quiz", /given up/);
  await startsAtTop(page, "#tool-quiz", "the result");
  await quiz.getByRole("button", { name: "Close" }).click();
  // A tour: each stop.
  const tour = page.locator("#tool-tour");
  await page.evaluate(() => (location.hash = "#tour=tx2-fig-4"));
  await tour.locator("select[name=stop]").waitFor();
  for (let stop = 2; stop <= 4; stop += 1) {
    await readToEnd(page);
    await tour.locator("select[name=stop]").selectOption(String(stop));
    await until(() => tour.locator("select[name=stop]").inputValue(), (value) => value === String(stop));
    await startsAtTop(page, "#tool-tour", `stop ${stop}`);
  }
  await tour.getByRole("button", { name: "Close" }).click();
  // "Why not now?": each operation. The panel that comes is in sight, too.
  const [first, second] = await page.locator("#queues [data-op]").evaluateAll((ops) => [...new Set(ops.map((op) => op.dataset.op))]);
  for (const op of [first, second]) {
    await readToEnd(page);
    await page.locator(`#queues [data-op="${op}"]`).first().click();
    await startsAtTop(page, "#tool-ask", `operation ${op}`);
  }
  // Help, whose button stands at its end.
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await settled(page);
  assert.equal(await page.locator("#keys").evaluate((dialog) => dialog.scrollTop), 0);
  assert.ok(await page.locator("#keys").evaluate((dialog) => dialog.scrollHeight > dialog.clientHeight), "it is longer than the window");
  assert.deepEqual(problems, []);
  await close();
});

for (const [stop, below] of [["lp-fig-1/2", "#tool-ask .why-fit"], ["edf-fig-4/8", "#tool-figure"]]) {
  test(`a stop of a tour stays in sight above what it opens: ${stop}`, async () => {
    const { page, close } = await site.open({ context: LAPTOP, url: `${site.url}#tour=${stop}` });
    await page.locator(below).waitFor({ state: "attached" });
    await startsAtTop(page, "#tool-tour", stop);
    await close();
  });
}

test("while a question is open, no bookmark and no title of a later stop tells the answer", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  await page.evaluate(() => (location.hash = "#tour=edf-fig-1/5"));
  const tour = page.locator("#tool-tour");
  await tour.locator(".tour-choices button").first().waitFor();
  await settled(page);
  assert.ok(await page.locator("#veil").isHidden(), "what comes is not hidden at this stop");
  for (const id of ["bookmarks", "intro-text"]) {
    assert.ok(await page.locator(`#${id}`).isHidden(), id);
  }
  // Away from the stop they are of another step, or of another example.
  await page.locator("#first").click();
  await tour.locator(".tour-away").waitFor();
  await settled(page);
  assert.ok(await page.locator("#bookmarks").isVisible());
  await tour.getByRole("button", { name: "Return to this stop" }).click();
  await tour.locator(".tour-away").waitFor({ state: "hidden" });
  assert.ok(await page.locator("#bookmarks").isHidden());
  const titles = () => tour.locator("select[name=stop] option").allInnerTexts();
  assert.ok((await titles()).slice(5).every((title) => /^\d+\. After your answer$/.test(title)), (await titles()).join("\n"));
  await tour.locator(".tour-choices button").first().click();
  await says(page, "tour", /Right\.|Not quite/);
  await settled(page);
  assert.ok(await page.locator("#bookmarks").isVisible());
  assert.ok((await titles()).every((title) => !/After your answer/.test(title)));
  assert.deepEqual(problems, []);
  await close();
});

/** Notes when a run is seen: a timeline without the veil. Workers are asked a second late. */
function watchForRun() {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...message) {
    setTimeout(() => postMessage.apply(this, message), 1000);
  };
  globalThis.__seen = 0;
  setInterval(() => {
    const [place, veil] = ["#timeline-place", "#veil"].map((id) => document.querySelector(id));
    if (place && getComputedStyle(place).visibility === "visible" && veil.hidden) globalThis.__seen += 1;
  }, 1);
}

test("a link to an exercise or a quiz never shows the run before it hides it", async () => {
  const maker = await site.open();
  await maker.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const exercise = await filledTool(maker.page, "exercise");
  await exercise.getByRole("button", { name: "Suggest questions" }).click();
  await maker.page.locator(".exercise-list > li").first().waitFor();
  await exercise.getByRole("button", { name: "Copy link" }).click();
  await maker.page.waitForFunction(() => /clipboard/i.test(document.querySelector("#notices").innerText));
  const link = await maker.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v2=/);
  await maker.close();
  for (const [url, said] of [[link, /questions/], [`${site.url}#quiz=seed%3D7%26n%3D3%26kinds%3Dall&on=tx2-table-1`, /Question 1 of 3/]]) {
    const { page, problems, close } = await site.open();
    await page.addInitScript(watchForRun);
    await page.goto("about:blank");
    await page.goto(url);
    await says(page, "quiz", said);
    await settled(page);
    assert.ok(await page.locator("#veil").isVisible());
    assert.equal(await page.evaluate(() => globalThis.__seen), 0, "times at which a run was seen");
    assert.deepEqual(problems, []);
    await close();
  }
});

test("a new table has a row to type in, and takes cells at once", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  await page.locator("#example").selectOption("new");
  await until(() => page.evaluate(() => document.activeElement.dataset.cell), (focused) => focused === "kernels:0:0");
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 1);
  const [of, bar] = await Promise.all([cell(page, 0, "name"), page.locator(".transport")].map((place) => place.boundingBox()));
  assert.ok(of.y + of.height <= bar.y, `the bar of steps at ${bar.y} covers the cell that ends at ${of.y + of.height}`);
  await page.keyboard.type("Mine");
  await settled(page);
  assert.equal(await cell(page, 0, "name").inputValue(), "Mine");
  await page.locator("#example").focus();
  await page.locator("#example").selectOption("new");
  await until(() => cell(page, 0, "name").inputValue(), (name) => name === "K1");
  await until(() => page.evaluate(() => document.activeElement.dataset.cell), (focused) => focused === "kernels:0:0");
  await paste(page.locator(":focus"), "Kernel\tBlocks\tThreads\tTime per block (ms)\nA\t4\t64\t1\nB\t8\t32\t2\n");
  await page.locator("#preview-take").click();
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 2);
  // What can be done is said where nothing is yet.
  const find = await filledTool(page, "find");
  await says(page, "find", /Press Find to look for/);
  await find.getByRole("button", { name: "Close" }).click();
  assert.deepEqual(problems, []);
  await close();
});

test("two runs of Table 1 stand under each other on a laptop, on one scale and with lanes of one height", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  await settled(page);
  await page.locator("#compare").click();
  await page.waitForSelector(".compare-picture svg");
  // It has the height that goes with the timeline's, which has given up some of its own for it.
  const heightOfOther = () => page.locator(".compare-picture svg").evaluate((svg) => svg.getBoundingClientRect().height);
  await settled(page);
  const opened = await heightOfOther();
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await heightOfOther(), opened);
  // The one that is offered is on another device.
  await page.locator("#tool-compare").getByRole("button", { name: "FIFO", exact: true }).click();
  await page.locator("#tool-compare .compare-choice button[aria-pressed=true]", { hasNotText: "FIFO" }).click();
  await becomes(() => page.locator(".compare-title").allInnerTexts(), ["Policy: FIFO"]);
  await settled(page);
  const boxes = await page.evaluate(() => {
    const of = (name) => document.querySelector(name).getBoundingClientRect().toJSON();
    return { own: of("#timeline-place"), other: of(".compare-picture svg"), bar: of(".transport"), scrolled: scrollY };
  });
  assert.equal(boxes.scrolled, 0);
  assert.equal(boxes.other.height, boxes.own.height);
  assert.equal(Math.round(boxes.other.x), Math.round(boxes.own.x));
  assert.ok(boxes.other.bottom <= boxes.bar.top, `${boxes.other.bottom} of ${boxes.bar.top}`);
  assert.deepEqual(problems, []);
  await close();
});
