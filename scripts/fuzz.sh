#!/usr/bin/env bash
# Hunts: every property on cases that nobody has seen, releases that exceed a bound, damaged or dear inputs, and the unit of work that is
# dearest by the processor's time and by bytes.
#   CASES   how many releases, and how many inputs (default: a million)
#   SEED    draws the cases of an earlier hunt again
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

seed="${SEED:-$(od -An -N7 -tu8 /dev/urandom | tr -d ' ')}"
say "SEED=$seed draws these cases again."
PROPTEST_RNG_SEED="$seed" cargo test --locked --workspace
BLOCKSTEP_FUZZ_CASES="${CASES:-1000000}" PROPTEST_RNG_SEED="$seed" \
    cargo test --locked -p blockstep-format-tests space_bound -- --ignored --nocapture
CASES="${CASES:-1000000}" PROPTEST_RNG_SEED="$seed" cargo test --locked -p blockstep-policy-tests random_texts
CASES=10000 PROPTEST_RNG_SEED="$seed" cargo test --locked -p blockstep-tools-tests quiz_questions_of_any_table
export BLOCKSTEP_FUZZ_CASES="${CASES:-1000000}" BLOCKSTEP_FUZZ_FROM="$seed"
MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=1048576 cargo test --locked -p blockstep-fuzz fuzz_what -- --nocapture
cargo test --locked -p blockstep-fuzz fuzz_the_dearest -- --nocapture
