//! A search over requests that breaks a policy: every order of begins and ends, breadth first, for every assignment of
//! priorities, without times.
//!
//! Depends on the crate `policy`, on `work` and `language` of the simulator, and for tables on its engine. Invariants: a fault is the shortest sequence of
//! requests that has it, but for starvation, whose sequence is short; what is called clean holds in every reachable state for up
//! to so many tasks. A search goes on in portions, and gives the same whatever they are.

mod assign;
mod attributes;
mod facts;
mod graph;
mod live;
mod property;
mod report;
mod table;
mod walk;
mod words;

pub use graph::{Request, Step};
pub use property::{Property, PropertyError};
pub use report::{Fault, Finding, Level, Report, Stopped, Verdict};
pub use table::PolicyTable;
pub use walk::{MAX_REQUESTS, RequestError, Walk};
pub use words::Passed;

use blockstep_policy::Program;
use blockstep_sim::work::{Budget, Progress};

use assign::assignments;
use graph::{Found, Graph};
use live::Look;

/// Tasks that a search may have.
pub const MAX_SEARCHED: usize = 8;
/// Bytes that the states of one assignment of priorities may take, with what leads from each to the next.
pub const MAX_BYTES: usize = 400_000_000;

/// Why a policy cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Their number is out of range.
    #[error("{0} tasks cannot be searched; it is a number from 1 to {MAX_SEARCHED}")]
    Tasks(usize),
    /// There are no sizes in it.
    #[error("the policy reads sms or duration, which requests do not have; a search over requests cannot judge it")]
    Sizes,
    /// Their orders would have to be combined.
    #[error("the policy reads both priority and period; a search over requests has one order of tasks")]
    TwoOrders,
    /// Nothing is asked.
    #[error("there is no property to look for")]
    NoProperty,
}

/// A search, as far as it has come.
#[derive(Clone, Debug)]
pub struct Search {
    program: Program,
    properties: Vec<Property>,
    tasks: usize,
    max_bytes: usize,
    /// Assignments of the current level that are still to be searched, the next one last.
    left: Vec<Vec<u8>>,
    graph: Option<Graph>,
    /// In that graph, once its states are all known.
    look: Option<Look>,
    levels: Vec<Level>,
    faults: Vec<Option<Fault>>,
    stopped: Option<Stopped>,
}

impl Search {
    /// A search with up to so many tasks, for these properties and [`Property::Fails`].
    ///
    /// # Errors
    /// What it cannot judge.
    pub fn new(program: &Program, tasks: usize, properties: &[Property]) -> Result<Self, Refused> {
        let reads = program.reads();
        if !(1..=MAX_SEARCHED).contains(&tasks) {
            return Err(Refused::Tasks(tasks));
        }
        if reads.sizes {
            return Err(Refused::Sizes);
        }
        if reads.priority && reads.period {
            return Err(Refused::TwoOrders);
        }
        if properties.is_empty() {
            return Err(Refused::NoProperty);
        }
        // Nothing is known of what follows a decision that fails, so that is always looked for.
        let mut properties: Vec<Property> = properties.iter().copied().chain([Property::Fails]).collect();
        properties.sort_unstable();
        properties.dedup();
        let faults = vec![None; properties.len()];
        let (left, levels) = (Vec::new(), Vec::new());
        Ok(Self {
            program: program.clone(),
            properties,
            tasks,
            max_bytes: MAX_BYTES,
            left,
            graph: None,
            look: None,
            levels,
            faults,
            stopped: None,
        })
    }

    /// With another limit than [`MAX_BYTES`].
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Goes on until the budget is spent. A unit is a decision; once all states of an assignment are known, they are looked at
    /// task by task.
    pub fn advance(&mut self, budget: &mut Budget) -> Progress {
        while !budget.is_spent() {
            if self.stopped.is_some() {
                return Progress::Done;
            }
            if self.graph.is_none() && !self.next_graph() {
                return Progress::Done;
            }
            let Some(mut graph) = self.graph.take() else { return Progress::Done };
            match graph.advance(&self.program, &self.properties, self.max_bytes, budget) {
                Err(stopped) => {
                    self.take_faults(&mut graph);
                    self.count(&graph);
                    self.stopped = Some(stopped);
                }
                Ok(Progress::Paused) => {
                    self.take_faults(&mut graph);
                    self.graph = Some(graph);
                    return Progress::Paused;
                }
                Ok(Progress::Done) => {
                    let look = self.look.get_or_insert_with(|| Look::new(&graph, &self.properties));
                    if look.advance(&mut graph, &self.program, budget) == Progress::Paused {
                        self.graph = Some(graph);
                        return Progress::Paused;
                    }
                    self.look = None;
                    self.take_faults(&mut graph);
                    self.count(&graph);
                    if let Some(level) = self.levels.last_mut() {
                        level.closed += 1;
                    }
                }
            }
        }
        if self.graph.is_none() && self.left.is_empty() && self.levels.len() == self.tasks { Progress::Done } else { Progress::Paused }
    }

    /// Begins the next assignment; false if there is none.
    fn next_graph(&mut self) -> bool {
        if self.left.is_empty() {
            let tasks = self.levels.len() + 1;
            if tasks > self.tasks {
                return false;
            }
            self.left = assignments(tasks, &self.program);
            self.left.reverse();
            self.levels.push(Level { tasks, assignments: self.left.len(), closed: 0, states: 0, deepest: 0 });
        }
        self.graph = self.left.pop().map(|ranks| Graph::new(&self.program, &ranks));
        self.graph.is_some()
    }

    fn count(&mut self, graph: &Graph) {
        if let Some(level) = self.levels.last_mut() {
            level.states += graph.len();
            level.deepest = level.deepest.max(graph.deepest());
        }
    }

    /// Keeps what a graph has found, if it is shorter than what is known.
    fn take_faults(&mut self, graph: &mut Graph) {
        for Found { property, about, steps, cycle, failure } in graph.found.drain(..) {
            let Some(place) = self.properties.iter().position(|known| *known == property) else { continue };
            let fault = Fault { ranks: graph.ranks.clone(), about, steps, cycle, failure };
            let is_shorter = self.faults[place].as_ref().is_none_or(|known| fault.len() < known.len());
            if is_shorter {
                self.faults[place] = Some(fault);
            }
        }
    }

    /// What is known so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let is_over = self.levels.len() == self.tasks && self.left.is_empty() && self.graph.is_none() && self.stopped.is_none();
        let finding = |(property, fault): (&Property, &Option<Fault>)| {
            let verdict = match fault {
                Some(fault) => Verdict::Fault(Box::new(fault.clone())),
                None if is_over => Verdict::Clean,
                None => Verdict::Open,
            };
            Finding { property: *property, verdict }
        };
        let findings = self.properties.iter().zip(&self.faults).map(finding).collect();
        let (reads, has_ticks) = (self.program.reads(), self.program.tick_every().is_some());
        Report { tasks: self.tasks, reads, has_ticks, is_over, levels: self.levels.clone(), findings, stopped: self.stopped }
    }
}

/// Searches to the end.
///
/// # Errors
/// What a search cannot judge.
pub fn search(program: &Program, tasks: usize, properties: &[Property]) -> Result<Report, Refused> {
    let mut search = Search::new(program, tasks, properties)?;
    let mut budget = Budget::UNLIMITED;
    while search.advance(&mut budget) == Progress::Paused {}
    Ok(search.report())
}
