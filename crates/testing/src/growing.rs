//! Scenarios in which one thing is there many times over, so that a walk over all of it at every
//! step would show: for benchmarks and tests.
#![allow(dead_code, reason = "each user takes the one it needs")]

use blockstep_sim::scenario::{
    BlockTimes, Class, Draft, KernelDraft, NULL_STREAM, PolicyDraft, PolicyKind, ProcessDraft, Release, StreamDraft, TaskDraft,
};

/// A scenario of `n` of something, by name.
pub type Shape = (&'static str, fn(u64) -> Draft);

/// Everything that may be there many times over.
pub const SHAPES: &[Shape] = &[
    ("processes under edf", |n| processes(PolicyKind::Edf, false, n)),
    ("processes with servers under edf", |n| processes(PolicyKind::Edf, true, n)),
    ("processes with used-up servers under edf", overruns),
    ("processes under runlist", |n| processes(PolicyKind::Runlist, false, n)),
    ("processes that share the GPU by timeslices under runlist", slices),
    ("tasks of one process under priority", |n| tasks(PolicyKind::Priority, false, n)),
    ("tasks of one process under runlist", |n| tasks(PolicyKind::Runlist, false, n)),
    ("tasks of one process under edf", |n| tasks(PolicyKind::Edf, false, n)),
    ("tasks of one process with servers under edf", |n| tasks(PolicyKind::Edf, true, n)),
    ("streams beside the NULL stream", beside_null),
    ("producers in a chain, one process", |n| chain(n, |_| 0, Deadlines::Last)),
    ("producers in a chain, a process each", |n| chain(n, |i| i, Deadlines::Last)),
    ("producers in a chain, a process each, with servers", |n| {
        let mut draft = chain(n, |i| i, Deadlines::Later);
        draft.policy.cbs = true;
        draft
    }),
    ("producers in a chain, each with a later deadline", |n| chain(n, |i| i, Deadlines::Later)),
    ("producers in a chain, each with an earlier deadline", |n| chain(n, |i| i, Deadlines::Earlier)),
    ("producers in a chain beside the NULL stream", chain_beside_null),
    ("dependencies of tasks that each consume all before them", all_before),
    ("producers of one consumer", producers),
    ("consumers of one producer", consumers),
    ("consumers behind each other's events", |n| held(n, None, false)),
    ("consumers in shared connections", |n| held(n, Some(8), false)),
    ("consumers in non-blocking streams beside the NULL stream", |n| held(n, None, true)),
    ("jobs that wait for a policy of one's own", backlog),
];

fn policy(kind: PolicyKind, cbs: bool) -> PolicyDraft {
    PolicyDraft { kind, cbs, ..PolicyDraft::default() }
}

/// A kernel of one block in a stream of its own, with a copy in.
fn kernel(i: u64, task: &str) -> KernelDraft {
    KernelDraft {
        task: Some(task.to_owned()),
        stream: format!("S{i}"),
        copy_in_bytes: 1,
        ..KernelDraft::named(format!("K{i}"), 1, 256, 1_000 + i * 7919 % 1_009)
    }
}

/// `n` jobs of a task, released far faster than a policy of one's own is told of them, behind a long kernel.
fn backlog(n: u64) -> Draft {
    let mut draft = tasks(PolicyKind::Own, false, 2);
    draft.policy.text = "admit first in ready".to_owned();
    draft.horizon_ns = Some(100_000 * (n + 1));
    draft.kernels[0].block_time_ns = BlockTimes::Each(10 * n);
    let [_, many] = &mut draft.tasks[..] else { return draft };
    *many = TaskDraft { release: Release::Periodic, period_ns: Some(2), jobs: Some(n), ..TaskDraft::named(many.name.clone()) };
    draft
}

/// `n` processes with a job each, all released at once, with deadlines in no order.
fn processes(kind: PolicyKind, cbs: bool, n: u64) -> Draft {
    let mut draft = tasks(kind, cbs, n);
    for (i, task) in (0..).zip(&mut draft.tasks) {
        let process = format!("P{i}");
        task.process = Some(process.clone());
        draft.processes.push(ProcessDraft::named(process));
    }
    draft
}

/// One process with `n` tasks, likewise.
fn tasks(kind: PolicyKind, cbs: bool, n: u64) -> Draft {
    let mut draft = Draft { policy: policy(kind, cbs), ..Draft::default() };
    for i in 0..n {
        let task = format!("T{i}");
        let deadline_ns = Some(4_000 * n + i * 7919 % 10_007 * 1_000);
        draft.kernels.push(kernel(i, &task));
        draft.tasks.push(TaskDraft { deadline_ns, ..TaskDraft::named(task) });
    }
    draft
}

/// `n` processes whose jobs need four times their budgets.
fn overruns(n: u64) -> Draft {
    let mut draft = processes(PolicyKind::Edf, true, n);
    draft.tasks.iter_mut().for_each(|task| task.budget_ns = Some(400));
    draft
}

/// `n` processes whose jobs take four timeslices.
fn slices(n: u64) -> Draft {
    let mut draft = processes(PolicyKind::Runlist, false, n);
    draft.processes.iter_mut().for_each(|process| process.timeslice_ns = 400);
    draft
}

/// A kernel on each of `n` streams and one on the NULL stream behind them, twice.
fn beside_null(n: u64) -> Draft {
    let mut draft = Draft::default();
    for start_ns in [0, 1] {
        for i in 0..=n {
            let mut kernel = KernelDraft { start_ns, ..KernelDraft::named(format!("K{start_ns}.{i}"), 1, 256, 1_000 + i * 7919 % 1_009) };
            kernel.stream = if i < n { format!("S{i}") } else { NULL_STREAM.to_owned() };
            draft.kernels.push(kernel);
        }
    }
    draft
}

/// Whose deadlines a chain has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deadlines {
    Last,
    Earlier,
    Later,
}

