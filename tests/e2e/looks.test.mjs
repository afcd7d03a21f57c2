// Screens of all widths, dark and light, with and without motion; every example; the names that
// assistive technology is given.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, cell, enter, filledTool, idle, openScenario, problemCount, reload, settled, start, step, TOOLS } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const examples = ["tx2-table-1", "tx2-table-2", "tx2-table-3", "tx2-table-4", "tx2-table-5"];

/** Shows an example; most are loaded when they are picked. */
async function pick(page, example) {
  const title = await page.locator("#scenario-name").inputValue();
  await page.locator("#example").selectOption(example);
  if (example !== examples[0]) {
    await page.waitForFunction((title) => document.querySelector("#scenario-name").value !== title && document.querySelector("#bookmarks button"), title);
  }
  await settled(page);
}

test("every example opens, with its moments, without errors", async () => {
  const { page, problems, close } = await site.open();
  const offered = await page.locator("#example optgroup option:not([value=batch])").evaluateAll((options) => options.map((option) => option.value));
  assert.deepEqual(offered.slice(0, examples.length), examples);
  assert.ok(offered.length >= 19, "the further ones are offered too");
  for (const example of offered) {
    await pick(page, example);
    assert.equal(await page.locator("#problems, #warnings, .notice").count(), 0, example);
    const bookmarks = await page.locator("[data-bookmark]").all();
    assert.ok(bookmarks.length >= 2, example);
    for (const bookmark of bookmarks) {
      await bookmark.click();
      assert.equal(await bookmark.getAttribute("aria-pressed"), "true");
      assert.equal(await page.locator(".bookmark-text b").innerText(), await bookmark.getAttribute("data-bookmark"));
      assert.equal(await page.locator("#step-time").innerText(), await bookmark.locator(".bookmark-time").innerText());
    }
    await page.keyboard.press("End");
    const { position, count } = await step(page);
    assert.equal(position, count);
    // One that hangs has few.
    assert.ok(count > 5, example);
  }
  assert.deepEqual(problems, []);
  await close();
});

for (const width of [1440, 1024, 768, 733, 641, 390, 320]) {
  test(`${width} px wide: nothing sticks out, everything can be reached`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height: 844 }, hasTouch: width < 500 } });
    for (const example of examples) {
      await pick(page, example);
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const sticking = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1);
        // What is fixed does not widen the page: it would be cut off.
        const cut = sticking.filter((e) => e.closest("#transport"));
        return scrollWidth > clientWidth || cut.length > 0 ? [scrollWidth, ...sticking.slice(0, 5).map((e) => `${e.tagName} ${e.className} ${e.id}`)] : [];
      });
      assert.deepEqual(wide, [], example);
    }
    // Every control can be brought into sight and hit there.
    await page.locator("details").evaluateAll((all) => all.filter((e) => e.id).forEach((e) => (e.open = true)));
    await idle(page);
    const hidden = await page.evaluate(() => {
      const controls = [...document.querySelectorAll("button, select, summary, input:not([hidden])")];
      const shown = controls.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.classList.contains("visually-hidden"));
      return shown
        .filter((e) => {
          e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
          const box = (e.type === "radio" ? e.closest("label") : e).getBoundingClientRect();
          const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return !at || !(at === e || e.contains(at) || at.contains(e) || at.closest("label")?.contains(e));
        })
        .map((e) => e.id || e.dataset.cell || e.getAttribute("aria-label") || e.textContent);
    });
    assert.deepEqual(hidden, []);
    // The line, the steps and a cell work.
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator("#last").click();
    await page.locator("#first").click();
    await page.locator("#forward").click();
    assert.equal((await step(page)).position, 1);
    await cell(page, 0, "blocks").fill("3");
    await settled(page);
    assert.equal(await problemCount(page), 0);
    assert.deepEqual(problems, []);
    await close();
  });
}

