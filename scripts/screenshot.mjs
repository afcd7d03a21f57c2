// The README's picture, docs/blockstep.png: the page on which Table 1 of [TX2] runs, at the moment of
// inset (d) of its Fig. 4. Needs the page in dist/ (make screenshot builds it first).
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { serve } from "./serve.mjs";
import { launchChromium, project } from "./tools.mjs";

const out = path.join(project, "docs/blockstep.png");
const server = await serve();
const browser = await launchChromium();
try {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1180 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(`${server.url}#/lab`);
  await page.waitForSelector('html[data-ready="1"]', { timeout: 15_000, state: "attached" });
  await page.locator('[data-bookmark^="(d)"]').click();
  await page.locator('#hint button:has-text("Dismiss")').click();
  await page.waitForTimeout(300);
  await mkdir(path.dirname(out), { recursive: true });
  await page.screenshot({ path: out });
  console.log(path.relative(project, out));
} finally {
  await browser.close();
  await server.close();
}
