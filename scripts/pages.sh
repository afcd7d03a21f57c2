#!/usr/bin/env bash
# Writes the static pages (crates/site) into the site in the folder that is named: learn/, and sitemap.xml where the site's address
# is set (scripts/address.env).
set -euo pipefail
folder="$(realpath "${1:?names the folder of the site}")"
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. scripts/address.env

# As the native tests build it, with all that they have built already; scripts/dist.sh has flags for the page alone.
unset CARGO_ENCODED_RUSTFLAGS
program() {
    local name="$1"
    shift
    cargo build --locked --quiet --workspace --features blockstep/measure,blockstep/serve --bin "$name"
    "${CARGO_TARGET_DIR:-target}/debug/$name" "$@"
}
program blockstep-site "$folder" ${BLOCKSTEP_ADDRESS:+"$BLOCKSTEP_ADDRESS"}
[ -z "$BLOCKSTEP_ADDRESS" ] || program blockstep-png "$folder"/learn/chat-*.svg
