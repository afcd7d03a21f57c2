// Direct manipulation: launches, edges of blocks and operations are dragged; anything is clicked to ask why.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, reload, settled, start, step, timelineName } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

/** Px of the window for a share of Table 1's 4.8 s, and heights of the lanes. */
async function plot(page) {
  const box = await page.locator("#timeline").boundingBox();
  const centre = async () => {
    const { x, width } = await page.locator("#cursor-line").boundingBox();
    return x + width / 2;
  };
  await page.keyboard.press("End");
  await settled(page);
  const right = await centre();
  await page.keyboard.press("Home");
  await settled(page);
  const left = await centre();
  const lanes = box.height - 80;
  return { x: (seconds) => left + ((right - left) * seconds) / 4.8, sm0: box.y + lanes * 0.27, sm1: box.y + lanes * 0.68, launches: box.y + box.height - 44, box };
}

async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
  await page.mouse.move(...to, { steps: 4 });
  await settled(page);
}

const picture = (page) => page.locator("#timeline").evaluate((canvas) => canvas.toDataURL().length + canvas.toDataURL().slice(-4000));

test("the end of a block is dragged: the kernel's time follows, round, and one undo takes it back", async () => {
  const { page, problems, close } = await site.open();
  const { x, sm0 } = await plot(page);
  const before = await timelineName(page);
  await drag(page, [x(1), sm0], [x(1.5), sm0]);
  assert.equal(await cell(page, 0, "block_time_ns").inputValue(), "1.5 s", "while it is dragged");
  assert.match(await page.locator(".tip").innerText(), /Time per block 1\.5 s \(was 1 s\)/);
  const held = await picture(page);
  await page.mouse.move(x(1.4), sm0);
  await settled(page);
  assert.notEqual(await picture(page), held, "the timeline follows");
  await page.mouse.move(x(1.5), sm0);
  await page.mouse.up();
  await settled(page);
  assert.match(await timelineName(page), /K1 from 0 s to 3 s/);
  assert.match(await page.locator("#said").innerText(), /K1: Time per block 1\.5 s/);
  await page.locator("#undo").click();
  assert.equal(await timelineName(page), before);
  assert.ok(await page.locator("#undo").isDisabled(), "it was one edit");
  assert.deepEqual(problems, []);
  await close();
});

test("a launch is dragged: the start follows; Escape puts it back", async () => {
  const { page, problems, close } = await site.open();
  const { x, launches } = await plot(page);
  const before = await timelineName(page);
  // K6 is launched at 2.8 s.
  const was = await cell(page, 5, "start_ns").inputValue();
  await drag(page, [x(2.8), launches], [x(2), launches]);
  assert.notEqual(await cell(page, 5, "start_ns").inputValue(), was);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await settled(page);
  assert.equal(await cell(page, 5, "start_ns").inputValue(), was);
  assert.equal(await timelineName(page), before);
  assert.ok(await page.locator("#undo").isDisabled());
  const again = await plot(page);
  await drag(page, [again.x(2.8), again.launches], [again.x(2), again.launches]);
  await page.mouse.up();
  await settled(page);
  assert.match(await page.locator("#said").innerText(), /K6: Start \d/);
  assert.notEqual(await timelineName(page), before);
  assert.deepEqual(problems, []);
  await close();
});

