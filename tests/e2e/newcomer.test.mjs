// The first screen, as somebody meets it who has never been here: what the page is, what is in sight, the first tour, and that
// the table is edited beside what it changes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, cell, openTool, paste, problemCount, says, settled, start, step, timeline, timelineName } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

const LAPTOP = { viewport: { width: 1366, height: 657 } };

/** Where elements are in the window: top, bottom. */
function places(page, ...selectors) {
  return page.evaluate((selectors) => selectors.map((selector) => {
    const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
    return { selector, top, bottom, height };
  }), selectors);
}

test("the page opens before the first step, says what it is, and needs no reading for the first step", async () => {
  const { page, problems, close } = await site.open({ begins: true });
  assert.equal((await step(page)).position, 0);
  assert.match(await page.locator(".brand").innerText(), /GPU scheduling, step by step/);
  assert.match(await page.locator("#hint").innerText(), /simulates how a GPU schedules kernels/);
  assert.match(await page.locator("#now").innerText(), /Nothing has happened yet/);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal((await step(page)).position, 1);
  assert.match(await page.locator("#now").innerText(), /CPU 0 releases its job/);
  assert.deepEqual(problems, []);
  await close();
});

test("on a laptop timeline, queues, free resources, sentence and rule are in sight together", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  const [bar] = await places(page, "#transport");
  for (const place of await places(page, "#top", "#timeline", ".diagram", "#queues .gauges")) {
    assert.ok(place.top >= 0 && place.bottom <= bar.top + 1, JSON.stringify({ place, bar }));
    assert.ok(place.height > 20, JSON.stringify(place));
  }
  const [top, now] = await places(page, "#top", "#now");
  assert.ok(top.height < 60, "one row of controls");
  assert.ok(now.bottom <= 657);
  // The sentence of the last step, and its rule in full.
  assert.match(await page.locator("#now").innerText(), /issues C5o to stream S3\.[\s\S]*joins the tail of its stream queue at the moment it is issued\./);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing overflows to the side");
  assert.deepEqual(problems, []);
  await close();
});

test("the presenter view of a projector has timeline, queues and caption in sight", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 1280, height: 720 } } });
  await page.keyboard.press("p");
  await settled(page);
  const [bar] = await places(page, "#transport");
  for (const place of await places(page, "#timeline", ".diagram [data-queue]", "#queues .sm", "#queues .queue-items")) {
    assert.ok(place.top >= 0 && place.bottom <= bar.top + 1, JSON.stringify({ place, bar }));
  }
  const cut = await page.locator("#queues .queue, #queues .sm").evaluateAll((boxes, top) => boxes.filter((box) => box.getBoundingClientRect().bottom > top + 1).length, bar.top);
  assert.equal(cut, 0, "no queue is under the bar");
  assert.match(await page.locator("#now").innerText(), /issues C5o to stream S3/);
  assert.equal(await page.locator(".tool:visible").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a lecturer has all of [TX2] Fig. 4 on a projector, and changes it without leaving the view", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 1280, height: 720 } } });
  await page.keyboard.press("p");
  await settled(page);
  // Each part is whole in the window, and its middle and its corners are its own.
  const hidden = await page.evaluate(() => {
    const parts = ["#timeline-place", "#queues .queue", "#queues .sm", "#queues .sm .gauges", ".legend", "#policy", "#now", "#kernels tr[data-row='0'] td[data-field=blocks]", "#leave-presenting"];
    return parts.flatMap((selector) => {
      const elements = [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
      if (elements.length === 0) return [`${selector}: none`];
      return elements.flatMap((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || right <= left) return [`${selector}: ${left},${top} to ${right},${bottom}`];
        const spots = [[(left + right) / 2, (top + bottom) / 2], [left + 4, top + 4], [right - 4, bottom - 4]];
        return spots.flatMap(([x, y]) => {
          const over = document.elementFromPoint(x, y);
          const isOwn = element.contains(over) || over?.contains(element) || over?.closest(".cursor-line, .timeline");
          return isOwn ? [] : [`${selector} at ${x},${y}: ${over?.outerHTML.slice(0, 80)}`];
        });
      });
    });
  });
  assert.deepEqual(hidden, []);
  await cell(page, 0, "blocks").fill("4");
  await page.waitForFunction(() => /K4 starts 800 ms earlier/.test(document.querySelector("#edit-note")?.textContent ?? ""));
  await page.locator("#policy label", { hasText: "FIFO" }).click();
  await page.waitForFunction(() => document.querySelector("#policy input[value=fifo]").checked);
  await settled(page);
  assert.ok(await page.evaluate(() => document.documentElement.hasAttribute("data-presenting")));
  assert.deepEqual(problems, []);
  await close();
});

