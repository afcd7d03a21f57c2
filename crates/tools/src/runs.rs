//! Runs that the worker has made, and what is derived from them, so that asking about one again costs
//! nothing.
//!
//! Invariant: what is kept is what would be simulated; what a tool shows is kept as long as it shows it.

pub mod beside;
mod cache;
pub mod glance;
pub mod logs;
pub mod whole;

use std::sync::Arc;

use cache::{Askers, Cache};
use logs::Logs;

use crate::hang::Asked;
use crate::own::Searching;
use crate::quiz::Tally;
use blockstep_draw::figure::Picture;
use blockstep_film::Dots;
use blockstep_format::{self as format, FormatError};
use blockstep_format::{PlanError, Program, write_program};
use blockstep_learn::compare::tables::Tables;
use blockstep_learn::compare::{Differences, Side};
use blockstep_learn::ledger::Ledger;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::{Cut, Trace, Variants};
use blockstep_view::document::Document;
use blockstep_view::problems;
use blockstep_view::results::Results;
use blockstep_view::timeline::Timeline;
use glance::Glance;

/// Draws a picture with so many dots for each of its pixels, or says why it cannot.
pub type Painter = fn(&Picture, u32) -> Result<Dots, String>;

/// A scenario as a program of CUDA, or why there is none.
pub type Written = Result<Program, PlanError>;

/// Runs that the cache holds at most.
const MAX_SIMULATIONS: usize = 12;
/// Steps that they may have together, but for those that a tool shows; the run asked for last is kept however long it is.
const MAX_CACHED_STEPS: usize = 2_000_000;
/// Steps of a run beside the one on screen.
const BESIDE_STEPS: u32 = 1_000_000;
/// Timelines kept, results, differences of two runs, and scenario files with one change.
const COMPARED: usize = 6;

#[derive(Clone)]
pub struct Simulation {
    pub run: Run,
    pub records: Arc<Records>,
}

impl Simulation {
    #[must_use]
    pub fn side(&self) -> Side<'_> {
        Side { trace: &self.run.trace, records: &self.records }
    }
}

/// Why there is no run of a scenario file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunsError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FormatError),
    /// It is no scenario: a sentence a line, with the page's words for its fields.
    #[error("{}", .0.join("\n"))]
    Problems(Vec<String>),
    /// It is the run to compare with.
    #[error("The run to compare with cannot be simulated: {0}")]
    Beside(Box<RunsError>),
}

/// The runs asked for last.
///
/// Those that a tool asked for in its last event are kept however long they are together ([`Runs::asked_by`]), since it will
/// ask for them in the next one, too.
pub struct Runs {
    simulations: Cache<(String, Variants), Simulation>,
    /// That of the run asked about last.
    ledger: Option<(Arc<Trace>, Arc<Ledger>)>,
    program: Option<(Arc<Trace>, Arc<Written>)>,
    results: Cache<Arc<Trace>, Arc<Results>>,
    timelines: Cache<Arc<Trace>, Arc<Timeline>>,
    differences: Cache<[Arc<Trace>; 2], Arc<Differences>>,
    tables: Option<(Vec<Arc<Trace>>, Arc<Tables>)>,
    /// What was found last of the tables of an exercise, by a mark of what they are of.
    tally: Option<(String, Tally)>,
    /// By scenario file and name of the change.
    edited: Cache<[String; 2], String>,
    /// Of the kind of export asked about last.
    glance: Option<(Arc<Trace>, &'static str, Arc<Glance>)>,
    pub logs: Logs,
    /// The search for faults of a policy.
    pub searching: Searching,
    /// The question whether a table can hang.
    pub hanging: Asked,
    /// What draws pictures of dots, where there is something.
    pub painter: Option<Painter>,
    asker: Askers,
    /// Steps that what is kept may have, but for what is needed.
    room: usize,
}

impl Default for Runs {
    fn default() -> Self {
        Self::with_room(MAX_CACHED_STEPS)
    }
}

impl Runs {
    /// With room for so many steps, but for those of runs that a tool shows.
    #[must_use]
    pub fn with_room(steps: usize) -> Self {
        Self {
            simulations: Cache::new(MAX_SIMULATIONS),
            ledger: None,
            program: None,
            results: Cache::new(COMPARED),
            timelines: Cache::new(COMPARED),
            differences: Cache::new(COMPARED),
            tables: None,
            tally: None,
            edited: Cache::new(COMPARED),
            glance: None,
            logs: Logs::default(),
            searching: Searching::default(),
            hanging: Asked::default(),
            painter: None,
            asker: 0,
            room: steps,
        }
    }

