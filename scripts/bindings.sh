#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it in a virtual environment of its own, and tests it there.
#   BLOCKSTEP_PYTHON    which Python, 3.10 or later (default: python3)
#   BLOCKSTEP_PROFILE   dev, which builds faster (the default), or release, as wheels are published
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
. scripts/address.env
take_our_rust

python="${BLOCKSTEP_PYTHON:-python3}"
profile="${BLOCKSTEP_PROFILE:-dev}"
command -v "$python" >/dev/null 2>&1 || die "There is no Python here ($python). The bindings need Python 3.10 or later; BLOCKSTEP_PYTHON names another one."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    die "The bindings need Python 3.10 or later, and $python is $("$python" --version 2>&1). BLOCKSTEP_PYTHON names another one."
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
    die "$python has no module venv, in which the bindings are tested (Debian: apt-get install python3-venv)."

# Each Python has an environment of its own; both lie in target/, and the crates are built there once for all of them.
home="$PWD/target/python"
env="$home/venv-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
[ -x "$env/bin/python" ] || "$python" -m venv "$env"
"$env/bin/python" -m pip install --quiet --disable-pip-version-check -r bindings/python/tests/requirements.txt

# A wheel to publish loads where glibc is 2.28 or later, however new it is here: Zig links it so, and maturin looks at what it asks for.
linked=()
if [ "$profile" = release ] && [ "$(uname -s)" = Linux ]; then
    "$env/bin/python" -m pip install --quiet --disable-pip-version-check "ziglang==$ZIG"
    linked=(--zig --compatibility manylinux_2_28)
fi

rm -rf "$home/wheels"
# A wheel is one for every Python from 3.10 on.
PATH="$env/bin:$PATH" CARGO_TARGET_DIR="$home" "$env/bin/maturin" build --quiet --locked --profile "$profile" --compression-level 9 ${linked[@]+"${linked[@]}"} \
    --manifest-path bindings/python/Cargo.toml --interpreter "$env/bin/python" --out "$home/wheels"
if [ -n "$BLOCKSTEP_ADDRESS" ]; then
    # No pyproject.toml can read it.
    "$env/bin/python" -m wheel unpack --dest "$home/wheels" "$home"/wheels/*.whl
    metadata="$(echo "$home"/wheels/*/*.dist-info/METADATA)"
    awk -v url="$BLOCKSTEP_ADDRESS" '{ print } /^Version: / && !n++ { print "Project-URL: Homepage, " url }' "$metadata" >"$home/metadata"
    mv "$home/metadata" "$metadata"
    rm "$home"/wheels/*.whl
    "$env/bin/python" -m wheel pack --dest-dir "$home/wheels" "$home"/wheels/*/
    rm -r "$home"/wheels/*/
fi
if [ "${#linked[@]}" -gt 0 ]; then
    case "$(echo "$home"/wheels/*.whl)" in
        *-cp310-abi3-manylinux_2_28_"$(uname -m)".whl) ;;
        *) die "The wheel is not one for glibc 2.28: $(ls "$home/wheels")" ;;
    esac
fi
CARGO_TARGET_DIR="$home" cargo fmt --manifest-path bindings/python/Cargo.toml --check
if cargo clippy --version >/dev/null 2>&1; then
    CARGO_TARGET_DIR="$home" cargo clippy --quiet --locked --manifest-path bindings/python/Cargo.toml -- -D warnings
fi
if cargo deny --version >/dev/null 2>&1; then
    cargo deny --log-level error --manifest-path bindings/python/Cargo.toml --config bindings/python/deny.toml --locked \
        check --hide-inclusion-graph bans licenses sources
fi
"$env/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$home"/wheels/*.whl
say "The wheel has $(($(stat -c %s "$home"/wheels/*.whl 2>/dev/null || stat -f %z "$home"/wheels/*.whl) / 1024)) KiB ($profile)."

cd bindings/python
export BLOCKSTEP_ADDRESS
"$env/bin/python" -m pytest --quiet -rs "$@"
"$env/bin/python" -m mypy --strict tests
"$env/bin/python" -m mypy.stubtest blockstep
say "The bindings work with $("$env/bin/python" --version)."