test("an edit is never out of sight of what it does", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  const blocks = cell(page, 5, "blocks");
  await blocks.scrollIntoViewIfNeeded();
  await blocks.focus();
  await settled(page);
  const [timeline, row, bar] = await places(page, "#timeline", "#kernels tr[data-row='5']", "#transport");
  assert.ok(timeline.top >= 0 && timeline.bottom <= row.top + 1, JSON.stringify({ timeline, row }));
  assert.ok(row.bottom <= bar.top + 1, JSON.stringify({ row, bar }));
  assert.deepEqual(problems, []);
  await close();
});

test("an edit says what it does to the run, over the run before it, until the next one or a key", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  const says = (text) => page.waitForFunction((text) => (document.querySelector(".edit-note-text")?.textContent ?? "") === text, text);
  const blocks = cell(page, 0, "blocks");
  const before = await timeline(page);
  await says("");
  // "What if K1 had four blocks?" is answered from the screen.
  await blocks.fill("4");
  await says("K4 starts 800 ms earlier, and 5 other rows change; the run ends 600 ms earlier.");
  const [heading, plot] = await places(page, "#edit-note", "#timeline");
  assert.ok(heading.top >= 0 && heading.bottom <= plot.top + 1, JSON.stringify({ heading, plot }));
  // Keystrokes of one cell are one edit; those that end where they began are none.
  await blocks.fill("5");
  await says("K1 starts and ends as before, with 5 blocks instead of 6, and 1 other row changes; the run ends when it did.");
  await blocks.fill("6");
  await says("");
  assert.equal(await timeline(page), before);
  await blocks.fill("4");
  await says("K4 starts 800 ms earlier, and 5 other rows change; the run ends 600 ms earlier.");
  const over = await timeline(page);
  await page.locator("#forget-edit").click();
  await says("");
  assert.notEqual(await timeline(page), over, "the run before is gone from the timeline");
  await page.locator("#undo").click();
  await says("K4 starts 800 ms later, and 5 other rows change; the run ends 600 ms later. The axis now ends at 4.8 s.");
  await page.locator("#policy label", { hasText: "FIFO" }).click();
  await says("Same run: no stream has a high priority.");
  await page.keyboard.press("Escape");
  await says("");
  await page.locator("#undo").click();
  await says("Same run: no stream has a high priority.");
  await page.locator("#example").selectOption({ index: 4 });
  await says("");
  assert.deepEqual(problems, []);
  await close();
});

test("a newcomer learns in four clicks why K4 waits although it would fit", async () => {
  const { page, problems, close } = await site.open({ begins: true, context: LAPTOP });
  await page.locator("#hint button", { hasText: "Start here" }).click();
  const tour = page.locator("#tool-tour");
  await tour.getByRole("button", { name: "When K1 is complete." }).click();
  await tour.getByText("K1 leaves its stream when it is complete").waitFor();
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("button", { name: "Now: there is room for it." }).click();
  await tour.getByText("The GPU only looks at the head of the EE queue").waitFor();
  assert.equal(await page.locator("#hint").count(), 0, "whoever started needs no hint");
  assert.deepEqual(problems, []);
  await close();
});

test("a tour leaves the reader's own scenario as it was", async () => {
  const { page, problems, close } = await site.open();
  await cell(page, 0, "blocks").fill("7");
  await page.locator("#scenario-name").fill("Mine");
  await openTool(page, "tour");
  const tour = page.locator("#tool-tour");
  await tour.locator("button.link", { hasText: "[TX2] Fig. 5" }).click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value !== "Mine");
  await tour.getByRole("button", { name: "Leave the tour" }).click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "Mine");
  await settled(page);
  assert.equal(await cell(page, 0, "blocks").inputValue(), "7");
  assert.match(await page.locator("#said").innerText(), /own scenario is back/);
  assert.deepEqual(problems, []);
  await close();
});

