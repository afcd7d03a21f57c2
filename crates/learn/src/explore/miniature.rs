//! One table under four policies.
//!
//! Depends on the simulator and on `view::edit_effect`. Invariants: each run is the one that the page makes under that policy; a task of
//! best effort is never late; two runs are said to be the same if and only if every block and copy runs when and where it does in the
//! other.

use std::sync::Arc;

use blockstep_sim::engine::{self, Limits, Run, Simulation};
use blockstep_sim::record::{Judged, Records};
use blockstep_sim::scenario::{Class, Draft, PolicyKind, Scenario};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{OpId, Span, TaskId, Time};
use blockstep_sim::work::{Budget, Progress};
use blockstep_view::edit_effect::{RunWithRows, changed_operations, one_program, runs_same_work, why_policies_agree};

/// A table under one policy.
#[derive(Clone, Debug)]
pub struct Miniature {
    /// The policy.
    pub kind: PolicyKind,
    /// What came of it.
    pub fate: Fate,
}

/// What came of a table under a policy.
#[derive(Clone, Debug)]
pub enum Fate {
    /// Its run.
    Ran(Box<Ran>),
    /// The policy needs what the table lacks: a sentence that begins with the field.
    Invalid(String),
    /// The run takes more work than there was.
    TooLong,
}

/// The run of a miniature.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The run.
    pub run: Run,
    /// What it did.
    pub records: Arc<Records>,
    /// What the deadlines of its real-time jobs came to.
    pub late: Judged,
    /// Of complete jobs the largest response, of real-time jobs where there are any; `None` if none is complete.
    pub largest_response: Option<LargestResponse>,
    /// When everything that it issued was complete; `None` if something is not by the end of the run.
    pub end: Option<Time>,
    /// What executes elsewhere or at other times than under the chosen policy, in issue order.
    pub changed: Vec<OpId>,
    /// Which other run it is the same as: that of the chosen policy, else of one that stands before it.
    pub same: Option<Sameness>,
    /// That the policy runs processes as one program, where there are several.
    pub note: Option<String>,
}

/// The largest response of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestResponse {
    /// The task whose job it is.
    pub task: TaskId,
    /// From its release to its completion.
    pub span: Span,
}

/// That a run is the same as another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sameness {
    /// The other policy.
    pub with: PolicyKind,
    /// Why, after a colon: `one process, so it never gives way`.
    pub reason: &'static str,
    /// The card in which these policies differ, by id.
    pub card: &'static str,
}

/// A run with what it did.
type Recorded = (Run, Arc<Records>);

/// A table under every policy that needs no text of its own, FIFO first, each beside the run of the table's own policy. `work` bounds each run.
#[must_use]
pub fn miniatures(draft: &Draft, work: u64) -> Vec<Miniature> {
    let own = draft.policy.kind;
    let chosen = ran(draft, own, work);
    let mut all: Vec<Miniature> = Vec::new();
    for kind in engine::kinds() {
        let run = if kind == own { chosen.clone() } else { ran(draft, kind, work) };
        let other = chosen.as_ref().ok().filter(|_| kind != own);
        let fate = match run {
            Ok(run) => Fate::Ran(Box::new(beside(run, other, all.iter().filter(|_| kind != own)))),
            Err(fate) => fate,
        };
        all.push(Miniature { kind, fate });
    }
    all
}

fn ran(draft: &Draft, kind: PolicyKind, work: u64) -> Result<Recorded, Fate> {
    let mut under = draft.clone();
    under.policy.kind = kind;
    let scenario = Scenario::new(&under).map_err(|problems| {
        // One is enough for a picture as small.
        Fate::Invalid(problems.problems.first().map(ToString::to_string).unwrap_or_default())
    })?;
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
    match simulation.run_for(&mut Budget::new(work)) {
        Progress::Done => {
            let run = simulation.finish();
            let records = Arc::new(Records::new(&run.trace));
            Ok((run, records))
        }
        Progress::Paused => Err(Fate::TooLong),
    }
}

/// What is told of a run beside that of the chosen policy, if it is another one, and those before it.
fn beside<'a>((run, records): Recorded, chosen: Option<&Recorded>, before: impl Iterator<Item = &'a Miniature>) -> Ran {
    let scenario = run.trace.scenario();
    let row_ids: Vec<u32> = (0..scenario.rows().len() as u32).collect();
    let with_rows = |trace, records| RunWithRows { trace, records, row_ids: &row_ids };
    let this = with_rows(&run.trace, &records);
    let same_as = |trace, records| {
        let other: RunWithRows<'_> = with_rows(trace, records);
        runs_same_work(other, this).then(|| sameness(other.trace.scenario(), scenario))
    };
    let changed = chosen.map(|(other, of_other)| changed_operations(with_rows(&other.trace, of_other), this)).unwrap_or_default();
    let mut earlier = before.filter_map(|other| if let Fate::Ran(ran) = &other.fate { Some(ran) } else { None });
    let same = chosen
        .and_then(|(other, of_other)| same_as(&other.trace, of_other))
        .or_else(|| earlier.find_map(|other| same_as(&other.run.trace, &other.records)));
    Ran {
        late: records.judged(scenario, Class::RealTime),
        largest_response: largest_response(scenario, &records),
        end: end(&records),
        changed,
        same,
        note: one_program(scenario),
        records,
        run,
    }
}

fn sameness(other: &Scenario, this: &Scenario) -> Sameness {
    let with = other.policy().kind;
    let turns = [with, this.policy().kind].map(PolicyKind::takes_turns);
    let reason = why_policies_agree(other, this).unwrap_or(match turns {
        [false, false] => "here the stream priorities change nothing",
        [true, true] => "here both let the processes go in the same order",
        // Where processes take turns, only one of them executes at a time.
        _ => "here no two processes execute at the same time",
    });
    Sameness { with, reason, card: if turns == [false, false] { "starved" } else { "four-policies" } }
}

/// Of real-time jobs where a task has such, else of all.
fn largest_response(scenario: &Scenario, records: &Records) -> Option<LargestResponse> {
    let has_real_time = scenario.tasks().iter().any(|task| task.class == Class::RealTime);
    let counts = |task: TaskId| !has_real_time || scenario.task(task).class == Class::RealTime;
    let complete = records.jobs.iter().filter(|job| counts(job.task));
    let responses = complete.filter_map(|job| Some(LargestResponse { task: job.task, span: job.end?.since(job.release) }));
    // Of equal ones the first.
    responses.reduce(|most, next| if next.span > most.span { next } else { most })
}

fn end(records: &Records) -> Option<Time> {
    let mut last = None;
    for op in &records.ops {
        last = last.max(Some(op.end?));
    }
    last
}
