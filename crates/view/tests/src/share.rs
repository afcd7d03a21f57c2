//! What a server takes from other processes: never more than its share (docs/semantics.md, section 7).
//!
//! Two forms, each measured on what executed and not on what the scheduler says of itself. From any
//! instant at which a server gets its budget, until any deadline it has later, its task executes
//! for at most the share Q/T of that time. And while a job of another real-time process is open,
//! it executes for at most its share of the time until that job's last deadline, and one budget
//! that it may have had left when the job came.

use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, ProcessDraft, Release, TaskDraft};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{TaskId, Time, TimeRange};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::edf::feasible;
use blockstep_testing::arbitrary::cases;
use blockstep_testing::stage::{run, work};

const HORIZON: u64 = 120;

/// How a task behaves: the length of its jobs, its offset, whether it releases without a pause.
type Behaviour = (u64, u64, bool);

/// A process, a task and a server each, with budgets and periods of utilization 1 at most, and
/// jobs as long as they like; and a best-effort task that always wants to run.
fn servers(set: &[(u64, u64)], behaviour: &[Behaviour], cbs: bool) -> Draft {
    let mut draft = Draft { horizon_ns: Some(HORIZON), ..Draft::default() };
    (draft.policy.kind, draft.policy.cbs) = (PolicyKind::Edf, cbs);
    let mut add = |task: TaskDraft, time| {
        let name = task.name.clone();
        draft.processes.push(ProcessDraft::named(&name));
        draft.kernels.push(work(&format!("K{name}"), &name, 0, time));
        draft.tasks.push(TaskDraft { process: Some(name), ..task });
    };
    for (i, (&(budget, period), &(time, offset, continuous))) in set.iter().zip(behaviour).enumerate() {
        let release = if continuous { Release::Continuous } else { Release::Periodic };
        let (period_ns, budget_ns) = (Some(period), Some(budget));
        add(TaskDraft { release, period_ns, budget_ns, offset_ns: offset, ..TaskDraft::named(format!("t{i}")) }, time);
    }
    add(TaskDraft { release: Release::Continuous, ..TaskDraft::named("background") }, 3);
    draft
}

/// When each task executed, in order.
fn executions(run: &Run) -> Vec<Vec<TimeRange>> {
    let records = Records::new(&run.trace);
    let mut found = vec![Vec::new(); run.trace.scenario().tasks().len()];
    for (i, block) in records.blocks.iter().enumerate() {
        found[run.trace.row_of(block.op).task.index()].extend(records.block_runs(i));
    }
    found.iter_mut().for_each(|runs| runs.sort_by_key(|r| r.start));
    found
}

/// How long of `from` to `to` something executed.
fn within(runs: &[TimeRange], from: Time, to: Time) -> u64 {
    runs.iter().map(|r| r.end.min(to).since(r.start.max(from)).ns()).sum()
}

/// Every instant at which a task's server got its budget, and the deadline from then on.
fn refills(run: &Run, task: usize) -> Vec<(Time, Time)> {
    let of_task = |step: &blockstep_sim::trace::Step| match step.change {
        Change::ServerRenewed { claimant: of, deadline } | Change::DeadlinePostponed { claimant: of, deadline } if of.index() == task => {
            Some((step.at, deadline))
        }
        _ => None,
    };
    run.trace.steps().iter().filter_map(of_task).collect()
}

/// The first interval over which a server took more than its share, by the first form.
fn over_share(run: &Run, set: &[(u64, u64)]) -> Option<String> {
    let executions = executions(run);
    for (task, &(budget, period)) in set.iter().enumerate() {
        let refills = refills(run, task);
        for (i, &(from, _)) in refills.iter().enumerate() {
            for (j, &(_, deadline)) in refills.iter().enumerate().skip(i) {
                let until = refills.get(j + 1).map_or(Time(HORIZON), |&(at, _)| at);
                let took = within(&executions[task], from, until);
                if took * period > deadline.since(from).ns() * budget {
                    return Some(format!("t{task} took {took} from {from} until {until}, with the deadline {deadline}"));
                }
            }
        }
    }
    None
}

/// The first job of another task that had to wait too long for a server, by the second form. `deadline`: the
/// last one of the job with this task, number, release and end.
fn over_wait(run: &Run, set: &[(u64, u64)], deadline: impl Fn(usize, Time, Time) -> Option<Time>) -> Option<String> {
    let executions = executions(run);
    for job in Records::new(&run.trace).jobs.iter().filter(|j| j.task.index() < set.len()) {
        let end = job.end.unwrap_or(Time(HORIZON));
        let Some(deadline) = deadline(job.task.index(), job.release, end) else { continue };
        for (task, &(budget, period)) in set.iter().enumerate().filter(|&(task, _)| TaskId::at(task) != job.task) {
            let took = within(&executions[task], job.release, end);
            if took * period > deadline.since(job.release).ns() * budget + budget * period {
                return Some(format!("t{task} took {took} while job {} of t{} was open, {}-{end}", job.job.0, job.task.0, job.release));
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn share_a_server_never_takes_more(set in feasible(), behaviour in vec((1..30_u64, 0..24_u64, any::<bool>()), 6)) {
        let run = run(&servers(&set, &behaviour, true));
        let found = over_share(&run, &set);
        prop_assert!(found.is_none(), "{}\n{}", found.unwrap(), run.trace.text());
        let last = |task, _, end| refills(&run, task).iter().filter(|&&(at, _)| at <= end).map(|&(_, deadline)| deadline).next_back();
        let found = over_wait(&run, &set, last);
        prop_assert!(found.is_none(), "{}\n{}", found.unwrap(), run.trace.text());
    }
}

/// Deadlines alone do not keep a task to its share.
#[test]
fn share_without_servers_an_overrun_takes_more() {
    let set = [(3, 12), (6, 24)];
    let overrun = [(30, 0, false), (6, 0, false)];
    let own = |task: usize, release: Time, _| (task == 1).then(|| Time(release.ns() + set[task].1));
    let took = over_wait(&run(&servers(&set, &overrun, false)), &set, own);
    assert_eq!(took.as_deref(), Some("t0 took 60 while job 0 of t1 was open, 0-66"));
    assert_eq!(over_wait(&run(&servers(&set, &overrun, true)), &set, own), None);
}
