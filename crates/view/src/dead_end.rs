//! Work of a run that can never complete, in a sentence.
//!
//! Depends on the simulator. Invariant: nothing is said of work that only has to wait longer than the run.

use blockstep_sim::engine::Run;
use blockstep_sim::language::all_of;
use blockstep_sim::record::{OpRecord, Records};
use blockstep_sim::snapshot::{SmState, Snapshot, Stuck};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::written::format_count;
use blockstep_sim::units::{JobNo, OpId, TaskId};

/// Waits that a sentence follows at most.
const MOST_WAITS: usize = 8;
/// Runs of SMs that are named at most.
const MOST_RUNS: usize = 4;

/// What never completes, and why; nothing of a run that was cut, or in which everything can.
#[must_use]
pub fn dead_end(run: &Run, records: &Records) -> Option<String> {
    let trace = &run.trace;
    let is_open = records.ops.iter().any(|op| op.end.is_none()) || records.calls.iter().any(|call| call.returned.is_none());
    if trace.cut().is_some() || !is_open {
        return None;
    }
    let mut replay = run.replay();
    let state = replay.seek(trace.steps().len() as u32);
    let Some(chain) = state.dead_end(trace) else { return held_back(trace, state, records) };
    Some(in_words(trace, state, &chain))
}

/// What a state waits for without end, as `Snapshot::dead_end` tells it: a clause that begins with a small letter.
#[must_use]
pub fn in_words(trace: &Trace, state: &Snapshot, chain: &[Stuck]) -> String {
    // Who waits for a job that is never released says so itself.
    let is_named_next = |i: usize| matches!(chain.get(i + 1), Some(Stuck::Never(..)));
    let chain: Vec<Stuck> = chain.iter().enumerate().filter(|&(i, _)| !is_named_next(i) || i == 0).map(|(_, &what)| what).collect();
    let spins = |what: &Stuck| matches!(what, Stuck::Spin(_));
    let mut text = String::from(if chain.iter().any(spins) { "some work hangs forever: " } else { "some work can never complete: " });
    for (i, &what) in chain.iter().take(MOST_WAITS).enumerate() {
        text += match (i, i.checked_sub(1).is_some_and(|before| is_several(trace, state, chain[before]))) {
            (0, _) => "",
            (1, false) => " waits for ",
            (1, true) => " wait for ",
            (_, false) => ", which waits for ",
            (_, true) => ", which wait for ",
        };
        text += &label(trace, state, what);
    }
    if chain.len() > MOST_WAITS {
        text += ", and so on";
    }
    text
}

/// What a policy of one's own never lets run, where nothing more can come: `the policy admits nobody: K3 and K4 never complete`.
fn held_back(trace: &Trace, state: &Snapshot, records: &Records) -> Option<String> {
    // A run with a horizon may end before something comes.
    if trace.scenario().own().is_none() || trace.scenario().horizon().is_some() {
        return None;
    }
    let open = records.ops.iter().enumerate().filter(|(_, op)| op.end.is_none()).map(|(i, _)| trace.op_label(OpId::at(i)));
    let open: Vec<String> = open.collect();
    let mut names: Vec<String> = open.iter().take(MOST_WAITS).cloned().collect();
    if open.len() > MOST_WAITS {
        names.push(format!("{} more", open.len() - MOST_WAITS));
    }
    let is_kept_back = |(i, op): (usize, &OpRecord)| {
        let id = OpId::at(i);
        op.end.is_none() && state.waits_for_launch(trace, id) && !state.own().launches(trace.row_of(id).task)
    };
    let (verb, passes): (&str, &dyn Fn(TaskId) -> bool) = if records.ops.iter().enumerate().any(is_kept_back) {
        ("launches kernels of", &|task| state.own().launches(task))
    } else {
        ("admits", &|task| state.own().admits(task))
    };
    let tasks = (0..trace.scenario().tasks().len()).map(TaskId::at);
    let admitted: Vec<&str> = tasks.filter(|&task| passes(task)).map(|task| trace.scenario().task(task).name.as_str()).collect();
    let who = if admitted.is_empty() { "nobody".to_owned() } else { format!("only {}", all_of(&admitted)) };
    let never = if open.len() == 1 { "never completes" } else { "never complete" };
    Some(format!("the policy {verb} {who}: {} {never}", all_of(&names.iter().map(String::as_str).collect::<Vec<_>>())))
}

