//! Files of strangers that ask for much: each is refused, with both numbers, or comes to an end. What they cost is
//! measured by `benches/growth.rs`.

mod listed;

use std::fmt::Write;

use blockstep_analysis::runlist_bound::bounds;
use blockstep_format::{self as format, ImportOptions};
use blockstep_sim::engine::{Limits, Simulation, simulate, simulate_varied};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::device::MAX_SMS;
use blockstep_sim::scenario::{
    BuiltIn, Device, DeviceDraft, Draft, Interleave, KernelDraft, MAX_WAITS, NULL_STREAM, PolicyDraft, PolicyKind, ProcessDraft, Release,
    Scenario, TaskDraft,
};
use blockstep_sim::trace::{Cut, Variant, Variants};
use blockstep_sim::units::Span;
use blockstep_sim::work::{Budget, Progress};

use blockstep_testing::growing;

const STEPS: Limits = Limits { max_steps: 20_000 };

fn policy(kind: PolicyKind) -> PolicyDraft {
    PolicyDraft { kind, ..PolicyDraft::default() }
}

fn kernel(i: usize, task: &str) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), stream: format!("S{i}"), ..KernelDraft::named(format!("K{i}"), 1, 256, 1_000) }
}

fn wide(sms: u64) -> DeviceDraft {
    DeviceDraft::Custom(Device { sms, ..Device::default() })
}

/// A process for each task, with a kernel.
fn processes(kind: PolicyKind, count: usize, sms: u64) -> Draft {
    let mut draft = Draft { policy: policy(kind), device: wide(sms), ..Draft::default() };
    for i in 0..count {
        draft.processes.push(ProcessDraft::named(format!("P{i}")));
        let (process, deadline_ns) = (Some(format!("P{i}")), Some(1_000_000_000));
        draft.tasks.push(TaskDraft { process, deadline_ns, ..TaskDraft::named(format!("T{i}")) });
        draft.kernels.push(kernel(i, &format!("T{i}")));
    }
    draft
}

/// Jobs that are released far faster than they run.
fn overload(kind: PolicyKind, start_ns: u64) -> Draft {
    let mut draft = Draft { policy: policy(kind), horizon_ns: Some(u64::MAX), ..Draft::default() };
    for i in 0..3 {
        let task = TaskDraft { release: Release::Periodic, period_ns: Some(1), budget_ns: Some(1), ..TaskDraft::named(format!("T{i}")) };
        let consumes = (0..i).map(|before| format!("T{before}")).collect();
        draft.tasks.push(TaskDraft { consumes, ..task });
        let first = KernelDraft { start_ns, ..kernel(2 * i, &format!("T{i}")) };
        let then = KernelDraft { after: Some(first.name.clone()), stream: NULL_STREAM.to_owned(), ..kernel(2 * i + 1, &format!("T{i}")) };
        draft.kernels.extend([first, KernelDraft { start_ns, ..then }]);
    }
    draft
}

/// Everything waits for something that never comes.
fn never(kind: PolicyKind) -> Draft {
    let mut draft = overload(kind, 0);
    draft.tasks[0] = TaskDraft { offset_ns: u64::MAX, ..TaskDraft::named("T0") };
    draft
}

/// Numbers at their limits.
fn large_numbers(kind: PolicyKind) -> Draft {
    let mut draft = processes(kind, 2, 1);
    for kernel in &mut draft.kernels {
        (kernel.blocks, kernel.start_ns) = (u64::MAX, u64::MAX / 2);
        (kernel.block_time_ns, kernel.block_time_max_ns) = (blockstep_sim::scenario::BlockTimes::Each(1), Some(u64::MAX));
    }
    draft.policy.switch_cost_ns = u64::MAX;
    draft
}

/// One kernel after the other, each waiting for the one before.
fn rows_in_a_chain(rows: usize) -> Draft {
    let mut draft = Draft::default();
    for i in 0..rows {
        let after = i.checked_sub(1).map(|before| format!("K{before}"));
        draft.kernels.push(KernelDraft { after, ..KernelDraft::named(format!("K{i}"), 1, 1, 1) });
    }
    draft
}

