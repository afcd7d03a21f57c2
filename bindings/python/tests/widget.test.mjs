// Works the widget in Chromium: its module is given a model by the contract of anywidget, with what Python sends. test_widget.py calls it
// and names the file of that in BLOCKSTEP_WIDGET.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { launchChromium } from "../../../scripts/tools.mjs";

const given = JSON.parse(readFileSync(process.env.BLOCKSTEP_WIDGET, "utf8"));
const FORWARD = "One step forward", BACK = "One step back", FIRST = "Before the first step", LAST = "After the last step";

let browser, page;
before(async () => (browser = await launchChromium()));
after(() => browser?.close());
beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  page.on("pageerror", (error) => assert.fail(error));
  await page.setContent(`<!doctype html><style>${given.css}</style><main></main>`);
});

/** Shows widgets of what was sent, by their names; their models are `models` of the window. */
async function show(...names) {
  await page.evaluate(
    async ({ esm, states }) => {
      /** What anywidget documents of a model, and no more. What goes to Python is in `sent`. */
      class Model {
        sent = [];
        listeners = new Set();
        #changed = {};
        constructor(state) {
          this.state = state;
        }
        get(name) {
          if (!(name in this.state)) throw new Error(`there is no trait ${name}`);
          return this.state[name];
        }
        set(name, value) {
          this.#changed[name] = value;
          this.arrives(name, value);
        }
        /** As if Python had set it. */
        arrives(name, value) {
          if (this.get(name) === value) return;
          this.state[name] = value;
          for (const { event, call } of [...this.listeners]) if (event === `change:${name}`) call();
        }
        save_changes() {
          this.sent.push(this.#changed);
          this.#changed = {};
        }
        send(message) {
          this.sent.push({ message });
        }
        on(event, call) {
          this.listeners.add({ event, call });
        }
        off(event, call) {
          for (const one of this.listeners) if (one.event === event && one.call === call) this.listeners.delete(one);
        }
      }
      const module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
      window.models = states.map((state) => new Model(state));
      window.ends = await Promise.all(
        window.models.map((model) => {
          const el = document.querySelector("main").appendChild(document.createElement("div"));
          return module.default.render({ model, el });
        }),
      );
      // What an image shows is there when it is decoded.
      await Promise.all([...document.images].map((image) => image.decode()));
    },
    { esm: given.esm, states: names.map((name) => given[name]) },
  );
}

const widget = (i = 0) => page.locator(".blockstep").nth(i);
const button = (name, i = 0) => widget(i).getByRole("button", { name, exact: true });
const sent = (i = 0) => page.evaluate((i) => window.models[i].sent, i);
const stepOf = (i = 0) => page.evaluate((i) => window.models[i].state.step, i);
const arrives = (step, i = 0) => page.evaluate(([step, i]) => window.models[i].arrives("step", step), [step, i]);

/** What is seen of a widget. */
const seen = (i = 0) =>
  widget(i).evaluate((root) => {
    const items = (part) => [...root.querySelectorAll(`[aria-label="${part}"] .blockstep-row > span`)].map((item) => item.textContent);
    const line = root.querySelector(".blockstep-line");
    const picture = root.querySelector("img").getBoundingClientRect();
    const middle = line.getBoundingClientRect();
    return {
      said: root.querySelector("[role=status] > span").textContent,
      slider: Number(root.querySelector("input").value),
      x: line.hidden ? null : ((middle.left + middle.right) / 2 - picture.left) / picture.width,
      queued: [...items("Stream queues"), ...items("EE and CE queues")].map((text) => text.replace(/ [\d,]+\/[\d,]+$/, "")).sort(),
      // On an SM: one by one, or several together as `K1:0–3` and `K1: 16 blocks`.
      gpu: items("GPU"),
      marked: root.querySelectorAll(".blockstep-changed").length,
    };
  });

test("every step is what Python says of it", async () => {
  await show("table", "turns");
  for (const [i, name] of ["table", "turns"].entries()) {
    let before = [];
    for (const [step, wanted] of given.expected[name].entries()) {
      await arrives(step, i);
      const { said, slider, x, queued, gpu, marked } = await seen(i);
      assert.deepEqual({ said, slider, queued }, { said: wanted.said, slider: step, queued: wanted.queued });
      assert.ok(Math.abs(x - wanted.x) < 0.002, `${name} ${step}: the line is at ${x}, in a picture with it at ${wanted.x}`);
      const single = gpu.filter((text) => /:\d+$/.test(text)).sort();
      if (gpu.every((text) => /:\d+$/.test(text) || !text.includes(":"))) assert.deepEqual(single, wanted.blocks, `${name} ${step}`);
      if (step === 0) assert.equal(marked, 0);
      else if (String([queued, gpu]) !== String(before)) assert.ok(marked > 0, `${name} ${step}`);
      before = [queued, gpu];
    }
  }
  assert.deepEqual([await sent(0), await sent(1)], [[], []], "what Python sets needs no answer");
});

test("the picture that stands where there is no widget is hidden, and no other", async () => {
  await page.evaluate(
    (stills) => document.body.prepend(...stills.map((still) => Object.assign(document.createElement("p"), { className: still, textContent: still }))),
    [given.table._still, given.turns._still],
  );
  const shown = () => page.evaluate(() => [...document.querySelectorAll("p[class^=blockstep-still]")].map((still) => still.checkVisibility()));
  assert.deepEqual(await shown(), [true, true]);
  await show("table");
  assert.deepEqual(await shown(), [false, true]);
});

test("buttons step, and nothing but the step is sent", async () => {
  await show("table");
  await button(FORWARD).click();
  assert.equal((await seen()).said, given.expected.table[1].said);
  await button(LAST).click();
  await button(BACK).click();
  await button(FIRST).click();
  assert.deepEqual(await sent(), [{ step: 1 }, { step: 89 }, { step: 88 }, { step: 0 }]);
  // At an end a button stays, with the focus, and does nothing.
  assert.equal(await button(BACK).getAttribute("aria-disabled"), "true");
  await button(BACK).press("Enter");
  await button(FIRST).press("Enter");
  assert.equal((await sent()).length, 4);
  assert.equal(await button(FORWARD).getAttribute("aria-disabled"), "false");
});

test("keys step where the focus is, and only there", async () => {
  await show("table", "turns");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual([await stepOf(0), await stepOf(1)], [0, 40]);
  await page.keyboard.press("Tab");
  assert.ok(await widget().evaluate((root) => document.activeElement === root), "the first stop is the widget itself");
  assert.notEqual(await widget().evaluate((root) => getComputedStyle(root).outlineStyle), "none", "the focus is seen");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home", "ArrowLeft"]) await page.keyboard.press(key);
  assert.deepEqual(await sent(0), [{ step: 1 }, { step: 2 }, { step: 1 }, { step: 89 }, { step: 0 }]);
  await page.keyboard.press("Control+ArrowRight");
  assert.equal(await stepOf(0), 0, "keys of the notebook are left to it");
  await button(FORWARD).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.deepEqual([await stepOf(0), await stepOf(1)], [2, 40]);
});

test("the slider goes over all steps", async () => {
  await show("table");
  const slider = widget().getByRole("slider", { name: "Step" });
  assert.deepEqual([await slider.getAttribute("min"), await slider.getAttribute("max")], ["0", "89"]);
  await slider.fill("20");
  await slider.press("ArrowRight");
  await slider.press("ArrowUp");
  assert.deepEqual(await sent(), [{ step: 20 }, { step: 21 }, { step: 22 }]);
  assert.equal(await slider.getAttribute("aria-valuetext"), given.expected.table[22].said);
  assert.equal((await seen()).said, given.expected.table[22].said);
});

test("a beginning says that it is one, and ends there", async () => {
  await show("beginning", "table");
  assert.match(await widget(0).innerText(), /the first 5 of 89 steps\. run\.widget\(max_steps=…\) sends more/);
  assert.doesNotMatch(await widget(1).innerText(), /max_steps/);
  await button(LAST).click();
  assert.deepEqual(await sent(), [{ step: 5 }]);
  assert.equal((await seen()).said, given.expected.table[5].said);
});

test("what is said is a live region, and everything has a name", async () => {
  await show("table");
  assert.equal(await widget().getByRole("status").count(), 1);
  assert.match(await widget().getByRole("img").getAttribute("alt"), /^Block timeline of 2 SMs\. K1 from 0 s to 2 s;/);
  for (const name of [FIRST, BACK, FORWARD, LAST]) assert.equal(await button(name).count(), 1);
});

test("several on a page have nothing in common", async () => {
  await show("table", "table", "turns");
  assert.equal(await page.locator("[id]").count(), 0);
  const [second, third] = [await seen(1), await seen(2)];
  await button(LAST, 0).click();
  assert.deepEqual([await seen(1), await seen(2)], [second, third]);
});

test("at the width of a telephone nothing is wider than the page", async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  await show("table", "turns");
  for (const i of [0, 1]) await arrives(30, i);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("a widget that is taken away hears nothing any more", async () => {
  await show("table");
  assert.equal(await page.evaluate(() => window.models[0].listeners.size), 1);
  await page.evaluate(() => window.ends[0]());
  assert.equal(await page.evaluate(() => window.models[0].listeners.size), 0);
});
