//! Random valid scenarios for every policy: every feature, and numbers so small that
//! ties abound. Depends on the input types. Invariant: what it makes is valid, and shrinks
//! toward fewer rows and smaller numbers.

use blockstep_policy::Program;
use blockstep_policy::examples::EXAMPLES;
use blockstep_sim::scenario::{
    BlockEnds, BlockTimes, BuiltIn, Call, Chain, Choice, Class, DefaultStream, Device, DeviceDraft, Draft, Interleave, KernelDraft,
    NULL_STREAM, Placement, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, StreamDraft, StreamPriority, SwitchCharge,
    TaskDraft,
};
use std::ops::Range;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::batches::batched;
use crate::spinning::{add_spins, any_spins, without_spins};

/// A horizon for runs that would go on forever; long enough for several jobs.
const HORIZON: u64 = 40;

/// Any valid scenario under `fifo` or `priority`.
pub fn drafts() -> impl Strategy<Value = Draft> {
    drafts_with(0..4, 0..10, 5)
}

/// The same without blocks that spin and cooperative launches.
pub fn drafts_without_spins() -> impl Strategy<Value = Draft> {
    drafts().prop_map(without_spins)
}

fn drafts_with(tasks: Range<usize>, rows: Range<usize>, times_below: u64) -> impl Strategy<Value = Draft> {
    let world = (
        device(),
        (select(Placement::ALL), select(BlockEnds::ALL)),
        select(vec![PolicyKind::Priority, PolicyKind::Priority, PolicyKind::Fifo]),
        option::weighted(0.3, 0..HORIZON),
        0..3_u64,
        option::weighted(0.3, 1..5_u64),
    );
    let tables = (
        vec(select(DefaultStream::ALL), 0..3),
        vec(task(), tasks),
        vec((0..2_usize, stream_name(), priority(), prop::bool::weighted(0.2)), 0..6),
        (vec(row(times_below), rows), any_spins()),
    );
    (world, tables, any::<bool>()).prop_map(
        |((device, (placement, block_ends), kind, horizon_ns, seed, connections), tables, consumes_later)| {
            let (processes, tasks, streams, (rows, spins)) = tables;
            let mut draft = Draft {
                name: "random".to_owned(),
                device,
                placement,
                block_ends,
                connections,
                policy: PolicyDraft { kind, ..PolicyDraft::default() },
                horizon_ns,
                seed,
                processes: processes
                    .into_iter()
                    .enumerate()
                    .map(|(i, default_stream)| ProcessDraft { default_stream, ..ProcessDraft::named(format!("P{i}")) })
                    .collect(),
                ..Draft::default()
            };
            add_tasks(&mut draft, &tasks, consumes_later);
            add_streams(&mut draft, streams);
            add_rows(&mut draft, &rows);
            add_spins(&mut draft, &spins);
            settle(&mut draft);
            draft
        },
    )
}