    /// Does the work of one who asks for runs, by a number below 64. What it asks for is kept until it works again; what it
    /// asked for before, and does not any more, may be dropped.
    pub fn asked_by<A>(&mut self, asker: u32, work: impl FnOnce(&mut Self) -> A) -> A {
        let asker = 1 << asker;
        self.release_all(asker);
        self.asker = asker;
        let answer = work(self);
        self.asker = 0;
        self.trim();
        answer
    }

    /// One who asked for runs needs them no more.
    pub fn release(&mut self, asker: u32) {
        self.release_all(1 << asker);
        self.trim();
    }

    fn release_all(&mut self, askers: Askers) {
        self.simulations.release(askers);
        self.results.release(askers);
        self.timelines.release(askers);
        self.differences.release(askers);
    }

    /// Drops runs that nobody needs, and what is derived from runs that are gone, as it would keep them.
    fn trim(&mut self) {
        self.simulations.trim(self.room);
        let is_kept = |of: &Arc<Trace>| self.simulations.has(|made| Arc::ptr_eq(&made.run.trace, of));
        self.results.retain(is_kept);
        self.timelines.retain(is_kept);
        self.differences.retain(|of| of.iter().all(is_kept));
        self.tables.take_if(|(of, _)| !of.iter().all(is_kept));
        self.ledger.take_if(|(of, _)| !is_kept(of));
        self.program.take_if(|(of, _)| !is_kept(of));
        self.glance.take_if(|(of, ..)| !is_kept(of));
        self.results.trim(self.room);
        self.timelines.trim(self.room);
        self.differences.trim(self.room);
    }

    /// The run of a scenario file, with variants of the rules.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn get(&mut self, scenario: &str, variants: Variants) -> Result<Simulation, RunsError> {
        self.within(scenario, variants, Limits::default())
    }

    /// The same of a run beside the one on screen, which may be cut at `BESIDE_STEPS` and says so.
    ///
    /// # Errors
    /// As [`Runs::get`].
    pub fn beside(&mut self, scenario: &str, variants: Variants) -> Result<Simulation, RunsError> {
        self.within(scenario, variants, Limits { max_steps: BESIDE_STEPS })
    }

    fn within(&mut self, scenario: &str, variants: Variants, limits: Limits) -> Result<Simulation, RunsError> {
        let is_enough = |made: &Simulation| match made.run.trace.cut() {
            Some(Cut::StepLimit { limit, .. }) => *limit >= limits.max_steps,
            _ => true,
        };
        let found = self.simulations.find(self.asker, |(text, with), made| text == scenario && *with == variants && is_enough(made));
        if let Some(made) = found {
            return Ok(made);
        }
        let run = engine::simulate_varied(&read(scenario)?, variants, limits);
        let made = Simulation { records: Arc::new(Records::new(&run.trace)), run };
        self.simulations.add(self.asker, (scenario.to_owned(), variants), made.clone(), made.run.trace.steps().len(), self.room);
        Ok(made)
    }

