// Explore: what opens without a link, answered by whoever sees it first. By role: a student, a lecturer, a reader on a phone; counts of
// what is in sight; every question; where the page begins.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { AXE, becomes, cell, enter, idle, reload, settled, stands, start, step, timeline, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

const LAPTOP = { viewport: { width: 1366, height: 657 } };
const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** The page as whoever is new finds it. */
const explore = (context = LAPTOP, hash = "") => site.open({ url: site.url + hash, context, begins: true });

const headline = (page) => page.locator("#question").innerText();
const cards = (page) => page.locator("[data-card]").evaluateAll((chips) => chips.map((chip) => chip.dataset.card));

/** In a page: what can be pressed, read, and in which sizes of letters, of what is in sight. */
function inSight() {
  const isSeen = (element) => {
    const rect = element.getBoundingClientRect();
    const isOn = rect.width > 0 && rect.height > 0 && rect.bottom > 0 && rect.top < innerHeight && rect.right > 0 && rect.left < innerWidth;
    return isOn && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".visually-hidden, .skip");
  };
  // The picture of the queues is one: arrows go through its parts.
  const controls = "button, a[href], input, select, textarea, summary, [role=slider], [role=spinbutton], [role=button]:not(#flow *), #flow";
  const words = [];
  const sizes = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (!textContent.trim() || !parentElement || parentElement.tagName === "OPTION" || !isSeen(parentElement)) continue;
    words.push(...textContent.split(/\s+/).filter((word) => /\p{L}/u.test(word)));
    sizes.add(Number.parseFloat(getComputedStyle(parentElement).fontSize));
  }
  return { controls: [...document.querySelectorAll(controls)].filter(isSeen).length, words, sizes: [...sizes].sort((a, b) => a - b) };
}

/** The part of the window, in shares of it, that an element takes. */
const share = (page, selector) =>
  page.locator(selector).evaluate((element) => {
    const rect = element.getBoundingClientRect();
    return ((Math.min(rect.bottom, innerHeight) - Math.max(rect.top, 0)) * rect.width) / (innerWidth * innerHeight);
  });

const isInSight = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const rect = element.getBoundingClientRect();
    return rect.height > 0 && rect.top >= 0 && rect.bottom <= innerHeight && rect.left >= 0 && rect.right <= innerWidth;
  });

test("whoever comes without a link finds a question at the moment it is about", async () => {
  const { page, problems, close } = await explore();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.page), "explore");
  assert.match(await headline(page), /\?$/);
  const { position, count } = await step(page);
  assert.ok(position > 0 && position < count, "something has happened, and something will");
  const seen = await page.evaluate(inSight);
  assert.ok(seen.controls <= 25, `${seen.controls} controls in sight`);
  assert.ok(seen.words.length <= 150, `${seen.words.length} words in sight: ${seen.words.join(" ")}`);
  assert.ok(seen.sizes.length <= 5 && seen.sizes[0] >= 12, `letters of ${seen.sizes}`);
  assert.doesNotMatch(seen.words.join(" "), /\b(empty|idle)\b/i);
  assert.ok((await share(page, "#timeline-place")) >= 1 / 3, "the timeline has a third of the window");
  assert.deepEqual(problems, []);
  await close();
});

test("a student finds out why in one action, and what if in one", async () => {
  const { page, close } = await explore();
  await page.getByRole("button", { name: "Why?" }).click();
  const answer = page.getByRole("status").filter({ hasText: /queue|waits|behind/ }).first();
  assert.match(await answer.innerText(), /\S+ .*\./);
  const before = await timeline(page);
  await page.getByRole("spinbutton").first().press("ArrowDown");
  await settled(page);
  assert.match(await page.locator("#edit-note").innerText(), /\S+ .*\./, "a sentence says what came of it");
  assert.notEqual(await timeline(page), before, "and the run before lies behind the new one");
  await page.keyboard.press("Control+z");
  await settled(page);
  await page.keyboard.press("Escape");
  assert.equal(await timeline(page), before);
  await close();
});

test("a value is dragged, and one undo takes it back", async () => {
  const { page, close } = await explore();
  const dial = page.getByRole("spinbutton").first();
  const first = await dial.getAttribute("aria-valuetext");
  const box = await dial.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 90, box.y + box.height / 2, { steps: 6 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await dial.getAttribute("aria-valuetext"), first);
  await page.locator("#question").click();
  await page.keyboard.press("Control+z");
  await becomes(() => dial.getAttribute("aria-valuetext"), first);
  await close();
});

test("a guess is asked about this moment, and tells nothing before it is made", async () => {
  const { page, close } = await explore();
  const { position } = await step(page);
  await page.getByRole("button", { name: "Let me guess" }).click();
  const quiz = page.locator("#tool-quiz");
  await quiz.getByRole("radio").first().waitFor();
  assert.equal((await step(page)).position, position);
  assert.equal(await page.locator(".explore-policies").count(), 0, "other runs would tell");
  assert.ok(await page.locator("#explore-controls").evaluate((controls) => controls.inert), "the table stays as it is meanwhile");
  await quiz.getByRole("radio").first().check();
  await quiz.getByRole("button", { name: "Answer" }).click();
  await settled(page);
  assert.match(await quiz.innerText(), /What happened/);
  await close();
});

