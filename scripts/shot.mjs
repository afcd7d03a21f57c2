// A developer's picture of a page: node scripts/shot.mjs URL OUT.png [options]
//   --width N --height N   size of the window (1440 x 900)
//   --scale N              device pixels per pixel (1)
//   --dark                 as a reader who prefers dark
//   --full                 the whole page instead of the window
//   --script FILE.mjs      its default export is called with the page before the picture is taken
// Messages of the console and errors of the page are printed.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { launchChromium } from "./tools.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "1440" },
    height: { type: "string", default: "900" },
    scale: { type: "string", default: "1" },
    dark: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    script: { type: "string" },
  },
});
const [url, out] = positionals;
if (!url || !out) {
  console.error("usage: node scripts/shot.mjs URL OUT.png [--width N] [--height N] [--scale N] [--dark] [--full] [--script FILE.mjs]");
  process.exit(2);
}

const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: Number(values.width), height: Number(values.height) },
    deviceScaleFactor: Number(values.scale),
    colorScheme: values.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("console", (message) => console.log(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => console.log(`error: ${error.message}`));
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForSelector('html[data-ready="1"]', { timeout: 15_000, state: "attached" }).catch(() => console.log("the page did not become ready"));
  if (values.script) {
    const script = await import(pathToFileURL(path.resolve(values.script)).href);
    await script.default(page);
  }
  await page.screenshot({ path: out, fullPage: values.full });
  console.log(out);
} finally {
  await browser.close();
}
