#!/usr/bin/env bash
# Builds the package for JavaScript, packs it, and tests what was packed. It is packed in target/npm-package.
#   BLOCKSTEP_NPM_NAME   its name with the owner's scope, such as @someone/blockstep; without it, it is private and called blockstep
#   CHROMIUM             another Chromium than Debian's; without one, what Vite and webpack make of it is built and not opened
#   BLOCKSTEP_PROGRAM    a program of the same version, whose output is compared with that of the package
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh npm
take_our_rust
short_paths
home="$PWD/target/npm-package"
rm -rf "$home"
mkdir -p "$home/glue"

built="${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/npm/blockstep_npm.wasm"
features=(--enable-bulk-memory --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-reference-types --enable-multivalue)
# Its two entries: the crate with a feature each, and what it is called.
for entry in runs:blockstep analysis:analysis; do
    name="${entry#*:}"
    cargo build --quiet --locked --profile npm --target wasm32-unknown-unknown -p blockstep-npm --no-default-features --features "${entry%:*}"
    blockstep-bindgen package "$built" "$home/glue" "$name"
    wasm-opt "${features[@]}" -O2 --low-memory-unused --generate-global-effects --reorder-functions-by-name --strip-debug --strip-producers \
        "$home/glue/${name}_bg.wasm" -o "$home/glue/$name.wasm"
done
. scripts/address.env
export BLOCKSTEP_ADDRESS BLOCKSTEP_REPOSITORY
node scripts/npm.mjs "$home"

# The tests have packages of their own, by a lock file of their own. They are there or not.
tests=bindings/npm/tests
lock="$({ sha256sum 2>/dev/null || shasum -a 256; } <"$tests/package-lock.json" | cut -c1-12)"
if [ "$(cat "$tests/node_modules/.lock" 2>/dev/null)" != "$lock" ]; then
    npm ci --prefix "$tests" --ignore-scripts --no-audit --no-fund --silent
    printf '%s' "$lock" >"$tests/node_modules/.lock"
fi
rm -rf "$tests/node_modules/blockstep"
mkdir "$tests/node_modules/blockstep"
tar -xzf "$home"/*.tgz -C "$tests/node_modules/blockstep" --strip-components 1
node --test "$tests"/*.test.mjs
say "The package works with Node.js $(node --version)."
