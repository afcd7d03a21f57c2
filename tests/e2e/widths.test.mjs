// Windows of all sizes, and zoomed to 200 %: nothing sticks out or is cut off, menus can be reached to their last entry, and what
// a finger points at is large enough.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choosePolicy, filledTool, settled, shareAt, start, TOOLS } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

/** In the page: what is cut off of the controls that are shown, or sticks out of the window. */
function cutOff() {
  const { clientWidth, scrollWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? [`the document is ${scrollWidth} px wide`] : [];
  const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .skip, [inert]");
  const name = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ""}.${e.className} “${(e.getAttribute("aria-label") ?? e.textContent).trim().slice(0, 30)}”`;
  const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
  const draw = document.createElement("canvas").getContext("2d");
  for (const control of document.querySelectorAll("button, select, summary, a[href], input, textarea, .switch label span, h2, h3, th")) {
    if (!isShown(control) || control.type === "radio" || control.type === "checkbox" || control.type === "file") continue;
    let { left, right, top, bottom } = control.getBoundingClientRect();
    if (right - left === 0 || bottom - top === 0) {
      found.push(`no size: ${name(control)}`);
      continue;
    }
    // What it says is inside it.
    if (control.matches("select")) {
      const { font, textOverflow, paddingLeft, paddingRight } = getComputedStyle(control);
      draw.font = font;
      const room = control.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 16;
      const text = control.selectedOptions[0]?.text ?? "";
      // In a bar with room for it the whole text is shown.
      const mayBeCut = textOverflow === "ellipsis" && !(control.closest("#top") && innerWidth >= 1440);
      if (draw.measureText(text).width > room + 1 && !mayBeCut) found.push(`its text is cut: ${name(control)}`);
    } else if (control.matches("button:not(.block, .item, .swatch), summary, .switch label span")) {
      const range = document.createRange();
      range.selectNodeContents(control);
      const text = range.getBoundingClientRect();
      const isClamped = getComputedStyle(control).webkitLineClamp !== "none";
      if (!isClamped && (text.right > right + 1 || text.left < left - 1)) found.push(`its text sticks out: ${name(control)}`);
    }
    // It is inside whatever cuts off what sticks out; what scrolls brings it into sight.
    let isFixed = false;
    for (let at = control; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at !== control && !isFixed) {
        const box = at.getBoundingClientRect();
        const cutsX = !scrolls(style.overflowX) && (style.overflowX !== "visible" || style.contain.includes("paint"));
        const cutsY = !scrolls(style.overflowY) && (style.overflowY !== "visible" || style.contain.includes("paint"));
        if (cutsX && (left < box.left - 1 || right > box.right + 1)) found.push(`cut off by .${at.className}: ${name(control)}`);
        if (cutsY && (top < box.top - 1 || bottom > box.bottom + 1)) found.push(`cut off below by .${at.className}: ${name(control)}`);
        if (scrolls(style.overflowX)) [left, right] = [box.left, box.right];
        if (scrolls(style.overflowY)) [top, bottom] = [box.top, box.bottom];
      }
      if (style.position === "fixed" || at.matches(".menu-list")) isFixed = true;
      if (isFixed && style.position === "fixed" && (top < -1 || bottom > innerHeight + 1)) found.push(`above or below the window: ${name(control)}`);
      if (at.matches(".menu-list") && (top < -1 || bottom > innerHeight + 1)) found.push(`of a menu, above or below the window: ${name(control)}`);
    }
    if (left < -1 || right > clientWidth + 1) found.push(`outside the window: ${name(control)} ${Math.round(left)} to ${Math.round(right)}`);
  }
  return [...new Set(found)];
}

/** Widths of windows in which every tool is looked at. */
const TIGHT = [320, 512, 733];
const zoomed = (width, height) => ({ name: `${width * 2} × ${height * 2} px at 200 %`, viewport: { width, height }, deviceScaleFactor: 2 });
const windows = [
  ...[320, 360, 390, 480, 600].map((width) => ({ name: `${width} px`, viewport: { width, height: 740 }, hasTouch: true })),
  ...[641, 680, 733, 768, 820, 900, 1024, 1366, 1440].map((width) => ({ name: `${width} px`, viewport: { width, height: 768 } })),
  zoomed(720, 450), zoomed(683, 328), zoomed(512, 384),
];

for (const { name, ...context } of windows) {
  test(`${name}: nothing is cut off, in menus, tools, presenter view and tables`, async () => {
    const { page, problems, close } = await site.open({ context });
    const found = [];
    const look = async (what) => {
      await settled(page);
      found.push(...(await page.evaluate(cutOff)).map((each) => `${what}: ${each}`));
    };
    await look("as it opens");
    const bar = await page.locator("#transport").evaluate((bar) => bar.getBoundingClientRect().height / innerHeight);
    if (bar > 0.4) found.push(`the bar of steps takes ${Math.round(bar * 100)} % of the window's height`);
    for (const [i, menu] of (await page.locator("#top .menu").all()).entries()) {
      await menu.locator("summary").click();
      await look(`menu ${i}`);
      // Its last entry can be scrolled to and hit.
      const isHit = await menu.evaluate((menu) => {
        const last = [...menu.querySelectorAll("button")].at(-1);
        last.scrollIntoView({ block: "nearest", behavior: "instant" });
        const { left, right, top, bottom } = last.getBoundingClientRect();
        return last.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)) && last.contains(document.elementFromPoint((left + right) / 2, bottom - 2));
      });
      if (!isHit) found.push(`menu ${i}: its last entry cannot be reached`);
      await page.keyboard.press("Escape");
      await page.evaluate(() => scrollTo(0, 0));
    }
    for (const name of TIGHT.includes(context.viewport.width) ? ["until", ...TOOLS] : ["rules", "compare", "batch"]) {
      await filledTool(page, name);
      await look(name);
      if (name === "share") {
        await shareAt(page, "embed");
        await look("embed");
      }
      await page.locator(`#tool-${name} button[aria-label=Close]`).click();
    }
    await page.keyboard.press("p");
    await page.waitForSelector("[data-presenting]");
    await look("presenter view");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await look("the list of keys");
    await page.keyboard.press("Escape");
    await choosePolicy(page, "edf");
    await page.locator("#kernels [data-field=name] input").first().focus();
    await look("tables");
    assert.deepEqual(found, []);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("on a telephone the tables of verdicts fit, without scrolling sideways", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 390, height: 844 } } });
  const found = [];
  for (const example of ["tx2-table-1", "edf-vi-a-cbs", "edf-vi-a-runlist", "lp-block", "edf-overrun-cbs", "edf-six-processes"]) {
    await page.goto(`${site.url}#example=${example}`);
    await settled(page);
    await page.evaluate(() => (document.querySelector("#study").open = true));
    await page.locator("#verdicts .res").waitFor();
    await settled(page);
    assert.ok((await page.locator("#verdicts .res-scroll").count()) > 0, `${example}: no table`);
    const wide = await page.locator("#verdicts .res-scroll").evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${e.ariaLabel}: ${e.scrollWidth} px in ${e.clientWidth} px`));
    found.push(...wide.map((each) => `${example}: ${each}`));
  }
  assert.deepEqual(found, []);
  assert.deepEqual(problems, []);
  await close();
});

for (const [example, width] of [["cuda-graph-branches", 1366], ["edf-vi-a-cbs", 1366], ["edf-vi-a-cbs", 390], ["cuda-graph-branches", 390]]) {
  test(`${example}, ${width} px wide: each cell that has the focus is in sight whole, beside the buttons of its row`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height: 800 } } });
    await page.goto(`${site.url}#example=${example}`);
    await settled(page);
    const cells = page.locator("#kernels tr[data-row='1'] :is(input, select)");
    const found = [];
    for (const cell of await cells.all()) {
      await cell.focus();
      await settled(page);
      const over = await cell.evaluate((cell) => {
        const { left, right, top, bottom } = cell.getBoundingClientRect();
        const at = (x) => document.elementFromPoint(x, (top + bottom) / 2);
        return [left + 3, right - 3].map(at).filter((over) => over !== cell).map((over) => `${cell.closest("td").dataset.field}: ${over?.outerHTML.slice(0, 80)}`);
      });
      found.push(...over);
    }
    assert.ok((await cells.count()) > 5);
    assert.deepEqual(found, []);
    assert.deepEqual(problems, []);
    await close();
  });
}

