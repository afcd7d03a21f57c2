//! Effects of processes that take turns, each beside the run of its counterpart.
//!
//! Depends on the rest of `find`. Invariant: each is what [`super::Effect`] says of it.

use super::beside::{keep, run_of, with_policy};
use super::small_run::{SmallRun, places, time};
use super::{Counterpart, Effect, ShownEffect};
use blockstep_sim::language::all_of;
use blockstep_sim::scenario::{Draft, PolicyKind, Preemption};
use blockstep_sim::snapshot::Residency;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{ProcessId, Time, TimeRange};
use blockstep_view::quantity::format_time;
use blockstep_view::reason::{Reason, reason};

pub(super) fn neighbour(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Runlist)?;
    let together = with_policy(draft, PolicyKind::Priority);
    let scenario = ran.run.trace.scenario();
    let process = |row: usize| scenario.task(scenario.rows()[row].task).process;
    let mut best = None;
    for added in 0..draft.kernels.len() {
        let changed = super::without_row(draft, added);
        let Some(beside) = SmallRun::from_draft(&changed) else { continue };
        for row in (0..draft.kernels.len()).filter(|&row| process(row) != process(added)) {
            let place = row - usize::from(row > added);
            let (Some(end), Some(earlier)) = (ran.end(row), beside.end(place)) else { continue };
            // In one process the row would not hold it up.
            let alone_in_one = SmallRun::from_draft(&super::without_row(&together, added)).and_then(|ran| ran.end(place));
            if SmallRun::from_draft(&together).and_then(|ran| ran.end(row)) != alone_in_one {
                continue;
            }
            keep(&mut best, end.since(earlier).ns(), || {
                let (name, cause) = (ran.name(row), ran.name(added));
                let owner = |row: usize| &scenario.processes()[process(row).index()].name;
                let sentence = format!(
                    "{name} of {} ends at {}. Without {cause} of {}, it ends at {}. In one process there would be room for both.",
                    owner(row),
                    time(end),
                    owner(added),
                    time(earlier)
                );
                let list = vec![
                    (ran.start(added), format!("{cause} begins")),
                    (ran.start(row), format!("{name} begins")),
                    (Some(end), format!("{name} ends")),
                ];
                let there = places(vec![(beside.start(place), format!("{name} begins")), (Some(earlier), format!("{name} ends"))]);
                let at = first_absence(&ran, row).or(ran.start(row)).unwrap_or(end);
                let counterpart = Counterpart { draft: changed.clone(), change: format!("without {cause}"), at: earlier, places: there };
                ShownEffect { at, row, sentence, places: places(list), counterpart: Some(counterpart) }
            });
        }
    }
    best.map(|(_, shown)| shown)
}

/// When the kernel of a row first waits because its process is not resident.
fn first_absence(ran: &SmallRun, row: usize) -> Option<Time> {
    let op = ran.op(row, OpKind::Kernel)?;
    ran.settled(|state| {
        let waits = reason(&ran.run.trace, state, op)? == Reason::NotResident && state.residency() != Residency::Shared;
        waits.then_some(state.now())
    })
}

pub(super) fn runlist_miss(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Runlist)?;
    let mut changed = with_policy(draft, PolicyKind::Edf);
    (changed.policy.cbs, changed.policy.preemption) = (false, Preemption::Thread);
    missed(&ran, changed, "Under the runlist", "EDF", "policy EDF")
}

pub(super) fn edf_miss(draft: &Draft, effect: Effect) -> Option<ShownEffect> {
    let (preemption, how) = match effect {
        Effect::DrainMiss => (Preemption::Block, "Under EDF with preemption only between blocks"),
        _ => (Preemption::None, "Under EDF without preemption"),
    };
    let ran = run_of(draft, PolicyKind::Edf).filter(|_| draft.policy.preemption == preemption)?;
    let mut changed = draft.clone();
    changed.policy.preemption = Preemption::Thread;
    missed(&ran, changed, how, "preemption at once", "EDF with preemption at once")
}

/// Shown if a job misses its deadline, and none does in the counterpart's run.
fn missed(ran: &SmallRun, changed: Draft, how: &str, otherwise: &str, change: &str) -> Option<ShownEffect> {
    let job = ran.records.jobs.iter().find(|job| job.met == Some(false))?;
    let beside = SmallRun::from_draft(&changed)?;
    let other = beside.records.jobs.iter().find(|other| (other.task, other.job) == (job.task, job.job))?;
    if other.met != Some(true) || beside.records.jobs.iter().any(|job| job.met == Some(false)) {
        return None;
    }
    let (end, deadline) = (other.end?, job.deadline?);
    let task = ran.run.trace.scenario().task(job.task);
    let row = task.rows.last()?.index();
    let whose = if task.jobs == Some(1) { format!("the job of {}", task.name) } else { format!("job {} of {}", job.job.0, task.name) };
    let late = job.end.map_or_else(
        || format!("not complete by its deadline at {}", time(deadline)),
        |end| format!("done at {}, after its deadline at {}", time(end), time(deadline)),
    );
    let others = others_turns(ran, task.process, TimeRange::new(job.release, job.end.unwrap_or(deadline)));
    let sentence = format!("{how}, {whose} is {late}{others}. With {otherwise}, it is done at {}, and every job is in time.", time(end));
    let list = vec![
        (Some(job.release), format!("{whose} is released")),
        (Some(deadline), format!("{whose} misses its deadline")),
        (job.end, format!("{whose} is done")),
    ];
    let there = places(vec![(Some(other.release), format!("{whose} is released")), (Some(end), format!("{whose} is done"))]);
    let counterpart = Counterpart { draft: changed, change: change.to_owned(), at: other.release, places: there };
    Some(ShownEffect { at: job.release, row, sentence, places: places(list), counterpart: Some(counterpart) })
}

/// For how long other processes have the GPU, each through any of its channels.
fn others_turns(ran: &SmallRun, own: ProcessId, during: TimeRange) -> String {
    let trace = &ran.run.trace;
    let mut turns: Vec<(ProcessId, u64)> = Vec::new();
    for &(space, range) in &ran.records.residency {
        let had = TimeRange::new(range.start.max(during.start), range.end.min(during.end)).span().ns();
        for &process in trace.layout().space(space).processes.iter().filter(|&&process| process != own) {
            match turns.iter_mut().find(|(known, _)| *known == process) {
                Some((_, sum)) => *sum += had,
                None => turns.push((process, had)),
            }
        }
    }
    let name = |process: ProcessId| &trace.scenario().processes()[process.index()].name;
    let had: Vec<String> =
        turns.iter().filter(|t| t.1 > 0).map(|&(process, ns)| format!("{} for {}", name(process), format_time(ns))).collect();
    if had.is_empty() { String::new() } else { format!(" (meanwhile the GPU is with {})", all_of(&had)) }
}
