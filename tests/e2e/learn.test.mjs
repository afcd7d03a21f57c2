// The tools beside a run: the ledger of rules, compare, predict, a whole tour, the presenter view, the glossary, links that open
// them, and the hint of a first visit.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { project } from "../../scripts/tools.mjs";
import { filledTool, reload, settled, start, step, timelineName } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

async function filled(page, name) {
  await page.waitForFunction((name) => document.querySelector(`#tool-${name} .tool-body`)?.childElementCount > 0, name);
  await settled(page);
}

/** Waits until a tool says something. */
async function says(page, name, pattern) {
  await page.waitForFunction(
    ([name, source, flags]) => new RegExp(source, flags).test((document.querySelector(`#tool-${name} .tool-body`)?.innerText ?? "")),
    [name, pattern.source, pattern.flags],
  );
}

/** A test in a page of its own, in which nothing went wrong. */
function on(what, does, options) {
  test(what, async () => {
    const { page, problems, close } = await site.open(options);
    await does(page);
    assert.deepEqual(problems, []);
    await close();
  });
}

on("the ledger counts rules, walks through them, and switches one off", async (page) => {
  const rules = await filledTool(page, "rules");
  assert.match(await rules.innerText(), /\d+ of \d+ rules used/);
  await page.keyboard.press("Home");
  await rules.getByRole("button", { name: "Next use of X1" }).click();
  await page.waitForFunction(() => document.querySelector("#step-at").textContent !== "0");
  const first = (await step(page)).position;
  await rules.getByRole("button", { name: "Next use of X1" }).click();
  await page.waitForFunction((first) => Number(document.querySelector("#step-at").textContent) > first, first);
  await rules.getByLabel(/A kernel that does not fit is passed over/).check();
  await says(page, "rules", /K4/);
  await rules.getByRole("button", { name: /compare/i }).click();
  await page.waitForSelector("#wide-compare svg");
  assert.match(await page.locator("#wide-compare").innerText(), /rules changed/i, "it cannot be taken for the real thing");
});

on("one click from the policies compares; differences can be visited", async (page) => {
  await page.locator("#example").selectOption("tx2-table-4");
  await page.waitForFunction(() => document.querySelector("#scenario-name").value.includes("Table 4"));
  await page.locator("#compare").click();
  await page.waitForSelector("#wide-compare svg");
  await settled(page);
  const panel = page.locator("#tool-compare");
  assert.match(await page.locator("#wide-compare").innerText(), /FIFO/);
  await panel.getByRole("button", { name: /first difference/i }).click();
  await settled(page);
  const first = (await step(page)).position;
  await panel.getByRole("button", { name: /next/i }).click();
  await page.waitForFunction((first) => Number(document.querySelector("#step-at").textContent) > first, first);
  assert.ok((await page.locator("#wide-compare table tbody tr").count()) >= 4, "a row for each kernel");
  // Both pictures have one scale: the instants 0 of both stand above each other.
  const [page0, wide] = [await page.locator("#timeline-place").boundingBox(), await page.locator("#wide-compare svg").first().boundingBox()];
  assert.ok(Math.abs(page0.x - wide.x) < 1.5, `${page0.x} and ${wide.x}`);
  await panel.locator("label", { hasText: /decision/i }).click();
  await settled(page);
  await page.locator("#forward").click();
  await page.waitForSelector("#wide-compare svg");
  // Before and after an edit.
  await panel.getByRole("button", { name: /pin/i }).click();
  await page.locator('#kernels tbody tr:first-child [data-field="blocks"] input').fill("2");
  await page.waitForFunction(() => /before the edit/i.test(document.querySelector("#wide-compare").innerText));
  const [csv] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: "Save as CSV" }).click()]);
  assert.match(csv.suggestedFilename(), /\.csv$/);
  const [figure] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: "Save figure" }).click()]);
  assert.match(readFileSync(await figure.path(), "utf8"), /^<svg[\s\S]*<\/svg>\s*$/);
  await panel.locator("button[aria-label=Close]").click();
  await page.waitForFunction(() => (document.querySelector("#wide-compare")?.hidden ?? true));
});