/** The contrast of two colours, as WCAG 2 reckons it. */
const contrast = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [r0, g0, b0]) => [r * a + r0 * (1 - a), g * a + g0 * (1 - a), b * a + b0 * (1 - a), 1];
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      layers.push(rgba(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255, 1]);
  };
  const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !e.checkVisibility({ visibilityProperty: true }) || e.closest(".visually-hidden, [disabled], [aria-disabled=true], noscript, script, style, option")) continue;
    const under = ground(e);
    const colour = rgba(getComputedStyle(e).color);
    colour[3] *= opacity(e);
    const [a, b] = [light(over(colour, under)), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const { fontSize, fontWeight } = getComputedStyle(e);
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) low.push(ratio.toFixed(2) + " " + e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 30));
  }
  return [...new Set(low)];
})()`;

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: texts stand out from their ground`, async () => {
    const { page, problems, close } = await site.open({ context: { colorScheme } });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.equal(ground[0] + ground[1] + ground[2] < 3 * 128, colorScheme === "dark");
    const picture = await page.locator("#timeline").evaluate((canvas) => [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)]);
    assert.equal(picture[0] + picture[1] + picture[2] < 3 * 128, colorScheme === "dark", "the timeline too");
    for (const example of examples) {
      await pick(page, example);
      for (const bookmark of await page.locator("[data-bookmark]").all()) {
        await bookmark.click();
        await settled(page);
        assert.deepEqual(await page.evaluate(contrast), []);
      }
    }
    await cell(page, 0, "blocks").fill("many");
    await settled(page);
    assert.deepEqual(await page.evaluate(contrast), []);
    assert.deepEqual(problems, []);
    await close();
  });
}

/** Animations and transitions that begin on the page while it is stepped through. */
async function animations(page) {
  await page.evaluate(() => {
    window.begun = [];
    for (const event of ["animationstart", "transitionrun"]) document.addEventListener(event, (e) => window.begun.push(`${event} of ${e.target.className}`));
  });
  await page.keyboard.press("Home");
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press("ArrowRight");
    await settled(page);
  }
  return page.evaluate(() => [...new Set(window.begun)]);
}

test("steps move, unless the reader prefers no motion", async () => {
  const { page, close } = await site.open({ context: { reducedMotion: "no-preference" } });
  const moving = await animations(page);
  assert.ok(moving.some((name) => name.startsWith("animationstart of item")), `what a step moves slides: ${moving}`);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await reload(page);
  assert.deepEqual(await animations(page), []);
  await close();
});

test("Chromium finds a name for every control, also with messages; a cell's says column and row", async () => {
  const { page, close } = await site.open();
  const named = (selector) => page.locator(selector).getAttribute("aria-label");
  assert.equal(await named('#kernels tr[data-row="3"] [data-action=Delete]'), "Delete K4");
  assert.equal(await named('[data-cell="kernels:3:4"]'), "Blocks of K4");
  await enter(cell(page, 3, "name"), "Filter");
  assert.equal(await named('[data-cell="kernels:3:4"]'), "Blocks of Filter");
  await cell(page, 0, "blocks").fill("many");
  await page.locator("#open-file").setInputFiles({ name: "broken.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await becomes(() => page.locator(".notice.error").count(), 2);
  await page.locator("details").evaluateAll((all) => all.forEach((e) => (e.open = true)));
  await page.waitForSelector("#results-body table", { state: "attached" });
  await settled(page);
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  const roles = new Set(["button", "textbox", "combobox", "radio", "slider", "link", "image", "spinbutton", "dialog", "DisclosureTriangle", "checkbox", "main", "region"]);
  const controls = nodes.filter((node) => !node.ignored && roles.has(node.role?.value) && node.role.value !== "main");
  assert.ok(controls.length > 150, `${controls.length} controls`);
  const nameless = controls.filter((node) => !node.name?.value.trim()).map((node) => `${node.role.value} ${node.nodeId}`);
  assert.deepEqual(nameless, []);
  // For Chromium a title is a name, too. Whoever has no pointer never sees it.
  const titled = await page.evaluate(() => {
    const text = (e) => (e?.textContent ?? "").trim();
    const words = (label) => {
      const copy = label.cloneNode(true);
      copy.querySelectorAll("select, input").forEach((control) => control.remove());
      return text(copy);
    };
    const name = (e) =>
      [
        e.getAttribute("aria-label") ?? "",
        ...(e.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => text(document.getElementById(id))),
        ...[...(e.labels ?? [])].map(words),
        e.matches("button, summary, a") ? text(e) : "",
      ].join("").trim();
    const all = document.querySelectorAll("button, input, select, textarea, summary, a[href], canvas, [tabindex='0'], [role=slider], [role=img], dialog");
    return [...all].filter((e) => !name(e)).map((e) => e.outerHTML);
  });
  assert.deepEqual(titled, []);
  // Labels and descriptions go by ids.
  const ids = await page.locator("[id]").evaluateAll((all) => all.map((e) => e.id));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), []);
  // Two controls of a name lead astray; the marks in the tables are the same for each row.
  const counts = new Map();
  for (const node of controls.filter((node) => node.role.value === "button")) counts.set(node.name.value, (counts.get(node.name.value) ?? 0) + 1);
  const several = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  assert.deepEqual(several.filter((name) => !/^(Undo|Select this kernel in all panels)$/.test(name)), []);
  await close();
});