/// Each row records an event and waits for those of so many before it.
fn behind_events(rows: usize, waits: usize) -> Draft {
    let mut draft = Draft::default();
    for i in 0..rows {
        let kernel = KernelDraft { stream: format!("S{i}"), ..KernelDraft::named(format!("K{i}"), 1, 1, 1) };
        let waits_for = (i.saturating_sub(waits)..i).map(|before| format!("E{before}")).collect();
        draft.kernels.push(KernelDraft { waits_for, records: Some(format!("E{i}")), ..kernel });
    }
    draft
}

/// Producers of one task, whose consumers have ever earlier deadlines: each of these becomes that of every producer.
fn hub(count: usize) -> Draft {
    let mut draft = Draft { policy: policy(PolicyKind::Edf), ..Draft::default() };
    let mut add = |name: String, consumes: Vec<String>, deadline_ns: u64| {
        draft.kernels.push(kernel(draft.kernels.len(), &name));
        draft.tasks.push(TaskDraft { consumes, deadline_ns: Some(deadline_ns), ..TaskDraft::named(name) });
    };
    (0..count).for_each(|i| add(format!("P{i}"), Vec::new(), 1_000_000_000));
    add("Hub".to_owned(), (0..count).map(|i| format!("P{i}")).collect(), 900_000_000);
    (0..count).for_each(|i| add(format!("C{i}"), vec!["Hub".to_owned()], 800_000_000 - i as u64));
    draft
}

fn corpus() -> Vec<(String, Draft)> {
    let mut all: Vec<(String, Draft)> = growing::SHAPES.iter().map(|&(name, shape)| (name.to_owned(), shape(200))).collect();
    all.push(("rows in a chain".to_owned(), rows_in_a_chain(2_000)));
    all.push(("consumers of a hub".to_owned(), hub(200)));
    all.push(("rows behind many events".to_owned(), behind_events(2_000, MAX_WAITS)));
    all.push(("rows behind too many events".to_owned(), behind_events(100, 99)));
    all.push(("blocks without end".to_owned(), Draft { kernels: vec![KernelDraft::named("K", u64::MAX, 1, 1)], ..Draft::default() }));
    for kind in [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Runlist, PolicyKind::Edf] {
        let mut add = |what: &str, draft| all.push((format!("{what} under {kind:?}"), draft));
        add("processes on many SMs", processes(kind, 40, MAX_SMS));
        add("too many processes on too many SMs", processes(kind, 1_000, MAX_SMS));
        add("many processes", processes(kind, 1_000, 2));
        add("overload", overload(kind, 0));
        add("overload that begins late", overload(kind, 1_000));
        add("producers that never come", never(kind));
        add("large numbers", large_numbers(kind));
    }
    all
}

#[test]
fn hostile_scenarios_are_refused_or_end() {
    for (name, draft) in corpus() {
        let scenario = match Scenario::new(&draft) {
            Ok(scenario) => scenario,
            Err(error) => {
                assert!(!error.problems.is_empty(), "{name}");
                continue;
            }
        };
        let mut sets = vec![Variants::NONE];
        if scenario.policy().kind == PolicyKind::Edf && scenario.tasks().len() <= 200 {
            sets.extend([Variant::NoNullBarrier, Variant::NoInheritance, Variant::FixedPriority].map(|one| Variants::NONE.with(one)));
        }
        for variants in sets {
            let run = simulate_varied(&scenario, variants, STEPS);
            assert!(run.trace.steps().len() <= STEPS.max_steps as usize, "{name}");
            assert!(!matches!(run.trace.cut(), Some(Cut::Internal { .. })), "{name}: {:?}", run.trace.cut());
        }
    }
}

/// What every process remembers of every SM has a limit, where processes take turns.
#[test]
fn hostile_processes_times_sms_are_limited() {
    for kind in [PolicyKind::Runlist, PolicyKind::Edf] {
        let refused = Scenario::new(&processes(kind, 977, MAX_SMS)).unwrap_err().to_string();
        let kind = blockstep_sim::scenario::Choice::word(kind);
        assert_eq!(refused, format!("processes are 977 on a device of 4,096 SMs; under {kind} at most 976 are simulated there"));
    }
    assert!(Scenario::new(&processes(PolicyKind::Edf, 976, MAX_SMS)).is_ok());
    assert!(Scenario::new(&processes(PolicyKind::Priority, 977, MAX_SMS)).is_ok(), "one address space for all");
}