on("the program lights the call of the step, selects rows, and is saved", async (page) => {
  const program = await filledTool(page, "program");
  // At inset (a), and then where the first block of K4 begins.
  await page.locator("#jump").fill("K4 starts");
  await page.locator(".jump button").click();
  await page.waitForFunction(() => /kernel_K4\.of_job/.test(document.querySelector("#tool-program .is-lit")?.textContent ?? ""));
  const inSight = () => {
    const line = document.querySelector("#tool-program .is-lit")?.getBoundingClientRect();
    const box = document.querySelector("#tool-program .program").getBoundingClientRect();
    return line && line.top >= box.top && line.bottom <= box.bottom;
  };
  await page.waitForFunction(inSight);
  await page.locator("#first").click();
  await page.waitForFunction(() => !document.querySelector("#tool-program .is-lit"));
  await page.locator("#forward").click();
  await page.waitForFunction(() => /const Ns release = start/.test(document.querySelector("#tool-program .is-lit")?.textContent ?? ""));
  await page.waitForFunction(inSight);
  // A line selects its row, and a row marks its lines.
  await program.locator("button", { hasText: "kernel_K5.of_job" }).click();
  await page.waitForFunction(() => document.querySelector("#kernels tbody tr.selected [data-field=name] input")?.value === "K5");
  await page.waitForFunction(() => /^(?!.*kernel_K4).*kernel_K5/s.test([...document.querySelectorAll("#tool-program .is-selected")].map((line) => line.textContent).join(" ")));
  const [file] = await Promise.all([page.waitForEvent("download"), program.getByRole("button", { name: "Save as .cu" }).click()]);
  assert.equal(file.suggestedFilename(), "TX2-Table-1-basic-scheduling-rules-program.cu");
  const text = readFileSync(await file.path(), "utf8").split("\n");
  const shown = await program.locator("li").evaluateAll((lines) => lines.map((line) => [line.value, line.textContent.trimEnd()]));
  assert.ok(shown.length > 100 && shown.every(([number, line]) => text[number - 1].trimEnd() === line));
  // What is edited is said anew.
  await page.locator('#kernels tbody tr:first-child [data-field="blocks"] input').fill("5");
  await page.waitForFunction(() => /<<<5, 768, 0, stream_S1>>>/.test(document.querySelector("#tool-program").textContent));
  await program.getByRole("button", { name: "Close" }).click();
  await page.waitForFunction(() => !document.querySelector("#tool-program"));
});

on("a quiz hides what comes, judges by the run, and a link starts the same one", async (page) => {
  const quiz = await filledTool(page, "quiz");
  await quiz.locator("select").first().selectOption("5");
  await quiz.getByRole("button", { name: "Start" }).click();
  await says(page, "quiz", /Question 1 of/);
  assert.ok(await page.locator("#veil").isVisible());
  assert.doesNotMatch(await timelineName(page), /K1/, "and is not read out either");
  // Nor can anything of it be pointed at.
  const place = await page.locator("#timeline-place").boundingBox();
  await page.mouse.move(place.x + place.width * 0.8, place.y + 40);
  await settled(page);
  assert.equal(await page.locator("#tip-place").innerText(), "");
  const asked = await quiz.locator("legend").innerText();
  for (let question = 1; ; question += 1) {
    await quiz.locator("input[type=radio]").first().check();
    await page.keyboard.press("Enter");
    await says(page, "quiz", /See the result|Next question/);
    assert.ok((await quiz.locator(".chip").count()) > 0, "the rule that decides");
    assert.ok(await page.locator("#veil").isVisible(), "the veil stays between questions");
    const next = quiz.locator("button.primary");
    const label = await next.innerText();
    await next.click();
    if (!/next/i.test(label)) break;
    await says(page, "quiz", new RegExp(`Question ${question + 1} of`));
    assert.ok(await page.locator("#veil").isVisible());
  }
  await says(page, "quiz", /\d+ of \d+/);
  await page.waitForFunction(() => document.querySelector("#veil").hidden);
  const [file] = await Promise.all([page.waitForEvent("download"), quiz.getByRole("button", { name: "Save result" }).click()]);
  assert.match(file.suggestedFilename(), /^quiz-.*\.json$/);
  const result = JSON.parse(readFileSync(await file.path(), "utf8"));
  assert.deepEqual([result.kind, result.version, result.questions.length], ["blockstep-result", 1, 5]);
  assert.ok(Math.abs(Date.parse(result.ended) - Date.now()) < 600_000, "the time is that of the wall clock");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await quiz.getByRole("button", { name: /link/i }).click();
  await page.waitForFunction(() => /clipboard/i.test(document.querySelector("#notices").innerText));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#quiz=/);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  await says(page, "quiz", /Question 1 of/);
  assert.equal(await page.locator("#tool-quiz legend").innerText(), asked);
  // Closing the panel shows nothing; the way back stays in sight, and giving up ends the quiz.
  await page.locator("#tool-quiz button[aria-label=Close]").click();
  await page.locator("#kept").getByRole("button", { name: "Back to the quiz" }).waitFor();
  assert.ok(await page.locator("#veil").isVisible());
  await page.locator("#kept").getByRole("button", { name: "Give up the quiz" }).click();
  await page.waitForFunction(() => document.querySelector("#veil").hidden);
  await says(page, "quiz", /0 of 5 right/);
});