/// Any valid scenario whose processes, two to four of them, take turns.
pub fn turns(kind: PolicyKind) -> impl Strategy<Value = Draft> {
    let default_stream = prop_oneof![3 => Just(DefaultStream::Legacy), 1 => Just(DefaultStream::PerThread)];
    let channels = prop_oneof![3 => Just(1), 1 => 2..4_u64];
    let process = (select(Interleave::ALL), channels, 1..6_u64, option::weighted(0.8, select(Preemption::ALL)), default_stream);
    let pixel = option::weighted(0.15, 0..6_u64);
    let task = (0..4_usize, option::of(select(Class::ALL)), option::weighted(0.3, 1..6_u64), 0..3_i64, pixel);
    let switches = (switches(4), select(SwitchCharge::ALL));
    // What they take that tell the RunList Manager something, what it takes to submit a runlist, and how long somebody may drain.
    let manager = (prop_oneof![2 => Just(0), 1 => 1..6_u64], prop_oneof![2 => Just(0), 1 => 1..4_u64], option::weighted(0.15, 1..8_u64));
    let chain = prop_oneof![3 => Just((Chain::One, false)), 1 => Just((Chain::Resident, false)), 2 => Just((Chain::Resident, true))];
    let manager = (manager, chain);
    let policy = (switches, any::<bool>(), select(Preemption::ALL), manager);
    let own = (select(&TEXTS[..]), vec(prop_oneof![1 => Just(0), 1 => 1..5_u64], 5));
    (drafts_with(2..6, 3..12, 8), vec(process, 2..5), vec(task, 5), policy, own).prop_map(
        move |(
            mut draft,
            processes,
            tasks,
            ((switches, switch_charge), cbs, preemption, ((signal_ns, runlist_ns, watchdog_ns), (chain, is_long))),
            (text, wakes),
        )| {
            draft.policy = PolicyDraft { kind, switch_charge, cbs, preemption, signal_ns, runlist_ns, watchdog_ns, chain, ..switches };
            let process = |(i, (interleave, channels, timeslice_ns, preemption, default_stream))| ProcessDraft {
                name: format!("P{i}"),
                interleave,
                channels,
                timeslice_ns,
                preemption,
                default_stream,
                // Two of them share a guest; it changes nothing.
                guest: (i == 1).then(|| "P0".to_owned()),
            };
            draft.processes = processes.into_iter().enumerate().map(process).collect();
            if kind == PolicyKind::Own {
                draft.policy.text = text.to_owned();
                draft.tasks.iter_mut().zip(wakes).for_each(|(task, wake_ns)| task.wake_ns = wake_ns);
            }
            for (task, (process, class, budget, priority, pixel)) in draft.tasks.iter_mut().zip(tasks) {
                task.process = Some(format!("P{}", process % draft.processes.len()));
                task.class = class;
                if class == Some(Class::RealTime) && task.period_ns.is_none() {
                    task.deadline_ns.get_or_insert(5);
                }
                (task.budget_ns, task.priority, task.pixel_latency_ns) = (budget, priority, pixel);
            }
            if is_long
                && kind == PolicyKind::Edf
                && let Some((last, others)) = draft.tasks.split_last_mut()
            {
                for task in others.iter_mut() {
                    task.consumes.retain(|name| *name != last.name);
                    task.offset_ns = 0;
                }
                draft.processes.iter_mut().for_each(|process| process.timeslice_ns = process.timeslice_ns.min(2));
                last.consumes = others.iter().map(|task| task.name.clone()).collect();
                (last.class, last.offset_ns) = (Some(Class::RealTime), 0);
                last.deadline_ns = Some(last.deadline_ns.map_or(1, |ns| ns.min(3)));
            }
            // Long enough for what was suspended to be resumed.
            if draft.tasks.iter().any(|t| t.release != Release::Once) {
                draft.horizon_ns = Some(draft.horizon_ns.unwrap_or(HORIZON) + HORIZON);
            }
            bound_spins(&mut draft);
            draft
        },
    )
}

/// The same without blocks that spin and cooperative launches.
pub fn turns_without_spins(kind: PolicyKind) -> impl Strategy<Value = Draft> {
    turns(kind).prop_map(without_spins)
}

/// Any valid scenario under a policy of one's own: one of ours, a published one, or one with a few words changed, which may fail.
pub fn owned() -> impl Strategy<Value = Draft> {
    let published = select(&EXAMPLES[..]).prop_map(|example| example.text.to_owned());
    let changed = garbled_policies().prop_filter("it has no mistake", |text| Program::new(text).is_ok());
    let text = prop_oneof![2 => Just(None), 1 => published.prop_map(Some), 2 => changed.prop_map(Some)];
    (turns(PolicyKind::Own), text, 9..16_u64).prop_map(|(mut draft, text, every)| {
        if let Some(text) = text {
            // Published ticks are longer than what happens here.
            let line = |line: &str| match line.split_once("every ") {
                Some((head, _)) if !line.starts_with('#') => format!("{head}every {every} ns:\n"),
                _ => format!("{line}\n"),
            };
            draft.policy.text = text.lines().map(line).collect();
        }
        draft
    })
}

