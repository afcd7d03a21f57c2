//! The page on `wasm32`, the command line elsewhere.

#[cfg(target_arch = "wasm32")]
fn main() {
    blockstep::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    blockstep_cli::run()
}
