// What the other Node scripts share: where things are, the tools that scripts/tools.sh installs, the built-in scenarios.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The project's folder. */
export const project = fileURLToPath(new URL("..", import.meta.url));

/** Where the built site is: `dist/`, or the folder that BLOCKSTEP_DIST names. */
export const dist = path.resolve(project, process.env.BLOCKSTEP_DIST ?? "dist");

const versions = Object.fromEntries(
  readFileSync(path.join(project, "scripts/versions.env"), "utf8")
    .split("\n")
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split("=")),
);

const tools = process.env.BLOCKSTEP_TOOLS ?? path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "blockstep");

/** Finds modules among what scripts/tools.sh installed for a package. */
function requireFor(name) {
  const version = versions[name.toUpperCase().replace("-", "_")];
  return createRequire(path.join(tools, `${name}-${version}`, "node_modules", "here.js"));
}

/** A package that scripts/tools.sh installs, by its name. */
export function npmTool(name) {
  return requireFor(name)(name);
}

/** The same for a package that is an ECMAScript module and nothing else. */
export function npmModule(name) {
  return import(pathToFileURL(requireFor(name).resolve(name)).href);
}

/** The scenario of a built-in example: the file between `r#"` and `"#` in the example's source. */
export function exampleScenario(id) {
  const source = readFileSync(path.join(project, `src/examples/${id.replaceAll("-", "_")}.rs`), "utf8");
  return JSON.parse(source.match(/json: r#"(.*?)"#/s)[1]);
}

/** Starts Chromium without a window. The caller closes it. */
export async function launchChromium() {
  const { chromium } = npmTool("playwright-core");
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: browserArguments(),
  });
}

/** Starts Firefox without a window, by the protocol that it speaks itself (WebDriver BiDi). The caller closes it. */
export async function launchFirefox(preferences = {}) {
  const puppeteer = npmTool("puppeteer-core").default;
  return puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    extraPrefsFirefox: preferences,
  });
}

/** The arguments that the page tests of `webdriver.json` use too. */
function browserArguments() {
  const capabilities = JSON.parse(readFileSync(path.join(project, "webdriver.json"), "utf8"));
  return capabilities["goog:chromeOptions"].args;
}
