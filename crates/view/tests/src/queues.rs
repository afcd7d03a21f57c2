//! The queue diagram: the five insets of [TX2] Fig. 4, and what each kind of step marks.

mod flow;
mod path;
mod scheduler;

use std::fmt::Write;

use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{Choice, Device, DeviceDraft, Draft, PolicyKind, StreamDraft, StreamPriority};
use blockstep_sim::trace::Change;
use blockstep_sim::units::Time;
use blockstep_view::queues::{QueueView, QueuedOp, queues};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{cases, drafts};
use blockstep_testing::rows::{at, row, run, state_at, table_1};

/// The diagram in words, a line a box: `*` for what is dispatched, as the paper shades it.
fn drawn(view: &QueueView) -> String {
    let mut out = String::new();
    let items =
        |items: &[QueuedOp]| items.iter().map(|i| format!(" {}{}", i.label, if i.dispatched { "*" } else { "" })).collect::<String>();
    for space in &view.spaces {
        for s in &space.streams {
            writeln!(out, "{}:{}", s.label, items(&s.items)).unwrap();
        }
        for q in space.ee.iter().chain(&space.ce) {
            writeln!(out, "{}:{}", q.label, items(&q.items)).unwrap();
        }
        for sm in &space.sms {
            let blocks: String = sm.blocks.iter().map(|b| format!(" {}", b.label)).collect();
            writeln!(out, "SM {}, {} threads free:{blocks}", sm.sm.0, sm.threads.free).unwrap();
        }
        for e in &space.engines {
            writeln!(out, "{}:{}", e.label, items(e.item.as_slice())).unwrap();
        }
    }
    out
}

fn at_time(draft: &Draft, time: &str) -> String {
    let (run, _) = run(draft);
    drawn(&queues(&run.trace, &state_at(&run, at(time)), None, Time::ZERO, 100))
}

/// Table 1 with one EE queue, as the paper draws it.
fn fig_4() -> Draft {
    let mut draft = table_1();
    draft.policy.kind = PolicyKind::Fifo;
    draft
}

#[test]
fn fig_4_a() {
    // "K1 is dispatched to the GPU, so it is shaded in its stream queue"; it stays in the EE
    // queue as two of its blocks are not assigned. K1, K4 and K5 are in the EE queue, in issue order.
    let expected = "\
S1: K1* K2 C2o C3i K3 C3o
S2: K4
S3: K5 C5o
EE queue: K1* K4 K5
CE queue:
SM 0, 512 threads free: K1:0 K1:2
SM 1, 512 threads free: K1:1 K1:3
Copy engine:
";
    assert_eq!(at_time(&fig_4(), "0.8"), expected);
}

#[test]
fn fig_4_b() {
    // K1 and K4 are fully dispatched: out of the EE queue, still at the heads of their streams.
    let expected = "\
S1: K1* K2 C2o C3i K3 C3o
S2: K4*
S3: K5 C5o
EE queue: K5
CE queue:
SM 0, 768 threads free: K1:4 K4:0 K4:2
SM 1, 768 threads free: K1:5 K4:1 K4:3
Copy engine:
";
    assert_eq!(at_time(&fig_4(), "1.8"), expected);
}

#[test]
fn fig_4_c() {
    // Both of K5's blocks are assigned, and K2 is fully dispatched at once. C2o and C5o wait in
    // their stream queues.
    let expected = "\
S1: K2* C2o C3i K3 C3o
S2:
S3: K5* C5o
EE queue:
CE queue:
SM 0, 1280 threads free: K5:0 K2:0
SM 1, 1280 threads free: K5:1 K2:1
Copy engine:
";
    assert_eq!(at_time(&fig_4(), "2.7"), expected);
}

#[test]
fn fig_4_d() {
    // C5o was enqueued first and is on the copy engine; C2o heads the CE queue; C3i and K3 are
    // behind C2o in their stream; K6 runs beside the copies.
    let expected = "\
S1: C2o C3i K3 C3o
S2: K6* C6o
S3: C5o*
EE queue:
CE queue: C2o
SM 0, 1536 threads free: K6:0
SM 1, 1536 threads free: K6:1
Copy engine: C5o*
";
    assert_eq!(at_time(&fig_4(), "3.02"), expected);
}

#[test]
fn fig_4_e() {
    // K3 and K6 are fully dispatched, C3o and C6o wait for them; EE and CE queue are empty.
    let expected = "\
S1: K3* C3o
S2: K6* C6o
S3:
EE queue:
CE queue:
SM 0, 512 threads free: K6:0 K3:0
SM 1, 512 threads free: K6:1 K3:1
Copy engine:
";
    assert_eq!(at_time(&fig_4(), "3.7"), expected);
}

