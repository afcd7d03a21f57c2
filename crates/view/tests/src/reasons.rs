//! Why operations wait: each reason in a small scenario, in exact words.

mod breakdown;

use blockstep_sim::engine::{Limits, simulate_with};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Device, DeviceDraft, Draft, KernelDraft, NULL_STREAM, PolicyKind, ProcessDraft, Release, Scenario, StreamDraft, StreamPriority,
    TaskDraft,
};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{OpId, Span};
use blockstep_testing::rows::{at, row, run, state_at, table_1};
use blockstep_view::breakdown::breakdown;
use blockstep_view::position::Stop;
use blockstep_view::quantity::Unit::Bytes;
use blockstep_view::quantity::parse;
use blockstep_view::queues::{Presence, queues};
use blockstep_view::reason::{ReasonKind, waiting, waiting_of};
use blockstep_view::sentence::{sentence, spoken};

/// What waits at an instant: name, rule and words.
fn waits(draft: &Draft, time: &str) -> Vec<String> {
    let (run, records) = run(draft);
    let list = waiting(&run.trace, &records, &state_at(&run, at(time)), 100);
    assert_eq!(list.items.iter().filter(|w| !w.executing).count(), list.total);
    for op in (0..run.trace.ops().len()).map(OpId::at) {
        let listed = list.items.iter().find(|item| item.op == op);
        assert_eq!(waiting_of(&run.trace, &records, &state_at(&run, at(time)), op).as_ref(), listed, "the same one by one");
    }
    list.items.into_iter().map(|w| format!("{} {}: {}", w.label, w.rule.map_or("-", |r| r.id()), w.text)).collect()
}

fn device(change: impl FnOnce(&mut Device)) -> DeviceDraft {
    let mut device = Device::default();
    change(&mut device);
    DeviceDraft::Custom(device)
}

fn stream(name: &str, priority: StreamPriority) -> StreamDraft {
    StreamDraft { process: None, name: name.to_owned(), priority, non_blocking: false }
}

#[test]
fn table_1_at_inset_a() {
    let expected = [
        "K2 G2: behind K1 in stream S1",
        "C2o C1: behind K1 in stream S1, with 2 operations ahead",
        "C3i C1: behind K1 in stream S1, with 3 operations ahead",
        "K3 G2: behind K1 in stream S1, with 4 operations ahead",
        "C3o C1: behind K1 in stream S1, with 5 operations ahead",
        "K4 X1: behind K1 in the low-priority EE queue",
        "K5 X1: behind K1 in the low-priority EE queue, with 2 kernels ahead",
        "C5o C1: behind K5 in stream S3",
        "K1 R2: block 4 needs 768 free threads; each SM has 512, and other blocks of K1 hold the rest",
    ];
    assert_eq!(waits(&table_1(), "0.8"), expected);
    let mut fifo = table_1();
    fifo.policy.kind = PolicyKind::Fifo;
    assert_eq!(waits(&fifo, "0.8")[5], "K4 X1: behind K1 in the EE queue");
}

#[test]
fn table_1_at_the_other_insets() {
    let b = waits(&table_1(), "1.8");
    assert!(b.contains(&"K5 R3: needs 32 KiB of free shared memory; no SM has any, and K4 holds it".to_owned()), "{b:?}");
    let d = waits(&table_1(), "3.02");
    let expected = [
        "C2o C2: the copy engine is busy with C5o",
        "C3i C1: behind C2o in stream S1",
        "K3 G2: behind C2o in stream S1, with 2 operations ahead",
        "C3o C1: behind C2o in stream S1, with 3 operations ahead",
        "C6o C1: behind K6 in stream S2",
    ];
    assert_eq!(d, expected);
}

#[test]
fn a_link_leads_to_the_step_at_which_it_stops_waiting() {
    let (run, records) = run(&table_1());
    let list = waiting(&run.trace, &records, &state_at(&run, at("1.8")), 1);
    assert_eq!((list.items.len(), list.total), (1, 7), "the list is cut, the total is not");
    let until = run.trace.step(list.items[0].until.unwrap());
    assert_eq!(sentence(&run.trace, until), "Block 0 of K2 is assigned to SM 0.");
    assert_eq!(until.at.ns(), at("2"));
    assert_eq!(list.items[0].blockers, [OpId(0)], "K1");
}

