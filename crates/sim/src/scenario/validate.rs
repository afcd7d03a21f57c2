//! From a draft to a scenario: every check, every default, every name resolved.
//!
//! Depends on the rest of `scenario`. Invariant: all problems are found in one pass, in file
//! order, each with the path of its field; names that are too long come alone. Source: docs/semantics.md, sections 2, 8 and 9; docs/file-format.md.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use super::batches::claimants;
use super::calls::{call_fields, copy, has_no_stream, has_own_default, in_turn, own_default};
use super::channels::{MAX_ALL_CHANNELS, MAX_CHANNELS, channels, firsts, share};
use super::connections::{MAX_CONNECTIONS, connect};
use super::dependencies::dependencies;
use super::device::{LIMITS, MAX_SMS};
use super::doubts::doubts;
use super::events::{events, never_recorded};
use super::graphs::{branches, nodes};
use super::horizon::default_horizon;
use super::names::{all_too_long, doubtful};
use super::own::own;
use super::reduced::Reduced;
use super::spins::spins;
use super::switches::switches;
use super::tasks::tasks;
use super::{
    BlockTimes, BuiltIn, Call, Channel, Choice, Device, DeviceDraft, Draft, Interleave, KernelDraft, KernelRow, NULL_STREAM, Needs,
    Problem, Process, ProcessDraft, Release, Runlist, Scenario, ScenarioError, Spins, Stream, StreamPriority, Task, Turns, Variation,
};
use crate::order::Names;
use crate::units::written::{Measure, format_count, format_time, grouped};
use crate::units::{ProcessId, RowId, Span, TaskId, Time};

/// Most rows of any table; keeps ids and screens sane.
const MAX_ROWS: usize = 1_000_000;

/// Most SMs of all address spaces together: each process sees its own state of every one.
const MAX_SM_STATES: u64 = 4_000_000;

