#!/usr/bin/env bash
# Everything that CI checks, quick things first. Ends at the first failure.
#   BLOCKSTEP_SHARED   folder with the papers' data (default: ../shared); tests that need it skip if absent
#   CHROMIUM, CHROMEDRIVER, FIREFOX   other programs than Debian's
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

# Where everything is built once, what would speed up a second build only fills the disk.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

step() {
    say ""
    say "== $1"
    shift
    "$@"
}

web_tests=()
for file in tests/web*.rs; do
    [ -e "$file" ] && web_tests+=(--test "$(basename "$file" .rs)")
done
wasm=(--locked --target wasm32-unknown-unknown)

in_chromium() {
    # In seconds, for all tests of a file together, and for the start of the browser's driver: a busy machine takes many times longer.
    WASM_BINDGEN_TEST_TIMEOUT="${WASM_BINDGEN_TEST_TIMEOUT:-1800}" WASM_BINDGEN_TEST_DRIVER_TIMEOUT="${WASM_BINDGEN_TEST_DRIVER_TIMEOUT:-120}" \
        wasm-pack test --headless --chrome --chromedriver "$(command -v "${CHROMEDRIVER:-chromedriver}")" --mode no-install \
        -- --locked "${web_tests[@]}"
}

# The page is built beside the native tests: half of each is work for one core.
page_log="$(mktemp)"
page=
# Whatever ends this ends the build with all that it has started: else it would go on beside the next one.
trap 'rm -f "$page_log"; [ -z "$page" ] || kill -- "-$page" 2>/dev/null || true' EXIT
begin_page() {
    # A group of processes of its own.
    set -m
    bash scripts/dist.sh >"$page_log" 2>&1 </dev/null &
    page=$!
    set +m
}
end_page() {
    local status=0
    wait "$page" || status=$?
    cat "$page_log"
    return "$status"
}

step "tools" bash scripts/tools.sh test
take_our_rust
step "format" cargo fmt --check
begin_page
step "licenses and sources" cargo deny --locked check bans licenses sources
step "lint, native" cargo clippy --locked --all-targets -- -D warnings
step "native tests" cargo test --locked
step "lint, WebAssembly" cargo clippy "${wasm[@]}" --lib --bins "${web_tests[@]}" -- -D warnings
[ ${#web_tests[@]} -eq 0 ] || step "page tests in Chromium" in_chromium
step "the page" end_page
step "size" node scripts/size.mjs
step "content security policy" node scripts/policy.mjs
# Two files of tests at a time: much of each is waiting.
step "the built page in Chromium and Firefox" node --test --test-concurrency=2 tests/e2e/*.test.mjs
say ""
say "All checks passed."
