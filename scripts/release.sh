#!/usr/bin/env bash
# Makes what a release page holds, in release/: the site, the program for this computer with the page in it, the packages for Python
# and JavaScript, lists of what they are made of, and the sums of all files. The Python package needs Python (scripts/bindings.sh).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

bash scripts/tools.sh release
take_our_rust
version="$(sed -n '/^\[workspace\.package\]/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)"
host="$(rustc -vV | sed -n 's/^host: //p')"
out="$PWD/release"
rm -rf "$out"
mkdir "$out"

say "The site ..."
bash scripts/dist.sh
python="${BLOCKSTEP_PYTHON:-python3}"
(cd dist && "$python" -m zipfile -c "$out/blockstep-$version-site.zip" .)

say "The program ..."
flags=
# Nothing of the system's libraries is in it, so that it runs on any Linux. It cannot load a driver then: `measure` is not in it.
case "$host" in *-linux-gnu) flags="-C target-feature=+crt-static" ;; esac
RUSTFLAGS="$flags" cargo build --release --locked --features serve --target "$host"
folder="blockstep-$version-$host"
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$folder"
cp LICENSE "$stage/$folder"
node scripts/notices.mjs "$host" >"$stage/$folder/third-party.txt"
program=blockstep
case "$host" in *-windows-*) program=blockstep.exe ;; esac
cp "${CARGO_TARGET_DIR:-target}/$host/release/$program" "$stage/$folder"
"$stage/$folder/$program" --version
case "$host" in *-linux-gnu)
    ldd "$stage/$folder/$program" 2>&1 | grep -q "statically linked\|not a dynamic executable" || die "The program needs libraries of the system:
$(ldd "$stage/$folder/$program")"
    ;;
esac
tar -C "$stage" -czf "$out/$folder.tar.gz" "$folder"

say "The Python package ..."
BLOCKSTEP_PROFILE=release bash scripts/bindings.sh
cp target/python/wheels/*.whl "$out"

say "The package for JavaScript ..."
BLOCKSTEP_PROGRAM="$stage/$folder/$program" bash scripts/npm.sh
cp target/npm-package/*.tgz "$out"

say "What they are made of ..."
cargo sbom --output-format cyclone_dx_json_1_6 >"$out/blockstep-$version-crates.cdx.json"
cargo sbom --output-format cyclone_dx_json_1_6 --project-directory bindings/python >"$out/blockstep-$version-python.cdx.json"
npm --prefix scripts/npm sbom --package-lock-only --omit dev --sbom-format cyclonedx >"$out/blockstep-$version-npm.cdx.json"

(cd "$out" && { sha256sum ./* 2>/dev/null || shasum -a 256 ./*; } >"$stage/sums" && sed 's| \./| |' "$stage/sums" >SHA256SUMS)
say "All of it is in release/:"
ls -l "$out"
