//! From logs alone, the scenario that may have produced them.
//!
//! Depends on `measured`, `scenario` and `order`. Invariants: what a log says is taken as it is; what it
//! does not say is assumed and noted, a sentence each; a kernel's launch lies within the call that
//! launched it, as far as the log has that.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Known, Launch, Log, Measured};
use crate::order::Names;
use crate::scenario::{BlockTimes, DeviceDraft, Draft, KernelDraft, NULL_STREAM, ProcessDraft, TaskDraft};

/// Logs without blocks, of which no scenario can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The logs hold no blocks, so there is nothing to simulate.")]
pub struct NoBlocks;

/// A scenario made of logs.
#[derive(Clone, Debug)]
pub struct Rebuilt {
    /// What was run; not checked yet.
    pub draft: Draft,
    /// What was assumed, a sentence each.
    pub notes: Vec<String>,
    /// The instant of the logs that is the scenario's 0, ns.
    pub origin_ns: i64,
    /// Of each row of the kernel table, the log and the place among its kernels.
    pub origins: Vec<(usize, usize)>,
}

/// The scenario of some logs on a device: a task and a stream for each log, a process for each PID, a
/// row for each kernel launched, with the times of its blocks as they were measured.
///
/// A kernel is launched when its first block began, if that was during the call that launched it, so
/// that it starts then in a simulation too; if it began later, it waited for something, and is launched
/// when the call returned. Where two kernels of a process waited and both instants contradict the
/// order in which they began, the earlier one is launched as much sooner within its call as that takes.
///
/// # Errors
/// If there is no block in any of the logs.
pub fn rebuild(measured: &Measured, device: DeviceDraft) -> Result<Rebuilt, NoBlocks> {
    let mut launched = launched(measured);
    in_order(measured, &mut launched);
    let Some(origin_ns) = launched.iter().map(|l| l.at_ns).min() else {
        return Err(NoBlocks);
    };
    // Those of one stream in the order of the log, whatever the times say.
    launched.sort_by_key(|l| (l.at_ns, l.first_ns, l.log, l.kernel));
    let mut made = Rebuilt { draft: Draft { device, ..Draft::default() }, notes: Vec::new(), origin_ns, origins: Vec::new() };
    made.draft.name =
        measured.logs.iter().map(|log| log.scenario.trim()).find(|name| !name.is_empty()).unwrap_or("Measured run").to_owned();
    let places = made.tables(measured, &launched);
    made.rows(measured, &launched, &places);
    made.note(measured, &launched);
    Ok(made)
}

/// A kernel with blocks.
#[derive(Clone, Copy)]
struct Launched {
    log: usize,
    kernel: usize,
    /// When the call that launched it began.
    before_ns: i64,
    /// The instant chosen.
    at_ns: i64,
    /// When it began to execute.
    first_ns: i64,
    /// When its predecessor in the stream had ended.
    previous_ns: i64,
}

/// Every kernel with blocks, log by log.
fn launched(measured: &Measured) -> Vec<Launched> {
    let mut all = Vec::new();
    for (log, of) in measured.logs.iter().enumerate() {
        let mut previous_ns = i64::MIN;
        for (kernel, launch) in of.kernels.iter().enumerate() {
            let (Some(first_ns), Some(last_ns)) = (launch.first_start(), launch.last_end()) else { continue };
            let (before_ns, after_ns) = launch.issued().unwrap_or((first_ns, first_ns));
            let at_ns = first_ns.clamp(before_ns, after_ns.max(before_ns));
            all.push(Launched { log, kernel, before_ns, at_ns, first_ns, previous_ns });
            previous_ns = previous_ns.max(last_ns);
        }
    }
    all
}

