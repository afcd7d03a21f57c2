// How README.md begins: what somebody does who builds nothing, once scripts/address.env says where Blockstep is. `node scripts/readme.mjs`
// writes it there; a test compares the two.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./tools.mjs";

const README = path.join(project, "README.md");
const BEGIN = "## Without building\n\n";
const END = "## Two commands\n";

/** The address of the site that a text like that of scripts/address.env sets; empty if none. */
export const address = () =>
  execFileSync("bash", ["-c", 'unset BLOCKSTEP_ADDRESS; . scripts/address.env; printf %s "$BLOCKSTEP_ADDRESS"'], { cwd: project, encoding: "utf8" });

/** What stands before the two commands. */
export const beginning = (address) =>
  address === ""
    ? "Blockstep is published nowhere yet, so the first step is to build it; [hosting](docs/hosting.md#publishing) says how it gets published.\n\n"
    : `Open ${address}: that is all of the page. To have it without a network, with the command line, download the file for your system from the
[releases](../../releases), and unpack it:

    tar -xzf blockstep-*.tar.gz && cd blockstep-*/
    ./blockstep serve

\`pip install blockstep\` installs the [Python package](docs/python.md).

`;

/** README.md with another beginning. */
export function withBeginning(readme, text) {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`README.md has no ${BEGIN.trim()} before ${END.trim()}`);
  return readme.slice(0, from + BEGIN.length) + text + readme.slice(to);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(README, withBeginning(readFileSync(README, "utf8"), beginning(address())));
}