for (const width of [1440, 1024, 390]) {
  test(`${width} px wide: long names of kernels stay in their queues, and their counts can be read`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height: 900 }, reducedMotion: "reduce" } });
    const names = ["volta_sgemm_128x64_nn_batched_strided_and_more", "im2col_gpu_kernel_512_float"];
    const kernels = names.map((name, i) => ({ name, blocks: 6, threads_per_block: 1024, block_time_ns: 1_000_000, stream: `inference stream number ${i}` }));
    await openScenario(page, { version: 1, name: "Long names", kernels });
    await page.keyboard.press("Home");
    for (let i = 0; i < 6; i += 1) {
      await page.keyboard.press("ArrowRight");
      await settled(page);
      const out = await page.evaluate(() =>
        [...document.querySelectorAll("#queues :is(.item, .item-progress, .queue:not(.new-stream)), #waiting :is(.waiting-name, .chip)")]
          .filter((e) => {
            const [inner, outer] = [e, e.parentElement.closest(".item, .queue, .stage-column, .waiting > *, .waiting")].map((x) => x.getBoundingClientRect());
            const isOver = e.matches(".waiting-name") && e.scrollWidth > e.clientWidth + 1;
            return isOver || inner.right > outer.right + 1 || inner.left < outer.left - 1;
          })
          .map((e) => e.className + " " + e.textContent),
      );
      assert.deepEqual(out, []);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}

/** Examples whose processes take turns: their boxes are many and narrow. */
const TURNS = ["edf-fig-1", "edf-channels", "edf-six-processes", "edf-fig-2a", "edf-vi-a-runlist", "edf-vi-a-cbs", "edf-path", "edf-signals", "edf-graphics"];

/** In the page: texts that are cut off where nothing scrolls and no title says them. */
function cutTexts() {
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest(".visually-hidden, .skip, .step-space, select");
  const words = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set();
  for (const e of document.querySelectorAll("main *")) {
    if (![...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()) || !shown(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(e);
    const text = range.getBoundingClientRect();
    for (let at = e; at !== document.body; at = at.parentElement) {
      const { display, overflowX, overflowY, clipPath } = getComputedStyle(at);
      // Said to who cannot see it, or within reach by scrolling.
      if (clipPath !== "none" || [overflowX, overflowY].some((overflow) => overflow === "auto" || overflow === "scroll")) break;
      if (display === "inline" || (overflowX === "visible" && overflowY === "visible")) continue;
      const box = at.getBoundingClientRect();
      if (text.right <= box.right + 1 && text.left >= box.left - 1 && text.bottom <= box.bottom + 3 && text.top >= box.top - 3) continue;
      const title = words(e.closest("[title]")?.title ?? "");
      if (!words(e.textContent).every((word) => title.includes(word))) found.add(`${e.className} “${e.textContent.trim()}”`);
      break;
    }
  }
  return [...found];
}

for (const [width, height] of [[1366, 657], [1024, 700]]) {
  test(`${width} px wide: where processes take turns, no text is cut that cannot be read`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height } } });
    const found = [];
    for (const example of TURNS) {
      await pick(page, example);
      for (const diagram of ["Path", "Queues"]) {
        await page.locator(`[data-diagram=${diagram}]`).click();
        for (const bookmark of await page.locator("[data-bookmark]").all()) {
          await bookmark.click();
          await settled(page);
          found.push(...(await page.evaluate(cutTexts)).map((text) => `${example}, ${diagram}: ${text}`));
        }
      }
    }
    assert.deepEqual(found, []);
    assert.deepEqual(problems, []);
    await close();
  });
}

/** In the page: pieces of text on one line with neither a space nor a gap between them, as a link behind a sentence. */
function gluedTexts() {
  const found = new Set();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const rects = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  let before = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data || !node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    if (before && before.parentElement !== node.parentElement && /[\p{L}\p{N}.,;:!?]$/u.test(before.data) && /^[\p{L}\p{N}]/u.test(node.data)) {
      const [end, begin] = [rects(before, before.length - 1), rects(node, 0)];
      const isOneLine = Math.abs(end.bottom - begin.bottom) < 6 && begin.left >= end.right - 1;
      if (end.width > 0 && begin.width > 0 && isOneLine && begin.left - end.right < 1.5) found.add(`${before.data.slice(-30)}|${node.data.slice(0, 30)}`);
    }
    before = node;
  }
  return [...found];
}

