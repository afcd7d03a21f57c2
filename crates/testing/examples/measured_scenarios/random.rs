//! Scenarios drawn at random, each drawn again until its order holds on a real GPU.

use std::collections::BTreeMap;

use blockstep_sim::occupancy::Limits;
use blockstep_sim::scenario::{
    BlockEnds, BlockTimes, BuiltIn, DeviceDraft, Draft, KernelDraft, Placement, StreamDraft, StreamPriority, TaskDraft,
};

use crate::margin::{self, Seen};
use crate::{BYTES_PER_NS, MS, Made, device, h100};

/// How many.
pub(crate) const COUNT: u64 = 120;
/// So many keep to the rules of the TX2. By what they showed of an H200, the others keep to its rules.
const BY_RULES_OF_TX2: u64 = 60;

const LONGEST_NS: u64 = 30 * MS;

/// Numbers that look random and are the same for the same seed (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From `least` to `greatest`, both included.
    pub(crate) fn between(&mut self, least: u64, greatest: u64) -> u64 {
        least + self.next() % (greatest - least + 1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.between(1, n) == 1
    }

    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.between(0, list.len() as u64 - 1) as usize]
    }
}

/// What limits the blocks of an SM, of at least one kernel of a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scarce {
    Threads,
    Shared,
    Registers,
}

/// Scenario `index`, and whether a kernel of it waits for room, some of its blocks do, shared memory limits a kernel,
/// and registers do.
pub(crate) fn draw(index: u64) -> (Made, [bool; 4]) {
    let scarce = [Scarce::Shared, Scarce::Registers, Scarce::Threads, Scarce::Threads][(index % 4) as usize];
    for attempt in 0.. {
        let draft = drawn(index, scarce, &mut Dice::new((index << 32) + attempt));
        let Ok(seen) = Seen::of(&draft) else { continue };
        let mut kernels = seen.kernels.iter().flatten();
        let waits = kernels.clone().any(margin::Kernel::waits_for_room);
        let has_waves = kernels.any(margin::Kernel::has_waiting_blocks);
        // Six in ten have a kernel that waits for room; of the others some have one by chance.
        if (index % 10 < 6 && !waits) || seen.end_ns > LONGEST_NS || !margin::is_robust(&draft, &seen) {
            continue;
        }
        let limited = |place: usize| draft.kernels.iter().any(|row| alone(row).is_some_and(|(_, limit)| limit == place));
        if (scarce == Scarce::Registers && !limited(2)) || (scarce == Scarce::Shared && !limited(3)) {
            continue;
        }
        let about = describe(&draft, attempt);
        return (Made { name: format!("random-{index:02}"), about, draft: draft.clone() }, [waits, has_waves, limited(3), limited(2)]);
    }
    unreachable!("attempts do not end")
}

fn describe(draft: &Draft, attempt: u64) -> String {
    let has = |what: &str, is_so: bool| if is_so { format!(", {what}") } else { String::new() };
    let rows = &draft.kernels;
    let streams = rows.iter().map(|row| &row.stream).collect::<std::collections::BTreeSet<_>>().len();
    format!(
        "{} kernels, {streams} streams, {} tasks{}{}{}{}{}{}{} (draw {attempt})",
        rows.len(),
        draft.tasks.len(),
        has("NULL", rows.iter().any(|row| row.stream == "NULL")),
        has("high", draft.streams.iter().any(|stream| stream.priority == StreamPriority::High)),
        has("non-blocking", draft.streams.iter().any(|stream| stream.non_blocking)),
        has("event", rows.iter().any(|row| !row.waits_for.is_empty())),
        has("after", rows.iter().any(|row| row.after.is_some())),
        has("copies", rows.iter().any(|row| row.copy_in_bytes + row.copy_out_bytes > 0)),
        has("shared", rows.iter().any(|row| row.shared_memory_bytes > 0))
            + &has("registers", rows.iter().any(|row| row.registers_per_thread > 0)),
    )
}

/// How many blocks an SM holds of a kernel, and the place in `occupancy::NAMES` of what limits them; `None` if the real
/// GPU, which hands out in steps, holds another number.
fn alone(row: &KernelDraft) -> Option<(u64, usize)> {
    let device = h100();
    let (threads, registers, shared) = (row.threads_per_block, row.registers_per_thread, row.shared_memory_bytes);
    let (real, limit) = Limits::at_capability((9, 0))?.resident(threads, registers as u32, shared as u32);
    let by = |all: u64, each: u64| all.checked_div(each).unwrap_or(u64::MAX);
    let exact = device
        .blocks_per_sm
        .min(by(device.threads_per_sm, threads))
        .min(by(device.registers_per_sm, threads * registers))
        .min(by(device.shared_memory_per_sm, shared));
    (exact == real).then_some((real, limit))
}

