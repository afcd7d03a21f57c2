#!/usr/bin/env bash
# Publishes the command line in the registry of Rust crates: `blockstep`, without the page, and the crates that it is made of, in their
# order. They are packed from the last commit. Cargo.toml keeps them private; that, and the version of each for the registry, is changed in
# a copy alone.
#   bash scripts/crates.sh --dry-run --no-verify    packs them and publishes nothing
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
git archive HEAD | tar -x -C "$copy"
cd "$copy"
version="$(sed -n '/^\[workspace\.package\]/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)"
# What tests need has no version: Cargo leaves it out of what it packs.
sed -i.bak -E "/^blockstep-(testing|site|worker) /! s|^(blockstep-[a-z]+ = \{) path|\1 version = \"$version\", path|; s/^publish = false$/publish = true/" Cargo.toml
left=(blockstep-testing blockstep-site blockstep-worker blockstep-npm blockstep-benches)
for tests in crates/*/tests/Cargo.toml; do
    left+=("$(sed -n 's/^name = "\(.*\)"$/\1/p' "$tests" | head -1)")
done
cargo publish --locked --allow-dirty --workspace "${left[@]/#/--exclude=}" "$@"
