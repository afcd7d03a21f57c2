//! The worker that the page loads when it is first needed; elsewhere there is no lab.

fn main() {
    #[cfg(target_arch = "wasm32")]
    blockstep::lab::serve();
}
