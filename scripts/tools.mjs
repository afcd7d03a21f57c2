// What the other Node scripts share: where things are, the tools that scripts/tools.sh installs, the built-in scenarios.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The project's folder. */
export const project = fileURLToPath(new URL("..", import.meta.url));

/** Where the built site is: `dist/`, or the folder that BLOCKSTEP_DIST names. */
export const dist = path.resolve(project, process.env.BLOCKSTEP_DIST ?? "dist");

const tools = process.env.BLOCKSTEP_TOOLS ?? path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "blockstep");

/** Finds modules among what scripts/tools.sh installed by the lock file. */
function required() {
  const lock = createHash("sha256").update(readFileSync(path.join(project, "scripts/npm/package-lock.json"))).digest("hex").slice(0, 12);
  const folder = ["test", "build"].map((kind) => path.join(tools, `npm-${lock}-${kind}`)).find((folder) => existsSync(folder));
  if (!folder) throw new Error("The packages of npm are not installed: scripts/tools.sh does it.");
  return createRequire(path.join(folder, "node_modules", "here.js"));
}

/** A package that scripts/tools.sh installs, by its name. */
export function npmTool(name) {
  return required()(name);
}

/** The path of a file of such a package. */
export function npmFile(name) {
  return required().resolve(name);
}

/** The same for a package that is an ECMAScript module and nothing else. */
export function npmModule(name) {
  return import(pathToFileURL(required().resolve(name)).href);
}

/** The scenario of a built-in example: the file between `r#"` and `"#` in the example's source. */
export function exampleScenario(id) {
  const source = readFileSync(path.join(project, `crates/sim/src/examples/${id.replaceAll("-", "_")}.rs`), "utf8");
  return JSON.parse(source.match(/json: r#"(.*?)"#/s)[1]);
}

/** How long a browser may take to start, in milliseconds, on a machine that has much else to do. */
const START = 120_000;

/** Debian's Chromium without windows, which does the same with two thirds of the work; or the whole one. */
const chromiums = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** How playwright starts Chromium without a window. */
export const chromiumOptions = {
  executablePath: process.env.CHROMIUM ?? chromiums.find(existsSync) ?? chromiums.at(-1),
  args: [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ],
  timeout: START,
};

/** Starts Chromium without a window, with more arguments than all have. The caller closes it. */
export async function launchChromium(more = []) {
  const { chromium } = npmTool("playwright-core");
  return chromium.launch({ ...chromiumOptions, args: [...chromiumOptions.args, ...more] });
}

/** Starts Firefox without a window, by the protocol that it speaks itself (WebDriver BiDi). The caller closes it. */
export async function launchFirefox(preferences = {}) {
  const puppeteer = npmTool("puppeteer-core").default;
  return puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    extraPrefsFirefox: preferences,
    timeout: START,
    protocolTimeout: 2 * START,
  });
}
