#!/usr/bin/env bash
# Every check of the page and of the command line, quick things first. Ends at the first failure. Two things are done at a time, as the machine of CI
# has two cores: the site to publish is built and tested in browsers beside all the rest, which takes what that leaves over.
#   BLOCKSTEP_SHARED   folder with the papers' data (default: ../shared); tests that need it skip if absent
#   CHROMIUM, FIREFOX  other programs than Debian's
#   BLOCKSTEP_ORDER    site-first or site-last: one half after the other, as if the machine held the other one up
#
# What the halves take from each other (tests/it/checks.rs looks at it):
#   Before both begin there are the tools, the crates, the folder dist/, and target/debug/blockstep with the features of its tests.
#   The site builds dist/, the page and its workers in target/wasm32-unknown-unknown/site, and for the static pages blockstep-site in
#   target/debug, with the features of the native tests, so that whoever comes second finds it as it is. It writes target/pictures. Its
#   tests start target/debug/blockstep, which reads dist/ where that lies; the other half never builds it anew.
#   The rest builds target/debug, and in target/wasm32-unknown-unknown/site the tests of components, and the page's program as it is. Of dist/ it needs the
#   folder alone, as `serve` is compiled with its path; what is in it no native test reads.
#   Two builds into one folder wait for each other, as cargo locks it: that costs time, and nothing else.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

# Where everything is built once, what would speed up a second build only fills the disk.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

# Properties are tried on cases drawn by the commit, so that a red run says something of the change. `make fuzz` draws anew.
commit="$(git rev-parse --short=15 HEAD 2>/dev/null || echo 1)"
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-$((16#$commit))}"

# Says what is done, and what it took on the clock and of the processor; in a shell of its own, which counts nothing of what is beside.
step() (
    say ""
    say "== $1"
    local TIMEFORMAT="-- $1: %R s, of the processor %U s and %S s of the system's"
    shift
    time "$@"
)

lint_site() {
    nice cargo clippy --locked --target wasm32-unknown-unknown --profile site \
        -p blockstep -p blockstep-ui -p blockstep-ui-tests -p blockstep-worker -p blockstep-traces -p blockstep-traces-messages -p blockstep-traces-page -p blockstep-traces-worker -p blockstep-npm -p blockstep-testing --features blockstep-npm/analysis --all-targets -- -D warnings
}

# With the flags and the profile of the site, as all of that is compiled already.
components() (
    short_paths
    nice bash scripts/web.sh --profile site --locked
)

test_site() {
    step "the site" bash scripts/dist.sh
    step "size" node scripts/size.mjs
    step "content security policy" node scripts/policy.mjs
    # Three files of tests at a time, as part of each is waiting: two leave a sixth of two cores unused.
    step "the site in Chromium and Firefox" node --test --test-concurrency=3 tests/e2e/*.test.mjs tests/e2e/release/*.test.mjs
}

# Something beside the rest, in a group of processes of its own; `join` waits for it and shows what it said.
log="$(mktemp)"
beside=
later=
# Whatever ends this ends that with all that it has started: else it would go on beside the next one.
trap 'rm -f "$log"; [ -z "$beside" ] || kill -- "-$beside" 2>/dev/null || true' EXIT
begin() {
    case "${BLOCKSTEP_ORDER:-}" in
        "") ;;
        site-first) "$@"; return ;;
        site-last) later="$1"; return ;;
        *) die "BLOCKSTEP_ORDER is $BLOCKSTEP_ORDER; it is site-first or site-last." ;;
    esac
    set -m
    (set -e; "$@") >"$log" 2>&1 </dev/null &
    beside=$!
    set +m
}
join() {
    [ -z "$later" ] || { "$later"; return; }
    [ -n "$beside" ] || return 0
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
# The program that tests of the site start (tests/e2e/release/serve.test.mjs) is there before they begin. It is built together with
# its own tests, so that the native tests find it as it is: alone it would be compiled with other features of its crates, and again.
# With what is off by default: no GPU is needed to build it, nor for its tests; the page that `serve` looks for comes later.
mkdir -p dist
step "the program and its tests" cargo build --locked --workspace --features blockstep/measure,blockstep/serve --bin blockstep --test it
begin test_site
step "licenses and sources" cargo deny --locked check bans licenses sources
step "known weaknesses" bash scripts/advisories.sh --if-there
step "lint, native" nice cargo clippy --locked --workspace --features blockstep/measure,blockstep/serve --all-targets -- -D warnings
step "native tests" nice cargo test --locked --workspace --features blockstep/measure,blockstep/serve
step "lint, WebAssembly" lint_site
step "components, and the engine in a worker" components
join
say ""
say "All checks passed."
