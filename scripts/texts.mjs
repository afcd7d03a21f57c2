// Every text that a reader can meet on the page, once, sorted by screen: node scripts/texts.mjs > texts.md
// It walks the built site in Chromium: examples, menus, panels, tools, dialogs, what bad input is answered with.
// Visible texts stand as they are; titles, labels for screen readers and placeholders are marked as such.
import { serve } from "./serve.mjs";
import { exampleScenario, launchChromium } from "./tools.mjs";

const seen = new Set();

/** Prints what is on screen and was not yet, under the screen's name. */
async function list(page, screen) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));
  const texts = await page.evaluate(collect);
  const fresh = texts.filter((text) => !seen.has(text) && seen.add(text));
  console.log(`\n## ${screen}\n`);
  for (const text of fresh) console.log(`- ${text}`);
}

/** Runs in the page: its texts, a paragraph or cell each. */
function collect() {
  const found = [];
  const clean = (text) => text.replace(/\s+/g, " ").trim();
  const hasWords = (text) => /[A-Za-z]{2}/.test(text);
  const add = (text, mark = "") => {
    if (hasWords(text)) found.push(mark + clean(text));
  };
  const taken = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName) || taken.has(element.parentElement)) {
      taken.add(element);
    } else if (element.checkVisibility({ visibilityProperty: true })) {
      const isOwn = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
      if (isOwn || element.tagName === "P") {
        add(element.textContent);
        taken.add(element);
      }
    }
    if (element.closest("[hidden]")) continue;
    for (const name of ["title", "aria-label", "placeholder"]) add(element.getAttribute(name) ?? "", `(${name}) `);
  }
  add(document.title, "(title of the page) ");
  return found;
}

/** Opens every fold of a part of the page. */
async function unfold(page, part) {
  await page.evaluate((part) => {
    for (const fold of document.querySelectorAll(`${part} details:not(.menu)`)) fold.open = true;
  }, part);
}

const click = (page, selector) => page.evaluate((selector) => document.querySelector(selector)?.click(), selector);

/** Opens a tool and waits for what it shows. */
async function openTool(page, name) {
  await click(page, `.menu-list [data-open-tool="${name}"]`);
  await page.waitForFunction((name) => document.querySelector(`#tool-${name} .tool-body`)?.childElementCount > 0, name, { timeout: 20_000 });
}

/** Presses each button of a tool, apart from those that close it or save; the tool is opened anew for each. */
async function walkTool(page, name, title) {
  await openTool(page, name);
  await unfold(page, `#tool-${name}`);
  await list(page, `Tool: ${title}`);
  const choices = await page.locator(`#tool-${name} select`).count();
  for (let place = 0; place < choices; place += 1) {
    const select = page.locator(`#tool-${name} select`).nth(place);
    const values = await select.locator("option").evaluateAll((options) => options.map((option) => option.value)).catch(() => []);
    for (const value of values.slice(0, 12)) {
      await select.selectOption(value, { timeout: 1_000 }).catch(() => {});
      await list(page, `Tool: ${title}, ${value}`);
    }
  }
  const buttons = await page.locator(`#tool-${name} .tool-body button`).count();
  for (let place = 0; place < Math.min(buttons, 30); place += 1) {
    const button = page.locator(`#tool-${name} .tool-body button`).nth(place);
    const label = (await button.innerText({ timeout: 500 }).catch(() => "")).replace(/\s+/g, " ").trim();
    if (!label || /save|download|copy/i.test(label)) continue;
    await button.click({ timeout: 1_000 }).catch(() => {});
    await list(page, `Tool: ${title}, after "${label}"`);
  }
  await click(page, `#tool-${name} button[aria-label=Close]`);
}

const kernel = (more) => ({ name: "K1", blocks: 4, threads_per_block: 512, block_time_ns: 1000, ...more });
const scenario = (more) => ({ version: 1, name: "Bad", kernels: [kernel()], ...more });

/** Files that cannot be opened, or not as they are. */
const badFiles = [
  "no JSON at all",
  '{"version": 1',
  {},
  { version: 99, name: "Later" },
  scenario({ unknown_field: 1 }),
  scenario({ kernels: "many" }),
  scenario({ kernels: [kernel({ threads_per_block: 4096 })] }),
  scenario({ kernels: [kernel({ blocks: 0 })] }),
  scenario({ kernels: [kernel({ blocks: -3 })] }),
  scenario({ kernels: [kernel({ block_time_ns: 1.5 })] }),
  scenario({ kernels: [kernel({ shared_memory_per_block: 10_000_000 })] }),
  scenario({ kernels: [kernel({ after: ["K9"] })] }),
  scenario({ kernels: [kernel(), kernel()] }),
  scenario({ kernels: [kernel({ period_ns: 10, deadline_ns: 20 })] }),
  scenario({ policy: { kind: "lottery" } }),
  scenario({ device: "gtx-1" }),
  scenario({ device: { name: "Own", sms: 0 } }),
  scenario({ kernels: [] }),
  { ...exampleScenario("edf-fig-1"), horizon_ns: 0 },
  "name,blocks,threads\nK1,four,512\n",
  "<simulation><task/></simulation>",
];

