//! The bounds inside one address space (docs/bounds.md) beside what is simulated.

use blockstep_analysis::space_bound::{NoBound, bounds};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BlockTimes, Call, Device, DeviceDraft, Draft, KernelDraft, NULL_STREAM, PolicyDraft, PolicyKind, Release, Scenario, StreamDraft,
    StreamPriority, TaskDraft,
};
use blockstep_sim::units::{RowId, Span, TaskId};
use blockstep_testing::arbitrary::{cases, drafts, with_launches_only};
use blockstep_testing::sporadic;
use proptest::prelude::*;

/// A device of `sms` SMs with room for two threads each, on which a byte takes 1 ns to copy.
fn device(sms: u64, copy_engines: u64) -> DeviceDraft {
    let device =
        Device { sms, threads_per_sm: 2, blocks_per_sm: 8, copy_engines, copy_bandwidth_bytes_per_s: 1_000_000_000, ..Device::default() };
    DeviceDraft::Custom(Device { max_threads_per_block: 2, ..device })
}

/// A task `T<i>` for each row, which has a stream `S<i>` of that priority to itself; a job every `period`.
fn set(kind: PolicyKind, period: u64, rows: &[(StreamPriority, KernelDraft)]) -> Draft {
    let mut draft = Draft { device: device(1, 1), policy: PolicyDraft { kind, ..PolicyDraft::default() }, ..Draft::default() };
    for (i, (priority, row)) in rows.iter().enumerate() {
        let (task, name) = (format!("T{i}"), format!("S{i}"));
        draft.kernels.push(KernelDraft { name: format!("K{i}"), task: Some(task.clone()), stream: name.clone(), ..row.clone() });
        draft.tasks.push(TaskDraft { release: Release::Periodic, period_ns: Some(period), jobs: Some(2), ..TaskDraft::named(task) });
        draft.streams.push(StreamDraft { process: None, name, priority: *priority, non_blocking: false });
    }
    draft
}

const LOW: StreamPriority = StreamPriority::Low;
const HIGH: StreamPriority = StreamPriority::High;

fn kernel(blocks: u64, threads: u64, time: u64) -> KernelDraft {
    KernelDraft::named("", blocks, threads, time)
}

/// What bounds say: a time in ns, or why not.
fn found(draft: &Draft) -> Vec<Result<u64, NoBound>> {
    bounds(&Scenario::new(draft).unwrap()).into_iter().map(|bound| bound.map(Span::ns)).collect()
}

/// The longest response of every task in the scenario's own run.
fn responses(draft: &Draft) -> Vec<u64> {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    let mut longest = vec![0; run.trace.scenario().tasks().len()];
    for job in &Records::new(&run.trace).jobs {
        let response = job.end.unwrap_or(run.trace.end()).since(job.release).ns();
        longest[job.task.index()] = response.max(longest[job.task.index()]);
    }
    longest
}

#[test]
fn space_bound_of_kernels_that_fill_the_device_is_their_sum() {
    let rows = [(LOW, kernel(1, 2, 5)), (HIGH, kernel(3, 2, 4)), (LOW, kernel(2, 2, 1))];
    // One kernel of each other stream, then its own.
    assert_eq!(found(&set(PolicyKind::Fifo, 100, &rows)), [Ok(19), Ok(19), Ok(19)]);
    // The high one waits for one block of each low kernel at most, of which the SM holds one; the low ones for all others.
    assert_eq!(found(&set(PolicyKind::Priority, 100, &rows)), [Ok(19), Ok(17), Ok(19)]);
    // Two streams at least are on the SM at once, or nothing waits.
    let rows = [(LOW, kernel(1, 1, 5)), (LOW, kernel(1, 1, 9))];
    assert_eq!(found(&set(PolicyKind::Fifo, 100, &rows)), [Ok(5), Ok(9)]);
}

