// Everything by keyboard alone: no test in this file touches the mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, problemCount, settled, start, step, timeline, timelineName } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

/** Moves the focus by Tab until it is on `selector`, from wherever it is; at most once around the page. */
async function tabTo(page, selector) {
  await settled(page);
  for (let i = 0; i < 600; i += 1) {
    if (await page.evaluate((css) => document.activeElement?.matches(css), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Presses a key until something is so. */
async function pressUntil(page, key, what, isSo) {
  for (let i = 0; i < 200; i += 1) {
    if (await isSo()) return;
    await page.keyboard.press(key);
    await settled(page);
  }
  assert.fail(`${key} does not lead to ${what}`);
}

test("Tab reaches every control, once, with a focus that can be seen", async () => {
  const { page, problems, close } = await site.open();
  // What can be operated, by the page's own account.
  const expected = await page.evaluate(() => {
    const controls = [...document.querySelectorAll("a[href], button, input, select, summary, textarea, [tabindex='0']")];
    const shown = controls.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0);
    // Of radio buttons Tab reaches the chosen one; arrows reach the others.
    const stops = shown.filter((e) => e.type !== "radio" || e.checked);
    stops.forEach((e, i) => (e.dataset.stop = String(i)));
    return stops.length;
  });
  assert.ok(expected > 100, `${expected} controls`);
  const reached = new Set();
  const unseen = [];
  for (let i = 0; i < expected + 20; i += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      // The mark may be on the control, or, for a control without a body of its own, on what stands for it.
      const mark = (at) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
        return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
      };
      const places = [e, e.nextElementSibling, e.parentElement].filter(Boolean);
      const { width, height, left, right, top, bottom } = e.getBoundingClientRect();
      const inSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
      const label = e.id || e.dataset.cell || e.getAttribute("aria-label") || e.textContent.trim().slice(0, 40);
      return { number: e.dataset.stop ?? `unexpected ${label}`, label, mark: places.some(mark), inSight: inSight && width * height > 0 };
    });
    if (stop === null || reached.has(stop.number)) break;
    reached.add(stop.number);
    if (!stop.mark) unseen.push(`${stop.label}: no mark`);
    if (!stop.inSight) unseen.push(`${stop.label}: out of sight`);
  }
  assert.deepEqual(unseen, []);
  const missed = await page.evaluate(
    (reached) => [...document.querySelectorAll("[data-stop]")].filter((e) => !reached.includes(e.dataset.stop)).map((e) => e.outerHTML.slice(0, 120)),
    [...reached],
  );
  assert.deepEqual(missed, []);
  // The way to vary a number comes with the first cell that holds one.
  const came = [...reached].filter((stop) => stop.startsWith("unexpected"));
  assert.equal(came.length, 1);
  assert.match(came[0], /^unexpected vary-task/);
  assert.equal(reached.size, expected + 1);
  assert.deepEqual(problems, []);
  await close();
});

test("the focus is never under the bars", async () => {
  const { page, close } = await site.open({ context: { viewport: { width: 1024, height: 600 } } });
  const covered = [];
  for (let i = 0; i < 160; i += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const e = document.activeElement;
      const { left, top, width, height } = e.getBoundingClientRect();
      const at = document.elementFromPoint(left + width / 2, top + height / 2);
      const label = e.closest("label");
      if (!at || at === e || e.contains(at) || at.contains(e) || label?.contains(at)) return null;
      return `${e.id || e.dataset.cell || e.getAttribute("aria-label")} is under ${at.tagName} ${at.className || at.id}`;
    });
    if (found) covered.push(found);
  }
  assert.deepEqual(covered, []);
  await close();
});

test("to inset (d) and its CE queue", async () => {
  const { page, close } = await site.open();
  const queue = () => page.locator('[data-queue="CE queue"] [data-item]').allInnerTexts();
  await page.keyboard.press("Home");
  assert.equal((await step(page)).position, 0);
  await pressUntil(page, ".", "3 s", async () => (await page.locator("#step-time").innerText()) === "3 s");
  assert.deepEqual(await queue(), ["C2o"]);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#step-time").innerText(), "3.2 s");
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await queue(), ["C2o"]);
  await page.keyboard.press(",");
  await settled(page);
  assert.equal(await page.locator("#step-time").innerText(), "2.8 s");
  await page.keyboard.press("End");
  // By the bookmark.
  await tabTo(page, '[data-bookmark^="(d)"]');
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#step-time").innerText(), "3.02 s");
  assert.deepEqual(await queue(), ["C2o"]);
  // By the jump box.
  await page.keyboard.press("Tab");
  await tabTo(page, "#jump");
  await page.keyboard.type("1.1 s");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#step-time").innerText(), "1.1 s");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("soon");
  await page.keyboard.press("Enter");
  assert.notEqual(await page.locator("#jump-error").innerText(), "");
  assert.equal(await page.locator("#step-time").innerText(), "1.1 s");
  // By the scrubber, which takes the arrows for itself.
  await tabTo(page, "#scrubber");
  const { position } = await step(page);
  await page.keyboard.press("ArrowRight");
  assert.equal((await step(page)).position, position + 1);
  await close();
});

