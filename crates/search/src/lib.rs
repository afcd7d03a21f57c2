//! Searches that break a policy. One goes over requests: every order of begins and ends, breadth first, for every assignment of
//! priorities, without times. One goes over times: small task sets that the test of EDF promises, run by the engine.
//!
//! Depends on the crate `policy`, on `work` and `language` of the simulator, for tables on its engine, and on the test in `analysis`. Invariants: a fault is the shortest sequence of
//! requests that has it, but for starvation, whose sequence is short; what is called clean holds in every reachable state for up
//! to so many tasks. A search goes on in portions, and gives the same whatever they are.

mod assign;
mod attributes;
mod facts;
mod graph;
mod live;
mod part;
mod property;
mod report;
mod table;
mod task_set;
mod times;
mod walk;
mod words;

pub use graph::{Request, Step};
pub use part::JoinError;
pub use property::{Property, PropertyError};
pub use report::{Fault, Finding, Level, Report, Stopped, Verdict};
pub use table::PolicyTable;
pub use task_set::{MAX_TIMED, TimedTask};
pub use times::{Shown, TimedFault, TimesReport};
pub use walk::{MAX_REQUESTS, RequestError, Walk};
pub use words::Passed;

use blockstep_policy::Program;
use blockstep_sim::work::{Budget, Progress};

use assign::assignments;
use graph::{FoundFault, Graph};
use live::LiveSearch;
use times::{MAX_STEPS, Times};

/// Tasks that a search may have.
pub const MAX_SEARCHED: usize = 8;
/// Bytes that the states of one assignment of priorities may take, with what leads from each to the next, and with what is looked for in
/// all of them together.
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
    /// There are no kernels in it.
    #[error("the policy decides about single kernels (launch, finish), which requests do not have; a search over requests cannot judge it")]
    Launches,
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
    /// Whether requests are searched: for something else than deadlines.
    has_requests: bool,
    times: Option<Times>,
    max_bytes: usize,
    /// Assignments of the current level that are still to be searched, the next one last.
    left: Vec<Vec<u8>>,
    graph: Option<Graph>,
    /// In that graph, once its states are all known.
    look: Option<LiveSearch>,
    levels: Vec<Level>,
    faults: Vec<Option<Fault>>,
    stopped: Option<Stopped>,
    /// Which part of the assignments are searched, from 1, of how many; and how many were dealt so far.
    part: (usize, usize),
    dealt: usize,
}

impl Search {
    /// A search with up to so many tasks, for these properties and [`Property::Fails`]. [`Property::Missed`] is looked for over times, with
    /// up to [`MAX_TIMED`] of them; if it is alone, requests are not searched.
    ///
    /// # Errors
    /// What it cannot judge.
    pub fn new(program: &Program, tasks: usize, properties: &[Property]) -> Result<Self, Refused> {
        let reads = program.reads();
        if !(1..=MAX_SEARCHED).contains(&tasks) {
            return Err(Refused::Tasks(tasks));
        }
        let has_requests = properties.iter().any(|property| *property != Property::Missed);
        if has_requests && (program.gates_launches() || program.hears_launches() || program.hears_finishes()) {
            return Err(Refused::Launches);
        }
        if has_requests && reads.sizes {
            return Err(Refused::Sizes);
        }
        if has_requests && reads.priority && reads.period {
            return Err(Refused::TwoOrders);
        }
        if properties.is_empty() {
            return Err(Refused::NoProperty);
        }
        // Nothing is known of what follows a decision that fails, so that is always looked for.
        let mut properties: Vec<Property> = properties.iter().copied().chain([Property::Fails]).collect();
        properties.sort_unstable();
        properties.dedup();
        let times = properties.contains(&Property::Missed).then(|| Times::new(program.text(), tasks));
        Ok(Self {
            faults: vec![None; properties.len()],
            program: program.clone(),
            properties,
            tasks,
            has_requests,
            times,
            max_bytes: MAX_BYTES,
            left: Vec::new(),
            graph: None,
            look: None,
            levels: Vec::new(),
            stopped: None,
            part: (1, 1),
            dealt: 0,
        })
    }

