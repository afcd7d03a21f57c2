#!/usr/bin/env bash
# Tests of components (crates/ui/tests) and of parts of the page (tests/web) in browsers, by wasm-pack; what is given goes to cargo.
#   BROWSER            chrome or firefox (default: both)
#   TEST               what the tests' names hold (default: all); what has no such test is not built
#   CHROMIUM, FIREFOX  other programs than those that their drivers find
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

settings="$(mktemp)"
trap 'rm -f "$settings"' EXIT
# In one browser, of this program if one is named.
run() {
    local browser="$1" options="$2" program="$3"
    shift 3
    if [ -n "$program" ]; then
        printf '{"%s":{"binary":"%s"}}' "$options" "$(command -v "$program")" >"$settings"
        export WASM_BINDGEN_TEST_WEBDRIVER_JSON="$settings"
    else
        unset WASM_BINDGEN_TEST_WEBDRIVER_JSON
    fi
    wasm-pack test --headless "--$browser" "$@"
}

# Whether a test in a folder has a name, or a module's, that holds TEST.
has_tests() { [ -z "${TEST:-}" ] || compgen -G "$1/*$TEST*.rs" >/dev/null || grep -Eqr "async fn \w*$TEST" "$1"; }

parts=()
! has_tests crates/ui/tests/src || parts+=(components)
! has_tests tests/web || parts+=(page)
[ ${#parts[@]} -gt 0 ] || die "No test has a name that holds $TEST."
for part in "${parts[@]}"; do
    case "$part" in
    components) what=(crates/ui/tests --lib) ;;
    page) what=(. --test web) ;;
    esac
    for browser in ${BROWSER:-chrome firefox}; do
        case "$browser" in
        chrome) run chrome goog:chromeOptions "${CHROMIUM:-}" "${what[@]}" "$@" -- ${TEST:-} ;;
        firefox) run firefox moz:firefoxOptions "${FIREFOX:-}" "${what[@]}" "$@" -- ${TEST:-} ;;
        *) die "BROWSER is $browser; it is chrome or firefox." ;;
        esac
    done
done
