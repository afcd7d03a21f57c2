//! Random scenarios of the size of real programs, for profiles of their runs. Invariants: a scenario follows from its number; no two
//! operations of different rows are launched at once; needs of blocks are multiples of what devices of compute capability 7.0 hand out, so
//! that the simulator and the reader of profiles count alike.

use blockstep_sim::dice::Dice;
use blockstep_sim::scenario::{
    BlockTimes, Call, Device, DeviceDraft, Draft, KernelDraft, NULL_STREAM, PolicyDraft, PolicyKind, Preemption, ProcessDraft, StreamDraft,
    StreamPriority, TaskDraft,
};

/// Bytes that a copy engine moves in a second.
const BANDWIDTH: u64 = 12_000_000_000;
const US: u64 = 1_000;
/// What a call takes where threads wait, ns.
const CALL: u64 = 8 * US;

/// The scenario of a number.
pub(super) fn scenario(number: u64) -> Draft {
    let dice = &mut Dice::new(number, &[16]);
    let sms = [4, 8, 16][dice.below(3) as usize];
    let device = Device {
        name: "V".to_owned(),
        sms,
        threads_per_sm: 2048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 96 * 1024,
        registers_per_sm: 65_536,
        max_threads_per_block: 1024,
        max_shared_memory_per_block: 48 * 1024,
        max_registers_per_block: 65_536,
        max_registers_per_thread: 255,
        copy_engines: 1 + dice.below(2),
        copy_bandwidth_bytes_per_s: BANDWIDTH,
    };
    let in_turns = dice.below(8) == 0;
    let kind = match (in_turns, dice.below(2)) {
        (true, _) => PolicyKind::Runlist,
        (_, 0) => PolicyKind::Fifo,
        _ => PolicyKind::Priority,
    };
    let mut draft = Draft {
        name: format!("trip {number}"),
        device: DeviceDraft::Custom(device),
        policy: PolicyDraft { kind, switch_cost_ns: if in_turns { 10 * US } else { 0 }, ..PolicyDraft::default() },
        ..Draft::default()
    };
    if in_turns {
        let process = |i: u64| ProcessDraft {
            timeslice_ns: 1_000_000,
            preemption: Some(if dice.below(2) == 0 { Preemption::Thread } else { Preemption::Block }),
            ..ProcessDraft::named(format!("P{i}"))
        };
        draft.processes = (0..2).map(process).collect();
    }
    let tasks = 1 + dice.below(3) + u64::from(in_turns);
    for i in 0..tasks {
        let process = in_turns.then(|| format!("P{}", i % 2));
        draft.tasks.push(TaskDraft { process, ..TaskDraft::named(format!("T{i}")) });
    }
    let streams = 1 + dice.below(6);
    let has_null = dice.below(3) == 0;
    if kind == PolicyKind::Priority {
        for stream in 1..=streams {
            if dice.below(4) == 0 {
                draft.streams.push(StreamDraft {
                    process: None,
                    name: format!("S{stream}"),
                    priority: StreamPriority::High,
                    non_blocking: false,
                });
            }
        }
    }
    rows(&mut draft, dice, sms, (streams, has_null));
    consume(&mut draft, dice);
    draft
}

/// The same, as programs that wait: threads make their calls one after another, copies are calls of their own and may keep the thread,
/// threads wait for streams, events and the device, allocate and free, and streams wait for events.
pub(super) fn waiting(number: u64) -> Draft {
    let mut draft = scenario(number);
    let dice = &mut Dice::new(number, &[18]);
    draft.tasks.iter_mut().for_each(|task| task.call_ns = Some(CALL));
    let process_of = |draft: &Draft, task: &Option<String>| {
        draft.tasks.iter().find(|of| Some(&of.name) == task.as_ref()).and_then(|of| of.process.clone())
    };
    // Events by the process that they are of.
    let mut events: Vec<(Option<String>, String)> = Vec::new();
    for (i, mut kernel) in std::mem::take(&mut draft.kernels).into_iter().enumerate() {
        let process = process_of(&draft, &kernel.task);
        let known: Vec<String> = events.iter().filter(|(of, _)| *of == process).map(|(_, name)| name.clone()).collect();
        let (copy_in, copy_out) = (std::mem::take(&mut kernel.copy_in_bytes), std::mem::take(&mut kernel.copy_out_bytes));
        let beside = |name: &str, call: Call, bytes: u64| KernelDraft {
            task: kernel.task.clone(),
            stream: kernel.stream.clone(),
            start_ns: kernel.start_ns,
            ..KernelDraft::calling(format!("{name} {i}"), call, bytes)
        };
        let mut rows = Vec::new();
        if copy_in > 0 {
            rows.push(KernelDraft { synchronous: dice.below(2) == 0, ..beside("in", Call::CopyToDevice, copy_in) });
        }
        let at = rows.len();
        if copy_out > 0 {
            rows.push(KernelDraft { synchronous: dice.below(2) == 0, ..beside("out", Call::CopyToHost, copy_out) });
        }
        match dice.below(24) {
            0 => rows.push(beside("wait", Call::SynchronizeStream, 0)),
            1 => rows.push(beside("wait", Call::SynchronizeDevice, 0)),
            2 => rows.push(beside("wait", Call::Allocate, 0)),
            3 => rows.push(beside("wait", Call::Free, 0)),
            4 if !known.is_empty() => {
                let waits_for = vec![known[dice.below(known.len() as u64) as usize].clone()];
                rows.push(KernelDraft { waits_for, ..beside("wait", Call::SynchronizeEvent, 0) });
            }
            _ => {}
        }
        if !known.is_empty() && dice.below(5) == 0 {
            kernel.waits_for.push(known[dice.below(known.len() as u64) as usize].clone());
        }
        if dice.below(4) == 0 {
            kernel.records = Some(format!("E{i}"));
            events.push((process, format!("E{i}")));
        }
        rows.insert(at, kernel);
        draft.kernels.append(&mut rows);
    }
    draft
}