on("a quiz and a comparison outlive a reload", async (page) => {
  const compare = await filledTool(page, "compare");
  await compare.getByRole("button", { name: /pin/i }).click();
  await says(page, "compare", /Pin again/);
  await compare.locator("button[aria-label=Close]").click();
  const quiz = await filledTool(page, "quiz");
  await quiz.locator("select").first().selectOption("5");
  await quiz.getByRole("button", { name: "Start" }).click();
  await says(page, "quiz", /Question 1 of/);
  await quiz.getByRole("button", { name: "Give up this question" }).click();
  await quiz.getByRole("button", { name: /next/i }).click();
  await says(page, "quiz", /Question 2 of/);
  const asked = await quiz.locator("legend").innerText();
  await reload(page);
  assert.ok(await page.locator("#veil").isVisible(), "at once, without opening the tool");
  await says(page, "quiz", /Question 2 of/);
  assert.equal(await quiz.locator("legend").innerText(), asked);
  assert.ok(await page.locator("#veil").isVisible());
  await quiz.getByRole("button", { name: "Give up the quiz" }).click();
  await says(page, "quiz", /5 given up/);
  await quiz.locator("button[aria-label=Close]").click();
  await filledTool(page, "compare");
  await says(page, "compare", /Pin again/);
});

/** Inset (b) of [TX2] Fig. 4: what is where, box by box. */
const INSET_B = {
  "Stream S1": ["K1", "K2"], "Stream S2": ["K4"], "Stream S3": ["K5", "C5o"], "EE queue": ["K5"],
  "SM 0": ["K1", "K4", "K4"], "SM 1": ["K1", "K4", "K4"],
};

on("an inset of a tour is filled in by taps, on a telephone", async (page) => {
  await page.evaluate(() => (location.hash = "#tour=tx2-fig-4/5"));
  const tour = page.locator("#tool-tour");
  await tour.locator(".inset").waitFor();
  await settled(page);
  assert.ok(await tour.getByRole("button", { name: "Check" }).isDisabled());
  // Nothing is wider than the screen, and everything is large enough for a finger.
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  for (const button of await tour.locator(".inset button").all()) {
    const { width, height } = await button.boundingBox();
    assert.ok(width >= 24 && height >= 24, `${await button.innerText()}: ${width} × ${height}`);
  }
  const { position } = await step(page);
  for (const [label, held] of Object.entries(INSET_B)) {
    for (const name of held) {
      await tour.locator(".inset-piece", { hasText: new RegExp(`^${name}$`) }).tap();
      await tour.locator(".inset-put", { hasText: new RegExp(`^${label}$`) }).tap();
    }
    const last = held.filter((name) => name === held.at(-1)).length;
    const shown = last > 1 ? `${held.at(-1)} ×${last}` : held.at(-1);
    await tour.locator(".inset-box", { hasText: label }).locator(".inset-item", { hasText: shown }).waitFor();
  }
  await tour.getByRole("button", { name: "Check" }).tap();
  await says(page, "tour", /Right\. Everything is where the run has it/);
  await settled(page);
  assert.ok((await step(page)).position > position, "the page goes to the moment asked about");
}, { context: { viewport: { width: 390, height: 844 }, hasTouch: true } });

