// Gives the built site's last files their final form: boot.js a name after its content, and the service
// worker (public/sw.js) the list of what it keeps, with hashes and a version made of all of it; the page the hashes of its script
// and styles; blockstep-run.js its pictures. scripts/minify.mjs calls it.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The name of a file with the hash of its content: all but the page itself may be kept forever. */
export function hashed(name, ...contents) {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(content);
  return name.replace(/\.[^.]*$/, `-${hash.digest("hex").slice(0, 16)}$&`);
}

/** Finishes the site in `folder`. */
export function offline(folder) {
  const boot = hashed("boot.js", readFileSync(path.join(folder, "boot.js")));
  renameSync(path.join(folder, "boot.js"), path.join(folder, boot));
  const page = path.join(folder, "index.html");
  const html = readFileSync(page, "utf8");
  if (!html.includes("boot.js")) throw new Error("index.html does not name boot.js");
  writeFileSync(page, html.replaceAll("boot.js", boot));
  list(folder);
}

/** Writes what is known of the pictures of the built-in examples into the script that shows them in other pages. */
export function posters(folder) {
  const [list, script] = ["posters/posters.json", "blockstep-run.js"].map((name) => path.join(folder, name));
  const text = readFileSync(script, "utf8");
  const place = /(\/\* POSTERS \*\/ const posters = ).*/;
  if (!place.test(text)) throw new Error("blockstep-run.js has no place for the pictures");
  const known = JSON.stringify(JSON.parse(readFileSync(list, "utf8")));
  writeFileSync(script, text.replace(place, (_, start) => `${start}${known};`));
  rmSync(list);
}

/**
 * Scripts and styles of the page with the hash that their bytes must have; also where it is there already. Not the loader and its
 * style: opened as a file, where browsers check no hashes and refuse what has one, they say that the page cannot run there.
 */
function withIntegrity(html, read) {
  return html.replace(/<(script|link)\b[^>]*>/g, (tag, name) => {
    const bare = tag.replace(/ integrity=("[^"]*"|[^\s>]*)/, "");
    const file = bare.match(/ (?:src|href)="?(?:\.\/)?([^"\s>:]+)/)?.[1];
    const isChecked = name === "script" || / rel="?(stylesheet|modulepreload)["\s>]/.test(bare);
    if (!file || !isChecked || file.startsWith("boot-")) return bare;
    const hash = createHash("sha384").update(read(file)).digest("base64");
    return bare.replace(/\s*\/?>$/, ` integrity="sha384-${hash}">`);
  });
}

/** Writes hashes into the page, and the site's version and files with theirs into its service worker; also into those that have them already. */
export function list(folder) {
  const read = (name) => readFileSync(path.join(folder, name));
  writeFileSync(path.join(folder, "index.html"), withIntegrity(read("index.html").toString(), read));
  const sum = (name) => createHash("sha256").update(read(name)).digest("hex");
  const worker = read("sw.js").toString();
  const place = /(\/\* BUILD \*\/ const build = ).*/;
  if (!place.test(worker)) throw new Error("sw.js has no place for the list of files");
  // What other pages show of the site is not part of it: blockstep-run.js and its pictures.
  const entries = (of) => readdirSync(path.join(folder, of), { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = (of) => entries(of).map((entry) => path.posix.join(of, entry.name));
  const files = [...names(""), ...names("measured")].filter((name) => !["index.html", "sw.js", "blockstep-run.js"].includes(name)).sort();
  const version = createHash("sha256").update(worker.replace(place, ""));
  for (const name of ["index.html", ...files]) version.update(`\0${name}\0`).update(read(name));
  const hashes = Object.fromEntries(files.map((name) => [name, sum(name)]));
  const build = { version: version.digest("hex").slice(0, 16), page: sum("index.html"), files: hashes };
  writeFileSync(path.join(folder, "sw.js"), worker.replace(place, (_, start) => `${start}${JSON.stringify(build)};`));
}
