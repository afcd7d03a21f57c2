//! Graphics tasks, which give way at the end of a pixel, and the watchdog, which resets who does not give way in time.

use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario, TaskDraft};
use blockstep_sim::units::Time;
use blockstep_testing::arbitrary::{cases, turns};
use blockstep_testing::stage::{lines, retold, run};

use proptest::prelude::*;

/// `draw` runs for 100 ns from 0 on; `brake`, for 10, is released at 20 and due earlier.
fn two(preemption: Preemption, pixel_latency_ns: Option<u64>, watchdog_ns: Option<u64>) -> Draft {
    let task = |name: &str, deadline_ns, offset_ns| TaskDraft {
        process: Some(name.into()),
        deadline_ns: Some(deadline_ns),
        offset_ns,
        ..TaskDraft::named(name)
    };
    let row = |task: &str, ns| KernelDraft { task: Some(task.into()), ..KernelDraft::named(task.to_uppercase(), 1, 32, ns) };
    Draft {
        policy: PolicyDraft { kind: PolicyKind::Edf, cbs: false, preemption, watchdog_ns, ..PolicyDraft::default() },
        processes: vec![ProcessDraft::named("draw"), ProcessDraft::named("brake")],
        tasks: vec![TaskDraft { pixel_latency_ns, ..task("draw", 1_000, 0) }, task("brake", 60, 20)],
        kernels: vec![row("draw", 100), row("brake", 10)],
        ..Draft::default()
    }
}

/// The steps of a run from 20 on that are about whose turn it is, or what is suspended.
fn turns_of(run: &Run) -> Vec<String> {
    let lines = lines(run, &["E4", "E5", "S2", "S3", "S4", "S5", "S6", "S7", "R1"]).into_iter();
    lines.filter(|line| line.split(' ').next().is_some_and(|at| at.parse::<u64>().is_ok_and(|at| at >= 20))).collect()
}

#[test]
fn pixels_a_graphics_task_runs_on_to_the_end_of_a_pixel() {
    let run = run(&two(Preemption::Thread, Some(7), None));
    let expected = [
        "20 E4 draw draining",
        "27 S5 DRAW:0 suspended on SM0",
        "27 S3 draw left",
        "27 S2 brake resident",
        "27 R1 BRAKE:0 -> SM0",
        "37 S4 brake left",
        "37 S2 draw resident",
        "37 S6 DRAW:0 resumed on SM0",
        "110 E5 draw left",
    ];
    assert_eq!(turns_of(&run), expected);
}

#[test]
fn pixels_what_completes_before_the_end_of_a_pixel_ends_the_drain() {
    let mut draft = two(Preemption::Thread, Some(500), None);
    let first = run(&draft);
    assert_eq!(turns_of(&first)[..3], ["20 E4 draw draining", "100 S3 draw left", "100 S2 brake resident"]);
    // A compute task in the same process is no reason to stay.
    draft.tasks[0].pixel_latency_ns = None;
    draft.tasks.push(TaskDraft {
        process: Some("draw".into()),
        pixel_latency_ns: Some(500),
        deadline_ns: Some(2_000),
        ..TaskDraft::named("idle")
    });
    assert_eq!(turns_of(&run(&draft))[..2], ["20 S5 DRAW:0 suspended on SM0", "20 E4 draw left"]);
}

#[test]
fn pixels_the_watchdog_resets_who_does_not_give_way() {
    for (preemption, pixel) in [(Preemption::Thread, Some(500)), (Preemption::Block, None), (Preemption::Kernel, None)] {
        let run = run(&two(preemption, pixel, Some(15)));
        let expected = [
            "20 E4 draw draining",
            "35 S7 draw reset",
            "35 S5 DRAW:0 suspended on SM0",
            "35 S7 draw left",
            "35 S2 brake resident",
            "35 R1 BRAKE:0 -> SM0",
            "45 E5 brake left",
        ];
        assert_eq!(turns_of(&run), expected, "{preemption:?}");
        // Nothing more can come, so the run ends before the deadline of the job that never completes.
        assert_eq!(run.trace.end(), Time(45), "{preemption:?}");
        assert!(Records::new(&run.trace).jobs.iter().any(|job| job.end.is_none()), "{preemption:?}");
    }
    // In time is in time.
    let run = run(&two(Preemption::Thread, Some(15), Some(15)));
    assert_eq!(turns_of(&run)[..3], ["20 E4 draw draining", "35 S5 DRAW:0 suspended on SM0", "35 S3 draw left"]);
}

#[test]
fn pixels_what_is_reset_launches_in_vain() {
    let mut draft = two(Preemption::Block, None, Some(15));
    let later = TaskDraft { process: Some("draw".into()), deadline_ns: Some(5), offset_ns: 200, ..TaskDraft::named("later") };
    draft.tasks.push(later);
    draft.kernels.push(KernelDraft { task: Some("later".into()), stream: "S2".into(), ..KernelDraft::named("LATER", 1, 32, 10) });
    let run = run(&draft);
    assert!(!run.trace.text().contains("LATER:0"), "{}", run.trace.text());
    assert!(run.trace.text().contains("200 G1"), "{}", run.trace.text());
}

/// The checker refuses a drain that ends before the pixel, one that lasts longer, and a process that comes back.
#[test]
fn pixels_the_checker_judges_drains_by_itself() {
    let found = |draft: &Draft, alter: &dyn Fn(&mut Draft)| {
        let good = run(draft);
        // The steps of the one, judged by the settings of the other.
        let mut other = draft.clone();
        alter(&mut other);
        let steps = good.trace.steps().iter().copied();
        let trace = retold(&good.trace, &Scenario::new(&other).unwrap(), steps, good.trace.end());
        let found = check(&trace, &Records::new(&trace));
        found.into_iter().filter(|v| v.invariant == Invariant::Drain).map(|v| v.what).collect::<Vec<_>>()
    };
    let pixel = two(Preemption::Thread, Some(7), None);
    assert_eq!(found(&pixel, &|draft| draft.tasks[0].pixel_latency_ns = Some(9)), ["draw left 2 ns before the end of a pixel"]);
    assert_eq!(found(&pixel, &|draft| draft.tasks[0].pixel_latency_ns = Some(4)), ["draw drained for 7 ns"]);
    let late = found(&pixel, &|draft| draft.policy.watchdog_ns = Some(5));
    assert_eq!(late[0], "draw drained for longer than the watchdog lets it");
    let reset = two(Preemption::Block, None, Some(15));
    let early = found(&reset, &|draft| draft.policy.watchdog_ns = Some(16));
    assert_eq!(early, ["draw was reset, but not when the watchdog's time was up"]);
}

proptest! {
    #![proptest_config(cases(500))]

    /// Blocks of graphics tasks are suspended at the end of a pixel and not before, whatever else happens.
    #[test]
    fn pixels_every_run_is_sound(draft in turns(PolicyKind::Edf), latency in 0..9_u64, watchdog in proptest::option::of(1..12_u64)) {
        let mut draft = draft;
        draft.policy.watchdog_ns = watchdog;
        draft.tasks.iter_mut().step_by(2).for_each(|task| task.pixel_latency_ns = Some(latency));
        let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let found = check(&run.trace, &Records::new(&run.trace));
        prop_assert!(found.is_empty(), "{:?}", found);
    }
}