    /// A scenario file with one change, which `name` tells from others.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn edited(&mut self, scenario: &str, name: &str, edit: impl FnOnce(&mut Draft)) -> Result<String, RunsError> {
        if let Some(text) = self.edited.find(0, |[of, change], _| of == scenario && change == name) {
            return Ok(text);
        }
        let mut draft = format::read_scenario(scenario)?;
        edit(&mut draft);
        let text = format::write_scenario(&draft);
        self.edited.add(0, [scenario.to_owned(), name.to_owned()], text.clone(), 0, self.room);
        Ok(text)
    }

    pub fn timeline(&mut self, made: &Simulation) -> Arc<Timeline> {
        let trace = &made.run.trace;
        if let Some(timeline) = self.timelines.find(self.asker, |of, _| Arc::ptr_eq(of, trace)) {
            return timeline;
        }
        let timeline = Arc::new(Timeline::new(trace, &made.records));
        self.timelines.add(self.asker, Arc::clone(trace), Arc::clone(&timeline), trace.steps().len(), self.room);
        timeline
    }

    pub fn differences(&mut self, a: &Simulation, b: &Simulation) -> Arc<Differences> {
        let traces = [&a.run.trace, &b.run.trace];
        let is_this = |of: &[Arc<Trace>; 2], _: &Arc<Differences>| of.iter().zip(traces).all(|(of, trace)| Arc::ptr_eq(of, trace));
        if let Some(differences) = self.differences.find(self.asker, is_this) {
            return differences;
        }
        let differences = Arc::new(Differences::new(a.side(), b.side()));
        let steps = traces.iter().map(|trace| trace.steps().len()).sum();
        self.differences.add(self.asker, traces.map(Arc::clone), Arc::clone(&differences), steps, self.room);
        differences
    }

    pub fn tables(&mut self, made: &[&Simulation]) -> Arc<Tables> {
        let is_this = |of: &[Arc<Trace>]| of.len() == made.len() && of.iter().zip(made).all(|(of, made)| Arc::ptr_eq(of, &made.run.trace));
        if let Some((_, tables)) = self.tables.as_ref().filter(|(of, _)| is_this(of)) {
            return Arc::clone(tables);
        }
        let tables = Arc::new(Tables::new(&made.iter().map(|made| made.side()).collect::<Vec<_>>()));
        self.tables = Some((made.iter().map(|made| Arc::clone(&made.run.trace)).collect(), Arc::clone(&tables)));
        tables
    }

    /// What was found of the tables of an exercise, if that was what was looked at last.
    pub(crate) fn tally(&self, of: &str) -> Option<Tally> {
        self.tally.as_ref().filter(|(mark, _)| mark == of).map(|(_, tally)| tally.clone())
    }

    pub(crate) fn keep_tally(&mut self, of: String, tally: Tally) {
        self.tally = Some((of, tally));
    }

    /// The first lines of what a kind of export makes of a run.
    pub fn glance(&mut self, made: &Simulation, kind: &'static str, make: impl FnOnce() -> Glance) -> Arc<Glance> {
        let trace = &made.run.trace;
        if let Some((_, _, glance)) = self.glance.as_ref().filter(|(of, what, _)| Arc::ptr_eq(of, trace) && *what == kind) {
            return Arc::clone(glance);
        }
        let glance = Arc::new(make());
        self.glance = Some((Arc::clone(trace), kind, Arc::clone(&glance)));
        glance
    }

    pub fn results(&mut self, made: &Simulation) -> Arc<Results> {
        let trace = &made.run.trace;
        if let Some(results) = self.results.find(self.asker, |of, _| Arc::ptr_eq(of, trace)) {
            return results;
        }
        let results = Arc::new(Results::new(made.run.replay(), &made.records));
        self.results.add(self.asker, Arc::clone(trace), Arc::clone(&results), trace.steps().len(), self.room);
        results
    }

    pub fn program(&mut self, made: &Simulation) -> Arc<Written> {
        match &self.program {
            Some((trace, program)) if Arc::ptr_eq(trace, &made.run.trace) => Arc::clone(program),
            _ => {
                let program = Arc::new(write_program(&made.run.trace, &made.records));
                self.program = Some((Arc::clone(&made.run.trace), Arc::clone(&program)));
                program
            }
        }
    }

    pub fn ledger(&mut self, made: &Simulation) -> Arc<Ledger> {
        match &self.ledger {
            Some((trace, ledger)) if Arc::ptr_eq(trace, &made.run.trace) => Arc::clone(ledger),
            _ => {
                let ledger = Arc::new(Ledger::new(&made.run, &made.records));
                self.ledger = Some((Arc::clone(&made.run.trace), Arc::clone(&ledger)));
                ledger
            }
        }
    }
}

/// Tells texts from others, in few letters (the FNV-1a hash).
#[must_use]
pub fn mark<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    // A byte that no text holds stands between two.
    hash(texts.flat_map(|text| text.bytes().chain([0xff])))
}

/// Tells one scenario file from another, in few letters; links of version 1 hold it.
#[must_use]
pub fn scenario_mark(scenario: &str) -> String {
    hash(scenario.bytes())
}

fn hash(bytes: impl Iterator<Item = u8>) -> String {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:x}")
}

/// A scenario file as a scenario.
///
/// # Errors
/// What is wrong with it.
pub fn read(scenario: &str) -> Result<Arc<Scenario>, RunsError> {
    let draft = format::read_scenario(scenario)?;
    Scenario::new(&draft).map_err(|e| {
        let document = Document::new(draft);
        let said = problems::on_page(&document, e.problems);
        RunsError::Problems(said.iter().map(|problem| problems::sentence(&document, problem)).collect())
    })
}
