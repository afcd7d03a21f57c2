#!/usr/bin/env bash
# Asks whether a crate has a known weakness or is given up: those of the project, and those of the Python package. The list is fetched from
# elsewhere (https://rustsec.org).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
take_our_rust

[ "$(cargo-deny --version 2>/dev/null | awk '{print $2}')" = "$CARGO_DENY" ] ||
    env -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET cargo install --quiet --locked --force --root "$BLOCKSTEP_TOOLS" "cargo-deny@$CARGO_DENY"
cargo deny --locked check advisories
cargo deny --manifest-path bindings/python/Cargo.toml --config bindings/python/deny.toml --locked check advisories
say "No crate has a known weakness."
