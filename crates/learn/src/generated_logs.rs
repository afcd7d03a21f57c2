//! Logs as a GPU might have written them, made of a simulated run: to try things where there is no GPU.
//!
//! Depends on `measured` and on runs. Invariants: every name of a file says that it is made up; the same
//! seed gives the same logs on every machine.

use blockstep_sim::dice::Dice;
use blockstep_sim::measured::{Launch, Log, Measured, MeasuredBlock};
use blockstep_sim::order::{self, Names};
use blockstep_sim::record::Records;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, RowId, StreamId, TaskId, Time};

/// What is wrong with the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    /// What they show at the run's start, ns.
    pub offset_ns: i64,
    /// How far off each reading may be, earlier or later, ns.
    pub noise_ns: u64,
    /// What the errors are drawn with.
    pub seed: u64,
}

/// Logs of a run, one for each stream that a task uses; what had not ended is not in them.
#[must_use]
pub fn generated_logs(trace: &Trace, records: &Records, clocks: Clocks) -> Measured {
    let mut dice = Dice::new(clocks.seed, &[0x6d65_6173]);
    let mut off = |at: Time| {
        let error = i64::try_from(dice.below(2 * clocks.noise_ns + 1)).unwrap_or(0) - i64::try_from(clocks.noise_ns).unwrap_or(0);
        i64::try_from(at.ns()).unwrap_or(i64::MAX).saturating_add(clocks.offset_ns).saturating_add(error)
    };
    let noise = i64::try_from(clocks.noise_ns).unwrap_or(i64::MAX);
    let mut places: Vec<(TaskId, StreamId)> = Vec::new();
    let mut files = Names::default();
    let mut logs = Vec::new();
    for op in (0..trace.ops().len()).map(OpId::at).filter(|&op| trace.op(op).kind == OpKind::Kernel) {
        let life = &records.ops[op.index()];
        let Some(end) = life.end else { continue };
        let (row, stream) = (trace.row_of(op), trace.op(op).stream);
        let place = places.iter().position(|&place| place == (row.task, stream)).unwrap_or(places.len());
        if place == places.len() {
            places.push((row.task, stream));
            logs.push(log(trace, row.task, stream, &mut files));
        }
        let mut own: Vec<usize> = records.blocks_of(op).iter().map(|&i| i as usize).collect();
        order::by_number(&mut own, |&i| records.blocks[i].block.into());
        let block = |i: usize| {
            let block = &records.blocks[i];
            let start_ns = off(block.start);
            let end_ns = off(block.end.unwrap_or(end)).max(start_ns.saturating_add(1));
            MeasuredBlock { start_ns, end_ns, sm: Some(block.sm.0.into()) }
        };
        let blocks: Vec<MeasuredBlock> = own.into_iter().map(block).collect();
        // The call takes a little, and no launch is later than what it launches.
        let called = i64::try_from(life.issued.ns()).unwrap_or(i64::MAX).saturating_add(clocks.offset_ns);
        let waited = blocks.iter().map(|block| block.end_ns).max().unwrap_or(called);
        let log: &mut Log = &mut logs[place];
        log.kernels.push(Launch {
            name: row.name.clone(),
            entry: log.kernels.len(),
            block_count: row.blocks,
            thread_count: row.needs.threads.into(),
            shared_memory: Some(row.needs.shared_memory),
            launch_ns: vec![called.saturating_sub(noise), called.saturating_add(noise), waited.saturating_add(noise)],
            blocks,
        });
    }
    Measured { logs, ..Measured::default() }
}

/// A log without kernels: called after its task if that has this stream alone, else after its stream, with the task if
/// others use that too.
fn log(trace: &Trace, of: TaskId, stream: StreamId, files: &mut Names<'static>) -> Log {
    let (scenario, layout) = (trace.scenario(), trace.layout());
    let task = scenario.task(of);
    let stream_name = layout.label(scenario, stream);
    let is_here = |row: &RowId| layout.stream_of(*row) == stream;
    let is_shared = scenario.tasks().iter().any(|other| other.name != task.name && other.rows.iter().any(is_here));
    let label = match () {
        () if scenario.tasks().len() > 1 && task.rows.iter().all(is_here) => task.name.clone(),
        () if is_shared => format!("{}: {stream_name}", task.name),
        () => stream_name,
    };
    let is_null = layout.stream(stream).is_null;
    let device = scenario.device();
    Log {
        file: files.unique(&format!("{label} (made up)")),
        scenario: scenario.name().to_owned(),
        benchmark: if is_null { "Made up (default stream)" } else { "Made up" }.to_owned(),
        label,
        pid: Some(u64::from(task.process.0) + 1),
        tid: None,
        max_resident_threads: device.sms.checked_mul(device.threads_per_sm),
        gpu: None,
        release_ns: None,
        data_bytes: None,
        kernels: Vec::new(),
        host: Vec::new(),
    }
}
