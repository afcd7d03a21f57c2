//! Why something waits: the chain of causes in examples, in exact words, and as a property at every
//! step of random runs: what is named holds the operation up, and nothing else does.

mod began;
mod between;
mod occupancy;
mod tool;

use blockstep_format as format;
use blockstep_learn::why::{Moment, Root, Standing, Until, Why, headline, root_text, subject, waits_for, why, why_within};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, NULL_STREAM, Release, Scenario, TaskDraft};
use blockstep_sim::snapshot::{Progress, Residency, Snapshot};
use blockstep_sim::trace::{Change, Level, OpKind, Rule, Step, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, SmId, SpaceId, StepId};
use blockstep_sim::work::Budget;
use blockstep_view::reason::{self, Reason};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::rows::{at, row, run, state_at, table_1};

fn ask(draft: &Draft, time: &str, row: &str) -> (Run, Why) {
    let (run, records) = run(draft);
    let state = state_at(&run, at(time));
    let moment = Moment { trace: &run.trace, records: &records, state: &state };
    let row = run.trace.scenario().rows().iter().position(|r| r.name == row).unwrap();
    let why = why(moment, subject(moment, RowId::at(row)).unwrap());
    (run, why)
}

/// The headline, the reasons of the links, and the root in words.
fn told(draft: &Draft, time: &str, row: &str) -> (String, Vec<String>, String) {
    let (run, why) = ask(draft, time, row);
    let links = why.links.iter().map(|l| format!("{} {}", run.trace.op_label(l.op), l.rule.map_or("-", Rule::id)));
    let root = why.root.as_ref().map_or(String::new(), |root| root_text(&run.trace, root, &why.links));
    (headline(&run.trace, &why), links.collect(), root)
}

#[test]
fn why_a_chain_leads_to_what_executes() {
    let (head, links, root) = told(&table_1(), "0.8", "K5");
    assert_eq!(head, "K5 waits behind K1. K1's next block needs 768 threads; they are free at 1 s, when K1's block 0 ends.");
    assert_eq!(links, ["K5 X1", "K1 R2"]);
    assert_eq!(root, "Block 0 of K1 executes on SM 0. It completes at 1 s.");
    let (head, links, root) = told(&table_1(), "1.8", "K5");
    assert_eq!(head, "K5's next block needs 32 KiB of shared memory; it is free at 2 s, when K4's block 0 ends.");
    assert_eq!(links, ["K5 R3"]);
    assert_eq!(root, "Block 0 of K4 executes on SM 0. It completes at 2 s.");
    let (head, links, _) = told(&table_1(), "3.02", "K3");
    assert_eq!(head, "K3 waits behind C2o in stream S1. The root cause: C5o executes until 3.2 s.");
    assert_eq!(links, ["K3 G2", "C2o C2"]);
}

/// Of every operation of the examples, at a hundred steps of each: two short sentences.
#[test]
fn why_is_answered_in_two_short_sentences() {
    for example in blockstep_sim::examples::all() {
        let (run, records) = run(&format::read_scenario(example.json).unwrap());
        let trace = &run.trace;
        let (steps, ops) = (trace.steps().len(), trace.ops().len());
        let mut replay = run.replay();
        for position in (0..=steps as u32).step_by(steps / 100 + 1) {
            let moment = Moment { trace, records: &records, state: replay.seek(position) };
            for op in (0..ops).step_by(ops / 20 + 1).map(OpId::at) {
                let said = headline(trace, &why(moment, op));
                assert!(said.ends_with('.') && said.matches(". ").count() <= 1, "{}: {said}", example.id);
                assert!(said.chars().count() <= 160, "{}: {said}", example.id);
            }
        }
    }
}

#[test]
fn why_amounts_stand_beside_the_reason() {
    let (_, why) = ask(&table_1(), "1.8", "K5");
    let room = why.links[0].room.as_ref().unwrap();
    assert_eq!(room.need[..2], [256, 32 << 10]);
    assert_eq!(room.sms.iter().map(|sm| sm.free[1]).collect::<Vec<_>>(), [0, 0]);
    assert_eq!(room.scarce(), [false, true, false, false]);
    let holds: Vec<_> = room.holds.iter().map(|h| (h.sm, h.op.0, h.blocks, h.held[1], h.last_end.ns())).collect();
    let (k1, k4, kib) = (0, 6, 64 << 10);
    assert_eq!(holds[0], (SmId(0), k1, 1, 0, at("2")));
    assert_eq!(holds[1], (SmId(0), k4, 2, kib, at("2")));
    assert_eq!(holds.len(), 4);
}

