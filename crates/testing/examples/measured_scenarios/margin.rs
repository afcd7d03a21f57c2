//! Whether the order of a run holds on a real GPU, whose launches and blocks are never quite on time.

use std::collections::BTreeMap;

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, DeviceDraft, Draft, Placement, Scenario};
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::OpId;

use crate::random::Dice;

/// Starts of blocks that are this close count as at the same time, ns.
const TOLERANCE_NS: u64 = 50_000;

/// How often a scenario is disturbed.
const TRIES: u64 = 24;

/// When the blocks of a kernel start: those that do so together as one.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// From its place in the EE queue to its first block, ns.
    pub(crate) waited_ns: u64,
    /// First start and number of blocks of each group.
    groups: Vec<(u64, usize)>,
    /// Start of its last block, ns.
    pub(crate) last_ns: u64,
}

impl Kernel {
    pub(crate) fn first_ns(&self) -> u64 {
        self.groups.first().map_or(0, |group| group.0)
    }

    /// Whether some of its blocks start after it might have.
    pub(crate) fn has_waiting_blocks(&self) -> bool {
        self.waited_ns > TOLERANCE_NS || self.groups.len() > 1
    }

    /// Whether it begins only when others leave.
    pub(crate) fn waits_for_room(&self) -> bool {
        self.waited_ns > TOLERANCE_NS
    }
}

/// The kernels of a run, in issue order of their rows.
#[derive(Debug)]
pub(crate) struct Seen {
    /// By row of the kernel table; none for rows that are no kernels.
    pub(crate) kernels: Vec<Option<Kernel>>,
    /// Last event, ns.
    pub(crate) end_ns: u64,
}

impl Seen {
    /// Simulates a scenario. What is wrong with it, if it does not run to its end.
    pub(crate) fn of(draft: &Draft) -> Result<Self, String> {
        let scenario = Scenario::new(draft).map_err(|error| format!("{error:?}"))?;
        let trace = engine::simulate(&scenario, Limits::default()).trace;
        if let Some(cut) = trace.cut() {
            return Err(format!("{cut:?}"));
        }
        let records = Records::new(&trace);
        let mut kernels: Vec<Option<Kernel>> = draft.kernels.iter().map(|_| None).collect();
        for (at, op) in trace.ops().iter().enumerate().filter(|(_, op)| op.kind == OpKind::Kernel) {
            let id = OpId::at(at);
            let mut starts: Vec<u64> = records.blocks_of(id).iter().map(|&b| records.blocks[b as usize].start.ns()).collect();
            starts.sort_unstable();
            let (Some(&first), Some(&last), Some(queued)) = (starts.first(), starts.last(), records.ops[at].queued) else {
                return Err(format!("{} does not begin", trace.op_label(id)));
            };
            let groups = starts.chunk_by(|a, b| b - a <= TOLERANCE_NS).map(|group| (group[0], group.len())).collect();
            kernels[op.row.index()] = Some(Kernel { waited_ns: first - queued.ns(), groups, last_ns: last });
        }
        Ok(Self { kernels, end_ns: records.last_event.ns() })
    }

    pub(crate) fn blocks(&self) -> usize {
        self.kernels.iter().flatten().flat_map(|kernel| &kernel.groups).map(|group| group.1).sum()
    }

    /// Whether blocks start in the same groups, and the groups of different kernels in the same order: together in both
    /// runs, or one after the other in both.
    fn has_order_of(&self, base: &Self) -> bool {
        let sizes = |kernel: &Kernel| kernel.groups.iter().map(|group| group.1).collect::<Vec<_>>();
        let alike = |(a, b): (&Option<Kernel>, &Option<Kernel>)| a.as_ref().map(sizes) == b.as_ref().map(sizes);
        if self.kernels.len() != base.kernels.len() || !self.kernels.iter().zip(&base.kernels).all(alike) {
            return false;
        }
        let starts = |seen: &Self| -> Vec<u64> { seen.kernels.iter().flatten().flat_map(|k| &k.groups).map(|g| g.0).collect() };
        let (here, there) = (starts(self), starts(base));
        let keeps = |i: usize, j: usize| {
            if there[i].abs_diff(there[j]) <= TOLERANCE_NS {
                here[i].abs_diff(here[j]) <= TOLERANCE_NS
            } else {
                here[i].cmp(&here[j]) == there[i].cmp(&there[j])
            }
        };
        (0..here.len()).all(|i| (0..i).all(|j| keeps(i, j)))
    }
}

/// Whether the order survives late and early launches, longer blocks, faster and slower copies, and what a block takes on
/// the real GPU: whole warps, registers in steps, and a KiB of shared memory that is the system's.
pub(crate) fn is_robust(draft: &Draft, seen: &Seen) -> bool {
    let holds = |other: &Draft| Seen::of(other).is_ok_and(|other| other.has_order_of(seen));
    holds(&as_handed_out(draft)) && (0..TRIES).all(|seed| holds(&disturbed(draft, &mut Dice::new(seed))))
}

/// Whether the order is another one where an SM is chosen in another way.
pub(crate) fn depends_on_placement(draft: &Draft, seen: &Seen) -> bool {
    [Placement::FirstFit, Placement::RoundRobin].into_iter().any(|placement| {
        let other = Draft { placement, ..draft.clone() };
        !Seen::of(&other).is_ok_and(|other| other.has_order_of(seen))
    })
}

fn disturbed(draft: &Draft, dice: &mut Dice) -> Draft {
    let mut draft = draft.clone();
    if let DeviceDraft::Custom(device) = &mut draft.device {
        device.copy_bandwidth_bytes_per_s = device.copy_bandwidth_bytes_per_s / 100 * dice.between(92, 108);
    }
    // Rows that a task launches at once stay in their order, so they move together.
    let mut moved = BTreeMap::new();
    for row in &mut draft.kernels {
        let at_once = (row.task.clone(), row.after.clone(), row.start_ns);
        let later = *moved.entry(at_once).or_insert_with(|| dice.between(0, 120_000));
        row.start_ns = (row.start_ns + later).saturating_sub(60_000);
        let (parts, more) = (dice.between(0, 100), dice.between(0, 15_000));
        let longer = |ns: u64| ns + ns * parts / 10_000 + more;
        row.block_time_ns = match &row.block_time_ns {
            BlockTimes::Each(ns) => BlockTimes::Each(longer(*ns)),
            BlockTimes::List(list) => BlockTimes::List(list.iter().map(|&ns| longer(ns)).collect()),
        };
    }
    draft
}

fn as_handed_out(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    if let DeviceDraft::Custom(device) = &mut draft.device {
        device.max_shared_memory_per_block = device.shared_memory_per_sm;
    }
    for row in &mut draft.kernels {
        row.threads_per_block = row.threads_per_block.next_multiple_of(32);
        row.registers_per_thread = row.registers_per_thread.next_multiple_of(8);
        row.shared_memory_bytes = row.shared_memory_bytes.next_multiple_of(128) + 1024;
    }
    draft
}
