//! What an edit did to a run, in a sentence, from the run before and the run after.
//!
//! Depends on `trace` and `record`. Invariants: what is said holds for the two runs; *same run* is said if and only if every block
//! and copy runs when and where it did, and every job is released and judged as it was.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::quantity::{format_count, format_time};
use blockstep_sim::policy;
use blockstep_sim::record::{CopyRecord, JobRecord, Judged, OpRecord, Records};
use blockstep_sim::scenario::{Class, PolicyKind, Scenario, StreamPriority};
use blockstep_sim::trace::{Change, Op, OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, Time};

/// Titles of built-in scenarios whose runs are others under other policies; the scenarios themselves would be a part of the page.
const EDF_MATTERS: &str = "An urgent batch and a lax one";
const OWN_MATTERS: &str = "A policy as a text: GCAPS";

/// Of runs with more operations nothing is said: it would take longer than a frame.
pub const MAX_OPERATIONS: usize = 50_000;

/// A run, and what tells its rows through edits.
#[derive(Clone, Copy, Debug)]
pub struct RunWithRows<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// What it did.
    pub records: &'a Records,
    /// By row, what stays with it when it is renamed or moved.
    pub row_ids: &'a [u32],
}

/// What an edit did to a run: deadlines first, then the largest response of a real-time task, then starts and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditEffect {
    /// A sentence, or two.
    pub text: String,
    /// Whether nothing in the run has changed.
    pub is_same: bool,
}

/// An operation through edits: its row's id, its job, which of the row's it is.
type Key = (u32, JobNo, u8);

/// How much later than before, ns; negative if earlier.
type Shift = i128;

/// How an operation differs from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpChange {
    /// It starts at another time.
    Starts(Shift),
    /// It starts, which it did not.
    Begins(Time),
    /// It started, and does not.
    NeverStarts,
    /// It starts when it did, and ends at another time.
    Ends(Shift),
    /// It is complete by the end of only one of the two runs.
    Completes(bool),
    /// The same, with other blocks.
    Blocks { was: u64, is: u64 },
    /// The same, but its blocks or copies run elsewhere or at other times between.
    Elsewhere,
}

/// Says what an edit did; `None` of runs that are too large.
#[must_use]
pub fn edit_effect(before: RunWithRows<'_>, after: RunWithRows<'_>) -> Option<EditEffect> {
    if before.trace.ops().len().max(after.trace.ops().len()) > MAX_OPERATIONS {
        return None;
    }
    let comparison = Comparison::new(before, after);
    let is_same = comparison.is_same();
    let mut text = if is_same {
        same(before.trace.scenario(), after.trace.scenario())
    } else {
        let misses = comparison.misses().map(|misses| format!("{misses} ")).unwrap_or_default();
        format!("{misses}{}.", comparison.clauses().join("; "))
    };
    if let Some(merged) = merged(before.trace.scenario(), after.trace.scenario()) {
        text.push(' ');
        text.push_str(&merged);
    }
    Some(EditEffect { text, is_same })
}

/// Whether every block and copy of two runs of the same rows executes when and where it does in the other.
#[must_use]
pub fn runs_same_work(before: RunWithRows<'_>, after: RunWithRows<'_>) -> bool {
    Comparison::new(before, after).is_same_work()
}

/// The operations of the run after that are new, or whose blocks or copies execute elsewhere or at other times than before; in issue
/// order.
#[must_use]
pub fn changed_operations(before: RunWithRows<'_>, after: RunWithRows<'_>) -> Vec<OpId> {
    let comparison = Comparison::new(before, after);
    let mut changed: Vec<OpId> = comparison.changed.iter().map(|(_, op, _)| *op).chain(comparison.new_ops).collect();
    changed.sort_unstable();
    changed
}

/// Two runs, operation by operation.
struct Comparison<'a> {
    before: RunWithRows<'a>,
    after: RunWithRows<'a>,
    /// Of what is in both runs, what differs, with the operation after the edit.
    changed: Vec<(u32, OpId, OpChange)>,
    /// Rows that only the run after has.
    new_rows: Vec<RowId>,
    /// Rows that only the run before had.
    gone_rows: Vec<RowId>,
    /// Of rows in both runs, the operations that only the run after has.
    new_ops: Vec<OpId>,
    /// Those that only the run before had.
    gone_ops: Vec<OpId>,
}