#[test]
fn why_a_null_stream_waits_for_a_last_block() {
    let draft = Draft {
        kernels: vec![row("K4", "S1", "0", 3, 1024), row("K5", NULL_STREAM, "0", 1, 64), row("K6", "S2", "0", 1, 64)],
        ..Draft::default()
    };
    let (head, links, root) = told(&draft, "0.5", "K6");
    assert_eq!(head, "K6 waits for K5 in the NULL stream. The root cause: K4 executes until 1 s.");
    assert_eq!(links, ["K6 N2", "K5 N1"]);
    assert_eq!(root, "Block 2 of K4 executes on SM 0. It completes at 1 s.");
}

#[test]
fn why_other_standings_are_told() {
    let table = table_1();
    assert_eq!(told(&table, "0.8", "K6").0, "Task T1 launches K6 at 2.8 s.");
    assert_eq!(told(&table, "1.8", "K4").0, "K4 executes until 2 s. Its last block to end is block 3 on SM 1.");
    assert_eq!(told(&table, "0.8", "K1").0, "K1's next block needs 768 threads; they are free at 1 s, when K1's block 0 ends.");
    assert_eq!(told(&table, "2.5", "K1").0, "K1 completed at 2 s.");
    let after = |k: KernelDraft| KernelDraft { after: Some("K1".to_owned()), ..k };
    let draft = Draft { kernels: vec![row("K1", "S1", "0", 1, 64), after(row("K2", "S2", "0.5", 1, 64))], ..Draft::default() };
    let (head, _, root) = told(&draft, "0.5", "K2");
    assert_eq!(head, "Task T0 launches K2 at 1.5 s. That is 500 ms after K1 is complete.");
    assert_eq!(root, "Block 0 of K1 executes on SM 0. It completes at 1 s.");
}

/// A consumer in front of its producer in one stream: nothing ever goes on.
fn deadlock() -> Draft {
    let consumer = TaskDraft { consumes: vec!["T1".to_owned()], ..TaskDraft::named("T0") };
    Draft {
        tasks: vec![consumer, TaskDraft::named("T1")],
        kernels: vec![row("K1", "S1", "0", 1, 64), KernelDraft { task: Some("T1".to_owned()), ..row("K2", "S1", "0", 1, 64) }],
        ..Draft::default()
    }
}

#[test]
fn why_a_deadlock_is_named() {
    let (head, links, root) = told(&deadlock(), "0", "K1");
    assert_eq!(head, "K1 waits for the job of task T1. The causes form a circle, so none of them ever ends.");
    assert_eq!(links, ["K1 -", "K2 G2"]);
    assert_eq!(root, "A deadlock: K1, K2 wait for each other, and none of them ever continues.");
    let (_, why) = ask(&deadlock(), "0", "K2");
    assert_eq!(why.links.iter().map(|l| l.clears).collect::<Vec<_>>(), [Until::EndOfRun; 2]);
}

#[test]
fn why_a_job_that_never_comes_is_named() {
    let mut draft = deadlock();
    draft.tasks[1] = TaskDraft { release: Release::Periodic, period_ns: Some(at("2")), jobs: Some(1), ..draft.tasks[1].clone() };
    draft.tasks[0] = TaskDraft { release: Release::Periodic, period_ns: Some(at("2")), jobs: Some(2), ..draft.tasks[0].clone() };
    draft.kernels[1].stream = "S2".to_owned();
    draft.horizon_ns = Some(at("10"));
    let (head, _, root) = told(&draft, "5", "K1");
    assert_eq!(head, "K1#1 waits for job 1 of task T1. It is never released in this run.");
    assert_eq!(root, "There is no job 1 of task T1: the task releases fewer jobs. Anything that waits for it never continues.");
}

/// Every state of a run.
fn states(run: &Run) -> Vec<Snapshot> {
    let mut replay = run.replay();
    (0..=run.trace.steps().len() as u32).map(|applied| replay.seek(applied).clone()).collect()
}

