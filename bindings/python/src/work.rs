//! Long work under Python: the interpreter is free meanwhile, Ctrl-C ends it, and a line says how far it is.
//!
//! Depends on PyO3, and on `view` for numbers. Invariants: between two looks at Python's signals no more time passes than a person takes for
//! at once; the line is gone when the work is over.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use blockstep_view::quantity::format_count;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;

/// The time between two looks at signals while another thread works.
const LOOK: Duration = Duration::from_millis(50);

/// Work is quick until this, and quick work says nothing.
const QUICK: Duration = Duration::from_millis(500);

/// Whether nobody waits for the work any more; and how much of it is done.
#[derive(Clone, Default)]
pub(crate) struct Halt {
    asked: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
}

impl Halt {
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// So many more of the work's things are done.
    pub(crate) fn add(&self, done: u64) {
        self.done.fetch_add(done, Ordering::Relaxed);
    }
}

/// A line of Python's standard error that says how much of work is done.
pub(crate) struct ProgressLine {
    things: &'static str,
    count: u64,
    begun: Instant,
    /// The length of what stands there.
    length: usize,
}

impl ProgressLine {
    /// `wanted`: by default it is written to terminals and notebooks alone.
    pub(crate) fn new(py: Python<'_>, wanted: Option<bool>, count: u64, things: &'static str) -> PyResult<Option<Self>> {
        let is_read = || -> PyResult<bool> {
            let sys = py.import("sys")?;
            // Under pythonw there is no standard error.
            let is_terminal = sys.getattr("stderr")?.call_method0("isatty").and_then(|is| is.extract()).unwrap_or(false);
            Ok(is_terminal || sys.getattr("modules")?.contains("ipykernel")?)
        };
        let is_shown = wanted.map_or_else(is_read, Ok)?;
        Ok(is_shown.then(|| Self { things, count, begun: Instant::now(), length: 0 }))
    }

    fn write(&mut self, py: Python<'_>, done: u64) -> PyResult<()> {
        let passed = self.begun.elapsed();
        if passed < QUICK || done == 0 {
            return Ok(());
        }
        let left = passed.as_secs_f64() * (self.count.saturating_sub(done)) as f64 / done as f64;
        let [done, count] = [done, self.count].map(format_count);
        self.replace(py, &format!("{done} of {count} {}, {left:.0} s left", self.things))
    }

    /// Writes another line in the place of this one.
    ///
    /// # Errors
    /// Ctrl-C meanwhile. Who has closed standard error reads no line, which is none.
    fn replace(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        let blank = " ".repeat(self.length.saturating_sub(text.len()));
        self.length = text.len();
        let line = if text.is_empty() { format!("\r{blank}\r") } else { format!("\r{text}{blank}") };
        let written = py.import("sys").and_then(|sys| {
            let stderr = sys.getattr("stderr")?;
            stderr.call_method1("write", (line,))?;
            stderr.call_method0("flush").map(drop)
        });
        written.or_else(|error| if error.is_instance_of::<PyException>(py) { Ok(()) } else { Err(error) })
    }
}

/// Does work on a thread of its own. After Ctrl-C nobody waits for it; it ends by itself, early if it asks for the halt.
pub(crate) fn apart<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Halt) -> T + Send + 'static) -> PyResult<T> {
    apart_with(py, None, work)
}

/// The same, with a line that says how much is done.
pub(crate) fn apart_with<T: Send + 'static>(
    py: Python<'_>,
    mut line: Option<ProgressLine>,
    work: impl FnOnce(&Halt) -> T + Send + 'static,
) -> PyResult<T> {
    let found = wait_for(py, line.as_mut(), work);
    match line.filter(|line| line.length > 0) {
        Some(mut line) => line.replace(py, "").and(found),
        None => found,
    }
}

fn wait_for<T: Send + 'static>(
    py: Python<'_>,
    mut line: Option<&mut ProgressLine>,
    work: impl FnOnce(&Halt) -> T + Send + 'static,
) -> PyResult<T> {
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
            Err(RecvTimeoutError::Timeout) => {
                let shown = line.as_mut().map_or(Ok(()), |line| line.write(py, halt.done.load(Ordering::Relaxed)));
                shown.and_then(|()| py.check_signals()).inspect_err(|_| halt.asked.store(true, Ordering::Relaxed))?;
            }
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