/// [EDF] Theorem 1 adds up the stays of all other processes. If each task looked at all of them, and at all tasks of each, this would
/// take minutes.
#[test]
fn hostile_bounds_look_at_each_process_once() {
    let count = 5_000;
    let mut draft = processes(PolicyKind::Runlist, count, 1);
    draft.processes.iter_mut().for_each(|process| process.interleave = Interleave::High);
    let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let bounds = bounds(&run.trace, &Records::new(&run.trace), Limits::default());
    assert_eq!(bounds.len(), count);
    for bound in bounds {
        let bound = bound.unwrap();
        assert_eq!((bound.gaps, bound.other, bound.switches), (1, None, count as u64));
        assert_eq!(bound.gap, Some(Span((count as u64 - 1) * 1_000)));
    }
}

/// A budget is found on no more SMs than the job has blocks, which comes to the same.
#[test]
fn hostile_budgets_need_few_sms() {
    for sms in [1, 2, 5, MAX_SMS] {
        let mut draft = processes(PolicyKind::Edf, 1, sms);
        draft.kernels[0].blocks = 3;
        draft.kernels[0].threads_per_block = 1_024;
        draft.kernels.push(KernelDraft { threads_per_block: 1_024, ..kernel(1, "T0") });
        let scenario = Scenario::new(&draft).unwrap();
        let alone = scenario.alone(blockstep_sim::units::TaskId(0));
        assert_eq!(alone.device().sms, sms.min(4), "it has four blocks");
        let budget = simulate(&scenario, STEPS).trace.budget(blockstep_sim::units::TaskId(0));
        assert_eq!(budget.ns(), if sms == 1 { 2_000 } else { 1_000 });
    }
}

fn config(benchmarks: usize, iterations: u32, settings: &str) -> String {
    let mut text = format!("{{ \"name\": \"C\", \"max_iterations\": {iterations}, \"max_time\": 0, {settings} \"benchmarks\": [");
    for i in 0..benchmarks {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}\n{{ \"filename\": \"./bin/timer_spin.so\", \"log_name\": \"l{i}.json\", \"thread_count\": 128, \"block_count\": 2, \
             \"additional_info\": 1000 }}"
        );
    }
    text + "\n] }"
}

/// Configs of many benchmarks: each is read, or refused with both numbers.
#[test]
fn hostile_configs_are_refused_or_end() {
    const TOGETHER: &str = "\"sync_every_iteration\": true,";
    const APART: &str = "\"sync_every_iteration\": true, \"use_processes\": true,";
    for (benchmarks, iterations, settings) in [(300, 1, ""), (300, 3, TOGETHER), (40, 3, APART), (300, 1, "\"use_processes\": true,")] {
        let opened = format::open(&config(benchmarks, iterations, settings), &ImportOptions::default()).unwrap();
        let tasks = match settings {
            TOGETHER => 1,
            APART => benchmarks * iterations as usize,
            _ => benchmarks,
        };
        assert_eq!(opened.draft.tasks.len(), tasks, "{settings}");
        assert_eq!(opened.log_names.len(), benchmarks);
        let run = simulate(&Scenario::new(&opened.draft).unwrap(), STEPS);
        assert_eq!(run.trace.cut(), None, "{settings}");
    }
    let refused = format::open(&config(2_000, 3, APART), &ImportOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("8000000 names in consumes; the limit is 1000000"), "{refused}");
}

/// The built-in devices are well below the limit.
#[test]
fn hostile_limits_leave_room_for_gpus() {
    let sms = BuiltIn::find("titanv").unwrap().device().sms;
    assert!(Scenario::new(&processes(PolicyKind::Edf, 1_000, sms)).is_ok());
}