/// By state and operation, why it waits.
fn reasons(trace: &Trace, states: &[Snapshot]) -> Vec<Vec<Option<Reason>>> {
    states.iter().map(|state| (0..trace.ops().len()).map(|op| open_reason(trace, state, OpId::at(op))).collect()).collect()
}

fn open_reason(trace: &Trace, state: &Snapshot, op: OpId) -> Option<Reason> {
    let is_issued = state.stream(trace.op(op).stream).queue.contains(&op);
    if is_issued { waits_for(trace, state, op) } else { None }
}

fn space_of(trace: &Trace, op: OpId) -> SpaceId {
    trace.layout().stream(trace.op(op).stream).space
}

/// The state if what the reason names were over now, made of steps as the engine would make them.
fn without(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> Snapshot {
    let mut other = state.clone();
    let mut apply = |change: Change| other.apply(trace, &Step { at: state.now(), rule: Rule::G1, change });
    match reason {
        Reason::Producer { task, job } => {
            (state.task(task).released..=job.0).for_each(|job| apply(Change::JobReleased { task, job: JobNo(job) }));
            apply(Change::JobCompleted { task, job });
        }
        Reason::BehindInStream { op } | Reason::N1 { op } | Reason::N2 { op } => finish(trace, state, op, &mut apply),
        // With it, what stands before it in its stream.
        Reason::Graph { op: captured } | Reason::Event { op: captured } => {
            let queue = &state.stream(trace.op(captured).stream).queue;
            queue.iter().take_while(|&&op| op <= captured).for_each(|&op| finish(trace, state, op, &mut apply));
        }
        Reason::BehindInConnection { op } => apply(joins(trace, op)),
        Reason::CopyEngine { op: running } => {
            let space = state.space(space_of(trace, op));
            let engine = u8::from(!space.ce(0).contains(&op));
            if space.ce(engine).front() == Some(&running) {
                apply(Change::CeLeft { op: running, engine });
            }
            apply(Change::CopyCompleted { op: running, engine });
        }
        Reason::NotLaunched => apply(Change::EeJoined { op, level: Level::Low }),
        Reason::A2 { op: head } => apply(Change::EeLeft { op: head, level: Level::High }),
        Reason::X1 { op: head } => {
            let is_high = state.space(space_of(trace, head)).ee(Level::High).front() == Some(&head);
            apply(Change::EeLeft { op: head, level: if is_high { Level::High } else { Level::Low } });
        }
        Reason::NotResident => {
            if let Residency::Resident { space, .. } = state.residency() {
                apply(Change::Left { space });
            }
            apply(Change::Entered { space: space_of(trace, op) });
        }
        _ => {}
    }
    other
}

/// Completes the head of a stream, wherever it stands. The queues it would stand in between do not
/// matter to what stands behind it.
fn finish(trace: &Trace, state: &Snapshot, op: OpId, apply: &mut impl FnMut(Change)) {
    let space = state.space(space_of(trace, op));
    let is_promoted = state.stream(trace.op(op).stream).promoted;
    match trace.op(op).kind {
        OpKind::Kernel => {
            if !is_promoted {
                apply(Change::EeJoined { op, level: Level::Low });
            }
            for (sm, on_sm) in space.sms.iter().enumerate() {
                for block in on_sm.blocks.iter().filter(|b| b.op == op) {
                    apply(Change::BlockEnded { op, block: block.block, sm: SmId::at(sm) });
                }
            }
            apply(Change::KernelCompleted { op });
        }
        OpKind::CopyIn | OpKind::CopyOut => {
            if !is_promoted {
                apply(Change::CeJoined { op, engine: 0 });
            }
            let engine = u8::from(space.engines[1].is_some_and(|copy| copy.op == op));
            apply(Change::CopyCompleted { op, engine });
        }
    }
}

/// Ends blocks in the order in which they end, up to the one that is said to make room, or up to
/// the one before it.
fn with_room(trace: &Trace, state: &Snapshot, op: OpId, until: (OpId, u32), inclusive: bool) -> Snapshot {
    let mut other = state.clone();
    let space = state.space(space_of(trace, op));
    let end = |progress| match progress {
        Progress::Runs(until) => until.ns(),
        Progress::Suspended(left) => state.now().ns() + left.ns(),
        Progress::Spins => u64::MAX,
    };
    let on_sms = space.sms.iter().enumerate().flat_map(|(sm, s)| s.blocks.iter().map(move |b| (end(b.progress), b.order, sm, *b)));
    let mut blocks: Vec<_> = on_sms.collect();
    blocks.sort_by_key(|&(end, order, ..)| (end, order));
    for (_, _, sm, b) in blocks {
        let is_it = (b.op, b.block) == until;
        if is_it && !inclusive {
            break;
        }
        let change = Change::BlockEnded { op: b.op, block: b.block, sm: SmId::at(sm) };
        other.apply(trace, &Step { at: state.now(), rule: Rule::B1, change });
        if is_it {
            break;
        }
    }
    other
}

/// The change by which an operation moves on.
fn joins(trace: &Trace, op: OpId) -> Change {
    match trace.op(op).kind {
        OpKind::Kernel => Change::EeJoined { op, level: Level::Low },
        OpKind::CopyIn | OpKind::CopyOut => Change::CeJoined { op, engine: 0 },
    }
}

/// Whether a step may end a reason: it takes away what the reason names, or the turn.
fn may_end(trace: &Trace, op: OpId, reason: Reason, change: Change) -> bool {
    let own = space_of(trace, op);
    let turn_ends = matches!(change, Change::Left { space } | Change::DrainStarted { space, .. } if space == own);
    let overtaken = matches!(change, Change::EeJoined { op, level: Level::High } if space_of(trace, op) == own);
    match reason {
        // Its last operation; without one, that of a producer of its own, or its release.
        Reason::Producer { task, job } => {
            let has_operations = trace.scenario().task(task).has_operations();
            let is_its = |op: OpId| !has_operations || trace.row_of(op).task == task && trace.op(op).job == job;
            let ends = matches!(change, Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } if is_its(op));
            ends || !has_operations && matches!(change, Change::JobReleased { .. })
        }
        Reason::BehindInStream { op } | Reason::N1 { op } | Reason::N2 { op } | Reason::Graph { op } | Reason::Event { op } => {
            matches!(change, Change::KernelCompleted { op: done } | Change::CopyCompleted { op: done, .. } if done == op)
        }
        Reason::BehindInConnection { op } => {
            matches!(change, Change::EeJoined { op: moved, .. } | Change::CeJoined { op: moved, .. } if moved == op)
        }
        Reason::CopyEngine { op } => turn_ends || matches!(change, Change::CopyCompleted { op: done, .. } if done == op),
        // While a process drains in the mode kernel, a kernel without blocks left holds up nobody, still in its queue or not.
        Reason::A2 { op } => {
            let is_last = |block: u32| u64::from(block) + 1 == trace.row_of(op).blocks;
            let is_dispatched = matches!(change, Change::BlockAssigned { op: of, block, .. } if of == op && is_last(block));
            turn_ends || is_dispatched || change == Change::EeLeft { op, level: Level::High }
        }
        Reason::X1 { op } => turn_ends || overtaken || matches!(change, Change::EeLeft { op: done, .. } if done == op),
        Reason::NotLaunched => matches!(change, Change::EeJoined { op: joined, .. } if joined == op),
        Reason::NotResident => change == Change::Entered { space: own },
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce => {
            turn_ends || overtaken || matches!(change, Change::BlockEnded { op: of, .. } if space_of(trace, of) == own)
        }
        Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => true,
    }
}

