// What CI does with secrets and with what it publishes (docs/security.md): its files are read, as nobody can run them here.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { address, beginning, withBeginning } from "../../scripts/readme.mjs";
import { project } from "../../scripts/tools.mjs";

const folder = path.join(project, ".github/workflows");
const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
/** The steps of a file that use an action, each with its lines. */
const steps = (name) => files[name].split(/^ +- (?=name:|uses:|id:|if:)/m).slice(1);

test("every action is named by its commit", () => {
  for (const [name, text] of Object.entries(files)) {
    for (const [, action] of text.matchAll(/uses: (.*)/g)) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d/, `${name}: ${action}`);
  }
});

test("nothing that is published comes from a cache", () => {
  assert.doesNotMatch(files["release.yml"], /actions\/cache|cache:/);
  const caches = steps("pages.yml").filter((step) => step.includes("actions/cache"));
  const said = caches.map((step) => [/actions\/cache\/(\w+)@/.exec(step)?.[1], /if: (.*)/.exec(step)?.[1]]);
  assert.deepEqual(said, [["restore", "github.ref != 'refs/heads/main'"], ["save", "github.ref == 'refs/heads/main'"]]);
});

test("each file of a release is attested before it is published, and only that job may attest", () => {
  const text = files["release.yml"];
  const [build, publish] = text.split(/^ {2}(?:publish|pypi):$/m);
  assert.doesNotMatch(build, /(?:id-token|attestations|contents): write/);
  assert.match(publish, /id-token: write\n +attestations: write\n/);
  assert.match(publish, /SHA256SUMS[^]*attest-build-provenance@[^]*subject-path: release\/\*\n[^]*gh release create/);
});

test("advisories are asked for each week", () => {
  assert.match(files["advisories.yml"], /schedule:\n +- cron: "\d+ \d+ \* \* \d"\n/);
  assert.match(files["advisories.yml"], /run: make advisories\n/);
});

test("a registry waits for its switch, trusts the workflow, and gets nothing before the release is there", () => {
  const jobs = files["release.yml"].split(/^ {2}(?=\w+:$)/m);
  for (const name of ["pypi", "npm", "crates"]) {
    const job = jobs.find((job) => job.startsWith(`${name}:\n`));
    assert.match(job, new RegExp(`^ {4}needs: publish\n {4}if: vars\\.PUBLISH_${name.toUpperCase()} [!=]= '(?:true)?'\n`, "m"));
    assert.match(job, new RegExp(`^ {4}environment: ${name}\n {4}permissions:\n(?: {6}contents: read\n)? {6}id-token: write\n {4}steps:`, "m"));
  }
  for (const [name, text] of Object.entries(files)) assert.doesNotMatch(text, /secrets\./, name);
});

test("the notes of a release are what CHANGELOG.md says of its version", (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "blockstep-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const CHANGES = path.join(folder, "CHANGELOG.md");
  writeFileSync(CHANGES, "# Changes\n\n## Not released\n\n- New.\n\n## 0.2.0 (2026-12-01)\n\n- Second.\n\n## 0.1.0 (2026-11-25)\n\n- First.\n");
  const notes = (version) => spawnSync("bash", ["scripts/notes.sh", version], { cwd: project, env: { ...process.env, CHANGES }, encoding: "utf8" });
  assert.equal(notes("0.2.0").stdout.trim(), "- Second.");
  assert.equal(notes("0.1.0").stdout.trim(), "- First.");
  assert.deepEqual([notes("0.3.0").status, notes("0.3.0").stdout], [1, ""]);
  assert.match(notes("0.3.0").stderr, /CHANGELOG.md says nothing of 0.3.0/);
  const uses = files["release.yml"].match(/scripts\/notes.sh "\$\{GITHUB_REF_NAME#v\}"/g);
  assert.equal(uses.length, 2, "checked before anything is built, and printed");
});

test("README.md begins with what the address makes possible, and says so while there is none", () => {
  const readme = readFileSync(path.join(project, "README.md"), "utf8");
  assert.equal(readme, withBeginning(readme, beginning(address())), "node scripts/readme.mjs writes it");
  assert.equal(beginning("").trim().split("\n").length, 1);
  const first = withBeginning(readme, beginning("https://host/blockstep/"));
  const [said, built] = ["https://host/blockstep/", "make serve"].map((text) => first.indexOf(text));
  assert.ok(said > 0 && said < built);
  for (const text of ["/releases)", "tar -xzf", "./blockstep serve\n", "pip install blockstep"]) assert.ok(first.indexOf(text) < built && first.includes(text), text);
  // `tar` leaves the folder that scripts/release.sh names.
  assert.match(readFileSync(path.join(project, "scripts/release.sh"), "utf8"), /folder="blockstep-\$version-\$host"\n/);
});