/// A kernel with its needs and its blocks; which of its needs is scarce is drawn too.
fn kernel(name: String, scarce: Scarce, dice: &mut Dice) -> (KernelDraft, u64) {
    loop {
        let threads = match scarce {
            // A warp of each part of an SM in turn, so that parts fill alike.
            Scarce::Registers => dice.of(&[128, 256, 256, 384, 512]),
            _ => dice.of(&[32, 64, 96, 128, 160, 224, 256, 256, 352, 384, 512, 512, 640, 768, 768, 896, 1024, 1024, 1024]),
        };
        let mut row = KernelDraft::named(name.clone(), 1, threads, 1);
        if scarce == Scarce::Registers {
            // All of them: one that says nothing would take some, too.
            row.registers_per_thread = dice.of(&[32, 64, 64, 128, 128]);
        }
        if scarce == Scarce::Shared && !dice.one_in(3) {
            let of_sm = dice.between(1, 8);
            row.shared_memory_bytes = (h100().shared_memory_per_sm / of_sm - 1024) / 128 * 128 - 128 * dice.between(0, 4);
        }
        let Some((of_sm, _)) = alone(&row) else { continue };
        let wave = of_sm * h100().sms;
        let blocks = match dice.between(0, 9) {
            0 => dice.between(1, 32),
            1..=4 => wave * dice.between(20, 95) / 100,
            5 | 6 => wave,
            _ => wave * dice.between(110, 300) / 100,
        };
        row.blocks = blocks.clamp(1, 3_000);
        return (row, wave);
    }
}

fn drawn(index: u64, scarce: Scarce, dice: &mut Dice) -> Draft {
    let streams = dice.between(2, 5);
    let kernels = dice.between(streams.max(3), 9);
    let special = |dice: &mut Dice, n: u64| if dice.one_in(n) { Some(dice.between(1, streams)) } else { None };
    let null = special(dice, 4);
    let high = special(dice, 3).filter(|high| null != Some(*high));
    let apart = special(dice, if null.is_some() { 2 } else { 6 }).filter(|apart| null != Some(*apart));
    let one_task_less = dice.one_in(4);
    let stream_name = |stream: u64| if null == Some(stream) { "NULL".to_owned() } else { format!("S{stream}") };
    let task_of = |stream: u64| if one_task_less && stream == streams { 1 } else { stream };

    let mut draft = Draft { name: format!("Random {index}"), device: device(), ..Draft::default() };
    if index >= BY_RULES_OF_TX2 {
        let device = DeviceDraft::Custom(BuiltIn::find("h200").unwrap().device());
        draft = Draft { device, placement: Placement::MostRoom, block_ends: BlockEnds::OneByOne, ..draft };
    }
    draft.streams = (1..=streams)
        .filter(|stream| [high, apart].contains(&Some(*stream)))
        .map(|stream| StreamDraft {
            name: stream_name(stream),
            priority: if high == Some(stream) { StreamPriority::High } else { StreamPriority::None },
            non_blocking: apart == Some(stream),
            ..StreamDraft::default()
        })
        .collect();
    draft.tasks = (1..=streams - u64::from(one_task_less)).map(|task| TaskDraft::named(format!("T{task}"))).collect();

    // Of each task: when its last row is launched, that row's name, and whether it counts from another row.
    let mut last: BTreeMap<u64, (u64, String, bool)> = BTreeMap::new();
    let mut copies = 0;
    for i in 0..kernels {
        let stream = if i < streams { i + 1 } else { dice.between(1, streams) };
        let task = task_of(stream);
        let (mut row, wave) = kernel(format!("K{}", i + 1), scarce, dice);
        row.stream = stream_name(stream);
        row.task = Some(format!("T{task}"));
        let offset = dice.of(&[0, 0, 0, 30_000, 50_000, 70_000]);
        let (start, is_after) = match last.get(&task) {
            None => (dice.between(0, 40) * 100_000 + offset, false),
            // A thread that waits for a row launches later rows late: they all count from rows before them.
            Some((_, before, was_after)) if *was_after || dice.one_in(6) => {
                row.after = Some(before.clone());
                (dice.between(1, 15) * 100_000 + offset, true)
            }
            Some((start, ..)) => (start + dice.between(2, 30) * 100_000 + offset, false),
        };
        row.start_ns = start;
        last.insert(task, (start, row.name.clone(), is_after));
        let time = dice.between(8, 80) * 50_000;
        row.block_time_ns = BlockTimes::Each(time);
        if row.blocks <= wave.min(300) && row.blocks > 1 && dice.one_in(6) {
            let more = dice.between(8, 30) * 50_000;
            let short = time.min(4 * MS - more);
            let times = (0..row.blocks).map(|block| if block < row.blocks / 2 { short } else { short + more });
            row.block_time_ns = BlockTimes::List(times.collect());
        }
        for bytes in [&mut row.copy_in_bytes, &mut row.copy_out_bytes] {
            if copies < 3 && dice.one_in(8) {
                copies += 1;
                *bytes = dice.between(3, 20) * 100_000 * BYTES_PER_NS;
            }
        }
        draft.kernels.push(row);
    }
    if dice.one_in(3) {
        add_event(&mut draft, dice);
    }
    draft
}

/// Lets a row of one stream wait for an earlier row of another one.
fn add_event(draft: &mut Draft, dice: &mut Dice) {
    let rows = &draft.kernels;
    let can_wait = |i: usize, j: usize| {
        rows[i].stream != rows[j].stream
            && rows[i].after.is_none()
            && rows[j].after.is_none()
            && rows[i].start_ns + 200_000 <= rows[j].start_ns
    };
    let pairs: Vec<_> = (0..rows.len()).flat_map(|i| (0..rows.len()).map(move |j| (i, j))).filter(|&(i, j)| can_wait(i, j)).collect();
    if !pairs.is_empty() {
        let (i, j) = dice.of(&pairs);
        draft.kernels[i].records = Some("E1".to_owned());
        draft.kernels[j].waits_for.push("E1".to_owned());
    }
}
