#!/usr/bin/env bash
# Everything that CI checks, quick things first. Ends at the first failure. Two things are done at a time, as the machine of CI
# has two cores: the page is built and looked at beside the native tests, and the site to publish beside the end-to-end tests.
#   BLOCKSTEP_SHARED   folder with the papers' data (default: ../shared); tests that need it skip if absent
#   CHROMIUM, CHROMEDRIVER, FIREFOX   other programs than Debian's
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

# Where everything is built once, what would speed up a second build only fills the disk.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

# Properties are tried on cases drawn by the commit, so that a red run says something of the change. `make fuzz` draws anew.
commit="$(git rev-parse --short=15 HEAD 2>/dev/null || echo 1)"
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-$((16#$commit))}"

# Says what is done, and what it took on the clock and of the processor.
step() {
    say ""
    say "== $1"
    local TIMEFORMAT="-- $1: %R s, of the processor %U s and %S s of the system's"
    shift
    time "$@"
}

quick_site=target/quick-site

page_tests() {
    # In seconds, for all tests of a file together, and for the start of the browser's driver: a busy machine takes many times longer.
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner \
        WASM_BINDGEN_TEST_TIMEOUT="${WASM_BINDGEN_TEST_TIMEOUT:-1800}" \
        WASM_BINDGEN_TEST_DRIVER_TIMEOUT="${WASM_BINDGEN_TEST_DRIVER_TIMEOUT:-120}" \
        CHROMEDRIVER="$(command -v "${CHROMEDRIVER:-chromedriver}")" \
        cargo test --locked --target wasm32-unknown-unknown --profile quick -p blockstep --test web --test web_core
}

# The page as `make serve` has it, which builds in a third of the time.
look_at_page() {
    step "the page, quickly" env BLOCKSTEP_DIST="$quick_site" bash scripts/site.sh
    step "lint, WebAssembly" cargo clippy --locked --target wasm32-unknown-unknown --profile quick \
        -p blockstep -p blockstep-worker -p blockstep-tracer -p blockstep-npm --all-targets -- -D warnings
    step "page tests in Chromium" page_tests
}

build_site() {
    step "the site" bash scripts/dist.sh
    step "size" node scripts/size.mjs
    step "content security policy" node scripts/policy.mjs
}

# Something beside the rest, in a group of processes of its own; `join` waits for it and shows what it said.
log="$(mktemp)"
beside=
# Whatever ends this ends that with all that it has started: else it would go on beside the next one.
trap 'rm -f "$log"; [ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true' EXIT
begin() {
    set -m
    (set -e; "$@") >"$log" 2>&1 </dev/null &
    beside=$!
    set +m
}
join() {
    local status=0
    wait "$beside" || status=$?
    beside=
    cat "$log"
    return "$status"
}

step "tools" bash scripts/tools.sh test
take_our_rust
step "format" cargo fmt --all --check
cargo fetch --locked --quiet
begin look_at_page
step "licenses and sources" cargo deny --locked check bans licenses sources
# With what is off by default: no GPU is needed to build it, nor for its tests; the page that `serve` looks for comes later.
mkdir -p dist
step "lint, native" cargo clippy --locked --workspace --features blockstep/measure,blockstep/serve --all-targets -- -D warnings
step "native tests" cargo test --locked --workspace --features blockstep/measure,blockstep/serve
join
# The tests come first.
begin nice -n 19 bash -c "$(declare -f say step build_site); set -euo pipefail; build_site"
# Two files of tests at a time: much of each is waiting.
step "the page in Chromium and Firefox" env BLOCKSTEP_DIST="$quick_site" node --test --test-concurrency=2 tests/e2e/*.test.mjs
join
# What only the site to publish can break: that it starts, that it works without network, that the program serves it, and that its static
# pages are there and lead into it.
step "the site in Chromium and Firefox" node --test tests/e2e/boot.test.mjs tests/e2e/firefox.test.mjs tests/e2e/hosted.test.mjs tests/e2e/release/*.test.mjs
say ""
say "All checks passed."
