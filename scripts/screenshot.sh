#!/usr/bin/env bash
# Builds the page and takes the README's picture of it: docs/blockstep.png.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh test
take_our_rust
bash scripts/dist.sh
node scripts/screenshot.mjs
