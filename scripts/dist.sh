#!/usr/bin/env bash
# Builds the static site into dist/, with relative addresses.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh build
take_our_rust
# Trunk itself runs without network (Trunk.toml), so the crates are fetched before.
cargo fetch --locked --quiet
short_paths
# Trunk would say each time that it cannot shorten wasm-bindgen's script; scripts/minify.mjs does that.
trunk --log "error,trunk=warn,trunk::processing::minify=off" build --release
bash scripts/pages.sh dist
node scripts/size.mjs --brief || true  # `make test` insists on the limit; a page too large can still be looked at