#[test]
fn space_bound_counts_copies_by_their_queues() {
    let copies = |bytes, back| KernelDraft { copy_in_bytes: bytes, copy_out_bytes: back, ..kernel(1, 1, 5) };
    let mut draft = set(PolicyKind::Fifo, 1000, &[(LOW, copies(4, 3)), (LOW, copies(20, 7))]);
    // Two copies of its own, and two of the other's jobs, of which one at most is about: both of its copies.
    assert_eq!(found(&draft), [Ok(4 + 5 + 3 + 20 + 7), Ok(20 + 5 + 7 + 4 + 3)]);
    draft.device = device(1, 2);
    assert_eq!(found(&draft), [Ok(4 + 5 + 3 + 20 + 7), Ok(20 + 5 + 7 + 4 + 3)]);
    draft.kernels[1].copy_out_bytes = 0;
    assert_eq!(found(&draft), [Ok(4 + 5 + 3 + 20), Ok(20 + 5 + 4)]);
}

#[test]
fn space_bound_says_why_there_is_none() {
    let rows = [(LOW, kernel(1, 2, 5)), (HIGH, kernel(3, 2, 4))];
    let base = set(PolicyKind::Priority, 100, &rows);
    let why = |change: &dyn Fn(&mut Draft)| {
        let mut draft = base.clone();
        change(&mut draft);
        let scenario = Scenario::new(&draft).unwrap();
        let bound = bounds(&scenario).swap_remove(0);
        bound.map_err(|why| (why.sentence(&scenario), why).1)
    };
    let (row, other) = (RowId(0), TaskId(1));
    assert_eq!(why(&|_| ()), Ok(Span(17)));
    assert_eq!(why(&|d| drop(d.kernels.remove(0))), Err(NoBound::NoWork));
    assert_eq!(why(&|d| d.connections = Some(1)), Err(NoBound::Connections(1)));
    assert_eq!(why(&|d| d.connections = Some(2)), Ok(Span(17)));
    assert_eq!(why(&|d| d.tasks[0].consumes = vec!["T1".to_owned()]), Err(NoBound::Producers(other)));
    assert_eq!(why(&|d| d.tasks[0].call_ns = Some(1)), Err(NoBound::CallsInTurn));
    assert_eq!(why(&|d| d.kernels[0].waits_for = vec!["E".to_owned()]), Err(NoBound::Events(row)));
    assert_eq!(why(&|d| d.kernels[1].records = Some("E".to_owned())), Ok(Span(17)));
    assert_eq!(why(&|d| d.kernels[0].stream = NULL_STREAM.to_owned()), Err(NoBound::NullStream(row)));
    let unmet = |d: &mut Draft| {
        d.kernels[0].stream = NULL_STREAM.to_owned();
        d.streams[1].non_blocking = true;
    };
    assert_eq!(why(&unmet), Ok(Span(17)));
    let shared = |d: &mut Draft| {
        d.kernels[0].stream = "S1".to_owned();
        d.tasks[1].call_ns = Some(1);
    };
    assert_eq!(why(&shared), Err(NoBound::SharedStream { row, other }));
    // Of the high task's jobs three may have work in a wait of 36 ns: 36 and 17 ns are less than three periods.
    let often = |d: &mut Draft| (d.tasks[1].period_ns, d.tasks[1].jobs, d.horizon_ns) = (Some(18), None, Some(100));
    assert_eq!(why(&often), Ok(Span(5 + 3 * 12)));
    // What may fill the SM so that a block of two threads finds no room is there all the time.
    let starving = |d: &mut Draft| {
        (d.tasks[1].period_ns, d.tasks[1].jobs, d.horizon_ns) = (Some(20), None, Some(100));
        (d.kernels[1].blocks, d.kernels[1].threads_per_block, d.kernels[1].block_time_ns) = (2, 1, BlockTimes::Each(10));
    };
    assert_eq!(why(&starving), Err(NoBound::Starved(row)));
    let always = |d: &mut Draft| {
        (d.tasks[1].release, d.tasks[1].period_ns, d.tasks[1].jobs, d.horizon_ns) = (Release::Continuous, None, None, Some(100));
    };
    assert_eq!(why(&always), Err(NoBound::Ahead { row, other }));
    assert_eq!(why(&|d| d.tasks[0].period_ns = Some(16)), Err(NoBound::Overlap { bound: Span(17), period: Span(16) }));
    let graph = |d: &mut Draft| {
        let row = |name: &str| KernelDraft { task: Some("T1".to_owned()), stream: "S1".to_owned(), ..KernelDraft::named(name, 1, 1, 1) };
        d.kernels.push(KernelDraft { call: Call::LaunchGraph, ..row("G") });
        d.kernels.push(KernelDraft { graph: Some("G".to_owned()), ..row("N") });
    };
    assert_eq!(why(&graph), Err(NoBound::Graphs(RowId(2))));
    let large = |d: &mut Draft| (0..400).for_each(|i| d.kernels.push(KernelDraft { name: format!("L{i}"), ..d.kernels[0].clone() }));
    assert_eq!(why(&large), Err(NoBound::TooLarge(402)));
    let mut turns = base.clone();
    turns.policy.kind = PolicyKind::Runlist;
    assert!(found(&turns).is_empty());
}