on("an inset of a tour is filled in by keys, and what is misplaced is explained", async (page) => {
  await page.evaluate(() => (location.hash = "#tour=tx2-fig-4/12"));
  const tour = page.locator("#tool-tour");
  await tour.locator(".inset").waitFor();
  await settled(page);
  const { position } = await step(page);
  await tour.locator(".inset-piece").first().focus();
  // K3: two to the right.
  for (const key of ["ArrowRight", "ArrowRight", "Enter", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await tour.locator(".inset-box", { hasText: "EE queue" }).locator(".inset-item", { hasText: "K3" }).waitFor();
  assert.equal((await step(page)).position, position, "arrows move no steps there");
  await page.waitForFunction(() => /EE queue: K3/.test(document.querySelector("#announce")?.textContent ?? document.body.textContent));
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "K3");
  await tour.getByRole("button", { name: "Check" }).focus();
  await page.keyboard.press("Enter");
  await says(page, "tour", /Not quite\./);
  await says(page, "tour", /K3 is no longer in the EE queue\. All of its blocks have been assigned\. G3/);
  await says(page, "tour", /The answer: Stream S1: K1, K2;/);
});

on("a whole tour: every stop drives the page; leaving and coming back; the presenter view's keys", async (page) => {
  const tour = await filledTool(page, "tour");
  const files = readdirSync(path.join(project, "crates/learn/src/tours"));
  assert.equal(await tour.locator("button.link").count() >= files.length, true, "every tour is listed");
  await tour.locator("button", { hasText: "Fig. 4: " }).first().click();
  await says(page, "tour", /stop 1 of/);
  const stops = await tour.locator("select[name=stop] option").count();
  assert.ok(stops >= 6 && stops <= 12);
  const next = tour.getByRole("button", { name: /^(Next|Finish|Show the answer)$/ });
  const seen = new Set();
  for (let stop = 1; stop < stops; stop += 1) {
    await settled(page);
    seen.add(await page.locator("#step-at").innerText());
    if ((await tour.locator(".tour-choices button, .inset").count()) > 0) {
      assert.ok(await page.locator("#veil").isVisible(), `stop ${stop} asks before it shows`);
      await next.click();
      await page.waitForFunction(() => document.querySelector("#veil").hidden);
      await settled(page);
    }
    await next.click();
    await says(page, "tour", new RegExp(`stop ${stop + 1} of`));
  }
  assert.ok(seen.size >= 5, "it moves through the run");
  await settled(page);
  // Away, and back.
  await page.keyboard.press("Home");
  await says(page, "tour", /return to this stop/i);
  await tour.getByRole("button", { name: /return to this stop/i }).click();
  await page.waitForFunction(() => !/You left this stop/i.test((document.querySelector("#tool-tour .tool-body")?.innerText ?? "")));
  await tour.getByRole("button", { name: "Back", exact: true }).click();
  await says(page, "tour", new RegExp(`stop ${stops - 1} of`));
  await tour.getByRole("button", { name: "Leave the tour" }).click();
  await says(page, "tour", /Resume at stop/);
  await page.locator("#tool-tour button[aria-label=Close]").click();
  await filledTool(page, "tour");
  await tour.getByRole("button", { name: /Resume at stop/ }).first().click();
  await says(page, "tour", new RegExp(`stop ${stops - 1} of`));
  // The presenter view: large, nothing but timeline and queues, and a clicker's keys.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("p");
  await settled(page);
  assert.ok(await page.locator("#open").isHidden());
  assert.ok(await page.locator("#queues").isVisible());
  assert.ok(await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize)) > 16 * 1.3, "larger");
  assert.ok(await page.locator("#now").isVisible(), "with a caption");
  await page.keyboard.press("PageDown");
  await says(page, "tour", new RegExp(`stop ${stops} of`));
  await page.keyboard.press("PageUp");
  await says(page, "tour", new RegExp(`stop ${stops - 1} of`));
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#open").isVisible());
});

on("a click goes where it points to in the presenter view", async (page) => {
  await page.keyboard.press("p");
  await settled(page);
  const place = await page.locator("#timeline-place").boundingBox();
  const line = await page.locator("#cursor-line").boundingBox();
  await page.mouse.click(line.x + line.width / 2, place.y + place.height - 60);
  await settled(page);
  assert.match(await page.locator("#step-time").innerText(), /^(79\d|80\d)[.\d]* ms$/, "the line stands where it is clicked");
  await page.keyboard.press("PageDown");
  await page.waitForFunction(() => document.querySelector("#step-time").textContent === "1.8 s");
});

on("the glossary is one key away; labels of the first screen that are terms lead there, each to its own entry, by keyboard too", async (page) => {
  await page.keyboard.press("g");
  await filled(page, "glossary");
  await page.locator("#tool-glossary input").fill("EE queue");
  await page.keyboard.press("Enter");
  await says(page, "glossary", /EE queue/);
  assert.ok((await page.locator("#tool-glossary dt").count()) > 0);
  await page.locator("#tool-glossary button[aria-label=Close]").click();
  const labels = await page.locator("button.term:not([tabindex])").evaluateAll((all) => all.filter((e) => e.checkVisibility()).map((e) => e.dataset.term));
  for (const term of ["stream", "EE queue", "CE queue", "SM", "copy engine", "thread block", "kernel"]) assert.ok(labels.includes(term), `${term}: ${labels}`);
  for (const term of new Set(labels)) {
    // What opened before takes the focus when it is there.
    await settled(page);
    await page.locator(`button.term[data-term="${term}"]:not([tabindex])`).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((term) => [...document.querySelectorAll("#tool-glossary dt")].map((e) => e.innerText.split("\n")[0].trim()).join().startsWith(term), term);
    assert.equal(await page.locator("#tool-glossary dt").count(), 1, term);
  }
});

on("the hint of a first visit goes for good", async (page) => {
  await page.locator('#hint button:has-text("Dismiss")').click();
  assert.equal(await page.locator("#hint").count(), 0);
  await page.reload();
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal(await page.locator("#hint").count(), 0);
}, { begins: true });

on("the hint of a first visit goes once the reader has begun", async (page) => {
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.innerText), "Start here (3 min)", "the first stop of the keyboard");
  await page.keyboard.press("ArrowRight");
  await page.locator("#hint").waitFor({ state: "detached" });
}, { begins: true });
