//! How much processor time a command has, and what it says meanwhile.
//!
//! Depends on indicatif, and on rustix for the clock. Invariants: without `--max-time` no result depends on a clock; progress stands on a
//! terminal alone, not before a second has passed, and is gone when anything else is printed; once a result is being printed, nothing
//! stops the command any more.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::error::ArgError;
use super::progress::{Act, Look};
use super::{FAILURE, Failed, Streams, time};
use blockstep_sim::engine::{Limits, Run, Simulation};
use blockstep_sim::scenario::{Scenario, plain};
use blockstep_sim::trace::{Trace, Variants};
use blockstep_sim::work::{Progress, in_portions};
use blockstep_view::quantity::{format_count, format_time};

/// How long the processor has worked, counted from any moment.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Units of work of a run between two looks at the clock: some milliseconds.
pub(super) const PORTION: u64 = 500_000;
/// How often a command that goes on is looked at.
const TICK: Duration = Duration::from_millis(100);

#[derive(clap::Args)]
pub(super) struct TimeArgs {
    /// Give up after so much processor time, of all cores together, and say how far it came: 30s, 500ms [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = some_time)]
    max_time: Option<u64>,
}

impl TimeArgs {
    /// Whether there is a limit.
    pub(super) fn is_given(&self) -> bool {
        self.max_time.is_some()
    }
}

fn some_time(text: &str) -> Result<u64, ArgError> {
    match time(text)? {
        0 => Err(ArgError::NoTime),
        ns => Ok(ns),
    }
}

/// The processor time of this program; where the system does not say, the time that passes.
pub(super) fn processor() -> Clock {
    #[cfg(unix)]
    return Arc::new(|| {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    });
    #[cfg(not(unix))]
    {
        let begin = Instant::now();
        Arc::new(move || begin.elapsed())
    }
}

/// The time that a command has, and how far it is.
#[derive(Clone)]
pub(super) struct Meter(Arc<Shared>);

struct Shared {
    clock: Clock,
    begin: Duration,
    most: Option<Duration>,
    bar: ProgressBar,
    told: Mutex<Told>,
}

struct Told {
    /// What is computed, as messages begin.
    about: String,
    /// What is done so far, in words.
    done: Cow<'static, str>,
    /// Whether a result is being printed, or why there is none.
    is_over: bool,
}

impl Meter {
    /// Nothing is said, and nothing stopped.
    pub(super) fn unlimited(clock: Clock) -> Self {
        Self::new(clock, String::new(), None)
    }

    fn new(clock: Clock, about: String, most: Option<Duration>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let told = Mutex::new(Told { about, done: Cow::Borrowed(""), is_over: false });
        Self(Arc::new(Shared { begin: clock(), clock, most, bar, told }))
    }

    /// Whether there is time for more.
    pub(super) fn has_time(&self) -> bool {
        self.0.has_time()
    }

    /// Notes what is done so far: `12 steps`.
    pub(super) fn tell(&self, done: impl Into<Cow<'static, str>>) {
        self.0.told().done = done.into();
    }

    /// So many things are to be done, and none is.
    pub(super) fn count_to(&self, count: u64, things: &str) {
        self.0.bar.set_length(count);
        self.tell(things.to_owned());
    }

    /// So many more of them are done.
    pub(super) fn advance(&self, count: u64) {
        self.0.bar.inc(count);
    }

