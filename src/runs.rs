//! Runs that the lab has made, and what is derived from them, so that asking about one again costs
//! nothing.
//!
//! Depends on `engine`, `learn` and `view`. Invariant: what is kept is what would be simulated.

pub mod beside;
pub mod glance;
pub mod logs;

use std::sync::Arc;

use logs::Logs;

use crate::engine::{self, Limits, Run};
use crate::format;
use crate::learn::compare::tables::Tables;
use crate::learn::compare::{Differences, Side};
use crate::learn::ledger::Ledger;
use crate::record::Records;
use crate::scenario::Scenario;
use crate::trace::{Cut, Trace, Variants};
use crate::view::document::Document;
use crate::view::problems;
use crate::view::results::Results;
use crate::view::timeline::Timeline;
use glance::Glance;

/// Runs kept.
const KEPT: usize = 12;
/// Steps that they may have together; the run asked for last is kept however long it is.
const KEPT_STEPS: usize = 2_000_000;
/// Steps of a run beside the one on screen.
const BESIDE_STEPS: u32 = 1_000_000;
/// Timelines kept, results, and differences of two runs.
const COMPARED: usize = 6;

/// A run with what is derived from it.
#[derive(Clone)]
pub struct Simulation {
    /// The run.
    pub run: Run,
    /// Its own records.
    pub records: Arc<Records>,
}

impl Simulation {
    /// As one side of a comparison.
    #[must_use]
    pub fn side(&self) -> Side<'_> {
        Side { trace: &self.run.trace, records: &self.records }
    }
}

/// The runs asked for last, the latest at the end.
#[derive(Default)]
pub struct Runs {
    kept: Vec<(String, Variants, Simulation)>,
    /// That of the run asked about last.
    ledger: Option<(Arc<Trace>, Arc<Ledger>)>,
    results: Vec<(Arc<Trace>, Arc<Results>)>,
    timelines: Vec<(Arc<Trace>, Arc<Timeline>)>,
    differences: Vec<([Arc<Trace>; 2], Arc<Differences>)>,
    tables: Option<(Vec<Arc<Trace>>, Arc<Tables>)>,
    /// Of the kind of export asked about last.
    glance: Option<(Arc<Trace>, &'static str, Arc<Glance>)>,
    /// Logs of a GPU.
    pub logs: Logs,
}

impl Runs {
    /// The run of a scenario file, with variants of the rules.
    ///
    /// # Errors
    /// What is wrong with the file, as a sentence for the reader.
    pub fn get(&mut self, scenario: &str, variants: Variants) -> Result<Simulation, String> {
        self.within(scenario, variants, Limits::default())
    }

    /// The same of a run beside the one on screen, which may be cut at [`BESIDE_STEPS`] and says so.
    ///
    /// # Errors
    /// As [`Runs::get`].
    pub fn beside(&mut self, scenario: &str, variants: Variants) -> Result<Simulation, String> {
        self.within(scenario, variants, Limits { max_steps: BESIDE_STEPS })
    }

    fn within(&mut self, scenario: &str, variants: Variants, limits: Limits) -> Result<Simulation, String> {
        let is_enough = |made: &Simulation| match made.run.trace.cut() {
            Some(Cut::StepLimit { limit }) => *limit >= limits.max_steps,
            _ => true,
        };
        let found = self.kept.iter().position(|(text, with, made)| text == scenario && *with == variants && is_enough(made));
        let entry = match found {
            Some(place) => self.kept.remove(place),
            None => {
                let run = engine::simulate_varied(&read(scenario)?, variants, limits).map_err(|e| e.to_string())?;
                let records = Arc::new(Records::new(&run.trace));
                (scenario.to_owned(), variants, Simulation { run, records })
            }
        };
        let made = entry.2.clone();
        self.kept.push(entry);
        let steps = |kept: &[(String, Variants, Simulation)]| kept.iter().map(|(.., made)| made.run.trace.steps().len()).sum::<usize>();
        while self.kept.len() > KEPT || (self.kept.len() > 1 && steps(&self.kept) > KEPT_STEPS) {
            self.kept.remove(0);
        }
        Ok(made)
    }

    /// The timeline of a run.
    pub fn timeline(&mut self, made: &Simulation) -> Arc<Timeline> {
        let trace = &made.run.trace;
        if let Some((_, timeline)) = self.timelines.iter().find(|(of, _)| Arc::ptr_eq(of, trace)) {
            return Arc::clone(timeline);
        }
        let timeline = Arc::new(Timeline::new(trace, &made.records));
        keep(&mut self.timelines, (Arc::clone(trace), Arc::clone(&timeline)), |(trace, _)| trace.steps().len());
        timeline
    }

    /// Where two runs differ.
    pub fn differences(&mut self, a: &Simulation, b: &Simulation) -> Arc<Differences> {
        let traces = [&a.run.trace, &b.run.trace];
        let is_this = |of: &[Arc<Trace>; 2]| of.iter().zip(traces).all(|(of, trace)| Arc::ptr_eq(of, trace));
        if let Some((_, differences)) = self.differences.iter().find(|(of, _)| is_this(of)) {
            return Arc::clone(differences);
        }
        let differences = Arc::new(Differences::new(a.side(), b.side()));
        keep(&mut self.differences, (traces.map(Arc::clone), Arc::clone(&differences)), |(traces, _)| {
            traces.iter().map(|t| t.steps().len()).sum()
        });
        differences
    }

    /// What some runs came to.
    pub fn tables(&mut self, made: &[&Simulation]) -> Arc<Tables> {
        let is_this = |of: &[Arc<Trace>]| of.len() == made.len() && of.iter().zip(made).all(|(of, made)| Arc::ptr_eq(of, &made.run.trace));
        if let Some((_, tables)) = self.tables.as_ref().filter(|(of, _)| is_this(of)) {
            return Arc::clone(tables);
        }
        let tables = Arc::new(Tables::new(&made.iter().map(|made| made.side()).collect::<Vec<_>>()));
        self.tables = Some((made.iter().map(|made| Arc::clone(&made.run.trace)).collect(), Arc::clone(&tables)));
        tables
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

    /// What a run came to.
    pub fn results(&mut self, made: &Simulation) -> Arc<Results> {
        let trace = &made.run.trace;
        if let Some((_, results)) = self.results.iter().find(|(of, _)| Arc::ptr_eq(of, trace)) {
            return Arc::clone(results);
        }
        let results = Arc::new(Results::new(made.run.replay(), &made.records));
        keep(&mut self.results, (Arc::clone(trace), Arc::clone(&results)), |(trace, _)| trace.steps().len());
        results
    }

    /// The ledger of a run.
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

/// Adds what was made last; there are at most [`COMPARED`] beside each other, of fewer steps than
/// [`KEPT_STEPS`] together but for the last.
fn keep<T>(list: &mut Vec<T>, made: T, steps: impl Fn(&T) -> usize) {
    list.push(made);
    while list.len() > COMPARED || (list.len() > 1 && list.iter().map(&steps).sum::<usize>() > KEPT_STEPS) {
        list.remove(0);
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
/// What is wrong with it, as a sentence for the reader.
pub fn read(scenario: &str) -> Result<Arc<Scenario>, String> {
    let draft = format::read_scenario(scenario).map_err(|e| e.to_string())?;
    Scenario::new(&draft).map_err(|e| {
        let document = Document::new(draft);
        let said = problems::on_page(&document, e.problems);
        said.iter().map(|problem| problems::sentence(&document, problem)).collect::<Vec<_>>().join("\n")
    })
}
