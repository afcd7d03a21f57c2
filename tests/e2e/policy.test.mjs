// A policy of one's own: on its page a search whose fault is stepped through, a mistake as it is typed, requests by buttons, and a link
// with which a class finds a bug; beside a run the text that decides it, typed, mended, undone and sent as a link.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { npmTool } from "../../scripts/tools.mjs";
import { AXE, becomes, choosePolicy, filledTool, settled, start, timelineName } from "./page.mjs";

const axe = npmTool("axe-core").source;
let site;
before(async () => (site = await start()));
after(() => site.close());

async function opened(options, hash = "#/policy") {
  const context = await site.open(options);
  await context.page.goto(`${site.url}${hash}`);
  await context.page.locator("#policy-area").waitFor();
  return context;
}

async function accessible(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate((options) => window.axe.run("#tool-policy", options), AXE);
  assert.deepEqual(violations.map((of) => [of.id, of.nodes.map((node) => node.html.slice(0, 120))]), []);
}

const decided = (page) => page.locator(".policy-lines .is-decided").evaluateAll((lines) => lines.map((line) => Number(line.dataset.line)));

test("GCAPS is searched, and its first fault leads to the line that empties running", async () => {
  const { page, problems, close } = await opened();
  await page.locator("select[name=policy-text]").selectOption("gcaps");
  await page.locator("#policy-search").click();
  const idle = page.locator("#policy-findings [data-property=idle]");
  await idle.waitFor();
  await page.locator("#policy-assumed").waitFor();
  assert.match(await idle.innerText(), /Fault[\s\S]*The GPU idles while B waits after 3 requests/);
  await idle.locator("button").click();
  await becomes(() => page.locator("#policy-sequence").inputValue(), "+A +B -A", "the requests");
  await becomes(() => decided(page), [25], "the line lit");
  const line = await page.locator("#policy-area").evaluate((area) => area.value.split("\n")[24]);
  assert.equal(line.trim(), "running = pending");
  assert.match(await page.locator("#policy-now").innerText(), /line 25 sets running to pending, which is empty/);
  assert.match(await page.locator("[data-lane=running]").innerText(), /− ?A[\s\S]*− ?B/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await becomes(() => page.locator("#policy-step").innerText(), "Request 2 of 3", "the step before");
  await accessible(page);
  // A second press before the first is answered.
  await page.evaluate(() => {
    for (let i = 0; i < 2; i += 1) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  });
  await becomes(() => page.locator("#policy-step").innerText(), "Request 0 of 3", "two steps before");
  // The same as a run: a table whose jobs ask and end in this order, at the step on screen.
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowRight");
  await becomes(() => page.locator("#policy-step").innerText(), "Request 3 of 3", "the last request");
  await page.locator("#policy-run").click();
  await page.locator("#own-area").waitFor();
  await settled(page);
  assert.equal(new URL(page.url()).hash, "");
  await becomes(() => page.locator("#own-editor .is-decided").evaluateAll((lines) => lines.map((line) => Number(line.dataset.line))), [25], "its line");
  assert.match(await page.locator("#scenario-name").inputValue(), /^Requests \+A \+B -A$/);
  assert.match(await page.locator("#waiting").innerText(), /KB[\s\S]*held back by the policy, line 25/);
  // A mended text runs the same table beside it.
  await page.goto(`${site.url}#/policy`);
  await page.locator("#policy-area").waitFor();
  assert.equal(await page.locator("#policy-compare").count(), 0, "the text on screen is the broken one");
  await page.locator("select[name=policy-text]").selectOption("gcaps-union");
  await page.locator("#policy-compare").click();
  await filledTool(page, "compare");
  await settled(page);
  assert.match(await page.locator("#own-area").inputValue(), /running = union|pending/);
  assert.match(await page.locator("#tool-compare").innerText(), /Before the edit/);
  assert.deepEqual(problems, []);
  await close();
});

test("a missed deadline opens as the run of its task set", async () => {
  const { page, problems, close } = await opened();
  await page.locator("#policy-area").fill("expect deadlines\nadmit highest priority in ready\n");
  await page.locator("#policy-search").click();
  const missed = page.locator("#policy-findings [data-property=missed].is-fault");
  await missed.waitFor();
  await page.locator("#policy-search").waitFor();
  assert.match(await page.locator("#policy-status").innerText(), /of 23,674 task sets run/);
  assert.match(await missed.innerText(), /B misses its deadline at 6 ms, though the test promises it: utilization 1\./);
  assert.match(await missed.innerText(), /A 2 of 4 ms, B 3 of 6 ms/);
  await accessible(page);
  await missed.getByRole("button", { name: "Open as a run" }).click();
  await page.locator("#own-area").waitFor();
  await settled(page);
  assert.match(await page.locator("#own-area").inputValue(), /^expect deadlines/);
  assert.equal(await page.locator("#scenario-name").inputValue(), "Task set A 2 of 4 ms, B 3 of 6 ms");
  assert.deepEqual(problems, []);
  await close();
});

test("a mistake stands at its line while it is typed, and the text survives a reload", async () => {
  const { page, problems, close } = await opened({ colorScheme: "dark" });
  const area = page.locator("#policy-area");
  await area.fill("waiting: queue\non request(t):\n  add t to waitin\nadmit first in waiting");
  await page.locator(".policy-lines .is-wrong[data-line='3']").waitFor();
  assert.match(await page.locator("#policy-mistake").innerText(), /Line 3, column 12: nothing is called waitin; did you mean waiting\?/);
  await accessible(page);
  // Key by key, nothing is lost.
  await area.press("Control+End");
  await area.pressSequentially("\n# the end, typed quickly");
  assert.match(await area.inputValue(), /waiting\n# the end, typed quickly$/);
  await page.locator("select[name=policy-text]").selectOption("edf");
  await becomes(() => area.inputValue().then((text) => text.includes("lowest deadline")), true, "another text");
  await page.locator("select[name=policy-text]").selectOption("own-0");
  await becomes(() => area.inputValue().then((text) => text.endsWith("typed quickly")), true, "one's own");
  assert.deepEqual(problems, []);
  await close();
});

test("a class finds the bug by its own requests", async () => {
  const { page, problems, close } = await opened({}, "#policy=policy%3Dgcaps%26hunt%3Dasked");
  const hunt = page.locator("#policy-hunt");
  await hunt.waitFor();
  assert.equal(await page.locator("#policy-search").count(), 0);
  await page.getByRole("button", { name: "A begins" }).click();
  await page.getByRole("button", { name: "B begins" }).click();
  await becomes(() => page.locator("#policy-sequence").inputValue(), "+A +B", "two requests");
  assert.match(await hunt.innerText(), /This policy has a bug/);
  await page.getByRole("button", { name: "A ends" }).click();
  await becomes(() => hunt.innerText().then((text) => /Found, by 3 requests\. The GPU idles while B waits/.test(text)), true, "it is found");
  await accessible(page);
  await hunt.getByRole("button", { name: "Search it for all faults" }).click();
  await page.locator("#policy-search").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("a text decides a run: its line is lit, a mistake keeps the last run, and a link takes it along", async () => {
  const { page, problems, close } = await site.open();
  await page.goto(`${site.url}#example=own-gpreempt&step=20`);
  await settled(page);
  const lit = () => page.locator("#own-editor .is-decided").evaluateAll((lines) => lines.map((line) => Number(line.dataset.line)));
  const area = page.locator("#own-area");
  await becomes(lit, [17], "the line that ends the turn");
  const before = await timelineName(page);
  // Nobody is sent to the end of the queue any more.
  const text = await area.inputValue();
  await area.fill(text.replace("move k to others", "move k to other"));
  await becomes(() => page.locator("#own-mistake").innerText(), "Line 17, column 15: nothing is called other; did you mean others?", "the mistake");
  await settled(page, { runs: false });
  assert.equal(await timelineName(page), before, "the last valid run stays");
  await area.fill(text.replace("move k to others", "move k to front of others"));
  await settled(page);
  assert.equal(await page.locator("#own-mistake").count(), 0);
  await becomes(async () => (await timelineName(page)) === before, false, "another run");
  const share = await filledTool(page, "share");
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
  const address = await share.locator("input[readonly]").inputValue();
  const other = await site.open();
  await other.page.goto(address);
  await settled(other.page);
  assert.match(await other.page.locator("#own-area").inputValue(), /move k to front of others/);
  assert.ok(await other.page.locator("#policy [value=own]").isChecked());
  assert.deepEqual([...problems, ...other.problems], []);
  await other.close();
  await close();
});

test("the fifth policy begins with a text, and a reader can undo it", async () => {
  const { page, problems, close } = await site.open();
  await page.goto(`${site.url}#example=edf-path`);
  await settled(page);
  const edf = await timelineName(page);
  assert.ok(!(await page.locator("#own-area").isVisible()));
  await choosePolicy(page, "own");
  await becomes(async () => (await timelineName(page)) === edf, false, "a run under the text");
  assert.match(await page.locator("#own-area").inputValue(), /admit lowest deadline|lowest deadline/);
  await page.locator("#undo").click();
  await settled(page);
  await becomes(() => timelineName(page), edf, "the run before");
  assert.deepEqual(problems, []);
  await close();
});
