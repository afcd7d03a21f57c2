#!/usr/bin/env bash
# Tests of components in browsers (tests/web), by wasm-pack; what is given goes to cargo.
#   BROWSER            chrome or firefox (default: both)
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

for browser in ${BROWSER:-chrome firefox}; do
    case "$browser" in
    chrome) run chrome goog:chromeOptions "${CHROMIUM:-}" "$@" ;;
    firefox) run firefox moz:firefoxOptions "${FIREFOX:-}" "$@" ;;
    *) die "BROWSER is $browser; it is chrome or firefox." ;;
    esac
done
