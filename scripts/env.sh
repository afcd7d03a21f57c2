# Sourced by the other scripts: goes to the project's folder and puts the tools on PATH.
# Tools of our own live in BLOCKSTEP_TOOLS, outside the clone, so that a second clone finds them.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/versions.env
export BLOCKSTEP_TOOLS="${BLOCKSTEP_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/blockstep}"
NPM_LOCK="$({ sha256sum 2>/dev/null || shasum -a 256; } <scripts/npm/package-lock.json | cut -c1-12)"
PATH="$BLOCKSTEP_TOOLS/bin:$BLOCKSTEP_TOOLS/npm-$NPM_LOCK-test/node_modules/.bin:$BLOCKSTEP_TOOLS/npm-$NPM_LOCK-build/node_modules/.bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH

# The compiler of versions.env: the default one, or another of rustup's.
is_our_rust() { [ "$(rustc --version 2>/dev/null | cut -d' ' -f2)" = "$RUST" ]; }
take_our_rust() { is_our_rust || ! rustup toolchain list 2>/dev/null | grep -q "^$RUST-" || export RUSTUP_TOOLCHAIN="$RUST"; }
take_our_rust

say() { printf '%s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

# Panics name the file they come from: as crate and file, not by this machine's folders, which would be downloaded too.
# The variable replaces what .cargo/config.toml says, so its flag is repeated.
short_paths() {
    local source flags=$'--cfg\x1ferase_components'
    for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
        flags+=$'\x1f'"--remap-path-prefix=${source%/}="
    done
    export CARGO_ENCODED_RUSTFLAGS="$flags"
}
