#!/usr/bin/env bash
# Builds the page and serves it at http://127.0.0.1:8080 (PORT names another port).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh build
# Asked before the build, which takes a while.
node scripts/serve.mjs --check
bash scripts/dist.sh
exec node scripts/serve.mjs