pub(super) fn validate(draft: &Draft) -> Result<Scenario, ScenarioError> {
    let too_long = all_too_long(draft);
    if !too_long.is_empty() {
        return Err(ScenarioError { problems: too_long });
    }
    let mut found = FoundProblems::default();
    let device = device(draft, &mut found);
    if let Some(connections) = draft.connections {
        found.positive(&"connections", connections, Measure::Count);
        found.at_most(&"connections", connections, MAX_CONNECTIONS, Measure::Count, "are possible");
    }
    let processes = processes(draft, &mut found);
    let switches = switches(draft, &mut found);
    found.positive(&"policy.watchdog_ns", draft.policy.watchdog_ns.unwrap_or(1), Measure::Time);
    let own = own(draft, &mut found);
    let turns = draft.policy.kind.turns();
    let count = if turns == Turns::Runlist { processes.iter().map(|p| u64::from(p.channels)).sum() } else { processes.len() as u64 };
    sm_states(draft, &device, processes.len() as u64, count, &mut found);
    let channels = all_channels(&processes, turns, count, &mut found);
    let runlist = runlist(draft, &processes, &channels, &mut found);
    let process_ids = Names::from_names(processes.iter().map(|p| p.name.as_str()));
    let mut tasks = tasks(draft, &process_ids, &mut found);
    let task_names: Vec<String> = tasks.iter().map(|t| t.name.clone()).collect();
    let task_ids = Names::from_names(task_names.iter().map(String::as_str));
    let mut streams = streams(draft, &process_ids, &mut found);
    let mut rows = rows(draft, &device, &mut tasks, &task_ids, &mut streams, &mut found);
    branches(&mut rows, &mut streams.list, &mut found);
    place_others(draft, &tasks, &mut rows, &mut streams);
    in_turn(draft, &mut tasks, &rows);
    let events = events(draft, &tasks, &mut rows, &mut found);
    let mut streams = streams.list;
    share(&mut streams, &processes, turns);
    let first = firsts(&channels);
    let space = |stream: &Stream| first[stream.process.index()] + stream.channel as usize;
    connect(&mut streams, draft.connections, |stream| if turns == Turns::None { 0 } else { space(stream) });
    dependencies(draft, &mut tasks, &task_ids, &mut found);
    let claimants = claimants(draft, &mut tasks, &task_ids, &mut rows, &mut found);
    for (i, t) in tasks.iter().enumerate() {
        if t.release == Release::Continuous && !t.rows.iter().any(|&row| rows[row.index()].call.has_operation()) {
            let what = if t.rows.is_empty() { "kernel row" } else { "kernel, copy or memset" };
            found.add(
                &At { table: "tasks", row: i, field: "release" },
                &format_args!("\"continuous\" needs at least one {what}; task \"{}\" has none", t.name),
            );
        }
    }
    let horizon = match draft.horizon_ns {
        Some(ns) => Some(Time(ns)),
        None => default_horizon(&tasks).unwrap_or_else(|p| {
            found.problems.push(p);
            None
        }),
    };
    if horizon.is_none() && turns != Turns::None && rows.iter().any(|row| row.spins.any()) {
        let word = draft.policy.kind.word();
        found.add(
            &"horizon_ns",
            &format_args!("is left out; under {word} blocks that spin may take turns without end, so a run of them needs one"),
        );
    }
    if !found.problems.is_empty() {
        return Err(ScenarioError { problems: found.problems });
    }
    let mut has_consumers = vec![false; processes.len()];
    for task in tasks.iter().filter(|t| !t.consumes.is_empty()) {
        has_consumers[task.process.index()] = true;
    }
    let mut scenario = Scenario {
        name: draft.name.clone(),
        device,
        placement: draft.placement,
        block_ends: draft.block_ends,
        connections: draft.connections,
        policy: draft.policy.clone(),
        own,
        switches,
        horizon,
        processes,
        channels,
        runlist,
        has_consumers,
        // Deadlines alone are passed on along them.
        reduced: if draft.policy.kind.turns() == Turns::Deadlines { Reduced::from_tasks(&tasks) } else { None },
        has_further_order: draft.connections.is_some()
            || draft.streams.iter().any(|s| s.non_blocking)
            || !events.is_empty()
            || tasks.iter().any(|task| task.launches > 0),
        has_spins: rows.iter().any(|row| row.spins.any()),
        has_cooperative: rows.iter().any(|row| row.cooperative),
        claimants,
        tasks,
        streams,
        rows,
        events: events.into(),
        warnings: Vec::new(),
    };
    scenario.warnings = doubts(&scenario);
    scenario.warnings.extend(never_recorded(&scenario));
    scenario.warnings.extend(doubtful(&scenario));
    Ok(scenario)
}

/// A field of a table's row.
pub(super) struct At {
    pub(super) table: &'static str,
    pub(super) row: usize,
    pub(super) field: &'static str,
}

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}].{}", self.table, self.row, self.field)
    }
}

/// A number as messages write it.
fn amount(measure: Measure, value: u64) -> String {
    match (measure, value) {
        // Zero of a time is seconds elsewhere; beside a limit of 1 ns it is nanoseconds.
        (Measure::Time, 0) => "0 ns".to_owned(),
        _ => measure.format(value),
    }
}

/// Problems found so far.
#[derive(Default)]
pub(super) struct FoundProblems {
    problems: Vec<Problem>,
}

impl FoundProblems {
    /// Path and message are put into words only here, so only of what is wrong.
    pub(super) fn add(&mut self, path: &dyn Display, message: &dyn Display) {
        self.problems.push(Problem::new(path.to_string(), message.to_string()));
    }

    /// The same of a number that passes a limit.
    pub(super) fn add_limited(&mut self, path: &dyn Display, limit: u64, message: &dyn Display) {
        self.problems.push(Problem { limit: Some(limit), ..Problem::new(path.to_string(), message.to_string()) });
    }

    pub(super) fn positive(&mut self, path: &dyn Display, value: u64, of: Measure) {
        if value == 0 {
            self.add_limited(path, 1, &format_args!("is {}; at least {} is needed", amount(of, 0), amount(of, 1)));
        }
    }

    fn at_most(&mut self, path: &dyn Display, value: u64, limit: u64, of: Measure, whose: &str) {
        if value > limit {
            self.add_limited(path, limit, &format_args!("is {}; at most {} {whose}", amount(of, value), amount(of, limit)));
        }
    }

