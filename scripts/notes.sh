#!/usr/bin/env bash
# Prints what CHANGELOG.md says of a version, as the notes of its release: bash scripts/notes.sh 0.1.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

notes="$(awk -v version="$1" '/^## /{ is_of = $2 == version; next } is_of' "${CHANGES:-CHANGELOG.md}")"
[ -n "${notes//[[:space:]]/}" ] || { printf 'CHANGELOG.md says nothing of %s: it needs "## %s (DATE)" with a line below.\n' "$1" "$1" >&2; exit 1; }
printf '%s\n' "$notes"
