//! Stopping what takes long: the first Ctrl-C is a request, the second ends the program.
//!
//! Depends on signal-hook. Invariant: without a signal nothing changes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Whether to stop, and by which signal.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicUsize>);

impl Stop {
    /// By a signal to the process: SIGINT, as of Ctrl-C, or SIGTERM, as of a batch system whose time is up.
    ///
    /// # Errors
    /// If the system does not let a program wait for signals.
    pub(super) fn by_signal() -> io::Result<Self> {
        let (stop, again) = (Self::default(), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            // Carried out in this order: the second signal ends the program, the first one is noted.
            flag::register_conditional_default(signal, Arc::clone(&again))?;
            flag::register(signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&stop.0), signal.unsigned_abs() as usize)?;
        }
        Ok(stop)
    }

    /// Whether it is to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// The exit status of a program that a signal stopped: 128 and its number, as shells count.
    pub(super) fn status(&self) -> u8 {
        u8::try_from(self.0.load(Ordering::SeqCst)).unwrap_or(0).saturating_add(128)
    }
}
