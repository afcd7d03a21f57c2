#!/usr/bin/env bash
# Installs what is missing, in the versions of scripts/versions.env. Safe to run again and again.
#   scripts/tools.sh build   what building and serving the page needs
#   scripts/tools.sh test    that, and what the tests need (the default)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

have() { command -v "$1" >/dev/null 2>&1; }

# What cannot be installed from here is asked for in one line.
prerequisites() {
    local missing=()
    have cargo && have rustc || missing+=("Rust with cargo (rustup installs both)")
    have cc || have gcc || have clang || missing+=("a C compiler for linking (Debian: apt-get install build-essential)")
    if ! have node; then
        missing+=("Node.js 20 or later")
    elif [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -lt 20 ]; then
        missing+=("Node.js 20 or later (this is $(node --version))")
    fi
    have npm || missing+=("npm")
    [ ${#missing[@]} -eq 0 ] && return
    local list
    list="$(printf '%s, ' "${missing[@]}")"
    die "Blockstep needs something that is not installed here. Please install: ${list%, }."
}

# Runs a command quietly; its output is shown only if it fails. The first argument says what it is for.
quietly() {
    local what="$1" log
    shift
    say "Installing $what ..."
    log="$(mktemp)"
    if "$@" >"$log" 2>&1 </dev/null; then
        rm -f "$log"
    else
        cat "$log" >&2
        rm -f "$log"
        die "Could not install $what; its own messages stand above."
    fi
}

wasm_target() {
    [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)" ] && return
    have rustup || die "Please install the Rust target wasm32-unknown-unknown (with rustup it would be added by itself)."
    quietly "the Rust target wasm32-unknown-unknown" rustup target add wasm32-unknown-unknown
}

# A component of the Rust toolchain, by the cargo command that shows it.
component() {
    cargo "$2" --version >/dev/null 2>&1 && return
    have rustup || die "Please install cargo $2 (with rustup it would be added by itself)."
    quietly "$1" rustup component add "$1"
}

# A command-line tool from crates.io: program, package, version.
cargo_tool() {
    local program="$1" package="$2" version="$3"
    [ "$("$program" --version 2>/dev/null | awk '{print $2}')" = "$version" ] && return
    quietly "$package $version (compiles for some minutes)" \
        env -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET cargo install --locked --force --root "$BLOCKSTEP_TOOLS" "$package@$version"
}

# A package of npm, in a folder of its own. Moved into place when complete, so that it is there or not.
npm_tool() {
    local package="$1" version="$2" folder
    folder="$BLOCKSTEP_TOOLS/$package-$version"
    [ -f "$folder/node_modules/$package/package.json" ] && return
    mkdir -p "$BLOCKSTEP_TOOLS"
    local fresh
    fresh="$(mktemp -d "$BLOCKSTEP_TOOLS/new.XXXXXX")"
    quietly "$package $version" npm install --prefix "$fresh" --ignore-scripts --no-audit --no-fund --no-package-lock --save-exact "$package@$version"
    rm -rf "$folder"
    mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"
    [ -f "$folder/node_modules/$package/package.json" ] || die "Could not install $package $version into $folder."
}

# Chromium and its driver: CHROMIUM and CHROMEDRIVER name other programs than those of Debian.
chromium() {
    local missing=()
    have "${CHROMIUM:-chromium}" || missing+=(chromium)
    have "${CHROMEDRIVER:-chromedriver}" || missing+=(chromium-driver)
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    if ! have apt-get || { [ ${#as_root[@]} -gt 0 ] && ! have sudo; }; then
        die "The page tests need Chromium and its driver. Please install: ${missing[*]} (Debian's names), or name them in CHROMIUM and CHROMEDRIVER."
    fi
    quietly "the list of Debian packages" "${as_root[@]}" apt-get update
    quietly "${missing[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

prerequisites
case "${1:-test}" in
build | test) ;;
*) die "usage: scripts/tools.sh [build|test]" ;;
esac
wasm_target
cargo_tool trunk trunk "$TRUNK"
cargo_tool wasm-bindgen wasm-bindgen-cli "$WASM_BINDGEN"
npm_tool binaryen "$BINARYEN"
npm_tool terser "$TERSER"
if [ "${1:-test}" = test ]; then
    component clippy clippy
    component rustfmt fmt
    cargo_tool wasm-pack wasm-pack "$WASM_PACK"
    npm_tool playwright-core "$PLAYWRIGHT_CORE"
    npm_tool axe-core "$AXE_CORE"
    chromium
fi