/// Policies of one's own: all at once, one of several kinds at a time, a lock, turns by ticks, by chance, GCAPS, which may lock up, and some
/// that decide about each kernel.
/// Ticks are further apart than the longest switch takes: else nobody might ever get anything done.
const TEXTS: [&str; 13] = [
    "admit ready\n",
    "admit lowest deadline in ready\n",
    "admit highest 2 priority in ready\n",
    "admit lowest duration in ready\n",
    "waiting: queue\non request(t):\n  add t to waiting\non end(t):\n  remove t from waiting\nadmit first in waiting\n",
    "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\n\
     on tick every 13 ns:\n  k = first in line\n  if k is not none:\n    move k to line\nadmit first in line\n",
    "holder: task\non request(t), end(t):\n  holder = draw in ready\non tick every 17 ns:\n  holder = draw in ready\nadmit holder\n",
    "out: set\nheld: queue\non request(t):\n  if any in out where sms > sms of t:\n    add t to held\n  else:\n    add t to out\n\
     on end(t):\n  remove t from out\n  remove t from held\n  for each k in held:\n    move k to out\nadmit out\n",
    "running, pending: set\non request(t):\n  if t is besteffort:\n    if any in running where realtime:\n      move t to pending\n    \
     else:\n      move t to running\n  else:\n    h = highest priority in running\n    if h is none:\n      move t to running\n    \
     else if priority of t > priority of h:\n      move t to running\n      move h to pending\n    else:\n      move t to pending\n\
     on end(t):\n  k = highest priority in pending where realtime\n  if k is none:\n    running = pending\n    pending = {}\n  \
     else:\n    move k to running\n  remove t from running\nadmit running\n",
    // Kernel by kernel: one at a time; by their size; of whom chance says, told of all; and only of the first who asked.
    "busy: flag\non launch(t):\n  busy = true\non finish(t):\n  busy = false\nadmit ready\nlaunch highest priority in ready where not busy\n",
    "out: number\non launch(t):\n  out = out + sms of t\non finish(t):\n  out = out - sms of t\n\
     admit ready\nlaunch highest 64 priority in ready where realtime or out + sms < 3\n",
    "turn: task\non request(t), end(t), finish(t), launch(t):\n  turn = draw in ready\nadmit ready\nlaunch turn\n",
    "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\non finish(t):\n  move t to line\n\
     on tick every 13 ns:\n  k = first in line\n  if k is not none:\n    move k to line\n\
     admit highest 2 priority in ready\nlaunch first in line\n",
];

/// What switches take, as the settings of a policy: nothing, always the same, up to a maximum, or one of some samples. Averages and
/// samples are at most `most`, which is at least 1.
pub fn switches(most: u64) -> impl Strategy<Value = PolicyDraft> {
    let constant = |switch_cost_ns| PolicyDraft { switch_cost_ns, ..PolicyDraft::default() };
    let tail = select(vec![3_000, 0, 1, 300_000, 600_000]);
    let tailed = (1..=most, 0..=most, tail).prop_map(|(switch_cost_ns, more, tail)| PolicyDraft {
        switch_cost_ns,
        switch_cost_max_ns: Some(switch_cost_ns + more),
        // With more of them in a long tail the others would take less than nothing.
        switch_tail_per_million: if more <= switch_cost_ns { tail } else { tail.min(3_000) },
        ..PolicyDraft::default()
    });
    let samples = vec(1..=most, 1..4).prop_map(|switch_samples_ns| PolicyDraft { switch_samples_ns, ..PolicyDraft::default() });
    prop_oneof![3 => Just(constant(0)), 3 => (1..=most).prop_map(constant), 1 => tailed, 1 => samples]
}

/// Any valid scenario under any policy; boxed, as all of them together would fill the stack of a test.
pub fn any_drafts() -> impl Strategy<Value = Draft> {
    let turns = |kind| turns(kind).boxed();
    prop_oneof![2 => drafts().boxed(), 1 => turns(PolicyKind::Runlist), 1 => turns(PolicyKind::Edf), 1 => turns(PolicyKind::Own),
        1 => batched().boxed()]
}

/// The same without blocks that spin and cooperative launches.
pub fn any_drafts_without_spins() -> impl Strategy<Value = Draft> {
    any_drafts().prop_map(without_spins)
}

fn device() -> impl Strategy<Value = DeviceDraft> {
    let sizes = (1..4_u64, 2..9_u64, 1..5_u64, 1..9_u64, 1..13_u64, 1..4_u64);
    let custom = sizes.prop_map(|(sms, threads, slots, shared, registers, copy_engines)| {
        DeviceDraft::Custom(Device {
            name: "small".to_owned(),
            sms,
            threads_per_sm: threads,
            blocks_per_sm: slots,
            shared_memory_per_sm: shared,
            registers_per_sm: registers,
            max_threads_per_block: 6,
            max_shared_memory_per_block: 6,
            max_registers_per_block: 10,
            max_registers_per_thread: 3,
            copy_engines,
            // A byte takes 1 ns.
            copy_bandwidth_bytes_per_s: 1_000_000_000,
        })
    });
    prop_oneof![9 => custom, 1 => select(vec!["tx2", "tx1", "k5000"]).prop_map(|id| DeviceDraft::BuiltIn(id.to_owned()))]
}