    /// Looks a name up; an unknown one is a problem.
    pub(super) fn resolve(&mut self, path: &dyn Display, what: &str, name: &str, known: &Names<'_>) -> Option<usize> {
        let id = known.get(0, name);
        if id.is_none() {
            self.add(path, &format_args!("there is no {what} \"{name}\""));
        }
        id
    }

    /// Names of one table: not empty, unique.
    pub(super) fn names<'a>(&mut self, table: &'static str, names: impl Iterator<Item = &'a str>) {
        let mut seen = Names::default();
        for (i, name) in names.enumerate() {
            let path = At { table, row: i, field: "name" };
            if name.trim().is_empty() {
                self.add(&path, &"is empty; every row needs a name");
                continue;
            }
            let first = seen.place(0, name, i);
            if first != i {
                self.add(&path, &format_args!("\"{name}\" is already the name of {table}[{first}]; names are unique"));
            }
        }
    }

    pub(super) fn table_size(&mut self, table: &str, rows: usize) {
        if rows > MAX_ROWS {
            self.add(&table, &format_args!("has {} rows; at most {} are read", format_count(rows as u64), format_count(MAX_ROWS as u64)));
        }
    }
}

fn device(draft: &Draft, found: &mut FoundProblems) -> Device {
    match &draft.device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).map_or_else(
            || {
                let known: Vec<_> = super::device::BUILT_IN.iter().map(|d| d.id).collect();
                found.add(&"device", &format_args!("there is no built-in device \"{id}\"; there are {}", known.join(", ")));
                Device::default()
            },
            BuiltIn::device,
        ),
        DeviceDraft::Custom(device) => {
            for limit in LIMITS {
                let value = (limit.get)(device);
                let path = format_args!("device.{}", limit.field);
                found.positive(&path, value, limit.measure);
                found.at_most(&path, value, limit.max, limit.measure, "is accepted");
            }
            device.clone()
        }
    }
}

fn processes(draft: &Draft, found: &mut FoundProblems) -> Vec<Process> {
    found.table_size("processes", draft.processes.len());
    found.names("processes", draft.processes.iter().map(|p| p.name.as_str()));
    for (i, p) in draft.processes.iter().enumerate() {
        found.positive(&At { table: "processes", row: i, field: "timeslice_ns" }, p.timeslice_ns, Measure::Time);
        let at = At { table: "processes", row: i, field: "channels" };
        found.positive(&at, p.channels, Measure::Count);
        found.at_most(&at, p.channels, MAX_CHANNELS, Measure::Count, "are possible");
        if p.guest.as_deref().is_some_and(|guest| guest.trim().is_empty()) {
            found.add(&At { table: "processes", row: i, field: "guest" }, &"is empty; leave it out for a guest of its own");
        }
    }
    let resolve = |p: &ProcessDraft| Process {
        name: p.name.clone(),
        interleave: p.interleave,
        // Where it is out of range a problem says so.
        channels: p.channels.clamp(1, MAX_CHANNELS) as u32,
        timeslice_ns: p.timeslice_ns,
        preemption: p.preemption.unwrap_or(draft.device.preemption()),
        guest: p.guest.clone().unwrap_or_else(|| p.name.clone()),
    };
    if draft.processes.is_empty() { vec![resolve(&ProcessDraft::named("P0"))] } else { draft.processes.iter().map(resolve).collect() }
}

/// The channels that take turns. Each has a state of its own, and a short file can ask for very many.
fn all_channels(processes: &[Process], turns: Turns, count: u64, found: &mut FoundProblems) -> Vec<Channel> {
    let is_too_many = count > (processes.len() as u64).max(MAX_ALL_CHANNELS);
    if is_too_many {
        found.add(
            &"processes",
            &format_args!("have {} channels together; at most {} are simulated", format_count(count), format_count(MAX_ALL_CHANNELS)),
        );
    }
    channels(processes, if is_too_many { Turns::None } else { turns })
}

