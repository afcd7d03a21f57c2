//! A hang with times: a table that the engine runs into it, one thing each instant.
//!
//! Depends on the simulator. Invariant: the table is run, and is given only if it hangs.

use std::collections::BTreeMap;
use std::sync::Arc;

use blockstep_sim::engine::{Limits, Next, Untimed, simulate};
use blockstep_sim::scenario::{BlockTimes, Draft, Scenario};
use blockstep_sim::snapshot::Progress;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{OpId, RowId, SpaceId};

use super::Refused;
use super::search::limits;
use super::table::without_times;

/// From one thing to the next, ns; so long that rounding a copy's time to bytes never changes the order.
const STEP_NS: u64 = 100_000;

/// One thing that comes, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The call of this row is made.
    Call(String),
    /// So many blocks of this row's kernel end.
    Ends(String, u64),
    /// A copy of this row ends.
    CopyEnds(String),
}

/// What leads to a hang.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What comes, in its order.
    pub arrivals: Vec<Arrival>,
    /// A table with times that hangs when it is run. `None` where times cannot be given to it: a row follows a call that only waits.
    pub table: Option<Draft>,
}

/// What was seen of each operation on the way, by the numbers of the things that came.
#[derive(Default)]
struct Times {
    called: BTreeMap<RowId, u64>,
    /// By operation and block: when it began to run, and when it ended.
    runs: BTreeMap<(OpId, u32), (u64, Option<u64>)>,
}

pub(crate) fn witness(draft: &Draft, scenario: &Arc<Scenario>, path: &[Next]) -> Result<Witness, Refused> {
    let refused = |cut: blockstep_sim::trace::Cut| Refused::Limit(cut.to_string());
    let mut state = Untimed::new(scenario, limits()).map_err(refused)?;
    let (mut times, mut arrivals) = (Times::default(), Vec::new());
    for (i, &next) in path.iter().enumerate() {
        let at = i as u64 + 1;
        let name = |op: OpId| state.trace().row_of(op).name.clone();
        arrivals.push(match next {
            Next::Call(row, _) => {
                times.called.insert(row, at);
                Arrival::Call(scenario.row(row).name.clone())
            }
            Next::Blocks(op, end) => {
                let sms = &state.state().space(SpaceId(0)).sms;
                let ending =
                    sms.holding().flat_map(|(_, sm)| &sm.blocks).filter(|block| block.op == op && block.progress == Progress::Runs(end));
                let blocks: Vec<u32> = ending.map(|block| block.block).collect();
                for block in &blocks {
                    if let Some(run) = times.runs.get_mut(&(op, *block)) {
                        run.1 = Some(at);
                    }
                }
                Arrival::Ends(name(op), blocks.len() as u64)
            }
            Next::Copy(op, _) => {
                if let Some(run) = times.runs.get_mut(&(op, 0)) {
                    run.1 = Some(at);
                }
                Arrival::CopyEnds(name(op))
            }
        });
        state.take(next).map_err(refused)?;
        let space = state.state().space(SpaceId(0));
        for block in space.sms.holding().flat_map(|(_, sm)| &sm.blocks).filter(|block| block.progress != Progress::Spins) {
            times.runs.entry((block.op, block.block)).or_insert((at, None));
        }
        for copy in space.engines.iter().flatten() {
            times.runs.entry((copy.op, 0)).or_insert((at, None));
        }
    }
    let table = with_times(draft, &state, &times, path.len() as u64).filter(|table| {
        Scenario::new(table).is_ok_and(|scenario| {
            let run = simulate(&scenario, Limits::default());
            let steps = run.trace.steps().len() as u32;
            run.trace.cut().is_none() && run.replay().seek(steps).dead_end(&run.trace).is_some()
        })
    });
    Ok(Witness { arrivals, table })
}

/// The table with the times of what was seen.
fn with_times(draft: &Draft, state: &Untimed, times: &Times, last: u64) -> Option<Draft> {
    let (trace, scenario) = (state.trace(), state.trace().scenario());
    let mut table = without_times(draft);
    table.name.clone_from(&draft.name);
    let end = |op: OpId| {
        let blocks = if trace.op(op).kind == OpKind::Kernel { trace.row_of(op).blocks as u32 } else { 1 };
        (0..blocks).map(|block| times.runs.get(&(op, block))?.1).collect::<Option<Vec<u64>>>()?.into_iter().max()
    };
    let row_end = |row: RowId| {
        let ops: Vec<OpId> = (0..trace.ops().len()).map(OpId::at).filter(|&op| trace.op(op).row == row).collect();
        if ops.is_empty() { None } else { ops.into_iter().map(end).collect::<Option<Vec<u64>>>()?.into_iter().max() }
    };
    for (&row, &at) in &times.called {
        let from = match scenario.row(row).after {
            Some(after) => row_end(after)?,
            None => 0,
        };
        table.kernels[row.index()].start_ns = (at - from) * STEP_NS;
    }
    for (place, row) in table.kernels.iter_mut().enumerate() {
        if !times.called.contains_key(&scenario.call_of(RowId::at(place))) {
            // It comes after all that is shown.
            row.start_ns = (last + 1) * STEP_NS;
        }
    }
    let span = |(began, end): (u64, Option<u64>)| (end.unwrap_or(last + 1) - began) * STEP_NS;
    let bandwidth = u128::from(scenario.device().copy_bandwidth_bytes_per_s);
    for op in (0..trace.ops().len()).map(OpId::at) {
        let place = trace.op(op).row.index();
        let info = trace.row_of(op);
        let row = &mut table.kernels[place];
        let run = |block: u32| times.runs.get(&(op, block)).copied().map_or(STEP_NS, span).max(1);
        if trace.op(op).kind == OpKind::Kernel {
            let each: Vec<u64> = (0..info.blocks as u32).map(run).collect();
            row.block_time_ns = match each.first() {
                Some(&first) if each.iter().all(|&time| time == first) => BlockTimes::Each(first),
                _ => BlockTimes::List(each.into()),
            };
            continue;
        }
        let bytes = u64::try_from(u128::from(run(0)) * bandwidth / 1_000_000_000).unwrap_or(u64::MAX).max(1);
        match (info.call.is_copy(), trace.op(op).kind) {
            (true, _) => row.bytes = bytes,
            (false, OpKind::CopyIn) => row.copy_in_bytes = bytes,
            (false, _) => row.copy_out_bytes = bytes,
        }
    }
    // Of kernels that did not begin the time is of no account; one step is as good as any.
    for (place, row) in table.kernels.iter_mut().enumerate() {
        let has_op = trace.ops().iter().any(|op| op.row.index() == place && op.kind == OpKind::Kernel);
        if row.blocks > 0 && !has_op {
            row.block_time_ns = BlockTimes::Each(STEP_NS);
        }
    }
    Some(table)
}