test("no two pieces of text run together, in what is said of a step, a block and a wait, and in tools", async () => {
  const { page, problems, close } = await site.open();
  const found = [];
  const look = async (what) => {
    await settled(page);
    found.push(...(await page.evaluate(gluedTexts)).map((pieces) => `${what}: ${pieces}`));
  };
  for (const example of ["tx2-table-2", "edf-signals", "cuda-graph-branches"]) {
    await pick(page, example);
    for (const bookmark of await page.locator("[data-bookmark]").all()) {
      await bookmark.click();
      await settled(page);
      await page.evaluate(() => document.querySelector("#waiting button.waiting-name")?.click());
      await look(`${example}, what waits`);
      for (const share of [0.3, 0.6]) {
        const { x, y, width, height } = await page.locator("#timeline").boundingBox();
        await page.mouse.click(x + width * share, y + height * 0.25);
        await look(`${example}, at ${share} of the timeline`);
      }
    }
  }
  for (const name of TOOLS.filter((name) => name !== "class")) {
    await filledTool(page, name);
    await look(name);
    await page.locator(`#tool-${name} button[aria-label=Close]`).click();
  }
  assert.deepEqual([...new Set(found)], []);
  assert.deepEqual(problems, []);
  await close();
});

for (const [paper, width, height] of [["A4", 794, 1123], ["a screen's width", 1366, 657]]) {
  test(`printed on ${paper}: title, step, timeline, queues and results follow each other, without controls`, async () => {
    const { page, problems, close } = await site.open({ context: { viewport: { width, height }, colorScheme: "dark" } });
    await page.locator("#results summary").first().click();
    await page.waitForSelector("#results-body table");
    await page.emulateMedia({ media: "print" });
    await settled(page);
    const parts = await page.evaluate(() =>
      [".transport", ".intro", ".timeline", ".diagram", "#results"].map((part) => {
        const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
        return { part, left, right, top, bottom };
      }),
    );
    for (const [i, { part, left, right, top, bottom }] of parts.entries()) {
      assert.ok(left >= 0 && right <= width && right - left > width * 0.9 && bottom - top > 20, JSON.stringify(parts[i]));
      if (i > 0) assert.ok(top >= parts[i - 1].bottom, `${part} begins after ${parts[i - 1].part}`);
    }
    const controls = await page.evaluate(() =>
      [...document.querySelectorAll("button:not(.item, .block, .term), select, input, textarea, [role=slider]")]
        .filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.id !== "scenario-name" && !e.closest(".visually-hidden, .skip"))
        .map((e) => e.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(controls, []);
    // The address leads back to what was printed.
    const address = page.locator(".printed a");
    assert.equal(await address.innerText(), `${site.url}#example=tx2-table-1&step=18`);
    assert.equal(await address.getAttribute("href"), await address.innerText());
    // On white, whatever the page's colors.
    const light = await page.locator("#timeline").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) sum += data[i + 3] === 0 ? 255 : (data[i] + data[i + 1] + data[i + 2]) / 3;
      return (sum / data.length) * 4;
    });
    assert.ok(light > 170, `the timeline's mean is ${light} of 255`);
    assert.equal(await page.locator(".intro").evaluate((e) => getComputedStyle(e).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.locator("#timeline").evaluate((e) => Math.abs(e.width / e.height - e.clientWidth / e.clientHeight) < 0.05), true);
    // What ran before an edit is for the screen alone.
    const printed = async (before) => {
      await page.emulateMedia({ media: "screen" });
      await before();
      await page.emulateMedia({ media: "print" });
      await settled(page);
      return page.locator("#timeline").evaluate((canvas) => canvas.toDataURL());
    };
    const edited = await printed(() => enter(cell(page, 0, "blocks"), "5"));
    assert.equal(await printed(() => page.locator("#forget-edit").click()), edited);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("crisp on screens of high density", async () => {
  const { page, close } = await site.open({ context: { deviceScaleFactor: 2 } });
  await settled(page);
  const { pixels, width } = await page.locator("#timeline").evaluate((canvas) => ({ pixels: canvas.width, width: canvas.getBoundingClientRect().width }));
  assert.equal(pixels, Math.round(width * 2));
  await close();
});