/** Cells that cannot be read, or break a limit. */
const badCells = { blocks: "x", threads_per_block: "9999", block_time_ns: "soon", registers_per_thread: "999", shared_memory_per_block: "1 GB", issue_ns: "-1" };

const server = await serve({});
const browser = await launchChromium();
const fresh = async (hash = "#/lab") => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: "block", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(server.url + hash);
  await page.waitForSelector('html[data-ready="1"]', { timeout: 15_000, state: "attached" });
  return page;
};
/** One part of the walk with a page of its own; what fails in it is said and does not end the others. */
const walk = async (title, steps, hash) => {
  const page = await fresh(hash);
  await steps(page).catch((error) => console.error(`${title}: ${error.message.split("\n")[0]}`));
  await page.context().close();
};

try {
  console.log("# Texts of the page");
  await walk("explore", (page) => list(page, "Explore"), "#/");
  await walk("first screen", async (page) => {
    await list(page, "First screen");
    for (const menu of await page.locator("details.menu summary").all()) {
      const title = await menu.innerText();
      await menu.click();
      await list(page, `Menu: ${title}`);
      await page.keyboard.press("Escape");
    }
    await page.locator("#help").click();
    await list(page, "Keys and gestures");
    await page.keyboard.press("Escape");
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("ArrowRight");
      await list(page, `First screen, step ${step + 1}`);
    }
    await page.keyboard.press("p");
    await list(page, "Presenter view");
  });
  await walk("panels", async (page) => {
    for (const panel of await page.locator("details.panel").all()) {
      const title = await panel.locator("h2").first().innerText();
      await panel.evaluate((panel) => (panel.open = true));
      await page.waitForTimeout(1_500);
      await unfold(page, "details.panel");
      await list(page, `Panel: ${title}`);
    }
    await page.selectOption("#example", "lp-block");
    await page.waitForTimeout(2_500);
    await unfold(page, "details.panel");
    await list(page, "Panels of a task set");
    await click(page, "#study-run");
    await page.waitForTimeout(4_000);
    await list(page, "Panel: study, under way");
  });
  await walk("examples", async (page) => {
    const ids = await page.locator("#example optgroup option").evaluateAll((options) => options.map((option) => option.value));
    for (const id of ids) {
      await page.selectOption("#example", id);
      await page.waitForTimeout(700);
      await list(page, `Example: ${id}`);
      const bookmarks = await page.locator("[data-bookmark]").count();
      for (let place = 0; place < bookmarks; place += 1) {
        await page.locator("[data-bookmark]").nth(place).click();
        await list(page, `Example: ${id}, bookmark ${place + 1}`);
      }
      await page.keyboard.press("End");
      await list(page, `Example: ${id}, last step`);
    }
  });
  const tools = await (async () => {
    const page = await fresh();
    const entries = await page.locator(".menu-list [data-open-tool]").evaluateAll((all) => all.map((entry) => [entry.dataset.openTool, entry.querySelector("b").textContent]));
    await page.context().close();
    return entries;
  })();
  for (const [name, title] of tools) {
    await walk(title, async (page) => {
      await click(page, "[data-bookmark]");
      await walkTool(page, name, title);
    });
  }
  await walk("policies and devices", async (page) => {
    for (const id of ["#policy input[value=priority]", "#policy input[value=runlist]", "#policy input[value=edf]"]) {
      await click(page, id);
      await page.waitForTimeout(500);
      await unfold(page, "body");
      await list(page, `Policy: ${id.match(/value=(\w+)/)[1]}`);
    }
  });
  await walk("bad cells", async (page) => {
    for (const [field, text] of Object.entries(badCells)) {
      const cell = page.locator(`#kernels tr[data-row="0"] [data-field="${field}"] input`).first();
      if (!(await cell.isVisible())) continue;
      await cell.fill(text, { timeout: 2_000 });
      await page.waitForTimeout(300);
      await list(page, `Bad cell: ${field} = ${text}`);
      await page.keyboard.press("Control+z");
    }
  });
  for (const [place, file] of badFiles.entries()) {
    await walk(`bad file ${place + 1}`, async (page) => {
      const text = typeof file === "string" ? file : JSON.stringify(file);
      await page.locator("#open-file").setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from(text) });
      await page.waitForTimeout(500);
      await list(page, `Bad file: ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`);
    });
  }
  await walk("broken link", (page) => list(page, "Broken link"), "#s=broken");
  await walk("frame", (page) => list(page, "Frame"), "#embed");
} finally {
  await browser.close();
  await server.close();
}
