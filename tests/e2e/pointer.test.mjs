// The mouse, the wheel, fingers, and files dropped on the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drop, settled, SMALL, start, step, timeline } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

/** The place of the plot, between the lane labels and the right end, and of its axis. */
async function plot(page) {
  const box = await page.locator("#timeline").boundingBox();
  const line = page.locator("#cursor-line");
  await page.keyboard.press("Home");
  await settled(page);
  const left = await centre(line);
  await page.keyboard.press("End");
  await settled(page);
  const right = await centre(line);
  return { box, left, right, x: (share) => left + (right - left) * share, middle: box.y + box.height / 3 };
}

async function centre(locator) {
  const { x, width } = await locator.boundingBox();
  return x + width / 2;
}

/** The time shown, in seconds. */
async function now(page) {
  await settled(page);
  const [, value, unit] = (await page.locator("#step-time").innerText()).match(/^([\d.,]+) (s|ms|µs|ns)$/);
  return parseFloat(value.replaceAll(",", "")) * { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 }[unit];
}

/** Turns the wheel and waits until the page knows. */
async function wheel(page, by) {
  const turned = page.evaluate(() => new Promise((done) => addEventListener("wheel", () => done(), { once: true })));
  await settled(page);
  await page.mouse.wheel(0, by);
  await turned;
  await settled(page);
}

const about = (actual, expected, within = 0.03) => assert.ok(Math.abs(actual - expected) < within, `${actual} is about ${expected}`);

test("the line is dragged", async () => {
  const { page, problems, close } = await site.open();
  const { x, box, middle } = await plot(page);
  assert.ok(box.height > 100);
  await page.mouse.move(x(1), middle);
  await page.mouse.down();
  await page.mouse.move(x(0.8), middle, { steps: 4 });
  about(await now(page), 4.8 * 0.8);
  await page.mouse.move(x(0.25), middle, { steps: 4 });
  about(await now(page), 1.2);
  assert.deepEqual(await page.locator("[data-sm='0'] [data-block]").allInnerTexts(), ["K1:4", "K4:0", "K4:2"]);
  // Beyond either end it stays at the end.
  await page.mouse.move(x(-0.5), middle, { steps: 4 });
  about(await now(page), 0);
  await page.mouse.move(x(1.5), middle, { steps: 4 });
  about(await now(page), 4.8);
  await page.mouse.move(x(0.5), middle);
  await page.mouse.up();
  about(await now(page), 2.4);
  // Once it is let go, the mouse moves it no more, and the view stands still.
  const picture = await timeline(page);
  await page.mouse.move(x(0.9), box.y + box.height - 5);
  about(await now(page), 2.4);
  assert.equal(await timeline(page), picture);
  assert.deepEqual(problems, []);
  await close();
});

test("Ctrl and the wheel zoom around the pointer; shift and the wheel pan; a double click fits; the wheel alone scrolls the page", async () => {
  const { page, problems, close } = await site.open();
  const { x, middle } = await plot(page);
  const whole = await timeline(page);
  const line = page.locator("#cursor-line");
  await page.keyboard.press("Home");
  const timeAt = async (px) => {
    // The time under a place, by clicking the axis there.
    const box = await page.locator("#timeline").boundingBox();
    await page.mouse.click(px, box.y + box.height - 50);
    return now(page);
  };
  await page.mouse.move(x(0.5), middle);
  await page.keyboard.down("Control");
  await wheel(page, -600);
  await page.keyboard.up("Control");
  const zoomed = await timeline(page);
  assert.notEqual(zoomed, whole);
  about(await timeAt(x(0.5)), 2.4);
  const width = (await timeAt(x(0.9))) - (await timeAt(x(0.1)));
  assert.ok(width < 0.6 * 0.8 * 4.8, `${width} s are shown where 3.84 s were`);
  assert.equal(await page.evaluate(() => scrollY), 0, "the page does not scroll");
  await page.mouse.move(x(0.5), middle);
  await page.keyboard.down("Shift");
  await wheel(page, 200);
  await page.keyboard.up("Shift");
  assert.ok((await timeAt(x(0.5))) > 2.45, "later times come into view");
  // Dragging pans: what is under the pointer stays there.
  const before = await timeAt(x(0.5));
  await timeAt(x(0.95)); // The line is out of the way.
  await page.mouse.move(x(0.5), middle + 30);
  await page.mouse.down();
  await page.mouse.move(x(0.7), middle + 30, { steps: 5 });
  await page.mouse.up();
  about(await timeAt(x(0.7)), before);
  // Out again, as far as it goes: the whole run and no more.
  await page.mouse.move(x(0.5), middle);
  await page.keyboard.down("Control");
  for (let i = 0; i < 8; i += 1) await wheel(page, 800);
  assert.equal(await timeline(page), whole);
  await wheel(page, -600);
  await page.keyboard.up("Control");
  assert.notEqual(await timeline(page), whole);
  await page.mouse.dblclick(x(0.31), middle);
  await page.keyboard.press("Escape");
  assert.equal(await timeline(page), whole);
  assert.equal(await line.isVisible(), true);
  await page.mouse.move(x(0.5), middle);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 50);
  assert.equal(await timeline(page), whole, "nothing is zoomed");
  assert.deepEqual(problems, []);
  await close();
});

