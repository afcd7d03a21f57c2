//! States from which the order of arrival decides nothing any more.
//!
//! Depends on the simulator. Invariant: what is calm stays calm, and whether it hangs depends on the table alone. A block that does not spin
//! ends, so in a hang only blocks that spin hold room. If every kernel that is still to complete finds room wherever those blocks are, no
//! kernel waits for room in the end; then streams and flags alone decide, and they are the same in every order.

use blockstep_sim::engine::Untimed;
use blockstep_sim::scenario::{KernelRow, Needs, Reached, Scenario};
use blockstep_sim::units::{JobNo, RowId};

/// What of a table never changes.
pub(crate) struct Calm {
    /// Whether nothing but streams and flags orders what is launched.
    is_plain: bool,
    kernels: Vec<Kernel>,
}

struct Kernel {
    row: RowId,
    /// Blocks that find room at once on the idle device.
    holds: u64,
    /// Blocks that need room at the same time, if it spins or is launched cooperatively: all of them.
    together: u64,
    /// By place among the kernels: blocks of this one that lose their room at most if all blocks of that one are on the device; none for
    /// those that are never there at the same time.
    lost: Vec<u64>,
}

impl Calm {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let device = scenario.device();
        let rows: Vec<RowId> = (0..scenario.rows().len()).map(RowId::at).filter(|&row| scenario.row(row).blocks > 0).collect();
        let amounts = |needs: &Needs| [u64::from(needs.threads), needs.shared_memory, needs.registers, 1];
        let limits = [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm, device.blocks_per_sm];
        let is_node = |row: RowId| scenario.call_of(row) != row;
        let kernel = |&row: &RowId| {
            let info = scenario.row(row);
            let own = amounts(&info.needs);
            let of_sm = (0..4).filter_map(|i| limits[i].checked_div(own[i])).min().unwrap_or(0);
            let lost = |&other: &RowId| {
                let them = scenario.row(other);
                // In one stream the next kernel begins when the one before it is complete.
                if other == row || them.stream == info.stream && !is_node(other) && !is_node(row) {
                    return 0;
                }
                // One block of the other takes the room of so many of this one at most.
                let theirs = amounts(&them.needs);
                let each = (0..4).filter(|&i| own[i] > 0).map(|i| theirs[i].div_ceil(own[i])).max().unwrap_or(0).min(of_sm);
                them.blocks.saturating_mul(each)
            };
            Kernel {
                row,
                holds: of_sm.saturating_mul(device.sms),
                together: if info.spins.any() || info.cooperative { info.blocks } else { 1 },
                lost: rows.iter().map(lost).collect(),
            }
        };
        let has_waits = scenario.rows().iter().any(KernelRow::has_wait);
        let has_null = scenario.streams().iter().any(|stream| stream.is_null());
        let is_plain = scenario.connections().is_none() && !has_null && !has_waits;
        Self { is_plain, kernels: rows.iter().map(kernel).collect() }
    }

    /// Whether a state is calm.
    pub(crate) fn holds(&self, state: &Untimed) -> bool {
        let (scenario, snapshot) = (state.trace().scenario(), state.state());
        let reached = |row: RowId, how: Reached| snapshot.has_reached(row, JobNo(0), how);
        // Its blocks may hold their room forever.
        let may_spin = |kernel: &Kernel| {
            let spins = &scenario.row(kernel.row).spins;
            spins.barrier && !reached(kernel.row, Reached::AllBegun) || spins.flags.iter().any(|&(row, how)| !reached(row, how))
        };
        let left = |kernel: &Kernel| !reached(kernel.row, Reached::Completed);
        let holding: Vec<usize> = (0..self.kernels.len()).filter(|&i| left(&self.kernels[i]) && may_spin(&self.kernels[i])).collect();
        let has_room = |kernel: &Kernel| {
            let lost = holding.iter().map(|&other| kernel.lost[other]).fold(0, u64::saturating_add);
            kernel.holds.saturating_sub(lost) >= kernel.together
        };
        self.is_plain && self.kernels.iter().filter(|kernel| left(kernel)).all(has_room)
    }
}