fn moves(change: Change, op: OpId) -> bool {
    match change {
        Change::BlockAssigned { op: of, .. } | Change::CopyAssigned { op: of, .. } => of == op,
        Change::EeJoined { op: of, .. } | Change::CeJoined { op: of, .. } => of == op,
        _ => false,
    }
}

/// Everything that is said of one operation at one state.
#[allow(clippy::too_many_lines, reason = "one statement after the other")]
fn assert_explained(run: &Run, records: &Records, states: &[Snapshot], reasons: &[Vec<Option<Reason>>], applied: usize, op: OpId) {
    let (trace, state) = (&*run.trace, &states[applied]);
    let why = why(Moment { trace, records, state }, op);
    let said = format!("{why:?}");
    let first_change = |of: OpId| {
        let now = reasons[applied][of.index()];
        reasons[applied..].iter().position(|r| r[of.index()] != now).map(|later| StepId::at(applied + later - 1))
    };
    // The chain begins with the operation's own reason and goes from holder to holder.
    assert_eq!(why.links.first().map(|l| (l.op, l.reason)), reasons[applied][op.index()].map(|reason| (op, reason)), "{said}");
    for (i, link) in why.links.iter().enumerate() {
        assert_eq!(reasons[applied][link.op.index()], Some(link.reason), "{said}");
        assert!(why.links[..i].iter().all(|before| before.op != link.op), "{said}");
        assert_eq!(link.executes, reason::executes(trace, state, link.op), "{said}");
        // It is over exactly when the walk over all later states says so, and for the reason named.
        assert_eq!(link.clears, first_change(link.op).map_or(Until::EndOfRun, Until::Step), "link {i}: {said}");
        let is_settled = matches!(link.reason, Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing);
        let until = link.clears.step().map_or(trace.steps().len(), StepId::index);
        assert!(is_settled || trace.steps()[applied..until].iter().all(|s| !moves(s.change, link.op)), "{said}");
        if let Some(clears) = link.clears.step() {
            assert!(may_end(trace, link.op, link.reason, trace.step(clears).change), "link {i} {:?}: {said}", trace.step(clears));
        }
        let next = why.links.get(i + 1).map(|l| l.op);
        let named = match link.reason {
            Reason::BehindInStream { op } | Reason::N1 { op } | Reason::N2 { op } | Reason::A2 { op } | Reason::X1 { op } => Some(op),
            Reason::Graph { op } | Reason::Event { op } | Reason::BehindInConnection { op } => Some(op),
            _ => None,
        };
        assert!(named.is_none() || next.is_none() || named == next, "{said}");
        // If it were over now, the operation would have another reason or none.
        if let Some(room) = &link.room {
            let space = state.space(space_of(trace, link.op));
            let needs = trace.row_of(link.op).needs;
            assert_eq!(room.need, [needs.threads.into(), needs.shared_memory, needs.registers, 1]);
            for (sm, held) in room.sms.iter().zip(&space.sms) {
                assert_eq!(sm.free, [held.threads.into(), held.shared_memory, held.registers, held.slots.into()]);
            }
            for (i, sm) in room.sms.iter().enumerate() {
                let held = |which: usize| room.holds.iter().filter(|h| h.sm.index() == i).map(|h| h.held[which]).sum::<u64>();
                assert!((0..4).all(|which| sm.free[which] + held(which) == sm.whole[which]), "{said}");
                assert!(room.lacks(SmId::at(i)).iter().any(|&l| l), "an SM has room: {said}");
            }
            let Some((of, block, sm, _)) = room.opens else {
                assert!(space.sms.holding().flat_map(|(_, sm)| &sm.blocks).any(|b| state.spins(trace, b.op)), "{said}");
                continue;
            };
            // Of a cooperative kernel all blocks have to fit.
            if trace.row_of(link.op).cooperative {
                continue;
            }
            let fits = |s: &Snapshot| s.space(space_of(trace, link.op)).sms.iter().any(|sm| sm.fits(&needs));
            assert!(!fits(&with_room(trace, state, link.op, (of, block), false)), "{said}");
            let other = with_room(trace, state, link.op, (of, block), true);
            assert!(fits(&other) && other.space(space_of(trace, link.op)).sms[sm.index()].fits(&needs), "{said}");
            if link.op != of {
                assert_eq!(waits_for(trace, &other, link.op), Some(Reason::ToBeAssigned), "{said}");
            }
        } else if !is_settled {
            let other = without(trace, state, link.op, link.reason);
            assert_ne!(waits_for(trace, &other, link.op), Some(link.reason), "link {i}: {said}");
        }
    }
    // It goes on when the run says so.
    let goes_on = |s: &Step| matches!(s.change, Change::BlockAssigned { op: of, .. } | Change::CopyAssigned { op: of, .. } | Change::BlockResumed { op: of, .. } | Change::CopyResumed { op: of, .. } if of == op);
    let found = trace.steps()[applied..].iter().position(goes_on).map(|i| StepId::at(applied + i));
    if why.standing == Standing::Waits {
        assert_eq!(why.goes_on, found, "{said}");
    }
    assert_eq!(why.standing == Standing::Executes, reason::executes(trace, state, op));
    assert_rooted(trace, state, applied, &why);
    assert!(!headline(trace, &why).is_empty());
}

