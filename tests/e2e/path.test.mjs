// The path of a submission, in place of the queues: its switch, its arrows step by step, and the link that takes it along.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choosePolicy, filledTool, openScenario, settled, start, step } from "./page.mjs";

let site;
before(async () => {
  site = await start();
});
after(() => site?.close());

const MS = 1_000_000;

/** Best effort until brake arrives at 1 ms, which needs 3 ms and has a budget of 2 ms. */
const overrun = {
  version: 2,
  name: "Overrun",
  device: "tx2",
  policy: { kind: "edf" },
  processes: [
    { name: "video", guest: "infotainment" },
    { name: "map", guest: "infotainment" },
    { name: "brake" },
  ],
  tasks: [
    { name: "video", process: "video" },
    { name: "map", process: "map", priority: 1 },
    { name: "brake", process: "brake", offset_ns: MS, deadline_ns: 6 * MS, budget_ns: 2 * MS },
  ],
  kernels: [
    { name: "KV", task: "video", blocks: 4, threads_per_block: 1024, block_time_ns: 4 * MS },
    { name: "KM", task: "map", blocks: 1, threads_per_block: 1024, block_time_ns: MS },
    { name: "KB", task: "brake", blocks: 4, threads_per_block: 1024, block_time_ns: 3 * MS },
  ],
};

test("the path of a submission is shown in place of the queues, lights its signals, and is in the link", async () => {
  const { page, problems, close } = await site.open();
  await openScenario(page, overrun);
  assert.equal(await page.locator(".path").count(), 0);
  await page.locator("[data-diagram=Path]").click();
  assert.deepEqual(await page.locator("[data-guest]").evaluateAll((all) => all.map((guest) => guest.dataset.guest)), ["infotainment", "brake"]);
  assert.equal(await page.locator('[data-guest="infotainment"] [data-buffer]').count(), 2);

  // Every signal of the run, as its arrow tells it.
  const told = [];
  await page.keyboard.press("Home");
  const { count } = await step(page);
  for (let n = 0; n < count; n += 1) {
    await page.keyboard.press("ArrowRight");
    await settled(page);
    for (const arrow of await page.locator("[data-arrow][data-lit]:not([data-arrow=''], [data-arrow=Commands])").all()) {
      told.push(`${await arrow.getAttribute("data-arrow")} ${await arrow.locator(".path-event").textContent()}`);
    }
  }
  assert.deepEqual(told, ["A video", "A map", "A brake", "C brake", "B brake", "B video", "B map"]);

  // Where the budget is used up, the runlist has brake's channel alone; the operation is in its buffer, and asks when it is clicked.
  await page.keyboard.press("Home");
  await page.locator(".jump input").fill("Q2");
  await page.locator(".jump input").press("Enter");
  await settled(page);
  assert.equal(await page.locator("[data-arrow=C]").getAttribute("data-lit"), "1");
  assert.equal(await page.locator("[data-runlist]").getAttribute("data-runlist"), "brake");
  assert.match(await page.locator("[data-host]").textContent(), /executes brake/);
  const chip = page.locator('[data-guest="brake"] [data-batch="brake"] [data-op] [role=button]');
  assert.match(await chip.getAttribute("aria-label"), /KB, Push buffer of stream .*, batch of brake: 4 of 4 blocks assigned/);

  // Where no processes take turns, there is no path; back again, it is shown as before.
  await choosePolicy(page, "fifo");
  assert.equal(await page.locator("[data-diagram]").count(), 0);
  await choosePolicy(page, "runlist");
  assert.equal(await page.locator(".path").count(), 1);
  assert.equal(await page.locator("[data-arrow=A]").count(), 0, "nobody is told of anything under runlist");

  // A link made here opens with it, and with the queues once these are shown again.
  const share = await filledTool(page, "share");
  const address = async () => {
    await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
    return share.locator("input[readonly]").inputValue();
  };
  const withPath = await address();
  await page.locator("[data-diagram=Queues]").click();
  await page.waitForFunction((before) => document.querySelector("#tool-share .tool-body input[readonly]").value !== before, withPath);
  assert.equal(await page.locator(".path").count(), 0);
  await page.goto(withPath);
  await page.waitForSelector(".path");
  assert.deepEqual(problems, []);
  await close();

  // An example's address takes it along.
  const other = await site.open();
  await other.page.goto(`${site.url}#example=edf-overrun-cbs&step=5&path=1`);
  await other.page.waitForSelector(".path");
  assert.equal(await other.page.locator("[data-diagram=Path]").getAttribute("aria-pressed"), "true");
  assert.deepEqual(other.problems, []);
  await other.close();
});