#[test]
fn under_priority_there_are_two_ee_queues() {
    let mut draft = Draft {
        streams: vec![StreamDraft { process: None, name: "S2".to_owned(), priority: StreamPriority::High, non_blocking: false }],
        kernels: vec![row("K1", "S1", "0", 8, 1024), row("K2", "S2", "0.5", 8, 1024), row("K3", "S3", "0.6", 1, 64)],
        ..Draft::default()
    };
    draft.device = DeviceDraft::Custom(Device { copy_engines: 2, ..Device::default() });
    let (run, _) = run(&draft);
    let view = queues(&run.trace, &state_at(&run, at("0.7")), None, Time::ZERO, 100);
    let space = &view.spaces[0];
    let boxes: Vec<(&str, Vec<&str>)> =
        space.ee.iter().chain(&space.ce).map(|q| (q.label.as_str(), q.items.iter().map(|i| i.label.as_str()).collect())).collect();
    assert_eq!(
        boxes,
        [
            ("EE queue, high priority", vec!["K2"]),
            ("EE queue, low priority", vec!["K1", "K3"]),
            ("CE queue, input", vec![]),
            ("CE queue, output", vec![]),
        ]
    );
    assert_eq!(space.engines.iter().map(|e| e.label.as_str()).collect::<Vec<_>>(), ["Copy engine, input", "Copy engine, output"]);
    let priorities: Vec<_> = space.streams.iter().map(|s| (s.label.as_str(), s.priority.word())).collect();
    assert_eq!(priorities, [("S2", "high"), ("S1", "none"), ("S3", "none")]);
    let k1 = &space.ee[1].items[0];
    assert_eq!((k1.assigned, k1.blocks, k1.dispatched, k1.fully_dispatched, k1.executing), (4, 8, true, false, true));
    let sm = &space.sms[0];
    assert_eq!((sm.threads.free, sm.threads.total, sm.slots.free, sm.registers.free), (0, 2048, 30, 65536));
    assert_eq!(space.residency, None, "one address space has nobody to take turns with");
}

#[test]
fn long_queues_and_many_blocks_are_cut_short() {
    let mut draft = Draft { kernels: (0..50).map(|i| row(&format!("K{i}"), "S1", "0", 1, 64)).collect(), ..Draft::default() };
    draft.kernels.insert(0, row("A", "S2", "0", 12, 64));
    let (run, _) = run(&draft);
    let view = queues(&run.trace, &state_at(&run, at("0.5")), None, Time::ZERO, 8);
    let s1 = &view.spaces[0].streams[1];
    assert_eq!((s1.items.len(), s1.hidden, s1.items[0].label.as_str()), (8, 42, "K0"));
    let labels: Vec<Vec<&str>> = view.spaces[0].sms.iter().map(|sm| sm.blocks.iter().map(|b| b.label.as_str()).collect()).collect();
    assert_eq!(labels, [["A: 6 blocks", "K0:0"].to_vec(), ["A: 6 blocks"].to_vec()]);
    let group = &view.spaces[0].sms[0].blocks[0];
    assert_eq!((group.blocks, group.threads), (6, 384));
    assert_eq!(view.tasks[0].open, 1);
}

#[test]
fn neighbouring_blocks_share_a_label() {
    let mut draft = Draft { kernels: vec![row("A", "S1", "0", 6, 64)], ..Draft::default() };
    draft.device = DeviceDraft::Custom(Device { sms: 1, ..Device::default() });
    let (run, _) = run(&draft);
    let view = queues(&run.trace, &state_at(&run, at("0.5")), None, Time::ZERO, 8);
    assert_eq!(view.spaces[0].sms[0].blocks[0].label, "A:0–5");
}

#[test]
fn busy_streams_come_first_where_there_are_too_many() {
    let draft = Draft {
        kernels: (0..200).map(|i| row(&format!("K{i}"), &format!("S{i}"), if i < 190 { "0" } else { "5" }, 1, 64)).collect(),
        ..Draft::default()
    };
    let (run, _) = run(&draft);
    let view = queues(&run.trace, &state_at(&run, at("5.5")), None, Time::ZERO, 8);
    let space = &view.spaces[0];
    assert_eq!((space.streams.len(), space.hidden_streams), (64, 136));
    assert_eq!(space.streams.iter().filter(|s| !s.items.is_empty()).count(), 10);
    assert_eq!(space.streams[0].label, "S0");
    assert_eq!(space.streams[63].label, "S199");
}

