// Makes the icons that an installed page needs as PNG from public/icon.svg, in Chromium: `node scripts/icons.mjs`,
// to be run again when that picture changes (after `bash scripts/tools.sh test`). The files are committed.
import { readFileSync } from "node:fs";
import path from "node:path";
import { launchChromium, project } from "./tools.mjs";

const file = (name) => path.join(project, "public", name);
const svg = readFileSync(file("icon.svg"), "utf8");
const ground = /<rect width="32" height="32" rx="\d+" fill="(#\w+)"/.exec(svg)[1];

// `share`: how much of the side the picture takes. Where a system cuts the corners off by a shape of its own, the ground
// fills the square; of a maskable icon, only a circle of 80 % is sure to be seen, so the picture is smaller.
const icons = [
  { name: "icon-192.png", size: 192, share: 1 },
  { name: "icon-512.png", size: 512, share: 1 },
  { name: "icon-maskable-512.png", size: 512, share: 0.74, full: true },
  { name: "apple-touch-icon.png", size: 180, share: 0.9, full: true },
];

const browser = await launchChromium();
for (const { name, size, share, full } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const side = Math.round(size * share);
  const margin = (size - side) / 2;
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await page.setContent(
    `<body style="margin:0;background:${full ? ground : "transparent"}"><img src="${source}" style="display:block;margin:${margin}px;width:${side}px">`,
  );
  await page.screenshot({ path: file(name), omitBackground: true });
  await page.close();
}
await browser.close();
