#!/usr/bin/env bash
# Installs what is missing, in the versions of scripts/versions.env. Safe to run again and again.
#   scripts/tools.sh serve   what a build of the page needs, to look at it here
#   scripts/tools.sh build   the same, to put the page on a host
#   scripts/tools.sh npm     what the package for JavaScript needs
#   scripts/tools.sh release what a release needs
#   scripts/tools.sh test    what a build needs, and what the tests need (the default)
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

# Runs a command; its output is shown only if it fails, its last line all the while. The first argument says what it is for.
quietly() {
    local what="$1" log pid status=0
    shift
    say "Installing $what ..."
    log="$(mktemp)"
    "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    watch_log "$pid" "$log"
    wait "$pid" || status=$?
    if [ "$status" -ne 0 ]; then
        cat "$log" >&2
        rm -f "$log"
        die "Could not install $what; its own messages stand above."
    fi
    rm -f "$log"
}

# Shows how far a command is: the last line of its log, every second on a terminal, else every half minute.
watch_log() {
    local pid="$1" log="$2" seconds=0 every=30 line
    [ -t 1 ] && every=1
    while kill -0 "$pid" 2>/dev/null; do
        sleep 1
        seconds=$((seconds + 1))
        [ $((seconds % every)) -eq 0 ] || continue
        line="$(tail -n 1 "$log" | tr -d '\r' | cut -c1-60)"
        if [ -t 1 ]; then printf '\r\033[K  %3d s %s' "$seconds" "$line"; else say "  $seconds s $line"; fi
    done
    if [ -t 1 ]; then printf '\r\033[K'; fi
}

# What is built elsewhere is built here by the same compiler.
compiler() {
    is_our_rust && return
    command -v rustup >/dev/null || die "Please install Rust $RUST (with rustup it would be added by itself); this is $(rustc --version)."
    quietly "Rust $RUST" rustup toolchain install "$RUST" --profile minimal --component clippy,rustfmt
    take_our_rust
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

# A command-line tool from crates.io: program, package, version, and how much it is optimized.
cargo_tool() {
    local program="$1" package="$2" version="$3" level="${4:-0}"
    [ "$("$program" --version 2>/dev/null | awk '{print $2}')" = "$version" ] && return
    # Without optimization they compile in a third of the time, and most are fast enough.
    quietly "$package $version (compiles for a minute or two)" \
        env -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET CARGO_PROFILE_RELEASE_OPT_LEVEL="$level" CARGO_PROFILE_RELEASE_LTO=off cargo install --locked --force --root "$BLOCKSTEP_TOOLS" "$package@$version"
}

# What makes the scripts beside our WebAssembly (scripts/bindgen): anew when it is another one.
bindgen() {
    local sum
    sum="$(cat scripts/bindgen/Cargo.toml scripts/bindgen/Cargo.lock scripts/bindgen/src/main.rs | cksum)"
    have blockstep-bindgen && [ "$(cat "$BLOCKSTEP_TOOLS/blockstep-bindgen.sum" 2>/dev/null)" = "$sum" ] && return
    local folder
    folder="$(mktemp -d)"
    quietly "our program on wasm-bindgen $WASM_BINDGEN (compiles for a minute)" \
        env -u CARGO_BUILD_TARGET CARGO_TARGET_DIR="$folder" cargo install --locked --force --root "$BLOCKSTEP_TOOLS" --path scripts/bindgen
    rm -rf "$folder"
    printf '%s\n' "$sum" >"$BLOCKSTEP_TOOLS/blockstep-bindgen.sum"
}

# The packages of npm, as scripts/npm/package-lock.json has them, byte for byte: for a build, or for the tests too. In a folder
# that is named after the lock file, moved into place when complete, so that it is there or not.
npm_tools() {
    local kind="$1" folder="$BLOCKSTEP_TOOLS/npm-$NPM_LOCK-$1" omit=()
    [ -d "$BLOCKSTEP_TOOLS/npm-$NPM_LOCK-test/node_modules" ] && return
    [ -d "$folder/node_modules" ] && return
    [ "$kind" = test ] || omit=(--omit=dev)
    mkdir -p "$BLOCKSTEP_TOOLS"
    local fresh
    fresh="$(mktemp -d "$BLOCKSTEP_TOOLS/new.XXXXXX")"
    cp scripts/npm/package.json scripts/npm/package-lock.json "$fresh"
    quietly "the packages of npm" npm ci --prefix "$fresh" --ignore-scripts --no-audit --no-fund "${omit[@]}"
    rm -rf "$folder"
    mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"
    [ -d "$folder/node_modules" ] || die "Could not install the packages of npm into $folder."
}

# The browsers: CHROMIUM and FIREFOX name other programs than those of Debian.
browsers() {
    local missing=()
    have "${CHROMIUM:-chromium}" || missing+=(chromium)
    have "${FIREFOX:-firefox-esr}" || missing+=(firefox-esr)
    [ ${#missing[@]} -eq 0 ] || packages "${missing[@]}" \
        || die "The tests need Chromium and Firefox. Please install: ${missing[*]} (Debian's names), or name them in CHROMIUM and FIREFOX."
    # Tests of components drive both by WebDriver (scripts/web.sh).
    have chromedriver || packages chromium-driver \
        || die "The tests need Chromium's driver. Please install: chromium-driver (Debian's name)."
    have geckodriver || cargo_tool geckodriver geckodriver "$GECKODRIVER"
    # Chromium without windows does the same with two thirds of the work. Not every system has it, and no test needs it.
    [ -n "${CHROMIUM:-}" ] || have chromium-headless-shell || (packages chromium-headless-shell) \
        || say "There is no package chromium-headless-shell here: the end-to-end tests take longer."
}

# Debian packages, where they can be installed.
packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    have apt-get && { [ ${#as_root[@]} -eq 0 ] || have sudo; } || return
    quietly "the list of Debian packages" "${as_root[@]}" apt-get update
    quietly "$*" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

prerequisites
case "${1:-test}" in
serve | build | npm | release | test) ;;
*) die "usage: scripts/tools.sh [serve|build|npm|release|test]" ;;
esac
compiler
wasm_target
bindgen
case "${1:-test}" in
test) npm_tools test ;;
*) npm_tools build ;;
esac
[ "${1:-test}" != release ] || cargo_tool cargo-sbom cargo-sbom "$CARGO_SBOM"
if [ "${1:-test}" = test ]; then
    # The runner of tests in WebAssembly.
    cargo_tool wasm-bindgen wasm-bindgen-cli "$WASM_BINDGEN" 1
    component clippy clippy
    component rustfmt fmt
    cargo_tool cargo-deny cargo-deny "$CARGO_DENY"
    cargo_tool wasm-pack wasm-pack "$WASM_PACK"
    browsers
fi