test("a cell is edited, complained about, mended and undone", async () => {
  const { page, problems, close } = await site.open();
  const shown = () => timelineName(page);
  const before = await shown();
  await tabTo(page, '[data-cell="kernels:0:4"]');
  await page.keyboard.type("4");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator('[data-cell="kernels:0:4"]').inputValue(), "4");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), "kernels:1:4");
  const after = await shown();
  assert.match(after, /K1 from 0 s to 1 s/);
  await page.keyboard.type("lots");
  assert.equal(await problemCount(page), 1);
  assert.match(await page.locator('[data-row="1"] [data-field="blocks"] .field-error').innerText(), /lots/);
  assert.equal(await shown(), after);
  // Undo within the text is the field's own.
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  assert.equal(await problemCount(page), 0);
  await tabTo(page, "#undo");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+z");
  assert.equal(await shown(), before);
  await page.keyboard.press("Control+y");
  assert.equal(await shown(), after);
  await page.keyboard.press("Control+Shift+Z");
  await page.keyboard.press("Control+z");
  assert.deepEqual(problems, []);
  await close();
});

test("Enter and arrows go from row to row, and in a cell no key moves the run", async () => {
  const { page, problems, close } = await site.open();
  const focused = () => page.evaluate(() => document.activeElement.dataset.cell ?? null);
  await page.locator('[data-cell="kernels:0:4"]').focus();
  for (const [key, row] of [["Enter", 1], ["ArrowDown", 2], ["ArrowUp", 1]]) {
    await page.keyboard.press(key);
    await becomes(focused, `kernels:${row}:4`, key);
  }
  const place = await step(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  assert.deepEqual(await step(page), place);
  await page.keyboard.press("Escape");
  await becomes(focused, null);
  await page.keyboard.press("Home");
  assert.equal((await step(page)).position, 0);
  assert.deepEqual(problems, []);
  await close();
});

test("? opens the list of keys, Escape closes it", async () => {
  const { page, close } = await site.open();
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("?");
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /One step forward/);
  const { position } = await step(page);
  await page.keyboard.press("ArrowRight");
  assert.equal((await step(page)).position, position, "behind the dialog nothing moves");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await settled(page);
  await page.keyboard.press("ArrowRight");
  assert.equal((await step(page)).position, position + 1);
  // Again, by its button; the focus returns there.
  await tabTo(page, "#help");
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "help");
  await close();
});

test("plays and pauses by the space bar", async () => {
  const { page, close } = await site.open();
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => parseInt(document.querySelector("#step-number b").textContent, 10) > 0);
  await page.keyboard.press("Space");
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Play (Space)");
  assert.equal(await page.evaluate(() => scrollY), 0, "the page does not scroll");
  await close();
});

test("policy, example, menu and device", async () => {
  const { page, problems, close } = await site.open();
  await tabTo(page, "#policy input");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator("#policy input:checked").getAttribute("value"), "fifo");
  assert.equal(await page.locator('[data-queue="EE queue"]').count(), 1);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#policy input:checked").getAttribute("value"), "priority");
  assert.equal(await page.evaluate(() => document.activeElement.value), "priority", "the focus stays with the choice");
  await tabTo(page, "#example");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("#example").inputValue(), "tx2-table-2");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Control+s");
  assert.match((await download).suggestedFilename(), /\.json$/);
  await tabTo(page, "#limits summary");
  await page.keyboard.press("Enter");
  await tabTo(page, "#device-sms");
  await page.keyboard.type("3");
  await settled(page);
  assert.match(await timelineName(page), /of 3 SMs/);
  assert.deepEqual(problems, []);
  await close();
});

