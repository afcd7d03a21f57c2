#!/usr/bin/env bash
# Builds the page quickly and serves it at http://127.0.0.1:8080 (PORT names another port).
#   --dev   watches the sources: what is changed is built and shown at once
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh serve
take_our_rust
# Not dist/: what is served here is for looking at, and too large to be put on a host.
export BLOCKSTEP_DIST=target/quick-site
# Asked before the build, which takes a while.
node scripts/serve.mjs --check
cargo fetch --locked --quiet
if [ "${1:-}" = --dev ]; then
    exec node scripts/dev.mjs
fi
bash scripts/site.sh
exec node scripts/serve.mjs
