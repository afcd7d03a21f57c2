#!/usr/bin/env bash
# Builds the page and measures it in Chromium: its speed, its memory, and a large profiler trace.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh test
take_our_rust
bash scripts/dist.sh
node scripts/bench-page.mjs
node scripts/bench-memory.mjs
node scripts/bench-trace.mjs