/// Every bound of a draft that its own run exceeds.
fn exceeded(draft: &Draft) -> Vec<(usize, u64, u64)> {
    let found = found(draft).into_iter().zip(responses(draft)).enumerate();
    found.filter_map(|(task, (bound, longest))| bound.ok().filter(|&bound| longest > bound).map(|bound| (task, bound, longest))).collect()
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn space_bound_holds_in_runs_of_every_feature(draft in drafts()) {
        prop_assert_eq!(exceeded(&draft), vec![]);
    }

    #[test]
    fn space_bound_holds_in_runs_of_launches(draft in drafts()) {
        let mut draft = with_launches_only(draft);
        draft.connections = None;
        draft.tasks.iter_mut().for_each(|task| task.consumes.clear());
        for row in &mut draft.kernels {
            row.waits_for.clear();
            if row.stream == NULL_STREAM {
                row.stream = "S3".to_owned();
            }
        }
        prop_assert_eq!(exceeded(&draft), vec![]);
    }

    #[test]
    fn space_bound_holds_whenever_jobs_are_released(seed: u64, releases: [u64; 4]) {
        let set = sporadic::set(seed);
        let found = found(&set);
        for seed in releases {
            let released = sporadic::releases(&set, seed);
            for (task, (bound, longest)) in found.iter().zip(sporadic::longest(&set, &released)).enumerate() {
                if let Ok(bound) = bound {
                    prop_assert!(longest <= *bound, "task {}: {} ns, bound {} ns", task, longest, bound);
                }
            }
        }
    }
}

/// All sets of `tasks` tasks with one kernel each: one or two SMs, `fifo` and every priority, one or two blocks of one or two threads that
/// run for up to `time` ns, a copy of 1 ns before it or none, two jobs 24 ns apart, the first of one of them at 0 and the others up to
/// `offset` ns later. Says how many runs that is, and how many bounds are reached.
fn all_sets(tasks: u32, time: u64, copies: u64, offset: u64) -> (u64, u64) {
    let kinds = 4 * time * (copies + 1);
    let row = |kind: u64| {
        let copy_in_bytes = kind / (4 * time);
        KernelDraft { copy_in_bytes, ..kernel(1 + kind % 2, 1 + kind / 2 % 2, 1 + kind / 4 % time) }
    };
    let digits = |of: u64, base: u64| (0..tasks).map(move |place| of / base.pow(place) % base);
    let (mut runs, mut reached) = (0, 0);
    for priorities in 0..=1 << tasks {
        for rows in 0..kinds.pow(tasks) {
            let priority = |of: u32| if priorities >> of & 1 == 1 { HIGH } else { LOW };
            let rows: Vec<_> = digits(rows, kinds).zip(0..).map(|(kind, of)| (priority(of), row(kind))).collect();
            let kind = if priorities == 1 << tasks { PolicyKind::Fifo } else { PolicyKind::Priority };
            for sms in 1..=2 {
                let mut draft = Draft { device: device(sms, 1), ..set(kind, 24, &rows) };
                let found = found(&draft);
                let mut longest = vec![0; tasks as usize];
                for offsets in (0..(offset + 1).pow(tasks)).filter(|&offsets| digits(offsets, offset + 1).any(|offset| offset == 0)) {
                    draft.tasks.iter_mut().zip(digits(offsets, offset + 1)).for_each(|(task, offset)| task.offset_ns = offset);
                    longest.iter_mut().zip(responses(&draft)).for_each(|(longest, response)| *longest = response.max(*longest));
                    runs += 1;
                }
                for (bound, longest) in found.into_iter().zip(longest) {
                    if let Ok(bound) = bound {
                        assert!(longest <= bound, "{longest} ns, bound {bound} ns: {draft:#?}");
                        reached += u64::from(longest == bound);
                    }
                }
            }
        }
    }
    (runs, reached)
}