#[test]
fn producer() {
    let consumer = TaskDraft { consumes: vec!["T0".to_owned()], ..TaskDraft::named("T1") };
    let mut draft = Draft {
        tasks: vec![TaskDraft::named("T0"), consumer],
        kernels: vec![row("K1", "S1", "0", 1, 64), KernelDraft { task: Some("T1".to_owned()), ..row("K2", "S2", "0", 1, 64) }],
        ..Draft::default()
    };
    assert_eq!(waits(&draft, "0.5"), ["K2 -: its task waits for task T0 to complete its job"]);
    for task in &mut draft.tasks {
        (task.release, task.period_ns) = (Release::Periodic, Some(at("2")));
    }
    assert_eq!(waits(&draft, "0.5"), ["K2#0 -: its job waits for job 0 of task T0 to complete"]);
}

#[test]
fn null_stream() {
    let draft = Draft {
        kernels: vec![row("K1", "S1", "0", 1, 64), row("K2", NULL_STREAM, "0", 1, 64), row("K3", "S2", "0", 1, 64)],
        ..Draft::default()
    };
    assert_eq!(
        waits(&draft, "0.5"),
        ["K2 N1: heads the NULL stream, but K1 in stream S1 was launched before it", "K3 N2: K2 in the NULL stream was launched before it"]
    );
}

#[test]
fn priority() {
    let draft = Draft {
        streams: vec![stream("S1", StreamPriority::Low), stream("S2", StreamPriority::High)],
        kernels: vec![row("K1", "S1", "0", 8, 1024), row("K2", "S2", "0.5", 8, 1024), row("K3", "S3", "0.6", 1, 64)],
        ..Draft::default()
    };
    let k1_waits_later = "K1 A2: K2 in the high-priority EE queue goes first";
    assert_eq!(
        waits(&draft, "0.7"),
        [
            "K2 R2: needs 1,024 free threads; no SM has any, and K1 holds them",
            "K3 A2: K2 in the high-priority EE queue goes first",
            k1_waits_later,
        ]
    );
}

#[test]
fn registers_and_slots() {
    let mut draft = Draft { kernels: vec![row("K1", "S1", "0", 2, 1024), row("K2", "S2", "0.5", 1, 512)], ..Draft::default() };
    draft.device = device(|d| (d.sms, d.max_registers_per_block) = (1, 65_536));
    draft.kernels[0].blocks = 1;
    (draft.kernels[0].registers_per_thread, draft.kernels[1].registers_per_thread) = (48, 33);
    assert_eq!(waits(&draft, "0.7"), ["K2 R1: needs 16,896 free registers; SM 0 has 16,384, and K1 holds the rest"]);
    draft.device = device(|d| (d.sms, d.blocks_per_sm, d.max_registers_per_block) = (2, 1, 65_536));
    draft.kernels[0].blocks = 2;
    draft.kernels[1].registers_per_thread = 1;
    assert_eq!(waits(&draft, "0.7"), ["K2 R1: needs a free block slot; no SM has one, and K1 holds them"]);
}

#[test]
fn an_sm_with_enough_of_the_scarce_resource_may_lack_another() {
    let memory = |bytes: &str, k: KernelDraft| KernelDraft { shared_memory_bytes: parse(Bytes, bytes).unwrap(), ..k };
    let mut draft = Draft {
        kernels: vec![
            memory("48 KB", row("K1", "S1", "0", 1, 64)),
            row("K2", "S2", "0", 1, 1024),
            row("K3", "S3", "0", 1, 960),
            memory("32 KB", row("K4", "S4", "0.5", 1, 128)),
        ],
        ..Draft::default()
    };
    draft.device = device(|d| d.threads_per_sm = 1024);
    // K1 on SM 0, K2 on SM 1 (more free threads), K3 on SM 0.
    draft.kernels[2].threads_per_block = 832;
    assert_eq!(
        waits(&draft, "0.7"),
        ["K4 R3: needs 32 KiB of free shared memory; SM 0 has 16 KiB, SM 1 has 64 KiB (but 0 of 128 threads), and K1 and K2 hold the rest"]
    );
}