test("hovering tells of a block, a click selects its kernel everywhere", async () => {
  const { page, close } = await site.open();
  const { x, box } = await plot(page);
  const tip = page.getByRole("tooltip");
  // K1's blocks are at the bottom of a lane from 0 s to 1 s.
  let said = "";
  for (let y = box.y + 12; y < box.y + box.height && !/Shared memory/.test(said); y += 6) {
    await page.mouse.move(x(0.1), y);
    await settled(page);
    if (await tip.count()) said = await tip.innerText();
  }
  assert.match(said, /^K1:\d/);
  for (const what of [/K1 of CPU 0/, /SM\s+\d/, /Start\s+0 s/, /End\s+1 s/, /Threads\s+768/, /Shared memory\s+0 B/]) assert.match(said, what);
  const inside = await tip.boundingBox();
  assert.ok(inside.x >= 0 && inside.x + inside.width <= 1440 && inside.y >= 0 && inside.y + inside.height <= 900);
  await page.mouse.down();
  await page.mouse.up();
  await settled(page);
  assert.deepEqual(await page.locator("#kernels tr.selected").evaluateAll((rows) => rows.map((row) => row.dataset.row)), ["0"]);
  await page.mouse.move(x(0.1), box.y - 40);
  await settled(page);
  assert.equal(await tip.count(), 0);
  await close();
});

test("hovering a chip says the rule and its source", async () => {
  const { page, close } = await site.open();
  const tip = page.getByRole("tooltip");
  const chip = page.locator(".step.current .chip");
  assert.equal(await tip.count(), 0);
  await chip.hover();
  assert.equal(await tip.locator("strong").innerText(), `Rule ${await chip.innerText()}`);
  assert.match(await tip.innerText(), /\[TX2\]/);
  await page.locator("#jump").hover();
  await settled(page);
  assert.equal(await tip.count(), 0);
  await close();
});

test("two fingers zoom, one pans", async () => {
  const { page, problems, close } = await site.open({ context: { hasTouch: true } });
  const { x, middle } = await plot(page);
  const whole = await timeline(page);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  await touch("touchStart", [x(0.4), middle], [x(0.6), middle]);
  for (let i = 1; i <= 5; i += 1) await touch("touchMove", [x(0.4 - i * 0.04), middle], [x(0.6 + i * 0.04), middle]);
  await touch("touchEnd");
  const zoomed = await timeline(page);
  assert.notEqual(zoomed, whole);
  await touch("touchStart", [x(0.5), middle]);
  for (let i = 1; i <= 5; i += 1) await touch("touchMove", [x(0.5 - i * 0.03), middle]);
  await touch("touchEnd");
  const panned = await timeline(page);
  assert.notEqual(panned, zoomed);
  await page.keyboard.press("f");
  assert.equal(await timeline(page), whole, "and nothing is selected by it");
  // Pinching in shows more again.
  await touch("touchStart", [x(0.4), middle], [x(0.6), middle]);
  for (let i = 1; i <= 5; i += 1) await touch("touchMove", [x(0.4 - i * 0.04), middle], [x(0.6 + i * 0.04), middle]);
  for (let i = 5; i >= -1; i -= 1) await touch("touchMove", [x(0.4 - i * 0.04), middle], [x(0.6 + i * 0.04), middle]);
  await touch("touchEnd");
  assert.equal(await timeline(page), whole);
  assert.deepEqual(problems, []);
  await close();
});

test("a file dropped anywhere is opened", async () => {
  const { page, problems, close } = await site.open();
  for (const at of ["body", "#timeline", "#queues", "#jump", '[data-cell="kernels:0:4"]']) {
    assert.equal(await drop(page, [{ name: "dropped.json", text: JSON.stringify({ ...SMALL, name: `Dropped on ${at}` }) }], at), true, at);
    await page.waitForFunction((name) => document.querySelector("#scenario-name").value === name, `Dropped on ${at}`);
    await page.locator("#undo").click();
    await settled(page);
    assert.equal(await page.locator("#kernels tbody tr").count(), 6);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a file of 40 MB is refused in words", async () => {
  const { page, problems, close } = await site.open();
  const before = await step(page);
  assert.equal(await drop(page, [{ name: "huge.json", bytes: 40 * 1024 * 1024 }]), true);
  const alert = page.locator(".notice[role=alert]");
  await alert.waitFor();
  assert.match(await alert.innerText(), /huge\.json.*40 MiB.*32 MiB/s);
  assert.deepEqual(await step(page), before);
  assert.equal(await page.locator("#undo").isDisabled(), true);
  assert.deepEqual(problems, []);
  await close();
});
