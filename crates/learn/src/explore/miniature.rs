//! One table under four policies.
//!
//! Depends on the simulator and on `view::edit_effect`. Invariants: each run is the one that the page makes under that policy; a task of
//! best effort is never late; two runs are said to be the same if and only if every block and copy runs when and where it does in the
//! other.

use std::sync::Arc;

use blockstep_sim::engine::{Limits, Run, Simulation};
use blockstep_sim::policy;
use blockstep_sim::record::{Judged, Records};
use blockstep_sim::scenario::{Class, Draft, PolicyKind, Scenario};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{OpId, Span, TaskId, Time};
use blockstep_sim::work::{Budget, Progress};
use blockstep_view::edit_effect::{RunWithRows, changed_operations, one_program, runs_same_work, why_policies_agree};

/// The policies that stand side by side, in this order.
const KINDS: [PolicyKind; 4] = [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Runlist, PolicyKind::Edf];

/// A table under one policy.
#[derive(Clone, Debug)]
pub struct Miniature {
    /// The policy.
    pub kind: PolicyKind,
    /// Its name for a reader.
    pub title: &'static str,
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

/// A table under FIFO, Priority, Runlist and EDF, in this order, each beside the run of the table's own policy. `work` bounds each run.
#[must_use]
pub fn miniatures(draft: &Draft, work: u64) -> Vec<Miniature> {
    let chosen = ran(draft, draft.policy.kind, work).ok();
    let mut all: Vec<Miniature> = Vec::new();
    for kind in KINDS {
        let fate = match ran(draft, kind, work) {
            Ok(run) => Fate::Ran(Box::new(beside(run, kind, draft.policy.kind, chosen.as_ref(), &all))),
            Err(fate) => fate,
        };
        all.push(Miniature { kind, title: policy::about(kind).title, fate });
    }
    all
}

fn ran(draft: &Draft, kind: PolicyKind, work: u64) -> Result<Run, Fate> {
    let mut under = draft.clone();
    under.policy.kind = kind;
    let scenario = Scenario::new(&under).map_err(|problems| {
        // One is enough for a picture as small.
        Fate::Invalid(problems.problems.first().map(ToString::to_string).unwrap_or_default())
    })?;
    let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
    match simulation.run_for(&mut Budget::new(work)) {
        Progress::Done => Ok(simulation.finish()),
        Progress::Paused => Err(Fate::TooLong),
    }
}

/// What is told of a run beside that of the chosen policy and those before it.
fn beside(run: Run, kind: PolicyKind, chosen_kind: PolicyKind, chosen: Option<&Run>, before: &[Miniature]) -> Ran {
    let records = Arc::new(Records::new(&run.trace));
    let row_ids: Vec<u32> = (0..run.trace.scenario().rows().len() as u32).collect();
    let scenario = run.trace.scenario();
    let of_this = RunWithRows { trace: &run.trace, records: &records, row_ids: &row_ids };
    let mut same = None;
    let mut changed = Vec::new();
    if let Some(other) = chosen.filter(|_| kind != chosen_kind) {
        let other_records = Records::new(&other.trace);
        let of_chosen = RunWithRows { trace: &other.trace, records: &other_records, row_ids: &row_ids };
        changed = changed_operations(of_chosen, of_this);
        same = runs_same_work(of_chosen, of_this).then(|| sameness(other.trace.scenario(), scenario));
    }
    if same.is_none() {
        let mut ran = before.iter().filter_map(|other| match &other.fate {
            Fate::Ran(ran) if kind != chosen_kind => Some(ran),
            _ => None,
        });
        same = ran.find_map(|other| {
            let of_other = RunWithRows { trace: &other.run.trace, records: &other.records, row_ids: &row_ids };
            runs_same_work(of_other, of_this).then(|| sameness(other.run.trace.scenario(), scenario))
        });
    }
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