/// The work of a whole run, and its steps.
fn work(draft: &Draft) -> (u64, usize) {
    let mut simulation = Simulation::new(&Scenario::new(draft).unwrap(), Variants::NONE, Limits::default());
    let mut budget = Budget::new(u64::MAX);
    assert_eq!(simulation.run_for(&mut budget), Progress::Done);
    let run = simulation.finish();
    assert_eq!(run.trace.cut(), None);
    (budget.spent(), run.trace.steps().len())
}

fn shape(name: &str) -> fn(u64) -> Draft {
    growing::SHAPES.iter().find(|(shape, _)| *shape == name).unwrap().1
}

/// Every task consumes all before it, and each deadline is earlier than those before: a deadline is passed on along a chain.
#[test]
fn hostile_full_graphs_cost_what_they_hold() {
    let mut draft = shape("dependencies of tasks that each consume all before them")(720_000);
    let (tasks, entries) = (draft.tasks.len() as u64, draft.size());
    assert_eq!(tasks, 1_200);
    let (plain, _) = work(&draft);
    assert!(plain < 8 * entries, "{plain} units for {entries} entries");
    // Every server is used up several times, and its deadline postponed.
    draft.policy.cbs = true;
    draft.tasks.iter_mut().for_each(|task| task.budget_ns = Some(400));
    let (postponed, _) = work(&draft);
    assert!(postponed < 40 * entries, "{postponed} units for {entries} entries");
}

/// Jobs that are between two rows, with nothing issued, are not looked at.
#[test]
fn hostile_idle_jobs_cost_nothing() {
    let idle = |jobs| {
        let mut draft = Draft { policy: policy(PolicyKind::Edf), horizon_ns: Some(10_000_000), ..Draft::default() };
        for (i, name) in ["a", "b"].into_iter().enumerate() {
            let task = TaskDraft { release: Release::Periodic, period_ns: Some(1_000), jobs: Some(jobs), ..TaskDraft::named(name) };
            draft.tasks.push(TaskDraft { deadline_ns: Some(5_000_000), ..task });
            let first = KernelDraft { block_time_ns: blockstep_sim::scenario::BlockTimes::Each(10), ..kernel(2 * i, name) };
            let then = KernelDraft { after: Some(first.name.clone()), start_ns: 5_000_000, ..kernel(2 * i + 1, name) };
            draft.kernels.extend([first, then]);
        }
        draft.tasks[1].consumes = vec!["a".to_owned()];
        work(&draft)
    };
    let [(few, of_few), (many, of_many)] = [500, 4_000].map(idle);
    assert!(of_many > 7 * of_few, "{of_few} steps, and {of_many}");
    assert!(many < 10 * few, "{few} units, and {many}");
}

/// On thousands of SMs no placement looks at all of them for each block, and processes share what they have not touched.
#[test]
fn hostile_placements_do_not_look_at_every_sm() {
    for placement in [
        blockstep_sim::scenario::Placement::FirstFit,
        blockstep_sim::scenario::Placement::MostFree,
        blockstep_sim::scenario::Placement::RoundRobin,
    ] {
        let mut draft = processes(PolicyKind::Priority, 1, MAX_SMS);
        draft.placement = placement;
        (draft.kernels[0].blocks, draft.kernels[0].threads_per_block) = (40_000, 512);
        let (work, steps) = work(&draft);
        assert!(work < 60 * steps as u64, "{placement:?}: {work} units for {steps} steps");
    }
    let (work, steps) = work(&processes(PolicyKind::Edf, 976, MAX_SMS));
    assert!(work < 20 * steps as u64, "{work} units for {steps} steps");
}