test("zoom and pan by W, A, S, D and F; the line by arrows", async () => {
  const { page, close } = await site.open();
  const whole = await timeline(page);
  const seen = [whole];
  for (const key of ["w", "w", "d", "a", "s"]) {
    await page.keyboard.press(key);
    const now = await timeline(page);
    assert.notEqual(now, seen.at(-1), `${key} changes the picture`);
    seen.push(now);
  }
  await page.keyboard.press("f");
  assert.equal(await timeline(page), whole);
  // D shows later times, so that what was in sight moves to the left; A the other way.
  await page.locator("#jump").focus();
  await page.keyboard.type("2.4 s");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("w");
  const line = async () => {
    await settled(page);
    return (await page.locator("#cursor-line").boundingBox()).x;
  };
  const middle = await line();
  await page.keyboard.press("d");
  assert.ok((await line()) < middle - 20, "D pans to the right");
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  assert.ok((await line()) > middle + 20, "A pans to the left");
  await tabTo(page, "#cursor-line");
  const { position } = await step(page);
  await page.keyboard.press("ArrowRight");
  assert.equal((await step(page)).position, position + 1);
  await close();
});

test("a rule's tip goes with the focus, when its chip goes, and at Escape", async () => {
  const { page, close } = await site.open();
  const tip = page.getByRole("tooltip");
  await tabTo(page, "#waiting .chip");
  const chip = await page.evaluate(() => document.activeElement.innerText);
  await becomes(() => tip.locator("strong").allInnerTexts(), [`Rule ${chip}`]);
  await page.keyboard.press("Tab");
  await becomes(() => tip.count(), 0);
  await page.keyboard.press("Shift+Tab");
  await becomes(() => tip.count(), 1);
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await tip.count(), 0);
  await page.keyboard.press("Tab");
  await tabTo(page, ".step.current .chip");
  await becomes(() => tip.count(), 1);
  await page.keyboard.press("End");
  await settled(page);
  assert.equal(await page.locator("#waiting .chip").count(), 0);
  assert.equal(await tip.count(), 0, "the chip it belongs to is gone");
  await close();
});

test("the focus keeps its place while one steps", async () => {
  const { page, close } = await site.open();
  await tabTo(page, ".step.current .step-text");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  await page.keyboard.press("Tab");
  // It may be on the current step again or on what follows the list, but not at the start of the page.
  const place = await page.evaluate(() => (document.activeElement.closest(".steps") || document.activeElement.closest(".tables") ? "near" : document.activeElement.outerHTML));
  assert.equal(place, "near");
  // A way to the end of a wait leaves the focus in Waiting now or right behind it.
  await page.keyboard.press("Home");
  await page.keyboard.press(".");
  await tabTo(page, "#waiting .link");
  const { position } = await step(page);
  await page.keyboard.press("Enter");
  assert.notEqual((await step(page)).position, position);
  await page.keyboard.press("Tab");
  const near = await page.evaluate(() => (document.activeElement.closest("#waiting, .steps") ? "near" : document.activeElement.outerHTML));
  assert.equal(near, "near");
  await close();
});

test("the queues are one stop; arrows go from chip to chip, and Enter asks", async () => {
  const { page, problems, close } = await site.open();
  await tabTo(page, ".bookmark");
  await page.keyboard.press("Enter");
  await tabTo(page, "#queues");
  const named = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  await page.keyboard.press("ArrowDown");
  const first = await named();
  assert.match(first, /^K\d+, Stream S\d: /);
  await page.keyboard.press("ArrowDown");
  const second = await named();
  assert.match(second, /^K\d+.*, .*: /);
  assert.notEqual(second, first);
  await page.keyboard.press("ArrowUp");
  assert.equal(await named(), first);
  // Every chip has a name that says the kernel, the queue or SM, and the state.
  const names = await page.locator("#queues [data-op]").evaluateAll((all) => all.map((chip) => (chip.closest("[role=button]") ?? chip.querySelector("[role=button]")).getAttribute("aria-label")));
  assert.ok(names.length > 4 && names.every((name) => /^[KC].*, (Stream|EE queue|CE queue|SM \d|Copy).*: ./.test(name)), names.join("\n"));
  const { position } = await step(page);
  await page.keyboard.press("Enter");
  await page.locator("#tool-ask").waitFor();
  assert.equal((await step(page)).position, position, "no key of a chip moves the run");
  assert.deepEqual(problems, []);
  await close();
});