/// A task before its names are known.
#[derive(Clone, Debug)]
struct AnyTask {
    process: Option<usize>,
    release: Release,
    /// Divides 12, so that default horizons stay near.
    period: u64,
    deadline: Option<u64>,
    offset: u64,
    jobs: Option<u64>,
    consumes: [bool; 3],
    call: Option<u64>,
}

fn task() -> impl Strategy<Value = AnyTask> {
    let times = (select(vec![3_u64, 4, 6, 12]), option::of(0..12_u64), 0..5_u64, option::of(1..4_u64));
    let call = option::weighted(0.15, 0..4_u64);
    (option::of(0..3_usize), select(Release::ALL), times, any::<[bool; 3]>(), prop::bool::weighted(0.5), call).prop_map(
        |(process, release, (period, deadline, offset, jobs), consumes, has_producers, call)| AnyTask {
            process,
            release,
            period,
            deadline,
            offset,
            jobs,
            consumes: if has_producers { consumes } else { [false; 3] },
            call,
        },
    )
}

fn add_tasks(draft: &mut Draft, tasks: &[AnyTask], consumes_later: bool) {
    for (i, t) in tasks.iter().enumerate() {
        let mut task = TaskDraft::named(format!("T{i}"));
        task.process = pick(t.process, &draft.processes).map(|p| p.name.clone());
        task.release = t.release;
        task.period_ns = (t.release == Release::Periodic).then_some(t.period);
        task.deadline_ns = t.deadline;
        task.offset_ns = t.offset;
        task.jobs = t.jobs;
        task.call_ns = t.call;
        // All in one direction, so there is no cycle.
        let others = if consumes_later { i + 1..tasks.len() } else { 0..i };
        task.consumes = others.filter(|&other| t.consumes[other % 3]).map(|other| format!("T{other}")).collect();
        draft.tasks.push(task);
    }
}

fn stream_name() -> impl Strategy<Value = &'static str> {
    select(vec!["S1", "S2", "S3", "S1", "S2", "S3", NULL_STREAM])
}

fn priority() -> impl Strategy<Value = StreamPriority> {
    prop_oneof![2 => Just(StreamPriority::High), 1 => select(StreamPriority::ALL)]
}