/// Many channels of every level make a very long list, which a trace writes out.
fn runlist(draft: &Draft, processes: &[Process], channels: &[Channel], found: &mut FoundProblems) -> Runlist {
    // Those that a text admits stand on it once each.
    let is_equal = draft.policy.kind.turns() == Turns::Text;
    let level = |channel: &Channel| if is_equal { Interleave::Medium } else { processes[channel.process.index()].interleave };
    let list = Runlist::new(channels.iter().map(level));
    if draft.policy.kind.turns() == Turns::Runlist && list.len() > MAX_ROWS as u64 {
        found.add(
            &"processes",
            &format_args!(
                "make a runlist of {} entries; at most {} are simulated",
                format_count(list.len()),
                format_count(MAX_ROWS as u64)
            ),
        );
    }
    list
}

/// Where processes take turns, each channel has SMs of its own, as it left them.
fn sm_states(draft: &Draft, device: &Device, processes: u64, channels: u64, found: &mut FoundProblems) {
    let states = channels.saturating_mul(device.sms);
    if draft.policy.kind.takes_turns() && device.sms <= MAX_SMS && states > MAX_SM_STATES {
        let (have, what) = if channels > processes { ("have", " channels") } else { ("are", "") };
        found.add(
            &"processes",
            &format_args!(
                "{have} {}{what} on a device of {} SMs; under {} at most {} are simulated there",
                format_count(channels),
                format_count(device.sms),
                draft.policy.kind.word(),
                format_count(MAX_SM_STATES / device.sms)
            ),
        );
    }
}

/// The streams of a scenario, found by process and name.
struct Streams<'a> {
    list: Vec<Stream>,
    /// Grouped by process.
    by_name: Names<'a>,
}

impl<'a> Streams<'a> {
    /// The place of a stream of a process, which is added where it is not listed.
    fn place(&mut self, process: ProcessId, name: Cow<'a, str>) -> usize {
        let place = self.by_name.place(process.0, name.clone(), self.list.len());
        if place == self.list.len() {
            let (name, priority) = (name.into_owned(), StreamPriority::None);
            self.list.push(Stream { process, name, priority, non_blocking: false, channel: 0, connection: None, branch_of: None });
        }
        place
    }
}

fn streams<'a>(draft: &'a Draft, processes: &Names<'_>, found: &mut FoundProblems) -> Streams<'a> {
    found.table_size("streams", draft.streams.len());
    let mut streams = Streams { list: Vec::new(), by_name: Names::default() };
    for (i, s) in draft.streams.iter().enumerate() {
        let at = |field| At { table: "streams", row: i, field };
        let process = s.process.as_deref().map_or(Some(0), |name| found.resolve(&at("process"), "process", name, processes));
        if s.name.trim().is_empty() {
            found.add(&at("name"), &"is empty; every stream needs a name");
        }
        if s.name == NULL_STREAM && s.priority == StreamPriority::High {
            found.add(&at("priority"), &"is \"high\"; the NULL stream has no priority of its own and cannot be high");
        }
        if s.name == NULL_STREAM && s.non_blocking {
            found.add(&at("non_blocking"), &"is true; the NULL stream cannot be left out of its own rules");
        }
        let Some(process) = process.map(ProcessId::at) else { continue };
        if streams.by_name.place(process.0, &s.name, streams.list.len()) < streams.list.len() {
            found.add(&at("name"), &format_args!("\"{}\" is listed twice in its process; names are unique", s.name));
        } else {
            streams.list.push(Stream {
                process,
                name: s.name.clone(),
                priority: s.priority,
                non_blocking: s.non_blocking,
                channel: 0,
                connection: None,
                branch_of: None,
            });
        }
    }
    streams
}

