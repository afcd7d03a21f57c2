//! The worker that reads profiler traces, loaded when the first one is opened; elsewhere there is none.

#[cfg(target_arch = "wasm32")]
mod serve;
#[cfg(target_arch = "wasm32")]
mod sqlite;

fn main() {
    #[cfg(target_arch = "wasm32")]
    serve::serve();
}