test("a long run opens on its beginning, and says so; Fit shows all of it", async () => {
  const { page, problems, close } = await site.open();
  const part = page.locator("#part-shown");
  assert.equal(await part.count(), 0);
  await page.locator("#example").selectOption("edf-vi-a-runlist");
  await becomes(() => part.allInnerTexts(), ["first 165 ms of 2 s"]);
  const opening = await timeline(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await becomes(() => part.allInnerTexts(), ["first 165 ms of 2 s"]);
  await page.locator("#fit").click();
  await becomes(() => part.count(), 0);
  assert.notEqual(await timeline(page), opening);
  // What is gone to lies in what is shown.
  await page.keyboard.press("w");
  await page.locator(".bookmark").first().click();
  await settled(page);
  assert.equal(await page.locator("#cursor-line.hidden").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a link to a step of an example opens it there, and shows that step in the list, where the list is low, too", async () => {
  const { page, problems, close } = await site.open({ context: LAPTOP });
  const isInSight = () => {
    const [list, current] = ["#step-scroll", ".step.current"].map((name) => document.querySelector(name)?.getBoundingClientRect());
    return Boolean(current) && current.top >= list.top - 1 && current.bottom <= list.bottom + 1;
  };
  for (const [example, at] of [["cuda-synchronize", 20], ["cuda-event-wait", 20], ["cuda-synchronize", 22], ["edf-fig-1", 12]]) {
    await page.goto("about:blank");
    await page.goto(`${site.url}#example=${example}&step=${at}`);
    await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
    await becomes(async () => (await step(page)).position, at);
    await settled(page);
    assert.equal(await page.locator("#example").inputValue(), example);
    assert.ok(await page.evaluate(isInSight), `${example}, step ${at}`);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a link that names or asks for what there is not says so, whichever tool or panel it is", async () => {
  const { page, problems, close } = await site.open();
  const said = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#said")?.innerText ?? ""), pattern.source);
  const follow = (hash) => page.evaluate((hash) => (location.hash = hash), hash);
  for (const [hash, words] of [
    ["#glosary=EE", /names “glosary”, which this page does not know\. The page opened without it/],
    ["#rules=&on=tx2-table-99", /asks for the example “tx2-table-99”, which does not exist/],
    ["#on=nope", /asks for the example “nope”, which does not exist/],
    ["#example=nothing", /asks for the example “nothing”, which does not exist/],
    ["#example=edf-fig-1&step=-1", /step “-1”, which is not a whole number/],
  ]) {
    await follow(hash);
    await said(words);
    if (!hash.includes("edf")) assert.equal(await page.locator("#scenario-name").inputValue(), "TX2 Table 1: basic scheduling rules");
  }
  await follow("#study=preset=nope");
  await said(/names study "nope", which this page does not know/);
  // Of a pair, its name, its value, and what there is.
  await follow("#rules=rule=ZZ");
  await said(/asks Rules for “rule=ZZ”, which does not exist\. For “rule” there are /);
  await follow("#compare=policy=nope");
  await said(/asks Compare runs for “policy=nope”, which does not exist\. For “policy” there are fifo, priority, runlist, edf and own/);
  await settled(page);
  // Pages of their own are last, as they take the place of the run.
  for (const name of ["quiz", "exercise", "ask", "compare", "until", "rules", "find", "hang", "words", "program", "measured", "figure", "export", "share", "notes", "class", "sweep", "trace", "batch", "policy"]) {
    await follow(`#${name}=nope-${name}`);
    await said(new RegExp(`for “nope-${name}”, which does not exist`));
    await settled(page);
  }
  await follow("#/");
  await follow("#tour=nope");
  await says(page, "tour", /There is no tour "nope"/);
  await follow("#glossary=nope");
  await says(page, "glossary", /No term has that/);
  assert.deepEqual(problems, []);
  await close();
});

test("a spreadsheet becomes a scenario: headings, units, tasks; what is wrong is marked", async () => {
  const { page, problems, close } = await site.open();
  const csv = "Kernel,Stream,Start (ms),Blocks,Threads,Time per block (ms),Owner,Task\nlane,S1,0,4,256,1.5,me,Camera\n\"road, wet\",S2,2,8,many,3,me,Radar\n";
  await page.locator("#open-file").setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  // What it would come to is shown first, and nothing has changed.
  const preview = page.locator("#preview");
  await preview.locator("table").waitFor();
  assert.equal(await page.locator("#scenario-name").inputValue(), "TX2 Table 1: basic scheduling rules");
  assert.match(await preview.locator("th", { hasText: "“Start" }).innerText(), /“Start \(ms\)”, in ms/);
  assert.deepEqual(await preview.locator("td.invalid").allInnerTexts(), ["many"]);
  assert.match(await preview.innerText(), /2 new tasks: Camera, Radar/);
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  // The dialog says a moment after it has closed that it has.
  await settled(page);
  assert.equal(await page.locator("#scenario-name").inputValue(), "TX2 Table 1: basic scheduling rules", "Escape takes nothing");
  await page.locator("#open-file").setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.locator("#preview-take").click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "mine");
  await settled(page);
  assert.match(await page.locator("#said").innerText(), /2 rows, matched by their headings\. Ignored columns: “Owner”\./);
  assert.equal(await cell(page, 0, "block_time_ns").inputValue(), "1.5 ms");
  assert.equal(await cell(page, 1, "name").inputValue(), "road, wet");
  assert.equal(await cell(page, 1, "threads_per_block").inputValue(), "many");
  assert.match(await page.locator('#kernels tr[data-row="1"] [data-field="threads_per_block"] .field-error').innerText(), /many/);
  await cell(page, 1, "threads_per_block").fill("64");
  await settled(page);
  assert.equal(await problemCount(page), 0);
  assert.deepEqual(await page.locator("#tasks [data-field=name] input").evaluateAll((all) => all.map((input) => input.value)), ["Camera", "Radar"]);
  // A table whose headings say nothing can be taken once the reader has said it, and what is on screen stays.
  await page.locator("#open-file").setInputFiles({ name: "odd.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await preview.locator("table").waitFor();
  assert.equal(await page.locator("#preview-verdict").innerText(), "Choose above each column what it is.");
  assert.equal(await page.locator("#preview-take").isDisabled(), true);
  await page.keyboard.press("Escape");
  await preview.waitFor({ state: "hidden" });
  await settled(page);
  assert.equal(await page.locator("#scenario-name").inputValue(), "mine");
  assert.deepEqual(problems, []);
  await close();
});

test("columns with unknown headings are chosen, and one keystroke takes the cells; a new table is among the examples", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("new");
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 1);
  await paste(cell(page, 0, "name"), "Kern\tStrom\tBlöcke\tFäden\tDauer (ms)\nA\tS1\t4\t64\t1,5\nB\tS2\t8\t32\t0,250\n");
  assert.equal(await page.locator("#preview-take").isDisabled(), true, "no column goes anywhere");
  for (const [i, column] of ["Kernel", "Stream", "Blocks", "Threads", "Time per block"].entries()) {
    const chooser = page.getByLabel(`Column ${i + 1} of the cells`);
    await chooser.focus();
    await chooser.selectOption({ label: column });
    assert.equal(await chooser.evaluate((select) => select === document.activeElement), true, "the control keeps the focus");
  }
  assert.equal(await page.locator("#preview-verdict").innerText(), "No problems found.");
  await page.locator("#preview-take").focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.locator("#kernels tbody tr").count(), 2);
  assert.equal(await cell(page, 0, "block_time_ns").inputValue(), "1.5 ms");
  assert.equal(await cell(page, 1, "block_time_ns").inputValue(), "250 µs");
  assert.deepEqual(problems, []);
  await close();
});

test("a graph is made by hand in the table, and pasted", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#example").selectOption("new");
  await settled(page);
  const add = async (row, cells) => {
    // A new table has a row.
    if (row > 0) await page.locator("#add-kernel").click();
    for (const [field, value] of Object.entries(cells)) {
      const input = cell(page, row, field);
      const isList = await input.evaluate((input) => input.tagName === "SELECT");
      await (isList ? input.selectOption(value) : input.fill(value));
      await input.blur();
    }
    await settled(page);
  };
  await add(0, { name: "Before" });
  await page.getByLabel("All columns of the kernel table").click();
  await add(1, { name: "G", call: "launch_graph" });
  await add(2, { name: "A" });
  assert.equal(await cell(page, 2, "graph").inputValue(), "G", "a row below a launch is one of its nodes");
  await add(3, { name: "B", waits_for: "A" });
  await add(4, { name: "C", waits_for: "A", block_time_ns: "3 s" });
  await add(5, { name: "D", waits_for: "B, C", block_time_ns: "1 s" });
  assert.match(await timelineName(page), /A from 1 s to 2 s; B from 2 s to 3 s; C from 2 s to 5 s; D from 5 s to 6 s\./);
  await cell(page, 5, "waits_for").fill("B, X");
  await cell(page, 5, "waits_for").blur();
  await settled(page);
  const wrong = page.locator('#kernels tr[data-row="5"] [data-field="waits_for"] .field-error');
  assert.equal((await wrong.innerText()).trim(), '"X" is not a node above it in its graph');
  // Nodes have no streams of their own.
  const pasted = ["Kernel Stream Call Blocks Threads Time Waits Graph", "H S2 launch_graph - - - - -", "M - - 1 32 1 - H", "N - - 1 32 2 M H"];
  const headings = { Time: "Time per block (s)", Waits: "Waits for" };
  const cells = (line) => line.split(" ").map((word) => (word === "-" ? "" : (headings[word] ?? word))).join("\t");
  await paste(cell(page, 0, "name"), `${pasted.map(cells).join("\n")}\n`);
  assert.equal(await page.locator("#preview-verdict").innerText(), "No problems found.");
  await page.locator("#preview-take").click();
  assert.match(await timelineName(page), /M from 0 s to 1 s; N from 1 s to 3 s\./);
  assert.deepEqual(problems, []);
  await close();
});

