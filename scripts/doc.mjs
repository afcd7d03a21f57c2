// What rustdoc says of the comments of the crates: nothing, but that the short names of papers, such as [TX2], are no links. They are
// no links in `docs/` either, and the same comments are the descriptions of the JSON Schema, where a backslash before each would show.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const PAPERS = ["TX2", "EDF", "LP", "MT", "CUDA"];
const args = ["doc", "--locked", "--workspace", "--no-deps", "--features", "blockstep/measure,blockstep/serve"];
const cargo = spawn("cargo", [...args, "--message-format", "json"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => cargo.on("close", resolve));

let found = 0;
for await (const line of createInterface({ input: cargo.stdout })) {
  const { message } = JSON.parse(line);
  // At the end cargo counts the warnings of a crate; the count has no place.
  if (!message?.spans?.length) continue;
  const link = /^unresolved link to `(.*)`$/.exec(message.message)?.[1];
  if (PAPERS.includes(link)) continue;
  console.error(message.rendered);
  found += 1;
}
const status = await ended;
if (status) process.exit(status);
if (found) {
  console.error(`rustdoc: ${found} warnings.`);
  process.exit(1);
}
