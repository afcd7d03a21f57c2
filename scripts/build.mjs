// Builds the site into a folder, quickly, to look at: `node scripts/build.mjs FOLDER`; with --release, as it is published. What is in it
// stands in index.html, in the links that Trunk reads too (Trunk.toml), for whoever has it.
// The folder is complete at any time: new files come first, the page that names them then, and old ones go last.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { finish } from "./minify.mjs";
import { hashed } from "./offline.mjs";
import { npmFile, npmTool, project } from "./tools.mjs";

const TARGET = "wasm32-unknown-unknown";
const target = path.resolve(project, process.env.CARGO_TARGET_DIR ?? "target");
const source = (name) => path.join(project, name);
const text = (name) => readFileSync(source(name), "utf8");

/** Builds the site into `folder`; fails with the words of whichever tool failed. */
export async function build(folder, { isRelease = false } = {}) {
  const stage = path.join(folder, ".stage");
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const page = text("index.html");
  const links = [...page.matchAll(/[ \t]*<link data-trunk\b([^>]*)>\n?/g)].map(([tag, inner]) => ({ tag, ...attributes(inner) }));
  const programs = links.filter(({ rel }) => rel === "rust");
  await compile(programs, isRelease);
  const made = await Promise.all(programs.map((program) => glue(program, isRelease)));
  let html = page;
  for (const link of links) html = html.replace(link.tag, () => put(stage, link, isRelease));
  html = html.replace("</head>", () => `${made.map((part) => part(stage)).join("")}</head>`);
  if (isRelease) html = npmTool("@minify-html/node").minify(Buffer.from(html), { keep_closing_tags: true }).toString();
  writeFileSync(path.join(stage, "index.html"), html);
  await finish(stage, { isRelease });
  publish(stage, folder);
}

/** The attributes of a tag: name to value. */
function attributes(inner) {
  return Object.fromEntries([...inner.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

/** Puts what a link names into the site; the tag that stands for it on the page, if any. */
function put(stage, { rel, href, type }, isRelease) {
  const name = href && path.basename(href);
  if (rel === "copy-file" || rel === "copy-dir") {
    cpSync(source(href), path.join(stage, name), { recursive: true });
    return "";
  }
  if (rel === "rust") return "";
  let content = readFileSync(source(href));
  if (rel === "css" && isRelease) content = npmTool("lightningcss").transform({ filename: name, code: content, minify: true }).code;
  const kept = hashed(name, content);
  writeFileSync(path.join(stage, kept), content);
  if (rel === "css") return `    <link rel="stylesheet" href="./${kept}">\n`;
  if (rel === "icon") return `    <link rel="icon" type="${type}" href="./${kept}">\n`;
  throw new Error(`index.html has a link of a kind that scripts/build.mjs does not know: ${rel}`);
}

/** Compiles page and workers, all at once. */
function compile(programs, isRelease) {
  const [profile, ...others] = new Set(programs.map((program) => profileOf(program, isRelease)));
  if (others.length > 0) throw new Error("index.html names several profiles of cargo");
  const names = programs.flatMap(({ href = "Cargo.toml", ...program }) => ["-p", text(href).match(/^name = "(.*)"$/m)[1], "--bin", program["data-bin"]]);
  return run("cargo", ["build", "--locked", "--target", TARGET, "--profile", profile, ...names]);
}

function profileOf(program, isRelease) {
  return program[`data-cargo-profile-${isRelease ? "release" : "dev"}`];
}

/**
 * Makes the script of a compiled program, and for a release shortens its WebAssembly. Both are kept in the target folder for as long as
 * nothing changes that they are made of. Returns what puts them into the site, and gives the tags by which the page loads them.
 */
async function glue(program, isRelease) {
  const name = program["data-bin"];
  const isWorker = program["data-type"] === "worker";
  const compiled = path.join(target, TARGET, profileOf(program, isRelease), `${name}.wasm`);
  const key = createHash("sha256").update(readFileSync(compiled)).update(JSON.stringify(program));
  for (const recipe of ["scripts/build.mjs", "scripts/bindgen/Cargo.lock", "scripts/bindgen/src/main.rs", "scripts/npm/package-lock.json"]) key.update(text(recipe));
  const home = path.join(target, "glue", `${name}-${profileOf(program, isRelease)}`);
  const kept = path.join(home, key.digest("hex").slice(0, 16));
  if (!existsSync(kept)) {
    rmSync(home, { recursive: true, force: true });
    const fresh = path.join(home, "new");
    await run("blockstep-bindgen", [isWorker ? "worker" : "page", compiled, fresh, name]);
    const wasm = path.join(fresh, `${name}_bg.wasm`);
    if (isRelease) {
      const options = [`-O${program["data-wasm-opt"]}`, ...program["data-wasm-opt-params"].split(" ")];
      await run(process.execPath, [npmFile("binaryen/bin/wasm-opt"), ...options, wasm, "-o", wasm]);
    }
    renameSync(fresh, kept);
  }
  return (stage) => {
    const [script, wasm] = [`${name}.js`, `${name}_bg.wasm`].map((name) => readFileSync(path.join(kept, name)));
    // scripts/minify.mjs names those of workers after their content.
    const js = isWorker ? `${name}.js` : hashed(`${name}.js`, script, wasm, text("scripts/npm/package-lock.json"));
    const loaded = { base: "./", js, wasm: js.replace(".js", "_bg.wasm") };
    writeFileSync(path.join(stage, loaded.js), script);
    writeFileSync(path.join(stage, loaded.wasm), wasm);
    if (isWorker) return "";
    // As Trunk would write them.
    const pattern = (of) => text("Trunk.toml").match(new RegExp(`^pattern_${of} = '(.*)'$`, "m"))[1];
    return `${pattern("script")}${pattern("preload")}`.replace(/\{(\w+)\}/g, (_, name) => loaded[name]);
  };
}

/** Runs a program with the terminal's output. */
function run(program, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, { cwd: project, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", (error) => reject(new Error(`${program} could not be started (${error.code}): scripts/tools.sh installs it.`)));
    child.once("exit", (code, signal) => (code === 0 ? resolve() : reject(new Error(`${program} failed (${signal ?? code}).`))));
  });
}

/** Moves what is in `stage` up into `folder`, in which nothing else is left. */
function publish(stage, folder) {
  const last = ["index.html", "sw.js"];
  const names = readdirSync(stage).sort((a, b) => last.indexOf(a) - last.indexOf(b));
  for (const name of names) {
    const place = path.join(folder, name);
    // A folder takes no other's place.
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(place, { recursive: true });
    renameSync(path.join(stage, name), place);
  }
  for (const name of readdirSync(folder).filter((name) => !names.includes(name))) rmSync(path.join(folder, name), { recursive: true, force: true });
}

const [, script, ...options] = process.argv;
if (import.meta.url === pathToFileURL(script ?? "").href) {
  const isRelease = options.includes("--release");
  const [folder] = options.filter((option) => option !== "--release");
  if (!folder) throw new Error("usage: node scripts/build.mjs [--release] FOLDER");
  await build(path.resolve(folder), { isRelease }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