impl<'a> Comparison<'a> {
    fn new(before: RunWithRows<'a>, after: RunWithRows<'a>) -> Self {
        let (ops_before, ops_after) = (operations(before), operations(after));
        let (rows_before, rows_after) = (ids(before), ids(after));
        let parts = [before, after].map(Parts::new);
        let mut changed = Vec::new();
        for (key, &op) in &ops_after {
            if let Some(&was) = ops_before.get(key)
                && let Some(change) = change([&parts[0], &parts[1]], was, op)
            {
                changed.push((key.0, op, change));
            }
        }
        let missing = |ours: &BTreeMap<Key, OpId>, theirs: &BTreeMap<Key, OpId>, rows: &BTreeSet<u32>| {
            let missing = ours.iter().filter(|(key, _)| rows.contains(&key.0) && !theirs.contains_key(key));
            missing.map(|(_, &op)| op).collect()
        };
        Self {
            before,
            after,
            changed,
            new_rows: rows_without(after, &rows_before),
            gone_rows: rows_without(before, &rows_after),
            new_ops: missing(&ops_after, &ops_before, &rows_before),
            gone_ops: missing(&ops_before, &ops_after, &rows_after),
        }
    }

    /// Whether every block and copy runs when and where it did.
    fn is_same_work(&self) -> bool {
        let nothing_ran = |run: RunWithRows<'_>, rows: &[RowId]| !run.trace.ops().iter().any(|op| rows.contains(&op.row));
        self.changed.is_empty()
            && self.new_ops.is_empty()
            && self.gone_ops.is_empty()
            && nothing_ran(self.after, &self.new_rows)
            && nothing_ran(self.before, &self.gone_rows)
    }

    fn is_same(&self) -> bool {
        self.is_same_work() && are_jobs_same(self.before, self.after)
    }

    /// Short sentences without their stops, the most telling first; what the run ends with is never the only one.
    fn clauses(&self) -> Vec<String> {
        if self.is_same_work() {
            let untold = || self.misses().is_none().then(|| self.untold_of_jobs().to_owned());
            let of_jobs = self.jobs_clause().or_else(untold);
            return std::iter::once("Every block and copy runs when and where it did".to_owned()).chain(of_jobs).collect();
        }
        let response = self.response_clause();
        // What matters has been said then.
        let end = if response.is_none() { self.end_clause() } else { None };
        let clauses = [
            self.new_clause(),
            self.gone_clause(),
            response,
            self.lead_clause(),
            self.jobs_clause().or_else(|| self.operations_clause()),
            end,
        ];
        clauses.into_iter().flatten().collect()
    }

    fn new_clause(&self) -> Option<String> {
        match self.new_rows[..] {
            [] => None,
            [row] => {
                let name = &self.after.trace.scenario().row(row).name;
                let ops = self.after.trace.ops().iter().zip(&self.after.records.ops).filter(|(op, _)| op.row == row);
                let start = ops.filter_map(|(_, record)| record.start).min();
                Some(
                    start.map_or_else(
                        || format!("{name} is new"),
                        |start| format!("{name} is new and starts at {}", format_time(start.ns())),
                    ),
                )
            }
            _ => Some(format!("{} rows are new", format_count(self.new_rows.len() as u64))),
        }
    }

    fn gone_clause(&self) -> Option<String> {
        match self.gone_rows[..] {
            [] => None,
            [row] => Some(format!("{} is gone", self.before.trace.scenario().row(row).name)),
            _ => Some(format!("{} rows are gone", format_count(self.gone_rows.len() as u64))),
        }
    }