test("a lecturer has four policies side by side on a table of their own in three actions", async () => {
  const { page, problems, close } = await explore(WIDE);
  assert.ok(await isInSight(page, "#kernels tbody tr"), "the table's first row is in sight");
  const pictures = () => page.locator(".miniature").evaluateAll((all) => all.map((svg) => svg.innerHTML));
  const before = await pictures();
  assert.equal(before.length, 4);
  assert.equal(new Set(before).size, 4, "four different runs");
  await enter(cell(page, 0, "block_time_ns"), "3 ms");
  await enter(cell(page, 1, "blocks"), "6");
  await page.getByRole("button", { name: /^EDF/ }).click();
  await settled(page);
  const after = await pictures();
  assert.ok(after.every((picture, i) => picture !== before[i]));
  assert.equal(await page.locator(".explore-run.chosen").getAttribute("data-policy"), "edf");
  await page.getByRole("link", { name: "Open in Lab" }).click();
  await settled(page);
  assert.ok(await page.locator("#policy [value=edf]").isChecked(), "Lab has the same table");
  assert.equal(await cell(page, 1, "blocks").inputValue(), "6");
  assert.deepEqual(problems, []);
  await close();
});

test("another policy is no change of the table, and a question says under which it is shown", async () => {
  const { page, close } = await explore();
  const chosen = () => page.locator(".explore-run.chosen").getAttribute("data-policy");
  await page.getByRole("button", { name: /^EDF/ }).click();
  await settled(page);
  assert.equal(await chosen(), "edf");
  const setting = page.locator(".explore-setting");
  assert.match(await setting.innerText(), /^This is the run under EDF\. The question is about FIFO\./);
  await setting.getByRole("button", { name: "Back to it" }).click();
  await settled(page);
  assert.equal(await chosen(), "fifo");
  assert.match(await setting.innerText(), /512/);
  await close();
});

test("a laptop shows every question with its answer and the four policies, and no sentence is cut", async () => {
  const { page, close } = await explore();
  for (const card of await cards(page)) {
    await page.evaluate((card) => (location.hash = `#/explore/${card}`), card);
    await settled(page);
    if ((await page.locator("#why").getAttribute("aria-expanded")) !== "true") await page.locator("#why").click();
    await until(() => page.locator("#answer").innerText(), (text) => /\S/.test(text));
    const facts = await page.locator(".explore-facts").evaluateAll((all) => all.map((facts) => facts.getBoundingClientRect().bottom));
    assert.ok(Math.max(...facts) <= LAPTOP.viewport.height, `${card}: ${facts}`);
    const cut = await page.locator(".now-sentence").evaluate((said) => said.scrollHeight > said.clientHeight + 1 || said.scrollWidth > said.clientWidth + 1);
    assert.ok(!cut, `${card}: what happened last is cut`);
  }
  await close();
});

test("the time at the line covers no name of a launch, and a narrow block shows how its name begins", async () => {
  const { page, close } = await explore(PHONE);
  const [flag, place] = await Promise.all(["#cursor-flag", "#timeline-place"].map((part) => page.locator(part).boundingBox()));
  // An arrow and two lines of names.
  assert.ok(place.y + place.height - (flag.y + flag.height) >= 40, JSON.stringify([flag, place]));
  // At both ends it stays within the picture.
  for (const end of ["#first", "#last"]) {
    await page.locator(end).evaluate((button) => button.click());
    await settled(page);
    const box = await page.locator("#cursor-flag").boundingBox();
    assert.ok(box.x >= 50 && box.x + box.width <= place.x + place.width, `${end}: ${JSON.stringify(box)}`);
  }
  await page.evaluate(() => (location.hash = "#/explore/null-stream"));
  await settled(page);
  await enter(cell(page, 0, "threads_per_block"), "64");
  await settled(page);
  const starts = await page.locator(".flow-block").evaluateAll((all) => all.map((block) => [block, block.firstElementChild].map((part) => part.getBoundingClientRect().left)));
  assert.ok(starts.length > 0 && starts.every(([block, name]) => name >= block), JSON.stringify(starts));
  await close();
});

