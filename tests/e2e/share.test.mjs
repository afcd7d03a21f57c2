// What comes from elsewhere and what leaves: logs of a GPU, SimSo's task sets, every export, figures,
// links with all they take along, damaged links, notes, and a view in a frame of another page.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { project } from "../../scripts/tools.mjs";
import { becomes, choosePolicy, filledTool, guest, idle, openScenario, settled, shareAt, start, step, timeline, until } from "./page.mjs";

let site;
before(async () => (site = await start()));
after(() => site.close());

const shared = process.env.BLOCKSTEP_SHARED ?? path.join(project, "../shared");
const logs = [1, 2, 3, 4].map((i) => path.join(shared, `data/examiner-logs/ospert_2017_figure_4_K5000_log${i}.json`));

async function says(page, name, pattern) {
  await page.waitForFunction(
    ([name, source, flags]) => new RegExp(source, flags).test((document.querySelector(`#tool-${name} .tool-body`)?.innerText ?? "")),
    [name, pattern.source, pattern.flags],
  );
}

/** What a click saves: its name and text. */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

function on(what, does, options = {}) {
  test(what, { skip: options.skip }, async () => {
    const { page, problems, close } = await site.open(options);
    await does(page);
    assert.deepEqual(problems, []);
    await close();
  });
}

/** The link that the panel offers. */
async function link(page) {
  const share = await filledTool(page, "share");
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
  const address = await share.locator("input[readonly]").inputValue();
  await share.locator("button[aria-label=Close]").click();
  return address;
}

async function follow(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.waitForSelector('html[data-ready="1"]', { state: "attached" });
}

const noLogs = !logs.every((log) => existsSync(log)) && "the papers' data is not at hand";

on("logs of a GPU: drawn, judged, rebuilt and laid over the run", async (page) => {
  await page.locator("#open-file").setInputFiles(logs);
  await page.waitForSelector("#wide-measured svg");
  await says(page, "measured", /32 blocks/);
  await says(page, "measured", /No violations found/);
  await page.locator("#tool-measured").getByRole("button", { name: /build the scenario/i }).click();
  await says(page, "measured", /32 of 32 blocks/);
  await page.waitForFunction(() => /K5000/.test(document.querySelector("#device").selectedOptions[0].text));
  const { name, bytes } = await saved(page, page.locator("#tool-measured").getByRole("button", { name: /csv/i }));
  assert.match(name, /\.csv$/);
  assert.ok(bytes.toString().trim().split("\n").length >= 33, "a line for each block");
  await page.locator("#undo").click();
  assert.match(await page.locator("#scenario-name").inputValue(), /Table 1/i, "what was open comes back");
}, { skip: noLogs });

test("a run measured on an H200: words say that it cannot be fetched; its blocks are over the simulated ones, at one click", async () => {
  const { page, problems, close } = await site.open();
  const panel = await filledTool(page, "measured");
  await page.route("**/measured/*.json", (route) => route.abort());
  await panel.getByRole("button", { name: /^33 streams/ }).click();
  await page.waitForSelector(".notice.error");
  assert.match(await page.locator(".notice.error").innerText(), /cannot load the run/);
  assert.ok(problems.splice(0).every((problem) => /measured/.test(problem) || /ERR_FAILED/.test(problem)), "and nothing else went wrong");
  await page.unroute("**/measured/*.json");
  await panel.getByRole("button", { name: /^Table 1 of \[TX2\]/ }).click();
  await page.waitForSelector("#wide-measured svg");
  await says(page, "measured", /Measured on an NVIDIA H200, driver [\d.]+, times exact to/);
  await says(page, "measured", /1,?188 of 1,?188 blocks/);
  assert.match(await page.locator("#scenario-name").inputValue(), /scaled to 132 SMs/);
  assert.deepEqual(problems, []);
  await close();
});