    /// Of as many jobs as before.
    fn operations_clause(&self) -> Option<String> {
        let told = |run: RunWithRows<'_>, ops: &[OpId], what: &str| match *ops {
            [] => None,
            [op] => Some(format!("{} is {what}", run.trace.op_label(op))),
            _ => Some(format!("{} operations are {what}", format_count(ops.len() as u64))),
        };
        let told = [told(self.after, &self.new_ops, "new"), told(self.before, &self.gone_ops, "gone")];
        let told: Vec<_> = told.into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join(", "))
    }

    /// What differs most, and of how many other rows something does.
    fn lead_clause(&self) -> Option<String> {
        // Of several, the first in time.
        let first = |op: OpId| Reverse((self.after.records.ops[op.index()].start, op));
        let lead = self.changed.iter().max_by_key(|(_, op, change)| (weight(*change), first(*op)))?;
        let (row, op, change) = *lead;
        let name = self.after.trace.op_label(op);
        let says = match change {
            OpChange::Starts(shift) => format!("{name} starts {}", shifted(shift)),
            OpChange::Begins(at) => format!("{name} now starts, at {}", format_time(at.ns())),
            OpChange::NeverStarts => format!("{name} no longer starts"),
            OpChange::Ends(shift) => format!("{name} ends {}", shifted(shift)),
            OpChange::Completes(true) => format!("{name} now completes"),
            OpChange::Completes(false) => format!("{name} no longer completes"),
            OpChange::Blocks { was, is } => {
                format!("{name} starts and ends as before, with {} instead of {}", counted(is, "block", "blocks"), format_count(was))
            }
            OpChange::Elsewhere => format!("{name} starts and ends as before, but runs on other SMs or at other times between"),
        };
        let others = self.changed.iter().map(|(row, ..)| *row).filter(|other| *other != row).collect::<BTreeSet<_>>().len();
        Some(match others {
            0 => says,
            1 => format!("{says}, and 1 other row changes"),
            _ => format!("{says}, and {} other rows change", format_count(others as u64)),
        })
    }

    fn jobs_clause(&self) -> Option<String> {
        let [was, is] = [self.before, self.after].map(|run| run.records.jobs.len() as u64);
        (was != is).then(|| format!("{} released, {} before", counted(is, "job is", "jobs are"), format_count(was)))
    }

    /// Of runs that end with their work.
    fn end_clause(&self) -> Option<String> {
        let [was, is] = [self.before, self.after].map(last_end);
        let shift = difference(is?, was?);
        Some(if shift == 0 { "the run ends when it did".to_owned() } else { format!("the run ends {}", shifted(shift)) })
    }

    /// What differs of jobs where every block and copy runs as before and as many deadlines are missed.
    fn untold_of_jobs(&self) -> &'static str {
        let [was, is] = [self.before, self.after].map(|run| &run.records.jobs);
        let is_as_before = |(was, is): (&JobRecord, &JobRecord)| (was.release, was.end, was.met) == (is.release, is.end, is.met);
        if was.len() == is.len() && was.iter().zip(is).all(is_as_before) {
            "deadlines differ, but every job meets or misses its own as before"
        } else {
            "releases, deadlines or completions of jobs differ"
        }
    }

    /// `camera now meets its deadline; it missed it before.`, where tasks miss another number of deadlines than before.
    fn misses(&self) -> Option<String> {
        let real_time = self.real_time_misses();
        let best_effort = [self.before, self.after].map(|run| run.records.judged(run.trace.scenario(), Class::BestEffort));
        if best_effort[0].missed == best_effort[1].missed {
            return real_time;
        }
        let [was, is] = best_effort.map(|run| format_count(run.missed));
        let best_effort = format!("Best effort: {is} late, was {was}.");
        let of_real_time = real_time.or_else(|| {
            let judged = [self.before, self.after].map(|run| run.records.judged(run.trace.scenario(), Class::RealTime));
            let [was, is] = judged.map(|run| run.missed);
            judged.iter().any(|run| run.judged > 0).then(|| match (was, is) {
                (0, 0) => "Real-time: no misses, before or now.".to_owned(),
                _ => format!("Real-time: {}, before and now.", counted(is, "miss", "misses")),
            })
        });
        Some(of_real_time.into_iter().chain([best_effort]).collect::<Vec<_>>().join(" "))
    }

    /// The same of real-time tasks alone: of each where there are few, else of all together.
    fn real_time_misses(&self) -> Option<String> {
        let differing = self.tasks_that_miss_otherwise();
        if differing.len() <= MOST_TASKS {
            let told: Vec<_> = differing.iter().map(|(name, was, is)| told_of_deadlines(name, *was, *is)).collect();
            return (!told.is_empty()).then(|| told.join(" "));
        }
        let count = format_count(differing.len() as u64);
        let [was, is] = [self.before, self.after].map(|run| format_count(run.records.judged(run.trace.scenario(), Class::RealTime).missed));
        Some(format!("{count} tasks miss other deadlines than before: {is} in all, was {was}."))
    }

    /// Real-time tasks by name with what their deadlines came to before and after, in the order of the table; those that are gone last.
    fn tasks_that_miss_otherwise(&self) -> Vec<(&str, Judged, Judged)> {
        let [was, is] = [self.before, self.after].map(judged_by_task);
        let [before, after] = [&was, &is].map(|list| list.iter().copied().collect::<BTreeMap<_, _>>());
        let gone = was.iter().filter(|(name, _)| !after.contains_key(name));
        let names = is.iter().chain(gone).map(|(name, _)| *name);
        let judged = |of: &BTreeMap<&str, Judged>, name: &str| of.get(name).copied().unwrap_or_default();
        let both = names.map(|name| (name, judged(&before, name), judged(&after, name)));
        both.filter(|(_, was, is)| was.missed != is.missed).collect()
    }

    /// `camera's largest response falls from 5 ms to 2 ms`: of the real-time task of which it moves most. Nothing of a task of which
    /// another number of jobs is complete, as they may be those that took long.
    fn response_clause(&self) -> Option<String> {
        let [was, is] = [self.before, self.after].map(responses_by_task);
        let before: BTreeMap<_, _> = was.into_iter().map(|(name, complete, then)| ((name, complete), then)).collect();
        let moved = is.iter().filter_map(|&(name, complete, now)| {
            let then = *before.get(&(name, complete))?;
            (then != now).then_some((name, then, now))
        });
        // Of several, the first in the table.
        let (name, then, now) = moved.reduce(|most, next| if next.1.abs_diff(next.2) > most.1.abs_diff(most.2) { next } else { most })?;
        let way = if now < then { "falls" } else { "rises" };
        Some(format!("{name}'s largest response {way} from {} to {}", format_time(then), format_time(now)))
    }
}

