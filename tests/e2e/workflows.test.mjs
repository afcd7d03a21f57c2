// What CI does with secrets and with what it publishes (docs/security.md): its files are read, as nobody can run them here.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
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
  const [build, publish] = text.split(/^ {2}publish:$/m);
  assert.doesNotMatch(build, /(?:id-token|attestations|contents): write/);
  assert.match(publish, /id-token: write\n +attestations: write\n/);
  assert.match(publish, /SHA256SUMS[^]*attest-build-provenance@[^]*subject-path: release\/\*\n[^]*gh release create/);
});

test("advisories are asked for each week", () => {
  assert.match(files["advisories.yml"], /schedule:\n +- cron: "\d+ \d+ \* \* \d"\n/);
  assert.match(files["advisories.yml"], /run: make advisories\n/);
});
