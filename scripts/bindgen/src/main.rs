//! Makes the script beside a WebAssembly program: `blockstep-bindgen KIND PROGRAM.wasm FOLDER NAME` writes `NAME.js` and
//! `NAME_bg.wasm` into the folder. The kind says what loads it: a `page`, a `worker`, or a `package` of npm.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, program, folder, name] = arguments.as_slice() else {
        return Err("usage: blockstep-bindgen page|worker|package PROGRAM.wasm FOLDER NAME".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(program).out_name(name).typescript(false);
    match kind.as_str() {
        "page" => bindgen.web(true)?,
        // A classic script: Firefox loads modules into workers since version 114 only.
        "worker" => bindgen.no_modules(true)?,
        // The package says itself where its WebAssembly is, and begins anew with a fresh memory.
        "package" => bindgen.web(true)?.omit_default_module_path(true).reset_state_function(true),
        _ => return Err(format!("the kind is {kind}; it is page, worker or package").into()),
    };
    bindgen.generate(folder)?;
    Ok(())
}