/// Whether several blocks are named.
fn is_several(trace: &Trace, state: &Snapshot, what: Stuck) -> bool {
    match what {
        Stuck::Spin(op) => blocks_on_sms(trace, state, op).map(|(_, count)| count).sum::<u64>() > 1,
        Stuck::AllBegin(op) => blocks_left(trace, state, op) > 1,
        _ => false,
    }
}

/// How many blocks of a kernel are not assigned.
fn blocks_left(trace: &Trace, state: &Snapshot, op: OpId) -> u64 {
    let stream = state.stream(trace.op(op).stream);
    let assigned = if stream.queue.front() == Some(&op) { u64::from(stream.assigned) } else { 0 };
    trace.row_of(op).blocks - assigned
}

/// The SMs with blocks of a kernel, and how many.
fn blocks_on_sms(trace: &Trace, state: &Snapshot, op: OpId) -> impl Iterator<Item = (usize, u64)> {
    let space = state.space(trace.layout().stream(trace.op(op).stream).space);
    let of_sm = move |(sm, on_sm): (usize, &SmState)| (sm, on_sm.blocks.iter().filter(|block| block.op == op).count() as u64);
    space.sms.holding().map(of_sm).filter(|&(_, count)| count > 0)
}

fn label(trace: &Trace, state: &Snapshot, what: Stuck) -> String {
    let job = |task: TaskId, job: JobNo| format!("job {} of task \"{}\"", job.0, trace.scenario().task(task).name);
    match what {
        Stuck::Op(op) => trace.op_label(op),
        Stuck::Begin(op) => format!("the first block of {}", trace.op_label(op)),
        Stuck::AllBegin(op) => match blocks_left(trace, state, op) {
            1 => format!("a block of {} that finds no room", trace.op_label(op)),
            left => format!("{} blocks of {} that find no room", format_count(left), trace.op_label(op)),
        },
        Stuck::Spin(op) => spinning(trace, state, op),
        Stuck::Issue(row, no) => format!("the launch of {}", trace.call_label(row, no)),
        Stuck::Work(task, no) | Stuck::Job(task, no) => job(task, no),
        Stuck::Call(_, row, no) => trace.call_label(row, no),
        Stuck::Reset(space) => format!("process {}, which the watchdog has reset", trace.space_name(space)),
        Stuck::Never(task, no) => format!("{}, which is never released", job(task, no)),
    }
}

/// Blocks of a kernel that spin: `68 blocks of W that spin on SM 0 to 67`.
fn spinning(trace: &Trace, state: &Snapshot, op: OpId) -> String {
    let (mut count, mut runs): (u64, Vec<(usize, usize)>) = (0, Vec::new());
    for (sm, here) in blocks_on_sms(trace, state, op) {
        count += here;
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == sm => *last = sm,
            _ => runs.push((sm, sm)),
        }
    }
    let of = if count == 1 {
        format!("the block of {} that spins", trace.op_label(op))
    } else {
        format!("{} blocks of {} that spin", format_count(count), trace.op_label(op))
    };
    let names: Vec<String> =
        runs.iter().map(|&(first, last)| if first == last { first.to_string() } else { format!("{first} to {last}") }).collect();
    match names.as_slice() {
        [] => of,
        names if names.len() <= MOST_RUNS => format!("{of} on SM {}", all_of(&names.iter().map(String::as_str).collect::<Vec<_>>())),
        _ => format!("{of} on {} SMs", format_count(runs.iter().map(|(first, last)| (last - first + 1) as u64).sum())),
    }
}
