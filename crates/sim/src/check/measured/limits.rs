//! What an SM and the GPU can hold at once.
//!
//! Depends on `measured`. Invariant: each process is judged by itself, as each sees the whole GPU as
//! its own (docs/semantics.md, section 6): what is suspended keeps its place while another process runs.

use std::collections::BTreeMap;

use super::single::MOST_BLOCKS;
use super::{BlockRef, Check, MeasuredFindings};
use crate::language::{and_more, counted};
use crate::measured::{Occupant, seconds, walk};

/// Blocks that a sentence names.
const NAMED: usize = 3;

/// Blocks of one process, by SM; those without one are under `None`.
type BySm = BTreeMap<(Option<u64>, Option<u32>), Vec<BlockRef>>;

pub(super) fn check(found: &mut MeasuredFindings<'_>) {
    let by_sm = sort(found);
    let needs = Needs::new(found);
    for ((_, sm), blocks) in &by_sm {
        let Some(sm) = sm else { continue };
        let device = &found.settings.device;
        sweep(found, Check::Threads, blocks, device.threads_per_sm, |b| needs.threads(b), &format!("SM {sm}"), "threads");
        if found.settings.has_limits {
            sweep(found, Check::Slots, blocks, device.blocks_per_sm, |_| Some(1), &format!("SM {sm}"), "blocks");
            sweep(
                found,
                Check::SharedMemory,
                blocks,
                device.shared_memory_per_sm,
                |b| needs.shared(b),
                &format!("SM {sm}"),
                "bytes of shared memory",
            );
        }
    }
    whole_gpu(found, &by_sm, &needs);
    note_unjudged(found, &by_sm, &needs);
}

/// What a block needs, by log and launch.
struct Needs<'r>(&'r crate::measured::Measured);

impl<'r> Needs<'r> {
    fn new(found: &MeasuredFindings<'r>) -> Self {
        Self(found.run)
    }

    fn threads(&self, block: &BlockRef) -> Option<u64> {
        Some(self.0.logs[block.log].kernels[block.launch].thread_count)
    }

    fn shared(&self, block: &BlockRef) -> Option<u64> {
        self.0.logs[block.log].kernels[block.launch].shared_memory
    }
}

/// The blocks whose times can be, by process and SM; SMs that there are not are named.
fn sort(found: &mut MeasuredFindings<'_>) -> BySm {
    let run = found.run;
    let sms = found.settings.device.sms;
    let mut by_sm = BySm::new();
    for (log, of_log) in run.logs.iter().enumerate() {
        for (launch, what) in of_log.kernels.iter().enumerate() {
            for (block, times) in what.blocks.iter().enumerate() {
                let at = BlockRef { log, launch, block };
                if let Some(sm) = times.sm {
                    found.judged(Check::SmId, 1);
                    if u64::from(sm) >= sms {
                        found.violation(Check::SmId, times.start_ns, vec![at], None, |run| {
                            let (name, device) = (run.launch_name(log, launch), &found_device(sms));
                            format!("Block {block} of {name} ran on SM {sm}; {device}.")
                        });
                        continue;
                    }
                }
                if !found.is_before(times.end_ns, times.start_ns) {
                    by_sm.entry((of_log.pid, times.sm)).or_default().push(at);
                }
            }
        }
    }
    by_sm
}

fn found_device(sms: u64) -> String {
    if sms == 1 { "the device has SM 0 alone".to_owned() } else { format!("the device has SMs 0 to {}", sms - 1) }
}

/// Every time at which more is held than can be, once until it is less again.
fn sweep(
    found: &mut MeasuredFindings<'_>,
    check: Check,
    blocks: &[BlockRef],
    limit: u64,
    need: impl Fn(&BlockRef) -> Option<u64>,
    place: &str,
    unit: &str,
) {
    let run = found.run;
    let judged: Vec<BlockRef> = blocks.iter().filter(|b| need(b).is_some()).copied().collect();
    let occupants: Vec<Occupant> = judged
        .iter()
        .map(|b| {
            let times = run.logs[b.log].kernels[b.launch].blocks[b.block];
            Occupant { start_ns: times.start_ns, end_ns: times.end_ns, amount: need(b).unwrap_or(0) }
        })
        .collect();
    found.judged(check, judged.len());
    let mut is_over = false;
    let tolerance = found.settings.tolerance_ns;
    walk(&occupants, tolerance, |at, amount, held| {
        let was_over = std::mem::replace(&mut is_over, amount > u128::from(limit));
        if was_over || !is_over {
            return;
        }
        let few: Vec<BlockRef> = held.iter().take(MOST_BLOCKS).map(|&i| judged[i]).collect();
        found.violation(check, at, few.clone(), None, |run| {
            let named = few.iter().take(NAMED).map(|b| format!("block {} of {}", b.block, run.launch_name(b.log, b.launch)));
            let named = and_more(&named.collect::<Vec<_>>(), held.len().saturating_sub(NAMED));
            format!("{place} held {amount} {unit} at {}, of {limit} that it has: {named}.", seconds(at))
        });
    });
}

/// The GPU as a whole, where blocks have no SM; where all have, it follows from the SMs.
fn whole_gpu(found: &mut MeasuredFindings<'_>, by_sm: &BySm, needs: &Needs<'_>) {
    let device = &found.settings.device;
    let threads = device.sms.saturating_mul(device.threads_per_sm);
    let homeless = by_sm.keys().filter(|(_, sm)| sm.is_none()).map(|&(pid, _)| pid);
    for pid in homeless.collect::<Vec<_>>() {
        let blocks: Vec<BlockRef> = by_sm.iter().filter(|((p, _), _)| *p == pid).flat_map(|(_, blocks)| blocks).copied().collect();
        sweep(found, Check::GpuThreads, &blocks, threads, |b| needs.threads(b), "The GPU", "threads");
    }
}

/// What is not judged.
fn note_unjudged(found: &mut MeasuredFindings<'_>, by_sm: &BySm, needs: &Needs<'_>) {
    let run = found.run;
    let homeless: usize = by_sm.iter().filter(|((_, sm), _)| sm.is_none()).map(|(_, blocks)| blocks.len()).sum();
    if homeless > 0 {
        found.unjudged(
            "R1, R2, R3, sm-id",
            format!("{} without an SM id; only the threads of the whole GPU are counted.", counted(homeless, "block")),
        );
    }
    let tolerance = i128::from(found.settings.tolerance_ns);
    let short = run.blocks().filter(|b| (0..=tolerance).contains(&(i128::from(b.end_ns) - i128::from(b.start_ns)))).count();
    if short > 0 {
        found.unjudged("R1, R2, R3", format!("{} no longer than the tolerance.", counted(short, "block")));
    }
    if run.blocks().next().is_none() {
        return;
    }
    found.unjudged("R1 for registers", "No log says how many registers a kernel needs.");
    if !found.settings.has_limits {
        found.unjudged("R1 for blocks, R3", "We do not know how many blocks and how much shared memory an SM holds.");
    }
    let silent = by_sm.values().flatten().filter(|b| needs.shared(b).is_none()).count();
    if silent > 0 {
        found.unjudged("R3", format!("{} of kernels whose shared memory is not logged.", counted(silent, "block")));
    }
    let mut pids: Vec<_> = by_sm.keys().map(|&(pid, _)| pid).collect();
    pids.dedup();
    if pids.len() > 1 {
        let why = format!("{} processes take turns; each is checked separately, and their turns are not checked.", pids.len());
        found.unjudged("R1, R2, R3, X1, A2 between processes, the runlist", why);
    }
}