    /// With another limit than [`MAX_BYTES`].
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        Self { max_bytes, ..self }
    }

    /// Only a part of the search, from 1, of so many: every `parts`-th assignment of priorities, whatever its number of tasks. Task sets are
    /// run in the first part. [`Report::join`] puts the parts together.
    #[must_use]
    pub fn with_part(mut self, part: usize, parts: usize) -> Self {
        self.part = (part, parts.max(1));
        self.times = self.times.filter(|_| part == 1);
        self
    }

    /// Goes on until the budget is spent. A unit is a decision; once all states of an assignment are known, they are looked at
    /// task by task.
    /// While both go on, half of the budget is for times.
    pub fn advance(&mut self, budget: &mut Budget) -> Progress {
        let is_alone = !self.has_requests || self.stopped.is_some() || self.requests_are_over();
        if let Some(times) = self.times.as_mut().filter(|times| !times.is_over()) {
            let mut part = Budget::new(if is_alone { budget.left() } else { budget.left() / 2 });
            times.advance(&mut part);
            budget.spend(part.spent());
        }
        let requests = if self.has_requests { self.advance_requests(budget) } else { Progress::Done };
        match &self.times {
            Some(times) if !times.is_over() => Progress::Paused,
            _ => requests,
        }
    }

    fn requests_are_over(&self) -> bool {
        self.levels.len() == self.tasks && self.left.is_empty() && self.graph.is_none() && self.stopped.is_none()
    }

    fn advance_requests(&mut self, budget: &mut Budget) -> Progress {
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
                    let look = self.look.get_or_insert_with(|| LiveSearch::new(&graph, &self.properties));
                    let looked = look.advance(&mut graph, &self.program, self.max_bytes, budget);
                    if looked == Ok(Progress::Paused) {
                        self.graph = Some(graph);
                        return Progress::Paused;
                    }
                    self.look = None;
                    self.take_faults(&mut graph);
                    self.count(&graph);
                    if let Err(stopped) = looked {
                        self.stopped = Some(stopped);
                    } else if let Some(level) = self.levels.last_mut() {
                        level.closed += 1;
                    }
                }
            }
        }
        if self.graph.is_none() && self.left.is_empty() && self.levels.len() == self.tasks { Progress::Done } else { Progress::Paused }
    }

    /// Begins the next assignment; false if there is none.
    fn next_graph(&mut self) -> bool {
        while self.left.is_empty() {
            let tasks = self.levels.len() + 1;
            if tasks > self.tasks {
                return false;
            }
            let (part, parts) = self.part;
            let all = assignments(tasks, &self.program);
            let dealt = self.dealt;
            self.dealt += all.len();
            let is_of_part = |place: usize| (dealt + place) % parts + 1 == part;
            self.left = all.into_iter().enumerate().filter(|&(place, _)| is_of_part(place)).map(|(_, ranks)| ranks).collect();
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
        for FoundFault { property, about, steps, cycle, failure } in graph.found.drain(..) {
            let Some(place) = self.properties.iter().position(|known| *known == property) else { continue };
            let fault = Fault { ranks: graph.ranks.clone(), about, steps, cycle, failure };
            let is_shorter = self.faults[place].as_ref().is_none_or(|known| fault.len() < known.len());
            if is_shorter {
                self.faults[place] = Some(fault);
            }
        }
    }

    /// Ends the search where it is, for this reason, unless it has ended: what is known of the states so far counts.
    pub fn stop(&mut self, why: Stopped) {
        if let Some(mut graph) = self.graph.take() {
            self.take_faults(&mut graph);
            self.count(&graph);
        }
        self.stopped = self.stopped.or(Some(why));
    }

    /// States that were visited, and requests to the one that is furthest from the start.
    #[must_use]
    pub fn extent(&self) -> (usize, u32) {
        let now = self.graph.as_ref().map_or((0, 0), |graph| (graph.len(), graph.deepest()));
        self.levels.iter().fold(now, |(states, deepest), level| (states + level.states, deepest.max(level.deepest)))
    }

    /// Task sets that were run, of so many; nothing if none are to be run.
    #[must_use]
    pub fn sets(&self) -> Option<(usize, usize)> {
        self.times.as_ref().map(Times::report).map(|times| (times.sets, times.of))
    }

    /// Searches to the end.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let mut endless = Budget::UNLIMITED;
        while self.advance(&mut endless) == Progress::Paused {}
        self.report()
    }

    /// What is known so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let is_over = self.has_requests && self.requests_are_over();
        let timed = |property: Property| match (property, &self.times) {
            (Property::Missed, Some(times)) => times.missed(),
            (Property::Fails, Some(times)) => times.failed(),
            _ => None,
        };
        let finding = |(property, fault): (&Property, &Option<Fault>)| {
            let is_of_requests = self.has_requests && *property != Property::Missed;
            let verdict = match (fault, timed(*property), &self.times) {
                (Some(fault), ..) => Verdict::Fault(Box::new(fault.clone())),
                (None, Some(timed), _) => Verdict::TaskSet(Box::new(timed.clone())),
                _ if is_of_requests && is_over => Verdict::Clean,
                (.., Some(times)) if !is_of_requests && times.report().is_over => Verdict::NoneFound,
                _ => Verdict::Open,
            };
            Finding { property: *property, verdict }
        };
        let findings = self.properties.iter().zip(&self.faults).map(finding).collect();
        let (reads, has_ticks) = (self.program.reads(), self.program.tick_every().is_some());
        let (levels, times) = (self.levels.clone(), self.times.as_ref().map(Times::report));
        let given_up = self.times.as_ref().filter(|times| times.is_given_up()).map(|_| Stopped::Steps { limit: MAX_STEPS });
        let (has_requests, stopped) = (self.has_requests, self.stopped.or(given_up));
        Report { tasks: self.tasks, reads, has_ticks, has_requests, is_over, levels, times, findings, stopped }
    }
}

/// Searches to the end.
///
/// # Errors
/// What a search cannot judge.
pub fn search(program: &Program, tasks: usize, properties: &[Property]) -> Result<Report, Refused> {
    Search::new(program, tasks, properties).map(Search::finish)
}