on("a damaged log is judged: a block on an SM that the GPU lacks", async (page) => {
  await page.locator("#open-file").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from('{"a":1}') });
  await page.waitForSelector(".notice.error");
  const files = logs.map((log, i) => {
    const text = readFileSync(log, "utf8");
    const buffer = Buffer.from(i === 0 ? text.replace('"block_smids": [7,', '"block_smids": [99,') : text);
    return { name: path.basename(log), mimeType: "application/json", buffer };
  });
  await page.locator("#open-file").setInputFiles(files);
  await page.waitForSelector("#wide-measured svg");
  await says(page, "measured", /SM 99/);
  assert.equal(await page.locator(".notice.error").count(), 0, "what was wrong with another file is no longer said");
}, { skip: noLogs });

on("a single log, and one that is no log at all, in words", async (page) => {
  const log = { times: [{ kernel_name: "K", block_count: 1, thread_count: 32, block_times: [1.0], block_smids: [0] }] };
  await page.locator("#open-file").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(log)) });
  await says(page, "measured", /block_times/);
  await page.locator("#open-file").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from('{"a":1}') });
  await page.waitForSelector(".notice.error");
  assert.match(await page.locator(".notice.error").innerText(), /neither a scenario/);
  await page.locator('.notice button[aria-label=Dismiss]').click();
  await page.locator("#open-file").setInputFiles({ name: "list.json", mimeType: "application/json", buffer: Buffer.from("[1, 2, 3]") });
  await page.waitForSelector(".notice.error");
  assert.match(await page.locator(".notice.error").innerText(), /list\.json/);
});

on("a task set of SimSo is read under EDF", async (page) => {
  const xml = `<?xml version="1.0" ?><simulation duration="100000000" cycles_per_ms="1000000" etm="wcet"><sched class="simso.schedulers.EDF_mono" overhead="0"/><processors><processor name="CPU 1" id="1" cl_overhead="0" cs_overhead="0" speed="1.0"/></processors><tasks><task name="lidar" id="1" task_type="Periodic" abort_on_miss="yes" period="10.0" activationDate="0.0" list_activation_dates="" deadline="8.0" base_cpi="1.0" instructions="0" mix="0.5" WCET="2.5" ACET="0.0" preemption_cost="0" et_stddev="0.0"/></tasks></simulation>`;
  await page.locator("#open-file").setInputFiles({ name: "tasks.xml", mimeType: "text/xml", buffer: Buffer.from(xml) });
  await page.waitForFunction(() => document.querySelector('#policy [value="edf"]').checked);
  assert.ok((await page.locator("main").innerText()).includes("lidar"));
});

on("every format is saved and can be looked at", async (page) => {
  const export_ = await filledTool(page, "export");
  const titles = [
    "Trace (JSON)", "Steps (text)", "Blocks and copies (CSV)", "Kernels (CSV)", "Jobs (CSV)",
    "Waiting reasons (CSV)", "Results (CSV)", "Chrome trace", "Examiner logs", "SimSo task set (XML)",
  ];
  assert.deepEqual(await export_.locator(".export-list > li > div:first-child strong").allInnerTexts(), titles);
  const button = (does, title) => export_.getByRole("button", { name: `${does} ${title}`, exact: true });
  for (const title of titles.filter((title) => !title.startsWith("SimSo"))) {
    await button("Preview", title).click();
    await page.waitForFunction(() => document.querySelector("#tool-export .tool-body pre")?.innerText.length > 20);
    const files = [];
    const take = (download) => files.push(download);
    page.on("download", take);
    await button("Save", title).click();
    const wanted = title === "Examiner logs" ? 3 : 1;
    await until(() => files.length, (count) => count >= wanted);
    await idle(page);
    page.off("download", take);
    assert.equal(files.length, wanted, `${title}: one for each stream, or one`);
    const text = readFileSync(await files[0].path(), "utf8");
    if (["Trace (JSON)", "Chrome trace", "Examiner logs"].includes(title)) assert.equal(typeof JSON.parse(text), "object", title);
    else assert.ok(text.trim().split("\n").length > 2, title);
  }
  // Table 1 has no real-time task.
  await button("Preview", "SimSo task set (XML)").click();
  await says(page, "export", /real-time|deadline|EDF/);
});