    /// Takes progress off the terminal while something else is said.
    pub(super) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.0.bar.suspend(say)
    }

    /// From now on a result is printed.
    pub(super) fn end(&self) {
        self.0.told().is_over = true;
        self.0.bar.finish_and_clear();
    }

    /// The limit, ns; 0 if there is none.
    pub(super) fn most_ns(&self) -> u64 {
        self.0.most_ns()
    }

    /// What the limit is, and that it is reached.
    pub(super) fn limit(&self) -> String {
        self.0.limit()
    }

    /// Draws how far it is, and ends the program if it goes on without time.
    fn watch(&self) {
        let (begin, mut up) = (Instant::now(), None);
        loop {
            thread::sleep(TICK);
            let told = self.0.told();
            if told.is_over {
                return;
            }
            let beyond = (!self.0.has_time()).then(|| up.get_or_insert_with(Instant::now).elapsed());
            let look = Look { passed: begin.elapsed(), beyond, done: &told.done, counted: self.0.counted() };
            match look.act() {
                Act::Nothing => (),
                Act::Draw(line) => {
                    if self.0.bar.is_hidden() {
                        self.0.bar.set_draw_target(ProgressDrawTarget::stderr());
                    }
                    self.0.bar.set_message(line);
                    self.0.bar.tick();
                }
                Act::End => {
                    self.0.bar.finish_and_clear();
                    eprintln!("error: {}", plain(&self.0.used_up(&told)));
                    // While nobody can begin to print a result.
                    process::exit(FAILURE.into());
                }
            }
        }
    }
}

impl Shared {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_time(&self) -> bool {
        self.most.is_none_or(|most| (self.clock)().saturating_sub(self.begin) < most)
    }

    fn most_ns(&self) -> u64 {
        u64::try_from(self.most.unwrap_or_default().as_nanos()).unwrap_or(u64::MAX)
    }

    fn limit(&self) -> String {
        format!("the limit of {} of processor time (--max-time) is reached", format_time(self.most_ns()))
    }

    /// How many are done, and of how many.
    fn counted(&self) -> Option<(u64, u64)> {
        self.bar.length().map(|of| (self.bar.position(), of))
    }

    fn used_up(&self, told: &Told) -> String {
        let about = if told.about.is_empty() { String::new() } else { format!("{}: ", told.about) };
        let counted = self.counted().map(|(done, of)| format!("{} of {}", format_count(done), format_count(of)));
        let done = counted.map_or_else(|| told.done.to_string(), |counted| format!("{counted} {}", told.done));
        let done = if done.is_empty() { done } else { format!("; done so far: {done}") };
        format!("{about}{}{done}", self.limit())
    }
}

impl Streams<'_> {
    /// A computation begins that may take long. `about`: what messages about it begin with.
    pub(super) fn begin(&mut self, args: &TimeArgs, about: &str) {
        let most = args.max_time.map(Duration::from_nanos);
        self.meter = Meter::new(Arc::clone(&self.clock), about.to_owned(), most);
        if self.is_process {
            let meter = self.meter.clone();
            // Without it nothing is said meanwhile, and less is stopped.
            let _ = thread::Builder::new().name("progress".to_owned()).spawn(move || meter.watch());
        }
    }

    /// Fails if there is no time for more.
    pub(super) fn in_time(&mut self) -> Result<(), Failed> {
        if self.meter.has_time() {
            return Ok(());
        }
        let said = self.meter.0.used_up(&self.meter.0.told());
        self.fail(&plain(&said))
    }

    /// A run, whether it is cut or not.
    pub(super) fn run_of(&mut self, scenario: &Arc<Scenario>, variants: Variants, limits: Limits) -> Result<Run, Failed> {
        let (meter, mut simulation) = (self.meter.clone(), Simulation::new(scenario, variants, limits));
        let progress = in_portions(
            PORTION,
            |budget| {
                let progress = simulation.run_for(budget);
                meter.tell(steps(simulation.trace()));
                progress
            },
            || meter.has_time(),
        );
        match progress {
            Progress::Done => Ok(simulation.finish()),
            Progress::Paused => self.in_time().and(Err(Failed)),
        }
    }
}

/// How far a run is: `1,200 steps, until 3 ms of the run`.
fn steps(trace: &Trace) -> String {
    let until = trace.steps().last().map_or(0, |step| step.at.ns());
    format!("{} steps, until {} of the run", format_count(trace.steps().len() as u64), format_time(until))
}