fn rows<'a>(
    draft: &'a Draft,
    device: &Device,
    tasks: &mut [Task],
    task_ids: &Names<'_>,
    streams: &mut Streams<'a>,
    found: &mut FoundProblems,
) -> Vec<KernelRow> {
    found.table_size("kernels", draft.kernels.len());
    found.names("kernels", draft.kernels.iter().map(|k| k.name.as_str()));
    let row_ids = Names::from_names(draft.kernels.iter().map(|k| k.name.as_str()));
    let mut rows: Vec<KernelRow> = Vec::with_capacity(draft.kernels.len());
    for (i, k) in draft.kernels.iter().enumerate() {
        let at = |field| At { table: "kernels", row: i, field };
        if k.call == Call::Kernel {
            block_limits(k, device, at, found);
        }
        call_fields(k, at, found);
        let task = TaskId::at(k.task.as_deref().map_or(Some(0), |name| found.resolve(&at("task"), "task", name, task_ids)).unwrap_or(0));
        let after = k.after.as_deref().and_then(|name| after(name, i, task, &rows, &row_ids, at, found));
        if let Some(after) = after {
            rows[after.index()].followers.push(RowId::at(i));
        }
        if k.stream.trim().is_empty() && k.graph.is_none() {
            found.add(&at("stream"), &"is empty; name a stream, or NULL");
        }
        let process = tasks[task.index()].process;
        let is_kernel = k.call == Call::Kernel;
        let stream = if k.graph.is_some() {
            // `nodes` gives it that of its graph.
            usize::MAX
        } else if k.call.is_in_stream() || k.call == Call::SynchronizeStream {
            let is_null = k.stream == NULL_STREAM || has_no_stream(k);
            let name = match is_null && has_own_default(draft, process) {
                true => Cow::Owned(own_default(&tasks[task.index()].name)),
                false => Cow::Borrowed(if is_null { NULL_STREAM } else { &*k.stream }),
            };
            streams.place(process, name)
        } else {
            // Until `place_others`.
            usize::MAX
        };
        tasks[task.index()].rows.push(RowId::at(i));
        let copy = |bytes: u64, field: &'static str, found: &mut FoundProblems| copy(bytes, device, &at(field), found);
        let (copy_in, copy_out) = match k.call {
            Call::Kernel => (copy(k.copy_in_bytes, "copy_in_bytes", found), copy(k.copy_out_bytes, "copy_out_bytes", found)),
            Call::CopyToHost => (None, copy(k.bytes, "bytes", found)),
            call if call.is_copy() => (copy(k.bytes, "bytes", found), None),
            _ => (None, None),
        };
        let call_ns = k.call_ns.or_else(|| draft.tasks.get(task.index())?.call_ns).unwrap_or(0);
        rows.push(KernelRow {
            name: k.name.clone(),
            task,
            claimant: task.into(),
            stream,
            call: k.call,
            call_time: Span(call_ns),
            synchronous: k.synchronous && k.call.is_copy(),
            after,
            followers: Vec::new(),
            start: Span(k.start_ns),
            blocks: if is_kernel { k.blocks } else { 0 },
            needs: Needs {
                threads: if is_kernel { u32::try_from(k.threads_per_block).unwrap_or(u32::MAX) } else { 0 },
                shared_memory: if is_kernel { k.shared_memory_bytes } else { 0 },
                registers: if is_kernel { k.threads_per_block.saturating_mul(k.registers_per_thread) } else { 0 },
            },
            times: if is_kernel { k.block_time_ns.clone() } else { BlockTimes::Each(0) },
            variation: if is_kernel { variation(k, draft.seed, i, &at("block_time_max_ns"), found) } else { Variation::NONE },
            copy_in,
            copy_out,
            waits_for: Vec::new(),
            records: None,
            nodes: 0,
            node: None,
            spins: Spins::default(),
            spinners: Vec::new(),
            cooperative: false,
        });
    }
    nodes(draft, &mut rows, &row_ids, found);
    spins(draft, device, &mut rows, &row_ids, found);
    rows
}

/// Gives rows that concern no stream the first of their process, so that every row has one. One that is added for this comes behind all
/// others, branches of graphs too: it takes nobody's connection.
fn place_others<'a>(draft: &'a Draft, tasks: &[Task], rows: &mut [KernelRow], streams: &mut Streams<'a>) {
    let mut first: BTreeMap<ProcessId, usize> = BTreeMap::new();
    for (place, stream) in streams.list.iter().enumerate() {
        first.entry(stream.process).or_insert(place);
    }
    for (row, k) in rows.iter_mut().zip(&draft.kernels).filter(|(row, _)| row.stream == usize::MAX) {
        let process = tasks[row.task.index()].process;
        row.stream = *first.entry(process).or_insert_with(|| streams.place(process, Cow::Borrowed(&*k.stream)));
    }
}

