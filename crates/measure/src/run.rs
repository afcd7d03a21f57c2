//! One scenario from begin to end: its processes are started, get ready, run at the same instant, and end.
//!
//! Depends on `plan` and `protocol`. Invariants: whatever happens, no process is left when this returns; none is waited for longer than the
//! plan allows.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::MeasureError;
use crate::clock::now;
use crate::protocol::{Answer, Gpu, Measurement, Order};
use blockstep_format::program::{Plan, ProcessPlan};

/// From the order to run until instant 0, ns: all processes have to have read it.
const LEAD_NS: u64 = 20_000_000;

/// How to measure.
pub struct Options {
    /// Which GPU, from 0.
    pub device: u32,
    /// How many times.
    pub repeat: u32,
    /// The command that runs [`crate::serve`] on its standard streams: the program, then its arguments.
    pub command: Vec<OsString>,
}

/// Runs the plan on a GPU, as often as asked; what each run measured.
///
/// # Errors
/// No driver or GPU; a block that does not fit; a call that the driver refuses; a run that takes too long; a process that ends before its time.
pub fn measure(plan: &Plan, options: &Options) -> Result<Vec<Measurement>, MeasureError> {
    let mut workers = plan.processes.iter().map(|process| Worker::start(process, plan, options)).collect::<Result<Vec<_>, _>>()?;
    let mut gpu = None;
    // One after another, as each measures the bus.
    for (worker, process) in workers.iter_mut().zip(&plan.processes) {
        match worker.ask(&Order::Prepare { plan: process.clone(), device: options.device })? {
            Answer::Prepared(own) => add_gpu(&mut gpu, *own),
            other => return Err(worker.unexpected(&other)),
        }
    }
    let Some(gpu) = gpu else { return Ok(Vec::new()) };
    (0..options.repeat).map(|_| run_once(&mut workers, &gpu)).collect()
}

/// Of several processes each knows the registers of its own rows.
fn add_gpu(gpu: &mut Option<Gpu>, own: Gpu) {
    match gpu {
        None => *gpu = Some(own),
        Some(gpu) => gpu.registers_taken.extend(own.registers_taken),
    }
}

fn run_once(workers: &mut [Worker], gpu: &Gpu) -> Result<Measurement, MeasureError> {
    for worker in workers.iter_mut() {
        match worker.ask(&Order::ReadClocks)? {
            Answer::Read => {}
            other => return Err(worker.unexpected(&other)),
        }
    }
    let start_ns = now() + LEAD_NS;
    workers.iter_mut().try_for_each(|worker| worker.tell(&Order::Run { start_ns }))?;
    let mut launches = Vec::new();
    for worker in workers.iter_mut() {
        match worker.answer()? {
            Answer::Ran(own) => launches.push(own),
            other => return Err(worker.unexpected(&other)),
        }
    }
    let mut processes = Vec::new();
    for (worker, launches) in workers.iter_mut().zip(launches) {
        match worker.ask(&Order::RelateClocks)? {
            Answer::Related(clock) => processes.push((worker.child.id(), launches, clock)),
            other => return Err(worker.unexpected(&other)),
        }
    }
    Ok(Measurement { gpu: gpu.clone(), processes, start_ns })
}

/// A process that was started; it is ended when this is dropped.
struct Worker {
    name: String,
    child: Child,
    orders: Option<ChildStdin>,
    answers: Receiver<String>,
    most_seconds: u64,
    simulated: String,
}

impl Worker {
    fn start(process: &ProcessPlan, plan: &Plan, options: &Options) -> Result<Self, MeasureError> {
        let failed = |what: String| MeasureError::Process { process: process.name.clone(), what };
        let [program, arguments @ ..] = &options.command[..] else { return Err(failed("no program to start".to_owned())) };
        let mut child = Command::new(program)
            .args(arguments)
            .env("CUDA_DEVICE_MAX_CONNECTIONS", plan.connections.to_string())
            // Kernels are loaded when they are compiled, not when they are launched.
            .env("CUDA_MODULE_LOADING", "EAGER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| failed(format!("{} cannot be started: {e}", program.to_string_lossy())))?;
        let orders = child.stdin.take();
        let (send, answers) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            // It ends when the process closes its output, or this end of the channel is gone.
            thread::spawn(move || BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        }
        let (most_seconds, simulated) = (plan.most_seconds(), plan.simulated_length());
        Ok(Self { name: process.name.clone(), child, orders, answers, most_seconds, simulated })
    }

    fn ask(&mut self, order: &Order) -> Result<Answer, MeasureError> {
        self.tell(order)?;
        self.answer()
    }

    fn tell(&mut self, order: &Order) -> Result<(), MeasureError> {
        let mut line = serde_json::to_string(order).map_err(|e| self.failed(format!("an order cannot be written: {e}")))?;
        line.push('\n');
        // If it has ended, its answer says why.
        let _ = self.orders.as_mut().map(|orders| orders.write_all(line.as_bytes()).and_then(|()| orders.flush()));
        Ok(())
    }

    fn answer(&mut self) -> Result<Answer, MeasureError> {
        let end = Instant::now() + Duration::from_secs(self.most_seconds);
        loop {
            let line = match self.answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    // It is ended by force, also where it could not be.
                    let _ = self.child.kill();
                    return Err(MeasureError::TimedOut { seconds: self.most_seconds, simulated: self.simulated.clone() });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            };
            // A program that it runs under may print lines of its own.
            match serde_json::from_str(&line) {
                Ok(Answer::Failed(why)) => return Err(why),
                Ok(answer) => return Ok(answer),
                Err(_) => {}
            }
        }
    }

    fn ended(&mut self) -> MeasureError {
        match self.child.wait() {
            Ok(status) => self.failed(format!("it ended before its time ({status})")),
            Err(e) => self.failed(format!("it ended before its time ({e})")),
        }
    }

    fn unexpected(&self, answer: &Answer) -> MeasureError {
        self.failed(format!("it gave an answer that was not asked for: {answer:?}"))
    }

    fn failed(&self, what: String) -> MeasureError {
        MeasureError::Process { process: self.name.clone(), what }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without orders it ends by itself, and a profiler around it writes what it has; one that hangs is ended.
        drop(self.orders.take());
        let end = Instant::now() + Duration::from_secs(GRACE_S);
        while Instant::now() < end {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How long a process may take to end, s.
const GRACE_S: u64 = 30;