#[test]
fn copy_engines() {
    let copy = |k: KernelDraft| KernelDraft { copy_in_bytes: parse(Bytes, "256MB").unwrap(), ..k };
    let mut draft =
        Draft { kernels: (1..=4).map(|i| copy(row(&format!("K{i}"), &format!("S{i}"), "0", 1, 64))).collect(), ..Draft::default() };
    let list = waits(&draft, "0.1");
    assert_eq!(list[1], "C2i C2: the copy engine is busy with C1i");
    assert_eq!(list[3], "C3i C2: the copy engine is busy with C1i; C2i is next");
    assert_eq!(list[5], "C4i C2: the copy engine is busy with C1i; 2 copies are ahead in the CE queue");
    draft.device = device(|d| d.copy_engines = 2);
    assert_eq!(waits(&draft, "0.1")[5], "C4i C2: the input copy engine is busy with C1i; 2 copies are ahead in the input CE queue");
}

#[test]
fn many_sms_and_many_holders_stay_short() {
    let mut draft = Draft { device: DeviceDraft::BuiltIn("titanv".to_owned()), ..Draft::default() };
    draft.kernels = (1..=5).map(|i| row(&format!("K{i}"), &format!("S{i}"), "0", 32, 1024)).collect();
    draft.kernels.push(row("K6", "S6", "0.5", 1, 512));
    let list = waits(&draft, "0.7");
    assert_eq!(list, ["K6 R2: needs 512 free threads; no SM has any, and K1, K2, K3 and 2 more hold them"]);
    draft.kernels[4].blocks = 31;
    draft.kernels.push(row("K7", "S7", "0.5", 1, 1024));
    // K6 took half of the place that K5 left.
    let list = waits(&draft, "0.7");
    assert_eq!(list, ["K7 R2: needs 1,024 free threads; SMs 0–78 have 0, SM 79 has 512, and K1, K2, K3 and 3 more hold the rest"]);
}

#[test]
fn between_the_steps_of_an_instant() {
    let (run, records) = run(&table_1());
    let mut replay = run.replay();
    let text = |replay: &mut blockstep_sim::snapshot::Replay, applied: u32, name: &str| {
        let list = waiting(&run.trace, &records, replay.seek(applied), 100);
        list.items.into_iter().find(|w| w.label == name).map(|w| w.text)
    };
    // Released, issued, not yet in its EE queue; then in it.
    let issued = run.trace.steps().iter().position(|s| matches!(s.change, Change::Issued { .. })).unwrap() as u32 + 1;
    assert_eq!(text(&mut replay, issued, "K1").unwrap(), "joins its next queue at this instant");
    assert_eq!(text(&mut replay, issued + 1, "K1").unwrap(), "to be assigned at this instant");
    let last_block = run.trace.steps().iter().position(|s| matches!(s.change, Change::KernelCompleted { .. })).unwrap() as u32;
    assert_eq!(text(&mut replay, last_block, "K1").unwrap(), "its last block has completed; it leaves its stream at this instant");
}

#[test]
fn every_step_has_a_sentence_of_its_own_words() {
    let (run, _) = run(&table_1());
    let sentences: Vec<String> = run.trace.steps().iter().map(|s| sentence(&run.trace, s)).collect();
    for expected in [
        "Task T0 releases its job.",
        "Task T0 issues C3i to stream S1.",
        "K5 reaches the head of stream S3 and joins the low-priority EE queue.",
        "Block 0 of K1 is assigned to SM 0.",
        "K1's last block is assigned, so K1 leaves the low-priority EE queue.",
        "Block 0 of K1 completes and frees its place on SM 0.",
        "All blocks of K1 have completed; it leaves stream S1.",
        "C5o reaches the head of stream S3 and joins the CE queue.",
        "C5o is assigned to the copy engine.",
        "C5o leaves the CE queue.",
        "C5o completes; it leaves the copy engine and stream S3.",
        "The job of task T1 is complete.",
    ] {
        assert!(sentences.iter().any(|s| s == expected), "{expected}\n{sentences:#?}");
    }
    let at = |position, ns| Stop { position, at: blockstep_sim::units::Time(ns) };
    assert_eq!(spoken(&run.trace, at(0, 0)), format!("Before the first of {} steps, 0 s.", sentences.len()));
    assert_eq!(spoken(&run.trace, at(1, 0)), format!("Step 1 of {}, 0 s: Task T0 releases its job.", sentences.len()));
    let later = spoken(&run.trace, at(18, 800_000_000));
    let step = sentence(&run.trace, run.trace.step(blockstep_sim::units::StepId(17)));
    assert_eq!(later, format!("800 ms, after step 18 of {} at 400 ms: {step}", sentences.len()));
}

