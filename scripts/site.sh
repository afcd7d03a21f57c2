#!/usr/bin/env bash
# Builds the page quickly into the folder BLOCKSTEP_DIST, to look at and to test: too large to be put on a host.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

exec node scripts/build.mjs "${BLOCKSTEP_DIST:?names the folder}"
