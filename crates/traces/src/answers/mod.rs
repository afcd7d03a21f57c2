//! Answers the page's questions about a trace.
//!
//! Invariant: an answer depends on the file and the question alone.

mod overview;
pub mod ranged;
mod simulated;
mod tracer;
mod tried;
pub mod what_if;

pub use tracer::Tracer;

const GPU: &str = "GPU";

/// `sms`: how many it has, if known; `capability`: its compute capability, if known.
fn about_gpu(name: Option<&str>, sms: Option<u32>, capability: Option<(u32, u32)>) -> String {
    let mut about = name.unwrap_or("name not recorded").to_owned();
    if let Some(sms) = sms {
        about.push_str(&format!(", {sms} SMs"));
    }
    if let Some((major, minor)) = capability {
        about.push_str(&format!(", compute capability {major}.{minor}"));
    }
    about
}
