// Teaching: nothing answers an open question before it is answered or given up; a teacher makes an exercise by clicks, a student
// follows its link and saves a result, and the page of the class makes a table of many.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { drop, filledTool, openScenario, openTool, reload, says, settled, start, step } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

/** A page with a quiz of five questions at its first one. */
async function quizOf(page, name = "") {
  const quiz = await filledTool(page, "quiz");
  await quiz.locator("input[name=student]").fill(name);
  await quiz.getByRole("button", { name: "Start", exact: true }).click();
  await says(page, "quiz", /Question 1 of 5/);
  await settled(page);
  return quiz;
}

test("no way leads past an open question", async () => {
  const { page, problems, close } = await site.open();
  const quiz = await quizOf(page);
  const { position } = await step(page);
  const veiled = async (what) => {
    await settled(page);
    assert.equal((await step(page)).position <= position, true, `${what}: step ${(await step(page)).position}, asked at ${position}`);
    assert.ok(await page.locator("#veil").isVisible(), what);
    await page.locator("#kept").waitFor();
    assert.match(await page.locator("#kept").innerText(), /give it up/, what);
    await page.locator("#kept button[aria-label=Dismiss]").click();
  };
  const blur = () => page.evaluate(() => document.activeElement.blur());
  for (const key of ["ArrowRight", "End", ".", "Space"]) {
    await blur();
    await page.keyboard.press(key);
    if (key === "Space") await page.locator("#kept").waitFor();
    await veiled(`key ${key}`);
  }
  for (const id of ["forward", "last", "next-instant", "play"]) {
    await page.locator(`#${id}`).click();
    if (id === "play") await page.locator("#kept").waitFor();
    await veiled(`button ${id}`);
  }
  await page.locator("#scrubber").evaluate((slider) => {
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await veiled("slider");
  for (const typed of ["8 s", "#60", "K6 ends"]) {
    await page.locator("#jump").fill(typed);
    await page.locator(".jump button").click();
    await veiled(`jump to ${typed}`);
  }
  // A click on the axis, right of the line.
  const place = await page.locator("#timeline-place").boundingBox();
  await page.locator("#timeline-place").click({ position: { x: place.width * 0.9, y: place.height - 12 } });
  await veiled("axis");
  // Undo, by key and button, of an edit before the quiz.
  assert.ok(await page.locator("#undo").isDisabled());
  await blur();
  await page.keyboard.press("Control+z");
  await veiled("undo");
  // Another scenario: the list, a file, a link.
  assert.ok(await page.locator("#example").evaluate((e) => e.inert) && (await page.locator("#editors").evaluate((e) => e.inert)));
  const file = Buffer.from(JSON.stringify({ version: 1, name: "Other", kernels: [{ name: "K", blocks: 1, threads_per_block: 32, block_time_ns: 5 }] }));
  await page.locator("#open-file").setInputFiles({ name: "other.json", mimeType: "application/json", buffer: file });
  await veiled("file");
  assert.doesNotMatch(await page.locator("#scenario-name").inputValue(), /Other/);
  await page.evaluate(() => (location.hash = "#rules=&on=tx2-table-2"));
  await veiled("link");
  assert.equal(await page.evaluate(() => location.hash), "", "and a reload does not follow it");
  // Tools that look ahead, lead elsewhere or show keys say nothing.
  for (const name of ["ask", "compare", "until", "rules", "find", "hang", "tour", "exercise", "measured"]) {
    await openTool(page, name);
    await says(page, name, /^Answer the question to see more\.$/);
    await page.locator(`#tool-${name} button[aria-label=Close]`).click();
  }
  await page.locator("#share").click();
  await says(page, "share", /^Answer the question to see more\.$/);
  for (const [tab, name] of [["Image", "figure"], ["Data", "export"]]) {
    await page.locator(".tool").getByRole("tab", { name: tab }).or(page.locator(".tool").getByRole("button", { name: tab, exact: true })).first().click();
    await says(page, name, /^Answer the question to see more\.$/);
  }
  await page.locator("#tool-export button[aria-label=Close]").click();
  for (const id of ["results", "study", "bookmarks", "intro-text"]) {
    assert.ok(await page.locator(`#${id}`).isHidden(), id);
  }
  const future = page.locator(".step.future").first();
  assert.ok((await page.locator(".step.future").count()) === 0 || (await future.isHidden()), "later steps");
  // Nothing of the future is painted either, under the veil.
  await page.evaluate(() => document.querySelector("#veil").remove());
  const painted = await page.locator("#timeline").evaluate((canvas) => {
    const line = document.querySelector("#cursor-line").getBoundingClientRect();
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    const from = Math.round((line.left + line.width / 2 - box.left + 4) * ratio);
    const height = Math.round(canvas.height * 0.55);
    const pixels = canvas.getContext("2d").getImageData(from, 0, canvas.width - from, height).data;
    let coloured = 0;
    for (let i = 0; i < pixels.length; i += 4) coloured += Math.max(pixels[i], pixels[i + 1], pixels[i + 2]) - Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) > 60;
    return coloured;
  });
  assert.equal(painted, 0, "pixels of blocks after the question");
  // A reload shows nothing either.
  await reload(page);
  assert.ok(await page.locator("#veil").isVisible());
  await says(page, "quiz", /Question 1 of 5/);
  // Giving up from the message is recorded.
  await page.keyboard.press("End");
  await page.locator("#kept").getByRole("button", { name: "Give up this question" }).click();
  await says(page, "quiz", /What happened:/);
  assert.ok(await page.locator("#veil").isVisible(), "between questions");
  await quiz.getByRole("button", { name: "Give up the quiz" }).click();
  await says(page, "quiz", /0 of 5 right\.[\s\S]*5 given up/);
  assert.ok(await page.locator("#veil").isHidden());
  assert.ok(!(await page.locator("#editors").evaluate((e) => e.inert)));
  assert.deepEqual(problems, []);
  await close();
});

test("an exercise is made by clicks, answered by its link, and read by the class page", async () => {
  const { page, problems, close } = await site.open({ begins: true });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const maker = await filledTool(page, "exercise");
  for (let asked = 0; asked < 3; asked += 1) {
    const { position } = await step(page);
    await maker.getByRole("button", { name: "Next decision" }).click();
    await page.waitForFunction((before) => Number(document.querySelector("#step-at").textContent.replaceAll(",", "")) > before, position);
    await says(page, "exercise", /you can ask/);
    await maker.getByRole("button", { name: "Ask here" }).click();
    await page.waitForFunction((n) => document.querySelectorAll("#tool-exercise .exercise-list > li").length === n, asked + 1);
  }
  await maker.locator("input[name=title]").fill("Warm-up");
  await maker.locator("textarea[name=introduction]").fill("Look at the queues first.");
  await maker.locator("textarea[name=question-text]").nth(1).fill("Think of the null stream.");
  await maker.locator("input[name=pass]").fill("1");
  await maker.locator("input[name=pass]").press("Tab");
  const keys = await maker.locator(".exercise-choices li:has(.exercise-key)").evaluateAll((items) => items.map((item) => item.firstChild.textContent.trim()));
  assert.equal(keys.length, 3, "one key each");
  await maker.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => /clipboard/i.test(document.querySelector("#notices").innerText));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v2=/);
  const [saved] = await Promise.all([page.waitForEvent("download"), maker.getByRole("button", { name: "Save file" }).click()]);
  const exercise = readFileSync(await saved.path(), "utf8");
  assert.equal(saved.suggestedFilename(), "exercise-Warm-up.json");
  assert.ok(!exercise.includes("right"), "no answers in it");
  assert.deepEqual(problems, []);
  await close();

  // A student follows the link.
  const student = await site.open();
  await student.page.goto("about:blank");
  await student.page.goto(link);
  await says(student.page, "quiz", /Look at the queues first\.[\s\S]*3 questions/);
  assert.ok(await student.page.locator("#veil").isVisible(), "before the first question, too");
  const quiz = student.page.locator("#tool-quiz");
  await quiz.locator("input[name=student]").fill("Ada Lovelace");
  await quiz.getByRole("button", { name: "Start", exact: true }).click();
  for (let asked = 0; asked < 3; asked += 1) {
    await says(student.page, "quiz", new RegExp(`Question ${asked + 1} of 3`));
    assert.equal(/Think of the null stream/.test(await quiz.innerText()), asked === 1);
    const choices = await quiz.locator("fieldset.quiz label").allInnerTexts();
    const right = choices.findIndex((choice) => choice.trim() === keys[asked]);
    assert.ok(right >= 0, `${keys[asked]} is offered: ${choices}`);
    if (asked === 2) {
      await quiz.getByRole("button", { name: "Give up this question" }).click();
    } else {
      await quiz.locator("fieldset.quiz input").nth(asked === 0 ? right : (right + 1) % choices.length).check();
      await quiz.getByRole("button", { name: "Answer", exact: true }).click();
    }
    await quiz.getByRole("button", { name: asked === 2 ? "See the result" : "Next question" }).click();
  }
  await says(student.page, "quiz", /1 of 3 right\.[\s\S]*Passed[\s\S]*1 given up/);
  const [file] = await Promise.all([student.page.waitForEvent("download"), quiz.getByRole("button", { name: "Save result" }).click()]);
  const text = readFileSync(await file.path(), "utf8");
  const result = JSON.parse(text);
  assert.deepEqual([result.student, result.exercise, result.score, result.of], ["Ada Lovelace", "Warm-up", 1, 3]);
  assert.deepEqual(student.problems, []);
  await student.close();

  // The same exercise as a file.
  const other = await site.open();
  await other.page.locator("#open-file").setInputFiles({ name: "e.json", mimeType: "application/json", buffer: Buffer.from(exercise) });
  await says(other.page, "quiz", /Warm-up[\s\S]*3 questions/);
  await other.page.locator("#tool-quiz").getByRole("button", { name: "Give up the quiz" }).click();
  await says(other.page, "quiz", /3 given up/);

  // The teacher's page.
  await other.page.goto(`${site.url}#/class`);
  await says(other.page, "class", /Drop the files/);
  assert.equal(await other.page.title(), "Class results · Blockstep");
  const changed = text.replace('"given_up": true', '"given_up": false');
  assert.notEqual(changed, text);
  await drop(other.page, [
    { name: "ada.json", text },
    { name: "changed.json", text: changed },
    { name: "twice.json", text },
    { name: "broken.json", text: "{" },
  ]);
  await says(other.page, "class", /4 files, 3 of them marked/);
  const rows = await other.page.locator("#class-table tbody tr").allInnerTexts();
  assert.match(rows[0], /Ada Lovelace\s+Warm-up[\s\S]*right[\s\S]*wrong[\s\S]*given up[\s\S]*1 of 3/);
  assert.match(rows[1], /This file was changed after it was saved/);
  assert.match(rows[2], /same result as ada\.json/);
  assert.match(rows[3], /broken\.json[\s\S]*not a JSON file/);
  assert.match(await other.page.locator("#class-summary").innerText(), /1 of 1/);
  await other.page.locator("#class-table th button", { hasText: "Student" }).click();
  await other.page.waitForFunction(() => document.querySelector("#class-table th[aria-sort=ascending]")?.innerText.includes("Student"));
  const [csv] = await Promise.all([other.page.waitForEvent("download"), other.page.getByRole("button", { name: "Save as CSV" }).click()]);
  const lines = readFileSync(await csv.path(), "utf8").trim().split("\n");
  assert.equal(lines.length, 5);
  assert.ok(lines.some((line) => /^Ada Lovelace,Warm-up,0,.*,right,wrong,given up,1,3,,ada\.json$/.test(line)), lines.join("\n"));
  await other.page.getByRole("button", { name: "Clear" }).click();
  await other.page.waitForFunction(() => !document.querySelector("#class-table"));
  // Of a large class the rows in sight exist, and the others as they are scrolled to.
  await drop(other.page, Array.from({ length: 300 }, (_, i) => ({ name: `student-${i}.json`, text })));
  await says(other.page, "class", /300 files/);
  assert.ok((await other.page.locator("#class-table tr[data-result]").count()) < 100);
  await other.page.locator(".class-table").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await other.page.locator('#class-table tr[aria-rowindex="301"]').waitFor();
  assert.deepEqual(other.problems, []);
  await other.close();
});