/** In the page: what a finger points at and is smaller than 24 px; not the pieces of a picture, whose size says something. */
function smallTargets() {
  const isShown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .skip");
  return [...document.querySelectorAll("button:not(.block, .item), summary, select, a[href], .chip, input:not([type=radio], [type=checkbox]), .switch label span")]
    .filter((e) => isShown(e) && !e.matches("p > a[href]"))
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 23.9)
    .map(([e, { width, height }]) => `${e.tagName.toLowerCase()}.${e.className} in ${e.parentElement.tagName.toLowerCase()}.${e.parentElement.className}: ${Math.round(width)} × ${Math.round(height)} px`);
}

for (const width of [390, 1024]) {
  test(`a screen of touch, ${width} px wide: every target is at least 24 px wide and high`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height: 844 }, hasTouch: true } });
    assert.equal(await page.evaluate(() => matchMedia("(pointer: coarse)").matches), true);
    const found = new Set();
    const look = async (what) => {
      await settled(page);
      for (const each of await page.evaluate(smallTargets)) found.add(`${what}: ${each}`);
    };
    await look("as it opens");
    for (const name of ["until", ...TOOLS]) {
      await filledTool(page, name);
      await look(name);
      if (name === "share") {
        await shareAt(page, "embed");
        await look("embed");
      }
      await page.locator(`#tool-${name} button[aria-label=Close]`).click();
    }
    await choosePolicy(page, "edf");
    await page.locator("details").evaluateAll((all) => all.filter((e) => e.id).forEach((e) => (e.open = true)));
    await page.waitForSelector("#results-body table");
    await look("results");
    assert.deepEqual([...found], []);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("a laptop shows the whole edge of each panel, and a long name on as many lines as it takes", async () => {
  for (const width of [1366, 1367]) {
    const { page, close } = await site.open({ context: { viewport: { width, height: 657 } } });
    const edges = await page.locator(".stage-side > *").evaluateAll((panels) => panels.flatMap((panel) => [panel.getBoundingClientRect().left, panel.getBoundingClientRect().right]));
    assert.ok(edges.every((edge) => edge === Math.round(edge)), `${edges}`);
    const name = page.locator("#scenario-name");
    await name.fill("A name of a scenario that is rather long\nand goes on for more than one line");
    await name.press("Enter");
    await settled(page);
    const { value, ...sizes } = await name.evaluate(({ value, scrollHeight, clientHeight, scrollWidth, clientWidth }) => ({ value, scrollHeight, clientHeight, scrollWidth, clientWidth }));
    assert.equal(value, "A name of a scenario that is rather long and goes on for more than one line");
    assert.ok(sizes.scrollHeight <= sizes.clientHeight && sizes.scrollWidth <= sizes.clientWidth, JSON.stringify(sizes));
    await close();
  }
});