fn add_streams(draft: &mut Draft, streams: Vec<(usize, &'static str, StreamPriority, bool)>) {
    for (process, name, priority, non_blocking) in streams {
        let process = pick(Some(process), &draft.processes).map(|p| p.name.clone());
        // The first process may be named or left out.
        let is_same_stream = |s: &StreamDraft| s.name == name && s.process.as_deref().unwrap_or("P0") == process.as_deref().unwrap_or("P0");
        if !draft.streams.iter().any(is_same_stream) {
            let priority = if name == NULL_STREAM { StreamPriority::None } else { priority };
            draft.streams.push(StreamDraft { process, name: name.to_owned(), priority, non_blocking: non_blocking && name != NULL_STREAM });
        }
    }
}

/// A row of the kernel table before its names are known.
#[derive(Clone, Debug)]
struct AnyRow {
    task: Option<usize>,
    stream: &'static str,
    after: Option<usize>,
    start: u64,
    /// Of each block.
    times: Vec<u64>,
    same_time: bool,
    /// How much longer it may run.
    longer: Option<u64>,
    needs: [u64; 3],
    copies: [u64; 2],
    waits_for: Vec<&'static str>,
    records: Option<&'static str>,
    call: AnyCall,
    /// How many of the rows that follow are the nodes of a graph that it launches, at most.
    nodes: Option<usize>,
    /// Which of the nodes above it waits for, if it is a node.
    edges: [bool; 4],
}

/// What a row calls.
#[derive(Clone, Debug)]
struct AnyCall {
    call: Call,
    bytes: u64,
    synchronous: bool,
    time: Option<u64>,
}

fn call() -> impl Strategy<Value = AnyCall> {
    let call = prop_oneof![9 => Just(Call::Kernel), 2 => select(Call::ALL)];
    let call = call.prop_map(|call| if call == Call::LaunchGraph { Call::Kernel } else { call });
    (call, 1..5_u64, prop::bool::weighted(0.3), option::weighted(0.1, 0..4_u64)).prop_map(|(call, bytes, synchronous, time)| AnyCall {
        call,
        bytes,
        synchronous,
        time,
    })
}

fn row(times_below: u64) -> impl Strategy<Value = AnyRow> {
    let place = (option::of(0..4_usize), stream_name(), option::weighted(0.3, 0..8_usize), 0..5_u64);
    let blocks = (vec(1..times_below, 1..6), any::<bool>(), (1..7_u64, 0..7_u64, 0..4_u64), (0..4_u64, 0..4_u64));
    let longer = option::weighted(0.2, 0..5_u64);
    let event = || select(vec!["E", "F"]);
    let events = (option::weighted(0.2, prop_oneof![3 => vec(event(), 1), 1 => Just(vec!["E", "F"])]), option::weighted(0.3, event()));
    let graph = (option::weighted(0.12, 1..6_usize), any::<[bool; 4]>());
    (place, blocks, longer, events, call(), graph).prop_map(|(place, (times, same_time, needs, copies), longer, events, call, graph)| {
        let (task, stream, after, start) = place;
        AnyRow {
            task,
            stream,
            after,
            start,
            times,
            same_time,
            longer,
            needs: needs.into(),
            copies: copies.into(),
            waits_for: events.0.unwrap_or_default(),
            records: events.1,
            call,
            nodes: graph.0,
            edges: graph.1,
        }
    })
}

fn add_rows(draft: &mut Draft, rows: &[AnyRow]) {
    let device = match &draft.device {
        DeviceDraft::Custom(device) => device.clone(),
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).unwrap().device(),
    };
    // On a built-in device the needs are scaled up so that a few blocks fill an SM.
    let scale = if device.threads_per_sm > 1000 { [160, 8 << 10, 50] } else { [1, 1, 1] };
    for (i, r) in rows.iter().enumerate() {
        let threads = (r.needs[0] * scale[0]).min(device.max_threads_per_block).min(device.threads_per_sm);
        let mut k = KernelDraft::named(format!("K{i}"), r.times.len() as u64, threads, r.times[0]);
        if !r.same_time {
            k.block_time_ns = BlockTimes::List(r.times.clone().into());
        }
        k.block_time_max_ns = r.longer.map(|ns| k.block_time_ns.greatest() + ns);
        k.task = pick(r.task, &draft.tasks).map(|t| t.name.clone());
        k.stream = r.stream.to_owned();
        k.start_ns = r.start;
        k.shared_memory_bytes = (r.needs[1] * scale[1]).min(device.max_shared_memory_per_block).min(device.shared_memory_per_sm);
        let most_registers = device.max_registers_per_block.min(device.registers_per_sm) / threads;
        k.registers_per_thread = (r.needs[2] * scale[2]).min(device.max_registers_per_thread).min(most_registers);
        [k.copy_in_bytes, k.copy_out_bytes] = r.copies;
        k.waits_for = names(&r.waits_for);
        k.records = r.records.map(str::to_owned);
        set_call(&mut k, &r.call);
        let owner = |k: &KernelDraft| k.task.clone().or_else(|| Some(draft.tasks.first()?.name.clone()));
        let earlier: Vec<_> = draft.kernels.iter().filter(|other| owner(other) == owner(&k)).collect();
        k.after = pick(r.after, &earlier).map(|other| other.name.clone());
        draft.kernels.push(k);
    }
    add_graphs(draft, rows);
}

