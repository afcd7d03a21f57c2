//! The seam for policies that share the GPU between address spaces: who is resident, switches,
//! suspended blocks and copies. Proved with a round robin that exists only here.

use blockstep_sim::check::check;
use blockstep_sim::engine::{Limits, Run, simulate_with};
use blockstep_sim::policy::{self, About, Action, Decision, Policy, View};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Device, DeviceDraft, Draft, KernelDraft, PolicyKind, ProcessDraft, Scenario, StreamPriority, StreamQueue, TaskDraft,
};
use blockstep_sim::snapshot::{Residency, Snapshot};
use blockstep_sim::trace::{Change, Cut, Level, Rule};
use blockstep_sim::units::{SpaceId, Span, Time};
use proptest::prelude::*;
use proptest::sample::Index;

use blockstep_testing::arbitrary::{cases, drafts_without_spins};

/// Each process with work in turn, for at most `quantum`; suspended at once, or drained.
struct RoundRobin {
    quantum: Span,
    drains: bool,
}

impl RoundRobin {
    /// Something queued for execution, or assigned and incomplete, suspended or not.
    fn has_work(view: View<'_>, id: SpaceId) -> bool {
        let space = view.state.space(id);
        let queued = [Level::High, Level::Low].iter().any(|&l| !space.ee(l).is_empty()) || (0..2).any(|e| !space.ce(e).is_empty());
        queued || Self::on_device(view, id)
    }

    fn on_device(view: View<'_>, space: SpaceId) -> bool {
        view.state.space(space).running().next().is_some()
    }

    /// The first other process with work, counted from `last` on.
    fn next(view: View<'_>, last: Option<SpaceId>) -> Option<SpaceId> {
        let n = view.trace.layout().spaces().len();
        let first = last.map_or(0, |last| last.index() + 1);
        (0..n).map(|i| SpaceId::at((first + i) % n)).find(|&space| Self::has_work(view, space))
    }

    /// The end of the quantum that is going on.
    fn expiry(&self, since: Time, now: Time) -> Option<Time> {
        let passed = now.since(since).ns() / self.quantum.ns();
        since.after(Span(self.quantum.ns() * (passed + 1)))
    }
}

impl Policy for RoundRobin {
    fn about(&self) -> &'static About {
        policy::about(PolicyKind::Runlist)
    }

    fn level(&self, stream: &StreamQueue) -> Level {
        if stream.priority == StreamPriority::High { Level::High } else { Level::Low }
    }

    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        match view.state.residency() {
            Residency::Resident { space, since, draining: false } if Self::next(view, Some(space)) != Some(space) => {
                self.expiry(since, view.now)
            }
            _ => None,
        }
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        let (rule, action) = match view.state.residency() {
            Residency::Idle { last, .. } => (Rule::S1, Action::Enter(Self::next(view, last)?)),
            Residency::Resident { space, .. } if !Self::has_work(view, space) => (Rule::S4, Action::Leave),
            Residency::Resident { space, draining: true, .. } if !Self::on_device(view, space) => (Rule::S4, Action::Leave),
            Residency::Resident { space, since, draining: false } => {
                let stayed = view.now.since(since).ns();
                let expires = stayed > 0 && stayed.is_multiple_of(self.quantum.ns()) && Self::next(view, Some(space)) != Some(space);
                expires.then_some(if self.drains { (Rule::S3, Action::Drain(None)) } else { (Rule::S4, Action::Leave) })?
            }
            _ => return None,
        };
        Some(Decision { rule, action })
    }
}

fn run(draft: &Draft, quantum: u64, drains: bool) -> Run {
    simulate_with(&Scenario::new(draft).unwrap(), &RoundRobin { quantum: Span(quantum), drains }, Limits::default())
}

/// Two processes with a task each; a byte takes 1 ns to copy.
fn two_processes(switch_cost_ns: u64, kernels: Vec<KernelDraft>) -> Draft {
    let mut draft = Draft {
        device: DeviceDraft::Custom(Device { copy_bandwidth_bytes_per_s: 1_000_000_000, ..Device::default() }),
        processes: vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")],
        tasks: vec![TaskDraft::named("T0"), TaskDraft { process: Some("P1".to_owned()), ..TaskDraft::named("T1") }],
        kernels,
        ..Draft::default()
    };
    (draft.policy.kind, draft.policy.switch_cost_ns) = (PolicyKind::Runlist, switch_cost_ns);
    draft
}

fn kernel(name: &str, task: &str, blocks: u64, threads: u64, time: u64) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), ..KernelDraft::named(name, blocks, threads, time) }
}

/// A block, its SM, and when it executed.
type Placed = (String, u16, Vec<(u64, u64)>);

/// Every block, in order of assignment.
fn blocks(run: &Run) -> Vec<Placed> {
    let records = Records::new(&run.trace);
    let runs = |i: usize| records.block_runs(i).iter().map(|r| (r.start.ns(), r.end.ns())).collect();
    let of = |(i, b): (usize, &blockstep_sim::record::BlockRecord)| (format!("{}:{}", run.trace.op_label(b.op), b.block), b.sm.0, runs(i));
    records.blocks.iter().enumerate().map(of).collect()
}