on("figures: a preview, SVG, PNG, TikZ and slides, at the size asked for", async (page) => {
  const figure = await filledTool(page, "figure");
  await figure.locator("[name=width]").fill("600");
  await figure.locator("[name=width]").press("Tab");
  await figure.locator("[name=palette]").selectOption({ index: 2 });
  for (const [index, what] of [[0, /K1:0/], [1, /Queue diagram/]]) {
    await figure.locator("[name=figure]").selectOption({ index });
    await page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector("#tool-figure .tool-body svg")?.textContent ?? ""), [what.source]);
    const svg = await saved(page, figure.getByRole("button", { name: "Save SVG" }));
    assert.match(svg.name, /\.svg$/);
    assert.match(svg.bytes.toString(), /^<svg[^>]*width="600"/);
    const png = await saved(page, figure.getByRole("button", { name: "Save PNG" }));
    assert.match(png.name, /\.png$/);
    assert.equal(png.bytes.readUInt32BE(16), 1200, "two pixels for each");
    await figure.getByRole("button", { name: "LaTeX", exact: true }).click();
    const tikz = await saved(page, figure.getByRole("button", { name: "Save TikZ" }));
    assert.match(tikz.bytes.toString(), /\\begin\{tikzpicture\}/);
    await figure.getByRole("button", { name: "Image", exact: true }).click();
  }
  await figure.getByRole("button", { name: "LaTeX", exact: true }).click();
  const slides = await saved(page, figure.getByRole("button", { name: "Save Beamer slides" }));
  assert.match(slides.bytes.toString(), /\\documentclass.*\{beamer\}/);
  await figure.locator("[name=width]").fill("7");
  await figure.locator("[name=width]").press("Tab");
  await says(page, "figure", /240/);
  assert.equal(await figure.locator("[name=width]").inputValue(), "7", "what was typed stays");
});

on("some steps are saved as a GIF, a frame for each", async (page) => {
  const figure = await filledTool(page, "figure");
  await figure.locator("[name=gif-steps]").fill("12-30");
  await figure.locator("[name=gif-steps]").press("Tab");
  await figure.locator("[name=gif-delay]").selectOption("0.5");
  await figure.getByRole("checkbox", { name: "Captions" }).check();
  const button = figure.getByRole("button", { name: "Save GIF" });
  const gif = await saved(page, button);
  assert.equal(gif.name, "steps.gif");
  assert.equal(gif.bytes.subarray(0, 6).toString(), "GIF89a");
  assert.equal(gif.bytes.readUInt16LE(6), 1600, "two pixels for each");
  assert.ok(gif.bytes.length < 1_000_000, `${gif.bytes.length} bytes`);
  const delays = [];
  for (let at = 0; (at = gif.bytes.indexOf(Buffer.from([0x21, 0xf9, 4]), at)) >= 0; at += 8) {
    if (gif.bytes[at + 7] === 0) delays.push(gif.bytes.readUInt16LE(at + 4));
  }
  assert.deepEqual(delays, [...Array(18).fill(50), 100]);
  await figure.locator("[name=gif-steps]").fill("80-99");
  await figure.locator("[name=gif-steps]").press("Tab");
  await button.click();
  await says(page, "figure", /step 99: the run has 89 steps/);
});

/** Plays a video in a page of its own: its width, how long it lasts, and the brightness of its whole picture at some times, in seconds. */
async function watched(page, bytes, times) {
  const other = await page.context().newPage();
  const seen = await other.evaluate(
    async ([text, times]) => {
      const video = document.createElement("video");
      await new Promise((resolve, reject) => {
        Object.assign(video, { onloadeddata: resolve, onerror: () => reject(new Error(video.error.message)) });
        video.src = `data:video/webm;base64,${text}`;
      });
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      const context = canvas.getContext("2d");
      const pictures = [];
      for (const time of times) {
        await new Promise((resolve) => {
          video.onseeked = resolve;
          video.currentTime = time;
        });
        context.drawImage(video, 0, 0);
        pictures.push(context.getImageData(0, 0, canvas.width, canvas.height).data.reduce((a, b) => a + b) / canvas.width / canvas.height);
      }
      return { width: video.videoWidth, duration: video.duration, pictures };
    },
    [bytes.toString("base64"), times],
  );
  await other.close();
  return seen;
}

