//! Long work under Python: the interpreter is free meanwhile, and Ctrl-C ends it.
//!
//! Depends on PyO3 alone. Invariant: between two looks at Python's signals no more time passes than a person takes for at once.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at signals while another thread works.
const LOOK: Duration = Duration::from_millis(50);

/// Whether nobody waits for the work any more.
#[derive(Clone, Default)]
pub(crate) struct Halt(Arc<AtomicBool>);

impl Halt {
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does work on a thread of its own. After Ctrl-C nobody waits for it; it ends by itself, early if it asks for the halt.
pub(crate) fn apart<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Halt) -> T + Send + 'static) -> PyResult<T> {
    let (halt, (done, mut answer)) = (Halt::default(), channel());
    let asked = halt.clone();
    let worker = thread::Builder::new().name("blockstep".to_owned()).spawn(move || {
        // Who does not wait any more needs no answer.
        let _ = done.send(work(&asked));
    });
    let worker = worker.map_err(|e| PyRuntimeError::new_err(format!("the system starts no thread: {e}")))?;
    loop {
        let (found, back) = py.detach(move || (answer.recv_timeout(LOOK), answer));
        answer = back;
        match found {
            Ok(found) => return Ok(found),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| halt.0.store(true, Ordering::Relaxed))?,
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                // PyO3 makes an exception of it.
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(PyRuntimeError::new_err("the work ended without an answer")),
            },
        }
    }
}

/// Has all cores take numbers until none is left or it is halted. `worker` makes what a core takes them with.
pub(crate) fn on_all_cores<W: FnMut(u64)>(numbers: Range<u64>, halt: &Halt, worker: impl Fn() -> W + Sync) {
    let next = AtomicU64::new(numbers.start);
    let work = || {
        let mut take = worker();
        while !halt.is_asked() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            take(number);
        }
    };
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        (1..cores).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}
