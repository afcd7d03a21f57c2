//! The worker that the page loads when it is first needed; elsewhere there is none.

fn main() {
    #[cfg(target_arch = "wasm32")]
    blockstep_worker::serve();
}