test("each student of an exercise has numbers of their own, which a reload keeps", async () => {
  const { page, problems, close } = await site.open({ begins: true });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const maker = await filledTool(page, "exercise");
  await maker.getByRole("button", { name: "Suggest questions" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#tool-exercise .exercise-list > li").length === 5);
  await maker.getByRole("button", { name: "Add a number" }).click();
  const values = maker.locator("input[name=vary-values]");
  await values.fill("many");
  await values.press("Tab");
  await says(page, "exercise", /Blocks of K1: "many" is not a number/);
  await values.fill("2, 4, 5, 7, 8");
  await values.press("Tab");
  await says(page, "exercise", /possible tables ask every question[\s\S]*different keys/);
  await maker.getByRole("button", { name: "Add a number" }).click();
  await maker.locator("select[name=vary-number]").nth(1).selectOption({ label: "Blocks of K4" });
  await page.waitForFunction(() => document.querySelectorAll("#tool-exercise [name=vary-values]")[1].value === "1 to 8");
  await says(page, "exercise", /40 possible tables/);
  await maker.getByRole("button", { name: "Remove number 2 that differs" }).click();
  await says(page, "exercise", /5 possible tables/);
  await maker.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => /clipboard/i.test(document.querySelector("#notices").innerText));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(problems, []);
  await close();

  const results = [];
  const tables = [];
  for (const name of ["Ada", "Grace", "Alan", "Edsger"]) {
    const student = await site.open();
    await student.page.goto("about:blank");
    await student.page.goto(link);
    await says(student.page, "quiz", /5 questions[\s\S]*come from the name or number that you type/);
    const quiz = student.page.locator("#tool-quiz");
    await quiz.getByRole("button", { name: "Start", exact: true }).click();
    await says(student.page, "quiz", /Type your name or number first/);
    await quiz.locator("input[name=student]").fill(name);
    // The message goes while the button is held down, and moves nothing.
    await quiz.getByRole("button", { name: "Start", exact: true }).hover();
    await student.page.mouse.down();
    await quiz.getByText("Type your name or number first").waitFor({ state: "detached" });
    await student.page.mouse.up();
    await says(student.page, "quiz", /Question 1 of 5/);
    await settled(student.page);
    const numbers = await quiz.locator(".quiz-numbers").innerText();
    const blocks = () => student.page.locator("[data-cell='kernels:0:4']").inputValue();
    assert.equal(numbers, `Your numbers. Blocks of K1: ${await blocks()}.`);
    assert.ok(await student.page.locator("#veil").isVisible());
    if (name === "Ada") {
      // Neither undo nor a reload leads to another table.
      assert.ok(await student.page.locator("#undo").isDisabled());
      await student.page.evaluate(() => document.activeElement.blur());
      await student.page.keyboard.press("Control+z");
      await student.page.locator("#kept").waitFor();
      await reload(student.page);
      await says(student.page, "quiz", /Question 1 of 5/);
      assert.equal(await quiz.locator(".quiz-numbers").innerText(), numbers);
      assert.equal(numbers, `Your numbers. Blocks of K1: ${await blocks()}.`);
      assert.ok(await student.page.locator("#veil").isVisible());
    }
    for (let asked = 0; asked < 5; asked += 1) {
      await says(student.page, "quiz", new RegExp(`Question ${asked + 1} of 5`));
      await quiz.locator("fieldset.quiz input").first().check();
      await quiz.getByRole("button", { name: "Answer", exact: true }).click();
      await quiz.getByRole("button", { name: asked === 4 ? "See the result" : "Next question" }).click();
    }
    await says(student.page, "quiz", new RegExp(`of 5 right[\\s\\S]*Your name: ${name}`));
    const [file] = await Promise.all([student.page.waitForEvent("download"), quiz.getByRole("button", { name: "Save result" }).click()]);
    const text = readFileSync(await file.path(), "utf8");
    const result = JSON.parse(text);
    assert.deepEqual([result.student, `Your numbers. ${result.numbers[0].text}.`], [name, numbers]);
    results.push({ name: `${name}.json`, text });
    tables.push(numbers);
    assert.deepEqual(student.problems, []);
    await student.close();
  }
  assert.ok(new Set(tables).size > 1, tables.join(" "));

  const teacher = await site.open();
  await teacher.page.goto(`${site.url}#/class`);
  await says(teacher.page, "class", /Drop the files/);
  await drop(teacher.page, results);
  await says(teacher.page, "class", /^(?![\s\S]*marked)[\s\S]*4 results\./);
  const rows = await teacher.page.locator("#class-table tbody tr").allInnerTexts();
  assert.ok(rows.every((row, i) => row.includes(tables[i].slice("Your numbers. ".length, -1))), rows.join("\n"));
  assert.deepEqual(teacher.problems, []);
  await teacher.close();
});

test("batch and class are pages with an address, and back leads to the run", async () => {
  const { page, problems, close } = await site.open();
  const { position } = await step(page);
  await filledTool(page, "batch");
  assert.match(page.url(), /#\/batch$/);
  assert.equal(await page.title(), "Batch schedulers · Blockstep");
  await page.goBack();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  assert.doesNotMatch(await page.title(), /Batch/);
  assert.equal((await step(page)).position, position);
  await page.goForward();
  await page.waitForFunction(() => document.documentElement.dataset.page === "batch");
  await reload(page);
  await page.waitForFunction(() => document.documentElement.dataset.page === "batch");
  await page.locator("#tool-batch a", { hasText: "Back to the run" }).click();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page"));
  assert.ok(await page.locator("#timeline").isVisible());
  await filledTool(page, "class");
  assert.match(page.url(), /#\/class$/);
  assert.ok(await page.locator("#timeline").isHidden());
  await page.locator("#tool-class button[aria-label=Close]").click();
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-page") && !location.hash.includes("class"));
  // An old link still opens the tool, with the address of its page.
  await page.goto("about:blank");
  await page.goto(`${site.url}#batch=`);
  await page.waitForFunction(() => document.documentElement.dataset.page === "batch" && location.hash === "#/batch");
  // A page that is none is said.
  await page.evaluate(() => (location.hash = "#/nothing"));
  await page.waitForFunction(() => /There is no page “nothing”/.test(document.querySelector("#notices").innerText));
  assert.deepEqual(problems, []);
  await openScenario(page, { version: 1, name: "Mine", kernels: [{ name: "K", blocks: 1, threads_per_block: 32, block_time_ns: 5 }] });
  await close();
});