/// Tasks of which what they miss is said one by one.
const MOST_TASKS: usize = 2;

/// What the deadlines of each real-time task came to, by its name.
fn judged_by_task(run: RunWithRows<'_>) -> Vec<(&str, Judged)> {
    let scenario = run.trace.scenario();
    let mut judged = vec![Judged::default(); scenario.tasks().len()];
    for job in &run.records.jobs {
        if let Some(met) = job.met {
            let of_task = &mut judged[job.task.index()];
            (of_task.judged, of_task.missed) = (of_task.judged + 1, of_task.missed + u64::from(!met));
        }
    }
    let tasks = scenario.tasks().iter().zip(judged);
    tasks.filter(|(task, _)| task.class == Class::RealTime).map(|(task, judged)| (task.name.as_str(), judged)).collect()
}

/// Of each real-time task its name, how many of its jobs are complete, and their largest response, ns.
fn responses_by_task(run: RunWithRows<'_>) -> Vec<(&str, u64, u64)> {
    let scenario = run.trace.scenario();
    let mut responses = vec![(0, 0); scenario.tasks().len()];
    for job in &run.records.jobs {
        if let Some(end) = job.end {
            let (complete, largest): &mut (u64, u64) = &mut responses[job.task.index()];
            (*complete, *largest) = (*complete + 1, (*largest).max(end.since(job.release).ns()));
        }
    }
    let tasks = scenario.tasks().iter().zip(responses);
    tasks.filter(|(task, _)| task.class == Class::RealTime).map(|(task, (complete, most))| (task.name.as_str(), complete, most)).collect()
}