test("a finger drags what is selected, and pans everywhere else", async () => {
  const { page, problems, close } = await site.open({ context: { hasTouch: true } });
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  const swipe = async (from, to) => {
    await touch("touchStart", from);
    for (let i = 1; i <= 8; i += 1) await touch("touchMove", [from[0] + ((to[0] - from[0]) * i) / 8, from[1] + ((to[1] - from[1]) * i) / 8]);
    await touch("touchEnd");
    await settled(page);
  };
  const { x, sm0 } = await plot(page);
  const before = await timelineName(page);
  // Nothing is selected yet.
  await swipe([x(1), sm0], [x(1.5), sm0]);
  assert.equal(await timelineName(page), before);
  assert.ok(await page.locator("#undo").isDisabled());
  await page.keyboard.press("f");
  await page.touchscreen.tap(x(0.5), sm0);
  await page.locator("#kernels tr.selected").waitFor();
  const now = await plot(page);
  // Beside the edge, as fingers are.
  await swipe([now.x(1) + 9, now.sm0], [now.x(1.5) + 9, now.sm0]);
  assert.equal(await cell(page, 0, "block_time_ns").inputValue(), "1.5 s");
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await timelineName(page), before);
  // Onto another stream: K4 waits in S2.
  await page.locator("#bookmarks button").first().click();
  const middle = async (selector) => {
    const box = await page.locator(selector).first().boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.locator(`#kernels tr[data-row="3"] .swatch`).click();
  await settled(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator('[data-queue="Stream S2"] [data-item="K4"]').waitFor();
  await swipe(await middle('[data-queue="Stream S2"] [data-item="K4"]'), await middle('[data-queue="Stream S3"]'));
  assert.equal(await cell(page, 3, "stream").inputValue(), "S3");
  assert.deepEqual(problems, []);
  await close();
});

test("keys do what dragging does, for the kernel selected", async () => {
  const { page, problems, close } = await site.open();
  await page.keyboard.press("]");
  assert.match(await page.locator("#said").innerText(), /Select a kernel first/);
  await page.locator('#kernels tr[data-row="0"] .swatch').click();
  await page.locator("#main").focus();
  await page.keyboard.press("]");
  await settled(page);
  const start = await cell(page, 0, "start_ns").inputValue();
  assert.match(start, /^\d+ ms$/);
  await page.keyboard.press("[");
  await settled(page);
  assert.equal(await cell(page, 0, "start_ns").inputValue(), "");
  await page.keyboard.press("}");
  await settled(page);
  assert.match(await cell(page, 0, "block_time_ns").inputValue(), /^1\.0\d+ s$/);
  await page.keyboard.press("{");
  await settled(page);
  assert.equal(await cell(page, 0, "block_time_ns").inputValue(), "1 s");
  await page.keyboard.press(">");
  await settled(page);
  assert.equal(await cell(page, 0, "stream").inputValue(), "S2");
  await page.keyboard.press("<");
  await settled(page);
  assert.equal(await cell(page, 0, "stream").inputValue(), "S1");
  assert.deepEqual(problems, []);
  await close();
});

test("an operation is dropped on a stream queue, or on a new one; a row's colour as well", async () => {
  const { page, problems, close } = await site.open();
  const middle = async (selector) => {
    const box = await page.locator(selector).first().boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  // At (a), K4 waits in stream S2.
  await drag(page, await middle('[data-queue="Stream S2"] [data-item="K4"]'), await middle('[data-queue="Stream S3"]'));
  assert.equal(await page.locator(".drop-target").getAttribute("data-queue"), "Stream S3");
  await page.mouse.up();
  await settled(page);
  assert.equal(await cell(page, 3, "stream").inputValue(), "S3");
  assert.equal(await page.locator(".drop-target").count(), 0);
  await page.locator("#undo").click();
  await settled(page);
  assert.equal(await cell(page, 3, "stream").inputValue(), "S2");
  // Beside the others a new stream is offered while something is carried.
  const item = await middle('[data-queue="Stream S2"] [data-item="K4"]');
  await page.mouse.move(...item);
  await page.mouse.down();
  await page.mouse.move(item[0] + 20, item[1] + 20, { steps: 3 });
  await page.mouse.move(...(await middle(".new-stream")), { steps: 3 });
  await page.mouse.up();
  await settled(page);
  assert.equal(await cell(page, 3, "stream").inputValue(), "S4");
  assert.ok(!(await page.locator(".new-stream").isVisible()));
  // Dropped elsewhere it stays.
  await drag(page, await middle('[data-queue="Stream S4"] [data-item="K4"]'), await middle("#queues h3"));
  await page.mouse.up();
  await settled(page);
  assert.equal(await cell(page, 3, "stream").inputValue(), "S4");
  assert.deepEqual(problems, []);
  await close();
});

test("a block says why it began there and then; a gap says why nothing is there", async () => {
  const { page, problems, close } = await site.open();
  const { x, sm0, box } = await plot(page);
  await page.keyboard.press("End");
  // K1:4 begins at 1 s, when K1:0 has ended.
  await page.mouse.click(x(1.5), sm0);
  const why = page.locator("#tool-ask");
  await why.getByText(/start here and now/).waitFor();
  const text = await why.innerText();
  assert.match(text, /Why did K\d:\d start here and now\?/);
  assert.match(text, /It waited[\s\S]*This ended the wait: /);
  assert.match(text, /SM/);
  // Near the top of SM 0 at 4.2 s nothing is.
  await page.keyboard.press("Escape");
  await page.mouse.click(x(4.2), box.y + 14);
  await page.locator("#gap").waitFor();
  assert.match(await why.innerText(), /SM 0 at 4\.[12]\d* s: [\d,]+ of 2,048 threads are free/);
  // The answer follows the reader.
  await page.keyboard.press("Home");
  await page.waitForFunction(() => /SM 0 at 0 s/.test(document.querySelector("#tool-ask").innerText));
  assert.deepEqual(problems, []);
  await close();
});

test("panes are made larger by dragging and by keys, and stay so; undo survives a reload", async () => {
  const { page, problems, close } = await site.open();
  const width = async () => (await page.locator("#stage-side").boundingBox()).width;
  const height = async () => (await page.locator("#timeline-place").boundingBox()).height;
  const [side, tall] = [await width(), await height()];
  const bar = await page.locator('.splitter[aria-orientation="vertical"]').boundingBox();
  await drag(page, [bar.x + bar.width / 2, bar.y + 200], [bar.x - 120, bar.y + 200]);
  await page.mouse.up();
  await settled(page);
  assert.ok(Math.abs((await width()) - side - 120) < 12, `${side} and 120 more: ${await width()}`);
  const level = page.locator('.splitter[aria-orientation="horizontal"]');
  await level.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.ok(Math.abs((await height()) - tall - 48) < 2, `${tall} and 48 more: ${await height()}`);
  assert.equal((await step(page)).position > 0, true, "the arrow keys of the bar step no run");
  await cell(page, 0, "blocks").fill("4");
  await page.keyboard.press("Tab");
  await cell(page, 0, "blocks").fill("2");
  await page.keyboard.press("Tab");
  await settled(page);
  await reload(page);
  assert.ok(Math.abs((await width()) - side - 120) < 12);
  await page.waitForFunction(() => !document.querySelector("#undo").disabled);
  await page.locator("#undo").click();
  assert.equal(await cell(page, 0, "blocks").inputValue(), "4");
  await page.locator("#undo").click();
  assert.equal(await cell(page, 0, "blocks").inputValue(), "6");
  await page.locator("#redo").click();
  assert.equal(await cell(page, 0, "blocks").inputValue(), "4");
  await level.dblclick();
  await settled(page);
  assert.ok(Math.abs((await height()) - tall) < 2);
  assert.deepEqual(problems, []);
  await close();
});

test("a narrow window has tabs: timeline, queues, steps", async () => {
  const { page, problems, close } = await site.open({ context: { viewport: { width: 390, height: 844 } } });
  const seen = async () => ({
    timeline: await page.locator("#timeline").isVisible(),
    queues: await page.locator("#queues").isVisible(),
    steps: await page.locator(".steps").isVisible(),
  });
  assert.deepEqual(await seen(), { timeline: true, queues: false, steps: false });
  for (const [view, others] of [["queues", { timeline: false, queues: true, steps: false }], ["steps", { timeline: false, queues: false, steps: true }], ["timeline", { timeline: true, queues: false, steps: false }]]) {
    await page.locator(`.small-tabs [data-view=${view}]`).click();
    assert.deepEqual(await seen(), others);
    assert.ok(await page.locator("#now").isVisible(), "the step's sentence is always there");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("what is said moves nothing; it goes by itself, but what is wrong stays until it is dismissed", async () => {
  const { page, problems, close } = await site.open({ before: (page) => page.clock.install() });
  const place = async () => (await page.locator("#timeline").boundingBox()).y;
  const before = await place();
  const stands = async () => assert.ok(Math.abs((await place()) - before) < 2, "nothing moves");
  await page.locator("#open-file").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await page.waitForFunction(() => /cannot be opened/.test(document.querySelector("#said")?.innerText ?? ""));
  await stands();
  await page.clock.fastForward(60_000);
  assert.equal(await page.locator("#said").count(), 1, "an error stays");
  await page.locator("#said button").click();
  assert.equal(await page.locator("#said").count(), 0);
  await page.locator('#kernels tr[data-row="0"] .swatch').click();
  await page.locator("#main").focus();
  await page.keyboard.press("}");
  await page.locator("#said").waitFor();
  await stands();
  await page.clock.fastForward(13_000);
  await page.locator("#said").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
  await close();
});