#[test]
fn space_bound_holds_in_all_tiny_sets_of_two_tasks() {
    let (runs, reached) = all_sets(2, 2, 1, 4);
    assert_eq!(runs, 5 * 16 * 16 * 2 * 9);
    assert!(reached > 0);
}

/// Takes minutes; `make fuzz` runs it.
#[test]
#[ignore = "takes minutes; make fuzz runs it"]
fn space_bound_holds_in_all_tiny_sets_of_three_tasks() {
    let (runs, reached) = all_sets(3, 2, 0, 3);
    println!("{runs} runs, {reached} bounds reached");
}

/// Looks for a release that exceeds a bound: `BLOCKSTEP_FUZZ_CASES` runs, a thousand of each set, from `PROPTEST_RNG_SEED` on. Says how far above
/// the longest response the bounds are.
#[test]
#[ignore = "takes minutes; make fuzz runs it"]
fn space_bound_hunt() {
    const RUNS: u64 = 1000;
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (sets, seed) = (number("BLOCKSTEP_FUZZ_CASES").unwrap_or(100_000) / RUNS, number("PROPTEST_RNG_SEED").unwrap_or(0));
    let mut ratios = Vec::new();
    for seed in seed..seed + sets {
        let set = sporadic::set(seed);
        let found = found(&set);
        let mut longest = vec![0; found.len()];
        for run in 0..RUNS {
            let released = sporadic::releases(&set, seed.wrapping_mul(RUNS).wrapping_add(run));
            longest.iter_mut().zip(sporadic::longest(&set, &released)).for_each(|(longest, response)| *longest = response.max(*longest));
        }
        for (task, (bound, longest)) in found.into_iter().zip(longest).enumerate() {
            if let Ok(bound) = bound {
                assert!(longest <= bound, "set {seed}, task {task}: {longest} ns, bound {bound} ns");
                ratios.push(bound * 1000 / longest.max(1));
            }
        }
    }
    ratios.sort_unstable();
    let at = |share: usize| ratios.get(ratios.len() * share / 100).map_or(0, |ratio| *ratio);
    println!("{} runs, {} bounds; bound over longest, thousandths: median {}, 90 of 100 {}", sets * RUNS, ratios.len(), at(50), at(90));
}

/// Of the five tables of [TX2] those without the NULL stream have a bound for each task; Table 2 has none (`docs/papers.md`).
#[test]
fn space_bound_of_the_papers_tables() {
    let bounded = [1, 2, 3, 4, 5].map(|table| {
        let example = blockstep_sim::examples::find(&format!("tx2-table-{table}")).unwrap();
        let found = found(&blockstep_format::read_scenario(example.json).unwrap());
        found.iter().filter(|bound| bound.is_ok()).count()
    });
    assert_eq!(bounded, [2, 0, 1, 1, 1]);
}