/// Launches sooner what began before something else that could have begun by then.
fn in_order(measured: &Measured, launched: &mut [Launched]) {
    let mut by_start: Vec<usize> = (0..launched.len()).collect();
    by_start.sort_by_key(|&i| launched[i].first_ns);
    // Of each process: when the first of those that began later could have, and likewise of those
    // that began at the instant that is looked at.
    let mut later: BTreeMap<Option<u64>, [i64; 2]> = BTreeMap::new();
    let mut now = None;
    for i in by_start.into_iter().rev() {
        let of = &mut launched[i];
        if now != Some(of.first_ns) {
            now = Some(of.first_ns);
            later.values_mut().for_each(|[later, here]| *later = (*later).min(*here));
        }
        let [later, here] = later.entry(measured.logs[of.log].pid).or_insert([i64::MAX; 2]);
        let sooner = later.saturating_sub(1).max(of.before_ns);
        if of.at_ns.max(of.previous_ns) >= *later && of.previous_ns < *later && sooner <= *later {
            of.at_ns = of.at_ns.min(sooner);
        }
        *here = (*here).min(of.at_ns.max(of.previous_ns));
    }
    // What a log has first was launched first.
    for i in 1..launched.len() {
        let (before, of) = (launched[i - 1], &mut launched[i]);
        if before.log == of.log {
            of.at_ns = of.at_ns.max(before.at_ns);
            of.first_ns = of.first_ns.max(before.first_ns);
        }
    }
}

/// Task and stream of a log.
struct TaskStream {
    task: String,
    stream: String,
}

impl Rebuilt {
    /// Processes and tasks; the place of each log that has kernels.
    fn tables(&mut self, measured: &Measured, launched: &[Launched]) -> Vec<Option<TaskStream>> {
        let mut has_kernels = vec![false; measured.logs.len()];
        launched.iter().for_each(|l| has_kernels[l.log] = true);
        let used = || measured.logs.iter().zip(&has_kernels).filter(|(_, has)| **has).map(|(log, _)| log);
        let mut pids: Vec<Option<u64>> = Vec::new();
        for log in used() {
            if !pids.contains(&log.pid) {
                pids.push(log.pid);
            }
        }
        let process = |pid: Option<u64>| pid.map_or("Process without a PID".to_owned(), |pid| format!("PID {pid}"));
        if pids.len() > 1 {
            self.draft.processes = pids.iter().map(|&pid| ProcessDraft::named(process(pid))).collect();
        }
        let (mut names, mut streams) = (Names::default(), 0);
        let mut places = Vec::new();
        for (log, has) in measured.logs.iter().zip(has_kernels) {
            if !has {
                places.push(None);
                continue;
            }
            let task = names.unique(first_of([&log.label, &log.benchmark, "Task"]));
            let stream = if is_on_null_stream(log) {
                NULL_STREAM.to_owned()
            } else {
                streams += 1;
                format!("S{streams}")
            };
            let own = (pids.len() > 1).then(|| process(log.pid));
            self.draft.tasks.push(TaskDraft { process: own, ..TaskDraft::named(&task) });
            places.push(Some(TaskStream { task, stream }));
        }
        places
    }

    /// The kernel table, in the order of launches.
    fn rows(&mut self, measured: &Measured, launched: &[Launched], places: &[Option<TaskStream>]) {
        let names = short_names(measured);
        for of in launched {
            let (log, Some(place)) = (&measured.logs[of.log], &places[of.log]) else { continue };
            let launch = &log.kernels[of.kernel];
            let name = &names[of.log][of.kernel];
            let mut row = KernelDraft::named(name, launch.blocks.len() as u64, launch.thread_count, 1);
            row.task = Some(place.task.clone());
            row.stream.clone_from(&place.stream);
            row.start_ns = between(self.origin_ns, of.at_ns);
            row.shared_memory_bytes = launch.shared_memory.unwrap_or(0);
            row.block_time_ns = times(launch);
            self.draft.kernels.push(row);
            self.origins.push((of.log, of.kernel));
        }
    }

