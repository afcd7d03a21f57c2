//! How many blocks of a kernel an SM holds at once, and what limits them.
//!
//! Depends on `scenario`, `occupancy` and `why`. Invariant: without units it is what the engine counts by (R1 to R3). Source:
//! docs/semantics.md, section 2.

use super::why::Amounts;
use blockstep_sim::occupancy::Limits;
use blockstep_sim::scenario::{Device, KernelRow};

/// How many blocks of a kernel fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// What a block takes: threads, bytes of shared memory, registers, block slots.
    pub need: Amounts,
    /// What an SM has.
    pub whole: Amounts,
    /// How many blocks each of these suffices for; `None` of what a block does not need.
    pub blocks_by: [Option<u64>; 4],
    /// How many blocks an SM holds.
    pub blocks: u64,
    /// SMs of the device.
    pub sms: u64,
    /// Blocks of the kernel.
    pub kernel: u64,
}

impl Occupancy {
    /// The occupancy of a kernel row on a device; with `units`, as an SM of their compute capability hands out warps, registers and shared memory.
    #[must_use]
    pub fn for_row(device: &Device, row: &KernelRow, units: Option<&Limits>) -> Self {
        let needs = row.needs;
        let whole = [device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm, device.blocks_per_sm];
        let threads = u64::from(needs.threads);
        let mut need = [threads, needs.shared_memory, needs.registers, 1];
        let mut blocks_by: [Option<u64>; 4] = std::array::from_fn(|i| whole[i].checked_div(need[i]));
        if let Some(limits) = units {
            let fits = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            let (registers, shared) = (fits(needs.registers / threads.max(1)), fits(needs.shared_memory));
            let [slots, whole_warps, in_units, shared_units] = limits.block(threads, registers, shared);
            need = [whole_warps, shared_units, in_units, slots];
            blocks_by = std::array::from_fn(|i| whole[i].checked_div(need[i]));
            blocks_by[2] = (in_units > 0).then(|| limits.by_registers(threads, registers));
        }
        let blocks = blocks_by.into_iter().flatten().min().unwrap_or(0);
        Self { need, whole, blocks_by, blocks, sms: device.sms, kernel: row.blocks }
    }

    /// Which of the four allow no more.
    #[must_use]
    pub fn limiting(&self) -> [bool; 4] {
        self.blocks_by.map(|by| by == Some(self.blocks))
    }

    /// Threads of an SM that these blocks take, in percent, rounded down.
    #[must_use]
    pub fn percent(&self) -> u64 {
        (u128::from(self.blocks * self.need[0]) * 100 / u128::from(self.whole[0].max(1))) as u64
    }

    /// Rounds in which the idle device takes all blocks of the kernel; 0 if an SM holds none.
    #[must_use]
    pub fn waves(&self) -> u64 {
        let at_once = self.blocks.saturating_mul(self.sms);
        if at_once == 0 { 0 } else { self.kernel.div_ceil(at_once) }
    }
}

/// What the tables say of this device, if it is a built-in one.
#[must_use]
pub fn limits_of(device: &Device) -> Option<&'static Limits> {
    device.built_in().map(|built_in| &built_in.limits)
}
