//! The built-in examples, enlarged until they fill an H100 as they fill their own GPU.

use blockstep_sim::examples::{self, Example};
use blockstep_sim::scenario::{BlockTimes, Call, Draft, PolicyKind, Scenario};

use crate::margin::Seen;
use crate::{BYTES_PER_NS, MS, Made, device, h100};

/// The longest run, ns.
const LONGEST_NS: u64 = 40 * MS;

/// Times of blocks below this are lost among launches, ns.
const SHORTEST_BLOCK_NS: u64 = MS / 5;

const MOST_BYTES: u64 = 256 << 20;

/// What a block asks for less than its share, so that the KiB that the system takes for it and for blocks without shared
/// memory beside it leaves as many blocks room.
const SPARED_BYTES: u64 = 4096;

/// Jobs of a task where more than two processes take turns.
const MOST_JOBS: u64 = 3;

/// Examples whose second task launches at the same time as the first: which is first would be chance.
const SECOND_LATER: &[&str] = &["tx2-fig-9-tasks"];

/// Those of one address space, and of several that take turns.
pub(crate) fn all() -> Vec<Made> {
    examples::all().filter_map(scaled).collect()
}

fn scaled(example: &Example) -> Option<Made> {
    let mut original = blockstep_format::read_scenario(example.json).unwrap();
    let is_wanted = match original.policy.kind {
        PolicyKind::Fifo | PolicyKind::Priority => true,
        PolicyKind::Runlist => original.processes.iter().all(|process| process.channels <= 1),
        PolicyKind::Edf | PolicyKind::Own => false,
    };
    if !is_wanted {
        return None;
    }
    if original.processes.len() > 2 {
        // Without an end of the study, which would come in the middle of a job.
        original.horizon_ns = None;
        original.tasks.iter_mut().for_each(|task| task.jobs = Some(task.jobs.unwrap_or(MOST_JOBS).min(MOST_JOBS)));
    }
    let before = Seen::of(&original).unwrap_or_else(|error| panic!("{}: {error}", example.id));
    let shortest =
        original.kernels.iter().filter(|row| row.call == Call::Kernel).map(|row| row.block_time_ns.greatest()).min().unwrap_or(0);
    let mut unit = Unit { times: 1, parts: 1 };
    while unit.of(before.end_ns) > LONGEST_NS {
        unit.parts *= 10;
    }
    while unit.parts == 1 && unit.of(shortest) < SHORTEST_BLOCK_NS {
        unit.times *= 10;
    }
    let mut draft = enlarged(&original, unit);
    if SECOND_LATER.contains(&example.id) {
        draft.tasks[1].offset_ns += MS / 5;
    }
    let after = Seen::of(&draft).unwrap_or_else(|error| panic!("{}: {error}", example.id));
    if let Some(moved) = first_moved(&draft, &before, &after) {
        panic!("{}: {moved}", example.id);
    }
    let about = format!("{}; times x {} / {}", example.title, unit.times, unit.parts);
    Some(Made { name: format!("scaled-{}", example.id), about, draft })
}

/// What times are multiplied with and divided by.
#[derive(Clone, Copy)]
struct Unit {
    times: u64,
    parts: u64,
}

impl Unit {
    fn of(self, ns: u64) -> u64 {
        ns * self.times / self.parts
    }
}

fn enlarged(original: &Draft, unit: Unit) -> Draft {
    let scenario = Scenario::new(original).unwrap();
    let (old, new) = (scenario.device(), h100());
    let mut draft = original.clone();
    draft.device = device();
    draft.policy.switch_cost_ns = unit.of(draft.policy.switch_cost_ns);
    draft.horizon_ns = draft.horizon_ns.map(|ns| unit.of(ns));
    for process in &mut draft.processes {
        process.timeslice_ns = unit.of(process.timeslice_ns);
        // As on the GPU of the example, which a device with limits of its own does not say.
        process.preemption = process.preemption.or(Some(original.device.preemption()));
    }
    for task in &mut draft.tasks {
        task.offset_ns = unit.of(task.offset_ns);
        task.call_ns = task.call_ns.map(|ns| unit.of(ns));
    }
    let bytes_of = |bytes: u64| {
        let ns = u128::from(bytes) * 1_000_000_000 / u128::from(old.copy_bandwidth_bytes_per_s);
        (unit.of(ns as u64) * BYTES_PER_NS).min(MOST_BYTES)
    };
    for row in &mut draft.kernels {
        row.start_ns = unit.of(row.start_ns);
        row.call_ns = row.call_ns.map(|ns| unit.of(ns));
        for bytes in [&mut row.bytes, &mut row.copy_in_bytes, &mut row.copy_out_bytes] {
            *bytes = bytes_of(*bytes);
        }
        let copies = new.sms / old.sms;
        row.block_time_ns = match &row.block_time_ns {
            BlockTimes::Each(ns) => BlockTimes::Each(unit.of(*ns)),
            // Each in turn as often as there are SMs for one: they start side by side.
            BlockTimes::List(list) => {
                assert_eq!(new.sms % old.sms, 0);
                BlockTimes::List(list.iter().flat_map(|&ns| std::iter::repeat_n(unit.of(ns), copies as usize)).collect())
            }
        };
        row.blocks = row.blocks * new.sms / old.sms;
        if row.shared_memory_bytes > 0 {
            let shared = row.shared_memory_bytes * new.shared_memory_per_sm / old.shared_memory_per_sm;
            row.shared_memory_bytes = (shared - SPARED_BYTES) / 128 * 128;
        }
    }
    draft
}

/// Two kernels whose first or last blocks do not start in the same order in both runs.
fn first_moved(draft: &Draft, before: &Seen, after: &Seen) -> Option<String> {
    let times = |seen: &Seen| -> Vec<u64> { seen.kernels.iter().flatten().flat_map(|k| [k.first_ns(), k.last_ns]).collect() };
    let (before, after) = (times(before), times(after));
    let names: Vec<_> = draft.kernels.iter().filter(|row| row.call == Call::Kernel).map(|row| &row.name).collect();
    let name = |i: usize| format!("{} of {}", ["first", "last"][i % 2], names[i / 2]);
    (0..before.len())
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .find(|&(i, j)| before[i].cmp(&before[j]) != after[i].cmp(&after[j]))
        .map(|(i, j)| format!("{} and {}: {} and {}, then {} and {}", name(i), name(j), before[i], before[j], after[i], after[j]))
}