/// `n` tasks, each of which consumes what the one before it produces.
fn chain(n: u64, process_of: fn(u64) -> u64, deadlines: Deadlines) -> Draft {
    let mut draft = Draft { policy: policy(PolicyKind::Edf, false), ..Draft::default() };
    let processes = 1 + process_of(n - 1);
    draft.processes = (0..processes).map(|i| ProcessDraft::named(format!("P{i}"))).collect();
    for i in 0..n {
        let task = format!("T{i}");
        draft.kernels.push(kernel(i, &task));
        let deadline_ns = match deadlines {
            Deadlines::Last => (i + 1 == n).then_some(10_000 * n),
            Deadlines::Earlier => Some(20_000 * n - i * 10_000),
            Deadlines::Later => Some(20_000 * n + i * 10_000),
        };
        let class = if deadline_ns.is_some() { Class::RealTime } else { Class::BestEffort };
        let consumes = i.checked_sub(1).map(|before| format!("T{before}")).into_iter().collect();
        let process = Some(format!("P{}", process_of(i)));
        draft.tasks.push(TaskDraft { process, deadline_ns, class: Some(class), consumes, ..TaskDraft::named(task) });
    }
    draft
}

/// The same in one process, with every other kernel on the NULL stream.
fn chain_beside_null(n: u64) -> Draft {
    let mut draft = chain(n, |_| 0, Deadlines::Earlier);
    draft.kernels.iter_mut().step_by(2).for_each(|kernel| kernel.stream = NULL_STREAM.to_owned());
    draft
}

/// About `n` dependencies: each task consumes what all before it produce, and has an earlier deadline.
fn all_before(n: u64) -> Draft {
    let mut draft = chain((2 * n).isqrt(), |i| i, Deadlines::Earlier);
    let names: Vec<String> = draft.tasks.iter().map(|task| task.name.clone()).collect();
    for (i, task) in draft.tasks.iter_mut().enumerate() {
        task.consumes = names[..i].to_vec();
    }
    draft
}

/// `n` producers of one consumer, in one process.
fn producers(n: u64) -> Draft {
    let mut draft = tasks(PolicyKind::Edf, false, n);
    let consumes = draft.tasks.iter().map(|task| task.name.clone()).collect();
    draft.kernels.push(kernel(n, "last"));
    draft.tasks.push(TaskDraft { consumes, deadline_ns: Some(1_000), ..TaskDraft::named("last") });
    draft
}

/// `n` tasks in one process, of which every third consumes what a first, long one produces. Each waits for an event of the one before,
/// or their streams share connections, or every other stream is non-blocking and every fifth kernel on the NULL stream.
fn held(n: u64, connections: Option<u64>, non_blocking: bool) -> Draft {
    let mut draft = tasks(PolicyKind::Edf, false, n);
    draft.connections = connections;
    for i in 0..n {
        let (kernel, task) = (&mut draft.kernels[i as usize], &mut draft.tasks[i as usize]);
        if i % 3 == 1 {
            task.consumes = vec!["T0".to_owned()];
        }
        if non_blocking {
            draft.streams.push(StreamDraft { name: format!("S{i}"), non_blocking: i % 2 == 1, ..StreamDraft::default() });
            if i % 5 == 2 {
                kernel.stream = NULL_STREAM.to_owned();
            }
        } else if connections.is_none() {
            kernel.records = Some(format!("E{i}"));
            kernel.waits_for = i.checked_sub(1).map(|before| format!("E{before}")).into_iter().collect();
        }
    }
    draft
}

/// `n` consumers of one periodic producer, in one process.
fn consumers(n: u64) -> Draft {
    let mut draft = tasks(PolicyKind::Edf, false, n);
    let period = 4_000 * n;
    draft.horizon_ns = Some(3 * period);
    for task in &mut draft.tasks {
        (task.release, task.period_ns, task.jobs) = (Release::Periodic, Some(period), Some(2));
        task.consumes = vec!["first".to_owned()];
    }
    draft.kernels.push(kernel(n, "first"));
    let first = TaskDraft { release: Release::Periodic, period_ns: Some(period), jobs: Some(2), ..TaskDraft::named("first") };
    draft.tasks.push(first);
    draft
}