/// Kernels with copies; each task's thread launches them one after another.
fn rows(draft: &mut Draft, dice: &mut Dice, sms: u64, (streams, has_null): (u64, bool)) {
    // Few kinds of kernels, used again and again.
    let kinds: Vec<[u64; 5]> = (0..1 + dice.below(6))
        .map(|_| {
            let threads = [64, 128, 128, 256, 256, 512, 1024][dice.below(7) as usize];
            let registers = [16, 32, 32, 64, 128][dice.below(5) as usize];
            let registers = if threads * registers > 65_536 { 64 } else { registers };
            let shared = [0, 0, 0, 8, 24, 48][dice.below(6) as usize] * 1024;
            let fit = (2048 / threads).min(32).min(65_536 / (threads * registers)).min(96 * 1024_u64.checked_div(shared).unwrap_or(99));
            let full = fit.max(1) * sms;
            let blocks = [1 + dice.below(4), 1 + dice.below(sms), full / 2, full - dice.below(sms), full, 1 + full * 3 / 2, full * 3];
            let time = (5 * US) << dice.below(8);
            [blocks[dice.below(7) as usize].max(1), threads, registers, shared, time + dice.below(time)]
        })
        .collect();
    let mut now = vec![10 * US; draft.tasks.len()];
    let mut used = std::collections::BTreeSet::new();
    for i in 0..4 + dice.below(36) {
        let task = dice.below(draft.tasks.len() as u64) as usize;
        let gap = match dice.below(8) {
            0 => 50 + dice.below(500),
            1 | 2 => 15 + dice.below(20),
            _ => 5 + dice.below(5),
        };
        now[task] += gap * US;
        // Several threads never launch within three microseconds of each other.
        while used.range(now[task].saturating_sub(3 * US)..now[task] + 3 * US).next().is_some() {
            now[task] += US;
        }
        used.insert(now[task]);
        let kind = dice.below(kinds.len() as u64) as usize;
        let [blocks, threads, registers, shared, time] = kinds[kind];
        let is_null = has_null && dice.below(4) == 0;
        let bytes = |dice: &mut Dice| if dice.below(5) == 0 { 1 + dice.below(3_000_000) } else { 0 };
        draft.kernels.push(KernelDraft {
            task: Some(draft.tasks[task].name.clone()),
            stream: if is_null { NULL_STREAM.to_owned() } else { format!("S{}", 1 + dice.below(streams)) },
            start_ns: now[task],
            shared_memory_bytes: shared,
            registers_per_thread: registers,
            block_time_ns: BlockTimes::Each(time),
            copy_in_bytes: bytes(dice),
            copy_out_bytes: bytes(dice),
            ..KernelDraft::named(format!("k{kind}, launch {i}"), blocks, threads, time)
        });
    }
}

/// Some tasks wait for others, and launch everything after these have: CUDA waits for what was recorded.
fn consume(draft: &mut Draft, dice: &mut Dice) {
    let starts = |name: &str| draft.kernels.iter().filter(|row| row.task.as_deref() == Some(name)).map(|row| row.start_ns).collect();
    let starts: Vec<Vec<u64>> = draft.tasks.iter().map(|task| starts(&task.name)).collect();
    let tasks = &mut draft.tasks;
    for consumer in 1..tasks.len() {
        for producer in 0..consumer {
            let (Some(&last), Some(&first)) = (starts[producer].iter().max(), starts[consumer].iter().min()) else { continue };
            if dice.below(2) == 0 && tasks[consumer].process == tasks[producer].process {
                let (last, first) = (last + tasks[producer].offset_ns, first + tasks[consumer].offset_ns);
                tasks[consumer].offset_ns += (last + 20 * US).saturating_sub(first);
                let name = tasks[producer].name.clone();
                tasks[consumer].consumes.push(name);
                break;
            }
        }
    }
}