test("a phone shows question, flow, control and transport without scrolling", async () => {
  const { page, close } = await explore(PHONE);
  for (const part of ["#question", "#why", "#flow", "#timeline-place", "#transport", "[role=spinbutton]"]) {
    assert.ok(await isInSight(page, part), `${part} is in sight`);
  }
  assert.ok((await share(page, "#timeline-place")) >= 1 / 3);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.getByRole("spinbutton").first().tap();
  await settled(page);
  assert.match(await page.locator("#edit-note").innerText(), /\S/);
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds nothing wrong with it: ${colorScheme}`, async () => {
    const found = [];
    for (const context of [LAPTOP, PHONE]) {
      const { page, close } = await explore({ ...context, colorScheme });
      await page.getByRole("button", { name: "Why?" }).click();
      await settled(page);
      await page.evaluate(npmTool("axe-core").source);
      // The first question, and one with a process whose turn it is not.
      for (const card of ["four-policies", "turns"]) {
        await page.evaluate((card) => (location.hash = `#/explore/${card}`), card);
        await settled(page);
        const { violations } = await page.evaluate((options) => window.axe.run("html", options), AXE);
        found.push(...violations.map((v) => `${card}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target}: ${n.failureSummary}`).join("; ")}`));
      }
      await close();
    }
    assert.deepEqual(found, []);
  });
}

test("every question opens, says why, and each of its controls does something that is in sight", async () => {
  const { page, problems, close } = await explore();
  const all = await cards(page);
  assert.ok(all.length >= 2);
  for (const card of all) {
    await page.evaluate((card) => (location.hash = `#/explore/${card}`), card);
    await settled(page);
    await until(() => page.locator(`[data-card="${card}"]`).getAttribute("aria-current"), (is) => is === "true");
    assert.equal(await page.locator("#problems").count(), 0, card);
    if ((await page.locator("#why").getAttribute("aria-expanded")) !== "true") await page.locator("#why").click();
    await until(() => page.locator("#answer").innerText(), (text) => /\S/.test(text));
    assert.doesNotMatch(await page.locator("#flow").innerText(), /\b(empty|idle)\b/i, card);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, card);
    for (const dial of await page.getByRole("spinbutton").all()) {
      const shows = async () => [await timeline(page), await page.locator(".explore-runs").innerHTML()].join();
      const before = await shows();
      const isLast = (await dial.getAttribute("aria-valuenow")) === (await dial.getAttribute("aria-valuemax"));
      await dial.press(isLast ? "Home" : "End");
      assert.notEqual(await shows(), before, `${card}: ${await dial.getAttribute("aria-label")}`);
      await page.keyboard.press("Control+z");
      await settled(page);
    }
  }
  assert.deepEqual(problems, []);
  await close();
});

test("blocks go from the line to their SM on a step, unless motion is declined", async () => {
  for (const [reducedMotion, moves] of [["no-preference", true], ["reduce", false]]) {
    const { page, close } = await explore({ ...LAPTOP, reducedMotion });
    await page.evaluate(() => {
      globalThis.moved = 0;
      addEventListener("animationstart", (event) => (globalThis.moved += event.animationName === "arrive"));
    });
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("ArrowRight");
      await settled(page);
    }
    const forward = await page.evaluate(() => globalThis.moved);
    assert.equal(forward > 0, moves);
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("ArrowLeft");
      await settled(page);
    }
    assert.equal((await page.evaluate(() => globalThis.moved)) > forward, moves, "and back");
    await close();
  }
});

test("a question has an address; edits of it stay through a reload", async () => {
  const { page, close } = await explore(LAPTOP, "#/explore/table-1");
  const question = await headline(page);
  await page.getByRole("spinbutton").first().press("ArrowDown");
  await idle(page);
  const value = await page.getByRole("spinbutton").first().getAttribute("aria-valuetext");
  await reload(page);
  assert.equal(await headline(page), question);
  assert.equal(await page.getByRole("spinbutton").first().getAttribute("aria-valuetext"), value);
  await page.getByRole("button", { name: "Restore it" }).click();
  await settled(page);
  assert.notEqual(await page.getByRole("spinbutton").first().getAttribute("aria-valuetext"), value);
  await page.goto(`${site.url}#/explore/none-such`);
  await until(() => page.locator("#said").innerText(), (text) => text.includes("none-such"));
  await close();
});

test("the page begins where its reader left it: Explore for whoever is new, Lab for links, stored work and who chose it", async () => {
  const begins = (page) => page.evaluate(() => document.documentElement.dataset.page ?? "lab");
  const { page, close } = await explore();
  assert.equal(await begins(page), "explore");
  await page.getByRole("link", { name: "Lab", exact: true }).click();
  await settled(page);
  assert.equal(await begins(page), "lab");
  await page.goto("about:blank");
  await page.goto(site.url);
  await stands(page);
  assert.equal(await begins(page), "lab", "the choice is kept");
  await page.getByRole("link", { name: "Explore", exact: true }).click();
  await settled(page);
  await page.goto("about:blank");
  await page.goto(site.url);
  await stands(page);
  assert.equal(await begins(page), "explore");
  for (const hash of ["#example=edf-fig-1&step=12", "#tour=tx2-fig-4", "#/lab", "#quiz=seed=1&on=tx2-table-1"]) {
    await page.goto("about:blank");
    await page.goto(site.url + hash);
    await stands(page);
    assert.equal(await begins(page), "lab", hash);
  }
  await close();
  const stored = await explore(LAPTOP, "#example=edf-fig-1");
  await enter(cell(stored.page, 0, "blocks"), "3");
  await idle(stored.page);
  await stored.page.goto("about:blank");
  await stored.page.goto(site.url);
  await stands(stored.page);
  assert.equal(await begins(stored.page), "lab", "stored work opens where it did");
  await stored.close();
});
