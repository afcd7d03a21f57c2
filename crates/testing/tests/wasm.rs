//! The simulator in WebAssembly: the traces of the fixed set are byte for byte the native ones.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

/// Written by the native test `golden_fingerprints_are_those_of_wasm`.
#[wasm_bindgen_test]
fn traces_are_those_of_the_native_build() {
    assert_eq!(blockstep_testing::fixed::fingerprints(), include_str!("../../../tests/golden/fingerprints.txt"));
}
