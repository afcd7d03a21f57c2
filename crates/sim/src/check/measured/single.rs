//! What must hold of each launch, block and iteration by itself.
//!
//! Depends on `measured`. Invariant: nothing here compares different logs, but for the device.

use super::{BlockRef, Check, MeasuredFindings};
use crate::language::{and_more, counted, one_or};
use crate::measured::{HostTimes, Launch, Log, Named, seconds};

/// Blocks that a violation lists.
pub(super) const MOST_BLOCKS: usize = 16;

pub(super) fn check(found: &mut MeasuredFindings<'_>) {
    let run = found.run;
    device(found);
    let (mut without_times, mut without_launch, mut not_waited) = (0, 0, 0);
    for (l, log) in run.logs.iter().enumerate() {
        host_times(found, l, log);
        let mut last_call: Option<(usize, (i64, i64))> = None;
        let mut iterations = log.host.iter().peekable();
        let mut iteration: Option<&HostTimes> = None;
        for (k, launch) in log.kernels.iter().enumerate() {
            while let Some(next) = iterations.next_if(|host| host.entry < launch.entry) {
                iteration = Some(next);
            }
            block_count(found, (l, k), launch);
            block_times(found, (l, k), launch);
            without_times += usize::from(launch.blocks.is_empty() && launch.block_count > 0);
            let Some((before, after)) = launch.issued() else {
                without_launch += 1;
                continue;
            };
            launch_times(found, (l, k), launch, (before, after), last_call);
            last_call = Some((k, (before, after)));
            launched(found, (l, k), launch, before);
            let around = iteration
                .filter(|host| host.cpu.is_some_and(|(begin, end)| !found.is_before(before, begin) && !found.is_before(end, before)));
            match launch.waited().or_else(|| Some(around?.cpu?.1)) {
                Some(waited) => ended(found, (l, k), launch, waited),
                None => not_waited += 1,
            }
        }
    }
    if without_times > 0 {
        found.unjudged("all rules", format!("{} without times of blocks.", count_words(without_times, "launch", "launches")));
    }
    if without_launch > 0 {
        found.unjudged(
            "G1, X1, A2, N1, N2",
            format!("{} without the times of the call.", count_words(without_launch, "launch", "launches")),
        );
    }
    if not_waited > 0 {
        found.unjudged(
            "G4",
            format!("{} of which no log says when the CPU had waited for it.", count_words(not_waited, "launch", "launches")),
        );
    }
}

fn count_words(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", one_or(count, one, many))
}

fn device(found: &mut MeasuredFindings<'_>) {
    let run = found.run;
    let device = &found.settings.device;
    let threads = u128::from(device.sms) * u128::from(device.threads_per_sm);
    let at = run.extent().map_or(0, |(begin, _)| begin);
    let mut without = 0;
    for (l, log) in run.logs.iter().enumerate() {
        let Some(resident) = log.max_resident_threads else {
            without += 1;
            continue;
        };
        found.judged(Check::Device, 1);
        if u128::from(resident) != threads {
            found.violation(Check::Device, at, Vec::new(), None, |run| {
                format!("{} tells of {resident} resident threads; {} has {threads}.", run.log_name(l), device.name)
            });
        }
    }
    if without > 0 {
        found.unjudged("device", format!("{} without max_resident_threads.", counted(without, "log")));
    }
}

fn host_times(found: &mut MeasuredFindings<'_>, l: usize, log: &Log) {
    let mut last: Option<(&str, i64)> = None;
    for host in &log.host {
        found.judged(Check::HostTimes, 1);
        let phases = [("copy_in_times", host.copy_in), ("execute_times", host.execute), ("copy_out_times", host.copy_out)];
        for (name, interval) in phases.into_iter().chain([("cpu_times", host.cpu)]) {
            let Some((begin, end)) = interval else { continue };
            if found.is_before(end, begin) {
                found.violation(Check::HostTimes, end, Vec::new(), None, |run| {
                    format!(
                        "{name} of {} (times[{}]) end at {}, before they begin, {}.",
                        run.log_name(l),
                        host.entry,
                        seconds(end),
                        seconds(begin)
                    )
                });
            } else if name != "cpu_times" {
                if let Some((earlier, ended)) = last.filter(|&(_, ended)| found.is_before(begin, ended)) {
                    found.violation(Check::HostTimes, begin, Vec::new(), None, |run| {
                        let log = run.log_name(l);
                        format!(
                            "{name} of {log} (times[{}]) begin at {}, before {earlier} ahead of them end, {}.",
                            host.entry,
                            seconds(begin),
                            seconds(ended)
                        )
                    });
                }
                last = Some((name, end));
            }
        }
    }
}

