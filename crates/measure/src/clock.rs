//! The clock of the host and that of the GPU.
//!
//! Depends on `gpu`. Invariants: all processes of a computer read the same host clock; a relation of the two clocks says how far off it
//! may be. Source of the way: a handshake as that of cuda_scheduling_examiner, with more rounds, of which the quickest counts.

use crate::gpu::{Called, Page, Stream};
use crate::kernel::Kernels;
use crate::protocol::ClockFit;
use rustix::time::{ClockId, clock_gettime};

/// Rounds of a handshake.
const ROUNDS: u64 = 400;
/// Longest wait for an answer, ns: the kernel gives up after one second.
const MOST_WAIT_NS: u64 = 2_000_000_000;

/// The host's time, ns; since the computer was started, for all processes.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let (s, ns) = (u64::try_from(time.tv_sec).unwrap_or(0), u64::try_from(time.tv_nsec).unwrap_or(0));
    s * 1_000_000_000 + ns
}

/// Spins until an instant of the host's clock.
pub(crate) fn spin_until(ns: u64) {
    while now() < ns {
        std::hint::spin_loop();
    }
}

/// One reading of both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The middle between question and answer, ns of the host.
    host_ns: u64,
    gpu_ns: u64,
    /// From question to answer, ns.
    took_ns: u64,
}

/// Reads both clocks; nothing else should run on the GPU meanwhile.
pub(crate) fn read(kernels: &Kernels, page: Page, stream: Stream) -> Called<Reading> {
    for place in 0..3 {
        page.set(place, 0);
    }
    kernels.tell_time.launch_tell_time(stream, page, ROUNDS as u32)?;
    let mut best: Option<Reading> = None;
    for round in 1..=ROUNDS {
        let asked = now();
        page.set(0, round);
        while page.get(1) < round && now() - asked < MOST_WAIT_NS {
            std::hint::spin_loop();
        }
        let (answered, gpu_ns) = (now(), page.get(2));
        if page.get(1) < round {
            break;
        }
        let took_ns = answered - asked;
        // The first answers come while the kernel starts.
        if best.is_none_or(|best| took_ns < best.took_ns) {
            best = Some(Reading { host_ns: asked + took_ns / 2, gpu_ns, took_ns });
        }
    }
    stream.synchronize()?;
    best.ok_or_else(|| crate::MeasureError::Driver {
        call: "tell_time".to_owned(),
        status: "no answer of the GPU, whose time is therefore not known".to_owned(),
    })
}

/// The relation of the clocks between two readings.
pub(crate) fn relate(before: Reading, after: Reading) -> ClockFit {
    let offset = |reading: Reading| i128::from(reading.host_ns) - i128::from(reading.gpu_ns);
    ClockFit {
        gpu_ns: before.gpu_ns,
        host_ns: before.host_ns,
        gpu_span_ns: after.gpu_ns.saturating_sub(before.gpu_ns),
        drift_ns: i64::try_from(offset(after) - offset(before)).unwrap_or(i64::MAX),
        residual_ns: before.took_ns.max(after.took_ns).div_ceil(2),
    }
}

impl ClockFit {
    /// An instant of the GPU on the host's clock, ns.
    #[must_use]
    pub fn host_ns(&self, gpu_ns: u64) -> i64 {
        let since = i128::from(gpu_ns) - i128::from(self.gpu_ns);
        let drift = if self.gpu_span_ns == 0 { 0 } else { since * i128::from(self.drift_ns) / i128::from(self.gpu_span_ns) };
        i64::try_from(i128::from(self.host_ns) + since + drift).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_between_two_readings_share_the_drift() {
        let before = Reading { host_ns: 1_000, gpu_ns: 5_000_000, took_ns: 900 };
        let after = Reading { host_ns: 101_010, gpu_ns: 5_100_000, took_ns: 1_201 };
        let fit = relate(before, after);
        assert_eq!((fit.drift_ns, fit.residual_ns), (10, 601));
        assert_eq!(fit.host_ns(5_000_000), 1_000);
        assert_eq!(fit.host_ns(5_050_000), 51_005);
        assert_eq!(fit.host_ns(5_100_000), 101_010);
        assert_eq!(fit.host_ns(4_900_000), -99_010);
    }
}