/// What the first step of some kind marks: boxes by name, with `>` where something entered and
/// `<` with what left.
fn marks(run: &Run, is_it: impl Fn(Change) -> bool) -> Vec<String> {
    let trace = &run.trace;
    let i = trace.steps().iter().position(|s| is_it(s.change)).unwrap();
    let view = queues(trace, run.replay().seek(i as u32 + 1), Some(&trace.steps()[i]), Time::ZERO, 100);
    let mut out = Vec::new();
    let mut mark = |label: &str, items: &[QueuedOp], left: &Option<String>| {
        let entered: String = items.iter().filter(|i| i.entered).map(|i| format!(" > {}", i.label)).collect();
        out.push(format!("{label}{entered}{}", left.as_ref().map_or(String::new(), |l| format!(" < {l}"))));
    };
    for t in view.tasks.iter().filter(|t| t.changed) {
        mark(&t.name, &[], &None);
    }
    for space in &view.spaces {
        for s in space.streams.iter().filter(|s| s.changed) {
            mark(&s.label, &s.items, &s.left);
        }
        for q in space.ee.iter().chain(&space.ce).filter(|q| q.changed) {
            mark(&q.label, &q.items, &q.left);
        }
        for sm in space.sms.iter().filter(|sm| sm.changed) {
            let blocks: String = sm.blocks.iter().filter(|b| b.changed).map(|b| format!(" > {}", b.label)).collect();
            mark(&format!("SM {}{blocks}", sm.sm.0), &[], &sm.left);
        }
        for e in space.engines.iter().filter(|e| e.changed) {
            mark(&e.label, e.item.as_slice(), &e.left);
        }
    }
    out
}

#[test]
fn a_step_marks_where_it_takes_from_and_where_it_puts() {
    let (run, _) = run(&table_1());
    let low = "EE queue, low priority";
    assert_eq!(marks(&run, |c| matches!(c, Change::JobReleased { .. })), ["T0"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::Issued { .. })), ["T0", "S1 > K1"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::EeJoined { .. })), ["S1".to_owned(), format!("{low} > K1")]);
    assert_eq!(marks(&run, |c| matches!(c, Change::BlockAssigned { .. })), [low, "SM 0 > K1:0"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::EeLeft { .. })), [format!("{low} < K1")]);
    assert_eq!(marks(&run, |c| matches!(c, Change::BlockEnded { .. })), ["SM 0 < K1:0"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::KernelCompleted { .. })), ["S1 < K1"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::CeJoined { .. })), ["S3", "CE queue > C5o"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::CopyAssigned { .. })), ["CE queue", "Copy engine > C5o"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::CeLeft { .. })), ["CE queue < C5o"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::CopyCompleted { .. })), ["S3 < C5o", "Copy engine < C5o"]);
    assert_eq!(marks(&run, |c| matches!(c, Change::JobCompleted { .. })), ["T1"]);
}

/// Without its marks.
fn unmarked(run: &Run, applied: u32) -> QueueView {
    queues(&run.trace, run.replay().seek(applied), None, Time::ZERO, usize::MAX)
}

/// The boxes of a diagram by name with what stands in them, as far as a step should mark changes.
fn contents(view: &QueueView) -> Vec<String> {
    drawn(view).lines().map(|l| l.replace('*', "")).collect()
}

proptest! {
    #![proptest_config(cases(128))]

    /// Whatever differs between the diagrams before and after a step is marked, and the diagram
    /// with marks is otherwise the same.
    #[test]
    fn what_a_step_moves_is_marked(draft in drafts()) {
        let (run, _) = run(&draft);
        for (i, step) in run.trace.steps().iter().enumerate() {
            let before = contents(&unmarked(&run, i as u32));
            let after = unmarked(&run, i as u32 + 1);
            let marked = queues(&run.trace, run.replay().seek(i as u32 + 1), Some(step), Time::ZERO, usize::MAX);
            prop_assert_eq!(drawn(&after), drawn(&marked));
            let mut is_marked = Vec::new();
            for space in &marked.spaces {
                is_marked.extend(space.streams.iter().map(|s| s.changed));
                is_marked.extend(space.ee.iter().chain(&space.ce).map(|q| q.changed));
                is_marked.extend(space.sms.iter().map(|sm| sm.changed));
                is_marked.extend(space.engines.iter().map(|e| e.changed));
            }
            let after = contents(&after);
            prop_assert_eq!(before.len(), after.len());
            for (j, (b, a)) in before.iter().zip(&after).enumerate() {
                prop_assert!(b == a || is_marked[j], "step {}: {} became {}", i, b, a);
            }
            let is_all_quiet = !is_marked.contains(&true) && marked.tasks.iter().all(|t| !t.changed);
            prop_assert!(!is_all_quiet, "step {} marks nothing", i);
        }
    }
}

#[test]
fn the_sms_are_those_of_the_device() {
    for device in blockstep_sim::scenario::device::BUILT_IN {
        let mut draft = table_1();
        draft.device = DeviceDraft::BuiltIn(device.id.to_owned());
        let (run, _) = run(&draft);
        let view = queues(&run.trace, &state_at(&run, at("0.5")), None, Time::ZERO, 100);
        let space = &view.spaces[0];
        assert_eq!((space.sms.len() as u64, space.hidden_sms), (device.device().sms, 0), "{}", device.id);
        assert!(space.sms_in_words.starts_with(&format!("{} SMs: ", device.device().sms)), "{}", space.sms_in_words);
    }
}
