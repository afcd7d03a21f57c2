//! What the processor and the memory of this process have done, as Linux says it.

use std::fs;
use std::time::Duration;

/// Time that the processor has spent on this thread; the time that passed where the system does not say.
#[must_use]
pub fn processor() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = stat.split(' ').next().and_then(|ns| ns.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default())
}

/// Whether the system says how long the processor worked for one thread.
#[must_use]
pub fn has_own_clock() -> bool {
    fs::exists("/proc/thread-self/schedstat").unwrap_or(false)
}

/// The memory of the process before something is tried.
pub struct Memory {
    before_kb: u64,
}

impl Memory {
    #[must_use]
    pub fn now() -> Self {
        // Where the system knows this, the most memory so far is from here on that of now.
        let _ = fs::write("/proc/self/clear_refs", "5");
        Self { before_kb: status_kb("VmRSS:") }
    }

    /// The most that was taken since, kB; 0 where the system does not say.
    #[must_use]
    pub fn taken_kb(&self) -> u64 {
        status_kb("VmHWM:").saturating_sub(self.before_kb)
    }
}

fn status_kb(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}