on("some steps are saved as a video, each for as long as it stays", async (page) => {
  const figure = await filledTool(page, "figure");
  await figure.locator("[name=gif-steps]").fill("25-27");
  await figure.locator("[name=gif-steps]").press("Tab");
  await figure.locator("[name=gif-delay]").selectOption("0.5");
  const button = figure.getByRole("button", { name: "Save video" });
  const video = await saved(page, button);
  assert.equal(video.name, "steps.webm");
  // The last one stays twice as long.
  const { width, duration, pictures } = await watched(page, video.bytes, [0.05, 0.45, 0.55, 0.95, 1.05, 1.95]);
  assert.deepEqual([width, duration], [1600, 2]);
  const steps = [0, 2, 4].map((first) => pictures.slice(first, first + 2));
  for (const [begin, end] of steps) assert.equal(begin, end, `a step is one picture: ${pictures}`);
  assert.equal(new Set(pictures).size, 3, `each step has its own: ${pictures}`);
});

on("a video is given up", async (page) => {
  const figure = await filledTool(page, "figure");
  await figure.locator("[name=gif-steps]").fill("25-27");
  await figure.locator("[name=gif-steps]").press("Tab");
  // Held until the reader has given it up: while a frame is decoded, and while all of them are encoded.
  await page.evaluate(() => {
    for (const [of, name] of [[ImageDecoder, "decode"], [VideoEncoder, "flush"]]) {
      const call = of.prototype[name];
      of.prototype[name] = async function (...options) {
        if (window.held === name) await new Promise((resolve) => (window.goOn = resolve));
        return call.apply(this, options);
      };
    }
  });
  let files = 0;
  page.on("download", () => files++);
  const button = figure.getByRole("button", { name: "Save video" });
  for (const [held, shown] of [["decode", /Encoding step 1 of 3/], ["flush", /Encoding step 3 of 3/]]) {
    await page.evaluate((held) => Object.assign(window, { held, goOn: null }), held);
    await button.click();
    await page.waitForFunction(() => window.goOn);
    await says(page, "figure", shown);
    assert.ok(await button.isDisabled());
    await figure.getByRole("button", { name: "Cancel" }).click();
    await page.evaluate(() => window.goOn());
    await page.waitForFunction(() => !/Encoding step/.test(document.querySelector("#tool-figure").innerText));
    assert.ok(await button.isEnabled());
  }
  await page.evaluate(() => (window.held = null));
  await saved(page, button);
  assert.equal(files, 1, "those that were given up gave none");
});