/// A row that names an earlier row of its task.
fn after(
    name: &str,
    row: usize,
    task: TaskId,
    rows: &[KernelRow],
    row_ids: &Names<'_>,
    at: impl Fn(&'static str) -> At,
    found: &mut FoundProblems,
) -> Option<RowId> {
    let earlier = found.resolve(&at("after"), "kernel row", name, row_ids)?;
    if earlier >= row {
        found.add(&at("after"), &format_args!("\"{name}\" is not an earlier row; a row can only wait for rows above it"));
        return None;
    }
    if rows[earlier].task != task {
        found.add(&at("after"), &format_args!("\"{name}\" belongs to another task; a row can only wait for rows of its own task"));
        return None;
    }
    Some(RowId::at(earlier))
}

/// Rules R1 to R3 can be met at all, and everything runs for some time.
fn block_limits(k: &KernelDraft, device: &Device, at: impl Fn(&'static str) -> At, found: &mut FoundProblems) {
    found.positive(&at("blocks"), k.blocks, Measure::Count);
    found.positive(&at("threads_per_block"), k.threads_per_block, Measure::Count);
    found.at_most(
        &at("threads_per_block"),
        k.threads_per_block,
        device.max_threads_per_block.min(device.threads_per_sm),
        Measure::Count,
        "threads fit in a block on this device",
    );
    let shared = device.max_shared_memory_per_block.min(device.shared_memory_per_sm);
    found.at_most(&at("shared_memory_bytes"), k.shared_memory_bytes, shared, Measure::Bytes, "fit in a block on this device");
    found.at_most(
        &at("registers_per_thread"),
        k.registers_per_thread,
        device.max_registers_per_thread,
        Measure::Count,
        "registers are allowed for a thread on this device",
    );
    let registers = u128::from(k.threads_per_block) * u128::from(k.registers_per_thread);
    let limit = device.max_registers_per_block.min(device.registers_per_sm);
    if registers > u128::from(limit) && k.registers_per_thread <= device.max_registers_per_thread {
        found.add_limited(
            &at("registers_per_thread"),
            limit / k.threads_per_block,
            &format_args!(
                "is {}: with {} threads a block needs {} registers; at most {} registers fit in a block on this device",
                format_count(k.registers_per_thread),
                format_count(k.threads_per_block),
                grouped(&registers.to_string()),
                format_count(limit)
            ),
        );
    }
    match &k.block_time_ns {
        BlockTimes::Each(ns) => found.positive(&at("block_time_ns"), *ns, Measure::Time),
        BlockTimes::List(list) => {
            if list.len() as u64 != k.blocks {
                found.add(
                    &at("block_time_ns"),
                    &format_args!(
                        "lists {} time{} for {} block{}; there must be one for each block",
                        format_count(list.len() as u64),
                        if list.len() == 1 { "" } else { "s" },
                        format_count(k.blocks),
                        if k.blocks == 1 { "" } else { "s" }
                    ),
                );
            }
            if let Some(zero) = list.iter().position(|&ns| ns == 0) {
                found.add_limited(
                    &format_args!("{}[{zero}]", at("block_time_ns")),
                    1,
                    &format_args!("is {}; at least {} is needed", amount(Measure::Time, 0), amount(Measure::Time, 1)),
                );
            }
        }
    }
}

/// What is left between the longest block and the worst case stated.
fn variation(k: &KernelDraft, seed: u64, row: usize, path: &dyn Display, found: &mut FoundProblems) -> Variation {
    let Some(max) = k.block_time_max_ns else { return Variation::NONE };
    let greatest = k.block_time_ns.greatest();
    match max.checked_sub(greatest) {
        Some(most) => Variation::new(seed, row, Span(most)),
        None => {
            found.add(
                path,
                &format_args!(
                    "is {}; at least {} is needed, the longest time of the row's blocks",
                    amount(Measure::Time, max),
                    format_time(greatest)
                ),
            );
            Variation::NONE
        }
    }
}