/// Makes graphs of some rows and those below them.
fn add_graphs(draft: &mut Draft, rows: &[AnyRow]) {
    let mut next = 0;
    while next < rows.len() {
        let (launch, nodes) = (next, rows[next].nodes.unwrap_or(0).min(rows.len() - next - 1));
        next += 1 + nodes;
        if nodes == 0 {
            continue;
        }
        let k = &mut draft.kernels[launch];
        (k.call, k.bytes, k.synchronous) = (Call::LaunchGraph, 0, false);
        (k.waits_for, k.records) = (names(&rows[launch].waits_for), rows[launch].records.map(str::to_owned));
        let (name, task, is_chain) = (k.name.clone(), k.task.clone(), k.stream == NULL_STREAM);
        for (i, (k, r)) in draft.kernels.iter_mut().zip(rows).enumerate().take(next).skip(launch + 1) {
            if !k.call.has_operation() {
                k.call = Call::Kernel;
            }
            (k.task, k.graph, k.after, k.records, k.synchronous) = (task.clone(), Some(name.clone()), None, None, false);
            // What may run at once cannot be launched into the NULL stream.
            let waits = |node: &usize| is_chain && node + 1 == i || r.edges[node % 4];
            k.waits_for = (launch + 1..i).filter(waits).map(|node| format!("K{node}")).collect();
        }
        // Rows may name only rows of their own task.
        let owners: Vec<Option<String>> = draft.kernels.iter().map(|k| k.task.clone()).collect();
        let first = draft.tasks.first().map(|t| t.name.clone());
        for i in launch..draft.kernels.len() {
            let owner = |row: usize| owners[row].as_ref().or(first.as_ref());
            let after = draft.kernels[i].after.as_ref().and_then(|name| draft.kernels.iter().position(|k| k.name == *name));
            if after.is_some_and(|after| owner(after) != owner(i)) {
                draft.kernels[i].after = None;
            }
        }
    }
}

fn names(of: &[&'static str]) -> Vec<String> {
    of.iter().map(|&name| name.to_owned()).collect()
}

/// What a row calls, and what goes with that.
fn set_call(k: &mut KernelDraft, any: &AnyCall) {
    k.call_ns = any.time;
    k.synchronous = any.synchronous && any.call.is_copy();
    if any.call == Call::Kernel {
        return;
    }
    k.call = any.call;
    k.bytes = if any.call.is_copy() { any.bytes } else { 0 };
    if !any.call.has_operation() {
        k.records = None;
    }
    match any.call {
        Call::SynchronizeEvent if k.waits_for.is_empty() => k.waits_for = vec!["E".to_owned()],
        call if !call.has_operation() && call != Call::SynchronizeEvent => k.waits_for.clear(),
        _ => {}
    }
}

/// The same with launches alone, each at its own time.
pub fn with_launches_only(mut draft: Draft) -> Draft {
    draft.tasks.iter_mut().for_each(|task| task.call_ns = None);
    draft.batches.clear();
    for k in &mut draft.kernels {
        *k = KernelDraft { call: Call::Kernel, bytes: 0, synchronous: false, call_ns: None, graph: None, batch: None, ..k.clone() };
    }
    draft
}

/// What only the whole can tell: rows of continuous tasks, and a horizon where one is needed.
fn settle(draft: &mut Draft) {
    let first = draft.tasks.first().map(|t| t.name.clone());
    for t in &mut draft.tasks {
        let is_used = draft.kernels.iter().any(|k| k.call.has_operation() && k.task.as_ref().or(first.as_ref()) == Some(&t.name));
        if t.release == Release::Continuous && !is_used {
            t.release = Release::Once;
        }
    }
    let recurs = |release: Release| draft.tasks.iter().any(|t| t.release == release);
    if recurs(Release::Continuous) && !recurs(Release::Periodic) && draft.horizon_ns.is_none() {
        draft.horizon_ns = Some(HORIZON);
    }
}

/// Where blocks spin processes may take turns without end.
fn bound_spins(draft: &mut Draft) {
    if draft.policy.kind.takes_turns() && draft.kernels.iter().any(KernelDraft::spins) {
        draft.horizon_ns.get_or_insert(2 * HORIZON);
    }
}

fn pick<T>(index: Option<usize>, of: &[T]) -> Option<&T> {
    index.filter(|_| !of.is_empty()).map(|i| &of[i % of.len()])
}

/// How many cases a property is tried on; `CASES` asks for more.
pub fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A published policy with a few words changed into others of its own.
pub fn garbled_policies() -> impl Strategy<Value = String> {
    let changes = vec((any::<Index>(), any::<Index>()), 0..4);
    (0..EXAMPLES.len(), changes).prop_map(|(example, changes)| {
        let mut words: Vec<&str> = EXAMPLES[example].text.split_inclusive([' ', '\n']).collect();
        for (to, from) in changes {
            let from = words[from.index(words.len())];
            let to = to.index(words.len());
            words[to] = from;
        }
        words.concat()
    })
}
