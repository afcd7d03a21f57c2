#!/usr/bin/env bash
# Builds the page and asks how long hostile input keeps it silent, in Chromium: docs/security.md promises less than a second.
#   BLOCKSTEP_FACTOR   of that second, on a slower machine (default: 1)
#   BLOCKSTEP_SHOW     set to anything, it prints the longest task of each input
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh test
take_our_rust
bash scripts/dist.sh
BLOCKSTEP_FACTOR="${BLOCKSTEP_FACTOR:-1}" node --test tests/e2e/hostile.test.mjs
