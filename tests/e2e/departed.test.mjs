// A run that is no longer the built-in scenario's: nothing that was written for that stands on the stage;
// undo, reload and links keep this right.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, choosePolicy, reload, settled, start } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site?.close());

/** What the stage says of the scenario. */
async function stage(page) {
  await settled(page);
  return {
    name: await page.locator("#scenario-name").inputValue(),
    example: await page.locator("#example").inputValue(),
    bookmarks: await page.locator("[data-bookmark]").count(),
    says: await page.locator("#intro-text").innerText(),
    based: (await page.locator("#based-on").count()) === 1 ? await page.locator("#based-on").innerText() : "",
  };
}

const gone = (seen) => {
  assert.deepEqual([seen.name, seen.example, seen.bookmarks], ["", "", 0]);
  assert.match(seen.based, /^Based on Table 1 · Show its notes/);
  assert.doesNotMatch(seen.says, /K1/);
};

/** One of the edits that make it another run; crates/view/tests/src/departed.rs has them all. */
const otherDevice = (page) => page.locator("#device").selectOption("titanv");

test("the texts of Table 1 leave the stage with an edit, and are back when that is undone", async () => {
  const { page, problems, close } = await site.open();
  await page.locator('[data-bookmark^="(a)"]').click();
  const original = await stage(page);
  assert.equal(original.bookmarks, 5);
  assert.match(original.says, /Four blocks of K1 run/);
  await cell(page, 0, "blocks").fill("4");
  await page.keyboard.press("Tab");
  gone(await stage(page));
  // Its notes can be read, as those of the original.
  await page.locator("#original").click();
  await settled(page);
  assert.match(await page.locator(".of-original").innerText(), /^These notes describe the original Table 1[\s\S]*Four blocks of K1 run/);
  assert.equal(await page.locator("#original").getAttribute("aria-expanded"), "true");
  await page.locator("#original").click();
  await page.evaluate(() => document.activeElement.blur());
  await page.locator("#undo").click();
  assert.deepEqual(await stage(page), original);
  await page.locator("#redo").click();
  gone(await stage(page));
  await reload(page);
  gone(await stage(page));
  await page.locator("#reset").click();
  const back = await stage(page);
  assert.deepEqual([back.name, back.example, back.bookmarks], [original.name, original.example, original.bookmarks]);
  assert.deepEqual(problems, []);
  await close();
});

test("a link to a changed example does not claim to be it", async () => {
  const { page, problems, close } = await site.open();
  await otherDevice(page);
  await page.locator("#share").click();
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
  const address = await page.locator("#tool-share .tool-body input[readonly]").inputValue();
  const other = await site.open();
  await other.page.goto("about:blank");
  await other.page.goto(address);
  await other.page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  await other.page.waitForFunction(() => document.querySelector("#device").value === "titanv" && document.querySelector("#based-on"));
  gone(await stage(other.page));
  assert.match(await other.page.locator("#timeline").getAttribute("aria-label"), /^Block timeline of 80 SMs\./);
  assert.deepEqual([...problems, ...other.problems], []);
  await other.close();
  await close();
});

test("another policy is a view of the same example, and its address carries it", async () => {
  const { page, problems, close } = await site.open({ url: `${site.url}#example=tx2-table-1&step=3` });
  const original = await stage(page);
  await choosePolicy(page, "edf");
  const under = await stage(page);
  assert.deepEqual([under.example, under.bookmarks, under.based], [original.example, original.bookmarks, ""]);
  assert.equal(under.name, `${original.name}, under EDF`);
  assert.ok(under.says.endsWith(original.says), under.says);
  assert.match(under.says, /^This is the run under EDF\. The text and the moments are about the run under Priority\. · Show it under Priority/);
  assert.match(await page.locator("[data-bookmark]").first().getAttribute("title"), /^Under Priority: /);
  const hash = () => page.evaluate(() => location.hash);
  assert.equal(await hash(), "#example=tx2-table-1&step=3&under=edf");
  // By the address alone, in another tab.
  const other = await site.open({ url: site.url + (await hash()) });
  assert.deepEqual(await stage(other.page), under);
  assert.ok(await other.page.locator("#policy [value=edf]").isChecked());
  await other.page.locator("#own-policy").click();
  assert.deepEqual(await stage(other.page), original);
  await other.close();
  await page.locator("#undo").click();
  assert.deepEqual(await stage(page), original);
  assert.equal(await hash(), "#example=tx2-table-1&step=3");
  // Another table has neither its texts nor its address.
  await choosePolicy(page, "edf");
  await cell(page, 0, "blocks").fill("4");
  await page.keyboard.press("Tab");
  gone(await stage(page));
  assert.equal(await hash(), "");
  assert.deepEqual(problems, []);
  await close();
});

test("an address with a policy that there is not says which there are", async () => {
  const { page, problems, close } = await site.open({ url: `${site.url}#example=tx2-table-1&under=own` });
  await page.getByText("This link asks for the policy “own”, which is none of fifo, priority, runlist, edf.").waitFor();
  assert.equal((await stage(page)).bookmarks, 5);
  assert.deepEqual(problems, []);
  await close();
});
