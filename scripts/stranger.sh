#!/usr/bin/env bash
# What a stranger does in the first ten minutes, in an empty folder with an empty home: with the program, and with the package for
# JavaScript where it is packed. Every command is shown with the beginning of what it prints; one that ends otherwise than it should ends
# the script.
#   scripts/stranger.sh [PROGRAM] [PACKAGE]   by default target/debug/blockstep and what `make test-npm` has packed
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
[ -x "${1:-target/debug/blockstep}" ] || die "There is no program: \`cargo build\` builds it."
program="$(realpath "${1:-target/debug/blockstep}")"
package="${2:-$(ls target/npm-package/blockstep-*.tgz 2>/dev/null || true)}"
[ -z "$package" ] || package="$(realpath "$package")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir home bin
ln -s "$program" bin/blockstep

# A line for a shell, and the status with which it should end.
try() {
    local should="$1" line="$2" status=0
    printf '\n$ %s\n' "$line"
    env -i HOME="$folder/home" PATH="$folder/bin:$PATH" TERM=dumb NPM_CONFIG_UPDATE_NOTIFIER=false bash -c "$line" >said 2>&1 </dev/null || status=$?
    sed -n '1,6p' said | cut -c1-140
    [ "$status" = "$should" ] || { printf 'It ended with %s and not with %s:\n' "$status" "$should" >&2; cat said >&2; exit 1; }
}

try 2 "blockstep"
try 0 "blockstep --version"
try 0 "blockstep examples"
try 0 "blockstep devices"
try 0 "blockstep examples tx2-table-1 > t1.json"
try 0 "blockstep check t1.json"
try 0 "blockstep simulate t1.json -f steps"
try 0 "blockstep simulate t1.json -o t1.svg && ls -l t1.svg"
try 0 "blockstep simulate t1.json --policy fifo -f results"
try 0 "blockstep analyze t1.json"
try 0 "blockstep sweep t1.json --vary 'kernels[K1].blocks=1..5' -j 1"
try 0 "blockstep policy check hpf --tasks 2"
# Mistakes say what to do.
try 2 "blockstep simulate t2.json"
try 2 "blockstep simulat t1.json"
try 2 "blockstep simulate t1.json --device tx9"
try 2 "sed 's/\"blocks\": 2/\"blocks\": 0/' t1.json > bad.json; blockstep check bad.json"

[ -n "$package" ] || { printf '\nThere is no package for JavaScript: `make test-npm` packs it.\n'; exit 0; }
mkdir app
cd app
try 0 "npm init -y >/dev/null && npm install --silent --no-audit --no-fund $package && ls node_modules/blockstep"
cat >first.mjs <<'JS'
import { simulate } from "blockstep";
import { example } from "blockstep/examples";

const run = simulate(example("tx2-table-1"));
console.log(run.name, run.policy, run.end_ns);
console.table(run.kernels.map(({ kernel, response_ns }) => ({ kernel, response_ns })));
console.log(run.why("K5", "1.2s").sentence);
JS
try 0 "node first.mjs"
cat >second.mjs <<'JS'
import { analyse, sweep } from "blockstep/analysis";
import { example } from "blockstep/examples";

console.log(analyse(example("lp-block")).sentence);
console.table(sweep(example("tx2-table-1"), { "kernels[K3].blocks": [1, 2, 4] }, { measure: "response:K5" }).rows);
JS
try 0 "node second.mjs"
cat >wrong.mjs <<'JS'
import { simulate } from "blockstep";

try {
  simulate({ version: 1, device: "tx2", kernels: [{ name: "K1", blocks: 2, threads_per_block: 2048, block_time_ns: 500 }] });
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
JS
try 0 "node wrong.mjs"