fn assert_sound(run: &Run) {
    let found = check(&run.trace, &Records::new(&run.trace));
    assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
}

#[test]
fn residency_suspended_blocks_keep_their_place_and_run_their_time() {
    let run = run(&two_processes(0, vec![kernel("K1", "T0", 1, 1024, 10), kernel("K2", "T1", 1, 1024, 10)]), 4, false);
    assert_sound(&run);
    let expected = [("K1:0".to_owned(), 0, vec![(0, 4), (8, 12), (16, 18)]), ("K2:0".to_owned(), 0, vec![(4, 8), (12, 16), (18, 20)])];
    assert_eq!(blocks(&run), expected, "each process has SM 0 to itself");
    let records = Records::new(&run.trace);
    let stays: Vec<_> = records.residency.iter().map(|(space, r)| (space.0, r.start.ns(), r.end.ns())).collect();
    assert_eq!(stays, [(0, 0, 4), (1, 4, 8), (0, 8, 12), (1, 12, 16), (0, 16, 18), (1, 18, 20)]);
}

#[test]
fn residency_a_switch_costs_time_in_which_nothing_executes() {
    let run = run(&two_processes(3, vec![kernel("K1", "T0", 1, 64, 6), kernel("K2", "T1", 1, 64, 5)]), 4, false);
    assert_sound(&run);
    // The very first is free; then 4-7, 11-14 and 16-19 are switches.
    assert_eq!(blocks(&run), [("K1:0".to_owned(), 0, vec![(0, 4), (14, 16)]), ("K2:0".to_owned(), 0, vec![(7, 11), (19, 20)])]);
}

#[test]
fn residency_what_is_not_resident_is_not_assigned_but_queues() {
    let run =
        run(&two_processes(0, vec![kernel("K1", "T0", 1, 64, 20), kernel("K2", "T1", 1, 64, 1), kernel("K3", "T1", 1, 64, 1)]), 10, false);
    let queued: Vec<_> = Records::new(&run.trace).ops.iter().map(|op| (op.queued.unwrap().ns(), op.start.unwrap().ns())).collect();
    assert_eq!(queued, [(0, 0), (0, 10), (11, 11)], "issue and promotion do not depend on residency");
}

#[test]
fn residency_copies_are_suspended_too() {
    let copy = |name: &str, task: &str| KernelDraft { copy_in_bytes: 6, ..kernel(name, task, 1, 64, 1) };
    let run = run(&two_processes(0, vec![copy("K1", "T0"), copy("K2", "T1")]), 4, false);
    assert_sound(&run);
    let records = Records::new(&run.trace);
    let runs: Vec<_> = (0..2).map(|i| records.copy_runs(i).iter().map(|r| (r.start.ns(), r.end.ns())).collect::<Vec<_>>()).collect();
    // K1 runs 10-11 within P0's second stay, after which P1 goes on.
    assert_eq!(runs, [vec![(0, 4), (8, 10)], vec![(4, 8), (11, 13)]]);
}

#[test]
fn residency_resumed_blocks_complete_in_order_of_assignment() {
    // K1:1, the shorter, was assigned second; suspended at 4 they end together in their own order.
    let mut k1 = kernel("K1", "T0", 2, 64, 9);
    k1.copy_out_bytes = 1;
    let mut k3 = kernel("K3", "T0", 1, 64, 9);
    (k3.stream, k3.copy_out_bytes) = ("S3".to_owned(), 1);
    let run = run(&two_processes(0, vec![k1, k3, kernel("K2", "T1", 1, 64, 3)]), 4, false);
    assert_sound(&run);
    let ends: Vec<_> = run.trace.steps().iter().filter(|s| matches!(s.change, Change::BlockEnded { .. }) && s.at == Time(12)).collect();
    let ended: Vec<_> = ends.iter().map(|s| s.change).collect();
    let of =
        |change: &Change| if let Change::BlockEnded { op, block, .. } = *change { (run.trace.op_label(op), block) } else { unreachable!() };
    assert_eq!(ended.iter().map(of).collect::<Vec<_>>(), [("K1".to_owned(), 0), ("K1".to_owned(), 1), ("K3".to_owned(), 0)]);
}

#[test]
fn residency_a_drain_lets_what_runs_complete_and_assigns_nothing() {
    // 32 KiB a block: four at a time. The quantum ends at 4, the running blocks at 10.
    let memory = |k: KernelDraft| KernelDraft { shared_memory_bytes: 32 << 10, ..k };
    let run = run(&two_processes(0, vec![memory(kernel("K1", "T0", 6, 64, 10)), kernel("K2", "T1", 1, 64, 5)]), 4, true);
    assert_sound(&run);
    let starts: Vec<_> = blocks(&run).into_iter().map(|(name, _, runs)| (name, runs)).collect();
    assert_eq!(starts[0], ("K1:0".to_owned(), vec![(0, 10)]));
    assert_eq!(starts[4], ("K2:0".to_owned(), vec![(10, 15)]));
    assert_eq!(starts[5], ("K1:4".to_owned(), vec![(15, 25)]));
    assert!(run.trace.steps().iter().any(|s| s.at == Time(4) && s.rule == Rule::S3));
}

