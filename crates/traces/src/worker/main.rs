//! The worker that reads profiler traces, loaded when the first one is opened; elsewhere there is none.

fn main() {
    #[cfg(target_arch = "wasm32")]
    blockstep_traces::worker::serve::serve();
}
