//! Blocks that spin for others, and cooperative launches.
//!
//! Depends on the rest of `scenario`. Invariant: a row spins for kernels other than its own. Source:
//! docs/semantics.md, section 2.

use super::device::BuiltIn;
use super::validate::{At, FoundProblems};
use super::{Call, Device, DeviceDraft, Draft, KernelDraft, KernelRow};
use crate::order::Names;
use crate::units::RowId;
use crate::units::written::format_count;

/// Most kernels that the blocks of a row spin for.
pub const MAX_FLAGS: usize = 64;

/// How far a kernel has to be for blocks of another to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// A block of it has begun.
    Begun,
    /// All its blocks have begun.
    AllBegun,
    /// It is complete.
    Completed,
}

impl Reached {
    /// The field of a row that names kernels which have to get so far.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Begun => "until_begun",
            Self::AllBegun => "until_all_begun",
            Self::Completed => "until_completed",
        }
    }
}

/// What the blocks of a kernel spin for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spins {
    /// All blocks of the kernel itself have to begin.
    pub barrier: bool,
    /// Kernels of other rows, by the job of the same number.
    pub flags: Vec<(RowId, Reached)>,
}

impl Spins {
    /// Whether they spin for anything.
    #[must_use]
    pub fn any(&self) -> bool {
        self.barrier || !self.flags.is_empty()
    }
}

/// Looks up what every row spins for, and whether the device can hold what is launched cooperatively.
pub(super) fn spins(draft: &Draft, device: &Device, rows: &mut [KernelRow], row_ids: &Names<'_>, found: &mut FoundProblems) {
    for (i, k) in draft.kernels.iter().enumerate().filter(|(_, k)| k.call == Call::Kernel) {
        rows[i].cooperative = k.cooperative;
        rows[i].spins.barrier = k.barrier;
        if k.cooperative {
            cooperative_limit(draft, device, i, k, found);
        }
        let count: usize = k.flags().map(|(_, names)| names.len()).sum();
        if count > MAX_FLAGS {
            let message = format_args!(
                "names {} kernels with the fields like it; at most {MAX_FLAGS} are spun for by one row",
                format_count(count as u64)
            );
            let field = k.flags().find(|(_, names)| !names.is_empty()).map_or("until_begun", |(reached, _)| reached.field());
            found.add(&At { table: "kernels", row: i, field }, &message);
            continue;
        }
        for (reached, names) in k.flags() {
            for (j, name) in names.iter().enumerate() {
                let path = format_args!("kernels[{i}].{}[{j}]", reached.field());
                let Some(row) = found.resolve(&path, "kernel row", name, row_ids) else { continue };
                let flag = (RowId::at(row), reached);
                if row == i {
                    found.add(&path, &"is the row itself; for a barrier among its own blocks there is the field barrier");
                } else if draft.kernels[row].call != Call::Kernel {
                    found.add(&path, &format_args!("\"{name}\" launches no kernel; blocks spin for kernels only"));
                } else if rows[i].spins.flags.contains(&flag) {
                    found.add(&path, &format_args!("\"{name}\" is named twice"));
                } else {
                    rows[i].spins.flags.push(flag);
                    if rows[row].spinners.last() != Some(&RowId::at(i)) {
                        rows[row].spinners.push(RowId::at(i));
                    }
                }
            }
        }
    }
}

/// CUDA refuses a cooperative launch of more blocks than the idle device holds.
fn cooperative_limit(draft: &Draft, device: &Device, row: usize, k: &KernelDraft, found: &mut FoundProblems) {
    let limit = resident_at_most(&draft.device, device, k);
    if k.blocks > limit {
        found.add_limited(
            &At { table: "kernels", row, field: "blocks" },
            limit,
            &format_args!(
                "is {}; at most {} blocks of this kernel are resident on the idle device, and cudaLaunchCooperativeKernel refuses more \
                 (cudaErrorCooperativeLaunchTooLarge)",
                format_count(k.blocks),
                format_count(limit)
            ),
        );
    }
}

/// How many blocks of a kernel the idle device holds at once as CUDA counts them, in the units in which an SM hands out warps, registers and
/// shared memory; exactly where the capability is unknown.
#[must_use]
pub fn resident_at_most(draft: &DeviceDraft, device: &Device, k: &KernelDraft) -> u64 {
    let built_in = match draft {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id),
        DeviceDraft::Custom(_) => None,
    };
    let of_sm = match built_in {
        Some(built_in) => {
            let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
            built_in.limits.resident(k.threads_per_block, narrow(k.registers_per_thread), narrow(k.shared_memory_bytes)).0
        }
        None => resident_exactly(device, k),
    };
    of_sm.saturating_mul(device.sms)
}

/// How many blocks of a kernel an idle SM holds at once by R1 to R3, without rounding.
#[must_use]
pub fn resident_exactly(device: &Device, k: &KernelDraft) -> u64 {
    let by = |limit: u64, need: u64| limit.checked_div(need).unwrap_or(u64::MAX);
    let registers = k.threads_per_block.saturating_mul(k.registers_per_thread);
    device
        .blocks_per_sm
        .min(by(device.threads_per_sm, k.threads_per_block))
        .min(by(device.shared_memory_per_sm, k.shared_memory_bytes))
        .min(by(device.registers_per_sm, registers))
}