test("bars that an edit does not move stay in their place, and the page says when the axis changes", async () => {
  const { page, problems, close } = await site.open();
  await page.locator('[data-bookmark^="(a)"]').click();
  await settled(page);
  // The line of the step, which stays at 800 ms, says where that is on the axis.
  const line = async () => (await page.locator("#cursor-line").boundingBox()).x;
  const before = await line();
  await cell(page, 0, "blocks").fill("4");
  await settled(page);
  const note = page.locator(".edit-note-text");
  assert.match(await note.innerText(), /the run ends 600 ms earlier\.$/);
  assert.equal(await line(), before);
  // What lies behind the run is whole, too, until the reader has seen it.
  await page.locator("#scenario-name").focus();
  await settled(page);
  assert.equal(await line(), before);
  await page.locator("#policy label", { hasText: "FIFO" }).click();
  await becomes(async () => (await line()) > before + 20, true);
  assert.match(await note.innerText(), /The axis now ends at 4\.2 s\.$/);
  assert.deepEqual(problems, []);
  await close();
});

test("Compare begins with the run before the edit", async () => {
  const { page, problems, close } = await site.open();
  await cell(page, 0, "blocks").fill("4");
  await settled(page);
  await page.locator("#compare").click();
  await page.locator("#tool-compare .tool-body").waitFor();
  await becomes(async () => /Before the edit/.test(await page.locator("#tool-compare").innerText()), true);
  assert.deepEqual(problems, []);
  await close();
});