/// The chain ends in something that executes, that is to come, or that goes round.
fn assert_rooted(trace: &Trace, state: &Snapshot, applied: usize, why: &Why) {
    let said = format!("{why:?}");
    let end = |change: Change| trace.steps()[applied..].iter().position(|s| s.change == change).map(|i| StepId::at(applied + i));
    match why.root.clone().expect("it is issued and incomplete") {
        Root::Block { op, block, sm, ends, step, .. } => {
            let found = state.space(space_of(trace, op)).sms[sm.index()].blocks.iter().find(|b| b.op == op && b.block == block);
            let progress = found.unwrap_or_else(|| panic!("{said}")).progress;
            assert!(progress == Progress::Runs(ends) || trace.steps()[applied].at == state.now(), "{said}");
            assert_eq!(step, end(Change::BlockEnded { op, block, sm }), "{said}");
        }
        Root::Spin { op, step } => {
            // It goes on by the very next step where all holds already.
            assert!(state.spins(trace, op) || step == Some(StepId::at(applied)), "{said}");
            assert_eq!(step, end(Change::SpinEnded { op }), "{said}");
        }
        Root::Copy { op, step, .. } => {
            assert!(reason::executes(trace, state, op), "{said}");
            assert_eq!(step, end(Change::CopyCompleted { op, engine: 0 }).or(end(Change::CopyCompleted { op, engine: 1 })), "{said}");
        }
        Root::Absent(absent) => {
            assert!(!state.assigns(absent.space), "{said}");
            assert_eq!(absent.enters, end(Change::Entered { space: absent.space }), "{said}");
        }
        Root::Release { task, job, step, is_beyond_last } => {
            assert!(job.0 >= state.task(task).released, "{said}");
            assert_eq!(step, end(Change::JobReleased { task, job }), "{said}");
            assert!(!is_beyond_last || step.is_none());
        }
        Root::Launch { step, .. } => {
            let launched = |step: &StepId| matches!(trace.step(*step).change, Change::EeJoined { .. });
            assert!(step.is_none_or(|step| launched(&step)), "{said}");
        }
        Root::Issue { task, job, step } => {
            assert_eq!(state.task(task).job(job).map(|j| j.live), Some(0), "{said}");
            let is_issue = |s: &Step| matches!(s.change, Change::Issued { op } if trace.row_of(op).task == task && trace.op(op).job == job);
            assert_eq!(step, trace.steps()[applied..].iter().position(is_issue).map(|i| StepId::at(applied + i)), "{said}");
        }
        // Nothing else happens in between.
        Root::Now => assert!(trace.steps().get(applied).is_none_or(|s| s.at == state.now()), "{said}"),
        Root::Cycle { from } => {
            assert!(from < why.links.len(), "{said}");
            assert!(why.links[from..].iter().any(|l| matches!(l.reason, Reason::Producer { .. })), "{said}");
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// At every step of random runs: what is named holds the operation up, for exactly as long as is
    /// said; taking it away makes the operation eligible or moves the chain to another cause.
    #[test]
    fn why_removing_the_named_cause_moves_the_chain(draft in any_drafts()) {
        let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let (records, states) = (Records::new(&run.trace), states(&run));
        let reasons = reasons(&run.trace, &states);
        for (applied, state) in states.iter().enumerate() {
            let streams = (0..run.trace.layout().streams().len()).map(blockstep_sim::units::StreamId::at);
            let open: Vec<OpId> = streams.flat_map(|s| state.stream(s).queue.iter().copied()).collect();
            for op in open {
                assert_explained(&run, &records, &states, &reasons, applied, op);
            }
        }
    }
}

#[test]
fn why_looks_only_so_far_for_the_end_of_a_wait() {
    let (run, records) = run(&table_1());
    let state = state_at(&run, at("1.8"));
    let moment = Moment { trace: &run.trace, records: &records, state: &state };
    let op = subject(moment, RowId(4)).unwrap();
    let mut work = Budget::UNLIMITED;
    let whole = why_within(moment, op, &mut work);
    assert_eq!((whole.links.len(), whole == why(moment, op)), (1, true));
    assert!(matches!(whole.links[0].clears, Until::Step(_)) && work.spent() > 1);
    let short = why_within(moment, op, &mut Budget::new(work.spent() - 1));
    assert_eq!((short.links[0].clears, &short.root), (Until::Unsought, &whole.root));
    assert_eq!(why_within(moment, op, &mut Budget::new(work.spent())), whole);
}