#[test]
fn residency_processes_have_null_streams_of_their_own() {
    let null = |k: KernelDraft| KernelDraft { stream: "NULL".to_owned(), ..k };
    let run = run(&two_processes(0, vec![null(kernel("K1", "T0", 1, 64, 10)), kernel("K2", "T1", 1, 64, 2)]), 4, false);
    assert_eq!(Records::new(&run.trace).ops.iter().map(|op| op.queued.unwrap().ns()).collect::<Vec<_>>(), [0, 0]);
}

/// A random scenario, of two processes at least, that takes turns.
fn turns() -> impl Strategy<Value = (Draft, u64, bool)> {
    (drafts_without_spins(), 0..4_u64, 1..6_u64, any::<bool>()).prop_map(|(mut draft, switch_cost_ns, quantum, drains)| {
        (draft.policy.kind, draft.policy.switch_cost_ns) = (PolicyKind::Runlist, switch_cost_ns);
        for i in draft.processes.len()..2 {
            draft.processes.push(ProcessDraft::named(format!("P{i}")));
        }
        for (i, task) in draft.tasks.iter_mut().enumerate() {
            task.process = Some(format!("P{}", i % 2));
        }
        (draft, quantum, drains)
    })
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Among others: every block and copy runs exactly its time in total, nothing executes while
    /// its process is not resident, no limit is exceeded in any process's view.
    #[test]
    fn residency_no_invariant_is_violated((draft, quantum, drains) in turns()) {
        let run = run(&draft, quantum, drains);
        prop_assert_eq!(run.trace.cut(), None);
        let records = Records::new(&run.trace);
        let found = check(&run.trace, &records);
        prop_assert!(found.is_empty(), "{}\n{}", found[0], run.trace.text());
        // Independently of `check`: what executes does so within the stays of its own process.
        for (i, b) in records.blocks.iter().enumerate() {
            let space = run.trace.layout().stream(run.trace.op(b.op).stream).space;
            for r in records.block_runs(i) {
                let inside = records.residency.iter().any(|(s, stay)| *s == space && stay.start <= r.start && r.end <= stay.end);
                prop_assert!(inside, "{:?} of {}:{}\n{}", r, run.trace.op_label(b.op), b.block, run.trace.text());
            }
        }
    }

    #[test]
    fn residency_every_route_gives_the_same_state((draft, quantum, drains) in turns(), route in proptest::collection::vec(any::<Index>(), 1..20)) {
        let run = run(&draft, quantum, drains);
        let mut states = vec![Snapshot::new(run.trace.scenario(), run.trace.layout(), Residency::Idle { last: None, gave_way: false })];
        for step in run.trace.steps() {
            let mut next = states.last().unwrap().clone();
            next.apply(&run.trace, step);
            states.push(next);
        }
        let mut replay = run.replay();
        for stop in route {
            let target = stop.index(states.len());
            prop_assert_eq!(replay.seek(target as u32), &states[target]);
        }
    }
}

/// The strategy does suspend blocks and copies, and often.
#[test]
fn residency_random_runs_do_suspend() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut blocks, mut copies, mut drains) = (0, 0, 0);
    for _ in 0..500 {
        let (draft, quantum, drain) = turns().new_tree(&mut runner).unwrap().current();
        let run = run(&draft, quantum, drain);
        let has = |test: fn(&Change) -> bool| usize::from(run.trace.steps().iter().any(|s| test(&s.change)));
        blocks += has(|c| matches!(c, Change::BlockSuspended { .. }));
        copies += has(|c| matches!(c, Change::CopySuspended { .. }));
        drains += has(|c| matches!(c, Change::DrainStarted { .. }));
    }
    assert!(blocks > 20 && copies > 10 && drains > 20, "{blocks} {copies} {drains}");
}

/// A policy that asks for instant after instant and does nothing ends as an error, not as a hang.
#[test]
fn residency_a_policy_that_only_ticks_is_stopped() {
    struct Ticks;
    impl Policy for Ticks {
        fn about(&self) -> &'static About {
            policy::about(PolicyKind::Runlist)
        }
        fn level(&self, _: &StreamQueue) -> Level {
            Level::Low
        }
        fn next_timer(&self, view: View<'_>) -> Option<Time> {
            view.now.after(Span(1))
        }
    }
    let draft = two_processes(0, vec![kernel("K1", "T0", 1, 64, 6)]);
    let run = simulate_with(&Scenario::new(&draft).unwrap(), &Ticks, Limits::default());
    assert!(matches!(run.trace.cut(), Some(Cut::Internal { .. })), "{:?}", run.trace.cut());
}
