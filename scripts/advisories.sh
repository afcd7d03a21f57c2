#!/usr/bin/env bash
# Asks whether a crate has a known weakness or is given up: those of the project, and those of the Python package. The list is fetched from
# elsewhere (https://rustsec.org).
#   --if-there   where the list cannot be fetched, says so instead of failing (`make test`)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
take_our_rust

[ "$(cargo-deny --version 2>/dev/null | awk '{print $2}')" = "$CARGO_DENY" ] ||
    env -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET cargo install --quiet --locked --force --root "$BLOCKSTEP_TOOLS" "cargo-deny@$CARGO_DENY"
if [ "${1:-}" = --if-there ] && ! said="$(cargo deny --locked fetch db 2>&1)"; then
    say "The list of known weaknesses could not be fetched, so no crate was compared with it: $(printf '%s\n' "$said" | sed -n 's/^fatal: //p' | head -n 1)"
    exit 0
fi
cargo deny --locked check advisories
cargo deny --manifest-path bindings/python/Cargo.toml --config bindings/python/deny.toml --locked check advisories
say "No crate has a known weakness."
