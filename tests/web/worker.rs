//! The engine, the checker and the search of policies in a dedicated worker, and the page's own worker.
//!
//! A worker loads the program of the tests itself and calls one of the functions here.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::Scenario;
use blockstep_testing::fixed;

/// Whether this is a dedicated worker, and the fingerprints of all that it computes.
#[wasm_bindgen]
pub fn fingerprints_in_worker() -> String {
    let is_worker = js_sys::global().is_instance_of::<web_sys::DedicatedWorkerGlobalScope>();
    format!("in a worker: {is_worker}\n{}{}", fixed::fingerprints(), fixed::verdicts())
}

/// The bytes of memory after each of ten runs of the same scenario.
#[wasm_bindgen]
pub fn memory_of_ten_runs() -> Vec<f64> {
    let example = blockstep_sim::examples::find("edf-fig-1").unwrap();
    let draft = blockstep_format::read_scenario(example.json).unwrap();
    let run = |_| {
        let trace = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default()).trace;
        let records = std::sync::Arc::new(blockstep_sim::record::Records::new(&trace));
        assert!(!blockstep_view::timeline::Timeline::new(&trace, &records).summary().is_empty());
        drop((trace, records));
        memory()
    };
    (0..10).map(run).collect()
}

/// Answers what a page asks, as the worker of the site does.
#[wasm_bindgen]
pub fn serve_as_worker() {
    blockstep_worker::serve();
}

/// Bytes of WebAssembly's memory, which never shrinks.
pub fn memory() -> f64 {
    let buffer = wasm_bindgen::memory().unchecked_into::<js_sys::WebAssembly::Memory>().buffer();
    f64::from(buffer.unchecked_into::<js_sys::ArrayBuffer>().byte_length())
}

/// The address of a script that loads the tests' program and then does something with its functions, `tests`.
fn script(then: &str) -> String {
    let make = js_sys::Function::new_with_args(
        "then",
        "const at = location.origin;
         const source = `const early = [];
             onmessage = event => early.push(event);
             import('${at}/wasm-bindgen-test.js')
                 .then(async tests => { await tests.default({ module_or_path: '${at}/wasm-bindgen-test_bg.wasm' }); ${then} })
                 .catch(why => setTimeout(() => { throw why }));`;
         return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))",
    );
    make.call1(&JsValue::NULL, &then.into()).unwrap().as_string().unwrap()
}

/// What a worker answers that calls a function of the tests.
async fn in_worker(function: &str) -> JsValue {
    let ask = js_sys::Function::new_with_args(
        "script",
        "return new Promise((resolve, reject) => {
             const worker = new Worker(script);
             worker.onmessage = event => { worker.terminate(); resolve(event.data) };
             worker.onerror = event => { worker.terminate(); reject(new Error(event.message)) };
         })",
    );
    let answer = ask.call1(&JsValue::NULL, &script(&format!("postMessage(tests.{function}())")).into()).unwrap();
    JsFuture::from(answer.unchecked_into::<js_sys::Promise>()).await.unwrap()
}

/// Has the page's client find a worker, as in the built site, where the loading script names it.
pub fn serve_the_page() {
    let document = leptos::prelude::document();
    if document.query_selector("script[data-worker]").unwrap().is_none() {
        let named = document.create_element("script").unwrap();
        named.set_attribute("type", "text/plain").unwrap();
        // What came while the program was loaded is told once it listens.
        named.set_attribute("data-worker", &script("tests.serve_as_worker(); early.forEach(event => onmessage(event))")).unwrap();
        document.head().unwrap().append_child(&named).unwrap();
    }
}

/// The same, byte for byte, as natively (`crates/format/tests/src/golden.rs`), in each browser.
#[wasm_bindgen_test]
async fn worker_simulates_checks_and_searches_as_natively() {
    let expected = concat!("in a worker: true\n", include_str!("../golden/fingerprints.txt"), include_str!("../golden/verdicts.txt"));
    assert_eq!(in_worker("fingerprints_in_worker").await.as_string().unwrap(), expected);
}

#[wasm_bindgen_test]
async fn worker_has_no_more_memory_after_ten_runs_than_after_three() {
    let bytes: Vec<f64> = in_worker("memory_of_ten_runs").await.unchecked_into::<js_sys::Float64Array>().to_vec();
    assert_eq!(bytes.len(), 10);
    assert!(bytes[9] == bytes[2], "{bytes:?}");
}
