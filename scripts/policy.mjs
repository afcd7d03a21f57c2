// Checks the built page against its content security policy: the policy stands before anything it rules, allows no
// other address, base or form, and no code but that of files; nothing in the HTML is inline; and docs/hosting.md says the same policy.
// Prints what is wrong and ends with status 1.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { dist, project } from "./tools.mjs";

const read = (name) => readFileSync(path.join(dist, name), "utf8");
const wrong = [];
const must = (holds, words) => holds || wrong.push(words);

/** The tags of HTML that the build has shortened: comments are gone, attributes may be without quotes. */
function tags(html) {
  return [...html.matchAll(/<([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi)].map(([all, name, inner]) => {
    const found = [...inner.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g)];
    const attributes = new Map(found.map(([, key, double, single, bare]) => [key.toLowerCase(), double ?? single ?? bare ?? ""]));
    return { all, name: name.toLowerCase(), attributes };
  });
}

/** The directives of a policy: name to values. */
function directives(policy) {
  return new Map(policy.split(";").map((part) => part.trim().split(/\s+/)).map(([name, ...values]) => [name, values]));
}

const page = tags(read("index.html"));
const at = page.findIndex(({ attributes }) => attributes.get("http-equiv")?.toLowerCase() === "content-security-policy");
must(at >= 0, "index.html has no content security policy");
const policy = page[at]?.attributes.get("content") ?? "";
const rules = directives(policy);
for (const { all } of page.slice(0, at).filter(({ name }) => !["html", "head", "meta"].includes(name))) {
  wrong.push(`${all} stands before the policy`);
}

must(rules.get("default-src")?.join(" ") === "'none'", "the policy has to allow nothing that it does not name: default-src 'none'");
const allowed = new Set(["'self'", "'none'", "data:", "blob:", "'wasm-unsafe-eval'", "'unsafe-inline'"]);
for (const [name, values] of rules) {
  for (const value of values) must(allowed.has(value), `the policy allows ${value} in ${name}`);
  must(name === "style-src" || !values.includes("'unsafe-inline'"), `the policy allows inline code: ${name}`);
}
must(rules.get("script-src")?.every((value) => ["'self'", "'wasm-unsafe-eval'"].includes(value)), "scripts may come from the site's files only");

for (const name of ["base-uri", "form-action"]) must(rules.get(name)?.join(" ") === "'none'", `the policy has to say ${name} 'none'`);

for (const { all, name, attributes } of page) {
  must(name !== "script" || attributes.get("src"), `${all} is inline`);
  must(name !== "style", `${all} is inline`);
  for (const [key, value] of attributes) {
    must(!key.startsWith("on") && key !== "style", `${key} in ${all} is inline`);
    must(!/^\s*javascript:/i.test(value), `${key} in ${all} is code`);
    if (["src", "href", "action", "srcset"].includes(key)) must(/^\.\/[^:]*$/.test(value), `${key}=${value} in ${all} is not a relative address`);
  }
}
for (const name of readdirSync(dist).filter((name) => name.endsWith(".js"))) {
  must(!/\beval\s*\(|\bnew\s+Function\s*\(|\bimportScripts\s*\(/.test(read(name)), `${name} makes code of text`);
}

const hosting = readFileSync(path.join(project, "docs/hosting.md"), "utf8");
must(hosting.includes(`${policy}; frame-ancestors`), "docs/hosting.md does not give the policy of index.html, followed by frame-ancestors");

for (const words of wrong) console.error(words);
if (wrong.length > 0) process.exit(1);
console.log("Nothing is inline, and nothing comes from elsewhere.");