on("a link takes all along: scenario, step, zoom, selection, comparison, notes", async (page) => {
  await choosePolicy(page, "fifo");
  for (const key of ["ArrowRight", "ArrowRight", "w", "w"]) await page.keyboard.press(key);
  await page.locator('#queues [data-op]').first().click();
  await filledTool(page, "compare");
  await page.waitForSelector("#wide-compare svg");
  const notes = await filledTool(page, "notes");
  await notes.locator("[name=text]").fill('Look here: <b>"K1"</b>\nשלום');
  await notes.getByRole("button", { name: "Keep" }).click();
  await says(page, "notes", /Look here/);
  const before = { step: await step(page), picture: await timeline(page), wide: await page.locator("#wide-compare").innerText() };
  const address = await link(page);
  assert.ok(address.length < 1500, `${address.length} characters`);

  const other = await site.open();
  await follow(other.page, address);
  await says(other.page, "notes", /Look here: <b>"K1"<\/b>/);
  await other.page.waitForSelector("#wide-compare svg");
  await other.page.waitForFunction((position) => document.querySelector("#step-at").innerText === String(position), before.step.position);
  assert.ok(await other.page.locator("#policy [value=fifo]").isChecked());
  assert.deepEqual(await step(other.page), before.step);
  await other.page.waitForFunction(() => document.querySelector("#tool-ask .tool-body"));
  assert.equal(await other.page.locator("#wide-compare").innerText(), before.wide);
  assert.equal(await timeline(other.page), before.picture, "zoom and selection");
  assert.match(other.page.url(), /#v2=/, "the address stays as long as nothing is edited");
  await choosePolicy(other.page, "priority");
  await other.page.waitForFunction(() => !location.hash);
  // Notes are the reader's own: they survive a reload.
  await other.page.reload();
  await other.page.waitForSelector('html[data-ready="1"]', { state: "attached" });
  await filledTool(other.page, "notes");
  await says(other.page, "notes", /Look here/);
  assert.deepEqual(other.problems, []);
  await other.close();
});

on("the link on screen takes along what is noted while it is shown", async (page) => {
  const share = await filledTool(page, "share");
  const field = share.locator("input[readonly]");
  await page.waitForFunction(() => document.querySelector("#tool-share .tool-body input[readonly]")?.value.includes("#v2="));
  const before = await field.inputValue();
  const notes = await filledTool(page, "notes");
  await notes.locator("[name=text]").fill("Mind the head of the queue.");
  await notes.getByRole("button", { name: "Keep" }).click();
  await page.waitForFunction((before) => document.querySelector("#tool-share .tool-body input[readonly]").value !== before, before);
  await follow(page, await field.inputValue());
  await says(page, "notes", /Mind the head/);
});

on("a link shows a view whatever was made of its \"&\" and \"=\"; a damaged one says so in a frame, too", async (page) => {
  const address = await link(page);
  for (const [part, hidden] of [["&embed", "#kernels"], ["&amp;embed=timeline", "#queues"], ["&embed%3Dqueues", "#timeline"]]) {
    await follow(page, address + part);
    await page.waitForFunction(() => document.querySelector("#scenario-name").value.includes("Table 1"));
    assert.ok(!(await page.locator(hidden).isVisible()), part);
    assert.equal(new URL(await page.locator("#embed-full").evaluate((a) => a.href)).hash, new URL(address).hash, part);
  }
  for (const bad of ["v9=AAAA", "v1=AAAA"]) {
    await follow(page, `${address.split("#")[0]}#${bad}&embed=queues`);
    await says(page, "share", bad.startsWith("v9") ? /later version/ : /link/i);
    assert.ok(await page.locator("#tool-share").isVisible());
    assert.ok(!(await page.locator("#tool-share input[readonly]").isVisible()));
  }
});

on("a link that is damaged, or of a later version, opens the page and says so", async (page) => {
  const address = await link(page);
  const [base, hash] = address.split("#");
  const name = await page.locator("#scenario-name").inputValue();
  const damaged = [hash.slice(0, 60), hash.slice(0, 40) + "x" + hash.slice(41), hash.replace("v2", "v9"), "v1=%%%", "v1="];
  for (const fragment of damaged) {
    await follow(page, `${base}#${fragment}`);
    await says(page, "share", fragment.startsWith("v9") ? /later version/ : /link/i);
    assert.equal(await page.locator("#scenario-name").inputValue(), name);
    assert.ok(await page.locator("#tool-share").isVisible());
    await page.keyboard.press("ArrowRight");
    assert.ok((await step(page)).count > 0, "the page works");
  }
});

test("a view in a frame of another page: sized with it, stepped by keys and buttons, with a way to the whole", async () => {
  const { page, problems, close } = await site.open();
  const share = await filledTool(page, "share");
  await shareAt(page, "embed");
  await share.locator("[name=form]").selectOption("frame");
  await share.locator("[name=view]").selectOption("timeline");
  await page.waitForFunction(() => /embed=timeline/.test(document.querySelector("#tool-share .tool-body textarea").value));
  const code = await share.locator("textarea").inputValue();
  assert.match(code, /<iframe[^>]*title="/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await share.getByRole("button", { name: "Copy code" }).click();
  await page.waitForFunction(() => /clipboard/i.test(document.querySelector("#notices").innerText));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);

  const port = await guest(`<!doctype html><title>A lecture</title><h1>A lecture</h1><div id=room style="width:800px">${code}</div>`);
  const lecture = await page.context().newPage();
  await lecture.goto(`http://127.0.0.1:${port}/`);
  const frame = lecture.frameLocator("iframe");
  await frame.locator('html[data-ready="1"]').waitFor({ state: "attached" });
  await frame.locator("#timeline").waitFor();
  for (const hidden of ["#open", "#queues", "#kernels", ".foot"]) assert.ok(!(await frame.locator(hidden).first().isVisible()), hidden);
  // The link has been followed.
  await frame.locator("#step-at", { hasText: String((await step(page)).position) }).waitFor();
  const at = () => frame.locator("#step-at").innerText().then(Number);
  await frame.locator("#forward").click();
  const first = await at();
  await lecture.keyboard.press("ArrowRight");
  await becomes(at, first + 1);
  const wide = (await frame.locator("#timeline").boundingBox()).width;
  await lecture.locator("#room").evaluate((room) => (room.style.width = "420px"));
  await lecture.locator("iframe").evaluate((iframe) => (iframe.style.width = "100%"));
  // It is sized with its frame.
  await until(async () => (await frame.locator("#timeline").boundingBox()).width, (width) => width < wide - 200);
  const full = await frame.locator("#embed-full").getAttribute("href");
  assert.match(full, /#v2=/);
  assert.ok(!full.includes("embed"));
  assert.deepEqual(problems, []);
  await lecture.close();
  await close();
});

on("names with markup and formulas stay text in all that is saved", async (page) => {
  const name = '=HYPERLINK("x")<img src=x onerror=alert(1)>';
  await openScenario(page, { version: 1, name: "<b>&", kernels: [{ name, blocks: 1, threads_per_block: 32, block_time_ns: 3000 }] });
  const export_ = await filledTool(page, "export");
  const csv = await saved(page, export_.getByRole("button", { name: "Save Kernels (CSV)" }));
  assert.ok(!/(^|,)"?=/m.test(csv.bytes.toString()), "no formula");
  const figure = await filledTool(page, "figure");
  const svg = (await saved(page, figure.getByRole("button", { name: "Save SVG" }))).bytes.toString();
  assert.ok(!svg.includes("<img") && !svg.includes("<b>"));
  assert.equal(await page.locator("main img").count(), 0);
});

on("everything that leaves the page has one place with tabs, also from a link to one of its tools", async (page) => {
  await page.locator("#share").click();
  const tabs = page.locator(".tool:not([hidden]) .place-tabs button");
  assert.deepEqual(await tabs.allInnerTexts(), ["Link", "Embed", "As text", "Image", "LaTeX", "Data", "Notes…"]);
  const seen = { Link: "Copy link", Embed: "Copy code", Image: "Save SVG", LaTeX: "Save TikZ", Data: "Save Trace (JSON)" };
  for (const tab of Object.keys(seen)) {
    await tabs.filter({ hasText: tab }).click();
    await page.locator(".tool:visible").getByRole("button", { name: seen[tab], exact: true }).waitFor();
    for (const [other, button] of Object.entries(seen)) {
      assert.equal(await page.getByRole("button", { name: button, exact: true }).count(), other === tab ? 1 : 0, `${button} at ${tab}`);
    }
    assert.equal(await page.locator(".tool:visible h2").innerText(), "Share");
    assert.equal(await page.locator('.place-tabs:visible [aria-pressed="true"]').innerText(), tab);
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.innerText), tab, "the focus stays with the tab");
  }
  await page.evaluate(() => (location.hash = "figure=figure%3Dqueues"));
  await page.waitForFunction(() => document.querySelector("#tool-figure .tool-body [name=figure]")?.value === "queues");
  assert.equal(await page.locator(".tool:visible").count(), 1);
  assert.equal(await page.locator('.place-tabs:visible [aria-pressed="true"]').innerText(), "Image");
});

on("every address that docs/papers.md gives for a section of a paper opens", async (page) => {
  const text = readFileSync(path.join(project, "docs/papers.md"), "utf8");
  const addresses = [...new Set([...text.matchAll(/`(#[^`]+)`/g)].map(([, address]) => address))];
  assert.ok(addresses.length > 60, `${addresses.length} addresses`);
  const places = { example: "#timeline", study: "#sf-preset", batch: "#tool-batch" };
  for (const address of addresses) {
    await page.evaluate((hash) => (location.hash = hash), address);
    const [kind] = address.match(/\w+/);
    await page.locator(places[kind] ?? `#tool-${kind}`).waitFor();
    await settled(page);
    assert.doesNotMatch(await page.locator("#notices").innerText(), /This link|There is no/, address);
  }
});
