//! How many blocks of each kernel are resident at once: alone, and beside another row of the table.
//!
//! Depends on the simulator. Invariant: beside another row the engine says it, which has assigned that row's blocks first.

use blockstep_sim::engine::{Next, Untimed};
use blockstep_sim::scenario::spins::{resident_at_most, resident_exactly};
use blockstep_sim::scenario::{Call, Draft, KernelDraft, Scenario};
use blockstep_sim::units::{JobNo, OpId, RowId};

use super::search::limits;
use super::table::without_times;

/// Kernels of a table in which each is looked at beside each other one: there are as many pairs as their square.
const MOST_BESIDE: usize = 16;

/// What an SM runs out of first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    /// R2.
    Threads,
    /// R3.
    SharedMemory,
    /// R1.
    Registers,
    /// R1.
    Slots,
}

/// What of a kernel is resident at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resident {
    /// The row's name.
    pub row: String,
    /// Its blocks.
    pub blocks: u64,
    /// Blocks that the idle device holds by R1 to R3.
    pub exactly: u64,
    /// The same with what the hardware hands out in units rounded up, as CUDA counts; only where the compute capability is known.
    pub rounded: u64,
    /// What keeps an SM from holding one more.
    pub short: Short,
    /// Beside each other kernel, of a table with few.
    pub beside: Vec<Beside>,
}

/// Beside another kernel whose blocks came first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The other row's name.
    pub row: String,
    /// Its blocks on the device.
    pub theirs: u64,
    /// Blocks of this kernel that find room then; at most those that it has.
    pub ours: u64,
}

/// The numbers of each kernel of a valid table, in its order.
#[must_use]
pub fn residents(draft: &Draft) -> Vec<Resident> {
    let Ok(scenario) = Scenario::new(draft) else { return Vec::new() };
    let device = scenario.device();
    let kernels: Vec<&KernelDraft> = draft.kernels.iter().filter(|row| row.call == Call::Kernel).collect();
    let others: &[&KernelDraft] = if kernels.len() <= MOST_BESIDE { &kernels } else { &[] };
    let of_row = |row: &&KernelDraft| Resident {
        row: row.name.clone(),
        blocks: row.blocks,
        exactly: resident_exactly(device, row).saturating_mul(device.sms),
        rounded: resident_at_most(&draft.device, device, row),
        short: {
            let of_sm = resident_exactly(device, row);
            let lacks = |limit: u64, need: u64| need > 0 && limit / need == of_sm;
            if lacks(device.threads_per_sm, row.threads_per_block) {
                Short::Threads
            } else if lacks(device.shared_memory_per_sm, row.shared_memory_bytes) {
                Short::SharedMemory
            } else if lacks(device.registers_per_sm, row.threads_per_block.saturating_mul(row.registers_per_thread)) {
                Short::Registers
            } else {
                Short::Slots
            }
        },
        beside: others.iter().filter(|other| other.name != row.name).filter_map(|other| beside(draft, row, other)).collect(),
    };
    kernels.iter().map(of_row).collect()
}

/// Places the blocks of another row first, then those of this one; nothing ends.
fn beside(draft: &Draft, row: &KernelDraft, other: &KernelDraft) -> Option<Beside> {
    let alone = |row: &KernelDraft, stream: &str| KernelDraft {
        task: None,
        stream: stream.to_owned(),
        after: None,
        copy_in_bytes: 0,
        waits_for: Vec::new(),
        records: None,
        graph: None,
        barrier: false,
        until_begun: Vec::new(),
        until_all_begun: Vec::new(),
        until_completed: Vec::new(),
        cooperative: false,
        ..row.clone()
    };
    let pair = Draft {
        kernels: vec![alone(other, "theirs"), alone(row, "ours")],
        tasks: Vec::new(),
        processes: Vec::new(),
        streams: Vec::new(),
        connections: None,
        ..draft.clone()
    };
    let scenario = Scenario::new(&without_times(&pair)).ok()?;
    let mut state = Untimed::new(&scenario, limits()).ok()?;
    state.take(Next::Call(RowId(0), JobNo(0))).ok()?;
    state.take(Next::Call(RowId(1), JobNo(0))).ok()?;
    let on_device = |op: OpId| u64::from(state.state().stream(state.trace().op(op).stream).assigned);
    let theirs = on_device(OpId(0));
    // Where not all of the others have begun, this kernel stands behind them and has none.
    (theirs == other.blocks).then(|| Beside { row: other.name.clone(), theirs, ours: on_device(OpId(1)) })
}