/// What a row waits for is limited, and what is beyond is not even looked up.
#[test]
fn hostile_waits_are_limited_and_counted() {
    let names = |count: usize, of: usize| {
        let waits_for = (0..count).map(|i| format!("E{}", i % of)).collect();
        Draft { kernels: vec![KernelDraft { waits_for, ..KernelDraft::named("K", 1, 1, 1) }], ..Draft::default() }
    };
    assert!(Scenario::new(&names(MAX_WAITS, MAX_WAITS)).is_ok());
    let refused = Scenario::new(&names(200_000, 200_000)).unwrap_err();
    assert_eq!(refused.to_string(), "kernels[0].waits_for names 200,000 events; at most 64 are waited for by one row");
    let twice = Scenario::new(&names(MAX_WAITS, 2)).unwrap_err();
    assert_eq!(twice.problems.len(), MAX_WAITS - 2);
    assert_eq!(twice.problems[0].to_string(), "kernels[0].waits_for[2]: \"E0\" is named twice");
    let (rows, waits) = (500, 40);
    let draft = behind_events(rows, waits);
    let names = (rows * waits - waits * (waits + 1) / 2) as u64;
    assert_eq!(draft.size(), rows as u64 + names, "names count as entries");
    assert_eq!(blockstep_view::document::Document::new(draft.clone()).entry_count() as u64, draft.size() + 2, "a process and a task");
    let [(many, steps), (none, as_many)] = [draft, behind_events(rows, 0)].map(|draft| work(&draft));
    assert_eq!(steps, as_many);
    // Once when it is captured; and whenever one of them is complete, those of the row that are left are looked at.
    assert!((none + names..=none + (waits as u64 + 3) * names).contains(&many), "{many} units, {none} without the {names} waits");
}

/// Where single steps are dear, the work of going to any place is bounded all the same, and the states are those of the run.
#[test]
fn hostile_places_of_dear_runs_are_near() {
    let run = simulate(&Scenario::new(&hub(1_000)).unwrap(), Limits::default());
    let steps = run.trace.steps().len() as u32;
    let mut states = run.replay();
    let (whole, mut replay) = (states.seek(steps).work(), run.replay());
    assert!(whole > 1_000_000, "{whole} units");
    states.seek(0);
    // Forward for the states, and to the same places from the end and back to it.
    for place in (0..=steps).step_by(steps as usize / 60) {
        for other in [steps, place] {
            let before = replay.work();
            let state = replay.seek(other);
            assert!(other != place || state == states.seek(place), "after {place} steps");
            let cost = replay.work() - before;
            assert!(cost < 400_000, "{cost} of {whole} units to place {other} of {steps}");
        }
    }
}

/// However much a run costs, its stored states are so many at most, and the work between them is about the same.
#[test]
fn hostile_stored_states_of_dear_runs_are_few_and_equally_far_apart() {
    let mut draft = hub(300);
    for task in &mut draft.tasks {
        (task.release, task.period_ns) = (Release::Periodic, Some(2_000_000_000));
    }
    draft.horizon_ns = Some(50 * 2_000_000_000);
    let run = simulate(&Scenario::new(&draft).unwrap(), Limits { max_steps: 1_000_000 });
    let steps = run.trace.steps().len() as u32;
    let mut replay = run.replay();
    let whole = replay.seek(steps).work();
    // At most so many states are stored for the work before them, at first at least so much of it apart; others every 8,192 steps.
    let (most, least) = (256, 300_000);
    assert!(whole > most * least, "{whole} units");
    let largest = (0..=steps).step_by(steps as usize / 100).map(|place| replay.seek(place).approximate_bytes()).max().unwrap();
    let stored = run.keyframes.approximate_bytes();
    assert!(stored <= (most as usize + steps as usize / 8_192 + 2) * largest, "{stored} bytes, {largest} for a state, {steps} steps");
    let apart = 2 * whole / most + least;
    for place in (0..=steps).step_by(steps as usize / 50) {
        replay.seek(steps);
        let before = replay.work();
        replay.seek(place);
        let cost = replay.work() - before;
        assert!(cost <= apart, "{cost} of {whole} units to place {place} of {steps}");
    }
}

/// Each task's deadline is earlier than that of the one before, which inherits it: none is carried along the whole chain.
#[test]
fn hostile_chains_cost_what_they_hold() {
    for name in ["producers in a chain, each with an earlier deadline", "producers in a chain beside the NULL stream"] {
        let (work, steps) = work(&shape(name)(10_000));
        assert!(work < 20 * steps as u64, "{name}: {work} units for {steps} steps");
    }
}