/// A task misses another number of deadlines than before.
fn told_of_deadlines(name: &str, was: Judged, is: Judged) -> String {
    let before = if was.missed == 0 { "none".to_owned() } else { format_count(was.missed) };
    match (was.judged, is.judged) {
        (1, 1) if is.missed == 0 => format!("{name} now meets its deadline; it missed it before."),
        (1, 1) => format!("{name} now misses its deadline; it met it before."),
        _ if is.missed == 0 => format!("{name} now misses no deadline; it missed {before} before."),
        _ => {
            let of = counted(is.judged, "deadline", "deadlines");
            format!("{name} now misses {} of {of}; it missed {before} before.", format_count(is.missed))
        }
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", format_count(count)) }
}

fn ids(run: RunWithRows<'_>) -> BTreeSet<u32> {
    run.row_ids.iter().copied().collect()
}

fn rows_without(run: RunWithRows<'_>, others: &BTreeSet<u32>) -> Vec<RowId> {
    let rows = run.row_ids.iter().enumerate().filter(|(_, id)| !others.contains(id));
    rows.map(|(i, _)| RowId::at(i)).collect()
}

fn operations(run: RunWithRows<'_>) -> BTreeMap<Key, OpId> {
    let key = |op: &Op| Some((*run.row_ids.get(op.row.index())?, op.job, op.kind as u8));
    run.trace.ops().iter().enumerate().filter_map(|(i, op)| Some((key(op)?, OpId::at(i)))).collect()
}

/// Whether jobs are released, complete and judged as before, in order of release.
fn are_jobs_same(before: RunWithRows<'_>, after: RunWithRows<'_>) -> bool {
    let (was, is) = (&before.records.jobs, &after.records.jobs);
    let is_same =
        |(was, is): (&JobRecord, &JobRecord)| (was.release, was.deadline, was.end, was.met) == (is.release, is.deadline, is.end, is.met);
    was.len() == is.len() && was.iter().zip(is).all(is_same)
}

/// Where and when the parts of operations ran.
struct Parts<'a> {
    run: RunWithRows<'a>,
    copies: BTreeMap<OpId, &'a CopyRecord>,
    /// When blocks, by number, and copies were suspended and resumed.
    interruptions: BTreeMap<OpId, Vec<(u32, Time)>>,
}

impl<'a> Parts<'a> {
    fn new(run: RunWithRows<'a>) -> Self {
        let mut interruptions = BTreeMap::<_, Vec<_>>::new();
        for step in run.trace.steps() {
            if let Change::BlockSuspended { op, block, .. } | Change::BlockResumed { op, block, .. } = step.change {
                interruptions.entry(op).or_default().push((block, step.at));
            } else if let Change::CopySuspended { op, .. } | Change::CopyResumed { op, .. } = step.change {
                interruptions.entry(op).or_default().push((0, step.at));
            }
        }
        // Within an instant the order says nothing.
        interruptions.values_mut().for_each(|list| list.sort_unstable());
        Self { run, copies: run.records.copies.iter().map(|copy| (copy.op, copy)).collect(), interruptions }
    }

    /// SM, start and end of the blocks by number; of a copy its engine.
    fn places(&self, op: OpId) -> Vec<(u32, u32, Time, Option<Time>)> {
        if self.run.trace.op(op).kind == OpKind::Kernel {
            let blocks = self.run.records.blocks_of(op).iter().map(|&i| &self.run.records.blocks[i as usize]);
            return blocks.map(|block| (block.block, block.sm.0.into(), block.start, block.end)).collect();
        }
        self.copies.get(&op).map(|copy| (0, copy.engine.into(), copy.start, copy.end)).into_iter().collect()
    }
}

