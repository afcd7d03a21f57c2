// The static pages of learn/ (crates/site): read without script, found from their index, clean for everyone, and a way into the page.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { dist, npmTool } from "../../../scripts/tools.mjs";
import { start, step } from "../page.mjs";

const axe = npmTool("axe-core").source;
/** One of each kind. */
const pages = ["", "example-tx2-table-1.html", "tour-tx2-fig-4.html", "rule-x1.html", "term-sm.html", "guide-semantics.html", "guide-cli.html"];

let site;
before(async () => {
  assert.ok(existsSync(path.join(dist, "learn/index.html")), "write the static pages first: make dist, or scripts/pages.sh FOLDER");
  site = await start();
});
after(() => site?.close());

/** Opens a static page. */
const open = (name, context) => site.open({ url: `${site.url}learn/${name}`, ready: false, context });

/** What must not be. Static pages have pictures beside their folder, and lead out of it. */
const wrong = (problems) => problems.filter((problem) => !problem.startsWith(`leaves the site: ${site.url}`));

test("without script the index leads to a page of each kind, with its text and its picture", async () => {
  for (const name of pages.slice(1)) {
    const { page, problems, close } = await open("", { javaScriptEnabled: false });
    await page.locator(`main a[href="${name}"]`).click();
    await page.waitForURL(`**/learn/${name}`);
    assert.ok((await page.locator("h1").innerText()).length > 0);
    assert.ok(await page.locator("main a.open").isVisible());
    const pictures = await page.locator("img").count();
    assert.equal(pictures, /^(term|guide)-/.test(name) ? 0 : 1, name);
    if (pictures > 0) assert.ok(await page.locator("img").evaluate(async (img) => (await img.decode(), img.naturalWidth > 300)), name);
    await page.locator('nav a[href="./#rules"]').click();
    await page.waitForURL("**/learn/#rules");
    assert.deepEqual(wrong(problems), []);
    await close();
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`static pages, ${colorScheme}: axe-core finds nothing, and nothing sticks out`, async () => {
    const found = [];
    for (const width of [1366, 390]) {
      for (const name of pages) {
        const { page, problems, close } = await open(name, { colorScheme, viewport: { width, height: 844 } });
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
        assert.equal(ground[0] + ground[1] + ground[2] < 3 * 128, colorScheme === "dark", name);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        found.push(...violations.map((v) => `${name}, ${width} px: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target}: ${n.failureSummary}`).join("; ")}`));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) found.push(`${name}: ${wide} px wide in ${width}`);
        assert.deepEqual(wrong(problems), []);
        await close();
      }
    }
    assert.deepEqual(found, []);
  });
}

test("the page leads to the index", async () => {
  const { page, problems, close } = await site.open();
  await page.locator("#to-read").click();
  await page.waitForURL("**/learn/");
  assert.equal(await page.locator("h1").innerText(), "How a GPU schedules: questions, examples, tours, rules, terms, guides");
  assert.deepEqual(problems, []);
  await close();
});

test("a moment of a static page opens in the stepper, and a tour at its stop", async () => {
  const { page, problems, close } = await open("example-tx2-table-1.html");
  await page.getByRole("link", { name: "800 ms: (a) K1 blocks the queue" }).click();
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  assert.equal((await step(page)).position, 18);
  assert.ok((await page.locator("#scenario-name").inputValue()).includes("Table 1"));
  await page.goto(`${site.url}learn/tour-tx2-fig-4.html`);
  await page.getByRole("link", { name: "2. Every operation queues" }).click();
  await page.locator("#tool-tour").getByRole("heading", { name: "Every operation queues in its stream first" }).waitFor();
  await page.goto(`${site.url}learn/rule-x1.html`);
  await page.getByRole("link", { name: "See where a run uses it" }).click();
  await page.locator("#tool-rules").waitFor();
  await page.goto(`${site.url}learn/term-block-slot.html`);
  await page.getByRole("link", { name: "Look it up beside a run" }).click();
  await page.locator("#tool-glossary").getByText("Room for one more resident block").waitFor();
  assert.deepEqual(wrong(problems), []);
  await close();
});