#[test]
fn not_resident() {
    let of = |process: &str, k: KernelDraft| KernelDraft { task: Some(format!("T{process}")), ..k };
    let task = |process: &str| TaskDraft { process: Some(format!("P{process}")), ..TaskDraft::named(format!("T{process}")) };
    let long = |k: KernelDraft| KernelDraft { block_time_ns: blockstep_sim::scenario::BlockTimes::Each(at("3")), ..k };
    let mut draft = Draft {
        processes: vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")],
        tasks: vec![task("0"), task("1")],
        kernels: vec![
            of("0", long(row("K1", "S1", "0", 1, 64))),
            of("1", row("K2", "S1", "0", 1, 64)),
            of("1", row("K3", "S1", "0", 1, 64)),
        ],
        horizon_ns: Some(at("10")),
        ..Draft::default()
    };
    (draft.kernels[1].copy_in_bytes, draft.policy.switch_cost_ns) = (64, at("0.5"));
    let run = simulate_with(&Scenario::new(&draft).unwrap(), &blockstep_testing::turns::Turns { each_ns: at("2") }, Limits::default());
    let records = Records::new(&run.trace);
    let waits = |time: &str| {
        let list = waiting(&run.trace, &records, &state_at(&run, at(time)), 100);
        list.items.into_iter().map(|w| format!("{} {}: {}", w.label, w.rule.map_or("-", |r| r.id()), w.text)).collect::<Vec<_>>()
    };
    assert_eq!(waits("1")[0], "C2i S2: process P1 is not resident; process P0 is");
    assert_eq!(waits("1")[1], "K2 G2: behind C2i in stream S1");
    assert_eq!(waits("2.2")[0], "K1 S2: process P0 is not resident; a switch to process P1 is under way");
    assert_eq!(waits("2.2")[1], "C2i S2: process P1 becomes resident when the context switch ends at 2.5 s");
    assert_eq!(waits("3"), ["K1 S2: process P0 is not resident; process P1 is", "K3 G2: behind K2 in stream S1"]);
    let view = queues(&run.trace, &state_at(&run, at("3")), None, blockstep_sim::units::Time::ZERO, 10);
    assert_eq!(
        view.spaces.iter().map(|s| (s.name.as_str(), s.residency.map(Presence::words))).collect::<Vec<_>>(),
        [("P0", Some("not resident")), ("P1", Some("resident"))]
    );
    assert!(view.spaces[0].sms[0].blocks[0].suspended);
    // K1 runs 0-2, is suspended until P0 is back at 5, and ends at 6.
    let k1 = &waiting(&run.trace, &records, &state_at(&run, at("3")), 100).items[0];
    assert_eq!((k1.label.as_str(), k1.until.map(|step| run.trace.step(step).at.ns())), ("K1", Some(at("5"))));
    // Suspended, and P0 has not left yet: it is not for this instant that K1 waits.
    let suspended = run.trace.steps().iter().position(|s| matches!(s.change, Change::BlockSuspended { .. })).unwrap() as u32;
    let leaving = &waiting(&run.trace, &records, run.replay().seek(suspended + 1), 100).items[0];
    assert_eq!((leaving.label.as_str(), leaving.text.as_str()), ("K1", "process P0 leaves the GPU at this instant"));
    assert_eq!(leaving.until, k1.until);
    let k1 = &breakdown(run.replay(), &records)[0];
    assert_eq!((k1.response, k1.executing), (Span(at("6")), Span(at("3"))));
    assert_eq!(k1.waits, [(ReasonKind::NotResident, Span(at("3")))]);
    for entry in breakdown(run.replay(), &records) {
        let waited: u64 = entry.waits.iter().map(|(_, span)| span.ns()).sum();
        assert_eq!(waited + entry.executing.ns(), entry.response.ns());
    }
    let sentences: Vec<String> = run.trace.steps().iter().map(|s| sentence(&run.trace, s)).collect();
    for expected in [
        "Process P0 is now resident.",
        "Block 0 of K1 is suspended on SM 0.",
        "Process P0 leaves the GPU.",
        "A context switch to process P1 begins; it ends at 2.5 s.",
        "Block 0 of K1 resumes on SM 0.",
    ] {
        assert!(sentences.iter().any(|s| s == expected), "{expected}\n{sentences:#?}");
    }
}
