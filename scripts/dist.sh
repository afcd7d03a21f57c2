#!/usr/bin/env bash
# Builds the static site into dist/, with relative addresses.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh build
take_our_rust
cargo fetch --locked --quiet
short_paths
node scripts/build.mjs --release dist
bash scripts/pages.sh dist
node scripts/size.mjs --brief || true  # `make test` insists on the limit; a page too large can still be looked at