    fn note(&mut self, measured: &Measured, launched: &[Launched]) {
        let kernels = || measured.logs.iter().flat_map(|log| &log.kernels);
        let logs = || measured.logs.iter();
        let mut note = |is_so: bool, text: String| {
            if is_so {
                self.notes.push(text);
            }
        };
        let waited = launched.iter().filter(|l| l.first_ns > l.at_ns).count();
        let all = launched.len();
        note(true, "A kernel is launched when its first block started, if that was during the call that launched it.".to_owned());
        note(
            waited > 0,
            format!(
                "{waited} of {all} kernels started later, so they waited. They are launched when the call returned, or earlier within the call if the order of starts requires it."
            ),
        );
        note(true, "Every block runs for its measured time, on whichever SM it is placed.".to_owned());
        note(true, "The logs have no registers, which count as none, and no priorities, so every stream has the same.".to_owned());
        note(
            true,
            "Copies are left out: the logs say how long the CPU waited for them, but neither when a copy engine worked nor how many bytes \
             it copied."
                .to_owned(),
        );
        let null = logs().filter(|log| is_on_null_stream(log)).count();
        note(
            null > 0,
            format!(
                "{null} of {} logs are of a program that launches on the NULL stream, as its name says; every other log has its own stream.",
                measured.logs.len()
            ),
        );
        note(null == 0, "Each log has its own stream; no program is known to launch on the NULL stream.".to_owned());
        note(
            self.draft.processes.len() > 1,
            "The logs are of several processes, which take turns on a GPU. The measured block times already include those turns, so the policy is priority, in which all share one address space.".to_owned(),
        );
        let unknown = kernels().filter(|k| k.shared_memory.is_none()).count();
        note(unknown > 0, format!("The shared memory of {unknown} of {all} kernels is not in the logs and counts as none."));
        let empty = kernels().filter(|k| k.blocks.is_empty()).count();
        note(empty > 0, format!("Kernels without times of blocks are left out; there are {empty}."));
        let odd = kernels().filter(|k| !k.blocks.is_empty() && k.blocks.len() as u64 != k.block_count).count();
        note(odd > 0, format!("{odd} of {all} kernels have as many blocks here as were measured, which differs from their block_count."));
        let backwards = kernels().flat_map(|k| &k.blocks).filter(|b| b.end_ns <= b.start_ns).count();
        note(backwards > 0, format!("Blocks that end when they start, or before, run for 1 ns; there are {backwards}."));
        let uncalled = kernels().filter(|k| !k.blocks.is_empty() && k.issued().is_none()).count();
        note(
            uncalled > 0,
            format!("When {uncalled} of {all} kernels were launched is not in the logs: they are launched when their first block began."),
        );
    }
}

/// A unique name for each kernel, by log: its own, or the label of its log where that tells more.
#[must_use]
pub fn short_names(measured: &Measured) -> Vec<Vec<String>> {
    let by_kernel = are_kernels_told_apart(measured);
    let mut names = Names::default();
    let mut of_log = |log: &Log| {
        let name = |launch: &Launch| {
            let own = if by_kernel { [&launch.name, &log.label] } else { [&log.label, &launch.name] };
            names.unique(first_of([own[0], own[1], "K"]))
        };
        log.kernels.iter().map(name).collect()
    };
    measured.logs.iter().map(&mut of_log).collect()
}

/// Whether its program launches on the NULL stream, as far as its name tells.
fn is_on_null_stream(log: &Log) -> bool {
    Known::from_log(log).is_null == Some(true)
}

/// Whether kernels have names of their own: as a name of a program's function, which all logs share or
/// which is the only one, it would tell nothing.
fn are_kernels_told_apart(measured: &Measured) -> bool {
    let mut logs_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, log) in measured.logs.iter().enumerate() {
        for kernel in &log.kernels {
            if kernel.name.trim().is_empty() || *logs_of.entry(&kernel.name).or_insert(i) != i {
                return false;
            }
        }
    }
    logs_of.len() > 1
}

fn times(launch: &Launch) -> BlockTimes {
    let times: Arc<[u64]> = launch.blocks.iter().map(|block| between(block.start_ns, block.end_ns).max(1)).collect();
    match times.first() {
        Some(&first) if times.iter().all(|&time| time == first) => BlockTimes::Each(first),
        _ => BlockTimes::List(times),
    }
}

/// From one instant to another; 0 if that is not later.
fn between(from_ns: i64, to_ns: i64) -> u64 {
    if to_ns > from_ns { to_ns.abs_diff(from_ns) } else { 0 }
}

fn first_of(names: [&str; 3]) -> &str {
    names.into_iter().map(str::trim).find(|name| !name.is_empty()).unwrap_or("K")
}
