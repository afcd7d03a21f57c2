//! Policies of one's own in the engine: what built-in policies decide, written as a text, gives the same runs; and what the mechanism does.

use blockstep_policy::examples::find;
use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{self, Limits, Rebuild, Run, Simulation};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Class, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, Scenario, SwitchCharge, TaskDraft,
};
use blockstep_sim::trace::{Change, Cut, Rule, Step, Variants};
use blockstep_sim::units::{Time, TimeRange};
use blockstep_sim::work::{Budget, Progress};
use blockstep_testing::arbitrary::{cases, turns};
use blockstep_testing::stage::{executions, found_after, stage, work};
use proptest::collection::vec;
use proptest::prelude::*;

/// EDF as the contract has it: best effort only while no real-time task is ready.
const EDF: &str = "\
k: task
on request(t), end(t):
  k = lowest deadline in ready where realtime
  if k is none:
    k = first in ready
admit k
";

fn simulate(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn run(draft: &Draft) -> Run {
    let run = simulate(draft);
    let found = check(&run.trace, &Records::new(&run.trace));
    assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
    run
}

fn own(text: &str, names: &[&str]) -> Draft {
    let mut draft = stage(PolicyKind::Own, names);
    draft.policy.text = text.to_owned();
    draft
}

/// The steps but for what the policy is told.
fn turns_of(run: &Run) -> Vec<Step> {
    run.trace.steps().iter().copied().filter(|step| !matches!(step.change, Change::PolicyTold { .. })).collect()
}

/// Where and when each block executed.
fn blocks(run: &Run) -> Vec<(String, u32, u16, Vec<TimeRange>)> {
    let records = Records::new(&run.trace);
    let block = |i: usize| {
        let block = &records.blocks[i];
        (run.trace.op_label(block.op), block.block, block.sm.0, records.block_runs(i))
    };
    (0..records.blocks.len()).map(block).collect()
}

/// Tasks in processes of their own, each job without a gap, no two tasks ever due at once: time passes in eighths, and every task is due
/// at an eighth of its own. At most the last is best effort.
fn apart() -> impl Strategy<Value = Draft> {
    let kernel = (1..5_u64, 1..12_u64);
    let task = (3..12_u64, 1..4_u64, 0..8_u64, 1..12_u64, vec(kernel, 1..3));
    (vec(task, 2..6), any::<bool>(), 0..4_u64).prop_map(|(tasks, has_best_effort, switch_cost_ns)| {
        let mut draft = Draft { horizon_ns: Some(400), ..Draft::default() };
        draft.policy = PolicyDraft { kind: PolicyKind::Edf, switch_cost_ns, cbs: false, ..PolicyDraft::default() };
        let count = tasks.len();
        for (i, (period, jobs, offset, deadline, kernels)) in tasks.into_iter().enumerate() {
            let name = format!("T{i}");
            let is_best_effort = has_best_effort && i + 1 == count;
            draft.processes.push(ProcessDraft {
                preemption: Some(Preemption::Thread),
                timeslice_ns: 1_000_000,
                ..ProcessDraft::named(&name)
            });
            draft.tasks.push(TaskDraft {
                process: Some(name.clone()),
                release: Release::Periodic,
                period_ns: Some(8 * period),
                jobs: Some(jobs),
                offset_ns: 8 * offset,
                deadline_ns: Some(8 * deadline + i as u64),
                class: Some(if is_best_effort { Class::BestEffort } else { Class::RealTime }),
                ..TaskDraft::named(&name)
            });
            for (k, (blocks, time)) in kernels.into_iter().enumerate() {
                let row = KernelDraft::named(format!("K{i}{k}"), blocks, 1024, time);
                draft.kernels.push(KernelDraft { task: Some(name.clone()), stream: format!("S{i}{k}"), ..row });
            }
        }
        draft
    })
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn own_edf_as_a_text_gives_the_blocks_of_edf(draft in apart()) {
        let mut text = draft.clone();
        (text.policy.kind, text.policy.text) = (PolicyKind::Own, EDF.to_owned());
        prop_assert_eq!(blocks(&run(&text)), blocks(&run(&draft)), "{}", run(&text).trace.text());
    }

    /// With everybody admitted, processes take turns as on a runlist of equal levels: to the last step.
    #[test]
    fn own_all_who_are_ready_is_a_runlist_of_equals(mut draft in turns(PolicyKind::Runlist)) {
        draft.policy.switch_charge = SwitchCharge::Every;
        draft.processes.iter_mut().for_each(|p| (p.interleave, p.channels) = (Interleave::Medium, 1));
        let mut text = draft.clone();
        (text.policy.kind, text.policy.text) = (PolicyKind::Own, "admit ready\n".to_owned());
        prop_assert_eq!(turns_of(&run(&text)), turns_of(&run(&draft)));
    }

    /// A run is put together again from its words, and every state is the one that was simulated.
    #[test]
    fn own_runs_are_put_together_again(draft in turns(PolicyKind::Own)) {
        let scenario = Scenario::new(&draft).unwrap();
        let run = engine::simulate(&scenario, Limits::default());
        let found = check(&run.trace, &Records::new(&run.trace));
        prop_assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
        let mut words = Vec::new();
        run.trace.steps().iter().for_each(|step| run.trace.push_step_words(step, &mut words));
        let budgets = (0..draft.tasks.len() as u32).map(|task| run.trace.budget(blockstep_sim::units::TaskId(task))).collect();
        let (mut endless, mut again) = (Budget::UNLIMITED, Rebuild::new(&scenario, budgets));
        prop_assert_eq!(again.add(&words, &mut endless), Some(words.len()));
        let again = again.finish(run.trace.end(), run.trace.cut().cloned());
        prop_assert_eq!(again.trace.text(), run.trace.text());
        let (mut ours, mut theirs) = (run.replay(), again.replay());
        let steps = run.trace.steps().len() as u32;
        for applied in (0..=steps).rev().step_by(7) {
            prop_assert_eq!(ours.seek(applied), theirs.seek(applied));
        }
    }
}

/// GCAPS as printed: A gives the GPU back after B has preempted it, and B, which runs, is lost. If A were awake at once, it would not be.
#[test]
fn own_gcaps_as_printed_loses_a_task_that_runs() {
    let mut draft = own(find("gcaps").unwrap().text, &["A", "B"]);
    draft.tasks[0].wake_ns = 5;
    (draft.tasks[1].offset_ns, draft.tasks[1].deadline_ns) = (12, Some(100));
    draft.kernels = vec![work("K1", "a", 0, 10), work("K2", "b", 0, 20)];
    let lost = run(&draft);
    assert_eq!(executions(&lost), "K1:0 0-10, K2:0 12-15");
    let text = lost.trace.text();
    assert!(text.contains("15 P2 policy told of end a#0, line 25 admits a"), "{text}");
    assert!(text.contains("15 P4 B left"), "{text}");
    draft.tasks[0].wake_ns = 0;
    assert_eq!(executions(&run(&draft)), "K1:0 0-10, K2:0 12-32");
}

/// A task asks once at a time: the second job asks when the first one's end was told.
#[test]
fn own_jobs_ask_one_after_another() {
    let mut draft = own("admit ready\n", &["A"]);
    draft.tasks[0] = TaskDraft { release: Release::Periodic, period_ns: Some(4), jobs: Some(2), wake_ns: 3, ..draft.tasks[0].clone() };
    draft.horizon_ns = Some(40);
    draft.kernels = vec![work("K1", "a", 0, 6)];
    let told: Vec<String> = run(&draft).trace.text().lines().filter(|line| line.contains(" P")).map(str::to_owned).collect();
    assert_eq!(
        told,
        [
            "0 P1 policy told of request a#0, line 1 admits a",
            "9 P2 policy told of end a#0, line 1 admits nobody",
            "9 P1 policy told of request a#1, line 1 admits a",
            "15 P2 policy told of end a#1, line 1 admits nobody",
        ]
    );
}

/// Processes take turns under every such policy: the only process, too, waits until it is admitted.
/// A typed priority counts in either class: the smaller number goes first.
#[test]
fn own_priorities_of_best_effort_tasks_count() {
    let mut draft = own("admit highest priority in ready\n", &["A", "B"]);
    draft.kernels = vec![work("KA", "a", 0, 10), work("KB", "b", 0, 10)];
    (draft.tasks[0].priority, draft.tasks[1].priority) = (5, 1);
    assert_eq!(executions(&run(&draft)), "KB:0 0-10, KA:0 10-20");
    // A real-time task goes before both, whatever its number.
    draft.tasks[0].deadline_ns = Some(100);
    assert_eq!(executions(&run(&draft)), "KA:0 0-10, KB:0 10-20");
}

#[test]
fn own_nobody_need_be_admitted() {
    let mut draft = own("held: queue\nadmit held\n", &["A"]);
    draft.kernels = vec![work("K1", "a", 0, 6)];
    let run = run(&draft);
    assert_eq!(executions(&run), "", "{}", run.trace.text());
}

/// Who is not admitted any more leaves as its mode allows.
#[test]
fn own_who_is_held_back_leaves_by_its_mode() {
    let of = |mode| {
        let mut draft = own("admit lowest deadline in ready\n", &["A", "B"]);
        draft.processes.iter_mut().for_each(|p| p.preemption = Some(mode));
        draft.tasks[0].deadline_ns = Some(100);
        (draft.tasks[1].offset_ns, draft.tasks[1].deadline_ns) = (3, Some(50));
        let two = KernelDraft { blocks: 2, threads_per_block: 2048, ..work("K1", "a", 0, 10) };
        draft.device = blockstep_sim::scenario::DeviceDraft::Custom(blockstep_sim::scenario::Device { sms: 1, ..Default::default() });
        draft.kernels = vec![KernelDraft { threads_per_block: 1024, ..two }, work("K3", "a", 0, 4), work("K2", "b", 0, 5)];
        draft.kernels[0].shared_memory_bytes = 40 << 10;
        executions(&run(&draft))
    };
    assert_eq!(of(Preemption::Thread), "K1:0 0-3 8-15, K2:0 3-8, K1:1 15-25, K3:0 15-19");
    assert_eq!(of(Preemption::Block), "K1:0 0-10, K2:0 10-15, K1:1 15-25, K3:0 15-19");
    assert_eq!(of(Preemption::Kernel), "K1:0 0-10, K1:1 10-20, K2:0 20-25, K3:0 25-29");
    assert_eq!(of(Preemption::None), "K1:0 0-10, K1:1 10-20, K3:0 10-14, K2:0 20-25");
}

/// Ticks are told while somebody is ready and they can change something, and a run ends though they could go on.
#[test]
fn own_ticks_end() {
    let tick = "on tick every 2 ns:\n";
    let of = |text: &str| {
        let mut draft = own(text, &["A", "B"]);
        draft.kernels = vec![work("K1", "a", 0, 5), work("K2", "b", 0, 5)];
        let run = run(&draft);
        (executions(&run), run.trace.text().matches(" P3 ").count())
    };
    let turns = format!(
        "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\n{tick}  k = first in line\n  if k is not none:\n    move k to line\nadmit first in line\n"
    );
    assert_eq!(of(&turns), ("K1:0 0-2 4-6 8-9, K2:0 2-4 6-8 9-10".to_owned(), 4));
    // Nobody ever runs, and the first tick changes nothing.
    assert_eq!(of(&format!("k: task\non request(t):\n  k = none\n{tick}  k = none\nadmit k\n")), (String::new(), 1));
    // Every tick changes something, though nobody ever runs.
    let counts = format!("n: number\nk: task\non request(t):\n  k = none\n{tick}  n = n + 1\nadmit k\n");
    assert_eq!(of(&counts), (String::new(), 1000));
}

/// A decision that cannot be made ends the run, with its line.
#[test]
fn own_a_tick_comes_before_the_requests_of_its_instant() {
    let text = "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\non tick every 4 ns:\n  \
                k = first in line\n  if k is not none:\n    move k to line\nadmit first in line\n";
    let mut draft = own(text, &["A", "B"]);
    draft.kernels = vec![work("K1", "a", 0, 20), work("K2", "b", 0, 6)];
    (draft.tasks[0].offset_ns, draft.tasks[1].offset_ns) = (4, 12);
    let run = run(&draft);
    let told = |step: &Step| matches!(step.change, Change::PolicyTold { .. }).then(|| (step.at.ns(), step.rule));
    let told: Vec<(u64, Rule)> = run.trace.steps().iter().filter_map(told).take(5).collect();
    // Nobody is ready at 4 before A asks. The tick at 8 changes nothing, so that of 12, which would not either, is left out.
    assert_eq!(told, [(4, Rule::P1), (8, Rule::P3), (12, Rule::P1), (16, Rule::P3), (20, Rule::P3)], "{}", run.trace.text());
}

#[test]
fn own_a_policy_that_fails_ends_the_run() {
    let mut draft = own("k: task\non request(t):\n  if priority of k > priority of t:\n    k = t\nadmit k\n", &["A"]);
    draft.tasks[0].offset_ns = 3;
    draft.kernels = vec![work("K1", "a", 0, 5)];
    let why = "line 3: a task is needed here, and it is none".to_owned();
    let run = run(&draft);
    assert_eq!(run.trace.cut(), Some(&Cut::PolicyFailed { at: 3, why }));
    assert_eq!(run.trace.cut().unwrap().to_string(), "the policy fails at 3 ns: line 3: a task is needed here, and it is none");
}

/// Mistakes of a text are problems of its field; under other policies it is kept and not read.
#[test]
fn own_texts_are_checked() {
    let problems = |draft: &Draft| Scenario::new(draft).map(|_| ()).map_err(|e| e.to_string());
    let mut draft = own("", &["A"]);
    assert_eq!(problems(&draft).unwrap_err(), "policy.text is empty; under own it says who may use the GPU");
    draft.policy.text = "admit redy\n".to_owned();
    let error = problems(&draft).unwrap_err();
    assert!(error.starts_with("policy.text: line 1, column 7: ") && error.contains("ready"), "{error}");
    draft.policy.kind = PolicyKind::Fifo;
    assert_eq!(problems(&draft), Ok(()));
    let names: Vec<String> = (0..65).map(|i| format!("M{i}")).collect();
    let many = own("admit ready\n", &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(problems(&many).unwrap_err(), "tasks has 65 rows; a policy of your own knows at most 64 tasks");
}

/// What a policy may know of tasks: a smaller number of a task goes first, durations are those of a job alone, SMs what it can use.
#[test]
fn own_policies_know_tasks() {
    let of = |text: &str| {
        let mut draft = own(text, &["A", "B"]);
        draft.tasks.iter_mut().for_each(|task| task.deadline_ns = Some(100));
        (draft.tasks[0].priority, draft.tasks[1].priority) = (2, 1);
        draft.kernels = vec![work("K1", "a", 0, 5), KernelDraft { blocks: 2, ..work("K2", "b", 0, 7) }];
        executions(&run(&draft))
    };
    let (a, b) = ("K1:0 0-5, K2:0 5-12, K2:1 5-12", "K2:0 0-7, K2:1 0-7, K1:0 7-12");
    assert_eq!(of("admit highest priority in ready\n"), b);
    assert_eq!(of("admit lowest duration in ready\n"), a);
    assert_eq!(of("admit highest sms in ready\n"), b);
    assert_eq!(of("admit highest id in ready\n"), b);
    assert_eq!(of("admit lowest period in ready\n"), a);
}

/// Draws follow from the seed, and differ between seeds.
#[test]
fn own_draws_are_those_of_the_seed() {
    let of = |seed| {
        let mut draft = own("k: task\non request(t), end(t):\n  k = draw in ready\nadmit k\n", &["A", "B", "C", "D"]);
        draft.seed = seed;
        draft.kernels = ["a", "b", "c", "d"].map(|task| work(&task.to_uppercase(), task, 0, 5)).to_vec();
        executions(&run(&draft))
    };
    assert_eq!(of(1), of(1));
    assert!((2..20).any(|seed| of(seed) != of(1)));
}

type Edit = Box<dyn FnOnce(&mut Vec<Step>)>;

fn remove(place: usize) -> Edit {
    Box::new(move |steps: &mut Vec<Step>| {
        steps.remove(place);
    })
}

/// The checker is told what the policy has decided, and finds what it was not told in time, and who does not heed it.
#[test]
fn own_check_finds_what_is_wrong() {
    let text = "line: queue\non request(t):\n  add t to line\non end(t):\n  remove t from line\n\
                on tick every 4 ns:\n  k = first in line\n  if k is not none:\n    move k to line\nadmit first in line\n";
    let mut draft = own(text, &["A", "B"]);
    draft.tasks[0].wake_ns = 2;
    draft.kernels = vec![work("K1", "a", 0, 6), work("K2", "b", 0, 3)];
    let good = run(&draft).trace;
    let place = |rule: Rule| good.steps().iter().position(|step| step.rule == rule).unwrap();
    let (request, end, tick, leaves) = (place(Rule::P1), place(Rule::P2), place(Rule::P3), place(Rule::P4));
    let edits: [(&str, Invariant, Edit); 6] = [
        ("a request is not told", Invariant::Told, remove(request)),
        ("an end is not told", Invariant::Told, remove(end)),
        ("an end is told early", Invariant::Told, Box::new(move |steps| steps.swap(request, end))),
        ("a tick is told at another time", Invariant::Told, Box::new(move |steps| steps[tick].at = Time(steps[tick].at.ns() - 1))),
        ("a rule of another event", Invariant::Told, Box::new(move |steps| steps[tick].rule = Rule::P1)),
        ("who is not admitted stays", Invariant::Admitted, Box::new(move |steps| steps.truncate(leaves - 1))),
    ];
    for (what, invariant, edit) in edits {
        let found = found_after(&good, edit);
        assert!(found.iter().any(|v| v.invariant == invariant), "{what}: {found:?}");
    }
}

/// The same of kernels that the policy launches one at a time.
#[test]
fn own_check_finds_what_is_wrong_with_launches() {
    let text = "busy: flag\non launch(t):\n  busy = true\non finish(t):\n  busy = false\n\
                admit ready\nlaunch highest priority in ready where not busy\n";
    let mut draft = own(text, &["A", "B"]);
    draft.kernels = vec![work("K1", "a", 0, 6), work("K2", "b", 0, 3)];
    let good = run(&draft).trace;
    let place = |rule: Rule| good.steps().iter().position(|step| step.rule == rule).unwrap();
    let last = good.steps().iter().rposition(|step| step.rule == Rule::P5).unwrap();
    let (told, finished, first) = (place(Rule::P6), place(Rule::P7), place(Rule::P5));
    assert_eq!((good.steps()[first].at.ns(), good.steps()[last].at.ns(), good.end().ns()), (0, 6, 9), "{}", good.text());
    let early = good.steps()[last];
    let edits: [(&str, Invariant, Edit); 6] = [
        ("a launch is not told", Invariant::Told, remove(told)),
        ("a finish is not told", Invariant::Told, remove(finished)),
        ("a finish is told as a launch", Invariant::Told, Box::new(move |steps| steps[finished].rule = Rule::P6)),
        ("a kernel moves on by itself", Invariant::Launched, Box::new(move |steps| steps[first].rule = Rule::G2)),
        (
            "a kernel moves on while another is out",
            Invariant::Launched,
            Box::new(move |steps| {
                steps.remove(last);
                steps.insert(told + 1, Step { at: Time(0), ..early });
            }),
        ),
        ("a kernel is kept back that may go", Invariant::LeftBehind, Box::new(move |steps| steps.truncate(last))),
    ];
    for (what, invariant, edit) in edits {
        let found = found_after(&good, edit);
        assert!(found.iter().any(|v| v.invariant == invariant), "{what}: {found:?}");
    }
}

/// A kernel in its EE queue stays there whatever is decided later, and one that is kept back holds up what follows in its stream.
#[test]
fn own_launches_are_not_taken_back() {
    let mut draft = own("admit ready\nlaunch highest priority in ready\n", &["A", "B"]);
    draft.tasks[0].process = Some("P0".to_owned());
    draft.tasks[1] = TaskDraft {
        process: Some("P0".to_owned()),
        offset_ns: 1,
        class: Some(Class::RealTime),
        deadline_ns: Some(50),
        ..draft.tasks[1].clone()
    };
    draft.processes = vec![ProcessDraft::named("P0")];
    let behind = KernelDraft { stream: "K1".to_owned(), ..work("K2", "a", 0, 6) };
    draft.kernels = vec![work("K1", "a", 0, 6), behind, work("K3", "b", 0, 20)];
    let run = run(&draft);
    let joined: Vec<(u64, String)> = run
        .trace
        .steps()
        .iter()
        .filter_map(|step| match step.change {
            Change::EeJoined { op, .. } => Some((step.at.ns(), run.trace.op_label(op))),
            _ => None,
        })
        .collect();
    let expected = [(0, "K1"), (1, "K3"), (21, "K2")].map(|(at, name)| (at, name.to_owned()));
    assert_eq!(joined, expected, "{}", run.trace.text());
}

/// As many kernels as there are may be launched at one instant, in portions of whatever size.
#[test]
fn own_launches_many_kernels_at_once() {
    let mut draft = own("n: number\non launch(t):\n  n = n + 1\nadmit ready\nlaunch ready\n", &["A"]);
    draft.kernels = (0..6000).map(|i| work(&format!("K{i}"), "a", 0, 1)).collect();
    let whole = simulate(&draft);
    assert_eq!((whole.trace.cut(), whole.trace.steps().iter().filter(|step| step.rule == Rule::P6).count()), (None, 6000));
    let mut simulation = Simulation::new(&Scenario::new(&draft).unwrap(), Variants::NONE, Limits::default());
    let mut portions = 0;
    while simulation.run_for(&mut Budget::new(1_000_000)) == Progress::Paused {
        portions += 1;
    }
    assert!(portions > 20, "{portions}");
    assert_eq!(simulation.finish().trace.steps(), whole.trace.steps());
}

/// A run whose decisions take too much memory ends, and says so.
#[test]
fn own_decisions_have_a_limit() {
    let fields: String = (0..10).map(|i| format!("f{i}: number for each task\n")).collect();
    let text = format!("{fields}n: number\non request(t):\n  n = 0\non tick every 1 ns:\n  n = n + 1\nadmit ready\n");
    let names: Vec<String> = (0..64).map(|i| format!("M{i}")).collect();
    let mut draft = own(&text, &names.iter().map(String::as_str).collect::<Vec<_>>());
    draft.kernels = vec![work("K1", "m0", 0, 1_000_000)];
    let run = simulate(&draft);
    let said = run.trace.cut().unwrap().to_string();
    assert!(said.starts_with("the policy fails at ") && said.ends_with("use a longer tick or a shorter horizon"), "{said}");
    assert!((10_000..100_000).contains(&run.trace.decisions()), "{}", run.trace.decisions());
}

/// Jobs that are released far faster than they run cost what they do under the other policies: none of them is looked at for another one.
#[test]
fn own_a_backlog_costs_what_it_holds() {
    let backlog = |kind| {
        let mut draft = stage(kind, &["a", "b"]);
        draft.policy.text = "admit highest priority in ready".to_owned();
        draft.horizon_ns = Some(2_000_000_000);
        draft.tasks[0].priority = 1;
        draft.tasks[1] = TaskDraft { release: Release::Periodic, period_ns: Some(2), priority: 2, ..draft.tasks[1].clone() };
        draft.kernels.push(KernelDraft { task: Some("a".to_owned()), ..KernelDraft::named("A", 1, 1, 2_000_000_000) });
        draft.kernels.push(KernelDraft { task: Some("b".to_owned()), ..KernelDraft::named("B", 1, 1, 300_000) });
        let limits = Limits { max_steps: 200_000 };
        let mut simulation = Simulation::new(&Scenario::new(&draft).unwrap(), Variants::NONE, limits);
        let mut budget = Budget::UNLIMITED;
        assert_eq!(simulation.run_for(&mut budget), Progress::Done);
        let run = simulation.finish();
        assert_eq!(run.trace.cut(), Some(&Cut::StepLimit { limit: 200_000, alone: None }));
        let jobs = run.trace.steps().iter().filter(|step| matches!(step.change, Change::JobReleased { .. })).count();
        assert!(jobs > 60_000, "{jobs} jobs wait");
        budget.spent()
    };
    let [own, others] = [PolicyKind::Own, PolicyKind::Priority].map(backlog);
    assert!(own < 3 * others, "{own} units, and {others} by priority");
}
