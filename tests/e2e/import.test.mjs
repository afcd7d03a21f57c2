// Configs of cuda_scheduling_examiner in the page: opened and dropped, asked about, undone.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { project } from "../../scripts/tools.mjs";
import { becomes, cell, drop, openScenario, openTool, problemCount, settled, SMALL, start, timelineName } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

const shared = process.env.BLOCKSTEP_SHARED ?? path.join(project, "../shared");
const fig3 = path.join(shared, "data/examiner-configs/rtss_2017_fig3_bigexperiment.json");

/** What runs when, without the streams, which are named otherwise in a config. */
async function blockTimes(page) {
  await openTool(page, "words");
  await page.locator("#tool-words select").selectOption("blocks");
  await page.waitForFunction(() => document.querySelector("#tool-words caption")?.textContent.startsWith("Blocks"));
  await page.waitForFunction(() => document.querySelectorAll("#tool-words tbody tr").length === 18);
  const rows = await page.locator("#tool-words tbody tr").allInnerTexts();
  await page.locator("#tool-words button[aria-label=Close]").click();
  return rows;
}

test("the examiner's config of Fig. 3 has the times of Table 1", { skip: !existsSync(fig3) && "the papers' data is not at hand" }, async () => {
  const { page, problems, close } = await site.open();
  const expected = await blockTimes(page);
  assert.equal(expected.length, 18);
  const text = readFileSync(fig3, "utf8");
  for (const dropped of [false, true]) {
    await openScenario(page, SMALL);
    const name = "rtss_2017_fig3_bigexperiment.json";
    if (dropped) {
      await drop(page, [{ name, text }], "#kernels");
    } else {
      await page.locator("#open-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    }
    await page.waitForFunction(() => document.querySelector("#scenario-name").value === "RTSS 2017 experiment - figure 3");
    await settled(page);
    assert.equal(await problemCount(page), 0);
    assert.deepEqual(await blockTimes(page), expected);
    assert.match(await page.locator(".notes").innerText(), /TX2/, "what was assumed is said");
    assert.equal(await page.locator("#example").inputValue(), "", "it is no example");
    await page.locator("#undo").click();
    assert.equal(await page.locator("#scenario-name").inputValue(), "Small");
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a config without times is asked about", async () => {
  const benchmark = { filename: "./bin/mandelbrot.so", log_name: "a.json", thread_count: 256, block_count: 4, data_size: 0, additional_info: null };
  const config = { name: "No times", max_iterations: 1, max_time: 0, cuda_device: 0, benchmarks: [benchmark] };
  const { page, problems, close } = await site.open();
  const before = await page.locator("#kernels tbody").innerHTML();
  const file = (name, content) => page.locator("#open-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(content)) });
  await file("no-times.json", config);
  await page.waitForSelector("#ask-duration");
  assert.equal(await page.locator(".notice.error").count(), 0);
  assert.equal(await page.locator("#kernels tbody").innerHTML(), before, "nothing is opened yet");
  await page.locator("#duration").fill("as long as it takes");
  await page.locator("#ask-duration .primary").click();
  assert.notEqual(await page.locator("#duration-error").innerText(), "");
  await page.locator("#duration").fill("25 ms");
  await page.locator("#ask-duration .primary").click();
  await page.waitForFunction(() => document.querySelector("#scenario-name").value === "No times");
  await settled(page);
  assert.equal(await page.locator("#ask-duration").count(), 0);
  assert.match(await timelineName(page), /to 25 ms/);
  await file("broken.json", { ...config, benchmarks: [{ ...benchmark, thread_count: -1 }] });
  await page.waitForSelector(".notice.error");
  assert.match(await page.locator(".notice.error").innerText(), /broken\.json cannot be opened.*thread_count/s);
  assert.deepEqual(problems, []);
  await close();
});

test("files beside the page are opened by its address, and read anew by a reload until they are edited", async () => {
  const kernels = [{ name: "A", blocks: 1, threads_per_block: 32, block_time_ns: 3000 }];
  const files = { "a b.json": JSON.stringify({ version: 1, name: "First", kernels }) };
  // As a host has them.
  const before = (page) =>
    page.route("**/opened/*", (route) => {
      const name = decodeURIComponent(route.request().url().split("/").at(-1));
      return route.fulfill(name in files ? { body: files[name] } : { status: 404 });
    });
  const { page, problems, close } = await site.open({ url: `${site.url}#open=a+b.json`, before });
  const name = () => page.locator("#scenario-name").inputValue();
  await becomes(name, "First");
  files["a b.json"] = files["a b.json"].replace("First", "Second");
  await page.reload();
  await becomes(name, "Second");
  await settled(page);
  assert.match(page.url(), /#open=/);
  await cell(page, 0, "blocks").fill("7");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.doesNotMatch(page.url(), /#/, "what is edited is no longer what lies there");
  await page.reload();
  await becomes(name, "Second");
  assert.equal(await cell(page, 0, "blocks").inputValue(), "7");
  assert.deepEqual(problems.filter((problem) => !problem.startsWith("leaves the site")), []);

  files["trace.json"] = JSON.stringify({ traceEvents: [{ ph: "X", cat: "kernel", name: "add", pid: 0, tid: 7, ts: 1, dur: 5, args: { device: 0, stream: 7, correlation: 1 } }] });
  await page.goto(`${site.url}#open=trace.json`);
  await page.locator("#trace-answer").waitFor();

  await page.goto(`${site.url}#open=gone.json`);
  await page.getByText("gone.json cannot be opened. The host answers with status 404.").first().waitFor();
  for (const name of ["../gone.json", "..", "more/a b.json"]) {
    await page.goto("about:blank");
    await page.goto(`${site.url}#open=${encodeURIComponent(name)}`);
    await page.getByText(`${name} cannot be opened. A link can only name files that lie in the folder “opened” beside the page.`).first().waitFor();
  }
  await close();
});