test("closing a tool returns the focus to where it was opened", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#compare").click();
  await page.locator("#tool-compare .tool-body").waitFor();
  await settled(page);
  await page.locator("#tool-compare button[aria-label=Close]").click();
  await becomes(() => page.evaluate(() => document.activeElement.id), "compare");
  await page.locator(".menu summary", { hasText: "Tools" }).click();
  await page.locator('.menu-list [data-open-tool="find"]').click();
  await page.locator("#tool-find .tool-body").waitFor();
  await settled(page);
  await page.locator("#tool-find button[aria-label=Close]").click();
  await becomes(() => page.evaluate(() => document.activeElement.textContent), "Tools");
  assert.deepEqual(problems, []);
  await close();
});

test("in colours of the system's choice the current step, the time and what is free can be told", async () => {
  const { page, problems, close } = await site.open({ context: { forcedColors: "active" } });
  const style = (selector, property, pseudo) => page.evaluate(([selector, property, pseudo]) => getComputedStyle(document.querySelector(selector), pseudo)[property], [selector, property, pseudo]);
  assert.equal(await style(".step.current", "outlineStyle"), "solid");
  const free = await style(".gauge-bar span", "backgroundColor");
  assert.notEqual(free, await style(".gauge-bar", "backgroundColor"));
  assert.notEqual(await style("#cursor-line", "backgroundColor", "::before"), await style("#timeline-place", "backgroundColor"));
  assert.deepEqual(problems, []);
  await close();
});