fn change([before, after]: [&Parts<'_>; 2], was: OpId, is: OpId) -> Option<OpChange> {
    let [OpRecord { start: start_was, end: end_was, .. }, OpRecord { start, end, .. }] =
        [before.run.records.ops[was.index()], after.run.records.ops[is.index()]];
    match (start_was, start) {
        (None, None) => return None,
        (None, Some(at)) => return Some(OpChange::Begins(at)),
        (Some(_), None) => return Some(OpChange::NeverStarts),
        (Some(was), Some(is)) if was != is => return Some(OpChange::Starts(difference(is, was))),
        _ => {}
    }
    match (end_was, end) {
        (Some(was), Some(is)) if was != is => return Some(OpChange::Ends(difference(is, was))),
        (None, Some(_)) => return Some(OpChange::Completes(true)),
        (Some(_), None) => return Some(OpChange::Completes(false)),
        _ => {}
    }
    let (places_was, places) = (before.places(was), after.places(is));
    if places_was.len() != places.len() {
        return Some(OpChange::Blocks { was: places_was.len() as u64, is: places.len() as u64 });
    }
    let is_elsewhere = places_was != places || before.interruptions.get(&was) != after.interruptions.get(&is);
    is_elsewhere.then_some(OpChange::Elsewhere)
}

/// What is more telling weighs more: times of starts, then of ends.
fn weight(change: OpChange) -> (u8, u128) {
    match change {
        OpChange::Starts(shift) => (4, shift.unsigned_abs()),
        OpChange::Begins(_) | OpChange::NeverStarts => (3, 0),
        OpChange::Ends(shift) => (2, shift.unsigned_abs()),
        OpChange::Completes(_) => (1, 0),
        OpChange::Blocks { .. } | OpChange::Elsewhere => (0, 0),
    }
}

fn difference(is: Time, was: Time) -> Shift {
    Shift::from(is.ns()) - Shift::from(was.ns())
}

/// `0.8 s earlier`.
fn shifted(shift: Shift) -> String {
    // Two instants are less than 2^64 ns apart.
    let by = format_time(u64::try_from(shift.unsigned_abs()).unwrap_or(u64::MAX));
    format!("{by} {}", if shift < 0 { "earlier" } else { "later" })
}

/// When the last operation ended, if all have, and if nothing would have followed.
fn last_end(run: RunWithRows<'_>) -> Option<Time> {
    let is_whole = run.trace.cut().is_none() && run.records.ops.iter().all(|op| op.end.is_some());
    let is_endless = run.trace.scenario().tasks().iter().any(|task| task.jobs.is_none());
    run.records.ops.iter().filter_map(|op| op.end).max().filter(|_| is_whole && !is_endless)
}

/// That a run is the same, why, and where the policy that was chosen would matter.
fn same(before: &Scenario, after: &Scenario) -> String {
    let (was, is) = (before.policy().kind, after.policy().kind);
    let told = format!("Same run: {}.", why_policies_agree(before, after).unwrap_or("every block and copy runs when and where it did"));
    match is {
        PolicyKind::Edf if was != is => format!("{told} EDF matters in the example “{EDF_MATTERS}”."),
        PolicyKind::Own if was != is => format!("{told} A policy of your own matters in the example “{OWN_MATTERS}”."),
        _ => told,
    }
}

/// Whether nobody else could have the GPU: one process, without channels or batches that take turns, and no text that holds tasks back.
fn never_gives_way(scenario: &Scenario) -> bool {
    let is_alone = scenario.processes().len() == 1 && !scenario.has_channels() && !scenario.has_batches();
    is_alone && (scenario.policy().kind != PolicyKind::Own || scenario.tasks().iter().filter(|task| !task.rows.is_empty()).count() < 2)
}

/// Why the run of the same table is the same under two policies, where that is known.
#[must_use]
pub fn why_policies_agree(one: &Scenario, other: &Scenario) -> Option<&'static str> {
    let kinds = [one.policy().kind, other.policy().kind];
    let has_priorities = || other.streams().iter().any(|stream| stream.priority == StreamPriority::High);
    if kinds[0] == kinds[1] {
        None
    } else if !kinds.iter().any(|kind| kind.takes_turns()) {
        (!has_priorities()).then_some("no stream has a high priority")
    } else {
        never_gives_way(other).then_some("one process, so it never gives way")
    }
}

/// That the policy chosen makes one program of several processes.
fn merged(before: &Scenario, after: &Scenario) -> Option<String> {
    if before.policy().kind == after.policy().kind { None } else { one_program(after) }
}

/// That a policy makes one program of several processes: what else differs from a run in which they take turns.
#[must_use]
pub fn one_program(scenario: &Scenario) -> Option<String> {
    let kind = scenario.policy().kind;
    let processes = scenario.processes().len();
    (!kind.takes_turns() && processes > 1).then(|| {
        let (policy, processes) = (policy::about(kind).title, format_count(processes as u64));
        format!("{policy} treats the {processes} processes as one program: no switches, no switch cost.")
    })
}