fn block_count(found: &mut MeasuredFindings<'_>, (l, k): (usize, usize), launch: &Launch) {
    let most = found.settings.device.max_threads_per_block;
    found.judged(Check::BlockSize, 1);
    let at = launch.first_start().or_else(|| launch.launch_ns.first().copied()).unwrap_or(0);
    if launch.thread_count > most {
        found.violation(Check::BlockSize, at, all_blocks((l, k), launch), None, |run| {
            format!("Blocks of {} have {} threads; at most {most} are possible.", run.launch_name(l, k), launch.thread_count)
        });
    }
    if launch.blocks.is_empty() {
        return;
    }
    found.judged(Check::BlockCount, 1);
    if launch.block_count != launch.blocks.len() as u64 {
        found.violation(Check::BlockCount, at, all_blocks((l, k), launch), None, |run| {
            let times = counted(launch.blocks.len(), "block");
            format!("{} has a block count of {}, but times of {times}.", run.launch_name(l, k), launch.block_count)
        });
    }
}

fn all_blocks((log, launch): (usize, usize), what: &Launch) -> Vec<BlockRef> {
    (0..what.blocks.len().min(MOST_BLOCKS)).map(|block| BlockRef { log, launch, block }).collect()
}

/// The blocks of a launch for which something holds: the first few, and how many there are.
pub(super) fn those((log, launch): (usize, usize), what: &Launch, holds: impl Fn(usize) -> bool) -> (Vec<BlockRef>, usize) {
    let all = (0..what.blocks.len()).filter(|&block| holds(block));
    let mut count = 0;
    let mut few = Vec::new();
    for block in all {
        count += 1;
        if few.len() < MOST_BLOCKS {
            few.push(BlockRef { log, launch, block });
        }
    }
    (few, count)
}

/// `Block 3 of K1`, or `Block 3 and 4 more of K1`.
pub(super) fn blocks_of(run: &Named<'_>, few: &[BlockRef], count: usize) -> String {
    let Some(first) = few.first() else { return String::new() };
    let blocks = and_more(&[first.block.to_string()], count.saturating_sub(1));
    format!("Block {blocks} of {}", run.launch_name(first.log, first.launch))
}

fn block_times(found: &mut MeasuredFindings<'_>, at: (usize, usize), launch: &Launch) {
    found.judged(Check::BlockTimes, launch.blocks.len());
    for (block, times) in launch.blocks.iter().enumerate() {
        if found.is_before(times.end_ns, times.start_ns) {
            let blocks = vec![BlockRef { log: at.0, launch: at.1, block }];
            found.violation(Check::BlockTimes, times.end_ns, blocks, None, |run| {
                let name = run.launch_name(at.0, at.1);
                format!("Block {block} of {name} ended at {}, before it began, {}.", seconds(times.end_ns), seconds(times.start_ns))
            });
        }
    }
}

/// The times of one call, and whether the call ahead of it in the same thread had returned.
fn launch_times(
    found: &mut MeasuredFindings<'_>,
    (l, k): (usize, usize),
    launch: &Launch,
    (before, after): (i64, i64),
    last: Option<(usize, (i64, i64))>,
) {
    found.judged(Check::LaunchOrder, 1);
    let times = [before, after, launch.waited().unwrap_or(i64::MAX)];
    if let Some(pair) = times.windows(2).find(|pair| found.is_before(pair[1], pair[0])) {
        found.violation(Check::LaunchOrder, pair[1], Vec::new(), None, |run| {
            format!("The launch of {} has its times out of order: {} after {}.", run.launch_name(l, k), seconds(pair[1]), seconds(pair[0]))
        });
    } else if let Some((earlier, (_, returned))) =
        // One call launches all nodes of a graph.
        last.filter(|&(_, call)| call != (before, after) && found.is_before(before, call.1))
    {
        found.violation(Check::LaunchOrder, before, Vec::new(), Some((l, earlier)), |run| {
            let (name, ahead) = (run.launch_name(l, k), run.launch_name(l, earlier));
            let (at, returned) = (seconds(before), seconds(returned));
            format!("{name} was launched at {at}, before the launch of {ahead}, ahead in the same thread, returned, {returned}.")
        });
    }
}

fn launched(found: &mut MeasuredFindings<'_>, at: (usize, usize), launch: &Launch, before: i64) {
    found.judged(Check::Launch, launch.blocks.len());
    let (few, count) = those(at, launch, |block| {
        let times = launch.blocks[block];
        found.is_before(times.start_ns, before) && !found.is_before(times.end_ns, times.start_ns)
    });
    if let Some(first) = few.iter().map(|b| launch.blocks[b.block].start_ns).min() {
        found.violation(Check::Launch, first, few.clone(), None, |run| {
            format!(
                "{} began at {}, before the kernel was launched, {} at the earliest.",
                blocks_of(run, &few, count),
                seconds(first),
                seconds(before)
            )
        });
    }
}

fn ended(found: &mut MeasuredFindings<'_>, at: (usize, usize), launch: &Launch, waited: i64) {
    if launch.blocks.is_empty() {
        return;
    }
    found.judged(Check::Waited, 1);
    let (few, count) = those(at, launch, |block| found.is_before(waited, launch.blocks[block].end_ns));
    if let Some(last) = few.iter().map(|b| launch.blocks[b.block].end_ns).max() {
        found.violation(Check::Waited, waited, few.clone(), None, |run| {
            format!(
                "{} ended at {}, after the CPU had waited for the kernel, {}.",
                blocks_of(run, &few, count),
                seconds(last),
                seconds(waited)
            )
        });
    }
}
